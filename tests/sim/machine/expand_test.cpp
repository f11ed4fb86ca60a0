// Collectives in one step and as shuffles: the same bits on the machine, and the right lines in the right places.
//
// Source: the sums that small cases are compared with are worked out here, lane by lane.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "isa/program/expand.h"
#include "sim/launch/launch.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

using Words = std::vector<std::uint64_t>;
using Kind = Operand::Kind;

Operand reg(std::int32_t index) {
  Operand o;
  o.kind = Kind::Reg;
  o.reg = index;
  return o;
}
Operand number(std::int64_t value) {
  Operand o;
  o.kind = Kind::Imm;
  o.expr = ConstExpr::number(value);
  return o;
}
Operand element(std::int32_t param) {  // param[%gtid]
  Operand o;
  o.kind = Kind::Element;
  o.param = param;
  o.special_index = static_cast<std::int32_t>(Special::GTid);
  o.expr = ConstExpr::number(0);
  return o;
}
Operand label(std::int32_t target) {
  Operand o;
  o.kind = Kind::Label;
  o.target = target;
  return o;
}

Insn insn(Op op, Type type, std::vector<Operand> operands) {
  Insn i;
  i.op = op;
  i.type = type;
  i.operands = std::move(operands);
  i.operands.resize(slots(info(op).form).size());
  return i;
}

enum : std::int32_t { kA, kD, kP };

// ld %a, input[%gtid];  COLLECTIVE %d, %a;  st output[%gtid], %d;  exit
Program program_of(Op op, Type type, bool exclusive = false) {
  Program program;
  program.name = "collective";
  for (const auto& [name, kind] : {std::pair{"input", Param::Kind::In}, std::pair{"output", Param::Kind::Out}}) {
    Param p;
    p.name = name;
    p.kind = kind;
    p.type = type;
    p.length = "WARP_SZ";
    program.params.push_back(p);
  }
  program.registers = {
      {"%a", reg_class(type), type, {}}, {"%d", reg_class(type), type, {}}, {"%p", RegClass::Pred, Type::Pred, {}}};
  program.code = {insn(Op::LdGlobal, type, {reg(kA), element(0)}), insn(op, type, {reg(kD), reg(kA)}),
                  insn(Op::StGlobal, type, {element(1), reg(kD)}), insn(Op::Exit, Type::None, {})};
  program.code[1].mods.exclusive = exclusive;
  for (std::size_t k = 0; k < program.code.size(); ++k)
    program.code[k].where = {static_cast<std::uint32_t>(k + 5), 9, 4};
  return program;
}

Words run(const Program& program, unsigned lanes, Type type, const Words& input, std::uint32_t threads = 0) {
  LaunchConfig config;
  config.lanes = lanes;
  config.block = {threads == 0 ? lanes : threads, 1, 1};
  Arguments arguments;
  arguments.buffers["input"] = {type, input};
  arguments.buffers["output"] = {type, Words(input.size(), 0)};
  std::variant<Machine, LaunchError> machine = Machine::create(program, config, arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&machine)) {
    ADD_FAILURE() << error->code << " " << error->message;
    return {};
  }
  const RunResult result = std::get<Machine>(machine).run();
  EXPECT_TRUE(result.ok) << english(result.trap.message);
  return std::get<Machine>(machine).buffer("output").bits;
}

// Anything, with more NaNs, infinities, zeros and small numbers than chance would give.
std::uint64_t random_word(std::mt19937_64& random, Type type) {
  const std::uint64_t word = random() >> (64 - bits(type));
  const std::uint64_t top = bits(type) == 64 ? 0x7ff0000000000000U : 0x7f800000U;
  switch (random() % 8) {
    case 0: return is_float(type) ? word | top : word % 16;                                    // NaN of any payload
    case 1: return is_float(type) ? top | (word & ~(~std::uint64_t{0} >> 1)) : 0;              // infinite
    case 2: return is_float(type) ? word & (std::uint64_t{1} << (bits(type) - 1)) : word % 3;  // a zero
    default: return word;
  }
}

std::vector<Op> collectives() {
  std::vector<Op> found;
  for (int k = 0; k < kAssemblyOpCount; ++k) {
    const Lift lift = info(static_cast<Op>(k)).lift;
    if (lift == Lift::Broadcast || lift == Lift::Reduce || lift == Lift::Scan) found.push_back(static_cast<Op>(k));
  }
  return found;
}

