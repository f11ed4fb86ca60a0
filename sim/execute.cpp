// One issue slot: which lanes of a warp execute, what the instruction does to them, and the events that tell of it.
#include <algorithm>

#include "isa/check.h"
#include "isa/kernels.h"
#include "isa/op.h"
#include "sim/collective.h"
#include "sim/machine_impl.h"

namespace warpsim::kernels {
struct None;
struct Idx;
struct Up;
struct Down;
struct Bfly;
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

bool is_wide(const DecodedInsn& d) { return bits(d.type) == 64; }

std::uint64_t read_row(const Warp& w, std::uint32_t offset, bool wide, unsigned lane) {
  const std::byte* r = w.registers;
  return wide ? row<std::uint64_t>(r, offset)[lane] : row<std::uint32_t>(r, offset)[lane];
}
void write_row(Warp& w, std::uint32_t offset, bool wide, unsigned lane, std::uint64_t value) {
  if (wide) row<std::uint64_t>(w.registers, offset)[lane] = value;
  else row<std::uint32_t>(w.registers, offset)[lane] = static_cast<std::uint32_t>(value);
}
void write_word(Warp& w, std::uint32_t offset, LaneMask lanes, LaneMask value) {
  LaneMask now = word(static_cast<const std::byte*>(w.registers), offset);
  now = (now & ~lanes) | (value & lanes);
  word(w.registers, offset) = now;
}

// Instructions that lanes execute only together with those that their member mask names.
bool needs_meeting(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Shuffle:
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: return true;
    case Lift::Barrier: return d.op == Op::BarWarp;
    default: return false;
  }
}

template <Lift L, class K>
LaneMask vote_result(LaneMask truth, LaneMask members) {
  if constexpr (L == Lift::Vote || L == Lift::Match) return static_cast<LaneMask>(K::of(truth, members));
  else return 0;
}
// Of a match, the truth is which lanes hold the same value.
LaneMask vote(Op op, LaneMask truth, LaneMask members) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, unit, doc, aka) \
  case Op::Name:                                                              \
    return vote_result<Lift::lift, kernels::kernel>(truth, members);
#include "isa/instructions.def"
#undef INSN
  }
  return 0;
}

template <Lift L, class K>
std::uint64_t atomic_result(const kernels::AtomicOperands& o) {
  if constexpr (L == Lift::Atomic) return K::of(o);
  else return 0;
}
// What memory holds after an atomic.
std::uint64_t atomic(Op op, const kernels::AtomicOperands& o) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, unit, doc, aka) \
  case Op::Name:                                                              \
    return atomic_result<Lift::lift, kernels::kernel>(o);
#include "isa/instructions.def"
#undef INSN
  }
  return 0;
}

// A register of the elements of a vector, the first in the low bits; and back.
void pack(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const int width = bits(d.type) / d.elements;
  for_each_lane(active, [&](unsigned l) {
    std::uint64_t whole = 0;
    for (unsigned k = 0; k < d.elements; ++k)
      whole |= read_row(warp, d.element[k], false, l) << static_cast<unsigned>(width) * k;
    write_row(warp, d.dst, is_wide(d), l, whole);
  });
}
void unpack(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const int width = bits(d.type) / d.elements;
  for_each_lane(active, [&](unsigned l) {
    const std::uint64_t whole = read_row(warp, d.a, is_wide(d), l);
    for (unsigned k = 0; k < d.elements; ++k)
      write_row(warp, d.element[k], false, l,
                whole >> static_cast<unsigned>(width) * k & ((std::uint64_t{1} << width) - 1));
  });
}

}  // namespace

