// The meaning of machine code: warps of a launch that execute it, an instruction at a time, in whatever order they are
// asked to.
//
// Shapes: warps have 32 lanes and are numbered as the clock's: slot * warps_per_block + warp of its block; a slot is
// the
//         place of a resident block. An instruction's number is its address / kWordBytes.
// Units:  bytes; cycles are what SR_CLOCKLO reads.
// Errors: create() and step() refuse what has no meaning here, by name: unknown instructions, and values that nobody
//         knows where they decide something (a guard, a jump, an address). Nothing is guessed. A fault of the program
//         (an address where nothing is, a trap) is an error of the step, too.
// Source: names of instructions and operands: isa/sass; what they do: docs/machine_code.md says how it was found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/sass/cubin.h"
#include "isa/sass/instruction.h"
#include "sim/launch/launch.h"
#include "sim/memory/device_memory.h"
#include "sim/timing/clock.h"

namespace warpsim {
struct L2Map;
}

namespace warpsim::sass {

inline constexpr unsigned kLanes = 32;
using Lanes = std::uint32_t;                          // bit l: lane l
inline constexpr std::uint32_t kFirstShared = 0x400;  // of a block's shared memory; below it is the system's

struct CodeLaunch {
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // of a block, beside what the section declares
  std::vector<std::byte> params;   // as the driver passes them: sim/launch/launch.h, bytes_passed()
  DeviceMemory* memory = nullptr;  // outlives the machine
  // By the address of an allocation the bytes that the launch has in its place; null: it has the memory's own.
  std::map<std::uint64_t, std::vector<std::byte>>* copies = nullptr;
  bool is_first = false;      // no cache has the code; else it was launched before
  bool is_cold = false;       // L2 has nothing of the memory when it begins; else all, as after a copy to the device
  const L2Map* l2 = nullptr;  // how far away in L2 it lies, of memory whose places on a GPU are known
  // Where the module's variables are, constants among them, by their names in the file. What a constant that is not
  // here holds is what the file says; code that asks for the address of another variable is refused.
  std::map<std::string, std::uint64_t, std::less<>> variables;
};

struct CodeRefusal {
  std::string message;    // "HMMA.16816.F32 has no meaning here"
  std::int32_t at = -1;   // the instruction; -1: none
  bool is_fault = false;  // the program did something wrong; else it is not known what it does
};

// The instruction of which it speaks, if it does.
std::optional<Instruction> instruction_of(const CodeSection& section, const CodeRefusal& refusal);

// What one issue did: what a clock needs to know of it.
struct CodeStep {
  using Way = TimedOutcome::Way;
  using Side = TimedOutcome::Side;
  Way way = Way::On;       // of a jump
  Side side = Side::Same;  // which lanes are next, against these
  enum class Space : std::uint8_t { None, Shared, Global, Local } space = Space::None;
  std::int32_t at = 0;
  Lanes group = 0;   // lanes that are at this instruction together
  Lanes active = 0;  // … without those that the guard switches off
  Lanes gone = 0;    // … those that a jump took, or that ended
  bool stores = false, is_atomic = false;
  std::uint8_t bytes = 0;         // of a lane, of an access
  std::uint8_t values = 1;        // match: distinct ones; a load of constants: distinct places; 0: no lane acts
  bool in_a_row = false;          // all lanes access, each `bytes` behind the lane before; not said of atomics
  bool is_conflict_free = false;  // of shared memory: no bank has two words of it; else it is not known
  bool arrived = false;           // at a barrier of its block: the warp waits, unless it is among `released`
  // Of the active lanes of an access; of shared memory offsets in it.
  std::array<std::uint64_t, kLanes> address;
};

class CodeMachine {
 public:
  // `section` and `cubin` must outlive it.
  static std::variant<CodeMachine, CodeRefusal> create(const Cubin& cubin, const CodeSection& section,
                                                       const CodeLaunch& launch, std::uint32_t slots);
  CodeMachine(CodeMachine&&) noexcept;
  CodeMachine& operator=(CodeMachine&&) noexcept;
  ~CodeMachine();

  std::span<const Instruction> code() const;
  std::uint32_t warps_per_block() const;
  void begin_block(std::uint32_t slot, std::uint32_t block);

  // The instruction that the warp issues next; kWaits: it waits for others at a barrier of its block; kEnded.
  static constexpr std::int32_t kWaits = -1, kEnded = -2;
  std::int32_t next(std::uint32_t warp) const;
  // Whether it is behind a barrier of its block that has not opened yet: all its lanes have come, and it may issue
  // what changes registers alone, or reads a clock. With the rest it waits until it is among released().
  bool is_behind_barrier(std::uint32_t warp) const;
  bool passes_barriers(std::int32_t at) const;  // … may it issue that instruction
  // Of each instruction, how many from there on change nothing but registers of their warp, and cannot be refused: what
  // they do nobody needs to know before the warp issues what comes behind them. Of a warp that is planned at an
  // instruction so many may be left out before it is run_to() what comes behind.
  std::span<const std::uint32_t> alone() const;
  std::uint32_t may_leave_out(std::uint32_t warp) const;
  // Executes what was left out before that instruction.
  void run_to(std::uint32_t warp, std::int32_t at);
  // Executes it. `cycle` is the time that the clock's registers read. False: refusal() says why; nothing goes on.
  bool step(std::uint32_t warp, std::uint64_t cycle, CodeStep& step);
  // What the warp's registers hold: R0 and on, a row of 32 lanes each; uniform ones, which have the value in every
  // lane; P0 to P6, PT, UP0 to UP6, UPT as sets of lanes.
  std::span<const std::byte> registers(std::uint32_t warp) const;
  std::span<const std::byte> uniform_registers(std::uint32_t warp) const;
  std::span<const Lanes> predicates(std::uint32_t warp) const;
  // The warps that left a barrier by the last step, its own among them.
  std::span<const std::uint32_t> released() const;
  const CodeRefusal& refusal() const;

  struct Impl;  // code_state.h

 private:
  explicit CodeMachine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpsim::sass
