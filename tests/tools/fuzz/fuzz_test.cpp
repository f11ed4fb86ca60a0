// Differential fuzzing: what is generated for hardware, and that a wrong side is found, shrunk and written down.
//
// Errors: a difference prints the seed and the sentence.
// Source: tools/fuzz.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "sim/check/undefined.h"
#include "tests/support/ptxas.h"
#include "tests/support/sanitized.h"
#include "tests/tools/command/one_file_case.h"
#include "tools/fuzz/case_file.h"
#include "tools/fuzz/fuzzer.h"
#include "tools/fuzz/shrink.h"
#include "tools/fuzz/sides.h"

namespace warpsim::fuzz {
namespace {

using reference::kHardwareLimits;
using reference::random_program;

// The simulator with one row that does another row's work.
class Wrong : public Side {
 public:
  Wrong(Op victim, Op by) : victim_(victim), by_(by), simulator_(simulator_side()) {}
  std::string_view name() const override { return "wrong one"; }
  std::vector<Outcome> run(std::span<const Job* const> jobs) override {
    std::vector<Job> wrong;
    for (const Job* job : jobs) wrong.push_back(*job);
    std::vector<const Job*> pointers;
    for (Job& job : wrong) {
      for (Insn& insn : job.program.code)
        if (insn.op == victim_) insn.op = by_;
      pointers.push_back(&job);
    }
    most_ = std::max(most_, jobs.size());
    return simulator_->run(pointers);
  }
  std::size_t most_ = 0;  // jobs at once

 private:
  Op victim_, by_;
  std::unique_ptr<Side> simulator_;
};

Fuzzer wrong_fuzzer(const Plan& plan) {
  return Fuzzer(plan, simulator_side(), std::make_unique<Wrong>(Op::VoteAny, Op::VoteAll));
}

TEST(Fuzzing, SimulatorAndReferenceAgreeOnProgramsForHardware) {
  Plan plan;
  plan.count = 1000;
  plan.limits = kHardwareLimits;
  const Report report = Fuzzer(plan, simulator_side(), reference_side()).run();
  EXPECT_EQ(report.programs, 1000U);
  for (const Difference& one : report.differences) ADD_FAILURE() << "seed " << one.seed << ": " << one.sentence;
}

// ---- what is generated for hardware

bool reads_carry(const Insn& insn) {
  const auto form = slots(info(insn.op).form);
  return std::any_of(form.begin(), form.end(), [](const Slot& s) { return is_hidden(s) && s.role == Role::Src; });
}
bool writes_carry(const Insn& insn) {
  const auto form = slots(info(insn.op).form);
  return std::any_of(form.begin(), form.end(), [](const Slot& s) { return is_hidden(s) && s.role == Role::DstPred; });
}
bool subtracts(const Insn& insn) { return info(insn.op).mnemonic.starts_with("sub"); }

// What no program for hardware may have; "" if it has none of it.
std::string open_to_hardware(const Job& job) {
  const Program& program = job.program;
  if (job.config.lanes > 32) return "more than 32 lanes";
  std::set<std::int32_t> targets;
  for (const Insn& insn : program.code)
    for (const Operand& o : insn.operands)
      if (o.kind == Operand::Kind::Label) targets.insert(o.target);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const Insn& insn = program.code[pc];
    const Insn* before = pc == 0 ? nullptr : &program.code[pc - 1];
    for (const Operand& o : insn.operands)
      if (o.kind == Operand::Kind::Special && (o.special == Special::WarpId || o.special == Special::NWarpId))
        return "a number of the hardware's";
    const bool may_have_diverged = !targets.empty() && *targets.begin() <= static_cast<std::int32_t>(pc);
    const bool at_barrier = before != nullptr && before->op == Op::BarSync;
    if (insn.op == Op::ActiveMask && (may_have_diverged || !at_barrier))
      return "an active mask that is not at a barrier";
    if (insn.op == Op::Nanosleep && insn.operands[0].kind != Operand::Kind::Imm) return "a long sleep";
    const bool chained = before != nullptr && writes_carry(*before) && before->guard.reg < 0 &&
                         subtracts(*before) == subtracts(insn) && targets.count(static_cast<std::int32_t>(pc)) == 0;
    if (reads_carry(insn) && (!chained || insn.guard.reg >= 0)) return "a carry from afar";
  }
  return "";
}

TEST(Fuzzing, ProgramsForHardwareHaveNothingThatItLeavesOpen) {
  constexpr int kPrograms = testing::kSanitized ? 500 : 2000;
  int with_carry = 0, with_mask = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const RandomProgram source = random_program(seed, kHardwareLimits);
    std::string problem;
    const std::optional<Job> job = job_of(source, problem);
    ASSERT_TRUE(job) << "seed " << seed << " " << problem;
    EXPECT_EQ(open_to_hardware(*job), "") << "seed " << seed << "\n" << source.text();
    for (const Insn& insn : job->program.code) {
      with_carry += reads_carry(insn) ? 1 : 0;
      with_mask += insn.op == Op::ActiveMask ? 1 : 0;
    }
    if (seed % 4 == 0) {
      EXPECT_EQ(undefined_use(*job), "") << "seed " << seed << "\n" << source.text();
    }
  }
  EXPECT_GT(with_carry * 4, kPrograms);
  EXPECT_GT(with_mask * 20, kPrograms);
}

