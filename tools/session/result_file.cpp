// The file that a verb makes; see result_file.h.
#include "tools/session/result_file.h"

#include <unistd.h>

#include <utility>

#include "tools/session/trace_source.h"
#include "traces/words/plain_text.h"

namespace warpsim::tools {

ResultFile::ResultFile(Session& session)
    : session_(session),
      path_(session.options.output),
      to_stdout_(path_.empty() || is_stdout(path_)),
      inside_(session.reply.json() && to_stdout_),
      is_seen_(to_stdout_ && isatty(STDOUT_FILENO) != 0) {}

bool ResultFile::fits(bool is_text) const {
  const Compression by_name = compression_of(path_);
  if (by_name != Compression::None && by_name != wanted_compression(session_.options)) {
    session_.reply.fail(ExitCode::Usage, "usage",
                        "-o " + path_ + " and --compress " + session_.options.compress + " contradict each other",
                        "leave --compress out: the name says it");
    return false;
  }
  const bool binary = !is_text || wanted_compression(session_.options) != Compression::None;
  if (!binary || (!inside_ && !is_seen_)) return true;
  session_.reply.fail(
      ExitCode::Usage, "usage",
      inside_ ? "what comes out is no text and does not go into JSON" : "what comes out is no text for a terminal",
      "write it to a file: -o FILE");
  return false;
}

void ResultFile::write(std::string_view text) {
  if (inside_) {
    text_ += text;
    return;
  }
  if (!out_) out_.emplace(Output::open(path_, wanted_compression(session_.options)));
  out_->write(is_seen_ ? without_controls(text) : text);
}

void ResultFile::finish(JsonObject result, std::string_view json_member) {
  if (!inside_) write("");
  if (!to_stdout_) result.text("file", path_);
  if (inside_ && !json_member.empty()) result.raw(json_member, text_.substr(0, text_.find_last_not_of('\n') + 1));
  else if (inside_) result.text("text", text_);
  session_.reply.result(result.str());
  if (const std::string error = out_ ? out_->finish() : ""; !error.empty())
    session_.reply.fail(ExitCode::BadInput, "file", error);
}

}  // namespace warpsim::tools
