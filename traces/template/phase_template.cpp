// Parsing and filling templates and the options beside them.
#include "traces/template/phase_template.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "isa/text/word.h"
#include "traces/words/korean.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

constexpr std::size_t kMaxColumn = 400;  // no diagram is wider; a trace may come from anywhere

bool take_word(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return false;
  if (text.size() > word.size() && text[word.size()] != ' ') return false;
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return true;
}

constexpr unsigned kMaxCount = 1000;  // no line is longer and no warp wider
constexpr unsigned kMaxDigits = 64;
constexpr int kMaxDepth = 2;  // {each {each …}}: lanes times lanes

std::optional<unsigned> read_count(std::string_view digits) {
  unsigned count = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (fault != std::errc{} || end != digits.data() + digits.size() || count > kMaxCount) return std::nullopt;
  return count;
}

struct Option {
  std::string name, value;
};

// Splits `name`, `name=value`, `name="a value"` and `name='a value'` at blanks.
std::vector<Option> split_options(std::string_view text) {
  std::vector<Option> options;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    Option option;
    std::size_t at = 0;
    while (at < text.size() && text[at] != ' ' && text[at] != '=') ++at;
    option.name = std::string(text.substr(0, at));
    text.remove_prefix(at);
    if (!text.empty() && text[0] == '=') {
      text.remove_prefix(1);
      const char quote = !text.empty() && (text[0] == '"' || text[0] == '\'') ? text[0] : ' ';
      if (quote != ' ') text.remove_prefix(1);
      const std::size_t end = std::min(text.find(quote), text.size());
      option.value = std::string(text.substr(0, end));
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    options.push_back(std::move(option));
  }
  return options;
}

// Where the options of {lanes EXPR head=3 join='+'} begin.
std::size_t find_list_options(std::string_view text) {
  std::size_t first = text.size();
  for (std::string_view name : {" head=", " tail=", " from=", " to=", " join="}) {
    const std::size_t at = text.find(name);
    if (at < first && text.substr(at + name.size(), 1) != "=") first = at;
  }
  return first;
}

// `text` starts after a {: the length up to its }, or npos.
std::size_t closing_brace(std::string_view text) {
  int depth = 1;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '{') ++depth;
    if (text[k] == '}' && --depth == 0) return k;
  }
  return std::string_view::npos;
}

// A joiner in single quotes at the front of `text`.
std::optional<std::string> take_joiner(std::string_view& text) {
  if (text.empty() || text[0] != '\'') return std::nullopt;
  const std::size_t end = text.find('\'', 1);
  if (end == std::string_view::npos) return std::nullopt;
  std::string joiner(text.substr(1, end - 1));
  text.remove_prefix(end + 1);
  if (!text.empty() && text[0] == ' ') text.remove_prefix(1);
  return joiner;
}

// `:.1`, `:A`, `:b`, `:04b`, `:08x` at the end of a placeholder.
ValueFormat take_format(std::string_view& text) {
  ValueFormat format;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return format;
  std::string_view words = text.substr(colon + 1);
  if (words == ".1") {
    format.decimal = true;
  } else if (words == "A") {
    format.letters = true;
  } else {
    if (!words.ends_with('b') && !words.ends_with('x')) return format;
    format.base = words.ends_with('b') ? 2 : 16;
    words.remove_suffix(1);
    if (!words.empty()) format.digits = words.starts_with('0') ? read_count(words).value_or(0) : 0;
    if (format.digits == 0 || format.digits > kMaxDigits) return {};
  }
  text = trimmed(text.substr(0, colon));
  return format;
}

std::string centred(const std::string& text, std::size_t width) {
  const std::size_t blanks = width - std::min(width, text_width(text));
  return std::string(blanks / 2, ' ') + text + std::string(blanks - blanks / 2, ' ');
}

std::string joined(const std::vector<std::string>& items, const std::string& join, std::optional<unsigned> head,
                   std::optional<unsigned> tail, const std::string& dots = "...") {
  const std::size_t front = head || tail ? head.value_or(0) : items.size(), back = tail.value_or(0);
  const bool elided = items.size() > front + back;
  std::string out;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (elided && k >= front && k < items.size() - back) {
      if (k == front) out += out.empty() ? dots : join + dots;
      continue;
    }
    if (!out.empty()) out += join;
    out += items[k];
  }
  return out;
}

}  // namespace

Template::Template(std::string_view text, Language language) : language_(language), text_(text) {
  pieces_ = parse(text, 0);
}

