// What the parts of a machine share: the program bound to its launch, its memory, its warps and the result so far.
//
// Shapes: only blocks that are resident have warps: warps[slot * warps_per_block + warp]. The first blocks begin in the
//         slots of their own numbers; where one has ended and others wait, the next begins in its slot. With schedule
//         `blocks` one has begun, and a slot is made when a block begins that finds none free. Shared memory is one
//         vector of bytes for each slot.
// Units:  bytes; cycles from 1.
// Errors: none here; a trap stands in `result` (traps.h), after which nothing issues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "sim/code/decode.h"
#include "sim/event/observer.h"
#include "sim/launch/block_pool.h"
#include "sim/launch/device_work.h"
#include "sim/launch/launch.h"
#include "sim/machine/warp.h"
#include "sim/memory/line_vector.h"
#include "sim/memory/memory.h"

namespace warpsim {

// A warp that has come to bar.arrive and gone on.
struct PendingArrival {
  std::uint32_t block = 0, barrier = 0, count = 0;
  SyncEvent::Arrival arrival;
  bool counts_for(std::uint32_t of_block, std::uint32_t at, std::uint32_t threads) const {
    return block == of_block && barrier == at && count == threads;
  }
};

struct LaunchState {
  // `bound` is an address space of the launch's own, or the caller's, which must outlive the launch.
  // `resident`: the number of slots.
  LaunchState(const Program& program, const LaunchConfig& config, Binding binding, const DeviceMemory& bound, Code code,
              std::uint64_t resident);

  const Program& program;
  LaunchConfig config;
  std::uint64_t last_cycle = config.max_cycles;  // the run ends after it …
  const EarlyEnd* early_end = nullptr;           // … because of this; null: because the launch says so
  void end_early(const EarlyEnd* end) {
    if (end == nullptr || end->last_cycle >= last_cycle) return;
    last_cycle = end->last_cycle;
    early_end = end;
  }
  Binding binding;
  Code code;
  GlobalMemory memory;
  std::uint32_t warps_per_block = 1;
  std::vector<Warp> warps;
  std::vector<LineVector<std::byte>> shared;  // by slot
  std::vector<std::uint32_t>
      visits;  // how often a warp has come to a barrier: visits_of(); counted if a barrier counts
  std::vector<PendingArrival> arrivals;  // at barriers that have not opened since
  RunResult result;
  DeviceQueue queue;                  // what the kernel has launched
  std::uint64_t next_block = 0;       // the first that has not begun …
  std::uint64_t end_block = 0;        // … and the end of those that are to begin here
  BlockPool* pool = nullptr;          // not null: other threads run blocks of the launch, on the same memory
  std::uint64_t last_issue_gone = 0;  // the last cycle in which a warp issued whose block has given up its slot

