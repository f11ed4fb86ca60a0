// Floats of 32 bits: arithmetic, comparisons, the special-function unit.
//
// Shapes: arithmetic is that of the row of PTX's table with the same meaning, over all lanes (sim/code/lane_ops.h).
#include "isa/kernels/kernels.h"
#include "sim/code/lane_ops.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace float_code {
namespace {

[[gnu::always_inline]] inline float as_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
[[gnu::always_inline]] inline std::uint32_t as_bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }

// ---- arithmetic
std::uint32_t signed_row(const Exec& x, std::uint32_t row, Signs signs, unsigned scratch) {
  if (signs.keep == ~0U && signs.flip == 0) return row;
  const std::uint32_t changed = x.machine.layout.scratch() + scratch * kRowBytes;
  const Row* const from = x.row(row);
  Row* const to = x.row(changed);
  lift::each_lane<kLanes>([=](unsigned l) __attribute__((always_inline)) { to[l] = with_signs(from[l], signs); });
  return changed;
}

void arithmetic(Exec& x, const CodeOp& op) {
  DecodedInsn& word = x.machine.words[static_cast<std::size_t>(op.word)];
  word.a = signed_row(x, op.a, op.sign_a, 0);
  word.b = signed_row(x, op.b, op.sign_b, 1);
  word.c = signed_row(x, op.c, op.sign_c, 2);
  if (x.mask == kAllLanes) {
    word.dst = op.d;
    return word.fast.alone(x.warp.registers, word);
  }
  word.dst = x.machine.layout.scratch() + 3 * kRowBytes;
  if (word.mods == Mods{}) word.fast.alone(x.warp.registers, word);
  else word.masked(x.warp.registers, word, x.mask);
  blend(x.row(op.d), x.row(word.dst), x.mask);
}

bool use_row(CodeBuilder& b, Op row, Mods mods) {
  const LaneOp found = lane_ops().lane_op(row, Type::F32, mods, kLanes);
  if (found.full.alone == nullptr || found.masked == nullptr) return false;
  DecodedInsn word;
  word.op = row;
  word.type = Type::F32;
  word.mods = mods;
  word.fast = found.full;
  word.masked = found.masked;
  b.op.word = static_cast<std::int32_t>(b.machine.words.size());
  b.machine.words.push_back(word);
  b.op.run = arithmetic;
  return true;
}

bool build_arithmetic(CodeBuilder& b) {
  b.take_floats();
  Mods mods;
  mods.ftz = b.has("FTZ");
  mods.sat = b.has("SAT");
  if (b.round() != Round::Rn) mods.round = b.round();
  return use_row(b, b.insn.name == "FADD" ? Op::AddF : b.insn.name == "FMUL" ? Op::MulF : Op::Fma, mods);
}

// ---- the special-function unit, whose operands are flushed
template <class K>
void special(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  const Signs signs = op.sign_a;
  each_acting(x, op.d, [&](unsigned l) { return K::template on_words<true>(with_signs(a[l], signs), 0U); });
}
struct SineOfTurns {
  template <bool, class W>
  static W on_words(W a, W) {
    return mufu::sine_of_turns(a, 0);
  }
};
struct CosineOfTurns {
  template <bool, class W>
  static W on_words(W a, W) {
    return mufu::sine_of_turns(a, 1);
  }
};
struct Tanh {
  template <bool, class W>
  static W on_words(W a, W) {
    return mufu::tanh(a);
  }
};
template <std::uint64_t (*Seed)(std::uint64_t)>
void seed(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  const Signs signs = op.sign_a;
  each_acting(x, op.d, [&](unsigned l) {
    return static_cast<std::uint32_t>(Seed(std::uint64_t{with_signs(a[l], signs)} << 32) >> 32);
  });
}

template <class K>
void special_of_half(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  kernels::Operands o;
  o.type = op.type;
  each_acting(x, op.d, [&](unsigned l) {
    o.a = with_signs(a[l] >> op.value & 0xffff, op.sign_a);
    return static_cast<std::uint32_t>(K::of(o));
  });
}

