// view: one trace, or two side by side, as a page that opens from disk.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/session/page_run.h"
#include "tools/session/trace_pair.h"
#include "tools/session/trace_source.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"

namespace warpsim::tools {
namespace {

std::optional<PageRun> two_traces(Session& session) {
  const std::optional<WindowOptions> window = read_window(session);
  if (!window) return std::nullopt;
  std::optional<std::pair<Trace, Trace>> both =
      load_trace_pair(session, session.options.names[0], session.options.names[1]);
  if (!both) return std::nullopt;
  PageRun shown;
  for (Trace* one : {&both->first, &both->second})
    shown.traces.push_back(window->is_all() ? std::move(*one) : window_of(*one, *window));
  if (!page_takes(session, shown.traces[0].events.size() + shown.traces[1].events.size())) return std::nullopt;
  return shown;
}

// p26/butterfly_pair_swap → p26-butterfly_pair_swap.html, whatever a trace claims to be the name of.
std::string default_file(const std::string& program) {
  std::string name;
  for (const char c : program) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    name += plain ? c : '-';
  }
  return (name.empty() || name.front() == '-' ? "trace" + name : name) + ".html";
}

}  // namespace

void run_view(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  const std::optional<PageRun> run = names.size() == 2 ? two_traces(session) : run_for_page(session, names[0]);
  if (!run) return;
  // A run that fails is worth looking at; the exit code still says so.
  if (run->source) report_source(session, *run->source);
  const std::string file =
      session.options.output.empty() ? default_file(run->traces.front().head.program) : session.options.output;
  const std::optional<std::string> written = page_of(session, *run);
  if (!written) return;
  const std::string& page = *written;
  JsonObject result;
  if (is_stdout(file) && session.reply.json()) {
    return session.reply.result(result.text("page", page).str());
  }
  Output out = Output::open(file, compression_of(file));
  out.write(page);
  if (const std::string error = out.finish(); !error.empty())
    return session.reply.fail(ExitCode::BadInput, "file", error);
  session.reply.result(result.text("file", file).number("bytes", page.size()).str());
  if (!is_stdout(file)) session.reply.text(file + "\n");
}

}  // namespace warpsim::tools
