// A trace: what happened, as data. The recorder fills it, the writers print it, the reader reads it back, and every
// picture is drawn from it alone.
//
// Shapes: one Event an instruction of one warp (or of one divergent group of it). Per-lane vectors run in rising lane
//         order over the lanes of the mask beside them: values[k] belongs to the k-th set bit.
// Units:  cycles from 1; a bits word holds one element zero-extended.
// Errors: none here; see reader.h.
// Source: traces/FORMAT.md is the contract.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/program.h"
#include "isa/table/op.h"
#include "isa/table/type.h"
#include "sim/event/lane_mask.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "traces/model/trace_words.h"

namespace warpsim {

struct TraceRegister {
  std::string name;        // "%max_val"
  Type type = Type::None;  // how to show it; Pred and Mask possible
};

struct TraceParam {
  using Kind = Param::Kind;
  std::string name;
  Kind kind = Kind::Scalar;
  Type type = Type::None;
  std::uint64_t length = 0;   // buffers: elements
  std::uint64_t bits = 0;     // scalars: the value
  std::uint64_t address = 0;  // buffers: of the first element
  bool is_buffer() const { return kind != Kind::Scalar; }
};

struct TraceShared {
  std::string name;
  Type type = Type::None;
  std::uint64_t length = 0;
};

// What the program's text was compiled from, a file of CUDA C++ say; version 1.6.
struct TraceSource {
  std::string file;  // without its folder
  std::string text;  // "" if it was not at hand, or is a header of the compiler's
};
struct TraceSourcePlace {
  std::uint32_t source = 0;            // of TraceHead::sources
  std::uint32_t line = 0, column = 0;  // from 1; bytes
  std::uint32_t length = 1;            // bytes
  std::string function;                // in which it stands; "" if that is not said
  std::int32_t inlined_at = -1;        // another place, before this one; -1: it was not inlined
  bool operator==(const TraceSourcePlace&) const = default;
};
// A variable of the source that a register holds, from an instruction up to another; version 1.6.
struct TraceVariable {
  std::string name;
  std::int32_t reg = 0;
  std::int32_t first = 0, end = 0;  // pcs
};

// Registers by their place in TraceHead::registers, each once a list; as InsnFlow in traces/replay/dataflow.h has them.
struct TraceInsnRegisters {
  std::vector<std::int32_t> writes;  // in the order of their numbers; predicates behind the others
  std::vector<std::int32_t> value, exchanged, address;
  bool operator==(const TraceInsnRegisters&) const = default;
};

struct TraceInsn {
  std::int32_t pc = 0;
  std::uint32_t line = 0;  // in the program text
  std::string text;        // the disassembly
  std::string doc;         // the table's one line
  std::string op;          // the table's mnemonic, "shfl.bfly", "max"
  Type type = Type::None;
  std::int32_t phase = -1;
  std::vector<std::string> operands;  // as written, one a slot, "" where left out
  // What `text` and `operands` say, as data: read_instruction_texts() fills these, and the JSON text does not have
  // them.
  const OpInfo* row = nullptr;         // of the instruction table; null if the table does not have it
  std::optional<ShuffleMode> shuffle;  // of a shuffle, whatever its type: which lanes it reads
  Guard guard;                         // its register by the place in TraceHead::registers
  bool exclusive = false;              // of a scan: without the lane's own value
  LaneMask members = ~LaneMask{0};     // a constant member mask; all lanes where it is left out or a register
  std::string accessed;                // the parameter or shared array that the address names; "" if none
  std::vector<std::vector<std::int32_t>> operand_registers;  // those that each operand names
  // Of machine code, whose texts do not say it; in the JSON text, version 1.8.
  TraceInsnRegisters registers;
  // Of a program from PTX; in the JSON text, version 1.6.
  bool is_address = false;      // it only computes addresses (isa/program/address_arithmetic.h)
  std::int32_t place = -1;      // of TraceHead::places: what to show of it; -1: none
  std::int32_t innermost = -1;  // … and its own, where a function of the compiler's was inlined there; else `place`
};

struct TraceDraw {
  std::string text, options;
};
struct TracePhase {
  std::string title, options;
  std::vector<TraceDraw> lines;
};

// The lanes written and what they hold now. `undefined` lanes hold bits too (what the simulator put there), but no
// meaning.
struct TraceWrite {
  std::int32_t reg = 0;
  LaneMask lanes = 0;
  LaneMask undefined = 0;
  std::vector<std::uint64_t> bits;  // predicates: 0 or 1
};

// Elements of a buffer that hold nothing defined, in rising order.
struct UndefinedElements {
  std::string name;
  std::vector<std::uint64_t> index;
};

// What a window of a run finds when it begins: whatever is not named here is as at the start of the run.
struct TraceStart {
  struct Warp {
    std::uint32_t block = 0, warp = 0;
    LaneMask lanes = 0;            // that have arrived at an instruction
    std::vector<std::int32_t> pc;  // of each, the last one
    LaneMask exited = 0;
    std::vector<TraceWrite> registers;  // the lanes that hold something defined
  };
  struct Shared {
    std::uint32_t block = 0;
    std::int32_t object = 0;
    Array values;
    std::vector<std::uint64_t> undefined;  // elements, in rising order
  };
  std::uint64_t events = 0;  // of the run, before the window's first
  std::vector<Warp> warps;
  std::vector<std::pair<std::string, Array>> buffers;  // that were written
  std::vector<UndefinedElements> undefined;            // of these
  std::vector<Shared> shared;                          // that were written
};

struct TraceHead {
  std::string version = "1.0";
  std::string backend = "simulator";  // or the GPU's name
  unsigned lanes = 32;
  Reconvergence reconvergence = Reconvergence::Stack;
  std::string profile = "lockstep";
  std::string schedule;  // "blocks", "fuzz:7"; "" for the order (cycle, block, warp); version 1.2
  // Of a timed run, version 1.3: which of a sub-core's warps issues ("gto"), "" if it is not timed; sub-cores an SM.
  std::string scheduler;
  unsigned sub_cores = 0;
  // Whether `code` is the machine code that a compiler made of the program, which was timed; version 1.7.
  bool is_machine_code = false;
  Dim3 grid, block;
  std::string case_name;  // "" if none
  std::string program, title, document, file, text;
  std::vector<TraceParam> params;
  std::vector<TraceShared> shared;
  std::vector<TraceRegister> registers;
  std::vector<TraceInsn> code;
  std::vector<TracePhase> phases, pictures;
  std::vector<TraceSource> sources;
  std::vector<TraceSourcePlace> places;
  std::vector<TraceVariable> variables;
  // Buffers before the run, in parameter order: every in and inout, and each out that does not start as zeros.
  std::vector<std::pair<std::string, Array>> inputs;
  std::optional<TraceStart> start;  // of a window; version 1.1

