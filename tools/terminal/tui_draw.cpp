// The whole screen of the full-screen stepper:
//
//   bar      program, case, cycle, block and warp
//   program | lanes: registers as rows, a shuffle's arrows below
//   rule     the phase
//   sentence what the last instruction did, and what comes next
//   notice   what the last motion had to say beside
//   answers  of commands
//   keys     or the command being typed
#include <algorithm>

#include "tools/debugger/stepper_words.h"
#include "tools/terminal/tui_lanes.h"
#include "tools/terminal/tui_program.h"
#include "tools/terminal/tui_state.h"
#include "tools/terminal/tui_words.h"
#include "traces/replay/phase_view.h"
#include "traces/sentence/sentence.h"
#include "traces/text/text_renderer.h"
#include "traces/words/fault_text.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kLeastProgram = 26, kMostProgram = 72, kSentenceRows = 2, kAnswerRows = 3, kMoreRows = 3;

class Picture {
 public:
  Picture(const Stepper& stepper, const TuiState& state, std::size_t width, std::size_t height)
      : stepper_(stepper),
        state_(state),
        history_(stepper.history()),
        words_(tui_words(stepper.look().language)),
        ascii_(stepper.look().ascii),
        screen_(width, height) {}

  Screen draw() {
    const std::size_t width = screen_.width(), height = screen_.height();
    if (width < kLeastColumns || height < kLeastRows) return too_small();
    // With the keys the answers have half of the screen.
    const std::size_t taller = kAnswerRows + (height - kLeastRows) / 4;
    const bool answers_have_keys = state_.pane == Pane::Answers;
    std::size_t lower = kSentenceRows + (answers_have_keys ? height / 2 - 2 : taller);
    const std::vector<std::string> did = sentence_lines(), notice = notice_lines();
    const std::size_t said = std::max(did.size(), kSentenceRows);
    const std::vector<std::string> answered = answer_lines();
    if (!answers_have_keys) lower = std::clamp(said + notice.size(), lower, lower + kMoreRows);
    if (state_.answered) lower = std::clamp(said + notice.size() + answered.size(), lower, height / 2);
    const std::size_t body = height - 3 - lower;
    const std::size_t program = program_columns();
    bar();
    draw_program({0, 1, program, body});
    for (std::size_t y = 1; y <= body; ++y) screen_.put(program, y, ascii_ ? "|" : "│", Ink::Dim);
    draw_lanes(screen_, {program + 1, 1, width - program - 1, body}, stepper_, state_);
    rule(body + 1);
    for (std::size_t k = 0; k < did.size(); ++k) screen_.put(1, body + 2 + k, did[k], k == 0 ? Ink::Title : Ink::Plain);
    const std::size_t notices = std::min(notice.size(), lower - said);
    for (std::size_t k = 0; k < notices; ++k) {
      const bool cut_off = k + 1 == notices && notices < notice.size();
      screen_.put(1, body + 2 + said + k,
                  cut_off ? fitted(notice[k] + " " + notice[k + 1], width - 2, cut()) : notice[k], Ink::Title);
    }
    draw_answers(answered, body + 2 + said + notices, lower - said - notices);
    last_row(height - 1);
    if (state_.help) draw_help(body);
    return screen_;
  }

 private:
  std::string_view cut() const { return ascii_ ? "~" : "…"; }
  std::string in_look(std::string_view text) const { return ascii_ ? to_ascii(text) : std::string(text); }

  // What the lanes do not need. Where they cannot all be seen in any case, the program has a quarter.
  std::size_t program_columns() const {
    const std::size_t width = screen_.width(), room = width - 1;
    const LanesWant want = lanes_want(stepper_, state_);
    if (want.least + kLeastProgram > room) return std::max(kLeastProgram, std::min(kMostProgram, width / 4));
    const std::size_t lanes = want.ample + kLeastProgram <= room ? want.ample : std::min(want.whole, room);
    return std::clamp(room - lanes, kLeastProgram, std::min({kMostProgram, width * 5 / 8, room - want.least}));
  }

  Screen too_small() {
    const std::string text =
        std::string(words_.too_small) + std::to_string(screen_.width()) + "x" + std::to_string(screen_.height()) + ".";
    std::size_t y = 0;
    for (const std::string& line : wrapped_at(text, std::max<std::size_t>(screen_.width(), 1)))
      screen_.put(0, y++, line);
    return screen_;
  }

  void bar() {
    const TraceHead& head = history_.head();
    const TraceOutcome& outcome = history_.trace().outcome;
    std::string left = " " + head.program;
    if (!head.case_name.empty()) left += "  " + std::string(words_.case_word) + " " + head.case_name;
    if (head.backend != "simulator") left += "  " + head.backend;
    const TraceEvent* last = history_.last();
    const bool has_cycles = history_.size() > 0 && history_.trace().events.front().cycle.has_value();
    std::string right(has_cycles ? words_.cycle : words_.event);
    right += " " +
             std::to_string(!has_cycles       ? history_.position()
                            : last == nullptr ? 0
                                              : *last->cycle) +
             "/" + std::to_string(has_cycles ? outcome.cycles : history_.size());
    right += "  " + std::string(words_.block) + " " + std::to_string(stepper_.block()) + " " +
             std::string(words_.warp) + " " + std::to_string(stepper_.warp()) + " ";
    const std::size_t room = screen_.width() - columns_of(right);
    screen_.put(0, 0, fitted(left, room, cut()) + right);
    screen_.fill(0, Ink::Bar);
  }

