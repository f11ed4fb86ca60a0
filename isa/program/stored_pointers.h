// Which of its parameters' bytes may be a pointer that a program stores through: what else it is given it may read
// alone.
//
// Shapes: parts of parameters by where they begin, each once; a variable of the module is a parameter. What a program
//         loads from memory, or gets from another lane or a call, is not followed: a pointer that comes so is not among
//         them.
// Units:  bytes, where 32 lanes are a warp.
// Errors: none.
// Source: a backward slice from the addresses of stores and atomics, without the order of instructions: Weiser,
//         "Program Slicing", ICSE 1981.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

struct ParamPart {
  std::int32_t param = 0;   // index into Function::params
  std::int64_t offset = 0;  // in it
  bool operator==(const ParamPart&) const = default;
  bool operator<(const ParamPart& other) const {
    return std::pair(param, offset) < std::pair(other.param, other.offset);
  }
};

std::vector<ParamPart> stored_pointers(const Program& program);

}  // namespace warpsim