TEST(Expand, EveryCollectiveGivesTheSameBitsAsItsShuffles) {
  std::mt19937_64 random(31);
  for (const Op op : collectives()) {
    for (int t = 1; t < kTypeCount; ++t) {
      const Type type = static_cast<Type>(t);
      if (!contains(info(op).types, type)) continue;
      for (const unsigned lanes : kLaneCounts) {
        for (int round = 0; round < 40; ++round) {
          const bool exclusive = info(op).lift == Lift::Scan && round % 2 == 1;
          Words input(lanes);
          for (std::uint64_t& word : input) word = random_word(random, type);
          const Program program = program_of(op, type, exclusive);
          const Program expanded = expand_collectives(program, lanes);
          for (const Insn& line : expanded.code) {
            const Lift lift = info(line.op).lift;
            ASSERT_TRUE(lift != Lift::Broadcast && lift != Lift::Reduce && lift != Lift::Scan);
          }
          ASSERT_EQ(run(program, lanes, type, input), run(expanded, lanes, type, input))
              << info(op).mnemonic << "." << name(type) << (exclusive ? " exclusive" : "") << ", " << lanes << " lanes";
        }
      }
    }
  }
}

TEST(Expand, LanesThatAreNotThereCountTheSame) {
  for (const Op op : {Op::Broadcast, Op::ReduceAdd, Op::ScanAdd}) {
    const Words input = {1, 20, 300, 4000, 50000};
    const Program program = program_of(op, Type::U32);
    EXPECT_EQ(run(program, 8, Type::U32, input, 5), run(expand_collectives(program, 8), 8, Type::U32, input, 5))
        << info(op).mnemonic;
  }
}

TEST(Expand, SumsAreSums) {
  const Words input = {1, 20, 300, 4000, 50000, 600000, 7000000, 80000000};
  const auto expanded = [&](Op op, bool exclusive) {
    return run(expand_collectives(program_of(op, Type::U32, exclusive), 8), 8, Type::U32, input);
  };
  EXPECT_EQ(expanded(Op::ReduceAdd, false), Words(8, 87654321));
  EXPECT_EQ(expanded(Op::ScanAdd, false), (Words{1, 21, 321, 4321, 54321, 654321, 7654321, 87654321}));
  EXPECT_EQ(expanded(Op::ScanAdd, true), (Words{0, 1, 21, 321, 4321, 54321, 654321, 7654321}));
  EXPECT_EQ(expanded(Op::ScanMul, true)[0], 1U);
  EXPECT_EQ(expanded(Op::ScanMin, true)[0], 0xffffffffU);
  EXPECT_EQ(expanded(Op::ScanMax, true)[0], 0U);
  EXPECT_EQ(expanded(Op::Broadcast, false), Words(8, 1));
}

TEST(Expand, ASourceLaneAndTheSameRegisterTwice) {
  const Words input = {1, 20, 300, 4000};
  Program program = program_of(Op::Broadcast, Type::U32);
  program.code[1].operands[2] = number(2);
  EXPECT_EQ(run(expand_collectives(program, 4), 4, Type::U32, input), Words(4, 300));
  program = program_of(Op::ScanAdd, Type::U32);
  program.code[1].operands[1] = reg(kD);
  program.code[0].operands[0] = reg(kD);
  EXPECT_EQ(run(expand_collectives(program, 4), 4, Type::U32, input), (Words{1, 21, 321, 4321}));
}

TEST(Expand, AMemberMaskInTheDestinationIsSavedFirst) {
  Program program = program_of(Op::ReduceAdd, Type::U32);
  program.code.insert(program.code.begin() + 1, insn(Op::Mov, Type::U32, {reg(kD), number(15)}));
  program.code[2].operands[2] = reg(kD);
  EXPECT_EQ(run(expand_collectives(program, 4), 4, Type::U32, {1, 20, 300, 4000}), Words(4, 4321));
}

TEST(Expand, AGuardStaysOnEveryLine) {
  for (const bool holds : {true, false}) {
    for (const bool exclusive : {true, false}) {
      Program program = program_of(Op::ScanAdd, Type::U32, exclusive);
      program.code.insert(program.code.begin() + 1,
                          {insn(Op::Mov, Type::U32, {reg(kD), number(7)}),
                           insn(Op::SetpEq, Type::U32, {reg(kP), Operand{}, number(holds ? 1 : 0), number(1)})});
      program.code[3].guard.reg = kP;
      const Program expanded = expand_collectives(program, 4);
      for (std::size_t pc = 3; pc + 2 < expanded.code.size(); ++pc)
        EXPECT_EQ(expanded.code[pc].guard, (Guard{kP, false}));
      const Words wanted = !holds ? Words(4, 7) : exclusive ? Words{0, 1, 21, 321} : Words{1, 21, 321, 4321};
      EXPECT_EQ(run(expanded, 4, Type::U32, {1, 20, 300, 4000}), wanted);
      EXPECT_EQ(run(program, 4, Type::U32, {1, 20, 300, 4000}), wanted);
    }
  }
}

