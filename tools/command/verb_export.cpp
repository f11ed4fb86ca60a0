// export: a trace as a picture, a table or a timeline.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/text/number_text.h"
#include "tools/command/verbs.h"
#include "tools/manual/export_forms_text.h"
#include "tools/picture/pixels.h"
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

constexpr std::size_t kMaxSteps = 200;  // of an animation: each is a picture of the whole size
constexpr double kLeastScale = 0.1, kMostScale = 10, kLeastDelay = 0.02, kMostDelay = 15;
constexpr const char* kChooseAPart = "--from, --until and --max-events choose a part";

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

// How a picture in pixels shall be.
struct PixelOptions {
  double scale = 1, seconds = 1;
  SvgTheme theme = SvgTheme::Light;
};

bool read_decimal(Session& session, std::string_view option, const std::string& text, double least, double most,
                  double& number) {
  if (text.empty()) return true;
  const std::optional<double> given = read_double(text);
  if (given && *given >= least && *given <= most) {
    number = *given;
    return true;
  }
  const auto words = [](double value) {
    const std::string digits = std::to_string(value);  // with six decimals
    const std::size_t last = digits.find_last_not_of('0');
    return digits.substr(0, digits[last] == '.' ? last : last + 1);
  };
  session.reply.fail(
      ExitCode::Usage, "usage",
      std::string(option) + " wants a number from " + words(least) + " to " + words(most) + ", not " + in_ticks(text));
  return false;
}

std::optional<PixelOptions> read_pixel_options(Session& session, const ExportForm& form) {
  const Options& given = session.options;
  const bool moves = form.pixels == ExportPixels::Apng || form.pixels == ExportPixels::Gif;
  const auto stray = [&](std::string_view option, const std::string& value, bool fits, std::string_view forms) {
    if (value.empty() || fits) return false;
    session.reply.fail(ExitCode::Usage, "usage",
                       std::string(option) + " is for " + std::string(forms) + ", not for --to " + given.to_form);
    return true;
  };
  const bool is_pixels = form.pixels != ExportPixels::None;
  if (stray("--scale", given.scale, is_pixels, "png, apng and gif") ||
      stray("--theme", given.theme, is_pixels, "png, apng and gif") ||
      stray("--delay", given.delay, moves, "apng and gif"))
    return std::nullopt;
  PixelOptions options;
  if (!read_decimal(session, "--scale", given.scale, kLeastScale, kMostScale, options.scale) ||
      !read_decimal(session, "--delay", given.delay, kLeastDelay, kMostDelay, options.seconds))
    return std::nullopt;
  if (given.theme == "dark") options.theme = SvgTheme::Dark;
  return options;
}

// The bytes of the picture, or of its steps; nothing after it has said what is wrong.
std::optional<std::string> pixels_of(Session& session, const ExportForm& form, const PixelOptions& options,
                                     const TraceHead& head, const Network& network, Language language) {
  Pixels made;
  if (form.pixels == ExportPixels::Png) {
    made = png_of(export_svg(head, network, language, options.theme), options.scale);
  } else if (network.rows.size() > kMaxSteps) {
    session.reply.fail(ExitCode::Usage, "usage",
                       "the animation would have more than " + std::to_string(kMaxSteps) + " steps", kChooseAPart);
    return std::nullopt;
  } else {
    const std::vector<std::string> steps = export_svg_steps(head, network, language, options.theme);
    made = (form.pixels == ExportPixels::Gif ? gif_of : apng_of)(steps, options.scale, options.seconds);
  }
  if (made.error.empty()) return std::move(made.bytes);
  session.reply.fail(ExitCode::Unsupported, "unsupported", made.error, made.hint);
  return std::nullopt;
}

// The picture of one warp: the first unless the command line says another.
void export_picture(Session& session, ResultFile& file, const ExportForm& form, const PixelOptions& pixel_options) {
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
                              kChooseAPart);
  if (form.pixels == ExportPixels::None) {
    file.write(form.picture(whole.head, network, wording->language));
  } else {
    const std::optional<std::string> pixels =
        pixels_of(session, form, pixel_options, whole.head, network, wording->language);
    if (!pixels) return;
    file.write(*pixels);
  }
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
  const ExportForm* const found =
      std::find_if(std::begin(kExportForms), std::end(kExportForms),
                   [&](const ExportForm& one) { return one.name == session.options.to_form; });
  if (found == std::end(kExportForms))  // the command line has said so before
    return session.reply.fail(ExitCode::Usage, "usage", "there is no form " + in_ticks(session.options.to_form),
                              "svg is one");
  const ExportForm& form = *found;
  ResultFile file(session);
  if (!gpu_options_fit(session) || !file.fits(form.is_text)) return;
  if (session.options.language == "ko" && !form.has_korean())
    return session.reply.fail(ExitCode::Unsupported, "unsupported",
                              "--to " + session.options.to_form + " has no words in Korean",
                              "--to " + korean_export_forms() + " have");
  const std::optional<PixelOptions> pixel_options = read_pixel_options(session, form);
  if (!pixel_options) return;
  if (form.stream != nullptr) export_stream(session, file, form);
  else if (form.picture != nullptr) export_picture(session, file, form, *pixel_options);
  else export_page(session, file);
}

}  // namespace warpsim::tools
