// See race_words.h.
#include "sim/check/race_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/calm/element_value.h"

namespace warpsim {
namespace {

// The words of an access. Neighbouring lanes' are counted through.
class AccessedWords {
 public:
  AccessedWords(const MemoryEvent& event, unsigned granule_bits)
      : event_(event), granule_bits_(granule_bits), words_a_lane_(event.bytes * event.elements >> granule_bits) {}

  // Calls f(lane, number of its first word) for each lane.
  template <class F>
  void for_each_lane(F f) const {
    if (event_.neighbours) {
      const std::uint64_t first = event_.address[0] >> granule_bits_;
      const unsigned lanes = static_cast<unsigned>(std::bit_width(event_.lanes));
      for (unsigned lane = 0; lane < lanes; ++lane) f(lane, first + std::uint64_t{lane} * words_a_lane_);
    } else {
      for_lanes(event_.lanes, [&](unsigned lane) { f(lane, event_.address[lane] >> granule_bits_); });
    }
  }
  // The same for each word of one lane.
  template <class F>
  void for_each_word_of(unsigned lane, F f) const {
    const std::uint64_t first = event_.address[lane] >> granule_bits_;
    for (std::uint64_t word = first; word < first + words_a_lane_; ++word) f(lane, word);
  }
  // Calls f(lane, number of a word) for each word.
  template <class F>
  void for_each(F f) const {
    if (event_.neighbours) {
      const std::uint64_t first = event_.address[0] >> granule_bits_;
      const unsigned shift = static_cast<unsigned>(std::countr_zero(words_a_lane_));
      const unsigned words = static_cast<unsigned>(std::bit_width(event_.lanes)) << shift;
      for (unsigned k = 0; k < words; ++k) f(k >> shift, first + k);
      return;
    }
    if (words_a_lane_ == 1) return for_each_lane(f);
    for_each_lane([&](unsigned lane, std::uint64_t first) {
      for (std::uint64_t word = first; word < first + words_a_lane_; ++word) f(lane, word);
    });
  }

 private:
  const MemoryEvent& event_;
  unsigned granule_bits_;
  std::uint32_t words_a_lane_;
};

}  // namespace

// ---- touches

static std::size_t place_of(LaneMask lanes, const std::vector<std::uint32_t>& places) {
  return static_cast<std::size_t>(lanes * 0x9e3779b97f4a7c15 >> 32) & (places.size() - 1);
}

std::uint32_t RaceTouches::number_of_set(LaneMask lanes) {
  if (2 * (sets_.size() + 1) > set_places_.size()) place_sets(std::max<std::size_t>(64, 4 * sets_.size()));
  std::size_t at = place_of(lanes, set_places_);
  for (; set_places_[at] != 0; at = (at + 1) & (set_places_.size() - 1))
    if (sets_[set_places_[at] - 1] == lanes) return set_places_[at] - 1;
  sets_.push_back(lanes);
  set_places_[at] = static_cast<std::uint32_t>(sets_.size());
  return set_places_[at] - 1;
}

void RaceTouches::place_sets(std::size_t places) {
  set_places_.assign(std::bit_ceil(places), 0);
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    std::size_t at = place_of(sets_[k], set_places_);
    while (set_places_[at] != 0) at = (at + 1) & (set_places_.size() - 1);
    set_places_[at] = static_cast<std::uint32_t>(k + 1);
  }
}

// Costs as much as there are sets.
void RaceTouches::forget_sets() {
  if (sets_.empty()) return;
  set_places_.assign(std::min(set_places_.size(), std::bit_ceil(4 * sets_.size())), 0);
  sets_.clear();
}

void RaceTouches::begin_phase() {
  first_ += static_cast<std::uint32_t>(touches_.size());
  touches_.clear();
  forget_sets();
}

void RaceTouches::leave_out() {
  std::uint32_t next = 1;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (places_[k] == 0) continue;
    touches_[next - 1] = touches_[k];
    places_[k] = next++;
  }
  touches_.resize(next - 1);
  old_sets_ = sets_;
  forget_sets();
}

