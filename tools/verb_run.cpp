// run and trace: one case, once.
#include <filesystem>
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
std::string arrays_json(const std::vector<std::pair<std::string, Array>>& arrays,
                        const std::vector<UndefinedElements>& undefined, unsigned lanes) {
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

bool is_trace_file(const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  return ending == ".json" || ending == ".ndjson";
}

bool to_stdout(const Session& session) { return session.options.output.empty() || session.options.output == "-"; }

void finish_file(Session& session, Output& out) {
  if (const std::string error = out.finish(); !error.empty()) session.reply.fail(ExitCode::BadInput, "file", error);
}

// A trace that exists already, in another form.
void convert_trace(Session& session, const std::string& path, const std::string& format) {
  const std::optional<Trace> trace = load_trace(session, path);
  if (!trace) return;
  if (to_stdout(session)) session.reply.json_off();
  Output out = Output::open(session.options.output);
  out.write(format == "text" ? text_of(session, *trace) : format == "json" ? to_json(*trace) : to_ndjson(*trace));
  finish_file(session, out);
}

}  // namespace

void run_run(Session& session) {
  const std::optional<Ready> ready = make_ready(session, session.options.names.front());
  if (!ready) return;
  const std::optional<Trace> trace = execute(session, ready->program, ready->prepared, no_events());
  if (!trace) return;
  if (!trace->outcome.trap)
    session.reply.text(render_run(run_facts(trace->head, trace->outcome), session.options.ascii));
  session.reply.result(run_json(*trace));
  report_outcome(session, ready->program, *trace);
}

void run_trace(Session& session) {
  const std::string& name = session.options.names.front();
  const std::string format = session.options.format.empty() ? "json" : session.options.format;
  if (is_trace_file(name)) return convert_trace(session, name, format);
  const std::optional<Ready> ready = make_ready(session, name);
  if (!ready) return;
  if (to_stdout(session)) session.reply.json_off();
  Output out = Output::open(session.options.output);
  std::optional<Trace> trace;
  if (format == "text") {
    trace = execute(session, ready->program, ready->prepared, std::nullopt);
    if (trace) out.write(text_of(session, *trace));
  } else {
    TraceWriter writer(format == "json" ? TraceShape::Document : TraceShape::Ndjson,
                       [&out](std::string_view text) { out.write(text); });
    TraceConsumer consumer;
    consumer.head = [&writer](const TraceHead& head) { writer.head(head); };
    consumer.event = [&writer](const TraceEvent& event) { writer.event(event); };
    consumer.outcome = [&writer](const TraceOutcome& outcome) { writer.outcome(outcome); };
    trace = execute(session, ready->program, ready->prepared, std::move(consumer));
  }
  finish_file(session, out);
  if (!trace) return;
  session.reply.result(JsonObject()
                           .text("file", session.options.output)
                           .text("format", format)
                           .number("cycles", trace->outcome.cycles)
                           .str());
  report_outcome(session, ready->program, *trace);
}

}  // namespace warpsim::tools
