// The answer of one verb; see reply.h.
#include "tools/session/reply.h"

#include <unistd.h>

#include <algorithm>

#include "tools/support/json_object.h"
#include "tools/support/log.h"
#include "traces/words/plain_text.h"

namespace warpsim::tools {

namespace {

std::string_view severity_name(Diagnostic::Severity severity) {
  switch (severity) {
    case Diagnostic::Severity::Error: return "error";
    case Diagnostic::Severity::Warning: return "warning";
    case Diagnostic::Severity::Note: break;
  }
  return "note";
}

// Colours the words that a compiler colours: the severity before its code, and the line of the caret.
std::string colored(std::string_view drawn) {
  std::string out;
  while (!drawn.empty()) {
    const std::size_t end = std::min(drawn.find('\n'), drawn.size() - 1) + 1;
    std::string line(drawn.substr(0, end));
    drawn.remove_prefix(end);
    const auto paint = [&line](std::size_t from, std::size_t length, const char* escape) {
      line.insert(from + length, "\x1b[0m");
      line.insert(from, escape);
    };
    if (const std::size_t error = line.find(": error["); error != std::string::npos) paint(error + 2, 5, "\x1b[1;31m");
    else if (const std::size_t found = line.find(": warning["); found != std::string::npos)
      paint(found + 2, 7, "\x1b[1;35m");
    else if (const std::size_t note = line.find(": note["); note != std::string::npos) paint(note + 2, 4, "\x1b[1;36m");
    else if (line.find_first_not_of(" |^~\n") == std::string::npos && line.find('^') != std::string::npos)
      paint(line.find('^'), line.find_last_of("^~") - line.find('^') + 1, "\x1b[1;32m");
    out += line;
  }
  return out;
}

std::string to_json(const Fix& fix) {
  return JsonObject()
      .number("line", fix.where.line)
      .number("column", fix.where.column)
      .number("length", fix.where.length)
      .text("text", fix.text)
      .str();
}

}  // namespace

std::string to_json(const Diagnostic& diagnostic, const std::string& file) {
  std::vector<std::string> fixes;
  for (const Fix& fix : diagnostic.fixes) fixes.push_back(to_json(fix));
  JsonObject json;
  json.text("severity", severity_name(diagnostic.severity));
  json.text("code", diagnostic.code).text("message", diagnostic.message);
  if (!diagnostic.hint.empty()) json.text("hint", diagnostic.hint);
  if (diagnostic.where.line != 0)
    json.text("file", file)
        .number("line", diagnostic.where.line)
        .number("column", diagnostic.where.column)
        .number("length", diagnostic.where.length);
  if (!fixes.empty()) json.raw("fixes", json_list(fixes));
  return json.str();
}

void Reply::text(std::string_view text) {
  if (json_ && to_stdout()) return;
  if (!out_) out_.emplace(Output::open(path_));  // only now: a verb that fails before leaves the file as it is
  out_->write(without_controls(text));
}

// A message that is drawn already.
void Reply::say(std::string_view drawn) {
  said_ += drawn;
  const std::string safe = without_controls(drawn);
  if (json_) return;
  if (log_) log_->write(safe);
  else log::raw(color_ ? colored(safe) : safe);
}

void Reply::answer_to(const std::string& path) {
  answers_apart_ = true;
  if (!path.empty()) log_.emplace(Output::open(path));
}

void Reply::note(std::string_view message) {
  diagnostics_.push_back(JsonObject().text("severity", "note").text("message", message).str());
  say("warpsim: " + std::string(message) + "\n");
}

void Reply::fail(ExitCode code, std::string_view id, std::string_view message, std::string_view hint) {
  code_ = worse(code_, code);
  JsonObject json;
  json.text("severity", "error").text("code", id).text("message", message);
  if (!hint.empty()) json.text("hint", hint);
  diagnostics_.push_back(json.str());
  said_ += std::string(message) + "\n";
  if (!json_) log::error(without_controls(message));
  if (!hint.empty()) say("  hint: " + std::string(hint) + "\n");
}

void Reply::fail(ExitCode code, const Diagnostics& diagnostics) {
  if (diagnostics.list.empty()) return;
  if (diagnostics.has_errors()) code_ = worse(code_, code);
  for (const Diagnostic& one : diagnostics.list) diagnostics_.push_back(to_json(one, diagnostics.file_of(one.where)));
  say(diagnostics.render());
}

void Reply::fail_drawn(ExitCode code, std::string_view drawn, std::string json) {
  code_ = worse(code_, code);
  diagnostics_.push_back(std::move(json));
  say(drawn);
}

void Reply::write_to(const std::string& path, std::string_view text) {
  if (is_stdout(path)) return this->text(text);
  Output file = Output::open(path);
  file.write(text);
  if (const std::string error = file.finish(); !error.empty()) fail(ExitCode::BadInput, "file", error);
}

ExitCode Reply::finish() {
  if (const std::string error = out_ ? out_->finish() : ""; !error.empty()) fail(ExitCode::BadInput, "file", error);
  if (findings_code_ && (code_ == ExitCode::Mismatch || code_ == ExitCode::Trap))
    code_ = static_cast<ExitCode>(*findings_code_);
  else if (program_code_) code_ = static_cast<ExitCode>(*program_code_);
  if (json_) write_document();
  if (log_)
    if (const std::string error = log_->finish(); !error.empty()) {
      log::error(error);
      code_ = worse(code_, ExitCode::BadInput);
    }
  return code_;
}

void Reply::write_document() {
  JsonObject document;
  document.boolean("ok", code_ == ExitCode::Ok);
  if (!result_.empty()) document.raw("result", result_);
  document.raw("diagnostics", json_list(diagnostics_));
  const std::string text = document.str() + "\n";
  if (log_) return log_->write(text);
  Output out = answers_apart_ ? Output(::dup(STDERR_FILENO), "standard error") : Output::open("-");
  out.write(text);
  if (const std::string error = out.finish(); !error.empty()) {
    log::error(error);
    code_ = worse(code_, ExitCode::BadInput);
  }
}

}  // namespace warpsim::tools
