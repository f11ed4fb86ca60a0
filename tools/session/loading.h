// From what the command line names to what can run: a program, a case of it, a run.
//
// Shapes: a step that fails reports the fault and its exit code to the Reply, and returns nothing.
// Units:  none.
// Errors: through the Reply.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "sim/check/checker.h"
#include "sim/launch/launch.h"
#include "tools/report/suppressions.h"
#include "tools/session/overrides.h"
#include "tools/session/session.h"
#include "traces/io/json_values.h"
#include "traces/record/recorder.h"

namespace warpsim::tools {

// NAME or FILE → its programs, a kernel each, or the one that --kernel names; without any if that fails.
std::vector<Lesson> load_programs(Session& session, const std::string& name);
std::vector<Lesson> assemble_entry(Session& session, const CatalogueEntry& entry);
// The only one, or the one that --kernel names.
std::optional<Lesson> load_program(Session& session, const std::string& name);
std::optional<Lesson> assemble_program(Session& session, const CatalogueEntry& entry);

// A whole number that an option gives, from `least` to `most`; without one `number` stays. Tells the Reply what is
// wrong.
bool read_number(Session& session, std::string_view option, const std::string& text, std::uint64_t least,
                 std::uint64_t& number, std::uint64_t most = ~std::uint64_t{0});

// --suppress: the findings to leave out; without the option none. False after it has said what is wrong with them.
bool read_suppressions(Session& session, std::optional<Suppressions>& suppressions);

// --error-exitcode: the exit code of findings and traps. False after it has said what is wrong with it.
bool read_error_exitcode(Session& session);

// As it ends, .json or .ndjson; of another file and of standard input ("-") as it begins.
bool is_trace_file(const std::string& name);
// Of one: whether no option would change its run. Tells the Reply which one would.
bool is_recorded(Session& session, const std::string& name);
// A trace from a file, and why a JSON text was refused.
std::optional<Trace> load_trace(Session& session, const std::string& path);
void report_json(Session& session, const JsonError& error, const std::string& file, const std::string& text);

// --case, or `test`, or the first case, or a case without fields if the program has none.
std::optional<Case> choose_case(Session& session, const Lesson& program);

std::optional<PreparedCase> prepare(Session& session, const Lesson& program, const Case& chosen,
                                    const CaseOverrides& overrides);

// --case, --lanes … all at once, and --expand: the program to run and what it runs on.
struct Ready {
  Lesson program;
  PreparedCase prepared;
};
std::optional<Ready> make_ready(Session& session, const std::string& name);

// Who watches a run: a checker if it is checked, and the recorder. Neither checked nor told event by event, nobody
// follows what is undefined.
struct Watchers {
  // `lesson` must outlive them.
  Watchers(const Lesson& lesson, const PreparedCase& prepared, bool checks, std::optional<TraceConsumer> consumer,
           bool tells_all);
  Watchers(const Watchers&) = delete;  // the recorder knows where the checker is
  Watchers& operator=(const Watchers&) = delete;
  // The checker first, so that the recorder finds it up to date.
  std::vector<EventSink*> sinks(std::initializer_list<EventSink*> also);

  std::optional<Checker> checker;
  Recorder recorder;
};

// Runs. With a consumer, it alone sees the events, and the result is the head and the outcome; without, the whole
// trace. Nothing if the machine refuses the launch. `also` watches too.
std::optional<Trace> execute(Session& session, const Lesson& program, const PreparedCase& prepared,
                             std::optional<TraceConsumer> consumer, std::initializer_list<EventSink*> also = {});
inline TraceConsumer no_events() { return {}; }
// Whether a finding makes the exit code 1, as --check and --error-on say. A warning does not unless they ask for it:
// what it is about is defined.
bool fails(const Options& options, const TraceFinding& finding);
// Tells the Reply about a trap, findings and outputs that are not what was expected.
void report_outcome(Session& session, const Lesson& program, const Trace& trace);

}  // namespace warpsim::tools
