// Templates: the text of `.phase`, `.draw` and `.picture` with its {…} filled from what a run did.
//
// Shapes: a Template is parsed once and filled many times. What it may ask is in TemplateView: one warp at one
//         moment. The renderer answers from a trace, the recorder (for titles) from the machine.
// Units:  lanes; elements of buffers.
// Errors: a fault in a template is kept as one sentence in error(); filled, the faulty place prints as written.
// Source: traces/FORMAT.md, "Phases and drawings", is the language's reference.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/table/type.h"
#include "sim/event/lane_mask.h"
#include "traces/model/trace.h"
#include "traces/template/phase_expression.h"
#include "traces/words/language.h"

namespace warpsim {

// What may follow a placeholder's colon.
struct ValueFormat {
  bool decimal = false;  // .1: a float keeps its ".0"
  bool letters = false;  // A: an integer as a spreadsheet names its columns: 0 is A, 25 Z, 26 AA
  unsigned base = 10;    // b and x: the bits, in base 2 or 16
  unsigned digits = 1;   // 04b: at least so many digits
};

class Template {
 public:
  Template() = default;
  explicit Template(std::string_view text, Language language = Language::English);

  std::string fill(const TemplateScope& scope) const;
  // For all lanes of the view, as a title or a `once` line is filled: `lane` is the lowest of them.
  std::string fill(const TemplateView& view) const;
  // The place of a {each …} or {cells …} is elided like the lanes of a drawing; see LineOptions.
  std::string fill(const TemplateScope& scope, std::optional<unsigned> head, std::optional<unsigned> tail) const;

  const std::string& text() const { return text_; }
  const std::string& error() const { return error_; }  // "" if there is none
  bool empty() const { return text_.empty(); }
  // The registers, scalar parameters and buffers that it asks for.
  std::vector<std::string_view> names() const;

 private:
  struct Piece {
    enum class Kind : std::uint8_t {
      Text,
      Value,
      Each,
      Cells,
      Loads,
      Lanes,
      All,
      Ranges,
      LaneWords,
      Exchange,
      Column,
      Particle
    };
    Kind kind = Kind::Text;
    std::string text;       // Text; of a Particle the marker, 이/가; for the others, as written
    Expression expression;  // Value, Lanes, All, Ranges, LaneWords, Exchange
    ValueFormat format;     // Value, Lanes, All
    std::string join = ", ";
    bool bracketed = true;  // Lanes: no join given
    std::optional<unsigned> head, tail;
    Expression from, to;       // Lanes: the lanes from … to
    std::vector<Piece> inner;  // Each, Cells, Loads
    unsigned column = 0;       // Column; Cells: how wide each is
  };
  std::vector<Piece> parse(std::string_view text, int depth);
  Piece parse_placeholder(std::string_view text, int depth);
  Expression parse_expression(std::string_view words);
  void parse_column(Piece& piece, std::string_view digits);
  void parse_inner(Piece& piece, std::string_view rest, int depth);
  void parse_lanes(Piece& piece, std::string_view rest);
  void fill_into(std::string& out, const std::vector<Piece>& pieces, const TemplateScope& scope,
                 std::optional<unsigned> head, std::optional<unsigned> tail) const;
  void fill_piece(std::string& out, const Piece& piece, const TemplateScope& scope, std::optional<unsigned> head,
                  std::optional<unsigned> tail) const;
  static void add_names(std::vector<std::string_view>& list, const std::vector<Piece>& pieces);
  std::string fill_each(const Piece& piece, const TemplateScope& scope, std::optional<unsigned> head,
                        std::optional<unsigned> tail) const;
  std::string fill_loads(const Piece& piece, const TemplateScope& scope) const;
  static std::string fill_all(const Piece& piece, const TemplateScope& scope);
  static std::string fill_lanes(const Piece& piece, const TemplateScope& scope);

  Language language_ = Language::English;
  std::string text_, error_;
  std::vector<Piece> pieces_;
};

// The words after a template.
struct LineOptions {
  std::optional<unsigned> head, tail;  // lanes shown before and after the dots; neither: all of them
  unsigned columns = 1;                // lines side by side
  bool comma = false;                  // a comma between columns
  bool once = false;                   // one line for the warp, not one a lane
  bool at_end = false;                 // `end`: drawn when the block of phases ends, with the values of then
  bool gap = false;                    // a blank line before
  bool bare = false;                   // of a phase: no lines derived from its instructions
  bool aside = false;                  // of a phase: {phase} does not count it
  bool flush = false;                  // lines are not indented under the title
  std::string id;                      // of a phase: what `during=` names; of a picture: what selects it
  std::string during;                  // of a picture's line: drawn at each instance of that phase
  Expression when;                     // lanes that the line is for; `unless=` is its opposite. Of a picture: whether
                                       // it is drawn without being asked for
  std::string dots = "...";
  Expression dots_when;  // `dots` is shown only if this holds for the elided lanes, else "..."
  std::string error;     // "" if there is none
};
LineOptions parse_line_options(std::string_view text);

// Whether {phase} counts this phase: it has a title and is not `aside`. TracePhaseStart::number is the number of
// counted phase instances of the warp so far, this one included; TracePhaseStart::step the instances of this very
// phase.
bool counts(const TracePhase& phase);

// The faults of all templates and options of a program, a sentence each, for tests and for `show`.
std::vector<std::string> check_templates(const TraceHead& head);

// "Halves", "Quarters" … "Thirty-seconds": what lanes `offset` apart exchange in a warp of `lanes`; 1 is always
// "Pairs".
std::string exchange_word(std::int64_t offset, unsigned lanes, Language language = Language::English);
// A value as a diagram prints it: an integral float without ".0" unless the format says so, "?" for undefined and
// unknown.
std::string display(const TemplateValue& value, unsigned lanes, const ValueFormat& format = {});
// Columns of a terminal: hangul and the other East Asian wide characters take two.
std::size_t text_width(std::string_view text);
// At most so many columns, with an ellipsis where something is left out.
std::string cut(const std::string& text, std::size_t columns);

}  // namespace warpsim
