// What is found of copies that nobody has waited for, and what is not.
//
// Shapes: see found_run.h; `out` is the copies' source, too. pcs count from 0.
// Source: PTX ISA 9.0, "cp.async", "cp.async.wait_group": a copy is over for its own thread when that thread has waited
//         for it, or for its group; another thread needs a barrier besides.
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/check/found_run.h"

namespace warpsim {
namespace {

using testing::Found;

const std::string kCopy = " cp.async.ca.shared.global tile[%tid.x], out[%tid.x], 4\n";
const std::string kOwn = " ld.shared.u32 %v, tile[%tid.x]\n";
const std::string kOther = " xor.b32 %o, %tid.x, 1\n ld.shared.u32 %v, tile[%o]\n";

TEST(PendingCopies, OfTheThreadItself) {
  EXPECT_EQ(Found(kCopy + " cp.async.wait_all\n" + kOwn).text(), "");
  EXPECT_EQ(Found(kCopy + " cp.async.commit_group\n cp.async.wait_group 0\n" + kOwn).text(), "");
  EXPECT_EQ(Found(kCopy + kOwn).text(), "WS0408 @1 lanes 0");
  // Without a commit it is in no group yet.
  EXPECT_EQ(Found(kCopy + " cp.async.wait_group 0\n" + kOwn).text(), "WS0408 @2 lanes 0");
  EXPECT_EQ(Found(kCopy + " cp.async.commit_group\n cp.async.wait_group 1\n" + kOwn).text(), "WS0408 @3 lanes 0");
  // A barrier does not wait for it.
  EXPECT_EQ(Found(kCopy + " bar.sync 0\n" + kOwn).text(), "WS0408 @2 lanes 0");
}

TEST(PendingCopies, TheNewestGroupsMayBeOnTheirWay) {
  const std::string second = " add.u32 %n, %tid.x, 8\n cp.async.ca.shared.global tile[%n], out[%n], 4\n";
  const std::string two = kCopy + " cp.async.commit_group\n" + second + " cp.async.commit_group\n";
  EXPECT_EQ(Found(two + " cp.async.wait_group 1\n" + kOwn).text(), "");
  EXPECT_EQ(Found(two + " cp.async.wait_group 1\n ld.shared.u32 %v, tile[%n]\n").text(), "WS0408 @6 lanes 0");
  EXPECT_EQ(Found(two + " cp.async.wait_group 2\n" + kOwn).text(), "WS0408 @6 lanes 0");
  // A commit without copies is an empty group, and counts.
  EXPECT_EQ(Found(kCopy + " cp.async.commit_group\n cp.async.commit_group\n cp.async.wait_group 1\n" + kOwn).text(),
            "");
}

TEST(PendingCopies, OfAnotherThread) {
  EXPECT_EQ(Found(kCopy + " cp.async.wait_all\n bar.warp.sync\n" + kOther).text(), "");
  EXPECT_EQ(Found(kCopy + " cp.async.wait_all\n" + kOther).text(), "WS0401 @3 lanes 0");
  EXPECT_EQ(Found(kCopy + " bar.warp.sync\n cp.async.wait_all\n" + kOther).text(), "WS0401 @4 lanes 0");
  // Lane 0 has waited, for its own.
  EXPECT_EQ(Found(kCopy + " setp.eq.u32 %p, %tid.x, 0\n @%p cp.async.wait_all\n bar.warp.sync\n"
                          " @%p ld.shared.u32 %v, tile[1]\n")
                .text(),
            "WS0408 @4 lanes 0");
  EXPECT_EQ(
      Found(kCopy + " cp.async.wait_all\n bar.sync 0\n sub.u32 %o, 7, %tid.x\n ld.shared.u32 %v, tile[%o]\n", 4, 8)
          .text(),
      "");
  EXPECT_EQ(Found(kCopy + " cp.async.wait_all\n sub.u32 %o, 7, %tid.x\n ld.shared.u32 %v, tile[%o]\n", 4, 8).text(),
            "WS0402 @3 lanes 0");
}

TEST(PendingCopies, MayBeOverwrittenAndOverwrite) {
  EXPECT_EQ(Found(kCopy + " st.shared.u32 tile[%tid.x], 1\n cp.async.wait_all\n" + kOwn).text(), "WS0408 @1 lanes 0");
  EXPECT_EQ(Found(kCopy + kCopy + " cp.async.wait_all\n" + kOwn).text(), "WS0408 @1 lanes 0");
  // All lanes copy to one word.
  EXPECT_EQ(Found(" cp.async.ca.shared.global tile[0], out[%tid.x], 4\n").text(), "WS0408 @0 lanes 1");
  // Who read the tile before must be ordered before the copy begins.
  EXPECT_EQ(Found(" st.shared.u32 tile[%tid.x], 1\n bar.warp.sync\n" + kOther + kCopy + " cp.async.wait_all\n").text(),
            "WS0401 @4 lanes 0");
  EXPECT_EQ(Found(" st.shared.u32 tile[%tid.x], 1\n bar.warp.sync\n" + kOther + " bar.warp.sync\n" + kCopy).text(), "");
}

TEST(PendingCopies, ReadTheirSourceUntilTheyAreOver) {
  EXPECT_EQ(Found(kCopy + " st.global.u32 out[%tid.x], 1\n cp.async.wait_all\n").text(), "WS0408 @1 lanes 0");
  EXPECT_EQ(Found(kCopy + " cp.async.wait_all\n st.global.u32 out[%tid.x], 1\n").text(), "");
  EXPECT_EQ(Found(kCopy + " ld.global.u32 %v, out[%tid.x]\n cp.async.wait_all\n").text(), "");
  // Of 16 bytes only the first 4 are read.
  const std::string first =
      " shl.b32 %q, %tid.x, 2\n cp.async.cg.shared.global tile[%q], out[%q], 16, 4\n st.global.u32 out[%q + N], 1\n";
  const auto at = [&](const char* n) { return Found(std::string(first).replace(first.find('N'), 1, n)).text(); };
  EXPECT_EQ(at("1"), "");
  EXPECT_EQ(at("0"), "WS0408 @2 lanes 0");
}

// `tile` is copied from `out`, whose words 4, 8 and 12 hold nothing: only lane 0 has written what they were stored
// from.
TEST(PendingCopies, WhatTheyCopyIsAsDefinedAsTheirSource) {
  const auto branches_on = [](const std::string& read, const std::string& word) {
    const std::string body =
        " setp.eq.u32 %first, %tid.x, 0\n @%first mov.u32 %n, 1\n shl.b32 %q, %tid.x, 2\n st.global.u32 out[%q], %n\n"
        " bar.warp.sync\n cp.async.cg.shared.global tile[%q], out[%q], 16, " +
        read + "\n cp.async.wait_all\n ld.shared.u32 %v, tile[%q + " + word +
        "]\n setp.eq.u32 %p, %v, 3\n @%p mov.u32 %q, 1\n";
    return Found(body).text();
  };
  const std::string left = "WS0101 @3 lanes 1-3";  // in the output, where the run ends
  EXPECT_EQ(branches_on("16", "0"), left + "; WS0101 @9 lanes 1-3");
  EXPECT_EQ(branches_on("16", "1"), left);
  EXPECT_EQ(branches_on("4", "0"), left + "; WS0101 @9 lanes 1-3");
  EXPECT_EQ(branches_on("0", "0"), left);  // zeros
}

}  // namespace
}  // namespace warpsim
