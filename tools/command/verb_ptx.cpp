// ptx: a program as a GPU runs it.
#include "tools/command/verbs.h"
#include "tools/sass/written_ptx.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

void run_ptx(Session& session) {
  session.reply.send_to(session.options.output);
  const std::optional<WrittenPtx> written = written_ptx(session, session.options.names.front());
  if (!written) return;
  session.reply.text(written->text);
  session.reply.result(JsonObject()
                           .text("entry", written->entry)
                           .number("target", written->target)
                           .number("lanes", written->lanes)
                           .number("shared_bytes", written->shared_bytes)
                           .text("ptx", written->text)
                           .str());
}

}  // namespace warpsim::tools
