// Integer instructions of the second interpreter, from PTX's text, with 128 bits of room.
//
// Shapes: operands and results are bits, zero-extended to 64; an Int128 is the number that bits represent.
// Errors: none: every input has an answer.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {

__extension__ typedef __int128 Int128;

int width_of(Type type, unsigned lanes);
std::uint64_t cut(Int128 value, int width);
Int128 integer(Type type, std::uint64_t value);
std::uint64_t clamped(Int128 value, Type to);
std::uint64_t integer_quotient(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t integer_remainder(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t high_product(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t low_product(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t shift_left(int width, std::uint64_t a, std::uint64_t count);
std::uint64_t shift_right(Type type, int width, std::uint64_t a, std::uint64_t count);
std::uint64_t smaller(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t larger(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t ones_in(std::uint64_t a);
Int128 clamp_to(Type type, Int128 value);
Int128 number24(Type type, std::uint64_t a);
std::uint64_t absolute_difference(Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t dot_of_bytes(Type a_type, Type b_type, std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t dot_of_halves(Type a_type, Type b_type, std::uint64_t a, std::uint64_t b, std::uint64_t c, int first);
std::uint64_t find_bit(Type type, std::uint64_t a, bool as_shift);
std::uint64_t leading_zeros(int width, std::uint64_t a);
std::uint64_t reversed_bits(int width, std::uint64_t a);
std::uint64_t extract_field(Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t insert_field(int width, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d);
std::uint64_t mask_of(std::uint64_t a, std::uint64_t b, bool clamps);
std::uint64_t sign_or_zero_extend(Type type, std::uint64_t a, std::uint64_t b, bool clamps);
std::uint64_t find_nth_set(std::uint64_t mask, std::uint64_t base, std::uint64_t offset_bits);
std::uint64_t funnel(bool left, bool clamps, std::uint64_t low, std::uint64_t high, std::uint64_t count);
std::uint64_t lookup(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table);
std::uint64_t permuted(Op op, std::uint64_t a, std::uint64_t b, std::uint64_t c);
Int128 chained(Op op, Type type, const std::vector<std::uint64_t>& s);

}  // namespace warpsim::reference
