// One random program on the machine and on the reference: see differential.h.
#include "tools/fuzz/differential.h"

#include <cstdio>
#include <utility>
#include <variant>

#include "isa/assembler.h"
#include "sim/machine.h"

namespace warpsim::reference {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

LaunchConfig config_of(const RandomProgram& source) {
  LaunchConfig config;
  config.lanes = source.lanes;
  config.grid = source.grid;
  config.block = source.block;
  config.max_cycles = 200'000;
  return config;
}
Arguments arguments_of(const RandomProgram& source) { return {source.scalars, source.buffers}; }

std::string different_value(const std::string& what, std::uint64_t machine, std::uint64_t reference) {
  return what + ": the machine has " + hex(machine) + ", the reference " + hex(reference);
}

std::string different_buffer(const Prepared& prepared, const Machine& machine) {
  for (const auto& [name, expected] : prepared.expected.buffers) {
    const Array got = machine.buffer(name);
    if (got.bits.size() != expected.bits.size()) return "buffer " + name + " has another length";
    for (std::size_t k = 0; k < got.bits.size(); ++k) {
      if (got.bits[k] != expected.bits[k]) {
        return different_value(name + "[" + std::to_string(k) + "]", got.bits[k], expected.bits[k]);
      }
    }
  }
  return "";
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
  Assembled assembled = assemble(source.text(), "random.warp");
  if (!assembled.program) {
    p.problem = "does not assemble:\n" + assembled.diagnostics.render();
    return p;
  }
  p.program = std::move(assembled.program);
  const auto created = Machine::create(*p.program, config_of(source), arguments_of(source));
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) {
    p.problem = "does not launch: " + error->code + " " + error->message;
    return p;
  }
  const Machine& machine = std::get<Machine>(created);
  p.launch.lanes = source.lanes;
  p.launch.grid = source.grid;
  p.launch.block = source.block;
  p.launch.max_steps = 3'000'000;  // ten times what the longest program needs; a wrong one may loop
  p.launch.scalars = source.scalars;
  p.launch.buffers = source.buffers;
  for (std::size_t k = 0; k < p.program->params.size(); ++k) {
    if (!p.program->params[k].is_buffer()) continue;
    p.launch.addresses[p.program->params[k].name] = machine.buffer_address(static_cast<std::int32_t>(k));
  }
  p.expected = run(*p.program, p.launch);
  return p;
}

MachineRun compare(const Prepared& prepared, const Program& changed, std::span<EventSink* const> sinks) {
  MachineRun run;
  auto created = Machine::create(changed, config_of(prepared.source), arguments_of(prepared.source));
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) {
    run.difference = "does not launch: " + error->message;
    return run;
  }
  Machine& machine = std::get<Machine>(created);
  run.result = sinks.empty() ? machine.run() : machine.run(sinks);
  if (run.result.ok == prepared.expected.trapped) {
    run.difference = run.result.ok ? "the reference alone traps: " + prepared.expected.why
                                   : "the machine alone traps: " + run.result.trap.message;
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
  // A shorter program must differ in the same way: in a value, or in not being accepted, or in its trap.
  const auto kind = [](const std::string& d) { return d.substr(0, d.find(d.rfind("the ", 0) == 0 ? ':' : ' ')); };
  const auto value_kind = [&](const std::string& d) {
    return d.rfind("the ", 0) == 0 || d.rfind("does ", 0) == 0 ? kind(d) : "";
  };
  const std::string original = value_kind(difference(source));
  RandomProgram best = source;
  for (std::size_t step = best.lines.size() / 2; step > 0; step /= 2) {
    for (std::size_t at = 0; at + step <= best.lines.size();) {
      RandomProgram shorter = best;
      const auto from = shorter.lines.begin() + static_cast<std::ptrdiff_t>(at);
      shorter.lines.erase(from, from + static_cast<std::ptrdiff_t>(step));
      const std::string remaining = difference(shorter);
      if (!remaining.empty() && value_kind(remaining) == original) {
        best = std::move(shorter);
      } else {
        at += step;
      }
    }
  }
  return best;
}

std::string report(const RandomProgram& source) {
  const RandomProgram shrunk = shrink(source);
  return "seed " + std::to_string(source.seed) + " (" + source.launch() + "): " + difference(source) + "\nshrunk to " +
         std::to_string(shrunk.lines.size()) + " of " + std::to_string(source.lines.size()) +
         " lines: " + difference(shrunk) + "\n" + shrunk.text();
}

}  // namespace warpsim::reference
