// What machine code works on: the groups of lanes of one warp, and where the memory lies that it may access by itself.
//
// Shapes: those of Waiting are ready at pcs above the one that goes on. They lie in falling order of pcs, the lowest
//         last, behind one of no lanes at the highest pc there is.
//         A Place for each instruction: the positions at which its access may begin are those that are below `limit`
//         when `first` is subtracted; there the bytes are, on the host, from `at` on. `limit` 0: nothing is known.
//         A Seat for each warp of a block that has its turns in code: where one comes to a barrier or to its end, the
//         next one's begins there, until those of the round are over.
// Units:  bytes; issues.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "isa/table/special.h"
#include "sim/event/calm_memory.h"
#include "sim/event/lane_mask.h"
#include "sim/event/settled_words.h"

namespace warpsim::engine {

// What of the host's vectors code may use.
enum class Isa : std::uint8_t { Avx2, Avx512 };

struct Place {
  std::uint64_t first = 0, limit = 0;
  std::byte* at = nullptr;    // of shared memory unused: Frame::shared
  bool is_only_read = false;  // EventSink::reads_only
};

// More than these a place never has: offsets are 31 bits, and so is `limit`.
inline constexpr std::uint64_t kMostOfPlace = (std::uint64_t{1} << 31) - 1;

// What a load of less than that reads all the same where its lanes' addresses are not neighbours: the place of such an
// instruction ends so early that it may.
inline constexpr unsigned kBytesOfGather = 4;

inline constexpr unsigned kMostFetched = 12;

inline constexpr std::size_t kMostGroups = 32;  // of as many lanes

// An array each: a host that reads together what it has just written apart waits for it.
struct Waiting {
  std::int32_t pc[kMostGroups + 2] = {std::numeric_limits<std::int32_t>::max()};
  LaneMask lanes[kMostGroups + 2] = {};
  std::uint64_t since[kMostGroups + 2] = {};  // Frame::left when it had been passed over no issue yet
  std::uint64_t lowest = 0;                   // where in them
};

struct Seat {
  Seat* next = nullptr;  // whose turn is behind this one's
  std::byte* registers = nullptr;
  const std::byte* resume = nullptr;                  // where its code goes on
  LaneMask lanes = 0;                                 // all that live: they go together
  std::uint64_t left = 0;                             // of its turn's issues
  std::uint64_t last_issue = 0;                       // of the machine's issues
  std::int32_t at = 0;                                // where its turn begins
  std::int32_t pc = 0;                                // of the barrier or the exit that it has issued last
  std::uint32_t warp = 0;                             // of the block
  std::int32_t shared_reader = 0, global_reader = 0;  // of its CalmMemory
};

// Blocks that begin on the same seats by themselves, where all of one have come to their ends.
struct NextBlocks {
  std::uint64_t left = 0;            // so many more may
  std::uint64_t begun = 0;           // so many have
  std::uint64_t warps = 0;           // of each
  std::uint64_t ended = 0;           // those of the one that goes on which have come to their ends
  std::uint64_t unused = 0;          // the issues that turns which have ended left over, since blocks may begin …
  std::uint64_t unused_earlier = 0;  // … those of earlier blocks
  std::uint32_t number = 0;          // of the one that goes on, in its row of the grid
};

// Whether a special register holds a block's number in its row of the grid: the next block of a row has one more.
constexpr bool is_number_in_row(Special s) { return s == Special::CtaIdX || s == Special::ClusterIdX; }

struct Frame {
  std::byte* registers = nullptr;
  std::byte* shared = nullptr;  // of the warp's block
  Place* places = nullptr;      // by pc
  std::uint64_t left = 0;       // issues that may still be made; during `access` of a watched instruction with it
  LaneMask lanes = 0;           // of the group that goes on
  LaneMask all = 0;             // of the launch
  LaneMask active = 0;          // of an instruction with a guard: those that execute
  std::int32_t below = 0;       // the group goes on alone below this pc: the lowest one's that waits
  std::int32_t pc = 0;          // where it begins, and then where it goes on
  Waiting waiting;
  bool may_regroup = false;       // lanes may diverge and join within the code
  bool regrouped = false;         // they have
  LaneMask apart = 0;             // it was left within a body: who waits at its end …
  std::int32_t branch = 0;        // … since this branch
  std::uint32_t passed_over = 0;  // the group has been passed over so many issues …
  std::uint64_t joined_at = 0;    // … where that many issues were left
  // The code of groups of some lanes, and of all: where it begins and, by pc, its entries; null: there is none.
  const std::byte* code[2] = {nullptr, nullptr};
  const std::size_t* entries[2] = {nullptr, nullptr};
  // groups.h
  const std::byte* (*diverge)(Frame& frame, std::int32_t pc, std::int32_t target, LaneMask taken) = nullptr;
  const std::byte* (*arrive)(Frame& frame, std::int32_t pc) = nullptr;
  Seat* seat = nullptr;         // of the warp that goes on; null: it is alone, and leaves the code at barriers …
  Seat* last_seat = nullptr;    // … and of the last one of them
  std::uint64_t turn = 0;       // so many issues each may make
  bool turns_are_over = false;  // the last one has come to its barrier or exit
  NextBlocks blocks;
  // Where the last one has come to its exit, and none of `blocks` may begin: whether another block has begun on the
  // same seats, and `seat` is its first one. Null: none does.
  bool (*next_block)(Frame& frame) = nullptr;
  // Of a watched run: words that loads may read unheard, those of the block's shared memory, too. Null: nobody hears.
  const SettledPages* settled_pages = nullptr;
  const std::uint32_t* settled_shared = nullptr;
  CalmMemory calm;             // of the warp that goes on
  bool shares_memory = false;  // with other threads: atomics in global memory must be the host's, too
  // Makes the access of these lanes, if nothing is wrong with it, and sets the instruction's place if it has one. Also
  // executes votes and the like, if the lanes that need each other are there.
  bool (*access)(Frame& frame, std::int32_t pc, LaneMask active) = nullptr;
  // Of a watched access that is a range (RangeEvent) in global or shared memory: whether it has been heard. It is the
  // code that makes it.
  bool (*hear)(Frame& frame, std::int32_t pc, std::uint64_t address, bool is_one_address) = nullptr;
  // The same of some lanes, whose positions behind the first one of the instruction's place begin `scratch`.
  bool (*hear_lanes)(Frame& frame, std::int32_t pc, LaneMask active) = nullptr;
  void* machine = nullptr;  // for these
  alignas(64) std::uint32_t scratch[96] = {};
  // What the first load of a group has brought for the others (linear_rows.h, LoadGroup), a row each; and by its first
  // row whether it has.
  alignas(64) std::uint32_t fetched[kMostFetched][32] = {};
  bool are_fetched[kMostFetched] = {};
};

}  // namespace warpsim::engine
