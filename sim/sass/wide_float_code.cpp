// Floats of 64 bits, in two registers, and of 16 bits, two in one.
#include "isa/kernels/kernels.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace wide_float_code {
namespace {

using U64 = std::uint64_t;
using kernels::Operands;

// ---- 64 bits
template <class K>
void wide_sum(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  each_pair(x, op.d, [=, &op](unsigned l) {
    return __builtin_bit_cast(
        U64, K::template of<double>(wide_float(a, l, op.sign_a), wide_float(b, l, op.sign_b), op.mods));
  });
}
void wide_fma(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  each_pair(x, op.d, [=, &op](unsigned l) {
    return __builtin_bit_cast(U64, kernels::FmaF::of<double>(wide_float(a, l, op.sign_a), wide_float(b, l, op.sign_b),
                                                             wide_float(c, l, op.sign_c), op.mods));
  });
}
bool build_wide(CodeBuilder& b) {
  b.take_floats();
  const LaneCode& code = lane_code();
  const bool sums = b.insn.name == "DADD", multiplies = b.insn.name == "DMUL";
  b.op.run = sums ? code.wide_add : multiplies ? code.wide_multiply : code.wide_fma;
  if (b.round() == Round::Rn) return true;
  b.op.mods.round = b.round();
  b.op.run = sums ? wide_sum<kernels::AddF> : multiplies ? wide_sum<kernels::MulF> : wide_fma;
  return true;
}

template <class Relation>
void wide_compare(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  write_combined(x, op, lanes_where([=, &op](unsigned l) {
                   return Relation::holds(wide_float(a, l, op.sign_a), wide_float(b, l, op.sign_b));
                 }));
}
// Whether the first operand is the smaller or the larger one, and whether the second is a NaN that stays.
template <bool Smaller>
void wide_extreme(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  Lanes takes_first = 0, is_nan = 0;
  for_lanes(x.mask, [&](unsigned l) {
    const double v = wide_float(a, l, op.sign_a), w = wide_float(b, l, op.sign_b);
    const U64 p = __builtin_bit_cast(U64, v), q = __builtin_bit_cast(U64, w);
    const bool first_is_nan = v != v, second_is_nan = w != w;
    bool first = Smaller ? v < w : v > w;
    if (v == w) first = Smaller ? (p >> 63) != 0 || (q >> 63) == 0 : (p >> 63) == 0;
    if (first_is_nan || second_is_nan) first = second_is_nan && !first_is_nan;
    takes_first |= static_cast<Lanes>(first) << l;
    is_nan |= static_cast<Lanes>(first_is_nan && second_is_nan) << l;
  });
  x.write(op.pd, takes_first);
  x.write(op.pe, is_nan);
}
bool build_wide_comparison(CodeBuilder& b) {
  using namespace kernels;
  constexpr std::array<RunFn, 16> kBy = {wide_extreme<true>, wide_compare<Lt>,  wide_compare<Eq>,  wide_compare<Le>,
                                         wide_compare<Gt>,   wide_compare<Ne>,  wide_compare<Ge>,  wide_compare<Num>,
                                         wide_compare<Nan>,  wide_compare<Ltu>, wide_compare<Equ>, wide_compare<Leu>,
                                         wide_compare<Gtu>,  wide_compare<Neu>, wide_compare<Geu>, wide_extreme<false>};
  b.take_floats();
  const auto relation = static_cast<std::size_t>(b.bits(76, 4));
  b.op.pd = b.written_predicate(81);
  b.op.pe = b.written_predicate(84);
  b.op.p = b.predicate(87);
  b.op.mods.boolean = b.boolean();
  b.op.run = kBy[relation];
  const bool is_extreme = relation == 0 || relation == 15;
  return !is_extreme || (b.op.mods.boolean == BoolOp::And && b.op.p.number == kTrue && !b.op.p.flips);
}

// ---- 16 bits: which halves of an operand are taken, for the lower result and for the upper one
enum Halves : std::uint32_t { kBoth = 0, kLower = 2, kUpper = 3 };
std::uint32_t halves(std::uint32_t bits, unsigned which, Signs s) {
  if (which == kLower) bits = (bits & 0xffff) * 0x10001;
  else if (which == kUpper) bits = (bits >> 16) * 0x10001;
  return (bits & s.keep) ^ s.flip;
}
// value2: a's halves, b's at bit 2, c's at bit 4.
template <class K>
void pairs(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  Operands o;
  o.type = op.type;
  o.mods = op.mods;
  each_acting(x, op.d, [&](unsigned l) {
    o.a = halves(a[l], op.value2 & 3, op.sign_a);
    o.b = halves(b[l], op.value2 >> 2 & 3, op.sign_b);
    o.c = halves(c[l], op.value2 >> 4 & 3, op.sign_c);
    return static_cast<std::uint32_t>(K::of(o));
  });
}

void take_halves(CodeBuilder& b) {
  b.take_floats();
  Signs* const signs[] = {&b.op.sign_a, &b.op.sign_b, &b.op.sign_c};
  for (std::size_t k = 0; k < 3 && k < b.sources(); ++k)
    *signs[k] = {b.source(k).is_absolute ? 0x7fff7fffU : ~0U, b.source(k).is_negated ? 0x80008000U : 0};
  const auto which = [&b](std::size_t k) -> std::uint32_t {
    if (k >= b.sources()) return kBoth;
    const std::string& text = b.source(k).text;
    return text.find("H0_H0") != std::string::npos ? kLower : text.find("H1_H1") != std::string::npos ? kUpper : kBoth;
  };
  b.op.value2 = which(0) | which(1) << 2 | which(2) << 4;
  b.op.type = b.has("BF16_V2") ? Type::BF16X2 : Type::F16X2;
  b.op.mods.round = Round::Rn;
  b.op.mods.ftz = b.has("FTZ");
  b.op.mods.sat = b.has("SAT");
  b.op.mods.relu = b.has("RELU");
}

// A sum of halves as a float of 32 bits: a conversion, where the other one is nothing.
void wider_sum(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const softfloat::Format half = softfloat::format_of(element(op.type));
  each_acting(x, op.d, [&](unsigned l) {
    const U64 v = halves(a[l], op.value2 & 3, op.sign_a) & 0xffff;
    const U64 w = halves(b[l], op.value2 >> 2 & 3, op.sign_b) & 0xffff;
    Mods mods = op.mods;
    const auto widened = [&](U64 bits) { return softfloat::float_to_float(softfloat::kSingle, half, bits, {}); };
    if (v == 0x8000) return static_cast<std::uint32_t>(softfloat::saturated(softfloat::kSingle, widened(w), mods));
    return static_cast<std::uint32_t>(softfloat::add(softfloat::kSingle, widened(v), widened(w), mods));
  });
}

bool build_pairs(CodeBuilder& b) {
  take_halves(b);
  CodeOp& op = b.op;
  const std::string_view name = b.insn.name;
  if (name == "HADD2" && b.has("F32")) op.run = wider_sum;
  else if (name == "HADD2") op.run = pairs<kernels::HalfAdd>;
  else if (name == "HMUL2") op.run = pairs<kernels::HalfMul>;
  else op.run = pairs<kernels::HalfFma>;
  return true;
}

// HFMA2 makes constants: 0 times 0 and two numbers, which are one or two operands of the text.
void constant(Exec& x, const CodeOp& op) {
  const std::uint32_t value = op.value;
  each_word(
      x, op.d, [=](unsigned) __attribute__((always_inline)) { return value; });
}
bool build_fma_of_pairs(CodeBuilder& b) {
  build_pairs(b);
  CodeOp& op = b.op;
  const std::uint32_t zero = b.machine.layout.zero();
  if (op.a != zero || op.b != zero || b.sources() < 3 || b.source(2).kind != OperandKind::Float) return true;
  Operands o;
  o.type = op.type;
  o.mods = op.mods;
  o.a = op.sign_a.flip;
  o.b = op.sign_b.flip;
  o.c = static_cast<std::uint32_t>(b.source(2).value);
  op.value = static_cast<std::uint32_t>(kernels::HalfFma::of(o));
  op.run = constant;
  return true;
}

void extreme_of_pairs(Exec& x, const CodeOp& op) {
  const Lanes all = x.mask, p = x.read(op.p);
  x.mask = all & p;
  pairs<kernels::HalfMin>(x, op);
  x.mask = all & ~p;
  pairs<kernels::HalfMax>(x, op);
  x.mask = all;
}
bool build_extreme_of_pairs(CodeBuilder& b) {
  take_halves(b);
  b.op.p = b.predicate(87);
  b.op.mods.round = Round::None;
  b.op.mods.nan = b.has("NAN");
  b.op.mods.xorsign = b.has("XORSIGN");
  if (b.op.mods.xorsign) b.op.sign_a.keep = b.op.sign_b.keep = ~0U;  // it sees the signs before it takes them off
  b.op.run = extreme_of_pairs;
  return true;
}

// The lower halves' result, and the upper ones'.
template <class Relation>
void compare_pairs(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const Lanes p = x.read(op.p);
  Operands o;
  o.type = element(op.type);
  o.mods = op.mods;
  Lanes lower = 0, upper = 0;
  for_lanes(x.mask, [&](unsigned l) {
    const std::uint32_t v = halves(a[l], op.value2 & 3, op.sign_a), w = halves(b[l], op.value2 >> 2 & 3, op.sign_b);
    const bool third = (p >> l & 1) != 0;
    for (unsigned k = 0; k < 2; ++k) {
      o.a = v >> (16 * k) & 0xffff;
      o.b = w >> (16 * k) & 0xffff;
      const bool truth = combined(op.mods.boolean, kernels::compares<Relation>(o.type, o), third);
      (k == 0 ? lower : upper) |= static_cast<Lanes>(truth) << l;
    }
  });
  if (op.d == x.machine.layout.nowhere()) {
    x.write(op.pd, lower);
    x.write(op.pe, upper);
    return;
  }
  each_acting(x, op.d, [&](unsigned l) {
    return ((lower >> l & 1) != 0 ? op.value : 0) | ((upper >> l & 1) != 0 ? op.value << 16 : 0);
  });
}
bool build_pair_comparison(CodeBuilder& b) {
  using namespace kernels;
  constexpr std::array<RunFn, 15> kBy = {nullptr,
                                         compare_pairs<Lt>,
                                         compare_pairs<Eq>,
                                         compare_pairs<Le>,
                                         compare_pairs<Gt>,
                                         compare_pairs<Ne>,
                                         compare_pairs<Ge>,
                                         compare_pairs<Num>,
                                         compare_pairs<Nan>,
                                         compare_pairs<Ltu>,
                                         compare_pairs<Equ>,
                                         compare_pairs<Leu>,
                                         compare_pairs<Gtu>,
                                         compare_pairs<Neu>,
                                         compare_pairs<Geu>};
  take_halves(b);
  CodeOp& op = b.op;
  const auto relation = static_cast<std::size_t>(b.bits(76, 4));
  if (relation == 0 || relation >= kBy.size()) return false;
  if (b.insn.name == "HSETP2") {
    op.pd = b.written_predicate(81);
    op.pe = b.written_predicate(84);
  }
  op.p = b.predicate(87);
  op.mods.boolean = b.boolean();
  op.value = !b.has("BF") ? 0xffff : b.has("BF16_V2") ? 0x3f80 : 0x3c00;
  op.run = kBy[relation];
  return true;
}

}  // namespace
}  // namespace wide_float_code

std::vector<CodeMeaning> wide_float_meanings() {
  using namespace wide_float_code;
  return {{"DADD", build_wide},
          {"DMUL", build_wide},
          {"DFMA", build_wide},
          {"DSETP", build_wide_comparison},
          {"HADD2", build_pairs},
          {"HMUL2", build_pairs},
          {"HFMA2", build_fma_of_pairs},
          {"HMNMX2", build_extreme_of_pairs},
          {"HSETP2", build_pair_comparison},
          {"HSET2", build_pair_comparison}};
}

}  // namespace warpsim::sass
