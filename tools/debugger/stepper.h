// A debugger over a recorded run: commands in, text and JSON out.
//
// Shapes: the run is a History, so every command that moves can also go back. One warp of one block is selected, and
//         one lane of it may be chosen: what is printed then is of that lane.
//         `step` goes by the warp's instructions while the others run along as they did. A position is a moment between
//         two events: breakpoints stop before the instruction of their line, watchpoints after the event that changed
//         the value. No line of an answer is wider than the look says; a line of code behind a tab counts with its tab.
//         Of a program with sources `step` and `next` go by their lines, past arithmetic of addresses.
// Units:  cycles; lines of the sources, else of the program's text; lanes, as `%r#4`; columns.
// Errors: an Answer that is not ok has text which says what is wrong and what to try. What a command does not
//         understand of the words after it, it refuses.
// Source: gdb's manual, for the commands' names and what Enter, prefixes, counts and reverse motion do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/debugger/numbered_lines.h"
#include "tools/debugger/stepper_words.h"
#include "tools/support/json_object.h"
#include "traces/io/translations.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/history.h"
#include "traces/template/phase_expression.h"
#include "traces/words/language.h"

namespace warpsim::tools {

struct StepperLook {
  Language language = Language::English;
  bool ascii = false;
  std::size_t width = 80;
  bool has_layouts = false;                    // the front end is a full screen
  const Translations* translations = nullptr;  // of the program's own texts
};

class Stepper {
 public:
  struct Answer {
    bool ok = true;
    bool quit = false;
    std::string before;  // what the commands before a mistake said, in a list of commands
    std::string text;    // lines, each with its line feed
    std::string notes;   // the same without the sentence of what happened and the next line
    std::string json;    // one object
    std::string layout;  // that a full screen is asked for: "src"
  };

  Stepper(Trace trace, StepperLook look);
  std::string greeting() const;
  Answer run(std::string_view line);  // "" repeats the last command that moves or lists
  const History& history() const { return history_; }
  // Whether a command has ended where the run's trap is, also if a later one went back.
  bool came_to_trap() const { return came_to_trap_; }
  // Between `commands` and `end`: what comes is kept, not run.
  bool is_reading_commands() const { return !reading_for_.empty(); }
  // What the last word of a line can become, and where that word begins: for the Tab key.
  std::vector<std::string> complete(std::string_view line, std::size_t& from) const;

  // For a front end that draws: where the selected warp is, and what stops there.
  const StepperLook& look() const { return look_; }
  void set_width(std::size_t width) { look_.width = width; }
  std::uint32_t block() const { return block_; }
  std::uint32_t warp() const { return warp_; }
  std::optional<unsigned> lane() const;           // that is chosen
  std::optional<std::size_t> next_event() const;  // of the selected warp, at or after the position
  std::optional<std::size_t> last_event() const;  // of the selected warp, before the position
  std::uint32_t next_line() const;                // 0: none
  std::uint32_t line_here() const;                // the next one, or after the end the last; 0: none
  std::uint64_t last_moment() const;              // that `goto` takes: a cycle, or an event where there are none
  LaneMask threads() const;                       // lanes of the selected warp
  std::string beginning_text() const;             // what there is to say where nothing has happened yet
  std::string phase_title(std::size_t event) const;
  std::string value_text(const TemplateValue& value) const;
  std::optional<int> breakpoint_at(std::uint32_t line) const;  // its number
  const NumberedLines& lines() const { return lines_; }
  // What the selected warp's lanes held in a register before an event.
  std::vector<TemplateValue> values_before(std::size_t event, std::int32_t reg);

