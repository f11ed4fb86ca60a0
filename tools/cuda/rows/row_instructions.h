// What of the instruction table can be measured on a GPU: every row with every type and modifier that it takes, and the
// operands and results that its form gives it.
//
// Shapes: an Instruction is one opcode. A Signature lists the types of its results and operands; of an atomic the value
//         in memory is the first operand, and what is left there the last result; of a load and a store memory is words
//         of 64 bits; what lanes execute together has the member mask as its last operand.
// Units:  none.
// Errors: none. That an opcode is listed does not say that PTX has it: the driver's compiler refuses some.
// Source: isa/table/instructions.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::rows {

inline constexpr unsigned kLanes = 32;  // of a GPU's warp

struct Instruction {
  const OpInfo* row;
  Type type, type2;
  Mods mods;
};

// Rows that have something to measure: a result of their own on one lane, in memory, or at a barrier.
std::vector<Instruction> all_instructions();
// The shuffles, votes, matches and reductions that lanes of a warp execute together, of the types that PTX has.
std::vector<Instruction> network_instructions();
bool is_network(const Instruction& i);
// As PTX writes it: with .sync where lanes converge.
std::string opcode_text(const Instruction& i);
// The opcode, but that the movs with braces are distinguished: mov.pack2.b64.
std::string line_name(const Instruction& i);

struct Signature {
  std::vector<Type> results, operands;             // of an atomic: the value in memory first
  bool reads_carry = false, writes_carry = false;  // the last operand; the last result
  std::size_t constant = kNoConstant;              // the operand that is part of the instruction

  static constexpr std::size_t kNoConstant = 9;
};
Signature signature(const Instruction& i);
// setp's second result, where it is more than the opposite of the first.
bool has_opposite(const Instruction& i);

// Elements of a vector, or parts of a register: 1, 2 or 4.
std::size_t elements(const Instruction& i);

// One operand of 16 bits, or a pair of them: every half can be tried.
bool has_every_half(const Instruction& i, const Signature& s);
// A pair's high half goes through all of them too, in another order.
constexpr std::uint64_t every_half(Type t, std::uint64_t index) {
  return is_pair(t) ? index | ((index * 40503 + 12345) & 0xffff) << 16 : index;
}
inline constexpr std::uint64_t kHalves = 65536;

}  // namespace warpsim::rows
