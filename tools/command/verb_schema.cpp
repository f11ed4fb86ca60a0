// schema and validate: what a trace or a profile must look like, and whether a trace does.
#include <utility>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/session/loading.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/schema.h"
#include "tools/support/words.h"
#include "traces/io/stream_reader.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kMostFaults = 100;  // of one file that are named

// What is no JSON at all was not read; the rest was, and is wrong.
ExitCode code_of(const JsonError& error) {
  return error.code == "J001" || error.code == "J002" || error.code == "J003" || error.code == "J014"
             ? ExitCode::BadInput
             : ExitCode::Mismatch;
}

struct Validation {
  std::uint64_t events = 0, faults = 0;
  bool read = true;
};

Validation validate_file(Session& session, const std::string& path) {
  const std::string name = input_name(path);
  Validation done;
  bool has_head = false;
  TraceConsumer consumer;
  consumer.head = [&has_head](const TraceHead&) { has_head = true; };
  consumer.event = [&done](const TraceEvent&) { ++done.events; };
  StreamReader reader(consumer);
  reader.on_fault([&](const JsonError& error) {
    if (++done.faults > kMostFaults) return true;
    const std::string where = name + (error.line == 0 ? "" : ":" + std::to_string(error.line)) +
                              (error.column == 0 ? "" : ":" + std::to_string(error.column));
    session.reply.fail(code_of(error), error.code,
                       where + ": " + error.message + (error.pointer.empty() ? "" : ", at " + error.pointer),
                       error.hint);
    return true;
  });
  std::string error;
  done.read = read_pieces(
      path, [&reader](std::string_view text) { return reader.feed(text); }, error);
  if (done.read) reader.finish();
  else session.reply.fail(ExitCode::BadInput, "file", error);
  if (reader.error() && !has_head && code_of(*reader.error()) == ExitCode::Mismatch)
    session.reply.fail(ExitCode::Mismatch, "unchecked",
                       name + ": nothing after the head was checked, because it is checked against the head");
  if (done.faults > kMostFaults)
    session.reply.fail(ExitCode::Mismatch, "faults",
                       name + ": and " + std::to_string(done.faults - kMostFaults) + " more faults");
  return done;
}

}  // namespace

void run_schema(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  const std::string_view schema = !names.empty() && names.front() == "profile" ? profile_schema() : trace_schema();
  session.reply.send_to(session.options.output);
  session.reply.text(schema);
  session.reply.result(std::string(schema));
}

void run_validate(Session& session) {
  std::vector<std::string> results;
  for (const std::string& path : session.options.names) {
    const Validation done = validate_file(session, path);
    const bool ok = done.read && done.faults == 0;
    if (ok)
      session.reply.text(input_name(path) + ": ok, " + std::to_string(done.events) +
                         (done.events == 1 ? " event\n" : " events\n"));
    results.push_back(JsonObject()
                          .text("file", input_name(path))
                          .boolean("ok", ok)
                          .number("events", done.events)
                          .number("faults", done.faults)
                          .str());
  }
  session.reply.result(json_list(results));
}

}  // namespace warpsim::tools
