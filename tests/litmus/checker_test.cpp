// The race checker against the enumerator: each program of programs/litmus/, under several schedules.
//
// Shapes: a run is one execution out of those that the model allows, and an interleaving. So what a run leaves must be
// an
//         allowed outcome; a run must show no race where no execution has one; and where some execution has one, so
//         that the case says what must be found, some run must show one.
// Source: tests/litmus/model.h, which shares nothing with sim/check.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/check/races.h"
#include "sim/launch/launch.h"
#include "sim/machine/machine.h"
#include "tests/litmus/model.h"
#include "tests/litmus/program_from.h"
#include "tests/support/program_run.h"

namespace warpsim::litmus {
namespace checker_test {

using testing::assemble_program;
using testing::programs_in;

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
      ready.config.schedule = Schedule{seed != 0, seed};
      run_once(program, ready, runs);
    }
  return runs;
}

std::string text(const std::set<std::set<std::int32_t>>& races, const warpsim::Program& program) {
  std::string out;
  for (const std::set<std::int32_t>& race : races) {
    out += out.empty() ? "" : ", ";
    for (const std::int32_t pc : race)
      out += (pc == *race.begin() ? "" : "-") + std::to_string(program.code[static_cast<std::size_t>(pc)].where.line);
  }
  return out;
}

TEST(LitmusPrograms, TheCheckerAgreesWithTheModel) {
  const std::vector<std::string> names = programs_in({"litmus"});
  EXPECT_GE(names.size(), 40U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Assembled assembled = assemble_program(name);
    ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
    const Lesson& lesson = *assembled.lesson();
    const Case& one = lesson.cases.at(0);
    CaseOverrides overrides;
    overrides.lanes = kLanes;
    std::variant<PreparedCase, LaunchError> prepared = prepare_case(lesson, one, overrides);
    ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared)) << std::get<LaunchError>(prepared).message;
    const PreparedCase& ready = std::get<PreparedCase>(prepared);
    const FromProgram from = litmus_of(lesson, ready);
    ASSERT_EQ(from.refused, "");
    const Verdict verdict = judge(from.program);
    ASSERT_EQ(verdict.refused, "");
    const Runs runs = runs_of(lesson, ready);
    std::set<std::set<std::int32_t>> races;
    for (const Race& race : verdict.races) races.insert({race.first.second, race.second.second});
    EXPECT_EQ(verdict.racy(), !runs.races.empty())
        << "model: " << text(races, lesson) << "; checker: " << text(runs.races, lesson);
    EXPECT_EQ(verdict.racy(), !ready.findings.empty()) << "model: " << text(races, lesson);
    if (std::getenv("SHOW") != nullptr)
      std::printf("%-40s %s | %s  outcomes %zu seen %zu candidates %llu\n", name.c_str(), text(races, lesson).c_str(),
                  text(runs.races, lesson).c_str(), verdict.outcomes.size(), runs.memory.size(),
                  (unsigned long long)verdict.candidates);
    std::set<std::vector<std::uint64_t>> allowed;
    for (const Outcome& outcome : verdict.outcomes) {
      std::vector<std::uint64_t> all;
      for (const Param& param : lesson.params) {
        const std::vector<std::uint64_t> bits = buffer_of(from.program, outcome, param.name);
        all.insert(all.end(), bits.begin(), bits.end());
      }
      allowed.insert(all);
    }
    for (const std::vector<std::uint64_t>& each : runs.memory) EXPECT_TRUE(allowed.contains(each));
  }
}

}  // namespace checker_test
}  // namespace warpsim::litmus