  void draw_program(const ScreenArea& area) {
    const ReachedLine reached = reached_line(stepper_);
    const std::vector<ProgramLine> lines = program_lines(history_.head(), stepper_.lines(), reached.line);
    if (lines.empty()) return;
    const std::uint32_t cursor = state_.cursor != 0 ? state_.cursor : reached.line;
    // The line stands still in the middle, but for the program's two ends.
    const std::size_t middle = place_of_line(lines, cursor);
    const std::size_t most = lines.size() > area.height ? lines.size() - area.height : 0;
    const std::size_t from = std::min(middle > area.height / 2 ? middle - area.height / 2 : 0, most);
    const std::size_t digits = std::to_string(stepper_.lines().in_file(lines.back().line)).size();
    for (std::size_t k = 0; k < area.height && from + k < lines.size(); ++k) {
      const std::uint32_t line = lines[from + k].line;
      const bool stops = stepper_.breakpoint_at(line).has_value();
      const std::string number = std::to_string(stepper_.lines().in_file(line));
      std::string text(stops ? "B" : " ");
      const bool is_reached = line == reached.line, is_trapped = reached.kind == ReachedLine::Kind::Trapped;
      text += is_reached ? mark_of(reached.kind) : line == cursor && state_.cursor != 0 ? "-" : " ";
      text += std::string(digits - number.size(), ' ') + number + " ";
      const Ink ink = is_reached && !is_trapped ? Ink::Here : is_reached || stops ? Ink::Stop : Ink::Plain;
      const bool chosen = state_.pane == Pane::Program && line == cursor && state_.cursor != 0;
      screen_.put(area.x, area.y + k, fitted(text + in_look(lines[from + k].text), area.width, cut()),
                  chosen ? Ink::Title : ink);
    }
  }

  std::string_view mark_of(ReachedLine::Kind kind) const {
    if (kind == ReachedLine::Kind::Next) return ascii_ ? ">" : "▶";
    return kind == ReachedLine::Kind::Trapped ? (ascii_ ? "!" : "✗") : (ascii_ ? "#" : "■");
  }

  // The phase that the warp is in, and which pane has the keys.
  void rule(std::size_t y) {
    const std::string dash(ascii_ ? "-" : "─");
    for (std::size_t x = 0; x < screen_.width(); ++x) screen_.put(x, y, dash, Ink::Dim);
    const std::string_view pane = state_.pane == Pane::Program ? words_.program
                                  : state_.pane == Pane::Lanes ? words_.lanes
                                                               : words_.answers;
    const std::string right = in_look(chosen_value()) + " [" + std::string(pane) + "] ";
    screen_.put(screen_.width() - columns_of(right) - 1, y, right, Ink::Title);
    const std::string title = in_look(phase_title());
    const std::size_t room = screen_.width() - columns_of(right) - 3;
    if (!title.empty())
      screen_.put(2, y, fitted(" " + title + " ", std::min(columns_of(title) + 2, room), cut()), Ink::Title);
  }

  // Whole, where the lanes' columns are too narrow for it.
  std::string chosen_value() const {
    const std::vector<TraceRegister>& registers = history_.head().registers;
    if (registers.empty()) return "";
    const TemplateValue value = history_.value(stepper_.block(), stepper_.warp(), state_.reg, state_.lane);
    const std::string name = registers[static_cast<std::size_t>(state_.reg)].name;
    return " " + fitted(name, std::min<std::size_t>(columns_of(name), 20), cut()) + "#" + std::to_string(state_.lane) +
           " = " + stepper_.value_text(value);
  }

  std::string phase_title() const {
    const std::vector<TraceEvent>& events = history_.trace().events;
    for (std::size_t n = history_.position(); n-- > 0;) {
      if (events[n].block != stepper_.block() || events[n].warp != stepper_.warp() || !events[n].phase) continue;
      return stepper_.phase_title(n);
    }
    return "";
  }

  // The notice says why the run stopped: the sentence need not.
  bool trap_is_told() const {
    const std::optional<TraceTrap>& trap = history_.trace().outcome.trap;
    return trap && state_.notice.find(fault_text(trap->message, stepper_.look().language)) != std::string::npos;
  }