template <class Observer>
bool Machine::Impl::issue(Warp& warp, const Observer& observer) {
  const std::uint64_t now = warp.cycle;
  for (;;) {
    const int group = choose_group(warp);
    if (group < 0) return false;
    const Group g = warp.divergence.groups()[static_cast<std::size_t>(group)];
    if (g.pc < 0 || g.pc >= static_cast<std::int32_t>(code_.insns.size())) {
      trap(TrapKind::FellOffTheEnd, warp, g.pc, g.lanes, "control passed the last instruction",
           "end every path with exit");
      return true;
    }
    const DecodedInsn& d = code_.insns[static_cast<std::size_t>(g.pc)];
    const LaneMask active =
        d.guard == kNoOffset ? g.lanes
                             : g.lanes & (word(static_cast<const std::byte*>(warp.registers), d.guard) ^ d.guard_flip);
    LaneMask together = active;
    meeting_.assign(1, group);
    joined_.clear();
    if (active != 0 && needs_meeting(d) && part_by_masks(warp, group, active)) continue;
    if (active != 0 && needs_meeting(d) && !meet(warp, group, active, together)) {
      if (!result_.ok) return true;
      if constexpr (Observer::kActive) {
        observer.tell(&EventSink::on_stall,
                      StallEvent{warp.cycle, warp.block, warp.index, g.pc, active, StallEvent::Reason::WarpSync});
        tell_joined(observer);
      }
      continue;
    }
    if (active != 0 && d.lift == Lift::BarrierReduce && !g.released) {
      arrive_at_barrier(warp, group, d, active);
      if constexpr (Observer::kActive) {
        tell_met(warp, observer);
        observer.tell(&EventSink::on_stall,
                      StallEvent{now, warp.block, warp.index, g.pc, active, StallEvent::Reason::Barrier});
        tell_joined(observer);
      }
      continue;
    }
    if constexpr (Observer::kActive) {
      tell_met(warp, observer);  // at bar.warp
      observer.tell(&EventSink::on_issue,
                    IssueEvent{warp.cycle, warp.block, warp.index, g.pc, together, g.lanes | together, warp.alive,
                               &program_.code[static_cast<std::size_t>(g.pc)]});
    }
    warp.divergence.issued(meeting_);
    execute(warp, group, together, observer);
    if (!result_.ok) return true;
    if constexpr (Observer::kActive) tell_met(warp, observer);  // at bar.sync
    ++result_.instructions;
    result_.cycles = std::max(result_.cycles, now);
    warp.last_issue = now;
    // A barrier that opened may have set it already.
    warp.cycle = std::max(warp.cycle, now + 1 + (config_.schedule.fuzz ? pause_cycles() : 0));
    return true;
  }
}

// ---- the schedule

int Machine::Impl::choose_group(const Warp& warp) {
  if (!config_.schedule.fuzz) return warp.divergence.next_ready();
  const unsigned count = warp.divergence.count_ready();
  return warp.divergence.ready(count > 1 ? random_.below(count) : 0);
}

// Mostly none; sometimes a few, so that neighbours overtake each other; rarely so many that a warp is far behind.
std::uint64_t Machine::Impl::pause_cycles() {
  const unsigned what = random_.below(256);
  if (what < 224) return 0;
  return what < 254 ? 1 + random_.below(4) : 100 + random_.below(256);
}

// Where several lanes touch one address, PTX leaves open which comes when.
void Machine::Impl::order_lanes(LaneMask active, Access& x) {
  unsigned count = 0;
  bool meet = false;
  for_each_lane(active, [&](unsigned l) {
    for (unsigned k = 0; k < count; ++k) meet = meet || x.address[x.order[k]] == x.address[l];
    x.order[count++] = static_cast<std::uint8_t>(l);
  });
  if (!meet) return;
  x.is_reordered = true;
  for (unsigned k = count; k > 1; --k) std::swap(x.order[k - 1], x.order[random_.below(k)]);
}