  std::uint64_t warps_per_block() const { return (block.count() + lanes - 1) / lanes; }
  LaneMask existing_lanes(std::uint32_t warp) const {  // of a warp of any block: fewer in a partial last warp
    const std::uint64_t first = std::uint64_t{warp} * lanes, threads = block.count();
    return full_mask(static_cast<unsigned>(std::min<std::uint64_t>(lanes, threads - std::min(threads, first))));
  }
};

struct TraceExchange {
  LaneMask lanes = 0;
  std::vector<std::uint8_t> from;
  LaneMask in_range = 0;
  LaneMask undefined = 0;
};

struct TraceMemory {
  using Space = MemoryEvent::Space;
  using Access = MemoryEvent::Access;
  Space space = Space::Global;
  Access access = Access::Load;
  unsigned bytes = 4;
  LaneMask lanes = 0;
  std::vector<std::int32_t> object;  // param or shared index a lane
  std::vector<std::int64_t> index;   // element a lane
  std::vector<std::uint64_t> address;
  std::vector<std::uint64_t> bits;      // loaded or stored, `elements` a lane; of an atomic what it found
  std::array<LaneMask, 4> undefined{};  // by element: lanes whose value, or whose address, is undefined
  Type type = Type::None;               // how to show the bits
  unsigned ways = 0;                    // shared only
  std::vector<std::uint64_t> stored;    // of an atomic what it left there
  LaneMask undefined_stored = 0;        // lanes where that is undefined
  unsigned elements = 1;                // a lane: 2 or 4 of a vector, which follow each other
  std::vector<std::uint8_t> order;      // the lanes as they took effect, one after another; empty: rising; version 1.2
  std::vector<std::uint8_t> read;       // of a copy's source: the bytes a lane; empty: all

