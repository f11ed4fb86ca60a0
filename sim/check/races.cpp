// The shadow of memory and the comparison of accesses; see races.h.
#include "sim/check/races.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/machine/machine.h"

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
    lines_.push_back(
        {has_trait(row, kOrders), is_strong(insn) ? std::optional(reach_of(qualifiers_of(insn).scope)) : std::nullopt});
    if (!accesses_memory(row)) continue;
    if (row.lift == Lift::Copy) granule_ = std::min(granule_, std::uint64_t{4});
    if (const std::uint64_t size = static_cast<std::uint64_t>(bytes(insn.type)); size != 0)
      granule_ = std::min(granule_, size);
  }
  granule_bits_ = static_cast<unsigned>(std::countr_zero(granule_));
  shared_words_ = (machine.shared_bytes_per_block() + granule_ - 1) / granule_;
}

void Races::on_block_end(const BlockEndEvent& event) {
  ordering_.end_block(event.block);
  shared_.erase(event.block);
  shared_now_ = nullptr;
}

void Races::on_sync(const SyncEvent& event) {
  ordering_.synchronize(event);
  if (event.kind == SyncEvent::Kind::Block && program_ != nullptr) note_meeting(event);
}

// Null: the block has touched no shared memory.
SharedRaceWords* Races::known_shared_words(std::uint32_t block) {
  if (block == block_ && shared_now_ != nullptr) return shared_now_;
  const auto words = shared_.find(block);
  return words == shared_.end() ? nullptr : &words->second;
}

void Races::note_meeting(const SyncEvent& event) {
  const auto waits = [](const SyncEvent::Arrival& one) { return one.ticket == 0; };
  bool every_warp = event.arrivals.size() == warps_per_block_;
  for (std::size_t w = 0; every_warp && w < event.arrivals.size(); ++w)
    every_warp = event.arrivals[w].warp == w && waits(event.arrivals[w]);
  if (every_warp) {
    if (SharedRaceWords* const words = known_shared_words(event.block); words != nullptr) words->begin_phase();
  }
  if (come_from_one_line(event)) return;
  for (const SyncEvent::Arrival& one : event.arrivals)
    for (const SyncEvent::Arrival& other : event.arrivals)
      if (waits(one) && waits(other) && one.pc != other.pc)
        mixed_[event.block * warps_per_block_ + one.warp].emplace(one.pc, other.pc);
}

// One has met a warp that came from another line, and the other warp has not come from that line: it still comes, or
// has met others, too.
std::optional<std::pair<std::int32_t, std::int32_t>> Races::met_others(std::uint32_t warp, std::uint32_t other) const {
  for (const auto& [one, partner] : {std::pair{warp, other}, std::pair{other, warp}}) {
    const auto met = mixed_.find(one), of_partner = mixed_.find(partner);
    if (met == mixed_.end()) continue;
    for (const auto& lines : met->second) {
      const bool from_there =
          of_partner != mixed_.end() && std::any_of(of_partner->second.begin(), of_partner->second.end(),
                                                    [&](const auto& own) { return own.first == lines.second; });
      if (!from_there) return lines;
    }
  }
  return std::nullopt;
}

void Races::on_issue(const IssueEvent& event) {
  ordering_.select(event.block, event.warp);
  const OfLine& line = lines_[static_cast<std::size_t>(event.pc)];
  if (line.orders && event.active != 0)
    ordering_.fence(event.active, reach_of(scope_of_fence(event.insn->op)), is_sc_fence(event.insn->op));
  insn_ = event.insn;
  now_.strong = line.strong;
  now_.cycle = event.cycle;
  now_.pc = event.pc;
  now_.warp = ordering_.now().warp;
  now_.version = ordering_.now().version;
  if (event.block != block_) shared_now_ = nullptr;
  block_ = event.block;
}

RaceWord& Races::global_word(std::uint64_t number) {
  if (const std::uint64_t page = number / kPage; page != last_page_) {
    last_page_ = page;
    last_words_ = &global_[page];
    if (last_words_->empty()) last_words_->resize(kPage);
  }
  return (*last_words_)[number % kPage];
}

SharedRaceWords& Races::shared_words() {
  if (shared_now_ == nullptr) shared_now_ = &shared_.try_emplace(block_, shared_words_).first->second;
  return *shared_now_;
}

// Calls f(word, lane, value) for each word that each lane touches.
template <class F>
void Races::for_each_word(const MemoryEvent& event, F f) {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  SharedRaceWords* const shared = event.space == MemoryEvent::Space::Shared ? &shared_words() : nullptr;
  const auto word_at = [&](std::uint64_t number) -> Word& {
    return shared != nullptr ? shared->at(number) : global_word(number);
  };
  for_each_lane(event.lanes, [&](unsigned lane) {
    for (std::uint64_t behind = 0; behind < size; behind += granule_) {
      const std::uint64_t bits = event.value_of(lane, static_cast<unsigned>(behind / event.bytes));
      f(word_at((event.address[lane] + behind) >> granule_bits_), lane, bits >> behind % event.bytes * 8);
    }
  });
}

