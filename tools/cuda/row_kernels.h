// One opcode as a PTX kernel of its own, made from its row's form.
//
// Shapes: operands come from memory, so nothing is folded; a thread is a tuple of operands. Columns a, b, c, d hold
//         words of 64 bits, a thread has four of them for its results (r) and four to act on (m).
// Units:  bytes of memory, threads.
// Errors: none here; the driver's compiler may refuse what PTX has not.
// Source: PTX ISA 9.0.
#pragma once

#include <cstdint>
#include <string>

#include "tools/cuda/row_instructions.h"

namespace warpsim::rows {

inline constexpr unsigned kBarrierThreads = 64;  // two warps
inline constexpr unsigned kBlockThreads = 128;

// `constant` is the operand that is part of the instruction. The kernel is called k.
std::string ptx(const Instruction& i, std::uint64_t constant);

}  // namespace warpsim::rows
