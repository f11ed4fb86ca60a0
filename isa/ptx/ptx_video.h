// A video instruction of PTX, taken apart: what it computes of which parts of its operands.
//
// Shapes: an instruction has 1, 2 or 4 lanes: a scalar one works on 32 bits or on a part of them, the others on two
//         halves or four bytes at once.
// Errors: an opcode that is no video instruction, or no form of one, gives nothing; so does a selector that is none.
// Source: PTX ISA 9.0, 9.7.18.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::ptx {

struct VideoForm {
  enum class Action : std::uint8_t { Add, Sub, AbsDiff, Average, Min, Max, Shl, Shr, Mad, Set };
  enum class Second : std::uint8_t { None, Add, Min, Max };
  Action action = Action::Add;
  unsigned lanes = 1;
  Type type = Type::U32, a = Type::U32, b = Type::U32;  // of the result and of the operands: U32 or S32
  Op compares = Op::SetpEq;                             // of Set
  bool saturates = false;
  bool at_least_zero = false;  // .relu
  bool wraps = false;          // of a shift: its distance counts modulo 32
  bool plus_one = false;       // of Mad
  unsigned scale = 0;          // of Mad: by how much the sum is shifted to the right
  Second second = Second::None;
  bool is_shift() const { return action == Action::Shl || action == Action::Shr; }
};
std::optional<VideoForm> video_form(std::string_view opcode);
// Of integers also: add.u16x2, min.relu.s16x2, max.relu.s32. A pair's lanes are those of a and of b, one by one.
std::optional<VideoForm> integer_form(std::string_view opcode);

// Some bits of a register.
struct Part {
  unsigned at = 0, bits = 32;
};
// ".b2", ".h1"; "" is all of it.
std::optional<Part> part_of(std::string_view selector);
// Of the lanes of one operand the numbers that a selector names, from the lowest lane on: ".h10" and ".b3210" are those
// of a itself; b's follow. "" names them from `first` on.
std::optional<std::vector<unsigned>> chosen_lanes(std::string_view selector, unsigned lanes, unsigned first);
// The lanes that are written; "" is all of them.
std::optional<std::vector<unsigned>> masked_lanes(std::string_view mask, unsigned lanes);

}  // namespace warpsim::ptx
