// The shadow of memory that the race check keeps: by word, who wrote it last and who read it since.
//
// Shapes: what an instruction of a warp did is kept once, as a RaceTouch. A word has numbers, each of a touch and a
// lane
//         of it: who wrote it last, who read it since, and what stays beside those. Columns of numbers come into being
//         when a word needs them, so that memory which is only read costs little. Global memory is in pages; a strip of
//         32 bytes that neighbouring lanes touched one after the other, as most are, has one number for all its words.
//         Of shared memory most words are touched by one lane between two barriers of the block: those are compared and
//         filled for all lanes of an access at once.
// Units:  words of the smallest access that the program makes; of a page that had only larger ones, of 4 bytes.
// Errors: none.
// Source: sim/check/races.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "sim/event/settled_words.h"
#include "sim/ordering/orderings.h"

namespace warpsim {

// What lanes of one warp did in one instruction.
struct RaceTouch {
  std::uint64_t cycle = 0;
  LaneMask lanes = 0;      // that touched one word; 0: each number has its lanes
  std::uint64_t warp = 0;  // with `version` its stamp
  std::uint32_t version = 0;
  std::int32_t pc = -1;
  bool writes = false, atomic = false, is_volatile = false;
  std::optional<Reach> strong;
  std::uint8_t bytes = 0;  // of an element; 0: of a store whose lanes differ
  Stamp stamp() const { return {warp, version}; }
};

// The lanes of one warp that touched a word in one instruction, or read it since the warp last synchronised.
struct RaceSeen {
  const RaceTouch* touch = nullptr;  // null: nobody
  LaneMask lanes = 0;
  std::uint32_t number = 0;
  explicit operator bool() const { return touch != nullptr; }
};

// Touches by number. A number has 25 bits of the touch, one that says that a set of lanes stands beside it, and 6 of
// the lane. Numbers below the first touch's are of nobody.
class RaceTouches {
 public:
  static constexpr unsigned kTouchBit = 8;
  static constexpr std::uint32_t kSet = 1U << 6, kObserved = 1U << 7;
  RaceTouches() = default;
  // So many are kept before the first sweep, which looks at all words.
  explicit RaceTouches(std::size_t few) : few_(std::min(few, kFewTouches)), limit_(few_) {}
  std::uint32_t first() const { return first_ << kTouchBit; }
  bool is_known(std::uint32_t number) const { return number >= first(); }
  std::uint32_t add(const RaceTouch& touch) {  // the number of its lane 0
    touches_.push_back(touch);
    return (first_ + static_cast<std::uint32_t>(touches_.size()) - 1) << kTouchBit;
  }
  void drop_last() { touches_.pop_back(); }
  RaceTouch& last() { return touches_.back(); }
  bool empty() const { return touches_.empty(); }
  const RaceTouch& of(std::uint32_t number) const { return touches_[(number >> kTouchBit) - first_]; }
  LaneMask set(std::uint32_t number) const { return sets_[number]; }
  std::uint32_t number_of_set(LaneMask lanes);
  // All that was touched is as if untouched.
  void begin_phase();
  bool is_full() const { return touches_.size() >= limit_ || first_ + touches_.size() >= kMostTouches; }
  // Leaves out the touches that no word has a number of any more. `each(f)` calls f(number, set) for every number there
  // is, with the set that stands beside it or null.
  template <class Each>
  void sweep(Each each) {
    places_.assign(touches_.size(), 0);
    each([this](std::uint32_t& number, std::uint32_t*) {
      if (is_known(number)) places_[(number >> kTouchBit) - first_] = 1;
      else number = 0;
    });
    leave_out();
    each([this](std::uint32_t& number, std::uint32_t* set) {
      if (number == 0) return;
      number = places_[(number >> kTouchBit) - first_] << kTouchBit | number % (1U << kTouchBit);
      if ((number & kSet) != 0) *set = number_of_set(old_sets_[*set]);
    });
    end_sweep();
  }

