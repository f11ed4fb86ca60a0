// Data races: two lanes touch one word, one of them writes, and nothing orders the two.
//
// Shapes: a shadow of memory by the word (or by the smallest access that the program makes): who wrote it last, who
//         read it since. Accesses are ordered by ordering.h alone, whatever order this run happened to take. Two
//         strong accesses that reach each other's thread never race. One finding a pair of instructions: the first.
//           - A write that depends on what an earlier read has found, through relaxed accesses, is no race with it
//             (dependences.h).
//           - Mixed access, an atomic here and a plain load or store there, is a race like any other: the plain one is
//             weak, and a weak access is morally strong with nothing of another thread.
//           - Who comes after an atomic, or a strong load, comes after the strong write that this one has read, too:
//           PTX's
//             observation order. It is about that write alone, not about what its thread did before. Through a chain
//             of atomics it goes back as far as writes are kept here.
//           - Volatile accesses are strong, and race with no other ones: a loop may wait for a lane of its own warp by
//             them. A volatile load of shared memory that stands in no loop waits for nobody. What it reads of another
//             lane of its warp that nothing orders was meant to be there by lockstep: it is a race here.
//           - A word that two blocks have read, and nobody has written, is settled where nothing orders blocks: whoever
//             writes it races with one of them. Who else reads it is not kept. The same is true of shared memory and
//             two warps, until the block's next barrier.
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
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/calm/calm_pages.h"
#include "sim/calm/calm_shared.h"
#include "sim/calm/calm_words.h"
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
  // Memory is taken to be calm (sim/calm) for as long as this launch; begin() is called here. Nothing happens if the
  // program can order blocks, accesses memory that blocks share by strong loads and stores or by atomics of a narrower
  // scope than the device, or if the machine's blocks have too many threads. `pages` must outlive the run.
  // `knows_reads` and `stored`: as CalmPages::Launch has them.
  struct Calmly {
    CalmPages& pages;
    const UndefinedWords& undefined;
    bool by_bytes;  // they know of each byte whether it was touched
    bool knows_reads;
    std::span<const std::uint64_t> stored;
  };
  void take_as_calm(const Calmly& how);
  bool is_taken_as_calm() const { return calm_pages_ != nullptr; }
  void on_meeting(std::uint32_t block) override;
  void leave_calm() { calm_pages_->leave_calm(); }
  // It was not: what is found from then on, and what is not, means nothing.
  bool must_repeat() const { return calm_pages_ != nullptr && !calm_pages_->is_calm(); }
  void on_issue(const IssueEvent& event) override;
  void on_change(const ChangeEvent& event) override {
    if (calm_pages_ != nullptr) calm_pages_->keep_old(event.lanes, event.address, event.bytes);
  }
  void on_memory(const MemoryEvent& event) override;
  // All that the load which was told last has read was defined: only then may others read it unheard.
  void note_defined(const MemoryEvent& event) {
    if (keeps_reader_ && !now_.writes) settle(event);
  }
  // What on_issue and on_memory would do, of a weak load or store. False: nothing is known of it, as of what may be a
  // race; or it would need more pages than these.
  bool hears_access(const AccessPlace& place, const MemoryEvent& event, std::size_t most_pages);
  // The same of a range, where a program has settled words: of what nobody has touched, or only in order.
  bool hears_access(const AccessPlace& place, const RangeEvent& event, std::size_t most_pages);
  // … and of single lanes in shared memory, as long as that is calm.
  bool hears_access(const AccessPlace& place, const LanesEvent& event);
  // Settled words may be loaded without hears_access(). Null: there are none in this program.
  const SettledPages* settled_pages() const override {
    if (calm_pages_ != nullptr) return &calm_pages_->settled();
    return settles_global_ ? &settled_pages_ : nullptr;
  }
  const std::uint32_t* settled_shared(std::uint32_t block) override;
  // But for what is undefined.
  void calm_memory(std::uint32_t block, std::uint32_t warp, CalmMemory& memory) override;
  bool reads_only(std::uint64_t address, std::uint64_t size_bytes) override {
    return calm_pages_ != nullptr && calm_pages_->reads_only(address, size_bytes);
  }
  bool has_stored_to_read() const { return calm_pages_ != nullptr && calm_pages_->has_stored_to_read(); }
  void on_sync(const SyncEvent& event) override;
  void on_block_end(const BlockEndEvent& event) override;
  // A copy of this thread is over: its bytes were written where the thread has waited, in its present instruction.
  void finish_copy(unsigned lane, std::int32_t pc, std::uint64_t cycle, std::uint64_t address, std::uint64_t size);
  const std::vector<Race>& found() const { return found_; }
  // Of global memory, each of up to RacePage::kMostBytes.
  std::size_t pages() const {
    return calm_pages_ != nullptr ? calm_pages_->kept_bytes() / RacePage::kMostBytes : global_.size();
  }
  std::vector<Race> take() { return std::exchange(found_, {}); }  // those since the last time

 private:
  using Touch = RaceTouch;
  using Seen = RaceSeen;
  // Of a block's shared memory.
  struct SharedWords {
    RaceTouches touches;
    RaceWords words;
    CalmShared calm;  // of a launch that is taken to be calm; then the others stay empty
    std::vector<std::uint32_t> settled;
    bool has_settled = false;
    void begin_phase() {
      touches.begin_phase();
      calm.begin_phase();
      if (std::exchange(has_settled, false)) std::fill(settled.begin(), settled.end(), 0);
    }
  };

  void find_single_loads();
  // The page of an access of so many bytes.
  RacePage& page_of(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t number = address >> RacePage::kPageBits;
    KnownPage& known = known_pages_[SettledPages::place_of(number)];
    if (number != known.number || known.page == nullptr) known = {number, &global_[number]};
    if (bytes < 4) known.page->make_words_of(granule_bits_);
    return *known.page;
  }
  void go_to(std::uint32_t block) {
    if (block != block_) shared_now_ = nullptr;
    block_ = block;
  }
  SharedWords& shared_words();  // of block_
  // Whether an access of its shared memory is calm; then it is in the log of calm_.
  template <class Event>
  bool is_calm(SharedWords& shared, const Event& event);
  template <class Event>
  bool touch_calm(const Event& event, std::uint32_t block, std::uint32_t warp, bool settles);
  template <class Event>
  bool hears_calm(const AccessPlace& place, const Event& event, std::size_t most_pages);
  void tell_calm();
  void leave_calm_words();
  void begin_touch(const MemoryEvent& event);
  void end_touch();
  void touch_words(const MemoryEvent& event, LaneMask lanes);
  template <class F>
  void for_each_word(const MemoryEvent& event, LaneMask lanes, F f);
  bool read_together(const MemoryEvent& event, LaneMask lanes);
  void begin_issue(const AccessPlace& place);
  void tell_access(const MemoryEvent& event) {
    now_.atomic = event.access == MemoryEvent::Access::Atomic;
    now_.writes = event.access != MemoryEvent::Access::Load;
    now_.bytes = static_cast<std::uint8_t>(event.bytes);
  }
  bool are_pages_there(const MemoryEvent& event) const;
  bool touch_all_at_once(const MemoryEvent& event);
  bool change_at_once(const MemoryEvent& event);
  template <class F>
  void for_each_word_of(const MemoryEvent& event, F f);
  // The last touches of words that lanes access here and there lie far apart.
  void prefetch(std::uint32_t number) const {
    if (touches_->is_known(number)) __builtin_prefetch(&touches_->of(number));
  }
  bool touch_words_at_once(const MemoryEvent& event);
  // Settled words.
  void find_what_settles();
  template <class F>
  static void for_each_range(const MemoryEvent& event, F f);
  bool are_settled(const MemoryEvent& event);
  bool are_settled(std::uint64_t address, std::uint32_t words, bool shared) const;  // in one page
  bool touch_shared_range(const RangeEvent& event);
  bool touch_global_range(const RangeEvent& event, std::size_t most_pages);
  bool touch_strips(const RangeEvent& event);
  bool read_one_element(const RangeEvent& event);
  void unsettle(const MemoryEvent& event);
  void unsettle(std::uint64_t address, std::uint64_t size, bool shared);
  // Bits of the shared memory, or of the page, that holds the address.
  std::uint32_t* settled_bits(std::uint64_t address, bool shared) {
    return shared ? shared_now_->settled.data() : page_of(address, 4).settled.data();
  }
  void forget_settled();
  void settle(const MemoryEvent& event);
  void settle(std::uint64_t address, std::uint64_t size, bool shared);
  void note_kept(const Touch& reader) {
    keeps_reader_ = keeps_reader_ || touches_ != &global_touches_ || reader.warp / warps_per_block_ != block_;
  }
  template <class NumberOf>
  bool is_settled_by(const NumberOf& number_of) const;
  // Of an access beside what was there before.
  class AtomicWords;
  class WeakWords;
  // An access of a strip, or of some in a row by one touch: what is known of it, and what becomes of that.
  struct StripTouch {
    RacePage* page;
    unsigned number, count;  // of the first in the page, and how many there are
    RacePage::Strip now, seen;
    bool is_left;       // its words have to be looked at
    bool is_known;      // nothing changes
    bool keeps_reader;  // `seen` is kept beside
  };
  bool is_of_strips(const MemoryEvent& event) const;
  // Of so many strips, from this lane on, of elements of `bytes` and lanes of `size`.
  StripTouch strip_touch(std::uint64_t address, unsigned lane, std::uint64_t bytes, std::uint64_t size,
                         std::uint64_t count);
  void find_strip(StripTouch& touch);
  void touch_strip(const StripTouch& touch);
  LaneMask touch_strips(const MemoryEvent& event);
  bool touch_all_strips(const MemoryEvent& event);
  struct Before {
    std::uint32_t touch = 0;  // of which one; 0: not asked yet
    bool is_own_warp = false, is_own_version = false;
    bool is_ordered = false, is_unknown = false;  // of another warp: all comes after all of it; nothing does
  };
  const Before& before(std::uint32_t number);
  bool are_ordered(RacePage::Strip earlier, RacePage::Strip now);
  void keep_values(const StripTouch& touch, unsigned lane, const MemoryEvent& event);
  void compare(const Seen& before, LaneMask with, const MemoryEvent& event, unsigned lane, bool equal_stores = false) {
    if (with != 0 && (!are_morally_strong(*before.touch) || is_lockstep(*before.touch, event)))
      report(*before.touch, with, event, lane, equal_stores);
  }
  void compare(const RaceWords& words, RaceWords::Part part, std::uint32_t word, const MemoryEvent& event,
               unsigned lane) {
    const Seen before = words.seen(*touches_, part, word);
    compare(before, unordered(before, lane), event, lane);
  }
  void compare_writes(const RaceWords& words, std::uint32_t word, const MemoryEvent& event, unsigned lane,
                      std::uint64_t value) {
    const Seen last = words.seen(*touches_, RaceWords::kWrite, word);
    const LaneMask with_last = unordered_write(words, word, last, lane);
    compare(last, with_last, event, lane, are_equal_stores(last, words.value(word), words.cut(value)));
    const Seen other = words.seen(*touches_, RaceWords::kOtherWrite, word);
    compare(other, unordered_other(other, with_last, lane), event, lane,
            are_equal_stores(other, words.other_value(word), words.cut(value)));
  }
  bool are_equal_stores(const Seen& before, std::uint32_t first, std::uint32_t second) const {
    return before && now_.writes && !now_.atomic && !before.touch->atomic && before.touch->bytes == now_.bytes &&
           first == second;
  }
  // Which of the lanes `lane` does not come after.
  LaneMask unordered(const Seen& before, unsigned lane) const {
    return before ? ordering_.unordered(before.touch->stamp(), before.lanes, lane) : 0;
  }
  // The same of a word's last write, after which comes also who comes after something that has observed it.
  LaneMask unordered_write(const RaceWords& words, std::uint32_t word, const Seen& last, unsigned lane) const {
    const LaneMask with = unordered(last, lane);
    return with != 0 && last.touch->strong && is_observed(words, word, last, lane) ? 0 : with;
  }
  bool is_observed(const RaceWords& words, std::uint32_t word, const Seen& last, unsigned lane) const;
  // … and of the write beside it, which the last one may have observed.
  LaneMask unordered_other(const Seen& other, LaneMask with_last, unsigned lane) const {
    return with_last == 0 && (other.number & RaceTouches::kObserved) != 0 ? 0 : unordered(other, lane);
  }
  // Written by the instruction that is told.
  bool is_of_now(const Seen& seen) const {
    const std::uint32_t touch = seen.number >> RaceTouches::kTouchBit;
    return seen && (touch == now_number_ >> RaceTouches::kTouchBit || touch == differs_ >> RaceTouches::kTouchBit);
  }
  void forget(RaceWords& words, RaceWords::Part part, std::uint32_t word, unsigned lane) const;
  // Both are strong, and each reaches the other's thread: they order each other.
  bool are_morally_strong(const Touch& a, const Touch& b) const {
    if (!a.strong || !b.strong) return false;
    return a.warp / warps_per_block_ == b.warp / warps_per_block_ ||
           (*a.strong == Reach::Device && *b.strong == Reach::Device);
  }
  bool are_morally_strong(const Touch& before) const { return are_morally_strong(before, now_); }
  // A lane of one warp reads once what another stored: both volatile, as code that trusts in lockstep has them.
  bool is_lockstep(const Touch& before, const MemoryEvent& event) const {
    return before.is_volatile && before.writes && before.warp == now_.warp && !now_.writes &&
           event.space == MemoryEvent::Space::Shared && lines_[static_cast<std::size_t>(now_.pc)].reads_once;
  }
  SharedWords* known_shared_words(std::uint32_t block);
  bool meets_as_a_whole(const SyncEvent& event) const;
  bool have_all_lanes(const SyncEvent& event) const;
  void note_meeting(const SyncEvent& event);
  void order(const MemoryEvent& event);
  void report(const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane, bool equal_stores);
  void add(Race::Kind kind, const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane,
           bool equal_stores = false);
  bool is_no_cause_of_itself(const Race& race) const;
  std::optional<std::pair<std::int32_t, std::int32_t>> met_others(std::uint32_t warp, std::uint32_t other) const;
  RaceAccess told(const Touch& touch) const;
  bool is_quick(const MemoryEvent& event) const;
  bool touch_quickly(RaceWords& words, const MemoryEvent& event);
  void read_source(const MemoryEvent& event);
  void read(RaceWords& words, std::uint32_t word, unsigned lane);
  void write(RaceWords& words, std::uint32_t word, const MemoryEvent& event, unsigned lane, std::uint64_t value);

  struct OfLine {
    bool orders = false;  // a fence, or another that orders
    bool is_volatile = false;
    bool reads_once = false;  // a volatile load that stands in no loop
    std::optional<Reach> strong;
  };
  const Program* program_ = nullptr;
  const Machine* machine_ = nullptr;
  std::vector<OfLine> lines_;  // by pc
  std::uint32_t warps_per_block_ = 1;
  std::uint64_t granule_ = 4;  // bytes: a power of two
  unsigned granule_bits_ = 2;
  std::uint32_t shared_words_ = 0;
  Orderings ordering_;
  RaceTouches global_touches_;
  std::unordered_map<std::uint64_t, RacePage> global_;  // by address >> kPageBits
  using SharedBlocks = std::unordered_map<std::uint32_t, SharedWords>;
  SharedBlocks shared_;            // by block, made when it is touched
  SharedBlocks::node_type spare_;  // of a block that has ended, for the next
  struct KnownPage {
    std::uint64_t number = 0;
    RacePage* page = nullptr;
  };
  std::array<KnownPage, 1024> known_pages_{};  // of global_: some, by a hash
  CalmPages* calm_pages_ = nullptr;            // null: memory is not taken to be calm
  bool shares_parts_ = false;                  // an access of shared memory may be of less than 4 bytes
  SharedWords* shared_now_ = nullptr;          // of `block_`; null: not looked up
  CalmWords calm_;                             // of the block that accessed shared memory last, or of none
  std::uint32_t block_ = 0;
  const Insn* insn_ = nullptr;
  Touch now_;                                             // the instruction that is being told, without lanes
  RaceTouches* touches_ = nullptr;                        // of the memory that it touches
  std::uint32_t now_number_ = 0;                          // of its lane 0 there
  std::uint32_t differs_ = 0;                             // the same where its lanes store several values; 0: nowhere
  bool is_noted_ = false;                                 // some word has one of its numbers
  Before before_;                                         // the last answer of before() to that instruction
  bool keeps_reader_ = false;                             // it has kept a reader of some word beside its own
  bool settles_global_ = false, settles_shared_ = false;  // reads of the program
  bool has_settled_ = false;                              // words of global memory
  SettledPages settled_pages_;
  // Of a warp (of the launch) that met others at a barrier of some threads, who came from another line: both lines.
  std::map<std::uint32_t, std::set<std::pair<std::int32_t, std::int32_t>>> mixed_;
  std::set<std::pair<std::int32_t, std::int32_t>> seen_, seen_equal_;
  std::vector<Race> found_;
};

}  // namespace warpsim