std::vector<Template::Piece> Template::parse(std::string_view text, int depth) {
  std::vector<Piece> pieces;
  const auto add_text = [&](std::string_view words) {
    if (words.empty()) return;
    Piece piece;
    piece.text = std::string(words);
    pieces.push_back(std::move(piece));
  };
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    add_text(text.substr(0, open));
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + 1);
    const std::size_t close = closing_brace(text);
    if (close == std::string_view::npos) {
      if (error_.empty()) error_ = "a } is missing in \"" + std::string(text) + "\"";
      add_text("{" + std::string(text));
      break;
    }
    pieces.push_back(parse_placeholder(text.substr(0, close), depth));
    text.remove_prefix(close + 1);
  }
  return pieces;
}

Template::Piece Template::parse_placeholder(std::string_view text, int depth) {
  Piece piece;
  piece.text = "{" + std::string(text) + "}";
  std::string_view rest = trimmed(text);
  if (is_particle_marker(rest)) {
    piece.kind = Piece::Kind::Particle;
    piece.text = std::string(rest);
    return piece;
  }
  const bool each = take_word(rest, "each"), cells = !each && take_word(rest, "cells");
  if (each || cells || take_word(rest, "loads")) {
    piece.kind = each ? Piece::Kind::Each : cells ? Piece::Kind::Cells : Piece::Kind::Loads;
    parse_inner(piece, rest, depth);
    return piece;
  }
  piece.format = take_format(rest);
  if (take_word(rest, "column")) {
    piece.kind = Piece::Kind::Column;
    parse_column(piece, rest);
  } else if (take_word(rest, "lanes")) {
    piece.kind = Piece::Kind::Lanes;
    parse_lanes(piece, rest);
  } else if (take_word(rest, "all")) {
    piece.kind = Piece::Kind::All;
    piece.expression = parse_expression(rest);
  } else if (take_word(rest, "exchange")) {
    piece.kind = Piece::Kind::Exchange;
    piece.expression = parse_expression(rest);
  } else if (take_word(rest, "ranges") || take_word(rest, "Lanes")) {
    piece.kind = trimmed(text).starts_with("ranges") ? Piece::Kind::Ranges : Piece::Kind::LaneWords;
    if (!trimmed(rest).empty()) piece.expression = parse_expression(rest);
  } else {
    piece.kind = Piece::Kind::Value;
    piece.expression = parse_expression(rest);
  }
  return piece;
}

Expression Template::parse_expression(std::string_view words) {
  Expression parsed(trimmed(words));
  if (error_.empty()) error_ = parsed.error();
  return parsed;
}

void Template::parse_column(Piece& piece, std::string_view digits) {
  piece.column = read_count(digits).value_or(0);
  if ((piece.column == 0 || piece.column > kMaxColumn) && error_.empty()) error_ = "no column: " + piece.text;
  if (piece.column > kMaxColumn) piece.column = 0;
}

// Of {each …}, {cells …} and {loads …}: the width or the joiner, then a template.
void Template::parse_inner(Piece& piece, std::string_view rest, int depth) {
  if (piece.kind == Piece::Kind::Cells) {
    const std::size_t width = std::min(rest.find(' '), rest.size());
    parse_column(piece, rest.substr(0, width));
    rest.remove_prefix(std::min(rest.size(), width + 1));
  } else if (std::optional<std::string> joiner = take_joiner(rest)) {
    piece.join = *joiner;
  }
  if (depth < kMaxDepth) piece.inner = parse(rest, depth + 1);
  else if (error_.empty()) error_ = "nested too deeply: " + piece.text;
}

// Of {lanes …}: an expression, then options.
void Template::parse_lanes(Piece& piece, std::string_view rest) {
  const std::size_t options = find_list_options(rest);
  piece.expression = parse_expression(rest.substr(0, options));
  for (const Option& option : split_options(rest.substr(options))) {
    if (option.name == "head") piece.head = read_count(option.value);
    else if (option.name == "tail") piece.tail = read_count(option.value);
    else if (option.name == "from") piece.from = parse_expression(option.value);
    else if (option.name == "to") piece.to = parse_expression(option.value);
    else if (option.name == "join") piece.join = option.value, piece.bracketed = false;
    else if (error_.empty()) error_ = "unknown option \"" + option.name + "\" in \"" + piece.text + "\"";
  }
}

std::string Template::fill(const TemplateScope& scope, std::optional<unsigned> head,
                           std::optional<unsigned> tail) const {
  std::string out;
  fill_into(out, pieces_, scope, head, tail);
  return out;
}

std::string Template::fill(const TemplateScope& scope) const { return fill(scope, std::nullopt, std::nullopt); }

std::string Template::fill(const TemplateView& view) const {
  const LaneMask lanes = view.lanes();
  return fill({view, lanes == 0 ? 0 : first_lane(lanes), lanes, nullptr});
}

