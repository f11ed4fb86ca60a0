// The scalar meaning of every row, one definition each, from PTX's text: integers with 128 bits of room, exact floats.
//
// Shapes: values are bits, zero-extended to 64.
// Units:  none.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, sections 9.7.1 to 9.7.9; NaN bits, division by zero and what else PTX leaves open: the H200's
//         vectors (`d_*`, `f_*`, `c_*`, `i_*`, `l_*`).
#include "tools/fuzz/reference_float.h"
#include "tools/fuzz/reference_integer.h"
#include "tools/fuzz/reference_interpreter.h"
#include "tools/fuzz/reference_mufu.h"

namespace warpsim::reference {
namespace {

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

bool holds(Op op, int order) {
  const bool unordered = order == 2;
  switch (op) {
    case Op::SetEq:
    case Op::SetpEqNarrow:
    case Op::SetpEq:
    case Op::SetpEqHalf: return order == 0;
    case Op::SetNe:
    case Op::SetpNeNarrow:
    case Op::SetpNe:
    case Op::SetpNeHalf: return order == -1 || order == 1;
    case Op::SetLt:
    case Op::SetpLtNarrow:
    case Op::SetpLt:
    case Op::SetpLtHalf: return order == -1;
    case Op::SetLe:
    case Op::SetpLeNarrow:
    case Op::SetpLe:
    case Op::SetpLeHalf: return order == -1 || order == 0;
    case Op::SetGt:
    case Op::SetpGtNarrow:
    case Op::SetpGt:
    case Op::SetpGtHalf: return order == 1;
    case Op::SetGe:
    case Op::SetpGeNarrow:
    case Op::SetpGe:
    case Op::SetpGeHalf: return order == 1 || order == 0;
    case Op::SetEqu:
    case Op::SetpEqu:
    case Op::SetpEquHalf: return unordered || order == 0;
    case Op::SetNeu:
    case Op::SetpNeu:
    case Op::SetpNeuHalf: return unordered || order != 0;
    case Op::SetLtu:
    case Op::SetpLtu:
    case Op::SetpLtuHalf: return unordered || order == -1;
    case Op::SetLeu:
    case Op::SetpLeu:
    case Op::SetpLeuHalf: return unordered || order != 1;
    case Op::SetGtu:
    case Op::SetpGtu:
    case Op::SetpGtuHalf: return unordered || order == 1;
    case Op::SetGeu:
    case Op::SetpGeu:
    case Op::SetpGeuHalf: return unordered || order != -1;
    case Op::SetNum:
    case Op::SetpNum:
    case Op::SetpNumHalf: return !unordered;
    case Op::SetNan:
    case Op::SetpNan:
    case Op::SetpNanHalf: return unordered;
    default: return false;
  }
}

std::uint64_t rarer_operation(Op op, Type type, Type type2, const Mods& mods, int width,
                              const std::vector<std::uint64_t>& s);

std::uint64_t integer_operation(Op op, Type type, Type type2, const Mods& mods, int width,
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
std::uint64_t rarer_operation(Op op, Type type, Type type2, const Mods& mods, int width,
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
    default: return 0;
  }
}

std::uint64_t float_operation(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& s) {
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
    default: return 0;
  }
}

// testp; zero counts as normal (tp_norm).
bool has_property(Op op, Type type, std::uint64_t x) {
  const Format f = format_of(type);
  switch (op) {
    case Op::TestpFinite: return !is_nan(f, x) && !is_infinite(f, x);
    case Op::TestpInfinite: return is_infinite(f, x);
    case Op::TestpNumber: return !is_nan(f, x);
    case Op::TestpNotANumber: return is_nan(f, x);
    case Op::TestpNormal: return !is_nan(f, x) && !is_infinite(f, x) && !is_subnormal(f, x);
    default: return is_subnormal(f, x);
  }
}

// What two lanes' values become in a reduction or scan, as an instruction of the table.
Op combining(Op op, bool of_floats) {
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
    default: return Op::Exit;
  }
}

}  // namespace

