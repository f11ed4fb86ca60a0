// The catalogue's kernels in CUDA C++, as nvcc compiles them, run from PTX on the programs' own cases.
//
// Shapes: tests/data/catalogue_ptx.txt.xz has each kernel twice: optimised, and with -G, where local memory holds every
//         variable and every function is called. All cases at 32 lanes, checked.
// Source: the expected outputs are those of the programs' cases; tools/catalogue_ptx.sh made the PTX with nvcc 13.0.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "sim/check/checker.h"
#include "sim/machine/machine.h"
#include "tests/support/every_program.h"
#include "tests/support/vectors.h"

namespace warpsim::testing {
namespace {

constexpr unsigned kLanes = 32;

// By name and flags: "p26/butterfly_parallel_max -O0 -G".
const std::map<std::string, std::string>& modules() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> made;
    const std::string text =
        "\n" + tests::read_xz(std::string(WARPSIM_SOURCE_DIR) + "/tests/data/catalogue_ptx.txt.xz").value_or("");
    for (std::size_t at = text.find("\n=== "); at != std::string::npos;) {
      const std::size_t name = at + 5, line = text.find('\n', name), next = text.find("\n=== ", line);
      made[text.substr(name, line - name)] = text.substr(line + 1, next == std::string::npos ? next : next - line);
      at = next;
    }
    return made;
  }();
  return all;
}

std::optional<Lesson> from_ptx(const Lesson& program, const std::string& flags) {
  const auto found = modules().find(program.full_name() + " " + flags);
  if (found == modules().end()) return std::nullopt;
  const ptx::ReadModule read = ptx::read_module(found->second, "catalogue.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  for (const ptx::Function& one : read.module.functions) {
    if (!one.is_entry) continue;
    Diagnostics diagnostics;
    diagnostics.text = found->second;
    std::optional<Program> made = ptx::make_program(read.module, one, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
    if (!made) return std::nullopt;
    return ptx::described(std::move(*made), program, diagnostics);
  }
  return std::nullopt;
}

void expect_outputs(const Lesson& lesson, const PreparedCase& prepared) {
  Checker checker(prepared);
  EventSink* const sinks[] = {&checker};
  auto made = Machine::create(lesson, prepared.config, prepared.arguments);
  ASSERT_TRUE(std::holds_alternative<Machine>(made)) << std::get<LaunchError>(made).message;
  Machine& machine = std::get<Machine>(made);
  const RunResult result = machine.run(sinks);
  ASSERT_TRUE(result.ok) << english(result.trap.message) << " at pc " << result.trap.pc << " line "
                         << (result.trap.pc < 0 ? 0 : lesson.code[static_cast<std::size_t>(result.trap.pc)].where.line);
  for (const auto& [name, expected] : prepared.expected) EXPECT_EQ(machine.buffer(name), expected) << name;
  for (const RunFinding& one : checker.found())
    if (info(one.code).severity == Severity::Error)
      ADD_FAILURE() << code(one.code) << " line " << lesson.code[static_cast<std::size_t>(one.pc)].where.line << ": "
                    << english(one.message);
}

class PtxCatalogue : public ::testing::TestWithParam<std::string> {};

TEST_P(PtxCatalogue, GivesWhatTheProgramsGive) {
  int cases = 0;
  for (const std::string& name : all_program_names()) {
    SCOPED_TRACE(name);
    const Assembled assembled = assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr);
    const std::optional<Lesson> lesson = from_ptx(*assembled.lesson(), GetParam());
    ASSERT_TRUE(lesson.has_value());
    EXPECT_TRUE(lesson->unsupported.empty());
    for (const Case& one : lesson->cases) {
      const std::vector<unsigned> counts = lane_counts(*assembled.lesson(), one);
      if (std::find(counts.begin(), counts.end(), kLanes) == counts.end()) continue;
      SCOPED_TRACE(one.name);
      CaseOverrides overrides;
      overrides.lanes = kLanes;
      const auto prepared = prepare_case(*lesson, one, overrides);
      ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared)) << std::get<LaunchError>(prepared).message;
      expect_outputs(*lesson, std::get<PreparedCase>(prepared));
      ++cases;
    }
  }
  EXPECT_GE(cases, 200);
}

INSTANTIATE_TEST_SUITE_P(Compiled, PtxCatalogue, ::testing::Values("-O3 -lineinfo", "-O0 -G"),
                         [](const auto& test) { return test.param == "-O0 -G" ? "ForDebugging" : "Optimised"; });

}  // namespace
}  // namespace warpsim::testing