 private:
  struct Command;
  // A breakpoint, a watchpoint, or the line that `until` goes to.
  struct Element {  // of a buffer or a shared array
    std::string array;
    std::int64_t index = 0;
  };
  struct Stop {
    int number = 0;          // 0: of `until`
    std::uint32_t line = 0;  // 0: a watchpoint
    bool enabled = true;
    bool once = false;         // gone after it has stopped
    bool of_program = false;   // a brkpt: stops where a lane executes it
    std::uint64_t passes = 0;  // how often it is still to be passed over
    std::string condition;
    Expression expression;
    std::string watched;    // as written: %r, %r#4, input[3]
    std::int32_t reg = -1;  // of a watchpoint on a register
    std::optional<unsigned> lane;
    bool on_change = true, on_read = false;   // of a watchpoint
    std::vector<InsnFlow> flows;              // by pc, of a watchpoint on reads of a register
    Element element;                          // of a watchpoint on an element
    std::optional<History::WarpKey> of_warp;  // that alone it stops
    std::vector<std::string> commands;        // to be run when it has stopped
  };
  struct Shown {  // by `display`
    int number = 0;
    std::string text, format;
  };
  struct Elements {  // of a buffer or a shared array
    std::string name;
    std::vector<TemplateValue> values;
  };
  enum class Walked : std::uint8_t { Moved, Stopped, Nowhere };
  struct Queued {  // a command that is still to be run
    std::string text;
    std::string where;     // of a file: its name and the line
    bool of_stop = false;  // of a breakpoint: gone when the run moves on
  };
  struct Standing {  // lanes that are at one instruction
    LaneMask lanes = 0;
    std::int32_t pc = 0;
    std::string waits_for;
  };
  struct Address {
    bool is_shared = false;
    std::uint64_t at = 0;  // bytes
  };
  struct Place {  // an array in memory
    std::string array;
    Type type = Type::None;
    std::uint64_t base = 0, size_bytes = 0;
    bool is_shared = false;
  };
  struct Subject;  // of `info`
  static const std::vector<Command> kCommands;
  static const std::vector<Subject> kSubjects;
  const Command* find(std::string_view word);
  std::vector<std::string> words_of_commands() const;
  static std::vector<std::string> words_of_info();

  // Commands; each reads the words after its own.
  void step(std::string_view rest) { lines_.has_sources() ? by_line(rest, true, true) : step_times(rest, true); }
  void reverse_step(std::string_view rest) {
    lines_.has_sources() ? by_line(rest, false, true) : step_times(rest, false);
  }
  void step_any(std::string_view rest) { any_times(rest, true); }
  void reverse_step_any(std::string_view rest) { any_times(rest, false); }
  void next(std::string_view rest) { by_line(rest, true, false); }
  void reverse_next(std::string_view rest) { by_line(rest, false, false); }
  void until(std::string_view rest);
  void advance(std::string_view rest);
  void finish(std::string_view rest);
  void reverse_finish(std::string_view rest);
  void continue_run(std::string_view rest) { run_to_stop(rest, true); }
  void reverse_continue(std::string_view rest) { run_to_stop(rest, false); }
  void run_again(std::string_view rest);
  void start(std::string_view rest);
  void go_to(std::string_view rest);
  void to_finding(std::string_view rest);
  void shuffle(std::string_view) { to_shuffle(true); }
  void reverse_shuffle(std::string_view) { to_shuffle(false); }
  void add_stops_of_program();
  void add_break(std::string_view rest) { add_line_stop(rest, false); }
  void add_temporary_break(std::string_view rest) { add_line_stop(rest, true); }
  void add_watch(std::string_view rest) { add_watchpoint(rest, true, false); }
  void add_read_watch(std::string_view rest) { add_watchpoint(rest, false, true); }
  void add_access_watch(std::string_view rest) { add_watchpoint(rest, true, true); }
  void remove(std::string_view rest);
  void clear(std::string_view rest);
  void disable(std::string_view rest) { set_enabled(rest, false); }
  void enable(std::string_view rest) { set_enabled(rest, true); }
  void set_condition(std::string_view rest);
  void ignore(std::string_view rest);
  void read_commands(std::string_view rest);
  void source(std::string_view rest);
  void display_this(std::string_view rest);
  void undisplay(std::string_view rest);
  void print(std::string_view rest);
  void examine(std::string_view rest);
  void whatis(std::string_view rest);
  void set(std::string_view rest);
  void disassemble(std::string_view rest);
  void lanes(std::string_view rest);
  void masks(std::string_view rest);
  void network(std::string_view rest);
  void list(std::string_view rest);
  void why(std::string_view rest);
  void explain(std::string_view rest);
  void select_lane(std::string_view rest);
  void select_thread(std::string_view rest);
  void select_as_cuda(std::string_view rest);
  void select_warp(std::string_view rest);
  void select_block(std::string_view rest);
  void info(std::string_view rest);
  void frame(std::string_view) { say_place(false); }
  void phases(std::string_view rest);
  void layout(std::string_view rest);
  void help(std::string_view rest);
  void quit(std::string_view) { answer_.quit = true; }

  // Running commands.
  bool perform(std::string_view line);  // false: nothing was asked for
  void run_queue();
  void keep_command(std::string_view line);
  void queue_commands_of(const Stop& one);

