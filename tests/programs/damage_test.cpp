// No miss: correct programs with one thing damaged at random. Where the result of such a program depends on something
// undefined or on the order of warps and lanes, the checker must say so.
//
// Whether it depends is found out without the checker: the damaged program runs under several schedules, both kinds of
// reconvergence, and with other bits where nothing is defined. WARPSIM_DAMAGES sets how many programs are damaged;
// WARPSIM_ESCAPES=1 prints those that were not found.
//
// And no false alarm beside it: each scope, order and fence of the programs of programs/litmus is damaged in turn, and
// the model of tests/litmus says whether a race appears. The checker must say the same, damage by damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/assembly/disassembler.h"
#include "sim/check/checker.h"
#include "sim/machine/machine.h"
#include "sim/machine/random.h"
#include "tests/litmus/compared.h"
#include "tests/support/every_program.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMaxCycles = 20'000;
constexpr std::size_t kDamaged = testing::kSanitized ? 80 : 400;
constexpr unsigned kOracleSchedules = 4, kCheckedSchedules = 4;  // the latter as `warpsim check` has it

enum class Damage : std::uint8_t { Mask, Offset, Width, Barrier, Guard, Bound, Index, Write };
constexpr const char* kDamages[] = {"mask", "offset", "width", "barrier", "guard", "bound", "index", "write"};

Operand immediate(std::int64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::Imm;
  operand.expr = ConstExpr::number(value);
  return operand;
}

void add_to(ConstExpr& expr, std::int64_t by) {
  if (expr.empty()) expr = ConstExpr::number(0);
  expr.tokens.push_back({ConstToken::Kind::Number, by});
  expr.tokens.push_back({ConstToken::Kind::Add, 0});
}

// Takes the instruction out, without moving the others.
void take_out(Insn& insn) {
  insn.op = Op::MembarCta;
  insn.type = insn.type2 = Type::None;
  insn.operands.clear();
}

Operand* operand_in(Insn& insn, std::string_view slot) {
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k)
    if (form[k].name == slot) return &insn.operands[k];
  return nullptr;
}

bool is_one_of(Lift lift, std::initializer_list<Lift> lifts) {
  return std::find(lifts.begin(), lifts.end(), lift) != lifts.end();
}

// Whether the instruction has an operand of that kind; the first one is changed.
bool add_to_first(Insn& insn, Operand::Kind kind, std::int64_t step) {
  for (Operand& operand : insn.operands) {
    if (operand.kind != kind) continue;
    add_to(operand.expr, step);
    return true;
  }
  return false;
}

// Whether the instruction could be damaged so, and was.
bool damage(Insn& insn, Damage kind, unsigned lanes, SplitMix& random) {
  const Lift lift = info(insn.op).lift;
  const std::int64_t step = random.below(2) == 0 ? 1 : -1;
  switch (kind) {
    case Damage::Mask: {
      Operand* const mask = is_one_of(lift, {Lift::Shuffle, Lift::Vote, Lift::Match, Lift::Redux, Lift::Barrier})
                                ? operand_in(insn, "membermask")
                                : nullptr;
      if (mask == nullptr) return false;
      const LaneMask full = full_mask(lanes);
      const LaneMask named = random.below(2) == 0 ? full >> lanes / 2 : full & ~lane_bit(random.below(lanes));
      *mask = immediate(static_cast<std::int64_t>(named));
      return true;
    }
    case Damage::Offset: {
      Operand* const offset = lift == Lift::Shuffle ? operand_in(insn, "b") : nullptr;
      if (offset == nullptr) return false;
      if (offset->kind == Operand::Kind::Imm) add_to(offset->expr, step);
      else *offset = immediate(1 + random.below(lanes));
      return true;
    }
    case Damage::Width: {
      Operand* const width = lift == Lift::Shuffle && lanes > 1 ? operand_in(insn, "c") : nullptr;
      if (width == nullptr || width->kind != Operand::Kind::None) return false;
      width->kind = Operand::Kind::Width;
      width->expr = ConstExpr::number(lanes / 2);
      return true;
    }
    case Damage::Barrier:
      if (lift != Lift::Barrier) return false;
      take_out(insn);
      return true;
    case Damage::Guard:
      if (insn.guard.reg < 0) return false;
      if (lift == Lift::Branch || random.below(2) == 0) insn.guard.negated = !insn.guard.negated;
      else insn.guard = {};
      return true;
    case Damage::Bound: return lift == Lift::Compare && add_to_first(insn, Operand::Kind::Imm, step);
    case Damage::Index: return add_to_first(insn, Operand::Kind::Element, step);
    case Damage::Write:
      if (!is_lanewise(lift) && !is_one_of(lift, {Lift::Store, Lift::Load})) return false;
      take_out(insn);
      return true;
  }
  return false;
}

struct Result {
  std::string text;  // what came out, or why nothing did
  bool found = false;
};

