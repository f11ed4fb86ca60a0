// Sums, products and comparisons of integers, for lanes and for the warp (U…).
#include <algorithm>

#include "isa/kernels/kernels.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace integer_code {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;
using S32 = std::int32_t;

Lanes bit(Lanes lanes, unsigned l) { return lanes >> l & 1; }

// ---- sums: each operand as it is or inverted, and `value` more: one for each that is negated
constexpr PredicateIn kNever{kTrue, true};

bool build_add(CodeBuilder& b) {
  b.take_integers();
  b.op.pd = b.written_predicate(81);
  b.op.pe = b.written_predicate(84);
  b.op.p = b.op.q = kNever;
  const bool carries = b.has("X");
  if (carries) {
    b.op.p = b.predicate(87);
    b.op.q = b.predicate(77);
  } else {
    for (const Signs& sign : {b.op.sign_a, b.op.sign_b, b.op.sign_c}) b.op.value += sign.flip & 1;
  }
  b.op.run = carries || b.op.pd != kNowhere || b.op.pe != kNowhere ? lane_code().add_with_carries : lane_code().add;
  return true;
}

void add_halves(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  each_word(x, op.d,
            [=](unsigned l) { return ((a[l] & 0xffff0000U) + (b[l] & 0xffff0000U)) | ((a[l] + b[l]) & 0xffffU); });
}
bool build_short_add(CodeBuilder& b) {  // VIADD
  b.take_integers();
  if (b.has("16x2")) return b.op.run = add_halves, b.op.sign_a.flip == 0 && b.op.sign_b.flip == 0;
  b.op.value = (b.op.sign_a.flip & 1) + (b.op.sign_b.flip & 1);
  b.op.run = lane_code().add;
  return true;
}

// ---- products
void multiply_add_with_carry(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  const std::uint32_t fc = op.sign_c.flip;
  const Lanes p = x.read(op.p);
  each_word(x, op.d, [=](unsigned l) { return a[l] * b[l] + (c[l] ^ fc) + bit(p, l); });
}

template <bool Signed>
[[gnu::always_inline]] inline U64 product(std::uint32_t a, std::uint32_t b) {
  if constexpr (Signed) return static_cast<U64>(kernels::MulWide::of<S32>(static_cast<S32>(a), static_cast<S32>(b)));
  else return kernels::MulWide::of<std::uint32_t>(a, b);
}

// `Upper`: of the sum no more than the upper word.
template <bool Signed, bool Upper = false>
void multiply_wide_signs(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  const U64 fb = op.sign_b.flip != 0 ? ~U64{0} : 0, fc = op.sign_c.flip != 0 ? ~U64{0} : 0;
  const Lanes p = x.read(op.p);
  Lanes carries = 0;
  alignas(64) std::uint32_t low[kLanes], high[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) {
    const U64 factor = (product<Signed>(a[l], b[l]) ^ fb) - fb;
    const softfloat::UInt128 sum = softfloat::UInt128{factor} + (pair_at(c, l) ^ fc) + op.value + bit(p, l);
    low[l] = static_cast<std::uint32_t>(sum);
    high[l] = static_cast<std::uint32_t>(sum >> 32);
    carries |= static_cast<Lanes>(sum >> 64 != 0) << l;
  }
  blend(x.row(op.d), Upper ? high : low, x.mask);
  if (!Upper) blend(x.row(op.d + kRowBytes), high, x.mask);
  x.write(op.pd, carries);
}
RunFn multiply_high_signs(bool is_signed) {
  return is_signed ? multiply_wide_signs<true, true> : multiply_wide_signs<false, true>;
}
bool build_multiply(CodeBuilder& b) {
  b.take_integers();
  CodeOp& op = b.op;
  const bool is_signed = !b.has("U32"), carries = b.has("X");
  op.pd = b.is_uniform ? kNowhere : b.written_predicate(81);
  op.p = kNever;
  if (carries) op.p = b.predicate(87);
  op.value = carries ? 0 : op.sign_c.flip & 1;
  if (b.has("WIDE")) {
    const bool is_plain = !carries && op.pd == kNowhere && op.sign_b.flip == 0 && op.sign_c.flip == 0;
    if (is_plain) op.run = lane_code().multiply_wide[is_signed];
    else op.run = is_signed ? multiply_wide_signs<true> : multiply_wide_signs<false>;
    return true;
  }
  if (op.pd != kNowhere && b.has("HI")) return op.run = multiply_high_signs(is_signed), true;
  if (op.pd != kNowhere) return false;
  if (b.has("HI")) op.run = lane_code().multiply_high[is_signed];
  else if (carries) op.run = multiply_add_with_carry;
  else if (op.a == b.machine.layout.zero() || op.b == b.machine.layout.zero()) op.run = lane_code().move_or_negate;
  else op.run = lane_code().multiply_add;
  return true;
}

