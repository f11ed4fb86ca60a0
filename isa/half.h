// The 16-bit float: its value as a double, and the nearest one to a double.
//
// Shapes: bits as IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits.
// Units:  none.
// Errors: none: NaN stays NaN (of the same sign, quiet), too large becomes infinite.
// Source: IEEE 754-2019, sections 3.4 and 4.3.1 (round to nearest, ties to even).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace warpsim {

inline double half_value(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 0x3ff;
  if (exponent == 31)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

inline std::uint16_t nearest_half(double value) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (size >= 65520.0) return static_cast<std::uint16_t>(sign | 0x7c00U);  // half way between 65504 and 65536
  // One unit in the last place here: 2^-24 below the normals, else 2^(exponent - 10). The quotient is exact.
  const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
  const double units = std::ldexp(size, 10 - exponent);
  double whole = std::floor(units);
  const double rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0.0)) whole += 1.0;
  // `whole` counts from 0 at the subnormals; a carry out of the fraction moves into the exponent by itself.
  const std::uint32_t magnitude = static_cast<std::uint32_t>(whole) + (static_cast<std::uint32_t>(exponent + 14) << 10);
  return static_cast<std::uint16_t>(sign | magnitude);
}

}  // namespace warpsim
