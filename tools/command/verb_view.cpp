// view: one trace, or two side by side, as a page that opens from disk.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/session/trace_pair.h"
#include "tools/session/trace_source.h"
#include "tools/session/wording.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/viewer/view_page.h"

namespace warpsim::tools {
namespace {

std::optional<std::vector<Trace>> one_trace(Session& session) {
  std::vector<Trace> traces(1);
  std::size_t events = 0;
  const std::optional<TraceSource> source =
      stream_trace(session, session.options.names[0], collect_for_page(traces[0], events));
  if (!source || !page_takes(session, events)) return std::nullopt;
  // A run that fails is worth looking at; the exit code still says so.
  report_source(session, *source);
  return traces;
}

std::optional<std::vector<Trace>> two_traces(Session& session) {
  const std::optional<WindowOptions> window = read_window(session);
  if (!window) return std::nullopt;
  std::optional<std::pair<Trace, Trace>> both =
      load_trace_pair(session, session.options.names[0], session.options.names[1]);
  if (!both) return std::nullopt;
  std::vector<Trace> traces;
  for (Trace* one : {&both->first, &both->second})
    traces.push_back(window->is_all() ? std::move(*one) : window_of(*one, *window));
  if (!page_takes(session, traces[0].events.size() + traces[1].events.size())) return std::nullopt;
  return traces;
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
  const std::optional<std::vector<Trace>> read = names.size() == 2 ? two_traces(session) : one_trace(session);
  if (!read) return;
  const std::vector<Trace>& traces = *read;
  const std::string file =
      session.options.output.empty() ? default_file(traces.front().head.program) : session.options.output;
  const std::optional<Translations> korean = korean_texts(session);
  if (!korean) return;
  const Language language = language_from(session.options.language).value_or(Language::English);
  const std::string page =
      view_page(traces, language, &*korean, names.size() == 2 ? names : std::vector<std::string>{});
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
