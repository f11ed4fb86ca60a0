// See race_words.h.
#include "sim/check/race_words.h"

#include <algorithm>
#include <bit>

namespace warpsim {
namespace {

// Calls f(lane, number of its word) for each lane of an access. Neighbouring words are counted through.
template <class F>
void for_word_numbers(const MemoryEvent& event, unsigned granule_bits, F f) {
  if (event.neighbours) {
    const std::uint64_t first = event.address[0] >> granule_bits;
    const unsigned count = static_cast<unsigned>(std::bit_width(event.lanes));
    for (unsigned lane = 0; lane < count; ++lane) f(lane, first + lane);
  } else {
    for_lanes(event.lanes, [&](unsigned lane) { f(lane, event.address[lane] >> granule_bits); });
  }
}

}  // namespace

void SharedRaceWords::begin_phase() {
  for (const std::uint64_t number : filled_) {
    full_[number].forget_all();
    written_[number] = read_[number] = 0;
  }
  filled_.clear();
  first_ += static_cast<std::uint32_t>(touches_.size());
  touches_.clear();
  if (first_ <= kMostTouches) return;
  std::fill(written_.begin(), written_.end(), 0);
  std::fill(read_.begin(), read_.end(), 0);
  first_ = 1;
}

RaceTouch SharedRaceWords::touch_of(std::int32_t signed_number) const {
  const std::uint32_t number = static_cast<std::uint32_t>(signed_number);
  RaceTouch touch = touches_[number / kMaxLanes - first_];
  if (touch.lanes == 0) touch.lanes = lane_bit(number % kMaxLanes);
  return touch;
}

RaceWord& SharedRaceWords::at(std::uint64_t number) {
  if (full_.empty()) full_.resize(written_.size());
  RaceWord& word = full_[number];
  if (written_[number] == kInFull) return word;
  if (written_[number] >= number_of(first_)) {
    word.write = touch_of(written_[number]);
    word.value = value_[number];
  }
  if (read_[number] >= number_of(first_)) word.read = touch_of(read_[number]);
  written_[number] = kInFull;
  filled_.push_back(number);
  return word;
}

bool SharedRaceWords::touch(const RaceTouch& touch, const MemoryEvent& event, unsigned granule_bits) {
  if (touches_.size() >= kMostTouches) return false;
  const std::int32_t first = number_of(first_), number = number_of(first_ + touches_.size());
  std::int32_t before = -1;  // negative: all are
  for_word_numbers(event, granule_bits, [&, written = written_.data(), read = read_.data()](unsigned, std::uint64_t w) {
    before &= (written[w] - first) & (read[w] - first);
  });
  if (before >= 0) return false;
  std::int32_t* const words = touch.writes ? written_.data() : read_.data();
  for_word_numbers(event, granule_bits,
                   [&](unsigned lane, std::uint64_t word) { words[word] = number + static_cast<std::int32_t>(lane); });
  LaneMask lanes = 0;  // that touched one word
  if (!event.neighbours) {
    bool alone = true, together = !touch.writes;
    const std::uint64_t same = event.address[first_lane(event.lanes)];
    for_lanes(event.lanes, [&](unsigned lane) {
      alone &= words[event.address[lane] >> granule_bits] == number + static_cast<std::int32_t>(lane);
      together &= event.address[lane] == same;
    });
    if (!alone && !together) {
      for_word_numbers(event, granule_bits, [&](unsigned, std::uint64_t word) { words[word] = 0; });
      return false;
    }
    if (!alone) lanes = event.lanes;
  }
  if (touch.writes)
    for_word_numbers(event, granule_bits, [&](unsigned lane, std::uint64_t word) { value_[word] = event.value[lane]; });
  touches_.push_back(touch);
  touches_.back().lanes = lanes;
  return true;
}

}  // namespace warpsim
