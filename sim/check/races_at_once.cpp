// Accesses that are compared and noted for several lanes at once: strips of global memory, most of shared memory, and
// others word by word where nothing is to be reported.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>

#include "sim/check/races.h"

namespace warpsim {
namespace {

std::uint64_t size_of(const MemoryEvent& event) { return std::uint64_t{event.bytes} * event.elements; }

}  // namespace

// ---- one access without the events of its parts

bool Races::hears_access(const AccessPlace& place, const MemoryEvent& event, std::size_t most_pages) {
  if (calm_pages_ != nullptr) return hears_calm(place, event, most_pages);
  begin_issue(place);
  if (event.space != MemoryEvent::Space::Global && event.space != MemoryEvent::Space::Shared) return true;
  tell_access(event);
  const bool shared = event.space == MemoryEvent::Space::Shared;
  if (now_.atomic ? !ordering_.draws_nothing(shared) : now_.writes && ordering_.may_overwrite(shared)) return false;
  if (!shared && pages() + kMaxLanes >= most_pages && !are_pages_there(event)) return false;
  if (now_.writes) unsettle(event);
  else if (are_settled(event)) return true;
  if (!shared || !is_calm(shared_words(), event)) {
    begin_touch(event);
    const bool is_done = now_.atomic ? change_at_once(event) : touch_all_at_once(event);
    if (is_done && keeps_reader_) settle(event);
    end_touch();
    if (!is_done) return false;
  }
  if (!now_.atomic) return true;
  ordering_.begin_access(false, true);
  ordering_.access_at_once(event.lanes, event.address, {0, shared, true, true, false, false, *now_.strong});
  return true;
}

bool Races::touch_all_at_once(const MemoryEvent& event) {
  if (event.space == MemoryEvent::Space::Shared && touch_quickly(shared_words().words, event)) return true;
  return touch_all_strips(event) || read_together(event, event.lanes) || touch_words_at_once(event);
}

bool Races::are_pages_there(const MemoryEvent& event) const {
  bool are_there = true;
  for_each_lane(event.lanes, [&](unsigned lane) {
    const std::uint64_t last = event.address[lane] + std::uint64_t{event.bytes} * event.elements - 1;
    for (const std::uint64_t at : {event.address[lane], last})
      are_there = are_there && global_.contains(at >> RacePage::kPageBits);
  });
  return are_there;
}

// ---- strips of global memory

// Weak accesses of neighbouring lanes from the beginning of a strip on, at least to its end.
bool Races::is_of_strips(const MemoryEvent& event) const {
  const std::uint64_t size = size_of(event);
  if (event.space != MemoryEvent::Space::Global || now_.strong || event.source != nullptr ||
      !std::has_single_bit(size) || size > RacePage::kStripBytes)
    return false;
  const unsigned first = first_lane(event.lanes), count = count_lanes(event.lanes);
  const std::uint64_t begin = event.address[first];
  if (begin % RacePage::kStripBytes != 0 || count * size < RacePage::kStripBytes) return false;
  if (event.neighbours) return true;
  for (unsigned k = 0; k < count; ++k)
    if (!has_lane(event.lanes, first + k) || event.address[first + k] != begin + k * size) return false;
  return true;
}

Races::StripTouch Races::strip_touch(std::uint64_t address, unsigned lane, std::uint64_t bytes, std::uint64_t size,
                                     std::uint64_t count) {
  StripTouch touch;
  touch.count = static_cast<unsigned>(count);
  touch.page = &page_of(address, bytes);
  touch.number =
      static_cast<unsigned>(address >> RacePage::kStripBits) % (1U << (RacePage::kPageBits - RacePage::kStripBits));
  touch.now = RacePage::Strip(now_number_ + lane, static_cast<unsigned>(std::countr_zero(size)));
  find_strip(touch);
  return touch;
}

// Does at once what neighbouring lanes do to strips that are theirs alone, or ordered. The lanes that are left.
LaneMask Races::touch_strips(const MemoryEvent& event) {
  if (!is_of_strips(event)) return event.lanes;
  const std::uint64_t size = size_of(event);
  const unsigned first = first_lane(event.lanes), lanes_a_strip = static_cast<unsigned>(RacePage::kStripBytes / size);
  const std::uint64_t begin = event.address[first], end = begin + count_lanes(event.lanes) * size;
  LaneMask left = event.lanes;
  for (std::uint64_t at = begin; at + RacePage::kStripBytes <= end; at += RacePage::kStripBytes) {
    const unsigned lane = first + static_cast<unsigned>((at - begin) / size);
    const StripTouch touch = strip_touch(at, lane, event.bytes, size, 1);
    if (touch.is_left) continue;
    touch_strip(touch);
    if (now_.writes) keep_values(touch, lane, event);
    left &= ~(full_mask(lanes_a_strip) << lane);
  }
  return left;
}

// The same of all its strips. False, and nothing has changed, if lanes would be left.
bool Races::touch_all_strips(const MemoryEvent& event) {
  const std::uint64_t size = size_of(event), whole = count_lanes(event.lanes) * size;
  if (!is_of_strips(event) || whole % RacePage::kStripBytes != 0) return false;
  const unsigned first = first_lane(event.lanes), lanes_a_strip = static_cast<unsigned>(RacePage::kStripBytes / size);
  const std::size_t count = whole / RacePage::kStripBytes;
  const std::uint64_t begin = event.address[first];
  if (count > 1 && begin >> RacePage::kPageBits == (begin + whole - 1) >> RacePage::kPageBits) {
    const StripTouch all = strip_touch(begin, first, event.bytes, size, count);
    if (!all.is_left) {
      touch_strip(all);
      if (now_.writes) keep_values(all, first, event);
      return true;
    }
  }
  std::array<StripTouch, kMaxLanes> touches;
  for (std::size_t k = 0; k < count; ++k) {
    touches[k] = strip_touch(begin + k * RacePage::kStripBytes, first + static_cast<unsigned>(k) * lanes_a_strip,
                             event.bytes, size, 1);
    if (touches[k].is_left) return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    touch_strip(touches[k]);
    if (now_.writes) keep_values(touches[k], first + static_cast<unsigned>(k) * lanes_a_strip, event);
  }
  return true;
}

// What a touch is to the instruction that is told. Neighbouring strips mostly ask about one touch.
const Races::Before& Races::before(std::uint32_t number) {
  const std::uint32_t touch = number >> RaceTouches::kTouchBit;
  if (before_.touch == touch) return before_;
  const Touch& of = touches_->of(number);
  before_ = {touch, of.warp == now_.warp, of.version == now_.version, false, false};
  if (!before_.is_own_warp) {
    before_.is_ordered = ordering_.comes_after(of.stamp());
    before_.is_unknown = !before_.is_ordered && ordering_.knows_nothing_of(of.stamp());
  }
  return before_;
}

// Each lane comes after what one lane did to its bytes of the strip.
bool Races::are_ordered(RacePage::Strip earlier, RacePage::Strip now) {
  if (!touches_->is_known(earlier.number())) return true;
  const Before& touch = before(earlier.number());
  if (!touch.is_own_warp) return touch.is_ordered;
  return earlier.number() % RaceTouches::kSet == now.number() % RaceTouches::kSet &&
         earlier.lane_bits() == now.lane_bits();
}

void Races::find_strip(StripTouch& touch) {
  using Strip = RacePage::Strip;
  const auto at = [&](RaceWords::Part part) { return touch.page->strip(*touches_, part, touch.number, touch.count); };
  const Strip written = at(RaceWords::kWrite), other_write = at(RaceWords::kOtherWrite), seen = at(RaceWords::kRead);
  touch.is_left = true;
  touch.is_known = touch.keeps_reader = false;
  touch.seen = seen;
  if (written.is_mixed() || other_write.is_mixed() || seen.is_mixed()) return;
  if (!are_ordered(written, touch.now) || !are_ordered(other_write, touch.now)) return;
  touch.is_left = false;
  if (now_.writes) {
    const Strip other_read = at(RaceWords::kOtherRead);
    touch.is_left = other_read.is_mixed() || !are_ordered(seen, touch.now) || !are_ordered(other_read, touch.now);
  } else if (touches_->is_known(seen.number())) {
    const Before& last = before(seen.number());
    const bool is_ordered = last.is_own_warp ? are_ordered(seen, touch.now) : last.is_ordered;
    touch.is_known = last.is_own_warp && last.is_own_version;
    touch.keeps_reader = !touch.is_known && !is_ordered;
    touch.is_left = touch.is_known ? !is_ordered : touch.keeps_reader && !last.is_unknown;
  }
}

void Races::touch_strip(const StripTouch& touch) {
  if (touch.is_known) return;
  if (now_.writes) {
    for (const RaceWords::Part part : {RaceWords::kRead, RaceWords::kOtherWrite, RaceWords::kOtherRead})
      touch.page->set(part, touch.number, touch.count, {});
    touch.page->set(RaceWords::kWrite, touch.number, touch.count, touch.now);
  } else {
    if (touch.keeps_reader) touch.page->set(RaceWords::kOtherRead, touch.number, touch.count, touch.seen);
    if (touch.keeps_reader) note_kept(touches_->of(touch.seen.number()));
    touch.page->set(RaceWords::kRead, touch.number, touch.count, touch.now);
  }
  is_noted_ = true;
}

// What is written to its strips, from this lane on.
void Races::keep_values(const StripTouch& touch, unsigned lane, const MemoryEvent& event) {
  RaceWords& words = touch.page->words;
  const std::uint32_t word = touch.number << (RacePage::kStripBits - words.granule_bits());
  words.keep_values(word, event, lane, static_cast<unsigned>(touch.count * RacePage::kStripBytes / size_of(event)));
}

// ---- shared memory

// A weak load or store in shared memory: what most accesses there are.
bool Races::is_quick(const MemoryEvent& event) const {
  return event.space == MemoryEvent::Space::Shared && event.access != MemoryEvent::Access::Atomic && !now_.strong &&
         event.source == nullptr;
}

// Where nobody has touched the words in this phase, or each column is of one touch. Else false, and nothing has
// changed.
bool Races::touch_quickly(RaceWords& words, const MemoryEvent& event) {
  if (words.touch(*touches_, now_number_, event)) return is_noted_ = true;
  // Each lane comes after what it did itself.
  const auto is_ordered = [&](std::uint32_t number) {
    if (number == 0) return true;
    const Touch& before = touches_->of(number);
    return before.warp == now_.warp ? before.lanes == 0 : ordering_.comes_after(before.stamp());
  };
  const auto of = [&](RaceWords::Part part) { return words.one_touch(*touches_, part, event); };
  const std::optional<std::uint32_t> read = of(RaceWords::kRead);
  if (!read) return false;
  const bool is_read_before = is_ordered(*read);
  const bool keeps_readers = !is_read_before && !now_.writes && touches_->of(*read).warp != now_.warp &&
                             ordering_.knows_nothing_of(touches_->of(*read).stamp());
  if (!is_read_before && !keeps_readers) return false;
  bool is_touched = *read != 0;
  for (const RaceWords::Part part : {RaceWords::kWrite, RaceWords::kOtherWrite, RaceWords::kOtherRead}) {
    if (part == RaceWords::kOtherRead && !now_.writes) continue;
    const std::optional<std::uint32_t> before = of(part);
    if (!before || !is_ordered(*before)) return false;
    is_touched = is_touched || *before != 0;
  }
  if (!is_touched) return false;  // several lanes touch one word
  if (now_.writes) {
    words.write_over(now_number_, event);
  } else {
    const Touch* const last = *read == 0 ? nullptr : &touches_->of(*read);
    if (last != nullptr && last->warp == now_.warp && last->version == now_.version) return true;
    words.read_over(now_number_, event, keeps_readers);
    if (keeps_readers) note_kept(touches_->of(*read));
  }
  return is_noted_ = true;
}

// ---- accesses of any lanes, word by word

// What an atomic meets in a word, and leaves there: what compare() and write() do, where nothing is to be reported, no
// lane knows more than its warp, and nobody has read the word.
class Races::AtomicWords {
 public:
  AtomicWords(const Races& races, bool shared)
      : races_(races), touches_(*races.touches_), first_(touches_.first()), shared_(shared) {}

