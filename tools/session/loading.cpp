// From what the command line names to what can run; see loading.h.
#include "tools/session/loading.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "isa/assembly/assembler.h"
#include "isa/program/expand.h"
#include "isa/text/number_text.h"
#include "sim/machine/machine.h"
#include "tools/report/check_report.h"
#include "tools/report/trap_text.h"
#include "tools/session/foreign_file.h"
#include "tools/session/overrides.h"
#include "tools/session/ptx_lessons.h"
#include "tools/session/trace_source.h"
#include "tools/support/files.h"
#include "tools/support/output.h"
#include "tools/support/words.h"
#include "traces/io/reader.h"

namespace warpsim::tools {

namespace {

bool looks_like_path(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return name.front() == '/' || name.front() == '.' || name.back() == '/' ||
         (dot != std::string_view::npos && name.find('/', dot) == std::string_view::npos);
}

std::vector<std::string> names_of(const std::vector<Lesson>& lessons) {
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons) names.push_back(lesson.name);
  return names;
}

// Leaves the kernel that --kernel names.
std::vector<Lesson> choose_kernel(Session& session, std::vector<Lesson> lessons) {
  const std::string& wanted = session.options.kernel;
  if (wanted.empty() || lessons.empty()) return lessons;
  const std::vector<std::string> names = names_of(lessons);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    session.reply.fail(ExitCode::Usage, "usage",
                       input_name(lessons.front().source().name) + " has no kernel " + in_ticks(wanted),
                       hint_for(nearest(wanted, names), "it has " + join(names)));
    return {};
  }
  return {std::move(lessons[static_cast<std::size_t>(found - names.begin())])};
}

std::optional<Lesson> only_one(Session& session, std::vector<Lesson> lessons) {
  if (lessons.size() == 1) return std::move(lessons.front());
  if (!lessons.empty())
    session.reply.fail(ExitCode::Usage, "usage",
                       input_name(lessons.front().source().name) + " holds " + counted(lessons.size(), "kernel") +
                           ": " + join(names_of(lessons)),
                       "say which: --kernel " + lessons.front().name);
  return std::nullopt;
}

std::vector<Lesson> assemble_text(Session& session, std::string_view text, const std::string& file, std::string group) {
  Assembled assembled = assemble(text, file, std::move(group));
  for (const Lesson& lesson : assembled.lessons) {
    const Diagnostics assertions = check_assertions(lesson);
    assembled.diagnostics.list.insert(assembled.diagnostics.list.end(), assertions.list.begin(), assertions.list.end());
  }
  if (assembled.diagnostics.has_errors()) assembled.lessons.clear();
  session.reply.fail(assembled.diagnostics.is_only_unsupported() ? ExitCode::Unsupported : ExitCode::BadInput,
                     assembled.diagnostics);
  const std::string folder = std::filesystem::path(file).parent_path().string();
  for (Lesson& lesson : assembled.lessons)
    if (!read_case_files(session, lesson, folder)) return {};
  return choose_kernel(session, std::move(assembled.lessons));
}

// A launch error points into the program, or it is about the command line, which may also have made a case impossible.
void report(Session& session, const Lesson& program, const LaunchError& error) {
  const Options& given = session.options;
  const bool overridden = !given.lanes.empty() || !given.grid.empty() || !given.block.empty() ||
                          !given.max_cycles.empty() || !given.inputs.empty() || !given.params.empty();
  const ExitCode code = error.code == "L011" ? (error.where.line == 0 ? ExitCode::Unsupported : ExitCode::BadInput)
                        : overridden || error.where.line == 0 ? ExitCode::Usage
                                                              : ExitCode::BadInput;
  if (error.where.line == 0) return session.reply.fail(code, error.code, error.message, error.hint);
  Diagnostics diagnostics;
  diagnostics.file = program.source(error.where).name;
  diagnostics.text = program.source(error.where).text;
  diagnostics.error(error.code, error.where, error.message, error.hint);
  session.reply.fail(code, diagnostics);
}

}  // namespace

void report_json(Session& session, const JsonError& error, const std::string& file, const std::string& text) {
  const std::string message = error.message + (error.pointer.empty() ? "" : ", at " + error.pointer);
  if (error.line == 0 || error.column == 0) {
    const std::string line = error.line == 0 ? "" : ":" + std::to_string(error.line);
    return session.reply.fail(ExitCode::BadInput, error.code, file + line + ": " + message, error.hint);
  }
  Diagnostics diagnostics;
  diagnostics.file = file;
  diagnostics.text = text;
  diagnostics.error(error.code, {error.line, error.column, 1}, message, error.hint);
  session.reply.fail(ExitCode::BadInput, diagnostics);
}

