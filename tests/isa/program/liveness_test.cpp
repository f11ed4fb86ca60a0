// Which registers may still be read.
#include "isa/program/liveness.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/kernel_text.h"

namespace warpsim {
namespace liveness_test {

// The names of those that are live before the instruction, in the program's order.
std::string live_at(const std::string& body, std::int32_t pc) {
  const Lesson program = testing::kernel_of(body);
  Liveness liveness(program);
  return testing::names_where(program,
                              [&](std::size_t reg) { return liveness.is_live(pc, static_cast<std::int32_t>(reg)); });
}

TEST(Liveness, UntilTheLastRead) {
  const char* const text = R"(    mov.u32 %a, 1
    add.u32 %b, %a, 1
    st.global.u32 o[0], %b
    mov.u32 %b, 2
    st.global.u32 o[1], %b
    exit
)";
  EXPECT_EQ(live_at(text, 0), "");
  EXPECT_EQ(live_at(text, 1), "%a");
  EXPECT_EQ(live_at(text, 2), "%b");
  EXPECT_EQ(live_at(text, 3), "") << "it is written before it is read again";
  EXPECT_EQ(live_at(text, 5), "");
  EXPECT_EQ(live_at(text, 6), "") << "behind the end";
}

TEST(Liveness, OnEitherPath) {
  const char* const text = R"(    setp.eq.u32 %p, %laneid, 0
    mov.u32 %a, 1
    mov.u32 %b, 2
    @%p bra one
    st.global.u32 o[0], %a
    exit
one: st.global.u32 o[0], %b
    exit
)";
  EXPECT_EQ(live_at(text, 3), "%p %a %b");
  EXPECT_EQ(live_at(text, 4), "%a");
  EXPECT_EQ(live_at(text, 6), "%b");
}

TEST(Liveness, ALoopReadsInItsNextRound) {
  const char* const text = R"(    mov.u32 %n, 3
    mov.u32 %sum, 0
again: add.u32 %sum, %sum, %n
    mov.u32 %t, 1
    sub.u32 %n, %n, %t
    setp.ne.u32 %more, %n, 0
    @%more bra again
    st.global.u32 o[0], %sum
    exit
)";
  EXPECT_EQ(live_at(text, 2), "%n %sum");
  EXPECT_EQ(live_at(text, 4), "%n %sum %t");
  EXPECT_EQ(live_at(text, 6), "%n %sum %more");
  EXPECT_EQ(live_at(text, 7), "%sum");
}

TEST(Liveness, AGuardedWriteLeavesWhatOthersHave) {
  const char* const text = R"(    mov.u32 %a, 1
    setp.eq.u32 %p, %laneid, 0
    @%p mov.u32 %a, 2
    st.global.u32 o[0], %a
    exit
)";
  EXPECT_EQ(live_at(text, 2), "%a %p");
}

// A lane is read where it stands at the same instruction.
TEST(Liveness, WhatLanesExchangeIsUntilThen) {
  const char* const text = R"(    mov.u32 %a, 1
    shfl.sync.bfly.b32 %b, %a, 1, 0x1f, 0xffffffff
    st.global.u32 o[0], %b
    exit
)";
  EXPECT_EQ(live_at(text, 0), "");
  EXPECT_EQ(live_at(text, 1), "%a");
  EXPECT_EQ(live_at(text, 2), "%b");
  EXPECT_EQ(live_at(text, 3), "");
}

}  // namespace liveness_test
}  // namespace warpsim
