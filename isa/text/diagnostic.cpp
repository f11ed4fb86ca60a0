// Drawing messages the way good compilers do, and finding the word that was meant.
//
//   pair.warp:12:9: error[A012]: unknown opcode `shuffle_xor.b32`
//      12 |         shuffle_xor.b32 %other, %max_val, 1
//         |         ^~~~~~~~~~~~~~~
//         hint: Mojo's shuffle_xor is `shfl.bfly` here
//
// Shapes: a source line becomes cells, one a character, each with its displayed width; a long line is cut around the
//         caret.
// Units:  columns of SourceRange count bytes; widths count terminal cells.
// Errors: none: a place outside the text is drawn without a line; broken UTF-8 and control characters are replaced.
// Source: widths: Unicode Standard Annex #11 "East Asian Width", in coarse ranges.
#include "isa/text/diagnostic.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <tuple>
#include <utility>

namespace warpsim {
namespace {

constexpr std::size_t kWidestLine = 116;       // cells of source shown
constexpr std::size_t kCellsBeforeCaret = 60;  // where the line is cut on the left
constexpr std::size_t kBytesAround = 480;      // read this far from the caret: a line may be megabytes long
constexpr std::size_t kTabStop = 8;
constexpr std::size_t kLongestWord = 48;  // for edit distances
constexpr std::size_t kMostCandidates = 4096;
constexpr std::size_t kLongestSentence = 600;

struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

CodePoint decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 && first < 0xf8   ? 4
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xc2 && first < 0xe0 ? 2
                                                            : 0;
  if (bytes == 0 || bytes > text.size()) return {0xfffd, 1};
  char32_t value = first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {0xfffd, 1};
    value = value << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (overlong || surrogate || value > 0x10ffff) return {0xfffd, 1};
  return {value, bytes};
}

struct Interval {
  char32_t first, last;
};
constexpr std::array<Interval, 6> kZeroWidth = {
    {{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0x1f3fb, 0x1f3ff}}};
constexpr std::array<Interval, 11> kDoubleWidth = {{{0x1100, 0x115f},
                                                    {0x231a, 0x231b},
                                                    {0x2705, 0x2705},
                                                    {0x274c, 0x274c},
                                                    {0x2e80, 0xa4cf},
                                                    {0xac00, 0xd7a3},
                                                    {0xf900, 0xfaff},
                                                    {0xfe30, 0xfe6f},
                                                    {0xff00, 0xff60},
                                                    {0x1f300, 0x1faff},
                                                    {0x20000, 0x3fffd}}};

template <std::size_t N>
bool in_any(const std::array<Interval, N>& intervals, char32_t c) {
  for (const Interval& interval : intervals) {
    if (c >= interval.first && c <= interval.last) return true;
  }
  return false;
}

struct Cell {
  std::string text;
  std::size_t width;
  std::size_t byte;  // where the character starts in its line
};

Cell make_cell(std::string_view rest, std::size_t byte, std::size_t column, std::size_t& bytes) {
  const CodePoint c = decode_utf8(rest);
  bytes = c.bytes;
  if (c.value == '\t') {
    const std::size_t width = kTabStop - column % kTabStop;
    return {std::string(width, ' '), width, byte};
  }
  if (c.value < 0x20 || c.value == 0x7f || (c.value >= 0x80 && c.value < 0xa0)) return {"\xc2\xb7", 1, byte};  // ·
  if (c.value == 0xfffd) return {"\xef\xbf\xbd", 1, byte};
  const std::size_t width = in_any(kZeroWidth, c.value) ? 0 : in_any(kDoubleWidth, c.value) ? 2 : 1;
  return {std::string(rest.substr(0, c.bytes)), width, byte};
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

struct Drawing {
  std::string line, marks;
};

// The part of a line around [first, last) and the caret line below it.
Drawing draw(std::string_view line, std::size_t first, std::size_t last) {
  first = std::min(first, line.size());
  last = std::max(first, std::min(last, line.size()));
  std::size_t begin = first > kBytesAround ? first - kBytesAround : 0;
  while (begin > 0 && continues_character(line[begin])) --begin;
  const std::size_t end = std::min(line.size(), first + kBytesAround);
  std::vector<Cell> cells;
  std::size_t width = 0, before_caret = 0;
  for (std::size_t i = begin, bytes = 1; i < end; i += bytes) {
    cells.push_back(make_cell(line.substr(i), i, width, bytes));
    width += cells.back().width;
    if (i < first) before_caret = width;
  }
  std::size_t cut = 0;
  bool cut_left = begin > 0;
  for (; width > kWidestLine && before_caret > kCellsBeforeCaret && cut < cells.size(); ++cut) {
    width -= cells[cut].width;
    before_caret -= cells[cut].width;
    cut_left = true;
  }
  Drawing drawing;
  if (cut_left) drawing = {"\xe2\x80\xa6", " "};  // …
  std::size_t shown = 0, marked = 0;
  bool cut_right = end < line.size();
  for (std::size_t i = cut; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    if (shown + cell.width > kWidestLine) {
      cut_right = true;
      break;
    }
    shown += cell.width;
    drawing.line += cell.text;
    if (cell.byte < first) drawing.marks.append(cell.width, ' ');
    for (std::size_t k = 0; cell.byte >= first && cell.byte < last && k < cell.width; ++k)
      drawing.marks += marked++ == 0 ? '^' : '~';
  }
  if (marked == 0) drawing.marks += '^';
  if (cut_right) drawing.line += "\xe2\x80\xa6";
  return drawing;
}

std::string_view severity_name(Diagnostic::Severity severity) {
  switch (severity) {
    case Diagnostic::Severity::Error: return "error";
    case Diagnostic::Severity::Warning: return "warning";
    case Diagnostic::Severity::Note: return "note";
  }
  return "";
}

// Line `number`, from 1, without its end; nothing if there is no such line.
std::string_view find_line(std::string_view text, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < number; ++n) {
    const std::size_t newline = text.find('\n', begin);
    if (newline == std::string_view::npos) return {};
    begin = newline + 1;
  }
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string repeated(char c, std::size_t count) { return std::string(count, c); }

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Insertions, deletions, replacements and swaps of neighbours; a change of case counts nothing.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kLongestWord + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0U : 1U);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

// Messages quote the user's text: a megabyte of it does not help, and what is not valid UTF-8 or not printable would
// break the terminal or the JSON that it goes to.
std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0, bytes = 1; i < text.size(); i += bytes) {
    if (out.size() > kLongestSentence) return out + "...";
    const CodePoint c = decode_utf8(std::string_view(text).substr(i));
    bytes = c.bytes;
    const bool bad = c.value < 0x20 || c.value == 0x7f || (c.value == 0xfffd && bytes == 1);
    if (bad) out += '?';
    else out.append(text, i, bytes);
  }
  return out;
}