TEST(Fuzzing, ProgramsWithoutLimitsHaveMore) {
  std::set<std::string> found;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    std::string problem;
    const RandomProgram source = random_program(seed);
    const std::optional<Job> job = job_of(source, problem);
    ASSERT_TRUE(job) << problem;
    found.insert(open_to_hardware(*job));
  }
  EXPECT_EQ(found.size(), 6U);  // every one of the five, and none
}

// Every row, with each of its types, is somewhere in the programs for hardware.
TEST(Fuzzing, ProgramsForHardwareHaveEveryRow) {
  std::set<std::pair<Op, Type>> typed;
  std::set<Op> rows;
  std::set<unsigned> lanes;
  for (std::uint64_t seed = 1; seed <= (testing::kSanitized ? 400 : 4000); ++seed) {
    std::string problem;
    const RandomProgram source = random_program(seed, kHardwareLimits);
    const std::optional<Job> job = job_of(source, problem);
    ASSERT_TRUE(job) << problem;
    lanes.insert(source.lanes);
    for (const Insn& insn : job->program.code) {
      rows.insert(insn.op);
      typed.insert({insn.op, insn.type});
    }
  }
  if (testing::kSanitized) return;  // so few need not have every row
  for (int k = 0; k < kAssemblyOpCount; ++k) {
    const OpInfo& row = info(static_cast<Op>(k));
    // A GPU stops at these, or leaves memory undefined.
    const bool ends = row.mnemonic == "trap" || row.mnemonic == "brkpt" || row.form == Form::HintedSize;
    EXPECT_EQ(rows.count(static_cast<Op>(k)), ends ? 0U : 1U) << row.id;
    // Scalars have five types, shared arrays three.
    if (row.types == kNoType || row.lift == Lift::LoadParam || row.unit == Unit::Shared) continue;
    for (int t = 0; t < kTypeCount; ++t) {
      const Type type = static_cast<Type>(t);
      if (!contains(row.types, type)) continue;
      EXPECT_EQ(typed.count({static_cast<Op>(k), type}), 1U) << row.id << "." << name(type);
    }
  }
  EXPECT_EQ(lanes, (std::set<unsigned>{1, 2, 4, 8, 16, 32}));
}

// What registers hold at the end is in the buffers, so that a side without registers to show is enough.
TEST(Fuzzing, EveryRegisterOfThePoolsIsStored) {
  int pooled = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const RandomProgram source = random_program(seed, kHardwareLimits);
    std::string problem;
    const std::optional<Job> job = job_of(source, problem);
    ASSERT_TRUE(job) << problem;
    const std::string text = source.text();
    const std::size_t end_of_body = text.rfind("\n", text.find("[%gl + 0]"));
    for (const Register& reg : job->program.registers) {
      const bool in_pool = reg.name.size() == 3 && std::string("abdfhmp").find(reg.name[1]) != std::string::npos &&
                           reg.name[2] >= '0' && reg.name[2] <= '9';
      if (!in_pool) continue;
      ++pooled;
      EXPECT_NE(text.find(reg.name, end_of_body), std::string::npos) << reg.name << "\n" << text;
    }
  }
  EXPECT_GT(pooled, 50 * 15);
}

