// See memory_unit.h.
#include "sim/machine/memory_unit.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "isa/kernels/kernels_warp.h"
#include "isa/kernels/windows.h"
#include "isa/table/op.h"
#include "sim/code/lane_atomics.h"
#include "sim/code/row_meaning.h"
#include "sim/machine/traps.h"
#include "sim/memory/coalescing.h"

namespace warpsim {
namespace {

// Calls f(lane) in the order in which the lanes take effect.
template <class F>
void for_each_turn(LaneMask active, const MemoryAccess& x, F f) {
  if (!x.is_reordered) return for_lanes(active, f);
  for (unsigned k = 0; k < count_lanes(active); ++k) f(unsigned{x.order[k]});
}

// Calls f with the size of an element as a constant.
template <class F>
void with_size(unsigned size_bytes, F f) {
  switch (size_bytes) {
    case 1: return f(std::integral_constant<unsigned, 1>{});
    case 2: return f(std::integral_constant<unsigned, 2>{});
    case 4: return f(std::integral_constant<unsigned, 4>{});
    default: return f(std::integral_constant<unsigned, 8>{});
  }
}

// The row of element k of what is loaded or stored.
std::uint32_t row_of(const DecodedInsn& d, std::uint32_t scalar, unsigned k) {
  return d.elements == 0 ? scalar : d.element[k];
}

}  // namespace

// What the clock wants to know of an access.
void MemoryUnit::note_outcome(const DecodedInsn& d, LaneMask active, const MemoryAccess& x) {
  if (d.space == AddressSpace::Shared) {
    outcome_.note_shared(active, x.address, x.size_bytes(), d.lift == Lift::Atomic || d.lift == Lift::Mbarrier);
    return;
  }
  addresses_.clear();
  const bool local = d.space == AddressSpace::Local;
  for_each_lane(active, [&](unsigned l) {
    addresses_.push_back(local ? interleaved_address(x.warp->order, l, state_.code.lanes, x.address[l]) : x.address[l]);
  });
  if (d.lift == Lift::Atomic) outcome_.note_atomic(addresses_);
  outcome_.address = addresses_;
  outcome_.stores = d.lift == Lift::Store;
}

// ---- what moves

void MemoryUnit::load(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x) const {
  for (unsigned k = 0; k < x.elements; ++k) {
    const std::uint32_t dst = row_of(d, d.dst, k);
    with_size(x.element_bytes, [&](auto size) {
      const unsigned behind = k * size;
      for_lanes(active, [&](unsigned l) { x.value[k][l] = load_element<size>(x.at[l] + behind); });
      if (dst == kNoOffset) return;
      for_lanes(active, [&](unsigned l) { write_row(warp, dst, size == 8, l, in_register(d.type, x.value[k][l])); });
    });
  }
}

// Of several stores to one address the last lane's stays.
void MemoryUnit::store(const Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x) {
  if (draws_.is_fuzzed()) order_lanes(active, x);
  for (unsigned k = 0; k < x.elements; ++k) {
    const std::uint32_t src = row_of(d, d.a, k);
    with_size(x.element_bytes, [&](auto size) {
      const unsigned behind = k * size;
      for_lanes(active, [&](unsigned l) { x.value[k][l] = read_row(warp, src, size == 8, l); });
      for_each_turn(active, x, [&](unsigned l) { store_element<size>(x.at[l] + behind, x.value[k][l]); });
    });
  }
}

// Lane by lane: each sees what the one before has left.
void MemoryUnit::change(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x) {
  if (draws_.is_fuzzed()) order_lanes(active, x);
  const bool wide = is_wide(d);
  for_each_turn(active, x, [&](unsigned l) {
    const std::uint64_t a = read_row(warp, d.a, wide, l), b = d.b == kNoOffset ? 0 : read_row(warp, d.b, wide, l);
    const auto changed = [&](std::uint64_t from) { return atomic_of(d.op, {d.type, from, a, b}); };
    if (state_.pool != nullptr) {
      x.value[0][l] = wide ? change_atomically<std::uint64_t>(x.at[l], changed)
                           : change_atomically<std::uint32_t>(x.at[l], changed);
      return;
    }
    x.value[0][l] = load_bits(x.at[l], x.element_bytes);
    x.stored[l] = changed(x.value[0][l]);
    store_bits(x.at[l], x.stored[l], x.element_bytes);
  });
  if (d.dst == kNoOffset) return;
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, wide, l, in_register(d.type, x.value[0][l])); });
}

