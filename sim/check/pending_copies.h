// Copies that nobody has waited for: who looks where one may still write, or changes what it may still read.
//
// Shapes: a copy (cp.async) goes on from its issue until its thread has waited for it: alone, or for the group that it
//         is of. Until then no other access may touch the words that it writes, and nobody may write those that it
//         reads. The machine copies at once; hardware does not. One finding a pair of instructions: the first.
//         A copy that is over is a write of its thread, made where it waited: what comes after that, races.h decides.
// Units:  words of 4 bytes, which is the smallest copy; bytes elsewhere.
// Errors: none.
// Source: PTX ISA 9.0, 9.7.9.25.3 "cp.async": no two copies are ordered, and nothing is before the wait;
//         "cp.async.wait_group": what is then visible to the thread that has waited.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

class PendingCopies {
 public:
  struct Copy {
    std::uint32_t block = 0, warp = 0, lane = 0;
    std::uint32_t group = 0;  // from 1; 0: in none yet
    std::int32_t pc = -1;
    std::uint64_t cycle = 0;
    std::uint64_t to = 0, from = 0, size = 0, read = 0;
  };

  void on_start(const Machine& machine);
  // Calls f(copy) for each that is over.
  template <class F>
  void on_issue(const IssueEvent& event, F f) {
    if (copies_.empty() || event.active == 0) return;
    for (const Copy& copy : finished(event)) f(copy);
  }
  bool is_on() const { return !copies_.empty(); }  // the program has copies
  void on_memory(const IssueEvent& issue, const MemoryEvent& event);
  void on_block_end(const BlockEndEvent& event);
  const std::vector<RunFinding>& found() const { return found_; }
  std::vector<RunFinding> take() { return std::exchange(found_, {}); }

 private:
  using Id = std::uint32_t;  // in copies_; 0: none
  struct OfWarp {
    std::vector<Id> pending;
    std::array<std::uint32_t, kMaxLanes> groups{};
  };
  static std::uint64_t word(std::uint64_t address) { return address / 4; }
  const std::vector<Copy>& finished(const IssueEvent& event);
  void begin(const IssueEvent& issue, const MemoryEvent& event, unsigned lane);
  void end(Id id);
  void look(const IssueEvent& issue, const MemoryEvent& event, unsigned lane);
  void report(const IssueEvent& issue, const MemoryEvent& event, unsigned lane, const Copy& copy);

  const Program* program_ = nullptr;
  std::uint64_t shared_words_ = 0;
  std::vector<Copy> copies_;  // the first is none
  std::vector<Id> free_;
  std::size_t pending_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, OfWarp> warps_;  // by block and warp
  std::unordered_map<std::uint32_t, std::vector<Id>> writes_;        // by block: by word of shared memory
  std::unordered_multimap<std::uint64_t, Id> reads_;                 // by word of global memory
  std::vector<Copy> finished_;
  std::set<std::pair<std::int32_t, std::int32_t>> seen_;
  std::vector<RunFinding> found_;
};

}  // namespace warpsim
