// Running and comparing; see versus_compare.h.
#include "tools/command/versus_compare.h"

#include <algorithm>
#include <utility>

#include "isa/program/expand.h"
#include "sim/machine/machine.h"
#include "tools/session/overrides.h"
#include "tools/session/profile_option.h"

namespace warpsim::tools {
namespace {

std::optional<Side> run_side(Session& session, Lesson program, PreparedCase prepared) {
  Counter counter;
  const std::optional<Trace> trace = execute(session, program, prepared, no_events(), {&counter});
  if (!trace) return std::nullopt;
  report_outcome(session, program, *trace);
  if (trace->outcome.trap) return std::nullopt;
  const RegisterCounts registers = count_registers(program, prepared.config.lanes);
  Side side{std::move(program), std::move(prepared), *trace, counter.counts(), registers, {trace->outcome.cycles}, {}};
  if (chosen_profile(session)->has_bounds()) side.cycles = cycles_under(side, *chosen_profile(session));
  return side;
}

std::optional<Side> run_beside(Session& session, const Side& first, Lesson program) {
  const Case* own = program.find_case(first.prepared.name);
  if (own == nullptr && !program.cases.empty()) own = &program.cases.front();
  std::optional<PreparedCase> prepared =
      prepare(session, program, own == nullptr ? Case{} : *own,
              same_launch(first.program, first.prepared, first.trace.head.block, program));
  if (!prepared) return std::nullopt;
  if (session.options.expand) program = expand_collectives(program, prepared->config.lanes);
  return run_side(session, std::move(program), std::move(*prepared));
}

const std::vector<std::uint64_t>* undefined_in(const Trace& trace, const std::string& name) {
  for (const UndefinedElements& one : trace.outcome.undefined)
    if (one.name == name) return &one.index;
  return nullptr;
}

std::string element_text(const Side& side, const std::string& name, const Array& array, std::size_t k) {
  const std::vector<std::uint64_t>* undefined = undefined_in(side.trace, name);
  if (undefined != nullptr && std::find(undefined->begin(), undefined->end(), k) != undefined->end())
    return "undefined";
  if (k >= array.bits.size()) return "missing";
  std::string text;
  append_json_value(text, array.type, array.bits[k], side.prepared.config.lanes);
  return text;
}

// "output[3] is 5.0 in a/b, and 7.0 in c/d"; "" if they are the same, undefined elements too.
std::string difference(const Side& a, const Side& b, const std::string& name, const Array& in_a, const Array& in_b) {
  if (in_a.type != in_b.type)
    return name + " is of " + std::string(warpsim::name(in_a.type)) + " in " + a.program.full_name() + ", and of " +
           std::string(warpsim::name(in_b.type)) + " in " + b.program.full_name();
  for (std::size_t k = 0; k < std::max(in_a.bits.size(), in_b.bits.size()); ++k) {
    const std::string here = element_text(a, name, in_a, k), there = element_text(b, name, in_b, k);
    if (here == there && (here == "undefined" || in_a.bits[k] == in_b.bits[k])) continue;
    return name + "[" + std::to_string(k) + "] is " + here + " in " + a.program.full_name() + ", and " + there +
           " in " + b.program.full_name();
  }
  return "";
}

Agreement agreement(const Side& a, const Side& b) {
  Agreement result;
  for (const auto& [name, in_a] : a.trace.outcome.outputs)
    for (const auto& [other, in_b] : b.trace.outcome.outputs) {
      if (name != other) continue;
      result.outputs.push_back(name);
      if (std::string text = difference(a, b, name, in_a, in_b); !text.empty())
        result.differences.push_back(std::move(text));
    }
  return result;
}

// What hinders it is heard by a Reply of its own.
CodeCycles code_cycles(const Session& session, const Side& side, const ChosenProfile& profile) {
  Options options = session.options;
  options.timing = kMachineCode;
  Reply reply(true, false);
  Session asks{options, session.catalogue, session.command_line, reply, session.takes};
  CodeCycles code;
  for (const Timing& timing : profile.bounds) {
    PreparedCase prepared = side.prepared;
    prepared.config.timing = timing;
    const std::optional<Trace> trace = session.run_code(asks, side.program, prepared, no_events());
    if (!trace) return {{}, 0, reply.said().substr(0, reply.said().find('\n'))};
    code.cycles.push_back(trace->outcome.cycles);
    code.instructions = trace->outcome.instructions;
  }
  return code;
}

}  // namespace

std::optional<Comparison> compare(Session& session, const std::string& first, std::vector<Lesson> others,
                                  const ChosenProfile* for_code) {
  std::optional<Ready> ready = make_ready(session, first);
  if (!ready) return std::nullopt;
  std::optional<Side> side = run_side(session, std::move(ready->program), std::move(ready->prepared));
  if (!side) return std::nullopt;
  Comparison comparison;
  comparison.sides.push_back(std::move(*side));
  for (Lesson& other : others) {
    std::optional<Side> beside = run_beside(session, comparison.sides.front(), std::move(other));
    if (!beside) return std::nullopt;
    comparison.agreements.push_back(agreement(comparison.sides.front(), *beside));
    for (const std::string& sentence : comparison.agreements.back().differences)
      session.reply.fail(ExitCode::Mismatch, "mismatch", sentence);
    comparison.sides.push_back(std::move(*beside));
  }
  if (for_code != nullptr)
    for (Side& one : comparison.sides) one.code = code_cycles(session, one, *for_code);
  return comparison;
}

std::vector<std::uint64_t> cycles_under(const Side& side, const ChosenProfile& profile) {
  std::vector<std::uint64_t> cycles;
  for (const Timing& timing : profile.bounds) {
    LaunchConfig config = side.prepared.config;
    config.timing = timing;
    auto created = Machine::create(side.program, config, side.prepared.arguments);
    Machine* machine = std::get_if<Machine>(&created);
    if (machine == nullptr || !machine->run().ok) return {};
    cycles.push_back(machine->result().cycles);
  }
  return cycles;
}

}  // namespace warpsim::tools
