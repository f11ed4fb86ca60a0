// Accesses that are compared and noted for several lanes at once: strips of global memory, and most of shared memory.
#include <algorithm>
#include <bit>

#include "sim/check/races.h"

namespace warpsim {

// ---- strips of global memory

// Does at once what neighbouring lanes do to strips that are theirs alone, or ordered. The lanes that are left.
LaneMask Races::touch_strips(const MemoryEvent& event) {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  constexpr std::uint64_t kStrip = 1U << RacePage::kStripBits;
  if (event.space != MemoryEvent::Space::Global || now_.strong || event.source != nullptr ||
      !std::has_single_bit(size) || size > kStrip)
    return event.lanes;
  const unsigned first = first_lane(event.lanes), count = count_lanes(event.lanes);
  const std::uint64_t begin = event.address[first], end = begin + count * size;
  if (begin % kStrip != 0 || end - begin < kStrip) return event.lanes;
  for (unsigned k = 0; k < count; ++k)
    if (!has_lane(event.lanes, first + k) || event.address[first + k] != begin + k * size) return event.lanes;
  LaneMask left = event.lanes;
  const unsigned lane_bits = static_cast<unsigned>(std::countr_zero(size));
  for (std::uint64_t at = begin; at + kStrip <= end; at += kStrip) {
    const unsigned lane = first + static_cast<unsigned>((at - begin) >> lane_bits);
    RacePage& page = page_of(at, event.bytes);
    const unsigned number =
        static_cast<unsigned>(at >> RacePage::kStripBits) % (1U << (RacePage::kPageBits - RacePage::kStripBits));
    if (!touch_strip(page, number, RacePage::Strip(now_number_ + lane, lane_bits))) continue;
    if (now_.writes) keep_values(page, at, lane, event);
    left &= ~(((lane_bit(1) << ((kStrip >> lane_bits) - 1)) - 1) << lane);
  }
  return left;
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

// False, and nothing has changed, if its words have to be looked at.
bool Races::touch_strip(RacePage& page, unsigned number, RacePage::Strip now) {
  using Strip = RacePage::Strip;
  const auto at = [&](RaceWords::Part part) { return page.strip(*touches_, part, number); };
  const Strip written = at(RaceWords::kWrite), other_write = at(RaceWords::kOtherWrite), seen = at(RaceWords::kRead);
  if (written.is_mixed() || other_write.is_mixed() || seen.is_mixed()) return false;
  if (!are_ordered(written, now) || !are_ordered(other_write, now)) return false;
  if (now_.writes) {
    const Strip other_read = at(RaceWords::kOtherRead);
    if (other_read.is_mixed() || !are_ordered(seen, now) || !are_ordered(other_read, now)) return false;
    for (const RaceWords::Part part : {RaceWords::kRead, RaceWords::kOtherWrite, RaceWords::kOtherRead})
      page.set(part, number, {});
    page.set(RaceWords::kWrite, number, now);
  } else {
    if (touches_->is_known(seen.number())) {
      const Before& last = before(seen.number());
      const bool is_ordered = last.is_own_warp ? are_ordered(seen, now) : last.is_ordered;
      if (last.is_own_warp && last.is_own_version) return is_ordered;
      if (!is_ordered) {
        if (!last.is_unknown) return false;
        page.set(RaceWords::kOtherRead, number, seen);
      }
    }
    page.set(RaceWords::kRead, number, now);
  }
  is_noted_ = true;
  return true;
}

// What is written to a strip, from this lane on.
void Races::keep_values(RacePage& page, std::uint64_t address, unsigned lane, const MemoryEvent& event) {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements,
                      granule = std::uint64_t{1} << page.words.granule_bits();
  const std::uint32_t first =
      static_cast<std::uint32_t>(address % (1U << RacePage::kPageBits) >> page.words.granule_bits());
  for (std::uint32_t k = 0; k << page.words.granule_bits() < 1U << RacePage::kStripBits; ++k) {
    const std::uint64_t behind = k * granule % size;
    const std::uint64_t bits =
        event.value_of(lane + static_cast<unsigned>(k * granule / size), static_cast<unsigned>(behind / event.bytes));
    page.words.set_value(first + k, bits >> behind % event.bytes * 8);
  }
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
  }
  return is_noted_ = true;
}

}  // namespace warpsim
