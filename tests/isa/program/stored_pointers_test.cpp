// Which parameters a program stores through.
#include "isa/program/stored_pointers.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"

namespace warpsim {
namespace {

// "a", or "s+8" of a part of one.
std::vector<std::string> stored(const std::string& body) {
  const ptx::ReadModule read = ptx::read_module(
      ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 total[4];\n"
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .align 8 .b8 s[24]) {\n"
      " .reg .pred %p<3>;\n .reg .b32 %r<9>;\n .reg .b64 %rd<9>;\n .shared .b32 tile[64];\n"
      " ld.param.u64 %rd1, [a];\n ld.param.u64 %rd2, [b];\n ld.param.u32 %r1, [n];\n ld.param.u64 %rd3, [s+8];\n"
      " mov.u32 %r2, %tid.x;\n mul.wide.u32 %rd4, %r2, 4;\n" +
          body + " ret;\n}\n",
      "k.ptx");
  Diagnostics diagnostics;
  const std::optional<Program> program = ptx::make_program(read.module, read.module.functions.back(), diagnostics);
  EXPECT_TRUE(program.has_value()) << read.diagnostics.render() << diagnostics.render();
  std::vector<std::string> names;
  if (!program) return names;
  for (const ParamPart& part : stored_pointers(*program))
    names.push_back(program->params[static_cast<std::size_t>(part.param)].name +
                    (part.offset == 0 ? "" : "+" + std::to_string(part.offset)));
  return names;
}

using Names = std::vector<std::string>;

TEST(StoredPointers, AreThoseThatAStoresAddressIsComputedFrom) {
  EXPECT_EQ(stored(" ld.global.u32 %r3, [%rd1];\n"), Names());
  EXPECT_EQ(stored(" add.s64 %rd5, %rd1, %rd4;\n add.s64 %rd6, %rd2, %rd4;\n ld.global.u32 %r3, [%rd6];\n"
                   " st.global.u32 [%rd5], %r3;\n"),
            Names({"a"}));
  EXPECT_EQ(
      stored(" cvta.to.global.u64 %rd5, %rd3;\n mad.lo.s64 %rd6, %rd4, 2, %rd5;\n st.global.u32 [%rd6+4], %r2;\n"),
      Names({"s+8"}));
  EXPECT_EQ(stored(" red.global.add.u32 [%rd2], 1;\n"), Names({"b"})) << "an atomic";
  EXPECT_EQ(stored(" st.shared.u32 [tile], %r2;\n"), Names());
  EXPECT_EQ(stored(" st.u32 [%rd1], %r2;\n"), Names({"a"})) << "a generic address";
  EXPECT_EQ(stored(" mov.u64 %rd5, total;\n add.s64 %rd5, %rd5, %rd4;\n st.global.u32 [%rd5], %r2;\n"),
            Names({"total"}));
}

TEST(StoredPointers, EitherOfTwoMayBeOne) {
  EXPECT_EQ(stored(" setp.eq.u32 %p1, %r2, 0;\n selp.b64 %rd5, %rd1, %rd2, %p1;\n st.global.u32 [%rd5], %r2;\n"),
            Names({"a", "b"}));
  // Round a loop, each is the other's next.
  EXPECT_EQ(
      stored("again:\n mov.b64 %rd6, %rd1;\n mov.b64 %rd1, %rd2;\n mov.b64 %rd2, %rd6;\n st.global.u32 [%rd1], %r2;\n"
             " setp.lt.u32 %p1, %r2, 9;\n @%p1 bra again;\n"),
      Names({"a", "b"}));
}

// What is stored, and what decides whether, is no address; nor does one that is loaded come from where it was.
TEST(StoredPointers, ValuesAndWhatIsLoadedAreNotFollowed) {
  EXPECT_EQ(stored(" setp.lt.u32 %p1, %r2, %r1;\n @%p1 st.global.u64 [%rd1], %rd2;\n"), Names({"a"}));
  EXPECT_EQ(stored(" add.s64 %rd5, %rd2, %rd4;\n ld.global.u64 %rd6, [%rd5];\n add.s64 %rd6, %rd6, %rd1;\n"
                   " st.global.u32 [%rd6], %r2;\n"),
            Names({"a"}));
  EXPECT_EQ(stored(" cvt.u64.u32 %rd5, %r1;\n add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 1;\n"),
            Names({"a", "n"}))
      << "an index is not told from a pointer";
}

}  // namespace
}  // namespace warpsim
