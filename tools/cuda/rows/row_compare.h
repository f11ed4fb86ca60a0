// A sweep: opcodes, operands for each, a witness's results and the machine's, compared bit for bit.
//
// Shapes: a Job is one opcode with one pattern of operands. A Witness is the GPU, or in a self-test the second
//         interpreter. The first kMachineTuples of a job run on the machine from load to store, those after them
//         through the machine's loops over lanes where the opcode has one.
// Units:  tuples: a lane's operands.
// Errors: an opcode that a side refuses is a result of its own; a witness that fails stops the sweep.
// Source: none.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/cuda/rows/row_instructions.h"
#include "tools/cuda/rows/row_operands.h"

namespace warpsim::rows {

struct Job {
  Instruction instruction;
  Signature signature;
  std::uint64_t constant;  // of the operand that is part of the instruction
  Draw draw;
  std::uint64_t count;
};

inline constexpr std::size_t kUnitTuples = 1 << 17;  // what is sent to the witness at once
inline constexpr std::uint64_t kMachineTuples = 1 << 20;

// One kernel; run() may be called by several threads, each with its own number.
class WitnessKernel {
 public:
  virtual ~WitnessKernel() = default;
  // Results of at most kUnitTuples tuples. Empty where all is well, else what went wrong.
  virtual std::string run(unsigned thread, const Columns& operands, std::size_t count, Columns& results) = 0;
};
class Witness {
 public:
  virtual ~Witness() = default;
  virtual std::string description() const = 0;
  // Null and why where the opcode is refused.
  virtual std::unique_ptr<WitnessKernel> load(const Job& job, std::string& why) = 0;
};

struct Difference {
  std::uint64_t index;
  std::vector<std::uint64_t> operands, witness, machine;
};

struct JobResult {
  std::string witness_refuses, machine_refuses;  // why; not swept if either is
  std::uint64_t compared = 0, differing = 0;
  std::optional<Difference> first;  // of the smallest index
};

// Compares `count` tuples; what PTX leaves undefined is left out: lanes that a member mask does not name, and the value
// that a shuffle reads from one.
void compare(const Job& job, std::uint64_t first, std::size_t count, const Columns& operands, const Columns& witness,
             const Columns& machine, JobResult& result);

// Runs all jobs; `done` is called for each as it ends, by one thread at a time. Empty, or what stopped the sweep.
std::string sweep(const std::vector<Job>& jobs, Witness& witness, unsigned threads,
                  const std::function<void(const Job&, const JobResult&)>& done);

}  // namespace warpsim::rows
