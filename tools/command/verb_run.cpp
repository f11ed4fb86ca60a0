// run and trace: one case, once.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "tools/command/verbs.h"
#include "tools/session/gpu_session.h"
#include "tools/session/loading.h"
#include "tools/session/npy.h"
#include "tools/session/profile_option.h"
#include "tools/session/result_file.h"
#include "tools/session/trace_source.h"
#include "tools/session/wording.h"
#include "tools/support/counts_text.h"
#include "tools/support/interrupt.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"
#include "traces/export/export.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/text/text_renderer.h"
#include "traces/words/plain_text.h"

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

// Of a run: one number, or one of each of the profile's bounds.
struct Cycles {
  std::string profile;
  std::vector<std::uint64_t> of_bounds;
  bool outputs_differ = false;  // by bound; the low one's are reported
};

// Cycles and counts are the simulator's: a GPU has none.
std::string run_json(const Trace& trace, const Cycles& cycles, const std::string& counts) {
  const TraceOutcome& outcome = trace.outcome;
  const std::string passed = !outcome.passed ? "null" : *outcome.passed ? "true" : "false";
  JsonObject json;
  json.text("backend", trace.head.backend).number("lanes", trace.head.lanes);
  if (!cycles.of_bounds.empty()) json.text("profile", cycles.profile).raw("cycles", cycles_json(cycles.of_bounds));
  if (trace.head.is_machine_code) json.text("timing", kMachineCode);
  if (cycles.outputs_differ) json.text("outputs_of", cycles.profile + std::string(kLow));
  json.raw("outputs", arrays_json(outcome.outputs, outcome.undefined, trace.head.lanes))
      .raw("expected", arrays_json(outcome.expected, {}, trace.head.lanes))
      .raw("passed", passed);
  if (!counts.empty()) json.raw("counts", counts);
  if (!outcome.printed.empty()) json.text("printed", outcome.printed);
  return json.str();
}

std::string text_of(Session& session, const Wording& wording, const Trace& trace) {
  TextOptions options;
  options.ascii = session.options.ascii;
  options.language = wording.language;
  options.translations = wording.texts();
  return render_text(trace, options);
}

// The form of a trace: as --format says, or as the file's name ends.
std::string format_of(const Options& options) {
  if (!options.format.empty()) return options.format;
  const std::string ending = std::filesystem::path(without_compression(options.output)).extension().string();
  return ending == ".ndjson" ? "ndjson" : ending == ".txt" ? "text" : "json";
}

// A file that ends like a picture or a table would hold none.
bool ends_like_a_trace(Session& session) {
  const Options& options = session.options;
  const ExportForm* const form =
      options.format.empty() ? export_form_of_file(without_compression(options.output)) : nullptr;
  if (form == nullptr) return true;
  session.reply.fail(ExitCode::Usage, "usage",
                     "-o " + options.output + ": a trace is .json, .ndjson or .txt, not " + std::string(form->ending),
                     "`warpsim export " + options.names.front() + " -o " + options.output + "` draws it");
  return false;
}

TraceConsumer writing(TraceWriter& writer) {
  return {[&writer](const TraceHead& head) { writer.head(head); },
          [&writer](const TraceEvent& event) { writer.event(event); },
          [&writer](const TraceOutcome& outcome) { writer.outcome(outcome); }};
}

// "y=@y.npy" → the buffer, and the file.
std::pair<std::string, std::string> output_parts(const std::string& word) {
  const std::size_t at = word.find("=@");
  return {word.substr(0, at), at == std::string::npos ? "" : word.substr(at + 2)};
}