// ---- comparisons
// The upper words, after the lower ones: theirs counts where the upper ones are alike.
template <class Relation, class T>
void compare_upper(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const Lanes same = lanes_where([=](unsigned l) { return a[l] == b[l]; });
  const Lanes truth = lanes_where([=](unsigned l) __attribute__((always_inline)) {
    return Relation::template of<T>(static_cast<T>(a[l]), static_cast<T>(b[l]));
  });
  write_combined(x, op, (truth & ~same) | (x.read(op.q) & same));
}

template <class T>
RunFn upper_comparison(std::size_t relation) {
  using namespace kernels;
  constexpr std::array<RunFn, kIntegerRelations> kBy = {nullptr,
                                                        compare_upper<Lt, T>,
                                                        compare_upper<Eq, T>,
                                                        compare_upper<Le, T>,
                                                        compare_upper<Gt, T>,
                                                        compare_upper<Ne, T>,
                                                        compare_upper<Ge, T>};
  return relation < kBy.size() ? kBy[relation] : nullptr;
}

bool build_comparison(CodeBuilder& b) {
  b.take_integers();
  b.op.pd = b.written_predicate(81);
  b.op.pe = b.written_predicate(84);
  b.op.p = b.predicate(87);
  b.op.mods.boolean = b.boolean();
  const auto relation = static_cast<std::size_t>(b.bits(76, 3));
  const bool is_signed = !b.has("U32");
  if (b.has("EX")) {
    b.op.q = b.predicate(68);
    b.op.run = is_signed ? upper_comparison<S32>(relation) : upper_comparison<std::uint32_t>(relation);
  } else {
    b.op.run = relation < kIntegerRelations ? lane_code().compare[is_signed][relation] : nullptr;
  }
  return b.op.run != nullptr;
}

// ---- smaller and larger: the predicate chooses
// Of two halves, each for itself.
template <class T>
void extreme_of_halves(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const Lanes p = x.read(op.p);
  each_acting(x, op.d, [=](unsigned l) {
    std::uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
      const T v = static_cast<T>(a[l] >> shift), w = static_cast<T>(b[l] >> shift);
      const T chosen = (v < w) == (bit(p, l) != 0) ? v : w;
      result |= std::uint32_t{static_cast<std::uint16_t>(chosen)} << shift;
    }
    return result;
  });
}
template <class T>
void extreme_of_three(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  const Lanes p = x.read(op.p);
  each_acting(x, op.d, [=](unsigned l) {
    const T u = static_cast<T>(a[l]), v = static_cast<T>(b[l]), w = static_cast<T>(c[l]);
    const bool smaller = bit(p, l) != 0;
    return static_cast<std::uint32_t>(smaller ? std::min({u, v, w}) : std::max({u, v, w}));
  });
}

bool build_extreme(CodeBuilder& b) {
  const bool adds = b.insn.name == "VIADDMNMX";
  if (b.has("RELU")) return false;
  if (b.insn.name == "VIMNMX3" || b.has("U16x2") || b.has("S16x2")) {
    b.take_integers();
    b.op.p = b.predicate(87);
    b.op.run = b.has("U16x2")   ? extreme_of_halves<std::uint16_t>
               : b.has("S16x2") ? extreme_of_halves<std::int16_t>
               : b.has("U32")   ? extreme_of_three<std::uint32_t>
                                : extreme_of_three<S32>;
    return true;
  }
  b.take_integers();
  if (!adds) {
    b.op.c = b.op.b;
    b.op.b = b.machine.layout.zero();
    b.op.sign_c = b.op.sign_b;
    b.op.sign_b = {};
  }
  b.op.p = b.predicate(87);
  b.op.run = lane_code().smaller_or_larger[b.has("U32") ? 0 : 1];
  return true;
}

