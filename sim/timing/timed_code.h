// A program for the clock: the registers that each instruction reads and writes, and the class that gives its time.
//
// Shapes: by pc.
// Units:  none.
// Errors: none: a profile that was read has a class for every instruction.
// Source: isa/program/reads_writes.h; isa/program/uniformity.h for where lanes may have diverged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.h"
#include "sim/timing/profile.h"

namespace warpsim {

class TimedCode {
 public:
  // How a register is used: as a guard, as the index of an element whose address must be computed, as a predicate (a
  // value of one bit), or as any other value.
  enum class Use : std::uint8_t { Value, Predicate, Guard, Index };
  struct Read {
    std::int32_t reg;
    Use use;
  };
  enum class CopyGroups : std::uint8_t { None, Commit, Wait, WaitAll };  // cp.async's
  struct Insn {
    std::uint8_t cls = 0;
    bool is_branch = false;
    bool from_memory = false;  // its result comes from memory
    bool caches = false;       // a load or store of global memory, or a copy from it
    bool copies = false;       // its bytes arrive while the warp goes on
    CopyGroups copy_groups = CopyGroups::None;
    std::uint8_t pending = 0;  // Wait: so many groups, the newest, need not have arrived
    bool reconverges = false;  // lanes that may have diverged reconverge here
    bool has_index = false;    // one of its reads is an Index
    // Reads three registers, none of which an instruction directly before it reads as well.
    bool three_anew = false;
    bool three_kept = false;  // … one of which it does
    // The cycles that a compiler puts between the instruction before, of the same basic block, and this one, for
    // results of a fixed latency; they count even if the one before waited longer; and the register that needs them.
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

// The cycles from the issue of a register's writer to that of its reader; of an index before its address is computed.
unsigned latency(const TimingProfile& profile, std::uint8_t writer, TimedCode::Use use, std::uint8_t reader);

}  // namespace warpsim