  // Of the sentence no more than there is room for, and the line that comes next.
  std::vector<std::string> sentence_lines() const {
    const std::optional<std::size_t> last = stepper_.last_event();
    const std::string text = !last ? stepper_.beginning_text()
                             : trap_is_told()
                                 ? sentence(history_.head(), history_.trace().events[*last], stepper_.look().language)
                                 : sentence(history_.trace(), *last, stepper_.look().language);
    std::vector<std::string> lines = wrapped_at(in_look(text), screen_.width() - 1);
    const std::optional<std::size_t> next = stepper_.next_event();
    const std::size_t most = kSentenceRows + (state_.answers.empty() && state_.notice.empty() ? 1 : 0);
    if (lines.size() > most) {
      lines[most - 1] = fitted(lines[most - 1] + " " + lines[most], screen_.width() - 1, cut());
      lines.resize(most);
    }
    if (next) {
      const TraceInsn& insn = history_.head().code[static_cast<std::size_t>(history_.trace().events[*next].pc)];
      const std::string text_of_next = std::to_string(insn.line) + " " + in_look(squeezed(insn.text));
      lines.push_back(std::string(mark_of(ReachedLine::Kind::Next)) + " " +
                      fitted(text_of_next, screen_.width() - 3, cut()));
    }
    return lines;
  }

  std::vector<std::string> notice_lines() const {
    std::vector<std::string> lines;
    for (const std::string_view thing : lines_of(state_.notice))
      for (std::string& line : wrapped_at(in_look(thing), screen_.width() - 2)) lines.push_back(std::move(line));
    return lines;
  }

  std::vector<std::string> answer_lines() const {
    std::vector<std::string> lines;
    for (std::size_t k = state_.answers_from; k < state_.answers.size(); ++k)
      for (std::string& part : wrapped_at(state_.answers[k], screen_.width() - 3)) lines.push_back(std::move(part));
    return lines;
  }

  // What does not fit is counted in a row of its own, with the key that shows it.
  void draw_answers(const std::vector<std::string>& lines, std::size_t y, std::size_t rows) {
    const bool is_cut = lines.size() > rows && rows > 0;
    const std::size_t shown = is_cut ? rows - 1 : std::min(lines.size(), rows);
    for (std::size_t k = 0; k < shown; ++k)
      screen_.put(1, y + k, lines[k], lines[k].rfind("(warpsim)", 0) == 0 ? Ink::Dim : Ink::Plain);
    if (!is_cut) return;
    const std::string more = "+" + std::to_string(lines.size() - shown) + std::string(words_.more_below);
    screen_.put(1, y + shown, fitted(more, screen_.width() - 2, cut()), Ink::Dim);
  }

  void last_row(std::size_t y) {
    if (!state_.typing) {
      screen_.put(0, y, fitted(words_.keys, screen_.width(), cut()), Ink::Dim);
      return;
    }
    // What does not fit goes out of sight on the left.
    std::string before = state_.typed.substr(0, state_.caret);
    while (columns_of(before) + 3 > screen_.width()) do
        before.erase(0, 1);
      while (!before.empty() && (static_cast<unsigned char>(before.front()) & 0xC0) == 0x80);
    screen_.put(0, y, ":" + before + state_.typed.substr(state_.caret));
    screen_.has_cursor = true;
    screen_.cursor_x = 1 + columns_of(before);
    screen_.cursor_y = y;
  }

  void draw_help(std::size_t body) {
    std::size_t keys = 0;
    for (const auto& [key, text] : words_.help) keys = std::max(keys, columns_of(key));
    for (std::size_t y = 1; y <= std::max(body, words_.help.size()); ++y)
      screen_.put(0, y, std::string(screen_.width(), ' '));
    for (std::size_t k = 0; k < words_.help.size(); ++k) {
      std::string key(words_.help[k].first);
      if (ascii_) key = in_arrow_words(key);
      std::string text(words_.help[k].second);
      if (ascii_) text = in_arrow_words(text);
      screen_.put(2, 1 + k, fitted(key, keys, cut()), Ink::Title);
      screen_.put(4 + keys, 1 + k, fitted(text, screen_.width() - 4 - keys, cut()));
    }
  }

  static std::string in_arrow_words(std::string text) {
    static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"→", "Right"}, {"←", "Left"}, {"↑", "Up"}, {"↓", "Down"}, {"▶", ">"}, {"■", "#"}, {"✗", "!"}};
    for (const auto& [sign, word] : kWords)
      for (std::size_t k = text.find(sign); k != std::string::npos; k = text.find(sign))
        text.replace(k, sign.size(), word);
    return text;
  }

  const Stepper& stepper_;
  const TuiState& state_;
  const History& history_;
  const TuiWords& words_;
  bool ascii_;
  Screen screen_;
};

}  // namespace

ReachedLine reached_line(const Stepper& stepper) {
  const History& history = stepper.history();
  if (stepper.next_event()) return {stepper.next_line(), ReachedLine::Kind::Next};
  const std::optional<TraceTrap>& trap = history.trace().outcome.trap;
  if (stepper.came_to_trap() && history.position() == history.size())
    if (const TraceInsn* insn = find_insn(history.head(), trap->pc))  // none behind the last
      return {stepper.lines().of(*insn), ReachedLine::Kind::Trapped};
  if (stepper.last_event()) return {stepper.line_here(), ReachedLine::Kind::Last};
  return {};
}

Screen draw_tui(const Stepper& stepper, const TuiState& state, std::size_t width, std::size_t height) {
  return Picture(stepper, state, width, height).draw();
}

}  // namespace warpsim::tools