template <class Observer>
void Machine::Impl::execute(Warp& warp, int group, LaneMask active, const Observer& observer) {
  const std::int32_t pc = warp.divergence.groups()[static_cast<std::size_t>(group)].pc;
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(pc)];
  switch (d.lift) {
    case Lift::Branch: execute_branch(warp, group, d, active, observer); return;
    case Lift::Barrier:
      if (d.op == Op::BarSync && active != 0) {
        arrive_at_barrier(warp, group, d, active);
        return;
      }
      break;
    case Lift::Special:
      if (d.op == Op::Exit) {
        execute_exit(warp, group, active, observer);
        return;
      }
      for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, active); });
      break;
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
      if (active != 0) d.masked(warp.registers, d, active);
      break;
    case Lift::Vote: execute_vote(warp, d, active); break;
    case Lift::Match: execute_match(warp, d, active); break;
    case Lift::Redux: execute_redux(warp, d, active); break;
    case Lift::BarrierReduce: execute_reduction(warp, group, d, active); break;
    case Lift::Nothing: break;
    case Lift::Pack: pack(warp, d, active); break;
    case Lift::Unpack: unpack(warp, d, active); break;
    case Lift::Shuffle:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: {
      Exchange exchange;
      execute_exchange(warp, d, active, exchange);
      if constexpr (Observer::kActive) {
        observer.tell(&EventSink::on_exchange,
                      ExchangeEvent{active, exchange.from, exchange.in_range, exchange.undefined});
      }
      break;
    }
    case Lift::Load:
    case Lift::Store:
    case Lift::Atomic:
      execute_access(warp, d, active, observer);
      if (!result_.ok) return;
      break;
  }
  if constexpr (Observer::kActive) tell_writes(warp, d, active, observer);
  // From the last group down: joining appends behind, so what is still to move keeps its place.
  for (auto k = meeting_.rbegin(); k != meeting_.rend(); ++k) warp.divergence.move(*k, pc + 1, joined_);
  if constexpr (Observer::kActive) tell_joined(observer);
}

template <class Observer>
void Machine::Impl::execute_branch(Warp& warp, int group, const DecodedInsn& d, LaneMask active,
                                   const Observer& observer) {
  const LaneMask lanes = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes;
  if constexpr (Observer::kActive) {
    observer.tell(&EventSink::on_mask,
                  MaskEvent{MaskEvent::Kind::Branch, active, lanes & ~active, d.target, d.reconvergence});
  }
  if (active == lanes) warp.divergence.move(group, d.target, joined_);
  else if (active == 0) warp.divergence.move(group, d.pc + 1, joined_);
  else warp.divergence.diverge(group, active, d.target, d.reconvergence, joined_);
  if constexpr (Observer::kActive) tell_joined(observer);
}

template <class Observer>
void Machine::Impl::execute_exit(Warp& warp, int group, LaneMask active, const Observer& observer) {
  const std::int32_t pc = warp.divergence.groups()[static_cast<std::size_t>(group)].pc;
  const LaneMask staying = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes & ~active;
  if constexpr (Observer::kActive) {
    observer.tell(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Exit, active, staying, kExit, kExit});
  }
  if (active == 0) {
    warp.divergence.move(group, pc + 1, joined_);
  } else {
    warp.alive &= ~active;
    // Those that stay move on first; the exiting ones are then a group of their own.
    if (staying != 0) warp.divergence.split_off(group, staying, pc + 1, joined_);
    warp.divergence.exit(group, active, joined_);
    wake_waiting(warp);
    release_barriers(warp);
  }
  if constexpr (Observer::kActive) {
    tell_joined(observer);
    tell_met(warp, observer);
  }
}

// ---- values that cross lanes

// What a lane gets from one that takes no part: 0 is what the H200 gives (tests/data/h200_semantics: shflexited).
std::uint64_t Machine::Impl::undefined_bits(const Warp& warp, const DecodedInsn& d, unsigned lane) const {
  if (config_.poison == 0) return 0;
  const std::uint64_t where = (std::uint64_t{warp.block} << 32 | warp.index) * kMaxLanes + lane;
  const std::uint64_t value = mixed(mixed(config_.poison + where) + static_cast<std::uint64_t>(d.pc));
  return bits(d.type) == 64 ? value : value & ((std::uint64_t{1} << bits(d.type)) - 1);
}

