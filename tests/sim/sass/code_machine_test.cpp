// Single machine instructions, written as words: what they do, what a step says of it, and what is refused.
//
// Shapes: a kernel of one block; predicates show as the lanes that a guarded EXIT ends.
// Source: encodings: isa/sass/instructions.def. What FCHK, R2UR and SHFL do was asked of an H200
// (docs/machine_code.md).
#include "sim/sass/code_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace warpsim::sass {
namespace code_machine_test {

constexpr std::uint64_t kControl = 0x000fe200'00000000;
constexpr Word kExit{0x794d, kControl | 0x03800000}, kExitIfP0{0x094d, kControl | 0x03800000},
    kExitIfP1{0x194d, kControl | 0x03800000}, kNothing{0x7918, kControl}, kUnknown{0x79ff, kControl};
constexpr Word kLane{0x7919, kControl};                               // S2R R0, SR_LANEID
constexpr Word kOthersThanFirst{0x00'3f72ca, kControl | 0x00000};     // R2UR P0, URZ, R0
constexpr Word kMeetBlock{0x7b1d, kControl | 0x00010000};             // BAR.SYNC.DEFER_BLOCKING 0x0
constexpr Word kBegin{0x20'00007945, kControl | 0x03800000};          // BSSY B0, 0x20 behind the next
constexpr Word kMeet{0x7941, kControl | 0x03800000};                  // BSYNC B0
constexpr Word kSkipIfP0{(4 << 16) | 0x0947, kControl | 0x03800000};  // @P0 BRA over one
constexpr Word kCheckDivision{0x00000001'00007302, kControl};         // FCHK P0, R0, R1
constexpr Word kLoad{0x02037981, kControl | 0x000c1e1900};            // LDG.E R3, desc[UR0][R2.64]
constexpr Word kClock{0x67805, kControl | 0x00005000};                // CS2R.32 R6, SR_CLOCKLO
constexpr Word kConstant{0x37b82, kControl | 0x0800};                 // LDC R3, c[0x0][R0]
constexpr Word move(unsigned to, std::uint32_t value) {               // MOV
  return {(std::uint64_t{value} << 32) | (to << 16) | 0x7802, kControl | 0x0f00};
}
// @P0 SHFL.BFLY PT, R3, R0, 0x1, 0x1f
constexpr Word kExchange{0x0c201f00'00030f89, kControl | 0x000e0000};
constexpr Word kIsThere{0x0300720c | (0xffULL << 32), kControl | 0x03f25070};  // ISETP.NE.AND P1, PT, R3, RZ, PT

struct Kernel {
  explicit Kernel(std::vector<Word> words) {
    cubin.target = 90;
    CodeSection& section = cubin.sections.emplace_back();
    section.name = "k";
    for (const Word word : words) section.words.push_back({word});
  }
  std::variant<CodeMachine, CodeRefusal> launched(std::uint32_t threads) {
    CodeLaunch launch;
    launch.grid = {1, 1, 1};
    launch.block = {threads, 1, 1};
    launch.memory = &memory;
    auto created = CodeMachine::create(cubin, cubin.sections[0], launch, 1);
    if (CodeMachine* const machine = std::get_if<CodeMachine>(&created)) machine->begin_block(0, 0);
    return created;
  }
  Cubin cubin;
  DeviceMemory memory;
};

// Steps of one warp until it ends.
std::vector<CodeStep> steps_of(Kernel kernel, std::uint32_t threads = 32) {
  auto created = kernel.launched(threads);
  std::vector<CodeStep> steps;
  if (!std::holds_alternative<CodeMachine>(created)) return steps;
  auto& machine = std::get<CodeMachine>(created);
  while (machine.next(0) >= 0) {
    if (!machine.step(0, 0, steps.emplace_back())) ADD_FAILURE() << machine.refusal().message;
    if (::testing::Test::HasFailure() || steps.size() > 100) break;
  }
  return steps;
}

TEST(CodeMachine, RefusesWhatItDoesNotKnowOnceItIsExecuted) {
  Kernel guarded({{(kUnknown.low & ~0xf000ULL) | 0xf000ULL, kUnknown.high}, kExit});  // @!PT
  auto never = guarded.launched(32);
  auto& machine = std::get<CodeMachine>(never);
  CodeStep step;
  EXPECT_TRUE(machine.step(0, 0, step));
  EXPECT_EQ(step.active, 0U);
  Kernel plain({kNothing, kUnknown, kExit});
  auto created = plain.launched(32);
  auto& other = std::get<CodeMachine>(created);
  EXPECT_TRUE(other.step(0, 0, step));
  EXPECT_FALSE(other.step(0, 0, step));
  EXPECT_EQ(other.refusal().message, "unknown 0x9ff is no instruction known here");
  EXPECT_EQ(other.refusal().at, 1);
  EXPECT_FALSE(other.refusal().is_fault);
}

TEST(CodeMachine, RefusesLaunchesThatCannotBe) {
  Kernel kernel({kExit});
  kernel.cubin.target = 80;
  auto created = kernel.launched(32);
  ASSERT_TRUE(std::holds_alternative<CodeRefusal>(created));
  EXPECT_EQ(std::get<CodeRefusal>(created).message, "the code is for sm_80; that of sm_90 can be executed");
  kernel.cubin.target = 90;
  EXPECT_TRUE(std::holds_alternative<CodeRefusal>(kernel.launched(2048)));
  kernel.cubin.sections[0].words.clear();
  EXPECT_TRUE(std::holds_alternative<CodeRefusal>(kernel.launched(32)));
}

TEST(CodeMachine, AnAddressWhereNothingIsIsAFault) {
  Kernel kernel({move(2, 0x20), kLoad, kExit});
  auto created = kernel.launched(32);
  auto& machine = std::get<CodeMachine>(created);
  CodeStep step;
  ASSERT_TRUE(machine.step(0, 0, step));
  EXPECT_FALSE(machine.step(0, 0, step));
  EXPECT_EQ(machine.refusal().message, "nothing is at address 0x20 of global memory");
  EXPECT_TRUE(machine.refusal().is_fault);
}

TEST(CodeMachine, BehindTheLastInstructionIsNothing) {
  Kernel kernel({kNothing});
  auto created = kernel.launched(32);
  auto& machine = std::get<CodeMachine>(created);
  CodeStep step;
  ASSERT_TRUE(machine.step(0, 0, step));
  EXPECT_FALSE(machine.step(0, 0, step));
  EXPECT_TRUE(machine.refusal().is_fault);
}

// By the exponents alone, at the ends of the ranges that an H200 showed.
TEST(CodeMachine, ADivisionIsHardNearTheEndsOfTheExponents) {
  const auto is_hard = [](unsigned a, unsigned b) {
    const auto steps = steps_of(Kernel({move(0, a << 23), move(1, b << 23), kCheckDivision, kExitIfP0, kExit}));
    return steps.size() > 3 && steps[3].active != 0;
  };
  EXPECT_FALSE(is_hard(127, 127));
  EXPECT_TRUE(is_hard(24, 20));
  EXPECT_FALSE(is_hard(25, 20));
  EXPECT_TRUE(is_hard(100, 1));
  EXPECT_FALSE(is_hard(100, 2));
  EXPECT_FALSE(is_hard(200, 251));
  EXPECT_TRUE(is_hard(200, 252));
  EXPECT_FALSE(is_hard(254, 128));
  EXPECT_TRUE(is_hard(255, 129));
  EXPECT_FALSE(is_hard(226, 100));  // the quotient's exponent
  EXPECT_TRUE(is_hard(227, 100));
  EXPECT_FALSE(is_hard(116, 240));
  EXPECT_TRUE(is_hard(115, 240));
}

TEST(CodeMachine, AUniformRegisterTakesTheFirstLaneAndNamesTheOthers) {
  const auto steps = steps_of(Kernel({kLane, kOthersThanFirst, kExitIfP0, kExit}));
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[2].active, 0xfffffffeU);
  EXPECT_EQ(steps[3].group, 1U);
}

TEST(CodeMachine, ALaneThatTakesNoPartGivesZero) {
  const auto steps = steps_of(Kernel({kLane, kOthersThanFirst, kExchange, kIsThere, kExitIfP1, kExit}));
  ASSERT_EQ(steps.size(), 6U);
  EXPECT_EQ(steps[2].active, 0xfffffffeU);
  EXPECT_EQ(steps[4].active, 0xfffffffcU);  // lane 1 got 0 of lane 0
}

TEST(CodeMachine, ALoadOfConstantsSaysAtHowManyPlacesItReads) {
  EXPECT_EQ(steps_of(Kernel({kLane, kConstant, kExit}))[1].values, 32U) << "at the number of the lane";
  EXPECT_EQ(steps_of(Kernel({kLane, kConstant, kExit}), 5)[1].values, 5U) << "of five lanes";
  EXPECT_EQ(steps_of(Kernel({move(0, 4), kConstant, kExit}))[1].values, 1U) << "all at one";
}

TEST(CodeMachine, LanesThatDoNotJumpGoFirstAndAllMeetAgain) {
  const auto steps = steps_of(Kernel({kLane, kOthersThanFirst, kBegin, kSkipIfP0, kNothing, kMeet, kExit}));
  ASSERT_EQ(steps.size(), 8U);
  EXPECT_EQ(steps[3].way, CodeStep::Way::Diverged);
  EXPECT_EQ(steps[4].at, 4);
  EXPECT_EQ(steps[4].group, 1U);
  EXPECT_EQ(steps[5].side, CodeStep::Side::Other);
  EXPECT_EQ(steps[6].group, 0xfffffffeU);
  EXPECT_EQ(steps[6].side, CodeStep::Side::Joined);
  EXPECT_EQ(steps[7].group, 0xffffffffU);
}

TEST(CodeMachine, ABlockWaitsForAllOfItsWarps) {
  Kernel kernel({kMeetBlock, kExit});
  auto created = kernel.launched(40);
  auto& machine = std::get<CodeMachine>(created);
  CodeStep step;
  ASSERT_TRUE(machine.step(0, 0, step));
  EXPECT_TRUE(step.arrived);
  EXPECT_TRUE(machine.released().empty());
  EXPECT_EQ(machine.next(0), CodeMachine::kWaits);
  ASSERT_TRUE(machine.step(1, 0, step));
  EXPECT_EQ(step.group, 0xffU);  // 8 threads
  EXPECT_EQ(std::vector<std::uint32_t>(machine.released().begin(), machine.released().end()),
            (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(machine.next(0), 1);
  ASSERT_TRUE(machine.step(0, 0, step));
  EXPECT_EQ(machine.next(0), CodeMachine::kEnded);
}

// What changes registers alone, and a clock, it executes while others are still to come.
TEST(CodeMachine, AWarpGoesOnBehindItsBarrierUntilItTouchesMemory) {
  Kernel kernel({kMeetBlock, move(5, 7), kClock, kLoad, kExit});
  auto created = kernel.launched(64);
  auto& machine = std::get<CodeMachine>(created);
  CodeStep step;
  ASSERT_TRUE(machine.step(0, 0, step));
  for (const std::int32_t at : {1, 2}) {
    EXPECT_TRUE(machine.is_behind_barrier(0));
    ASSERT_EQ(machine.next(0), at);
    ASSERT_TRUE(machine.step(0, 40, step));
  }
  EXPECT_EQ(machine.next(0), CodeMachine::kWaits);
  EXPECT_TRUE(machine.released().empty());
  ASSERT_TRUE(machine.step(1, 90, step));
  EXPECT_EQ(machine.released().size(), 2U);
  EXPECT_FALSE(machine.is_behind_barrier(0));
  EXPECT_EQ(machine.next(0), 3);
  EXPECT_EQ(machine.next(1), 1);
}

TEST(CodeMachine, AWarpThatHasEndedIsNotWaitedFor) {
  Kernel kernel({kLane, kMeetBlock, kExit});
  auto created = kernel.launched(64);
  auto& machine = std::get<CodeMachine>(created);
  CodeStep step;
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(machine.step(0, 0, step));
  EXPECT_EQ(machine.next(0), CodeMachine::kWaits);
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(machine.step(1, 0, step));
  EXPECT_EQ(machine.next(0), 2);
}

}  // namespace code_machine_test
}  // namespace warpsim::sass
