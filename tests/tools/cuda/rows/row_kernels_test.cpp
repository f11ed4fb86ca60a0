// The kernels of the row sweep and the values they are fed: ptxas takes each kernel, and the operands cover what they
// are said to cover.
//
// Source: splitmix64's outputs for the seed 1234567: rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
#include "tools/cuda/rows/row_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/captures.h"
#include "tests/support/ptxas.h"
#include "tools/cuda/rows/row_jobs.h"
#include "tools/cuda/rows/row_values.h"

namespace warpsim::rows {
namespace {

TEST(RowValues, TheGeneratorIsSplitmix64) {
  Random random(1234567);
  for (const std::uint64_t value :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
    EXPECT_EQ(random.next(), value);
}

// The opcodes that the driver's compiler refused are in the capture; ptxas must take all others, as the driver did.
TEST(RowKernels, PtxasTakesEveryKernelOfTheSweep) {
  WARPSIM_NEEDS_PTXAS();
  const std::set<std::string>& refused = tests::refused_opcodes();
  ASSERT_GT(refused.size(), 100U) << "cannot read the captures in tests/data";
  std::vector<Instruction> all = all_instructions();
  for (const Instruction& i : network_instructions()) all.push_back(i);
  std::string module = kPtxHead;
  std::size_t kernels = 0;
  for (const Instruction& i : all) {
    if (refused.count(opcode_text(i)) == 0) module += column_ptx(i, 0x96, "k" + std::to_string(kernels++));
  }
  EXPECT_GT(kernels, 2000U);
  EXPECT_EQ(warpsim::testing::assemble_ptx(module, 90), "");
}

const Job& job_of(const std::vector<Job>& jobs, const std::string& opcode) {
  for (const Job& job : jobs) {
    if (line_name(job.instruction) == opcode) return job;
  }
  ADD_FAILURE() << "no opcode " << opcode;
  return jobs.front();
}

Columns operands_of(const std::vector<Job>& jobs, const std::string& opcode, std::size_t count) {
  const Job& job = job_of(jobs, opcode);
  Columns operands;
  fill_operands(job.instruction, job.signature, job.draw, 0, count, operands);
  return operands;
}

TEST(RowOperands, AreAFunctionOfTheIndex) {
  for (const Job& job : all_jobs(Pattern::Mixed, 512, 7)) {
    if (job.count < 512) continue;
    Columns whole, part;
    fill_operands(job.instruction, job.signature, job.draw, 0, 512, whole);
    fill_operands(job.instruction, job.signature, job.draw, 256, 256, part);
    for (std::size_t k = 0; k < whole.size(); ++k)
      EXPECT_TRUE(std::equal(part[k].begin(), part[k].end(), whole[k].begin() + 256)) << line_name(job.instruction);
  }
}

TEST(RowOperands, FitTheirTypes) {
  for (const Job& job : all_jobs(Pattern::Mixed, 4096, 7)) {
    const Columns operands = operands_of({job}, line_name(job.instruction), 4096);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const int width = bits(job.signature.operands[k]);
      for (const std::uint64_t x : operands[k])
        ASSERT_TRUE(width == 64 || x >> width == 0) << line_name(job.instruction) << ", operand " << k;
    }
  }
}

TEST(RowOperands, MixedHasWhatIsRare) {
  const std::vector<Job> jobs = all_jobs(Pattern::Mixed, 1 << 14, 1);
  const Columns x = operands_of(jobs, "add.f32", 1 << 14);
  std::map<std::string, int> seen;
  for (std::size_t n = 0; n < x[0].size(); ++n) {
    const std::uint64_t a = x[0][n], b = x[1][n], size = a & 0x7fffffff;
    seen["equal"] += a == b;
    seen["opposite"] += a == (b ^ 0x80000000U);
    seen["zero"] += size == 0;
    seen["subnormal"] += size != 0 && size < 0x00800000;
    seen["infinity"] += size == 0x7f800000;
    seen["quiet NaN"] += size >= 0x7fc00000;
    seen["signalling NaN"] += size > 0x7f800000 && size < 0x7fc00000;
    seen["largest"] += size == 0x7f7fffff;
    seen["near one another"] += (a >> 23 & 0xff) + 2 > (b >> 23 & 0xff) && (b >> 23 & 0xff) + 2 > (a >> 23 & 0xff);
  }
  EXPECT_EQ(seen.size(), 9U);
  for (const auto& [what, count] : seen) EXPECT_GT(count, 50) << what;
}

TEST(RowOperands, HalvesAreAllTried) {
  const std::vector<Job> jobs = all_jobs(Pattern::Mixed, 65536, 1);
  for (const std::string opcode : {"tanh.approx.f16", "ex2.approx.ftz.bf16", "cvt.f32.f16", "abs.s16"}) {
    const Columns x = operands_of(jobs, opcode, 65536);
    EXPECT_EQ(std::set<std::uint64_t>(x[0].begin(), x[0].end()).size(), 65536U) << opcode;
  }
  std::set<std::uint64_t> low, high;
  const Columns pairs = operands_of(jobs, "tanh.approx.f16x2", 65536);
  for (const std::uint64_t pair : pairs[0]) low.insert(pair & 0xffff), high.insert(pair >> 16);
  EXPECT_EQ(low.size() + high.size(), 2U * 65536);
}

TEST(RowOperands, EveryIsEvery) {
  const std::vector<Job> jobs = all_jobs(Pattern::Every, 0, 1);
  Columns x;
  const auto at = [&](const std::string& opcode, std::uint64_t first) {
    const Job& job = job_of(jobs, opcode);
    EXPECT_EQ(job.count, std::uint64_t{1} << 32);
    fill_operands(job.instruction, job.signature, job.draw, first, 128, x);
  };
  at("cvt.rni.s32.f32", 0x7f800000);
  EXPECT_EQ(x[0][5], 0x7f800005U);
  at("rcp.approx.ftz.f64", 0x80000000);
  EXPECT_EQ(x[0][5] >> 32, 0x80000005U);
  EXPECT_NE(x[0][5] & 0xffffffffU, x[0][6] & 0xffffffffU);
  at("add.f16", 0x12345600);
  EXPECT_EQ(x[0][7], 0x5607U);
  EXPECT_EQ(x[1][7], 0x1234U);
}

TEST(RowOperands, FractionsAreAllTried) {
  const std::vector<Job> jobs = all_jobs(Pattern::Fractions, 1 << 23, 1);
  std::vector<bool> seen(1 << 23);
  const Columns x = operands_of(jobs, "div.full.f32", 1 << 23);
  for (const std::uint64_t b : x[1]) seen[b & 0x7fffff] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 1 << 23);
}

// Every width and every b from 0 to 63, all lanes there; then other lanes, and operands that differ from lane to lane.
TEST(RowOperands, ShufflesHaveEveryWidthAndSource) {
  const std::vector<Job> jobs = all_jobs(Pattern::Mixed, 1 << 20, 1);
  for (const std::string mode : {"idx", "up", "down", "bfly"}) {
    const Columns x = operands_of(jobs, "shfl.sync." + mode + ".b32", 1 << 20);
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::set<std::uint64_t> masks, clamps;
    bool own_b = false, own_c = false;
    for (std::size_t n = 0; n < x[0].size(); ++n) {
      const std::size_t first = n / 32 * 32;
      if (x[3][n] == 0xffffffffU && x[1][n] < 64) seen.insert({x[1][n], x[2][n]});
      masks.insert(x[3][n]), clamps.insert(x[2][n] & 0x1f1f);
      own_b = own_b || x[1][n] != x[1][first], own_c = own_c || x[2][n] != x[2][first];
      ASSERT_TRUE(x[3][n] == x[3][first] && x[3][n] != 0) << "one mask a warp";
    }
    for (std::uint64_t b = 0; b < 64; ++b) {
      for (unsigned width = 1; width <= 32; width *= 2) {
        const std::uint64_t c = (32 - width) << 8 | (mode == "up" ? 0U : 31U);  // as CUDA makes it of a width
        EXPECT_EQ(seen.count({b, c}), 1U) << mode << ", width " << width << ", b " << b;
      }
    }
    EXPECT_GT(masks.size(), 1000U);
    EXPECT_EQ(clamps.size(), 1024U) << "every clamp and segment mask";
    EXPECT_TRUE(own_b && own_c);
  }
}

}  // namespace
}  // namespace warpsim::rows
