// What the tests of kernels from PTX share: a module around a few lines, run checked and unchecked.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "sim/check/checker.h"
#include "sim/machine/machine.h"

namespace warpsim::testing {

inline const std::string kPtxHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

struct PtxRun {
  RunResult result;
  std::vector<std::uint64_t> y;
  std::vector<std::string> found;  // codes of findings
  std::vector<std::string> way;    // the steps of the first of them
};

inline Lesson ptx_lesson(const std::string& ptx, const std::string& kernel_line, Diagnostics& diagnostics) {
  const ptx::ReadModule read = ptx::read_module(kPtxHead + ptx, "t.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  const ptx::Function* entry = nullptr;
  for (const ptx::Function& one : read.module.functions) entry = one.is_entry ? &one : entry;
  if (entry == nullptr) return {};
  diagnostics.text = read.module.text;
  std::optional<Program> program = ptx::make_program(read.module, *entry, diagnostics);
  if (!program) return {};
  const ptx::Descriptions descriptions = ptx::with_bodies(".kernel k (" + kernel_line + ")\n");
  const Assembled launch = assemble(descriptions.text, "t.launch");
  EXPECT_EQ(launch.diagnostics.render(), "");
  std::optional<Lesson> lesson =
      ptx::described(std::move(*program), *launch.lesson(), diagnostics, descriptions.structures);
  EXPECT_EQ(lesson.has_value(), true) << diagnostics.render();
  return lesson ? std::move(*lesson) : Lesson{};
}

// A kernel that takes one buffer y of u32[n], of `threads` elements that hold their index.
inline PtxRun run_ptx(const std::string& ptx, unsigned threads, std::uint32_t shared = 0) {
  Diagnostics diagnostics;
  const Lesson lesson = ptx_lesson(ptx, "inout y: u32[" + std::to_string(threads) + "]", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
  CaseOverrides overrides;
  overrides.block = Dim3{threads, 1, 1};
  overrides.inputs["y"] = "i";
  overrides.shared_bytes = shared;
  const auto prepared = prepare_case(lesson, Case{}, overrides);
  EXPECT_TRUE(std::holds_alternative<PreparedCase>(prepared));
  const PreparedCase& ready = std::get<PreparedCase>(prepared);
  EXPECT_EQ(name(ready.config.schedule), "blocks");
  Checker checker(ready);
  EventSink* const sinks[] = {&checker};
  auto made = Machine::create(lesson, ready.config, ready.arguments);
  EXPECT_TRUE(std::holds_alternative<Machine>(made));
  Machine& machine = std::get<Machine>(made);
  PtxRun ran{machine.run(sinks), machine.buffer("y").bits, {}, {}};
  const std::vector<RunFinding> found = checker.found();
  for (const RunFinding& one : found) ran.found.push_back(code(one.code));
  if (!found.empty())
    for (const FindingStep& step : found.front().steps) ran.way.push_back(english(step.text));
  // Unwatched it is the same run.
  auto again = Machine::create(lesson, ready.config, ready.arguments);
  const RunResult unwatched = std::get<Machine>(again).run();
  EXPECT_EQ(unwatched.ok, ran.result.ok);
  EXPECT_EQ(unwatched.instructions, ran.result.instructions);
  EXPECT_EQ(std::get<Machine>(again).buffer("y").bits, ran.y);
  return ran;
}

using PtxWords = std::vector<std::uint64_t>;

// The thread's element of y is at %rd1, its number in %r1.
inline const std::string kPtxBegin =
    ".visible .entry k(.param .u64 y) {\n.reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<5>; .reg .b16 %rs<4>;\n"
    "ld.param.u64 %rd1, [y]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.s64 %rd1, %rd1, %rd2;\n";
inline const std::string kPtxEnd = "st.global.u32 [%rd1], %r9; ret; }\n";

}  // namespace warpsim::testing