// Every row has a line here; one that has none makes the test fail that walks the table.
bool defines(Op op) {
  switch (op) {
    case Op::Mov:
    case Op::Selp:
    case Op::Slct:
    case Op::Cvt:
    case Op::Add:
    case Op::AddNarrow:
    case Op::Sub:
    case Op::SubNarrow:
    case Op::AddSat:
    case Op::SubSat:
    case Op::MulLo:
    case Op::MulLoNarrow:
    case Op::MulHi:
    case Op::MulHiNarrow:
    case Op::MulWide:
    case Op::MulWideNarrow:
    case Op::MadLo:
    case Op::MadLoNarrow:
    case Op::MadHi:
    case Op::MadHiNarrow:
    case Op::MadHiSat:
    case Op::MadWide:
    case Op::MadWideNarrow:
    case Op::Mul24Lo:
    case Op::Mul24Hi:
    case Op::Mad24Lo:
    case Op::Mad24Hi:
    case Op::Mad24HiSat:
    case Op::SadAbs:
    case Op::Dp4a:
    case Op::Dp2aLo:
    case Op::Dp2aHi:
    case Op::Div:
    case Op::DivNarrow:
    case Op::Rem:
    case Op::RemNarrow:
    case Op::Abs:
    case Op::AbsNarrow:
    case Op::Neg:
    case Op::NegNarrow:
    case Op::Min:
    case Op::MinNarrow:
    case Op::Max:
    case Op::MaxNarrow:
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
    case Op::MadcHiCc:
    case Op::And:
    case Op::AndNarrow:
    case Op::Or:
    case Op::OrNarrow:
    case Op::Xor:
    case Op::XorNarrow:
    case Op::Not:
    case Op::NotNarrow:
    case Op::Cnot:
    case Op::Lop3:
    case Op::Shl:
    case Op::ShlNarrow:
    case Op::Shr:
    case Op::ShrNarrow:
    case Op::ShfLeftClamp:
    case Op::ShfLeftWrap:
    case Op::ShfRightClamp:
    case Op::ShfRightWrap:
    case Op::Popc:
    case Op::Clz:
    case Op::Bfind:
    case Op::BfindShift:
    case Op::Brev:
    case Op::Fns:
    case Op::Bfe:
    case Op::Bfi:
    case Op::BmskClamp:
    case Op::BmskWrap:
    case Op::SzextClamp:
    case Op::SzextWrap:
    case Op::Prmt:
    case Op::PrmtF4e:
    case Op::PrmtB4e:
    case Op::PrmtRc8:
    case Op::PrmtEcl:
    case Op::PrmtEcr:
    case Op::PrmtRc16:
    case Op::AddF:
    case Op::SubF:
    case Op::MulF:
    case Op::Fma:
    case Op::MadF:
    case Op::DivF:
    case Op::SqrtF:
    case Op::AbsF:
    case Op::NegF:
    case Op::MinF:
    case Op::MaxF:
    case Op::SetpEq:
    case Op::SetpEqNarrow:
    case Op::SetpNe:
    case Op::SetpNeNarrow:
    case Op::SetpLt:
    case Op::SetpLtNarrow:
    case Op::SetpLe:
    case Op::SetpLeNarrow:
    case Op::SetpGt:
    case Op::SetpGtNarrow:
    case Op::SetpGe:
    case Op::SetpGeNarrow:
    case Op::SetpEqu:
    case Op::SetpNeu:
    case Op::SetpLtu:
    case Op::SetpLeu:
    case Op::SetpGtu:
    case Op::SetpGeu:
    case Op::SetpNum:
    case Op::SetpNan:
    case Op::AddHalf:
    case Op::SubHalf:
    case Op::MulHalf:
    case Op::FmaHalf:
    case Op::AbsHalf:
    case Op::NegHalf:
    case Op::MinHalf:
    case Op::MaxHalf:
    case Op::CopySign:
    case Op::Rcp:
    case Op::RcpApprox:
    case Op::RcpSeed:
    case Op::RsqrtApprox:
    case Op::RsqrtDouble:
    case Op::SqrtApprox:
    case Op::DivApprox:
    case Op::DivFull:
    case Op::Ex2Approx:
    case Op::Ex2Half:
    case Op::Ex2Brain:
    case Op::Lg2Approx:
    case Op::SinApprox:
    case Op::CosApprox:
    case Op::TanhApprox:
    case Op::TanhHalf:
    case Op::SetpEqHalf:
    case Op::SetpNeHalf:
    case Op::SetpLtHalf:
    case Op::SetpLeHalf:
    case Op::SetpGtHalf:
    case Op::SetpGeHalf:
    case Op::SetpEquHalf:
    case Op::SetpNeuHalf:
    case Op::SetpLtuHalf:
    case Op::SetpLeuHalf:
    case Op::SetpGtuHalf:
    case Op::SetpGeuHalf:
    case Op::SetpNumHalf:
    case Op::SetpNanHalf:
    case Op::TestpFinite:
    case Op::TestpInfinite:
    case Op::TestpNumber:
    case Op::TestpNotANumber:
    case Op::TestpNormal:
    case Op::TestpSubnormal:
    case Op::SetEq:
    case Op::SetNe:
    case Op::SetLt:
    case Op::SetLe:
    case Op::SetGt:
    case Op::SetGe:
    case Op::SetEqu:
    case Op::SetNeu:
    case Op::SetLtu:
    case Op::SetLeu:
    case Op::SetGtu:
    case Op::SetGeu:
    case Op::SetNum:
    case Op::SetNan:
    case Op::AtomGlobalAdd:
    case Op::AtomGlobalMin:
    case Op::AtomGlobalMax:
    case Op::AtomGlobalAnd:
    case Op::AtomGlobalOr:
    case Op::AtomGlobalXor:
    case Op::AtomGlobalInc:
    case Op::AtomGlobalDec:
    case Op::AtomGlobalExch:
    case Op::AtomGlobalCas:
    case Op::AtomSharedAdd:
    case Op::AtomSharedMin:
    case Op::AtomSharedMax:
    case Op::AtomSharedAnd:
    case Op::AtomSharedOr:
    case Op::AtomSharedXor:
    case Op::AtomSharedInc:
    case Op::AtomSharedDec:
    case Op::AtomSharedExch:
    case Op::AtomSharedCas:
    case Op::RedGlobalAdd:
    case Op::RedGlobalMin:
    case Op::RedGlobalMax:
    case Op::RedGlobalAnd:
    case Op::RedGlobalOr:
    case Op::RedGlobalXor:
    case Op::RedGlobalInc:
    case Op::RedGlobalDec:
    case Op::RedSharedAdd:
    case Op::RedSharedMin:
    case Op::RedSharedMax:
    case Op::RedSharedAnd:
    case Op::RedSharedOr:
    case Op::RedSharedXor:
    case Op::RedSharedInc:
    case Op::RedSharedDec:
    case Op::MatchAny:
    case Op::MatchAll:
    case Op::ReduxAdd:
    case Op::ReduxMin:
    case Op::ReduxMax:
    case Op::ReduxAnd:
    case Op::ReduxOr:
    case Op::ReduxXor:
    case Op::BarRedPopc:
    case Op::BarRedAnd:
    case Op::BarRedOr:
    case Op::MembarCta:
    case Op::MembarGl:
    case Op::MembarSys:
    case Op::FenceAcqRelCta:
    case Op::FenceAcqRelGpu:
    case Op::FenceAcqRelSys:
    case Op::FenceScCta:
    case Op::FenceScGpu:
    case Op::FenceScSys:
    case Op::Nanosleep:
    case Op::Pack2:
    case Op::Pack4:
    case Op::Unpack2:
    case Op::Unpack4:
    case Op::LdGlobalV2:
    case Op::LdGlobalV4:
    case Op::LdSharedV2:
    case Op::LdSharedV4:
    case Op::StGlobalV2:
    case Op::StGlobalV4:
    case Op::StSharedV2:
    case Op::StSharedV4:
    case Op::LdGlobal:
    case Op::StGlobal:
    case Op::LdShared:
    case Op::StShared:
    case Op::LdParam:
    case Op::ShflIdx:
    case Op::ShflUp:
    case Op::ShflDown:
    case Op::ShflBfly:
    case Op::VoteAll:
    case Op::VoteAny:
    case Op::VoteUni:
    case Op::VoteBallot:
    case Op::ActiveMask:
    case Op::Broadcast:
    case Op::ReduceAdd:
    case Op::ReduceMul:
    case Op::ReduceMin:
    case Op::ReduceMax:
    case Op::ReduceAnd:
    case Op::ReduceOr:
    case Op::ReduceXor:
    case Op::ScanAdd:
    case Op::ScanMul:
    case Op::ScanMin:
    case Op::ScanMax:
    case Op::Bra:
    case Op::Exit:
    case Op::BarWarp:
    case Op::BarSync: return true;
  }
  return false;
}

