// Floats that need no fast loop: halves and pairs of them, the approximate functions, and what looks at a float's bits.
//
// Shapes: K::of(Operands) gives the bits of the result. A pair is two halves, each computed alone.
// Units:  none.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, sections 9.7.3 to 9.7.5; NaN results, .ftz and what else PTX leaves open: the H200
//         (tests/data). The approximate functions: isa/kernels/mufu.h.
#pragma once

#include <cstdint>

#include "isa/kernels/kernels_bits.h"
#include "isa/kernels/mufu.h"
#include "isa/kernels/softfloat.h"

namespace warpsim::kernels {

namespace detail {

using softfloat::Format;

// f(format, a, b, c) for a float, or for each half of a pair.
template <class F>
constexpr Bits each_float(const Operands& o, F f) {
  const Format format = softfloat::format_of(element(o.type));
  if (!is_pair(o.type)) return f(format, o.a, o.b, o.c);
  const Bits low = f(format, o.a & 0xffff, o.b & 0xffff, o.c & 0xffff);
  return low | f(format, o.a >> 16 & 0xffff, o.b >> 16 & 0xffff, o.c >> 16 & 0xffff) << 16;
}

// The smaller or the larger. A NaN loses, or wins with .NaN; -0 is below +0. With .xorsign.abs the sizes compare, and a
// number has the product's sign.
constexpr Bits extreme(Format f, Bits a, Bits b, Mods m, bool smaller) {
  using namespace softfloat;
  a = flush(f, a, m);
  b = flush(f, b, m);
  const Bits sign = m.xorsign ? (a ^ b) & f.sign() : 0;
  if (m.xorsign) {
    a = magnitude(f, a);
    b = magnitude(f, b);
  }
  const bool a_nan = softfloat::is_nan(f, a), b_nan = softfloat::is_nan(f, b);
  if (m.nan ? a_nan || b_nan : a_nan && b_nan) return default_nan(f);
  if (a_nan || b_nan) return (a_nan ? b : a) | sign;
  // As integers in sign and magnitude: -0 comes before +0.
  const bool below = is_negative(f, a) != is_negative(f, b) ? is_negative(f, a) : is_negative(f, a) ? a > b : a < b;
  return (below == smaller ? a : b) | sign;
}

// A NaN becomes what arithmetic makes of it; its sign is not touched.
template <class F>
constexpr Bits on_sign(const Operands& o, F f) {
  return each_float(o, [&](Format format, Bits a, Bits, Bits) {
    a = softfloat::flush(format, a, o.mods);
    return softfloat::is_nan(format, a) ? softfloat::nan_result(format, a) : f(format, a);
  });
}

// A function of the special unit on a half: exact to f32, cut off to 16 bits; too large becomes infinite.
template <class F>
constexpr Bits through_single(Format format, Bits x, F function) {
  using namespace softfloat;
  const Bits result = function(static_cast<mufu::Word>(float_to_float(kSingle, format, x, {})));
  if (warpsim::softfloat::is_nan(kSingle, result)) return default_nan(format);
  const Bits cut = float_to_float(format, kSingle, result, Mods{.round = Round::Rz});
  // Cut off, what is too large would be the largest number.
  const bool too_large = magnitude(kSingle, result) >= 0x47800000 && format == softfloat::kHalf;
  return too_large ? format.infinity() | format.signed_zero(is_negative(kSingle, result)) : cut;
}

}  // namespace detail

// ---- halves and pairs
struct HalfAdd {
  static constexpr std::uint64_t of(const Operands& o) {
    using namespace detail;
    return each_float(o, [&](Format f, Bits a, Bits b, Bits) { return softfloat::add(f, a, b, o.mods); });
  }
};
struct HalfSub {
  static constexpr std::uint64_t of(const Operands& o) {
    using namespace detail;
    return each_float(o, [&](Format f, Bits a, Bits b, Bits) { return softfloat::sub(f, a, b, o.mods); });
  }
};
struct HalfMul {
  static constexpr std::uint64_t of(const Operands& o) {
    using namespace detail;
    return each_float(o, [&](Format f, Bits a, Bits b, Bits) { return softfloat::mul(f, a, b, o.mods); });
  }
};
struct HalfFma {
  static constexpr std::uint64_t of(const Operands& o) {
    using namespace detail;
    return each_float(o, [&](Format f, Bits a, Bits b, Bits c) { return softfloat::fma(f, a, b, c, o.mods); });
  }
};
struct HalfMin {
  static constexpr std::uint64_t of(const Operands& o) {
    using namespace detail;
    return each_float(o, [&](Format f, Bits a, Bits b, Bits) { return extreme(f, a, b, o.mods, true); });
  }
};
struct HalfMax {
  static constexpr std::uint64_t of(const Operands& o) {
    using namespace detail;
    return each_float(o, [&](Format f, Bits a, Bits b, Bits) { return extreme(f, a, b, o.mods, false); });
  }
};
struct HalfAbs {
  static constexpr std::uint64_t of(const Operands& o) {
    return detail::on_sign(o, [](detail::Format f, std::uint64_t a) { return softfloat::magnitude(f, a); });
  }
};
struct HalfNeg {
  static constexpr std::uint64_t of(const Operands& o) {
    return detail::on_sign(o, [](detail::Format f, std::uint64_t a) { return a ^ f.sign(); });
  }
};

// ---- what looks at a float's bits
struct CopySign {  // the sign of a on b: PTX's order
  static constexpr std::uint64_t of(const Operands& o) {
    const detail::Format f = softfloat::format_of(o.type);
    return softfloat::magnitude(f, o.b) | (o.a & f.sign());
  }
};
struct IsFinite {
  static constexpr std::uint64_t of(const Operands& o) {
    const detail::Format f = softfloat::format_of(o.type);
    return softfloat::magnitude(f, o.a) < f.infinity();
  }
};
struct IsInfinite {
  static constexpr std::uint64_t of(const Operands& o) {
    return softfloat::is_infinite(softfloat::format_of(o.type), o.a);
  }
};
struct IsNumber {
  static constexpr std::uint64_t of(const Operands& o) { return !softfloat::is_nan(softfloat::format_of(o.type), o.a); }
};
struct IsNotANumber {
  static constexpr std::uint64_t of(const Operands& o) { return softfloat::is_nan(softfloat::format_of(o.type), o.a); }
};
struct IsNormal {  // zero counts as normal
  static constexpr std::uint64_t of(const Operands& o) {
    return IsFinite::of(o) & !softfloat::is_subnormal(softfloat::format_of(o.type), o.a);
  }
};
struct IsSubnormal {
  static constexpr std::uint64_t of(const Operands& o) {
    return softfloat::is_subnormal(softfloat::format_of(o.type), o.a);
  }
};

// ---- reciprocals and the approximate functions
struct Rcp {
  static constexpr std::uint64_t of(const Operands& o) {
    const detail::Format f = softfloat::format_of(o.type);
    return softfloat::div(f, f.one(), o.a, o.mods);
  }
};

namespace detail {
// A function of the special unit on f32, as K::on_words says it for words, of which several may be side by side.
template <class K>
struct SpecialFunction {
  static constexpr std::uint64_t of(const Operands& o) {
    const mufu::Word a = static_cast<mufu::Word>(o.a), b = static_cast<mufu::Word>(o.b);
    return o.mods.ftz ? K::template on_words<true>(a, b) : K::template on_words<false>(a, b);
  }
};
// One on halves and pairs.
template <mufu::Word (*Function)(mufu::Word)>
struct HalfSpecialFunction {
  static constexpr std::uint64_t of(const Operands& o) {
    return each_float(o, [](Format f, Bits a, Bits, Bits) { return through_single(f, a, Function); });
  }
};
}  // namespace detail

// clang-format off
struct RcpApprox : detail::SpecialFunction<RcpApprox> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { if constexpr (Ftz) return mufu::rcp(a); else return mufu::rcp_kept(a); } };
struct RsqrtApprox : detail::SpecialFunction<RsqrtApprox> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { if constexpr (Ftz) return mufu::rsqrt(a); else return mufu::rsqrt_kept(a); } };
struct SqrtApprox : detail::SpecialFunction<SqrtApprox> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { if constexpr (Ftz) return mufu::sqrt(a); else return mufu::sqrt_kept(a); } };
struct Ex2Approx : detail::SpecialFunction<Ex2Approx> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { if constexpr (Ftz) return mufu::ex2(a); else return mufu::ex2_kept(a); } };
struct Lg2Approx : detail::SpecialFunction<Lg2Approx> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { if constexpr (Ftz) return mufu::lg2(a); else return mufu::lg2_kept(a); } };
struct SinApprox : detail::SpecialFunction<SinApprox> { template <bool, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { return mufu::sin(a); } };
struct CosApprox : detail::SpecialFunction<CosApprox> { template <bool, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W) { return mufu::cos(a); } };
struct DivApprox : detail::SpecialFunction<DivApprox> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W b) { if constexpr (Ftz) return mufu::divided_flushed(a, b, false); else return mufu::divided(a, b, false); } };
struct DivFull : detail::SpecialFunction<DivFull> { template <bool Ftz, class W> [[gnu::always_inline]] static constexpr W on_words(W a, W b) { if constexpr (Ftz) return mufu::divided_flushed(a, b, true); else return mufu::divided(a, b, true); } };
// clang-format on
struct TanhApprox {
  static constexpr std::uint64_t of(const Operands& o) { return mufu::tanh(static_cast<mufu::Word>(o.a)); }
};
struct Ex2Half : detail::HalfSpecialFunction<mufu::ex2> {};
struct TanhHalf : detail::HalfSpecialFunction<mufu::tanh> {};

struct RcpSeed {
  static constexpr std::uint64_t of(const Operands& o) { return mufu::rcp_seed(o.a); }
};
struct RsqrtDouble {
  static constexpr std::uint64_t of(const Operands& o) {
    return o.mods.ftz ? mufu::rsqrt_seed(o.a) : mufu::rsqrt_refined(o.a);
  }
};

}  // namespace warpsim::kernels
