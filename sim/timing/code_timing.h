// Machine code for the clock: what the control bits say of each instruction, and the class that gives what they leave
// open.
//
// Shapes: an instruction's number is its place in the code.
// Units:  cycles.
// Errors: none: a profile that was read has a class for every instruction.
// Source: isa/sass/instruction.h for the control bits; registers lie in two banks, by the lowest bit of their number
//         (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", arXiv:1804.06826).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/sass/instruction.h"
#include "sim/timing/profile.h"

namespace warpsim {

class CodeTiming {
 public:
  static constexpr std::size_t kScoreboards = 6;  // of a warp

  struct Insn {
    std::uint8_t cls = 0;
    sass::Control control;
    std::uint16_t issue = 1;                       // until its warp issues again
    std::uint16_t written = 0, operands_read = 0;  // until its write and its read scoreboard count down
    // Registers that it reads from each bank; and if the operand cache still has what the instruction before left
    // there.
    std::array<std::uint8_t, 2> banks{}, banks_kept{};
    bool from_memory = false;
    bool passes_l1 = false;       // it reads L2, whatever L1 has
    std::int32_t constants = -1;  // the line of constants that it reads, as constants() counts them; -1: none
    bool loads_constants = false;
    bool caches = false;     // a load or store of global memory, or a copy from it
    bool copies = false;     // its bytes arrive while the warp goes on
    bool commits = false;    // the copies before it are a group
    bool converges = false;  // BSYNC
    bool meets = false;      // WARPSYNC of a register
    bool holds = false;      // the sub-core stands still while it lacks operands
    bool is_own = false;     // nothing but its sub-core knows of it
    bool is_plain = false;   // … and it takes its pipe, and what the banks deliver, and no more
    bool waits = false;      // for scoreboards, or copies
    // It waits until only so many of those that count on `counted` are left; -1: it does not.
    std::int8_t at_most = -1;
    std::uint8_t counted = 0;
    std::uint8_t reads = 0;  // registers, of which an interlock may make it wait
    std::array<std::uint8_t, 12> register_{};
    std::uint8_t slow = sass::kZero, slow_count = 0;  // the registers that it writes late
    std::uint64_t read_marks = 0, slow_marks = 0;     // a bit for each of these and those: register r has bit r % 64
    std::uint16_t interlock = 0;
    // So many cycles pass at least until lanes that issue it end; where a register says where they go on nobody knows.
    std::uint32_t until_end = 0;
  };

  static std::uint64_t mark_of(unsigned number) { return std::uint64_t{1} << number % 64; }

  CodeTiming(const CodeTimingProfile& profile, std::span<const sass::Instruction> code);

  bool has(std::int32_t at) const { return static_cast<std::uint32_t>(at) < count_; }  // none is below 0
  const Insn& at(std::int32_t at) const { return insns_[static_cast<std::size_t>(at)]; }
  std::size_t constants() const { return constants_; }  // lines of them that it names
  std::size_t groups() const { return groups_; }        // of copies of a warp, the last, whose arrival it may wait for

 private:
  void number_constants();
  void find_ends(std::span<const sass::Instruction> code);

  std::vector<Insn> insns_;
  std::uint32_t count_ = 0;  // of them
  std::size_t constants_ = 0, groups_ = 0;
};

}  // namespace warpsim
