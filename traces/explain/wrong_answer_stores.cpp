// Who stored a wrong element, and who should have: see wrong_answer_explanation.h.
#include "traces/explain/wrong_answer_explanation.h"

namespace warpsim::wrong {
std::optional<Thread> thread_of(const TraceHead& head, std::size_t number) {
  if (head.block.count() != head.block.x || head.grid.count() != head.grid.x || head.block.x == 0) return std::nullopt;
  if (number >= head.block.count() * head.grid.count()) return std::nullopt;
  const std::size_t in_block = number % head.block.x;
  return Thread{static_cast<std::uint32_t>(number / head.block.x), static_cast<std::uint32_t>(in_block / head.lanes),
                static_cast<unsigned>(in_block % head.lanes)};
}

std::optional<std::size_t> number_of(const TraceHead& head, const Thread& thread) {
  const std::size_t number =
      std::size_t{thread.block} * head.block.x + std::size_t{thread.warp} * head.lanes + thread.lane;
  return thread_of(head, number) == thread ? std::optional(number) : std::nullopt;
}

std::vector<std::pair<Stored, std::size_t>> stores_to(const Trace& trace, std::int32_t param) {
  std::vector<std::pair<Stored, std::size_t>> stores;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const TraceEvent& event = trace.events[n];
    if (!event.memory || !event.memory->writes() || event.memory->is_shared()) continue;
    event.memory->for_each_turn([&](unsigned lane, std::size_t k) {
      for (unsigned e = 0; e < event.memory->elements && event.memory->object[k] == param; ++e)
        stores.push_back({{n, lane, e}, static_cast<std::size_t>(event.memory->index[k]) + e});
    });
  }
  return stores;
}

// The thread of its number stored to it, too, but earlier; or every thread stores beside its number.
void Explanation::other_storers() {
  const std::optional<Thread> owner = thread_of(trace_.head, first_);
  if (!owner || *owner == thread_at(*stored_)) return;
  for (const auto& [stored, index] : stores_) {
    if (thread_at(stored) != *owner || index != first_) continue;
    if (left_by(stored) == left_by(*stored_)) return;  // the same value: it does not matter who comes last
    say({MessageId::StoredFirstThen, {{MessageId::ThreadNumber, {first_}}, thread_named(thread_at(*stored_))}});
    step(stored.event, lane_bit(stored.lane), {MessageId::StoresFirst, {lane_named(stored.lane)}});
    return;
  }
  shifted();
}

// What the store left in memory.
std::uint64_t Explanation::left_by(const Stored& stored) const {
  const TraceMemory& memory = *event(stored).memory;
  const std::size_t place = count_lanes(memory.lanes & (lane_bit(stored.lane) - 1));
  return memory.access == TraceMemory::Access::Atomic ? memory.stored[place]
                                                      : memory.bits[place * memory.elements + stored.element];
}

Message Explanation::thread_named(const Thread& thread) const {
  const std::optional<std::size_t> number = number_of(trace_.head, thread);
  return number ? Message(MessageId::ThreadNumber, {*number}) : lane_named(thread.lane);
}

// Does every thread store beside its own number?
void Explanation::shifted() {
  std::optional<std::int64_t> shift;
  for (const auto& [stored, index] : stores_) {
    const std::optional<std::size_t> number = number_of(trace_.head, thread_at(stored));
    if (!number) return;
    const std::int64_t now = static_cast<std::int64_t>(index) - static_cast<std::int64_t>(*number);
    if (shift && *shift != now) return;
    shift = now;
  }
  if (stores_.size() < 2 || !shift || *shift == 0) return;
  say(*shift > 0 ? Message(MessageId::StoresAtPlus, {*shift}) : Message(MessageId::StoresAtMinus, {-*shift}));
}

void Explanation::never_stored() {
  if (stores_.empty()) return say({MessageId::NobodyStoresAny, {name_}});
  say(MessageId::NobodyStoresIt);
  const auto& [some, where] = stores_.front();
  finding_.cycle = event(some).cycle.value_or(0);
  finding_.block = event(some).block;
  finding_.warp = event(some).warp;
  finding_.pc = event(some).pc;
  const std::optional<Thread> owner = thread_of(trace_.head, first_);
  if (!owner) return;
  for (const auto& [stored, index] : stores_) {
    if (thread_at(stored) != *owner) continue;
    say({MessageId::StoresTo, {{MessageId::ThreadNumber, {first_}}, element(index)}});
    finding_.lanes = lane_bit(stored.lane);
    step(stored.event, lane_bit(stored.lane), {MessageId::StoresTo, {lane_named(stored.lane), element(index)}});
    return shifted();
  }
  std::optional<std::size_t> last;
  for (std::size_t n = trace_.events.size(); n-- > 0;) {
    const TraceEvent& at = trace_.events[n];
    if (at.block != owner->block || at.warp != owner->warp || !has_lane(at.group, owner->lane)) continue;
    if (!last && has_lane(at.active, owner->lane)) last = n;
    const TraceInsn& insn = trace_.head.code[static_cast<std::size_t>(at.pc)];
    const OpInfo* const row = insn.row;
    const bool stores = row != nullptr && access_of(*row) == AccessKind::Store && row->space == AddressSpace::Global &&
                        insn.accessed == name_;
    if (has_lane(at.active, owner->lane) || !stores) continue;
    say({MessageId::SwitchedOffAtStore, {first_, owner->lane}});
    step(n, lane_bit(owner->lane), MessageId::GuardOffHere);
    return;
  }
  say({MessageId::ComesToNoStore, {first_, owner->lane, name_}});
  if (last) step(*last, lane_bit(owner->lane), MessageId::LastExecuted);
}

}  // namespace warpsim::wrong
