// How a scalar kernel acts on a warp: the lifts that are loops over lanes.
//
// Shapes: LaneLift and CompareLift make, from a kernel, a form and a type, a function over all lanes (`full`) and one
//         over a set of them (`masked`). Loops have a compile-time trip count W, so that the compiler vectorises them.
//         each_warp makes of a `full` what executes one instruction of several warps, one after the other.
// Units:  operands are offsets into the warp's register block.
// Errors: a kernel that does not fit its row's form or types fails the build here. The parameter Host names the
//         instruction set that the file is compiled for, so that one binary can hold several copies.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "isa/kernels/kernels.h"
#include "isa/table/op.h"
#include "sim/code/decode.h"
#include "sim/code/host_vector.h"
#include "sim/code/register_file.h"
#include "sim/code/word_vector.h"

namespace warpsim::lift {

// Calls f(l) for every lane; iterations are independent even where rows coincide.
template <unsigned W, class F>
[[gnu::always_inline]] inline void each_lane(F f) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (unsigned l = 0; l < W; ++l) f(l);
}

// A row of registers that an instruction stores is what the next one loads, and the host waits for it on its path
// through memory. Warps have nothing to do with each other, so with several of them the waits overlap.
template <FullFn Full>
void each_warp(RegisterBlocks warps, const DecodedInsn& insn) {
  const DecodedInsn i = insn;  // rows cannot overlap this copy: its offsets are read once, not once a warp
  for (std::byte* const r : warps) Full(r, i);
}
template <FullFn Full>
inline constexpr WholeOp kWhole = {Full, each_warp<Full>};

template <class T>
struct Wider {
  using type = T;
};
template <>
struct Wider<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct Wider<std::int32_t> {
  using type = std::int64_t;
};

// The types of a form's destination and sources, T being the instruction's own.
template <Form F, class T>
struct Shape {
  static constexpr bool kWide = F == Form::WAB || F == Form::WABC;
  using D = std::conditional_t<kWide, typename Wider<T>::type, std::conditional_t<F == Form::CountA, std::uint32_t, T>>;
  using A = T;
  using B = std::conditional_t<F == Form::DAS, std::uint32_t, T>;
  using C = std::conditional_t<F == Form::WABC, typename Wider<T>::type, T>;
  static constexpr int kSources = F == Form::DA || F == Form::CountA ? 1 : F == Form::DABC || F == Form::WABC ? 3 : 2;
};

// Mods is passed on only where Exact: the plain kernels are what the compiler can vectorise.
template <class Host, class K, Form F, class T, unsigned W, bool Exact>
struct LaneLift {
  using S = Shape<F, T>;
  using D = typename S::D;

  struct Rows {
    Aliased<D>* d;
    const Aliased<typename S::A>* a;
    const Aliased<typename S::B>* b;
    const Aliased<typename S::C>* c;
    LaneMask p;
    Mods mods;
  };
  [[gnu::always_inline]] static Rows rows(std::byte* r, const DecodedInsn& i) {
    Rows rows{row<D>(r, i.dst), row<typename S::A>(r, i.a), nullptr, nullptr, 0, i.mods};
    if constexpr (S::kSources > 1) rows.b = row<typename S::B>(r, i.b);
    if constexpr (S::kSources > 2) rows.c = row<typename S::C>(r, i.c);
    if constexpr (F == Form::DABP) rows.p = word(static_cast<const std::byte*>(r), i.p) ^ i.p_flip;
    return rows;
  }
  [[gnu::always_inline]] static D value(const Rows& r, unsigned l) {
    if constexpr (F == Form::DABP) return K::template of<T>(r.a[l], r.b[l], has_lane(r.p, l));
    else if constexpr (Exact && S::kSources == 1) return K::template of<T>(r.a[l], r.mods);
    else if constexpr (Exact && S::kSources == 2) return K::template of<T>(r.a[l], r.b[l], r.mods);
    else if constexpr (Exact) return K::template of<T>(r.a[l], r.b[l], r.c[l], r.mods);
    else if constexpr (S::kSources == 1) return K::template of<T>(r.a[l]);
    else if constexpr (S::kSources == 2) return K::template of<T>(r.a[l], r.b[l]);
    else return K::template of<T>(r.a[l], r.b[l], r.c[l]);
  }
  static void full(std::byte* r, const DecodedInsn& i) {
    const Rows o = rows(r, i);
    each_lane<W>([&](unsigned l) __attribute__((always_inline)) { o.d[l] = value(o, l); });
  }
  static void masked(std::byte* r, const DecodedInsn& i, LaneMask lanes) {
    const Rows o = rows(r, i);
    for (unsigned l = 0; l < W; ++l) {
      if (has_lane(lanes, l)) o.d[l] = value(o, l);
    }
  }
};

