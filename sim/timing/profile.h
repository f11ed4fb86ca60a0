// A timing profile: how long each instruction takes, as data. clock.h times a run with one; lockstep has none.
//
// Shapes: a class holds the numbers of instructions that take the same time. The first of `rules` that fits gives an
//         instruction its class; the rules start from the table's `unit` column, and every unit has one that fits all
//         its other instructions. Warps of a sub-core, or of the whole SM, compete for pipes.
// Units:  cycles. Where a cycle count is a double it is rounded up once the sum is known. Sizes in bytes.
// Errors: none here: traces/profile/profile_json checks what it reads.
// Source: the vocabulary follows Huerta et al., "Analyzing Modern NVIDIA GPU cores" (arXiv:2503.20481): fixed-latency
//         dependences that the compiler counts, variable-latency ones with scoreboards, four sub-cores an SM.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

// Which of a sub-core's warps issues: gto keeps to the one that issued last and else takes the oldest, lrr takes turns
// from the youngest to the oldest, oldest always prefers the warp that started first.
enum class Scheduler : std::uint8_t { Gto, Lrr, Oldest };
std::string_view name(Scheduler scheduler);  // "gto", "lrr", "oldest"

struct TimingPipe {
  std::string name;
  bool of_sm = false;  // one an SM, else one a sub-core
};

struct TimingClass {
  std::string name;
  // One or more; the compiler takes the one that the warp's last instructions used less.
  std::vector<std::uint8_t> pipes;
  double interval = 1;  // how long it keeps that pipe
  // … where it reads three registers and the last instruction on the pipe was another warp's: two banks deliver two at
  // a time, unless an operand is still kept from the instruction before. 0: the same interval.
  double interval_of_three = 0;
  std::int32_t sm_pipe = -1;  // a pipe of the SM that it needs as well; -1: none
  double sm_interval = 0;
  unsigned issue = 1;             // cycles until its warp issues again; 0: in the same cycle as the next
  unsigned issue_alike = 0;       // … where the next line has the same class; 0: no different
  bool is_variable = false;       // scoreboarded: its readers wait until it is done, not for a fixed count
  bool is_queued = false;         // does not wait for the pipe of its SM to issue: it waits in that pipe's queue
  bool passes_barrier = false;    // leaves a barrier with the last arrival: it does not wait for the barrier's queue
  bool merges_lanes = false;      // shared memory: lanes that name one word are served together
  bool keeps_turn = false;        // machine code: whose turn it is, it stays so while its pipe, or queue, is not free
  bool waits_for_stores = false;  // a fence: not before its warp's stores to global memory have arrived
  // From its issue until one that reads its result issues, by the class of the reader; and as a guard.
  std::vector<unsigned> latency;
  unsigned guard_latency = 1;
  // … of a predicate as a value, to selp or a vote, where it is ready later than the other result; 0: at the same time.
  unsigned predicate_latency = 0;
  double per_way = 0;  // shared memory: further latency for each way of bank conflict beyond the first
  // … of its pipe, where all ways, or the lines of an access to global memory, together take longer than `interval`
  double interval_per_way = 0;
  double per_line = 0;   // global memory: for each line that the lanes touch beyond the first
  double per_value = 0;  // match, and constants: for each distinct value, or place, beyond the first
  // Of machine code alone: cycles until its write scoreboard, and its read scoreboard, counts down …
  unsigned scoreboard = 0, operands_read = 0;
  unsigned scoreboard_of_predicate = 0;  // … so much later where it writes a predicate beside its result
  unsigned scoreboard_by_register = 0;   // … where what follows its first operand is a register, not a constant
  // … and of what the stall counts do not say: an instruction that reads its result waits so long. 0: it does not.
  unsigned interlock = 0;
  // … how many may wait in its sub-core's queue for the pipe of the SM: it issues into the queue. 0: without one.
  unsigned queue = 0;
};
inline constexpr unsigned kMostQueue = 16;

// An instruction is in `cls` if everything that the rule names fits; an empty list fits always. A move from a clock has
// the unit `special`.
struct TimingRule {
  std::vector<std::string> units;  // names of isa/table/op.h: Unit
  std::vector<std::string> ops;    // opcodes without types, `*` at the end for any rest: "atom.*", "mul.hi"
  std::vector<std::string> types;  // names of the instruction's type
  std::vector<std::string> from;   // … of its second type: what a conversion reads
  std::int8_t constants = -1;      // 1: all operands after the first are constants; 0: one is a register
  std::uint8_t cls = 0;
};

// A branch is one instruction of its class; this is what its outcome adds.
struct BranchTiming {
  unsigned taken = 0;     // all lanes go to the target
  unsigned diverged = 0;  // its lanes go both ways
  // Where lanes that may have diverged reconverge: if they had diverged, if not; switching to the lanes that wait.
  unsigned joined = 0, passed = 0, other_side = 0;
};

