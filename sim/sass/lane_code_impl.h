// The loops of lane_code.h, for the instruction set that the including file is compiled for.
//
// Shapes: `Host` keeps the copies of one binary apart. All that they call is always inlined (isa/kernels/kernels.h says
//         why).
// Errors: none.
#pragma once

#include "isa/kernels/kernels.h"
#include "sim/code/shuffle_network.h"
#include "sim/sass/bank_loops.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

// Tags of the host instruction sets (sim/code/lane_ops_impl.h).
namespace warpsim::lane_ops_detail {
struct Baseline;
struct Avx2;
struct Avx512;
}  // namespace warpsim::lane_ops_detail

namespace warpsim::sass {

// Any function of three bits: bit 4a + 2b + c of the table. By the third operand, then the second, then the first.
struct BitTable {
  std::uint32_t clear[4], differs[4];  // of each pair of a and b: the result where c is 0, and whether c changes it
};
[[gnu::always_inline]] inline BitTable table_of(unsigned lut) {
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

template <class Host>
struct LaneLoops {
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  using S32 = std::int32_t;

  // ---- sums and products: an operand is inverted where it is negated, and `value` says how many are
  static void add(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const U32 fa = op.sign_a.flip, fb = op.sign_b.flip, fc = op.sign_c.flip, more = op.value;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return (a[l] ^ fa) + (b[l] ^ fb) + (c[l] ^ fc) + more;
        });
  }
  // With what carries out, once and twice, and what two predicates carry in.
  static void add_with_carries(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const U32 fa = op.sign_a.flip, fb = op.sign_b.flip, fc = op.sign_c.flip, more = op.value;
    const Lanes p = x.read(op.p), q = x.read(op.q);
    alignas(64) U32 sum[kLanes], carries[kLanes];
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      const U32 one = a[l] ^ fa, two = one + (b[l] ^ fb), three = two + (c[l] ^ fc);
      const U32 all = three + (more + (p >> l & 1) + (q >> l & 1));
      sum[l] = all;
      carries[l] = (two < one ? 1U : 0U) + (three < two ? 1U : 0U) + (all < three ? 1U : 0U);
    });
    blend(x.row(op.d), sum, x.mask);
    if (op.pd != kNowhere)
      x.write(op.pd, lanes_where<Host>([&](unsigned l) __attribute__((always_inline)) { return carries[l] != 0; }));
    if (op.pe != kNowhere)
      x.write(op.pe, lanes_where<Host>([&](unsigned l) __attribute__((always_inline)) { return carries[l] > 1; }));
  }
  static void multiply_add(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const U32 fb = op.sign_b.flip, fc = op.sign_c.flip, one = op.value;
    each_word(
        x,
        op.d, [=](unsigned l) __attribute__((always_inline)) { return a[l] * ((b[l] ^ fb) - fb) + (c[l] ^ fc) + one; });
  }
  static void move_or_negate(Exec& x, const CodeOp& op) {
    const Row* const c = x.row(op.c);
    const U32 fc = op.sign_c.flip;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return (c[l] ^ fc) - fc; });
  }
  static void absolute(Exec& x, const CodeOp& op) {
    const Row* const a = x.row(op.a);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return static_cast<U32>(kernels::Abs::of<S32>(static_cast<S32>(a[l])));
        });
  }
  static void shift_add(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const U32 fa = op.sign_a.flip, fb = op.sign_b.flip, more = (fa & 1) + (fb & 1), count = op.value;
    each_word(
        x,
        op.d, [=](unsigned l) __attribute__((always_inline)) { return ((a[l] << count) ^ fa) + (b[l] ^ fb) + more; });
  }
  // The upper word of what is shifted, which `c` continues.
  template <bool Extends>
  static void shift_add_high(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const U32 fa = op.sign_a.flip, fb = op.sign_b.flip, count = op.value;
    const Lanes p = x.read(op.p);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          const U32 upper = Extends ? static_cast<U32>(static_cast<S32>(a[l]) >> 31) : c[l];
          const U64 both = U64{upper} << 32 | a[l];
          return (static_cast<U32>(both << count >> 32) ^ fa) + (b[l] ^ fb) + (p >> l & 1);
        });
  }
  template <class T>
  [[gnu::always_inline]] static U64 product(U32 a, U32 b) {
    return static_cast<U64>(kernels::MulWide::of<T>(static_cast<T>(a), static_cast<T>(b)));
  }
  template <class T>
  static void multiply_wide(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    each_pair(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return product<T>(a[l], b[l]) + pair_at(c, l); });
  }
  // The third operand is 64 bits wide, too.
  template <class T>
  static void multiply_high(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const U64 fb = op.sign_b.flip != 0 ? ~U64{0} : 0, fc = op.sign_c.flip != 0 ? ~U64{0} : 0;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return static_cast<U32>((((product<T>(a[l], b[l]) ^ fb) - fb) + (pair_at(c, l) ^ fc) - fc) >> 32);
        });
  }
  // Of a sum and another number, as the predicate says.
  template <class T>
  static void smaller_or_larger(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const U32 fb = op.sign_b.flip, fc = op.sign_c.flip;
    const Lanes p = x.read(op.p), all = x.mask;
    x.mask = all & p;
    if (x.mask != 0)
      each_word(
          x, op.d, [=](unsigned l) __attribute__((always_inline)) {
            const T sum = static_cast<T>(a[l] + ((b[l] ^ fb) - fb)), other = static_cast<T>((c[l] ^ fc) - fc);
            return static_cast<U32>(kernels::Min::of<T>(sum, other));
          });
    x.mask = all & ~p;
    if (x.mask != 0)
      each_word(
          x, op.d, [=](unsigned l) __attribute__((always_inline)) {
            const T sum = static_cast<T>(a[l] + ((b[l] ^ fb) - fb)), other = static_cast<T>((c[l] ^ fc) - fc);
            return static_cast<U32>(kernels::Max::of<T>(sum, other));
          });
    x.mask = all;
  }
  template <class Relation, class T>
  static void compare(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    write_combined(x, op, lanes_where<Host>([=](unsigned l) __attribute__((always_inline)) {
                     return Relation::template of<T>(static_cast<T>(a[l]), static_cast<T>(b[l]));
                   }));
  }

  // ---- bits
  static void logic(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const BitTable table = table_of(op.value);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return chosen(table, a[l], b[l], c[l]); });
  }
  template <class K>
  static void logic_of_two(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return K::template of<U32>(a[l], b[l]); });
  }
  // A predicate says as well whether the result is another number than 0.
  static void logic_with_predicate(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const BitTable table = table_of(op.value);
    const Lanes p = x.read(op.p);
    const Lanes truth = lanes_where<Host>([=](unsigned l) __attribute__((always_inline)) {
      return chosen(table, a[l], b[l], c[l]) != 0;
    });
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return chosen(table, a[l], b[l], c[l]); });
    x.write(op.pd, truth | p);
  }
  // Two words side by side, c above a; value: 1 to the left, 2 the count wraps, 4 the upper word, 8 signed; of value2
  // bits.
  static void shift(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const bool left = (op.value & 1) != 0, wraps = (op.value & 2) != 0, is_signed = (op.value & 8) != 0;
    const U32 width = op.value2, up = (op.value & 4) != 0 ? 32 : 0;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          const U64 both = U64{c[l]} << 32 | a[l];
          const U32 by = wraps ? b[l] & (width - 1) : b[l] < width ? b[l] : width, most = by < 64 ? by : 63;
          const U64 out = by < 64 ? ~U64{0} : 0;
          const U64 moved = left        ? both << most & out
                            : is_signed ? static_cast<U64>(static_cast<std::int64_t>(both) >> most)
                                        : both >> most & out;
          return static_cast<U32>(moved >> up);
        });
  }
  // By value2, below 32.
  static void shift_left_word(Exec& x, const CodeOp& op) {
    const Row* const a = x.row(op.a);
    const U32 count = op.value2;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return a[l] << count; });
  }
  template <class T>
  static void shift_right_upper(Exec& x, const CodeOp& op) {
    const Row* const c = x.row(op.c);
    const U32 count = op.value2;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return static_cast<U32>(static_cast<T>(c[l]) >> count);
        });
  }
  static void count_ones(Exec& x, const CodeOp& op) {
    const Row* const a = x.row(op.a);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return kernels::Popc::of<U32>(a[l]); });
  }
  static void reverse(Exec& x, const CodeOp& op) {
    const Row* const a = x.row(op.a);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          U32 v = a[l];
          v = (v >> 1 & 0x55555555U) | (v & 0x55555555U) << 1;
          v = (v >> 2 & 0x33333333U) | (v & 0x33333333U) << 2;
          v = (v >> 4 & 0x0f0f0f0fU) | (v & 0x0f0f0f0fU) << 4;
          v = (v >> 8 & 0x00ff00ffU) | (v & 0x00ff00ffU) << 8;
          return v >> 16 | v << 16;
        });
  }
  static void move(Exec& x, const CodeOp& op) {
    const Row* const a = x.row(op.a);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) { return a[l]; });
  }
  // A float's sign may be changed, of both operands.
  static void select(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const Lanes p = x.read(op.p);
    const Signs sa = op.sign_a, sb = op.sign_b;
    alignas(64) U32 t[kLanes];
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { t[l] = with_signs(b[l], sb); });
    alignas(64) U32 u[kLanes];
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { u[l] = with_signs(a[l], sa); });
    blend(t, u, p);
    blend(x.row(op.d), t, x.mask);
  }

  // ---- floats
  template <class Relation, bool Flushes>
  [[gnu::always_inline]] static Lanes compared(const Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const Signs sa = op.sign_a, sb = op.sign_b;
    return lanes_where<Host>([=](unsigned l) __attribute__((always_inline)) {
      U32 p = with_signs(a[l], sa), q = with_signs(b[l], sb);
      if constexpr (Flushes) {
        p = mufu::flushed(p);
        q = mufu::flushed(q);
      }
      return Relation::holds(__builtin_bit_cast(float, p), __builtin_bit_cast(float, q));
    });
  }
  // A predicate for each lane, or 1 or 0 as a float.
  template <class Relation, bool Flushes, bool Sets>
  static void relate_floats(Exec& x, const CodeOp& op) {
    const Lanes truth = compared<Relation, Flushes>(x, op);
    if constexpr (!Sets) {
      write_combined(x, op, truth);
    } else {
      const Lanes all = combined(op.mods.boolean, truth, x.read(op.p));
      constexpr U32 kOne = __builtin_bit_cast(U32, 1.0F);
      each_word(
          x, op.d, [=](unsigned l) __attribute__((always_inline)) { return (0U - (all >> l & 1)) & kOne; });
    }
  }
  template <class K>
  static void float_extreme(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const Signs sa = op.sign_a, sb = op.sign_b;
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return __builtin_bit_cast(U32, K::template of<float>(__builtin_bit_cast(float, with_signs(a[l], sa)),
                                                               __builtin_bit_cast(float, with_signs(b[l], sb))));
        });
  }
  template <class T>
  static void word_to_float(Exec& x, const CodeOp& op) {
    const Row* const a = x.row(op.a);
    each_word(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return __builtin_bit_cast(U32, static_cast<float>(static_cast<T>(a[l])));
        });
  }
  template <class K>
  static void wide_sum(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const Signs sa = op.sign_a, sb = op.sign_b;
    each_pair(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return __builtin_bit_cast(U64, K::template of<double>(wide_float(a, l, sa), wide_float(b, l, sb)));
        });
  }
  static void wide_fma(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    const Signs sa = op.sign_a, sb = op.sign_b, sc = op.sign_c;
    each_pair(
        x, op.d, [=](unsigned l) __attribute__((always_inline)) {
          return __builtin_bit_cast(
              U64, kernels::FmaF::of<double>(wide_float(a, l, sa), wide_float(b, l, sb), wide_float(c, l, sc)));
        });
  }

  // ---- addresses: `a` a register's row, `b` a uniform one's, an offset
  static void addresses(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const auto offset = static_cast<U64>(op.offset);
    U64* const address = x.step.address.data();
    if (op.type2 == Type::U32)
      lift::each_lane<kLanes>([=](unsigned l) __attribute__((always_inline)) {
        address[l] = static_cast<U32>(a[l] + b[l] + static_cast<U32>(offset));
      });
    else if (op.type2 == Type::S64)
      lift::each_lane<kLanes>([=](unsigned l)
                                  __attribute__((always_inline)) { address[l] = a[l] + pair_at(b, l) + offset; });
    else
      lift::each_lane<kLanes>([=](unsigned l) __attribute__((always_inline)) {
        address[l] = pair_at(a, l) + pair_at(b, l) + offset;
      });
  }
  static AddressRange range(const U64* address, Lanes mask, unsigned bytes) {
    AddressRange found;
    if (mask == kAllLanes) {
      const U64 first = address[0];
      U64 apart = 0;
      lift::each_lane<kLanes>([&](unsigned l)
                                  __attribute__((always_inline)) { apart |= address[l] ^ (first + U64{l} * bytes); });
      if (apart == 0) return {first, address[kLanes - 1], first | bytes, true};
    }
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      const U64 acts = U64{0} - (mask >> l & 1);
      found.lowest = std::min(found.lowest, address[l] | ~acts);
      found.highest = std::max(found.highest, address[l] & acts);
      found.all |= address[l] & acts;
    });
    return found;
  }

  // Numbers of 32 bits take half as long.
  static AddressRange locate_words(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b);
    const U32 offset = static_cast<U32>(op.offset), bytes = op.number;
    const Lanes mask = x.mask;
    alignas(64) U32 at[kLanes];
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { at[l] = a[l] + b[l] + offset; });
    U64* const address = x.step.address.data();
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { address[l] = at[l]; });
    if (mask == kAllLanes && at[0] <= at[kLanes - 1]) {
      const U32 first = at[0];
      U32 apart = 0;
      lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { apart |= at[l] ^ (first + l * bytes); });
      if (apart == 0) return {first, at[kLanes - 1], first | bytes, true};
    }
    U32 lowest = ~U32{0}, highest = 0, all = 0;
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      const U32 acts = U32{0} - (mask >> l & 1);
      lowest = std::min(lowest, at[l] | ~acts);
      highest = std::max(highest, at[l] & acts);
      all |= at[l] & acts;
    });
    return {lowest, highest, all};
  }
  static AddressRange locate(Exec& x, const CodeOp& op) {
    if (op.type2 == Type::U32) return locate_words(x, op);
    addresses(x, op);
    return range(x.step.address.data(), x.mask, op.number);
  }

  // What a lane that does not act gives is 0, as an H200's exited ones do (tests/data/h200_semantics: shflexited).
  template <ShuffleMode M>
  static void shuffle(Exec& x, const CodeOp& op) {
    const Row *const a = x.row(op.a), *const b = x.row(op.b), *const c = x.row(op.c);
    alignas(64) U32 from[kLanes], in_range[kLanes], given[kLanes], result[kLanes];
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      const ShuffleSource s = shuffle_source(M, l, b[l], c[l], kLanes - 1);
      from[l] = s.lane;
      in_range[l] = s.in_range ? 1 : 0;
      given[l] = 0;
    });
    blend(given, a, x.mask);
    host_vector::permute<Host, U32, kLanes>(result, given, from);
    blend(x.row(op.d), result, x.mask);
    x.write(op.pd, static_cast<Lanes>(host_vector::pack<Host, kLanes>(in_range)));
  }

  template <class T>
  static constexpr std::array<RunFn, kIntegerRelations> integer_comparisons() {
    using namespace kernels;
    return {nullptr, compare<Lt, T>, compare<Eq, T>, compare<Le, T>, compare<Gt, T>, compare<Ne, T>, compare<Ge, T>};
  }
  template <bool F, bool S>
  static constexpr std::array<RunFn, kFloatRelations> float_relations() {
    using namespace kernels;
    return {nullptr,
            relate_floats<Lt, F, S>,
            relate_floats<Eq, F, S>,
            relate_floats<Le, F, S>,
            relate_floats<Gt, F, S>,
            relate_floats<Ne, F, S>,
            relate_floats<Ge, F, S>,
            relate_floats<Num, F, S>,
            relate_floats<Nan, F, S>,
            relate_floats<Ltu, F, S>,
            relate_floats<Equ, F, S>,
            relate_floats<Leu, F, S>,
            relate_floats<Gtu, F, S>,
            relate_floats<Neu, F, S>,
            relate_floats<Geu, F, S>};
  }

  static LaneCode code() {
    LaneCode c{};
    c.addresses = addresses;
    c.locate = locate;
    c.range = range;
    c.ways = BankLoops<Host>::ways;
    c.add = add;
    c.add_with_carries = add_with_carries;
    c.multiply_add = multiply_add;
    c.move_or_negate = move_or_negate;
    c.absolute = absolute;
    c.shift_add = shift_add;
    c.shift_add_high = {shift_add_high<false>, shift_add_high<true>};
    c.multiply_wide = {multiply_wide<U32>, multiply_wide<S32>};
    c.multiply_high = {multiply_high<U32>, multiply_high<S32>};
    c.smaller_or_larger = {smaller_or_larger<U32>, smaller_or_larger<S32>};
    c.compare = {integer_comparisons<U32>(), integer_comparisons<S32>()};
    c.logic = logic;
    c.logic_and = logic_of_two<kernels::And>;
    c.logic_or = logic_of_two<kernels::Or>;
    c.logic_xor = logic_of_two<kernels::Xor>;
    c.logic_with_predicate = logic_with_predicate;
    c.shift = shift;
    c.shift_left_word = shift_left_word;
    c.shift_right_upper = {shift_right_upper<U32>, shift_right_upper<S32>};
    c.count_ones = count_ones;
    c.reverse = reverse;
    c.move = move;
    c.select = select;
    c.compare_floats = {float_relations<false, false>(), float_relations<true, false>()};
    c.set_floats = {float_relations<false, true>(), float_relations<true, true>()};
    c.smaller_float = float_extreme<kernels::MinF>;
    c.larger_float = float_extreme<kernels::MaxF>;
    c.word_to_float = {word_to_float<U32>, word_to_float<S32>};
    c.shuffle = {shuffle<ShuffleMode::Idx>, shuffle<ShuffleMode::Up>, shuffle<ShuffleMode::Down>,
                 shuffle<ShuffleMode::Bfly>};
    c.wide_add = wide_sum<kernels::AddF>;
    c.wide_multiply = wide_sum<kernels::MulF>;
    c.wide_fma = wide_fma;
    return c;
  }
};

}  // namespace warpsim::sass