void Machine::Impl::execute_exchange(Warp& warp, const DecodedInsn& d, LaneMask active, Exchange& x) {
  const bool wide = is_wide(d);
  std::uint64_t a[kMaxLanes] = {}, result[kMaxLanes] = {};
  for_each_lane(active, [&](unsigned l) { a[l] = read_row(warp, d.a, wide, l); });
  if (d.lift == Lift::Reduce || d.lift == Lift::Scan) {
    const CollectiveResult r = d.lift == Lift::Reduce
                                   ? reduce_lanes(d.op, d.type, code_.lanes, active, a)
                                   : scan_lanes(d.op, d.type, d.mods.exclusive, code_.lanes, active, a);
    for_each_lane(active, [&](unsigned l) {
      x.from[l] = static_cast<std::uint8_t>(l);
      const bool poisoned = config_.poison != 0 && has_lane(r.undefined, l);
      write_row(warp, d.dst, wide, l, poisoned ? undefined_bits(warp, d, l) : r.value[l]);
    });
    x.in_range = active;
    x.undefined = r.undefined;
    return;
  }
  const std::uint32_t whole_warp = shuffle_clamp(ShuffleMode::Idx, code_.lanes, code_.lanes);
  for_each_lane(active, [&](unsigned l) {
    const std::uint32_t b = static_cast<std::uint32_t>(read_row(warp, d.b, false, l));
    const std::uint32_t c =
        d.lift == Lift::Shuffle ? static_cast<std::uint32_t>(read_row(warp, d.c, false, l)) : whole_warp;
    const ShuffleSource s = shuffle_source(d.mode, l, b, c, lane_index_mask(code_.lanes));
    const bool there = has_lane(active & member_mask(warp, d, l), s.lane);
    x.from[l] = static_cast<std::uint8_t>(s.lane);
    if (s.in_range) x.in_range |= lane_bit(l);
    if (!there) x.undefined |= lane_bit(l);
    result[l] = there ? a[s.lane] : undefined_bits(warp, d, l);
  });
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, wide, l, result[l]); });
  if (d.dst_pred != kNoOffset) write_word(warp, d.dst_pred, active, x.in_range);
}

void Machine::Impl::execute_vote(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const LaneMask truth = (word(static_cast<const std::byte*>(warp.registers), d.p) ^ d.p_flip) & active;
  const bool into_predicate = d.type == Type::Pred || d.type == Type::None;
  LaneMask predicate = 0;
  for_each_lane(active, [&](unsigned l) {
    const LaneMask result = vote(d.op, truth, member_mask(warp, d, l) & active);
    if (into_predicate) predicate |= result != 0 ? lane_bit(l) : 0;
    else write_row(warp, d.dst, is_wide(d), l, result);
  });
  if (into_predicate) write_word(warp, d.dst, active, predicate);
}

void Machine::Impl::execute_match(Warp& warp, const DecodedInsn& d, LaneMask active) {
  std::uint64_t a[kMaxLanes] = {};
  LaneMask result[kMaxLanes] = {}, predicate = 0;
  for_each_lane(active, [&](unsigned l) { a[l] = read_row(warp, d.a, is_wide(d), l); });
  for_each_lane(active, [&](unsigned l) {
    LaneMask same = 0;
    for_each_lane(active, [&](unsigned m) { same |= a[m] == a[l] ? lane_bit(m) : 0; });
    result[l] = vote(d.op, same, member_mask(warp, d, l) & active);
    if (result[l] != 0) predicate |= lane_bit(l);
  });
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, code_.lanes > 32, l, result[l]); });
  if (d.dst_pred != kNoOffset) write_word(warp, d.dst_pred, active, predicate);
}

