// A timed launch of machine code: which blocks are there when, what a sink hears, and how it ends.
#include "sim/sass/code_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "programs/embedded.h"
#include "sim/memory/memory.h"
#include "tools/sass/code_capture.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim {
namespace {

struct Heard : sass::CodeSink {
  struct One {
    std::uint64_t cycle;
    std::uint32_t block, warp;
    std::int32_t sub_core, at;
    std::uint64_t waited;
  };
  std::vector<One> all;
  void on_issue(const sass::CodeIssue& issue) override {
    std::uint64_t waited = 0;
    for (const Stall& stall : issue.stalls) waited += stall.cycles;
    all.push_back({issue.cycle, issue.block, issue.warp, issue.sub_core, issue.step->at, waited});
  }
};

struct Timed {
  sass::CodeRun run;
  Heard heard;
  std::vector<std::byte> memory;  // that it leaves
};

// A program of the catalogue whose code was captured.
Timed time(const std::string& group, const std::string& name, std::uint32_t blocks, const TimingProfile& profile,
           std::uint64_t most_cycles = sass::kMostCodeCycles, std::uint32_t warps = 1, bool is_watched = true) {
  Timed timed;
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (embedded.group != group || embedded.name != name) continue;
    const Assembled made = assemble(embedded.text, name, group);
    CaseOverrides overrides;
    overrides.lanes = kPtxLanes;
    auto prepared = std::get<PreparedCase>(prepare_case(*made.lesson(), made.lesson()->cases.front(), overrides));
    prepared.config.grid = {blocks, 1, 1};
    prepared.config.block = {warps * kPtxLanes, 1, 1};
    const PtxKernel kernel = std::get<PtxKernel>(write_ptx(*made.lesson(), PtxOptions{}));
    const std::string text = ptx_module({&kernel, 1});
    const tools::CapturedCode* const captured = tools::captured_code_of(text);
    if (captured == nullptr) {
      ADD_FAILURE() << "not captured";
      return timed;
    }
    DeviceMemory memory;
    const Binding binding = std::get<Binding>(bind(*made.lesson(), prepared.arguments, memory));
    sass::CodeLaunch launch{prepared.config.grid, prepared.config.block, 0, bytes_passed(*made.lesson(), binding),
                            &memory};
    sass::CodeSink* const sinks[] = {&timed.heard};
    timed.run = sass::run_code(tools::cubin_of(*captured, text), captured->section, launch, profile,
                               std::span(sinks).first(is_watched ? 1 : 0), most_cycles);
    memory.for_each([&](const DeviceMemory::Allocation& one) {
      timed.memory.insert(timed.memory.end(), one.bytes, one.bytes + one.size_bytes);
    });
    return timed;
  }
  ADD_FAILURE() << "no such program";
  return timed;
}

TimingProfile one_sm(unsigned blocks) {
  TimingProfile profile = builtin_profile("h200")->bounds.front();
  profile.sm.sms = 1;
  profile.sm.max_blocks = blocks;
  return profile;
}

TEST(CodeRun, ABlockBeginsWhereOneHasEnded) {
  const Timed timed = time("shuffle", "lane_number", 5, one_sm(2));
  ASSERT_FALSE(timed.run.refusal) << timed.run.refusal->message;
  EXPECT_EQ(timed.run.instructions, timed.heard.all.size());
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> lives;  // by block: the first and the last issue
  std::uint64_t last = 0;
  for (const Heard::One& one : timed.heard.all) {
    EXPECT_GE(one.cycle, last) << "in the order of cycles";
    last = one.cycle;
    auto& life = lives.try_emplace(one.block, one.cycle, one.cycle).first->second;
    life.second = one.cycle;
  }
  EXPECT_EQ(timed.run.cycles, last);
  ASSERT_EQ(lives.size(), 5U);
  EXPECT_EQ(lives[0].first, 1U);
  EXPECT_EQ(lives[1].first, 1U);
  EXPECT_GT(lives[2].first, std::min(lives[0].second, lives[1].second)) << "two are there at once, no more";
  EXPECT_GT(lives[4].first, lives[1].second);
}

