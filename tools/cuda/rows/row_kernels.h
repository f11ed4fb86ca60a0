// One opcode as a kernel of its own, made from its row's form: in PTX for the GPU, and in the assembly for the machine.
//
// Shapes: operands come from memory, so nothing is folded; a thread is a tuple of operands. The instruction itself is
//         the same text in both languages. ptx(): columns a, b, c, d hold words of 64 bits, a thread has four of them
//         for its results (r) and four to act on (m). column_ptx() and column_program(): each operand and each result
//         has a column of its own, as wide as itself (column_bytes); result k begins at r + 8 * n * k, where n is the
//         number of threads; the program has the buffers s0 … and d0 … . Of what lanes execute together those that the
//         member mask does not name stay away, and in every second warp they exit before; they have no results.
// Units:  bytes of memory, threads.
// Errors: none here; the driver's compiler may refuse what PTX has not, and the assembler too.
// Source: PTX ISA 9.0; isa/SYNTAX.md.
#pragma once

#include <cstdint>
#include <string>

#include "tools/cuda/rows/row_instructions.h"

namespace warpsim::rows {

inline constexpr unsigned kBarrierThreads = 64;  // two warps
inline constexpr unsigned kBlockThreads = 128;

// `constant` is the operand that is part of the instruction. The kernel is called k.
std::string ptx(const Instruction& i, std::uint64_t constant);

constexpr std::size_t column_bytes(Type t) {  // a predicate is a word that is 0 or 1
  return t == Type::Pred ? 4 : static_cast<std::size_t>(bytes(t));
}
inline constexpr const char* kPtxHead = ".version 8.1\n.target sm_90\n.address_size 64\n";
// Without kPtxHead, so that one module can hold many.
std::string column_ptx(const Instruction& i, std::uint64_t constant, const std::string& kernel);
std::string column_program(const Instruction& i, std::uint64_t constant);

}  // namespace warpsim::rows
