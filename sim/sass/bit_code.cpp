// Logic, shifts, selection and counting of bits, for lanes and for the warp (U…), and logic of predicates.
#include "isa/kernels/kernels.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace bit_code {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;

// ---- any function of three bits: bit 4a + 2b + c of the table
// By the third operand, then by the second, then by the first.
struct BitTable {
  std::uint32_t clear[4], differs[4];  // of each pair of a and b: the result where c is 0, and whether c changes it
};
BitTable table_of(unsigned lut) {
  BitTable table{};
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned none = lut >> (2 * k) & 1, one = lut >> (2 * k + 1) & 1;
    table.clear[k] = 0U - none;
    table.differs[k] = 0U - (none ^ one);
  }
  return table;
}
[[gnu::always_inline]] inline std::uint32_t chosen(const BitTable& t, std::uint32_t a, std::uint32_t b,
                                                   std::uint32_t c) {
  const std::uint32_t v0 = t.clear[0] ^ (c & t.differs[0]), v1 = t.clear[1] ^ (c & t.differs[1]);
  const std::uint32_t v2 = t.clear[2] ^ (c & t.differs[2]), v3 = t.clear[3] ^ (c & t.differs[3]);
  const std::uint32_t low = v0 ^ (b & (v0 ^ v1)), high = v2 ^ (b & (v2 ^ v3));
  return low ^ (a & (low ^ high));
}

void logic(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  const BitTable table = table_of(op.value);
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) { return chosen(table, a[l], b[l], c[l]); });
}
template <class K>
void logic_of_two(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) { return K::template of<std::uint32_t>(a[l], b[l]); });
}
// A predicate says as well whether the result is another number than 0.
void logic_with_predicate(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  const BitTable table = table_of(op.value);
  const Lanes p = x.read(op.p);
  const Lanes truth = lanes_where([=](unsigned l) { return chosen(table, a[l], b[l], c[l]) != 0; });
  each_word(x, op.d, [=](unsigned l) { return chosen(table, a[l], b[l], c[l]); });
  x.write(op.pd, truth | p);
}
bool build_logic(CodeBuilder& b) {
  b.take_integers();
  b.op.value = static_cast<std::uint32_t>(b.bits(72, 8));
  b.op.pd = b.written_predicate(81);
  b.op.p = b.predicate(87);
  const bool two = b.op.pd == kNowhere;
  b.op.run = !two                 ? logic_with_predicate
             : b.op.value == 0xc0 ? logic_of_two<kernels::And>
             : b.op.value == 0xfc ? logic_of_two<kernels::Or>
             : b.op.value == 0x3c ? logic_of_two<kernels::Xor>
                                  : logic;
  return true;
}

void logic_of_predicates(Exec& x, const CodeOp& op) {
  const Lanes p = x.read(op.p), q = x.read(op.q), r = x.read(op.r);
  const Lanes first = chosen(table_of(op.value), p, q, r), second = chosen(table_of(op.value2), p, q, r);
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
  x.write(op.pd, chosen(table_of(op.value), a, b, c));
  x.write(op.pe, chosen(table_of(op.value2), a, b, c));
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

// ---- shifts of two words side by side, `c` above `a`
struct Shift {
  bool left, wraps, high, is_signed;
  unsigned width;
};
[[gnu::always_inline]] inline std::uint32_t shifted(const Shift& how, std::uint32_t a, std::uint32_t count,
                                                    std::uint32_t c) {
  const U64 both = U64{c} << 32 | a;
  const std::uint32_t by = how.wraps ? count & (how.width - 1) : count < how.width ? count : how.width;
  U64 result = 0;
  if (how.left) result = by < 64 ? both << by : 0;
  else if (how.is_signed) result = static_cast<U64>(static_cast<S64>(both) >> (by < 64 ? by : 63));
  else result = by < 64 ? both >> by : 0;
  return static_cast<std::uint32_t>(how.high ? result >> 32 : result);
}
void shift(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
  const Shift how{(op.value & 1) != 0, (op.value & 2) != 0, (op.value & 4) != 0, (op.value & 8) != 0, op.value2};
  each_word(x, op.d, [=](unsigned l) { return shifted(how, a[l], b[l], c[l]); });
}
// By the same count, below 32, in all lanes.
void shift_left_word(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  const std::uint32_t count = op.value2;
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) { return a[l] << count; });
}
void shift_right_upper(Exec& x, const CodeOp& op) {
  const Row* const c = x.row(op.c);
  const std::uint32_t count = op.value2;
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) { return c[l] >> count; });
}
void shift_right_upper_signed(Exec& x, const CodeOp& op) {
  const Row* const c = x.row(op.c);
  const std::uint32_t count = op.value2;
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(c[l]) >> count);
      });
}
bool build_shift(CodeBuilder& b) {
  b.take_integers();
  CodeOp& op = b.op;
  const bool left = b.bits(76, 1) == 0, high = b.has("HI"), is_signed = b.has("S32") || b.has("S64");
  const unsigned width = b.has("U64") || b.has("S64") ? 64 : 32;
  op.value2 = width;
  op.value = (left ? 1U : 0U) | (b.has("W") ? 2U : 0U) | (high ? 4U : 0U) | (is_signed ? 8U : 0U);
  op.run = shift;
  const Operand& count = b.source(1);
  if (count.kind != OperandKind::Immediate || count.value < 0 || count.value >= 32) return true;
  if (left ? !high : high) {
    op.value2 = static_cast<std::uint32_t>(count.value);
    op.run = left ? shift_left_word : is_signed ? shift_right_upper_signed : shift_right_upper;
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
void reverse(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) {
        std::uint32_t v = a[l];
        v = (v >> 1 & 0x55555555U) | (v & 0x55555555U) << 1;
        v = (v >> 2 & 0x33333333U) | (v & 0x33333333U) << 2;
        v = (v >> 4 & 0x0f0f0f0fU) | (v & 0x0f0f0f0fU) << 4;
        v = (v >> 8 & 0x00ff00ffU) | (v & 0x00ff00ffU) << 8;
        return v >> 16 | v << 16;
      });
}
void count_ones(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) { return kernels::Popc::of<std::uint32_t>(a[l]); });
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

bool build_reverse(CodeBuilder& b) { return b.take_integers(), b.op.run = reverse, true; }
bool build_count(CodeBuilder& b) { return b.take_integers(), b.op.run = count_ones, true; }
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
void move(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  each_word(
      x, op.d, [=](unsigned l) __attribute__((always_inline)) { return a[l]; });
}
bool build_move(CodeBuilder& b) { return b.take_integers(), b.op.run = move, true; }

// A float's sign may be changed, of both operands.
void select(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const b = x.row(op.b);
  const Lanes p = x.read(op.p);
  const Signs sa = op.sign_a, sb = op.sign_b;
  alignas(64) std::uint32_t t[kLanes], u[kLanes];
  lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
    t[l] = (a[l] & sa.keep) ^ sa.flip;
    u[l] = (b[l] & sb.keep) ^ sb.flip;
  });
  blend(x.row(op.d), t, x.mask & p);
  blend(x.row(op.d), u, x.mask & ~p);
}
bool build_selection(CodeBuilder& b) {
  b.take_integers();
  b.op.p = b.predicate(87);
  b.op.run = select;
  return true;
}
bool build_float_selection(CodeBuilder& b) {
  if (b.has("FTZ")) return false;
  b.take_floats();
  b.op.p = b.predicate(87);
  b.op.run = select;
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