  bool is_shared() const { return space == Space::Shared; }
  bool writes() const { return access != Access::Load; }
  // Calls f(lane, its rank in `lanes`) for the lanes in the order in which they took effect.
  template <class F>
  void for_each_turn(F&& f) const {
    std::size_t rank = 0;
    if (order.empty()) for_each_lane(lanes, [&](unsigned lane) { f(lane, rank++); });
    else
      for (const std::uint8_t lane : order) f(unsigned{lane}, std::size_t{count_lanes(lanes & (lane_bit(lane) - 1))});
  }
  std::size_t turn(unsigned lane) const {  // only to compare
    return order.empty() ? lane : static_cast<std::size_t>(std::find(order.begin(), order.end(), lane) - order.begin());
  }
  // What is in memory after a store or an atomic, as bits[k].
  std::uint64_t left(std::size_t k) const { return access == Access::Atomic ? stored[k] : bits[k]; }
  LaneMask left_undefined(unsigned element) const {
    return access == Access::Atomic ? undefined_stored : undefined[element];
  }
};

struct TraceMask {
  using Kind = MaskEvent::Kind;
  Kind kind = Kind::Branch;
  LaneMask taken = 0, not_taken = 0;
  std::int32_t target = -1, reconvergence = -1;
};

struct TracePhaseStart {
  std::int32_t phase = 0;    // index into head.phases
  std::uint32_t number = 1;  // counted phase instances of this warp so far, this one included: a diagram's "Cycle n"
  std::uint32_t step = 1;    // the instance's index among this phase's instances in this warp, from 1
  std::string title;         // filled in
};

// Why a warp did not issue, of a timed run.
struct TraceStall {
  OpenWord<Stall::Reason> reason;  // "dependency"
  std::uint64_t cycles = 0;
  std::int32_t reg = -1;  // what it waited for …
  std::int32_t pc = -1;   // … which this instruction writes; of a barrier the barrier
  std::string pipe;       // that was taken; "" if none
  bool operator==(const TraceStall&) const = default;
};

struct TraceEvent {
  std::optional<std::uint64_t> cycle;  // empty in a trace from hardware
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = 0;
  LaneMask active = 0;
  LaneMask group = 0;                    // the lanes at this pc together: active and those that the guard switches off
  std::optional<TracePhaseStart> phase;  // on the first event of a phase instance
  std::vector<TraceWrite> writes;
  std::optional<TraceExchange> exchange;
  std::optional<TraceMemory> memory;
  std::optional<TraceMemory> source;  // what a copy (cp.async) reads, a load; `memory` is what it writes; version 1.4
  std::vector<TraceMask> masks;
  // Of a timed run: where the warp lives, SM * sub-cores an SM + sub-core; and what it waited for before this, since it
  // issued last or came to be, in that order.
  std::int32_t sub_core = -1;
  std::vector<TraceStall> stalls;

  std::uint64_t waited() const {
    std::uint64_t cycles = 0;
    for (const TraceStall& stall : stalls) cycles += stall.cycles;
    return cycles;
  }
};

struct TracePlace {
  std::uint32_t block = 0, warp = 0;
  LaneMask lanes = 0;
  std::int32_t pc = -1;
  Message waits_for;
};

// What led to a finding, in the order in which it is understood.
struct TraceStep {
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  Message text;
};

// Something wrong: a finding, which did not end the run, or the trap, which did. Messages that a file brought are
// Texts.
struct TraceFinding {
  OpenWord<Finding> code;  // "WS0104"; "" in a trace of others
  std::string kind;        // its name, for people: a finding's, or the trap's
  Message message, hint;
  std::uint64_t cycle = 0;  // 0: known before the run
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  std::vector<TracePlace> places;  // where the lanes were
  std::vector<TraceStep> steps;
};
using TraceTrap = TraceFinding;
// "WS0104 source-outside-mask"
inline std::string name_of(const TraceFinding& one) {
  return one.code.word.empty() ? one.kind : one.code.word + " " + one.kind;
}

struct TraceOutcome {
  bool ok = true;  // no trap, no finding, and `passed` is not false
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t first_launch = 0;  // cycles, where they are others: of machine code in no cache; not in the JSON text
  std::vector<std::pair<std::string, Array>> outputs;   // out and inout buffers after the run
  std::vector<UndefinedElements> undefined;             // of the outputs; a buffer with none is not listed
  std::vector<std::pair<std::string, Array>> expected;  // what the case says, may be empty
  std::optional<bool> passed;                           // empty if nothing was expected
  std::vector<TraceFinding> findings;
  std::optional<TraceTrap> trap;
  std::string printed;  // by printf of the kernel
};

// Where a streamed trace goes; a member that is empty is not called. Example: a TraceWriter's three functions.
struct TraceConsumer {
  std::function<void(const TraceHead&)> head;
  std::function<void(const TraceEvent&)> event;
  std::function<void(const TraceOutcome&)> outcome;
};

struct Trace {
  TraceHead head;
  std::vector<TraceEvent> events;
  TraceOutcome outcome;
};

}  // namespace warpsim
