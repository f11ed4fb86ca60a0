// Each conversion of a kernel's printf, with its flags, widths, precisions and sizes.
//
// Source: CUDA C++ Programming Guide 13.0, "Formatted Output": the format is C's, so that the expected text is what the
//         host's printf makes of the same values; where it is not, the guide's words stand beside the case.
#include "sim/memory/device_printf.h"

#include <gtest/gtest.h>

#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace warpsim {
namespace {

constexpr std::uint64_t kFormatAt = 0x1000, kArgumentsAt = 0x10000, kStringsAt = 0x20000;

// The arguments as a compiler lays them out: each at a multiple of its size.
class Given {
 public:
  Given& word(std::uint32_t value) { return put(value, 4); }
  Given& wide(std::uint64_t value) { return put(value, 8); }
  Given& number(double value) { return put(std::bit_cast<std::uint64_t>(value), 8); }
  Given& text(const std::string& value) {
    const std::uint64_t at = kStringsAt + strings_.size();
    strings_ += value + '\0';
    return put(at, 8);
  }
  Printed print(const std::string& format) const {
    return device_printf(kFormatAt, kArgumentsAt, [&](std::uint64_t address) -> std::optional<std::byte> {
      if (address >= kStringsAt) return at(strings_, address - kStringsAt);
      if (address >= kArgumentsAt) return at(arguments_, address - kArgumentsAt);
      return at(format + '\0', address - kFormatAt);
    });
  }

 private:
  static std::optional<std::byte> at(const std::string& bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return std::nullopt;
    return static_cast<std::byte>(bytes[static_cast<std::size_t>(offset)]);
  }
  Given& put(std::uint64_t value, std::size_t size) {
    while (arguments_.size() % size != 0) arguments_ += '?';
    for (std::size_t k = 0; k < size; ++k) arguments_ += static_cast<char>(value >> 8 * k & 0xff);
    return *this;
  }
  std::string arguments_, strings_;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class... Values>
std::string host(const std::string& format, Values... values) {
  std::string text(8192, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), format.c_str(), values...)));
  return text;
}
#pragma GCC diagnostic pop

// The flags, widths and precisions in front of a conversion; those that C leaves undefined for it are left out.
std::vector<std::string> specifications(const std::string& flags, bool has_precision) {
  std::vector<std::string> all;
  for (unsigned chosen = 0; chosen < 1U << flags.size(); ++chosen) {
    std::string some = "%";
    for (std::size_t k = 0; k < flags.size(); ++k)
      if ((chosen >> k & 1) != 0) some += flags[k];
    for (const char* const width : {"", "1", "7", "24"}) {
      all.push_back(some + width);
      if (!has_precision) continue;
      for (const char* const precision : {".", ".0", ".3", ".12"}) all.push_back(some + width + precision);
    }
  }
  return all;
}

TEST(DevicePrintf, Integers) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{12345}, std::int64_t{-40000},
        std::int64_t{INT_MAX}, std::int64_t{INT_MIN}, std::int64_t{0x123456789abcdef}, std::int64_t{LLONG_MIN}}) {
    const std::uint32_t low = static_cast<std::uint32_t>(value);
    const std::uint64_t whole = static_cast<std::uint64_t>(value);
    const int as_int = static_cast<int>(low);
    for (const char letter : std::string("diuoxX")) {
      const bool is_signed = letter == 'd' || letter == 'i';
      for (const std::string& spec : specifications(is_signed ? "-+ 0" : letter == 'u' ? "-0" : "-#0", true)) {
        const std::string word = spec + letter, wide = spec + "ll" + letter, one_long = spec + 'l' + letter,
                          half = spec + 'h' + letter, quarter = spec + "hh" + letter;
        EXPECT_EQ(Given().word(low).print(word).text, host(word, as_int)) << word << " " << value;
        EXPECT_EQ(Given().wide(whole).print(wide).text, host(wide, static_cast<long long>(value))) << wide;
        EXPECT_EQ(Given().wide(whole).print(one_long).text, host(one_long, static_cast<long>(value))) << one_long;
        EXPECT_EQ(Given().word(low).print(half).text, host(half, as_int)) << half << " " << value;
        EXPECT_EQ(Given().word(low).print(quarter).text, host(quarter, as_int)) << quarter << " " << value;
      }
    }
  }
}