 private:
  void place_sets(std::size_t places);
  void forget_sets();
  void leave_out();
  void end_sweep();
  static constexpr std::size_t kFewTouches = std::size_t{1} << 17, kMostTouches = std::size_t{1} << 23;
  std::vector<RaceTouch> touches_;
  std::uint32_t first_ = 1;  // the touch that stands first
  std::size_t few_ = kFewTouches, limit_ = few_;
  std::vector<LaneMask> sets_;
  // One more than the number of a set, at its place by a hash or in the next that is free; 0: free. A power of two, at
  // least twice as many as there are sets.
  std::vector<std::uint32_t> set_places_;
  // While sweeping: where a touch goes, 0 if no word has its number; and the sets until then.
  std::vector<std::uint32_t> places_;
  std::vector<LaneMask> old_sets_;
};

class RaceWords {
 public:
  // Beside the last writer and the last reader of a word: a reader of another warp (a third is missed until the next
  // write), and a writer that did not race since both were strong, or stored one value.
  enum Part : std::uint8_t { kWrite, kRead, kOtherWrite, kOtherRead, kParts };
  RaceWords() = default;
  RaceWords(std::uint32_t count, unsigned granule_bits) : count_(count), granule_bits_(granule_bits) {}
  unsigned granule_bits() const { return granule_bits_; }
  std::uint32_t count() const { return count_; }

  std::uint32_t number(Part part, std::uint32_t word) const {
    const std::uint32_t* const numbers = columns_[part].numbers.get();
    return numbers == nullptr ? 0 : numbers[word];
  }
  RaceSeen seen(const RaceTouches& touches, Part part, std::uint32_t word) const {
    const std::uint32_t* const numbers = columns_[part].numbers.get();
    if (numbers == nullptr || !touches.is_known(numbers[word])) return {};
    const std::uint32_t number = numbers[word];
    const RaceTouch& touch = touches.of(number);
    if ((number & RaceTouches::kSet) != 0) return {&touch, touches.set(columns_[part].sets[word]), number};
    return {&touch, touch.lanes != 0 ? touch.lanes : lane_bit(number % RaceTouches::kSet), number};
  }
  bool is_untouched(const RaceTouches& touches, std::uint32_t word) const {
    bool is_known = false;
    for (const Column& column : columns_)
      is_known = is_known || (column.numbers && touches.is_known(column.numbers[word]));
    return !is_known;
  }
  bool are_untouched(const RaceTouches& touches, Part part, std::uint32_t word, std::uint32_t count) const {
    return columns_[part].numbers == nullptr || are_numbers_unknown(touches, part, word, count);
  }
  void set(Part part, std::uint32_t word, std::uint32_t number) { numbers(part)[word] = number; }
  // Another touch of the same lanes.
  void set_touch(Part part, std::uint32_t word, std::uint32_t number) {
    std::uint32_t& now = columns_[part].numbers[word];
    now = number | now % (1U << RaceTouches::kTouchBit);
  }
  void add_lane(RaceTouches& touches, Part part, std::uint32_t word, unsigned lane) {
    add_lanes(touches, part, word, lane_bit(lane));
  }
  void add_lanes(RaceTouches& touches, Part part, std::uint32_t word, LaneMask more);
  void set_last_lane(std::uint32_t word, unsigned lane) {  // of those that wrote
    std::uint32_t& now = columns_[kWrite].numbers[word];
    now = (now & ~(RaceTouches::kSet - 1)) | lane;
  }
  void forget(Part part, std::uint32_t word) {
    if (columns_[part].numbers) columns_[part].numbers[word] = 0;
  }
  void forget(Part part, std::uint32_t word, std::uint32_t count) {
    if (columns_[part].numbers) std::fill_n(&columns_[part].numbers[word], count, 0);
  }
  void keep_write(std::uint32_t word, bool is_observed);  // as kOtherWrite, with its value
  // … of an atomic whose write is observed: nobody asks for its value.
  void keep_atomic(std::uint32_t word) {
    copy(kWrite, kOtherWrite, word);
    columns_[kOtherWrite].numbers[word] |= RaceTouches::kObserved;
  }
  void keep_read(std::uint32_t word) { copy(kRead, kOtherRead, word); }
  // What was written, as far as a word goes.
  std::uint32_t value(std::uint32_t word) const { return value_in(0, word); }
  std::uint32_t other_value(std::uint32_t word) const { return value_in(1, word); }
  std::uint32_t cut(std::uint64_t value) const {
    return static_cast<std::uint32_t>(value) & (~std::uint32_t{0} >> (32 - (8U << granule_bits_)));
  }
  void set_value(std::uint32_t word, std::uint64_t value) { set_value_in(0, word, value); }
  // Of so many neighbours from this lane on, which write from this word on.
  void keep_values(std::uint32_t word, const MemoryEvent& event, unsigned lane, unsigned count);
  void keep_values(std::uint32_t word, const void* values, std::size_t size) {
    std::memcpy(this->values(0) + (std::size_t{word} << granule_bits_), values, size);
  }

