// export: a trace as a picture, a table or a timeline.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "tools/command/verbs.h"
#include "tools/manual/export_forms_text.h"
#include "tools/session/gpu_session.h"
#include "tools/session/page_run.h"
#include "tools/session/result_file.h"
#include "tools/session/trace_source.h"
#include "tools/session/wording.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"
#include "traces/export/export.h"
#include "traces/export/network.h"
#include "traces/io/reader.h"
#include "traces/sentence/phase_titles.h"

namespace warpsim::tools {
namespace {

void export_stream(Session& session, ResultFile& file, const ExportForm& form) {
  const std::optional<TraceSource> source = stream_trace(
      session, session.options.names.front(), form.stream([&file](std::string_view text) { file.write(text); }));
  if (!source) return;
  file.finish(JsonObject().text("form", session.options.to_form));
  report_source(session, *source);
}

// The titles that a picture shows.
void translate(Trace& trace, const Wording& wording) {
  for (auto& [event, title] : phase_titles(trace, wording.language, wording.translations))
    trace.events[event].phase->title = std::move(title);
  trace.head.title = std::string(wording.translations.of(trace.head.title));
}

// The picture of one warp: the first unless the command line says another.
void export_picture(Session& session, ResultFile& file, const ExportForm& form) {
  const std::optional<WindowOptions> window = read_window(session);
  if (!window) return;
  const std::uint32_t block = window->block.value_or(0), warp = window->warp.value_or(0);
  Trace whole;
  std::size_t rows = 0;
  const std::optional<TraceSource> source = stream_trace(
      session, session.options.names.front(), collect_up_to(kMaxNetworkRows, whole, rows, [&](const TraceEvent& event) {
        // An exchange and an access are at least a row each.
        return event.block == block && event.warp == warp && (event.exchange || event.memory);
      }));
  if (!source) return;
  const std::optional<Wording> wording = wording_of(session);
  if (!wording) return;
  if (wording->texts() != nullptr) translate(whole, *wording);
  const Network network = network_of(whole, block, warp, wording->language);
  if (std::max(rows, network.rows.size()) > kMaxNetworkRows)
    return session.reply.fail(ExitCode::Usage, "usage",
                              "the picture would have more than " + std::to_string(kMaxNetworkRows) + " rows",
                              "--from, --until and --max-events choose a part");
  file.write(form.picture(whole.head, network, wording->language));
  file.finish(JsonObject().text("form", session.options.to_form));
  report_source(session, *source);
}

void export_page(Session& session, ResultFile& file) {
  const std::optional<PageRun> run = run_for_page(session, session.options.names.front());
  if (!run) return;
  const std::optional<std::string> page = page_of(session, *run);
  if (!page) return;
  file.write(*page);
  file.finish(JsonObject().text("form", session.options.to_form));
  report_source(session, *run->source);
}

}  // namespace

void run_export(Session& session) {
  // The command line takes no other names than those of the table.
  const ExportForm& form = *std::find_if(std::begin(kExportForms), std::end(kExportForms),
                                         [&](const ExportForm& one) { return one.name == session.options.to_form; });
  ResultFile file(session);
  if (!gpu_options_fit(session) || !file.fits(form.is_text)) return;
  if (session.options.language == "ko" && !form.has_korean())
    return session.reply.fail(ExitCode::Unsupported, "unsupported",
                              "--to " + session.options.to_form + " has no words in Korean",
                              "--to " + korean_export_forms() + " have");
  if (form.stream != nullptr) export_stream(session, file, form);
  else if (form.picture != nullptr) export_picture(session, file, form);
  else export_page(session, file);
}

}  // namespace warpsim::tools
