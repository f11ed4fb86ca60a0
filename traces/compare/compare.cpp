// Comparing two traces: heads, then events (compare_events.cpp), then outcomes.
#include "traces/compare/compare.h"

#include <algorithm>
#include <vector>

#include "traces/compare/compare_parts.h"

namespace warpsim {
namespace {

std::string dim_text(const Dim3& dim) {
  return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" + std::to_string(dim.z);
}

Difference compare_arrays(const std::string& what, const std::vector<std::pair<std::string, Array>>& one,
                          const std::vector<std::pair<std::string, Array>>& two) {
  for (std::size_t k = 0; k < std::min(one.size(), two.size()); ++k) {
    const auto& [name, a] = one[k];
    const auto& [other_name, b] = two[k];
    if (name != other_name) return differ(what, name, other_name);
    if (a.type != b.type || a.bits.size() != b.bits.size())
      return what + " " + name + " has " + std::to_string(a.bits.size()) + " elements of " +
             std::string(warpsim::name(a.type)) + ", the other " + std::to_string(b.bits.size()) + " of " +
             std::string(warpsim::name(b.type));
    for (std::size_t n = 0; n < a.bits.size(); ++n)
      if (a.bits[n] != b.bits[n])
        return what + " " + name + "[" + std::to_string(n) + "] holds " + compared_value(a.type, a.bits[n], 64) +
               ", the other holds " + compared_value(b.type, b.bits[n], 64);
  }
  return differ("number of " + what + "s", one.size(), two.size());
}

Difference compare_heads(const TraceHead& one, const TraceHead& two) {
  if (Difference d = differ("program", one.program, two.program)) return d;
  if (Difference d = differ("lanes", one.lanes, two.lanes)) return d;
  if (Difference d = differ("grid", dim_text(one.grid), dim_text(two.grid))) return d;
  if (Difference d = differ("block", dim_text(one.block), dim_text(two.block))) return d;
  for (std::size_t k = 0; k < std::min(one.code.size(), two.code.size()); ++k)
    if (Difference d = differ("pc " + std::to_string(k), one.code[k].text, two.code[k].text)) return d;
  if (Difference d = differ("number of instructions", one.code.size(), two.code.size())) return d;
  for (std::size_t k = 0; k < std::min(one.registers.size(), two.registers.size()); ++k) {
    if (Difference d = differ("register " + std::to_string(k), one.registers[k].name, two.registers[k].name)) return d;
    if (Difference d = differ("type of " + one.registers[k].name, std::string(name(one.registers[k].type)),
                              std::string(name(two.registers[k].type))))
      return d;
  }
  if (Difference d = differ("number of registers", one.registers.size(), two.registers.size())) return d;
  for (std::size_t k = 0; k < std::min(one.params.size(), two.params.size()); ++k) {
    const TraceParam &a = one.params[k], &b = two.params[k];
    if (Difference d = differ("parameter " + std::to_string(k), a.name, b.name)) return d;
    if (Difference d = differ("length of " + a.name, a.length, b.length)) return d;
    if (a.bits != b.bits || a.type != b.type)
      return "parameter " + a.name + " is " + compared_value(a.type, a.bits, 64) + ", the other is " +
             compared_value(b.type, b.bits, 64);
  }
  if (Difference d = differ("number of parameters", one.params.size(), two.params.size())) return d;
  return compare_arrays("input", one.inputs, two.inputs);
}

Difference compare_outputs(const TraceOutcome& one, const TraceOutcome& two, bool hardware) {
  if (!hardware) {
    if (Difference d = compare_arrays("output", one.outputs, two.outputs)) return d;
    for (std::size_t k = 0; k < std::min(one.undefined.size(), two.undefined.size()); ++k)
      if (one.undefined[k].name != two.undefined[k].name || one.undefined[k].index != two.undefined[k].index)
        return "the undefined elements of output " + one.undefined[k].name + " differ";
    return differ("number of outputs with undefined elements", one.undefined.size(), two.undefined.size());
  }
  // What is undefined in one of them agrees with anything.
  std::vector<std::pair<std::string, Array>> a = one.outputs, b = two.outputs;
  const auto blank = [&](const std::vector<UndefinedElements>& undefined) {
    for (const UndefinedElements& each : undefined)
      for (auto* outputs : {&a, &b})
        for (auto& [name, array] : *outputs)
          if (name == each.name)
            for (const std::uint64_t k : each.index)
              if (k < array.bits.size()) array.bits[k] = 0;
  };
  blank(one.undefined);
  blank(two.undefined);
  return compare_arrays("output", a, b);
}

Difference compare_outcomes(const TraceOutcome& one, const TraceOutcome& two, bool hardware) {
  if (Difference d = compare_outputs(one, two, hardware)) return d;
  if (one.trap.has_value() != two.trap.has_value())
    return one.trap ? "trap " + one.trap->kind + ", the other has none" : "no trap, the other has " + two.trap->kind;
  if (one.trap)
    if (Difference d = differ("trap", one.trap->kind, two.trap->kind)) return d;
  if (hardware) return {};
  if (one.trap)
    if (Difference d = differ("trap's message", english(one.trap->message), english(two.trap->message))) return d;
  if (Difference d = differ("cycles", one.cycles, two.cycles)) return d;
  return differ("instructions", one.instructions, two.instructions);
}

bool from_hardware(const Trace& trace) {
  if (trace.head.backend != TraceHead{}.backend) return true;
  return std::any_of(trace.events.begin(), trace.events.end(), [](const TraceEvent& event) { return !event.cycle; });
}

bool other_clock(const TraceHead& one, const TraceHead& two) {
  return one.profile != two.profile || one.scheduler != two.scheduler;
}

}  // namespace

std::optional<std::string> first_difference(const Trace& first, const Trace& other) {
  if (Difference d = compare_heads(first.head, other.head)) return d;
  const bool by_lane = from_hardware(first) || from_hardware(other) || other_clock(first.head, other.head);
  if (Difference d = compare_events(first, other, by_lane)) return d;
  return compare_outcomes(first.outcome, other.outcome, by_lane);
}

}  // namespace warpsim