  // Whether nothing that was done there before is a race with this.
  bool may_change(const RaceWords& words, std::uint32_t word) {
    if (words.number(RaceWords::kRead, word) >= first_ || words.number(RaceWords::kOtherRead, word) >= first_)
      return false;
    const std::uint32_t last = words.number(RaceWords::kWrite, word),
                        other = words.number(RaceWords::kOtherWrite, word);
    return (last < first_ || is_no_race(touches_.of(last))) &&
           (other < first_ || (shared_ && (other & RaceTouches::kObserved) != 0) || is_no_race(touches_.of(other)));
  }

  void change(RaceWords& words, std::uint32_t word, unsigned lane) {
    const std::uint32_t last = words.number(RaceWords::kWrite, word);
    if (last >> RaceTouches::kTouchBit == races_.now_number_ >> RaceTouches::kTouchBit) {
      words.add_lane(*races_.touches_, RaceWords::kWrite, word, lane);
      words.set_last_lane(word, lane);
      return;
    }
    if (last >= first_ && is_unordered(last, lane)) {
      words.keep_atomic(word);
    } else if (words.number(RaceWords::kOtherWrite, word) >= first_) {
      const Seen other = words.seen(touches_, RaceWords::kOtherWrite, word);
      if (races_.unordered_other(other, 0, lane) == 0) words.forget(RaceWords::kOtherWrite, word);
    }
    words.set(RaceWords::kWrite, word, races_.now_number_ + lane);
  }

