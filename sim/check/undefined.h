// Which registers hold nothing defined, lane by lane: a shadow of the register file and of memory.
//
// Shapes: one mask a register of each warp, bit set = undefined on that lane. A value is undefined where it was never
//         written, where it came from a lane that does not take part in a shuffle, from shared memory that nobody
//         wrote, or where something undefined went into it. What an instruction reads follows from
//         slots(info(op).form):
//           - lane by lane and compare: a lane is undefined where any register that it reads there is, its guard
//             included; selp with a defined predicate reads only what it picks;
//           - shuffle, broadcast: the lane takes over its source lane's state; also undefined where the exchange says
//           so;
//           - vote, match, redux, reduce: one undefined lane among those that execute makes every result undefined;
//           - scan: an undefined lane makes the results from that lane on undefined (exclusive: those after it);
//           - bar.red: the same over all threads that come together at the barrier;
//           - load: undefined where the address is, or where the bytes in memory are;
//           - atomic: what it finds as a load, what it leaves also where its operands are undefined.
//         No finer than that: `and` with zero, or `mul` by it, stays undefined. The same walk follows what shuffles
//         left in place past the segment (ShadowOf::OutOfRange), through registers alone: storing it is a use already.
//         There min, max, and, or of two equal values give the other operand back and a comparison of them is that of a
//         value with itself, so that nothing is taken over: what a reduction does with the partner that is not there.
//         What is undefined has an Origin, which leads back to where it was born.
// Units:  one bit a lane; memory is tracked by the byte.
// Errors: none here: it knows, others judge.
// Source: what the hardware leaves open is listed in sim/README.md; the shadow as in Nethercote and Seward, "Valgrind"
//         (PLDI 2007), at the grain of a lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/event/observer.h"

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
    GlobalUnwritten,
    OutOfRange,
  } birth = Birth::None;
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  std::uint8_t lane = 0, from = 0;   // from: the source lane of a shuffle
  std::int32_t reg = -1;             // that was read (NeverWritten) or written; -1: memory
  std::int32_t object = -1;          // of memory: parameter or shared array
  std::int64_t index = 0;            // … and its element
  std::uint8_t unwritten_bytes = 0;  // of an element that was written in part: one bit a byte; 0: all of it
  std::int32_t before = -1;          // number of the origin that this one carries on
  Birth root = Birth::None;          // the birth that it leads back to
};

