// Which products and sums ptxas may fuse, and the text in which it may not.
//
// Source: PTX ISA 9.0, 9.7.3 and 9.7.4: an add, sub or mul without a rounding modifier may be contracted.
#include "isa/ptx/ptx_fusing.h"

#include <gtest/gtest.h>

#include "isa/ptx/ptx_reader.h"

namespace warpsim::ptx {
namespace {

ReadModule fusing_module(const std::string& body) {
  ReadModule read =
      read_module(".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n" + body + "\n}\n", "k.ptx");
  EXPECT_EQ(read.diagnostics.render(), "") << body;
  return read;
}
std::string rounded(const std::string& body) {
  const std::string text = with_roundings(fusing_module(body).module);
  const std::size_t begin = text.find("{\n") + 2;
  return text.substr(begin, text.rfind("\n}") - begin);
}
std::string pairs(const std::string& body) {
  std::string all;
  for (const FusedPair& one : fused_pairs(fusing_module(body).module.functions.at(0)))
    all += (all.empty() ? "" : " ") + std::to_string(one.product.line - 4) + "+" + std::to_string(one.sum.line - 4);
  return all;
}
std::string fused(const std::string& body) {
  const std::string text = with_fused_pairs(fusing_module(body).module);
  EXPECT_EQ(read_module(text, "fused.ptx").diagnostics.render(), "") << text;
  const std::size_t begin = text.find("{\n") + 2;
  return text.substr(begin, text.rfind("\n}") - begin);
}

TEST(PtxFusing, RoundingsAreNamedWhereNoneIs) {
  EXPECT_EQ(rounded("mul.f32 %f1, %f2, %f3; @%p sub.ftz.sat.f32 %f1, %f1, 0f3F800000;"),
            "mul.rn.f32 %f1, %f2, %f3; @%p sub.rn.ftz.sat.f32 %f1, %f1, 0f3F800000;");
  for (const char* type : {"f16", "f16x2", "bf16", "bf16x2", "f32x2", "f64"})
    EXPECT_EQ(rounded("add." + std::string(type) + " a, b, c;"), "add.rn." + std::string(type) + " a, b, c;");
}

TEST(PtxFusing, WhatNamesARoundingOrIsNoFloatStays) {
  for (const char* body : {"mul.rz.f32 a, b, c;", "add.rn.f64 a, b, c;", "mul.lo.s32 a, b, c;", "mul.wide.u16 a, b, c;",
                           "add.s32 a, b, c;", "add.cc.u32 a, b, c;", "fma.rn.f32 a, b, c, d;",
                           "atom.global.add.f32 a, [b], c;", "red.global.add.f32 [b], c;", "sub.u64 a, b, c;"})
    EXPECT_EQ(rounded(body), body);
}

TEST(PtxFusing, LinesOfLocAreLeftEmptyWhereNothingElseStandsThere) {
  EXPECT_EQ(without_locations("\t.loc\t1 6 0, function_name $L__info_string0+4, inlined_at 1 9 3\n\tret;"), "\n\tret;");
  EXPECT_EQ(without_locations(".version 9.0\n.target sm_80, debug\n.file"), ".version 9.0\n.target sm_80\n.file");
  EXPECT_EQ(without_locations("\n.target sm_80\n.b8 x, debug;"), "\n.target sm_80\n.b8 x, debug;");
  EXPECT_EQ(without_locations("\t.loc\t1 6 0 ret;\n"), "\t.loc\t1 6 0 ret;\n");
}

// As ptxas 13.0 does it, by its machine code: the same as of the text with the fma, and another than of that without.
TEST(PtxFusing, TheFirstProductOfASumIsFused) {
  EXPECT_EQ(fused("mul.f32 a, b, c; add.f32 d, a, e;"), "mul.f32 a, b, c; fma.rn.f32 d, b, c, e;");
  EXPECT_EQ(fused("mul.f32 a, b, 0f40000000; @!%p add.sat.f32 d, e, a;"),
            "mul.f32 a, b, 0f40000000; @!%p fma.rn.sat.f32 d, b, 0f40000000, e;");
  EXPECT_EQ(fused("mul.ftz.f32 a, b, c; mul.ftz.f32 f, g, h; add.ftz.f32 d, f, a;"),
            "mul.ftz.f32 a, b, c; mul.ftz.f32 f, g, h; fma.rn.ftz.f32 d, g, h, a;");
  EXPECT_EQ(fused("mul.f64 a, b, c; sub.f64 d, a, e;"),
            "mul.f64 a, b, c; { .reg .f64 %negated; neg.f64 %negated, e; fma.rn.f64 d, b, c, %negated; }");
  EXPECT_EQ(fused("mul.f16 a, b, c; @%p sub.f16 d, e, a;"),
            "mul.f16 a, b, c; { .reg .b16 %negated; neg.f16 %negated, b; @%p fma.rn.f16 d, %negated, c, e; }");
}

TEST(PtxFusing, AProductIsFusedWithAllItsUses) {
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.f32 d, a, e;\nsub.f32 f, e, a;"), "1+2 1+3");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.f32 d, a, e;\nst.global.f32 [x], a;"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.f32 d, a, e;\nst.global.v2.f32 [x], {a, d};"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.f32 d, a, e;\ncall f, (a);"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.f32 d, a, a;"), "") << "2 a: it is needed by itself";
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nmul.f32 f, g, h;\nadd.f32 d, f, a;\nadd.f32 i, a, e;"), "2+3")
      << "a is a term of the first sum that stays a term";
}

TEST(PtxFusing, WhatIsNoPairStays) {
  EXPECT_EQ(pairs("mul.rn.f32 a, b, c;\nadd.f32 d, a, e;"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.rn.f32 d, a, e;"), "");
  EXPECT_EQ(pairs("mul.ftz.f32 a, b, c;\nadd.f32 d, a, e;"), "");
  EXPECT_EQ(pairs("mul.sat.f32 a, b, c;\nadd.f32 d, a, e;"), "") << "no fma has a product that is clamped";
  EXPECT_EQ(pairs("@%p mul.f32 a, b, c;\n@%p add.f32 d, a, e;"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nmov.f32 b, e;\nadd.f32 d, a, e;"), "") << "a factor is gone";
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nmov.f32 a, e;\nadd.f32 d, a, e;"), "") << "the product is gone";
  EXPECT_EQ(pairs("mul.f32 a, b, c;\n@%p bra L;\nadd.f32 d, a, e;\nL: ret;"), "");
  EXPECT_EQ(pairs("mul.lo.s32 a, b, c;\nadd.s32 d, a, e;"), "");
}

TEST(PtxFusing, BehindALabelFactorsMustBeWhatTheyWere) {
  EXPECT_EQ(pairs("mov.f32 b, g;\nmov.f32 c, g;\nmul.f32 a, b, c;\nL:\nadd.f32 d, a, e;"), "3+5");
  EXPECT_EQ(pairs("mov.f32 b, g;\nmov.f32 c, g;\nmul.f32 a, b, c;\nL:\nadd.f32 d, a, e;\nmov.f32 b, d;"), "");
}

}  // namespace
}  // namespace warpsim::ptx
