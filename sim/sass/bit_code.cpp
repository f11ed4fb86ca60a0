// Logic, shifts, selection and counting of bits, for lanes and for the warp (U…), and logic of predicates.
#include "isa/kernels/kernels.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace bit_code {
namespace {

bool build_logic(CodeBuilder& b) {
  b.take_integers();
  b.op.value = static_cast<std::uint32_t>(b.bits(72, 8));
  b.op.pd = b.written_predicate(81);
  b.op.p = b.predicate(87);
  const LaneCode& code = lane_code();
  b.op.run = b.op.pd != kNowhere  ? code.logic_with_predicate
             : b.op.value == 0xc0 ? code.logic_and
             : b.op.value == 0xfc ? code.logic_or
             : b.op.value == 0x3c ? code.logic_xor
                                  : code.logic;
  return true;
}

// Of all lanes at once: bit 4p + 2q + r of the table.
Lanes chosen(std::uint32_t table, Lanes p, Lanes q, Lanes r) {
  Lanes result = 0;
  for (unsigned k = 0; k < 8; ++k)
    if ((table >> k & 1) != 0) result |= ((k & 4) != 0 ? p : ~p) & ((k & 2) != 0 ? q : ~q) & ((k & 1) != 0 ? r : ~r);
  return result;
}
void logic_of_predicates(Exec& x, const CodeOp& op) {
  const Lanes p = x.read(op.p), q = x.read(op.q), r = x.read(op.r);
  const Lanes first = chosen(op.value, p, q, r), second = chosen(op.value2, p, q, r);
  x.write(op.pd, first);
  x.write(op.pe, second);
}
// Of the signs of three registers.
void logic_of_signs(Exec& x, const CodeOp& op) {
  const auto sign = [&x](std::uint32_t row) {
    const Row* const a = x.row(row);
    return lanes_where([=](unsigned l) { return a[l] >> 31 != 0; });
  };
  const Lanes a = sign(op.a), b = sign(op.b), c = sign(op.c);
  x.write(op.pd, chosen(op.value, a, b, c));
  x.write(op.pe, chosen(op.value2, a, b, c));
}
bool build_logic_of_predicates(CodeBuilder& b) {
  CodeOp& op = b.op;
  op.pd = b.written_predicate(81);
  op.pe = b.written_predicate(84);
  op.value2 = static_cast<std::uint32_t>(b.bits(16, 8));
  if (b.bits(0, 9) == 0x1f || b.bits(0, 9) == 0x9f) {
    b.take_integers();
    op.value = static_cast<std::uint32_t>(b.bits(72, 8));
    op.run = logic_of_signs;
    return true;
  }
  op.value = static_cast<std::uint32_t>(b.bits(64, 3) | b.bits(72, 5) << 3);
  op.p = b.predicate(87);
  op.q = b.predicate(77);
  op.r = b.predicate(68, !b.is_uniform && b.bits(67, 1) != 0);
  op.run = logic_of_predicates;
  return true;
}

// ---- shifts of two words side by side
bool build_shift(CodeBuilder& b) {
  b.take_integers();
  CodeOp& op = b.op;
  const bool left = b.bits(76, 1) == 0, high = b.has("HI"), is_signed = b.has("S32") || b.has("S64");
  const unsigned width = b.has("U64") || b.has("S64") ? 64 : 32;
  op.value2 = width;
  op.value = (left ? 1U : 0U) | (b.has("W") ? 2U : 0U) | (high ? 4U : 0U) | (is_signed ? 8U : 0U);
  op.run = lane_code().shift;
  const Operand& count = b.source(1);
  if (count.kind != OperandKind::Immediate || count.value < 0 || count.value >= 32) return true;
  if (left ? !high : high) {
    op.value2 = static_cast<std::uint32_t>(count.value);
    op.run = left ? lane_code().shift_left_word : lane_code().shift_right_upper[is_signed];
  }
  return true;
}

// ---- one word from up to three, a lane at a time
template <class K>
void by_bits(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  kernels::Operands o;
  o.type = op.type;
  each_acting(x, op.d, [&](unsigned l) {
    o.a = a[l];
    o.b = b[l];
    o.c = c[l];
    return static_cast<std::uint32_t>(K::of(o));
  });
}
template <class K>
void find_one(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  kernels::Operands o;
  o.type = op.type;
  const std::uint32_t flip = op.sign_a.flip;
  each_acting(x, op.d, [&](unsigned l) {
    o.a = a[l] ^ flip;
    return static_cast<std::uint32_t>(K::of(o));
  });
}

bool build_reverse(CodeBuilder& b) { return b.take_integers(), b.op.run = lane_code().reverse, true; }
bool build_count(CodeBuilder& b) { return b.take_integers(), b.op.run = lane_code().count_ones, true; }
bool build_find(CodeBuilder& b) {
  if (b.written_predicate(81) != kNowhere) return false;
  b.take_integers();
  b.op.type = b.has("U32") ? Type::U32 : Type::S32;
  b.op.run = b.has("SH") ? find_one<kernels::BfindShift> : find_one<kernels::Bfind>;
  return true;
}
bool build_extension(CodeBuilder& b) {
  b.take_integers();
  b.op.type = b.has("U32") ? Type::U32 : Type::S32;
  b.op.run = b.has("W") ? by_bits<kernels::SzextWrap> : by_bits<kernels::SzextClamp>;
  return true;
}
bool build_mask(CodeBuilder& b) {
  b.take_integers();
  b.op.run = b.has("W") ? by_bits<kernels::BmskWrap> : by_bits<kernels::BmskClamp>;
  return true;
}

// The selectors are the second operand, the upper four bytes the third.
template <class K>
void permute(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  kernels::Operands o;
  each_acting(x, op.d, [&](unsigned l) {
    o.a = a[l];
    o.b = c[l];
    o.c = b[l];
    return static_cast<std::uint32_t>(K::of(o));
  });
}
bool build_permutation(CodeBuilder& b) {
  b.take_integers();
  constexpr RunFn kModes[] = {permute<kernels::Prmt>,    permute<kernels::PrmtF4e>, permute<kernels::PrmtB4e>,
                              permute<kernels::PrmtRc8>, permute<kernels::PrmtEcl>, permute<kernels::PrmtEcr>,
                              permute<kernels::PrmtRc16>};
  const auto mode = b.is_uniform ? 0 : static_cast<std::size_t>(b.bits(72, 3));
  if (mode >= std::size(kModes)) return false;
  b.op.run = kModes[mode];
  return true;
}

// ---- moves and selection
bool build_move(CodeBuilder& b) { return b.take_integers(), b.op.run = lane_code().move, true; }

bool build_selection(CodeBuilder& b) {
  b.take_integers();
  b.op.p = b.predicate(87);
  b.op.run = lane_code().select;
  return true;
}
bool build_float_selection(CodeBuilder& b) {
  if (b.has("FTZ")) return false;
  b.take_floats();
  b.op.p = b.predicate(87);
  b.op.run = lane_code().select;
  return true;
}

}  // namespace
}  // namespace bit_code

std::vector<CodeMeaning> bit_meanings() {
  using namespace bit_code;
  return {{"LOP3", build_logic},
          {"ULOP3", build_logic},
          {"PLOP3", build_logic_of_predicates},
          {"UPLOP3", build_logic_of_predicates},
          {"SHF", build_shift},
          {"USHF", build_shift},
          {"BREV", build_reverse},
          {"UBREV", build_reverse},
          {"POPC", build_count},
          {"UPOPC", build_count},
          {"FLO", build_find},
          {"UFLO", build_find},
          {"SGXT", build_extension},
          {"USGXT", build_extension},
          {"BMSK", build_mask},
          {"UBMSK", build_mask},
          {"PRMT", build_permutation},
          {"UPRMT", build_permutation},
          {"MOV", build_move},
          {"UMOV", build_move},
          {"SEL", build_selection},
          {"USEL", build_selection},
          {"FSEL", build_float_selection}};
}

}  // namespace warpsim::sass