void RaceTouches::end_sweep() {
  first_ = 1;
  limit_ = std::clamp(touches_.size() + touches_.size() / 2, few_, kMostTouches);
  if (limit_ > few_) touches_.reserve(limit_);  // and no more, which doubling would take
  places_ = {};
  old_sets_ = {};
  if (is_full()) begin_phase();  // 8 million instructions are still of interest: those before them are not
}

// ---- words

bool RaceWords::are_numbers_unknown(const RaceTouches& touches, Part part, std::uint32_t word,
                                    std::uint32_t count) const {
  const std::uint32_t* const numbers = columns_[part].numbers.get();
  std::uint32_t highest = 0;
  for (std::uint32_t k = 0; k < count; ++k) highest = std::max(highest, numbers[word + k]);
  return !touches.is_known(highest);
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
  const AccessedWords accessed(event, granule_bits_);
  const unsigned highest_lane = static_cast<unsigned>(std::bit_width(event.lanes)) - 1;
  std::uint32_t highest = 0;
  const auto look = [&, written = numbers(kWrite), read = numbers(kRead)](unsigned, std::uint64_t w) {
    highest = std::max(highest, std::max(written[w], read[w]));
  };
  if (event.is_one_address) accessed.for_each_word_of(highest_lane, look);
  else accessed.for_each(look);
  if (touches.is_known(highest)) return false;
  const bool writes = event.access != MemoryEvent::Access::Load;
  std::uint32_t* const words = numbers(writes ? kWrite : kRead);
  if (event.is_one_address && !writes) {
    accessed.for_each_word_of(highest_lane, [&](unsigned lane, std::uint64_t word) { words[word] = number + lane; });
    if (!std::has_single_bit(event.lanes)) touches.last().lanes = event.lanes;
    return true;
  }
  accessed.for_each([&](unsigned lane, std::uint64_t word) { words[word] = number + lane; });
  if (!event.neighbours && !event.is_apart) {
    bool alone = true, together = !writes;
    const std::uint64_t same = event.address[first_lane(event.lanes)];
    accessed.for_each([&](unsigned lane, std::uint64_t word) { alone &= words[word] == number + lane; });
    for_lanes(event.lanes, [&](unsigned lane) { together &= event.address[lane] == same; });
    if (!alone && !together) {
      accessed.for_each([&](unsigned, std::uint64_t word) { words[word] = 0; });
      return false;
    }
    if (!alone) touches.last().lanes = event.lanes;
  }
  if (writes) keep_values(event);
  return true;
}

bool RaceWords::touch(RaceTouches& touches, std::uint32_t number, const RangeEvent& event) {
  const std::uint32_t first = static_cast<std::uint32_t>(event.address >> granule_bits_),
                      count = event.size() >> granule_bits_;
  std::uint32_t *const written = numbers(kWrite) + first, *const read = numbers(kRead) + first;
  std::uint32_t highest = 0;
  for (std::uint32_t k = 0; k < count; ++k) highest = std::max({highest, written[k], read[k]});
  if (touches.is_known(highest)) return false;
  std::uint32_t* const words = event.is_store ? written : read;
  if (event.is_one_address) {
    std::fill_n(words, count, number + event.lanes - 1);
    touches.last().lanes = full_mask(event.lanes);
    return true;
  }
  const unsigned shift = event.bytes >> granule_bits_ == 2 ? 1 : 0;
  for (std::uint32_t k = 0; k < count; ++k) words[k] = number + (k >> shift);
  if (event.is_store) keep_values(first, event.values, event.size());
  return true;
}

void RaceWords::keep_values(std::uint32_t word, const MemoryEvent& event, unsigned lane, unsigned count) {
  std::byte* const kept = values(0) + (std::size_t{word} << granule_bits_);
  with_value_of(event.bytes, [&](auto value) {
    const std::size_t step = sizeof value * event.elements;
    for (unsigned k = 0; k < event.elements; ++k)
      for (unsigned l = 0; l < count; ++l) {
        value = static_cast<decltype(value)>(event.value_of(lane + l, k));
        std::memcpy(kept + l * step + k * sizeof value, &value, sizeof value);
      }
  });
}

