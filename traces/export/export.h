// Other forms of a trace: tables, timelines and pictures. One file a form: export_csv.cpp, export_chrome.cpp …
//
// Shapes: the streaming ones are consumers: records go in as a recorder, a reader or a window gives them, text comes
//         out in pieces, and nothing of a trace's length is kept. The pictures need the whole trace.
// Units:  timelines count a cycle as a microsecond; in a trace from hardware, which has no cycles, an event.
// Errors: none: a reader has checked the trace. The same trace gives the same bytes.
// Source: traces/FORMAT.md, "Exports".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/export/network.h"
#include "traces/model/trace.h"

namespace warpsim {

using ExportOutput = std::function<void(std::string_view)>;

TraceConsumer export_csv(ExportOutput output);       // RFC 4180; a row an event, lane and register
TraceConsumer export_markdown(ExportOutput output);  // program, inputs, a table a step
TraceConsumer export_chrome(ExportOutput output);    // Trace Event Format, JSON
TraceConsumer export_perfetto(ExportOutput output);  // perfetto.protos.Trace

// The network of one warp of a trace; see network.h. Titles are as in the trace.
std::string export_svg(const TraceHead& head, const Network& network, Language language = Language::English);
std::string export_dot(const TraceHead& head, const Network& network, Language language = Language::English);

// Which colours an SVG has: light, dark, or as its reader prefers, which only a reader that knows @media does.
enum class SvgTheme : std::uint8_t { Readers, Light, Dark };
std::string export_svg(const TraceHead& head, const Network& network, Language language, SvgTheme theme);
// The same picture as it grows: one for each row of the network, at least one, all of one size. Each adds a row, whose
// lines are heavier while it is the last; the last of all is complete.
std::vector<std::string> export_svg_steps(const TraceHead& head, const Network& network, Language language,
                                          SvgTheme theme);

// What tools/ makes of a picture: nothing, or pixels, one picture or one a step.
enum class ExportPixels : std::uint8_t { None, Png, Apng, Gif };

// A row a form: the command line, the help and the completions come from it. A form with neither function is the page,
// which tools/viewer makes.
struct ExportForm {
  std::string_view name;  // as --to names it
  std::string_view doc;   // for the help
  TraceConsumer (*stream)(ExportOutput output) = nullptr;
  std::string (*picture)(const TraceHead& head, const Network& network, Language language) = nullptr;
  bool is_text = true;                       // else it goes to a file alone
  std::string_view ending{};                 // of a file of this form: ".svg"; "" if files of other kinds end so too
  ExportPixels pixels = ExportPixels::None;  // of a `picture` that is SVG
  // What streams has the trace's own words; what is drawn has ours.
  constexpr bool has_korean() const { return stream == nullptr; }
};
inline constexpr ExportForm kExportForms[] = {
    {.name = "svg",
     .doc = "the network of one warp: lanes are columns, arrows are shuffles",
     .picture = export_svg,
     .ending = ".svg"},
    {.name = "png",
     .doc = "the picture of svg as pixels; made by rsvg-convert",
     .picture = export_svg,
     .is_text = false,
     .ending = ".png",
     .pixels = ExportPixels::Png},
    {.name = "apng",
     .doc = "the picture step by step, an animated PNG; made by rsvg-convert",
     .picture = export_svg,
     .is_text = false,
     .ending = ".apng",
     .pixels = ExportPixels::Apng},
    {.name = "gif",
     .doc = "the same as an animated GIF; made by rsvg-convert and ffmpeg",
     .picture = export_svg,
     .is_text = false,
     .ending = ".gif",
     .pixels = ExportPixels::Gif},
    {.name = "html", .doc = "the page of `warpsim view`", .ending = ".html"},
    {.name = "md",
     .doc = "program, inputs and a table a step, as Markdown",
     .stream = export_markdown,
     .ending = ".md"},
    {.name = "csv", .doc = "a row an event, lane and register", .stream = export_csv, .ending = ".csv"},
    {.name = "dot", .doc = "the network as a Graphviz digraph", .picture = export_dot, .ending = ".dot"},
    {.name = "perfetto",
     .doc = "protobuf for ui.perfetto.dev; a cycle is a microsecond",
     .stream = export_perfetto,
     .is_text = false,
     .ending = ".pftrace"},
    {.name = "chrome", .doc = "JSON for chrome://tracing; a cycle is a microsecond", .stream = export_chrome},
};

// The form of files that end so, compression left out; null if there is none, or several.
const ExportForm* export_form_of_file(std::string_view path);

}  // namespace warpsim
