// Lines from a person or from a pipe.
//
// Shapes: at a terminal with a prompt, and with editing and history where libedit was found at build time.
// Units:  none.
// Errors: none: the end of input is no line. Ctrl-C drops what was typed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

class LineReader {
 public:
  LineReader();
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  bool is_terminal() const { return terminal_; }
  std::optional<std::string> read(const std::string& prompt);
  // What the last word of a line can become, and where in the line it begins: for the Tab key, where lines are edited.
  using Completion = std::function<std::vector<std::string>(std::string_view line, std::size_t& from)>;
  static void set_completion(Completion completion);

 private:
  std::optional<std::string> read_plain(const std::string& prompt);

  bool terminal_ = false;
  std::string pending_;  // read and not yet asked for
};

}  // namespace warpsim::tools