// ptxas takes them all, many in one module.
TEST(Fuzzing, ProgramsForHardwareArePtx) {
  WARPSIM_NEEDS_PTXAS();
  std::vector<PtxKernel> kernels;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomProgram source = random_program(seed, kHardwareLimits);
    std::string problem;
    const std::optional<Job> job = job_of(source, problem);
    ASSERT_TRUE(job) << problem;
    PtxOptions options;
    options.lanes = source.lanes;
    options.block = source.block;
    options.entry = "seed_" + std::to_string(seed);
    options.backend = true;
    auto written = write_ptx(job->program, options);
    ASSERT_TRUE(std::holds_alternative<PtxKernel>(written)) << "seed " << seed;
    kernels.push_back(std::get<PtxKernel>(std::move(written)));
  }
  EXPECT_EQ(testing::assemble_ptx(ptx_module(kernels), 90), "");
}

// ---- finding, shrinking, writing

TEST(Fuzzing, ReportsHangOnThePlanAlone) {
  Plan plan;
  plan.count = 500;
  plan.max_differences = 1000;
  const Report whole = wrong_fuzzer(plan).run();
  EXPECT_GT(whole.differences.size(), 3U);
  plan.shards = 7;
  plan.batch = 10;
  std::map<std::uint64_t, std::string> of_shards;
  std::uint64_t programs = 0, instructions = 0;
  for (plan.shard = 0; plan.shard < plan.shards; ++plan.shard) {
    const Report part = wrong_fuzzer(plan).run();
    programs += part.programs;
    instructions += part.instructions;
    for (const Difference& one : part.differences) of_shards[one.seed] = one.sentence;
  }
  EXPECT_EQ(programs, 500U);
  EXPECT_EQ(instructions, whole.instructions);
  ASSERT_EQ(of_shards.size(), whole.differences.size());
  for (const Difference& one : whole.differences) EXPECT_EQ(of_shards[one.seed], one.sentence);
}

TEST(Fuzzing, EndsAfterSoManyDifferences) {
  Plan plan;
  plan.count = 300;
  plan.max_differences = 2;
  const Report report = wrong_fuzzer(plan).run();
  ASSERT_EQ(report.differences.size(), 2U);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.programs, report.differences.back().seed);
}

TEST(Fuzzing, ADifferenceIsShrunkToWhatItNeeds) {
  Plan plan;
  plan.limits = kHardwareLimits;
  plan.max_differences = 3;
  Fuzzer fuzzer = wrong_fuzzer(plan);
  const Report report = fuzzer.run();
  ASSERT_EQ(report.differences.size(), 3U);
  auto fewest = ~decltype(Shrunk::lines){0};
  for (const Difference& one : report.differences) {
    const Shrunk shrunk = fuzzer.shrink(one.seed);
    // A vote of lanes that have diverged needs the masks that lead there.
    EXPECT_LE(shrunk.lines, 20U) << shrunk.program.text();
    fewest = std::min(fewest, shrunk.lines);
    EXPECT_GT(shrunk.lines_before, 30U);
    EXPECT_NE(shrunk.program.text().find("vote.any"), std::string::npos);
    EXPECT_LE(shrunk.program.params.size(), 3U);
    for (const reference::RandomParam& p : shrunk.program.params) EXPECT_LE(p.length, 68U);
    EXPECT_NE(shrunk.sentence.find("the wrong one "), std::string::npos) << shrunk.sentence;
    // It is a program of its own, and what it stores is defined.
    std::string problem;
    const std::optional<Job> job = job_of(shrunk.program, problem);
    ASSERT_TRUE(job) << problem;
    EXPECT_EQ(undefined_use(*job), "");
  }
  EXPECT_LE(fewest, 12U);
}

