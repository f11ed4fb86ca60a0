#include "sim/code/collective.h"

#include <type_traits>

#include "isa/kernels/kernels.h"
#include "isa/text/check.h"
#include "sim/code/shuffle_network.h"

namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
T from_word(std::uint64_t w) {
  return __builtin_bit_cast(T, static_cast<BitsOf<T>>(w));
}
template <class T>
std::uint64_t to_word(T v) {
  return __builtin_bit_cast(BitsOf<T>, v);
}

template <class K, class T>
std::uint64_t combine(std::uint64_t own, std::uint64_t received) {
  return to_word<T>(K::template of<T>(from_word<T>(own), from_word<T>(received)));
}

// One row's functions for one type; a row without an identity (and, or, xor) has only `combine`.
struct Pair {
  Combine combine = nullptr;
  std::uint64_t identity = 0;
};

template <class K, class T>
Pair pair() {
  if constexpr (requires { K::template identity<T>(); }) return {combine<K, T>, to_word<T>(K::template identity<T>())};
  else return {combine<K, T>, 0};
}

template <TypeSet Types, Lift L, class K>
Pair row_pair(Type type) {
  if constexpr (L == Lift::Reduce || L == Lift::Scan || L == Lift::Redux) {
    if constexpr (contains(Types, Type::U32)) {
      switch (type) {
        case Type::U32: return pair<K, std::uint32_t>();
        case Type::S32: return pair<K, std::int32_t>();
        case Type::U64: return pair<K, std::uint64_t>();
        case Type::S64: return pair<K, std::int64_t>();
        case Type::F32: return pair<K, float>();
        case Type::F64: return pair<K, double>();
        default: break;
      }
    } else {
      return bits(type) == 64 ? pair<K, std::uint64_t>() : pair<K, std::uint32_t>();
    }
  }
  return {};
}

Pair pair_of(Op op, Type type) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return row_pair<(types), Lift::lift, kernels::kernel>(type);
#include "isa/table/instructions.def"
#undef INSN
  }
  return {};
}

// One shuffle of the expansion: every lane of `alive` combines what it receives, where it is in range.
void shuffle_step(ShuffleMode mode, unsigned offset, unsigned lanes, LaneMask alive, Combine op, CollectiveResult& r) {
  const CollectiveResult before = r;
  for_each_lane(alive, [&](unsigned lane) {
    const ShuffleSource s =
        shuffle_source(mode, lane, offset, shuffle_clamp(mode, lanes, lanes), lane_index_mask(lanes));
    if (mode == ShuffleMode::Up && !s.in_range) return;
    const bool there = has_lane(alive, s.lane);
    r.value[lane] = op(before.value[lane], there ? before.value[s.lane] : 0);
    if (!there || has_lane(before.undefined, s.lane)) r.undefined |= lane_bit(lane);
  });
}

CollectiveResult start(LaneMask alive, const std::uint64_t* a) {
  CollectiveResult r{};
  for_each_lane(alive, [&](unsigned lane) { r.value[lane] = a[lane]; });
  return r;
}

}  // namespace

Combine combine_of(Op op, Type type) { return pair_of(op, type).combine; }
std::uint64_t identity_of(Op op, Type type) { return pair_of(op, type).identity; }

CollectiveResult reduce_lanes(Op op, Type type, unsigned lanes, LaneMask alive, const std::uint64_t* a) {
  CollectiveResult r = start(alive, a);
  const Combine f = combine_of(op, type);
  WARPSIM_CHECK(f != nullptr);
  for (unsigned offset = lanes / 2; offset > 0; offset /= 2)
    shuffle_step(ShuffleMode::Bfly, offset, lanes, alive, f, r);
  return r;
}

CollectiveResult scan_lanes(Op op, Type type, bool exclusive, unsigned lanes, LaneMask alive, const std::uint64_t* a) {
  CollectiveResult r = start(alive, a);
  const Combine f = combine_of(op, type);
  WARPSIM_CHECK(f != nullptr);
  for (unsigned offset = 1; offset < lanes; offset *= 2) shuffle_step(ShuffleMode::Up, offset, lanes, alive, f, r);
  if (!exclusive) return r;
  const CollectiveResult inclusive = r;
  for_each_lane(alive, [&](unsigned lane) {
    if (lane == 0) {
      r.value[0] = identity_of(op, type);
      return;
    }
    const bool there = has_lane(alive, lane - 1);
    r.value[lane] = there ? inclusive.value[lane - 1] : 0;
    if (!there || has_lane(inclusive.undefined, lane - 1)) r.undefined |= lane_bit(lane);
    else r.undefined &= ~lane_bit(lane);
  });
  return r;
}

}  // namespace warpsim
