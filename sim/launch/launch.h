// A launch: how many lanes, blocks and threads run a program, and on which data.
//
// Shapes: grid counts blocks, block counts threads, both in up to three dimensions. A block's threads, numbered
//         x + y * block.x + z * block.x * block.y, fill warps of `lanes` in that order; the last warp may be partial.
// Units:  max_cycles counts machine cycles, with schedule `blocks` issues of the whole machine; lengths count elements.
//         A schedule is the order of warps, of groups of a warp, and of the lanes of one instruction.
// Errors: Diagnostics-style LaunchError with code L… .
// Source: PTX ISA 9.0, section 2.2; lane counts other than 32: sim/README.md, "Decisions", **Lanes**.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/program.h"

namespace warpsim {

class BlockPool;       // block_pool.h
struct TimingProfile;  // sim/timing/profile.h
class DeviceMemory;    // sim/memory/device_memory.h

inline constexpr unsigned kMaxLanes = 64;
inline constexpr std::array<unsigned, 7> kLaneCounts = {1, 2, 4, 8, 16, 32, 64};  // that a warp can have
inline constexpr std::uint64_t kDefaultMaxCycles = 10'000'000;
inline constexpr std::uint64_t kNoCycleLimit = ~std::uint64_t{0};

// How the diverged lanes of a warp continue: see divergence.h.
enum class Reconvergence : std::uint8_t { Stack, Independent };
std::string_view name(Reconvergence mode);  // "stack", "independent"

// What programs must not depend on. The same schedule gives the same run.
struct Schedule {
  enum class Order : std::uint8_t {
    Lockstep,  // every warp issues in every cycle
    Blocks,    // one warp issues for a turn of up to kTurnIssues instructions, then the next one
    Fuzz       // drawn; the only one in which lanes do not take effect in rising order
  } order = Order::Lockstep;
  std::uint64_t seed = 0;  // Fuzz
  friend bool operator==(const Schedule&, const Schedule&) = default;
};
inline constexpr std::uint32_t kTurnIssues = 4096;
// Times that all warps of a block have turns before another block does: enough for most blocks to end, and a block
// whose barriers stand in a loop that waits for another block still lets that one go on.
inline constexpr std::uint32_t kBlockRounds = 1024;
inline constexpr Schedule kBlocksSchedule{Schedule::Order::Blocks};
constexpr Schedule fuzz_schedule(std::uint64_t seed) { return {Schedule::Order::Fuzz, seed}; }
std::string name(const Schedule& schedule);  // "rr", "blocks", "fuzz:7"

// What executes a run that nobody watches: machine code where that pays, nothing but the interpreter, or code at once.
enum class EngineChoice : std::uint8_t { Auto, Interpreter, Compiled };
inline constexpr unsigned kMostThreads = 256;
EngineChoice engine_named(std::string_view name);  // "interpreter", "compiled"; any other is Auto

// What earlier launches of a program show a later one. Results do not depend on it.
struct LaunchHistory {
  std::uint64_t instructions_a_block = 0;      // issued in the last one, on average; 0: nobody knows
  std::array<std::uint64_t, 2> interpreted{};  // issues in all of them so far: of some lanes, of all lanes together
};

struct LaunchConfig {
  unsigned lanes = 32;  // 1, 2, 4 … 64
  Dim3 grid;
  Dim3 block{0, 1, 1};  // x == 0: one warp
  // Blocks that are there at once; 0: as many as an H200, or the timing profile's device, holds (residency.h).
  std::uint64_t resident_blocks = 0;
  bool cooperative = false;                      // all blocks are there at once, whatever the device holds
  std::uint64_t grid_workspace = 0;              // of a cooperative launch: where its blocks meet; 0: nowhere
  std::uint32_t dynamic_shared_bytes = 0;        // a block, behind what the kernel declares
  std::uint64_t max_cycles = kDefaultMaxCycles;  // kNoCycleLimit: until it ends, or is found to loop for ever
  Reconvergence reconvergence = Reconvergence::Stack;
  Schedule schedule;
  std::shared_ptr<const TimingProfile> timing;  // null: profile lockstep
  // Not 0: undefined values are bits drawn from it, not zeros: registers that were never written, shared memory at the
  // start, what a shuffle receives from an inactive lane. Two runs with different poison show what depends on them.
  std::uint64_t poison = 0;
  EngineChoice engine = EngineChoice::Auto;
  // At most so many threads of the host run the blocks of a run that nobody watches, in the order of schedule `blocks`
  // and without a cycle limit, where the order of blocks cannot show (block_order.h), once it has run long.
  unsigned threads = 1;
  BlockPool* blocks = nullptr;  // of such a thread: where it takes its blocks
  // Not empty: is told what executed the run, and why; a line a call.
  std::function<void(std::string_view)> engine_log;
  // Whether registers and shared memory can be read after a block's end, as long as there is room for those of other
  // blocks. If not, a run in the order of schedule `blocks` has memory for the blocks that are under way alone.
  bool keeps_state = true;
  LaunchHistory history;
  std::atomic<std::uint64_t>* ended_blocks = nullptr;  // not null: counts the blocks that have ended
  const std::atomic<bool>* stop = nullptr;  // not null: once it is true, Machine::run() ends soon, with a trap
};

// What the kernel's parameters are bound to. An `out` buffer's array is its initial contents (default zeros).
struct Arguments {
  std::map<std::string, std::uint64_t, std::less<>> scalars;  // bits, by parameter name
  std::map<std::string, Array, std::less<>> buffers;
  std::set<std::string> undefined;  // buffers without contents: a read before the first write is a finding
};

// The same of a launch on memory that is there already (sim/memory/device_memory.h): by parameter, in the kernel's
// order, a scalar's bits or the address of a buffer, which is any address.
struct Binding {
  std::vector<std::uint64_t> params;
  std::vector<std::vector<std::byte>> values;  // of structures, by parameter; may be shorter
  // Of a grid that a kernel has launched (sim/machine/system_calls.h): the routine that it runs, its parameters as they
  // stand in memory, and what the kernels of the launch allocate.
  std::int32_t kernel = -1;  // index into Program::routines; -1: the program's own
  std::vector<std::byte> passed;
  DeviceMemory* heap = nullptr;  // null: the launch has one of its own
};

// The parameters as ld.param sees them, each at its offset.
std::vector<std::byte> bytes_passed(const Program& program, const Binding& binding);

struct LaunchError {
  std::string code;  // "L003"
  std::string message;
  std::string hint;
  // The place of the fault in the program (a case's field), if it has one.
  SourceRange where;
};

// A case made ready to run.
struct PreparedCase {
  std::string name;
  LaunchConfig config;
  Arguments arguments;
  std::map<std::string, Array, std::less<>> expected;  // by output name; empty if the case expects nothing
  std::vector<ExpectedFinding> findings;               // exactly the findings that the run must have
};

// What the command line may override in a case.
struct CaseOverrides {
  std::optional<unsigned> lanes;
  std::optional<Dim3> grid, block;
  std::optional<std::uint64_t> max_cycles, resident_blocks;
  std::optional<std::uint32_t> shared_bytes;  // dynamic shared memory of a block
  std::optional<Reconvergence> reconvergence;
  EngineChoice engine = EngineChoice::Auto;
  unsigned threads = 1;
  std::function<void(std::string_view)> engine_log;
  std::optional<Schedule> schedule;
  std::shared_ptr<const TimingProfile> timing;
  std::map<std::string, std::string, std::less<>> params;        // name → rule text
  std::map<std::string, std::uint64_t, std::less<>> param_bits;  // name → value, before a rule
  std::map<std::string, std::string, std::less<>> inputs;        // name → rule text (case.h)
  std::map<std::string, Array, std::less<>> input_arrays;        // name → values read from a file or stdin
};

// The lane counts that a case runs at in a test: those that its `lanes` field fixes, or 4, 8, 16, 32 and 64 without
// those that the program is exempt from.
std::vector<unsigned> lane_counts(const Program& program, const Case& c);
std::variant<PreparedCase, LaunchError> prepare_case(const Program& program, const Case& c,
                                                     const CaseOverrides& overrides);

}  // namespace warpsim
