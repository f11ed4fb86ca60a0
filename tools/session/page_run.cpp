// A page's run, and its run with collectives as shuffles; see page_run.h.
#include "tools/session/page_run.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tools/cuda/recording/kernel_texts.h"
#include "tools/report/page_timing.h"
#include "tools/session/profile_option.h"
#include "tools/session/trace_pair.h"
#include "tools/session/wording.h"
#include "tools/viewer/view_page.h"

namespace warpsim::tools {
namespace {

// Whether a reduction or a scan ran as one step.
bool ran_collective(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(), [&](const TraceEvent& event) {
    const OpInfo* row = trace.head.code[static_cast<std::size_t>(event.pc)].row;
    return row != nullptr && (row->lift == Lift::Reduce || row->lift == Lift::Scan);
  });
}

// The run with collectives as shuffles; nothing where that is too long for a page.
std::optional<Trace> expanded_run(const Session& session, const std::string& name) {
  Options options = session.options;
  options.expand = true;
  Session again{options,       session.catalogue, session.command_line, session.reply,
                session.takes, session.profile,   session.run_code};
  Trace trace;
  std::size_t events = 0;
  const bool ran = stream_trace(again, name, collect_for_page(trace, events)).has_value();
  return ran && events <= kMaxPageEvents ? std::optional(std::move(trace)) : std::nullopt;
}

}  // namespace

std::optional<PageRun> run_for_page(Session& session, const std::string& name) {
  const std::optional<WindowOptions> window = read_window(session);
  if (!window) return std::nullopt;
  Trace trace;
  std::size_t events = 0;
  PageRun run;
  run.source = stream_trace(session, name, collect_for_page(trace, events));
  if (!run.source || !page_takes(session, events)) return std::nullopt;
  const bool simulated = run.source->exactness.has_value();
  std::optional<Trace> expanded;
  if (simulated && name != "-" && window->is_all() && ran_collective(trace)) expanded = expanded_run(session, name);
  if (expanded) {
    run.one_step = std::move(trace);
    run.traces.push_back(std::move(*expanded));
  } else {
    run.traces.push_back(std::move(trace));
  }
  return run;
}

namespace {

std::optional<PageRun> two_traces(Session& session) {
  const std::optional<WindowOptions> window = read_window(session);
  if (!window) return std::nullopt;
  // Two programs show their collectives as the shuffles that a GPU runs, as one does; beside a trace file a program
  // has the trace's.
  const std::string &one = session.options.names[0], &other = session.options.names[1];
  Options options = session.options;
  options.expand = options.expand || (!is_trace_file(one) && !is_trace_file(other));
  Session shuffles{options,       session.catalogue, session.command_line, session.reply,
                   session.takes, session.profile,   session.run_code};
  std::optional<std::pair<Trace, Trace>> both = load_trace_pair(shuffles, one, other);
  if (!both) return std::nullopt;
  PageRun shown;
  for (Trace* trace : {&both->first, &both->second})
    shown.traces.push_back(window->is_all() ? std::move(*trace) : window_of(*trace, *window));
  if (!page_takes(session, shown.traces[0].events.size() + shown.traces[1].events.size())) return std::nullopt;
  return shown;
}

// The profile that timed a run; null: it is not one of the session's, and not built in.
Timing timing_of(Session& session, const TraceHead& head) {
  if (head.scheduler.empty()) return nullptr;
  if (const ChosenProfile* const chosen = chosen_profile(session))
    for (const Timing& bound : chosen->bounds)
      if (bound && bound->name == head.profile) return bound;
  return timing_called(head.profile);
}

PageExtras extras_of(Session& session, const PageRun& run) {
  PageExtras extras;
  if (run.traces.size() > 1) extras.names = session.options.names;
  if (run.one_step) extras.one_step = &*run.one_step;
  for (const Trace& trace : run.traces)
    extras.timing.push_back(page_timing(trace, timing_of(session, trace.head).get()));
  if (run.one_step) extras.one_step_timing = page_timing(*run.one_step, timing_of(session, run.one_step->head).get());
  for (const Trace& trace : run.traces) extras.cuda.push_back(cuda_kernel_text(trace.head.program));
  return extras;
}

Language language_of(const Session& session) {
  return language_from(session.options.language).value_or(Language::English);
}

}  // namespace

std::optional<PageRun> runs_for_page(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  return names.size() == 2 ? two_traces(session) : run_for_page(session, names.front());
}

std::optional<std::string> page_of(Session& session, const PageRun& run) {
  const std::optional<Translations> korean = korean_texts(session);
  if (!korean) return std::nullopt;
  return view_page(run.traces, language_of(session), &*korean, extras_of(session, run));
}

std::optional<std::vector<std::pair<std::string, std::string>>> page_data_of(Session& session, const PageRun& run) {
  const std::optional<Translations> korean = korean_texts(session);
  if (!korean) return std::nullopt;
  return page_data(run.traces, language_of(session), &*korean, extras_of(session, run));
}

}  // namespace warpsim::tools
