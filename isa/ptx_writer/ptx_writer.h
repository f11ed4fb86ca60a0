// Program → PTX that ptxas and the driver accept: what runs on a real GPU.
//
// Shapes: write_ptx() makes one `.entry`; ptx_module() puts entries into one module. Everything comes from the table:
//         mnemonic, form, types and modifiers say how a line is written. What PTX does not have is written out: the
//         collectives (as expand_collectives() does), elements of buffers as addresses, shuffles of 16 and 64 bits as
//         shuffles of 32, special registers as moves at the start.
//         Float sums, differences and products carry `.rn` where the program names no rounding: without it ptxas fuses
//         them.
//         The text avoids what ptxas 13.0 compiles wrongly (found by fuzzing on an H200, seen in its machine code):
//         it leaves the guard off a part of `@p testp` and `@p set`, so such a line computes into a register of its
//         own, which a guarded move copies; and it converts a float to an integer where its bits are stored as a byte
//         or are the count of a shift, so they go through integer arithmetic first. A warp of N < 32 lanes is the
//         lowest N lanes of a warp of 32 whose others exit at once. The block then has 32 threads for each simulated
//         warp, in one dimension, and the kernel computes thread numbers from that; counts at barriers are rounded up
//         to whole warps of 32.
//         A program that was read from PTX is written with its functions, calls, local memory and variables
//         (ptx_module_text.cpp): what the reader makes of it is the same program.
// Units:  lanes; shared memory in bytes. `target` is sm_<target>.
// Errors: PtxUnsupported where a GPU has nothing like it: 64 lanes; and of a program from PTX what names itself.
// Source: PTX ISA 9.0; lanes other than 32: sim/README.md, "Decisions", **Lanes**.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/program.h"

namespace warpsim {

inline constexpr unsigned kPtxLanes = 32;  // of a hardware warp

struct PtxOptions {
  unsigned lanes = 32;
  Dim3 block{32, 1, 1};  // the simulated block; below 32 lanes it becomes part of the code
  std::string entry;     // the kernel's name; "": group_name

  // As warpsim's own launches have it. Buffer parameters hold the program's own addresses, and `delta` is added at each
  // access, so that addresses in registers have the same bits wherever the memory really is. Constants are or-ed with
  // `zero`: ptxas folds those that it sees, approximate functions and NaNs too, to other bits than the hardware's. Both
  // are parameters (u64) after the program's own.
  bool backend = false;
  // Every thread writes down what it executes (see PtxRecord). Parameters `log` (u64) and `log_words` (u32) come last.
  bool records = false;
  // ptxas keeps the loops as they are written, instead of writing their bodies out several times.
  bool keeps_loops = false;
};

// What a recording kernel writes. Thread t (in hardware's numbering: block by block, 32 a warp below 32 lanes) has
// words[t * log_words …]. Word 0 counts the words that it has wanted to write so far, this one included; a record that
// does not fit is left out whole, and so are all later ones. A record is a head and its values, each 64 bits:
//   head:   bits 0-31 the pc; kExecuted unless the guard switched the lane off; kInRange and the source lane from
//           bit kFromShift on for a shuffle
//   values: the address of a load, store or atomic; the values stored, or an atomic's operands; the registers written.
//           A lane that is switched off has the head alone.
namespace ptx_record {
inline constexpr std::uint64_t kExecuted = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kInRange = std::uint64_t{1} << 33;
inline constexpr int kFromShift = 40;
// Does this operand take a register that the record holds?
bool is_destination(const Insn& insn, std::size_t slot);
// How many values follow the head of an executed instruction.
unsigned values(const Insn& insn);
}  // namespace ptx_record

struct PtxKernel {
  std::string entry;
  std::string text;  // `.visible .entry … { … }`
  // Of each line of the text, the line of the program that it is for; 0: none. Empty of a program from PTX.
  std::vector<std::uint32_t> lines;
  unsigned target = 75;   // the lowest that its instructions need
  unsigned version = 80;  // of PTX, ten times: likewise
  std::uint32_t shared_bytes = 0;
  bool dynamic_shared = false;  // more than a kernel may declare: the launch must ask for shared_bytes
};

struct PtxUnsupported {
  std::string message, hint;
};

// `program` as run: the pcs of a recording kernel are those of the program without collectives, see ptx_program().
[[nodiscard]] std::variant<PtxKernel, PtxUnsupported> write_ptx(const Program& program, const PtxOptions& options);
// Where the first kernel's text begins in a module of them: a line, from 0.
inline constexpr std::size_t kPtxHeadLines = 4;
// One module of them, for the highest target among them.
std::string ptx_module(std::span<const PtxKernel> kernels);

// What a program's kernel is called, also one written by hand: "p26/butterfly_parallel_max" is
// "p26_butterfly_parallel_max".
std::string ptx_entry(std::string_view full_name);
// The lowest compute capability, times ten, that has this instruction. 75 is the lowest that is asked about.
unsigned ptx_target(const Insn& insn);
unsigned ptx_version(const Insn& insn);  // of PTX, ten times; at least 80
// The block and thread numbers that the hardware must be launched with.
Dim3 ptx_block(unsigned lanes, const Dim3& block);

}  // namespace warpsim
