// Which registers may be read before they are written.
#include "isa/program/unwritten_reads.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/kernel_text.h"

namespace warpsim {
namespace unwritten_reads_test {

// The names of those, in the program's order.
std::string found_in(const std::string& body) {
  const Lesson program = testing::kernel_of(body);
  const std::vector<bool> found = unwritten_reads(program);
  return testing::names_where(program, [&](std::size_t reg) { return found[reg]; });
}

TEST(UnwrittenReads, WhatAllPathsWriteIsNone) {
  EXPECT_EQ(found_in("    mov.u32 %a, 1\n    add.u32 %b, %a, 1\n    st.global.u32 o[0], %b\n    exit\n"), "");
  EXPECT_EQ(found_in(R"(    setp.eq.u32 %p, %laneid, 0
    @%p bra one
    mov.u32 %a, 1
    bra both
one: mov.u32 %a, 2
both: st.global.u32 o[0], %a
    exit
)"),
            "");
}

TEST(UnwrittenReads, WhatOnePathLeavesOut) {
  EXPECT_EQ(found_in(R"(    setp.eq.u32 %p, %laneid, 0
    mov.u32 %b, 0
    @%p bra both
    mov.u32 %a, 1
both: st.global.u32 o[0], %a
    st.global.u32 o[1], %b
    exit
)"),
            "%a");
}

TEST(UnwrittenReads, AGuardedWriteIsNone) {
  EXPECT_EQ(found_in("    setp.eq.u32 %p, %laneid, 0\n    @%p mov.u32 %a, 1\n    st.global.u32 o[0], %a\n    exit\n"),
            "%a");
}

TEST(UnwrittenReads, WhatALoopWritesLater) {
  EXPECT_EQ(found_in(R"(    mov.u32 %n, 0
again: setp.eq.u32 %first, %n, 0
    @%first bra next
    st.global.u32 o[0], %kept
next: mov.u32 %kept, %n
    add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 4
    @%more bra again
    exit
)"),
            "%kept");
}

}  // namespace unwritten_reads_test
}  // namespace warpsim
