// Seeded random programs that are valid by construction, as assembly text, with their inputs.
//
// Shapes: one seed and one set of limits, one program: the same text and the same inputs on every machine. The
//         instructions come from walking the table: a row's form, types and modifiers say how to write it, its lift
//         says what care it needs, so a new row is generated from the minute it exists.
//         Generated are: every row but `exit` and `bra` by chance, those two by design; all types, modifiers, forms of
//         an operand; guards; if, else, loops with one and with lane-dependent trip counts, break, branches into
//         the middle of each other, early exits; shuffles of every mode, width, clamp and member mask; votes, matches,
//         redux, collectives; shared memory within a warp and within a block; barriers of the block and of some of its
//         warps; atomics; vectors; blocks of up to three dimensions and partial warps.
//         Nothing that is compared is undefined or depends on the order of warps: every register is written before
//         the first branch, sources of shuffles are members that live, threads share memory only across barriers and
//         store only to their own elements; an atomic whose result is seen is on the thread's own element, and elements
//         that many share take one operation, on integers, that commutes with itself. A counted barrier counts whole
//         warps and no lane has exited before it. Addresses are never compared.
//         Limits::hardware also leaves out what hardware leaves open: %warpid and %nwarpid; `activemask` but at once
//         after a barrier of the whole block, before lanes diverge; the carry flag but in chains without
//         guards and branches, all adding or all subtracting; sleeping for more than some nanoseconds; sums of
//         floats in shared memory, whose loops by ptxas have operands in an order that depends on its options.
// Units:  lengths count elements.
// Errors: none; a text that does not assemble is a fault of this file or of the assembler, and the test says so.
// Source: PTX ISA 9.0: chapter 10 (%warpid and %nwarpid are for diagnostics), 9.7.2 (the condition code in
//         straight-line code), 9.7.13 (activemask).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/cases/case.h"
#include "tools/fuzz/random/random_values.h"

namespace warpsim::reference {

struct Limits {
  unsigned max_lanes = 64;
  bool hardware = false;         // nothing that hardware leaves open; and shorter, since a GPU's are compiled
  bool store_registers = false;  // every register that instructions choose among is stored at the end
  bool operator==(const Limits&) const = default;
};
// What a GPU of 32 lanes can be asked, and what it can show: buffers.
inline constexpr Limits kHardwareLimits{32, true, true};

struct RandomParam {
  std::string kind;  // "in", "out", "inout", "param"
  std::string name;
  Type type = Type::None;
  unsigned length = 0;  // of a buffer
  std::string text() const;
};

struct RandomProgram {
  std::uint64_t seed = 0;
  unsigned lanes = 32;
  Dim3 grid, block;
  std::vector<RandomParam> params;
  std::vector<std::string> lines;  // of the kernel; lines that only make sense together are one string
  std::map<std::string, std::uint64_t, std::less<>> scalars;
  std::map<std::string, Array, std::less<>> buffers;
  std::string text() const;
  std::string launch() const;  // "32 lanes, grid 2x1x1, block 40x1x1"
};

RandomProgram random_program(std::uint64_t seed, const Limits& limits = {});

}  // namespace warpsim::reference