// A kernel on words side by side (sim/code/word_vector.h). Lanes that do not act are computed with the others.
template <class Host, class K, Form F, unsigned W, bool Ftz>
struct WordLift {
  [[gnu::always_inline]] static HostWords words(const std::byte* r, std::uint32_t offset, unsigned l) {
    HostWords value;
    std::memcpy(&value, r + offset + l * sizeof(std::uint32_t), sizeof value);
    return value;
  }
  [[gnu::always_inline]] static void store(std::byte* r, const DecodedInsn& i, unsigned l, HostWords value) {
    std::memcpy(r + i.dst + l * sizeof(std::uint32_t), &value, sizeof value);
  }
  [[gnu::always_inline]] static HostWords value(const std::byte* r, const DecodedInsn& i, unsigned l) {
    const HostWords a = words(r, i.a, l);
    if constexpr (F == Form::DAB) return K::template on_words<Ftz>(a, words(r, i.b, l));
    else return K::template on_words<Ftz>(a, HostWords{});
  }
  static void full(std::byte* r, const DecodedInsn& i) {
    for (unsigned l = 0; l < W; l += kHostWords) store(r, i, l, value(r, i, l));
  }
  static void masked(std::byte* r, const DecodedInsn& i, LaneMask lanes) {
    for (unsigned l = 0; l < W; l += kHostWords) {
      const HostWords active = words_of_lanes(lanes >> l);
      store(r, i, l, mufu::choose(active != 0U, value(r, i, l), words(r, i.dst, l)));
    }
  }
};

// Predicates: one word holds every lane, so the kernel runs once on the whole word.
template <class Host, class K, Form F>
struct PredicateLift {
  static LaneMask value(const std::byte* r, const DecodedInsn& i) {
    const LaneMask a = word(r, i.a);
    if constexpr (F == Form::DA) return K::template of<LaneMask>(a);
    else return K::template of<LaneMask>(a, word(r, i.b));
  }
  static void full(std::byte* r, const DecodedInsn& i) { word(r, i.dst) = value(r, i); }
  static void masked(std::byte* r, const DecodedInsn& i, LaneMask lanes) {
    word(r, i.dst) = (word(r, i.dst) & ~lanes) | (value(r, i) & lanes);
  }
};

// All lanes at once of the predicate that a BoolOp combines `truth` with.
inline LaneMask combined_lanes(const std::byte* r, const DecodedInsn& i, LaneMask truth) {
  switch (i.mods.boolean) {
    case BoolOp::And: return truth & (word(r, i.p) ^ i.p_flip);
    case BoolOp::Or: return truth | (word(r, i.p) ^ i.p_flip);
    case BoolOp::Xor: return truth ^ word(r, i.p) ^ i.p_flip;
    case BoolOp::None: break;
  }
  return truth;
}