void Template::fill_into(std::string& out, const std::vector<Piece>& pieces, const TemplateScope& scope,
                         std::optional<unsigned> head, std::optional<unsigned> tail) const {
  for (const Piece& piece : pieces) {
    if (piece.kind == Piece::Kind::Text) out += piece.text;
    else fill_piece(out, piece, scope, head, tail);
  }
}

void Template::fill_piece(std::string& out, const Piece& piece, const TemplateScope& scope,
                          std::optional<unsigned> head, std::optional<unsigned> tail) const {
  const unsigned lanes = scope.view.warp_size();
  const bool needs_expression = piece.kind == Piece::Kind::Value || piece.kind == Piece::Kind::Lanes ||
                                piece.kind == Piece::Kind::All || piece.kind == Piece::Kind::Exchange;
  if (needs_expression && piece.expression.empty()) {
    out += piece.text;  // faulty: shown as written
    return;
  }
  switch (piece.kind) {
    case Piece::Kind::Text: break;
    case Piece::Kind::Particle: out += particle(out, piece.text); break;
    case Piece::Kind::Value: out += display(piece.expression.evaluate(scope), lanes, piece.format); break;
    case Piece::Kind::Lanes: out += fill_lanes(piece, scope); break;
    case Piece::Kind::Each:
    case Piece::Kind::Cells: out += fill_each(piece, scope, head, tail); break;
    case Piece::Kind::Loads: out += fill_loads(piece, scope); break;
    case Piece::Kind::All: out += fill_all(piece, scope); break;
    case Piece::Kind::Ranges: out += lane_ranges(piece.expression.lanes_where(scope)); break;
    case Piece::Kind::LaneWords: {
      const LaneMask where = piece.expression.lanes_where(scope);
      out += say(language_, count_lanes(where) == 1 ? Phrase::OneLaneRange : Phrase::LaneRange, {lane_ranges(where)});
      break;
    }
    case Piece::Kind::Exchange: {
      const TemplateValue offset = piece.expression.evaluate(scope);
      const bool known = offset.kind == TemplateValue::Kind::Bits;
      out += known ? exchange_word(static_cast<std::int64_t>(offset.bits), lanes, language_) : "?";
      break;
    }
    case Piece::Kind::Column: {
      const std::size_t start = out.rfind('\n') == std::string::npos ? 0 : out.rfind('\n') + 1;
      const std::size_t width = text_width(std::string_view(out).substr(start));
      out.append(width < piece.column ? piece.column - width : 1, ' ');
      break;
    }
  }
}

// The inner pieces once a lane: as a list, or in cells of one width.
std::string Template::fill_each(const Piece& piece, const TemplateScope& scope, std::optional<unsigned> head,
                                std::optional<unsigned> tail) const {
  std::vector<std::string> items;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    fill_into(items.emplace_back(), piece.inner, {scope.view, lane, scope.lanes, nullptr}, {}, {});
  });
  if (piece.kind == Piece::Kind::Each) return joined(items, piece.join, head, tail);
  std::size_t width = piece.column;
  for (const std::string& item : items) width = std::max(width, text_width(item) + 1);  // so that none touch
  for (std::string& item : items) item = centred(item, width);
  return joined(items, "", head, tail, centred("...", width));
}

// The inner pieces once a load of the lane.
std::string Template::fill_loads(const Piece& piece, const TemplateScope& scope) const {
  std::vector<std::string> items;
  for (const TemplateAccess& access : scope.view.accesses(scope.lane)) {
    if (!access.is_store)
      fill_into(items.emplace_back(), piece.inner, {scope.view, scope.lane, scope.lanes, &access}, {}, {});
  }
  return joined(items, piece.join, {}, {});
}

// A value that all lanes share once, else the list of all.
std::string Template::fill_all(const Piece& piece, const TemplateScope& scope) {
  std::vector<std::string> items;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    items.push_back(display(piece.expression.evaluate({scope.view, lane, scope.lanes, nullptr}), scope.view.warp_size(),
                            piece.format));
  });
  const bool same = !items.empty() &&
                    std::all_of(items.begin(), items.end(), [&](const std::string& item) { return item == items[0]; });
  return same ? items[0] : "[" + joined(items, ", ", {}, {}) + "]";
}

