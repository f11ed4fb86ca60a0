// Which copies need not be made, and that who read them reads where they come from.
#include "sim/code/forward_copies.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "isa/assembly/assembler.h"
#include "sim/memory/memory.h"

namespace warpsim {
namespace forward_copies_test {

struct Forwarded {
  Lesson lesson;
  Code code;
};

Forwarded forwarded(const std::string& body) {
  const Assembled assembled = assemble(".kernel k (out o: u32[8], param n: u32)\n" + body, "test.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  Forwarded made{*assembled.lesson(), {}};
  DeviceMemory memory;
  const Arguments arguments{{{"n", 7}}, {{"o", {Type::U32, std::vector<std::uint64_t>(8)}}}};
  const auto binding = bind(made.lesson, arguments, memory);
  LaunchConfig config;
  config.block.x = 32;
  auto code = decode(made.lesson, config, std::get<Binding>(binding));
  EXPECT_TRUE(std::holds_alternative<Code>(code));
  made.code = std::get<Code>(std::move(code));
  forward_copies(made.lesson, made.code);
  return made;
}

// The pcs of copies that nobody reads: "0 2".
std::string unread_in(const std::string& body) {
  std::string pcs;
  for (const DecodedInsn& d : forwarded(body).code.insns)
    if (d.is_unread) pcs += (pcs.empty() ? "" : " ") + std::to_string(d.pc);
  return pcs;
}

TEST(ForwardCopies, ReadersGoToWhereTheValueIs) {
  const Forwarded made = forwarded(R"(    mov.u32 %a, %tid.x
    mov.u32 %b, %a
    ld.param.u32 %c, [n]
    add.u32 %d, %b, %c
    st.global.u32 o[%a], %d
    exit
)");
  const std::vector<DecodedInsn>& insns = made.code.insns;
  EXPECT_TRUE(insns[0].is_unread && insns[1].is_unread && insns[2].is_unread);
  EXPECT_FALSE(insns[3].is_unread);
  EXPECT_EQ(insns[3].a, insns[0].a) << "the row of %tid.x";
  EXPECT_EQ(insns[3].b, insns[2].a) << "the parameter's";
  EXPECT_EQ(insns[4].index, insns[0].a);
  EXPECT_GE(insns[0].a, made.code.register_bytes);
}

TEST(ForwardCopies, OfWhatIsWrittenTwiceNothing) {
  EXPECT_EQ(unread_in("    mov.u32 %a, 1\n    mov.u32 %a, 2\n    st.global.u32 o[0], %a\n    exit\n"), "");
}

TEST(ForwardCopies, OfAGuardedCopyNothing) {
  EXPECT_EQ(unread_in(R"(    setp.eq.u32 %p, %laneid, 0
    @%p mov.u32 %a, 1
    st.global.u32 o[0], %a
    exit
)"),
            "");
}

TEST(ForwardCopies, NothingThatMayBeReadBefore) {
  EXPECT_EQ(unread_in(R"(    mov.u32 %n, 3
again: add.u32 %n, %n, %a
    mov.u32 %a, 1
    setp.lt.u32 %more, %n, 9
    @%more bra again
    st.global.u32 o[0], %n
    exit
)"),
            "");
}

TEST(ForwardCopies, NothingThatOtherLanesRead) {
  EXPECT_EQ(unread_in(R"(    mov.u32 %a, %tid.x
    shfl.sync.bfly.b32 %b, %a, 1, 0x1f, 0xffffffff
    st.global.u32 o[0], %b
    exit
)"),
            "");
}

TEST(ForwardCopies, NoCopiesOfRegistersOrClocks) {
  EXPECT_EQ(unread_in(R"(    add.u32 %a, %laneid, 1
    mov.u32 %b, %a
    mov.u32 %t, %clock
    st.global.u32 o[0], %b
    st.global.u32 o[1], %t
    exit
)"),
            "");
}

}  // namespace forward_copies_test
}  // namespace warpsim