std::vector<Lesson> assemble_entry(Session& session, const CatalogueEntry& entry) {
  return assemble_text(session, entry.text, entry.file, std::string(entry.group));
}

std::optional<Lesson> assemble_program(Session& session, const CatalogueEntry& entry) {
  return only_one(session, assemble_entry(session, entry));
}

namespace {

// No line of a program begins so. A trace may have CUDA C++ in it, as text.
bool begins_as_trace(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return compression_in(text) != Compression::None || (first != std::string_view::npos && text[first] == '{');
}

std::vector<Lesson> assemble_file(Session& session, const std::string& path) {
  std::string text, error;
  if (!read_file(path, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return {};
  }
  if (begins_as_trace(text)) {
    session.reply.fail(
        ExitCode::BadInput, "file", input_name(path) + " is a trace, not a program",
        "trace, view, export, step, tui, compare and validate read traces; the program is in it as text");
    return {};
  }
  const std::optional<ForeignFile> foreign = foreign_file(path, text);
  if (foreign && is_ptx_source(foreign->language)) {
    const std::optional<PtxText> ptx = read_as_ptx(session, path, foreign->language, std::move(text));
    return ptx ? load_ptx(session, path, *ptx) : std::vector<Lesson>{};
  }
  if (foreign) {
    session.reply.fail(
        ExitCode::Unsupported, "unsupported",
        input_name(path) + " is " + std::string(foreign->language) + ", which this version does not read",
        foreign->hint);
    return {};
  }
  return assemble_text(session, text, input_name(path), "");
}

}  // namespace

std::vector<Lesson> load_programs(Session& session, const std::string& name) {
  const std::vector<const CatalogueEntry*> found = session.catalogue.find(name);
  if (found.size() == 1) return assemble_entry(session, *found.front());
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const CatalogueEntry* entry : found) names.push_back(entry->full_name());
    session.reply.fail(ExitCode::Usage, "usage", in_ticks(name) + " is the name of several programs",
                       "say which: " + join(names));
    return {};
  }
  if (name == "-" || (!name.empty() && (looks_like_path(name) || exists(name)))) return assemble_file(session, name);
  if (const std::size_t members = session.catalogue.find_group(name).size(); members > 0) {
    session.reply.fail(ExitCode::Usage, "usage", in_ticks(name) + " is a group of " + counted(members, "program"),
                       "`warpsim list " + name + "` names them");
    return {};
  }
  const bool could_be_profile = name == session.options.behind_profile;
  session.reply.fail(
      ExitCode::Usage, "usage",
      (could_be_profile ? "there is neither a profile nor a program " : "there is no program ") + in_ticks(name),
      hint_for(session.catalogue.did_you_mean(name), "`warpsim list` names them all"));
  return {};
}

std::optional<Lesson> load_program(Session& session, const std::string& name) {
  return only_one(session, load_programs(session, name));
}

bool read_number(Session& session, std::string_view option, const std::string& text, std::uint64_t least,
                 std::uint64_t& number, std::uint64_t most) {
  if (text.empty()) return true;
  const std::optional<std::uint64_t> given = parse_count(text);
  if (given && *given >= least && *given <= most) {
    number = *given;
    return true;
  }
  session.reply.fail(
      ExitCode::Usage, "usage",
      std::string(option) + " wants a whole number from " + std::to_string(least) + ", not " + in_ticks(text));
  return false;
}

bool is_trace_file(const std::string& name) {
  const std::string ending = std::filesystem::path(without_compression(name)).extension().string();
  if (ending == ".json" || ending == ".ndjson") return true;
  if (name != "-" && (ending == ".warp" || !is_file(name))) return false;
  return begins_as_trace(beginning_of(name));
}

