// Copies that go on by themselves (cp.async): which bytes move, zeros behind what is read, and what stops a run.
//
// Shapes: one warp of 4 lanes; `in` holds 1, 2, 3 …, so that byte 4 k of it is k + 1.
// Source: PTX ISA 9.0, 9.7.9.25.3.1 "cp.async": cp-size of 4, 8 or 16, src-size with zeros behind it, alignment to
//         cp-size; "cp.async.wait_group".
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "isa/assembly/disassembler.h"
#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

Ran run_copies(const std::string& body, const std::string& arrays = ".shared u32 tile[16]\n") {
  Words in(16), filled(16, 99);
  std::iota(in.begin(), in.end(), 1);
  return run_text(".kernel k (in in: u32[], in in64: u64[], inout out: u32[])\n" + arrays + body + " exit\n",
                  {.lanes = 4, .block = {4, 1, 1}, .buffers = {{"in", in}, {"in64", in}, {"out", filled}}});
}

// Sixteen words of the tile, four a lane.
const std::string kShow =
    " bar.warp.sync\n shl.b32 %t, %laneid, 2\n mov.u32 %k, 0\n"
    "more: ld.shared.u32 %v, tile[%t]\n st.global.u32 out[%t], %v\n add.u32 %t, %t, 1\n add.u32 %k, %k, 1\n"
    " setp.lt.u32 %again, %k, 4\n @%again bra more\n";
const std::string kFill =
    " shl.b32 %q, %laneid, 2\n mov.u32 %w, 77\n mov.u32 %a, tile\n shl.b32 %b, %laneid, 4\n add.u32 %a, %a, %b\n"
    " st.shared.v4.u32 [%a], {%w, %w, %w, %w}\n bar.warp.sync\n";

Words shown(const std::string& copies) {
  const Ran ran = run_copies(kFill + copies + " cp.async.wait_all\n" + kShow);
  EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  return ran.machine == nullptr ? Words() : ran.machine->buffer("out").bits;
}

