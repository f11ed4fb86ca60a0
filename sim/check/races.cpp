// The shadow of memory and the comparison of accesses; see races.h.
#include "sim/check/races.h"

#include <algorithm>
#include <bit>

#include "sim/machine/machine.h"

namespace warpsim {
namespace {

bool is_fence(const Insn& insn) { return has_trait(info(insn.op), kOrders); }

}  // namespace

void Races::on_start(const Machine& machine) {
  *this = Races();
  program_ = &machine.program();
  warps_per_block_ = machine.warps_per_block();
  ordering_ = Ordering(warps_per_block_);
  // Lanes that touch two halves of a word do not meet.
  for (const Insn& insn : program_->code) {
    const OpInfo& row = info(insn.op);
    if (!accesses_memory(row)) continue;
    if (const std::uint64_t size = static_cast<std::uint64_t>(bytes(insn.type)); size != 0)
      granule_ = std::min(granule_, size);
  }
  granule_bits_ = static_cast<unsigned>(std::countr_zero(granule_));
  shared_words_ = (machine.shared_bytes_per_block() + granule_ - 1) / granule_;
}

void Races::on_block_end(const BlockEndEvent& event) {
  ordering_.end_block(event.block);
  shared_.erase(event.block);
}

void Races::on_issue(const IssueEvent& event) {
  ordering_.select(event.block, event.warp);
  if (event.active != 0 && is_fence(*event.insn)) ordering_.fence(event.active);
  now_.cycle = event.cycle;
  now_.pc = event.pc;
  now_.stamp = ordering_.now();
  block_ = event.block;
}

Races::Word& Races::global_word(std::uint64_t number) {
  if (const std::uint64_t page = number / kPage; page != last_page_) {
    last_page_ = page;
    last_words_ = &global_[page];
    if (last_words_->empty()) last_words_->resize(kPage);
  }
  return (*last_words_)[number % kPage];
}

// Calls f(word, lane, value) for each word that each lane touches.
template <class F>
void Races::for_each_word(const MemoryEvent& event, F f) {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  Word* words = nullptr;  // null: global
  if (event.space == MemoryEvent::Space::Shared) {
    std::vector<Word>& all = shared_[block_];
    if (all.empty()) all.resize(shared_words_);
    words = all.data();
  }
  const auto word_at = [&](std::uint64_t number) -> Word& {
    return words != nullptr ? words[number] : global_word(number);
  };
  for_each_lane(event.lanes, [&](unsigned lane) {
    for (std::uint64_t behind = 0; behind < size; behind += granule_) {
      const std::uint64_t bits = event.value_of(lane, static_cast<unsigned>(behind / event.bytes));
      f(word_at((event.address[lane] + behind) >> granule_bits_), lane, bits >> behind % event.bytes * 8);
    }
  });
}

void Races::on_memory(const MemoryEvent& event) {
  now_.atomic = event.access == MemoryEvent::Access::Atomic;
  now_.writes = event.access != MemoryEvent::Access::Load;
  if (!now_.writes) {
    for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t) {
      compare(word.write, event, lane);
      read(word, lane);
    });
    return;
  }
  if (now_.atomic) for_each_lane(event.lanes, [&](unsigned lane) { ordering_.atomic(lane, event.address[lane]); });
  // First all lanes against what was there before, for no lane of an instruction comes before another.
  for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t) {
    compare(word.write, event, lane);
    compare(word.read, event, lane);
    compare(word.other_read, event, lane);
  });
  for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t value) { write(word, event, lane, value); });
}

void Races::report(const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane) {
  const bool one_block = before.stamp.warp / warps_per_block_ == block_;
  add(before.stamp.warp == now_.stamp.warp ? Race::Kind::InWarp
      : one_block                          ? Race::Kind::InBlock
                                           : Race::Kind::InGrid,
      before, with, event, lane);
}

RaceAccess Races::told(const Touch& touch) const {
  return {touch.cycle,
          static_cast<std::uint32_t>(touch.stamp.warp / warps_per_block_),
          static_cast<std::uint32_t>(touch.stamp.warp % warps_per_block_),
          touch.pc,
          touch.lanes,
          touch.writes,
          touch.atomic};
}

void Races::add(Race::Kind kind, const Touch& before, LaneMask with, const MemoryEvent& event, unsigned lane) {
  if (!seen_.emplace(before.pc, now_.pc).second) return;
  Race& race = found_.emplace_back();
  race.kind = kind;
  race.earlier = told(before);
  race.earlier.lanes = with;
  race.later = told(now_);
  race.later.lanes = lane_bit(lane);
  race.space = event.space;
  race.object = event.object_of[lane];
  race.index = event.index[lane];
}

void Races::write(Word& word, const MemoryEvent& event, unsigned lane, std::uint64_t value) {
  const bool is_now =
      word.write.pc == now_.pc && word.write.cycle == now_.cycle && word.write.stamp.warp == now_.stamp.warp;
  if (is_now) {
    if (!now_.atomic && word.value != value) add(Race::Kind::OneStore, word.write, word.write.lanes, event, lane);
    word.write.lanes |= lane_bit(lane);
    return;
  }
  word.write = now_;
  word.write.lanes = lane_bit(lane);
  word.read.pc = word.other_read.pc = -1;
  word.value = value;
}

void Races::read(Word& word, unsigned lane) {
  Touch& last = word.read;
  if (last.pc >= 0 && last.stamp.warp == now_.stamp.warp && last.stamp.version == now_.stamp.version) {
    last.lanes |= lane_bit(lane);
    return;
  }
  // The reader before is forgotten where this one comes after it: who writes after this one comes after both.
  if (last.pc >= 0 && ordering_.unordered(last.stamp, last.lanes, lane) != 0) word.other_read = last;
  last = now_;
  last.lanes = lane_bit(lane);
}

}  // namespace warpsim