TEST(DevicePrintf, FloatingPoint) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double value : {0.0, -0.0, 1.0, -2.5, 3.14159265358979, 1e-7, 123456789.0, 6.02e23, 5e-324, kInfinity,
                             -kInfinity, std::nan("")})
    for (const char letter : std::string("fFeEgGaA"))
      for (const std::string& spec : specifications("-+ #0", true))
        EXPECT_EQ(Given().number(value).print(spec + letter).text, host(spec + letter, value)) << spec << letter;
}

TEST(DevicePrintf, CharactersAndStrings) {
  for (const std::string& spec : specifications("-", false))
    EXPECT_EQ(Given().word('q').print(spec + 'c').text, host(spec + 'c', 'q')) << spec;
  for (const std::string& spec : specifications("-", true))
    for (const std::string text : {"", "a", "a longer text than 24 characters"})
      EXPECT_EQ(Given().text(text).print(spec + 's').text, host(spec + 's', text.c_str())) << spec;
  EXPECT_EQ(Given().wide(0).print("<%s>").text, "<(null)>");
}

TEST(DevicePrintf, Pointers) {
  for (const std::uint64_t value : {std::uint64_t{0x1234}, std::uint64_t{1} << 48})
    for (const std::string& spec : specifications("-", false))
      EXPECT_EQ(Given().wide(value).print(spec + 'p').text,
                host(spec + 'p', reinterpret_cast<const void*>(static_cast<std::uintptr_t>(value))));
}

TEST(DevicePrintf, WidthAndPrecisionMayBeArguments) {
  for (const int width : {0, 1, 9, -9})
    for (const int precision : {-1, 0, 4}) {
      const std::uint32_t w = static_cast<std::uint32_t>(width), p = static_cast<std::uint32_t>(precision);
      const Printed number = Given().word(w).word(p).number(2.71828).print("%*.*f|");
      EXPECT_EQ(number.text, host("%*.*f|", width, precision, 2.71828)) << width << " " << precision;
      EXPECT_EQ(number.arguments, 3U);
      EXPECT_EQ(Given().word(w).word(42).print("%*d|").text, host("%*d|", width, 42)) << width;
      EXPECT_EQ(Given().word(p).text("abcdef").print("%.*s|").text, host("%.*s|", precision, "abcdef")) << precision;
    }
}

TEST(DevicePrintf, EachArgumentStandsAtAMultipleOfItsSize) {
  const Printed mixed = Given().word(1).number(0.5).word('x').wide(7).text("end").print("%d %f %c %lld %s");
  EXPECT_EQ(mixed.text, host("%d %f %c %lld %s", 1, 0.5, 'x', 7LL, "end"));
  EXPECT_EQ(mixed.arguments, 5U);
}

TEST(DevicePrintf, PercentTakesNoArgument) {
  const Printed text = Given().word(3).print("100%% of %d%%");
  EXPECT_EQ(text.text, "100% of 3%");
  EXPECT_EQ(text.arguments, 1U);
}

TEST(DevicePrintf, WhatIsNoConversionStandsAsItIs) {
  EXPECT_EQ(Given().word(3).print("%y %-5k %d %").text, "%y %-5k 3 %");
}

// "The printf() command can accept at most 32 arguments in addition to the format string. Additional arguments beyond
// this will be ignored, and the format specifier output as-is."
TEST(DevicePrintf, TakesAtMost32Arguments) {
  Given given;
  std::string format, expected;
  for (std::uint32_t k = 0; k < 34; ++k) {
    given.word(k);
    format += k < 33 ? "%u " : "%-5u%%";
    expected += k < 32 ? std::to_string(k) + " " : k == 32 ? "%u " : "%-5u%";
  }
  const Printed printed = given.print(format);
  EXPECT_EQ(printed.text, expected);
  EXPECT_EQ(printed.arguments, 32U);
}

// "If the format string is NULL, -1 is returned."
TEST(DevicePrintf, WithoutAFormatThereIsNothing) {
  const Printed printed = device_printf(0, kArgumentsAt, [](std::uint64_t) { return std::nullopt; });
  EXPECT_EQ(printed.text, "");
  EXPECT_EQ(static_cast<std::int32_t>(printed.arguments), -1);
}

}  // namespace
}  // namespace warpsim
