// What the verifier refuses, the types that registers are shown in, and what the assembler says about whole texts.
#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"
#include "isa/program/verifier.h"

namespace warpsim {
namespace {

std::string messages(const std::string& source) { return assemble(source, "k.warp").diagnostics.render(); }
std::string body(const std::string& lines) {
  return messages(".kernel k (in input: f32[size], out output: f32[size], param size: u32)\n" + lines);
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Verifier, AcceptsARegisterThatSomePathWrites) {
  EXPECT_EQ(body("setp.eq.u32 %p, %laneid, 0\n@%p mov.u32 %x, 1\nadd.u32 %y, %x, 1\nexit\n"), "");
  // Written later in the text, but before in a loop.
  EXPECT_EQ(body("mov.u32 %i, 4\nbra test\nstep: add.u32 %y, %x, 1\ntest: mov.u32 %x, 7\nsub.u32 %i, %i, "
                 "1\nsetp.ne.u32 %p, %i, 0\n@%p bra step\nexit\n"),
            "");
  EXPECT_EQ(body("self: add.u32 %y, %laneid, 1\nsetp.ne.u32 %p, %y, 0\n@%p bra self\nexit\n"), "");
  // Only the back edge brings the value: %x is written by the last block of a loop of three, read by each of them.
  for (const std::string place : {"one", "two", "three"}) {
    const std::string read = "add.u32 %y, %x, 1\n";
    EXPECT_EQ(body("mov.u32 %i, 4\none: " + (place == "one" ? read : "") +
                   "setp.eq.u32 %p, %i, 2\n@%p bra three\ntwo: " + (place == "two" ? read : "") +
                   "sub.u32 %i, %i, 1\nthree: " + (place == "three" ? read : "") +
                   "mov.u32 %x, 7\nsetp.ne.u32 %p, %i, 0\n@%p bra one\nexit\n"),
              "")
        << place;
  }
  // Nothing leads to the read.
  EXPECT_EQ(body("exit\nadd.u32 %y, %x, 1\nexit\n"), "");
}

TEST(Verifier, RefusesARegisterThatNoPathWrites) {
  EXPECT_EQ(body("add.u32 %y, %x, 1\nmov.u32 %x, 1\nadd.u32 %y, %x, 1\nexit\n"),
            "k.warp:2:13: error[V001]: no path writes `%x` before it is read here\n"
            "    2 | add.u32 %y, %x, 1\n"
            "      |             ^~\n"
            "      hint: it is written only after this\n");
  EXPECT_EQ(body("mov.u32 %offset, 1\nadd.u32 %y, %ofset, 1\nadd.u32 %y, %ofset, 2\nexit\n"),
            "k.warp:3:13: error[V001]: no path writes `%ofset` before it is read here\n"
            "    3 | add.u32 %y, %ofset, 1\n"
            "      |             ^~~~~~\n"
            "      hint: did you mean %offset?\n");
  EXPECT_EQ(body("add.u32 %y, %lane_id, %size\nexit\n"),
            "k.warp:2:13: error[V001]: no path writes `%lane_id` before it is read here\n"
            "    2 | add.u32 %y, %lane_id, %size\n"
            "      |             ^~~~~~~~\n"
            "      hint: did you mean %laneid?\n"
            "k.warp:2:23: error[V001]: no path writes `%size` before it is read here\n"
            "    2 | add.u32 %y, %lane_id, %size\n"
            "      |                       ^~~~~\n"
            "      hint: a parameter is written without %: size\n");
  for (const auto& [written, hint] : std::vector<std::pair<std::string, std::string>>{
           {"%laneId", "did you mean %laneid?"},
           {"%tid", "did you mean %tid.x?"},
           {"%nctaid", "did you mean %nctaid.x?"},
           {"%is_explicit_cluster", "a special register of PTX, which is not supported yet"},
           {"%envreg32", "did you mean %envreg2?"},
           {"%pm8_64", "did you mean %pm0_64?"}}) {
    const std::string message = body("add.u32 %y, " + written + ", 1\nexit\n");
    EXPECT_PRED2(says, message, "error[V001]: no path writes `" + written + "`") << message;
    EXPECT_EQ(message.find("hint: " + hint + "\n") != std::string::npos, !hint.empty()) << message;
  }
  EXPECT_EQ(body("@!%p exit\nst.global.f32 output[%i], 1.0\nexit\n"),
            "k.warp:2:3: error[V001]: no path writes `%p` before it is read here\n"
            "    2 | @!%p exit\n"
            "      |   ^~\n"
            "k.warp:3:15: error[V001]: no path writes `%i` before it is read here\n"
            "    3 | st.global.f32 output[%i], 1.0\n"
            "      |               ^~~~~~~~~~\n");
  EXPECT_EQ(body("mov.u32 %x, 1\naddc.u32 %x, %x, %x\nexit\n"),
            "k.warp:3:1: error[V001]: no path writes `%cc.cf` before it is read here\n"
            "    3 | addc.u32 %x, %x, %x\n"
            "      | ^~~~~~~~\n"
            "      hint: add.cc, sub.cc, mad.lo.cc and mad.hi.cc write the carry flag\n");
  EXPECT_EQ(body("mov.u32 %x, 1\nsub.cc.u32 %x, %x, %x\naddc.u32 %x, %x, %x\nexit\n"), "");
  // The branch skips the only write.
  EXPECT_PRED2(says, body("bra over\nmov.u32 %x, 1\nover: add.u32 %y, %x, 1\nexit\n"), "V001");
}

// Other special registers keep their value; a clock must be read at one place.
TEST(Verifier, AClockIsReadByAMov) {
  EXPECT_EQ(body("mov.u64 %t, %clock64\nmov.u32 %s, %clock\nmov.b32 %r, %clock\nexit\n"), "");
  EXPECT_EQ(body("add.u32 %t, %clock, 1\nexit\n"),
            "k.warp:2:13: error[V010]: `%clock` is read by a mov of 32 bits alone\n"
            "    2 | add.u32 %t, %clock, 1\n"
            "      |             ^~~~~~\n"
            "      hint: write `mov.u32 %t, %clock` before this, and %t here\n");
  EXPECT_EQ(body("ld.global.f32 %x, input[%clock]\nexit\n"),
            "k.warp:2:19: error[V010]: `%clock` is read by a mov of 32 bits alone\n"
            "    2 | ld.global.f32 %x, input[%clock]\n"
            "      |                   ^~~~~~~~~~~~~\n"
            "      hint: write `mov.u32 %t, %clock` before this, and %t here\n");
  EXPECT_EQ(body("mov.u32 %t, %clock64\nexit\n"),
            "k.warp:2:13: error[A023]: `%clock64` has 64 bits; `mov.u32` reads 32 bits\n"
            "    2 | mov.u32 %t, %clock64\n"
            "      |             ^~~~~~~~\n"
            "      hint: mov.u32 %x, %clock reads its low half\n");
  EXPECT_EQ(body("mov.u64 %t, %clock\nexit\n"),
            "k.warp:2:13: error[A023]: `%clock` has 32 bits; `mov.u64` reads 64 bits\n"
            "    2 | mov.u64 %t, %clock\n"
            "      |             ^~~~~~\n"
            "      hint: mov.u64 %x, %clock64 reads all of it\n");
}

TEST(Verifier, RefusesControlThatFallsOffTheEnd) {
  const std::string expected =
      "k.warp:3:1: error[V002]: control can go past the last instruction\n"
      "    3 | @%p exit\n"
      "      | ^~~~~~~~\n"
      "      hint: end the program with `exit`\n";
  EXPECT_EQ(body("setp.eq.u32 %p, %laneid, 0\n@%p exit\n"), expected);
  EXPECT_PRED2(says, body("here: mov.u32 %x, 1\nsetp.eq.u32 %p, %x, 0\n@%p bra here\n"), "V002");
  EXPECT_EQ(body("here: bra here\n"), "");
  EXPECT_EQ(body("exit\nmov.u32 %x, 1\n"), "");  // nothing leads there
  EXPECT_EQ(body("bra end\nend:\n"),
            "k.warp:2:5: error[V003]: this label comes after the last instruction\n"
            "    2 | bra end\n"
            "      |     ^~~\n"
            "      hint: end the program with `exit`\n");
}

TEST(Verifier, RefusesConstantsThatDivideByZero) {
  EXPECT_EQ(body("mov.u32 %x, 8 / (WARP_SZ / 2)\nexit\n"),
            "k.warp:2:13: error[V004]: 8 / (WARP_SZ / 2) divides by zero at 1 lane\n"
            "    2 | mov.u32 %x, 8 / (WARP_SZ / 2)\n"
            "      |             ^~~~~~~~~~~~~~~~~\n"
            "      hint: a program must fit 1, 2, 4 … 64 lanes\n");
  EXPECT_PRED2(says, body("mov.u32 %x, 8 % (WARP_SZ - 32)\nexit\n"), "divides by zero at 32 lanes");
  EXPECT_PRED2(says, body(".shared f32 tile[1 / 0 + 4]\nexit\n"), "V004");
  EXPECT_EQ(body("mov.u32 %x, 8 / WARP_SZ\nexit\n"), "");
}

TEST(Verifier, RefusesWidthsThatNoLaneCountHas) {
  for (const std::string width : {"1", "2", "64", "WARP_SZ", "WARP_SZ / 2"}) {
    EXPECT_EQ(body("mov.b32 %x, 1\nshfl.up.b32 %x, %x, 1, width=" + width + "\nexit\n"), "") << width;
  }
  for (const std::string width : {"0", "3", "-1", "128", "WARP_SZ + 1 - WARP_SZ * 2"}) {
    EXPECT_PRED2(says, body("mov.b32 %x, 1\nshfl.up.b32 %x, %x, 1, width=" + width + "\nexit\n"), "V005") << width;
  }
  EXPECT_EQ(body("mov.b32 %x, 1\nshfl.up.b32 %x, %x, 1, width=6\nexit\n"),
            "k.warp:3:24: error[V005]: no warp has segments of 6 lanes\n"
            "    3 | shfl.up.b32 %x, %x, 1, width=6\n"
            "      |                        ^~~~~~~\n"
            "      hint: the width is a power of two from 1 to WARP_SZ\n");
}

TEST(Verifier, KnowsTheBarriers) {
  EXPECT_EQ(body("bar.sync 15\nbar.sync 0, 64\nexit\n"), "");
  EXPECT_PRED2(says, body("bar.sync 16\nexit\n"), "error[V008]: no barrier 16");
}

// Programs that no text made: what the assembler would never write.
TEST(Verifier, RefusesMalformedInstructions) {
  const std::string text = ".kernel k ()\nmov.u32 %x, 1\nsetp.eq.u32 %p, %x, 0\n@%p bra end\nend: exit\n";
  const Program good = *assemble(text, "k.warp").lesson();
  const auto code_after = [&](auto&& spoil) {
    Program bad = good;
    spoil(bad);
    Diagnostics d{"k.warp", text, {}};
    verify(bad, d);
    return d.list.empty() ? std::string("none") : d.list[0].code;
  };
  EXPECT_EQ(code_after([](Program&) {}), "none");
  EXPECT_EQ(code_after([](Program& p) { p.code.clear(); }), "V007");
  EXPECT_EQ(code_after([](Program& p) { p.code[0].operands.pop_back(); }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[0].operands[1].kind = Operand::Kind::None; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[0].operands[0].reg = 99; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[0].operands[0].reg = -1; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[0].operands[0].reg = 1; }), "V006");  // a predicate
  EXPECT_EQ(code_after([](Program& p) { p.code[0].type = Type::U16; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[1].operands[2].reg = 1; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[2].guard.reg = 0; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[2].guard.reg = 77; }), "V006");
  EXPECT_EQ(code_after([](Program& p) { p.code[2].operands[0].target = 99; }), "V003");
  EXPECT_EQ(code_after([](Program& p) { p.code[2].operands[0].target = -1; }), "V003");
}

Type shown(const std::string& lines, const std::string& reg) {
  const Assembled made = assemble(
      ".kernel k (in input: f32[size], in wide: s64[size], param size: u32, param g: f32)\n.shared s32 tile[4]\n" +
          lines + "exit\n",
      "k.warp");
  EXPECT_TRUE(made.lesson()) << made.diagnostics.render();
  if (!made.lesson()) return Type::None;
  return made.lesson()->registers[static_cast<std::size_t>(made.lesson()->find_register(reg))].shown_as;
}

TEST(ShownType, IsWhatTheWriterSays) {
  EXPECT_EQ(shown("add.s32 %x, 1, 2\n", "%x"), Type::S32);
  EXPECT_EQ(shown("setp.eq.u32 %p, 1, 2\n", "%p"), Type::Pred);
  EXPECT_EQ(shown("popc.b64 %n, 3\n", "%n"), Type::U32);
  EXPECT_EQ(shown("mul.wide.s32 %d, 1, 2\n", "%d"), Type::S64);
  EXPECT_EQ(shown("cvt.rzi.s64.f32 %d, 1.0\n", "%d"), Type::S64);
  EXPECT_EQ(shown("activemask.mask %m\n", "%m"), Type::Mask);
  EXPECT_EQ(shown("and.b32 %x, %laneid, 1\n", "%x"), Type::U32);
  EXPECT_EQ(shown("mov.b32 %x, 5\n", "%x"), Type::U32);
  EXPECT_EQ(shown("mov.u64 %p, input\n", "%p"), Type::U64);
}

TEST(ShownType, FollowsMovesShufflesAndLoads) {
  const std::string x = "mov.f32 %x, 1.0\n";
  EXPECT_EQ(shown(x + "mov.b32 %y, %x\n", "%y"), Type::F32);
  EXPECT_EQ(shown(x + "shfl.bfly.b32 %y, %x, 1\n", "%y"), Type::F32);
  EXPECT_EQ(shown(x + "broadcast.b32 %y, %x\n", "%y"), Type::F32);
  EXPECT_EQ(shown(x + "setp.eq.u32 %p, 1, 1\nselp.b32 %y, 0, %x, %p\n", "%y"), Type::F32);
  EXPECT_EQ(shown("ld.global.b32 %y, input[0]\n", "%y"), Type::F32);
  EXPECT_EQ(shown("ld.global.b64 %y, wide[0]\n", "%y"), Type::S64);
  EXPECT_EQ(shown("ld.shared.b32 %y, tile[0]\n", "%y"), Type::S32);
  EXPECT_EQ(shown("ld.param.b32 %y, [g]\n", "%y"), Type::F32);
  EXPECT_EQ(shown("ld.param.b64 %y, [input]\n", "%y"), Type::U64);
  EXPECT_EQ(shown("mov.b32 %y, g\n", "%y"), Type::F32);
  // Through a chain that is backwards in the text.
  EXPECT_EQ(
      shown("bra c\na: mov.b32 %z, %y\nbra done\nb: mov.b32 %y, %x\nbra a\nc: mov.f32 %x, 1.0\nbra b\ndone:\n", "%z"),
      Type::F32);
  EXPECT_EQ(shown(".reg .s32 %y\n" + x + "mov.b32 %y, %x\n", "%y"), Type::S32);  // a declaration wins
  EXPECT_EQ(shown(".reg .b32 %y\n" + x + "mov.b32 %y, %x\n", "%y"), Type::F32);  // unless it says only a size
}

TEST(Assembler, GoesOnAfterAnError) {
  const Assembled made = assemble(".kernel k ()\nfoo\nadd.f32 %x, %y, 1\n.bar\nbra nowhere\n", "k.warp");
  ASSERT_EQ(made.diagnostics.list.size(), 4U) << made.diagnostics.render();
  EXPECT_FALSE(made.lesson());
}

TEST(Assembler, StopsAfterFiftyErrors) {
  std::string text = ".kernel k ()\n";
  for (int i = 0; i < 1000; ++i) text += "foo\n";
  const Assembled made = assemble(text, "k.warp");
  ASSERT_EQ(made.diagnostics.list.size(), 51U);
  EXPECT_EQ(made.diagnostics.list.back().severity, Diagnostic::Severity::Note);
  EXPECT_EQ(made.diagnostics.list.back().message, "too many errors: the rest of the text was not read");
}

TEST(Assembler, WantsOneKernel) {
  EXPECT_EQ(messages(""),
            "k.warp:1:1: error[A007]: there is no .kernel in this text\n  hint: begin with .kernel NAME (in input: "
            "f32[size], out output: f32[size])\n");
  EXPECT_EQ(messages("mov.u32 %x, 1\nmov.u32 %x, 1\nexit"),
            "k.warp:1:1: error[A007]: an instruction before .kernel\n"
            "    1 | mov.u32 %x, 1\n"
            "      | ^~~~~~~\n"
            "      hint: begin with .kernel NAME (in input: f32[size], out output: f32[size])\n");
  EXPECT_EQ(messages(".kernel k\n.kernel k\nexit\n"),
            "k.warp:2:9: error[A008]: a second kernel `k`\n"
            "    2 | .kernel k\n"
            "      |         ^\n"
            "      hint: give one of them another name\n");
  EXPECT_EQ(messages(".kernel k\n"),
            "k.warp: error[V007]: the program has no instructions\n  hint: the least is `exit`\n");
}

TEST(Assembler, ChecksParametersAndCases) {
  const auto kernel = [](const std::string& params) { return messages(".kernel k (" + params + ")\nexit\n"); };
  EXPECT_EQ(kernel("in a: f32[n], param n: u32 = 4"), "");
  EXPECT_PRED2(says, kernel("in a: f32[m], param n: u32"), "A025]: no scalar parameter `m` for the length of a");
  EXPECT_PRED2(says, kernel("in a: f32"), "A005]: a buffer's type ends with its length: f32[size]");
  EXPECT_PRED2(says, kernel("a: f32[]"), "A005]: a parameter begins with in, out, inout or param");
  EXPECT_PRED2(says, kernel("param a: f32[4]"), "A005]: a `param` is one value, not an array");
  EXPECT_PRED2(says, kernel("param lanes: u32"), "A009]: `lanes` means something in a case");
  EXPECT_PRED2(says, kernel("param a: u32, param a: u32"), "A008]: a second `a`");
  EXPECT_PRED2(says, kernel("in a: f32[2 +]"), "C001");
  const auto fields = [](const std::string& text) {
    return messages(".kernel k (in a: f32[n], out b: f32[n], param n: u32)\nexit\n.case c\n" + text);
  };
  EXPECT_EQ(fields("n = 4; a = [1,\n 2, 3, 4]\nexpect b = iota\nlanes = 8\ngrid = 2\nblock = 4x2\nmax_cycles = 5\n"),
            "");
  EXPECT_EQ(fields("sise = 4\n"),
            "k.warp:4:1: error[A034]: a case has no field `sise`\n"
            "    4 | sise = 4\n"
            "      | ^~~~\n"
            "      hint: there are lanes, grid, block, max_cycles, finding, a, b and n\n");
  EXPECT_PRED2(says, fields("lane = 4\n"), "hint: did you mean lanes?");
  EXPECT_PRED2(says, fields("expect a = 4\n"), "A034]: `a` is an `in` buffer, which the kernel never changes");
  EXPECT_PRED2(says, fields("expect c = 4\n"), "A034]: no buffer `c`");
  EXPECT_PRED2(says, fields("n = 4\nn = 5\n"), "A008]: `n` is there already, in line 4");
  EXPECT_PRED2(says, fields("a = [1, 2\n.case d\n"), "A005]: this rule opens a bracket that nothing closes");
  EXPECT_PRED2(says, fields("a =\n"), "A005]: the rule of `a` is missing");
  EXPECT_PRED2(says, fields("mov.u32 %x, 1\n"), "A034]: expected a field of case c, found `mov.u32`");
  EXPECT_PRED2(says, fields("a = [1,\n2, 3 +]\n"), "k.warp:5:");  // the place inside a rule of two lines
  EXPECT_PRED2(says, messages(".case c\nn = 4\n.kernel k ()\nexit\n"), "A033]: a case before .kernel");
}

}  // namespace
}  // namespace warpsim
