// Which bits of registers and memory hold nothing defined, lane by lane: a shadow of the register file and of memory.
//
// Shapes: a register of a warp has a mask, bit set = something of it is undefined on that lane, and where that is not
//         all of it, the bits. A value is undefined where it was never written, where it came from a lane that does not
//         take part in a shuffle, from shared memory that nobody wrote, or where something undefined went into it. What
//         an instruction reads follows from slots(info(op).form):
//           - lane by lane and compare: the bits that what is undefined can change, given the values of the rest
//             (bit_flow.h); pack and unpack move bits;
//           - shuffle, broadcast: the lane takes over its source lane's bits; all of it is undefined where the exchange
//             says so;
//           - vote, match: what the lanes that are undefined can change, so that one defined true lane decides
//           vote.any,
//             and a ballot is undefined in the bits of the lanes that are;
//           - redux, reduce, scan: the operation's own spread, lane after lane; floats: all;
//           - bar.red: as a vote, over all threads that come together at the barrier;
//           - load: all of it where the address is undefined, else the bits that memory has;
//           - atomic: what it finds as a load; what it leaves by the operation's spread.
//         An undefined guard, address, count or member mask makes all of the result undefined. The same walk follows
//         what shuffles left in place past the segment (ShadowOf::OutOfRange), through registers alone: storing it is a
//         use already. There min, max, and, or of two equal values give the other operand back and a comparison of them
//         is that of a value with itself, so that nothing is taken over: what a reduction does with the partner that is
//         not there. Nor is there anything to follow once a guard has kept exactly those lanes from overwriting it.
//         What is undefined has an Origin, which leads back to where it was born.
// Units:  one bit a bit, 1 = undefined. Memory has eight for each byte: of a block's shared memory all of them, of
//         global memory only those of words in which something is undefined, so that it costs nothing where all is
//         defined.
// Errors: none here: it knows, others judge.
// Source: what the hardware leaves open is listed in sim/README.md; the shadow as in Nethercote and Seward, "How to
//         Shadow Every Byte of Memory Used by a Program" (VEE 2007).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/program/liveness.h"
#include "sim/calm/undefined_words.h"
#include "sim/check/bit_flow.h"
#include "sim/check/lane_bits.h"
#include "sim/event/observer.h"
#include "sim/memory/line_vector.h"