// The clock looks for the next of a few sub-cores, and has a queue of many. Three SMs, which have twelve, know nothing
// of each other: each block issues when the block of a single one does.
TEST(CodeRun, ABlockTakesAsLongAmongManySubCoresAsAmongFew) {
  TimingProfile many = one_sm(1);
  many.sm.sms = 3;
  const Timed alone = time("p26", "butterfly_parallel_max", 1, one_sm(1));
  const Timed together = time("p26", "butterfly_parallel_max", 3, many);
  ASSERT_FALSE(alone.run.refusal || together.run.refusal);
  const auto issues = [](const Timed& timed, std::uint32_t block) {
    std::vector<std::pair<std::uint64_t, std::int32_t>> found;
    for (const Heard::One& one : timed.heard.all)
      if (one.block == block) found.emplace_back(one.cycle, one.at);
    return found;
  };
  EXPECT_EQ(issues(together, 0), issues(alone, 0));
  for (const std::uint32_t block : {1U, 2U}) {  // they end where the input does
    const auto found = issues(together, block);
    auto first = issues(alone, 0);
    ASSERT_FALSE(found.empty());
    first.resize(std::min(found.size(), first.size()));
    EXPECT_EQ(found, first) << block;
  }
}

// Where nobody hears of each issue the clock goes on alone with what concerns one sub-core.
TEST(CodeRun, ALaunchTakesAsLongWhereNobodyWatches) {
  struct Launch {
    std::uint32_t blocks, warps, together;
    unsigned sms;
    bool competes = false;  // sub-cores, for a pipe of their SM
  };
  for (const auto& [group, name] : std::vector<std::pair<std::string, std::string>>{{"block", "histogram"},
                                                                                    {"block", "prefix_sum"},
                                                                                    {"coord", "aggregated_atomics"},
                                                                                    {"graph", "tree_traversal"},
                                                                                    {"permute", "fft_radix2"},
                                                                                    {"reduce", "sum_bfly"}})
    for (const Launch& launch :
         {Launch{1, 8, 1, 1}, Launch{5, 1, 3, 1}, Launch{7, 6, 2, 1}, Launch{9, 8, 2, 3}, Launch{2, 8, 2, 1, true}}) {
      TimingProfile profile = one_sm(launch.together);
      profile.sm.sms = launch.sms;
      for (TimingClass& cls : profile.machine_code->classes) {
        if (!launch.competes || cls.name != "alu") continue;
        cls.sm_interval = 3;
        while (!profile.pipes[static_cast<std::size_t>(++cls.sm_pipe)].of_sm) continue;
      }
      for (const std::uint64_t most : {sass::kMostCodeCycles, std::uint64_t{300}}) {
        const Timed watched = time(group, name, launch.blocks, profile, most, launch.warps);
        const Timed alone = time(group, name, launch.blocks, profile, most, launch.warps, false);
        const std::string which = group + "/" + name + ", warps a block " + std::to_string(launch.warps);
        const auto why = [](const Timed& timed) { return timed.run.refusal ? timed.run.refusal->message : ""; };
        EXPECT_EQ(why(alone), why(watched)) << which;
        EXPECT_EQ(alone.memory, watched.memory) << which;
        const bool has_fault =
            watched.run.refusal && watched.run.refusal->message.find("runs for") == std::string::npos;
        if (has_fault) continue;  // what does not access memory may have gone on elsewhere
        EXPECT_EQ(alone.run.cycles, watched.run.cycles) << which;
        EXPECT_EQ(alone.run.instructions, watched.run.instructions) << which;
      }
    }
}

TEST(CodeRun, AWarpsCyclesAreIssuesAndWaits) {
  const Timed timed = time("p26", "butterfly_parallel_max", 1, one_sm(32));
  ASSERT_FALSE(timed.run.refusal) << timed.run.refusal->message;
  std::uint64_t waited = 0;
  for (const Heard::One& one : timed.heard.all) waited += one.waited;
  EXPECT_EQ(timed.heard.all.size() + waited, timed.run.cycles) << "of the only warp, from 1 on";
  EXPECT_EQ(timed.heard.all.front().at, 0);
}

TEST(CodeRun, WhatTakesTooLongIsRefused) {
  const Timed timed = time("p26", "butterfly_parallel_max", 1, one_sm(32), 100);
  ASSERT_TRUE(timed.run.refusal);
  EXPECT_EQ(timed.run.refusal->message, "it runs for more than 100 cycles");
  EXPECT_TRUE(timed.run.refusal->is_fault);
  EXPECT_LE(timed.run.cycles, 100U);
}

}  // namespace
}  // namespace warpsim