bool build_special(CodeBuilder& b) {
  b.take_floats();
  CodeOp& op = b.op;
  if (b.has("RCP64H") || b.has("RSQ64H")) {
    if (b.source(0).kind == OperandKind::Float) op.a = b.row_of_word(static_cast<std::uint32_t>(b.bits(32, 32)), 0);
    op.run = b.has("RCP64H") ? seed<mufu::rcp_seed> : seed<mufu::rsqrt_seed>;
    return true;
  }
  if (b.has("F16") || b.has("BF16")) {  // of one half; the upper one of the result is 0
    if (!b.has("EX2") && !b.has("TANH")) return false;
    op.type = b.has("BF16") ? Type::BF16 : Type::F16;
    op.value = b.source(0).text.find("H1") != std::string::npos ? 16 : 0;
    op.run = b.has("EX2") ? special_of_half<kernels::Ex2Half> : special_of_half<kernels::TanhHalf>;
    const Operand& source = b.source(0);
    op.sign_a = {source.is_absolute ? 0x7fffU : ~0U, source.is_negated ? 0x8000U : 0};
    return source.kind != OperandKind::Float;
  }
  if (b.has("SIN")) op.run = special<SineOfTurns>;
  else if (b.has("COS")) op.run = special<CosineOfTurns>;
  else if (b.has("TANH")) op.run = special<Tanh>;
  else {
    Mods mods;
    mods.ftz = true;
    return use_row(b,
                   b.has("EX2")   ? Op::Ex2Approx
                   : b.has("LG2") ? Op::Lg2Approx
                   : b.has("RCP") ? Op::RcpApprox
                   : b.has("RSQ") ? Op::RsqrtApprox
                                  : Op::SqrtApprox,
                   mods);
  }
  return true;
}

// ---- whether the fast way to divide would not do: where an exponent is near the end of its range, or the quotient's
// is. As an H200 says of all pairs of exponents, with four fractions each, and of 200,000 random pairs; the rest does
// not count.
[[gnu::always_inline]] inline bool is_hard_to_divide(std::uint32_t a, std::uint32_t b) {
  const auto p = static_cast<std::int32_t>(a >> 23 & 255), q = static_cast<std::int32_t>(b >> 23 & 255);
  return q < 2 || q > 251 || p < 25 || p > 254 || p - q > 126 || p - q < -124;
}
void check_division(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  x.write(op.pd, lanes_where([=](unsigned l) { return is_hard_to_divide(a[l], b[l]); }));
}
bool build_division_check(CodeBuilder& b) {
  b.take_floats();
  b.op.pd = b.written_predicate(81);
  b.op.run = check_division;
  return true;
}

// ---- comparisons
bool build_comparison(CodeBuilder& b) {
  b.take_floats();
  b.op.pd = b.written_predicate(81);
  b.op.pe = b.written_predicate(84);
  b.op.p = b.predicate(87);
  b.op.mods.boolean = b.boolean();
  const auto relation = static_cast<std::size_t>(b.bits(76, 4));
  if (relation == 0 || relation >= kFloatRelations) return false;
  const LaneCode& code = lane_code();
  b.op.run = (b.insn.name == "FSET" ? code.set_floats : code.compare_floats)[b.has("FTZ")][relation];
  return true;
}

// ---- smaller and larger
void extreme_with_modifiers(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const Lanes p = x.read(op.p);
  each_acting(x, op.d, [&](unsigned l) {
    const float v = as_float(with_signs(a[l], op.sign_a)), w = as_float(with_signs(b[l], op.sign_b));
    const bool smaller = (p >> l & 1) != 0;
    return as_bits(smaller ? kernels::MinF::of<float>(v, w, op.mods) : kernels::MaxF::of<float>(v, w, op.mods));
  });
}
bool build_extreme(CodeBuilder& b) {
  b.take_floats();
  CodeOp& op = b.op;
  op.p = b.predicate(87);
  op.mods.ftz = b.has("FTZ");
  op.mods.nan = b.has("NAN");
  op.mods.xorsign = b.has("XORSIGN");
  if (op.mods.xorsign) op.sign_a.keep = op.sign_b.keep = ~0U;  // it takes the signs off itself, after it has seen them
  op.run = extreme_with_modifiers;
  if (op.mods == Mods{} && op.p.number == kTrue)
    op.run = !op.p.flips ? lane_code().smaller_float : lane_code().larger_float;
  return true;
}

}  // namespace
}  // namespace float_code

std::vector<CodeMeaning> float_meanings() {
  using namespace float_code;
  return {{"FADD", build_arithmetic}, {"FMUL", build_arithmetic},    {"FFMA", build_arithmetic},
          {"MUFU", build_special},    {"FSETP", build_comparison},   {"FSET", build_comparison},
          {"FMNMX", build_extreme},   {"FCHK", build_division_check}};
}

}  // namespace warpsim::sass
