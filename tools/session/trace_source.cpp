// Where a trace comes from; see trace_source.h.
#include "tools/session/trace_source.h"

#include <algorithm>
#include <utility>

#include "tools/session/gpu_session.h"
#include "tools/support/files.h"
#include "tools/support/output.h"
#include "tools/support/words.h"
#include "tools/viewer/view_page.h"
#include "traces/io/reader.h"
#include "traces/io/stream_reader.h"

namespace warpsim::tools {
namespace {

void replay(const Trace& trace, const TraceConsumer& consumer) {
  if (consumer.head) consumer.head(trace.head);
  if (consumer.event)
    for (const TraceEvent& event : trace.events) consumer.event(event);
  if (consumer.outcome) consumer.outcome(trace.outcome);
}

// Reading it to the end first, where it would be overwritten while it is read.
bool is_overwritten(const Session& session, const std::string& path) {
  return !session.options.output.empty() && is_same_file(path, session.options.output);
}

// What of a run could be in a window.
class Extent {
 public:
  void add(const TraceEvent& event) {
    const std::uint64_t when = event.cycle.value_or(++events_);
    has_cycles_ = event.cycle.has_value();
    first_ = std::min(first_, when);
    last_ = std::max(last_, when);
    blocks_ = std::max(blocks_, event.block);
    warps_ = std::max(warps_, event.warp);
  }
  std::string text() const {
    if (last_ == 0) return "the run has no event at all";
    const auto range = [](std::string_view what, std::uint64_t first, std::uint64_t last) {
      return std::string(what) + (first == last ? " " : "s ") + std::to_string(first) +
             (first == last ? "" : " to " + std::to_string(last));
    };
    return "the run has " + range(has_cycles_ ? "cycle" : "event", first_, last_) + ", " + range("block", 0, blocks_) +
           ", " + range("warp", 0, warps_) + (warps_ == 0 ? "" : " a block");
  }

 private:
  std::uint64_t events_ = 0, first_ = ~std::uint64_t{0}, last_ = 0;
  std::uint32_t blocks_ = 0, warps_ = 0;
  bool has_cycles_ = true;
};

}  // namespace

std::optional<WindowOptions> read_window(Session& session) {
  const Options& given = session.options;
  const std::string to = given.to_form.empty() ? "--to" : "--until";  // as the verb calls it
  WindowOptions window;
  std::uint64_t block = 0, warp = 0;
  if (!read_number(session, "--from", given.from, 1, window.from) ||
      !read_number(session, to, given.to, 1, window.to) ||
      !read_number(session, "--block-index", given.block_index, 0, block, 0xFFFFFFFF) ||
      !read_number(session, "--warp", given.warp, 0, warp, 0xFFFFFFFF) ||
      !read_number(session, "--max-events", given.max_events, 0, window.max_events))
    return std::nullopt;
  if (!given.block_index.empty()) window.block = static_cast<std::uint32_t>(block);
  if (!given.warp.empty()) window.warp = static_cast<std::uint32_t>(warp);
  if (window.from <= window.to) return window;
  session.reply.fail(ExitCode::Usage, "usage", "--from " + given.from + " is after " + to + " " + given.to);
  return std::nullopt;
}

bool stream_file(Session& session, const std::string& path, const TraceConsumer& consumer) {
  StreamReader reader(consumer);
  std::string error;
  if (!read_pieces(
          path, [&reader](std::string_view text) { return reader.feed(text); }, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return false;
  }
  if (reader.finish()) return true;
  report_json(session, *reader.error(), input_name(path), reader.error_text());
  return false;
}

std::optional<TraceSource> stream_trace(Session& session, const std::string& name, const TraceConsumer& consumer) {
  const std::optional<WindowOptions> options = read_window(session);
  if (!options) return std::nullopt;
  TraceWindow window(*options, consumer);
  const TraceConsumer windowed = window.consumer();
  Extent extent;
  const auto nothing_in_it = [&] { return window.events() == 0 && !options->is_all() && options->max_events > 0; };
  TraceSource source;
  TraceConsumer keeping = windowed;
  keeping.head = [&](const TraceHead& head) {
    source.facts.head = head;
    if (windowed.head) windowed.head(head);
  };
  if (!options->is_all())
    keeping.event = [&](const TraceEvent& event) {
      extent.add(event);
      if (windowed.event) windowed.event(event);
    };
  keeping.outcome = [&](const TraceOutcome& outcome) {
    source.facts.outcome = outcome;
    if (nothing_in_it()) session.reply.fail(ExitCode::Usage, "usage", "no event lies in this window: " + extent.text());
    else if (windowed.outcome) windowed.outcome(outcome);
  };
  if (is_trace_file(name)) {
    if (!is_recorded(session, name)) return std::nullopt;
    Trace whole;
    const bool first = is_overwritten(session, name);
    if (!stream_file(session, name, first ? collect_into(whole) : keeping)) return std::nullopt;
    if (first) replay(whole, keeping);
    return nothing_in_it() ? std::nullopt : std::optional(std::move(source));
  }
  source.ready = make_ready(session, name);
  if (!source.ready) return std::nullopt;
  if (session.options.backend == "cuda") {
    const std::optional<Trace> trace = gpu_trace_of(session, *source.ready, true);
    if (!trace) return std::nullopt;
    replay(*trace, keeping);
  } else {
    ExactnessCounter exactness;
    if (!execute(session, source.ready->program, source.ready->prepared, keeping, {&exactness})) return std::nullopt;
    if (!session.runs_code()) source.exactness = exactness.counts();
  }
  return nothing_in_it() ? std::nullopt : std::optional(std::move(source));
}

std::optional<Trace> recorded_trace(Session& session, const std::string& name) {
  Trace trace;
  if (!stream_trace(session, name, collect_into(trace))) return std::nullopt;
  return trace;
}

TraceConsumer collect_up_to(std::size_t most, Trace& trace, std::size_t& counted,
                            std::function<bool(const TraceEvent&)> counts) {
  TraceConsumer consumer = collect_into(trace);
  consumer.event = [most, &trace, &counted, counts = std::move(counts),
                    collect = consumer.event](const TraceEvent& event) {
    if (counts(event)) ++counted;
    if (counted <= most) collect(event);
    else trace.events = {};
  };
  return consumer;
}

TraceConsumer collect_for_page(Trace& trace, std::size_t& events) {
  return collect_up_to(kMaxPageEvents, trace, events, [](const TraceEvent&) { return true; });
}

bool page_takes(Session& session, std::size_t events) {
  if (events <= kMaxPageEvents) return true;
  const std::string to = session.options.to_form.empty() ? "--to" : "--until";
  session.reply.fail(ExitCode::Usage, "usage",
                     "the page would have " + std::to_string(events) +
                         " events, and a browser is slow with more than " + std::to_string(kMaxPageEvents),
                     "--from, " + to + ", --warp and --max-events choose a part");
  return false;
}

void report_source(Session& session, const TraceSource& source) {
  if (source.ready) report_outcome(session, source.ready->program, source.facts);
}

std::string without_compression(const std::string& path) {
  std::string rest;
  compression_of(path, &rest);
  return rest;
}

Compression wanted_compression(const Options& options) {
  if (options.compress == "gzip") return Compression::Gzip;
  if (options.compress == "zstd") return Compression::Zstd;
  return compression_of(options.output);
}

}  // namespace warpsim::tools
