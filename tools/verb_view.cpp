// view: one trace, or two side by side, as a page that opens from disk.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/json_object.h"
#include "tools/loading.h"
#include "tools/output.h"
#include "tools/trace_pair.h"
#include "tools/verbs.h"
#include "tools/viewer/view_page.h"
#include "tools/wording.h"

namespace warpsim::tools {
namespace {

std::optional<Trace> trace_of(Session& session, const std::string& name) {
  if (is_trace_file(name)) return load_trace(session, name);
  const std::optional<Ready> ready = make_ready(session, name);
  if (!ready) return std::nullopt;
  std::optional<Trace> trace = execute(session, ready->program, ready->prepared, std::nullopt);
  // A run that fails is worth looking at; the exit code still says so.
  if (trace) report_outcome(session, ready->program, *trace);
  return trace;
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
  std::vector<Trace> traces;
  if (names.size() == 2) {
    std::optional<std::pair<Trace, Trace>> both = load_trace_pair(session, names[0], names[1]);
    if (!both) return;
    traces.push_back(std::move(both->first));
    traces.push_back(std::move(both->second));
  } else {
    std::optional<Trace> trace = trace_of(session, names[0]);
    if (!trace) return;
    traces.push_back(std::move(*trace));
  }
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
  Output out = Output::open(file);
  out.write(page);
  if (const std::string error = out.finish(); !error.empty())
    return session.reply.fail(ExitCode::BadInput, "file", error);
  session.reply.result(result.text("file", file).number("bytes", page.size()).str());
  if (!is_stdout(file)) session.reply.text(file + "\n");
}

}  // namespace warpsim::tools
