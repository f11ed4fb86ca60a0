// Locks taken in several orders: two threads that each hold what the other waits for next would deadlock, even if none
// did.
//
// Shapes: a lock is a word that a thread takes by an atomic exchange or compare-and-swap that finds 0 there and leaves
//         something else, and later releases itself by storing or exchanging 0. A thread that takes one while it holds
//         another, and releases both, draws an edge from the held one to the new one. Edges of different threads that
//         close a circle are a finding: the first of each pair of lines. Not so
//           - where a gate guards them: a lock that the threads held before on both edges, so that one waits outside;
//           - where a barrier of the whole block stands between the two;
//           - where one thread draws the whole circle: it waits for nobody.
//         A circle has at most kMostLocks locks, and of each pair of locks kMostEdges edges are known.
// Units:  cycles from 1; addresses in bytes.
// Errors: none here: it reports, others judge.
// Source: Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs" (SPIN 2000), of gate locks and of
//         lock trees; Coffman, Elphick and Shoshani, "System Deadlocks" (Computing Surveys 1971).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

class LockOrder {
 public:
  void on_start(const Machine& machine);
  bool is_on() const { return any_; }
  void on_memory(const IssueEvent& issue, const MemoryEvent& event);
  void on_sync(const SyncEvent& event);
  const std::vector<RunFinding>& found() const { return found_; }
  std::vector<RunFinding> take() { return std::exchange(found_, {}); }  // those since the last time

 private:
  static constexpr std::size_t kMostLocks = 4, kMostEdges = 4;
  using Thread = std::tuple<std::uint32_t, std::uint32_t, unsigned>;  // block, warp, lane
  // Global memory: -1 and the address. Shared memory: the block, and the address there.
  using Word = std::pair<std::int64_t, std::uint64_t>;
  struct Taking {
    Word word;
    Thread thread;
    std::uint64_t cycle = 0;
    std::int32_t pc = -1;
    std::int32_t object = -1;  // parameter or shared array
    std::int64_t index = 0;
    std::uint64_t barriers = 0;  // of the block, before
  };
  // `second` was taken while `first` was held, and `gates` beside it.
  struct Edge {
    Taking first, second;
    std::set<Word> gates;
    unsigned held = 2;  // of the two, how many are not yet released
  };
  struct Holder {
    std::vector<Taking> held;    // in the order of taking
    std::vector<Edge> unproven;  // of which not both words have been released
  };

  static Word word_of(const IssueEvent& issue, const MemoryEvent& event, unsigned lane);
  void taken(const IssueEvent& issue, const MemoryEvent& event, unsigned lane);
  void released(const Thread& thread, const Word& word);
  void add(const Edge& edge);
  bool closes(std::vector<const Edge*>& path);
  static bool can_meet(const Edge& one, const Edge& other);
  void report(const std::vector<const Edge*>& circle);
  Message place(const Taking& taking) const;

  const Program* program_ = nullptr;
  bool any_ = false;  // the program has an instruction that can take a lock
  std::uint32_t warps_per_block_ = 1;
  std::map<Thread, Holder> holders_;
  std::unordered_map<std::uint32_t, std::uint64_t> barriers_;  // by block
  std::map<Word, std::map<Word, std::vector<Edge>>> edges_;    // by the word held, and by the one taken
  std::set<std::pair<std::int32_t, std::int32_t>> seen_;       // pcs
  std::vector<RunFinding> found_;
};

}  // namespace warpsim
