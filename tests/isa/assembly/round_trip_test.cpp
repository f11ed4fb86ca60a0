// Every row of the table, in every type and with every set of modifiers and operands, through the assembler and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/assembly/disassembler.h"
#include "isa/assembly/opcode_errors.h"
#include "isa/table/op.h"
#include "isa/table/special.h"
#include "tests/isa/assembly/program_equality.h"
#include "tests/support/every_line.h"

namespace warpsim {
namespace {

void expect_round_trip(const std::string& source) {
  const Assembled first = assemble(source, "made.warp", "group");
  ASSERT_TRUE(first.lesson()) << source.substr(0, 3000) << first.diagnostics.render();
  const std::string text = disassemble(*first.lesson());
  const Assembled second = assemble(text, "again.warp");
  ASSERT_TRUE(second.lesson()) << text.substr(0, 3000) << second.diagnostics.render();
  EXPECT_EQ(difference(*first.lesson(), *second.lesson()), "") << text.substr(0, 3000);
}

class EveryRow : public ::testing::TestWithParam<int> {};

// The disassembler gives back each line as it was made: so the assembler has understood it and the text is PTX's.
TEST_P(EveryRow, GoesThroughTheAssemblerAndBack) {
  const Op op = static_cast<Op>(GetParam());
  const OpInfo& row = info(op);
  const std::vector<EveryLine> lines = every_line(op);
  ASSERT_FALSE(lines.empty());
  const std::string source = every_line_program(lines);
  const Assembled made = assemble(source, "made.warp");
  ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
  ASSERT_EQ(made.lesson()->code.size(), kEveryPrologue + lines.size() + 1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Insn& insn = made.lesson()->code[kEveryPrologue + i];
    EXPECT_EQ(insn.op, op) << lines[i].text;
    EXPECT_EQ(insn.type, lines[i].type) << lines[i].text;
    EXPECT_EQ(insn.type2, lines[i].type2) << lines[i].text;
    EXPECT_EQ(insn.operands.size(), slots(row.form).size()) << lines[i].text;
    EXPECT_EQ(disassemble(*made.lesson(), static_cast<std::int32_t>(kEveryPrologue + i)), lines[i].text);
  }
  expect_round_trip(source);
}

// A rounding, .ftz, .sat or .exclusive that the row does not list is refused.
TEST_P(EveryRow, RefusesOtherModifiers) {
  const Op op = static_cast<Op>(GetParam());
  const OpInfo& row = info(op);
  for (const Type t : members(row.types)) {
    for (const Type t2 : second_members(row)) {
      const std::vector<std::string> good = opcodes(row, op, t, t2);
      std::vector<std::string> list = operand_lists(row, t, t2)[0];
      if (row.lift == Lift::LoadParam && list[1].empty()) continue;
      const std::string operands = operand_text(row, list);
      std::string suffix = t == Type::None ? "" : "." + std::string(name(t));
      if (t2 != Type::None) suffix += "." + std::string(name(t2));
      for (const std::string modifier :
           {"", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi", ".ftz", ".sat", ".exclusive", ".cold"}) {
        const std::string opcode = spelling(op) + modifier + suffix;
        const bool expected = std::find(good.begin(), good.end(), opcode) != good.end();
        const Assembled made = assemble(kEveryHead + opcode + " " + operands + "\nexit\n", "made.warp");
        if (made.lesson() && made.lesson()->code[kEveryPrologue].op != op)
          continue;  // add.sat.s32 is a row beside add.s32
        EXPECT_EQ(made.lesson() != nullptr, expected) << opcode << "\n" << made.diagnostics.render();
        if (expected) continue;
        EXPECT_EQ(made.diagnostics.list.size(), 1U) << made.diagnostics.render();
      }
    }
  }
}

// Types that the row does not list are refused, and each refusal is one message.
TEST_P(EveryRow, RefusesOtherTypes) {
  const Op op = static_cast<Op>(GetParam());
  const OpInfo& row = info(op);
  TypeSet taken = 0;
  for (const OpInfo& other : assembly_ops()) {
    const bool with_sat = (other.mods & kSat) != 0 && row.mnemonic == std::string(other.mnemonic) + ".sat";
    if (other.mnemonic == row.mnemonic || with_sat) taken |= other.types;
  }
  for (int t = 1; t < kTypeCount; ++t) {
    if (contains(taken, static_cast<Type>(t))) continue;
    const std::string type(name(static_cast<Type>(t)));
    const std::string opcode = spelling(op) + "." + type + (has_second_type(row.form) ? ".s32" : "");
    const Assembled made = assemble(kEveryHead + opcode + "\nexit\n", "made.warp");
    EXPECT_FALSE(made.lesson() != nullptr) << opcode;
    ASSERT_EQ(made.diagnostics.list.size(), 1U) << made.diagnostics.render();
    const std::string& code = made.diagnostics.list[0].code;
    EXPECT_TRUE(code == "A016" || code == "A017") << made.diagnostics.render();
  }
}

std::string row_name(const ::testing::TestParamInfo<int>& i) { return std::string(info(static_cast<Op>(i.param)).id); }
INSTANTIATE_TEST_SUITE_P(Table, EveryRow, ::testing::Range(0, kAssemblyOpCount), row_name);

// An atomic's qualifiers are kept wherever they were written, and are where PTX puts them.
TEST(Qualifiers, GoThroughTheAssemblerAndBack) {
  const std::string source =
      ".kernel k (inout a: u32[64])\n.shared u32 s[32]\n"
      "atom.relaxed.gpu.global.add.u32 %x, a[%gtid], 1\natom.global.add.acquire.sys.u32 %x, a[%gtid], 1\n"
      "atom.release.cas.b32 %x, s[0], 1, 2\nred.acq_rel.cta.shared.max.u32 s[0], %x\nred.cta.add.u32 a[0], %x\n"
      "atom.global.exch.b32 %x, a[1], 1\nld.global.acquire.gpu.u32 %x, a[0]\nst.release.cta.u32 s[0], %x\n"
      "ld.volatile.u32 %x, s[0]\nst.weak.global.u32 a[0], %x\nld.relaxed.sys.global.v2.u32 {%x, %y}, a[0]\n"
      "st.relaxed.cluster.global.u32 a[0], %y\nexit\n";
  const Assembled made = assemble(source, "made.warp");
  ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
  const std::vector<std::string> expected = {"atom.relaxed.gpu.global.add.u32 %x, a[%gtid], 1",
                                             "atom.acquire.sys.global.add.u32 %x, a[%gtid], 1",
                                             "atom.release.shared.cas.b32 %x, s[0], 1, 2",
                                             "red.acq_rel.cta.shared.max.u32 s[0], %x",
                                             "red.cta.global.add.u32 a[0], %x",
                                             "atom.global.exch.b32 %x, a[1], 1",
                                             "ld.acquire.gpu.global.u32 %x, a[0]",
                                             "st.release.cta.shared.u32 s[0], %x",
                                             "ld.volatile.shared.u32 %x, s[0]",
                                             "st.weak.global.u32 a[0], %x",
                                             "ld.relaxed.sys.global.v2.u32 {%x, %y}, a[0]",
                                             "st.relaxed.cluster.global.u32 a[0], %y"};
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_EQ(disassemble(*made.lesson(), static_cast<std::int32_t>(k)), expected[k]);
  EXPECT_EQ(made.lesson()->code[0].mods.memory.semantics, Semantics::Relaxed);
  EXPECT_EQ(made.lesson()->code[1].mods.memory.scope, Scope::Sys);
  EXPECT_EQ(made.lesson()->code[5].mods.memory, MemoryQualifiers{});
  expect_round_trip(source);
}

// Words for the caches, in any order; a policy is read and dropped.
TEST(Qualifiers, ForCachesGoThroughTheAssemblerAndBack) {
  const std::string source =
      ".kernel k (inout a: u32[64])\n.shared u32 s[32]\nmov.u64 %policy, 0\n"
      "ld.global.L2::128B.L1::no_allocate.nc.u32 %x, a[0]\nld.nc.ca.global.v2.u32 {%x, %y}, a[0]\n"
      "ld.cg.u32 %x, a[1]\nst.cs.global.u32 a[0], %x\nld.relaxed.gpu.L1::evict_first.u32 %x, a[2]\n"
      "ld.global.L1::evict_last.L2::cache_hint.v4.u32 {%x, %y, %z, %w}, a[4], %policy\n"
      "st.global.L2::cache_hint.u32 a[0], %x, %policy\natom.global.add.L2::cache_hint.u32 %x, a[0], 1, %policy\n"
      "red.L2::cache_hint.add.u32 a[0], 1, %policy\nldu.global.u32 %x, a[0]\nexit\n";
  const Assembled made = assemble(source, "made.warp");
  ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
  const std::vector<std::string> expected = {"ld.global.nc.L1::no_allocate.L2::128B.u32 %x, a[0]",
                                             "ld.global.ca.nc.v2.u32 {%x, %y}, a[0]",
                                             "ld.global.cg.u32 %x, a[1]",
                                             "st.global.cs.u32 a[0], %x",
                                             "ld.relaxed.gpu.global.L1::evict_first.u32 %x, a[2]",
                                             "ld.global.L1::evict_last.v4.u32 {%x, %y, %z, %w}, a[4]",
                                             "st.global.u32 a[0], %x",
                                             "atom.global.add.u32 %x, a[0], 1",
                                             "red.global.add.u32 a[0], 1",
                                             "ldu.global.u32 %x, a[0]"};
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_EQ(disassemble(*made.lesson(), static_cast<std::int32_t>(k + 1)), expected[k]);
  expect_round_trip(source);
  const Assembled shared = assemble(".kernel k ()\n.shared u32 s[32]\nld.cg.u32 %x, s[0]\nexit\n", "made.warp");
  ASSERT_EQ(shared.diagnostics.list.size(), 1U);
  EXPECT_EQ(shared.diagnostics.list[0].code, "A018") << shared.diagnostics.render();
}

// Each is refused with a code of its own: what no row takes, a scope that is missing or has no use, one kind twice.
TEST(Qualifiers, ThatDoNotFitAreRefused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"st.global.nc.u32 a[0], 1", "A018"},
      {"st.global.ca.u32 a[0], 1", "A018"},
      {"ld.global.wb.u32 %x, a[0]", "A018"},
      {"ld.acquire.gpu.global.nc.u32 %x, a[0]", "A018"},
      {"ld.release.gpu.global.u32 %x, a[0]", "A018"},
      {"st.acquire.gpu.global.u32 a[0], 1", "A018"},
      {"ld.mmio.relaxed.sys.global.u32 %x, a[0]", "A013"},
      {"atom.weak.global.add.u32 %x, a[0], 1", "A018"},
      {"atom.volatile.global.add.u32 %x, a[0], 1", "A018"},
      {"ld.acquire.global.u32 %x, a[0]", "A019"},
      {"st.relaxed.global.u32 a[0], 1", "A019"},
      {"st.cta.u32 a[0], 1", "A018"},
      {"ld.volatile.gpu.global.u32 %x, a[0]", "A018"},
      {"ld.relaxed.acquire.gpu.global.u32 %x, a[0]", "A020"},
      {"atom.gpu.sys.global.add.u32 %x, a[0], 1", "A020"},
  };
  for (const auto& [opcode, code] : wrong) {
    const Assembled made = assemble(".kernel k (inout a: u32[64])\n" + std::string(opcode) + "\nexit\n", "made.warp");
    ASSERT_FALSE(made.diagnostics.list.empty()) << opcode;
    EXPECT_EQ(made.diagnostics.list[0].code, code) << made.diagnostics.render();
  }
}

TEST(Table, NoRowIsAmongTheUnsupported) {
  for (const std::string_view opcode : opcodes_not_supported_yet()) {
    for (const OpInfo& row : assembly_ops())
      EXPECT_NE(row.mnemonic.substr(0, row.mnemonic.find('.')), opcode) << row.id;
  }
}

// The name that Mojo or CUDA gives to a row leads to a row with that name, and every such message has a suggestion.
TEST(Table, OtherLanguagesNamesAreSuggested) {
  for (const OpInfo& row : assembly_ops()) {
    for (const std::string prefix : {"warp.", "__"}) {
      const std::size_t at = row.aka.find(prefix);
      if (at == std::string_view::npos) continue;
      const std::string word(row.aka.substr(at, row.aka.find_first_of("([;,", at) - at));
      const Assembled made = assemble(kEveryHead + word + " %r1, %r0\nexit\n", "made.warp");
      ASSERT_EQ(made.diagnostics.list.size(), 1U) << word;
      EXPECT_EQ(made.diagnostics.list[0].code, "A012") << word;
      EXPECT_NE(made.diagnostics.list[0].hint.find("did you mean"), std::string::npos)
          << word << ": " << made.diagnostics.list[0].hint;
    }
  }
}

TEST(Table, EverySpecialRegisterIsAnOperand) {
  for (const SpecialInfo& special : all_specials()) {
    const std::string type = special.type == Type::Mask ? "mask" : std::string(name(special.type));
    expect_round_trip(std::string(kEveryHead) + "mov." + type + " %s, " + std::string(special.name) + "\nexit\n");
  }
}

TEST(RoundTrip, WholePrograms) {
  expect_round_trip(R"(// First line.
//
//   Indented "third" line with \ and ↔.

.title "A \"title\" with \\ and ↔"
.document "000:1-2"
.section "Where it is told"
.puzzle "p26 --x"
.twin group_1/other
.exempt 1, 0x2 "pairs \"of pairs\""
.exempt 64 "a mask of 32 bits"
.group p26
.kernel whole (in input: f32[size * 2], out output: f32[], inout both: u64[WARP_SZ], param size: u32 = WARP_SZ * (1 + 1), param g: f64)
.unordered output "turns are \"free\""
.shared f32 tile[WARP_SZ * 2 - 1]
.shared u64 wide[1 << (3 + 1)]
.reg .f32 %later, %unused
.reg .pred %q<3>
first: second:
        .phase "One {step}" when=%p head=3
        .draw "Lane {lane}" columns=2
        .draw "…"
        setp.lt.u32 %p|%q1, %gtid, size
        @!%p bra done
        .phase "nothing happens here"
        ld.global.f32 %later, input[%gtid + (WARP_SZ >> 1)]; mov.b32 %copy, %later
third:  .phase "Two"
        shfl.sync.bfly.b32 %other|%ok, %copy, WARP_SZ / 2, 31, 0xffffffff
        vote.sync.ballot.b32 %lanes, %ok, mask=%lanemask_lt
        bar.warp.sync %lanes; bar.sync 1, 64
        broadcast.f32 %other, %other, mask=0xff
        st.shared.f32 [tile + 4], %other
        @%p bra.uni third
done:   exit
.phase "after the end"
.picture "A picture" id=x
.draw "line" once
.case test
    size = WARP_SZ   // a comment
    input = [1, 2,   // another
             3]; expect output = i == 0 ? 1 : 2, last 3
.case bare
)");
}

TEST(RoundTrip, HeaderComments) {
  for (const std::string header : {"/* one\n * two\n */\n", "// one\n// two\n", "\xef\xbb\xbf// one\n// two\n"}) {
    const Assembled made = assemble(header + ".kernel k ()\nexit\n", "made.warp");
    ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
    EXPECT_EQ(made.lesson()->header, "one\ntwo");
  }
  EXPECT_EQ(assemble(".kernel k ()\nexit\n// not this\n", "made.warp").lesson()->header, "");
}

TEST(RoundTrip, TheProgramsFiles) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(WARPSIM_SOURCE_DIR) + "/programs")) {
    if (entry.path().extension() != ".warp") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    expect_round_trip(text.str());
    ++files;
  }
  EXPECT_GE(files, 30U);
}

// PTX ISA 9.0: a fence without semantics is .acq_rel; .shared is .shared::cta.
TEST(PtxSpellings, AreThoseOfARow) {
  const auto read_as = [](const std::string& line) {
    const Assembled made = assemble(".kernel k (out y: u32[32])\n.shared u32 t[32]\n " + line + "\n exit\n", "t.warp");
    EXPECT_TRUE(made.lesson()) << made.diagnostics.render();
    return made.lesson() ? disassemble(static_cast<const Program&>(*made.lesson()), 0) : "";
  };
  EXPECT_EQ(read_as("fence.cta"), "fence.acq_rel.cta");
  EXPECT_EQ(read_as("fence.gpu"), "fence.acq_rel.gpu");
  EXPECT_EQ(read_as("fence.sys"), "fence.acq_rel.sys");
  EXPECT_EQ(read_as("st.shared::cta.u32 t[%laneid], 1"), "st.shared.u32 t[%laneid], 1");
  EXPECT_EQ(read_as("cp.async.ca.shared::cta.global t[%laneid], y[%gtid], 4"),
            "cp.async.ca.shared.global t[%laneid], y[%gtid], 4");
}

}  // namespace
}  // namespace warpsim
