#include "tools/report/ptx_kernels.h"

#include <algorithm>
#include <vector>

#include "isa/text/number_text.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

// "u32", "align 8 b8[24]", "u64 (to global memory)".
std::string type_text(const ptx::ParameterPlace& place) {
  const ptx::Declaration& one = *place.parameter;
  std::string text = one.alignment != 0 ? "align " + std::to_string(one.alignment) + " " : "";
  text += one.vector != 1 ? "v" + std::to_string(one.vector) + " " : "";
  text += one.type.substr(1);
  const std::uint64_t element = ptx::bytes_of(one.type) * one.vector;
  if (!one.lengths.empty() && element != 0) text += "[" + std::to_string(place.size / element) + "]";
  if (!one.pointer_space.empty()) text += " (to " + std::string(one.pointer_space.substr(1)) + " memory)";
  return text;
}

SourceRange refused_place(const Unsupported& one, const Program& program) {
  return program.code[static_cast<std::size_t>(one.pc)].where;
}

// "line 7", of a linked file "line 7 of helper.ptx".
std::string place_text(const SourceRange& where, const Program& program) {
  return "line " + std::to_string(where.line) + (where.file == 0 ? "" : " of " + program.source(where).name);
}

std::string directive_text(const ptx::Directive& one) {
  std::string text(one.name.text);
  for (std::size_t k = 0; k < one.values.size(); ++k) text += (k == 0 ? " " : ", ") + std::to_string(one.values[k]);
  return one.text.empty() ? text : text + " \"" + std::string(one.text) + "\"";
}

std::string memory_text(const ptx::EntrySummary& kernel) {
  std::string text = counted(kernel.shared_bytes, "byte") + " of shared memory";
  if (kernel.has_dynamic_shared) text += " and what the launch adds";
  if (kernel.local_bytes != 0) text += ", " + counted(kernel.local_bytes, "byte") + " of local memory";
  return text;
}

std::string parameters_text(const ptx::EntrySummary& kernel) {
  if (kernel.parameters.empty()) return "  no parameters\n";
  std::size_t width = std::string_view("parameter").size();
  for (const ptx::ParameterPlace& one : kernel.parameters) width = std::max(width, one.parameter->name.text.size());
  std::string text = "  " + padded("parameter", width) + "  offset  bytes  type\n";
  for (const ptx::ParameterPlace& one : kernel.parameters)
    text += "  " + padded(std::string(one.parameter->name.text), width) + right_aligned(std::to_string(one.offset), 8) +
            right_aligned(std::to_string(one.size), 7) + "  " + type_text(one) + "\n";
  return text;
}

}  // namespace

std::string ptx_kernel_text(const ptx::EntrySummary& kernel, const Program& program) {
  const std::string written(kernel.function->name.text), shown = ptx::demangled(written);
  std::string text = shown + "\n";
  if (shown != written) text += "  written " + written + "\n";
  text += "  " + counted(kernel.instructions, "instruction") + ", " + counted(kernel.registers, "register") +
          " of PTX, " + memory_text(kernel) + "\n";
  for (const ptx::Directive& one : kernel.function->directives) text += "  " + directive_text(one) + "\n";
  text += parameters_text(kernel);
  for (const Unsupported& one : program.unsupported)
    text += "  not supported: " + one.text + ", " + place_text(refused_place(one, program), program) + ": " +
            one.because + "\n";
  return text;
}

std::string ptx_kernel_json(const ptx::EntrySummary& kernel, const Program& program) {
  std::vector<std::string> parameters, directives, refused;
  for (const ptx::ParameterPlace& one : kernel.parameters)
    parameters.push_back(JsonObject()
                             .text("name", one.parameter->name.text)
                             .text("type", type_text(one))
                             .number("offset_bytes", one.offset)
                             .number("size_bytes", one.size)
                             .str());
  for (const ptx::Directive& one : kernel.function->directives)
    directives.push_back(JsonObject().text("directive", directive_text(one)).str());
  for (const Unsupported& one : program.unsupported) {
    const SourceRange where = refused_place(one, program);
    JsonObject made;
    made.text("opcode", one.text).number("line", where.line);
    if (where.file != 0) made.text("file", program.source(where).name);
    refused.push_back(made.text("because", one.because).str());
  }
  const std::string written(kernel.function->name.text);
  return JsonObject()
      .text("name", written)
      .text("demangled", ptx::demangled(written))
      .raw("params", json_list(parameters))
      .number("shared_bytes", kernel.shared_bytes)
      .boolean("dynamic_shared", kernel.has_dynamic_shared)
      .number("local_bytes", kernel.local_bytes)
      .number("registers", kernel.registers)
      .number("instructions", kernel.instructions)
      .raw("directives", json_list(directives))
      .raw("unsupported", json_list(refused))
      .str();
}

}  // namespace warpsim::tools