  // A weak load or store of whole words, of the touch that was added last. False, and nothing has changed, unless
  // each lane has words of its own, or all lanes load the same, and nobody has touched those in this phase.
  bool touch(RaceTouches& touches, std::uint32_t number, const MemoryEvent& event);
  // The same of a range.
  bool touch(RaceTouches& touches, std::uint32_t number, const RangeEvent& event);
  // The number of lane 0 in the one touch whose lanes have touched these words as the lanes of this access do. 0:
  // nobody has; none: they are of several, or the lanes others.
  std::optional<std::uint32_t> one_touch(const RaceTouches& touches, Part part, const MemoryEvent& event) const;
  // This weak load is the last one, and the one before it is kept beside it or forgotten.
  void read_over(std::uint32_t number, const MemoryEvent& event, bool keeps_readers);
  // This weak store comes after all that was before.
  void write_over(std::uint32_t number, const MemoryEvent& event);
  // The same in words of a smaller size.
  RaceWords in_words_of(unsigned granule_bits) const;
  template <class F>
  void for_each_number(F f) {
    for (Column& column : columns_) {
      if (!column.numbers) continue;
      for (std::uint32_t word = 0; word < count_; ++word)
        f(column.numbers[word], column.sets ? &column.sets[word] : nullptr);
    }
  }

 private:
  struct Column {
    std::unique_ptr<std::uint32_t[]> numbers;  // null: nobody
    std::unique_ptr<std::uint32_t[]> sets;     // of lanes, where the number says so
  };
  std::uint32_t* numbers(Part part) {
    if (!columns_[part].numbers) columns_[part].numbers = std::make_unique<std::uint32_t[]>(count_);
    return columns_[part].numbers.get();
  }
  std::byte* values(std::size_t which) {
    if (!values_[which]) values_[which] = std::make_unique<std::byte[]>(std::size_t{count_} << granule_bits_);
    return values_[which].get();
  }
  bool are_numbers_unknown(const RaceTouches& touches, Part part, std::uint32_t word, std::uint32_t count) const;
  void keep_values(const MemoryEvent& event);
  void copy(Part from, Part to, std::uint32_t word);
  std::uint32_t value_in(std::size_t which, std::uint32_t word) const;
  void set_value_in(std::size_t which, std::uint32_t word, std::uint64_t value);

  std::uint32_t count_ = 0;
  unsigned granule_bits_ = 2;
  std::array<Column, kParts> columns_;
  std::array<std::unique_ptr<std::byte[]>, 2> values_;  // of the write, to tell stores of one value from stores of
                                                        // several; and of the other write
};

// Of global memory.
class RacePage {
 public:
  static constexpr unsigned kPageBits = SettledPages::kPageBits, kStripBits = 5;  // of bytes
  static constexpr std::uint64_t kStripBytes = std::uint64_t{1} << kStripBits;
  // What is kept of one, in a program that accesses words of 4 bytes: four columns of numbers and of sets, two of
  // values.
  static constexpr std::size_t kMostBytes = std::size_t{11} << kPageBits;
  // The lanes that touched a strip: its first byte has the number, and each lane has 1 << lane_bits bytes. One word, so
  // that it is moved as one.
  class Strip {
   public:
    Strip() = default;
    Strip(std::uint32_t number, unsigned lane_bits) : bits_(number | std::uint64_t{lane_bits} << 32) {}
    static Strip mixed() {
      Strip strip;
      strip.bits_ = ~std::uint64_t{0};
      return strip;
    }
    std::uint32_t number() const { return static_cast<std::uint32_t>(bits_); }  // below the first: nobody's
    unsigned lane_bits() const { return static_cast<unsigned>(bits_ >> 32); }
    bool is_mixed() const { return bits_ == ~std::uint64_t{0}; }  // its words differ
    // The same touch, so many strips on.
    Strip behind(unsigned strips) const {
      Strip strip;
      strip.bits_ = bits_ + (strips << kStripBits >> lane_bits());
      return strip;
    }

