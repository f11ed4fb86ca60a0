// Locks in several orders: what is a lock, which orders are reported, and which are not though they look like it.
#include "sim/check/lock_order.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/sim/check/found_run.h"

namespace warpsim {
namespace lock_order_test {

using testing::Found;

// The leader of each warp takes and releases; `body` has the labels of its own.
std::string leaders(const std::string& body) {
  return " setp.ne.u32 %no, %laneid, 0\n @%no exit\n div.u32 %w, %tid.x, WARP_SZ\n setp.eq.u32 %second, %w, 1\n" + body;
}

// The second warp comes later, so that nobody ever waits.
const std::string kSecondLater =
    " mov.u32 %n, 0\n @!%second bra go\nlate: add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 40\n @%more bra late\ngo:\n";

std::string take(const std::string& word, const std::string& label) {
  return label + ": atom.global.cas.b32 %o, " + word + ", 0, 1\n setp.ne.u32 %busy, %o, 0\n @%busy bra " + label +
         "\n membar.gl\n";
}
std::string release(const std::string& word) { return " membar.gl\n atom.global.exch.b32 %o, " + word + ", 0\n"; }

// Both take out[%a], then out[%b], around `inside`; `first` and `second` say which those are.
std::string both(const std::string& order, const std::string& before = "", const std::string& behind = "",
                 const std::string& inside = "") {
  return leaders(kSecondLater + order + before + take("out[%a]", "one") + take("out[%b]", "two") + inside +
                 release("out[%b]") + release("out[%a]") + behind);
}
const std::string kCrossed = " add.u32 %a, %w, 2\n sub.u32 %b, 5, %a\n";  // 2 and 3, 3 and 2
const std::string kSame = " mov.u32 %a, 2\n mov.u32 %b, 3\n";

std::string codes(const std::string& body, unsigned warps = 2) {
  const Found found(body, 4, 4 * warps);
  std::string out;
  for (const RunFinding& one : found.findings) out += (out.empty() ? "" : "; ") + code(one.code);
  return out;
}

TEST(LockOrder, TwoOrdersAreReportedThoughNobodyWaited) {
  EXPECT_EQ(codes(both(kCrossed)), "WS0705");
  EXPECT_EQ(codes(both(kSame)), "");
}

TEST(LockOrder, TheReportHasBothThreadsAndTheirLines) {
  const Found found(both(kCrossed), 4, 8);
  ASSERT_EQ(found.findings.size(), 1U);
  const RunFinding& one = found.findings.front();
  EXPECT_EQ(english(one.message),
            "lane 0 of warp 1 of block 0 takes `out[2]` while it holds `out[3]`, taken at line 15; lane 0 of warp 0 of "
            "block 0 takes the two the other way round, at lines 15 and 19: at another time they would deadlock");
  EXPECT_EQ(one.steps.size(), 4U);
  EXPECT_EQ(one.warp, 1U);
}

TEST(LockOrder, AGateGuardsBothOrders) {
  EXPECT_EQ(codes(both(kCrossed, take("out[0]", "gate"), release("out[0]"))), "");
  // A gate of one of them alone guards nothing.
  EXPECT_EQ(codes(both(kCrossed + " add.u32 %g, %w, 0\n", take("out[%g]", "gate"), release("out[%g]"))), "WS0705");
  // A lock that is taken inside is no gate: one waits for it with the others in its hands.
  EXPECT_EQ(codes(both(kCrossed, "", "", take("out[0]", "inner") + release("out[0]"))), "WS0705");
}

// The same thread takes them in both orders, one after the other: it never waits for itself.
TEST(LockOrder, OneThreadAloneDoesNotDeadlock) {
  const std::string both_orders = take("out[2]", "a") + take("out[3]", "b") + release("out[3]") + release("out[2]") +
                                  take("out[3]", "c") + take("out[2]", "d") + release("out[2]") + release("out[3]");
  EXPECT_EQ(codes(leaders(both_orders), 1), "");
}

TEST(LockOrder, ABarrierKeepsThemApart) {
  const std::string first = " @%second bra meet\n" + take("out[2]", "a") + take("out[3]", "b") + release("out[3]") +
                            release("out[2]") + "meet: ";
  const std::string second =
      "\n @!%second exit\n" + take("out[3]", "c") + take("out[2]", "d") + release("out[2]") + release("out[3]");
  EXPECT_EQ(codes(leaders(first + "bar.sync 0" + second)), "");
  EXPECT_EQ(codes(leaders(first + "add.u32 %n, %w, 0\n" + kSecondLater + second)), "WS0705");
}

// Three locks, three warps: each takes its own and the next one.
TEST(LockOrder, ACircleOfThreeIsReported) {
  const std::string ring = " rem.u32 %a, %w, 3\n add.u32 %b, %a, 1\n rem.u32 %b, %b, 3\n";
  const std::string apart =
      " mul.lo.u32 %late, %w, 60\n mov.u32 %n, 0\nwait: setp.ge.u32 %go, %n, %late\n add.u32 %n, %n, 1\n"
      " @!%go bra wait\n";
  EXPECT_EQ(codes(both(ring + apart), 3), "WS0705");
  EXPECT_EQ(codes(both(ring + apart), 2), "") << "0-1 and 1-2 are no circle";
}

// A flag is raised by one thread and seen by another: nobody takes and releases it.
TEST(LockOrder, FlagsAreNoLocks) {
  const std::string raise =
      " @%second bra other\n atom.global.exch.b32 %o, out[2], 1\n atom.global.exch.b32 %o, out[3], 1\n"
      " exit\nother: atom.global.exch.b32 %o, out[3], 1\n atom.global.exch.b32 %o, out[2], 1\n";
  EXPECT_EQ(codes(leaders(raise)), "");
}

TEST(LockOrder, AllowSaysThatItIsMeant) {
  EXPECT_EQ(codes(" .allow WS0705 \"never at the same time\"\n" + both(kCrossed)), "");
}

}  // namespace lock_order_test
}  // namespace warpsim
