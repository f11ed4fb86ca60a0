// What a kernel of PTX lacks to be launched: the names and types of its parameters, and cases.
//
// Shapes: a description is a lesson without instructions: `.kernel NAME (in x: f32[n], param n: u32)` and its cases, in
//         the language of programs. Its parameters are the kernel's, in their order. Those between braces, `s { in x:
//         f32[n], param k: s32 }`, are the members of one that is a structure by value, each at the next multiple of
//         its size; they take the structure's place in the program's parameters.
// Units:  bytes.
// Errors: Diagnostics P030 (number of parameters) and P031 (their sizes), at the description's places.
// Source: none: PTX names no parameters.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "isa/text/diagnostic.h"

namespace warpsim::ptx {

// From a brace to the one that closes it; parameters between are members of one structure.
struct Structure {
  SourceRange from, to;
};

// A text of descriptions as the assembler takes it: each kernel has `exit` for its body, blanks stand for braces.
struct Descriptions {
  std::string text;
  std::vector<Structure> structures;
};
Descriptions with_bodies(std::string descriptions);

std::optional<Lesson> described(Program program, const Lesson& description, Diagnostics& diagnostics,
                                std::span<const Structure> structures = {});

}  // namespace warpsim::ptx
