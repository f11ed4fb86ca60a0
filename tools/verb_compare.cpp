// compare: the first step at which two traces differ.
#include "traces/compare.h"

#include <map>

#include "isa/assembler.h"
#include "isa/number_text.h"
#include "tools/json_object.h"
#include "tools/loading.h"
#include "tools/verbs.h"
#include "tools/words.h"

namespace warpsim::tools {
namespace {

// The launch and the inputs of a trace, over whatever a case says.
CaseOverrides launch_of(const TraceHead& head) {
  CaseOverrides overrides;
  overrides.lanes = head.lanes;
  overrides.grid = head.grid;
  overrides.block = head.block;
  for (const TraceParam& p : head.params) {
    if (p.kind == "param") overrides.param_bits[p.name] = p.bits;
    else overrides.input_arrays[p.name] = {p.type, std::vector<std::uint64_t>(p.length)};
  }
  for (const auto& [name, array] : head.inputs) overrides.input_arrays[name] = array;
  return overrides;
}

// The program that `head` traces, run in the simulator in the same way.
std::optional<Trace> trace_like(Session& session, const std::string& name, const TraceHead& head) {
  std::optional<Program> program = load_program(session, name);
  if (!program) return std::nullopt;
  const Case* const found = program->find_case(head.case_name);
  const std::optional<PreparedCase> prepared =
      prepare(session, *program, found != nullptr ? *found : Case{}, launch_of(head));
  if (!prepared) return std::nullopt;
  if (head.code.size() != program->code.size()) program = expand_collectives(*program, head.lanes);
  return execute(session, *program, *prepared, std::nullopt);
}

std::optional<Trace> trace_of_case(Session& session, const std::string& name) {
  const std::optional<Ready> ready = make_ready(session, name);
  return ready ? execute(session, ready->program, ready->prepared, std::nullopt) : std::nullopt;
}

}  // namespace

void run_compare(Session& session) {
  const std::string& one = session.options.names[0];
  const std::string& two = session.options.names[1];
  std::optional<Trace> first, second;
  if (is_trace_file(one) && !(first = load_trace(session, one))) return;
  if (is_trace_file(two) && !(second = load_trace(session, two))) return;
  if (!first) first = second ? trace_like(session, one, second->head) : trace_of_case(session, one);
  if (!first) return;
  if (!second) second = is_trace_file(one) ? trace_like(session, two, first->head) : trace_of_case(session, two);
  if (!second) return;
  const std::optional<std::string> difference = first_difference(*first, *second);
  session.reply.result(JsonObject()
                           .boolean("same", !difference)
                           .text("difference", difference.value_or(""))
                           .text("first", first->head.backend)
                           .text("second", second->head.backend)
                           .str());
  if (difference) return session.reply.fail(ExitCode::Mismatch, "mismatch", *difference);
  session.reply.text("the traces agree: " + counted(first->events.size(), "event") + " (" + first->head.backend + ", " +
                     second->head.backend + ")\n");
}

}  // namespace warpsim::tools
