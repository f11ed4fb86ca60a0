// Words that may be loaded unheard; see races.h.
#include <algorithm>

#include "sim/check/races.h"
#include "sim/code/decode.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

std::uint32_t first_word(std::uint64_t address, bool shared) {
  return shared ? static_cast<std::uint32_t>(address / 4) : SettledPages::word_of(address);
}

}  // namespace

// What is settled stays defined, so that what changes memory without an event settles nothing either.
void Races::find_what_settles() {
  const auto orders_blocks = [](const Insn& insn) {
    const Lift lift = info(insn.op).lift;
    return has_trait(info(insn.op), kOrders) || insn.mods.memory.semantics > Semantics::Relaxed ||
           lift == Lift::Mbarrier || lift == Lift::Copy || insn.op == Op::Malloc || insn.op == Op::Free ||
           insn.op == Op::CallRuntime;
  };
  settles_global_ = std::none_of(program_->code.begin(), program_->code.end(), orders_blocks);
  std::int32_t pc = 0;
  const auto orders_some_warps = [&](const Insn& insn) {
    const DecodedInsn& decoded = machine_->decoded(pc++);
    return is_block_barrier(insn.op) && (insn.op == Op::BarArrive || decoded.b != kNoOffset);
  };
  settles_shared_ = settles_global_ && std::none_of(program_->code.begin(), program_->code.end(), orders_some_warps);
}

const std::uint32_t* Races::settled_shared(std::uint32_t block) {
  if (shared_words_ == 0) return nullptr;  // then no access is within it
  go_to(block);
  return shared_words().settled.data();
}

// Calls f(address, size) for what the lanes access, neighbours' together as far as a page goes.
template <class F>
void Races::for_each_range(const MemoryEvent& event, F f) {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  if (event.is_one_address) return f(event.address[first_lane(event.lanes)], size);
  if (!event.neighbours) return for_lanes(event.lanes, [&](unsigned lane) { f(event.address[lane], size); });
  constexpr std::uint64_t kPage = std::uint64_t{1} << RacePage::kPageBits;
  std::uint64_t at = event.address[first_lane(event.lanes)];
  for (const std::uint64_t end = at + count_lanes(event.lanes) * size; at < end;) {
    const std::uint64_t here = std::min(end - at, kPage - at % kPage);
    f(at, here);
    at += here;
  }
}

bool Races::are_settled(const MemoryEvent& event) {
  const bool shared = event.space == MemoryEvent::Space::Shared;
  if (event.bytes < 4 || !(shared ? shared_words().has_settled : has_settled_)) return false;
  bool are = true;
  for_each_range(event, [&](std::uint64_t address, std::uint64_t size) {
    are = are && are_settled(address, static_cast<std::uint32_t>(size / 4), shared);
  });
  return are;
}
bool Races::are_settled(std::uint64_t address, std::uint32_t words, bool shared) const {
  if (shared) return are_all_set(shared_now_->settled.data(), static_cast<std::uint32_t>(address / 4), words);
  const std::uint64_t number = address >> RacePage::kPageBits;
  const SettledPages::Page& page = settled_pages_.pages[SettledPages::place_of(number)];
  return page.number == number && are_all_set(page.words, SettledPages::word_of(address), words);
}

// What is written is not.
void Races::unsettle(const MemoryEvent& event) {
  const bool shared = event.space == MemoryEvent::Space::Shared;
  if (!(shared ? shared_words().has_settled : has_settled_)) return;
  for_each_range(event, [&](std::uint64_t address, std::uint64_t size) { unsettle(address, size, shared); });
}
void Races::unsettle(std::uint64_t address, std::uint64_t size, bool shared) {
  const std::uint32_t words = static_cast<std::uint32_t>((address + size + 3) / 4 - address / 4);
  for_each_word_of_bits(settled_bits(address, shared), first_word(address, shared), words,
                        [](std::uint32_t& word, std::uint32_t mask) { word &= ~mask; });
}

// What readers were is no longer known.
void Races::forget_settled() {
  has_settled_ = false;
  settled_pages_ = {};
  for (auto& [number, page] : global_) page.settled = {};
}

// Whether the readers of a word are such that it is: number_of(part) says what is kept of it.
template <class NumberOf>
bool Races::is_settled_by(const NumberOf& number_of) const {
  const std::uint32_t one = number_of(RaceWords::kRead), other = number_of(RaceWords::kOtherRead);
  if (!touches_->is_known(one) || !touches_->is_known(other)) return false;
  if (touches_->is_known(number_of(RaceWords::kWrite)) || touches_->is_known(number_of(RaceWords::kOtherWrite)))
    return false;
  const std::uint64_t a = touches_->of(one).warp, b = touches_->of(other).warp;
  return touches_ == &global_touches_ ? a / warps_per_block_ != b / warps_per_block_ : a != b;
}