Diagnostic made(Diagnostic::Severity severity, std::string code, SourceRange where, const std::string& message,
                Hint hint) {
  for (Fix& fix : hint.fixes) fix.where.file = where.file;
  return {severity, std::move(code), printable(message), printable(hint.text), where, std::move(hint.fixes)};
}

}  // namespace

void Diagnostics::error(std::string code, SourceRange where, std::string message, Hint hint) {
  list.push_back(made(Diagnostic::Severity::Error, std::move(code), where, message, std::move(hint)));
}
void Diagnostics::warning(std::string code, SourceRange where, std::string message, Hint hint) {
  list.push_back(made(Diagnostic::Severity::Warning, std::move(code), where, message, std::move(hint)));
}

const std::string& Diagnostics::file_of(const SourceRange& where) const {
  return where.file == 0 || where.file > others.size() ? file : others[where.file - 1].name;
}
const std::string& Diagnostics::text_of(const SourceRange& where) const {
  return where.file == 0 || where.file > others.size() ? text : others[where.file - 1].text;
}

bool Diagnostics::has_errors() const {
  return std::any_of(list.begin(), list.end(),
                     [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::Error; });
}

bool Diagnostics::is_only_unsupported() const {
  return has_errors() && std::all_of(list.begin(), list.end(), [](const Diagnostic& d) {
           return d.severity != Diagnostic::Severity::Error || d.code == "A011" || d.code == "A013" || d.code == "P018";
         });
}

std::string Diagnostics::render() const {
  std::vector<const Diagnostic*> ordered;
  for (const Diagnostic& d : list) ordered.push_back(&d);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::tuple(a->where.file, a->where.line, a->where.column) <
           std::tuple(b->where.file, b->where.line, b->where.column);
  });
  std::string out;
  for (const Diagnostic* d : ordered) out += render(*d);
  return out;
}

std::string Diagnostics::render(const Diagnostic& one) const {
  const SourceRange& where = one.where;
  std::string out = file_of(where);
  if (where.line != 0) out += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  out += ": ";
  out += severity_name(one.severity);
  if (!one.code.empty()) out += "[" + one.code + "]";
  out += ": " + one.message + "\n";
  std::string margin = "  ";
  if (const std::string& source = text_of(where); where.line != 0 && !source.empty()) {
    const std::string number = std::to_string(where.line);
    const std::size_t gutter = std::max<std::size_t>(5, number.size() + 1);
    const std::size_t first = where.column == 0 ? 0 : where.column - 1;
    const Drawing drawing = draw(find_line(source, where.line), first, first + std::max<std::size_t>(1, where.length));
    out += repeated(' ', gutter - number.size()) + number + " | " + drawing.line + "\n";
    margin = repeated(' ', gutter + 1);
    out += margin + "| " + drawing.marks + "\n";
  }
  if (!one.hint.empty()) out += margin + "hint: " + one.hint + "\n";
  return out;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return "";
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
    const std::string& candidate = candidates[i];
    const std::size_t gap = std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size());
    if (candidate.size() > kLongestWord || gap >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < word.size()) {
      best_distance = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? "" : *best;
}

Hint did_you_mean(SourceRange where, const std::string& word) {
  if (word.empty()) return "";
  return {"did you mean " + word + "?", {{where, word}}};
}
Hint write_instead(SourceRange where, const std::string& words) {
  constexpr std::size_t kLongest = 200;
  return {"write " + (words.size() <= kLongest ? words : quoted(words)), {{where, words}}};
}
Hint leave_out(SourceRange where) { return {"leave it out", {{where, ""}}}; }

std::string quoted(std::string_view word) {
  constexpr std::size_t kShown = 40;
  std::string out = "`";
  for (const char c : word.substr(0, kShown)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte >= 0x7f ? '?' : c;
  }
  if (word.size() > kShown) out += "...";
  return out + "`";
}

}  // namespace warpsim
