// Runs of a program, and the model's verdict of it; see compared.h.
#include "tests/litmus/compared.h"

#include <gtest/gtest.h>

#include <variant>

#include "sim/check/races.h"
#include "sim/launch/launch.h"
#include "sim/machine/machine.h"
#include "tests/litmus/model.h"
#include "tests/litmus/program_from.h"

namespace warpsim::litmus {
namespace {

constexpr unsigned kLanes = 4;
constexpr std::uint64_t kSeeds = 12;

// What runs of a case leave in its buffers, and which of its instructions race in some run.
struct Runs {
  std::set<std::vector<std::uint64_t>> memory;
  std::set<std::set<std::int32_t>> races;  // the two pcs
};

std::vector<std::uint64_t> memory_of(const Machine& machine, const warpsim::Program& program) {
  std::vector<std::uint64_t> all;
  for (const Param& param : program.params)
    if (param.is_buffer()) {
      const std::vector<std::uint64_t>& bits = machine.buffer(param.name).bits;
      all.insert(all.end(), bits.begin(), bits.end());
    }
  return all;
}

void run_once(const warpsim::Program& program, const PreparedCase& ready, Runs& runs) {
  std::variant<Machine, LaunchError> made = Machine::create(program, ready.config, ready.arguments);
  ASSERT_TRUE(std::holds_alternative<Machine>(made)) << program.name;
  Machine& machine = std::get<Machine>(made);
  Races races;
  std::vector<EventSink*> sinks = {&races};
  ASSERT_TRUE(machine.run(sinks).ok) << program.name;
  runs.memory.insert(memory_of(machine, program));
  for (const warpsim::Race& race : races.found()) runs.races.insert({race.earlier.pc, race.later.pc});
}

Runs runs_of(const warpsim::Program& program, PreparedCase ready) {
  Runs runs;
  for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent})
    for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
      ready.config.reconvergence = mode;
      ready.config.schedule = seed != 0 ? fuzz_schedule(seed) : Schedule{};
      run_once(program, ready, runs);
    }
  return runs;
}

}  // namespace

std::string text_of(const Pairs& races, const warpsim::Program& program) {
  std::string out;
  for (const std::set<std::int32_t>& race : races) {
    out += out.empty() ? "" : ", ";
    for (const std::int32_t pc : race)
      out += (pc == *race.begin() ? "" : "-") + std::to_string(program.code[static_cast<std::size_t>(pc)].where.line);
  }
  return out;
}

Compared compared(const Lesson& lesson) {
  CaseOverrides overrides;
  overrides.lanes = kLanes;
  const std::variant<PreparedCase, LaunchError> prepared = prepare_case(lesson, lesson.cases.at(0), overrides);
  const PreparedCase* const ready = std::get_if<PreparedCase>(&prepared);
  EXPECT_NE(ready, nullptr) << lesson.name;
  if (ready == nullptr) return {};
  const FromProgram from = litmus_of(lesson, *ready);
  EXPECT_EQ(from.refused, "");
  const Verdict verdict = judge(from.program);
  EXPECT_EQ(verdict.refused, "");
  const Runs runs = runs_of(lesson, *ready);
  Compared made;
  for (const Race& race : verdict.races) made.model.insert({race.first.second, race.second.second});
  made.checker = runs.races;
  made.expected = ready->findings.size();
  made.outcomes = buffers_of(lesson, from.program, verdict.outcomes);
  for (const std::vector<std::uint64_t>& each : runs.memory)
    made.allowed = made.allowed && made.outcomes.contains(each);
  return made;
}

}  // namespace warpsim::litmus
