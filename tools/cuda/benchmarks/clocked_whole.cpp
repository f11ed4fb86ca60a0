#include "tools/cuda/benchmarks/clocked_whole.h"

#include <string>
#include <utility>
#include <vector>

#include "isa/program/shown_type.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

using Kind = Operand::Kind;

Operand of_register(std::int32_t index) {
  Operand o;
  o.kind = Kind::Reg;
  o.reg = index;
  return o;
}
Operand of_special(Special special) {
  Operand o;
  o.kind = Kind::Special;
  o.special = special;
  return o;
}

class WholeClocking {
 public:
  explicit WholeClocking(const Program& program) : out_{program, 0, 0} {}
  ClockedProgram run();

 private:
  std::int32_t own(const char* name);
  void put(Op op, Type type, std::vector<Operand> operands, const Guard& guard);
  void put_end(const Guard& guard);

  ClockedProgram out_;
  std::vector<Insn> code_;
  std::int32_t begin_ = -1, end_ = -1, thread_ = -1;
};

std::int32_t WholeClocking::own(const char* name) {
  std::vector<Register>& registers = out_.program.registers;
  registers.push_back({name, RegClass::R32, Type::None, {}});
  return static_cast<std::int32_t>(registers.size()) - 1;
}

void WholeClocking::put(Op op, Type type, std::vector<Operand> operands, const Guard& guard) {
  Insn insn;
  insn.op = op;
  insn.type = type;
  insn.operands = std::move(operands);
  insn.operands.resize(slots(info(op).form).size());
  insn.guard = guard;
  code_.push_back(std::move(insn));
}

void WholeClocking::put_end(const Guard& guard) {
  put(Op::Mov, Type::U32, {of_register(end_), of_special(Special::Clock)}, guard);
  for (const auto& [name, value] : {std::pair{"clock_begin", begin_}, std::pair{"clock_end", end_}}) {
    Operand element;
    element.kind = Kind::Element;
    element.param = out_.program.find_param(name);
    element.reg = thread_;
    put(Op::StGlobal, Type::U32, {element, of_register(value)}, guard);
  }
}

ClockedProgram WholeClocking::run() {
  Program& program = out_.program;
  const std::string most = std::to_string(kMostClockedThreads);
  program.params.push_back({"clock_begin", Param::Kind::Out, Type::U32, most, "", {}});
  program.params.push_back({"clock_end", Param::Kind::Out, Type::U32, most, "", {}});
  place_params(program.params);
  begin_ = own("%clock_begun");
  end_ = own("%clock_ended");
  thread_ = own("%clock_thread");
  const std::int32_t row = own("%clock_row");
  put(Op::Mov, Type::U32, {of_register(begin_), of_special(Special::Clock)}, {});
  put(Op::Mov, Type::U32, {of_register(row), of_special(Special::TidY)}, {});
  put(Op::MadLo, Type::U32,
      {of_register(thread_), of_register(row), of_special(Special::NTidX), of_special(Special::TidX)}, {});
  std::vector<std::int32_t> moved;
  for (const Insn& insn : program.code) {
    moved.push_back(static_cast<std::int32_t>(code_.size()));
    if (insn.op == Op::Exit) put_end(insn.guard);
    code_.push_back(insn);
  }
  moved.push_back(static_cast<std::int32_t>(code_.size()));
  for (Insn& insn : code_)
    if (insn.op == Op::Bra) insn.operands[0].target = moved[static_cast<std::size_t>(insn.operands[0].target)];
  for (auto& [name, pc] : program.labels) pc = moved[static_cast<std::size_t>(pc)];
  out_.first = 0;
  out_.last = static_cast<std::int32_t>(code_.size());
  program.code = std::move(code_);
  program.assertions.clear();
  infer_shown_types(program);
  return std::move(out_);
}

}  // namespace

std::variant<ClockedProgram, NotClocked> clocked_whole(const Program& program) {
  for (const char* name : {"clock_begin", "clock_end"})
    if (program.find_param(name) >= 0) return NotClocked{"it has a parameter " + std::string(name) + " of its own"};
  return WholeClocking(program).run();
}

}  // namespace warpsim
