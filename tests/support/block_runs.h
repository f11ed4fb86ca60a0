// Runs with schedule `blocks`, for tests: watched or not they are the same.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/every_run.h"
#include "tests/support/run.h"

namespace warpsim::testing {

inline RunSetup in_blocks(RunSetup setup, Reconvergence mode = Reconvergence::Independent) {
  setup.schedule = kBlocksSchedule;
  setup.reconvergence = mode;
  return setup;
}

// Watches every third instruction: the others are run through.
struct Some : EventSink {
  bool watches(std::int32_t pc) const override { return pc % 3 == 0; }
};

inline void expect_alike(const RunResult& plain, const RunResult& other) {
  EXPECT_EQ(plain.ok, other.ok);
  EXPECT_EQ(plain.cycles, other.cycles);
  EXPECT_EQ(plain.instructions, other.instructions);
  if (plain.ok || other.ok) return;
  EXPECT_EQ(plain.trap.kind, other.trap.kind);
  EXPECT_EQ(english(plain.trap.message), english(other.trap.message));
  EXPECT_EQ(plain.trap.cycle, other.trap.cycle);
  EXPECT_EQ(plain.trap.block, other.trap.block);
  EXPECT_EQ(plain.trap.warp, other.trap.warp);
  EXPECT_EQ(plain.trap.pc, other.trap.pc);
  ASSERT_EQ(plain.trap.places.size(), other.trap.places.size());
  for (std::size_t k = 0; k < plain.trap.places.size(); ++k)
    EXPECT_EQ(english(plain.trap.places[k].waits_for), english(other.trap.places[k].waits_for));
}

// Without sinks, with one for everything, and with one for some instructions.
inline Ran run_each_way(const std::string& text, RunSetup setup) {
  const Ran plain = run_text(text, setup);
  EventSink all;
  Some some;
  for (EventSink* const sink : {&all, static_cast<EventSink*>(&some)}) {
    setup.sinks = {sink};
    const Ran watched = run_text(text, setup);
    expect_alike(plain.result, watched.result);
    for (const auto& [name, bits] : setup.buffers) EXPECT_EQ(plain.buffer(name), watched.buffer(name)) << name;
  }
  return plain;
}

inline Program program_of(const std::string& text) {
  const Assembled assembled = assemble(text, "test.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  return assembled.lesson() != nullptr ? Program(*assembled.lesson()) : Program();
}

// Interpreted and as machine code: what the launch comes to is the same. The interpreter's.
inline Outputs expect_engines_alike(const Program& program, LaunchConfig config, const Arguments& arguments) {
  config.engine = EngineChoice::Interpreter;
  Outputs expected = outputs_of(program, config, arguments);
  config.engine = EngineChoice::Compiled;
  const Outputs compiled = outputs_of(program, config, arguments);
  expect_alike(expected.result, compiled.result);
  for (const auto& [name, array] : expected.arrays) EXPECT_EQ(array.bits, compiled.arrays.at(name).bits) << name;
  return expected;
}

// What the engine's log says of how much of a launch machine code has executed.
inline std::string executed_as_code(const std::string& text, LaunchConfig config) {
  std::string said;
  config.engine = EngineChoice::Compiled;
  config.engine_log = [&](std::string_view line) {
    if (line.find("were executed") != std::string_view::npos) said = line;
  };
  outputs_of(program_of(text), config, {});
  return said;
}

// Interpreted and as machine code, without sinks, with one for everything, and with one for some instructions.
inline Outputs expect_alike_each_way(const Program& program, LaunchConfig config, const Arguments& arguments) {
  config.engine = EngineChoice::Interpreter;
  EventSink all;
  Some some;
  const Outputs plain = outputs_of(program, config, arguments);
  const auto compare = [&](const std::vector<EventSink*>& sinks) {
    const Outputs other = outputs_of(program, config, arguments, sinks);
    expect_alike(plain.result, other.result);
    EXPECT_TRUE(plain.arrays == other.arrays);
  };
  compare({&all});
  compare({&some});
  config.engine = EngineChoice::Compiled;
  compare({});
  compare({&some});
  return plain;
}

}  // namespace warpsim::testing
