// export: a trace as a picture, a table or a timeline.
#include <unistd.h>

#include <optional>
#include <utility>

#include "tools/gpu_session.h"
#include "tools/json_object.h"
#include "tools/output.h"
#include "tools/trace_source.h"
#include "tools/verbs.h"
#include "tools/viewer/view_page.h"
#include "tools/wording.h"
#include "tools/words.h"
#include "traces/export.h"
#include "traces/network.h"
#include "traces/reader.h"

namespace warpsim::tools {
namespace {

// Where an export goes: the file of -o, standard output, or into the one document of --json.
class ExportFile {
 public:
  explicit ExportFile(Session& session)
      : session_(session),
        path_(session.options.output),
        to_stdout_(path_.empty() || is_stdout(path_)),
        inside_(session.reply.json() && to_stdout_) {}

  // Bytes that are no text go neither into a JSON document nor to a terminal.
  bool fits(bool is_text) const {
    const bool binary = !is_text || wanted_compression(session_.options) != Compression::None;
    if (!binary || !to_stdout_ || (!inside_ && isatty(STDOUT_FILENO) == 0)) return true;
    session_.reply.fail(ExitCode::Usage, "usage",
                        std::string("what comes out is no text") + (inside_ ? ", and does not go into JSON" : ""),
                        "write it to a file: -o FILE");
    return false;
  }
  void write(std::string_view text) {
    if (inside_) {
      text_ += text;
      return;
    }
    if (!out_) out_.emplace(Output::open(path_, wanted_compression(session_.options)));
    out_->write(text);
  }
  void finish() {
    if (!inside_) write("");
    JsonObject result;
    if (!to_stdout_) result.text("file", path_);
    result.text("form", session_.options.to_form);
    if (inside_) result.text("text", text_);
    session_.reply.result(result.str());
    if (const std::string error = out_ ? out_->finish() : ""; !error.empty())
      session_.reply.fail(ExitCode::BadInput, "file", error);
  }

 private:
  Session& session_;
  std::string path_;
  bool to_stdout_, inside_;
  std::optional<Output> out_;
  std::string text_;
};

void export_stream(Session& session, ExportFile& file, TraceConsumer (*form)(ExportOutput)) {
  const std::optional<TraceSource> source =
      stream_trace(session, session.options.names.front(), form([&file](std::string_view text) { file.write(text); }));
  if (!source) return;
  file.finish();
  report_source(session, *source);
}

// The picture of one warp: the first unless the command line says another.
void export_picture(Session& session, ExportFile& file) {
  Trace whole;
  const std::optional<TraceSource> source = stream_trace(session, session.options.names.front(), collect_into(whole));
  if (!source) return;
  const WindowOptions window = *read_window(session);
  const std::uint32_t block = window.block.value_or(0), warp = window.warp.value_or(0);
  const Network network = network_of(whole, block, warp);
  if (network.rows.size() > kMaxNetworkRows)
    return session.reply.fail(ExitCode::Usage, "usage",
                              "the picture would have more than " + std::to_string(kMaxNetworkRows) + " rows",
                              "--from, --until and --max-events choose a part");
  file.write(session.options.to_form == "svg" ? export_svg(whole.head, network) : export_dot(whole.head, network));
  file.finish();
  report_source(session, *source);
}

void export_page(Session& session, ExportFile& file) {
  Trace whole;
  const std::optional<TraceSource> source = stream_trace(session, session.options.names.front(), collect_into(whole));
  if (!source) return;
  const std::optional<Translations> korean = korean_texts(session);
  if (!korean) return;
  file.write(view_page({std::move(whole)}, Language::English, &*korean));
  file.finish();
  report_source(session, *source);
}

}  // namespace

void run_export(Session& session) {
  const std::string& form = session.options.to_form;
  ExportFile file(session);
  if (!gpu_options_fit(session) || !file.fits(form != "perfetto")) return;
  if (form == "csv") return export_stream(session, file, export_csv);
  if (form == "md") return export_stream(session, file, export_markdown);
  if (form == "chrome") return export_stream(session, file, export_chrome);
  if (form == "perfetto") return export_stream(session, file, export_perfetto);
  if (form == "html") return export_page(session, file);
  export_picture(session, file);
}

}  // namespace warpsim::tools
