// A debugger over a recorded run: commands in, text and JSON out.
//
// Shapes: the run is a History, so every command that moves can also go back. One warp of one block is selected; `step`
//         goes by its instructions while the others run along as they did. A position is a moment between two events:
//         breakpoints stop before the instruction of their line, watchpoints after the event that changed the value.
// Units:  cycles; lines of the program's text; lanes, as `%r#4`.
// Errors: an Answer that is not ok has one line of text, which says what is wrong and what to try.
// Source: gdb's manual, for the commands' names and what Enter, prefixes and reverse motion do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/json_object.h"
#include "traces/dataflow.h"
#include "traces/history.h"
#include "traces/language.h"
#include "traces/phase_expression.h"

namespace warpsim::tools {

struct StepperLook {
  Language language = Language::English;
  bool ascii = false;
  std::size_t width = 80;
};

class Stepper {
 public:
  struct Answer {
    bool ok = true;
    bool quit = false;
    std::string text;  // lines, each with its line feed
    std::string json;  // one object
  };

  Stepper(Trace trace, StepperLook look);
  std::string greeting() const;
  Answer run(std::string_view line);  // "" repeats the last command that moves or lists
  const History& history() const { return history_; }
  // Whether the run's trap has been reached.
  bool at_trap() const { return history_.trace().outcome.trap.has_value() && history_.position() == history_.size(); }

  // For a front end that draws: where the selected warp is, and what stops there.
  const StepperLook& look() const { return look_; }
  void set_width(std::size_t width) { look_.width = width; }
  std::uint32_t block() const { return block_; }
  std::uint32_t warp() const { return warp_; }
  std::optional<std::size_t> next_event() const;  // of the selected warp, at or after the position
  std::optional<std::size_t> last_event() const;  // of the selected warp, before the position
  std::uint32_t next_line() const;                // 0: none
  LaneMask threads() const;                       // lanes of the selected warp
  std::string value_text(const TemplateValue& value) const;
  std::optional<int> breakpoint_at(std::uint32_t line) const;  // its number
  // What the selected warp's lanes held in a register before an event.
  std::vector<TemplateValue> values_before(std::size_t event, std::int32_t reg);

 private:
  struct Command;
  struct Breakpoint {
    int number = 0;
    std::uint32_t line = 0;  // 0: a watchpoint
    std::string condition;
    Expression expression;
    std::int32_t reg = -1;
    std::optional<unsigned> lane;
    std::uint32_t block = 0, warp = 0;  // of a watchpoint
  };
  static const std::vector<Command>& commands();
  const Command* find(std::string_view word, std::string& why_not) const;

  // Commands; each reads what stands behind its word.
  void step(std::string_view rest);
  void reverse_step(std::string_view rest);
  void step_any(std::string_view rest);
  void reverse_step_any(std::string_view rest);
  void next(std::string_view rest);
  void reverse_next(std::string_view rest);
  void go_on(std::string_view rest);
  void reverse_go_on(std::string_view rest);
  void add_break(std::string_view rest);
  void add_watch(std::string_view rest);
  void remove(std::string_view rest);
  void print(std::string_view rest);
  void lanes(std::string_view rest);
  void masks(std::string_view rest);
  void network(std::string_view rest);
  void list(std::string_view rest);
  void go_to(std::string_view rest);
  void why(std::string_view rest);
  void explain(std::string_view rest);
  void select_warp(std::string_view rest);
  void select_block(std::string_view rest);
  void info(std::string_view rest);
  void phases(std::string_view rest);
  void help(std::string_view rest);
  void quit(std::string_view rest);

  // Moving.
  bool step_once(bool forwards);
  void step_times(std::string_view rest, bool forwards);
  void by_line(bool forwards);
  void run_to_stop(bool forwards);
  const Breakpoint* stop_at(std::size_t position, bool forwards);
  bool condition_holds(const Breakpoint& one, const TraceEvent& event);
  void select_of(const TraceEvent& event);
  void say_place(bool with_sentence);

  // What is known here.
  const TraceHead& head() const { return history_.head(); }
  std::optional<std::int32_t> parse_register(std::string_view text, std::optional<unsigned>& lane);
  std::optional<Expression> parse_expression(std::string_view text);
  bool names_are_known(const Expression& expression);
  void print_values(const std::string& name, const std::vector<TemplateValue>& values, LaneMask lanes);
  void why_lines(const FlowValue& value, int depth, std::vector<FlowValue>& told);
  std::string breakpoint_text(const Breakpoint& one) const;
  std::string watched_change(const Breakpoint& one, bool forwards);
  void info_registers();
  void info_breakpoints();

  // Answering.
  void say(std::string_view text);
  void fail(const std::string& text);
  std::string arrow() const { return look_.ascii ? "->" : "→"; }

  History history_;
  std::optional<Dataflow> flow_;  // made when it is first asked for
  StepperLook look_;
  std::uint32_t block_ = 0, warp_ = 0;
  std::vector<Breakpoint> breakpoints_;
  int last_number_ = 0;
  std::string last_line_;
  std::uint32_t list_from_ = 0;  // where `list` goes on; 0: around the next line
  Answer answer_;
  JsonObject json_;
};

// A line at ';', outside parentheses and quotes.
std::vector<std::string> split_commands(std::string_view text);

}  // namespace warpsim::tools