// What a copy reads, by its words.
void Races::read_source(const MemoryEvent& event) {
  const CopySource& from = *event.source;
  static constexpr std::array<std::uint64_t, 16 * kMaxLanes> kNothing{};  // nobody asks what is read
  for_each_lane(from.lanes, [&](unsigned lane) {
    const std::uint32_t size = static_cast<std::uint32_t>(granule_), elements = (from.bytes[lane] + size - 1) / size;
    on_memory({MemoryEvent::Space::Global, MemoryEvent::Access::Load, size, elements, lane_bit(lane), from.address,
               from.object_of[lane], from.index, from.object_of, kNothing.data(), nullptr, nullptr});
  });
}

void Races::finish_copy(unsigned lane, std::int32_t pc, std::uint64_t cycle, std::uint64_t address,
                        std::uint64_t size) {
  SharedRaceWords& shared = shared_words();
  for (std::uint64_t number = address >> granule_bits_; number < (address + size) >> granule_bits_; ++number) {
    Word& word = shared.at(number);
    const bool together = word.write.pc == pc && word.write.cycle == cycle && word.write.warp == now_.warp;
    const LaneMask lanes = lane_bit(lane) | (together ? word.write.lanes : 0);
    word.forget_all();
    word.write = now_;
    word.write.pc = pc;
    word.write.cycle = cycle;
    word.write.lanes = lanes;
    word.write.writes = true;
    word.write.atomic = false;
    word.write.strong.reset();
    word.write.bytes = 0;
  }
}

void Races::on_memory(const MemoryEvent& event) {
  // Nobody else sees a thread's own memory, and nobody writes constants.
  if (event.space != MemoryEvent::Space::Global && event.space != MemoryEvent::Space::Shared) return;
  if (event.source != nullptr) read_source(event);
  now_.atomic = event.access == MemoryEvent::Access::Atomic;
  now_.writes = event.access != MemoryEvent::Access::Load;
  now_.bytes = static_cast<std::uint8_t>(event.bytes);
  order(event);
  if (is_quick(event) && shared_words().touch(now_, event, granule_bits_)) return;
  if (!now_.writes) {
    for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t value) {
      compare_writes(word, event, lane, value);
      read(word, lane);
    });
    return;
  }
  // First all lanes against what was there before, for no lane of an instruction comes before another. Where nothing
  // was there, it is written at once; a copy writes some time until it is waited for: finish_copy.
  const bool is_copy = event.source != nullptr;
  bool all_written = true;
  for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t value) {
    if (!is_copy && (word.is_untouched() || is_of_now(word.write))) return write(word, event, lane, value);
    all_written = false;
    compare_writes(word, event, lane, value);
    compare(word.read, event, lane);
    if (word.others) compare(word.others->read, event, lane);
  });
  if (is_copy || all_written) return;
  for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t value) { write(word, event, lane, value); });
}

// A weak load or store of one word a lane in shared memory: what most accesses there are.
bool Races::is_quick(const MemoryEvent& event) const {
  return event.space == MemoryEvent::Space::Shared && event.access != MemoryEvent::Access::Atomic && !now_.strong &&
         event.source == nullptr && event.elements == 1 && event.bytes == granule_;
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
  race.object = event.object_of[lane];
  race.index = event.index[lane];
  if (race.object < 0 && race.space == MemoryEvent::Space::Global)
    race.unnamed = allocated_at(*machine_, event.address[lane]);
  race.equal_stores = equal_stores;
  if (kind == Race::Kind::InBlock)
    race.met_others = met_others(static_cast<std::uint32_t>(before.warp), static_cast<std::uint32_t>(now_.warp));
  if (kind == Race::Kind::InBlock || kind == Race::Kind::InGrid)
    race.missing = ordering_.missing(before.stamp(), with, lane);
}

// An access before is forgotten where this write comes after it, or has been compared with it as a race: a strong write
// may follow a strong access without either.
void Races::forget(Touch& before, unsigned lane) const {
  if (!now_.strong || !is_unordered(before, lane)) before.pc = -1;
}

void Races::write(Word& word, const MemoryEvent& event, unsigned lane, std::uint64_t value) {
  if (is_of_now(word.write)) {
    if (!now_.atomic && word.value != value) {
      add(Race::Kind::OneStore, word.write, word.write.lanes, event, lane);
      word.write.bytes = 0;
    }
    word.write.lanes |= lane_bit(lane);
    return;
  }
  const bool stays = now_.strong || are_equal_stores(word.write, word.value, value);
  if (stays && is_unordered(word.write, lane)) {
    word.with_others().write = word.write;
    word.with_others().value = word.value;
  } else if (word.others) {
    forget(word.others->write, lane);
  }
  word.write = now_;
  word.write.lanes = lane_bit(lane);
  forget(word.read, lane);
  if (word.others) {
    forget(word.others->read, lane);
    if (word.others->read.pc < 0 && word.others->write.pc < 0) word.others.reset();
  }
  word.value = value;
}

void Races::read(Word& word, unsigned lane) {
  Touch& last = word.read;
  if (last.pc >= 0 && last.warp == now_.warp && last.version == now_.version) {
    last.lanes |= lane_bit(lane);
    return;
  }
  // The reader before is forgotten where this one comes after it: who writes after this one comes after both.
  if (is_unordered(last, lane)) word.with_others().read = last;
  last = now_;
  last.lanes = lane_bit(lane);
}

}  // namespace warpsim
