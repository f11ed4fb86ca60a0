// IEEE arithmetic without shortcuts: every result is computed exactly, as an integer times a power of two, and rounded
// once.
//
// Shapes: a Format describes f16, bf16, f32 or f64. A Number is a finite exact value; round_number() is the only place
//         where anything is rounded. NaN, infinity and the H200's NaN rules are the callers' task
//         (reference_interpreter.cpp).
// Units:  exponents are powers of two.
// Errors: none.
// Source: IEEE 754-2019, sections 4.3 and 5; nothing here is shared with the simulator's own float code.
#pragma once

#include <array>
#include <cstdint>

namespace warpsim::reference {

struct Format {
  int fraction_bits;
  int exponent_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int max_biased() const { return (1 << exponent_bits) - 1; }
  std::uint64_t sign_bit() const { return std::uint64_t{1} << (fraction_bits + exponent_bits); }
  std::uint64_t quiet_bit() const { return std::uint64_t{1} << (fraction_bits - 1); }
  std::uint64_t infinity() const { return static_cast<std::uint64_t>(max_biased()) << fraction_bits; }
  std::uint64_t largest() const { return infinity() - 1; }
  std::uint64_t one() const { return static_cast<std::uint64_t>(bias()) << fraction_bits; }
};
inline constexpr Format kHalfFormat{10, 5};
inline constexpr Format kBrainFormat{7, 8};
inline constexpr Format kSingleFormat{23, 8};
inline constexpr Format kDoubleFormat{52, 11};

enum class Rounding : std::uint8_t { NearestEven, TowardZero, Down, Up };

// An unsigned integer wide enough for every exact sum here: 106-bit products, aligned over at most 180 bits.
class Wide {
 public:
  static constexpr int kWords = 12;
  Wide() = default;
  explicit Wide(std::uint64_t value);
  bool is_zero() const;
  int top_bit() const;  // index of the highest one bit; -1 for zero
  bool bit(int index) const;
  bool any_below(int index) const;  // is a bit under `index` set?
  std::uint64_t low64() const;
  Wide shifted_left(int count) const;
  Wide shifted_right(int count) const;  // drops what falls out
  Wide plus(const Wide& other) const;
  Wide minus(const Wide& other) const;  // other <= *this
  Wide times(const Wide& other) const;
  bool less_than(const Wide& other) const;

 private:
  std::array<std::uint32_t, kWords> words_{};
};

// (-1)^negative * magnitude * 2^exponent, and if `more` is set a little further from zero than that: less than one unit
// of the magnitude's lowest bit.
struct Number {
  bool negative = false;
  Wide magnitude;
  int exponent = 0;
  bool more = false;
  bool is_zero() const { return magnitude.is_zero() && !more; }
};

bool is_nan(const Format& f, std::uint64_t bits);
bool is_infinite(const Format& f, std::uint64_t bits);
bool is_zero(const Format& f, std::uint64_t bits);
bool is_subnormal(const Format& f, std::uint64_t bits);
bool is_negative(const Format& f, std::uint64_t bits);

Number decode(const Format& f, std::uint64_t finite_bits);
Number from_integer(bool negative, std::uint64_t magnitude);

// Exact. The sign of a zero sum is the caller's question (IEEE 6.3 needs the rounding mode).
Number add(const Number& a, const Number& b);
Number multiply(const Number& a, const Number& b);
// To far more bits than any format holds, with `more` telling whether something is left.
Number divide(const Number& a, const Number& b);
Number square_root(const Number& a);

struct Rounded {
  std::uint64_t bits = 0;
  bool tiny = false;  // below the smallest normal number when rounded as if the exponent had no lower end
};
Rounded round_number(const Number& n, const Format& f, Rounding rounding);

// Rounded to an integer; an integer stays as it is, so its exponent may be above 0.
Number round_to_integer(const Number& n, Rounding rounding);

// -1, 0, 1: a against b as reals. Neither is NaN.
int compare(const Format& f, std::uint64_t a, std::uint64_t b);

}  // namespace warpsim::reference