void RaceWords::keep_values(const MemoryEvent& event) {
  if (event.neighbours)
    return keep_values(static_cast<std::uint32_t>(event.address[0] >> granule_bits_), event, 0,
                       static_cast<unsigned>(std::bit_width(event.lanes)));
  std::byte* const kept = values(0);
  with_value_of(event.bytes, [&](auto value) {
    AccessedWords(event, granule_bits_).for_each_lane([&](unsigned lane, std::uint64_t word) {
      std::byte* to = kept + (word << granule_bits_);
      for (unsigned k = 0; k < event.elements; ++k, to += sizeof value) {
        value = static_cast<decltype(value)>(event.value_of(lane, k));
        std::memcpy(to, &value, sizeof value);
      }
    });
  });
}

std::optional<std::uint32_t> RaceWords::one_touch(const RaceTouches& touches, Part part,
                                                  const MemoryEvent& event) const {
  const std::uint32_t* const numbers = columns_[part].numbers.get();
  if (numbers == nullptr) return 0;
  const unsigned lane_0 = first_lane(event.lanes);
  if (event.is_one_address && !std::has_single_bit(event.lanes)) {  // a word has the number of one lane
    bool is_known = false;
    AccessedWords(event, granule_bits_).for_each_word_of(lane_0, [&](unsigned, std::uint64_t w) {
      is_known = is_known || touches.is_known(numbers[w]);
    });
    return is_known ? std::nullopt : std::optional<std::uint32_t>(0);
  }
  const std::uint32_t first = numbers[event.address[lane_0] >> granule_bits_] - lane_0;
  std::uint32_t differs = first % (1U << RaceTouches::kTouchBit), highest = 0;
  AccessedWords(event, granule_bits_).for_each([&](unsigned lane, std::uint64_t w) {
    differs |= (numbers[w] - lane) ^ first;
    highest = std::max(highest, numbers[w]);
  });
  if (!touches.is_known(highest)) return 0;
  return differs == 0 ? std::optional(first) : std::nullopt;
}

void RaceWords::read_over(std::uint32_t number, const MemoryEvent& event, bool keeps_readers) {
  std::uint32_t* const read = numbers(kRead);
  std::uint32_t* const other = keeps_readers ? numbers(kOtherRead) : nullptr;
  AccessedWords(event, granule_bits_).for_each([&](unsigned lane, std::uint64_t w) {
    if (other != nullptr) other[w] = read[w];
    read[w] = number + lane;
  });
}

void RaceWords::write_over(std::uint32_t number, const MemoryEvent& event) {
  std::uint32_t* const written = numbers(kWrite);
  AccessedWords(event, granule_bits_).for_each([&](unsigned lane, std::uint64_t w) { written[w] = number + lane; });
  for (const Part part : {kRead, kOtherWrite, kOtherRead})
    if (std::uint32_t* const other = columns_[part].numbers.get())
      AccessedWords(event, granule_bits_).for_each([&](unsigned, std::uint64_t w) { other[w] = 0; });
  keep_values(event);
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

void RacePage::spread_words(unsigned number) {
  const unsigned granule_bits = words.granule_bits();
  for (const RaceWords::Part part :
       {RaceWords::kWrite, RaceWords::kRead, RaceWords::kOtherWrite, RaceWords::kOtherRead}) {
    if (!strips_[part]) continue;
    Strip& strip = (*strips_[part])[number];
    if (strip.number() == 0) continue;
    for (std::uint32_t k = 0; k < words_of_strip(); ++k)
      words.set(part, number * words_of_strip() + k, strip.number() + (k << granule_bits >> strip.lane_bits()));
    strip = Strip();
  }
  in_strips_ &= ~(1U << number);
}

void RacePage::make_words_of(unsigned granule_bits) {
  if (granule_bits < words.granule_bits()) words = words.in_words_of(granule_bits);
}

}  // namespace warpsim
