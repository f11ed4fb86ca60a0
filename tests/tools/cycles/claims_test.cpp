// The sources' claims as versus --profile has them: programs that can be timed, and measurements that were made.
#include "tools/cycles/claims.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "isa/table/op.h"
#include "tools/cycles/captured_cycles.h"

namespace warpsim::tools {
namespace {

const Claim& claim_called(std::string_view what) {
  static const std::vector<Claim> all = all_claims();
  for (const Claim& one : all)
    if (one.what == what) return one;
  ADD_FAILURE() << "no claim " << what;
  return all.front();
}

std::vector<std::uint64_t> cycles_by(std::string_view profile, std::string_view what) {
  for (const ChosenProfile& one : all_profiles())
    if (one.name == profile) return claim_cycles(claim_called(what), one);
  ADD_FAILURE() << "no profile " << profile;
  return {};
}

using Cycles = std::vector<std::uint64_t>;

// A line is a name, which may hold blanks, and a number.
TEST(Claims, MeasurementsAreTheCaptures) {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/h200_latency.txt");
  std::map<std::string, double> measured;
  for (std::string line; std::getline(file, line);) {
    const std::size_t blank = line.rfind(' ');
    if (line.empty() || line[0] == '#' || blank == std::string::npos) continue;
    measured[line.substr(0, blank)] = std::stod(line.substr(blank + 1));
  }
  std::size_t seen = 0;
  for (const Claim& claim : all_claims()) {
    const MeasuredLine* const told = claim.measured ? std::get_if<MeasuredLine>(&*claim.measured) : nullptr;
    if (told == nullptr) continue;
    ++seen;
    const std::string line(told->line);
    ASSERT_EQ(measured.count(line), 1U) << line;
    EXPECT_EQ(measured[line], told->cycles) << line;
  }
  EXPECT_GE(seen, 6U);
}

// What was measured is what the row says: the claim's instructions, so many times.
TEST(Claims, MeasuredKernelsAreTheClaimsInstructions) {
  std::size_t seen = 0;
  for (const Claim& claim : all_claims()) {
    const MeasuredKernel* const kernel = claim.measured ? std::get_if<MeasuredKernel>(&*claim.measured) : nullptr;
    if (kernel == nullptr) continue;
    ++seen;
    std::vector<std::string> lines;
    std::istringstream region(claim.region.substr(0, claim.region.find("to: ")));
    for (std::string line; std::getline(region, line);) lines.push_back(line);
    const std::optional<ClockJob> job = micro_benchmark_job(kernel->name);
    ASSERT_TRUE(job) << kernel->name;
    const std::size_t count = static_cast<std::size_t>(job->clocked.last - job->clocked.first);
    ASSERT_EQ(static_cast<double>(count), static_cast<double>(lines.size()) * kernel->times) << claim.what;
    for (std::size_t k = 0; k < count; ++k) {
      const Insn& insn = job->clocked.program.code[static_cast<std::size_t>(job->clocked.first) + k];
      const std::string mnemonic(info(insn.op).mnemonic);
      EXPECT_NE(lines[k % lines.size()].find(mnemonic), std::string::npos) << claim.what << ", " << k << mnemonic;
    }
    const auto captured = captured_cycles().kernels.find(std::string(kernel->name));
    ASSERT_NE(captured, captured_cycles().kernels.end()) << kernel->name;
    EXPECT_EQ(code_of(*job, captured->second).kind, CodeVerdict::Kind::Same) << kernel->name;
    const std::optional<std::uint64_t> measured = measured_cycles(claim);
    EXPECT_EQ(measured.has_value(), captured_cycles_of(*job) != nullptr) << kernel->name;  // else it has changed since
    const double one = static_cast<double>(captured->second.median) / kernel->times;
    EXPECT_NEAR(measured ? static_cast<double>(*measured) : one, one, 0.5) << kernel->name;
  }
  EXPECT_EQ(seen, 4U);
}

// No GPU adds up a warp in one step: the H200's profile has no word on it.
TEST(Claims, WhatNoGpuHasIsNotTimedForOne) {
  const std::string text = claims_text(), row = text.substr(text.find("a prefix sum by a unit for it"));
  EXPECT_EQ(row.substr(0, row.find('\n')),
            "a prefix sum by a unit for it     002:1196      1-2        1-2       -         -");
}

// What a table's row says must be the row's.
TEST(Claims, TheDocumentsComeToTheirOwnNumbers) {
  EXPECT_EQ(cycles_by("documents", "a shuffle"), (Cycles{1, 2}));
  EXPECT_EQ(cycles_by("documents", "a shuffle and a comparison"), (Cycles{1, 2}));
  EXPECT_EQ(cycles_by("documents", "the maximum by a butterfly"), (Cycles{5, 10}));
  EXPECT_EQ(cycles_by("documents", "the maximum in sequence"), (Cycles{31, 31}));
  EXPECT_EQ(cycles_by("documents", "a prefix sum by a unit for it"), (Cycles{1, 2}));
  EXPECT_EQ(cycles_by("documents", "a prefix sum by shuffles"), (Cycles{5, 10}));  // not the one or two that they say
  EXPECT_EQ(cycles_by("documents", "a load from shared memory"), (Cycles{20, 40}));
  EXPECT_EQ(cycles_by("documents", "an exchange through shared memory"), (Cycles{41, 81}));
  EXPECT_EQ(cycles_by("documents", "a load that the L1 cache has"), (Cycles{30, 80}));
  EXPECT_EQ(cycles_by("documents", "a load that the L2 cache has"), (Cycles{200, 300}));
  EXPECT_EQ(cycles_by("documents", "a load from global memory"), (Cycles{400, 800}));
}

// In lockstep a region takes as many cycles as it has instructions.
TEST(Claims, LockstepCountsInstructions) {
  EXPECT_EQ(cycles_by("lockstep", "a shuffle"), Cycles{1});
  EXPECT_EQ(cycles_by("lockstep", "the maximum by a butterfly"), Cycles{10});
  EXPECT_EQ(cycles_by("lockstep", "the maximum in sequence"), Cycles{31});
  EXPECT_EQ(cycles_by("lockstep", "an exchange through shared memory"), Cycles{4});
}

// The H200's profile is close to what was measured, wherever that was.
TEST(Claims, TheH200ComesToWhatWasMeasured) {
  for (const Claim& claim : all_claims()) {
    const std::optional<std::uint64_t> measured = measured_cycles(claim);
    if (!measured) continue;
    const double model = static_cast<double>(cycles_by("h200", claim.what).front());
    EXPECT_NEAR(model / static_cast<double>(*measured), 1, 0.15) << claim.what << ": " << model << ", " << *measured;
  }
}

}  // namespace
}  // namespace warpsim::tools
