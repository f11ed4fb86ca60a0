// A trace of a timed run whose times a person chose: two warps of four lanes, on two sub-cores of one SM.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "tests/support/every_program.h"
#include "traces/model/trace.h"

namespace warpsim::testing {

// Lines 2 to 7 are pcs 0 to 5.
inline constexpr const char* kTimedProgram = R"(.kernel t (in input: u32[2 * W], out output: u32[2 * W])
        ld.global.u32   %x, input[%gtid]
        shfl.bfly.b32   %y, %x, 1
        add.u32         %x, %x, %y
        bar.sync        0
        st.global.u32   output[%gtid], %x
        exit
.case test
    block = 2 * W
    input = i
    expect output = 4 * (i / 2) + 1
)";

//            cycle 1  …  31  …  55  56  57  58  …  70  71  72
// warp 0:    ld  29 %x  bfly 23 %y add issue bar  10 barrier, 2 lsu  st  exit
// warp 1:    lsu ld@2 30 %x bfly@33 23 %y add@57 bar@58 11 barrier, 1 lsu, 1 turn  st and exit@72
inline Trace timed_trace() {
  Trace trace = text_trace(kTimedProgram, 4);
  trace.head.version = "1.3";
  trace.head.profile = "h200";
  trace.head.scheduler = "gto";
  trace.head.sub_cores = 4;
  using Reason = Stall::Reason;
  struct Time {
    std::uint64_t cycle;
    std::vector<TraceStall> stalls;
  };
  const std::vector<Time> times[2] = {
      {{1, {}},
       {31, {{Reason::Memory, 29, 0, 0, ""}}},
       {55, {{Reason::Dependency, 23, 1, 1, ""}}},
       {57, {{Reason::Issue, 1, -1, -1, ""}}},
       {70, {{Reason::Barrier, 10, -1, 3, ""}, {Reason::Unit, 2, -1, -1, "lsu"}}},
       {71, {}}},
      {{2, {{Reason::Unit, 1, -1, -1, "lsu"}}},
       {33, {{Reason::Memory, 30, 0, 0, ""}}},
       {57, {{Reason::Dependency, 23, 1, 1, ""}}},
       {58, {}},
       {72, {{Reason::Barrier, 11, -1, 3, ""}, {Reason::Unit, 1, -1, -1, "lsu"}, {Reason::NotSelected, 1, -1, -1, ""}}},
       {72, {}}}};
  for (TraceEvent& event : trace.events) {
    const Time& time = times[event.warp][static_cast<std::size_t>(event.pc)];
    event.cycle = time.cycle;
    event.stalls = time.stalls;
    event.sub_core = static_cast<std::int32_t>(event.warp);
  }
  const auto place = [](const TraceEvent& e) { return std::tuple(*e.cycle, e.warp); };
  std::stable_sort(trace.events.begin(), trace.events.end(),
                   [&](const TraceEvent& x, const TraceEvent& y) { return place(x) < place(y); });
  trace.outcome.cycles = 72;
  return trace;
}

}  // namespace warpsim::testing
