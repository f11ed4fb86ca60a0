// Reading the file of suppressions and matching findings with it; see suppressions.h.
#include "tools/report/suppressions.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

constexpr const char* kShape = "a line is: CODE [PROGRAM] [line N | label NAME] # REASON";

struct Word {
  std::string text;
  SourceRange where;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The words of a line up to a # that begins one, and the text after it.
std::pair<std::vector<Word>, std::string> split(std::uint32_t number, const std::string& line) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#') {
      std::size_t first = line.find_first_not_of("# \t", at), last = line.find_last_not_of(" \t\r");
      return {words, first == std::string::npos ? "" : line.substr(first, last + 1 - first)};
    }
    std::size_t end = at;
    while (end < line.size() && !is_space(line[end])) ++end;
    words.push_back({line.substr(at, end - at),
                     {number, static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(end - at)}});
    at = end;
  }
  return {words, ""};
}

bool fits(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::vector<Finding> codes_of(const std::string& pattern) {
  std::vector<Finding> codes;
  for (const FindingInfo& row : all_findings())
    if (fits(upper(pattern), code(row.finding))) codes.push_back(row.finding);
  return codes;
}

// "did you mean WS0201?", also for what --json calls kind: "out-of-range".
std::string what_code_was_meant(const std::string& word) {
  std::vector<std::string> codes, kinds;
  for (const FindingInfo& row : all_findings()) {
    codes.push_back(code(row.finding));
    kinds.push_back(kind(row.finding));
  }
  const auto at = std::find(kinds.begin(), kinds.end(), word);
  if (at != kinds.end()) return "write its code: " + codes[static_cast<std::size_t>(at - kinds.begin())];
  if (!codes_of(word + "*").empty()) return word + "* means all that begin with that";
  if (const std::string near = nearest(word, codes); !near.empty()) return "did you mean " + near + "?";
  const auto near = std::find(kinds.begin(), kinds.end(), nearest(word, kinds));
  if (near != kinds.end()) return "did you mean " + codes[static_cast<std::size_t>(near - kinds.begin())] + "?";
  return kShape;
}

std::optional<std::uint32_t> number_of(const std::string& word) {
  std::uint32_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stop != end || number == 0) return std::nullopt;
  return number;
}

bool is_of(const std::string& pattern, const std::string& program, const std::string& file) {
  return fits(pattern, program) || fits(pattern, file);
}

// Whether the place is between this label and the next one.
bool stands_under(const CheckedProgram& program, SourceRange where, const std::string& label) {
  const std::optional<std::size_t> at = statement_at(program, where);
  const auto own = std::find_if(program.labels.begin(), program.labels.end(),
                                [&label](const auto& one) { return one.first == label; });
  if (!at || own == program.labels.end() || *at < own->second) return false;
  return std::none_of(program.labels.begin(), program.labels.end(),
                      [&](const auto& one) { return one.second > own->second && one.second <= *at; });
}

bool leaves_out(const Suppression& one, const CheckedFinding& finding, const CheckedProgram* program) {
  if (std::find(one.codes.begin(), one.codes.end(), finding.code) == one.codes.end()) return false;
  if (!is_of(one.program, finding.program, finding.file) && (program == nullptr || !fits(one.program, program->file)))
    return false;
  if (one.line != 0 && one.line != finding.where.line && one.line != finding.in_text.line) return false;
  return one.label.empty() || (program != nullptr && stands_under(*program, finding.in_text, one.label));
}

}  // namespace

Suppressions::Suppressions(std::string file, std::string text) {
  diagnostics_.file = std::move(file);
  diagnostics_.text = std::move(text);
  const std::string& kept = diagnostics_.text;
  const auto lines = static_cast<std::uint32_t>(std::count(kept.begin(), kept.end(), '\n')) + 1;
  std::string_view rest = kept;
  for (std::uint32_t number = 1; number <= lines; ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    read_line(number, std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void Suppressions::read_line(std::uint32_t number, const std::string& line) {
  auto [words, reason] = split(number, line);
  if (words.empty()) return;
  Suppression one;
  one.reason = std::move(reason);
  one.where = words.front().where;
  one.codes = codes_of(words.front().text);
  if (one.codes.empty())
    return diagnostics_.error("S001", one.where, "there is no finding with the code " + in_ticks(words.front().text),
                              what_code_was_meant(words.front().text));
  std::size_t k = 1;
  const auto is_place = [](const std::string& word) { return word == "line" || word == "label"; };
  if (k < words.size() && !is_place(words[k].text)) one.program = words[k++].text;
  if (k < words.size() && is_place(words[k].text)) {
    const bool by_line = words[k].text == "line";
    const std::string value = k + 1 < words.size() ? words[k + 1].text : "";
    const std::optional<std::uint32_t> wanted = number_of(value);
    if (by_line ? !wanted : value.empty())
      return diagnostics_.error("S002", words[std::min(k + 1, words.size() - 1)].where,
                                by_line ? "`line` wants a line's number, from 1" : "`label` wants a label's name",
                                kShape);
    if (by_line) one.line = *wanted;
    else one.label = value;
    k += 2;
  }
  if (k < words.size())
    return diagnostics_.error("S003", words[k].where, "nothing was expected here but a reason after #", kShape);
  list_.push_back(std::move(one));
}

void Suppressions::apply(CheckReport& report) {
  const std::string& file = diagnostics_.file;
  for (CheckedFinding& finding : report.findings) {
    if (finding.suppressed_by) continue;
    const CheckedProgram* const program = find_program(report, finding.program);
    for (Suppression& one : list_) {
      if (!leaves_out(one, finding, program)) continue;
      ++one.used;
      finding.suppressed_by = "line " + std::to_string(one.where.line) + " of " + file.substr(file.rfind('/') + 1) +
                              (one.reason.empty() ? "" : ": " + one.reason);
      break;
    }
  }
}

void Suppressions::note_unused(const CheckReport& report, bool everything_was_checked) {
  std::vector<std::string> names;
  for (const CheckedProgram& program : report.programs) names.push_back(program.name);
  for (const Suppression& one : list_) {
    if (one.used != 0) continue;
    const bool about_some = std::any_of(report.programs.begin(), report.programs.end(), [&one](const auto& program) {
      return is_of(one.program, program.name, program.file);
    });
    if (!about_some && !everything_was_checked) continue;
    const std::string near = about_some ? "" : nearest(one.program, names);
    const std::string message = about_some ? "this left nothing out: no such finding, or a line before leaves it out"
                                           : "no program that was checked is called " + in_ticks(one.program);
    diagnostics_.warning("S004", one.where, message,
                         near.empty() ? "delete the line" : "did you mean " + in_ticks(near) + "?");
    diagnostics_.list.back().severity = Diagnostic::Severity::Note;
  }
}

}  // namespace warpsim::tools
