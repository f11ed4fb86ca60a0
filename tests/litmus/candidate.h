// One path of each thread, with its values: which executions it has.
//
// Shapes: events are numbered, the initial writes of what is accessed first, then thread by thread in program order.
// What does not depend on
//         what reads from what is worked out once: program order, which pairs are morally strong, the release and the
//         acquire patterns, and which barriers meet.
// Units:  none.
// Errors: none; see model.h.
// Source: see model.h.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tests/litmus/program.h"
#include "tests/litmus/relation.h"
#include "tests/litmus/traces.h"

namespace warpsim::litmus {

// A release pattern: its first operation, and its write. An acquire pattern: its read, and its last operation.
using Pattern = std::pair<std::size_t, std::size_t>;

class Candidate {
 public:
  // Of all executions that break no axiom: what each location can hold at the end, and which pairs race.
  using Found = std::function<void(const std::vector<std::vector<std::int64_t>>& memory,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& races)>;

  Candidate(const Program& program, const std::vector<const Trace*>& traces);

  // False: a barrier waits for ever, so that nothing ends.
  bool ends() const { return ends_; }
  // Visits each execution; false: more than `budget` candidates, from which what was looked at is taken.
  bool enumerate(std::uint64_t& budget, const Found& found);
  const Event& event(std::size_t k) const { return events_[k]; }
  bool too_large() const { return count_ > kMaxEvents; }

 private:
  void relate();
  bool is_alone(std::size_t fence) const;
  void find_patterns();
  bool meet_at_barriers();
  bool met(std::size_t barrier, const std::vector<std::size_t>& reached) const;
  bool includes(const Event& from, const Event& to) const;
  bool strong(std::size_t k) const;
  bool choose_sources(std::size_t read, std::uint64_t& budget);
  bool can_read(std::size_t read, std::size_t write) const;
  void order_fences(std::size_t pair);
  void check();
  void set_causality();
  bool fences_agree() const;
  std::vector<std::int64_t> final_values(std::int32_t location);
  void order_writes(const std::vector<std::pair<std::size_t, std::size_t>>& free, std::size_t k, Relation coherence,
                    EventSet here, std::vector<std::int64_t>& values);
  bool location_holds(const Relation& coherence, EventSet here) const;
  std::vector<std::pair<std::size_t, std::size_t>> races() const;

  const Program& program_;
  std::vector<Event> events_;
  std::size_t count_ = 0;
  std::vector<std::size_t> reads_;
  std::vector<EventSet> at_;           // accesses by location
  std::vector<std::size_t> first_of_;  // a thread's first event; behind them, the end
  EventSet writes_ = 0;
  Relation program_order_, strong_, barriers_, depends_;
  std::vector<Pattern> releases_, acquires_;
  std::vector<std::pair<std::size_t, std::size_t>> fence_pairs_;  // fence.sc that are morally strong
  bool ends_ = true;
  // Of the execution that is being made.
  std::vector<std::size_t> source_;  // by event: which write a read reads from
  Relation fence_order_, observation_, base_, causality_;
  const Found* found_ = nullptr;
};

}  // namespace warpsim::litmus