class UndefinedLanes : public EventSink {
 public:
  explicit UndefinedLanes(ShadowOf of = ShadowOf::Undefined) : of_(of) {}
  // What on_start takes from the machine; for those who have events but no machine.
  void begin(const Program& program, unsigned lanes, std::uint32_t warps_per_block);
  // All registers but these are written before they are read, whatever is told of that: see watched.h.
  void take_as_written(const std::vector<bool>& but);
  // Bytes of global memory that nobody gave contents.
  void forget_global(std::uint64_t address, std::uint64_t bytes);

  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_exchange(const ExchangeEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_sync(const SyncEvent& event) override;
  void on_write(const WriteEvent& event) override;
  void on_block_end(const BlockEndEvent& event) override;

  // Lanes of a register that hold nothing defined, now.
  LaneMask undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const;
  // Lanes of the current memory event whose value, or an element of it, or whose address is undefined.
  LaneMask undefined_access(unsigned element = 0) const { return access_undefined_[element]; }
  // Lanes of an atomic that leave something undefined in memory.
  LaneMask undefined_stored() const { return stored_undefined_; }
  // The origin of an undefined value: its number in origins_. The first is of a lane's register as it is now, the
  // second of what the current memory event loaded or found. Call them only for values that are undefined.
  std::int32_t origin(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane);
  std::int32_t origin_of_access(unsigned lane, unsigned element = 0) const { return access_origin_[element][lane]; }
  const Origin& origin(std::int32_t number) const { return origins_[static_cast<std::size_t>(number)]; }
  // Whether any of these bytes of global memory holds nothing defined.
  bool undefined_global(std::uint64_t address, std::uint32_t bytes) const;

 private:
  // What one instruction reads, worked out once.
  struct Reads {
    std::vector<std::int32_t> lanewise;  // registers whose own lane matters, the guard included
    std::int32_t carried = -1;  // the register whose other lanes matter: a shuffle's or a collective's operand a
    std::vector<std::int32_t> elements;  // of a vector that is stored; -1: no register
    std::vector<std::int32_t> stored;    // an atomic's operands: what it finds does not depend on them
    bool overwrites = false;             // an atomic that leaves nothing of what it found
    std::int32_t equals[2] = {-1, -1};   // two registers whose equal values are one: see given_back
    bool selects = false;                // selp: a, b and the predicate stand apart
    std::int32_t if_true = -1, if_false = -1, selector = -1;
    bool selector_negated = false;
  };
  struct WarpShadow {
    std::vector<LaneMask> undefined;   // by register
    std::vector<LaneMask> truth;       // by register: the values of predicates, which selp needs
    bool reduction_undefined = false;  // what the barrier that has just opened gives to this warp
    std::vector<std::int32_t> origin;  // [register * lanes + lane]; empty until something undefined is written
    LaneMask existing = 0;
  };
  using Bytes = std::unordered_map<std::uint64_t, std::uint8_t>;  // by address / 8: one bit a byte

  static Reads reads_of(const Insn& insn);
  LaneMask given_back(const IssueEvent& event) const;
  WarpShadow& shadow(std::uint32_t block, std::uint32_t warp);
  LaneMask at(std::int32_t reg) const { return reg < 0 ? 0 : current_->undefined[static_cast<std::size_t>(reg)]; }
  LaneMask at(const std::vector<std::int32_t>& regs) const;
  LaneMask result_of(const Insn& insn, const Reads& reads, LaneMask active) const;
  // `behind`: bytes from the lane's address, to an element of a vector
  bool load_is_undefined(const MemoryEvent& event, unsigned lane, std::uint64_t behind);
  // The bytes of the element at an address that hold nothing defined, one bit each.
  std::uint8_t undefined_bytes(const MemoryEvent& event, std::uint64_t address) const;
  void store(const MemoryEvent& event, unsigned lane, unsigned element, bool is_undefined);

  // ---- origins: made only where something is undefined
  std::int32_t add(Origin origin);
  Origin here(unsigned lane) const;
  std::int32_t origin_in(WarpShadow& warp, std::int32_t reg, unsigned lane);
  std::int32_t carried_origin(unsigned lane);
  std::int32_t origin_at(const MemoryEvent& event, unsigned lane, unsigned element, std::int32_t element_reg);
  std::int32_t earlier_round(const Origin& next) const;
  void set_origins(LaneMask lanes, std::int32_t reg, unsigned element);
  Origin::Birth birth_of_source(const ExchangeEvent& event, unsigned lane) const;
  std::unordered_map<std::uint64_t, std::int32_t>& memory_origins(MemoryEvent::Space space);

  ShadowOf of_;
  const Program* program_ = nullptr;
  const Machine* machine_ = nullptr;  // null: its registers are not known
  unsigned lanes_ = 32;
  std::uint32_t warps_per_block_ = 1;
  std::vector<Reads> reads_;                                             // by pc
  std::vector<LaneMask> unwritten_;                                      // by register: before the first instruction
  std::unordered_map<std::uint64_t, WarpShadow> warps_;                  // made when a warp first issues
  Bytes global_;                                                         // bit set = undefined; mostly empty
  std::unordered_map<std::uint32_t, std::vector<std::uint8_t>> shared_;  // by block, by byte: 1 = defined

  // The instruction that is being told.
  WarpShadow* current_ = nullptr;
  std::uint32_t block_ = 0;
  Lift lift_ = Lift::Special;
  LaneMask result_ = 0;  // undefined lanes of what it writes
  LaneMask lanewise_ = 0;
  LaneMask carried_ = 0;
  LaneMask operands_ = 0;  // of an atomic
  bool overwrites_ = false;
  std::array<LaneMask, 4> access_undefined_{};                          // an element each
  std::array<std::array<std::int32_t, kMaxLanes>, 4> access_origin_{};  // where access_undefined_ has the lane
  std::vector<std::uint8_t>* shared_now_ = nullptr;                     // of its block
  LaneMask stored_undefined_ = 0;
  bool vector_ = false;   // a load of several registers, which are written in order
  unsigned written_ = 0;  // … so many so far
  std::size_t pc_ = 0;
  IssueEvent issue_{};
  bool is_born_ = true;                         // some of the next are known
  std::array<std::int32_t, kMaxLanes> born_{};  // origin of what this instruction gives a lane; -1: not known yet

  std::vector<Origin> origins_;
  std::unordered_map<std::uint64_t, std::int32_t> global_origins_;  // by address of a byte
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, std::int32_t>> shared_origins_;  // by block
};

}  // namespace warpsim
