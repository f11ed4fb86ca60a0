// A sweep finds what differs, leaves out what is undefined, and ends where its witness fails. The second interpreter
// replaces the GPU.
#include "tools/cuda/rows/row_compare.h"

#include <gtest/gtest.h>

#include <map>

#include "tools/cuda/rows/row_jobs.h"
#include "tools/cuda/rows/row_machine.h"
#include "tools/cuda/rows/row_reference.h"
#include "tools/cuda/rows/row_report.h"

namespace warpsim::rows {
namespace {

std::vector<Job> only(const std::string& opcode, std::uint64_t count) {
  std::vector<Job> jobs = all_jobs(Pattern::Mixed, count, 1);
  std::erase_if(jobs, [&opcode](const Job& job) { return line_name(job.instruction) != opcode; });
  EXPECT_EQ(jobs.size(), 1U) << opcode;
  return jobs;
}

TEST(RowSweep, EveryOpcodeAgreesWithTheSecondInterpreter) {
  std::map<std::string, std::uint64_t> tuples;
  std::string findings;
  const auto done = [&](const Job& job, const JobResult& result) {
    tuples[class_of(job.instruction)] += result.compared;
    if (const std::string line = text_line(job, result); !line.empty()) findings += line + "\n";
    const bool whole = result.machine_refuses.empty() && !is_network(job.instruction);
    EXPECT_TRUE(!whole || result.compared == job.count) << job_name(job);
  };
  EXPECT_EQ(sweep(all_jobs(Pattern::Mixed, 128, 5), *reference_witness(), 2, done), "");
  EXPECT_EQ(findings, "");
  for (const std::string name : {"alu, f16", "fma, f32", "fp64, f64", "sfu, pairs", "cvt", "load", "store", "pack",
                                 "atomic, shared", "bar.red", "shuffle", "vote", "match", "redux"})
    EXPECT_GT(tuples[name], 0U) << name;
}

// What the machine calls for one instruction gives what the machine gives.
TEST(RowSweep, LanesAloneGiveWhatTheMachineGives) {
  std::size_t with_lanes = 0;
  for (const Job& job : all_jobs(Pattern::Mixed, 256, 6)) {
    std::string why;
    const std::optional<RowMachine> machine = RowMachine::create(job.instruction, job.constant, why);
    if (!machine || !machine->has_lanes()) continue;
    ++with_lanes;
    Columns operands, whole(job.signature.results.size(), std::vector<std::uint64_t>(job.count)), lanes = whole;
    fill_operands(job.instruction, job.signature, job.draw, 0, job.count, operands);
    ASSERT_EQ(machine->run(operands, 0, job.count, whole), "");
    machine->run_lanes(operands, job.count, lanes);
    EXPECT_EQ(whole, lanes) << job_name(job);
  }
  EXPECT_GT(with_lanes, 1500U);
}

// Passes on what another witness says, and changes one bit of one tuple; or fails.
class Liar : public Witness {
 public:
  enum class Does : std::uint8_t { ChangesABit, Fails, Refuses };
  explicit Liar(Does does) : does_(does) {}
  std::string description() const override { return "a liar"; }
  std::unique_ptr<WitnessKernel> load(const Job& job, std::string& why) override {
    why = does_ == Does::Refuses ? "no" : "";
    return does_ == Does::Refuses ? nullptr : std::make_unique<Kernel>(truth_->load(job, why), does_);
  }

 private:
  struct Kernel : WitnessKernel {
    Kernel(std::unique_ptr<WitnessKernel> truth, Does does) : truth_(std::move(truth)), does_(does) {}
    std::string run(unsigned thread, const Columns& operands, std::size_t count, Columns& results) override {
      if (does_ == Does::Fails) return "it burns";
      const std::string failure = truth_->run(thread, operands, count, results);
      results.back()[77] ^= 1;
      return failure;
    }
    std::unique_ptr<WitnessKernel> truth_;
    Does does_;
  };
  std::unique_ptr<Witness> truth_ = reference_witness();
  Does does_;
};

TEST(RowSweep, FindsOneBit) {
  for (const std::string opcode : {"add.f32", "setp.lt.s32", "atom.global.add.u32", "st.shared.v2.b16", "add.cc.u64"}) {
    const std::vector<Job> jobs = only(opcode, 128);
    Liar liar(Liar::Does::ChangesABit);
    Totals totals;
    int ended = 0;
    EXPECT_EQ(
        sweep(jobs, liar, 1,
              [&](const Job& job, const JobResult& result) {
                ++ended;
                totals.add(job, result);
                EXPECT_EQ(result.differing, 1U) << opcode;
                ASSERT_TRUE(result.first.has_value()) << opcode;
                EXPECT_EQ(result.first->index, 77U);
                EXPECT_EQ(result.first->witness.back() ^ 1, result.first->machine.back());
                EXPECT_NE(text_line(job, result).find(opcode + ": 1 of 128 differ, first 77: "), std::string::npos)
                    << text_line(job, result);
              }),
        "");
    EXPECT_EQ(ended, 1);
    EXPECT_TRUE(totals.has_findings());
    EXPECT_NE(totals.table().find("| all | 1 | 128 | 1 |"), std::string::npos) << totals.table();
  }
}

TEST(RowSweep, SaysWhoRefusesAndWhatStoppedIt) {
  Liar refuses(Liar::Does::Refuses), fails(Liar::Does::Fails);
  int ended = 0;
  const auto done = [&](const Job& job, const JobResult& result) {
    ++ended;
    EXPECT_EQ(text_line(job, result), "add.f32: only the witness refuses it: no");
    EXPECT_EQ(result.compared, 0U);
  };
  EXPECT_EQ(sweep(only("add.f32", 128), refuses, 2, done), "");
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(sweep(only("add.f32", 128), fails, 2, done), "add.f32: it burns");
  EXPECT_EQ(ended, 1) << "what was stopped has no result";
}

// A shuffle down by 16 of which lane 20 is no member: it has no result, and lane 4 has no defined value.
TEST(RowSweep, WhatIsUndefinedIsNotCompared) {
  const Job job = only("shfl.sync.down.b32", 128)[0];
  const std::vector<std::uint64_t> a(32, 5), b(32, 16), c(32, 31), mask(32, ~(1U << 20));
  const Columns operands = {a, b, c, mask}, machine = {a, std::vector<std::uint64_t>(32, 1)};
  const auto differing = [&](std::size_t result, std::size_t lane) {
    Columns witness = machine;
    witness[result][lane] ^= 1;
    JobResult found;
    compare(job, 0, 32, operands, witness, machine, found);
    EXPECT_EQ(found.compared, 31U);
    return found.differing;
  };
  EXPECT_EQ(differing(0, 20), 0U);
  EXPECT_EQ(differing(1, 20), 0U);
  EXPECT_EQ(differing(0, 4), 0U);
  EXPECT_EQ(differing(1, 4), 1U) << "whether the source is in range does not depend on its being there";
  EXPECT_EQ(differing(0, 5), 1U);
  EXPECT_EQ(differing(0, 16), 1U) << "out of range: its own value";
}

}  // namespace
}  // namespace warpsim::rows
