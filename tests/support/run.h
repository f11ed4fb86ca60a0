// Runs assembly text on the machine, for tests.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "sim/machine/machine.h"
#include "tests/support/korean_text.h"

namespace warpsim::testing {

struct Ran {
  std::shared_ptr<Lesson> program;   // the machine refers to it
  std::shared_ptr<Machine> machine;  // null if the launch was refused
  LaunchError error;
  RunResult result;

  std::vector<std::uint64_t> buffer(const std::string& name) const { return machine->buffer(name).bits; }
  std::uint64_t reg(const std::string& name, unsigned lane, std::uint32_t warp = 0, std::uint32_t block = 0) const {
    return machine->register_bits(block, warp, program->find_register(name), lane);
  }
};

struct RunSetup {
  unsigned lanes = 32;
  Dim3 grid{1, 1, 1};
  Dim3 block{0, 1, 1};
  std::uint64_t max_cycles = 100'000;
  std::map<std::string, std::vector<std::uint64_t>> buffers;  // bits
  std::map<std::string, std::uint64_t> scalars;
  std::vector<EventSink*> sinks;
  Reconvergence reconvergence = Reconvergence::Stack;
  Schedule schedule = {};
  std::uint64_t poison = 0;
  std::shared_ptr<const TimingProfile> timing = nullptr;
  std::uint64_t resident_blocks = 0;
  bool cooperative = false;
  const std::atomic<bool>* stop = nullptr;
  bool keeps_state = true;
  EngineChoice engine = EngineChoice::Auto;
};

// Body lines of a kernel `k` with an `out` buffer of u32, or a whole text that has a .kernel line.
inline Ran run_text(const std::string& text, const RunSetup& setup) {
  Ran ran;
  Assembled assembled = assemble(text, "test.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  if (!assembled.lesson()) return ran;
  ran.program = std::make_shared<Lesson>(*assembled.lesson());
  LaunchConfig config;
  config.lanes = setup.lanes;
  config.grid = setup.grid;
  config.block = setup.block;
  config.max_cycles = setup.max_cycles;
  config.reconvergence = setup.reconvergence;
  config.schedule = setup.schedule;
  config.poison = setup.poison;
  config.timing = setup.timing;
  config.resident_blocks = setup.resident_blocks;
  config.cooperative = setup.cooperative;
  config.stop = setup.stop;
  config.keeps_state = setup.keeps_state;
  config.engine = setup.engine;
  Arguments arguments;
  for (const Param& p : ran.program->params) {
    if (!p.is_buffer()) {
      arguments.scalars[p.name] = setup.scalars.count(p.name) != 0 ? setup.scalars.at(p.name) : 0;
      continue;
    }
    Array array{p.type, {}};
    if (setup.buffers.count(p.name) != 0) array.bits = setup.buffers.at(p.name);
    arguments.buffers[p.name] = array;
  }
  std::variant<Machine, LaunchError> made = Machine::create(*ran.program, config, arguments);
  if (LaunchError* e = std::get_if<LaunchError>(&made)) {
    ran.error = *e;
    return ran;
  }
  ran.machine = std::make_shared<Machine>(std::move(std::get<Machine>(made)));
  ran.result = ran.machine->run(setup.sinks);
  if (!ran.result.ok) expect_korean(ran.result.trap);
  return ran;
}

}  // namespace warpsim::testing
