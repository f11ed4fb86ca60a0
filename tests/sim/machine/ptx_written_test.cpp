// Modules of PTX that are written and read again do what they did: what one has by functions, calls, local memory,
// variables and the driver's functions.
//
// Source: PTX ISA 9.0, chapters 5 and 7; the expected values are worked out in the texts.
#include <gtest/gtest.h>

#include <string>

#include "isa/ptx_writer/ptx_writer.h"
#include "tests/support/ptx_run.h"

namespace warpsim {
namespace {

using testing::kPtxBegin;
using testing::kPtxEnd;
using testing::kPtxHead;
using testing::PtxRun;
using testing::PtxWords;
using testing::run_ptx;

std::variant<PtxKernel, PtxUnsupported> written(const std::string& text) {
  const ptx::ReadModule read = ptx::read_module(kPtxHead + text, "t.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  const ptx::Function* entry = nullptr;
  for (const ptx::Function& one : read.module.functions) entry = one.is_entry ? &one : entry;
  Diagnostics diagnostics;
  diagnostics.text = read.module.text;
  const std::optional<Program> program = ptx::make_program(read.module, *entry, diagnostics);
  if (!program) return PtxUnsupported{diagnostics.render(), ""};
  return write_ptx(*program, {});
}

// Once written, and what was read of that once more.
void expect_same(const std::string& text, const PtxWords& y, const std::string& printed = "") {
  std::string now = text;
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE("written " + std::to_string(round) + " times\n" + now);
    const PtxRun ran = run_ptx(now, static_cast<unsigned>(y.size()), 16);
    EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    EXPECT_EQ(ran.y, y);
    EXPECT_EQ(ran.result.printed, printed);
    EXPECT_EQ(ran.found, std::vector<std::string>{});
    const auto made = written(now);
    ASSERT_TRUE(std::holds_alternative<PtxKernel>(made)) << std::get<PtxUnsupported>(made).message;
    now = std::get<PtxKernel>(made).text;
  }
}

TEST(PtxWritten, CallsRecur) {
  expect_same(
      ".func (.param .b32 r) fact(.param .b32 n) {\n.reg .b32 %r<9>; .reg .pred %p;\n"
      "ld.param.u32 %r1, [n]; setp.lt.u32 %p, %r1, 2; mov.u32 %r3, 1; @%p bra done;\n"
      "sub.u32 %r2, %r1, 1;\n{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 b; call (b), fact, (a);\n"
      "ld.param.b32 %r4, [b]; }\nmul.lo.u32 %r3, %r4, %r1;\ndone: st.param.b32 [r], %r3; ret; }\n" +
          kPtxBegin +
          "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call (b), fact, (a); ld.param.b32 %r9, [b]; }\n" +
          kPtxEnd,
      {1, 1, 2, 6, 24, 120});
}

TEST(PtxWritten, FunctionsHaveAddresses) {
  expect_same(
      ".func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; shl.b32 %r, %r, 1; "
      "st.param.b32 [r], %r; ret; }\n"
      ".func (.param .b32 r) square(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; mul.lo.u32 %r, %r, %r; "
      "st.param.b32 [r], %r; ret; }\n.global .u64 table[2] = {twice, square};\n" +
          kPtxBegin +
          "and.b32 %r2, %r1, 1; mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, table; add.s64 %rd4, %rd4, %rd3;\n"
          "ld.global.u64 %rd5, [%rd4]; setp.eq.u32 %p1, %r1, 4; @%p1 mov.u64 %rd5, square;\n"
          "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n"
          "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
          "call (b), %rd5, (a), p; ld.param.b32 %r9, [b]; }\n" +
          kPtxEnd,
      {0, 1, 4, 9, 16, 25});  // even: doubled but for 4, odd: squared
}

TEST(PtxWritten, VariablesOfScopesThatHaveOneName) {
  expect_same(".global .u32 i = 100;\n" + kPtxBegin +
                  "ld.global.u32 %r2, [i];\n{ .global .u32 i = 20; ld.global.u32 %r3, [i]; { .global .u32 i = 3; "
                  "ld.global.u32 %r4, [i]; } }\nadd.u32 %r9, %r2, %r3; add.u32 %r9, %r9, %r4;\n" +
                  kPtxEnd,
              {123, 123});
}

TEST(PtxWritten, NamesWithPercentSigns) {
  expect_same(
      ".visible .entry %k(.param .u64 %y) {\n.reg .b64 %rd<3>; .reg .b32 %r<3>; .shared .u32 %s[2];\n"
      ".local .u32 %l; ld.param.u64 %rd1, [%y]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd1, %rd1, %rd2; st.shared.u32 [%s+4], 7; st.local.u32 [%l], %r1; ld.local.u32 %r2, [%l];\n"
      "st.global.u32 [%rd1], %r2; ret; }\n",
      {0, 1, 2});
}

TEST(PtxWritten, TablesOfLabels) {
  expect_same(kPtxBegin +
                  "t: .branchtargets a, b, c;\nsetp.ne.u32 %p1, %r1, 2; mov.u32 %r9, 60; @%p1 brx.idx %r1, t; bra z;\n"
                  "a: mov.u32 %r9, 70; bra z;\nb: mov.u32 %r9, 80; bra z;\nc: mov.u32 %r9, 90;\nz:\n" +
                  kPtxEnd,
              {70, 80, 60});
}

// 0x04030201 and 8, a part of an address moved to its place, and the address of a shared array.
TEST(PtxWritten, VariablesBeginAsTheyDid) {
  expect_same(
      ".const .align 4 .b8 c[8] = {1, 2, 3, 4, 8};\n.shared .align 4 .b32 s[2];\n.extern .shared .align 4 .b8 d[];\n"
      ".global .align 8 .u64 v[3] = {generic(s)+4, c, 7};\n.global .align 1 .b8 part[2] = {0xff(s+1), 0xff00(s+257)};\n"
      ".global .f32 f = 0f3FC00000;\n" +
          kPtxBegin +
          "ld.const.u32 %r2, [c]; ld.global.u64 %rd3, [v+8]; ld.const.u8 %r3, [%rd3+4];\n"
          "st.shared.u32 [s+4], 50; ld.global.u64 %rd4, [v]; ld.u32 %r4, [%rd4]; st.shared.u32 [d+8], 600;\n"
          "mov.u32 %r5, d; ld.shared.u32 %r5, [%r5+8]; ld.global.u8 %r6, [part+1]; ld.global.u32 %r7, [f];\n"
          "sub.u32 %r2, %r2, 0x04030201; sub.u32 %r7, %r7, 0x3FC00000; add.u32 %r9, %r3, %r4; add.u32 %r9, %r9, %r5;\n"
          "mad.lo.u32 %r9, %r6, 1000, %r9; add.u32 %r9, %r9, %r2; add.u32 %r9, %r9, %r7;\n" +
          kPtxEnd,
      {1000 + 600 + 50 + 8});
}

TEST(PtxWritten, LocalMemoryAndGenericAddresses) {
  expect_same(
      ".func (.param .align 8 .b8 r[16]) pair(.param .align 8 .b8 n[16]) { .reg .b32 %r<4>; .reg .b64 %a;\n"
      ".local .align 8 .b8 l[24]; ld.param.v2.u32 {%r1, %r2}, [n+8]; st.local.u32 [l+20], %r1;\n"
      "mov.u64 %a, l; cvta.local.u64 %a, %a; ld.u32 %r3, [%a+20]; st.param.b32 [r+12], %r3; st.param.b32 [r], %r2; "
      "ret; }\n" +
          kPtxBegin +
          ".local .align 4 .b32 m[4]; .reg .b64 %m; mov.u64 %m, m; cvta.local.u64 %m, %m; st.u32 [%m+8], %r1;\n"
          "ld.local.u32 %r2, [m+8]; add.u32 %r3, %r2, 30;\n"
          "{ .param .align 8 .b8 a[16]; st.param.b32 [a+8], %r3; st.param.b32 [a+12], %r2; .param .align 8 .b8 b[16];\n"
          "setp.lt.u32 %p1, %r1, 2; mov.u32 %r9, 5; @!%p1 bra z; call (b), pair, (a); ld.param.b32 %r4, [b+12];\n"
          "ld.param.b32 %r5, [b]; mad.lo.u32 %r9, %r4, 100, %r5; z: }\n" +
          kPtxEnd,
      {3000, 3101, 5});
}

TEST(PtxWritten, TheDriversFunctions) {
  expect_same(
      ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);\n"
      ".extern .func (.param .b64 r) malloc (.param .b64 s);\n.extern .func free (.param .b64 a);\n"
      ".global .align 1 .b8 format[5] = {60,37,117,62,0};\n" +
          kPtxBegin +
          "{ .param .b64 p0; st.param.b64 [p0], 8; .param .b64 r0; call.uni (r0), malloc, (p0);\n"
          "ld.param.b64 %rd4, [r0]; } st.u32 [%rd4], %r1; ld.u32 %r9, [%rd4];\n"
          "{ .local .align 8 .b8 args[8]; .reg .b64 %a, %f; st.local.u32 [args], %r9; cvta.global.u64 %f, format;\n"
          "mov.u64 %a, args; cvta.local.u64 %a, %a; .param .b64 p0; st.param.b64 [p0], %f; .param .b64 p1;\n"
          "st.param.b64 [p1], %a; .param .b32 r0; call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; }\n"
          "{ .param .b64 p0; st.param.b64 [p0], %rd4; call.uni free, (p0); } add.u32 %r9, %r9, %r2;\n" +
          kPtxEnd,
      {1, 2}, "<0><1>");
}

TEST(PtxWritten, ALaunchsLimitsStay) {
  for (const std::string limit : {".maxntid 96", ".reqntid 8, 4, 1"}) {
    const auto made = written(".visible .entry k(.param .u64 y) " + limit + " { ret; }\n");
    ASSERT_TRUE(std::holds_alternative<PtxKernel>(made));
    EXPECT_NE(std::get<PtxKernel>(made).text.find("\n" + limit + "\n"), std::string::npos);
  }
}

TEST(PtxWritten, WhatCannotBeWrittenIsSaid) {
  const auto fault_of = [](const std::string& text) {
    const auto made = written(text);
    const PtxUnsupported* const fault = std::get_if<PtxUnsupported>(&made);
    return fault == nullptr ? "" : fault->message;
  };
  EXPECT_EQ(fault_of(kPtxBegin + "tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [t, {%r5}];" + kPtxEnd),
            "`tex.1d.v4.f32.s32` in line 8 is not supported: textures and surfaces");
  EXPECT_EQ(fault_of(".visible .entry k(.param .align 8 .b8 s[16]) { .reg .b64 %a; .reg .b32 %r;\n"
                     "mov.u64 %a, s; ld.param.u32 %r, [%a+4]; ret; }\n"),
            "line 5 takes a kernel's parameters by their address, which cannot be written");
  EXPECT_EQ(
      fault_of(".extern .func f();\n.global .u64 t[1] = {f};\n" + kPtxBegin + "ld.global.u64 %rd3, [t];" + kPtxEnd),
      "`t` holds the address of a function without a body");
}

}  // namespace
}  // namespace warpsim
