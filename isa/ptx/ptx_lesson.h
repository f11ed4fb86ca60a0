// What a kernel of PTX lacks to be launched: the names and types of its parameters, and cases.
//
// Shapes: a description is a lesson without instructions: `.kernel NAME (in x: f32[n], param n: u32)` and its cases, in
//         the language of programs. Its parameters are the kernel's, in their order.
// Units:  bytes.
// Errors: Diagnostics P030 (number of parameters) and P031 (their sizes), at the description's places.
// Source: none: PTX names no parameters.
#pragma once

#include <optional>
#include <string>

#include "isa/program/lesson.h"
#include "isa/text/diagnostic.h"

namespace warpsim::ptx {

std::optional<Lesson> described(Program program, const Lesson& description, Diagnostics& diagnostics);

// A text of descriptions as the assembler takes it: each kernel has `exit` for its body.
std::string with_bodies(std::string descriptions);

}  // namespace warpsim::ptx
