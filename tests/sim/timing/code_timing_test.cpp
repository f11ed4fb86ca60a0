// What machine instructions need, as a profile's rules say.
#include "sim/timing/code_timing.h"

#include <gtest/gtest.h>

#include <vector>

#include "isa/sass/instruction.h"

namespace warpsim::sass {
namespace {

Operand operand(OperandKind kind, unsigned number, bool is_destination = false) {
  Operand o;
  o.kind = kind;
  o.number = static_cast<std::uint8_t>(number);
  o.is_destination = is_destination;
  return o;
}

Instruction shuffle(std::vector<Operand> sources) {
  Instruction made;
  made.is_known = true;
  made.name = "SHFL";
  made.operands = std::move(sources);
  made.operands.insert(made.operands.begin(), operand(OperandKind::Register, 0, true));
  return made;
}

TEST(CodeTiming, AClassMayNeedRegistersThatAreRead) {
  CodeTimingProfile profile;
  profile.classes.resize(2);
  profile.rules = {{{"SHFL*"}, 1, 3}, {{"*"}, 0}};
  const auto reg = [](unsigned number) { return operand(OperandKind::Register, number); };
  const std::vector<Instruction> code = {
      shuffle({reg(1), reg(2), reg(3)}),
      shuffle({reg(1), reg(2), operand(OperandKind::Immediate, 0)}),
      shuffle({reg(1), reg(2), reg(kZero)}),
  };
  const CodeTiming timing(profile, code);
  EXPECT_EQ(timing.at(0).cls, 1);
  EXPECT_EQ(timing.at(1).cls, 0);
  EXPECT_EQ(timing.at(2).cls, 0) << "RZ is none";
}

Instruction named(const char* name, unsigned stall, std::int64_t target = -1) {
  Instruction made;
  made.is_known = true;
  made.name = name;
  made.control.stall = static_cast<std::uint8_t>(stall);
  if (target < 0) return made;
  made.operands.push_back(operand(OperandKind::Target, 0));
  made.operands.back().value = target * static_cast<std::int64_t>(kWordBytes);
  return made;
}

TEST(CodeTiming, LanesEndNoEarlierThanByTheShortestWay) {
  CodeTimingProfile profile;
  profile.classes.resize(1);
  profile.rules = {{{"*"}, 0}};
  const std::vector<Instruction> code = {
      named("IADD3", 4),  named("BRA", 5, 4),  // over what takes longest
      named("IADD3", 15), named("IADD3", 15), named("IADD3", 2), named("BRA", 3, 0),
      named("EXIT", 5),   named("IADD3", 6),  named("BRX", 5),  // anywhere
      named("IADD3", 7),  named("BRA", 5, 9),                   // never, but the code's end is behind it
  };
  const CodeTiming timing(profile, code);
  EXPECT_EQ(timing.at(6).until_end, 0U);
  EXPECT_EQ(timing.at(5).until_end, 3U);
  EXPECT_EQ(timing.at(4).until_end, 2U + 3U);
  EXPECT_EQ(timing.at(3).until_end, 15U + 5U);
  EXPECT_EQ(timing.at(1).until_end, 5U + 5U);
  EXPECT_EQ(timing.at(0).until_end, 4U + 10U);
  EXPECT_EQ(timing.at(8).until_end, 0U);
  EXPECT_EQ(timing.at(7).until_end, 6U);
  EXPECT_EQ(timing.at(9).until_end, 7U + 5U);
}

}  // namespace
}  // namespace warpsim::sass
