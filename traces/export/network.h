// One warp's run as a network: lanes are columns, rows are the steps that matter, edges say where values went.
//
// Shapes: a row is a load, a shuffle fused with the operations that take its result, a vote or another collective, a
//         store, a branch at which lanes diverge, arithmetic on values that only some lanes execute, or where the run
//         trapped. Values are what reaches memory or another lane; what only counts, compares or addresses is none.
//         Other arithmetic has no row: the row that shows its result names it. Where a shuffle moves what no row
//         shows, a row of its own shows the register before. Edges come from the row above.
// Units:  lanes.
// Errors: none: a reader has checked the trace.
// Source: traces/FORMAT.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/model/trace.h"
#include "traces/replay/dataflow.h"
#include "traces/words/language.h"

namespace warpsim {

inline constexpr std::size_t kMaxNetworkRows = 2000;

struct NetworkCell {
  enum class Kind : std::uint8_t { Absent, Inactive, Value, Undefined };
  Kind kind = Kind::Absent;
  std::string text;     // the value; "" if nothing is known
  std::string caption;  // of loads and stores: "[3]"; else what the instruction left in its second register
};

struct NetworkEdge {
  enum class Kind : std::uint8_t {
    Moves,      // from another lane
    Own,        // the source is the lane itself
    Keeps,      // out of range: the lane keeps its own value
    Undefined,  // the source does not participate
    Carries,    // the operation also reads the lane's own value
  };
  unsigned from = 0, to = 0;
  Kind kind = Kind::Moves;
};

struct NetworkRow {
  std::uint64_t event = 0;          // its number, from 1; 0: a register shown before a shuffle
  std::string when;                 // "cycle 5"
  std::string title;                // of the phase that begins here
  std::vector<std::string> before;  // the arithmetic without a row by which its values came about
  std::string text;                 // what it does
  std::vector<std::string> more;    // the operations fused with a shuffle
  std::optional<TraceMemory::Access> access;
  std::vector<NetworkCell> cells;
  std::vector<NetworkEdge> edges;
  LaneMask gathered = 0;                // a collective: lanes whose values all its lanes get, of a scan those before
  FlowKind collective = FlowKind::Own;  // what kind it is
  bool exclusive = false;               // a scan without the lane's own value
  std::string stopped;                  // why the run stopped here

  // The most lanes that an edge goes across.
  unsigned reach() const;
  // A collective that gave all lanes of the warp the same.
  bool is_one_value(LaneMask present) const;
};

struct Network {
  std::uint32_t block = 0, warp = 0;
  unsigned lanes = 0;
  LaneMask present = 0;  // lanes that exist
  std::vector<NetworkRow> rows;
  std::vector<std::string> findings;  // of this warp, which did not end the run: "cycle 13: undefined-lane: …"
};

// A warp whose network is cut off has more than kMaxNetworkRows rows.
Network network_of(const Trace& trace, std::uint32_t block, std::uint32_t warp, Language language = Language::English);

}  // namespace warpsim
