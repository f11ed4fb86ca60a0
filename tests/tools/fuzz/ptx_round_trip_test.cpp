// Random programs as PTX, read again: they compute what the programs compute.
//
// Shapes: program → write_ptx() → read_module() → make_program(). WARPSIM_FUZZ_COUNT says how many, WARPSIM_FUZZ_SEED
//         where to begin; 1,000 from 1 if they say nothing. Every register is stored at the end of these programs, so
//         buffers show all. Fewer than 32 lanes become part of the code, so the PTX always runs at 32.
// Errors: a difference prints the seed, the element and the program.
// Source: what the second implementation in tools/fuzz computes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "isa/program/expand.h"
#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "sim/machine/machine.h"
#include "tools/fuzz/differential.h"

namespace warpsim::reference {
namespace ptx_round_trip_test {

std::uint64_t setting_or(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The lesson that the text means, with the parameters of `program`; none after a failure.
std::optional<Lesson> read_again(const std::string& text, const Program& program) {
  const ptx::ReadModule read = ptx::read_module(text, "written.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  for (const ptx::Function& one : read.module.functions) {
    Diagnostics diagnostics;
    diagnostics.text = text;
    std::optional<Program> made = ptx::make_program(read.module, one, diagnostics);
    EXPECT_EQ(diagnostics.render(), "");
    if (!made) return std::nullopt;
    EXPECT_TRUE(made->unsupported.empty());
    Lesson description;
    description.params = program.params;
    return ptx::described(std::move(*made), description, diagnostics);
  }
  return std::nullopt;
}

std::string first_different(const Result& expected, const Machine& machine) {
  for (const auto& [name, array] : expected.buffers) {
    const Array here = machine.buffer(name);
    for (std::size_t k = 0; k < array.bits.size(); ++k)
      if (here.bits.at(k) != array.bits[k])
        return name + "[" + std::to_string(k) + "] is " + format_value(array.type, here.bits[k]) + ", not " +
               format_value(array.type, array.bits[k]);
  }
  return "";
}

// The order of schedule `blocks` in both: interpreted and as machine code they have the same results after as many
// instructions.
std::string differs_as_machine_code(const Lesson& lesson, LaunchConfig config, const Prepared& prepared) {
  config.schedule = kBlocksSchedule;
  config.max_cycles = kNoCycleLimit;
  std::uint64_t instructions[2] = {};
  for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Compiled}) {
    config.engine = engine;
    auto made = Machine::create(lesson, config, {prepared.launch.scalars, prepared.launch.buffers, {}});
    Machine& machine = std::get<Machine>(made);
    const RunResult ran = machine.run();
    const std::string who = engine == EngineChoice::Compiled ? "as machine code: " : "with schedule blocks: ";
    if (!ran.ok) return who + english(ran.trap.message);
    if (const std::string wrong = first_different(prepared.expected, machine); !wrong.empty()) return who + wrong;
    instructions[engine == EngineChoice::Compiled ? 1 : 0] = ran.instructions;
  }
  if (instructions[0] == instructions[1]) return "";
  return std::to_string(instructions[0]) + " instructions, and " + std::to_string(instructions[1]) + " as machine code";
}

TEST(PtxRoundTrip, RandomProgramsComputeTheSame) {
  const std::uint64_t first = setting_or("WARPSIM_FUZZ_SEED", 1), count = setting_or("WARPSIM_FUZZ_COUNT", 1000);
  int failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    const Prepared prepared = prepare(random_program(seed, kHardwareLimits));
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_EQ(prepared.problem, "");
    const Program expanded = expand_collectives(*prepared.program, prepared.launch.lanes);
    PtxOptions options;
    options.lanes = prepared.launch.lanes;
    options.block = prepared.launch.block;
    const auto written = write_ptx(expanded, options);
    ASSERT_TRUE(std::holds_alternative<PtxKernel>(written));
    const PtxKernel& kernel = std::get<PtxKernel>(written);
    const std::string text = ptx_module({&kernel, 1});
    const std::optional<Lesson> again = read_again(text, expanded);
    LaunchConfig config = prepared.config;
    config.lanes = kPtxLanes;
    config.block = ptx_block(options.lanes, options.block);
    config.dynamic_shared_bytes = kernel.dynamic_shared ? kernel.shared_bytes : 0;
    config.reconvergence = Reconvergence::Independent;
    std::string wrong = "it is not read";
    if (again) {
      auto made = Machine::create(*again, config, {prepared.launch.scalars, prepared.launch.buffers, {}});
      ASSERT_TRUE(std::holds_alternative<Machine>(made)) << std::get<LaunchError>(made).message;
      Machine& machine = std::get<Machine>(made);
      const RunResult ran = machine.run();
      wrong = ran.ok ? first_different(prepared.expected, machine) : english(ran.trap.message);
      if (wrong.empty()) wrong = differs_as_machine_code(*again, config, prepared);
    }
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << wrong << "\n" << prepared.source.text() << "\n" << text;
  }
}

}  // namespace ptx_round_trip_test
}  // namespace warpsim::reference
