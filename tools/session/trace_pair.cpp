// Two traces from files and programs.
#include "tools/session/trace_pair.h"

#include "isa/program/expand.h"
#include "tools/session/loading.h"
#include "tools/support/profiles.h"

namespace warpsim::tools {
namespace {

// The launch and the inputs of a trace, over whatever a case says.
CaseOverrides launch_of(const TraceHead& head) {
  CaseOverrides overrides;
  overrides.lanes = head.lanes;
  overrides.grid = head.grid;
  overrides.block = head.block;
  overrides.reconvergence = head.reconvergence;
  overrides.schedule = parse_schedule(head.schedule);
  overrides.timing = timing_called(head.profile);
  for (const TraceParam& p : head.params) {
    if (!p.is_buffer()) overrides.param_bits[p.name] = p.bits;
    else overrides.input_arrays[p.name] = {p.type, std::vector<std::uint64_t>(p.length)};
  }
  for (const auto& [name, array] : head.inputs) overrides.input_arrays[name] = array;
  return overrides;
}

// The program that `head` traces, run in the simulator in the same way.
std::optional<Trace> trace_like(Session& session, const std::string& name, const TraceHead& head) {
  std::optional<Lesson> program = load_program(session, name);
  if (!program) return std::nullopt;
  const Case* const found = program->find_case(head.case_name);
  const std::optional<PreparedCase> prepared =
      prepare(session, *program, found != nullptr ? *found : Case{}, launch_of(head));
  if (!prepared) return std::nullopt;
  if (head.code.size() != program->code.size()) program = expand_collectives(*program, head.lanes);
  return execute(session, *program, *prepared, std::nullopt);
}

std::optional<Trace> trace_from(Session& session, const std::string& file) {
  return is_recorded(session, file) ? load_trace(session, file) : std::nullopt;
}

std::optional<Trace> run_of(Session& session, const std::string& name) {
  const std::optional<Ready> ready = make_ready(session, name);
  return ready ? execute(session, ready->program, ready->prepared, std::nullopt) : std::nullopt;
}

}  // namespace

std::optional<std::pair<Trace, Trace>> load_trace_pair(Session& session, const std::string& one,
                                                       const std::string& two) {
  std::optional<Trace> first, second;
  if (is_trace_file(one) && !(first = trace_from(session, one))) return std::nullopt;
  if (is_trace_file(two) && !(second = trace_from(session, two))) return std::nullopt;
  if (!first) first = second ? trace_like(session, one, second->head) : run_of(session, one);
  if (!first) return std::nullopt;
  if (!second) second = is_trace_file(one) ? trace_like(session, two, first->head) : run_of(session, two);
  if (!second) return std::nullopt;
  return std::pair{std::move(*first), std::move(*second)};
}

}  // namespace warpsim::tools
