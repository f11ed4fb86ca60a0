// A program of warpsim as a litmus program: what its lanes do, step by step, for the enumerator.
//
// Shapes: a thread for each lane of the launch; a location for each element of a buffer, and of shared memory for each
//         element and block. A store or load without qualifiers is weak; an atomic without is relaxed, for the device;
//         membar is fence.sc. A cluster is one block.
// Units:  elements.
// Errors: `refused` names the instruction or the operand that a litmus program cannot say.
// Source: PTX ISA 9.0, sections 8.3 to 8.6 and 9.7.13 (membar, fence, atom, bar).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "isa/program/program.h"
#include "sim/launch/launch.h"
#include "tests/litmus/program.h"

namespace warpsim::litmus {

struct FromProgram {
  Program program;
  std::string refused;  // "": none
};

FromProgram litmus_of(const warpsim::Program& program, const PreparedCase& launch);

// The elements of a buffer, as one outcome leaves them.
std::vector<std::uint64_t> buffer_of(const Program& program, const Outcome& outcome, const std::string& name);

// All buffers of each outcome, one behind the other in the order of the parameters.
std::set<std::vector<std::uint64_t>> buffers_of(const warpsim::Program& program, const Program& made,
                                                const std::set<Outcome>& outcomes);

}  // namespace warpsim::litmus
