// Integer instructions of the second interpreter: see reference_integer.h.
//
// Shapes: loops over bits, as PTX's text has them.
// Errors: none.
// Source: PTX ISA 9.0, sections 9.7.1, 9.7.2 and 9.7.8; what PTX leaves open: the H200's vectors (`i_*`, `l_*`).
#include "tools/fuzz/reference_integer.h"

#include "tools/fuzz/exact_float.h"

namespace warpsim::reference {

int width_of(Type type, unsigned lanes) {
  if (type == Type::Mask) return lanes > 32 ? 64 : 32;
  return bits(type);
}

std::uint64_t cut(Int128 value, int width) { return static_cast<std::uint64_t>(value) & ones(width); }

// The integer that the bits represent.
Int128 integer(Type type, std::uint64_t value) {
  const int width = bits(type);
  const Int128 plain = static_cast<Int128>(value & ones(width));
  const bool negative = is_signed(type) && (value >> (width - 1) & 1) != 0;
  return negative ? plain - (Int128{1} << width) : plain;
}

std::uint64_t clamped(Int128 value, Type to) {
  const int width = bits(to);
  const Int128 low = is_signed(to) ? -(Int128{1} << (width - 1)) : Int128{0};
  const Int128 high = (Int128{1} << (is_signed(to) ? width - 1 : width)) - 1;
  return cut(value < low ? low : value > high ? high : value, width);
}

std::uint64_t integer_quotient(Type type, std::uint64_t a, std::uint64_t b) {
  const Int128 y = integer(type, b);
  return y == 0 ? ones(bits(type)) : cut(integer(type, a) / y, bits(type));
}

std::uint64_t integer_remainder(Type type, std::uint64_t a, std::uint64_t b) {
  const Int128 y = integer(type, b);
  return y == 0 ? ones(bits(type)) : cut(integer(type, a) % y, bits(type));
}
// The full product, which for 64-bit operands needs all 128 bits.
static Wide unsigned_product(std::uint64_t a, std::uint64_t b) { return Wide(a).times(Wide(b)); }
std::uint64_t high_product(Type type, std::uint64_t a, std::uint64_t b) {
  const int width = bits(type);
  if (width < 64) return cut((integer(type, a) * integer(type, b)) >> width, width);
  std::uint64_t high = unsigned_product(a, b).shifted_right(64).low64();
  // Two's complement: a negative operand counted 2^64 too much.
  if (is_signed(type) && a >> 63 != 0) high -= b;
  if (is_signed(type) && b >> 63 != 0) high -= a;
  return high;
}

std::uint64_t low_product(Type type, std::uint64_t a, std::uint64_t b) {
  return unsigned_product(a, b).low64() & ones(bits(type));
}

std::uint64_t shift_left(int width, std::uint64_t a, std::uint64_t count) {
  return count >= static_cast<std::uint64_t>(width) ? 0 : a << count & ones(width);
}

std::uint64_t shift_right(Type type, int width, std::uint64_t a, std::uint64_t count) {
  const int by = static_cast<int>(count >= static_cast<std::uint64_t>(width) ? width : count);
  if (is_signed(type)) return cut(integer(type, a) >> by, width);
  return by >= 64 ? 0 : a >> by;
}

std::uint64_t smaller(Type type, std::uint64_t a, std::uint64_t b) {
  return integer(type, a) < integer(type, b) ? a : b;
}

std::uint64_t larger(Type type, std::uint64_t a, std::uint64_t b) {
  return integer(type, a) > integer(type, b) ? a : b;
}

std::uint64_t ones_in(std::uint64_t a) {
  std::uint64_t count = 0;
  for (; a != 0; a >>= 1) count += a & 1;
  return count;
}

Int128 clamp_to(Type type, Int128 value) { return static_cast<Int128>(clamped(value, type)); }
// The low 24 bits as a number of that signedness.
Int128 number24(Type type, std::uint64_t a) {
  const Int128 low = static_cast<Int128>(a & 0xffffff);
  return is_signed(type) && low >= 0x800000 ? low - 0x1000000 : low;
}

std::uint64_t absolute_difference(Type type, std::uint64_t a, std::uint64_t b) {
  const Int128 x = integer(type, a), y = integer(type, b);
  return cut(x < y ? y - x : x - y, bits(type));
}

static Int128 byte_of(Type type, std::uint64_t word, int index) {
  return integer(is_signed(type) ? Type::S8 : Type::U8, word >> 8 * index & 0xff);
}

static Int128 half_of(Type type, std::uint64_t word, int index) {
  return integer(is_signed(type) ? Type::S16 : Type::U16, word >> 16 * index & 0xffff);
}

std::uint64_t dot_of_bytes(Type a_type, Type b_type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  Int128 sum = static_cast<Int128>(c);
  for (int k = 0; k < 4; ++k) sum += byte_of(a_type, a, k) * byte_of(b_type, b, k);
  return cut(sum, 32);
}

std::uint64_t dot_of_halves(Type a_type, Type b_type, std::uint64_t a, std::uint64_t b, std::uint64_t c, int first) {
  return cut(static_cast<Int128>(c) + half_of(a_type, a, 0) * byte_of(b_type, b, first) +
                 half_of(a_type, a, 1) * byte_of(b_type, b, first + 1),
             32);
}

static bool has_bit(std::uint64_t a, int place) { return place >= 0 && place < 64 && (a >> place & 1) != 0; }
// PTX's loop: from the top down to the first bit that differs from the sign.
std::uint64_t find_bit(Type type, std::uint64_t a, bool as_shift) {
  const int top = bits(type) - 1;
  const bool sign = is_signed(type) && has_bit(a, top);
  for (int place = top; place >= 0; --place) {
    if (has_bit(a, place) != sign) return static_cast<std::uint64_t>(as_shift ? top - place : place);
  }
  return 0xffffffff;
}

std::uint64_t leading_zeros(int width, std::uint64_t a) {
  std::uint64_t count = 0;
  for (int place = width - 1; place >= 0 && !has_bit(a, place); --place) ++count;
  return count;
}

std::uint64_t reversed_bits(int width, std::uint64_t a) {
  std::uint64_t result = 0;
  for (int place = 0; place < width; ++place) result = result << 1 | (a >> place & 1);
  return result;
}
// PTX gives positions and lengths eight bits; the H200 takes all of them for 64-bit fields. 999 stands for more.
static int field_number(int width, std::uint64_t x) {
  if (width == 32) return static_cast<int>(x % 256);
  return x > 999 ? 999 : static_cast<int>(x);
}
// PTX's loop over the result's bits.
std::uint64_t extract_field(Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const int top = bits(type) - 1, start = field_number(bits(type), b), length = field_number(bits(type), c);
  const bool fill = is_signed(type) && length != 0 && has_bit(a, start + length - 1 < top ? start + length - 1 : top);
  std::uint64_t result = 0;
  for (int k = 0; k <= top; ++k) {
    const bool bit = k < length && start + k <= top ? has_bit(a, start + k) : fill;
    result |= static_cast<std::uint64_t>(bit) << k;
  }
  return result;
}

std::uint64_t insert_field(int width, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  const int start = field_number(width, c), length = field_number(width, d);
  for (int k = 0; k < length && start + k < width; ++k) {
    const std::uint64_t place = std::uint64_t{1} << (start + k);
    b = has_bit(a, k) ? b | place : b & ~place;
  }
  return b;
}

std::uint64_t mask_of(std::uint64_t a, std::uint64_t b, bool clamps) {
  const std::uint64_t start = clamps ? a : a % 32, length = clamps ? b : b % 32;
  std::uint64_t result = 0;
  for (std::uint64_t k = 0; k < 32; ++k) {
    if (k >= start && k - start < length) result |= std::uint64_t{1} << k;
  }
  return result;
}

std::uint64_t sign_or_zero_extend(Type type, std::uint64_t a, std::uint64_t b, bool clamps) {
  if (clamps && b >= 32) return a;
  const std::uint64_t length = b % 32;
  std::uint64_t result = 0;
  for (std::uint64_t k = 0; k < 32; ++k) {
    const bool bit = k < length ? has_bit(a, static_cast<int>(k))
                                : is_signed(type) && length != 0 && has_bit(a, static_cast<int>(length) - 1);
    result |= static_cast<std::uint64_t>(bit) << k;
  }
  return result;
}
// PTX's own text of fns; the H200 gives 0 for the one offset whose size has no 32-bit number.
std::uint64_t find_nth_set(std::uint64_t mask, std::uint64_t base, std::uint64_t offset_bits) {
  const Int128 offset = integer(Type::S32, offset_bits);
  if (offset == -(Int128{1} << 31)) return 0;
  if (offset == 0) return base < 32 && has_bit(mask, static_cast<int>(base)) ? base : 0xffffffff;
  Int128 place = static_cast<Int128>(base), count = (offset < 0 ? -offset : offset) - 1;
  const int step = offset > 0 ? 1 : -1;
  while (place >= 0 && place < 32) {
    if (has_bit(mask, static_cast<int>(place))) {
      if (count == 0) return static_cast<std::uint64_t>(place);
      --count;
    }
    place += step;
  }
  return 0xffffffff;
}

std::uint64_t funnel(bool left, bool clamps, std::uint64_t low, std::uint64_t high, std::uint64_t count) {
  const int by = static_cast<int>(clamps ? (count > 32 ? 32 : count) : count % 32);
  std::uint64_t result = 0;
  for (int k = 0; k < 32; ++k) {
    const int from = left ? 32 + k - by : k + by;  // of the 64 bits
    const bool bit = from < 32 ? has_bit(low, from) : has_bit(high, from - 32);
    result |= static_cast<std::uint64_t>(bit) << k;
  }
  return result;
}

std::uint64_t lookup(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (int k = 0; k < 32; ++k) {
    const int entry = 4 * has_bit(a, k) + 2 * has_bit(b, k) + has_bit(c, k);
    result |= static_cast<std::uint64_t>(has_bit(table, entry)) << k;
  }
  return result;
}

static std::uint64_t numbered_byte(std::uint64_t a, std::uint64_t b, std::uint64_t number) {
  return number < 4 ? a >> 8 * number & 0xff : b >> 8 * (number - 4) & 0xff;
}
// PTX's table of the modes, byte 3 of the result first.
std::uint64_t permuted(Op op, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  const std::uint64_t n = c % 4;
  for (std::uint64_t k = 4; k-- > 0;) {  // from the top
    std::uint64_t number = 0;
    switch (op) {
      case Op::PrmtF4e: number = n + k; break;
      case Op::PrmtB4e: number = (n + 8 - k) % 8; break;
      case Op::PrmtRc8: number = n; break;
      case Op::PrmtEcl: number = k > n ? k : n; break;
      case Op::PrmtEcr: number = k < n ? k : n; break;
      case Op::PrmtRc16: number = n % 2 * 2 + k % 2; break;
      default: number = c >> 4 * k & 15; break;
    }
    std::uint64_t byte = numbered_byte(a, b, number % 8);
    if (number >= 8) byte = byte >= 128 ? 255 : 0;
    result = result << 8 | byte;
  }
  return result;
}

// The sum or difference of a carry chain with more bits than the width, which show the carry out. A product enters with
// its low or high half.
Int128 chained(Op op, Type type, const std::vector<std::uint64_t>& s) {
  const int width = bits(type);
  const auto plain = [&](std::size_t k) { return static_cast<Int128>(k < s.size() ? s[k] & ones(width) : 0); };
  switch (op) {
    case Op::AddCc:
    case Op::Addc:
    case Op::AddcCc: return plain(0) + plain(1) + plain(2);
    // The difference and 2^width, so that the bit above says that nothing was borrowed.
    case Op::SubCc: return plain(0) - plain(1) + (Int128{1} << width);
    case Op::Subc:
    case Op::SubcCc: return plain(0) - plain(1) - (1 - plain(2)) + (Int128{1} << width);
    case Op::MadLoCc:
    case Op::MadcLo:
    case Op::MadcLoCc: return static_cast<Int128>(low_product(type, s[0], s[1])) + plain(2) + plain(3);
    default: return static_cast<Int128>(high_product(type, s[0], s[1])) + plain(2) + plain(3);
  }
}

}  // namespace warpsim::reference
