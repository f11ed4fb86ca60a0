// Several kernels in one text, and what a module knows of them.
#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"
#include "isa/assembly/disassembler.h"
#include "tests/isa/assembly/program_equality.h"

namespace warpsim {
namespace {

constexpr const char* kTwo = R"(// Two kernels.
.group pair
.shared f32 tile[WARP_SZ]
.title "First"
.kernel first (in input: f32[n], param n: u32 = WARP_SZ, param wide: u64 = 1, param half: f16 = 1, out output: f32[n])
        ld.global.f32   %x, input[%gtid]
again:  .phase "Store"
        st.shared.f32   tile[%laneid], %x
        st.global.f32   output[%gtid], %x
        exit
.case test
        input = i
.title "Second"
.twin pair/first
.kernel second (out output: u32[WARP_SZ])
.shared .align 16 u32 more[3]
again:  mov.u32         %x, %laneid
        st.shared.u32   more[0], %x
        st.shared.f32   tile[%laneid], 1.0
        st.global.u32   output[%gtid], %x
        exit
.case test
        expect output = i
)";

TEST(Kernels, EachHasItsOwnNamesAndItsOwnLesson) {
  const Assembled made = assemble(kTwo, "two.warp");
  ASSERT_EQ(made.lessons.size(), 2U) << made.diagnostics.render();
  const Lesson& first = made.lessons[0];
  const Lesson& second = made.lessons[1];
  EXPECT_EQ(first.full_name() + " " + second.full_name(), "pair/first pair/second");
  EXPECT_EQ(first.title + " " + second.title, "First Second");
  EXPECT_EQ(first.header, "Two kernels.");
  EXPECT_EQ(second.header, "");
  EXPECT_EQ(second.twin_of, "pair/first");
  EXPECT_EQ(first.phases.size(), 1U);
  EXPECT_EQ(second.phases.size(), 0U);
  EXPECT_EQ(first.cases.size() + second.cases.size(), 2U);
  EXPECT_EQ(first.labels.front().second, 1);
  EXPECT_EQ(second.labels.front().second, 0);
  EXPECT_EQ(first.registers.front().shown_as, Type::F32);
  EXPECT_EQ(second.registers.front().shown_as, Type::U32);
}

TEST(Kernels, OneModuleHasThemAll) {
  const Assembled made = assemble(kTwo, "two.warp");
  ASSERT_EQ(made.lessons.size(), 2U) << made.diagnostics.render();
  const Module& module = *made.lessons[0].module;
  EXPECT_EQ(&module, made.lessons[1].module.get());
  ASSERT_EQ(module.functions.size(), 2U);
  EXPECT_EQ(module.functions[1].name, "second");
  EXPECT_EQ(module.functions[1].where.line, 15U);
  ASSERT_EQ(module.objects.size(), 1U);
  EXPECT_EQ(module.objects[0].name, "tile");
  ASSERT_EQ(module.files.size(), 1U);
  EXPECT_EQ(module.files[0].name, "two.warp");
  EXPECT_EQ(module.files[0].text.string(), kTwo);
  EXPECT_EQ(made.lessons[1].source(made.lessons[1].code[0].where).name, "two.warp");
}

// As C lays out a struct of a pointer, a 32-bit, a 64-bit and a 16-bit number, and a pointer.
TEST(Kernels, ParametersHaveTheOffsetsOfAStruct) {
  const Assembled made = assemble(kTwo, "two.warp");
  ASSERT_FALSE(made.lessons.empty()) << made.diagnostics.render();
  std::vector<std::uint32_t> offsets, sizes;
  for (const Param& p : made.lesson()->params) {
    offsets.push_back(p.offset_bytes);
    sizes.push_back(p.size_bytes());
  }
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 8, 16, 24, 32}));
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{8, 4, 8, 2, 8}));
}

// Three words at 0, then 20 bytes of bytes would begin at 12: 16 is the next multiple.
TEST(Kernels, SharedArraysAreAlignedAsTheySay) {
  const Assembled made =
      assemble(".kernel k ()\n.shared u32 a[3]\n.shared .align 16 u8 b[20]\n.shared u64 c[1]\nexit\n", "k.warp");
  ASSERT_FALSE(made.lessons.empty()) << made.diagnostics.render();
  EXPECT_EQ(shared_offsets(made.lesson()->objects, 32), (std::vector<std::uint64_t>{0, 16, 40, 48}));
}

TEST(Kernels, GoThroughTheAssemblerAndBack) {
  const Assembled made = assemble(kTwo, "two.warp");
  ASSERT_EQ(made.lessons.size(), 2U) << made.diagnostics.render();
  for (const Lesson& lesson : made.lessons) {
    const Assembled again = assemble(disassemble(lesson), "again.warp");
    ASSERT_EQ(again.lessons.size(), 1U) << again.diagnostics.render();
    EXPECT_EQ(difference(lesson, again.lessons.front()), "");
  }
}

TEST(Kernels, WhatIsSaidOfNoKernelIsRefused) {
  const Assembled made = assemble(".kernel k ()\nexit\n.title \"late\"\n", "k.warp");
  EXPECT_TRUE(made.lessons.empty());
  EXPECT_NE(made.diagnostics.render().find("k.warp:3:1: error[A007]: there is no .kernel after this directive"),
            std::string::npos)
      << made.diagnostics.render();
}

TEST(Kernels, AFaultInOneRefusesTheText) {
  const Assembled made = assemble(".kernel a ()\nexit\n.kernel b ()\nbra nowhere\n", "k.warp");
  EXPECT_TRUE(made.lessons.empty());
  EXPECT_NE(made.diagnostics.render().find("k.warp:4:5: error[A024]: no label `nowhere`"), std::string::npos)
      << made.diagnostics.render();
}

}  // namespace
}  // namespace warpsim