// Exact is for modifiers: .ftz and the BoolOps.
template <class Host, class K, class T, unsigned W, bool Exact>
struct CompareLift {
  [[gnu::always_inline]] static LaneMask value(std::byte* r, const DecodedInsn& i) {
    const Aliased<T>* a = row<T>(r, i.a);
    const Aliased<T>* b = row<T>(r, i.b);
    alignas(64) std::uint32_t truth[W];
    if constexpr (Exact) {
      Mods mods;
      mods.ftz = i.mods.ftz;
      if (mods.ftz) each_lane<W>([&](unsigned l) { truth[l] = K::template of<T>(a[l], b[l], mods); });
      else each_lane<W>([&](unsigned l) __attribute__((always_inline)) { truth[l] = K::template of<T>(a[l], b[l]); });
    } else {
      each_lane<W>([&](unsigned l) __attribute__((always_inline)) { truth[l] = K::template of<T>(a[l], b[l]); });
    }
    return host_vector::pack<Host, W>(truth);
  }
  // Both results before either is written: operand c may be one of the destinations.
  static void full(std::byte* r, const DecodedInsn& i) {
    LaneMask truth = value(r, i), opposite = ~truth;
    if constexpr (Exact) {
      truth = combined_lanes(r, i, truth);
      opposite = combined_lanes(r, i, opposite);
    }
    word(r, i.dst) = truth;
    if (i.dst_pred != kNoOffset) word(r, i.dst_pred) = opposite;
  }
  static void masked(std::byte* r, const DecodedInsn& i, LaneMask lanes) {
    LaneMask truth = value(r, i), opposite = ~truth;
    if constexpr (Exact) {
      truth = combined_lanes(r, i, truth);
      opposite = combined_lanes(r, i, opposite);
    }
    word(r, i.dst) = (word(r, i.dst) & ~lanes) | (truth & lanes);
    if (i.dst_pred != kNoOffset) word(r, i.dst_pred) = (word(r, i.dst_pred) & ~lanes) | (opposite & lanes);
  }
};

// cvt: one runtime conversion for all type pairs.
template <unsigned W>
struct ConvertLift {
  static void masked(std::byte* r, const DecodedInsn& i, LaneMask lanes) {
    const bool wide_in = bits(i.type2) == 64, wide_out = bits(i.type) == 64;
    for_each_lane(lanes & full_mask(W), [&](unsigned l) {
      const std::uint64_t in = wide_in ? row<std::uint64_t>(r, i.a)[l] : row<std::uint32_t>(r, i.a)[l];
      const std::uint64_t out = in_register(i.type, kernels::Convert::of(in, i.type, i.type2, i.mods));
      if (wide_out) row<std::uint64_t>(r, i.dst)[l] = out;
      else row<std::uint32_t>(r, i.dst)[l] = static_cast<std::uint32_t>(out);
    });
  }
  static void full(std::byte* r, const DecodedInsn& i) { masked(r, i, ~LaneMask{0}); }
};

// Shuffles that every lane of a complete warp executes. Constant operands: the source lanes are a row made at decode.
template <class Host, class T, unsigned W>
struct ShuffleLift {
  static void constant(std::byte* r, const DecodedInsn& i) {
    host_vector::permute<Host, T, W>(row<T>(r, i.dst), row<T>(r, i.a), row<std::uint32_t>(r, i.table));
    if (i.dst_pred != kNoOffset) word(r, i.dst_pred) = i.in_range;
  }
  template <ShuffleMode M>
  static void variable(std::byte* r, const DecodedInsn& i) {
    const Aliased<std::uint32_t>* b = row<std::uint32_t>(r, i.b);
    const Aliased<std::uint32_t>* c = row<std::uint32_t>(r, i.c);
    alignas(64) std::uint32_t from[W], in_range[W];
    constexpr unsigned kIndexMask = lane_index_mask(W);
    each_lane<W>([&](unsigned l) __attribute__((always_inline)) {
      const ShuffleSource s = shuffle_source(M, l, b[l], c[l], kIndexMask);
      from[l] = s.lane;
      in_range[l] = s.in_range;
    });
    host_vector::permute<Host, T, W>(row<T>(r, i.dst), row<T>(r, i.a), from);
    if (i.dst_pred != kNoOffset) word(r, i.dst_pred) = host_vector::pack<Host, W>(in_range);
  }
};

}  // namespace warpsim::lift
