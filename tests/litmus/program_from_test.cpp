// Programs of warpsim as litmus programs: qualifiers of loads and stores, guards, shared memory, and what is refused.
#include "tests/litmus/program_from.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "isa/assembly/assembler.h"
#include "sim/launch/launch.h"
#include "tests/litmus/model.h"

namespace warpsim::litmus {
namespace program_from_test {

Lesson lesson(const std::string& body, const std::string& launch) {
  const Assembled made = assemble(".kernel k (inout x: u32[1], inout y: u32[1], out seen: u32[2])\n" + body +
                                      "\n exit\n.case test\n " + launch + "\n x = 0\n y = 0\n",
                                  "k.warp");
  EXPECT_TRUE(made.lesson()) << made.diagnostics.render();
  return made.lesson() ? *made.lesson() : Lesson{};
}

FromProgram from(const Lesson& program) {
  if (program.cases.empty()) return {{}, "no case"};
  CaseOverrides overrides;
  overrides.lanes = 4;
  const std::variant<PreparedCase, LaunchError> prepared = prepare_case(program, program.cases.at(0), overrides);
  const PreparedCase* const ready = std::get_if<PreparedCase>(&prepared);
  EXPECT_NE(ready, nullptr);
  return ready != nullptr ? litmus_of(program, *ready) : FromProgram{{}, std::get<LaunchError>(prepared).message};
}

constexpr const char* kTwoBlocks = "grid = 2\n block = 1";
constexpr const char* kMessage =
    " setp.eq.u32 %second, %ctaid.x, 1\n @%second bra look\n st.global.u32 x[0], 1\n st.global.u32 y[0], 1\n exit\n"
    "look: ld.global.u32 %up, y[0]\n setp.eq.u32 %down, %up, 0\n @%down exit\n ld.global.u32 %val, x[0]\n"
    " st.global.u32 seen[0], %val";

// The instructions of kMessage that raise the flag and look at it.
constexpr std::size_t kRaise = 3, kLook = 5;

std::size_t races_with(const MemoryQualifiers& raise, const MemoryQualifiers& look) {
  Lesson program = lesson(kMessage, kTwoBlocks);
  program.code.at(kRaise).mods.memory = raise;
  program.code.at(kLook).mods.memory = look;
  const FromProgram made = from(program);
  EXPECT_EQ(made.refused, "");
  return judge(made.program).races.size();
}

TEST(LitmusFromProgram, LoadsAndStoresHaveTheirQualifiers) {
  const MemoryQualifiers none, release{.semantics = Semantics::Release, .scope = warpsim::Scope::Gpu},
      acquire{.semantics = Semantics::Acquire, .scope = warpsim::Scope::Gpu},
      narrow{.semantics = Semantics::Acquire, .scope = warpsim::Scope::Cta},
      relaxed{.semantics = Semantics::Relaxed, .scope = warpsim::Scope::Gpu},
      as_volatile{.semantics = Semantics::Volatile};
  EXPECT_EQ(races_with(none, none), 2U) << "the flag and the data";
  EXPECT_EQ(races_with(release, acquire), 0U);
  EXPECT_EQ(races_with(release, relaxed), 1U) << "the data";
  EXPECT_EQ(races_with(as_volatile, as_volatile), 1U) << "volatile is relaxed, for the system";
  EXPECT_EQ(races_with(release, narrow), 2U) << "the reader does not reach the writer";
}

TEST(LitmusFromProgram, SharedMemoryIsTheBlocksOwn) {
  const std::string body =
      " .shared u32 tile[1]\n setp.eq.u32 %first, %tid.x, 0\n @%first st.shared.u32 tile[0], 1\n"
      " @!%first ld.shared.u32 %val, tile[0]";
  EXPECT_EQ(judge(from(lesson(body, "grid = 2\n block = 2")).program).races.size(), 2U) << "one in each block";
  EXPECT_EQ(judge(from(lesson(body, "grid = 2\n block = 1")).program).races.size(), 0U);
}

TEST(LitmusFromProgram, ArithmeticIsThatOfTheInstructions) {
  const FromProgram made =
      from(lesson(" mov.u32 %a, 3\n shl.b32 %a, %a, 4\n sub.u32 %a, %a, 50\n setp.lt.s32 %p, %a, 0\n"
                  " selp.u32 %b, 7, 9, %p\n mad.lo.u32 %b, %b, %b, 1\n st.global.u32 seen[0], %a\n"
                  " st.global.u32 seen[1], %b",
                  "block = 1"));
  ASSERT_EQ(made.refused, "");
  const Verdict verdict = judge(made.program);
  ASSERT_EQ(verdict.outcomes.size(), 1U);
  // 3 * 16 - 50 is -2, so 7 is taken: 7 * 7 + 1.
  EXPECT_EQ(buffer_of(made.program, *verdict.outcomes.begin(), "seen"), (std::vector<std::uint64_t>{0xFFFFFFFE, 50}));
}

TEST(LitmusFromProgram, WhatCannotBeSaidIsRefusedByName) {
  const auto refused = [](const std::string& body) { return from(lesson(body, "block = 1")).refused; };
  EXPECT_EQ(refused(" setp.eq.u32 %q, %tid.x, 0\n vote.any.pred %p, %q"), "an instruction: vote.any");
  EXPECT_EQ(refused(" setp.eq.u32 %p, %tid.x, 0\n bar.red.popc.u32 %n, 0, %p"), "an instruction: bar.red.popc");
  EXPECT_EQ(refused(" bar.sync 0, 4"), "a barrier for some of the block's threads");
  EXPECT_EQ(refused(" mov.u64 %p, x\n ld.global.u32 %v, [%p]"),
            "an operand that is no register, integer or special register");
  EXPECT_EQ(refused(" mov.u32 %m, %lanemask_lt"), "a special register: %lanemask_lt");
}

}  // namespace program_from_test
}  // namespace warpsim::litmus