  // Moving.
  bool travel(std::size_t position);  // whether it reached a stop
  Walked walk_one(bool forwards);
  void step_times(std::string_view rest, bool forwards);
  void any_times(std::string_view rest, bool forwards);
  void by_line(std::string_view rest, bool forwards, bool into_inlined);
  Walked walk_line(bool forwards, bool into_inlined);
  Walked walk_to_begin_of_line();
  void run_to_stop(std::string_view rest, bool forwards);
  void run_to_line(std::uint32_t line);
  void to_shuffle(bool forwards);
  void go_to_start();
  std::optional<std::uint64_t> count_from(std::string_view rest);
  std::vector<const Stop*> stops_at(std::size_t position, bool forwards);
  bool is_hit(const Stop& one, std::size_t position, bool forwards);
  bool is_changed(const Stop& one) const;  // by the event before the position
  LaneMask lanes_reading(const Stop& one, const TraceEvent& event) const;
  void report_stops(const std::vector<const Stop*>& found, bool forwards);
  bool condition_holds(const Stop& one, const TraceEvent& event);
  std::string watched_change(const Stop& one, bool forwards);
  TemplateValue watched_value(const Stop& one) const;
  void select_of(const TraceEvent& event);
  void say_place(bool with_sentence);
  void say_sentences(std::size_t from);
  void say_next(const TraceInsn& insn);
  const TraceInsn& insn_of(std::size_t event) const {
    return head().code[static_cast<std::size_t>(history_.trace().events[event].pc)];
  }
  void say_end();
  bool begins_late() const;  // a window that does not begin with the run
  bool ends_early() const;   // … or does not end with it
  bool is_at_trap() const;

  // Stops.
  void add_watchpoint(std::string_view rest, bool on_change, bool on_read);
  void add_line_stop(std::string_view rest, bool once);
  bool read_line(std::string_view text, std::uint32_t& line);
  bool is_within(const TraceInsn& insn, std::uint32_t line) const;
  bool is_at_line(std::size_t event, std::uint32_t line) const;
  std::uint32_t line_of_source(std::string_view text) const;  // 0: none
  std::optional<std::uint64_t> line_of_label(std::string_view label) const;
  std::optional<std::string_view> without_file(std::string_view text);
  std::optional<std::uint64_t> line_of_instruction(std::string_view text) const;
  bool read_condition(std::string_view text, Stop& one);
  bool read_watched(std::string_view text, Stop& one);
  std::optional<Element> read_element(std::string_view text);
  bool names_no_element(std::string_view text);
  std::vector<int> numbers_from(std::string_view rest);  // of stops that there are; empty after a refusal
  void set_enabled(std::string_view rest, bool enabled);
  std::string stop_text(const Stop& one) const;

  // The lane, the thread, the warp and the block that are looked at.
  void say_focus();
  std::string coordinates(Dim3 size, std::uint64_t number) const;
  std::optional<std::uint64_t> number_in(Dim3 size, std::string_view text) const;  // "3", "(3,0,0)"
  bool choose_thread(std::string_view text);
  bool choose_lane(std::string_view text);
  bool choose_warp(std::string_view text);
  bool choose_block(std::string_view text, bool by_coordinates);
  LaneMask active_lanes() const;  // that come to the next instruction
  std::vector<Standing> standings(std::uint32_t block, std::uint32_t warp) const;

  // gdb's and CUDA's names for things.
  std::string in_own_words(std::string_view text) const;           // $r, threadIdx.x, max_val: %r, %tid.x, %max_val
  std::int32_t register_of_variable(std::string_view name) const;  // -1: none
  std::string own_word(std::string_view word, bool is_called) const;
  static bool sets_something(std::string_view text);  // %r = 3
  bool print_coordinates(std::string_view text);      // threadIdx
  bool print_elements_of(std::string_view text);      // input[2]@4, *input@4
  void refuse_to_set(std::string_view text);
  std::string changed_input(std::string_view target, std::string_view value) const;

  // Memory by address, and instructions.
  std::optional<Address> read_address(std::string_view text);
  std::optional<Address> address_of(std::string_view text);
  std::optional<Address> address_in(std::string_view text);
  std::optional<Place> place_of(const Address& address) const;
  void print_address(std::string_view text);
  void dump(const Address& from, std::uint64_t count, unsigned size);
  std::string word_text(std::uint64_t bits, unsigned size, Type type) const;
  void show_instructions(std::size_t from, std::size_t to);
  void examine_instructions(std::string_view rest, std::uint64_t count);
  void examine_memory(std::string_view rest, std::uint64_t count, char size);
  void examine_elements(std::string_view rest, std::uint64_t count);

