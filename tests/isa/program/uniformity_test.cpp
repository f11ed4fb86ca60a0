// Where a compiler can know that all lanes of a warp take the same path.
#include "isa/program/uniformity.h"

#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"

namespace warpsim {
namespace {

struct Analysed {
  explicit Analysed(const std::string& body)
      : made(assemble(".kernel k (in input: u32[64], param n: u32 = 3)\n.shared u32 tile[64]\n" + body + "\nexit\n",
                      "k.warp")) {
    EXPECT_TRUE(made.program.has_value()) << made.diagnostics.render();
  }
  bool is_uniform(const std::string& reg) const {
    const Cfg cfg = build_cfg(*made.program);
    return Uniformity(*made.program, cfg).is_uniform(made.program->find_register(reg));
  }
  bool may_part(std::int32_t pc) const {
    const Cfg cfg = build_cfg(*made.program);
    return Uniformity(*made.program, cfg).may_part(pc);
  }
  Assembled made;
};

TEST(Uniformity, WhatIsComputedFromWhatIsTheSameIsTheSame) {
  const Analysed a(
      "mov.u32 %c, 7\nadd.u32 %n, %c, n\nmul.lo.u32 %b, %ctaid.x, %n\nmov.u32 %l, %laneid\nadd.u32 %m, %l, %c\n"
      "xor.b32 %z, %m, %m");
  for (const char* same : {"%c", "%n", "%b"}) EXPECT_TRUE(a.is_uniform(same)) << same;
  for (const char* varies : {"%l", "%m", "%z"}) EXPECT_FALSE(a.is_uniform(varies)) << varies;
}

TEST(Uniformity, WhatComesFromMemoryOrOtherLanesIsNotKnownToBe) {
  const Analysed a(
      "mov.u32 %i, 3\nld.global.u32 %g, input[%i]\nld.shared.u32 %s, tile[%i]\nshfl.idx.b32 %x, %i, 0\n"
      "setp.eq.u32 %p, %i, 3\nvote.ballot.b32 %v, %p");
  for (const char* varies : {"%g", "%s", "%x", "%v"}) EXPECT_FALSE(a.is_uniform(varies)) << varies;
  EXPECT_TRUE(a.is_uniform("%p"));
}

TEST(Uniformity, AGuardDecidesToo) {
  const Analysed a(
      "setp.eq.u32 %p, %laneid, 3\nmov.u32 %a, 1\n@%p mov.u32 %a, 2\nsetp.eq.u32 %q, %ctaid.x, 3\n"
      "mov.u32 %b, 1\n@%q mov.u32 %b, 2");
  EXPECT_FALSE(a.is_uniform("%a"));
  EXPECT_TRUE(a.is_uniform("%b"));
}

TEST(Uniformity, ALoopOverACountIsUniform) {
  const Analysed a("mov.u32 %n, 8\nloop: sub.u32 %n, %n, 1\nsetp.ne.u32 %p, %n, 0\n@%p bra loop");
  EXPECT_TRUE(a.is_uniform("%n"));
  EXPECT_FALSE(a.may_part(3));
}

TEST(Uniformity, WhatAVaryingBranchDecidesVaries) {
  // Lanes leave the loop at different times, so that they count differently, although each adds the same 1.
  const Analysed a(
      "mov.u32 %k, 0\nloop: add.u32 %k, %k, 1\nsetp.lt.u32 %p, %k, %laneid\n@%p bra loop\nmov.u32 %d, 5\n"
      "add.u32 %e, %k, 1");
  EXPECT_TRUE(a.may_part(3));
  EXPECT_FALSE(a.is_uniform("%k"));
  EXPECT_FALSE(a.is_uniform("%e"));
  EXPECT_TRUE(a.is_uniform("%d")) << "all lanes have met again";
}

TEST(Uniformity, ABranchWithoutAGuardIsUniform) {
  const Analysed a("bra on\non: mov.u32 %a, 1");
  EXPECT_FALSE(a.may_part(0));
}

}  // namespace
}  // namespace warpsim
