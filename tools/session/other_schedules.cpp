// Which orders are tried, and comparing what they give; see other_schedules.h.
#include "tools/session/other_schedules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "isa/cases/case.h"
#include "isa/program/reads_writes.h"
#include "tools/support/unordered.h"

namespace warpsim::tools {

namespace {
// Another schedule lets warps wait, so that a run takes more cycles than the case allows for. One without a limit gets
// one: that it loops for ever is not seen where the order is drawn.
constexpr std::uint64_t kPatience = 1000;
}  // namespace

PreparedCase under_schedule(PreparedCase prepared, std::uint64_t seed, std::uint64_t cycles) {
  prepared.config.schedule = fuzz_schedule(seed);
  if (seed % 2 == 0) prepared.config.reconvergence = Reconvergence::Independent;
  const std::uint64_t limit = prepared.config.max_cycles;
  prepared.config.max_cycles = std::max(limit == kNoCycleLimit ? kDefaultMaxCycles : limit, cycles * kPatience);
  return prepared;
}

namespace {

bool is_unordered(const Program& program, const std::string& name) {
  return std::any_of(program.unordered.begin(), program.unordered.end(),
                     [&](const Unordered& one) { return one.output == name; });
}

// A case that says what some buffers hold at the end says that these are the result: where a queue's head stopped, or
// where in a table a key went, is the way there. A single element in any order is any value.
bool is_result(const Program& program, const Trace& base, const std::string& name, const Array& array) {
  if (array.bits.size() == 1 && is_unordered(program, name)) return false;
  const auto& expected = base.outcome.expected;
  return expected.empty() ||
         std::any_of(expected.begin(), expected.end(), [&](const auto& one) { return one.first == name; });
}

}  // namespace

namespace {

// The pc of an activemask whose result goes through registers into a store to the buffer, or to wherever a pointer
// goes; -1: none.
std::int32_t active_mask_in(const Program& program, const std::string& buffer) {
  std::vector<bool> holds(program.registers.size(), false);
  std::int32_t mask = -1;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
      const Insn& insn = program.code[pc];
      bool takes = insn.op == Op::ActiveMask;
      if (takes && mask < 0) mask = static_cast<std::int32_t>(pc);
      for_each_read(insn, [&](std::int32_t reg) { takes = takes || holds[static_cast<std::size_t>(reg)]; });
      if (!takes) continue;
      for_each_written(insn, [&](std::int32_t reg) {
        changed = changed || !holds[static_cast<std::size_t>(reg)];
        holds[static_cast<std::size_t>(reg)] = true;
      });
    }
  }
  const std::int32_t param = program.find_param(buffer);
  for (const Insn& insn : program.code) {
    if (access_of(info(insn.op)) != AccessKind::Store) continue;
    const bool here = std::any_of(insn.operands.begin(), insn.operands.end(), [&](const Operand& o) {
      return o.kind == Operand::Kind::Address || (o.kind == Operand::Kind::Element && o.param == param);
    });
    const bool stores = std::any_of(insn.operands.begin(), insn.operands.end(), [&](const Operand& o) {
      return o.kind == Operand::Kind::Reg && holds[static_cast<std::size_t>(o.reg)];
    });
    if (here && stores) return mask;
  }
  return -1;
}

// So near to each other that the order of additions explains it: half of the digits that a float has.
bool differ_by_rounding(Type type, std::uint64_t x, std::uint64_t y) {
  if (type != Type::F32 && type != Type::F64) return false;
  const double a = std::strtod(format_value(type, x).c_str(), nullptr);
  const double b = std::strtod(format_value(type, y).c_str(), nullptr);
  return std::fabs(a - b) <= (type == Type::F32 ? 1e-4 : 1e-8) * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

std::optional<TraceFinding> schedule_difference(const Lesson& program, const Trace& base, const Trace& other,
                                                const LaunchConfig& config) {
  auto expected = base.outcome.outputs, found = other.outcome.outputs;
  sort_unordered(program, expected);
  sort_unordered(program, found);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Array &a = expected[k].second, &b = found[k].second;
    if (!is_result(program, base, expected[k].first, a)) continue;
    const auto [x, y] = std::mismatch(a.bits.begin(), a.bits.end(), b.bits.begin());
    if (x == a.bits.end()) continue;
    TraceFinding differs;
    differs.code = Finding::DependsOnSchedule;
    differs.kind = kind(Finding::DependsOnSchedule);
    differs.message = {
        MessageId::DiffersBySchedule,
        {expected[k].first + "[" + std::to_string(x - a.bits.begin()) + "]", format_value(a.type, *x),
         base.head.schedule.empty() ? name(Schedule{}) : base.head.schedule, format_value(b.type, *y),
         "--schedule " + name(config.schedule) + " --reconvergence " + std::string(name(config.reconvergence))}};
    differs.hint = info(Finding::DependsOnSchedule).hint;
    if (differ_by_rounding(a.type, *x, *y)) differs.hint = MessageId::TryFixedFloatOrder;
    if (const std::int32_t mask = active_mask_in(program, expected[k].first); mask >= 0)
      differs.hint = {MessageId::TryBallotForActiveMask, {program.line(mask)}};
    return differs;
  }
  return std::nullopt;
}

}  // namespace warpsim::tools