 private:
  // What lanes know of a warp: all come after what it did below a version; of what it did from there on none does, or,
  // where they are not alike, some may.
  struct Known {
    std::uint64_t warp = ~std::uint64_t{0};
    std::uint32_t version = 0;
    bool is_alike = false;
  };
  const Known& known(std::uint64_t warp) {
    Known& known = known_[warp % known_.size()];
    if (known.warp != warp)
      known = {warp, races_.ordering_.known_version(warp),
               warp == races_.now_.warp || !races_.ordering_.knows_lanes_of(warp)};
    return known;
  }
  // All come after it, or it is an atomic that this one and it order.
  bool is_no_race(const Touch& before) {
    const Known& of = known(before.warp);
    return before.version < of.version || (before.atomic && of.is_alike && races_.are_morally_strong(before));
  }
  // unordered_write() is not 0. Of an atomic the last lane has observed what the others of its instruction wrote.
  bool is_unordered(std::uint32_t last, unsigned lane) {
    const Touch& before = touches_.of(last);
    return before.version >= known(before.warp).version &&
           (before.warp != races_.now_.warp || last % RaceTouches::kSet != lane);
  }

  const Races& races_;
  const RaceTouches& touches_;
  std::uint32_t first_;
  bool shared_;
  std::array<Known, 16> known_;  // by the last bits of the warp's number
};

// Weak loads and stores: what was there before comes before them.
class Races::WeakWords {
 public:
  explicit WeakWords(const Races& races)
      : races_(races), touches_(*races.touches_), first_(touches_.first()), writes_(races.now_.writes) {}

