// The table turned into lane loops, for the instruction set that the including file is compiled for.
//
// Shapes: one switch over the rows, generated from the table; each case instantiates its lift for the row's types.
// Errors: none at run time; see lift.h.
#pragma once

#include <type_traits>

#include "sim/code/lane_access.h"
#include "sim/code/lane_ops.h"
#include "sim/code/lift.h"

// Kernel names of rows whose lift is not a loop over lanes; only the names are needed here.
namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim::lane_ops_detail {

struct Baseline;
struct Avx2;
struct Avx512;

inline bool needs_exact(Mods m) {
  return m.ftz || m.sat || m.nan || m.xorsign || m.boolean != BoolOp::None ||
         !(m.round == Round::None || m.round == Round::Rn);
}

// Moves and selections carry bits, whatever their type.
template <class K, class T>
using LaneType = std::conditional_t<std::is_same_v<K, kernels::Copy> || std::is_same_v<K, kernels::Select>,
                                    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>, T>;

template <class Host, unsigned W, Form F, ModSet M, Lift L, class K, class T>
LaneOp typed_op(Mods mods) {
  if constexpr (L == Lift::Compare) {
    using Plain = lift::CompareLift<Host, K, T, W, false>;
    if (needs_exact(mods)) {
      using Exact = lift::CompareLift<Baseline, K, T, W, true>;
      if constexpr (std::is_same_v<Host, Baseline>) return {lift::kWhole<Exact::full>, Exact::masked};
    }
    return {lift::kWhole<Plain::full>, Plain::masked};
  } else {
    using U = LaneType<K, T>;
    using Plain = lift::LaneLift<Host, K, F, U, W, false>;
    if constexpr (M != kNoMods && std::is_floating_point_v<T>) {
      if (needs_exact(mods)) {
        if constexpr (std::is_same_v<Host, Baseline>) {
          using Exact = lift::LaneLift<Baseline, K, F, U, W, true>;
          return {lift::kWhole<Exact::full>, Exact::masked};
        }
      }
    }
    return {lift::kWhole<Plain::full>, Plain::masked};
  }
}

template <class K>
concept KernelOnWords = requires(HostWords a) {
  K::template on_words<true>(a, a);
};

template <class Host, unsigned W, Form F, TypeSet Types, ModSet M, Lift L, class K>
LaneOp row_op(Type type, Mods mods) {
  if constexpr (L == Lift::Lane && F == Form::DAcvt) {
    if constexpr (std::is_same_v<Host, Baseline>)
      return {lift::kWhole<lift::ConvertLift<W>::full>, lift::ConvertLift<W>::masked};
  } else if constexpr (KernelOnWords<K>) {
    using Flushing = lift::WordLift<Host, K, F, W, true>;
    using Keeping = lift::WordLift<Host, K, F, W, false>;
    if (mods.ftz) return {lift::kWhole<Flushing::full>, Flushing::masked};
    return {lift::kWhole<Keeping::full>, Keeping::masked};
  } else if constexpr (L == Lift::Lane || L == Lift::Compare) {
    if constexpr (contains(Types, Type::Pred) && F != Form::DABP) {
      if (type == Type::Pred)
        return {lift::kWhole<lift::PredicateLift<Host, K, F>::full>, lift::PredicateLift<Host, K, F>::masked};
    }
    switch (type) {
      case Type::B16:
      case Type::U16:
      case Type::S16:
      case Type::F16:
      case Type::BF16:
      case Type::F16X2:
      case Type::BF16X2:
        if constexpr (contains(Types, Type::B16)) return typed_op<Host, W, F, M, L, K, std::uint32_t>(mods);
        break;
      case Type::B32:
        if constexpr (contains(Types, Type::B32)) return typed_op<Host, W, F, M, L, K, std::uint32_t>(mods);
        break;
      case Type::U32:
        if constexpr (contains(Types, Type::U32)) return typed_op<Host, W, F, M, L, K, std::uint32_t>(mods);
        break;
      case Type::S32:
        if constexpr (contains(Types, Type::S32)) return typed_op<Host, W, F, M, L, K, std::int32_t>(mods);
        break;
      case Type::F32:
        if constexpr (contains(Types, Type::F32)) return typed_op<Host, W, F, M, L, K, float>(mods);
        break;
      case Type::B64:
        if constexpr (contains(Types, Type::B64)) return typed_op<Host, W, F, M, L, K, std::uint64_t>(mods);
        break;
      case Type::U64:
        if constexpr (contains(Types, Type::U64)) return typed_op<Host, W, F, M, L, K, std::uint64_t>(mods);
        break;
      case Type::S64:
        if constexpr (contains(Types, Type::S64)) return typed_op<Host, W, F, M, L, K, std::int64_t>(mods);
        break;
      case Type::F64:
        if constexpr (contains(Types, Type::F64)) return typed_op<Host, W, F, M, L, K, double>(mods);
        break;
      default: break;
    }
  }
  return {};
}

template <class Host, unsigned W>
LaneOp select(Op op, Type type, Mods mods) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mod_set, lift_kind, kernel, ...) \
  case Op::Name:                                                           \
    return row_op<Host, W, Form::form, (types), (mod_set), Lift::lift_kind, kernels::kernel>(type, mods);
