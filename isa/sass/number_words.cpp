// See number_words.h.
#include "isa/sass/number_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

#include "isa/text/number_text.h"

namespace warpsim::sass {
namespace {

struct Special {
  unsigned number;
  std::string_view name;
};
constexpr Special kSpecials[] = {
    {0, "SR_LANEID"},         {2, "SR_VIRTCFG"},    {3, "SR_VIRTID"},
    {33, "SR_TID.X"},         {34, "SR_TID.Y"},     {35, "SR_TID.Z"},
    {37, "SR_CTAID.X"},       {38, "SR_CTAID.Y"},   {39, "SR_CTAID.Z"},
    {47, "SR_SWINHI"},        {50, "SR_SMEMSZ"},    {55, "SR_LMEMHIOFF"},
    {56, "SR_EQMASK"},        {57, "SR_LTMASK"},    {58, "SR_LEMASK"},
    {59, "SR_GTMASK"},        {60, "SR_GEMASK"},    {67, "SR_VIRTUALSMID"},
    {80, "SR_CLOCKLO"},       {81, "SR_CLOCKHI"},   {82, "SR_GLOBALTIMERLO"},
    {83, "SR_GLOBALTIMERHI"}, {100, "SR_PM0"},      {102, "SR_PM1"},
    {104, "SR_PM2"},          {106, "SR_PM3"},      {108, "SR_PM4"},
    {114, "SR_PM7"},          {136, "SR_CgaCtaId"}, {255, "SRZ"},
};

// An f16, or a bf16, which is the upper half of an f32.
double half_value(std::uint32_t bits, bool is_bf16) {
  if (is_bf16) return __builtin_bit_cast(float, bits << 16);
  const std::uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31)
    return std::copysign(
        fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity(), sign);
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, static_cast<int>(exponent) - 25));
}

}  // namespace

std::string signed_hex_text(std::int64_t value) {
  return value < 0 ? "-" + hexadecimal_text(~static_cast<std::uint64_t>(value) + 1)
                   : hexadecimal_text(static_cast<std::uint64_t>(value));
}

std::string float_text(double value) {
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return (sign.empty() ? "+" : sign) + "INF ";
  if (std::isnan(value)) return (sign.empty() ? "+" : sign) + "QNAN ";
  if (value == 0) return sign.empty() ? "0" : "-0.0 ";
  constexpr double kPlain = 1e9;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), std::abs(value) < kPlain ? "%.20g" : "%.20e", value);
  return text.data();
}

std::string pair_text(std::uint32_t bits, bool is_bf16) {
  return float_text(half_value(bits >> 16, is_bf16)) + ", " + float_text(half_value(bits & 0xffff, is_bf16));
}

std::string_view special_register(unsigned number) {
  const auto* const found = std::find_if(std::begin(kSpecials), std::end(kSpecials),
                                         [number](const Special& one) { return one.number == number; });
  return found == std::end(kSpecials) ? "" : found->name;
}

}  // namespace warpsim::sass
