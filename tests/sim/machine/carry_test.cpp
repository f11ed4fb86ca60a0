// Chains of sums on the machine: the carry flag goes from one instruction to the next, for every lane by itself.
//
// Shapes: one thread a line `carry` of the first capture, which ran the same chain on an H200.
// Source: tests/data/README.md.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/run.h"
#include "tests/support/vectors.h"

namespace warpsim::tests {
namespace {

struct Line {
  unsigned a = 0, b = 0;
  std::array<unsigned, 7> results{};
};

std::vector<Line> captured() {
  std::vector<Line> lines;
  std::istringstream text(read_xz(data_path("h200_semantics.txt.xz")).value_or(""));
  for (std::string line; std::getline(text, line);) {
    Line l;
    auto& r = l.results;
    const int found =
        std::sscanf(line.c_str(),
                    "carry %x %x -> add.cc %x addc.cc %x addc(0,0) %x sub.cc %x subc(b,a) %x mad.lo.cc %x "
                    "madc.hi %x",
                    &l.a, &l.b, &r[0], &r[1], &r[2], &r[3], &r[4], &r[5], &r[6]);
    if (found == 9) lines.push_back(l);
  }
  return lines;
}

// The last two are a chain of their own, as they were in the capture.
constexpr const char* kChain =
    R"(.kernel chain (in a: u32[], in b: u32[], out r0: u32[], out r1: u32[], out r2: u32[], out r3: u32[],
    out r4: u32[], out r5: u32[], out r6: u32[])
  ld.global.u32 %a, a[%gtid]
  ld.global.u32 %b, b[%gtid]
  add.cc.u32 %r0, %a, %b
  addc.cc.u32 %r1, %a, %b
  addc.u32 %r2, 0, 0
  sub.cc.u32 %r3, %a, %b
  subc.u32 %r4, %b, %a
  mad.lo.cc.u32 %r5, %a, %b, %a
  mad.lo.cc.u32 %r6, %a, %b, %a
  madc.hi.u32 %r6, %a, %b, %b
  st.global.u32 r0[%gtid], %r0
  st.global.u32 r1[%gtid], %r1
  st.global.u32 r2[%gtid], %r2
  st.global.u32 r3[%gtid], %r3
  st.global.u32 r4[%gtid], %r4
  st.global.u32 r5[%gtid], %r5
  st.global.u32 r6[%gtid], %r6
  exit
)";

TEST(Carry, ChainsGiveTheBitsOfTheH200) {
  const std::vector<Line> lines = captured();
  ASSERT_EQ(lines.size(), 576U);
  for (const unsigned lanes : {8U, 32U, 64U}) {
    testing::RunSetup setup;
    setup.lanes = lanes;
    setup.block = {64, 1, 1};
    setup.grid = {9, 1, 1};
    for (const Line& l : lines) {
      setup.buffers["a"].push_back(l.a);
      setup.buffers["b"].push_back(l.b);
    }
    for (int k = 0; k < 7; ++k) setup.buffers["r" + std::to_string(k)].assign(lines.size(), 0);
    const testing::Ran ran = testing::run_text(kChain, setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message;
    for (std::size_t k = 0; k < 7; ++k) {
      const std::vector<std::uint64_t> got = ran.buffer("r" + std::to_string(k));
      for (std::size_t t = 0; t < lines.size(); ++t)
        ASSERT_EQ(got[t], lines[t].results[k])
            << lanes << " lanes, result " << k << ", " << lines[t].a << " " << lines[t].b;
    }
  }
}

// Under a guard the flag of the other lanes stays: lane 1 carries first, lanes 2 and 3 alone sum again and do not.
TEST(Carry, EachLaneKeepsItsOwn) {
  testing::RunSetup setup;
  setup.lanes = 4;
  setup.block = {4, 1, 1};
  setup.buffers["out"].assign(4, 9);
  const testing::Ran ran = testing::run_text(
      ".kernel k (out out: u32[4])\n"
      "setp.ge.u32 %upper, %laneid, 2\n"
      "setp.ne.u32 %any, %laneid, 0\n"
      "selp.u32 %x, 0xffffffff, 0, %any\n"
      "add.cc.u32 %y, %x, 1\n"
      "@%upper add.cc.u32 %y, 1, 1\n"
      "addc.u32 %y, 0, 0\n"
      "st.global.u32 out[%laneid], %y\n"
      "exit\n",
      setup);
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message;
  EXPECT_EQ(ran.buffer("out"), (std::vector<std::uint64_t>{0, 1, 0, 0}));
}

}  // namespace
}  // namespace warpsim::tests
