// Which instructions only compute addresses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/program/address_arithmetic.h"

namespace warpsim {
namespace {

std::vector<bool> of(const std::string& body) {
  const Assembled made =
      assemble(".kernel k (inout x: u32[64], param n: u32)\n" + body + " exit\n.case test\n n = 1\n", "k.warp");
  EXPECT_FALSE(made.diagnostics.has_errors()) << made.diagnostics.render();
  return made.lessons.empty() ? std::vector<bool>{} : address_arithmetic(made.lessons.front());
}

TEST(AddressArithmetic, ChainsThatEndInAnAccessCount) {
  EXPECT_EQ(of(" ld.param.u64 %base, [x]\n mul.wide.u32 %far, %tid.x, 4\n add.u64 %at, %base, %far\n ld.global.u32 %v, "
               "[%at]\n"
               " st.global.u32 [%at], %v\n"),
            (std::vector<bool>{true, true, true, false, false, false}));
}

TEST(AddressArithmetic, AnIndexThatIsUsedOtherwiseDoesNot) {
  // %i is compared, so that what it was computed from is no arithmetic of addresses either.
  EXPECT_EQ(of(" mov.u32 %i, %tid.x\n ld.param.u32 %n, [n]\n setp.lt.u32 %in, %i, %n\n ld.param.u64 %base, [x]\n "
               "mul.wide.u32 %far, "
               "%i, 4\n add.u64 %at, %base, %far\n @%in ld.global.u32 %v, [%at]\n"),
            (std::vector<bool>{false, false, false, true, true, true, false, false}));
  // What is stored is a value, though it is an address, too.
  EXPECT_EQ(of(" ld.param.u64 %base, [x]\n st.global.u64 [%base], %base\n"), (std::vector<bool>{false, false, false}));
}

TEST(AddressArithmetic, AnIndexIsWhatTheAuthorWrote) {
  // s[%i ^ 1]: the exclusive or is the author's, the shift and the sum are the compiler's.
  EXPECT_EQ(of(" mov.u32 %i, %tid.x\n xor.b32 %other, %i, 1\n shl.b32 %far, %other, 2\n add.u32 %at, %far, 64\n "
               "ld.shared.u32 %v, [%at]\n"),
            (std::vector<bool>{false, false, true, true, false, false}));
  // x[n - 1 - %i]
  EXPECT_EQ(
      of(" ld.param.u32 %n, [n]\n sub.u32 %left, %n, %tid.x\n mul.wide.u32 %far, %left, 4\n ld.param.u64 %base, [x]\n "
         "add.u64 %at, %base, %far\n ld.global.u32 %v, [%at]\n"),
      (std::vector<bool>{false, false, true, true, true, false, false}));
}

TEST(AddressArithmetic, WhatNobodyReadsOrLanesExchangeDoesNot) {
  EXPECT_EQ(of(" mov.u32 %unused, 1\n"), (std::vector<bool>{false, false}));
  EXPECT_EQ(
      of(" mov.u32 %one, %tid.x\n shfl.bfly.b32 %i, %one, 1\n mul.wide.u32 %far, %i, 4\n ld.param.u64 %base, [x]\n "
         "add.u64 "
         "%at, %base, %far\n ld.global.u32 %v, [%at]\n"),
      (std::vector<bool>{false, false, true, true, true, false, false}));
}

}  // namespace
}  // namespace warpsim
