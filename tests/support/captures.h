// Both captures of the H200, read once, sorted by opcode: for tests that run each opcode on all of its lines.
//
// Shapes: a key is the opcode's text without what is the default; the lines of both captures follow each other.
// Units:  all values are bits.
// Errors: captures that cannot be read give an empty map.
// Source: tests/data/README.md.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/scalar_eval.h"
#include "tests/support/vectors.h"

namespace warpsim::tests {

struct CapturedOpcode {
  Instruction instruction;
  std::optional<std::uint64_t> constant;  // of an operand that is part of the instruction
  std::vector<const ScalarVector*> lines;
};

// Every row that computes on one lane, in every type and with all modifiers and constants that were captured.
const std::map<std::string, CapturedOpcode>& captured_opcodes();

// The atomics of both captures.
const std::map<std::string, std::vector<const AtomicVector*>>& captured_atomics();

// The reductions at a barrier of 64 threads: the operand has one bit for each.
const std::map<std::string, std::vector<const ScalarVector*>>& captured_barriers();

const std::map<std::string, std::vector<MoveVector>>& captured_moves();

// The opcodes that the driver's compiler refused to make the second capture with.
const std::set<std::string>& refused_opcodes();

}  // namespace warpsim::tests
