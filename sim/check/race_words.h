// The shadow of memory that the race check keeps: by word, who wrote it last and who read it since.
//
// Shapes: a word of global memory is a RaceWord. Of a block's shared memory most words are touched by one lane between
//         two barriers of the block: for those a number stands, of the instruction and the lane, in arrays that are
//         compared and filled for all lanes of an access at once. The others become a RaceWord.
// Units:  words of the smallest access that the program makes.
// Errors: none.
// Source: sim/check/races.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/ordering/orderings.h"

namespace warpsim {

// The lanes of one warp that touched a word in one instruction, or read it since the warp last synchronised. There is
// one for each word that is touched, so that it is kept small.
struct RaceTouch {
  std::uint64_t cycle = 0;
  LaneMask lanes = 0;
  std::uint64_t warp = 0;  // with `version` its stamp
  std::uint32_t version = 0;
  std::int32_t pc = -1;  // none
  bool writes = false, atomic = false;
  std::optional<Reach> strong;
  std::uint8_t bytes = 0;  // of an element; 0: of a store whose lanes differ
  Stamp stamp() const { return {warp, version}; }
};

struct RaceWord {
  // Beside the last writer and the last reader of a word: a reader of another warp (a third is missed until the next
  // write), and a writer that did not race since both were strong, or stored one value.
  struct Others {
    RaceTouch write, read;
    std::uint64_t value = 0;
  };
  RaceTouch write, read;
  std::uint64_t value = 0;         // of the write, to tell stores of one value from stores of several
  std::unique_ptr<Others> others;  // null: none
  bool is_untouched() const { return write.pc < 0 && read.pc < 0 && !others; }
  Others& with_others() {
    if (!others) others = std::make_unique<Others>();
    return *others;
  }
  void forget_all() {
    write.pc = read.pc = -1;
    others.reset();
  }
};

// Of one block. What it touches before a barrier of all its warps comes before all that it touches behind: each such
// barrier begins a phase, and a word of an earlier phase is as if untouched.
class SharedRaceWords {
 public:
  explicit SharedRaceWords(std::uint64_t count = 0) : written_(count, 0), read_(count, 0), value_(count, 0) {}
  void begin_phase();
  RaceWord& at(std::uint64_t number);
  // A weak load or store of one word a lane. False, and nothing has changed, unless each lane has a word of its own, or
  // all lanes load the same, and nobody has touched those in this phase. `touch` is without lanes.
  bool touch(const RaceTouch& touch, const MemoryEvent& event, unsigned granule_bits);

 private:
  static constexpr std::int32_t kInFull = 0x7fff'ffff;  // in written_: see full_
  static constexpr std::uint32_t kMostTouches = std::uint32_t{1} << 23;
  static std::int32_t number_of(std::uint64_t touch) { return static_cast<std::int32_t>(touch * kMaxLanes); }
  RaceTouch touch_of(std::int32_t signed_number) const;

  // By word: the touch's number * kMaxLanes + lane. Below `first_ * kMaxLanes`: of a phase before, that is none.
  std::vector<std::int32_t> written_, read_;
  std::vector<std::uint64_t> value_;  // that was written
  std::vector<RaceTouch> touches_;    // of this phase; with lanes where all of them touched one word
  std::uint32_t first_ = 1;           // number of the first of them
  std::vector<RaceWord> full_;        // empty until one is needed; untouched but for these
  std::vector<std::uint64_t> filled_;
};

}  // namespace warpsim
