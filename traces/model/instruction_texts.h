// What a trace's instruction records say in texts, as data: row, guard, modifiers and operands' registers.
//
// Shapes: read_instruction_texts() fills the members of TraceInsn that have no JSON member of their own. The recorder
//         and the reader call it once for a head; nothing else looks into these texts.
// Units:  registers by their place in TraceHead::registers.
// Errors: none: a text that names no register of the head has none.
// Source: traces/FORMAT.md, "program"; isa/SYNTAX.md for how an instruction is written.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim {

std::int32_t find_register(const TraceHead& head, std::string_view name);  // -1: none
// The registers in an operand as written, each once: "%i" of "input[%i + 1]", "%p" of "!%p".
std::vector<std::int32_t> registers_in(const TraceHead& head, std::string_view operand);

void read_instruction_texts(TraceHead& head);

}  // namespace warpsim