Result run(const Lesson& program, const PreparedCase& prepared, const LaunchConfig& config, bool checks) {
  auto made = Machine::create(program, config, prepared.arguments);
  Result result;
  Machine* const machine = std::get_if<Machine>(&made);
  if (machine == nullptr) return {"no launch", true};
  Checker checker;
  EventSink* const sinks[] = {&checker};
  const RunResult run = checks ? machine->run(sinks) : machine->run();
  result.found = !run.ok || (checks && !checker.found().empty());
  if (!run.ok) result.text = std::string(name(run.trap.kind));
  for (const Param& p : program.params) {
    if (!run.ok || (p.kind != Param::Kind::Out && p.kind != Param::Kind::InOut)) continue;
    Array array = machine->buffer(p.name);
    for (const Unordered& one : program.unordered)
      if (one.output == p.name) std::sort(array.bits.begin(), array.bits.end());
    for (const std::uint64_t bits : array.bits) result.text += std::to_string(bits) + ",";
  }
  return result;
}

LaunchConfig other(const LaunchConfig& config, std::uint64_t seed) {
  LaunchConfig changed = config;
  changed.schedule = fuzz_schedule(seed);
  changed.reconvergence = seed % 2 == 0 ? Reconvergence::Independent : Reconvergence::Stack;
  changed.max_cycles = 20 * kMaxCycles;  // it waits now and then
  return changed;
}

bool depends(const Lesson& program, const PreparedCase& prepared, const LaunchConfig& config, const Result& base) {
  for (std::uint64_t k = 1; k <= kOracleSchedules; ++k) {
    LaunchConfig changed = other(config, 1000 + k);
    changed.poison = k;
    if (run(program, prepared, changed, false).text != base.text) return true;
    changed = config;
    changed.poison = k;
    if (run(program, prepared, changed, false).text != base.text) return true;
  }
  return false;
}

bool is_found_by_other_schedules(const Lesson& program, const PreparedCase& prepared, const LaunchConfig& config,
                                 const Result& base) {
  for (std::uint64_t seed = 1; seed <= kCheckedSchedules; ++seed) {
    const Result result = run(program, prepared, other(config, seed), true);
    if (result.found || result.text != base.text) return true;
  }
  return false;
}

TEST(Damage, WhatDependsOnNothingDefinedIsFound) {
  const char* const wanted = std::getenv("WARPSIM_DAMAGES");
  const bool tells = std::getenv("WARPSIM_ESCAPES") != nullptr;
  const std::size_t count = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kDamaged;
  std::vector<Lesson> programs;
  for (const std::string& name : testing::all_program_names())
    if (Assembled assembled = testing::assemble_program(name); assembled.lesson())
      programs.push_back(*assembled.lesson());
  SplitMix random(7);
  struct Tally {
    std::size_t damaged = 0, depend = 0, by_run = 0, by_check = 0;
  };
  std::map<Damage, Tally> tallies;
  Tally all;
  for (std::size_t n = 0; n < count;) {
    Lesson program = programs[random.below(static_cast<unsigned>(programs.size()))];
    const Case& one = program.cases[random.below(static_cast<unsigned>(program.cases.size()))];
    const std::vector<unsigned> counts = lane_counts(program, one);
    CaseOverrides overrides;
    overrides.lanes = counts[random.below(static_cast<unsigned>(counts.size()))];
    const auto made = prepare_case(program, one, overrides);
    const PreparedCase* const prepared = std::get_if<PreparedCase>(&made);
    ASSERT_NE(prepared, nullptr);
    const auto kind = static_cast<Damage>(n % std::size(kDamages));  // as many of each
    const std::size_t pc = random.below(static_cast<unsigned>(program.code.size()));
    const std::string before = disassemble(program, static_cast<std::int32_t>(pc));
    if (!damage(program.code[pc], kind, *overrides.lanes, random)) continue;
    ++n;
    LaunchConfig config = prepared->config;
    config.max_cycles = kMaxCycles;
    const Result base = run(program, *prepared, config, true);
    Tally& tally = tallies[kind];
    for (Tally* const t : {&tally, &all}) ++t->damaged;
    if (!depends(program, *prepared, config, base)) continue;
    const bool by_check = base.found || is_found_by_other_schedules(program, *prepared, config, base);
    for (Tally* const t : {&tally, &all}) {
      ++t->depend;
      t->by_run += base.found ? 1 : 0;
      t->by_check += by_check ? 1 : 0;
    }
    if (tells && !base.found)
      std::cout << (by_check ? "only by other schedules: " : "escaped: ") << program.full_name() << " " << one.name
                << " at " << *overrides.lanes << ", " << kDamages[static_cast<int>(kind)] << " of pc " << pc << ": "
                << before << " -> " << disassemble(program, static_cast<std::int32_t>(pc)) << "\n";
  }
  for (const auto& [kind, t] : tallies)
    std::cout << kDamages[static_cast<int>(kind)] << ": " << t.damaged << " damaged, " << t.depend << " depend, "
              << t.by_run << " found by one run, " << t.by_check << " by check\n";
  std::cout << "all: " << all.damaged << " damaged, " << all.depend << " depend, " << all.by_run
            << " found by one run, " << all.by_check << " by check\n";
  ASSERT_GT(all.depend, count / 20);
  EXPECT_GE(all.by_run * 100, all.depend * 95);
  EXPECT_GE(all.by_check * 100, all.depend * 98);
}

