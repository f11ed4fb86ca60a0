// What a run does, in numbers: instructions by unit, exchanges, bytes moved, divergent branches; and the registers that
// a program needs. For reports, and for comparing a program with its twin.
//
// Shapes: Counter is an EventSink: give it to Machine::run and read counts() afterwards.
// Units:  one instruction of one warp is 1, even if no lane executes it; of a diverged warp each group's instruction is
//         1. A loop's body counts in every iteration; directives and address sugar do not count.
//         The instruction that traps counts. Bytes are those that lanes ask for, all lanes together: 32 lanes that load
//         one f32 each are 128, even if all load the same one. An atomic loads and stores.
// Errors: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/exactness.h"
#include "isa/table/op.h"
#include "sim/event/observer.h"

namespace warpsim {

inline constexpr int kUnitCount = static_cast<int>(Unit::Special) + 1;

struct ByteCounts {
  std::uint64_t loaded = 0, stored = 0;
  bool operator==(const ByteCounts&) const = default;
};

using ExactnessCounts = std::array<std::uint64_t, kExactnessCount>;  // the index is the Exactness

struct Counts {
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, kUnitCount> by_unit{};  // the index is the Unit; their sum is `instructions`
  ExactnessCounts by_exactness{};                   // their sum is `instructions`, too
  std::uint64_t shuffles = 0;                       // shfl; a 64-bit one counts once, and is two on hardware
  std::uint64_t collectives = 0;                    // broadcast, reduce, scan in one step
  std::uint64_t votes = 0;                          // and matches and redux
  std::uint64_t barriers = 0;                       // of blocks and of warps
  std::uint64_t divergent_branches = 0;             // branches that some lanes of a group take and others do not
  ByteCounts global, shared, local;                 // constants and parameters are not counted
  std::uint64_t shared_allocated = 0;               // bytes a block, used or not
  bool operator==(const Counts&) const = default;
};

// Counts only how exact a run's results are, which hardly slows it down.
class ExactnessCounter : public EventSink {
 public:
  void on_start(const Machine& machine) override;
  bool watches(std::int32_t pc) const override { return of_[static_cast<std::size_t>(pc)] != Exactness::Exact; }
  void on_issue(const IssueEvent& event) override;
  void on_finish(const Machine& machine, const RunResult& result) override;
  const ExactnessCounts& counts() const { return counts_; }

 private:
  std::vector<Exactness> of_;  // by pc
  ExactnessCounts counts_{};
};

class Counter : public EventSink {
 public:
  const Counts& counts() const { return counts_; }

  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_mask(const MaskEvent& event) override;

 private:
  Counts counts_;
};

// The registers that a program names, a thread: a 64-bit one and a mask of 64 lanes are two words, a 16-bit one is one.
// A compiler, which lets registers share a place, may need fewer.
struct RegisterCounts {
  unsigned words = 0;  // of 32 bits
  unsigned predicates = 0;
  bool operator==(const RegisterCounts&) const = default;
};
RegisterCounts count_registers(const Program& program, unsigned lanes);

}  // namespace warpsim
