// A lock that the lanes of one warp take from each other, without fences: it ends only where each gets its turn.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/event/observer.h"

namespace warpsim::testing {

inline constexpr const char* kSpinLock = R"(.kernel k (inout lock: u32[1], inout sum: u32[1])
spin: atom.global.cas.b32 %old, lock[0], 0, 1
    setp.ne.u32 %busy, %old, 0
    @%busy bra spin
    ld.global.u32 %v, sum[0]
    add.u32 %v, %v, 1
    st.global.u32 sum[0], %v
    atom.global.exch.b32 %old, lock[0], 0
    exit
)";

// The longest that a lane waited, in issues of its warp, while it was alive. Of one warp.
struct LongestWait : EventSink {
  void on_issue(const IssueEvent& event) override {
    ++issues;
    for_each_lane(event.alive, [&](unsigned lane) {
      if (has_lane(event.group, lane)) last[lane] = issues;
      longest = std::max(longest, issues - last[lane]);
    });
  }
  std::uint64_t issues = 0, longest = 0, last[kMaxLanes] = {};
};

}  // namespace warpsim::testing