// Lane by lane, as atomics are. An arrival that the phase does not lack, or at what is no barrier, stops the run.
void MemoryUnit::mbarrier(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x) {
  const AccessKind access = access_of(info(d.op));
  const bool by_state = info(d.op).form == Form::MbarTest || info(d.op).form == Form::MbarTry;
  if (draws_.is_fuzzed()) order_lanes(active, x);
  LaneMask complete = 0;
  for_each_turn(active, x, [&](unsigned l) {
    if (!state_.result.ok) return;
    const std::uint64_t operand = d.a == kNoOffset ? 1 : read_row(warp, d.a, by_state, l);
    const std::uint64_t word = load_bits(x.at[l], 8), next = mbarrier_of(d.op, word, operand);
    x.value[0][l] = word;
    if (access == AccessKind::Load) {
      complete |= next != 0 ? lane_bit(l) : 0;
      return;
    }
    const std::uint64_t missing = kernels::MbarrierWord::of(word).missing;
    if (access == AccessKind::Atomic && (operand == 0 || operand > missing))
      return trap_mbarrier(state_, warp, d, l, operand, missing, x);
    x.stored[l] = next;
    if (access == AccessKind::Store) x.value[0][l] = next;
    store_bits(x.at[l], next, 8);
  });
  if (!state_.result.ok) return;
  if (access == AccessKind::Load) {
    write_word(warp, d.dst, active, complete);
    x.complete = complete;
  } else if (d.dst != kNoOffset) {
    for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, true, l, x.value[0][l]); });
  }
}

// Of a copy's source: all of its bytes, or where the instruction says so only the first ones, or none.
bool MemoryUnit::resolve_source(Warp& warp, const DecodedInsn& d, LaneMask active, CopiedFrom& from) {
  const DecodedInsn& source = state_.code.copy_sources[static_cast<std::size_t>(d.source)];
  const unsigned element = static_cast<unsigned>(bytes(source.type)), size = element * source.elements;
  MemoryAccess& x = from.access;
  form_addresses(warp, source, x);
  for_each_lane(active, [&](unsigned l) {
    from.bytes[l] = static_cast<std::uint8_t>(
        d.b == kNoOffset ? size : std::min<std::uint64_t>(read_row(warp, d.b, false, l), size));
    from.lanes |= from.bytes[l] != 0 ? lane_bit(l) : 0;
  });
  for (LaneMask left = from.lanes; left != 0;) {
    const unsigned reads = from.bytes[first_lane(left)];
    LaneMask alike = 0;
    for_each_lane(left, [&](unsigned l) { alike |= from.bytes[l] == reads ? lane_bit(l) : 0; });
    left &= ~alike;
    x.element_bytes = reads % element == 0 ? element : 1;
    x.elements = reads / x.element_bytes;
    if (!find_bytes(warp, source, alike, x, size)) return false;
  }
  return true;
}

void MemoryUnit::copy(LaneMask active, MemoryAccess& x, const CopiedFrom& from) {
  if (draws_.is_fuzzed()) order_lanes(active, x);
  for_each_turn(active, x, [&](unsigned l) {
    std::array<std::byte, 16> moved{};
    std::copy_n(from.access.at[l], from.bytes[l], moved.data());
    std::copy_n(moved.data(), x.size_bytes(), x.at[l]);
    for (unsigned k = 0; k < x.elements; ++k)
      x.value[k][l] = load_bits(moved.data() + std::size_t{k} * x.element_bytes, x.element_bytes);
  });
}

// The clock sees what is read: how long it takes, and until when who waits for it waits.
void MemoryUnit::note_copied(LaneMask active, const CopiedFrom& from) {
  addresses_.clear();
  for_each_lane(active & from.lanes, [&](unsigned l) { addresses_.push_back(from.access.address[l]); });
  outcome_.address = addresses_;
}

class MemoryUnit::AccessNames final : public ElementNames {
 public:
  AccessNames(MemoryUnit& unit, const DecodedInsn& d, LaneMask active, MemoryAccess& x)
      : ElementNames(x.object_of, x.index, false), unit_(unit), d_(d), active_(active), x_(x) {}

 private:
  void find() override { unit_.name_elements(d_, active_, x_); }

