// The shadow of memory and the comparison of accesses; see races.h.
#include "sim/check/races.h"

#include <algorithm>
#include <array>
#include <bit>

#include "isa/program/cfg.h"
#include "sim/machine/machine.h"
#include "sim/ordering/dependences.h"

namespace warpsim {
namespace {

bool hands_over(const Insn& insn) { return is_strong(insn) || has_trait(info(insn.op), kOrders); }

bool is_one_of(Semantics one, Semantics a, Semantics b) { return one == a || one == b; }

}  // namespace

void Races::on_start(const Machine& machine) {
  *this = Races();
  program_ = &machine.program();
  machine_ = &machine;
  warps_per_block_ = machine.warps_per_block();
  ordering_ = Orderings(warps_per_block_, std::any_of(program_->code.begin(), program_->code.end(), hands_over));
  // Lanes that touch two halves of a word do not meet.
  for (const Insn& insn : program_->code) {
    const OpInfo& row = info(insn.op);
    OfLine& line = lines_.emplace_back();
    line.orders = has_trait(row, kOrders);
    if (is_strong(insn)) line.strong = reach_of(qualifiers_of(insn).scope);
    line.is_volatile = insn.mods.memory.semantics == Semantics::Volatile;
    if (!accesses_memory(row)) continue;
    if (row.lift == Lift::Copy) granule_ = std::min(granule_, std::uint64_t{4});
    if (const std::uint64_t size = static_cast<std::uint64_t>(bytes(insn.type)); size != 0)
      granule_ = std::min(granule_, size);
  }
  find_single_loads();
  find_what_settles();
  granule_bits_ = static_cast<unsigned>(std::countr_zero(granule_));
  shared_words_ = static_cast<std::uint32_t>((machine.shared_bytes_per_block() + granule_ - 1) / granule_);
  calm_ = CalmWords(shared_words_, granule_bits_, machine.lanes(), warps_per_block_);
}

void Races::find_single_loads() {
  const auto is_asked = [&](std::size_t pc) {
    return lines_[pc].is_volatile && info(program_->code[pc].op).lift == Lift::Load;
  };
  std::optional<Cfg> cfg;
  for (std::size_t pc = 0; pc < lines_.size(); ++pc) {
    if (!is_asked(pc)) continue;
    if (!cfg) cfg = build_cfg(*program_);
    std::vector<bool> seen(cfg->blocks.size(), false);
    const std::int32_t own = cfg->block_of[pc];
    std::vector<std::int32_t> open{own};
    while (!open.empty() && !(seen[static_cast<std::size_t>(own)])) {
      const std::int32_t block = open.back();
      open.pop_back();
      for (const std::int32_t next : cfg->blocks[static_cast<std::size_t>(block)].successors) {
        if (next == kExit || seen[static_cast<std::size_t>(next)]) continue;
        seen[static_cast<std::size_t>(next)] = true;
        open.push_back(next);
      }
    }
    lines_[pc].reads_once = !seen[static_cast<std::size_t>(own)];
  }
}

void Races::on_block_end(const BlockEndEvent& event) {
  if (calm_pages_ != nullptr) calm_pages_->end_block(event.block);
  if (calm_.is_of(event.block)) calm_.end();
  ordering_.end_block(event.block);
  if (const auto ended = shared_.find(event.block); ended != shared_.end()) {
    spare_ = shared_.extract(ended);
    spare_.mapped().begin_phase();
  }
  shared_now_ = nullptr;
}

// Null: the block has touched no shared memory.
Races::SharedWords* Races::known_shared_words(std::uint32_t block) {
  if (block == block_ && shared_now_ != nullptr) return shared_now_;
  const auto words = shared_.find(block);
  return words == shared_.end() ? nullptr : &words->second;
}

void Races::on_issue(const IssueEvent& event) {
  const bool orders = lines_[static_cast<std::size_t>(event.pc)].orders && event.active != 0;
  if (orders && calm_.is_of(event.block)) {
    begin_issue({event.cycle, event.block, event.warp, event.pc});
    leave_calm_words();
  }
  ordering_.select(event.block, event.warp);
  if (orders) ordering_.fence(event.active, reach_of(scope_of_fence(event.insn->op)), is_sc_fence(event.insn->op));
  begin_issue({event.cycle, event.block, event.warp, event.pc});
}

void Races::begin_issue(const AccessPlace& place) {
  ordering_.select(place.block, place.warp);
  const OfLine& line = lines_[static_cast<std::size_t>(place.pc)];
  insn_ = &program_->code[static_cast<std::size_t>(place.pc)];
  now_.strong = line.strong;
  now_.is_volatile = line.is_volatile;
  now_.cycle = place.cycle;
  now_.pc = place.pc;
  now_.warp = ordering_.now().warp;
  now_.version = ordering_.now().version;
  go_to(place.block);
}

Races::SharedWords& Races::shared_words() {
  if (shared_now_ == nullptr) {
    const auto known = shared_.find(block_);
    if (known != shared_.end()) {
      shared_now_ = &known->second;
    } else if (!spare_.empty()) {
      spare_.key() = block_;
      shared_now_ = &shared_.insert(std::move(spare_)).position->second;
    } else {
      shared_now_ = &shared_[block_];
      shared_now_->touches = RaceTouches(std::max<std::size_t>(1024, shared_words_ / 2));
      shared_now_->words = RaceWords(shared_words_, granule_bits_);
      if (calm_pages_ != nullptr)
        shared_now_->calm = CalmShared(machine_->shared_bytes_per_block(), shares_parts_, machine_->lanes());
      shared_now_->settled.resize((std::size_t{shared_words_} << granule_bits_) / (4 * 32) + 2);
    }
  }
  return *shared_now_;
}

void Races::begin_touch(const MemoryEvent& event) {
  if (event.space == MemoryEvent::Space::Shared) {
    SharedWords& shared = shared_words();
    touches_ = &shared.touches;
    if (touches_->is_full()) touches_->sweep([&](auto f) { shared.words.for_each_number(f); });
  } else {
    touches_ = &global_touches_;
    if (touches_->is_full())
      touches_->sweep([&](auto f) {
        for (auto& [number, page] : global_) page.for_each_number(f);
      });
    if (touches_->empty()) forget_settled();
  }
  now_number_ = touches_->add(now_);
  differs_ = 0;
  is_noted_ = keeps_reader_ = false;
  before_ = {};
}

void Races::end_touch() {
  if (!is_noted_) touches_->drop_last();
}

// Calls f(words, word, lane, value) for each word that each of these lanes touches.
template <class F>
void Races::for_each_word(const MemoryEvent& event, LaneMask lanes, F f) {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  SharedWords* const shared = event.space == MemoryEvent::Space::Shared ? &shared_words() : nullptr;
  const auto touch = [&](unsigned lane) {
    for (std::uint64_t behind = 0; behind < size;) {
      const std::uint64_t bits = event.value_of(lane, static_cast<unsigned>(behind / event.bytes));
      const std::uint64_t address = event.address[lane] + behind, value = bits >> behind % event.bytes * 8;
      if (shared != nullptr) {
        f(shared->words, static_cast<std::uint32_t>(address >> granule_bits_), lane, value);
        behind += granule_;
      } else {
        RacePage& page = page_of(address, event.bytes);
        const std::uint32_t there = static_cast<std::uint32_t>(address) % (1U << RacePage::kPageBits);
        page.spread(there >> RacePage::kStripBits);
        f(page.words, there >> page.words.granule_bits(), lane, value);
        behind += std::uint64_t{1} << page.words.granule_bits();
      }
    }
  };
  if (event.access == MemoryEvent::Access::Atomic) event.for_each_turn(touch);
  else for_each_lane(lanes, touch);
}

// What a copy reads, by its words.
void Races::read_source(const MemoryEvent& event) {
  const CopySource& from = *event.source;
  static constexpr std::array<std::uint64_t, 16 * kMaxLanes> kNothing{};  // nobody asks what is read
  for_each_lane(from.lanes, [&](unsigned lane) {
    const std::uint32_t size = static_cast<std::uint32_t>(granule_), elements = (from.bytes[lane] + size - 1) / size;
    on_memory({MemoryEvent::Space::Global, MemoryEvent::Access::Load, size, elements, lane_bit(lane), from.address,
               from.names, kNothing.data(), nullptr, nullptr});
  });
}

void Races::finish_copy(unsigned lane, std::int32_t pc, std::uint64_t cycle, std::uint64_t address,
                        std::uint64_t size) {
  leave_calm_words();
  SharedWords& shared = shared_words();
  Touch copied = now_;
  copied.pc = pc;
  copied.cycle = cycle;
  copied.writes = true;
  copied.atomic = false;
  copied.strong.reset();
  copied.is_volatile = false;
  copied.bytes = 0;
  const std::uint32_t own = shared.touches.add(copied);
  for (std::uint64_t number = address >> granule_bits_; number < (address + size) >> granule_bits_; ++number) {
    const std::uint32_t word = static_cast<std::uint32_t>(number);
    const Seen last = shared.words.seen(shared.touches, RaceWords::kWrite, word);
    const bool together = last && last.touch->pc == pc && last.touch->cycle == cycle && last.touch->warp == copied.warp;
    if (together) shared.words.add_lane(shared.touches, RaceWords::kWrite, word, lane);
    for (const RaceWords::Part part : {RaceWords::kRead, RaceWords::kOtherWrite, RaceWords::kOtherRead})
      shared.words.forget(part, word);
    if (together) shared.words.set_touch(RaceWords::kWrite, word, own);
    else shared.words.set(RaceWords::kWrite, word, own + lane);
  }
}

void Races::on_memory(const MemoryEvent& event) {
  // Nobody else sees a thread's own memory, and nobody writes constants.
  if (event.space != MemoryEvent::Space::Global && event.space != MemoryEvent::Space::Shared) return;
  if (calm_pages_ != nullptr) {
    touch_calm(event, block_, static_cast<std::uint32_t>(now_.warp % warps_per_block_), false);
    return;
  }
  if (now_.strong || event.space == MemoryEvent::Space::Shared) leave_calm_words();
  if (event.source != nullptr) read_source(event);
  tell_access(event);
  order(event);
  keeps_reader_ = false;
  if (now_.writes) unsettle(event);
  else if (!now_.strong && event.source == nullptr && are_settled(event)) return;
  begin_touch(event);
  const bool is_done = is_quick(event) && touch_quickly(shared_words().words, event);
  const LaneMask left = is_done ? 0 : touch_strips(event);
  if (left != 0 && !read_together(event, left)) touch_words(event, left);
  end_touch();
}

void Races::touch_words(const MemoryEvent& event, LaneMask lanes) {
  if (!now_.writes) {
    for_each_word(event, lanes, [&](RaceWords& words, std::uint32_t word, unsigned lane, std::uint64_t value) {
      compare_writes(words, word, event, lane, value);
      read(words, word, lane);
    });
    return;
  }
  // First all lanes against what was there before, for no lane of an instruction comes before another. Where nothing
  // was there, it is written at once; a copy writes some time until it is waited for: finish_copy.
  const bool is_copy = event.source != nullptr;
  bool all_written = true;
  for_each_word(event, lanes, [&](RaceWords& words, std::uint32_t word, unsigned lane, std::uint64_t value) {
    if (!is_copy && (words.is_untouched(*touches_, word) || is_of_now(words.seen(*touches_, RaceWords::kWrite, word))))
      return write(words, word, event, lane, value);
    all_written = false;
    compare_writes(words, word, event, lane, value);
    compare(words, RaceWords::kRead, word, event, lane);
    compare(words, RaceWords::kOtherRead, word, event, lane);
  });
  if (is_copy || all_written) return;
  for_each_word(event, lanes, [&](RaceWords& words, std::uint32_t word, unsigned lane, std::uint64_t value) {
    write(words, word, event, lane, value);
  });
}

namespace {

// The lanes by the address that they access. False if those are more than a few.
struct AlikeLanes {
  static constexpr unsigned kMost = 4;
  std::array<LaneMask, kMost> lanes{};
  unsigned count = 0;

