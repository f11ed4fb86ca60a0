// Floats as text: shortest, readable again, and the same with and without the library's to_chars.
#include "isa/text/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace warpsim {
namespace {

TEST(NumberText, LooksAsExpected) {
  EXPECT_EQ(number_text(0.0), "0.0");
  EXPECT_EQ(number_text(-0.0), "-0.0");
  EXPECT_EQ(number_text(1.0), "1.0");
  EXPECT_EQ(number_text(-1000.0), "-1000.0");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(0.1F), "0.1");
  EXPECT_EQ(number_text(static_cast<double>(0.1F)), "0.10000000149011612");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_text(1.0F / 3), "0.33333334");
  EXPECT_EQ(number_text(0.0001), "0.0001");
  EXPECT_EQ(number_text(0.00001), "1e-05");
  EXPECT_EQ(number_text(1e15), "1000000000000000.0");
  EXPECT_EQ(number_text(1e16), "1e+16");
  EXPECT_EQ(number_text(16777216.0F), "16777216.0");
  EXPECT_EQ(number_text(1.5e300), "1.5e+300");
  EXPECT_EQ(number_text(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(number_text(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(number_text(-std::numeric_limits<float>::infinity()), "-Infinity");
  EXPECT_EQ(number_text(std::nan("")), "NaN");
}

// Digits of a text, without sign, point and exponent and without zeros at the ends.
std::size_t digit_count(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9') digits += c;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits.size();
}

// Reads back as the same bits, and no decimal with one digit less would (printf's is the nearest of each length).
template <class F>
void expect_shortest(F value) {
  const std::string text = number_text(value);
  const F back = sizeof(F) == 4 ? static_cast<F>(std::strtof(text.c_str(), nullptr))
                                : static_cast<F>(std::strtod(text.c_str(), nullptr));
  EXPECT_EQ(back, value) << text;
  EXPECT_EQ(number_text_detail::portable_number_text(value), text);
  const std::size_t digits = digit_count(text);
  if (digits < 2) return;
  char shorter[64];
  std::snprintf(shorter, sizeof shorter, "%.*e", static_cast<int>(digits) - 2, static_cast<double>(value));
  EXPECT_NE(
      sizeof(F) == 4 ? static_cast<F>(std::strtof(shorter, nullptr)) : static_cast<F>(std::strtod(shorter, nullptr)),
      value)
      << text;
}

TEST(NumberText, IsShortestAndReadsBack) {
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (const std::uint32_t fraction : {0U, 1U, 0x7fffffU}) {
      const std::uint32_t bits = exponent << 23 | fraction;
      if (bits != 0) expect_shortest(std::bit_cast<float>(bits));
    }
  }
  for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
    const std::uint64_t bits = exponent << 52;
    if (bits != 0) expect_shortest(std::bit_cast<double>(bits));
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double d = std::bit_cast<double>(random());
    const float f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(d)) expect_shortest(d);
    if (std::isfinite(f)) expect_shortest(f);
  }
}

TEST(NumberText, ReadsOnlyNumbers) {
  EXPECT_EQ(read_double("1.5"), 1.5);
  EXPECT_EQ(read_double("-2e3"), -2000.0);
  EXPECT_EQ(read_double("+.5"), 0.5);
  EXPECT_EQ(read_double("5."), 5.0);
  EXPECT_EQ(read_double("1e999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_double("-1e999"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_double("1e-999"), 0.0);
  EXPECT_EQ(read_float("16777217"), 16777216.0F);  // ties to even
  // Just above a tie of floats: rounding to a double first would lose that.
  EXPECT_EQ(read_float("16777217.00000000000000000001"), 16777218.0F);
  for (const char* text : {"", "+", ".", "1e", "1e+", "nan", "inf", "0x1p3", "1.5f", " 1", "1 ", "1,5", "1e5.0"}) {
    EXPECT_FALSE(read_double(text)) << text;
    EXPECT_FALSE(read_float(text)) << text;
  }
}

TEST(NumberText, HexadecimalHasNoLeadingZeros) {
  EXPECT_EQ(hexadecimal_text(0), "0x0");
  EXPECT_EQ(hexadecimal_text(0x1f0), "0x1f0");
  EXPECT_EQ(hexadecimal_text(~std::uint64_t{0}), "0xffffffffffffffff");
}

}  // namespace
}  // namespace warpsim