bool is_recorded(Session& session, const std::string& name) {
  const Options& given = session.options;
  const std::pair<std::string_view, bool> launch[] = {{"--case", !given.case_name.empty()},
                                                      {"--lanes", !given.lanes.empty()},
                                                      {"--grid", !given.grid.empty()},
                                                      {"--block", !given.block.empty()},
                                                      {"--input", !given.inputs.empty()},
                                                      {"--param", !given.params.empty()},
                                                      {"--max-cycles", !given.max_cycles.empty()},
                                                      {"--shared", !given.shared.empty()},
                                                      {"--resident-blocks", !given.resident_blocks.empty()},
                                                      {"--reconvergence", !given.reconvergence.empty()},
                                                      {"--schedule", !given.schedule.empty()},
                                                      {"--profile", !given.profile.empty()},
                                                      {"--scheduler", !given.scheduler.empty()},
                                                      {"--sms", !given.sms.empty()},
                                                      {"--timing", !given.timing.empty()},
                                                      {"--expand", given.expand},
                                                      {"--contract", given.contract},
                                                      {"--link", !given.links.empty()},
                                                      {"--check", !given.check.empty()},
                                                      {"--backend", !given.backend.empty()}};
  for (const auto& [option, is_given] : launch) {
    if (!is_given) continue;
    session.reply.fail(
        ExitCode::Usage, "usage",
        input_name(name) + " is the trace of a run that has been: " + std::string(option) + " comes too late",
        "give the program's name to run it anew");
    return false;
  }
  return true;
}