  // Whether nothing that was done there before is a race with this. Of stores only one may go to a word.
  bool may_access(const RaceWords& words, std::uint32_t word, unsigned lane, std::uint64_t position) {
    if (writes_) {
      if (stored_[position % stored_.size()]) return false;
      stored_[position % stored_.size()] = true;
      if (!is_before(words.number(RaceWords::kRead, word), lane) ||
          !is_before(words.number(RaceWords::kOtherRead, word), lane))
        return false;
    }
    const std::uint32_t other = words.number(RaceWords::kOtherWrite, word);
    return is_before(words.number(RaceWords::kWrite, word), lane) &&
           ((other & RaceTouches::kObserved) != 0 || is_before(other, lane));
  }

 private:
  // The lane comes after all that has this number.
  bool is_before(std::uint32_t number, unsigned lane) {
    if (number < first_) return true;
    if (number >> RaceTouches::kTouchBit != asked_) ask(number);
    if (is_before_all_ || !is_own_) return is_before_all_;
    return number % RaceTouches::kObserved == lane && !has_set_;  // and no set of its own
  }
  void ask(std::uint32_t number) {
    const Touch& before = touches_.of(number);
    asked_ = number >> RaceTouches::kTouchBit;
    is_own_ = before.warp == races_.now_.warp;
    is_before_all_ = is_own_ ? races_.ordering_.has_all(before.version) : races_.ordering_.comes_after(before.stamp());
    has_set_ = before.lanes != 0;
  }

