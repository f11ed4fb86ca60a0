// compare: the first step at which two traces differ.
#include "traces/compare/compare.h"

#include "isa/text/number_text.h"
#include "tools/command/verbs.h"
#include "tools/session/trace_pair.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {

void run_compare(Session& session) {
  const std::optional<std::pair<Trace, Trace>> traces =
      load_trace_pair(session, session.options.names[0], session.options.names[1]);
  if (!traces) return;
  const auto& [first, second] = *traces;
  const std::optional<std::string> difference = first_difference(first, second);
  session.reply.result(JsonObject()
                           .boolean("same", !difference)
                           .text("difference", difference.value_or(""))
                           .text("first", first.head.backend)
                           .text("second", second.head.backend)
                           .str());
  if (difference) return session.reply.fail(ExitCode::Mismatch, "mismatch", *difference);
  session.reply.text("the traces agree: " + counted(first.events.size(), "event") + " (" + first.head.backend + ", " +
                     second.head.backend + ")\n");
}

}  // namespace warpsim::tools