bool read_suppressions(Session& session, std::optional<Suppressions>& suppressions) {
  const std::string& path = session.options.suppress;
  if (path.empty()) return true;
  std::string text, error;
  if (!read_file(path, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return false;
  }
  suppressions.emplace(input_name(path), std::move(text));
  session.reply.fail(ExitCode::BadInput, suppressions->diagnostics());
  return !suppressions->diagnostics().has_errors();
}

bool read_error_exitcode(Session& session) {
  constexpr std::uint64_t kMostCode = 255;
  std::uint64_t code = 0;
  if (session.options.error_exitcode.empty()) return true;
  if (!read_number(session, "--error-exitcode", session.options.error_exitcode, 0, code, kMostCode)) return false;
  session.reply.answer_findings_with(static_cast<int>(code));
  return true;
}

std::optional<Trace> load_trace(Session& session, const std::string& path) {
  Trace trace;
  if (!stream_file(session, path, collect_into(trace))) return std::nullopt;
  return trace;
}

std::optional<Case> choose_case(Session& session, const Lesson& program) {
  const std::string& wanted = session.options.case_name;
  if (const Case* found = program.find_case(wanted.empty() ? "test" : wanted)) return *found;
  if (wanted.empty()) return program.cases.empty() ? Case{} : program.cases.front();
  std::vector<std::string> names;
  for (const Case& one : program.cases) names.push_back(one.name);
  session.reply.fail(ExitCode::Usage, "usage", program.full_name() + " has no case " + in_ticks(wanted),
                     hint_for(nearest(wanted, names), names.empty() ? "it has none at all" : "it has " + join(names)));
  return std::nullopt;
}

std::optional<PreparedCase> prepare(Session& session, const Lesson& program, const Case& chosen,
                                    const CaseOverrides& overrides) {
  auto result = prepare_case(program, keep_valid_expectations(program, chosen, overrides), overrides);
  if (const auto* error = std::get_if<LaunchError>(&result)) {
    report(session, program, *error);
    return std::nullopt;
  }
  return std::get<PreparedCase>(std::move(result));
}

std::optional<Ready> make_ready(Session& session, const std::string& name) {
  std::optional<Lesson> program = load_program(session, name);
  if (!program) return std::nullopt;
  const std::optional<Case> chosen = choose_case(session, *program);
  const std::optional<CaseOverrides> overrides = read_overrides(session, *program);
  if (!chosen || !overrides) return std::nullopt;
  std::optional<PreparedCase> prepared = prepare(session, *program, *chosen, *overrides);
  if (!prepared) return std::nullopt;
  if (session.options.expand) program = expand_collectives(*program, prepared->config.lanes);
  return Ready{std::move(*program), std::move(*prepared)};
}

namespace {

bool does_not_end(const TraceOutcome& outcome) {
  return outcome.trap && (outcome.trap->code == Finding::Livelock || outcome.trap->code == Finding::CycleLimit);
}

Recorder make_recorder(const Lesson& lesson, const PreparedCase& prepared, const Checker* checker,
                       std::optional<TraceConsumer> consumer, bool tells_all) {
  RecorderOptions options;
  options.lesson = &lesson;
  options.case_name = prepared.name;
  options.expected = prepared.expected;
  options.checker = checker;
  options.marks_undefined = !consumer || consumer->event;
  options.tells_all = tells_all;
  if (consumer) return Recorder(std::move(options), std::move(*consumer));
  return Recorder(std::move(options));
}

// Neither traces nor counts have them.
void note_launched(Session& session, const Lesson& program, const RunResult& result) {
  if (session.options.verb == "check" || session.options.verb == "test") return;
  Diagnostics diagnostics;
  diagnostics.file = program.source().name;
  diagnostics.list.push_back({Diagnostic::Severity::Note,
                              "P044",
                              program.name + " launched " + counted(result.launched_grids, "grid") +
                                  ", which ran after it: " + counted(result.launched_instructions, "instruction") +
                                  ", in no trace and no count",
                              "",
                              {}});
  session.reply.fail(ExitCode::Ok, diagnostics);
}

// A run without a stepper passes brkpt: a call says so once.
void note_breakpoint(Session& session, const Lesson& program, std::int32_t pc) {
  const bool steps = session.options.verb == "step" || session.options.verb == "tui";
  if (pc < 0 || steps || session.has_said_breakpoint) return;
  session.has_said_breakpoint = true;
  Diagnostics diagnostics;
  const SourceRange where = program.place(pc);
  diagnostics.file = program.source(where).name;
  diagnostics.text = program.source(where).text;
  diagnostics.list.push_back({Diagnostic::Severity::Note,
                              "breakpoint",
                              "the run passes this breakpoint and goes on",
                              "`warpsim step` stops there",
                              {where.line, where.column, where.length}});
  session.reply.fail(ExitCode::Ok, diagnostics);
}

std::optional<Trace> execute_once(Session& session, const Lesson& program, const PreparedCase& prepared,
                                  std::optional<TraceConsumer> consumer, std::initializer_list<EventSink*> also,
                                  bool tells_all, RunResult& result) {
  LaunchConfig config = prepared.config;
  config.stop = session.stop;
  auto created = Machine::create(program, config, prepared.arguments);
  if (const auto* error = std::get_if<LaunchError>(&created)) {
    report(session, program, *error);
    return std::nullopt;
  }
  Watchers watchers(program, prepared, session.options.check != "off", std::move(consumer), tells_all);
  result = std::get<Machine>(created).run(watchers.sinks(also));
  note_breakpoint(session, program, result.breakpoint);
  return watchers.recorder.take();
}

}  // namespace

Watchers::Watchers(const Lesson& lesson, const PreparedCase& prepared, bool checks,
                   std::optional<TraceConsumer> consumer, bool tells_all)
    : recorder(make_recorder(lesson, prepared, checks ? &checker.emplace(prepared) : nullptr, std::move(consumer),
                             tells_all)) {}

std::vector<EventSink*> Watchers::sinks(std::initializer_list<EventSink*> also) {
  std::vector<EventSink*> all;
  if (checker) all.push_back(&*checker);
  all.push_back(&recorder);
  all.insert(all.end(), also.begin(), also.end());
  return all;
}

std::optional<Trace> execute(Session& session, const Lesson& program, const PreparedCase& prepared,
                             std::optional<TraceConsumer> consumer, std::initializer_list<EventSink*> also) {
  if (session.runs_code()) return session.run_code(session, program, prepared, std::move(consumer));
  const bool tells_all = !consumer || consumer->event;
  RunResult result;
  std::optional<Trace> trace = execute_once(session, program, prepared, consumer, also, tells_all, result);
  // A run that does not end is run with events again, so that it stops in the same cycle as with them.
  if (!tells_all && trace && does_not_end(trace->outcome))
    trace = execute_once(session, program, prepared, std::move(consumer), also, true, result);
  if (result.launched_grids != 0) note_launched(session, program, result);
  return trace;
}

bool fails(const Options& options, const TraceFinding& finding) {
  return options.check != "warn" && fails_at(severity_of(finding), options.error_on == kOnWarning);
}

void report_outcome(Session& session, const Lesson& program, const Trace& trace) {
  const TraceOutcome& outcome = trace.outcome;
  for (const TraceFinding& finding : outcome.findings)
    session.reply.fail_drawn(fails(session.options, finding) ? ExitCode::Mismatch : ExitCode::Ok,
                             draw_fault(program, trace.head.lanes, finding),
                             fault_to_json(program, trace.head.lanes, finding));
  if (outcome.trap)
    return session.reply.fail_drawn(outcome.trap->code == Finding::Unsupported ? ExitCode::Unsupported : ExitCode::Trap,
                                    draw_fault(program, trace.head.lanes, *outcome.trap),
                                    fault_to_json(program, trace.head.lanes, *outcome.trap));
  if (outcome.passed == false)
    for (const Message& sentence : mismatches(outcome))
      session.reply.fail(ExitCode::Mismatch, "mismatch", english(sentence));
}

}  // namespace warpsim::tools
