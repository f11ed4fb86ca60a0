// The answer of one verb: text on standard output and messages on standard error, or one JSON document on standard
// output.
//
// Shapes: with --json the answer is {"ok": …, "result": …, "diagnostics": […]}; `ok` is true exactly when the exit code
//         is 0. Without it, text() goes to standard output as it comes and each message to standard error. Text that
//         goes to a file goes there either way. Where standard output is another program's, answer_to() says where the
//         answer goes.
// Errors: what cannot be written becomes the exit code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/diagnostic.h"
#include "tools/support/exit_code.h"
#include "tools/support/output.h"

namespace warpsim::tools {

class Reply {
 public:
  Reply(bool json, bool color) : json_(json), color_(color) {}

  bool json() const { return json_; }
  ExitCode code() const { return code_; }

  void send_to(std::string path) { path_ = std::move(path); }  // text(); before it. "" or "-": standard output
  void text(std::string_view text);                            // with --json not to standard output
  void result(std::string json) { result_ = std::move(json); }
  // Messages. Each makes the exit code at least `code`.
  void fail(ExitCode code, std::string_view id, std::string_view message, std::string_view hint = "");
  void fail(ExitCode code, const Diagnostics& diagnostics);  // notes alone leave the exit code as it is
  // A message that is drawn already; `json` is its entry among the diagnostics.
  void fail_drawn(ExitCode code, std::string_view drawn, std::string json);
  // Text to a file of its own, or to standard output for "-".
  void write_to(const std::string& path, std::string_view text);
  // Only the exit code: what there is to say was said before.
  void fail_quietly(ExitCode code) { code_ = worse(code_, code); }
  // The exit code if there are findings or a trap.
  void answer_findings_with(int code) { findings_code_ = code; }
  // The answer goes to a file, or to standard error for "", as standard output is somebody else's: messages too, if it
  // is a file.
  void answer_to(const std::string& path);
  // A message that is no fault.
  void note(std::string_view message);
  // The exit code is another program's, unless findings have one of their own.
  void exit_as(int code) { program_code_ = code; }
  // Every message so far, as people read it and without colours.
  const std::string& said() const { return said_; }

  // Writes everything out and returns the exit code.
  ExitCode finish();

 private:
  bool to_stdout() const { return path_.empty() || is_stdout(path_); }
  void say(std::string_view drawn);
  void write_document();

  bool json_ = false, color_ = false;
  ExitCode code_ = ExitCode::Ok;
  std::optional<int> findings_code_, program_code_;
  std::string result_;
  std::string said_;
  std::vector<std::string> diagnostics_;
  std::string path_;
  std::optional<Output> out_;
  bool answers_apart_ = false;
  std::optional<Output> log_;
};

// A diagnostic as JSON; `file` as messages print it.
std::string to_json(const Diagnostic& diagnostic, const std::string& file);

}  // namespace warpsim::tools