TEST(Copy, MovesFourEightOrSixteenBytes) {
  EXPECT_EQ(shown(" cp.async.ca.shared.global tile[%laneid], in[%laneid + 4], 4\n"),
            (Words{5, 6, 7, 8, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77}));
  EXPECT_EQ(shown(" cp.async.ca.shared.global tile[%q], in[%q], 8\n"),
            (Words{1, 2, 77, 77, 5, 6, 77, 77, 9, 10, 77, 77, 13, 14, 77, 77}));
  EXPECT_EQ(shown(" cp.async.ca.shared.global tile[%q], in[%q], 16\n"),
            (Words{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(shown(" cp.async.cg.shared.global [%a], in[%q], 16\n"),
            (Words{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
}

// PTX: the bytes behind src-size are zeros; where nothing is read, nothing need be there.
TEST(Copy, WritesZerosBehindWhatItReads) {
  EXPECT_EQ(shown(" cp.async.ca.shared.global tile[%q], in[%q], 16, 4\n"),
            (Words{1, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0, 13, 0, 0, 0}));
  EXPECT_EQ(shown(" shl.b32 %r, %laneid, 2\n cp.async.ca.shared.global tile[%q], in[%q], 16, %r\n"),
            (Words{0, 0, 0, 0, 5, 0, 0, 0, 9, 10, 0, 0, 13, 14, 15, 0}));
  // 6 bytes: a word and the low half of the next; 14 = 0xe.
  EXPECT_EQ(shown(" cp.async.ca.shared.global tile[%q], in[%q], 16, 6\n")[13], 14U);
  EXPECT_EQ(shown(" cp.async.ca.shared.global tile[%q], in[%q + 1000], 16, 0\n"), Words(16, 0));
}

TEST(Copy, OfOtherElements) {
  const std::string arrays = ".shared u64 tile8[4]\n.shared u8 bytes[16]\n.shared u32 tile[4]\n";
  const Ran ran = run_copies(
      " cp.async.ca.shared.global tile8[%laneid], in64[%laneid + 4], 8\n shl.b32 %q, %laneid, 2\n"
      " cp.async.ca.shared.global bytes[%q], in[%laneid], 4\n cp.async.wait_all\n ld.shared.u64 %w, tile8[%laneid]\n"
      " cvt.u32.u64 %v, %w\n st.global.u32 out[%laneid], %v\n ld.shared.u8 %h, bytes[%q]\n cvt.u32.u16 %v, %h\n"
      " st.global.u32 out[%laneid + 4], %v\n",
      arrays);
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  const Words out = ran.machine->buffer("out").bits;
  EXPECT_EQ(Words(out.begin(), out.begin() + 8), (Words{5, 6, 7, 8, 1, 2, 3, 4}));
}

TEST(Copy, OnlyWhereTheGuardHolds) {
  EXPECT_EQ(shown(" setp.eq.u32 %p, %laneid, 2\n @%p cp.async.ca.shared.global tile[%laneid], in[%laneid], 4\n"),
            (Words{77, 77, 3, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77, 77}));
}

TEST(Copy, TrapsOutsideAndUnaligned) {
  const auto trap = [](const std::string& copy) {
    const Ran ran = run_copies(" shl.b32 %q, %laneid, 2\n" + copy);
    return ran.machine == nullptr ? ran.error.message : english(ran.result.trap.message);
  };
  EXPECT_EQ(trap(" cp.async.ca.shared.global tile[%q], in[%q + 4], 16\n"),
            "lane 3 reads in[16] to [19], 4 elements past the end of its 16");
  EXPECT_EQ(trap(" cp.async.ca.shared.global tile[%q], in[%q + 4], 16, 0\n"), "");
  EXPECT_EQ(trap(" cp.async.ca.shared.global tile[%q + 8], in[%q], 16\n"),
            "lane 2 writes tile[16] to [19], 4 elements past the end of its 16; so does 1 other lane");
  EXPECT_EQ(trap(" cp.async.ca.shared.global tile[%laneid], in[%q], 8\n"),
            "lane 1 writes tile[1] to [2], which is not a multiple of 8; so does 1 other lane");
  EXPECT_EQ(trap(" cp.async.ca.shared.global tile[%q], in[%laneid], 8\n"),
            "lane 1 reads in[1] to [2], which is not a multiple of 8; so does 1 other lane");
}

TEST(Copy, IsWrittenAsItIsRead) {
  const std::vector<std::string> lines = {"cp.async.ca.shared.global tile[%laneid], in[%gtid + 1], 4",
                                          "mov.u32 %a, tile",
                                          "mov.u64 %d, in",
                                          "cp.async.cg.shared.global [%a], [%d + 16], 16, %a",
                                          "cp.async.commit_group",
                                          "cp.async.wait_group 2",
                                          "cp.async.wait_all"};
  std::string text = ".kernel k (in in: u32[])\n.shared u32 tile[16]\n";
  for (const std::string& line : lines) text += " " + line + "\n";
  const Assembled assembled = assemble(text + " exit\n", "t.warp");
  ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  for (std::size_t pc = 0; pc < lines.size(); ++pc)
    EXPECT_EQ(disassemble(static_cast<const Program&>(*assembled.lesson()), static_cast<std::int32_t>(pc)), lines[pc]);
}

TEST(Copy, WhatItDoesNotTake) {
  const auto error = [](const std::string& copy) {
    return assemble(".kernel k (in in: u32[])\n.shared u32 tile[16]\n" + copy + "\n exit\n", "t.warp")
        .diagnostics.render();
  };
  const auto says = [&](const std::string& copy, const std::string& text) {
    EXPECT_NE(error(copy).find(text), std::string::npos) << error(copy);
  };
  says("cp.async.ca.shared.global tile[0], in[0], 12",
       "`cp.async.ca.shared.global` copies 4, 8 or 16 bytes, and the number is a constant");
  says("cp.async.cg.shared.global tile[0], in[0], 8", ".cg copies 16 bytes: write 16, or .ca");
  says("cp.async.ca.shared.global in[0], tile[0], 4", "`in` is in global memory");
  says("cp.async.wait_group %n", "the number of groups in `cp.async.wait_group` is a constant from 0 to 255");
}

}  // namespace
}  // namespace warpsim
