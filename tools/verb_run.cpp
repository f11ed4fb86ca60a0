// run and trace: one case, once.
#include <optional>
#include <utility>

#include "tools/json_object.h"
#include "tools/loading.h"
#include "tools/output.h"
#include "tools/verbs.h"
#include "traces/text_renderer.h"
#include "traces/writer.h"

namespace warpsim::tools {

namespace {

// {"output": [1.0, null]}: null where nothing defined was written.
std::string arrays_json(const std::vector<std::pair<std::string, Array>>& arrays, const std::vector<UndefinedElements>& undefined,
                        unsigned lanes) {
  JsonObject json;
  for (const auto& [name, array] : arrays) {
    std::vector<std::string> values;
    for (const std::uint64_t bits : array.bits) append_json_value(values.emplace_back(), array.type, bits, lanes);
    for (const UndefinedElements& one : undefined)
      if (one.name == name)
        for (const std::uint64_t index : one.index) values[index] = "null";
    json.raw(name, json_list(values));
  }
  return json.str();
}

std::string run_json(const Trace& trace) {
  const TraceOutcome& outcome = trace.outcome;
  const std::string passed = !outcome.passed ? "null" : *outcome.passed ? "true" : "false";
  return JsonObject()
      .number("lanes", trace.head.lanes)
      .number("cycles", outcome.cycles)
      .raw("outputs", arrays_json(outcome.outputs, outcome.undefined, trace.head.lanes))
      .raw("expected", arrays_json(outcome.expected, {}, trace.head.lanes))
      .raw("passed", passed)
      .str();
}

std::string text_of(Session& session, const Trace& trace) {
  TextOptions options;
  options.ascii = session.options.ascii;
  return render_text(trace, options);
}

}  // namespace

void run_run(Session& session) {
  const std::optional<Ready> ready = make_ready(session, session.options.names.front());
  if (!ready) return;
  const std::optional<Trace> trace = execute(session, ready->program, ready->prepared, no_events());
  if (!trace) return;
  if (!trace->outcome.trap) session.reply.text(render_run(run_facts(trace->head, trace->outcome), session.options.ascii));
  session.reply.result(run_json(*trace));
  report_outcome(session, ready->program, *trace);
}

void run_trace(Session& session) {
  const std::string format = session.options.format.empty() ? "json" : session.options.format;
  const std::optional<Ready> ready = make_ready(session, session.options.names.front());
  if (!ready) return;
  Output out = Output::open(session.options.output);
  std::uint64_t events = 0;
  std::optional<Trace> trace;
  if (format == "text") {
    trace = execute(session, ready->program, ready->prepared, std::nullopt);
    if (trace) out.write(text_of(session, *trace));
  } else {
    TraceWriter writer(format == "json" ? TraceShape::Document : TraceShape::Ndjson, [&out](std::string_view text) { out.write(text); });
    TraceConsumer consumer;
    consumer.head = [&writer](const TraceHead& head) { writer.head(head); };
    consumer.event = [&writer, &events](const TraceEvent& event) { writer.event(event), ++events; };
    consumer.outcome = [&writer](const TraceOutcome& outcome) { writer.outcome(outcome); };
    trace = execute(session, ready->program, ready->prepared, std::move(consumer));
  }
  if (!trace) return;
  if (const std::string error = out.finish(); !error.empty()) return session.reply.fail(ExitCode::BadInput, "file", error);
  report_outcome(session, ready->program, *trace);
}

}  // namespace warpsim::tools