  const Races& races_;
  const RaceTouches& touches_;
  std::uint32_t first_;
  bool writes_;
  std::bitset<1024> stored_;  // by the last bits of the word's position
  std::uint32_t asked_ = 0;   // a touch, and the answer
  bool is_own_ = false, is_before_all_ = false, has_set_ = false;
};

// Calls f(words, word, lane, bytes behind the lane's address) for each word of each lane.
template <class F>
void Races::for_each_word_of(const MemoryEvent& event, F f) {
  const std::uint32_t size = event.bytes * event.elements;
  if (event.space == MemoryEvent::Space::Shared) {
    RaceWords& words = shared_words().words;
    for_lanes(event.lanes, [&](unsigned lane) {
      for (std::uint32_t behind = 0; behind < size; behind += static_cast<std::uint32_t>(granule_))
        f(words, static_cast<std::uint32_t>((event.address[lane] + behind) >> granule_bits_), lane, behind);
    });
    return;
  }
  for_lanes(event.lanes, [&](unsigned lane) {
    RacePage& page = page_of(event.address[lane], event.bytes);
    const std::uint32_t there = static_cast<std::uint32_t>(event.address[lane]) % (1U << RacePage::kPageBits);
    page.spread(there >> RacePage::kStripBits);
    const unsigned bits = page.words.granule_bits();
    for (std::uint32_t behind = 0; behind < size; behind += 1U << bits)
      f(page.words, (there + behind) >> bits, lane, behind);
  });
}

namespace {

// The words of an access, looked up once for the two times that they are gone through.
class LaneWords {
 public:
  struct One {
    RaceWords* words;
    std::uint32_t word, behind;  // so many bytes behind the lane's address
    unsigned lane;
  };
  void add(const One& one) { all_[count_++] = one; }
  const One* begin() const { return all_.data(); }
  const One* end() const { return all_.data() + count_; }

 private:
  std::array<One, 32 * kMaxLanes> all_;  // of a lane at most four elements of eight bytes
  std::size_t count_ = 0;
};

}  // namespace

// Weak loads and stores of any lanes. False, and nothing has changed, if some word may be a race's.
bool Races::touch_words_at_once(const MemoryEvent& event) {
  WeakWords here(*this);
  LaneWords all;
  for_each_word_of(event, [&](RaceWords& words, std::uint32_t word, unsigned lane, std::uint32_t behind) {
    all.add({&words, word, behind, lane});
    prefetch(words.number(RaceWords::kRead, word));
  });
  for (const auto& [words, word, behind, lane] : all)
    if (!here.may_access(*words, word, lane, (event.address[lane] + behind) >> granule_bits_)) return false;
  if (!now_.writes) {
    for (const auto& [words, word, behind, lane] : all) read(*words, word, lane);
    return true;
  }
  for (const auto& [words, word, behind, lane] : all) {
    words->set(RaceWords::kWrite, word, now_number_ + lane);
    for (const RaceWords::Part part : {RaceWords::kRead, RaceWords::kOtherWrite, RaceWords::kOtherRead})
      words->forget(part, word);
    words->set_value(word, event.value_of(lane, behind / event.bytes) >> behind % event.bytes * 8);
  }
  return is_noted_ = true;
}

bool Races::change_at_once(const MemoryEvent& event) {
  if (!ordering_.is_by_warps()) return false;
  AtomicWords here(*this, event.space == MemoryEvent::Space::Shared);
  LaneWords all;
  for_each_word_of(event, [&](RaceWords& words, std::uint32_t word, unsigned lane, std::uint32_t behind) {
    all.add({&words, word, behind, lane});
    prefetch(words.number(RaceWords::kWrite, word));
  });
  for (const LaneWords::One& one : all)
    if (!here.may_change(*one.words, one.word)) return false;
  for (const LaneWords::One& one : all) here.change(*one.words, one.word, one.lane);
  return is_noted_ = true;
}

}  // namespace warpsim
