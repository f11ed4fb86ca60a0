// Which registers are copies of what never changes, and that they lie where it lies if nobody looks at registers.
#include "isa/program/constant_copies.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "sim/code/decode.h"
#include "sim/memory/memory.h"
#include "tests/support/kernel_text.h"

namespace warpsim {
namespace constant_copies_test {

constexpr const char* kParameters = "out o: u32[8], param n: u32";

Code decoded(const std::string& body, bool keeps_state) {
  const Lesson lesson = testing::kernel_of(body, kParameters);
  DeviceMemory memory;
  const Arguments arguments{{{"n", 7}}, {{"o", {Type::U32, std::vector<std::uint64_t>(8)}}}};
  const auto binding = bind(lesson, arguments, memory);
  LaunchConfig config;
  config.block.x = 32;
  config.keeps_state = keeps_state;
  return std::get<Code>(decode(lesson, config, std::get<Binding>(binding)));
}

// The registers that are copies, "%a %b".
std::string copies_in(const std::string& body) {
  const Lesson lesson = testing::kernel_of(body, kParameters);
  const std::vector<std::int32_t> made_at = constant_copies(lesson);
  return testing::names_where(lesson, [&](std::size_t reg) { return made_at[reg] >= 0; });
}

constexpr const char* kThreeCopies = R"(    mov.u32 %a, %tid.x
    mov.u32 %b, %a
    ld.param.u32 %c, [n]
    add.u32 %d, %b, %c
    st.global.u32 o[%a], %d
    exit
)";

TEST(ConstantCopies, LieWhereWhatTheyCopyLies) {
  EXPECT_EQ(copies_in(kThreeCopies), "%a %b %c");
  const Code code = decoded(kThreeCopies, false);
  const std::vector<DecodedInsn>& insns = code.insns;
  ASSERT_EQ(code.specials.size(), 1U);
  const std::uint32_t tid = code.specials[0].offset;
  for (const std::uint32_t row : {insns[0].dst, insns[0].a, insns[1].dst, insns[1].a, insns[3].a, insns[4].index})
    EXPECT_EQ(row, tid);
  EXPECT_EQ(row<std::uint32_t>(code.block_template.data(), insns[3].b)[31], 7U) << "the parameter's row";
  EXPECT_TRUE(insns[0].is_in_place && insns[1].is_in_place && insns[2].is_in_place);
  EXPECT_FALSE(insns[3].is_in_place);
  EXPECT_EQ(code.register_bytes, 32 * sizeof(std::uint32_t)) << "%d alone";
}

TEST(ConstantCopies, HaveRowsWhereSomebodyLooksAtRegisters) {
  const Code code = decoded(kThreeCopies, true);
  EXPECT_EQ(code.register_bytes, 4 * 32 * sizeof(std::uint32_t));
  for (const DecodedInsn& d : code.insns) EXPECT_FALSE(d.is_in_place) << d.pc;
}

TEST(ConstantCopies, OfConstantsAndSpecialRegisters) {
  EXPECT_EQ(copies_in("    mov.b16 %h, 1\n    mov.u32 %a, %ctaid.x\n    exit\n"), "%h %a");
}

TEST(ConstantCopies, OfWhatIsWrittenTwiceNothing) {
  EXPECT_EQ(copies_in("    mov.u32 %a, 1\n    mov.u32 %a, 2\n    st.global.u32 o[0], %a\n    exit\n"), "");
}

TEST(ConstantCopies, OfAGuardedCopyNothing) {
  EXPECT_EQ(copies_in(R"(    setp.eq.u32 %p, %laneid, 0
    @%p mov.u32 %a, 1
    st.global.u32 o[0], %a
    exit
)"),
            "");
}

TEST(ConstantCopies, NothingThatMayBeReadBefore) {
  EXPECT_EQ(copies_in(R"(    mov.u32 %n, 3
again: add.u32 %n, %n, %a
    mov.u32 %a, 1
    setp.lt.u32 %more, %n, 9
    @%more bra again
    st.global.u32 o[0], %n
    exit
)"),
            "");
}

TEST(ConstantCopies, NoCopiesOfRegistersOrClocks) {
  EXPECT_EQ(copies_in(R"(    add.u32 %a, %laneid, 1
    mov.u32 %b, %a
    mov.u32 %t, %clock
    st.global.u32 o[0], %b
    st.global.u32 o[1], %t
    exit
)"),
            "");
}

}  // namespace constant_copies_test
}  // namespace warpsim
