// Data races: two lanes touch one word, one of them writes, and nothing orders the two.
//
// Shapes: a shadow of memory by the word (or by the smallest access that the program makes): who wrote it last, who
//         read it since. Accesses are ordered by ordering.h alone, whatever order this run happened to take. Two
//         strong accesses that reach each other's thread never race. One finding a pair of instructions: the first.
//           - Mixed access, an atomic here and a plain load or store there, is a race like any other: the plain one is
//             weak, and a weak access is morally strong with nothing of another thread.
//           - Two stores of one value, to one word and of one size, are a race by PTX's definition, too. But its axioms
//             hold where racing accesses overlap completely (8.7.2), and by them the word ends as one of the stores
//             leaves it: with that value. `found = 1` by many threads is such. It is marked, and is advice. Not so
//             where values or sizes differ, where one of the two is an atomic, or where a third reads in between
//             unordered.
// Units:  cycles from 1; addresses in bytes.
// Errors: none here: it reports, others judge.
// Source: Flanagan and Freund, "FastTrack" (PLDI 2009), by the warp where its lanes go together; PTX ISA 9.0, 8.7
//         "Morally strong operations", "Conflict and Data-races", "Limitations on Mixed-size Data-races"; CUDA C++
//         Programming Guide, "Memory Fence Functions" and "Warp Shuffle Functions": what orders memory and what does
//         not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/race_words.h"
#include "sim/check/run_finding.h"
#include "sim/ordering/orderings.h"

namespace warpsim {

struct RaceAccess {
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;  // in the block
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  bool writes = false, atomic = false;
  std::optional<Reach> strong;  // of an access that can be morally strong; none: a weak one
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
  std::int32_t object = -1;        // parameter or shared array
  std::int64_t index = 0;          // element
  Message unnamed;                 // of no parameter or array: which byte of which allocation, "" if none
  bool equal_stores = false;       // both store one value: no matter which of them stays
  std::optional<Missing> missing;  // InBlock, InGrid: which side; none: nothing hands anything over
  // InBlock: a warp of the two has arrived at a barrier at the first line and met one that came from the second.
  std::optional<std::pair<std::int32_t, std::int32_t>> met_others;
};

// In words: both accesses, and what would order them.
RunFinding finding_of(const Race& race, const Program& program);

class Races : public EventSink {
 public:
  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_sync(const SyncEvent& event) override;
  void on_block_end(const BlockEndEvent& event) override;
  // A copy of this thread is over: its bytes were written where the thread has waited, in its present instruction.
  void finish_copy(unsigned lane, std::int32_t pc, std::uint64_t cycle, std::uint64_t address, std::uint64_t size);
  const std::vector<Race>& found() const { return found_; }
  std::vector<Race> take() { return std::exchange(found_, {}); }  // those since the last time

 private:
  using Touch = RaceTouch;
  using Word = RaceWord;
  static constexpr std::uint64_t kPage = 256;  // words

  Word& global_word(std::uint64_t number);
  SharedRaceWords& shared_words();
  template <class F>
  void for_each_word(const MemoryEvent& event, F f);
  void compare(const Touch& before, const MemoryEvent& event, unsigned lane, bool equal_stores = false) {
    if (before.pc < 0 || are_morally_strong(before)) return;
    const LaneMask with = ordering_.unordered(before.stamp(), before.lanes, lane);
    if (with != 0) report(before, with, event, lane, equal_stores);
  }
  void compare_writes(const Word& word, const MemoryEvent& event, unsigned lane, std::uint64_t value) {
    compare(word.write, event, lane, are_equal_stores(word.write, word.value, value));
    if (!word.others) return;
    const Word::Others& others = *word.others;
    compare(others.write, event, lane, are_equal_stores(others.write, others.value, value));
  }
  bool are_equal_stores(const Touch& before, std::uint64_t first, std::uint64_t second) const {
    return now_.writes && !now_.atomic && !before.atomic && before.bytes == now_.bytes && first == second;
  }
  bool is_unordered(const Touch& before, unsigned lane) const {
    return before.pc >= 0 && ordering_.unordered(before.stamp(), before.lanes, lane) != 0;
  }
  // Written by the instruction that is told.
  bool is_of_now(const Touch& touch) const {
    return touch.pc == now_.pc && touch.cycle == now_.cycle && touch.warp == now_.warp;
  }
  void forget(Touch& before, unsigned lane) const;
  // Both are strong, and each reaches the other's thread: they order each other.
  bool are_morally_strong(const Touch& before) const {
    if (!before.strong || !now_.strong) return false;
    return before.warp / warps_per_block_ == block_ ||
           (*before.strong == Reach::Device && *now_.strong == Reach::Device);
  }
  SharedRaceWords* known_shared_words(std::uint32_t block);
  void note_meeting(const SyncEvent& event);
  void order(const MemoryEvent& event);
  void report(const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane, bool equal_stores);
  void add(Race::Kind kind, const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane,
           bool equal_stores = false);
  std::optional<std::pair<std::int32_t, std::int32_t>> met_others(std::uint32_t warp, std::uint32_t other) const;
  RaceAccess told(const Touch& touch) const;
  bool is_quick(const MemoryEvent& event) const;
  void read_source(const MemoryEvent& event);
  void read(Word& word, unsigned lane);
  void write(Word& word, const MemoryEvent& event, unsigned lane, std::uint64_t value);

  struct OfLine {
    bool orders = false;  // a fence, or another that orders
    std::optional<Reach> strong;
  };
  const Program* program_ = nullptr;
  const Machine* machine_ = nullptr;
  std::vector<OfLine> lines_;  // by pc
  std::uint32_t warps_per_block_ = 1;
  std::uint64_t granule_ = 4;  // bytes: a power of two
  unsigned granule_bits_ = 2;
  std::uint64_t shared_words_ = 0;
  Orderings ordering_;
  std::unordered_map<std::uint64_t, std::vector<Word>> global_;  // by page
  std::unordered_map<std::uint32_t, SharedRaceWords> shared_;    // by block, made when it is touched
  std::uint64_t last_page_ = ~std::uint64_t{0};
  std::vector<Word>* last_words_ = nullptr;
  SharedRaceWords* shared_now_ = nullptr;  // of `block_`; null: not looked up
  std::uint32_t block_ = 0;
  const Insn* insn_ = nullptr;
  Touch now_;  // the instruction that is being told, without lanes
  // Of a warp (of the launch) that met others at a barrier of some threads, who came from another line: both lines.
  std::map<std::uint32_t, std::set<std::pair<std::int32_t, std::int32_t>>> mixed_;
  std::set<std::pair<std::int32_t, std::int32_t>> seen_, seen_equal_;
  std::vector<Race> found_;
};

}  // namespace warpsim
