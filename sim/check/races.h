// Data races: two lanes touch one word, one of them writes, and nothing orders the two.
//
// Shapes: a shadow of memory by the word (or by the smallest access that the program makes): who wrote it last, who
//         read it since. Accesses are ordered by ordering.h alone, whatever order this run happened to take. Two
//         atomics never race. One finding a pair of instructions: the first.
// Units:  cycles from 1; addresses in bytes.
// Errors: none here: it reports, others judge.
// Source: Flanagan and Freund, "FastTrack" (PLDI 2009), by the warp instead of the thread; CUDA C++ Programming Guide,
//         "Memory Fence Functions" and "Warp Shuffle Functions": what orders memory and what does not.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/ordering.h"
#include "sim/check/run_finding.h"

namespace warpsim {

struct RaceAccess {
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;  // in the block
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  bool writes = false, atomic = false;
  Stamp stamp;
};

struct Race {
  enum class Kind : std::uint8_t {
    InWarp,    // two lanes of one warp
    InBlock,   // two warps of one block
    InGrid,    // two blocks
    OneStore,  // lanes store different values to one word in one instruction: any of them may stay
  } kind = Kind::InWarp;
  RaceAccess earlier, later;  // in this run; OneStore: the same twice
  MemoryEvent::Space space = MemoryEvent::Space::Shared;
  std::int32_t object = -1;  // parameter or shared array
  std::int64_t index = 0;    // element
};

// In words: both accesses, and what would order them.
RunFinding finding_of(const Race& race, const Program& program);

class Races : public EventSink {
 public:
  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_sync(const SyncEvent& event) override { ordering_.meet(event); }
  const std::vector<Race>& found() const { return found_; }

 private:
  // Of one word. Of readers two are kept, of two warps if there are two: a third is missed until the next write.
  struct Word {
    RaceAccess write, read, other_read;
    std::uint64_t value = 0;  // of the write, to tell stores of one value from stores of several
  };
  using Words = std::unordered_map<std::uint64_t, Word>;  // by address / granule

  Words& words_of(const MemoryEvent& event);
  void compare(const RaceAccess& before, const MemoryEvent& event, unsigned lane);
  void report(Race::Kind kind, const RaceAccess& before, LaneMask with, const MemoryEvent& event, unsigned lane);
  void keep(Word& word, const MemoryEvent& event, unsigned lane, std::uint64_t value);
  template <class F>
  void for_each_word(const MemoryEvent& event, F f);

  const Program* program_ = nullptr;
  std::uint32_t warps_per_block_ = 1;
  std::uint64_t granule_[2] = {4, 4};  // by space: bytes
  Ordering ordering_;
  Words global_;
  std::unordered_map<std::uint32_t, Words> shared_;  // by block
  RaceAccess now_;                                   // the instruction that is being told, without lanes
  std::set<std::pair<std::int32_t, std::int32_t>> seen_;
  std::vector<Race> found_;
};

}  // namespace warpsim
