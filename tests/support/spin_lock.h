// A lock that the lanes of one warp take from each other, without fences: it ends only where each gets its turn.
#pragma once

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

}  // namespace warpsim::testing
