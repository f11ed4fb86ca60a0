// Programs as PTX: ptxas takes all of them, at the target that they ask for and at none below.
#include "isa/ptx_writer/ptx_writer.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/assembly/disassembler.h"
#include "programs/embedded.h"
#include "tests/support/every_line.h"
#include "tests/support/ptxas.h"

namespace warpsim {
namespace {

using testing::assemble_ptx;

Program assembled(const std::string& text) {
  Assembled made = assemble(text, "made.warp");
  EXPECT_TRUE(made.lesson() != nullptr) << made.diagnostics.render();
  return made.lesson() ? Program(*made.lesson()) : Program{};
}

PtxKernel kernel_of(const Program& program, const PtxOptions& options) {
  auto written = write_ptx(program, options);
  EXPECT_TRUE(std::holds_alternative<PtxKernel>(written));
  return std::get<PtxKernel>(written);
}
std::string text_of(const std::string& body, PtxOptions options = {}) {
  return kernel_of(
             assembled(".kernel k (in input: f32[64], out output: f32[64], param n: u32 = 3)\n" + body + "\nexit\n"),
             options)
      .text;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// ---- every line that the table allows

constexpr unsigned kTargets[] = {75, 80, 86, 89, 90};
unsigned below(unsigned target) {
  unsigned lower = 0;
  for (const unsigned t : kTargets)
    if (t < target) lower = t;
  return lower;
}

// Each opcode with its first operands, the first opcode of each type with all of them; every third under a guard.
std::vector<EveryLine> lines_for_ptx(Op op) {
  const OpInfo& row = info(op);
  std::vector<EveryLine> lines;
  for (const Type t : members(row.types)) {
    for (const Type t2 : second_members(row)) {
      bool first = true;
      for (const std::string& opcode : opcodes(row, op, t, t2)) {
        for (const std::vector<std::string>& list : operand_lists(row, t, t2, opcode)) {
          const std::string operands = operand_text(row, list);
          if (operands == "-" || (row.lift == Lift::LoadParam && list[1].empty())) continue;
          const char* const guard = lines.size() % 3 == 0 ? "" : lines.size() % 3 == 1 ? "@%p0 " : "@!%p0 ";
          lines.push_back({guard + opcode + (operands.empty() ? "" : " " + operands), t, t2});
          if (!first) break;
        }
        first = false;
      }
    }
  }
  return lines;
}

class EveryRowAsPtx : public ::testing::TestWithParam<int> {};

TEST_P(EveryRowAsPtx, IsAssembledAtItsTarget) {
  WARPSIM_NEEDS_PTXAS();
  std::map<unsigned, std::vector<EveryLine>> by_target;
  for (const EveryLine& line : lines_for_ptx(static_cast<Op>(GetParam()))) {
    const Program one = assembled(every_line_program({&line, 1}));
    ASSERT_FALSE(one.code.empty()) << line.text;
    by_target[ptx_target(one.code[kEveryPrologue])].push_back(line);
  }
  ASSERT_FALSE(by_target.empty());
  for (const auto& [target, lines] : by_target) {
    const Program program = assembled(every_line_program(lines));
    std::vector<PtxKernel> kernels;
    for (const unsigned k : {0U, 1U}) {
      PtxOptions options;
      options.entry = "k" + std::to_string(k);
      options.lanes = k == 0 ? 32 : 8;
      options.backend = options.records = k == 1;
      kernels.push_back(kernel_of(program, options));
      EXPECT_EQ(kernels.back().target, target);
    }
    EXPECT_EQ(assemble_ptx(ptx_module(kernels), target), "") << target;
  }
}

// The lowest target is the lowest: the one below refuses each opcode.
TEST_P(EveryRowAsPtx, IsRefusedBelowItsTarget) {
  WARPSIM_NEEDS_PTXAS();
  std::map<std::string, EveryLine> one_each;  // by opcode
  for (const EveryLine& line : lines_for_ptx(static_cast<Op>(GetParam()))) {
    const std::size_t begin = line.text[0] == '@' ? line.text.find(' ') + 1 : 0;
    one_each.try_emplace(line.text.substr(begin, line.text.find(' ', begin) - begin), line);
  }
  for (const auto& [opcode, line] : one_each) {
    PtxKernel kernel = kernel_of(assembled(every_line_program({&line, 1})), {});
    const unsigned lower = below(kernel.target);
    if (lower == 0) continue;
    kernel.target = lower;
    EXPECT_NE(assemble_ptx(ptx_module({&kernel, 1}), lower), "") << opcode << " at sm_" << lower;
  }
}

std::string row_name(const ::testing::TestParamInfo<int>& i) { return std::string(info(static_cast<Op>(i.param)).id); }
INSTANTIATE_TEST_SUITE_P(Table, EveryRowAsPtx, ::testing::Range(0, kAssemblyOpCount), row_name);

// ---- the programs

TEST(PtxWriter, EveryProgramIsAssembledAtItsTarget) {
  WARPSIM_NEEDS_PTXAS();
  for (const unsigned lanes : {4U, 8U, 16U, 32U}) {
    std::map<unsigned, std::vector<PtxKernel>> by_target;
    for (const EmbeddedProgram& embedded : embedded_programs()) {
      Assembled made = assemble(embedded.text, std::string(embedded.name), std::string(embedded.group));
      ASSERT_TRUE(made.lesson());
      for (const bool records : {false, true}) {
        PtxOptions options;
        options.lanes = lanes;
        options.block = {2 * lanes + 1, 1, 1};
        options.backend = options.records = records;
        options.entry = ptx_entry(made.lesson()->full_name()) + (records ? "_records" : "");
        PtxKernel kernel = kernel_of(*made.lesson(), options);
        by_target[kernel.target].push_back(std::move(kernel));
      }
    }
    for (const auto& [target, kernels] : by_target)
      EXPECT_EQ(assemble_ptx(ptx_module(kernels), target), "") << target << " at " << lanes << " lanes";
  }
}

TEST(PtxWriter, AProgramWithoutNewInstructionsRunsOnTheOldestTarget) {
  EXPECT_EQ(kernel_of(assembled(".kernel k ()\nshfl.bfly.b32 %a, 1, 1\nexit\n"), {}).target, 75U);
  EXPECT_EQ(kernel_of(assembled(".kernel k ()\nredux.add.u32 %a, 1\nexit\n"), {}).target, 80U);
}

// ---- what is written

TEST(PtxWriter, FloatArithmeticIsNeverFused) {
  const std::string text = text_of("mul.f32 %a, 2.0, 3.0\nadd.f32 %b, %a, 1.0\nsub.rz.f32 %c, %b, %a");
  EXPECT_TRUE(has(text, "mul.rn.f32 %a, 0f40000000, 0f40400000;")) << text;
  EXPECT_TRUE(has(text, "add.rn.f32 %b, %a, 0f3F800000;")) << text;
  EXPECT_TRUE(has(text, "sub.rz.f32 %c, %b, %a;")) << text;
}

// PTX ISA, "atom": atom{.sem}{.scope}{.space}.op.type; "red" has only .relaxed and .release, and orders nothing that it
// could acquire.
TEST(PtxWriter, QualifiersOfAtomicsAreWritten) {
  const auto written = [](const std::string& line) {
    return kernel_of(assembled(".kernel k (inout a: u32[64])\n" + line + "\nexit\n"), {}).text;
  };
  EXPECT_TRUE(has(written("atom.acq_rel.sys.global.add.u32 %x, a[0], 1"), "atom.acq_rel.sys.global.add.u32"));
  EXPECT_TRUE(has(written("atom.global.add.u32 %x, a[0], 1"), "atom.global.add.u32"));
  EXPECT_TRUE(has(written("red.relaxed.gpu.global.add.u32 a[0], 1"), "red.relaxed.gpu.global.add.u32"));
  EXPECT_TRUE(has(written("red.acquire.gpu.global.add.u32 a[0], 1"), "red.relaxed.gpu.global.add.u32"));
  EXPECT_TRUE(has(written("red.acq_rel.cta.global.add.u32 a[0], 1"), "red.release.cta.global.add.u32"));
}

TEST(PtxWriter, CollectivesAreShuffles) {
  const std::string text = text_of("mov.u32 %a, 1\nreduce.add.u32 %b, %a");
  EXPECT_FALSE(has(text, "reduce"));
  for (const char* offset : {"16", "8", "4", "2", "1"})
    EXPECT_TRUE(has(text, "shfl.sync.bfly.b32 %received, %b, " + std::string(offset) + ", 0x1F, 0xFFFFFFFF;")) << text;
}

TEST(PtxWriter, ShufflesOf64BitsAreTwoOf32) {
  const std::string text = text_of("mov.u64 %a, 5\nshfl.up.b64 %b|%p, %a, 1, width=8");
  EXPECT_TRUE(has(text, "mov.b64 {%__b32_0, %__b32_1}, %a;")) << text;
  EXPECT_TRUE(has(text, "shfl.sync.up.b32 %__b32_0, %__b32_0, 1, 0x1800, 0xFFFFFFFF;")) << text;
  EXPECT_TRUE(has(text, "shfl.sync.up.b32 %__b32_1|%p, %__b32_1, 1, 0x1800, 0xFFFFFFFF;")) << text;
  EXPECT_TRUE(has(text, "mov.b64 %b, {%__b32_0, %__b32_1};")) << text;
}

// Of 64 and 16 bits something follows the shuffle, and the guard must still be what it was.
TEST(PtxWriter, AShuffleMayWriteItsOwnGuard) {
  const std::string text = text_of("mov.u64 %a, 5\nmov.u64 %b, 6\nsetp.eq.u32 %p, 1, 1\n@%p shfl.up.b64 %b|%p, %a, 1");
  EXPECT_TRUE(has(text, "mov.pred %__kept_guard, %p;")) << text;
  EXPECT_TRUE(has(text, "@%__kept_guard shfl.sync.up.b32 %__b32_1|%p, %__b32_1, 1, 0x0, 0xFFFFFFFF;")) << text;
  EXPECT_TRUE(has(text, "@%__kept_guard mov.b64 %b, {%__b32_0, %__b32_1};")) << text;
}

TEST(PtxWriter, ElementsBecomeAddresses) {
  const std::string text = text_of("ld.global.f32 %a, input[%gtid + 2]");
  EXPECT_TRUE(has(text, "mul.wide.s32 %__index, %__gtid, 4;")) << text;
  EXPECT_TRUE(has(text, "add.u64 %__real, %__param_input, %__index;")) << text;
  EXPECT_TRUE(has(text, "ld.global.f32 %a, [%__real + 8];")) << text;
}

// Special registers are read once, at the start; a clock where the program reads it.
TEST(PtxWriter, AClockIsReadInPlace) {
  const std::string text = text_of("mov.u32 %a, %laneid\nmov.u64 %t, %clock64\nadd.u32 %a, %a, 1\nmov.u32 %s, %clock");
  const std::size_t begin = text.find("mov.u64 %t, %clock64;"), sum = text.find("add.u32 %a, %a, 1;");
  const std::size_t end = text.find("mov.u32 %s, %clock;");
  ASSERT_TRUE(begin != std::string::npos && sum != std::string::npos && end != std::string::npos) << text;
  EXPECT_LT(begin, sum);
  EXPECT_LT(sum, end);
}

// Only where a branch leads back to: ptxas would write the body out several times.
TEST(PtxWriter, LoopsAreKeptIfThatIsWanted) {
  const char* const body =
      "mov.u32 %a, 0\nagain:\nadd.u32 %a, %a, 1\nsetp.lt.u32 %p, %a, n\n@%p bra again\n@!%p bra done\n"
      "mov.u32 %a, 7\ndone:\nadd.u32 %a, %a, 2";
  const auto count = [](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = text.find("nounroll"); at != std::string::npos; at = text.find("nounroll", at + 1)) ++found;
    return found;
  };
  PtxOptions options;
  options.keeps_loops = true;
  const std::string text = text_of(body, options);
  EXPECT_TRUE(has(text, "L_again:\n        .pragma \"nounroll\";\n        add.u32 %a, %a, 1;")) << text;
  EXPECT_EQ(count(text), 1U) << text;
  EXPECT_EQ(count(text_of(body)), 0U);
}

// With eight lanes a block of 20 threads is three warps: 96 threads of the GPU, of which lanes 8 to 31 of each warp and
// those past the 20 exit at once.
TEST(PtxWriter, FewerLanesAreTheLowestOfAWarp) {
  PtxOptions options;
  options.lanes = 8;
  options.block = {20, 1, 1};
  const std::string text = text_of("mov.u32 %t, %tid.x\nbar.sync 1, 16\nshfl.idx.b32 %b, %t, 0", options);
  EXPECT_TRUE(has(text, "mad.lo.u32 %__thread, %__warp, 8, %__lane;")) << text;
  EXPECT_TRUE(has(text, "setp.ge.u32 %__surplus, %__lane, 8;")) << text;
  EXPECT_TRUE(has(text, "setp.ge.u32 %__surplus, %__thread, 20;")) << text;
  EXPECT_TRUE(has(text, "bar.sync 1, 64;")) << text;  // two warps
  EXPECT_TRUE(has(text, "0x181F, 0x000000FF;")) << text;
  const Dim3 block = ptx_block(8, {20, 1, 1});
  EXPECT_EQ(block.x, 96U);
  EXPECT_EQ(block.count(), 96U);
  EXPECT_EQ(ptx_block(32, {8, 4, 1}), (Dim3{8, 4, 1}));
}

TEST(PtxWriter, SixtyFourLanesAreUnsupported) {
  PtxOptions options;
  options.lanes = 64;
  const auto written = write_ptx(assembled(".kernel k ()\nexit\n"), options);
  ASSERT_TRUE(std::holds_alternative<PtxUnsupported>(written));
  EXPECT_TRUE(has(std::get<PtxUnsupported>(written).message, "unsupported on this device"));
}

// What ptxas 13.0 gets wrong, found by fuzzing on an H200 and seen in its machine code (isa/ptx_writer/ptx_writer.h).
TEST(PtxWriter, GuardsStandOnMovesWherePtxasLosesThem) {
  const std::string text = text_of(
      "mov.f32 %a, 1.0\nsetp.eq.u32 %p|%q, 1, 2\n@%p testp.finite.f32 %q, %a\n"
      "@!%q set.lt.f32.f32 %a, %a, %a");
  EXPECT_TRUE(has(text, "mov.pred %__kept_guard, %p;")) << text;
  EXPECT_TRUE(has(text, "        testp.finite.f32 %__apart0_pred, %a;")) << text;
  EXPECT_TRUE(has(text, "@%__kept_guard mov.pred %q, %__apart0_pred;")) << text;
  EXPECT_TRUE(has(text, "not.pred %__kept_guard, %q;")) << text;
  EXPECT_TRUE(has(text, "        set.lt.f32.f32 %__apart0_b32, %a, %a;")) << text;
  EXPECT_TRUE(has(text, "@%__kept_guard mov.b32 %a, %__apart0_b32;")) << text;
}
TEST(PtxWriter, BitsOfFloatsStayBitsWherePtxasConvertsThem) {
  const std::string text = text_of(
      "ld.global.f32 %f, input[0]\nmov.u64 %x, 1\nshl.b64 %x, %x, %f\nmov.f16 %h, 1.5\n"
      "mov.u64 %p, output\nst.global.u8 [%p], %h\nst.global.u16 [%p], %h");
  EXPECT_TRUE(has(text, "min.u32 %__b32_0, %f, 64;")) << text;
  EXPECT_TRUE(has(text, "shl.b64 %x, %x, %__b32_0;")) << text;
  EXPECT_TRUE(has(text, "and.b16 %__b16_0, %h, 255;")) << text;
  EXPECT_TRUE(has(text, "st.global.u8 [%p], %__b16_0;")) << text;
  EXPECT_TRUE(has(text, "st.global.u16 [%p], %h;")) << text;
}
// ptxas folds constants, approximate functions too, to other bits than the hardware's.
TEST(PtxWriter, TheBackendHidesConstants) {
  PtxOptions options;
  options.backend = true;
  const std::string text = text_of("cos.approx.f32 %a, 1.5\nlop3.b32 %b, %a, 7, %a, 150", options);
  EXPECT_TRUE(has(text, "or.b32 %__b32_0, 1069547520, %__zero_b32;")) << text;
  EXPECT_TRUE(has(text, "cos.approx.f32 %a, %__b32_0;")) << text;
  EXPECT_TRUE(has(text, "lop3.b32 %b, %a, %__b32_0, %a, 150;")) << text;
}

// Names that PTX keeps for itself, or the writer does.
TEST(PtxWriter, NamesDoNotClash) {
  WARPSIM_NEEDS_PTXAS();
  const Program program = assembled(
      ".kernel add (in min: f32[64], out reg: f32[64], param mov: u32 = 1)\n.shared f32 entry[4]\n"
      ".reg .u32 %tid, %__index, %ctaid\nmov.u32 %tid, 1\nmov.u32 %__index, mov\nmov.u32 %ctaid, entry\n"
      "add: setp.eq.u32 %exit, %tid, 1\n@!%exit bra add\nld.global.f32 %f, min[%__index]\nst.shared.f32 entry[%tid], "
      "%f\n"
      "st.global.f32 reg[%gtid], %f\nexit\n");
  const PtxKernel kernel = kernel_of(program, {});
  EXPECT_EQ(assemble_ptx(ptx_module({&kernel, 1}), kernel.target), "") << kernel.text;
}

TEST(PtxWriter, MoreSharedMemoryThanAKernelMayDeclareIsAskedForAtTheLaunch) {
  WARPSIM_NEEDS_PTXAS();
  const auto program = [](const char* length) {
    return assembled(".kernel k ()\n.shared f32 tile[" + std::string(length) + "]\nst.shared.f32 tile[3], 1.0\nexit\n");
  };
  const PtxKernel most = kernel_of(program("12288"), {}), more = kernel_of(program("12289"), {});
  EXPECT_FALSE(most.dynamic_shared);
  EXPECT_TRUE(more.dynamic_shared);
  EXPECT_EQ(more.shared_bytes, 4U * 12289);
  EXPECT_EQ(assemble_ptx(ptx_module({&most, 1}), 75), "");
  EXPECT_EQ(assemble_ptx(ptx_module({&more, 1}), 75), "");
}

// ---- what a recording kernel writes down

TEST(PtxWriter, ARecordHoldsTheAddressTheOperandsAndWhatIsWritten) {
  const Program program = assembled(
      ".kernel k (inout data: u32[64])\nld.global.u32 %a, data[0]\nst.global.u32 data[1], %a\n"
      "atom.global.add.u32 %old, data[2], %a\nred.global.add.u32 data[2], %a\nshfl.up.b32 %b|%p, %a, 1\nmov.u32 %c, 1\n"
      "@%p bra end\nld.global.v4.u32 {%d, %e, %f, %g}, data[0]\nend: exit\n");
  const unsigned expected[] = {2, 2, 3, 2, 2, 1, 0, 5, 0};
  ASSERT_EQ(program.code.size(), std::size(expected));
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    EXPECT_EQ(ptx_record::values(program.code[pc]), expected[pc])
        << disassemble(program, static_cast<std::int32_t>(pc));
}

// ---- lines

TEST(PtxLines, EachLineIsOfALineOfTheProgram) {
  const std::string body =
      ".kernel k (in input: f32[64], out output: f32[64])\nmov.u32 %i, %laneid\nld.global.f32 %x, input[%i]\n"
      "again:\nshfl.bfly.b32 %x, %x, 1, 31\nst.global.f32 output[%i], %x\nexit\n";
  const PtxKernel kernel = kernel_of(assembled(body), {});
  std::vector<std::string> lines;
  std::istringstream text(ptx_module({&kernel, 1}));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), kernel.lines.size() + kPtxHeadLines);
  std::map<std::string, std::set<std::uint32_t>> of;  // by what the line has
  for (std::size_t k = 0; k < kernel.lines.size(); ++k)
    for (const char* const word : {"ld.global", "shfl.", "st.global", "exit", ".reg", ".entry"})
      if (has(lines[k + kPtxHeadLines], word)) of[word].insert(kernel.lines[k]);
  EXPECT_EQ(of["ld.global"], std::set<std::uint32_t>{3});
  EXPECT_EQ(of["shfl."], std::set<std::uint32_t>{5});
  EXPECT_EQ(of["st.global"], std::set<std::uint32_t>{6});
  EXPECT_TRUE(of["exit"].count(7));
  EXPECT_EQ(of[".reg"], std::set<std::uint32_t>{0});
  EXPECT_EQ(of[".entry"], std::set<std::uint32_t>{0});
}

}  // namespace
}  // namespace warpsim