#include "isa/table/instructions.def"
#undef INSN
  }
  return {};
}

template <class Host>
struct Table {
  static LaneOp lane_op(Op op, Type type, Mods mods, unsigned width) {
    if (info(op).lift == Lift::Bits) {
      const LaneOp on_words = select_of_width(op, type, mods, width);
      return on_words.masked != nullptr ? on_words : bits_op(width);
    }
    // What is exact rather than fast exists once, in the baseline's copy.
    if constexpr (!std::is_same_v<Host, Baseline>) {
      if (needs_exact(mods) || info(op).form == Form::DAcvt) return lane_ops_baseline().lane_op(op, type, mods, width);
    }
    return select_of_width(op, type, mods, width);
  }
  static LaneOp select_of_width(Op op, Type type, Mods mods, unsigned width) {
    return width == 64 ? select<Host, 64>(op, type, mods) : select<Host, 32>(op, type, mods);
  }
  static WholeOp shuffle_constant(Type type, unsigned width) {
    if (bits(type) == 64) {
      return width == 64 ? lift::kWhole<lift::ShuffleLift<Host, std::uint64_t, 64>::constant>
                         : lift::kWhole<lift::ShuffleLift<Host, std::uint64_t, 32>::constant>;
    }
    return width == 64 ? lift::kWhole<lift::ShuffleLift<Host, std::uint32_t, 64>::constant>
                       : lift::kWhole<lift::ShuffleLift<Host, std::uint32_t, 32>::constant>;
  }
  template <class T, unsigned W>
  static WholeOp variable(ShuffleMode mode) {
    using S = lift::ShuffleLift<Host, T, W>;
    switch (mode) {
      case ShuffleMode::Idx: return lift::kWhole<S::template variable<ShuffleMode::Idx>>;
      case ShuffleMode::Up: return lift::kWhole<S::template variable<ShuffleMode::Up>>;
      case ShuffleMode::Down: return lift::kWhole<S::template variable<ShuffleMode::Down>>;
      case ShuffleMode::Bfly: return lift::kWhole<S::template variable<ShuffleMode::Bfly>>;
    }
    return {};
  }
  static WholeOp shuffle_variable(ShuffleMode mode, Type type, unsigned width) {
    if (bits(type) == 64) return width == 64 ? variable<std::uint64_t, 64>(mode) : variable<std::uint64_t, 32>(mode);
    return width == 64 ? variable<std::uint32_t, 64>(mode) : variable<std::uint32_t, 32>(mode);
  }
  template <unsigned W, class M>
  static AccessOp access_of(Lift lift) {
    using A = lift::AccessLift<Host, W>;
    return {A::span, lift == Lift::Store ? MoveFn{A::template store<M>} : MoveFn{load<W, M>}};
  }
  template <unsigned W, class M>
  static void load(std::byte* r, const DecodedInsn& d, std::byte* bytes, const LaneSpan& span,
                   const std::uint64_t* address, LaneMask lanes) {
    lift::AccessLift<Host, W>::template load<M>(r, d, bytes, span, address, lanes);
  }
  template <unsigned W>
  static AccessOp access_in(Lift lift, Type type) {
    switch (bits(type)) {
      case 8: return type == Type::S8 ? access_of<W, std::int8_t>(lift) : access_of<W, std::uint8_t>(lift);
      case 16: return access_of<W, std::uint16_t>(lift);
      case 32: return access_of<W, std::uint32_t>(lift);
      case 64: return access_of<W, std::uint64_t>(lift);
      default: return {};
    }
  }
  static AccessOp access(Lift lift, Type type, unsigned width) {
    return width == 64 ? access_in<64>(lift, type) : access_in<32>(lift, type);
  }
  static const LaneOps& ops(std::string_view host_isa) {
    static const LaneOps kOps{host_isa, lane_op, shuffle_constant, shuffle_variable, access};
    return kOps;
  }
};

}  // namespace warpsim::lane_ops_detail
