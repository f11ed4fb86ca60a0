// What every SVG picture is made of; see svg_parts.h.
#include "traces/export/svg_parts.h"

#include <algorithm>

#include "traces/template/phase_template.h"

namespace warpsim {
namespace {

constexpr std::string_view kSvgStyleText = R"css(
text { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Noto Sans Mono", monospace; font-size: 12px; fill: #1b1b1b; }
.title { font-family: system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; font-size: 16px; font-weight: 600; }
.sub, .phase, .key { font-family: system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
.phase { font-weight: 600; font-size: 13px; }
.sub, .dim, .key, .caption { fill: #5a5f66; }
.key { font-size: 11px; }
.caption { font-size: 9px; }
.value, .caption, .lane { text-anchor: middle; }
.when { text-anchor: end; fill: #5a5f66; font-size: 10px; }
.paper { fill: #ffffff; }
.cell { fill: #f3f5f7; stroke: #8b939c; }
.load { fill: #dcedf9; stroke: #0072b2; }
.store { fill: #d6efe7; stroke: #009e73; }
.gone { fill: url(#hatch); stroke: #b9bfc6; stroke-dasharray: 3 2; }
.undefined { fill: #fbe3d6; stroke: #d55e00; stroke-width: 1.6; }
.hatch { stroke: #c3c8ce; }
.grid { stroke: #e3e6ea; }
.line { fill: none; stroke-width: 1.4; }
.right { stroke: #0072b2; } .righthead { fill: #0072b2; }
.left { stroke: #d55e00; } .lefthead { fill: #d55e00; }
.own { stroke: #7a828b; } .ownhead { fill: #7a828b; }
.carry { stroke: #b4bac1; }
.keeps { stroke: #7a828b; stroke-dasharray: 4 3; }
.lost { stroke: #d55e00; stroke-dasharray: 2 3; }
.bus { stroke: #009e73; stroke-width: 2; } .stem { stroke: #009e73; stroke-width: 1.1; } .bushead { fill: #009e73; }
.stop { fill: #b64e00; font-weight: 600; } .fault { fill: #fbe3d6; stroke: #d55e00; }
)css";

constexpr std::string_view kSvgDarkText = R"css(text { fill: #e6e8ea; }
.sub, .dim, .key, .caption, .when { fill: #a3abb3; }
.paper { fill: #15181b; }
.cell { fill: #23282d; stroke: #707880; }
.load { fill: #12344a; stroke: #56b4e9; }
.store { fill: #0f3a2f; stroke: #2fc79b; }
.gone { stroke: #59616a; }
.undefined { fill: #4a2410; stroke: #ff9a57; }
.hatch { stroke: #4a525a; }
.grid { stroke: #2a2f34; }
.right { stroke: #56b4e9; } .righthead { fill: #56b4e9; }
.left { stroke: #e69f00; } .lefthead { fill: #e69f00; }
.own, .keeps { stroke: #9aa2ab; } .ownhead { fill: #9aa2ab; }
.carry { stroke: #4d555d; }
.lost { stroke: #ff9a57; }
.stop { fill: #ff9a57; } .fault { fill: #4a2410; stroke: #ff9a57; }
)css";

}  // namespace

std::string svg_style(SvgTheme theme) {
  std::string style(kSvgStyleText);
  if (theme == SvgTheme::Dark) style += kSvgDarkText;
  if (theme == SvgTheme::Readers)
    style += "@media (prefers-color-scheme: dark) {\n" + std::string(kSvgDarkText) + "}\n";
  return style;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const unsigned char c = static_cast<unsigned char>(text[k]);
    const std::string_view three = text.substr(k, 3);
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (c < 0x20) out += c == '\t' || c == '\n' || c == '\r' ? " " : "\xEF\xBF\xBD";
    else if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") out += "\xEF\xBF\xBD", k += 2;
    else out += text[k];
  }
  return out;
}

void svg_text(std::string& out, const char* kind, int x, int y, const std::string& words) {
  out += std::string("<text class=\"") + kind + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\">" +
         xml_text(words) + "</text>\n";
}

void svg_line(std::string& out, const char* kind, int x1, int y1, int x2, int y2) {
  out += std::string("<line class=\"line ") + kind + "\" x1=\"" + std::to_string(x1) + "\" y1=\"" + std::to_string(y1) +
         "\" x2=\"" + std::to_string(x2) + "\" y2=\"" + std::to_string(y2) + "\"/>\n";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    std::string& line = lines.back();
    if (!line.empty() && text_width(line) + 1 + text_width(word) > width) lines.push_back(word);
    else line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

}  // namespace warpsim
