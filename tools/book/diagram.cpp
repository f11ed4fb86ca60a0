// A fence's diagram; see diagram.h.
#include "tools/book/diagram.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

#include "tools/session/loading.h"
#include "tools/session/overrides.h"
#include "tools/session/wording.h"
#include "tools/support/words.h"
#include "traces/text/text_renderer.h"
#include "traces/words/plain_text.h"

namespace warpsim::tools {

namespace {

constexpr std::string_view kProgramFile = ".warp", kEndOfScript = "</script";
// What a fence may say: those of the element (web/embed/README.md) but `src`, which is the name alone.
constexpr std::array<std::string_view, 6> kNames = {"lanes", "case", "lang", "step", "height", "theme"};

struct Asked {
  std::string name;  // "": the program is the fence's text
  std::map<std::string, std::string> attributes;
  std::string of(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? "" : found->second;
  }
};

std::optional<Asked> asked_of(const Fence& fence, Reply& reply) {
  Asked asked;
  const std::vector<std::string> known(kNames.begin(), kNames.end());
  const auto wrong = [&reply](const std::string& what, const std::string& hint) {
    reply.fail(ExitCode::Usage, "usage", what, hint);
    return std::nullopt;
  };
  std::istringstream words(fence.info);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos && asked.name.empty()) {
      asked.name = word;
    } else if (equals == std::string::npos) {
      return wrong("a second program, " + in_ticks(word), "a fence shows one: ```warp-sim NAME lanes=8");
    } else if (std::find(known.begin(), known.end(), name) == known.end()) {
      return wrong("a diagram has no " + in_ticks(name), hint_for(nearest(name, known), "it has " + join(known)));
    } else {
      asked.attributes[name] = word.substr(equals + 1);
    }
  }
  const bool has_body = fence.body.find_first_not_of(" \t\r\n") != std::string::npos;
  if (asked.name.empty() && !has_body)
    return wrong("this fence has no program", "name one, ```warp-sim p26/butterfly_parallel_max, or write it inside");
  if (!asked.name.empty() && has_body)
    return wrong("this fence names " + in_ticks(asked.name) + " and has a text too", "leave out one of them");
  if (const std::string lang = asked.of("lang"); !lang.empty() && lang != "en" && lang != "ko")
    return wrong("lang=" + lang + " is none of the languages", "lang=en or lang=ko");
  return asked;
}

std::string indented(std::string_view text, const std::string& indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    out += (line == "\n" ? "" : indent) + std::string(line);
    text.remove_prefix(end);
  }
  return out;
}

std::optional<Lesson> program_of(Session& session, const Asked& asked, const BookPlace& place, const Fence& fence) {
  if (asked.name.ends_with(kProgramFile)) return load_program(session, place.folder + asked.name);
  if (!asked.name.empty()) return load_program(session, asked.name);
  // Behind as many empty lines, and indented, so that what is wrong has the chapter's line and column.
  const std::string text = std::string(fence.line, '\n') + indented(fence.body, fence.indent);
  return assemble_program(session, CatalogueEntry{"", "", text, place.path});
}

std::optional<std::string> drawn(Session& session, const Asked& asked, const BookPlace& place, const Fence& fence) {
  const std::optional<Wording> wording = wording_of(session);
  const std::optional<Lesson> program = program_of(session, asked, place, fence);
  if (!wording || !program) return std::nullopt;
  const std::optional<Case> chosen = choose_case(session, *program);
  const std::optional<CaseOverrides> overrides = read_overrides(session, *program);
  if (!chosen || !overrides) return std::nullopt;
  const std::optional<PreparedCase> prepared = prepare(session, *program, *chosen, *overrides);
  if (!prepared) return std::nullopt;
  const std::optional<Trace> trace = execute(session, *program, *prepared, std::nullopt);
  if (!trace) return std::nullopt;
  TextOptions options;
  options.language = wording->language;
  options.translations = wording->texts();
  return without_controls(render_text(*trace, options));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char one : text)
    out += one == '&' ? "&amp;" : one == '"' ? "&quot;" : one == '<' ? "&lt;" : std::string(1, one);
  return out;
}

// The element's beginning; blank lines keep Markdown's blocks apart.
std::string element_begin(const Asked& asked, const Fence& fence, const BookPlace& place) {
  std::string out = "<warp-sim";
  const auto add = [&out](std::string_view name, std::string_view value) {
    out += " " + std::string(name) + "=\"" + escaped(value) + "\"";
  };
  if (!asked.name.empty()) add("src", asked.name);
  for (const auto& [name, value] : asked.attributes) add(name, value);
  if (asked.of("lang").empty() && place.language != "en") add("lang", place.language);
  out += ">\n\n";
  return asked.name.empty() ? out + "<script type=\"text/warp\">\n" + fence.body + "</script>\n\n" : out;
}

// As many marks as the text has not.
std::string marks_around(std::string_view text) {
  std::string marks = "```";
  while (text.find(marks) != std::string_view::npos) marks += '`';
  return marks;
}

}  // namespace

std::optional<std::string> diagram_text(const Catalogue& catalogue, const BookPlace& place, const Fence& fence,
                                        Reply& reply) {
  const std::optional<Asked> asked = asked_of(fence, reply);
  if (!asked) return std::nullopt;
  Options options;
  options.verb = "trace";
  options.lanes = asked->of("lanes");
  options.case_name = asked->of("case");
  options.language = asked->of("lang").empty() ? place.language : asked->of("lang");
  Session session{options, catalogue, nullptr, reply};
  const std::optional<std::string> diagram = drawn(session, *asked, place, fence);
  if (!diagram) return std::nullopt;
  const std::string marks = marks_around(*diagram);
  std::string text = marks + "text\n" + *diagram + (diagram->ends_with('\n') ? "" : "\n") + marks + "\n";
  if (!place.site.empty()) {
    if (asked->name.empty() && fence.body.find(kEndOfScript) != std::string::npos) {
      reply.fail(ExitCode::Usage, "usage", "a program in a page cannot hold " + in_ticks(kEndOfScript),
                 "write it into a file, ```warp-sim mine.warp");
      return std::nullopt;
    }
    text = "\n" + element_begin(*asked, fence, place) + text + "\n</warp-sim>\n\n";
  }
  return indented(text, fence.indent);
}

}  // namespace warpsim::tools
