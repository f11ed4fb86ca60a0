// What is undefined bit by bit, in whole programs: what masks clear, what is copied, what lanes decide together.
//
// Source: the expectations follow from the texts by hand; sim/check/undefined.h has the rules.
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/check/found_run.h"
#include "tests/support/every_program.h"

namespace warpsim {
namespace undefined_bits_test {

using testing::Found;

// %u is undefined on all lanes, %up is an undefined predicate; what the text leaves in %r is stored.
std::string found(const std::string& text) {
  return Found(" setp.gt.u32 %no, %laneid, 99\n @%no mov.u32 %u, 1\n @%no setp.eq.u32 %up, %laneid, 1\n" + text +
               " st.global.u32 out[%laneid], %r")
      .text();
}

TEST(UndefinedBits, WhatOperandsDecideIsDefined) {
  for (const char* const text : {
           " and.b32 %r, %u, 0\n",
           " or.b32 %r, %u, 0xffffffff\n",
           " mul.lo.u32 %r, %u, 0\n",
           " mad.lo.u32 %r, %u, 0, 5\n",
           " set.gt.u32.u32 %m, %laneid, 99\n and.b32 %r, %u, %m\n",
           " selp.b32 %m, 0xffffffff, 0, %no\n and.b32 %r, %m, %u\n",
           " selp.b32 %r, %u, 7, %no\n",
           " selp.b32 %r, 7, 7, %up\n",
           " xor.b32 %r, %u, %u\n",
           " shl.b32 %r, %u, 32\n",
           " shl.b32 %t, %u, 8\n and.b32 %r, %t, 0xff\n",
           " shr.u32 %t, %u, 16\n shr.u32 %r, %t, 16\n",
           " shf.l.wrap.b32 %r, %laneid, %u, 32\n shf.r.clamp.b32 %r, %u, %laneid, 32\n",
           " prmt.b32 %r, %u, %laneid, 0x7654\n",
           " and.b32 %t, %u, 0xff\n bfe.u32 %r, %t, 8, 8\n",
           " bfi.b32 %r, %laneid, %u, 0, 32\n",
           " lop3.b32 %r, %u, %u, %laneid, 0xaa\n",
           " mov.b64 %d, {%laneid, %u}\n mov.b64 {%r, %hi}, %d\n",
           " cvt.u64.u32 %d, %u\n shr.u64 %d, %d, 32\n cvt.u32.u64 %r, %d\n",
           " not.b32 %t, %u\n and.b32 %r, %t, 0\n",
           " and.b32 %t, %u, 0xf0\n add.u32 %t, %t, 3\n and.b32 %r, %t, 0xf\n",
           " min.u32 %r, %u, 0\n",
           " and.b32 %t, %u, 7\n setp.lt.u32 %p, %t, 8\n selp.b32 %r, 1, 2, %p\n",
           " or.b32 %t, %u, 1\n setp.ne.u32 %p, %t, 0\n selp.b32 %r, 1, 2, %p\n",
           " or.b32 %t, %u, 1\n setp.ne.u32 %p, %t, 0\n @%p mov.u32 %r, 1\n @!%p mov.u32 %r, 2\n",
       })
    EXPECT_EQ(found(text), "") << text;
}

TEST(UndefinedBits, WhatTheyDoNotDecideIsReported) {
  for (const char* const text : {
           " and.b32 %r, %u, 1\n",
           " or.b32 %r, %u, 0xfffffffe\n",
           " mul.lo.u32 %r, %u, 2\n",
           " selp.b32 %r, 7, 8, %up\n",
           " xor.b32 %r, %u, %laneid\n",
           " shl.b32 %r, %u, 31\n",
           " and.b32 %t, %u, 0x80000000\n shr.s32 %r, %t, 31\n",
           " prmt.b32 %r, %u, %laneid, 0x7650\n",
           " shl.b32 %r, 1, %u\n",
           " popc.b32 %r, %u\n",
           " and.b32 %t, %u, 0xf\n add.u32 %t, %t, 3\n and.b32 %r, %t, 0x10\n",
           " mov.b64 %d, {%u, %laneid}\n mov.b64 {%r, %hi}, %d\n",
           " and.b32 %t, %u, 7\n setp.lt.u32 %p, %t, 7\n selp.b32 %r, 1, 2, %p\n",
           " cvt.rn.f32.u32 %f, %u\n mov.b32 %r, %f\n",
       })
    EXPECT_NE(found(text), "") << text;
}

TEST(UndefinedBits, CopyingIsNoUse) {
  EXPECT_EQ(Found(" setp.gt.u32 %no, %laneid, 99\n @%no mov.u32 %u, 1\n st.shared.u32 tile[%laneid], %u").text(), "");
  EXPECT_EQ(found(" st.global.u32 out[%laneid], %u\n mov.u32 %r, 1\n"), "") << "it does not stay there";
  EXPECT_EQ(found(" mov.u32 %r, %u\n"), "WS0101 @4 lanes 0-3") << "it leaves the kernel";
  EXPECT_EQ(found(" st.shared.u32 tile[%laneid], %u\n ld.shared.u32 %v, tile[%laneid]\n and.b32 %v, %v, 3\n"
                  " bar.warp.sync\n ld.shared.u32 %w, tile[%v]\n mov.u32 %r, 1\n"),
            "WS0101 @7 lanes 0-3")
      << "it is an address";
}

// An `and` clears a bit that nobody wrote, an `or` sets one: the others stay as they were.
TEST(UndefinedBits, AtomicsOfBitsDefineThem) {
  const std::string low = " red.shared.and.b32 tile[%laneid], 0xfffffffc\n atom.shared.or.b32 %v, tile[%laneid], 6\n";
  EXPECT_EQ(found(low + " and.b32 %r, %v, 3\n"), "");
  EXPECT_EQ(found(low + " ld.shared.u32 %w, tile[%laneid]\n and.b32 %r, %w, 7\n"), "");
  EXPECT_NE(found(low + " and.b32 %r, %v, 4\n"), "");
  EXPECT_NE(found(" atom.shared.add.u32 %v, tile[%laneid], 1\n mov.u32 %r, 1\n"), "");
}

TEST(UndefinedBits, MemoryHasThemByBit) {
  const std::string part = " bfi.b32 %t, %u, 0, 8, 4\n st.shared.u32 tile[%laneid], %t\n";
  EXPECT_EQ(found(part + " ld.shared.u32 %v, tile[%laneid]\n and.b32 %r, %v, 0xfffff0ff\n"), "");
  EXPECT_EQ(found(part + " ld.shared.u32 %v, tile[%laneid]\n and.b32 %r, %v, 0xf00\n"), "WS0101 @7 lanes 0-3");
  const std::string at = " mul.lo.u32 %at, %laneid, 4\n mov.u32 %ad, tile\n add.u32 %at, %at, %ad\n";
  EXPECT_EQ(found(part + at + " ld.shared.u8 %b, [%at]\n cvt.u32.u8 %r, %b\n"), "");
  EXPECT_NE(found(part + at + " ld.shared.u8 %b, [%at + 1]\n cvt.u32.u8 %r, %b\n"), "");
  EXPECT_EQ(found(" st.global.u32 out[%laneid], %u\n ld.global.u32 %v, out[%laneid]\n and.b32 %r, %v, 0\n"), "");
  EXPECT_EQ(found(at + " mov.b16 %h, 5\n st.shared.u8 [%at], %h\n ld.shared.u32 %v, tile[%laneid]\n"
                       " and.b32 %r, %v, 255\n"),
            "")
      << "one byte of the word is written, and no other read";
}

// Lanes 0 and 1 do not know; lane 3 says what each test needs.
std::string together(const std::string& text) {
  return Found(
             " setp.ge.u32 %high, %laneid, 2\n setp.eq.u32 %last, %laneid, 3\n @%high setp.eq.u32 %p, %laneid, 3\n"
             " @%high mov.b32 %u, %laneid\n" +
             text + " st.global.u32 out[%laneid], %r")
      .text();
}

TEST(UndefinedBits, OneLaneMayDecideForAll) {
  const std::string choose = " selp.b32 %r, 1, 2, %v\n";
  EXPECT_EQ(together(" vote.any.pred %v, %p\n" + choose), "");
  EXPECT_EQ(together(" vote.any.pred %v, !%p\n" + choose), "");
  EXPECT_EQ(together(" vote.all.pred %v, %p\n" + choose), "") << "lane 2 says no";
  EXPECT_EQ(together(" vote.uni.pred %v, %p\n" + choose), "") << "lanes 2 and 3 differ";
  EXPECT_EQ(together(" @%high setp.lt.u32 %p, %laneid, 9\n vote.any.pred %v, %p\n" + choose), "");
  EXPECT_EQ(together(" @%high setp.gt.u32 %p, %laneid, 9\n vote.any.pred %v, %p\n" + choose),
            "WS0101 @5 lanes 0, 1; WS0101 @7 lanes 0-3");
  EXPECT_EQ(together(" vote.ballot.b32 %b, %p\n and.b32 %r, %b, 0xc\n"), "");
  EXPECT_EQ(together(" vote.ballot.b32 %b, %p\n and.b32 %r, %b, 0xe\n"), "WS0101 @6 lanes 0-3");
  EXPECT_EQ(together(" bar.red.or.pred %v, 0, %p\n" + choose), "");
  EXPECT_EQ(together(" @%high setp.lt.u32 %p, %laneid, 9\n bar.red.and.pred %v, 0, %p\n" + choose),
            "WS0101 @5 lanes 0, 1; WS0101 @7 lanes 0-3");
}

TEST(UndefinedBits, ReductionsByBit) {
  EXPECT_EQ(together(" @%last mov.b32 %u, 0\n redux.and.b32 %r, %u\n"), "");
  EXPECT_EQ(together(" redux.and.b32 %v, %u\n and.b32 %r, %v, 5\n"), "") << "lane 2 has bits 0 and 2 clear";
  EXPECT_EQ(together(" redux.or.b32 %v, %u\n and.b32 %r, %v, 3\n"), "") << "lane 3 has bits 0 and 1 set";
  EXPECT_EQ(together(" redux.or.b32 %v, %u\n and.b32 %r, %v, 4\n"), "WS0101 @6 lanes 0-3");
  EXPECT_EQ(together(" @%last mov.b32 %u, 0\n redux.min.u32 %r, %u\n"), "");
  EXPECT_EQ(together(" scan.add.exclusive.u32 %v, %u\n mov.b32 %r, 1\n selp.b32 %r, 1, %v, %high\n"),
            "WS0101 @7 lanes 1")
      << "nothing is before lane 0";
  EXPECT_EQ(together(" match.any.b32 %v, %u\n and.mask %v, %v, 0xc\n popc.mask %r, %v\n @!%high mov.u32 %r, 0\n"), "")
      << "lanes 2 and 3 differ";
  EXPECT_EQ(together(" match.any.b32 %v, %u\n popc.mask %r, %v\n"), "WS0101 @6 lanes 0-3");
  EXPECT_EQ(together(" match.all.b32 %v, %u\n popc.mask %r, %v\n"), "") << "they differ";
}

// The origin is that of the operand that matters.
TEST(UndefinedBits, WhichOperandItCameFrom) {
  const Found both(
      " ld.shared.u32 %x, tile[%laneid]\n setp.gt.u32 %no, %laneid, 99\n @%no mov.u32 %y, 1\n"
      " prmt.b32 %r, %x, %y, 0x7654\n st.global.u32 out[%laneid], %r");
  ASSERT_EQ(both.text(), "WS0101 @4 lanes 0-3");
  EXPECT_NE(both.steps().find("has never written `%y`"), std::string::npos) << both.steps();
}

// Where a value comes from is known however much that is undefined has come and gone since: in a register, and in
// memory.
TEST(UndefinedBits, WhereItCameFromIsKnownLongAfterwards) {
  const auto found_after = [](unsigned rounds) {
    return Found(
        " ld.shared.u32 %x, tile[%laneid]\n add.u32 %y, %x, 1\n add.u32 %k, %laneid, 8\n st.shared.u32 tile[%k], %y\n"
        " mov.u32 %n, " +
        std::to_string(rounds) +
        "\n"
        "again: ld.shared.u32 %z, tile[%laneid]\n add.u32 %z, %z, %n\n sub.u32 %n, %n, 1\n setp.ne.u32 %more, %n, 0\n"
        " @%more bra again\n ld.shared.u32 %w, tile[%k]\n xor.b32 %w, %w, %y\n st.global.u32 out[%laneid], %w");
  };
  const Found soon = found_after(1), late = found_after(5'000);
  ASSERT_EQ(soon.text(), "WS0105 @12 lanes 0-3");
  EXPECT_EQ(late.text(), soon.text());
  EXPECT_EQ(late.steps(), soon.steps());
  EXPECT_NE(soon.steps().find("tile[0]"), std::string::npos) << soon.steps();
}

TEST(UndefinedBits, OnlyWhatTheCaseExpectsMustBeDefined) {
  const std::string kernel =
      ".kernel k (inout temp: u32[4], out o: u32[4])\n setp.gt.u32 %no, %laneid, 99\n @%no mov.u32 %u, 1\n"
      " st.global.u32 temp[%laneid], %u\n st.global.u32 o[%laneid], 1\n exit\n.case test\n lanes = 4\n temp = 0\n";
  EXPECT_TRUE(testing::text_trace(kernel + " expect o = 1\n", 4).outcome.findings.empty());
  EXPECT_EQ(testing::text_trace(kernel, 4).outcome.findings.size(), 1U) << "nothing is expected: all outputs count";
  EXPECT_EQ(testing::text_trace(kernel + " expect temp = 0\n", 4).outcome.findings.size(), 1U);
}

// A lane is marked where any bit is undefined.
TEST(UndefinedBits, TracesMarkLanes) {
  const Trace trace = testing::text_trace(
      ".kernel k (out o: u32[4])\n setp.gt.u32 %no, %laneid, 1\n @%no mov.u32 %u, 1\n or.b32 %r, %u, 0xfffffffe\n"
      " and.b32 %s, %u, 0\n st.global.u32 o[%laneid], %s\n exit\n.case test\n lanes = 4\n",
      4);
  ASSERT_GT(trace.events.size(), 4U);
  EXPECT_EQ(trace.events[2].writes.at(0).undefined, 0b0011U);
  EXPECT_EQ(trace.events[3].writes.at(0).undefined, 0U);
}

}  // namespace undefined_bits_test
}  // namespace warpsim
