// What several exports need; private to traces/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim {

// The value as a trace spells it, without the quotes of a string: "1.5", "NaN", "0x0000000f", "true"; "" if undefined.
std::string plain_value(Type type, std::uint64_t bits, bool is_undefined, unsigned lanes);
// The element that a lane of an access names: "tile[3]"; "?" for none.
std::string element_text(const TraceHead& head, const TraceMemory& memory, std::size_t place);
// What an access of a lane holds, of a vector "[1.0, 2.0]".
std::string access_text(const TraceMemory& memory, std::size_t place, unsigned lane, unsigned lanes, bool left);
// "[1.0, 2.0]" over the lanes of a write.
std::string list_text(const TraceHead& head, const TraceWrite& write);
// What a timeline says of one: "message", "hint", "at", "where 1" …
std::vector<std::pair<std::string, std::string>> fault_members(const TraceHead& head, const TraceFinding& fault,
                                                               const std::vector<TracePlace>& places);
// "block 0, warp 0, lanes 2-31, line 5: bar.sync".
std::string place_text(const TraceHead& head, const TracePlace& place);
// Timelines are read in nanoseconds of 63 bits: a later cycle is drawn at the last one that fits.
constexpr std::uint64_t kLastCycle = 9'223'372'036'854'774;
// When an event begins, in cycles; where there are none, events.
inline std::uint64_t time_of(const TraceEvent& event, std::uint64_t number) {
  return std::min(event.cycle.value_or(number), kLastCycle);
}

// Which event left what a shuffle reads: for arrows between events.
class FlowTracker {
 public:
  explicit FlowTracker(const TraceHead& head);
  struct Flows {
    std::vector<std::uint64_t> producers;  // the events whose values the exchange of this one moves
    std::vector<std::uint64_t> over;       // those whose values no shuffle will move from here on
  };
  // Events by the numbers that they were given; in rising order. Then this one is noted.
  Flows note(const TraceEvent& event, std::uint64_t number);
  // Whether what the event writes may be read by a shuffle.
  bool feeds_exchange(const TraceEvent& event) const;

 private:
  struct Warp {
    std::vector<std::uint64_t> writers;      // [reg * lanes + lane], 0: none
    std::map<std::uint64_t, unsigned> left;  // of a writer: registers of lanes that still hold what it wrote
    LaneMask exited = 0;
  };
  std::vector<std::uint64_t> write(Warp& warp, const TraceEvent& event, std::uint64_t number) const;

  const TraceHead& head_;
  std::vector<std::int32_t> exchanged_;  // by pc: the register that it exchanges; -1: none
  std::vector<bool> feeds_;              // by register
  std::map<std::pair<std::uint32_t, std::uint32_t>, Warp> warps_;
};

}  // namespace warpsim