void Machine::Impl::execute_redux(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const Combine combine = combine_of(d.op, d.type);
  WARPSIM_CHECK(combine != nullptr);
  std::uint64_t a[kMaxLanes] = {}, result[kMaxLanes] = {};
  for_each_lane(active, [&](unsigned l) { a[l] = read_row(warp, d.a, is_wide(d), l); });
  for_each_lane(active, [&](unsigned l) {
    const LaneMask members = member_mask(warp, d, l) & active;
    result[l] = a[first_lane(members)];
    for_each_lane(members & (members - 1), [&](unsigned m) { result[l] = combine(result[l], a[m]); });
  });
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, result[l]); });
}

void Machine::Impl::execute_reduction(Warp& warp, int group, const DecodedInsn& d, LaneMask active) {
  const std::uint64_t result = warp.divergence.groups()[static_cast<std::size_t>(group)].reduced;
  if (d.type == Type::Pred) return write_word(warp, d.dst, active, result != 0 ? active : 0);
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, result); });
}

// ---- memory

bool Machine::Impl::resolve_addresses(const Warp& warp, const DecodedInsn& d, LaneMask active, Access& x) {
  x.element_bytes = static_cast<unsigned>(bytes(d.type));
  x.elements = d.elements == 0 ? 1U : d.elements;
  const unsigned size_bytes = x.size_bytes();
  LaneMask outside = 0, misaligned = 0, read_only = 0;
  GlobalMemory::Buffer* const named = d.object >= 0 && !d.shared_space ? memory_.of_param(d.object) : nullptr;
  std::byte* const shared = d.shared_space && !shared_.empty() ? shared_[warp.block].data() : nullptr;
  for_each_lane(active, [&](unsigned l) {
    std::int64_t index = d.index_bias;
    if (d.index != kNoOffset) {
      const std::uint64_t bits_of_index = read_row(warp, d.index, d.index_wide, l);
      // A 32-bit index into an array is signed; a 32-bit pointer into shared memory is not.
      const bool sign = !d.index_wide && d.object >= 0;
      index += sign ? static_cast<std::int32_t>(bits_of_index) : static_cast<std::int64_t>(bits_of_index);
    }
    const std::uint64_t address = d.base + static_cast<std::uint64_t>(index) * d.scale;
    x.address[l] = address;
    x.object_of[l] = d.object;
    x.index[l] = index;
    x.at[l] = nullptr;
    if (d.shared_space) {
      if (address <= code_.shared_bytes && size_bytes <= code_.shared_bytes - address) x.at[l] = shared + address;
      for (std::size_t k = 0; k < code_.shared.size() && d.object < 0; ++k) {
        const SharedLayout& s = code_.shared[k];
        if (address < s.offset_bytes || address - s.offset_bytes >= s.size_bytes) continue;
        x.object_of[l] = static_cast<std::int32_t>(k);
        x.index[l] = static_cast<std::int64_t>((address - s.offset_bytes) / static_cast<unsigned>(bytes(s.type)));
      }
      if (d.object >= 0) {  // by name: the bounds are the array's own
        const SharedLayout& s = code_.shared[static_cast<std::size_t>(d.object)];
        if (index < 0 || static_cast<std::uint64_t>(index) + x.elements > s.size_bytes / d.scale) x.at[l] = nullptr;
      }
    } else {
      GlobalMemory::Buffer* const b = named != nullptr ? named : memory_.find(address, size_bytes);
      if (b != nullptr && b->contains(address, size_bytes)) {
        x.at[l] = b->bytes.data() + (address - b->layout.address);
        x.object_of[l] = b->layout.param;
        x.index[l] =
            static_cast<std::int64_t>((address - b->layout.address) / static_cast<unsigned>(bytes(b->layout.type)));
        if (b->layout.read_only && d.lift != Lift::Load) read_only |= lane_bit(l);
      }
    }
    if (x.at[l] == nullptr) outside |= lane_bit(l);
    else if (address % size_bytes != 0) misaligned |= lane_bit(l);
  });
  if (outside != 0) trap_access(TrapKind::OutOfBounds, warp, d, outside, x);
  else if (misaligned != 0) trap_access(TrapKind::Misaligned, warp, d, misaligned, x);
  else if (read_only != 0) trap_access(TrapKind::ReadOnly, warp, d, read_only, x);
  return result_.ok;
}

