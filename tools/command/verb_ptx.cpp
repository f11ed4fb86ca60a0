// ptx: a program as a GPU runs it.
#include "isa/ptx_writer/ptx_writer.h"
#include "tools/command/verbs.h"
#include "tools/session/loading.h"
#include "tools/session/ptx_lessons.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

void run_ptx(Session& session) {
  session.reply.send_to(session.options.output);
  const std::string& name = session.options.names.front();
  PtxOptions options;
  Program program;
  if (const std::optional<PtxText> ptx = ptx_of_file(session, name)) {  // as it is: how it is launched changes nothing
    const std::string& lanes = session.options.lanes;
    if (!lanes.empty() && lanes != std::to_string(kPtxLanes))
      return session.reply.fail(ExitCode::Usage, "usage",
                                "PTX is written for warps of 32 lanes, and a kernel from PTX stays as it is",
                                "leave out --lanes");
    std::optional<PtxEntry> read = load_ptx_entry(session, name, *ptx);
    if (!read) return;
    options.entry = std::move(read->symbol);
    program = std::move(read->program);
  } else if (session.reply.code() != ExitCode::Ok) {
    return;  // it does not compile
  } else {
    std::optional<Ready> ready = make_ready(session, name);
    if (!ready) return;
    options.lanes = ready->prepared.config.lanes;
    options.block = ready->prepared.config.block;
    if (options.block.x == 0) options.block.x = options.lanes;
    program = std::move(ready->program);
  }
  const auto written = write_ptx(program, options);
  if (const auto* unsupported = std::get_if<PtxUnsupported>(&written))
    return session.reply.fail(ExitCode::Unsupported, "unsupported", unsupported->message, unsupported->hint);
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
