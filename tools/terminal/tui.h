// The full-screen stepper: keys in, a screen out.
//
// Shapes: every motion is a command of the Stepper, so that a key and a typed word do the same. A key's answer is
//         one row; a command's goes to the pane of answers.
// Units:  columns and rows.
// Errors: none: a command that is wrong says so on the screen.
#pragma once

#include <string>
#include <vector>

#include "tools/debugger/stepper.h"
#include "tools/terminal/tui_state.h"

namespace warpsim::tools {

struct Key {
  enum class Kind : std::uint8_t {
    None,
    Character,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Escape,
    Backspace,
    Delete,
    Tab,
    Interrupt,  // Ctrl-C
    Quit,
  };
  Kind kind = Kind::None;
  std::string text;  // of a Character
};

class Tui {
 public:
  Tui(Trace trace, StepperLook look);
  Screen draw(std::size_t width, std::size_t height);
  bool press(const Key& key);  // false: leave
  const Stepper& stepper() const { return stepper_; }
  const TuiState& state() const { return state_; }

 private:
  bool command_key(char key);
  void arrow(Key::Kind kind);
  void type(const Key& key);
  bool enter();
  void recall(bool older);
  void complete();
  void move(const std::string& command);
  void toggle_breakpoint();
  bool run_command(const std::string& command);
  void scroll(std::ptrdiff_t lines);
  void lay_out(std::string_view layout);
  void next_pane(bool forwards);
  void choose(int lanes, int registers);
  void look_around();

  Stepper stepper_;
  TuiState state_;
  std::vector<std::string> typed_before_;
  std::size_t recalled_ = 0;
};

}  // namespace warpsim::tools
