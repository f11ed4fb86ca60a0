// The terminal, in full screen: keys from it, screens to it.
//
// Shapes: one Terminal at a time. It takes the screen when it is made and releases it in its destructor, also when a
//         signal or a mistake in warpsim itself ends the program.
// Units:  columns and rows; milliseconds.
// Errors: open() says why there is none; a build without ncurses never has one.
// Source: ncurses(3), with wide characters.
#pragma once

#include <memory>
#include <string>

#include "tools/terminal/tui.h"

namespace warpsim::tools {

class Terminal {
 public:
  static bool is_built_in();
  // Null, with the reason, where the terminal cannot move its cursor.
  static std::unique_ptr<Terminal> open(bool color, std::string& why_not);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::size_t width() const;
  std::size_t height() const;
  void show(const Screen& screen);
  // Waits for a key, a new size, or a signal that asks to leave: Quit.
  Key read();
  // The signal that asked, 0: none.
  static int signal();

 private:
  explicit Terminal(bool color);
};

}  // namespace warpsim::tools
