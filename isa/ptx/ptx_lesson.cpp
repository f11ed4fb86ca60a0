// See ptx_lesson.h.
#include "isa/ptx/ptx_lesson.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "isa/text/number_text.h"

namespace warpsim::ptx {
namespace {

std::string size_text(const Param& p) { return counted(p.size_bytes(), "byte"); }

// The description's parameter where the kernel has it. False if it has another size.
bool give_name(Param& param, const Param& described, std::size_t number, Diagnostics& diagnostics) {
  if (param.value_bytes != 0 || param.size_bytes() != described.size_bytes()) {
    const std::string what = param.value_bytes != 0 ? "a structure of " + size_text(param) : size_text(param);
    diagnostics.error("P031", described.where,
                      quoted(described.name) + " has " + size_text(described) + ", but parameter " +
                          std::to_string(number) + " of the kernel is " + what,
                      param.value_bytes != 0 ? "structures cannot be described yet"
                                             : "a buffer is an address of 8 bytes; a scalar has its type's size");
    return false;
  }
  const std::uint32_t offset = param.offset_bytes;
  param = described;
  param.offset_bytes = offset;
  return true;
}

// Of the first one that opens; lengths may have others within: f32[(n + 1) / 2].
std::size_t closing_parenthesis(std::string_view text, std::size_t at) {
  for (int open = 0; (at = text.find_first_of("()", at)) != std::string_view::npos; ++at)
    if ((open += text[at] == '(' ? 1 : -1) <= 0) return at;
  return at;
}

}  // namespace

std::optional<Lesson> described(Program program, const Lesson& description, Diagnostics& diagnostics) {
  std::vector<Param*> passed;
  for (Param& param : program.params)
    if (!param.is_variable) passed.push_back(&param);
  if (passed.size() != description.params.size()) {
    diagnostics.error("P030", description.where,
                      quoted(description.name) + " is described with " +
                          counted(description.params.size(), "parameter") + ", the kernel has " +
                          std::to_string(passed.size()),
                      "`warpsim kernels FILE` lists them");
    return std::nullopt;
  }
  bool fits = true;
  for (std::size_t k = 0; k < passed.size(); ++k)
    fits = give_name(*passed[k], description.params[k], k, diagnostics) && fits;
  if (!fits) return std::nullopt;
  Lesson lesson = description;
  static_cast<Program&>(lesson) = std::move(program);
  lesson.group = description.group;
  lesson.exemptions = description.exemptions;
  lesson.unordered = description.unordered;
  lesson.allowances = description.allowances;
  lesson.phases.clear();
  lesson.pictures.clear();
  return lesson;
}

// Behind the parenthesis that ends a kernel's parameters, in the same line, so that places stay true.
std::string with_bodies(std::string text) {
  constexpr std::string_view kKernel = ".kernel", kBody = "; exit";
  for (std::size_t at = text.find(kKernel); at != std::string::npos; at = text.find(kKernel, at)) {
    const std::size_t line = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
    at += kKernel.size();
    if (text.find_first_not_of(" \t", line) != at - kKernel.size()) continue;  // in a comment, say
    const std::size_t end = closing_parenthesis(text, at);
    if (end == std::string::npos) break;
    text.insert(end + 1, kBody);
    at = end + kBody.size();
  }
  return text;
}

}  // namespace warpsim::ptx
