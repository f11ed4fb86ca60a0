// The living definition of a warp program: slow, one lane at a time, and written from PTX's text alone.
//
// Shapes: it shares the Program type and its plain-data headers with the simulator and nothing else: no kernel, no
//         float code, no control-flow graph, no machine (reference_test.cpp reads the #include lines).
//         Every lane has its own program counter and runs by itself until it reaches an instruction that lanes execute
//         together; there it waits until every living lane of the member mask has arrived. So there is no reconvergence
//         here that could be wrong. `activemask` means all living lanes of the warp: right in uniform code only.
// Units:  threads are numbered block by block, in a block by x + y * block.x + z * block.x * block.y.
// Errors: a fault of the program ends the run: `trapped`, and `why` says what happened.
// Source: PTX ISA 9.0, chapter 9; the H200's answers where PTX leaves them open (tests/data).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/array.h"

namespace warpsim::reference {

struct Launch {
  unsigned lanes = 32;
  Dim3 grid, block;
  std::map<std::string, std::uint64_t, std::less<>> scalars;  // bits
  std::map<std::string, Array, std::less<>> buffers;
  std::map<std::string, std::uint64_t, std::less<>> addresses;  // where each buffer lies in global memory
  std::uint64_t max_steps = 50'000'000;                         // lane instructions
};

struct Result {
  bool trapped = false;
  std::string why;
  std::map<std::string, Array, std::less<>> buffers;
  std::vector<std::vector<std::uint64_t>> registers;  // [thread][register]: bits, 0 where never written
  std::vector<std::uint64_t> executed;                // by pc: how often a lane executed it
};

Result run(const Program& program, const Launch& launch);

// Does the interpreter know what a row means at one of its types? It looks for no list: it asks the code that computes.
bool defines(Op op, Type type);
// The same of what one lane computes: lane by lane, or of two lanes' values in a reduction or scan.
bool has_scalar_meaning(Op op, Type type);

// The scalar meaning of one instruction. `sources` are the bits of the source operands in writing order. 0 for a row
// without a meaning.
std::uint64_t evaluate(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                       unsigned lanes);
// setp's second predicate.
bool second_predicate(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& sources);
// What a sum of the carry chains leaves in the carry flag.
bool carries_out(Op op, Type type, const std::vector<std::uint64_t>& sources);

// What an atomic leaves in memory that held `old`; b and c are its operands. Nothing if no definition covers the row.
std::optional<std::uint64_t> evaluate_atomic(Op op, Type type, std::uint64_t old, std::uint64_t b, std::uint64_t c);

// What PTX calls the operation: the last word of the mnemonic, "add" of "atom.global.add".
inline std::string_view operation_of(Op op) {
  const std::string_view mnemonic = info(op).mnemonic;
  return mnemonic.substr(mnemonic.rfind('.') + 1);
}

// The lowest `width` bits set.
inline std::uint64_t ones(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

}  // namespace warpsim::reference