  MemoryUnit& unit_;
  const DecodedInsn& d_;
  LaneMask active_;
  MemoryAccess& x_;
};

template <class Observer>
void MemoryUnit::execute_copy(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  MemoryAccess x;
  CopiedFrom from;
  if (!resolve_source(warp, d, active, from)) return;
  form_addresses(warp, d, x);
  if (!resolve_addresses(warp, d, active, x)) return;
  if (state_.config.timing) {
    note_outcome(d, active, x);
    note_copied(active, from);
  }
  copy(active, x, from);
  if constexpr (Observer::kActive) {
    const DecodedInsn& source = state_.code.copy_sources[static_cast<std::size_t>(d.source)];
    AccessNames names(*this, source, from.lanes, from.access);
    const CopySource told{from.lanes, from.access.address, &names, from.bytes};
    report(d, active, x, observer, &told);
  }
}

// Where several lanes touch one address, PTX leaves open which comes when.
void MemoryUnit::order_lanes(LaneMask active, MemoryAccess& x) {
  unsigned count = 0;
  bool shared = false;
  for_each_lane(active, [&](unsigned l) {
    for (unsigned k = 0; k < count; ++k) shared = shared || x.address[x.order[k]] == x.address[l];
    x.order[count++] = static_cast<std::uint8_t>(l);
  });
  x.is_reordered = shared;
  if (!shared) return;
  for (unsigned k = count; k > 1; --k) std::swap(x.order[k - 1], x.order[draws_.below(k)]);
}

bool MemoryUnit::move(Warp& warp, const DecodedInsn& d, LaneMask active) {
  if (active == 0) return true;
  QuickAccess to;
  if (!reach(warp, d, active, to)) return false;
  if (state_.pool != nullptr) move_shared(warp, d, active, to);
  else d.access.move(warp.registers, d, to.first, to.span, to.address, active);
  return true;
}

// Where other threads access the memory, too: an element of a lane is one access of the host's, in no order with
// theirs.
void MemoryUnit::move_shared(Warp& warp, const DecodedInsn& d, LaneMask active, const QuickAccess& to) {
  const bool is_load = d.lift == Lift::Load;
  for (unsigned k = 0; k < std::max<unsigned>(d.elements, 1); ++k) {
    const std::uint32_t row = row_of(d, is_load ? d.dst : d.a, k);
    if (row == kNoOffset) continue;
    with_size(static_cast<unsigned>(bytes(d.type)), [&](auto size) {
      for_lanes(active, [&](unsigned l) {
        std::byte* const at = to.first + (to.address[l] - to.span.first) + k * size;
        if (is_load) write_row(warp, row, size == 8, l, in_register(d.type, load_shared<size>(at)));
        else store_shared<size>(at, read_row(warp, row, size == 8, l));
      });
    });
  }
}

bool MemoryUnit::change_alone(Warp& warp, const DecodedInsn& d, LaneMask active) {
  if (active == 0) return true;
  if (d.access.span == nullptr) return false;
  QuickAccess to;
  if (!reach(warp, d, active, to)) return false;
  change_found(warp, d, active, to);
  return true;
}

void MemoryUnit::change_found(Warp& warp, const DecodedInsn& d, LaneMask active, const QuickAccess& to) {
  const bool is_shared = d.space == AddressSpace::Generic && to.space == AddressSpace::Shared;
  change_lanes(warp.registers, d, is_shared ? d.shared_op : d.op, to.first, to.span.first, to.address, active,
               state_.pool != nullptr && to.space != AddressSpace::Shared);
}

// What an access wrote to registers, or read of them, as events have it.
void MemoryUnit::tell_values(const Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t* values) const {
  const unsigned size = static_cast<unsigned>(bytes(d.type));
  const std::uint64_t loaded =
      d.lift == Lift::Store || size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
  for (unsigned k = 0; k < std::max<unsigned>(d.elements, 1); ++k, values += kMaxLanes) {
    const std::uint32_t at = row_of(d, d.lift == Lift::Load ? d.dst : d.a, k);
    for_lanes(active, [&](unsigned l) { values[l] = read_row(warp, at, size == 8, l) & loaded; });
  }
}

// The same, from an access whose lanes' elements nobody has formed yet.
class MemoryUnit::QuickNames final : public ElementNames {
 public:
  QuickNames(MemoryUnit& unit, const Warp& warp, const DecodedInsn& d, LaneMask active, const QuickAccess& quick)
      : ElementNames(object_of_, index_, false), unit_(unit), warp_(warp), d_(d), active_(active), quick_(quick) {}