namespace warpsim {

enum class ShadowOf : std::uint8_t { Undefined, OutOfRange };

// How one lane came to something undefined: by its birth here, or carried on from another origin.
struct Origin {
  enum class Birth : std::uint8_t {
    None,  // carried on from `before`
    NeverWritten,
    SourceInactive,
    SourceExited,
    SourceAbsent,
    SourceOutsideMask,
    SharedUnwritten,
    LocalUnwritten,
    GlobalUnwritten,
    OutOfRange,
  } birth = Birth::None, root = Birth::None;  // root: the birth that it leads back to
  std::uint8_t lane = 0, from = 0;            // from: the source lane of a shuffle
  std::uint8_t unwritten_bytes = 0;           // of an element that was written in part: one bit a byte; 0: all of it
  AddressSpace space = AddressSpace::Global;  // of memory …
  std::int32_t object = -1;                   // … and what is there: Program::held_in()
  std::int64_t index = 0;                     // … and its element
  std::uint64_t address = 0;
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  std::int32_t reg = -1;     // that was read (NeverWritten) or written; -1: memory
  std::int32_t before = -1;  // number of the origin that this one carries on
};

using DefinedBytes = LineVector<std::uint8_t>;  // by byte: bit set = defined

class UndefinedLanes : public EventSink {
 public:
  explicit UndefinedLanes(ShadowOf of = ShadowOf::Undefined) : of_(of) {}
  // All registers but these are written before they are read, whatever is told of that: see undefined_watch.h.
  void take_as_written(const std::vector<bool>& but);
  // Bytes of global memory that nobody gave contents. Of what the kernel allocates they are known here.
  void forget_global(std::uint64_t address, std::uint64_t bytes) { global_.forget(address, bytes); }

  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_exchange(const ExchangeEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_sync(const SyncEvent& event) override;
  void on_write(const WriteEvent& event) override;
  void on_block_end(const BlockEndEvent& event) override;

  // Whether all registers that this load or store reads or writes are defined, and all that it finds in memory. Then
  // nothing changes here but that what it stores is defined.
  bool are_all_defined(const AccessPlace& place);
  bool is_all_defined(const AccessPlace& place, const MemoryEvent& event);
  void define(const MemoryEvent& event);
  bool is_all_defined(const AccessPlace& place, const RangeEvent& event);
  void define(const RangeEvent& event);
  bool is_all_defined(const AccessPlace& place, const LanesEvent& event);
  void define(const LanesEvent& event);

  // Lanes on which a register holds something undefined, now.
  LaneMask undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const;
  // … and something defined as well.
  LaneMask partly_undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const;
  // Lanes on which what the current instruction computes is undefined, in a bit of it or more.
  LaneMask undefined_result() const { return result_[0].undefined(); }
  // Lanes of the current memory event whose value, or an element of it, or whose address is undefined.
  LaneMask undefined_access(unsigned element = 0) const { return access_[element].undefined(); }
  // Lanes of an atomic that leave something undefined in memory.
  LaneMask undefined_stored() const { return stored_undefined_; }
  // The origin of an undefined value: its number in origins_. The first is of a lane's register as it is now, the
  // second of what the current memory event loaded or found. Call them only for values that are undefined.
  std::int32_t origin(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane);
  std::int32_t origin_of_access(unsigned lane, unsigned element = 0) const { return access_origin_[element][lane]; }
  const Origin& origin(std::int32_t number) const { return origins_[static_cast<std::size_t>(number)]; }
  const UndefinedWords& global() const { return global_; }
  // A byte for each byte of a block's shared memory, for as long as the block goes on; all bits set = defined.
  std::uint8_t* defined_shared(std::uint32_t block);
  // What is undefined in global memory, from one grid to the next that runs on it.
  UndefinedWords take_memory() { return std::exchange(global_, {}); }
  void give_memory(UndefinedWords memory) { global_ = std::move(memory); }
  // Whether any bit of these bytes of global memory is undefined.
  bool undefined_global(std::uint64_t address, std::uint64_t bytes) const;
  // Calls f(origin) for each of these bytes of global memory that holds something undefined that was stored there.
  template <class F>
  void for_each_stored_global(std::uint64_t address, std::uint64_t bytes, F f) const {
    for (const auto& [byte, number] : global_origins_)
      if (byte - address < bytes && undefined_global(byte, 1)) f(origin(number));
  }

 private:
  // What one instruction reads, worked out once.
  struct Reads {
    std::vector<std::int32_t> whole;    // registers that make all of the result undefined: the guard, an address, …
    std::vector<std::int32_t> sources;  // of what computes lane by lane, and of an atomic, by operand; -1: no register
    std::int32_t carried = -1;  // the register whose other lanes matter: a shuffle's or a collective's operand a
    std::vector<std::int32_t> elements;  // of a vector that is stored or packed; -1: no register
    std::int32_t equals[2] = {-1, -1};   // two registers whose equal values are one: see given_back
    std::int32_t guarded = -1;           // the register that is written under a guard: see keep_on_purpose
    std::vector<std::int32_t> all;       // and all that are written
  };
  struct WarpShadow {
    std::vector<LaneMask> undefined;  // by register
    // … where not all of its bits are, and which are, by lane. Of those alone of which that has happened.
    struct Partly {
      LaneMask lanes = 0;
      std::array<std::uint64_t, kMaxLanes> bits{};
    };
    std::unordered_map<std::int32_t, Partly> partly;
    std::uint64_t reduction_undefined = 0;  // what the barrier that has just opened gives to this warp
    // By register and lane, of registers to which something undefined was written.
    std::unordered_map<std::int32_t, std::vector<std::int32_t>> origin;
    const Partly* partly_of(std::int32_t reg) const {
      const auto known = partly.empty() ? partly.end() : partly.find(reg);
      return known == partly.end() ? nullptr : &known->second;
    }
    LaneMask partial(std::int32_t reg) const {
      const Partly* const known = partly_of(reg);
      return known == nullptr ? 0 : known->lanes;
    }
    LaneMask existing = 0;
    std::vector<DefinedBytes> local;                                // by lane
    std::unordered_map<std::uint64_t, std::int32_t> local_origins;  // by origin_key()
  };
  struct BlockShadow {
    std::vector<WarpShadow> warps;
    DefinedBytes shared;
    std::unordered_map<std::uint64_t, std::int32_t> shared_origins;  // by address of a byte
    void forget();                                                   // all, but for its room
  };

  static Reads reads_of(const Insn& insn);
  void go_to(std::uint32_t block);
  WarpShadow& shadow(std::uint32_t block, std::uint32_t warp);
  const WarpShadow* known_shadow(std::uint32_t block, std::uint32_t warp) const;
  LaneMask at(std::int32_t reg) const { return reg < 0 ? 0 : current_->undefined[static_cast<std::size_t>(reg)]; }
  LaneMask at(const std::vector<std::int32_t>& regs) const;
  std::uint64_t bits_at(std::int32_t reg, unsigned lane) const;
  std::uint64_t all_bits(std::int32_t reg) const { return all_bits_[static_cast<std::size_t>(reg)]; }
  void set(std::int32_t reg, LaneMask lanes, const LaneBits& result);

  // ---- what an instruction computes: into result_
  void compute(const IssueEvent& event, const Reads& reads);
  void compute_lanewise(const IssueEvent& event, const Reads& reads);
  LaneMask given_back(const IssueEvent& event, const Reads& reads);
  void keep_on_purpose(const IssueEvent& event, const Reads& reads);
  void pack(const IssueEvent& event, const Reads& reads);
  void unpack(const IssueEvent& event, const Reads& reads);
  void vote(const IssueEvent& event);
  void match(const IssueEvent& event, std::int32_t reg);
  void combine(const IssueEvent& event, std::int32_t reg);
  std::uint64_t combined(const DecodedInsn& insn, LaneMask members, std::int32_t reg);
  std::uint64_t value_at(std::uint32_t row_offset, bool wide, unsigned lane) const;
  LaneMask members_of(const DecodedInsn& insn, unsigned lane) const;

  // ---- memory
  // The undefined bits of so many bytes at an address.
  std::uint64_t memory_bits(const MemoryEvent& event, unsigned lane, std::uint64_t address) const;
  const DefinedBytes& defined_bytes(const MemoryEvent& event, unsigned lane) const;
  DefinedBytes& defined_bytes(const MemoryEvent& event, unsigned lane);
  void leave_frames(const IssueEvent& event);
  void forget_allocated(const WriteEvent& event);
  void leave_freed(const IssueEvent& event);
  std::uint64_t copied_bits(const MemoryEvent& event, unsigned element, unsigned lane) const;
  std::uint64_t global_bits(std::uint64_t address, std::uint32_t bytes) const;
  bool is_element_defined(const MemoryEvent& event, unsigned element);
  bool are_defined(std::uint64_t address, std::uint64_t size) const;
  template <class Event>
  bool are_lanes_defined(const Event& event) const;
  template <class Event>
  void define_lanes(const Event& event);
  bool are_defined_in_shared(const MemoryEvent& event) const;
  bool define(std::uint64_t address, std::uint64_t size);  // false: out of bounds
  void access(const MemoryEvent& event, unsigned element, unsigned lane);
  std::uint64_t left_by_atomic(const MemoryEvent& event, unsigned lane, std::uint64_t found);
  void keep_atomic_operands(const IssueEvent& event, const Reads& reads);
  void store(const MemoryEvent& event, unsigned lane, unsigned element, std::uint64_t undefined);

  // ---- origins: made only where something is undefined
  std::int32_t add(Origin origin);
  void sweep_origins(const IssueEvent& next);
  void leave_dead_origins(const IssueEvent& next);
  template <class F>
  void for_each_place_of_origin(F f);
  Origin here(unsigned lane) const;
  std::vector<std::int32_t>& origins_of(WarpShadow& warp, std::int32_t reg) const;  // by lane
  std::int32_t origin_in(WarpShadow& warp, std::int32_t reg, unsigned lane);
  std::int32_t carried_origin(unsigned lane);
  std::int32_t source_that_matters(unsigned lane);
  std::int32_t origin_at(const MemoryEvent& event, unsigned lane, unsigned element, std::int32_t element_reg);
  std::int32_t earlier_round(const Origin& next) const;
  void set_origins(LaneMask lanes, std::int32_t reg, unsigned element);
  Origin::Birth birth_of_source(const ExchangeEvent& event, unsigned lane) const;
  // Where the origin of a byte is noted; -1 in a new place.
  std::unordered_map<std::uint64_t, std::int32_t>& memory_origins(MemoryEvent::Space space);
  static std::uint64_t origin_key(MemoryEvent::Space space, unsigned lane, std::uint64_t address) {
    return space == MemoryEvent::Space::Local ? address * kMaxLanes + lane : address;
  }

  ShadowOf of_;
  const Program* program_ = nullptr;
  const Machine* machine_ = nullptr;
  unsigned lanes_ = 32;
  std::uint32_t warps_per_block_ = 1;
  std::vector<Reads> reads_;             // by pc
  std::vector<LaneMask> unwritten_;      // by register: before the first instruction
  std::vector<std::uint64_t> all_bits_;  // by register: as many ones as it is wide
  using BlockShadows = std::unordered_map<std::uint32_t, BlockShadow>;
  BlockShadows blocks_;            // made when a warp of it first issues
  BlockShadows::node_type spare_;  // of a block that has ended, for the next
  UndefinedWords global_;          // mostly empty
  BitFlow flow_;

  // The instruction that is being told.
  BlockShadow* block_now_ = nullptr;  // of block_
  WarpShadow* current_ = nullptr;
  const std::byte* registers_ = nullptr;  // of its warp
  std::uint32_t block_ = 0;
  Lift lift_ = Lift::Special;
  std::array<LaneBits, 4> result_;  // what it writes, in order
  LaneMask whole_ = 0;              // lanes on which the guard, the address, … is undefined
  LaneMask carried_ = 0;
  LaneMask evaluated_ = 0;                                              // lanes whose operands flow_ holds
  std::array<LaneBits, 4> access_;                                      // an element each
  std::array<std::array<std::int32_t, kMaxLanes>, 4> access_origin_{};  // where access_ has the lane
  LaneMask stored_undefined_ = 0;
  std::size_t written_ = 0;  // so many registers so far
  std::size_t pc_ = 0;
  IssueEvent issue_{};
  bool is_born_ = true;                         // some of the next are known
  std::array<std::int32_t, kMaxLanes> born_{};  // origin of what this instruction gives a lane; -1: not known yet

  // One that nothing undefined, which may still be read, leads back to is left out some time.
  std::vector<Origin> origins_;
  static constexpr std::size_t kFewOrigins = std::size_t{1} << 14;
  std::size_t most_origins_ = kFewOrigins;                          // before the next sweep
  std::unique_ptr<Liveness> liveness_;                              // since the first one
  std::unordered_map<std::uint64_t, std::int32_t> global_origins_;  // by address of a byte
};

}  // namespace warpsim