struct BarrierTiming {
  unsigned release = 1;  // from when the last arrival is through its queue until all continue …
  unsigned leave = 1;    // … and from the last arrival until what passes barriers does
};

// A cache is a set of lines that evicts the least recently used one. Deliberately simple: no associativity, no sectors,
// no queues, no bandwidth.
struct CacheTiming {
  std::uint32_t line_bytes = 128;
  std::uint64_t bytes = 0;
  unsigned latency = 0;  // of a hit
};

struct GlobalTiming {
  std::uint32_t sector_bytes = 32;
  CacheTiming l1, l2;  // l1: one an SM
  unsigned dram_latency = 0;
  unsigned store_latency = 0;  // until a fence knows that a store has arrived
};

struct SmTiming {
  unsigned sub_cores = 4;
  unsigned sms = 1;  // blocks are assigned to them in turn
  unsigned max_warps = 64, max_blocks = 32;
  std::uint32_t max_shared_bytes = 233'472;
};

// An element of a buffer or shared array (`tile[%i]`) needs its address computed: `issue` instructions of this class.
struct AddressTiming {
  std::uint8_t cls = 0;
  unsigned issue = 0, latency = 0;
};

// A machine instruction is in `cls` if its opcode, with its modifiers, fits one of the patterns: "SHFL", "F2F.F64*",
// where * is anything; and if it reads so many registers, or more.
struct CodeRule {
  std::vector<std::string> opcodes;
  std::uint8_t cls = 0;
  unsigned registers = 0;
};

// What memory takes of machine code beside the profile's latencies: of one SM, in cycles.
struct CodeMemoryTiming {
  unsigned l2_latency = 0;  // of buffers that lie near
  unsigned l2_nearest = 0;  // … of the piece that lies nearest, where it is known how far each lies (l2_map.h)
  double read_sector = 0;   // L2 to the SM, a sector that L1 does not have
  // The first time that a line of a page of 4 KiB in the other half of L2 is read, so much more; page_bits and
  // near_pages as L2Halves has them.
  unsigned far_page = 0, page_bits = 0, near_pages = 0;
  double write = 0, write_line = 0;            // a store keeps the SM's pipe, and for each line that it touches
  double write_sector = 0, write_partial = 0;  // then the SM to L2, a whole sector, and a part of one
  double write_mask = 0;                       // … and before the parts of sectors of one line, what says which
  unsigned write_lines = 0;                    // so many lines that were stored last take along what is stored next
  double write_room = 0;                       // so far may those sectors be behind before the pipe waits
  double atomic_sector = 0, atomic_lane = 0;   // an atomic keeps the pipe: its sectors, or its lanes that name one word
  unsigned write_ahead = 0;                    // so many stores and atomics may wait for the pipe without their queues
  // A line of constants that is read first: by a load of constants; by another instruction, at which the warp stops.
  unsigned constants = 0, uniform_constants = 0;
  // Loads of constants of an SM come so far apart, and so do those whose lines were missing.
  unsigned constants_apart = 0;
};

// The instruction cache of an SM (code_cache.h).
struct CodeFetchTiming {
  unsigned line = 128;  // bytes
  unsigned lines = 0;   // in the cache
  unsigned ways = 1;
  double line_interval = 0;  // the next line in order comes so many cycles after the one before
  unsigned miss = 0;         // the line that a jump goes to, if it is not there
  unsigned restart = 0;      // after it has come, a warp that waits for it
  unsigned ahead = 0;        // lines that are fetched beyond the farthest entered one, and with a launch
};

// How long machine code takes (code_clock.h). Its classes are its own; pipes, SM, barrier, memory are the profile's.
struct CodeTimingProfile {
  std::vector<TimingClass> classes;
  std::vector<CodeRule> rules;
  BranchTiming branch;
  CodeMemoryTiming memory;
  CodeFetchTiming fetch;
};

struct TimingProfile {
  std::string name;   // "h200"; with its bound if the profile has two: "documents:low"
  std::string title;  // "NVIDIA H200"
  Scheduler scheduler = Scheduler::Gto;
  std::vector<TimingPipe> pipes;
  std::vector<TimingClass> classes;
  std::vector<TimingRule> rules;
  SmTiming sm;
  BranchTiming branch;
  BarrierTiming barrier;
  GlobalTiming global;
  AddressTiming address;
  std::optional<CodeTimingProfile> machine_code;
};

// The class of an instruction; -1 if no rule fits, which cannot happen in a profile that was read.
std::int32_t class_of(const TimingProfile& profile, const Insn& insn);
// The same of a machine instruction, "IMAD.WIDE.U32", which reads so many registers. The last rule fits all of them.
std::int32_t class_of(const CodeTimingProfile& profile, std::string_view opcode, unsigned registers);

}  // namespace warpsim