 private:
  void find() override {
    DecodedInsn in_space = d_;
    in_space.space = quick_.space;
    MemoryAccess x;
    x.warp = &warp_;
    for_each_lane(active_, [&](unsigned l) {
      x.address[l] = quick_.address[l];
      x.at[l] = quick_.first;
      x.index[l] = 0;
    });
    unit_.name_elements(in_space, active_, x);
    for_each_lane(active_, [&](unsigned l) {
      object_of_[l] = x.object_of[l];
      index_[l] = x.index[l];
    });
  }

  MemoryUnit& unit_;
  const Warp& warp_;
  const DecodedInsn& d_;
  LaneMask active_;
  const QuickAccess& quick_;
  std::int32_t object_of_[kMaxLanes];
  std::int64_t index_[kMaxLanes];
};

bool MemoryUnit::finds(Warp& warp, const DecodedInsn& d, LaneMask active, QuickAccess& quick) {
  const auto goes_nowhere = [&] {
    for (unsigned k = 0; k < std::max<unsigned>(d.elements, 1); ++k)
      if (row_of(d, d.dst, k) == kNoOffset) return true;
    return false;
  };
  const bool may = d.lift == Lift::Atomic ? d.access.span != nullptr : d.access.move != nullptr;
  return may && d.object < 0 && active != 0 && !(d.lift == Lift::Load && goes_nowhere()) &&
         reach(warp, d, active, quick);
}

// Of a load `values` is what it finds, or nobody asks.
MemoryEvent MemoryUnit::event_of(const DecodedInsn& d, LaneMask active, const QuickAccess& quick, ElementNames& names,
                                 const std::uint64_t* values) const {
  const unsigned size = static_cast<unsigned>(bytes(d.type)), elements = std::max<unsigned>(d.elements, 1);
  const std::uint64_t all = std::uint64_t{size} * elements;
  const bool are_all = active == full_mask(state_.code.width);
  return {quick.space,
          kind_of(d),
          size,
          elements,
          active,
          quick.address,
          &names,
          values,
          nullptr,
          nullptr,
          are_all ? quick.span.has_step && quick.span.step == all : are_neighbours(active, quick.address, all),
          quick.span.first == quick.span.last,
          are_all && quick.span.has_step && quick.span.step != 0};
}

// From here on addresses are in their space.
static void leave_window(QuickAccess& quick) {
  if (quick.window == 0) return;
  for (std::uint64_t& one : quick.address) one -= quick.window;
  quick.span.first -= quick.window;
  quick.span.last -= quick.window;
  quick.window = 0;
}

bool MemoryUnit::move_heard(Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle, QuickAccess& quick,
                            EventSink& sink) {
  leave_window(quick);
  std::uint64_t values[4 * kMaxLanes];
  if (d.lift == Lift::Store) tell_values(warp, d, active, values);
  QuickNames names(*this, warp, d, active, quick);
  const MemoryEvent event = event_of(d, active, quick, names, d.lift == Lift::Store ? values : kNoValues);
  if (!sink.hears_at_once({cycle, warp.block, warp.index, d.pc}, event)) return false;
  if (d.lift == Lift::Atomic) change_found(warp, d, active, quick);
  else d.access.move(warp.registers, d, quick.first, quick.span, quick.address, active);
  return true;
}

// Whether it is a range that has been heard.
bool MemoryUnit::is_heard_as_range(const Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle,
                                   const QuickAccess& quick) {
  const LaneSpan& span = quick.span;
  const bool is_one_address = span.first == span.last;
  if (!d.is_easily_heard || d.lift == Lift::Atomic || d.elements != 0 || bits(d.type) < 32 ||
      active != full_mask(state_.code.lanes) ||
      (quick.space != AddressSpace::Global && quick.space != AddressSpace::Shared) ||
      (!is_one_address && (!span.has_step || span.step != static_cast<std::uint64_t>(bytes(d.type)))))
    return false;
  return hears_range(warp, d, quick.space, span.first - quick.window, is_one_address, cycle);
}

