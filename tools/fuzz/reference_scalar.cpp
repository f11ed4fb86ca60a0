// The scalar meaning of every row, one definition each, from PTX's text: integers with 128 bits of room, exact floats.
//
// Shapes: values are bits, zero-extended to 64.
// Units:  none.
// Errors: a row that no definition covers has no meaning; defined rows have an answer to every input.
// Source: PTX ISA 9.0, sections 9.7.1 to 9.7.9; NaN bits, division by zero and what else PTX leaves open: the H200's
//         vectors (`d_*`, `f_*`, `c_*`, `i_*`, `l_*`).
#include <optional>
#include <string_view>

#include "tools/fuzz/reference_float.h"
#include "tools/fuzz/reference_integer.h"
#include "tools/fuzz/reference_interpreter.h"
#include "tools/fuzz/reference_mufu.h"

namespace warpsim::reference {
namespace {

// What a row leaves in its destination; nothing for a row that no definition here covers.
using Meaning = std::optional<std::uint64_t>;

std::uint64_t select_by_sign(Type type2, const Mods& mods, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (type2 == Type::S32) return integer(Type::S32, c) >= 0 ? a : b;
  const int order = Arithmetic(Type::F32, mods).order(c, 0);
  return order == 0 || order == 1 ? a : b;
}

// -1, 0, 1, or 2 if the order is not defined. Untyped bits compare as unsigned.
int order_of(Type type, const Mods& mods, std::uint64_t a, std::uint64_t b) {
  if (is_float(type)) return Arithmetic(type, mods).order(a, b);
  const Int128 x = integer(type, a), y = integer(type, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

// set and setp: the comparison is the last word of the mnemonic.
Meaning holds(Op op, int order) {
  const std::string_view comparison = operation_of(op);
  const bool unordered = order == 2;
  if (comparison == "eq") return order == 0;
  if (comparison == "ne") return order == -1 || order == 1;
  if (comparison == "lt") return order == -1;
  if (comparison == "le") return order == -1 || order == 0;
  if (comparison == "gt") return order == 1;
  if (comparison == "ge") return order == 1 || order == 0;
  if (comparison == "equ") return unordered || order == 0;
  if (comparison == "neu") return unordered || order != 0;
  if (comparison == "ltu") return unordered || order == -1;
  if (comparison == "leu") return unordered || order != 1;
  if (comparison == "gtu") return unordered || order == 1;
  if (comparison == "geu") return unordered || order != -1;
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  return std::nullopt;
}

bool combine(BoolOp operation, bool truth, bool c) {
  if (operation == BoolOp::And) return truth & c;
  if (operation == BoolOp::Or) return truth | c;
  return operation == BoolOp::Xor ? truth ^ c : truth;
}

// setp's p, and its q: of a pair the comparison of the upper halves.
Meaning compared(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& s, bool wants_q) {
  const int shift = is_pair(type) && wants_q ? 16 : 0;
  const std::uint64_t kept = ones(bits(element(type)));
  const Meaning truth = holds(op, order_of(element(type), mods, s[0] >> shift & kept, s[1] >> shift & kept));
  if (!truth) return truth;
  const bool opposite = wants_q && !is_pair(type);
  return combine(mods.boolean, (*truth != 0) != opposite, s.size() > 2 && s[2] != 0) ? 1 : 0;
}

// set: all ones or 1.0 where the comparison holds, in each half of a pair.
Meaning set_result(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& s) {
  const Type to = element(type), from = element(type2);
  const int parts = is_pair(type2) ? 2 : 1, width = is_pair(type2) ? 16 : bits(type);
  const std::uint64_t yes = is_float(to) ? format_of(to).one() : ones(width), kept = ones(bits(from));
  std::uint64_t result = 0;
  for (int part = 0; part < parts; ++part) {
    const Meaning truth = holds(op, order_of(from, mods, s[0] >> 16 * part & kept, s[1] >> 16 * part & kept));
    if (!truth) return truth;
    if (combine(mods.boolean, *truth != 0, s.size() > 2 && s[2] != 0)) result |= yes << 16 * part;
  }
  return result;
}

Meaning rarer_operation(Op op, Type type, Type type2, const Mods& mods, int width, const std::vector<std::uint64_t>& s);

Meaning integer_operation(Op op, Type type, Type type2, const Mods& mods, int width,
                          const std::vector<std::uint64_t>& s) {
  const auto source = [&](std::size_t k) { return k < s.size() ? s[k] : 0; };
  const std::uint64_t a = source(0), b = source(1), c = source(2);
  switch (op) {
    case Op::Mov: return a & ones(width);
    case Op::Selp: return (c != 0 ? a : b) & ones(width);
    case Op::Add:
    case Op::AddNarrow: return (a + b) & ones(width);
    case Op::Sub:
    case Op::SubNarrow: return (a - b) & ones(width);
    case Op::MulLo:
    case Op::MulLoNarrow: return low_product(type, a, b);
    case Op::MulHi:
    case Op::MulHiNarrow: return high_product(type, a, b);
    case Op::MulWide:
    case Op::MulWideNarrow: return cut(integer(type, a) * integer(type, b), 2 * width);
    case Op::MadLo:
    case Op::MadLoNarrow: return (low_product(type, a, b) + c) & ones(width);
    case Op::MadHi:
    case Op::MadHiNarrow: return (high_product(type, a, b) + c) & ones(width);
    case Op::MadWide:
    case Op::MadWideNarrow: return cut(integer(type, a) * integer(type, b) + static_cast<Int128>(c), 2 * width);
    case Op::Div:
    case Op::DivNarrow: return integer_quotient(type, a, b);
    case Op::Rem:
    case Op::RemNarrow: return integer_remainder(type, a, b);
    case Op::Abs:
    case Op::AbsNarrow: return integer(type, a) < 0 ? cut(-integer(type, a), width) : a;
    case Op::Neg:
    case Op::NegNarrow: return cut(-integer(type, a), width);
    case Op::Min:
    case Op::MinNarrow: return smaller(type, a, b);
    case Op::Max:
    case Op::MaxNarrow: return larger(type, a, b);
    case Op::And:
    case Op::AndNarrow: return a & b;
    case Op::Or:
    case Op::OrNarrow: return a | b;
    case Op::Xor:
    case Op::XorNarrow: return a ^ b;
    case Op::Not:
    case Op::NotNarrow: return ~a & ones(width);
    case Op::Shl:
    case Op::ShlNarrow: return shift_left(width, a, b);
    case Op::Shr:
    case Op::ShrNarrow: return shift_right(type, width, a, b);
    case Op::Popc: return ones_in(a);
    default: return rarer_operation(op, type, type2, mods, width, s);
  }
}

// Saturating and 24-bit arithmetic, dot products, funnel shifts, bit fields, permuted bytes, and the carry chains.
Meaning rarer_operation(Op op, Type type, Type type2, const Mods& mods, int width,
                        const std::vector<std::uint64_t>& s) {
  const auto source = [&](std::size_t k) { return k < s.size() ? s[k] : 0; };
  const std::uint64_t a = source(0), b = source(1), c = source(2), d = source(3);
  switch (op) {
    case Op::AddSat: return static_cast<std::uint64_t>(clamp_to(type, integer(type, a) + integer(type, b)));
    case Op::SubSat: return static_cast<std::uint64_t>(clamp_to(type, integer(type, a) - integer(type, b)));
    case Op::MadHiSat:
      return static_cast<std::uint64_t>(clamp_to(type, (integer(type, a) * integer(type, b) >> 32) + integer(type, c)));
    case Op::Mul24Lo: return cut(number24(type, a) * number24(type, b), 32);
    case Op::Mul24Hi: return cut(number24(type, a) * number24(type, b) >> 16, 32);
    case Op::Mad24Lo: return cut(number24(type, a) * number24(type, b) + integer(type, c), 32);
    case Op::Mad24Hi: return cut((number24(type, a) * number24(type, b) >> 16) + integer(type, c), 32);
    case Op::Mad24HiSat:
      return static_cast<std::uint64_t>(
          clamp_to(type, (number24(type, a) * number24(type, b) >> 16) + integer(type, c)));
    case Op::SadAbs: return (absolute_difference(type, a, b) + c) & ones(width);
    case Op::Dp4a: return dot_of_bytes(type, type2, a, b, c);
    case Op::Dp2aLo: return dot_of_halves(type, type2, a, b, c, 0);
    case Op::Dp2aHi: return dot_of_halves(type, type2, a, b, c, 2);
    case Op::Cnot: return a == 0 ? 1 : 0;
    case Op::Lop3: return lookup(a, b, c, d);
    case Op::ShfLeftClamp: return funnel(true, true, a, b, c);
    case Op::ShfLeftWrap: return funnel(true, false, a, b, c);
    case Op::ShfRightClamp: return funnel(false, true, a, b, c);
    case Op::ShfRightWrap: return funnel(false, false, a, b, c);
    case Op::Clz: return leading_zeros(width, a);
    case Op::Bfind: return find_bit(type, a, false);
    case Op::BfindShift: return find_bit(type, a, true);
    case Op::Brev: return reversed_bits(width, a);
    case Op::Fns: return find_nth_set(a, b, c);
    case Op::Bfe: return extract_field(type, a, b, c);
    case Op::Bfi: return insert_field(width, a, b, c, d);
    case Op::BmskClamp: return mask_of(a, b, true);
    case Op::BmskWrap: return mask_of(a, b, false);
    case Op::SzextClamp: return sign_or_zero_extend(type, a, b, true);
    case Op::SzextWrap: return sign_or_zero_extend(type, a, b, false);
    case Op::Prmt:
    case Op::PrmtF4e:
    case Op::PrmtB4e:
    case Op::PrmtRc8:
    case Op::PrmtEcl:
    case Op::PrmtEcr:
    case Op::PrmtRc16: return permuted(op, a, b, c);
    case Op::Slct: return select_by_sign(type2, mods, a, b, c);
    case Op::AddCc:
    case Op::Addc:
    case Op::AddcCc:
    case Op::SubCc:
    case Op::Subc:
    case Op::SubcCc:
    case Op::MadLoCc:
    case Op::MadcLo:
    case Op::MadcLoCc:
    case Op::MadHiCc:
    case Op::MadcHi:
    case Op::MadcHiCc: return cut(chained(op, type, s), width);
    default: return std::nullopt;
  }
}

Meaning float_operation(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& s) {
  const Arithmetic unit(type, mods);
  const std::uint64_t a = s[0], b = s.size() > 1 ? s[1] : 0, c = s.size() > 2 ? s[2] : 0;
  switch (op) {
    case Op::AddF:
    case Op::AddHalf: return unit.add(a, b);
    case Op::SubF:
    case Op::SubHalf: return unit.subtract(a, b);
    case Op::MulF:
    case Op::MulHalf: return unit.multiply(a, b);
    case Op::Fma:
    case Op::MadF:
    case Op::FmaHalf: return unit.fma(a, b, c);
    case Op::Rcp: return unit.divide(unit.format().one(), a);
    case Op::CopySign: return unit.copy_sign(a, b);
    case Op::DivF: return unit.divide(a, b);
    case Op::SqrtF: return unit.square_root(a);
    case Op::AbsF:
    case Op::AbsHalf: return unit.absolute(a);
    case Op::NegF:
    case Op::NegHalf: return unit.negate(a);
    case Op::MinF:
    case Op::MinHalf: return unit.extreme(a, b, true);
    case Op::MaxF:
    case Op::MaxHalf: return unit.extreme(a, b, false);
    default: return std::nullopt;
  }
}

// testp; zero counts as normal (tp_norm).
Meaning has_property(Op op, Type type, std::uint64_t x) {
  const Format f = format_of(type);
  switch (op) {
    case Op::TestpFinite: return !is_nan(f, x) && !is_infinite(f, x);
    case Op::TestpInfinite: return is_infinite(f, x);
    case Op::TestpNumber: return !is_nan(f, x);
    case Op::TestpNotANumber: return is_nan(f, x);
    case Op::TestpNormal: return !is_nan(f, x) && !is_infinite(f, x) && !is_subnormal(f, x);
    case Op::TestpSubnormal: return is_subnormal(f, x);
    default: return std::nullopt;
  }
}

// What two lanes' values become in a reduction or scan, as an instruction of the table.
std::optional<Op> combining(Op op, bool of_floats) {
  switch (op) {
    case Op::ReduceAdd:
    case Op::ReduxAdd:
    case Op::ScanAdd: return of_floats ? Op::AddF : Op::Add;
    case Op::ReduceMul:
    case Op::ScanMul: return of_floats ? Op::MulF : Op::MulLo;
    case Op::ReduceMin:
    case Op::ReduxMin:
    case Op::ScanMin: return of_floats ? Op::MinF : Op::Min;
    case Op::ReduceMax:
    case Op::ReduxMax:
    case Op::ScanMax: return of_floats ? Op::MaxF : Op::Max;
    case Op::ReduxAnd:
    case Op::ReduceAnd: return Op::And;
    case Op::ReduxOr:
    case Op::ReduceOr: return Op::Or;
    case Op::ReduxXor:
    case Op::ReduceXor: return Op::Xor;
    default: return std::nullopt;
  }
}

Meaning meaning_of(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& s, unsigned lanes);

// Each half of a pair by itself.
Meaning meaning_of_halves(Op op, Type pair, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                          unsigned lanes) {
  std::vector<std::uint64_t> low, high;
  for (const std::uint64_t source : sources) {
    low.push_back(source & 0xffff);
    high.push_back(source >> 16 & 0xffff);
  }
  const Meaning of_low = meaning_of(op, element(pair), type2, mods, low, lanes);
  const Meaning of_high = meaning_of(op, element(pair), type2, mods, high, lanes);
  if (!of_low || !of_high) return std::nullopt;
  return *of_low | *of_high << 16;
}

// The form and the types of the row decide which of the functions above is asked.
Meaning meaning_of(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                   unsigned lanes) {
  const OpInfo& row = info(op);
  if (op == Op::Cvt) return convert(type, type2, mods, sources[0]);
  if (const Meaning narrow = narrow_conversion(op, type, type2, mods, sources)) return narrow;
  if (row.form == Form::DA2B2) return set_result(op, type, type2, mods, sources);
  if (row.form == Form::PAB) return compared(op, type, mods, sources, false);
  if (is_pair(type) && !has_trait(row, kCopies | kSelects))
    return meaning_of_halves(op, type, type2, mods, sources, lanes);
  if (const Meaning special = special_function(op, type, mods, sources[0], sources.size() > 1 ? sources[1] : 0))
    return special;
  if (row.form == Form::PA) return has_property(op, type, sources[0]);
  if (const std::optional<Op> plain = combining(op, is_float(type)))
    return meaning_of(*plain, type, type2, mods, sources, lanes);
  if ((first_types(row.types) & ~(kFloat | kHalfFloat | kPair)) == 0) return float_operation(op, type, mods, sources);
  return integer_operation(op, type, type2, mods, width_of(type, lanes), sources);
}

}  // namespace

bool has_scalar_meaning(Op op, Type type) {
  const std::vector<std::uint64_t> zeros(kMaxOperands, 0);
  // Any second type that the row takes: the first of them.
  Type type2 = type;
  for (int t = kTypeCount - 1; t >= 0; --t)
    if (contains(second_types(info(op).types), static_cast<Type>(t))) type2 = static_cast<Type>(t);
  return meaning_of(op, type, type2, {}, zeros, 32).has_value();
}

bool second_predicate(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& sources) {
  return compared(op, type, mods, sources, true).value_or(0) != 0;
}

bool carries_out(Op op, Type type, const std::vector<std::uint64_t>& sources) {
  const Int128 sum = chained(op, type, sources);
  return sum >> bits(type) != 0;
}

std::uint64_t evaluate(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                       unsigned lanes) {
  return meaning_of(op, type, type2, mods, sources, lanes).value_or(0);
}

}  // namespace warpsim::reference