// The list of a value over lanes; places that do not exist (past a buffer's end) are left out.
std::string Template::fill_lanes(const Piece& piece, const TemplateScope& scope) {
  const auto bound = [&](const Expression& expression, std::uint64_t otherwise) {
    const TemplateValue value = expression.evaluate(scope);
    return value.kind == TemplateValue::Kind::Bits ? value.bits : otherwise;
  };
  const std::uint64_t from = piece.from.empty() ? 0 : bound(piece.from, 0),
                      to = piece.to.empty() ? 63 : bound(piece.to, 63);
  std::vector<std::string> items;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    if (lane < from || lane > to) return;
    const TemplateValue value = piece.expression.evaluate({scope.view, lane, scope.lanes, nullptr});
    if (value.kind != TemplateValue::Kind::Missing)
      items.push_back(display(value, scope.view.warp_size(), piece.format));
  });
  const std::string list = joined(items, piece.join, piece.head, piece.tail);
  return piece.bracketed ? "[" + list + "]" : list;
}

LineOptions parse_line_options(std::string_view text) {
  LineOptions options;
  const auto fail = [&](const std::string& message) {
    if (options.error.empty()) options.error = message;
  };
  const auto count = [&](const Option& option) {
    const std::optional<unsigned> number = read_count(option.value);
    if (!number) fail(option.name + "= wants a number, not \"" + option.value + "\"");
    return number;
  };
  const auto condition = [&](const Option& option) {
    Expression parsed(option.value);
    if (!parsed.error().empty()) fail(parsed.error());
    return parsed;
  };
  for (const Option& option : split_options(text)) {
    if (option.name == "head") options.head = count(option);
    else if (option.name == "tail") options.tail = count(option);
    else if (option.name == "columns") options.columns = std::max(1U, count(option).value_or(1));
    else if (option.name == "comma") options.comma = true;
    else if (option.name == "once") options.once = true;
    else if (option.name == "end") options.at_end = true;
    else if (option.name == "gap") options.gap = true;
    else if (option.name == "bare") options.bare = true;
    else if (option.name == "aside") options.aside = true;
    else if (option.name == "flush") options.flush = true;
    else if (option.name == "id") options.id = option.value;
    else if (option.name == "during") options.during = option.value;
    else if (option.name == "when") options.when = condition(option);
    else if (option.name == "unless") options.when = condition(option).negated();
    else if (option.name == "dots") options.dots = option.value;
    else if (option.name == "dots_when") options.dots_when = condition(option);
    else fail("unknown option \"" + option.name + "\"");
  }
  return options;
}

bool counts(const TracePhase& phase) { return !phase.title.empty() && !parse_line_options(phase.options).aside; }

void Template::add_names(std::vector<std::string_view>& list, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    for (const Expression* expression : {&piece.expression, &piece.from, &piece.to}) {
      const std::vector<std::string_view> names = expression->names();
      list.insert(list.end(), names.begin(), names.end());
    }
    add_names(list, piece.inner);
  }
}

std::vector<std::string_view> Template::names() const {
  std::vector<std::string_view> list;
  add_names(list, pieces_);
  return list;
}

namespace {

class TemplateCheck {
 public:
  explicit TemplateCheck(const TraceHead& head) {
    for (const TraceRegister& reg : head.registers) known_.push_back(reg.name);
    for (const TraceParam& param : head.params) known_.push_back(param.name);
    for (const TraceShared& shared : head.shared) known_.push_back(shared.name);
    for (const TracePhase& phase : head.phases) ids_.push_back(parse_line_options(phase.options).id);
    for (const std::vector<TracePhase>* list : {&head.phases, &head.pictures}) {
      for (const TracePhase& phase : *list) {
        check(phase.title, phase.options);
        for (const TraceDraw& line : phase.lines) check(line.text, line.options);
      }
    }
  }
  std::vector<std::string> take() { return std::move(faults_); }

 private:
  void check(const std::string& text, const std::string& words) {
    const Template parsed(text);
    const LineOptions options = parse_line_options(words);
    const std::string line = "\"" + text + "\"" + (words.empty() ? "" : " " + words) + ": ";
    if (!parsed.error().empty()) faults_.push_back(line + parsed.error());
    if (!options.error.empty()) faults_.push_back(line + options.error);
    if (!options.during.empty() && !holds(ids_, options.during))
      faults_.push_back(line + "no phase has id=" + options.during);
    for (const std::vector<std::string_view>& names :
         {parsed.names(), options.when.names(), options.dots_when.names()}) {
      for (const std::string_view name : names) {
        if (!holds(known_, name)) faults_.push_back(line + "the program has no " + std::string(name));
      }
    }
  }
  static bool holds(const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }

  std::vector<std::string> known_, ids_, faults_;
};

}  // namespace

std::vector<std::string> check_templates(const TraceHead& head) { return TemplateCheck(head).take(); }

}  // namespace warpsim
