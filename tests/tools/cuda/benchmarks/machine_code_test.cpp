// Listings of machine code, and how they compare with a program. The listings are what ptxas 13.0 made for sm_90.
#include "tools/cuda/benchmarks/machine_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/assembly/assembler.h"

namespace warpsim {
namespace {

// As `cuobjdump -sass` prints it.
constexpr const char* kListing = R"(
	code for sm_90
		Function : scan
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
        /*0100*/                   LDG.E R11, desc[UR4][R4.64] ;                     /* 0x00000004040b7981 */
                                                                                     /* 0x000f62000c1e1900 */
        /*0110*/                   CS2R.32 R12, SR_CLOCKLO ;                         /* 0x00000000000c7805 */
        /*0120*/                   CS2R R4, SR_CLOCKLO ;                             /* 0x0000000000047805 */
        /*0130*/                   UMOV UR6, 0xffffffff ;                            /* 0xffffffff00067882 */
        /*0140*/                   BRA.DIV UR6, `(.L_x_1) ;                          /* 0x0000000206f87947 */
        /*0150*/                   SHFL.UP P0, R8, R11, 0x1, RZ ;                    /* 0x042000000b087989 */
        /*0160*/              @P0  IMAD.IADD R11, R8, 0x1, R11 ;                     /* 0x00000001080b0824 */
        /*0170*/                   CS2R R8, SR_CLOCKLO ;                             /* 0x0000000000087805 */
        /*0180*/                   EXIT ;                                            /* 0x000000000000794d */
.L_x_1:
        /*0190*/                   WARPSYNC.COLLECTIVE R9, `(.L_x_4) ;               /* 0x0000000009087348 */
)";

CodeVerdict verdict(const std::string& body, const std::vector<std::string>& opcodes) {
  Assembled made = assemble(".kernel k (in x: u32[32])\n" + body + "exit\n", "test.warp");
  EXPECT_TRUE(made.lesson() != nullptr) << made.diagnostics.render();
  if (!made.lesson()) return {};
  const std::int32_t last = static_cast<std::int32_t>(made.lesson()->code.size()) - 1;
  return compare_code(*made.lesson(), 2, last, opcodes);
}
// Behind two lines that give values.
const std::string kBefore = "mov.u32 %a, %laneid\nadd.u32 %b, %a, 3\n";
using Kind = CodeVerdict::Kind;

TEST(MachineCode, AListingIsRead) {
  const std::vector<MachineInsn> code = parse_machine_code(kListing);
  ASSERT_EQ(code.size(), 10U);
  EXPECT_EQ(code[6].guard, "@P0");
  EXPECT_EQ(code[6].opcode, "IMAD.IADD");
  EXPECT_EQ(code[6].operands, "R11, R8, 0x1, R11");
  EXPECT_TRUE(parse_machine_code("cuobjdump info: no text section").empty());
}

TEST(MachineCode, TheRegionIsBetweenTheLastTwoClocks) {
  const std::vector<std::string> expected = {"UMOV", "BRA.DIV", "SHFL.UP", "IMAD.IADD"};
  EXPECT_EQ(region_opcodes(parse_machine_code(kListing)), expected);
  EXPECT_TRUE(region_opcodes(parse_machine_code("/*0000*/ CS2R R4, SR_CLOCKLO ;\n/*0010*/ EXIT ;\n")).empty());
}

TEST(MachineCode, WhatKeepsLanesInOrderIsNoDifference) {
  const std::string scan = kBefore + "shfl.up.b32 %o|%p, %a, 1\n@%p add.u32 %a, %a, %o\n";
  EXPECT_EQ(verdict(scan, region_opcodes(parse_machine_code(kListing))).kind, Kind::Same);
  EXPECT_EQ(verdict(scan, {"UMOV", "SHFL.UP", "IADD3"}).kind, Kind::Differs);  // a UMOV without a BRA.DIV
  const std::string branch =
      kBefore + "setp.eq.u32 %p, %a, %b\n@%p bra out\nadd.u32 %a, %a, %b\nout: add.u32 %b, %a, %b\n";
  EXPECT_EQ(verdict(branch, {"ISETP.NE.AND", "BSSY", "BRA", "IADD3", "BSYNC", "IADD3"}).kind, Kind::Same);
}

TEST(MachineCode, SomeInstructionsAreTwoOrNone) {
  EXPECT_EQ(verdict(kBefore + "clz.b32 %a, %a\nadd.u32 %a, %a, %b\n", {"FLO.U32", "IADD3", "IMAD.IADD"}).kind,
            Kind::Same);
  EXPECT_EQ(verdict(kBefore + "redux.add.s32 %a, %a\nredux.add.s32 %a, %a\n",
                    {"REDUX.SUM.S32", "IMAD.U32", "REDUX.SUM.S32", "MOV"})
                .kind,
            Kind::Same);
  EXPECT_EQ(verdict(kBefore + "mov.u32 %c, %a\nadd.u32 %a, %c, %b\n", {"IADD3"}).kind, Kind::Same);
  EXPECT_EQ(verdict(kBefore + "mov.u32 %c, %a\nadd.u32 %a, %c, %b\n", {"MOV", "IADD3"}).kind, Kind::Same);
}

TEST(MachineCode, AnotherOrderIsSaid) {
  const CodeVerdict found = verdict(kBefore + "add.u32 %a, %a, %b\nshfl.bfly.b32 %c, %b, 1\n", {"SHFL.BFLY", "IADD3"});
  EXPECT_EQ(found.kind, Kind::Reordered);
  EXPECT_EQ(found.difference, "instruction 1 is add.u32, but SHFL.BFLY is there");
}

TEST(MachineCode, AnotherOrderIsNamedWhereItBegins) {
  // A shared load may have its element's address before it: the common part is as long as it can be.
  const std::string load = ".shared u32 tile[32]\n" + kBefore + "st.shared.u32 tile[%a], %b\n";
  const std::string body = "ld.shared.u32 %c, tile[%b]\nmul.lo.u32 %c, %c, %a\nadd.u32 %c, %c, %b\n";
  const CodeVerdict found = verdict(load + body, {"LEA", "STS", "LEA", "LDS", "IADD3", "IMAD"});
  EXPECT_EQ(found.kind, Kind::Reordered);
  EXPECT_EQ(found.difference, "instruction 3 is mul.lo.u32, but IADD3 is there");
  const CodeVerdict behind = verdict(kBefore + "mov.u32 %c, %a\nadd.u32 %a, %c, %b\n", {"IADD3", "MOV"});
  EXPECT_EQ(behind.kind, Kind::Reordered);
  EXPECT_EQ(behind.difference, "MOV comes after the last instruction");
}

TEST(MachineCode, ADifferenceIsCounted) {
  const CodeVerdict found = verdict(kBefore + "add.u32 %a, %a, %b\nadd.u32 %a, %a, %b\nmul.lo.u32 %a, %a, %b\n",
                                    {"IADD3", "IMAD", "IMAD.MOV.U32", "IMAD.MOV.U32"});
  EXPECT_EQ(found.kind, Kind::Differs);
  EXPECT_EQ(found.difference, "without 1 add.u32; with 2 IMAD.MOV.U32 more");
}

TEST(MachineCode, WithoutAListingNothingIsKnown) {
  EXPECT_EQ(verdict(kBefore + "add.u32 %a, %a, %b\n", {}).kind, Kind::Unknown);
}

TEST(MachineCode, PackedOpcodesComeBack) {
  const std::vector<std::string> opcodes = {"IMAD", "IMAD", "IMAD", "SHFL.BFLY", "IMAD"};
  EXPECT_EQ(pack_opcodes(opcodes), "IMAD*3 SHFL.BFLY IMAD");
  EXPECT_EQ(unpack_opcodes("IMAD*3 SHFL.BFLY IMAD"), opcodes);
  EXPECT_TRUE(unpack_opcodes("").empty());
}

}  // namespace
}  // namespace warpsim
