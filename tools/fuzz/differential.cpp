// One random program on the machine and on the reference: see differential.h.
#include "tools/fuzz/differential.h"

#include <string_view>
#include <utility>
#include <variant>

#include "sim/machine/machine.h"
#include "tools/fuzz/shrink.h"
#include "tools/fuzz/sides.h"

namespace warpsim::reference {
namespace {

constexpr std::string_view kMachine = "machine", kReference = "reference";

std::string different_value(const std::string& what, std::uint64_t machine, std::uint64_t reference) {
  return fuzz::different_value(what, kMachine, machine, kReference, reference);
}

std::string different_buffer(const Prepared& prepared, const Machine& machine) {
  fuzz::Buffers got;
  for (const auto& [name, expected] : prepared.expected.buffers) got[name] = machine.buffer(name);
  return fuzz::different_buffer(kMachine, got, kReference, prepared.expected.buffers);
}

std::string different_register(const Prepared& prepared, const Machine& machine) {
  const std::size_t threads = prepared.launch.block.count();
  for (std::size_t k = 0; k < prepared.expected.registers.size(); ++k) {
    const auto block = static_cast<std::uint32_t>(k / threads), thread = static_cast<std::uint32_t>(k % threads);
    const std::uint32_t warp = thread / prepared.launch.lanes, lane = thread % prepared.launch.lanes;
    const std::vector<std::uint64_t>& expected = prepared.expected.registers[k];
    for (std::size_t reg = 0; reg < expected.size(); ++reg) {
      const std::uint64_t got = machine.register_bits(block, warp, static_cast<std::int32_t>(reg), lane);
      if (got == expected[reg]) continue;
      return different_value(prepared.program->registers[reg].name + " of block " + std::to_string(block) + ", warp " +
                                 std::to_string(warp) + ", lane " + std::to_string(lane),
                             got, expected[reg]);
    }
  }
  return "";
}

}  // namespace

Prepared prepare(const RandomProgram& source) {
  Prepared p;
  p.source = source;
  std::optional<fuzz::Job> job = fuzz::job_of(source, p.problem);
  if (!job) return p;
  const auto created = Machine::create(job->program, job->config, job->arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) {
    p.problem = "does not launch: " + error->code + " " + error->message;
  } else {
    p.launch = fuzz::launch_of(*job, std::get<Machine>(created));
    p.expected = run(job->program, p.launch);
  }
  p.config = job->config;
  p.program = std::move(job->program);
  return p;
}

MachineRun compare(const Prepared& prepared, const Program& changed, std::span<EventSink* const> sinks) {
  MachineRun run;
  auto created = Machine::create(changed, prepared.config, {prepared.launch.scalars, prepared.launch.buffers});
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) {
    run.difference = "does not launch: " + error->message;
    return run;
  }
  Machine& machine = std::get<Machine>(created);
  run.result = sinks.empty() ? machine.run() : machine.run(sinks);
  if (run.result.ok == prepared.expected.trapped) {
    run.difference = run.result.ok ? "the reference alone traps: " + prepared.expected.why
                                   : "the machine alone traps: " + english(run.result.trap.message);
  } else if (run.result.ok) {
    run.difference = different_buffer(prepared, machine);
    if (run.difference.empty()) run.difference = different_register(prepared, machine);
  }
  return run;
}

std::string difference(const RandomProgram& source) {
  const Prepared prepared = prepare(source);
  return prepared.program && prepared.problem.empty() ? compare(prepared, *prepared.program).difference
                                                      : prepared.problem;
}

RandomProgram shrink(const RandomProgram& source) {
  return fuzz::shrink(source, difference(source), [](std::span<const RandomProgram> candidates) {
    std::vector<std::string> differences;
    for (const RandomProgram& candidate : candidates) differences.push_back(difference(candidate));
    return differences;
  });
}

std::string report(const RandomProgram& source) {
  const RandomProgram shrunk = shrink(source);
  return "seed " + std::to_string(source.seed) + " (" + source.launch() + "): " + difference(source) + "\nshrunk to " +
         std::to_string(shrunk.lines.size()) + " of " + std::to_string(source.lines.size()) +
         " lines: " + difference(shrunk) + "\n" + shrunk.text();
}

}  // namespace warpsim::reference
