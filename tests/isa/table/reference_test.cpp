// isa/README.md is what the table says, and the reference leaves nothing out.
//
// Source: the section comments are read from isa/table/instructions.def itself.
#include "isa/table/reference.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace warpsim {
namespace {

const std::string kSource = WARPSIM_SOURCE_DIR;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(InstructionReference, ReadmeIsWhatTheTableSays) {
  const std::string path = kSource + "/isa/README.md";
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(path, std::ios::binary) << reference_markdown();
  EXPECT_EQ(read_file(path), reference_markdown()) << "run this test with WARPSIM_REBASE=1 and read the difference";
}

// "// ---- moves and selection" begins a section, "INSN(Mov, …" is a row.
TEST(InstructionReference, SectionsAreTheTablesOwn) {
  std::istringstream table(read_file(kSource + "/isa/table/instructions.def"));
  std::string line, section;
  int rows = 0;
  while (std::getline(table, line)) {
    if (line.rfind("// ---- ", 0) == 0) {
      section = line.substr(8);
      section[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(section[0])));
    }
    if (line.rfind("INSN(", 0) != 0) continue;
    ASSERT_LT(rows, kOpCount);
    const Op op = static_cast<Op>(rows++);
    EXPECT_EQ(info(op).id, line.substr(5, line.find(',') - 5));
    EXPECT_EQ(section_of(op), section) << info(op).id;
  }
  EXPECT_EQ(rows, kOpCount);
}

TEST(InstructionReference, EveryRowIsThere) {
  const std::string markdown = reference_markdown();
  for (const InstructionReference& row : instruction_reference()) {
    EXPECT_NE(markdown.find("\n## " + row.section + "\n"), std::string::npos) << row.name;
    EXPECT_NE(markdown.find("| `" + row.name), std::string::npos) << row.name;
    EXPECT_FALSE(row.unit.empty());
    EXPECT_FALSE(row.doc.empty());
    EXPECT_EQ(row.types.empty(), info(row.op).types == kNoType) << row.name;
    const std::string text = reference_text(row);
    for (const std::string& part : {row.usage, row.doc, row.cuda, row.mojo})
      EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  for (const SpecialInfo& special : all_specials()) {
    EXPECT_NE(markdown.find("| `" + std::string(special.name) + "` |"), std::string::npos) << special.name;
  }
}

TEST(InstructionReference, NamesOfTheFourWorlds) {
  const InstructionReference bfly = reference_of(Op::ShflBfly);
  EXPECT_EQ(bfly.name, "shfl.bfly");
  EXPECT_EQ(bfly.ptx, "shfl.sync.bfly");
  EXPECT_EQ(bfly.cuda, "__shfl_xor_sync(membermask, a, b, width)");
  EXPECT_EQ(bfly.mojo, "warp.shuffle_xor(a, b)");
  EXPECT_EQ(bfly.types, (std::vector<std::string>{"b16", "b32", "b64"}));
  EXPECT_EQ(bfly.section, "The shuffle network");
  EXPECT_EQ(reference_of(Op::VoteBallot).ptx, "vote.sync.ballot");
  EXPECT_EQ(reference_of(Op::ActiveMask).ptx, "activemask");
  EXPECT_EQ(reference_of(Op::BarWarp).ptx, "bar.warp.sync");
  EXPECT_EQ(reference_of(Op::BarSync).ptx, "bar.sync");
  EXPECT_EQ(reference_of(Op::ScanAdd).ptx, "");
  EXPECT_EQ(reference_of(Op::Exit).cuda, "return");
  EXPECT_EQ(reference_of(Op::Exit).mojo, "return");
  EXPECT_EQ(reference_of(Op::SetpNe).cuda, "");
  EXPECT_EQ(reference_of(Op::SetpNe).mojo, "a != b");
}

TEST(InstructionReference, WordsFindTheirRows) {
  EXPECT_EQ(ops_named("shfl"), (std::vector<Op>{Op::ShflIdx, Op::ShflUp, Op::ShflDown, Op::ShflBfly}));
  EXPECT_EQ(ops_named("shfl.sync.bfly"), std::vector<Op>{Op::ShflBfly});
  EXPECT_EQ(ops_named("ShflBfly"), std::vector<Op>{Op::ShflBfly});
  EXPECT_EQ(ops_named("add"), (std::vector<Op>{Op::Add, Op::AddNarrow, Op::AddSat, Op::AddCc, Op::AddF, Op::AddHalf}));
  EXPECT_EQ(ops_named("bar.sync"), std::vector<Op>{Op::BarSync});
  EXPECT_TRUE(ops_named("ad").empty());
  EXPECT_TRUE(ops_named("").empty());
}

TEST(Special, NamesAreReadBack) {
  std::set<std::string_view> names;
  for (int k = 0; k < kSpecialCount; ++k) {
    const Special special = static_cast<Special>(k);
    EXPECT_EQ(parse_special(name(special)), special);
    EXPECT_EQ(name(special)[0], '%');
    names.insert(name(special));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kSpecialCount));
  EXPECT_EQ(parse_special("%tid.y"), Special::TidY);
  EXPECT_EQ(parse_special("%nctaid.z"), Special::NCtaIdZ);
  EXPECT_EQ(parse_special("%lanemask_ge"), Special::LaneMaskGe);
  EXPECT_EQ(parse_special("%gtid"), Special::GTid);
  EXPECT_EQ(parse_special("laneid"), std::nullopt);
  EXPECT_EQ(parse_special(""), std::nullopt);
}

TEST(Special, MojosAndCudasNamesAreKnown) {
  EXPECT_EQ(special_known_as("lane_id"), Special::LaneId);
  EXPECT_EQ(special_known_as("lane_id()"), Special::LaneId);
  EXPECT_EQ(special_known_as("threadIdx.y"), Special::TidY);
  EXPECT_EQ(special_known_as("block_dim.x"), Special::NTidX);
  EXPECT_EQ(special_known_as("gridDim.z"), Special::NCtaIdZ);
  EXPECT_EQ(special_known_as("nothing"), std::nullopt);
  EXPECT_EQ(special_known_as(""), std::nullopt);
  EXPECT_EQ(special_known_as("()"), std::nullopt);
}

}  // namespace
}  // namespace warpsim
