// Numbers as text and back: the only place that does it for floats, so that every platform writes the same bytes.
//
// Shapes: of floats the shortest digits that read back as the same bits, nearest to the value among equally short ones;
//         plain between 1e-4 and 1e16 and with at least ".0", else with an exponent: "0.1", "1000.0", "1e+16",
//         "2.5e-07".
// Units:  none.
// Errors: read_… return nothing for a text that is no decimal number as a whole; too large is infinity, too small is 0.
// Source: IEEE 754-2019, section 5.12.2: conversion between internal formats and decimal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpsim {

// "NaN", "Infinity" and "-Infinity" for what has no digits.
void append_number(std::string& out, float value);
void append_number(std::string& out, double value);
std::string number_text(float value);
std::string number_text(double value);

// [+-] digits [. digits] [e [+-] digits], nearest value, ties to even.
std::optional<float> read_float(std::string_view text);
std::optional<double> read_double(std::string_view text);

// "0x1f".
std::string hex_digits(std::uint64_t value, std::size_t least);  // "001f": at least so many
std::string hexadecimal_text(std::uint64_t value);               // "0x1f"

// "1 lane", "32 lanes".
std::string counted(std::uint64_t count, std::string_view thing);

namespace number_text_detail {
// The implementation without the library's to_chars; here so that a test can compare the two.
std::string portable_number_text(float value);
std::string portable_number_text(double value);
}  // namespace number_text_detail

}  // namespace warpsim
