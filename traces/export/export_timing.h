// What a timeline shows of time, of a timed run: how long an instruction held its warp, what the warp waited for, and
// what each sub-core issued; private to traces/.
//
// Shapes: events go in as the trace has them.
// Units:  cycles; none later than kLastCycle.
// Errors: none.
// Source: traces/FORMAT.md, "Time" and "Exports".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/export/export_parts.h"
#include "traces/model/trace.h"

namespace warpsim {

struct StallSlice {
  std::uint64_t begin = 0, end = 0;
  const TraceStall* stall = nullptr;
};
// "register", "line", "instruction", "pipe": what a stall's slice says of it.
std::vector<std::pair<std::string, std::string>> stall_members(const TraceHead& head, const TraceStall& stall);

// The slices of warps. An instruction holds its warp until the next one may issue: its slice is open until the
// warp's next event, or its end.
class WarpSlices {
 public:
  using WarpKey = std::pair<std::uint32_t, std::uint32_t>;  // block, warp
  struct Before {
    std::optional<std::uint64_t> end;  // of the slice of the warp's last instruction, if it is open
    std::vector<StallSlice> stalls;
  };
  // Until the event came; then its slice is open. The stalls are the event's own.
  Before note(const TraceEvent& event);
  // The open slice of a warp that exits, or of all: its end.
  std::optional<std::uint64_t> close_if_done(const TraceEvent& event);
  std::map<WarpKey, std::uint64_t> close_all();

 private:
  std::map<WarpKey, std::uint64_t> open_;  // the cycle in which it began
};

// How many instructions an SM issued in a cycle, reported where that changes.
class IssueRate {
 public:
  struct Point {
    std::uint64_t cycle, value;
  };
  // What is known to have been, now that something issues in this cycle.
  std::vector<Point> note(std::uint64_t cycle);
  std::vector<Point> finish();

 private:
  void tell(std::vector<Point>& points, std::uint64_t cycle, std::uint64_t value);
  std::uint64_t cycle_ = 0, count_ = 0, told_ = ~std::uint64_t{0};
};

// When a sub-core had warps, but none that could issue: reported with the event that ends it. A warp is there from what
// it waited for first to its last instruction; of a window, from what its first event waited for.
class NoneEligible {
 public:
  struct Gap {
    std::uint64_t begin = 0, end = 0;
  };
  void head(const TraceHead& head);
  std::optional<Gap> note(const TraceEvent& event);

 private:
  struct SubCore {
    std::uint64_t next = 0;  // the cycle after its last issue
    std::set<std::pair<std::uint32_t, std::uint32_t>> warps;
  };
  TraceHead head_;
  std::map<std::int32_t, SubCore> sub_cores_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LaneMask> exited_;  // of warps that have lanes left
};
inline constexpr std::string_view kNoneEligible = "no eligible warp";

// The place of an SM among the processes of a timeline.
struct SmPlace {
  std::uint64_t sm = 0, sub_core = 0;
};
inline SmPlace place_of(const TraceHead& head, const TraceEvent& event) {
  const std::uint64_t number = static_cast<std::uint64_t>(std::max(event.sub_core, 0));
  const std::uint64_t each = std::max(head.sub_cores, 1U);
  return {number / each, number % each};
}
// "SM 0 (profile h200, scheduler gto)"
std::string sm_text(const TraceHead& head, std::uint64_t sm);

}  // namespace warpsim
