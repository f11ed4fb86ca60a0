// kernels: what a file holds that can be launched.
#include <algorithm>
#include <optional>

#include "isa/program/lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/text/number_text.h"
#include "tools/command/verbs.h"
#include "tools/report/ptx_kernels.h"
#include "tools/session/loading.h"
#include "tools/session/ptx_lessons.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr unsigned kLanes = 32;  // at which shared memory is measured

std::string type_text(const Param& p) {
  return std::string(name(p.kind)) + " " + std::string(name(p.type)) + (p.is_buffer() ? "[" + p.length + "]" : "");
}

std::uint64_t shared_bytes(const Lesson& kernel) { return shared_offsets(kernel.objects, kLanes).back(); }

std::string kernel_text(const Lesson& kernel) {
  std::string text = kernel.name + ": " + counted(kernel.code.size(), "instruction") + ", " +
                     counted(kernel.registers.size(), "register") + ", " + counted(shared_bytes(kernel), "byte") +
                     " of shared memory at " + counted(kLanes, "lane") + ", " + counted(kernel.cases.size(), "case") +
                     "\n";
  if (kernel.params.empty()) return text + "  no parameters\n";
  std::size_t width = std::string_view("parameter").size();
  for (const Param& p : kernel.params) width = std::max(width, p.name.size());
  text += "  " + padded("parameter", width) + "  offset  bytes  type\n";
  for (const Param& p : kernel.params)
    text += "  " + padded(p.name, width) + right_aligned(std::to_string(p.offset_bytes), 8) +
            right_aligned(std::to_string(p.size_bytes()), 7) + "  " + type_text(p) + "\n";
  return text;
}

std::string kernel_json(const Lesson& kernel) {
  std::vector<std::string> params;
  for (const Param& p : kernel.params)
    params.push_back(JsonObject()
                         .text("name", p.name)
                         .text("type", type_text(p))
                         .number("offset_bytes", p.offset_bytes)
                         .number("size_bytes", p.size_bytes())
                         .str());
  return JsonObject()
      .text("name", kernel.name)
      .raw("params", json_list(params))
      .number("shared_bytes", shared_bytes(kernel))
      .number("registers", kernel.registers.size())
      .number("instructions", kernel.code.size())
      .number("cases", kernel.cases.size())
      .str();
}

void list_ptx_kernels(Session& session, const PtxText& ptx) {
  const std::optional<ptx::ReadModule> read = read_ptx(session, ptx);
  if (!read) return;
  std::vector<std::string> kernels;
  for (const ptx::EntrySummary& kernel : ptx::summarize(read->module)) {
    Diagnostics diagnostics = read->diagnostics;  // its warnings are the list of what is not supported
    const std::optional<Program> program = ptx::make_program(read->module, *kernel.function, diagnostics);
    if (!program) return session.reply.fail(ExitCode::BadInput, diagnostics);
    session.reply.text((kernels.empty() ? "" : "\n") + ptx_kernel_text(kernel, *program));
    kernels.push_back(ptx_kernel_json(kernel, *program));
  }
  if (kernels.empty()) session.reply.text("no kernel: no .entry that has a body\n");
  session.reply.result(JsonObject().raw("kernels", json_list(kernels)).str());
}

}  // namespace

void run_kernels(Session& session) {
  const std::string& path = session.options.names.front();
  if (const std::optional<PtxText> ptx = ptx_of_file(session, path)) return list_ptx_kernels(session, *ptx);
  if (session.reply.code() != ExitCode::Ok) return;  // it does not compile
  const std::vector<Lesson> loaded = load_programs(session, path);
  if (loaded.empty()) return;
  std::vector<std::string> kernels;
  for (const Lesson& kernel : loaded) {
    session.reply.text((kernels.empty() ? "" : "\n") + kernel_text(kernel));
    kernels.push_back(kernel_json(kernel));
  }
  session.reply.result(JsonObject().raw("kernels", json_list(kernels)).str());
}

}  // namespace warpsim::tools
