// Conversions between integers and floats of all widths.
#include "isa/kernels/kernels.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace conversion_code {
namespace {

using U64 = std::uint64_t;
using kernels::Operands;

constexpr Type kIntegers[] = {Type::U8, Type::S8, Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64};
constexpr Type kFloats[] = {Type::None, Type::F16,  Type::F32,  Type::F64,
                            Type::BF16, Type::None, Type::None, Type::None};

// The bits that count of a source: `value` is how far they are from the lowest.
U64 source_bits(const Exec& x, const CodeOp& op, const Row* a, unsigned l) {
  const int width = bits(op.type2);
  if (width == 64) {
    U64 whole = pair_at(a, l);
    if (op.sign_a.keep != ~0U) whole &= ~U64{0} >> 1;
    return op.sign_a.flip != 0 ? whole ^ U64 { 1 } << 63 : whole;
  }
  static_cast<void>(x);
  U64 part = kernels::detail::low_bits(a[l] >> op.value, width);
  if (is_float(op.type2)) {
    const U64 sign = U64{1} << (width - 1);
    if (op.sign_a.keep != ~0U) part &= sign - 1;
    if (op.sign_a.flip != 0) part ^= sign;
  }
  return part;
}

void convert(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  Row* const d = x.row(op.d);
  Row* const upper = x.row(op.d + kRowBytes);
  const bool is_wide = bits(op.type) == 64, extends = is_signed(op.type) && bits(op.type) < 32;
  const int shift = extends ? 32 - bits(op.type) : 0;
  for_lanes(x.mask, [&](unsigned l) {
    const U64 from = source_bits(x, op, a, l);
    U64 result = kernels::Convert::of(from, op.type, op.type2, op.mods);
    // A NaN becomes an integer's top bit, but for NTZ.
    if (op.value2 != 0 && softfloat::is_nan(softfloat::format_of(op.type2), from))
      result = op.value2 == 2 ? 0 : U64{1} << (bits(op.type) - 1);
    if (extends) result = static_cast<std::uint32_t>(static_cast<std::int32_t>(result << shift) >> shift);
    d[l] = static_cast<std::uint32_t>(result);
    if (is_wide) upper[l] = static_cast<std::uint32_t>(result >> 32);
  });
}

void take(CodeBuilder& b) {
  b.take_floats();
  b.op.mods.ftz = b.has("FTZ");
  b.op.mods.round = b.round();
  b.op.run = convert;
  if (b.insn.operands.back().text.find("H1") != std::string::npos) b.op.value = 16;
}

bool build_float_to_float(CodeBuilder& b) {
  take(b);
  b.op.type = kFloats[b.bits(75, 2) | b.bits(77, 1) << 2];
  b.op.type2 = kFloats[b.bits(84, 3)];
  return b.op.type != Type::None && b.op.type2 != Type::None;
}
bool build_float_to_integer(CodeBuilder& b) {
  take(b);
  b.op.type = kIntegers[b.bits(72, 1) | b.bits(75, 2) << 1];
  b.op.type2 = kFloats[b.bits(84, 3)];
  b.op.mods.round = b.has("FLOOR") ? Round::Rmi : b.has("CEIL") ? Round::Rpi : b.has("TRUNC") ? Round::Rzi : Round::Rni;
  if (bits(b.op.type) <= 32) b.op.value2 = b.has("NTZ") ? 2 : 1;
  return b.op.type2 != Type::None;
}
bool build_rounding(CodeBuilder& b) {
  take(b);
  b.op.type = b.op.type2 = kFloats[b.bits(84, 3)];
  b.op.mods.round = b.has("FLOOR") ? Round::Rmi : b.has("CEIL") ? Round::Rpi : b.has("TRUNC") ? Round::Rzi : Round::Rni;
  return b.op.type != Type::None;
}
bool build_integer_to_float(CodeBuilder& b) {
  take(b);
  CodeOp& op = b.op;
  op.type = b.insn.name == "I2FP" ? Type::F32 : kFloats[b.bits(75, 2) | b.bits(77, 1) << 2];
  op.type2 = kIntegers[b.bits(74, 1) | b.bits(84, 2) << 1];
  if (b.insn.name == "I2FP") op.type2 = b.has("S32") ? Type::S32 : Type::U32;
  if (op.type == Type::None) return false;
  const bool is_register = b.source(0).kind == OperandKind::Register || b.source(0).kind == OperandKind::Uniform;
  if (is_register && bits(op.type2) == 8) op.value = static_cast<std::uint32_t>(8 * b.bits(60, 2));
  if (op.type == Type::F32 && bits(op.type2) == 32 && op.mods.round == Round::Rn)
    op.run = lane_code().word_to_float[op.type2 == Type::S32];  // the host's own
  return true;
}
bool build_integer_to_integer(CodeBuilder& b) {
  take(b);
  b.op.type = kIntegers[b.bits(76, 2)];
  b.op.type2 = Type::S32;
  b.op.mods.sat = true;
  return true;
}

// ---- two at once
template <class K>
void pack(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  Operands o;
  o.type = op.type;
  o.type2 = op.type2;
  o.mods = op.mods;
  each_acting(x, op.d, [&](unsigned l) {
    o.a = a[l] >> op.value;
    o.b = b[l];
    o.c = c[l];
    return static_cast<std::uint32_t>(K::of(o));
  });
}
bool build_pack(CodeBuilder& b) {
  b.take_integers();
  CodeOp& op = b.op;
  op.mods.round = b.round();
  op.mods.relu = b.has("RELU");
  op.mods.satfinite = b.has("SATFINITE");
  const bool is_e4m3 = b.has("E4M3");
  if (b.has("UNPACK_B")) {
    op.type = Type::F16X2;
    op.type2 = is_e4m3 ? Type::E4M3X2 : Type::E5M2X2;
    op.value = b.insn.operands.back().text.find("H1") != std::string::npos ? 16 : 0;
    op.run = pack<kernels::CvtFromFloat8>;
    return true;
  }
  const bool into_eight_bits = is_e4m3 || b.has("E5M2");
  if (b.has("PACK_AB") || (b.has("PACK_AB_MERGE_C") && op.c == b.machine.layout.zero() && into_eight_bits)) {
    op.type = into_eight_bits ? (is_e4m3 ? Type::E4M3X2 : Type::E5M2X2) : b.has("BF16") ? Type::BF16X2 : Type::F16X2;
    op.type2 = Type::F32;
    op.run = pack<kernels::CvtPair>;
    return true;
  }
  const bool merges_nothing = b.row(b.source(b.sources() - 1)) == b.machine.layout.zero();
  if (b.has("MERGE_C") && merges_nothing) {  // one number, the other one is 0
    op.b = op.a;
    op.a = b.machine.layout.zero();
    op.type = b.has("BF16") ? Type::BF16X2 : Type::F16X2;
    op.run = pack<kernels::CvtPair>;
    return true;
  }
  if (b.has("UNPACK_B_MERGE_C") && merges_nothing) {
    op.type = is_e4m3 ? Type::E4M3X2 : Type::E5M2X2;
    op.run = pack<kernels::CvtFloat8Half>;
    return true;
  }
  if (b.has("TF32")) {
    op.run = pack<kernels::CvtTf32>;
    return true;
  }
  return false;
}
bool build_integer_pack(CodeBuilder& b) {
  constexpr unsigned kParts[] = {0, 0, 0, 0, 3, 3, 2, 2};  // what of the third operand goes on above, by bits 72 and 73
  constexpr RunFn kBy[] = {pack<kernels::CvtPackU8>,  pack<kernels::CvtPackS8>, pack<kernels::CvtPackU16>,
                           pack<kernels::CvtPackS16>, pack<kernels::CvtPackU2>, pack<kernels::CvtPackS2>,
                           pack<kernels::CvtPackU4>,  pack<kernels::CvtPackS4>};
  b.take_integers();
  const auto which = static_cast<std::size_t>(b.bits(76, 3));
  if (b.bits(72, 2) != kParts[which]) return false;
  b.op.run = kBy[which];
  return true;
}

}  // namespace
}  // namespace conversion_code

std::vector<CodeMeaning> conversion_meanings() {
  using namespace conversion_code;
  return {{"F2F", build_float_to_float},
          {"F2I", build_float_to_integer},
          {"FRND", build_rounding},
          {"I2F", build_integer_to_float},
          {"I2FP", build_integer_to_float},
          {"I2I", build_integer_to_integer},
          {"F2FP", build_pack},
          {"I2IP", build_integer_pack}};
}

}  // namespace warpsim::sass
