// The catalogue's kernels in CUDA C++, as nvcc compiles them, run from PTX on the programs' own cases.
//
// Shapes: tests/data/catalogue_ptx.txt.xz has each kernel twice: optimised, and with -G, where local memory holds every
//         variable and every function is called. All cases at 32 lanes, checked.
// Source: the expected outputs are those of the programs' cases; tools/catalogue_ptx.sh made the PTX with nvcc 13.0.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "isa/ptx_writer/ptx_writer.h"
#include "sim/check/checker.h"
#include "sim/machine/machine.h"
#include "tests/support/catalogue_ptx.h"
#include "tests/support/every_program.h"

namespace warpsim::testing {
namespace {

constexpr unsigned kLanes = 32;

std::optional<Lesson> from_ptx(const Lesson& program, const std::string& flags) {
  const auto found = catalogue_ptx().find(program.full_name() + " " + flags);
  return found == catalogue_ptx().end() ? std::nullopt : lesson_of_ptx(found->second, program);
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

// What the text says of memory, whatever the names of its functions.
void expect_same_module(const Program& one, const Program& other) {
  ASSERT_EQ(one.params.size(), other.params.size());
  for (std::size_t k = 0; k < one.params.size(); ++k) {
    const Param &a = one.params[k], &b = other.params[k];
    EXPECT_TRUE(a.name == b.name && a.type == b.type && a.length == b.length && a.is_constant == b.is_constant &&
                a.alignment_bytes == b.alignment_bytes && a.initial == b.initial &&
                a.addresses.size() == b.addresses.size())
        << a.name;
  }
  EXPECT_EQ(shared_offsets(one.objects, kLanes), shared_offsets(other.objects, kLanes));
  ASSERT_EQ(one.objects.size(), other.objects.size());
  for (std::size_t k = 0; k < one.objects.size(); ++k) EXPECT_EQ(one.objects[k].type, other.objects[k].type);
  EXPECT_EQ(one.routines.size(), other.routines.size());
  EXPECT_EQ(one.tables.size(), other.tables.size());
  EXPECT_EQ(one.most_threads, other.most_threads);
  EXPECT_EQ(one.required_block.x, other.required_block.x);
}

std::string written(const Program& program) {
  const auto made = write_ptx(program, {});
  if (const auto* fault = std::get_if<PtxUnsupported>(&made)) return "// " + fault->message;
  return ptx_module({&std::get<PtxKernel>(made), 1});
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

// Text → program → text → program.
TEST_P(PtxCatalogue, WrittenAgainItIsTheSame) {
  int cases = 0;
  for (const std::string& name : all_program_names()) {
    SCOPED_TRACE(name);
    const Assembled assembled = assemble_program(name);
    const std::optional<Lesson> lesson = from_ptx(*assembled.lesson(), GetParam());
    ASSERT_TRUE(lesson.has_value());
    const std::string text = written(*lesson);
    const std::optional<Lesson> again = lesson_of_ptx(text, *assembled.lesson());
    ASSERT_TRUE(again.has_value()) << text;
    expect_same_module(*lesson, *again);
    if (lesson->routines.size() < 2 && !HasFailure()) {
      // Without calls a second time changes nothing at all.
      const std::string second = written(*again);
      const std::optional<Lesson> third = lesson_of_ptx(second, *assembled.lesson());
      EXPECT_EQ(written(*third), second);
    }
    for (const Case& one : again->cases) {
      const std::vector<unsigned> counts = lane_counts(*assembled.lesson(), one);
      if (std::find(counts.begin(), counts.end(), kLanes) == counts.end()) continue;
      SCOPED_TRACE(one.name);
      CaseOverrides overrides;
      overrides.lanes = kLanes;
      const auto prepared = prepare_case(*again, one, overrides);
      ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared)) << std::get<LaunchError>(prepared).message;
      expect_outputs(*again, std::get<PreparedCase>(prepared));
      ++cases;
    }
    if (HasFailure()) FAIL() << text;
  }
  EXPECT_GE(cases, 200);
}

INSTANTIATE_TEST_SUITE_P(Compiled, PtxCatalogue, ::testing::Values("-O3 -lineinfo", "-O0 -G"),
                         [](const auto& test) { return test.param == "-O0 -G" ? "ForDebugging" : "Optimised"; });

}  // namespace
}  // namespace warpsim::testing
