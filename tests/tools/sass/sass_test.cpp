// `warpsim sass` of files that are no text, and the captured code of the catalogue.
//
// Shapes: tests/data/cubins and tests/data/fatbins: see tests/data/README.md.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "isa/sass/decoder.h"
#include "programs/embedded.h"
#include "tests/support/ptxas.h"
#include "tests/support/vectors.h"
#include "tests/tools/command/one_file_case.h"
#include "tools/sass/code_capture.h"
#include "tools/sass/listing.h"

namespace warpsim {
namespace {

using tests::data_path;
using tests::read_file;
using tests::read_xz;

const std::string kCapture = WARPSIM_SOURCE_DIR "/traces/captures/ptxas/sm_90.json";

OneFileCase ran(const std::string& command, std::vector<std::pair<std::string, std::string>> files) {
  OneFileCase one;
  one.command = command;
  one.files = std::move(files);
  return run_case(one, WARPSIM_BINARY_DIR);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SassVerb, ShowsCubinsBelowTheirLines) {
  const OneFileCase one =
      ran("warpsim sass k.cubin", {{"k.cubin", read_xz(data_path("cubins/pointer_value.cubin.xz")).value_or("")}});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.err, "");
  EXPECT_TRUE(has(one.out, "shuffle_pointer_value\n49 instructions")) << one.out;
  EXPECT_TRUE(has(one.out, " for sm_90, 12 registers, by ptxas 13.0.88\n")) << one.out;
  // The shuffles were inlined from a header; they stand below the line that called them.
  EXPECT_TRUE(has(one.out, "pointer_value.cu 15\nptx 68: ")) << one.out;
  EXPECT_TRUE(has(one.out, "0160  4 -  w0 --  ------  SHFL.IDX PT, R6, R4, R3, 0x1f\n")) << one.out;
  EXPECT_TRUE(has(one.out, "$__internal_0_$__cuda_sm20_rem_u16:\n")) << one.out;
}

TEST(SassVerb, WritesJson) {
  const OneFileCase one = ran("warpsim sass k.cubin --kernel shuffle_pointer_value --json",
                              {{"k.cubin", read_xz(data_path("cubins/pointer_value.cubin.xz")).value_or("")}});
  const auto json = nlohmann::json::parse(one.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << one.out;
  const auto& function = json["result"]["functions"][0];
  EXPECT_EQ(function["registers"], 12);
  EXPECT_EQ(function["instructions"].size(), 64u);
  const auto& shuffle = function["instructions"][0x160 / 16];
  EXPECT_EQ(shuffle["opcode"], "SHFL.IDX");
  EXPECT_EQ(shuffle["operands"], (std::vector<std::string>{"PT", "R6", "R4", "R3", "0x1f"}));
  EXPECT_EQ(shuffle["write_scoreboard"], 0);
  EXPECT_TRUE(shuffle["read_scoreboard"].is_null());
  EXPECT_EQ(shuffle["ptx_line"], 71);
  EXPECT_EQ(shuffle["cuda"]["line"], 15);
  EXPECT_TRUE(has(shuffle["inlined"]["file"], "sm_30_intrinsics.hpp"));
}

// In a fat binary, packed or not, and in a program around it.
TEST(SassVerb, FindsTheCodeInAProgram) {
  std::set<std::string> texts;
  for (const std::string name : {"none", "speed", "size"}) {
    const std::string bytes = read_file(data_path("fatbins/" + name + ".fatbin")).value_or("");
    for (const std::string& around : {std::string(), std::string("\x7f"
                                                                 "ELF\2\1\1\0.nv_fatbin\0\0",
                                                                 20)}) {
      const OneFileCase one = ran("warpsim sass app", {{"app", around + bytes}});
      EXPECT_EQ(one.exit_code, 0) << one.err;
      texts.insert(one.out);
    }
  }
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_TRUE(has(*texts.begin(), "_Z3addPii\n")) << *texts.begin();
}

TEST(SassVerb, CodeForOtherGpusIsUnsupported) {
  std::string cubin = read_xz(data_path("cubins/pointer_value.cubin.xz")).value_or("");
  cubin.at(49) = 80;  // e_flags
  const OneFileCase one = ran("warpsim sass k.cubin", {{"k.cubin", cubin}});
  EXPECT_EQ(one.exit_code, 5);
  EXPECT_TRUE(has(one.err, "k.cubin has machine code for `sm_80`, and warpsim reads that for sm_90")) << one.err;
  cubin.at(8) = 9;
  EXPECT_EQ(ran("warpsim sass k.cubin", {{"k.cubin", cubin}}).exit_code, 3);
}

// An opcode that nobody knows is shown with its number, and counted.
TEST(SassVerb, CountsWhatIsNotKnown) {
  sass::Cubin cubin;
  cubin.target = 90;
  sass::CodeSection section;
  section.name = "k";
  for (const std::uint64_t low : {0x000000000000f9ffULL, 0x000000000000794dULL}) {
    sass::CodeWord& word = section.words.emplace_back();
    word.word = {low, 0x000fe20003800000};
  }
  const std::string text = tools::listing_of(cubin, section, [](const std::string&) { return std::nullopt; });
  EXPECT_TRUE(has(text, "k\n2 instructions for sm_90, 1 not known\n")) << text;
  EXPECT_TRUE(has(text, "@!PT unknown 0x9ff\n")) << text;
}

// ---- the capture

TEST(CodeCapture, IsOfAllProgramsAndKnown) {
  std::set<std::string> programs, captured;
  for (const EmbeddedProgram& one : embedded_programs())
    if (!shows_mistakes(one.group)) programs.insert(std::string(one.group) + "/" + std::string(one.name));
  for (const auto& [name, code] : tools::captured_code().programs) {
    captured.insert(name);
    EXPECT_GT(code.section.registers, 0u) << name;
    for (const sass::Instruction& insn : sass::decode(code.section))
      EXPECT_TRUE(insn.is_whole()) << name << ": " << text_of(insn);
  }
  EXPECT_EQ(captured, programs);
}

// Without ptxas: each program as it is written now is the one whose code was captured.
TEST(CodeCapture, IsOfTheProgramsThatThereAre) {
  const OneFileCase one =
      ran("for p in $(warpsim list --names | grep -v ^bugs/); do CUDACXX=/nowhere/nvcc warpsim sass $p > /dev/null "
          "2>&1 || echo $p; done",
          {});
  EXPECT_EQ(one.out, "") << "record it again: warpsim sass --record traces/captures/ptxas/sm_90.json";
}

TEST(CodeCapture, IsWhatPtxasMakes) {
  WARPSIM_NEEDS_PTXAS();
  const OneFileCase one = ran("warpsim sass --record new.json && cmp new.json '" + kCapture + "'", {});
  if (!has(one.out, tools::captured_code().compiler)) GTEST_SKIP() << "another ptxas: " << one.out;
  EXPECT_EQ(one.exit_code, 0) << one.out << one.err;
}

TEST(CodeCapture, IsReadAsItIsWritten) { EXPECT_EQ(to_json(tools::captured_code()), read_file(kCapture).value_or("")); }

std::string fault_of(const std::string& text) {
  const auto read = tools::read_code_capture(text);
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
}

TEST(CodeCapture, SaysWhatIsWrong) {
  const std::string head =
      R"({"format": "warpsim-machine-code", "version": "1.0", "compiler": "c", "target": 90, "command": "x", )";
  EXPECT_EQ(fault_of(head + R"("programs": []})"), "");
  EXPECT_EQ(fault_of("{}"), "its \"format\" is not \"warpsim-machine-code\"");
  EXPECT_TRUE(has(fault_of("["), "it is no capture of machine code: "));
  EXPECT_TRUE(has(fault_of(head + R"("programs": [{"name": 3}]})"), "it is no capture of machine code: "));
  const std::string row =
      R"("programs": [{"name": "a/b", "ptx": "", "registers": 1, "labels": [], "lines": [1], "words": )";
  EXPECT_EQ(fault_of(head + row + R"(["12"]}]})"),
            "a/b: \"words\" should be texts of 32 hexadecimal digits, not \"12\"");
  EXPECT_EQ(fault_of(head + row + "[]}]}"), "a/b: \"words\" and \"lines\" should be lists of the same length");
}

}  // namespace
}  // namespace warpsim
