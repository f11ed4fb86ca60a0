// See written_ptx.h.
#include "tools/sass/written_ptx.h"

#include "isa/ptx_writer/ptx_writer.h"
#include "tools/session/loading.h"
#include "tools/session/ptx_lessons.h"

namespace warpsim::tools {

std::optional<WrittenPtx> written_ptx(Session& session, const std::string& name) {
  PtxOptions options;
  Program program;
  if (const std::optional<PtxText> ptx = ptx_of_file(session, name)) {  // as it is: how it is launched changes nothing
    const std::string& lanes = session.options.lanes;
    if (!lanes.empty() && lanes != std::to_string(kPtxLanes)) {
      session.reply.fail(ExitCode::Usage, "usage",
                         "PTX is written for warps of 32 lanes, and a kernel from PTX stays as it is",
                         "leave out --lanes");
      return std::nullopt;
    }
    std::optional<PtxEntry> read = load_ptx_entry(session, name, *ptx);
    if (!read) return std::nullopt;
    options.entry = std::move(read->symbol);
    program = std::move(read->program);
  } else if (session.reply.code() != ExitCode::Ok) {
    return std::nullopt;  // it does not compile
  } else {
    std::optional<Ready> ready = make_ready(session, name);
    if (!ready) return std::nullopt;
    options.lanes = ready->prepared.config.lanes;
    options.block = ready->prepared.config.block;
    if (options.block.x == 0) options.block.x = options.lanes;
    program = std::move(ready->program);
  }
  const auto written = write_ptx(program, options);
  if (const auto* unsupported = std::get_if<PtxUnsupported>(&written)) {
    session.reply.fail(ExitCode::Unsupported, "unsupported", unsupported->message, unsupported->hint);
    return std::nullopt;
  }
  const PtxKernel& kernel = std::get<PtxKernel>(written);
  return WrittenPtx{kernel.entry, ptx_module({&kernel, 1}), kernel.target, options.lanes, kernel.shared_bytes};
}

}  // namespace warpsim::tools
