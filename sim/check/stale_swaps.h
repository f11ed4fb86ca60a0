// ABA: a compare-and-swap succeeds because its word holds what the thread read there, though it has changed in between
// and come back; and what it stores the thread read from another word, which has changed since.
//
// Shapes: global memory, by the element. A read is one into a register that a compare-and-swap of the program stores;
//         programs without such a register are not watched. The last kReads reads of a thread are known. One finding a
//         compare-and-swap of the text: the first.
// Units:  cycles from 1; addresses in bytes.
// Errors: none here: it reports, others judge.
// Source: Treiber, "Systems Programming: Coping with Parallelism" (IBM RJ 5118, 1986), of stacks; a swap that stores
//         what is still there does no harm, whatever came between.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

// Whether the program has a compare-and-swap that stores a register which it loads.
bool may_swap_stale(const Program& program);

class StaleSwaps {
 public:
  void on_start(const Machine& machine);
  bool is_on() const { return any_; }
  void on_memory(const IssueEvent& issue, const MemoryEvent& event);
  const std::vector<RunFinding>& found() const { return found_; }
  std::vector<RunFinding> take() { return std::exchange(found_, {}); }  // those since the last time

 private:
  struct Word {
    std::uint64_t value = 0, changes = 0;
  };
  struct Read {
    std::uint64_t address = 0, value = 0, changes = 0, cycle = 0;
    std::int32_t pc = -1, reg = -1;
    std::int32_t object = -1;
    std::int64_t index = 0;
  };
  static constexpr std::size_t kReads = 8;
  using Thread = std::tuple<std::uint32_t, std::uint32_t, unsigned>;  // block, warp, lane

  void compare(const IssueEvent& issue, const MemoryEvent& event, unsigned lane, const std::deque<Read>& reads);
  void report(const IssueEvent& issue, unsigned lane, const Read& word, const Read& other);

  const Program* program_ = nullptr;
  bool any_ = false;
  std::unordered_map<std::uint64_t, Word> words_;  // those that were written
  std::map<Thread, std::deque<Read>> reads_;       // the last one behind
  std::set<std::int32_t> seen_;                    // pcs
  std::vector<RunFinding> found_;
};

}  // namespace warpsim
