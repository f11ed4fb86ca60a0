// Arrays in shared memory have the names and the elements that their author wrote.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"

namespace warpsim::ptx {
namespace {

Program with_arrays(const std::string& arrays, const std::string& body) {
  ReadModule read =
      read_module(".version 9.0\n.target sm_90\n.address_size 64\n" + arrays +
                      ".visible .entry k() {\n.reg .b32 %r<4>; .reg .f32 %f<4>; .reg .f64 %d<2>; .reg .b64 %rd<3>;\n" +
                      body + "ret; }\n",
                  "k.ptx");
  EXPECT_FALSE(read.diagnostics.has_errors()) << read.diagnostics.render();
  Diagnostics diagnostics;
  std::optional<Program> program = make_program(read.module, read.module.functions.front(), diagnostics);
  EXPECT_TRUE(program.has_value()) << diagnostics.render();
  return program.value_or(Program{});
}

constexpr const char* kTile = ".shared .align 4 .b8 _ZZ3revPKfPfE4tile[256];\n";
// The same name in another function, and an array of the module's own.
constexpr const char* kOther = ".shared .align 4 .b8 _ZZ4rev2PKfPfE4tile[64];\n.shared .align 4 .b8 own[8];\n";

TEST(PtxSharedArrays, ANameLosesItsFunctionAndBytesBecomeElements) {
  const Program program =
      with_arrays(kTile, "mov.u32 %r1, _ZZ3revPKfPfE4tile; ld.shared.u32 %r2, [%r1]; st.shared.f32 [%r1+4], %f1;\n");
  ASSERT_EQ(program.objects.size(), 1U);
  EXPECT_EQ(program.element_name(AddressSpace::Shared, 0, 63), "tile[63]");
  EXPECT_EQ(program.objects[0].type, Type::F32) << "a float says more than an integer of its width";
  EXPECT_EQ(program.objects[0].length.evaluate(32), 64);
  EXPECT_EQ(program.objects[0].alignment(), 4U);
}

TEST(PtxSharedArrays, OfTwoWithOneNameTheSecondKeepsItsOwn) {
  const Program program =
      with_arrays(std::string(kTile) + kOther,
                  "mov.u32 %r1, _ZZ3revPKfPfE4tile; mov.u32 %r2, _ZZ4rev2PKfPfE4tile; mov.u32 %r3, own;\n");
  ASSERT_EQ(program.objects.size(), 3U);
  EXPECT_EQ(program.objects[0].name, "tile");
  EXPECT_EQ(program.objects[1].name, "_ZZ4rev2PKfPfE4tile");
  EXPECT_EQ(program.objects[2].name, "own");
  EXPECT_EQ(program.objects[0].type, Type::B8) << "nothing accesses it";
}

TEST(PtxSharedArrays, AccessesOfSeveralWidthsSayNothing) {
  const Program program =
      with_arrays(kTile, "mov.u32 %r1, _ZZ3revPKfPfE4tile; ld.shared.u32 %r2, [%r1]; ld.shared.f64 %d1, [%r1+8];\n");
  EXPECT_EQ(program.objects[0].type, Type::B8);
  EXPECT_EQ(program.objects[0].length.evaluate(32), 256);
}

TEST(PtxSharedArrays, WhatIsNotAlignedToElementsStaysBytes) {
  const Program program =
      with_arrays(".shared .align 4 .b8 a[16];\n.shared .align 8 .b8 b[12];\n.shared .align 8 .b8 c[16];\n",
                  "mov.u32 %r1, a; mov.u32 %r2, b; mov.u32 %r3, c; ld.shared.f64 %d1, [%r3];\n");
  EXPECT_EQ(program.objects[0].type, Type::B8) << "its alignment";
  EXPECT_EQ(program.objects[1].type, Type::B8) << "its size";
  EXPECT_EQ(program.objects[2].type, Type::F64);
}

}  // namespace
}  // namespace warpsim::ptx