  bool find(const MemoryEvent& event, LaneMask left) {
    if (event.neighbours || event.is_apart || begin_apart(event, left)) return false;
    for (; left != 0; left &= ~lanes[count++]) {
      if (count == kMost) return false;
      const std::uint64_t address = event.address[first_lane(left)];
      LaneMask alike = 0;
      for_lanes(left, [&](unsigned l) { alike |= LaneMask{event.address[l] == address} << l; });
      lanes[count] = alike;
    }
    return true;
  }

 private:
  // Whether the first lanes, one more than a few, access an address each, as it mostly is.
  static bool begin_apart(const MemoryEvent& event, LaneMask lanes) {
    std::array<std::uint64_t, kMost + 1> address{};
    for (unsigned k = 0; k <= kMost; ++k, lanes &= lanes - 1) {
      address[k] = event.address[first_lane(lanes)];
      for (unsigned other = 0; other < k; ++other)
        if (address[other] == address[k]) return false;
    }
    return true;
  }
};

}  // namespace

// Weak loads by which several lanes read one word that nobody has written. False, and nothing has changed, if they are
// others.
bool Races::read_together(const MemoryEvent& event, LaneMask lanes) {
  if (now_.writes || now_.strong || event.source != nullptr) return false;
  AlikeLanes alike;
  if (count_lanes(lanes) <= 2 * AlikeLanes::kMost) return false;
  if (event.is_one_address) alike.lanes[alike.count++] = lanes;
  else if (!alike.find(event, lanes)) return false;
  bool is_written = false;
  const auto each_word = [&](auto f) {
    for (unsigned k = 0; k < alike.count; ++k)
      for_each_word(event, lane_bit(first_lane(alike.lanes[k])),
                    [&](RaceWords& words, std::uint32_t word, unsigned lane, std::uint64_t) {
                      f(words, word, lane, alike.lanes[k]);
                    });
  };
  each_word([&](const RaceWords& words, std::uint32_t word, unsigned, LaneMask) {
    is_written = is_written || touches_->is_known(words.number(RaceWords::kWrite, word)) ||
                 touches_->is_known(words.number(RaceWords::kOtherWrite, word));
  });
  if (is_written) return false;
  if (alike.count == 1 && lanes == event.lanes) touches_->last().lanes = lanes;
  each_word([&](RaceWords& words, std::uint32_t word, unsigned lane, LaneMask all) {
    read(words, word, lane);
    words.add_lanes(*touches_, RaceWords::kRead, word, all);
  });
  return true;
}

// The edges that the access draws, and those that it ends.
void Races::order(const MemoryEvent& event) {
  const bool shared = event.space == MemoryEvent::Space::Shared;
  if (!now_.strong) {
    if (!now_.writes || !ordering_.may_release()) return;
    for_each_lane(event.lanes, [&](unsigned lane) {
      for (unsigned k = 0; k < event.elements; ++k)
        ordering_.overwrite(event.address[lane] + std::uint64_t{k} * event.bytes, shared);
    });
    return;
  }
  const Semantics semantics = qualifiers_of(*insn_).semantics;
  StrongAccess how;
  how.shared = shared;
  how.reads = event.access != MemoryEvent::Access::Store;
  how.writes = now_.writes;
  const bool acquires = how.reads && is_one_of(semantics, Semantics::Acquire, Semantics::AcqRel);
  how.releases = how.writes && is_one_of(semantics, Semantics::Release, Semantics::AcqRel);
  how.reach = *now_.strong;
  ordering_.begin_access(how.releases, how.writes);
  event.for_each_turn([&](unsigned lane) {
    how.address = event.address[lane];
    how.acquires = acquires && has_lane(event.complete, lane);
    ordering_.access(lane, how);
  });
}

void Races::report(const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane, bool equal_stores) {
  const bool one_block = before.warp / warps_per_block_ == block_;
  add(before.warp == now_.warp ? Race::Kind::InWarp
      : one_block              ? Race::Kind::InBlock
                               : Race::Kind::InGrid,
      before, with, event, lane, equal_stores);
}

RaceAccess Races::told(const Touch& touch) const {
  return {touch.cycle,
          static_cast<std::uint32_t>(touch.warp / warps_per_block_),
          static_cast<std::uint32_t>(touch.warp % warps_per_block_),
          touch.pc,
          touch.lanes,
          touch.writes,
          touch.atomic,
          touch.strong};
}

void Races::add(Race::Kind kind, const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane,
                bool equal_stores) {
  if (!(equal_stores ? seen_equal_ : seen_).emplace(before.pc, now_.pc).second) return;
  Race& race = found_.emplace_back();
  race.kind = kind;
  race.earlier = told(before);
  race.earlier.lanes = with;
  race.later = told(now_);
  race.later.lanes = lane_bit(lane);
  race.space = event.space;
  race.object = event.object_of(lane);
  race.index = event.index_of(lane);
  if (race.object < 0 && race.space == MemoryEvent::Space::Global)
    race.unnamed = allocated_at(*machine_, event.address[lane]);
  race.equal_stores = equal_stores;
  if (kind == Race::Kind::InBlock)
    race.met_others = met_others(static_cast<std::uint32_t>(before.warp), static_cast<std::uint32_t>(now_.warp));
  if (kind == Race::Kind::InBlock || kind == Race::Kind::InGrid)
    race.missing = ordering_.missing(before.stamp(), with, lane);
  if (is_no_cause_of_itself(race)) found_.pop_back();
}

// A write that depends, through relaxed accesses, on what the earlier read has found.
bool Races::is_no_cause_of_itself(const Race& race) const {
  if (race.earlier.writes || race.earlier.strong || race.later.strong) return false;
  const bool is_handed_over = race.missing && *race.missing != Missing::Scope && *race.missing != Missing::LaneStep;
  return is_handed_over && depends_through_hand_over(*program_, race.earlier.pc, race.later.pc);
}

// An access before is forgotten where this write comes after it, or has been compared with it as a race: a strong write
// may follow a strong access without either.
void Races::forget(RaceWords& words, RaceWords::Part part, std::uint32_t word, unsigned lane) const {
  if (!now_.strong || unordered(words.seen(*touches_, part, word), lane) == 0) words.forget(part, word);
}

// Has something read that write, which `lane` comes after? Of the lanes of one atomic the last one has read what the
// others wrote.
bool Races::is_observed(const RaceWords& words, std::uint32_t word, const Seen& last, unsigned lane) const {
  const auto comes_after = [&](const Seen& seen, LaneMask lanes) {
    return ordering_.unordered(seen.touch->stamp(), lanes, lane) != lanes;
  };
  if (last.touch->atomic && comes_after(last, lane_bit(last.number % RaceTouches::kSet))) return true;
  if (!last.touch->atomic && count_lanes(last.lanes) != 1) return false;  // it may have read another lane's
  for (const RaceWords::Part part : {RaceWords::kRead, RaceWords::kOtherRead}) {
    const Seen read = words.seen(*touches_, part, word);
    if (read && read.number >> RaceTouches::kTouchBit > last.number >> RaceTouches::kTouchBit &&
        are_morally_strong(*read.touch, *last.touch) && comes_after(read, read.lanes))
      return true;
  }
  return false;
}

void Races::write(RaceWords& words, std::uint32_t word, const MemoryEvent& event, unsigned lane, std::uint64_t value) {
  const Seen last = words.seen(*touches_, RaceWords::kWrite, word);
  if (is_of_now(last)) {
    if (!now_.atomic && words.value(word) != words.cut(value)) {
      add(Race::Kind::OneStore, *last.touch, last.lanes, event, lane);
      if (differs_ == 0) {
        Touch several = now_;
        several.bytes = 0;
        differs_ = touches_->add(several);
      }
      words.set_touch(RaceWords::kWrite, word, differs_);
    }
    words.add_lane(*touches_, RaceWords::kWrite, word, lane);
    words.set_last_lane(word, lane);
    return;
  }
  const bool stays = now_.strong || are_equal_stores(last, words.value(word), words.cut(value));
  const LaneMask with_last = unordered_write(words, word, last, lane);
  if (stays && with_last != 0) {
    words.keep_write(word, now_.atomic && are_morally_strong(*last.touch));
  } else if (!now_.strong ||
             unordered_other(words.seen(*touches_, RaceWords::kOtherWrite, word), with_last, lane) == 0) {
    words.forget(RaceWords::kOtherWrite, word);
  }
  words.set(RaceWords::kWrite, word, now_number_ + lane);
  is_noted_ = true;
  forget(words, RaceWords::kRead, word, lane);
  forget(words, RaceWords::kOtherRead, word, lane);
  words.set_value(word, value);
}

void Races::read(RaceWords& words, std::uint32_t word, unsigned lane) {
  const Seen last = words.seen(*touches_, RaceWords::kRead, word);
  if (last && last.touch->warp == now_.warp && last.touch->version == now_.version)
    return words.add_lane(*touches_, RaceWords::kRead, word, lane);
  // The reader before is forgotten where this one comes after it: who writes after this one comes after both.
  if (unordered(last, lane) != 0) {
    words.keep_read(word);
    note_kept(*last.touch);
  }
  words.set(RaceWords::kRead, word, now_number_ + lane);
  is_noted_ = true;
}

}  // namespace warpsim