// ---- the lines themselves

std::string spelled(const Program& program) {
  std::string text;
  for (const Insn& line : program.code) {
    if (line.guard.reg >= 0) text += "@" + program.registers[static_cast<std::size_t>(line.guard.reg)].name + " ";
    text += std::string(info(line.op).mnemonic) + (line.type == Type::None ? "" : "." + std::string(name(line.type)));
    for (const Operand& o : line.operands) {
      if (o.kind == Kind::Reg) text += " " + program.registers[static_cast<std::size_t>(o.reg)].name;
      if (o.kind == Kind::Imm) text += " " + o.expr.to_string();
      if (o.kind == Kind::Label) text += " ->" + std::to_string(o.target);
    }
    text += "\n";
  }
  return text;
}

TEST(Expand, WritesAReductionAsAButterfly) {
  EXPECT_EQ(spelled(expand_collectives(program_of(Op::ReduceMul, Type::U64), 8)),
            "ld.global.u64 %a\n"
            "mov.u64 %d %a\n"
            "shfl.bfly.b64 %received %d 4\n"
            "mul.lo.u64 %d %d %received\n"
            "shfl.bfly.b64 %received %d 2\n"
            "mul.lo.u64 %d %d %received\n"
            "shfl.bfly.b64 %received %d 1\n"
            "mul.lo.u64 %d %d %received\n"
            "st.global.u64 %d\n"
            "exit\n");
}

TEST(Expand, WritesAScanAsShiftsUp) {
  EXPECT_EQ(spelled(expand_collectives(program_of(Op::ScanMax, Type::S32, true), 4)),
            "ld.global.s32 %a\n"
            "mov.s32 %d %a\n"
            "shfl.up.b32 %received %in_range %d 1\n"
            "@%in_range max.s32 %d %d %received\n"
            "shfl.up.b32 %received %in_range %d 2\n"
            "@%in_range max.s32 %d %d %received\n"
            "shfl.up.b32 %received %in_range %d 1\n"
            "selp.s32 %d %received -2147483648 %in_range\n"
            "st.global.s32 %d\n"
            "exit\n");
}

TEST(Expand, MovesLabelsTargetsPhasesAndPlacesAlong) {
  Lesson program;
  static_cast<Program&>(program) = program_of(Op::ReduceAdd, Type::F32);
  program.code.insert(program.code.begin(), insn(Op::Bra, Type::None, {label(3)}));  // to the store
  program.code.insert(program.code.begin(), insn(Op::Bra, Type::None, {label(3)}));  // to the collective
  program.code[0].operands[0].target = 3;
  program.code[1].operands[0].target = 4;
  program.labels = {{"start", 0}, {"collective", 3}, {"store", 4}, {"end", 6}};
  program.registers.push_back({"%received", RegClass::R32, Type::U32, {}});
  program.phases = {{"reduce", "", {}, 3, {}}, {"store", "", {}, 4, {}}};
  const Lesson expanded = expand_collectives(program, 4);
  EXPECT_EQ(expanded.code.size(), program.code.size() + 4);  // mov, 2 × (shfl, add) for one
  EXPECT_EQ(expanded.code[0].operands[0].target, 3);
  EXPECT_EQ(expanded.code[1].operands[0].target, 8);
  EXPECT_EQ(expanded.code[8].op, Op::StGlobal);
  EXPECT_EQ(expanded.labels, (std::vector<std::pair<std::string, std::int32_t>>{
                                 {"start", 0}, {"collective", 3}, {"store", 8}, {"end", 10}}));
  EXPECT_EQ(expanded.phase_of(2), -1);
  for (std::int32_t pc = 3; pc < 8; ++pc) {
    EXPECT_EQ(expanded.phase_of(pc), 0);
    EXPECT_EQ(expanded.code[static_cast<std::size_t>(pc)].where, program.code[3].where);
  }
  EXPECT_EQ(expanded.phase_of(8), 1);
  EXPECT_EQ(expanded.registers.back().name, "%received_2");  // %received was taken
  EXPECT_EQ(expanded.registers.back().shown_as, Type::F32);
}

TEST(Expand, LeavesOtherProgramsAlone) {
  Program program = program_of(Op::ReduceAdd, Type::U32);
  program.code.erase(program.code.begin() + 1);
  EXPECT_EQ(spelled(expand_collectives(program, 32)), spelled(program));
}

}  // namespace
}  // namespace warpsim
