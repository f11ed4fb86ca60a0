// Decode once, execute many: a Program bound to one launch.
//
// Shapes: code[pc] is what runs instead of Program::code[pc]: function pointers and byte offsets, no names, no tables.
//         The template register block is copied for every warp; it holds the constants, and zeros elsewhere.
// Units:  offsets in bytes into a warp's register block (register_file.h).
// Errors: LaunchError for what only a launch can show: a `.b32` lane mask at 64 lanes, shared memory too large.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "isa/program/cfg.h"
#include "isa/program/program.h"
#include "sim/code/register_file.h"
#include "sim/code/shuffle_network.h"
#include "sim/launch/launch.h"

namespace warpsim {

struct DecodedInsn;
using RegisterBlocks = std::span<std::byte* const>;  // a block a warp
using FullFn = void (*)(std::byte* registers, const DecodedInsn& insn);
using TogetherFn = void (*)(RegisterBlocks warps, const DecodedInsn& insn);
using MaskedFn = void (*)(std::byte* registers, const DecodedInsn& insn, LaneMask lanes);
struct LaneSpan;
using SpanFn = LaneSpan (*)(const std::byte* registers, const DecodedInsn& insn, LaneMask lanes,
                            std::uint64_t* address);
using MoveFn = void (*)(std::byte* registers, const DecodedInsn& insn, std::byte* bytes, const LaneSpan& span,
                        const std::uint64_t* address, LaneMask lanes);

// What runs where nothing watches a load or a store: lane_access.h.
struct AccessOp {
  SpanFn span = nullptr;
  MoveFn move = nullptr;
  bool operator==(const AccessOp&) const = default;
};

// What runs when every lane of a complete warp executes, for one warp and for several.
struct WholeOp {
  FullFn alone = nullptr;
  TogetherFn together = nullptr;
  bool operator==(const WholeOp&) const = default;
};

struct DecodedInsn {
  WholeOp fast;               // every lane of a complete warp executes; null: use the general code
  MaskedFn masked = nullptr;  // Lane, Compare and Bits lifts, any set of lanes
  AccessOp access;            // Load and Store; of an Atomic the span
  std::uint32_t dst = kNoOffset, a = kNoOffset, b = kNoOffset, c = kNoOffset, d = kNoOffset;
  std::uint32_t p = kNoOffset;  // predicate source
  std::uint32_t dst_pred = kNoOffset;
  std::uint32_t index = kNoOffset;         // Load, Store: row of the index or pointer
  std::array<std::uint32_t, 4> element{};  // rows of a vector's elements, the first `elements` of them
  std::uint8_t elements = 0;
  std::uint32_t table = kNoOffset;        // a shuffle of all lanes, with constant operands: row of source lanes
  std::uint32_t member_mask = kNoOffset;  // register row of masks; kNoOffset: all lanes
  bool names_all = true;                  // … or always so
  std::uint32_t guard = kNoOffset;
  LaneMask guard_flip = 0;  // ~0 for @!%p
  LaneMask p_flip = 0;      // ~0 for !%p as operand
  LaneMask in_range = 0;    // a shuffle with constant operands: the lanes in range
  Lift lift = Lift::Special;
  ShuffleMode mode = ShuffleMode::Idx;  // Shuffle
  std::uint8_t xor_lanes = 0;           // … with a table: each lane receives from its own number xor this; 0: not so
  Op op = Op::Exit;
  Type type = Type::None, type2 = Type::None;  // bound: never Mask
  Mods mods;
  std::int32_t pc = 0;
  std::int32_t target = -1;  // Branch
  std::int32_t reconvergence = kExit;
  // Memory: address = base + (index + index_bias) * scale, the index being a register row or nothing.
  std::uint64_t base = 0;
  std::int64_t index_bias = 0;
  // What the program says literally of a product's second factor, a shift, or bits to combine with; 0: nothing.
  std::int64_t literal = 0;
  std::uint32_t scale = 1;
  bool index_wide = false;
  std::int32_t object = -1;                 // parameter or shared array that an Element names; -1: a pointer
  AddressSpace space = AddressSpace::None;  // that it accesses
  Op shared_op = Op::Exit;                  // of a generic access: its row where the address is in shared memory
  std::int32_t source = -1;                 // Copy: index into Code::copy_sources
  bool watched = false;                     // a sink wants to hear of it
  bool heard = false;                       // … at once, if it can (EventSink::hears_at_once)
  bool is_easily_heard = false;             // … also as a range or lanes, of settled words not at all
  std::optional<ChoiceLanes> choices;       // of a watched selection: EventSink::choices_heard
  bool is_in_place = false;                 // a copy whose register lies where what it copies lies: nothing to be done
  bool reads_clock = false;                 // `a` is the row of a clock, to be filled first
  Special clock = Special::Clock;           // … of this one
  // What an address has beyond index * scale.
  std::uint64_t beyond_index() const { return base + static_cast<std::uint64_t>(index_bias) * scale; }
  bool operator==(const DecodedInsn&) const = default;
};

// A special register that the program reads, and where it lives.
struct SpecialRow {
  Special special;
  std::uint32_t offset;
  bool wide;
  std::optional<std::int64_t> step = {};  // each lane has so much more than the one before it; none: it is not so
  bool operator==(const SpecialRow&) const = default;
};

struct SharedLayout {
  std::uint32_t offset_bytes, size_bytes;
  Type type;
};

struct Code {
  unsigned lanes = 32;
  unsigned width = 32;  // storage_width(lanes)
  std::vector<DecodedInsn> insns;
  std::vector<DecodedInsn> copy_sources;  // of copies: a load from global memory to nowhere
  std::vector<std::uint32_t>
      register_offset;                    // by Program register; of some, a constant's or a special's (keeps_state)
  std::vector<bool> register_wide;        // 8 bytes a lane
  std::vector<std::byte> block_template;  // the register block of a fresh warp, without specials
  std::size_t register_bytes = 0;         // of it: the registers that change; constants and specials follow
  std::vector<SpecialRow> specials;
  std::vector<SharedLayout> shared;      // by Function::objects
  std::uint32_t own_shared_bytes = 0;    // the program's, with what the launch adds
  std::uint32_t shared_bytes = 0;        // and, in programs that ask where it is, what the system takes: the last
  std::vector<std::byte> params;         // as ld.param sees them
  std::vector<std::int32_t> routine_of;  // by pc: index into Program::routines; empty if there are none
  std::uint32_t frame_row = kNoOffset;   // of Program::frame_register
  bool counts_arrivals = false;          // some block barrier is for a number of threads, not for all of the block

  // Whether what stands in the row of an operand never changes, and is alike in all lanes of all warps.
  bool is_constant(std::uint32_t row) const {
    return row != kNoOffset && row >= register_bytes &&
           std::none_of(specials.begin(), specials.end(), [row](const SpecialRow& s) { return s.offset == row; });
  }
};

std::variant<Code, LaunchError> decode(const Program& program, const LaunchConfig& config, const Binding& binding);

}  // namespace warpsim