   private:
    friend class RacePage;
    std::uint64_t bits_;  // Strip() has 0, and costs nothing where it is filled later
  };
  RacePage() : words(1U << (kPageBits - 2), 2) {}
  // Of a word, wherever it stands.
  std::uint32_t number(RaceWords::Part part, std::uint32_t word) const {
    const std::uint32_t first = word << words.granule_bits() >> kStripBits;
    const Strip strip = strips_[part] ? (*strips_[part])[first] : Strip();
    if (strip.number() == 0) return words.number(part, word);
    return strip.number() + ((word % words_of_strip()) << words.granule_bits() >> strip.lane_bits());
  }
  // Of so many strips from the one with that number in its page: the first, if one touch goes on through all of them.
  Strip strip(const RaceTouches& touches, RaceWords::Part part, unsigned number, unsigned count) const {
    const Strip* const strips = strips_[part] ? strips_[part]->data() + number : nullptr;
    if (strips != nullptr && strips->number() != 0) {
      std::uint64_t differs = 0;
      for (unsigned k = 1; k < count; ++k) differs |= strips[k].bits_ ^ strips->behind(k).bits_;
      return differs == 0 ? *strips : Strip::mixed();
    }
    std::uint64_t others = 0;
    for (unsigned k = 1; strips != nullptr && k < count; ++k) others |= strips[k].bits_;
    const bool is_mixed =
        others != 0 || !words.are_untouched(touches, part, number * words_of_strip(), count * words_of_strip());
    return is_mixed ? Strip::mixed() : Strip();
  }
  void set(RaceWords::Part part, unsigned number, unsigned count, Strip first) {
    words.forget(part, number * words_of_strip(), count * words_of_strip());
    if (!strips_[part]) {
      if (first.number() == 0) return;
      strips_[part] = std::make_unique<Strips>();
    }
    Strip* const strips = strips_[part]->data() + number;
    if (first.number() == 0) {
      std::fill_n(strips, count, first);
      return;
    }
    for (unsigned k = 0; k < count; ++k) strips[k] = first.behind(k);
    in_strips_ |= static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << number);
  }
  // Its words have numbers of their own.
  void spread(unsigned number) {
    if ((in_strips_ >> number & 1) != 0) spread_words(number);
  }
  void make_words_of(unsigned granule_bits);
  template <class F>
  void for_each_number(F f) {
    for (const std::unique_ptr<Strips>& strips : strips_) {
      if (!strips) continue;
      for (Strip& strip : *strips) {
        std::uint32_t number = strip.number();
        f(number, nullptr);
        strip = Strip(number, strip.lane_bits());
      }
    }
    words.for_each_number(f);
  }
  RaceWords words;
  SettledPages::Words settled{};

 private:
  static constexpr unsigned kStrips = 1U << (kPageBits - kStripBits);
  using Strips = std::array<Strip, kStrips>;
  void spread_words(unsigned number);
  std::uint32_t words_of_strip() const { return 1U << (kStripBits - words.granule_bits()); }
  std::uint32_t in_strips_ = 0;  // by strip: of a part or more of it a number stands in strips_
  std::array<std::unique_ptr<Strips>, RaceWords::kParts> strips_;
};

}  // namespace warpsim
