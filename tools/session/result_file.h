// The file that a verb makes: that of -o, standard output, or a member of the one document of --json.
//
// Shapes: text or bytes, compressed as --compress or the name's ending says. It is opened when the first of them come:
//         a verb that fails before leaves the file as it is.
// Units:  none.
// Errors: through the Reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/session/session.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"

namespace warpsim::tools {

class ResultFile {
 public:
  explicit ResultFile(Session& session);

  // Bytes that are no text go neither into a JSON document nor to a terminal.
  bool fits(bool is_text) const;
  void write(std::string_view text);
  // Tells the Reply. `result` says the rest; inside a JSON document the text goes there, as `json_member` if it is
  // JSON.
  void finish(JsonObject result, std::string_view json_member = "");

 private:
  Session& session_;
  std::string path_;
  bool to_stdout_, inside_, is_seen_;  // by a person: on a terminal
  std::optional<Output> out_;
  std::string text_;
};

}  // namespace warpsim::tools
