// What the full-screen stepper shows, apart from the run itself: which pane has the keys, which lane and register are
// chosen, what was answered, what is being typed.
//
// Shapes: the Stepper knows the run and the position; this holds what only a screen needs. draw_tui() makes the picture
//         of it, and neither knows a terminal.
// Units:  lanes; lines of the program's text, from 1; columns.
// Errors: none: a screen below kLeastColumns by kLeastRows shows that it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/debugger/stepper.h"
#include "tools/support/screen.h"

namespace warpsim::tools {

inline constexpr std::size_t kLeastColumns = 80, kLeastRows = 24;

enum class Pane : std::uint8_t { Program, Lanes, Answers };

struct TuiState {
  Pane pane = Pane::Program;
  unsigned lane = 0;         // chosen
  std::int32_t reg = 0;      // chosen
  std::uint32_t cursor = 0;  // line chosen in the program; 0: the next one
  std::vector<std::string> answers;
  std::size_t answers_from = 0;  // first line shown
  bool answered = false;         // since the last motion: the answers have the room that they need
  bool typing = false;
  std::string typed;
  std::size_t caret = 0;  // byte of `typed`
  std::string notice;     // what the last motion had to say beside its sentence, a line for each thing
  bool help = false;
  std::size_t value_columns = 1;    // of the run's widest value
  std::int32_t sent_register = -1;  // of the shuffle that has just been executed
  std::vector<TemplateValue> sent;  // by lane, what it held before
};

// The line of the program that the selected warp has reached: the next one, else where the run has trapped, else the
// one executed last. 0: none.
struct ReachedLine {
  enum class Kind : std::uint8_t { Next, Trapped, Last };
  std::uint32_t line = 0;
  Kind kind = Kind::Next;
};
ReachedLine reached_line(const Stepper& stepper);

Screen draw_tui(const Stepper& stepper, const TuiState& state, std::size_t width, std::size_t height);

}  // namespace warpsim::tools
