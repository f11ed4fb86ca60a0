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

}  // namespace
}  // namespace warpsim::sass