bool MemoryUnit::access_heard(Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle) {
  if (cycle == not_heard_ || listener_ == nullptr) return false;
  QuickAccess quick;
  if (finds(warp, d, active, quick)) {
    if (is_heard_as_range(warp, d, active, cycle, quick)) {
      d.access.move(warp.registers, d, quick.first, quick.span, quick.address, active);
      return true;
    }
    if (move_heard(warp, d, active, cycle, quick, *listener_)) return true;
  }
  not_heard_ = cycle;
  return false;
}

void MemoryUnit::report_change(const DecodedInsn& d, LaneMask active, const std::uint64_t* address,
                               const SinkObserver& observer) {
  const std::uint32_t size = static_cast<std::uint32_t>(bytes(d.type)) * std::max<std::uint32_t>(d.elements, 1);
  observer.report(&EventSink::on_change, ChangeEvent{active, address, size});
}

void MemoryUnit::move_watched(Warp& warp, const DecodedInsn& d, LaneMask active, QuickAccess& quick,
                              const SinkObserver& observer) {
  leave_window(quick);
  if (d.lift == Lift::Store && quick.space == AddressSpace::Global) report_change(d, active, quick.address, observer);
  d.access.move(warp.registers, d, quick.first, quick.span, quick.address, active);
  std::uint64_t values[4 * kMaxLanes];
  tell_values(warp, d, active, values);
  QuickNames names(*this, warp, d, active, quick);
  observer.report(&EventSink::on_memory, event_of(d, active, quick, names, values));
}

template <class Observer>
void MemoryUnit::execute(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  if (d.lift == Lift::Copy) return execute_copy(warp, d, active, observer);
  MemoryAccess x;
  form_addresses(warp, d, x);
  if (d.space == AddressSpace::Generic) execute_generic(warp, d, active, x, observer);
  else execute_in(warp, d, active, x, observer);
}

// The lanes by their spaces, mostly all in one. Those of one space are an access to it.
template <class Observer>
void MemoryUnit::execute_generic(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x,
                                 const Observer& observer) {
  for (LaneMask left = active; left != 0 && state_.result.ok;) {
    DecodedInsn part = d;
    const LaneMask lanes = in_one_space(left, x, part.space);
    for_each_lane(lanes, [&](unsigned l) { x.address[l] -= window_of(part.space); });
    if (part.space == AddressSpace::Shared && d.lift == Lift::Atomic) part.op = d.shared_op;
    execute_in(warp, part, lanes, x, observer);
    left &= ~lanes;
  }
}

template <class Observer>
void MemoryUnit::execute_in(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x,
                            const Observer& observer) {
  if (!resolve_addresses(warp, d, active, x)) return;
  if (state_.config.timing) note_outcome(d, active, x);
  if constexpr (Observer::kActive)
    if (d.lift != Lift::Load && d.space == AddressSpace::Global) report_change(d, active, x.address, observer);
  if (d.lift == Lift::Load) load(warp, d, active, x);
  else if (d.lift == Lift::Store) store(warp, d, active, x);
  else if (d.lift == Lift::Mbarrier) mbarrier(warp, d, active, x);
  else change(warp, d, active, x);
  if (!state_.result.ok) return;
  if constexpr (Observer::kActive) report(d, active, x, observer);
}

void MemoryUnit::report(const DecodedInsn& d, LaneMask active, MemoryAccess& x, const SinkObserver& observer,
                        const CopySource* source) {
  if (active == 0) return;
  AccessNames names(*this, d, active, x);
  using Kind = MemoryEvent::Access;
  const AccessKind kind = d.lift == Lift::Load    ? AccessKind::Load
                          : d.lift == Lift::Store ? AccessKind::Store
                                                  : access_of(info(d.op));
  const Kind access = kind == AccessKind::Load ? Kind::Load : kind == AccessKind::Store ? Kind::Store : Kind::Atomic;
  const bool is_atomic = access == Kind::Atomic;
  observer.report(&EventSink::on_memory,
                  MemoryEvent{d.space, access, x.element_bytes, x.elements, active, x.address, &names, x.value[0],
                              is_atomic ? x.stored : nullptr, x.is_reordered ? x.order : nullptr,
                              are_neighbours(active, x.address, x.size_bytes()), false, false, x.complete, source});
}

template void MemoryUnit::execute(Warp&, const DecodedInsn&, LaneMask, const NullObserver&);
template void MemoryUnit::execute(Warp&, const DecodedInsn&, LaneMask, const SinkObserver&);

}  // namespace warpsim
