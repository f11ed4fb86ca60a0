// ptx: a program as a GPU runs it.
#include "isa/ptx_writer/ptx_writer.h"
#include "tools/command/verbs.h"
#include "tools/cuda/recording/backend.h"
#include "tools/session/gpu_session.h"
#include "tools/session/loading.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

void run_ptx(Session& session) {
  session.reply.send_to(session.options.output);
  const std::optional<Ready> ready = make_ready(session, session.options.names.front());
  if (!ready) return;
  PtxOptions options;
  options.lanes = ready->prepared.config.lanes;
  options.block = ready->prepared.config.block;
  if (options.block.x == 0) options.block.x = options.lanes;
  const auto written = write_ptx(ready->program, options);
  if (const auto* unsupported = std::get_if<PtxUnsupported>(&written))
    return report(session, to_backend_error(*unsupported));
  const PtxKernel& kernel = std::get<PtxKernel>(written);
  const std::string text = ptx_module({&kernel, 1});
  session.reply.text(text);
  session.reply.result(JsonObject()
                           .text("entry", kernel.entry)
                           .number("target", kernel.target)
                           .number("lanes", options.lanes)
                           .number("shared_bytes", kernel.shared_bytes)
                           .text("ptx", text)
                           .str());
}

}  // namespace warpsim::tools