  // What is known here.
  const TraceHead& head() const { return history_.head(); }
  std::optional<std::int32_t> parse_register(std::string_view text, std::optional<unsigned>& lane);
  std::optional<Expression> parse_expression(std::string_view text);
  TemplateName about(std::string_view name) const;
  bool names_are_known(const Expression& expression);
  bool can_have_value(const Expression& expression);
  std::optional<Elements> elements_of(std::string_view name) const;
  bool is_format_known();
  std::string formatted(const TemplateValue& value) const;  // as format_ says
  void print_values(const std::string& name, const std::vector<TemplateValue>& values, LaneMask lanes,
                    const std::string& remark = "");
  void say_lack(TemplateValue::Lack lack);
  void print_elements(const Elements& all, std::size_t from, std::size_t to);
  void print_value(const std::string& rest);
  void print_or_examine(std::string_view text);
  void print_pc();
  void show_displays();
  std::optional<FlowValue> stored(const Element& element) const;
  void why_element(std::string_view text);
  void why_value(const FlowValue& value);
  void why_lines(const FlowValue& value, int depth, std::vector<FlowValue>& shown);
  void info_registers(std::string_view only);
  void info_line(std::string_view) { say_place(false); }
  void info_locals(std::string_view);
  void info_variables();
  void info_arguments(std::string_view);
  void info_shared(std::string_view);
  void info_stops(std::string_view);
  void info_displays(std::string_view);
  void info_lanes(std::string_view);
  void info_warps(std::string_view);
  void info_threads(std::string_view);
  void info_blocks(std::string_view);
  void info_kernel(std::string_view);
  void info_cuda(std::string_view rest);
  void info_program(std::string_view);
  void run_subject(const Subject& subject, std::string_view word, std::string_view rest);
  void help_info();

  // Findings, numbered from 0; the trap is the last of them.
  const TraceFinding& fault(std::size_t number) const;
  void find_faults();
  void info_findings(std::string_view rest);
  void show_fault(std::size_t number);
  void say_findings(std::size_t event);
  std::optional<std::size_t> fault_number(std::string_view text);  // as typed, from 1
  std::optional<std::size_t> next_fault() const;
  std::size_t moment_of(std::size_t number) const;
  std::string fault_words(const TraceFinding& fault) const;
  std::string line_words(std::int32_t pc) const;
  std::string warp_words(std::uint32_t block, std::uint32_t warp) const;

  // Answering.
  void say(std::string_view text, std::size_t hang = 2, std::size_t indent = 0);
  void say_columns(const std::vector<std::string>& items);
  void report(std::string_view english, std::string_view korean, StepperWords words = {}) {
    say(text_of(english, korean, words));
  }
  void refuse(std::string_view english, std::string_view korean, StepperWords words = {});
  std::string text_of(std::string_view english, std::string_view korean, StepperWords words = {}) const {
    return filled(look_.language, english, korean, words);
  }
  std::string lanes_words(LaneMask lanes) const;
  std::string arrow() const { return look_.ascii ? "->" : "→"; }

  History history_;
  NumberedLines lines_;
  std::vector<std::optional<std::size_t>> fault_events_;  // the event at which each happened
  std::optional<Dataflow> flow_;                          // made when it is first asked for
  StepperLook look_;
  std::map<std::size_t, std::string> titles_;  // of phases in another language, by event
  std::uint32_t block_ = 0, warp_ = 0;
  std::optional<unsigned> lane_;
  std::vector<Stop> stops_;
  std::vector<Shown> displays_;
  int last_number_ = 0, last_display_ = 0;
  int stopped_at_ = 0;  // number of the stop at this position
  bool came_to_trap_ = false;
  std::vector<Queued> queue_;     // what is still to be run, the next first
  std::vector<int> reading_for_;  // breakpoints whose commands are being typed
  bool is_silent_ = false;        // stopped where the first command says so
  std::string last_line_;
  std::string format_;                       // behind the word's /, as in print/x
  std::uint32_t list_from_ = 0;              // where `list` continues; 0: around the next line
  std::uint32_t list_file_ = 0;              // a line of the file that was named; 0: the one where the run stands
  std::uint32_t listed_from_ = 0;            // where the last one began
  std::string examined_format_;              // of `x`, without the count
  std::string examined_;                     // by `x`: the array,
  std::size_t examined_from_ = 0;            // and where it continues;
  std::optional<Address> examined_address_;  // or the address,
  std::optional<std::size_t> examined_pc_;   // or the instruction
  Answer answer_;
  std::string stopped_;  // why, for JSON
  JsonObject json_;
};

// A line without its remark: what stands from a # on that begins a word.
std::string without_remark(const std::string& line);

// A line at ';', outside parentheses and quotes.
std::vector<std::string> split_commands(std::string_view text);

}  // namespace warpsim::tools
