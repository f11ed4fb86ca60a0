// What a CodeMachine is inside: registers of warps, groups of lanes, barriers of blocks, and instructions made ready.
//
// Shapes: the registers of a warp are one block of bytes. A row is a register: 32 words, lane 0 first; operands are
//         offsets of rows. Behind the program's registers are rows that read as zero, rows that nobody reads, uniform
//         registers (each lane has the value), masks of convergence barriers, scratch, and rows that never change:
//         immediates and constants. A predicate is a set of lanes; a uniform one is no lane or all.
// Units:  bytes.
// Errors: an operation that cannot go on calls Exec::refuse() or Exec::fault(); its machine stops there.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "isa/table/op.h"
#include "isa/table/type.h"
#include "sim/code/decode.h"
#include "sim/code/register_file.h"
#include "sim/sass/code_machine.h"

namespace warpsim::sass {

inline constexpr Lanes kAllLanes = ~Lanes{0};
inline constexpr std::uint32_t kRowBytes = kLanes * sizeof(std::uint32_t);
inline constexpr unsigned kPredicates = 16;  // P0-P6, PT, UP0-UP6, UPT
inline constexpr std::uint8_t kUniformPredicate = 8, kNowhere = kPredicates;
inline constexpr unsigned kConvergenceBarriers = 16, kBlockBarriers = 16;

using Row = Aliased<std::uint32_t>;
struct Exec;
struct CodeOp;
struct LaneCode;
using RunFn = void (*)(Exec&, const CodeOp&);

// What a sign does to a float's bits.
struct Signs {
  std::uint32_t keep = ~0U, flip = 0;
};
struct PredicateIn {
  std::uint8_t number = kTrue;
  bool flips = false;
};

// What every step needs stands in front: a line of the host's cache.
struct alignas(64) CodeOp {
  RunFn run = nullptr;
  std::uint32_t d = 0, a = 0, b = 0, c = 0;  // rows
  PredicateIn guard, p, q, r;
  bool is_control = false;                    // it says itself which lanes are where
  bool is_uniform = false;                    // of the warp, not of lanes
  bool is_alone = false;                      // CodeMachine::alone()
  bool reads_clock = false;                   // and changes registers alone
  std::uint8_t pd = kNowhere, pe = kNowhere;  // predicates that are written
  std::uint32_t value = 0, value2 = 0;
  std::int64_t offset = 0;  // of an address; a target's number
  std::uint8_t number = 0;  // of a barrier; registers of an access
  Type type = Type::None, type2 = Type::None;
  Op row = Op::Exit;             // of the table of PTX, whose kernel it is
  Signs sign_a, sign_b, sign_c;  // of integers flip is ~0 where they are negated or inverted
  Mods mods;
  std::int32_t at = 0;     // index of the instruction
  std::int32_t word = -1;  // index of Impl::words
};

enum class Wait : std::uint8_t { None, Converge, Sync, Exclusive, Collective, Block };
// Lanes that are at the same instruction together.
struct Group {
  Lanes mask = 0;
  std::int32_t at = 0;
  Wait wait = Wait::None;
  std::uint32_t which = 0;  // barrier, or the mask that is waited for
};

struct Warp {
  std::byte* registers = nullptr;
  std::array<Lanes, kPredicates + 1> predicates{};
  Lanes existing = 0, alive = 0;
  Group running;              // mask 0: none
  std::vector<Group> others;  // the latest last
  std::uint32_t issued = 0;   // since another group was chosen
  std::uint32_t slot = 0, index = 0;
  std::uint32_t barrier_count = 0;  // what BAR.RED has found
  bool barrier_truth = false;
  std::uint32_t behind = 0;  // the number, plus 1, of the block's barrier that it has passed before it opens; 0: none
  std::array<std::int32_t, kLanes> back{};  // of lanes in an instruction that they execute for all: where they go on
  std::vector<std::uint32_t> local;         // words of all lanes, from the top of the stack downwards
};

struct BlockBarrier {
  std::uint32_t warps = 0, expected = 0;  // that have arrived; 0: all
  std::vector<Lanes> arrived;             // of each warp, that is not all there yet
  std::uint32_t trues = 0, threads = 0;
  std::uint8_t reduction = 0;  // POPC, AND, OR
};
struct Block {
  std::uint32_t number = 0, living = 0;  // warps
  std::array<std::uint32_t, 3> place{};
  std::vector<std::byte> shared;
  std::array<BlockBarrier, kBlockBarriers> barriers;
  std::uint32_t used = 0;  // of these, a bit each: lanes have arrived there
};

// Rows of the register block. Of uniform registers and barriers there are those that the code names: a block that
// begins clears them.
struct Layout {
  std::uint32_t registers = 0, uniforms = 0, barriers = 0;  // of the program
  std::uint32_t zero() const { return registers * kRowBytes; }
  std::uint32_t nowhere() const { return zero() + 4 * kRowBytes; }
  std::uint32_t uniform() const { return nowhere() + 4 * kRowBytes; }
  std::uint32_t converge() const { return uniform() + uniforms * kRowBytes; }
  std::uint32_t thread() const { return converge() + barriers * kRowBytes; }  // its x, y, z
  std::uint32_t scratch() const { return thread() + 3 * kRowBytes; }
  std::uint32_t constants() const { return scratch() + 8 * kRowBytes; }
};

struct ConstantBank {
  std::vector<std::byte> bytes;
  std::set<std::uint64_t> unknown;  // words that nobody has filled in
};

struct CodeMachine::Impl {
  std::vector<Instruction> code;
  std::vector<CodeOp> ops;
  const LaneCode* lanes = nullptr;  // loops over lanes, for this host
  std::vector<std::uint32_t> alone;
  std::vector<DecodedInsn> words;  // f32 arithmetic as sim/code does it
  std::vector<FullFn> word_loops;
  CodeLaunch launch;
  Layout layout;
  std::vector<std::uint32_t> constants;  // of the constant rows
  std::map<std::uint8_t, ConstantBank> banks;
  std::uint32_t warps_per_block = 0, shared_bytes = 0;
  std::vector<std::byte> registers;
  std::vector<Warp> warps;
  std::vector<Block> blocks;
  std::vector<std::uint32_t> released;
  CodeRefusal refusal;
  CodeStep left_out;                                         // nobody asks for it
  const DeviceMemory::Allocation* last = nullptr;            // that was accessed: it stays while the launch runs
  std::map<std::uint64_t, DeviceMemory::Allocation> copied;  // by address: those whose bytes are the launch's own
};

inline constexpr std::uint32_t kStackTop = 0x10000;  // of local memory

// One step.
struct Exec {
  CodeMachine::Impl& machine;
  Warp& warp;
  CodeStep& step;
  std::uint64_t cycle;
  Lanes group, mask;
  bool failed = false;

  [[gnu::always_inline]] Row* row(std::uint32_t offset) const {
    return warpsim::row<std::uint32_t>(warp.registers, offset);
  }
  [[gnu::always_inline]] Lanes read(const PredicateIn& p) const {
    return warp.predicates[p.number] ^ (p.flips ? kAllLanes : 0);
  }
  [[gnu::always_inline]] void write(std::uint8_t number, Lanes value) const {
    Lanes& held = warp.predicates[number];
    held = (held & ~mask) | (value & mask);
  }
  Block& block() const { return machine.blocks[warp.slot]; }
  void refuse(const std::string& why);  // it is not known what this does
  void fault(const std::string& why);   // the program does something wrong
};

// Those of `mask`, the lowest first.
template <class F>
void for_lanes(Lanes mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
}
inline unsigned first_of(Lanes mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

}  // namespace warpsim::sass
