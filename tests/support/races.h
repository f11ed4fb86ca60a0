// Races in shared memory: what is right on this machine, whose lanes go in step, and on a GPU only if they happen to.
//
// Shapes: a race is a word of shared memory that two lanes of a block touch with no barrier of the block between them,
//         one of them writing. Two atomic accesses are no race. The lanes of one instruction are in no order either.
// Units:  barriers are counted from 0, as each lane arrives at them.
// Errors: none. Lanes that are put in order by a shuffle, a vote or warp.sync are taken for unordered: a race may be
//         found that is none, but none is overlooked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "traces/model/trace.h"

namespace warpsim::testing {

// How many races there are; of the barriers `without` does not count.
inline std::size_t races(const Trace& trace, std::optional<std::size_t> without = {}) {
  using Lane = std::pair<std::uint32_t, unsigned>;                      // warp, lane
  using Place = std::tuple<std::uint32_t, std::size_t, std::uint64_t>;  // block, barriers passed, address
  struct Touched {
    std::set<Lane> all;
    bool loads = false, stores = false, atomics = false;
  };
  std::map<Place, Touched> words;
  std::map<std::pair<std::uint32_t, Lane>, std::size_t> passed;
  for (const TraceEvent& event : trace.events) {
    const bool barrier = trace.head.code[static_cast<std::size_t>(event.pc)].text.starts_with("bar.sync");
    const bool shared = event.memory && event.memory->is_shared();
    std::size_t k = 0;
    for (unsigned lane = 0; lane < trace.head.lanes; ++lane) {
      std::size_t& barriers = passed[{event.block, {event.warp, lane}}];
      if (barrier && (event.active >> lane & 1) != 0) ++barriers;
      if (!shared || (event.memory->lanes >> lane & 1) == 0) continue;
      const std::uint64_t first = event.memory->address[k++],
                          last = first + event.memory->bytes * event.memory->elements - 1;
      const std::size_t counted = barriers - (without && barriers > *without ? 1 : 0);
      for (std::uint64_t word = first / 4; word <= last / 4; ++word) {
        Touched& touched = words[{event.block, counted, word}];
        touched.all.insert({event.warp, lane});
        const TraceMemory::Access access = event.memory->access;
        (access == TraceMemory::Access::Load    ? touched.loads
         : access == TraceMemory::Access::Store ? touched.stores
                                                : touched.atomics) = true;
      }
    }
  }
  std::size_t count = 0;
  for (const auto& [place, touched] : words)
    count += touched.all.size() > 1 && (touched.stores || (touched.loads && touched.atomics)) ? 1 : 0;
  return count;
}

}  // namespace warpsim::testing