// What this load, heard at once, has read.
void Races::settle(const MemoryEvent& event) {
  const bool shared = event.space == MemoryEvent::Space::Shared;
  if (event.bytes < 4 || now_.strong || !(shared ? settles_shared_ : settles_global_)) return;
  for_each_range(event, [&](std::uint64_t address, std::uint64_t size) { settle(address, size, shared); });
}
void Races::settle(std::uint64_t address, std::uint64_t size, bool shared) {
  RacePage* const page = shared ? nullptr : &page_of(address, 4);
  const RaceWords& words = shared ? shared_now_->words : page->words;
  if (words.granule_bits() != 2) return;
  std::uint32_t word = first_word(address, shared);
  std::uint32_t* const bits = settled_bits(address, shared);
  bool has_some = false;
  for (const std::uint32_t end = word + static_cast<std::uint32_t>(size / 4); word < end; ++word) {
    const bool is_settled = is_settled_by(
        [&](RaceWords::Part part) { return shared ? words.number(part, word) : page->number(part, word); });
    bits[word / 32] |= std::uint32_t{is_settled} << word % 32;
    has_some = has_some || is_settled;
  }
  if (!has_some) return;
  if (shared) {
    shared_now_->has_settled = true;
    return;
  }
  has_settled_ = true;
  const std::uint64_t number = address >> RacePage::kPageBits;
  settled_pages_.pages[SettledPages::place_of(number)] = {number, bits};
}

// ---- ranges

bool Races::hears_access(const AccessPlace& place, const RangeEvent& event, std::size_t most_pages) {
  if (event.is_store && event.is_one_address) return false;
  if (calm_pages_ != nullptr) return hears_calm(place, event, most_pages);
  if (granule_bits_ != 2) return false;
  begin_issue(place);
  now_.atomic = false;
  now_.writes = event.is_store;
  now_.bytes = static_cast<std::uint8_t>(event.bytes);
  return event.space == AddressSpace::Shared ? touch_shared_range(event) : touch_global_range(event, most_pages);
}

bool Races::touch_shared_range(const RangeEvent& event) {
  SharedWords& shared = shared_words();
  if (shared.has_settled) {
    if (event.is_store) unsettle(event.address, event.size(), true);
    else if (are_settled(event.address, event.size() / 4, true)) return true;
  }
  if (is_calm(shared, event)) return true;
  touches_ = &shared.touches;
  if (touches_->is_full()) return false;
  now_number_ = touches_->add(now_);
  if (shared.words.touch(*touches_, now_number_, event)) return true;
  touches_->drop_last();
  return false;
}

bool Races::touch_global_range(const RangeEvent& event, std::size_t most_pages) {
  touches_ = &global_touches_;
  const std::uint64_t page = event.address >> RacePage::kPageBits;
  if (touches_->is_full() || page != (event.address + event.size() - 1) >> RacePage::kPageBits) return false;
  if (pages() + 1 >= most_pages && !global_.contains(page)) return false;
  if (has_settled_) {
    if (event.is_store) unsettle(event.address, event.size(), false);
    else if (are_settled(event.address, event.size() / 4, false)) return true;
  }
  now_number_ = touches_->add(now_);
  is_noted_ = keeps_reader_ = false;
  before_ = {};
  const bool is_done = event.is_one_address ? read_one_element(event) : touch_strips(event);
  if (is_done && keeps_reader_) settle(event.address, event.size(), false);
  end_touch();
  return is_done;
}

bool Races::touch_strips(const RangeEvent& event) {
  if (event.address % RacePage::kStripBytes != 0 || event.size() % RacePage::kStripBytes != 0) return false;
  const StripTouch all = strip_touch(event.address, 0, event.bytes, event.bytes, event.size() / RacePage::kStripBytes);
  if (all.is_left) return false;
  touch_strip(all);
  if (event.is_store)
    all.page->words.keep_values(static_cast<std::uint32_t>(all.number * RacePage::kStripBytes / 4), event.values,
                                event.size());
  return true;
}

// One that nobody has written.
bool Races::read_one_element(const RangeEvent& event) {
  RacePage& page = page_of(event.address, event.bytes);
  RaceWords& words = page.words;
  const std::uint32_t there = static_cast<std::uint32_t>(event.address) % (1U << RacePage::kPageBits);
  page.spread(there >> RacePage::kStripBits);
  const std::uint32_t first = there / 4, end = first + event.bytes / 4;
  for (std::uint32_t word = first; word < end; ++word)
    if (touches_->is_known(words.number(RaceWords::kWrite, word)) ||
        touches_->is_known(words.number(RaceWords::kOtherWrite, word)))
      return false;
  touches_->last().lanes = full_mask(event.lanes);
  for (std::uint32_t word = first; word < end; ++word) {
    read(words, word, 0);
    words.add_lanes(*touches_, RaceWords::kRead, word, full_mask(event.lanes));
  }
  return true;
}

}  // namespace warpsim