// ---- what orders memory

enum class OrderDamage : std::uint8_t { Scope, Order, FenceScope, FenceKind, FenceRemoved };
constexpr const char* kOrderDamages[] = {"scope", "order", "a fence's scope", "a fence's kind", "a fence removed"};

// Goes on with the next instruction, and orders nothing.
void jump_over(Insn& insn, std::int32_t pc) {
  Operand next;
  next.kind = Operand::Kind::Label;
  next.target = pc + 1;
  insn.op = Op::Bra;
  insn.operands = {next};
  insn.guard = {};
}

// fence.sc, of which membar is another name, and fence.acq_rel; each for a block and for the device.
bool damage_fence(Insn& insn, std::int32_t pc, OrderDamage kind) {
  const bool sc = is_sc_fence(insn.op);
  const Scope scope = scope_of_fence(insn.op);
  switch (kind) {
    case OrderDamage::FenceScope:
      if (scope == Scope::Cta) return false;
      insn.op = sc ? Op::FenceScCta : Op::FenceAcqRelCta;
      return true;
    case OrderDamage::FenceKind:
      if (!sc) return false;
      insn.op = scope == Scope::Cta ? Op::FenceAcqRelCta : Op::FenceAcqRelGpu;
      return true;
    case OrderDamage::FenceRemoved: jump_over(insn, pc); return true;
    default: return false;
  }
}

// Whether the instruction could be damaged so, and was: gpu or sys becomes cta; acquire, release and acq_rel become
// relaxed.
bool damage_order(Insn& insn, std::int32_t pc, OrderDamage kind) {
  if (scope_of_fence(insn.op) != Scope::None) return damage_fence(insn, pc, kind);
  MemoryQualifiers& memory = insn.mods.memory;
  const bool atomic = info(insn.op).lift == Lift::Atomic;
  if (!atomic && memory.semantics < Semantics::Relaxed) return false;
  switch (kind) {
    case OrderDamage::Scope:
      if (memory.scope == Scope::Cta) return false;
      if (memory.semantics == Semantics::None) memory.semantics = Semantics::Relaxed;
      memory.scope = Scope::Cta;
      return true;
    case OrderDamage::Order:
      if (memory.semantics <= Semantics::Relaxed) return false;
      memory.semantics = Semantics::Relaxed;
      return true;
    default: return false;
  }
}

struct OrderTally {
  std::size_t damaged = 0, race = 0, weaker = 0;  // weaker: no race, and more outcomes
};

// Damages one instruction, and compares what the model says of it with what the checker says.
void compare_damaged(const Lesson& program, std::int32_t pc, OrderDamage kind, const litmus::Compared& before,
                     OrderTally& tally) {
  Lesson damaged = program;
  if (!damage_order(damaged.code[static_cast<std::size_t>(pc)], pc, kind)) return;
  const litmus::Compared after = litmus::compared(damaged);
  const std::string what = program.name + ", " + kOrderDamages[static_cast<int>(kind)] + ": " +
                           disassemble(program, pc) + " -> " + disassemble(damaged, pc) +
                           "\nmodel: " + litmus::text_of(after.model, damaged) +
                           "; checker: " + litmus::text_of(after.checker, damaged);
  EXPECT_EQ(after.checker.empty(), after.model.empty()) << what;
  EXPECT_TRUE(after.allowed) << what;
  EXPECT_TRUE(
      std::includes(after.outcomes.begin(), after.outcomes.end(), before.outcomes.begin(), before.outcomes.end()))
      << what << "\nit orders less, and forbids more";
  ++tally.damaged;
  if (!after.model.empty()) ++tally.race;
  else if (after.outcomes != before.outcomes) ++tally.weaker;
}

TEST(Damage, OfWhatOrdersMemoryIsARaceWhereTheModelSaysSo) {
  std::map<OrderDamage, OrderTally> tallies;
  for (const std::string& name : testing::programs_in({"litmus"})) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
    const Lesson& program = *assembled.lesson();
    const litmus::Compared before = litmus::compared(program);
    if (!before.model.empty()) continue;  // it races as it is
    for (std::size_t pc = 0; pc < program.code.size(); pc += testing::kSanitized ? 5 : 1)
      for (const OrderDamage kind : {OrderDamage::Scope, OrderDamage::Order, OrderDamage::FenceScope,
                                     OrderDamage::FenceKind, OrderDamage::FenceRemoved})
        compare_damaged(program, static_cast<std::int32_t>(pc), kind, before, tallies[kind]);
  }
  for (const auto& [kind, t] : tallies) {
    std::cout << kOrderDamages[static_cast<int>(kind)] << ": " << t.damaged << " damaged, " << t.race << " race, "
              << t.weaker << " are weaker without a race\n";
    if (testing::kSanitized) continue;  // so few need not show all
    EXPECT_GE(t.damaged, 10U) << kOrderDamages[static_cast<int>(kind)];
    EXPECT_GE(t.race + t.weaker, 3U) << kOrderDamages[static_cast<int>(kind)];
  }
}

}  // namespace
}  // namespace warpsim