// ---- others
bool build_absolute(CodeBuilder& b) {
  b.take_integers();
  b.op.run = lane_code().absolute;
  return true;
}

template <class T>
void difference(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  each_word(x, op.d, [=](unsigned l) {
    const S64 apart = static_cast<S64>(static_cast<T>(a[l])) - static_cast<T>(b[l]);
    return static_cast<std::uint32_t>(apart < 0 ? -apart : apart) + c[l];
  });
}
bool build_difference(CodeBuilder& b) {
  b.take_integers();
  b.op.run = b.has("U32") ? difference<std::uint32_t> : difference<S32>;
  return true;
}

// A shifted operand added to another one.
void shift_add_with_carry(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const std::uint32_t fa = op.sign_a.flip, fb = op.sign_b.flip, more = (fa & 1) + (fb & 1), count = op.value;
  Lanes carries = 0;
  alignas(64) std::uint32_t result[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) {
    const U64 sum = U64{(a[l] << count) ^ fa} + (b[l] ^ fb) + more;
    result[l] = static_cast<std::uint32_t>(sum);
    carries |= static_cast<Lanes>(sum >> 32 != 0) << l;
  }
  blend(x.row(op.d), result, x.mask);
  x.write(op.pd, carries);
}
bool build_shift_add(CodeBuilder& b) {
  b.take_integers();
  CodeOp& op = b.op;
  op.value = static_cast<std::uint32_t>(b.bits(75, 5));
  op.pd = b.written_predicate(81);
  if (!b.has("HI")) return op.run = op.pd == kNowhere ? lane_code().shift_add : shift_add_with_carry, true;
  if (op.pd != kNowhere) return false;
  op.p = b.has("X") ? b.predicate(87) : kNever;
  if (!b.has("X")) {  // nothing carries in: only a whole sum can be negated
    if (op.sign_a.flip != 0) return false;
    op.p = {kTrue, op.sign_b.flip == 0};
  }
  op.run = lane_code().shift_add_high[b.has("SX32") ? 1 : 0];
  return true;
}

template <int Count, int Width>
void dot(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  each_acting(x, op.d, [=, &op](unsigned l) {
    kernels::Operands o;
    o.type = op.type;
    o.type2 = op.type2;
    o.a = a[l];
    o.b = b[l];
    return static_cast<std::uint32_t>(kernels::detail::dot(o, Count, Width, static_cast<int>(op.value))) + c[l];
  });
}
bool build_dot(CodeBuilder& b) {
  b.take_integers();
  b.op.type = b.bits(73, 1) != 0 ? Type::S8 : Type::U8;
  b.op.type2 = b.bits(74, 1) != 0 ? Type::S8 : Type::U8;
  b.op.value = b.has("HI") ? 2 : 0;
  b.op.run = b.has("4A") ? dot<4, 8> : dot<2, 16>;
  return true;
}

}  // namespace
}  // namespace integer_code

std::vector<CodeMeaning> integer_meanings() {
  using namespace integer_code;
  return {{"IADD3", build_add},         {"UIADD3", build_add},        {"VIADD", build_short_add},
          {"IMAD", build_multiply},     {"UIMAD", build_multiply},    {"ISETP", build_comparison},
          {"UISETP", build_comparison}, {"VIADDMNMX", build_extreme}, {"VIMNMX", build_extreme},
          {"VIMNMX3", build_extreme},   {"IABS", build_absolute},     {"VABSDIFF", build_difference},
          {"LEA", build_shift_add},     {"ULEA", build_shift_add},    {"IDP", build_dot}};
}

}  // namespace warpsim::sass
