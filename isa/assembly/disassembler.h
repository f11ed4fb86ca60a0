// Lesson → assembly text.
//
// Errors: none.
#pragma once

#include <cstdint>
#include <string>

#include "isa/program/lesson.h"

namespace warpsim {

// One instruction, or all that a text has, as assemble() reads it back to the same.
std::string disassemble(const Program& program, std::int32_t pc);
std::string disassemble(const Lesson& lesson);

}  // namespace warpsim
