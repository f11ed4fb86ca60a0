// Program → assembly text.
//
// Errors: none.
#pragma once

#include <cstdint>
#include <string>

#include "isa/program/program.h"

namespace warpsim {

// One instruction, or a whole program, as text that assemble() reads back to the same Program.
std::string disassemble(const Program& program, std::int32_t pc);
std::string disassemble(const Program& program);

}  // namespace warpsim