// The case launches what the fuzz launched, on the same bits, and expects what the other side gave.
TEST(Fuzzing, ACaseFileHoldsTheRun) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const RandomProgram source = random_program(seed, kHardwareLimits);
    std::string problem;
    const std::optional<Job> job = job_of(source, problem);
    ASSERT_TRUE(job) << problem;
    const Job* const one[] = {&*job};
    const Outcome outcome = simulator_side()->run(one).front();
    const std::string text = case_file(source, {"a comment"}, outcome.buffers);
    const Assembled assembled = assemble(text, "case.warp");
    ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render() << text;
    const Lesson& program = *assembled.lesson();
    const auto prepared = prepare_case(program, program.cases.at(0), {});
    ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared)) << std::get<LaunchError>(prepared).message << text;
    const PreparedCase& ready = std::get<PreparedCase>(prepared);
    EXPECT_EQ(ready.config.lanes, source.lanes);
    EXPECT_EQ(ready.config.grid, source.grid);
    EXPECT_EQ(ready.config.block, source.block);
    EXPECT_EQ(ready.arguments.scalars, job->arguments.scalars);
    for (const auto& [name, array] : job->arguments.buffers)
      EXPECT_EQ(ready.arguments.buffers.at(name).bits, array.bits) << name;
    EXPECT_EQ(ready.expected.size(), outcome.buffers.size());
    for (const auto& [name, array] : ready.expected) EXPECT_EQ(array.bits, outcome.buffers.at(name).bits) << name;
  }
}

// What the verb writes fails under `warpsim test`, in the element that differs; with what the simulator gives it
// passes.
TEST(Fuzzing, ACaseFileShowsTheDifference) {
  Plan plan;
  plan.limits = kHardwareLimits;
  plan.max_differences = 1;
  Fuzzer fuzzer = wrong_fuzzer(plan);
  const Report report = fuzzer.run();
  ASSERT_EQ(report.differences.size(), 1U);
  const Shrunk shrunk = fuzzer.shrink(report.differences.front().seed);
  OneFileCase one;
  one.command = "warpsim test it.warp";
  one.files = {{"it.warp", case_file(shrunk.program, {shrunk.sentence}, shrunk.expected)}};
  const std::string folder = std::filesystem::path(WARPSIM_BINARY).parent_path().string();
  const OneFileCase failed = run_case(one, folder);
  EXPECT_EQ(failed.exit_code, 1) << failed.out << failed.err;
  const std::string element = shrunk.sentence.substr(0, shrunk.sentence.find(':'));
  EXPECT_NE(failed.err.find(element), std::string::npos) << failed.err << shrunk.sentence;

  std::string problem;
  const std::optional<Job> job = job_of(shrunk.program, problem);
  ASSERT_TRUE(job) << problem;
  const Job* const jobs[] = {&*job};
  one.files[0].second = case_file(shrunk.program, {}, simulator_side()->run(jobs).front().buffers);
  const OneFileCase passed = run_case(one, folder);
  EXPECT_EQ(passed.exit_code, 0) << passed.out << passed.err;
}

// A judge that wants one statement: whatever else there is goes.
TEST(Fuzzing, ShrinkingKeepsTheKindOfADifference) {
  RandomProgram source = random_program(3);
  source.grid = {2, 1, 1};
  source.block = {3 * source.lanes, 1, 1};
  source.lines.push_back("needed");
  const Judge judge = [](std::span<const RandomProgram> candidates) {
    std::vector<std::string> sentences;
    for (const RandomProgram& one : candidates) {
      const bool has = std::find(one.lines.begin(), one.lines.end(), "needed") != one.lines.end();
      sentences.push_back(has ? "x[0]: the one has 0x1, the other 0x2" : "the one stops: everything does");
    }
    return sentences;
  };
  const RandomProgram shrunk = shrink(source, "x[1]: the one has 0x3, the other 0x4", judge);
  EXPECT_EQ(shrunk.lines, (std::vector<std::string>{"needed"}));
  EXPECT_TRUE(shrunk.params.empty());
  EXPECT_EQ(shrunk.grid.count(), 1U);
  EXPECT_EQ(shrunk.block.count(), shrunk.lanes);
}

}  // namespace
}  // namespace warpsim::fuzz