  LaneMask existing_lanes(std::uint32_t warp) const;
  const DecodedInsn& insn(std::int32_t pc) const { return code.insns[static_cast<std::size_t>(pc)]; }
  // Of those that have arrived and gone on, the warps that count at the barrier where this group of the block waits.
  // bar.red and bar.sync of one number are two barriers; who arrives does so at bar.sync's.
  bool counts_at(const PendingArrival& one, std::uint32_t block, const Group& barrier) const {
    return one.counts_for(block, barrier.barrier, barrier.barrier_count) && insn(barrier.pc).op == Op::BarSync;
  }
  static constexpr std::size_t kBarriersOfABlock = 16;  // PTX ISA 9.0, "bar": 0 to 15
  std::uint32_t& visits_of(const Warp& warp, std::uint32_t barrier) {
    return visits[number_of(warp) * kBarriersOfABlock + barrier % kBarriersOfABlock];
  }
  std::uint64_t arrivals_at(std::uint32_t block, const Group& barrier) const;
  std::uint64_t blocks_waiting() const { return end_block - next_block; }
  std::size_t room() const { return room_; }  // for so many blocks at once
  std::size_t most_warps() const { return room_ * warps_per_block; }
  // Schedule `blocks`: whether another block can begin, and where.
  bool is_room() { return (!free_slots_.empty() || slots() < room_) && is_block_left(); }
  // Whether the next block would begin in the slot of one that ends now.
  bool would_follow() { return !(config.keeps_state && slots() < room_) && is_block_left(); }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(living_.size()); }
  std::uint32_t free_slot();
  void free(std::uint32_t slot) { free_slots_.push_back(slot); }
  // The index in `warps`.
  std::uint32_t number_of(const Warp& warp) const { return static_cast<std::uint32_t>(&warp - warps.data()); }
  std::span<Warp> block_of(const Warp& warp) {
    return {&warps[std::size_t{warp.slot} * warps_per_block], warps_per_block};
  }
  std::span<const Warp> block_of(const Warp& warp) const {
    return {&warps[std::size_t{warp.slot} * warps_per_block], warps_per_block};
  }
  // Null if the block is not resident.
  const Warp* find(std::uint32_t block, std::uint32_t index) const;
  // Those of all slots, by block and index.
  std::vector<const Warp*> in_order() const;
  // Whether this warp was the last of its block to end. To be asked once of each.
  bool ends_block(const Warp& warp) { return --living_[warp.slot] == 0; }
  // The next block that waits begins in the slot, in this cycle. The slot is one that was there, or the next one.
  void begin_next_block(std::uint32_t slot, std::uint64_t cycle);
  // Whether nothing but its number and special registers tells a block from the one before in its slot …
  bool begins_alike() const { return begin_alike_; }
  // … where all its warps live, and have come to their ends: so many have begun one behind the other, the last in this
  // cycle. Its warps are those of the one before until settle_block(), but for their registers, where
  // fill_specials_of_block() is still to be called.
  bool all_live(const Warp& of) const { return living_[of.slot] == warps_per_block; }
  void begin_next_alike(std::uint32_t slot, std::uint64_t blocks, std::uint64_t cycle);
  void fill_specials_of_block(std::uint32_t slot);
  // How many blocks behind the slot's differ from it by their number in a row of the grid alone.
  std::uint64_t alike_but_for_number(std::uint32_t slot) const;
  void settle_block() {
    if (unsettled_) begin_unsettled();
  }
  std::int32_t first_pc() const { return program.routines.empty() ? 0 : kernel_routine().first; }
  // The warp, whose lanes all go together, has issued so many instructions and goes on at `pc`.
  void advance(Warp& warp, std::int32_t pc, std::uint64_t instructions) {
    warp.divergence.groups()[0].pc = pc;
    count(warp, instructions);
  }
  void count(Warp& warp, std::uint64_t instructions);

 private:
  struct FreeAligned {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };

  // `is_reused`: an earlier block has been in the slot.
  void begin(Warp& warp, std::uint32_t block, std::uint64_t cycle, bool is_reused);
  void add_slot();
  bool is_block_left() { return next_block < end_block || (pool != nullptr && take_blocks()); }
  bool take_blocks();
  void fill_registers(Warp& warp, bool is_reused) const;
  // Of another block's registers, as nobody can look at the others.
  bool clears_what_is_read() const { return begins_one_by_one_ && !config.keeps_state; }
  void find_to_be_cleared();
  const Routine& kernel_routine() const;
  void begin_again(std::span<Warp> own, std::uint32_t block, std::uint64_t cycle);
  void begin_unsettled();
  bool uses_local() const;
  void begin_local(Warp& warp, bool is_reused) const;
  void clear_shared(std::uint32_t slot, std::uint32_t block);
  void fill_specials(std::span<Warp> block, bool only_of_block) const;
  std::uint64_t special_of_block(Special special, const Warp& warp) const;
  std::uint64_t special_of_lane(Special special, std::uint32_t block, std::uint32_t warp, unsigned lane) const;
  void poison_registers(Warp& warp) const;

  using Registers = std::unique_ptr<std::byte, FreeAligned>;
  static Registers make_registers(std::size_t bytes) {
    return Registers(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64})));
  }

  std::size_t room_;
  std::vector<std::uint32_t> free_slots_;  // of those that have been made

  const bool begins_one_by_one_, has_calls_;
  std::vector<Registers> register_storage_;  // one piece for all, or for each slot
  struct Bytes {
    std::uint32_t offset, count;
  };
  std::vector<SpecialRow> specials_of_block_;  // those that change when another block has the registers
  std::vector<Bytes> to_be_cleared_;           // of registers that another block has had; found with the first of these
  bool knows_to_be_cleared_ = false;
  struct Unsettled {
    std::uint32_t slot = 0, block = 0;
    std::uint64_t cycle = 0;
  };
  std::optional<Unsettled> unsettled_;
  bool begin_alike_ = false;  // … and nothing but its number and special registers tells a block from the one before
  std::vector<std::uint32_t> living_;   // by slot: warps that have not ended
  mutable std::size_t found_slot_ = 0;  // of the block that was asked for last
};

inline void LaunchState::count(Warp& warp, std::uint64_t instructions) {
  warp.cycle += instructions;
  warp.last_issue = warp.cycle - 1;
  result.instructions += instructions;
  result.cycles = result.cycles < warp.last_issue ? warp.last_issue : result.cycles;
}

}  // namespace warpsim
