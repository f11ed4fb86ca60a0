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
  for (const FusiblePair& one : fusible_pairs(fusing_module(body).module))
    all += (all.empty() ? "" : " ") + std::to_string(one.product.line - 4) + "+" + std::to_string(one.sum.line - 4);
  return all;
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
  EXPECT_EQ(rounded("\t.loc\t1 6 0, function_name $L__info_string0+4, inlined_at 1 9 3\n\tadd.f32 a, b, c;"),
            "\n\tadd.rn.f32 a, b, c;");
  EXPECT_EQ(rounded("\t.loc\t1 6 0 mul.f32 a, b, c;"), "\t.loc\t1 6 0 mul.rn.f32 a, b, c;");
}

TEST(PtxFusing, PairsAreCounted) {
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.f32 d, a, e;\nsub.f32 f, e, a;"), "1+2 1+3");
  EXPECT_EQ(pairs("mul.f64 a, b, c; neg.f64 g, a;\nmul.f64 h, b, c;\nadd.f64 d, h, a;"), "2+3") << "one a sum";
}

TEST(PtxFusing, WhatIsNoPairIsNotCounted) {
  EXPECT_EQ(pairs("mul.rn.f32 a, b, c;\nadd.f32 d, a, e;"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nadd.rn.f32 d, a, e;"), "");
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nmov.f32 a, e;\nadd.f32 d, a, e;"), "") << "the product is gone";
  EXPECT_EQ(pairs("mul.f32 a, b, c;\nL:\nadd.f32 d, a, e;"), "") << "others may come to the label";
  EXPECT_EQ(pairs("mul.sat.f32 a, b, c;\nadd.f32 d, a, e;"), "") << "no fma has a product that is clamped";
  EXPECT_EQ(pairs("mul.lo.s32 a, b, c;\nadd.s32 d, a, e;"), "");
}

}  // namespace
}  // namespace warpsim::ptx
