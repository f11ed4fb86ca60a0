// Operands for a sweep: tuple number `index` of an opcode is a function of the seed, the opcode's name and the index.
//
// Shapes: one column an operand, bits zero-extended. Mixed: the values at every border and their neighbours,
//         subnormals, NaN payloads, values related to the first operand, floats of nearby sizes, anything; an opcode
//         of one operand of at most 16 bits, or a pair, begins with all 65,536 of its halves. Every: all values of one
//         operand of 32 bits, of the high word of one of 64, or of two of 16. Fractions: of a binary operation on f32,
//         all 2^23 fractions of b in turn. What lanes do together has a mask that is the same for all lanes of a warp;
//         shuffles begin with every width and every b from 0 to 63.
// Units:  tuples.
// Errors: none.
// Source: row_values.h.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/code/shuffle_network.h"
#include "tools/cuda/rows/row_instructions.h"

namespace warpsim::rows {

enum class Pattern : std::uint8_t { Mixed, Every, Fractions };

// Operand columns, or result columns.
using Columns = std::vector<std::vector<std::uint64_t>>;

struct Draw {
  std::uint64_t seed;  // of the opcode: opcode_seed()
  Pattern pattern;
};

std::uint64_t opcode_seed(const Instruction& i, std::uint64_t seed);

ShuffleMode mode_of(const Instruction& i);  // of a shuffle

// How many tuples Every has; 0 where it is none of its shapes.
std::uint64_t every_count(const Signature& s);
bool has_fractions(const Instruction& i, const Signature& s);

// Tuples first … first + count - 1; for what threads do together both are multiples of kBlockThreads.
void fill_operands(const Instruction& i, const Signature& s, const Draw& draw, std::uint64_t first, std::size_t count,
                   Columns& operands);

}  // namespace warpsim::rows
