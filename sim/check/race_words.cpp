// See race_words.h.
#include "sim/check/race_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

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

// ---- touches

std::uint32_t RaceTouches::number_of_set(LaneMask lanes) {
  const auto [at, is_new] = set_numbers_.try_emplace(lanes, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(lanes);
  return at->second;
}

void RaceTouches::begin_phase() {
  first_ += static_cast<std::uint32_t>(touches_.size());
  touches_.clear();
  sets_.clear();
  set_numbers_.clear();
}

void RaceTouches::leave_out() {
  std::uint32_t next = 1;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (places_[k] == 0) continue;
    touches_[next - 1] = touches_[k];
    places_[k] = next++;
  }
  touches_.resize(next - 1);
  old_sets_ = std::exchange(sets_, {});
  set_numbers_.clear();
}

void RaceTouches::end_sweep() {
  first_ = 1;
  limit_ = std::clamp(2 * touches_.size(), kFewTouches, kMostTouches);
  places_ = {};
  old_sets_ = {};
  if (is_full()) begin_phase();  // 8 million instructions are still of interest: those before them are not
}

// ---- words

bool RaceWords::are_untouched(const RaceTouches& touches, Part part, std::uint32_t word, std::uint32_t count) const {
  const std::uint32_t* const numbers = columns_[part].numbers.get();
  if (numbers == nullptr) return true;
  std::uint32_t highest = 0;
  for (std::uint32_t k = 0; k < count; ++k) highest = std::max(highest, numbers[word + k]);
  return !touches.is_known(highest);
}

void RaceWords::forget(Part part, std::uint32_t word, std::uint32_t count) {
  if (columns_[part].numbers) std::fill_n(&columns_[part].numbers[word], count, 0);
}

void RaceWords::add_lanes(RaceTouches& touches, Part part, std::uint32_t word, LaneMask more) {
  const LaneMask lanes = seen(touches, part, word).lanes;
  if ((more & ~lanes) == 0) return;
  Column& column = columns_[part];
  if (!column.sets) column.sets = std::make_unique<std::uint32_t[]>(count_);
  column.sets[word] = touches.number_of_set(lanes | more);
  column.numbers[word] |= RaceTouches::kSet;
}

void RaceWords::copy(Part from, Part to, std::uint32_t word) {
  const std::uint32_t number = columns_[from].numbers[word];
  numbers(to)[word] = number;
  if ((number & RaceTouches::kSet) == 0) return;
  if (!columns_[to].sets) columns_[to].sets = std::make_unique<std::uint32_t[]>(count_);
  columns_[to].sets[word] = columns_[from].sets[word];
}

void RaceWords::keep_write(std::uint32_t word, bool is_observed) {
  copy(kWrite, kOtherWrite, word);
  if (is_observed) columns_[kOtherWrite].numbers[word] |= RaceTouches::kObserved;
  set_value_in(1, word, value(word));
}

std::uint32_t RaceWords::value_in(std::size_t which, std::uint32_t word) const {
  std::uint32_t value = 0;
  if (values_[which])
    std::memcpy(&value, &values_[which][std::size_t{word} << granule_bits_], std::size_t{1} << granule_bits_);
  return value;
}

void RaceWords::set_value_in(std::size_t which, std::uint32_t word, std::uint64_t value) {
  std::memcpy(values(which) + (std::size_t{word} << granule_bits_), &value, std::size_t{1} << granule_bits_);
}

bool RaceWords::touch(RaceTouches& touches, std::uint32_t number, const MemoryEvent& event) {
  std::uint32_t highest = 0;
  for_word_numbers(event, granule_bits_,
                   [&, written = numbers(kWrite), read = numbers(kRead)](unsigned, std::uint64_t w) {
                     highest = std::max(highest, std::max(written[w], read[w]));
                   });
  if (touches.is_known(highest)) return false;
  const bool writes = event.access != MemoryEvent::Access::Load;
  std::uint32_t* const words = numbers(writes ? kWrite : kRead);
  for_word_numbers(event, granule_bits_, [&](unsigned lane, std::uint64_t word) { words[word] = number + lane; });
  if (!event.neighbours) {
    bool alone = true, together = !writes;
    const std::uint64_t same = event.address[first_lane(event.lanes)];
    for_lanes(event.lanes, [&](unsigned lane) {
      alone &= words[event.address[lane] >> granule_bits_] == number + lane;
      together &= event.address[lane] == same;
    });
    if (!alone && !together) {
      for_word_numbers(event, granule_bits_, [&](unsigned, std::uint64_t word) { words[word] = 0; });
      return false;
    }
    if (!alone) touches.last().lanes = event.lanes;
  }
  if (!writes) return true;
  std::byte* const kept = values(0);
  const auto keep = [&](auto type) {
    for_word_numbers(event, granule_bits_, [&](unsigned lane, std::uint64_t word) {
      const auto value = static_cast<decltype(type)>(event.value[lane]);
      std::memcpy(kept + word * sizeof value, &value, sizeof value);
    });
  };
  if (granule_bits_ == 2) keep(std::uint32_t{});
  else if (granule_bits_ == 1) keep(std::uint16_t{});
  else keep(std::uint8_t{});
  return true;
}

RaceWords RaceWords::in_words_of(unsigned granule_bits) const {
  const unsigned more = granule_bits_ - granule_bits;
  RaceWords out(count_ << more, granule_bits);
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto spread = [&](const std::unique_ptr<std::uint32_t[]>& from, std::unique_ptr<std::uint32_t[]>& to) {
      if (!from) return;
      to = std::make_unique<std::uint32_t[]>(out.count_);
      for (std::uint32_t word = 0; word < out.count_; ++word) to[word] = from[word >> more];
    };
    spread(columns_[part].numbers, out.columns_[part].numbers);
    spread(columns_[part].sets, out.columns_[part].sets);
  }
  for (std::size_t which = 0; which < values_.size(); ++which)
    if (values_[which]) std::copy_n(values_[which].get(), std::size_t{count_} << granule_bits_, out.values(which));
  return out;
}

// ---- pages

std::optional<RacePage::Strip> RacePage::strip(const RaceTouches& touches, RaceWords::Part part,
                                               unsigned number) const {
  if (strips_[part] && (*strips_[part])[number].number != 0) return (*strips_[part])[number];
  if (!words.are_untouched(touches, part, number * words_of_strip(), words_of_strip())) return std::nullopt;
  return Strip();
}

void RacePage::set(RaceWords::Part part, unsigned number, Strip strip) {
  words.forget(part, number * words_of_strip(), words_of_strip());
  if (!strips_[part]) {
    if (strip.number == 0) return;
    strips_[part] = std::make_unique<Strips>();
  }
  (*strips_[part])[number] = strip;
  in_strips_ |= 1U << number;
}

void RacePage::spread_words(unsigned number) {
  const unsigned granule_bits = words.granule_bits();
  for (const RaceWords::Part part :
       {RaceWords::kWrite, RaceWords::kRead, RaceWords::kOtherWrite, RaceWords::kOtherRead}) {
    if (!strips_[part]) continue;
    Strip& strip = (*strips_[part])[number];
    if (strip.number == 0) continue;
    for (std::uint32_t k = 0; k < words_of_strip(); ++k)
      words.set(part, number * words_of_strip() + k, strip.number + (k << granule_bits >> strip.lane_bits));
    strip.number = 0;
  }
  in_strips_ &= ~(1U << number);
}

void RacePage::make_words_of(unsigned granule_bits) {
  if (granule_bits < words.granule_bits()) words = words.in_words_of(granule_bits);
}

}  // namespace warpsim