template <class Observer>
void Machine::Impl::execute_access(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  Access x;
  if (!resolve_addresses(warp, d, active, x)) return;
  const bool wide = is_wide(d);
  const unsigned size = x.element_bytes;
  // Lane by lane: of several stores to one address the last lane's stays, of several atomics each sees the one before.
  const auto act = [&](unsigned l) {
    for (unsigned k = 0; k < x.elements; ++k) {
      std::uint64_t& value = x.value[k][l];
      std::byte* const at = x.at[l] + std::size_t{k} * size;
      if (d.lift != Lift::Store) value = load_bits(at, size);
      if (d.lift == Lift::Load) continue;
      const std::uint64_t a = read_row(warp, d.elements == 0 ? d.a : d.element[k], wide, l);
      std::uint64_t& stored = d.lift == Lift::Store ? value : x.stored[l];
      stored = d.lift == Lift::Store
                   ? a
                   : atomic(d.op, {d.type, value, a, d.b == kNoOffset ? 0 : read_row(warp, d.b, wide, l)});
      store_bits(at, stored, size);
    }
  };
  if (config_.schedule.fuzz && d.lift != Lift::Load) order_lanes(active, x);
  if (x.is_reordered)
    for (unsigned k = 0; k < count_lanes(active); ++k) act(x.order[k]);
  else for_each_lane(active, act);
  for (unsigned k = 0; k < x.elements && d.lift != Lift::Store; ++k) {
    const std::uint32_t dst = d.elements == 0 ? d.dst : d.element[k];
    if (dst != kNoOffset)
      for_each_lane(active, [&](unsigned l) { write_row(warp, dst, wide, l, in_register(d.type, x.value[k][l])); });
  }
  if constexpr (Observer::kActive) {
    if (active == 0) return;
    using Kind = MemoryEvent::Access;
    const Kind access = d.lift == Lift::Load ? Kind::Load : d.lift == Lift::Store ? Kind::Store : Kind::Atomic;
    const bool is_atomic = access == Kind::Atomic;
    const unsigned ways = d.shared_space ? bank_ways(active, x.address, x.size_bytes(), is_atomic) : 0;
    observer.tell(&EventSink::on_memory,
                  MemoryEvent{d.shared_space ? MemoryEvent::Space::Shared : MemoryEvent::Space::Global, access, size,
                              x.elements, active, x.address, x.object_of[first_lane(active)], x.index, x.object_of,
                              x.value[0], is_atomic ? x.stored : nullptr, x.is_reordered ? x.order : nullptr, ways});
  }
}

// ---- events

template <class Observer>
void Machine::Impl::tell_writes(const Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  if (active == 0) return;
  const Insn& insn = program_.code[static_cast<std::size_t>(d.pc)];
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].role != Role::Dst && form[k].role != Role::DstPred) continue;
    if (insn.operands[k].kind != Operand::Kind::Reg) continue;
    const std::size_t reg = static_cast<std::size_t>(insn.operands[k].reg);
    observer.tell(&EventSink::on_write,
                  WriteEvent{static_cast<std::int32_t>(reg), active, warp.registers + code_.register_offset[reg],
                             program_.registers[reg].cls, code_.register_wide[reg]});
  }
}

template <class Observer>
void Machine::Impl::tell_joined(const Observer& observer) {
  for (const Joined& j : joined_) {
    observer.tell(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Reconverge, j.lanes, 0, j.pc, j.pc});
  }
}

template <class Observer>
void Machine::Impl::tell_met(const Warp& warp, const Observer& observer) {
  for (const Meeting& one : met_)
    observer.tell(&EventSink::on_sync, SyncEvent{one.kind, warp.block, warp.alive, one.reduces, one.arrivals});
  met_.clear();
}

template bool Machine::Impl::issue(Warp&, const NullObserver&);
template bool Machine::Impl::issue(Warp&, const SinkObserver&);

}  // namespace warpsim
