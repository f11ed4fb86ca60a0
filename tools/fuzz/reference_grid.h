// The grid of the second interpreter: its threads, its memory, and what they do; reference_interpreter.h says how it
// runs.
//
// Shapes: a Thread is one lane of one warp. run() lets every thread run by itself until it has to wait for others, then
//         releases the waiting threads whose partners have all arrived, until no thread can continue. Each section
//         below is a file.
// Units:  bits, zero-extended to 64.
// Errors: a Fault is the first thing that went wrong.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {

// The value of a constant expression.
std::int64_t constant(const ConstExpr& expression, unsigned lanes);

class Grid {
 public:
  Grid(const Program& program, const Launch& launch);
  Result run();
  static bool defines(Op op, Type type);

 private:
  using Bits = std::uint64_t;

  struct Copy {
    Bits to = 0, from = 0;   // addresses in shared and in global memory
    int size = 0, read = 0;  // bytes
    Bits group = 0;          // from 1; 0: in none yet
  };

  struct Thread {
    std::int32_t pc = 0;
    bool exited = false;
    bool waiting = false;         // at `pc`, for other lanes
    Bits member_mask = 0;         // of an instruction that lanes execute together
    Bits barrier = 0, count = 0;  // of a block barrier; count 0: all threads
    Bits predicate = 0;           // of a barrier that reduces
    std::uint32_t linear = 0;     // in the block
    Dim3 tid{0, 0, 0};
    std::vector<Bits> registers;
    std::vector<Copy> copies;  // that it has not waited for
    Bits copy_groups = 0;
    std::vector<std::int32_t> calls;  // where each open one comes back to
  };

  struct Memory {
    Bits address = 0;
    bool read_only = false;
    std::vector<unsigned char> bytes;
  };

  struct Mbarrier {
    Bits count = 0, missing = 0, phase = 0;
  };

  // One block: its threads and its shared memory.
  struct Block {
    Dim3 ctaid{0, 0, 0};
    std::vector<Thread> threads;
    Memory shared;
    std::map<Bits, Mbarrier> mbarriers;             // by address in shared memory
    std::map<std::pair<Bits, Bits>, Bits> gone_on;  // threads that have arrived and not waited, by barrier and count
  };

  // ---- setting up, and one thread by itself: reference_interpreter.cpp
  // The registers of a vector, first to last: their slots' names end in their numbers.
  static std::string element_name(char letter, int k) { return {letter, static_cast<char>('0' + k)}; }
  void lay_out_global();
  Block fresh_block(Dim3 ctaid) const;
  Result report() const;
  bool run_thread(Block& block, Thread& thread);
  void step(Block& block, Thread& thread);
  void scalar_step(const Block& block, Thread& thread, const Insn& insn);
  void pack(const Block& block, Thread& thread, const Insn& insn);
  void unpack(const Block& block, Thread& thread, const Insn& insn);
  void load_param(Thread& thread, const Insn& insn);

  // ---- values of operands: reference_operands.cpp
  int width_of(Type type) const { return type == Type::Mask ? (lanes_ > 32 ? 64 : 32) : bits(type); }
  Type type_of(const Insn& insn, const Slot& slot) const { return slot_type(slot.type, insn.type, insn.type2); }
  const Insn& insn_at(const Thread& thread) const { return program_.code[static_cast<std::size_t>(thread.pc)]; }
  Bits special(const Block& block, const Thread& thread, Special which) const;
  Bits value(const Block& block, const Thread& thread, const Operand& operand, Type type) const;
  Bits scalar(std::int32_t param) const;
  static const Operand* find(const Insn& insn, std::string_view slot_name);
  Bits named(const Block& block, const Thread& thread, std::string_view slot_name, Type type, Bits absent) const;
  void write(Thread& thread, const Operand* destination, Type type, Bits bits_written);
  void write_d(Thread& thread, Bits bits_written);

  // ---- memory: reference_memory.cpp
  static void put(Memory& memory, Bits at, int size, Bits bits_stored);
  static Bits get(const Memory& memory, Bits at, int size);
  Bits address_of(const Block& block, const Thread& thread, const Operand& operand) const;
  bool inside_named_array(const Block& block, const Thread& thread, const Operand& operand, int access_bytes) const;
  // Where so many bytes are; null: they are not in one object.
  Memory* memory_at(Block& block, bool shared, Bits address, int size);
  void memory_step(Block& block, Thread& thread, const Insn& insn);
  void jump(const Block& block, Thread& thread, const Insn& insn);
  // reference_copies.cpp
  void begin_copy(Block& block, Thread& thread, const Insn& insn);
  void finish_copy(Block& block, const Copy& copy);
  void copies_step(Block& block, Thread& thread, const Insn& insn);

  // ---- threads that wait for each other: reference_waiting.cpp
  unsigned lane_of(const Thread& thread) const { return thread.linear % lanes_; }
  static bool is_for_the_block(const Insn& insn);
  void arrive(Block& block, Thread& thread);
  // What a barrier that reduces gives when `trues` of those that have arrived hold true.
  static std::optional<Bits> reduced(Op op, Bits trues, Bits arrived);
  bool release_waiting(Block& block);
  bool release_at_barriers(Block& block);
  // reference_mbarrier.cpp
  bool waits_at_mbarrier(const Thread& thread) const;
  void mbarrier_step(Block& block, Thread& thread, const Insn& insn);
  bool release_at_mbarriers(Block& block);
  std::vector<Thread*> living_lanes(Block& block, std::size_t first) const;
  bool release_in_warp(Block& block, std::size_t first);
  void execute_together(Block& block, const std::vector<Thread*>& members, bool whole_warp);

  // ---- what lanes execute together: reference_exchange.cpp
  // The lane that a shuffle reads from, and whether it is in range.
  struct Source {
    unsigned lane;
    bool in_range;
  };
  Source shuffle_source(ShuffleMode mode, unsigned lane, Bits b, Bits c) const;
  Bits clamp_of_width(ShuffleMode mode, Bits width) const;
  void shuffle(const Block& block, const std::vector<Thread*>& members, const Insn& insn);
  // What a vote gives: true or false, or the ballot. Nothing for a row that is no vote.
  static std::optional<Bits> voted(Op op, Bits ballot, Bits all);
  void vote(const Block& block, const std::vector<Thread*>& members, const Insn& insn);
  void match(const Block& block, const std::vector<Thread*>& members, const Insn& insn);
  void redux(const Block& block, const std::vector<Thread*>& members, const Insn& insn);
  static Bits identity(Op op, Type type);
  void collective(const Block& block, const std::vector<Thread*>& members, const Insn& insn);
  void combine(const std::vector<Thread*>& members, const Insn& insn, std::vector<Bits>& values, unsigned offset,
               bool butterfly) const;

  const Program& program_;
  const Launch& launch_;
  unsigned lanes_;
  std::vector<Memory> global_;       // by parameter
  std::vector<Bits> shared_offset_;  // by shared array
  Bits shared_size_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> executed_;
  std::uint64_t steps_ = 0;
  std::optional<std::string> fault_;
};

}  // namespace warpsim::reference
