// A program as the clock sees it: what each instruction reads and writes, and the class that says how long it takes.
//
// Shapes: by pc.
// Units:  none.
// Errors: none: a profile that was read has a class for every instruction.
// Source: isa/program/reads_writes.h; isa/program/uniformity.h for where lanes may have parted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.h"
#include "sim/timing/profile.h"

namespace warpsim {

class TimedCode {
 public:
  // How a register is used: as a guard, as the index of an element whose address must be computed, or as it is.
  // Predicate: a value of one bit.
  enum class Use : std::uint8_t { Value, Predicate, Guard, Index };
  struct Read {
    std::int32_t reg;
    Use use;
  };
  struct Insn {
    std::uint8_t cls = 0;
    bool is_branch = false;
    bool from_memory = false;  // what it writes comes from memory
    bool caches = false;       // a load or store of global memory
    bool meets = false;        // lanes that may have parted meet before it
    bool has_index = false;    // some read is an Index
    // Reads three registers, and has none in common with an instruction before it that it could issue right behind.
    bool three_anew = false;
    bool three_kept = false;  // it has
    // As a compiler counts cycles for what takes a fixed time: so many behind the instruction before, of the same basic
    // block, however long that one waited for what it could not know; and the register that asks for it.
    std::uint32_t distance = 0;
    std::int32_t distance_reg = -1;
    std::uint32_t first_read = 0, reads = 0, first_write = 0, writes = 0;
  };

  TimedCode(const TimingProfile& profile, const Program& program);

  bool has(std::int32_t pc) const { return pc >= 0 && static_cast<std::size_t>(pc) < insns_.size(); }
  const Insn& at(std::int32_t pc) const { return insns_[static_cast<std::size_t>(pc)]; }
  std::span<const Read> reads(const Insn& insn) const { return {reads_.data() + insn.first_read, insn.reads}; }
  std::span<const std::int32_t> writes(const Insn& insn) const {
    return {writes_.data() + insn.first_write, insn.writes};
  }

 private:
  void find_distances(const TimingProfile& profile, const Program& program);
  void find_operand_reuse(const TimingProfile& profile, const Program& program);

  std::vector<Insn> insns_;
  std::vector<Read> reads_;
  std::vector<std::int32_t> writes_;
};

// How long behind who writes a register one that reads it issues; an index, if its address has not been computed yet.
unsigned latency(const TimingProfile& profile, std::uint8_t writer, TimedCode::Use use, std::uint8_t reader);

}  // namespace warpsim