// Whether every --output names a buffer that the kernel may write, and a file.
bool outputs_fit(Session& session, const Program& program) {
  std::vector<std::string> names;
  for (const Param& param : program.params)
    if (param.kind == Param::Kind::Out || param.kind == Param::Kind::InOut) names.push_back(param.name);
  for (const std::string& word : session.options.outputs) {
    const auto [name, file] = output_parts(word);
    if (!file.ends_with(".npy")) {
      session.reply.fail(ExitCode::Usage, "usage", "--output " + in_ticks(word) + " is not NAME=@FILE.npy",
                         "--output y=@y.npy");
      return false;
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    session.reply.fail(ExitCode::Usage, "usage", program.full_name() + " writes no buffer " + in_ticks(name),
                       hint_for(nearest(name, names), names.empty() ? "it writes none" : "it writes " + join(names)));
    return false;
  }
  return true;
}

void write_outputs(Session& session, const TraceOutcome& outcome) {
  for (const std::string& word : session.options.outputs)
    for (const auto& [name, array] : outcome.outputs)
      if (name == output_parts(word).first) session.reply.write_to(output_parts(word).second, write_npy(array));
}

// What a run prints.
std::string run_text(Session& session, const Wording& wording, const Trace& trace) {
  return render_run(run_facts(trace.head, trace.outcome, wording.texts()), session.options.ascii, wording.language);
}

void run_on_gpu(Session& session, const Wording& wording, const Ready& ready) {
  if (session.options.counts)
    return session.reply.fail(ExitCode::Unsupported, "unsupported", "a GPU does not count what a run did",
                              "leave out --counts, or --backend cuda");
  const std::optional<Trace> trace = gpu_trace_of(session, ready, false);
  if (!trace) return;
  session.reply.text(run_text(session, wording, *trace));
  write_outputs(session, trace->outcome);
  session.reply.result(run_json(*trace, {}, ""));
  report_outcome(session, ready.program, *trace);
}

// How long the run took, and how long it takes by the profile's other bound.
std::optional<Cycles> cycles_of(Session& session, const Ready& ready, const Trace& trace) {
  const ChosenProfile& chosen = *chosen_profile(session);
  Cycles cycles{chosen.name, {trace.outcome.cycles}};
  if (!chosen.has_bounds() || trace.outcome.trap) return cycles;
  PreparedCase other = ready.prepared;
  other.config.timing = chosen.bounds.back();
  const std::optional<Trace> again = execute(session, ready.program, other, no_events());
  if (!again) return std::nullopt;
  cycles.outputs_differ = again->outcome.outputs != trace.outcome.outputs;
  if (again->outcome.trap || cycles.outputs_differ) report_outcome(session, ready.program, *again);
  cycles.of_bounds.push_back(again->outcome.cycles);
  return cycles;
}

std::string cycles_line(const Session& session, const Cycles& cycles) {
  if (session.options.profile.empty()) return "";
  return "profile " + cycles.profile + (session.runs_code() ? ", machine code: " : ": ") +
         cycles_text(cycles.of_bounds) + (cycles.outputs_differ ? "; the outputs are those of the low bound" : "") +
         "\n";
}

}  // namespace

void run_run(Session& session) {
  if (!gpu_options_fit(session) || !read_error_exitcode(session)) return;
  const std::optional<Ready> ready = make_ready(session, session.options.names.front());
  if (!ready || !outputs_fit(session, ready->program)) return;
  const std::optional<Wording> wording = wording_of(session);
  if (!wording) return;
  if (session.options.backend == "cuda") return run_on_gpu(session, *wording, *ready);
  if (session.options.counts && session.runs_code())
    return session.reply.fail(ExitCode::Usage, "usage", "--counts is of the program, not of its machine code",
                              "`warpsim stats` counts machine code, too");
  session.stop = catch_interrupt();
  Counter counter;
  ExactnessCounter exactness;
  const bool counts = session.options.counts || session.reply.json();
  const std::initializer_list<EventSink*> fast = {&exactness}, whole = {&exactness, &counter};
  const std::optional<Trace> trace =
      execute(session, ready->program, ready->prepared, no_events(), counts ? whole : fast);
  if (!trace) return;
  const std::optional<Cycles> cycles = cycles_of(session, *ready, *trace);
  if (!cycles) return;
  session.reply.text(trace->outcome.printed);
  if (!trace->outcome.trap)
    session.reply.text(run_text(session, *wording, *trace) +
                       (session.runs_code() ? "" : "instructions: " + exactness_text(exactness.counts()) + "\n") +
                       cycles_line(session, *cycles));
  if (!trace->outcome.trap) write_outputs(session, trace->outcome);
  const RegisterCounts registers = count_registers(ready->program, trace->head.lanes);
  if (session.options.counts) session.reply.text(counts_text(counter.counts(), registers));
  session.reply.result(run_json(*trace, *cycles, session.runs_code() ? "" : counts_json(counter.counts(), registers)));
  report_outcome(session, ready->program, *trace);
}

void run_trace(Session& session) {
  if (!ends_like_a_trace(session) || !gpu_options_fit(session) || !read_error_exitcode(session)) return;
  const std::string format = format_of(session.options);
  const std::optional<Wording> wording = wording_of(session);
  if (!wording) return;
  ResultFile out(session);
  if (!out.fits(true)) return;
  Trace whole;  // for the diagram, which needs all of it
  TraceWriter writer(format == "json" ? TraceShape::Document : TraceShape::Ndjson,
                     [&out](std::string_view text) { out.write(text); });
  const std::optional<TraceSource> source =
      stream_trace(session, session.options.names.front(), format == "text" ? collect_into(whole) : writing(writer));
  if (!source) return;
  if (format == "text") out.write(without_controls(text_of(session, *wording, whole)));
  JsonObject answer;
  answer.text("format", format).number("cycles", source->facts.outcome.cycles);
  if (source->exactness) answer.raw("by_exactness", exactness_json(*source->exactness));
  out.finish(answer, format == "json" ? "trace" : "");
  report_source(session, *source);
}

}  // namespace warpsim::tools