bool carries_out(Op op, Type type, const std::vector<std::uint64_t>& sources) {
  const Int128 sum = chained(op, type, sources);
  return sum >> bits(type) != 0;
}

std::uint64_t evaluate(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                       unsigned lanes) {
  const OpInfo& row = info(op);
  if (op == Op::Cvt) return convert(type, type2, mods, sources[0]);
  if (is_pair(type)) {
    std::vector<std::uint64_t> low, high;
    for (const std::uint64_t source : sources) {
      low.push_back(source & 0xffff);
      high.push_back(source >> 16 & 0xffff);
    }
    if (row.kernel != "Copy" && row.kernel != "Select")
      return evaluate(op, element(type), type2, mods, low, lanes) |
             evaluate(op, element(type), type2, mods, high, lanes) << 16;
  }
  if (is_special_function(op)) return special_function(op, type, mods, sources[0], sources.size() > 1 ? sources[1] : 0);
  if (row.form == Form::DA2B2) {
    const std::uint64_t yes = type == Type::F32 ? 0x3f800000 : 0xffffffff;
    return holds(op, order_of(type2, mods, sources[0], sources[1])) ? yes : 0;
  }
  if (row.form == Form::PA) return has_property(op, type, sources[0]) ? 1 : 0;
  if (row.form == Form::PAB) return holds(op, order_of(type, mods, sources[0], sources[1])) ? 1 : 0;
  const Op plain = combining(op, is_float(type));
  if (plain != Op::Exit) return evaluate(plain, type, type2, mods, sources, lanes);
  if ((first_types(row.types) & ~(kFloat | kHalfFloat | kPair)) == 0) return float_operation(op, type, mods, sources);
  return integer_operation(op, type, type2, mods, width_of(type, lanes), sources);
}

}  // namespace warpsim::reference
