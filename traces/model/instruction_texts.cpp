#include "traces/model/instruction_texts.h"

#include <algorithm>

namespace warpsim {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// "@%p bra loop" and "@!%p bra loop"
Guard guard_of(const TraceHead& head, std::string_view text) {
  if (!text.starts_with('@')) return {};
  const bool negated = text.starts_with("@!");
  text.remove_prefix(negated ? 2 : 1);
  const std::int32_t reg = find_register(head, text.substr(0, text.find(' ')));
  return reg < 0 ? Guard{} : Guard{reg, negated};
}

}  // namespace

std::int32_t find_register(const TraceHead& head, std::string_view name) {
  for (std::size_t k = 0; k < head.registers.size(); ++k)
    if (head.registers[k].name == name) return static_cast<std::int32_t>(k);
  return -1;
}

std::vector<std::string> registers_in(const TraceHead& head, std::string_view operand) {
  std::vector<std::string> names;
  for (std::size_t at = operand.find('%'); at != std::string_view::npos; at = operand.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < operand.size() && is_name_character(operand[end])) ++end;
    const std::string name(operand.substr(at, end - at));
    if (find_register(head, name) >= 0 && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

void read_instruction_texts(TraceHead& head) {
  for (TraceInsn& insn : head.code) {
    insn.guard = guard_of(head, insn.text);
    insn.exclusive = insn.text.find(".exclusive") != std::string::npos;
    insn.operand_registers.clear();
    for (const std::string& operand : insn.operands) {
      std::vector<std::int32_t>& list = insn.operand_registers.emplace_back();
      for (const std::string& name : registers_in(head, operand)) list.push_back(find_register(head, name));
    }
  }
}

}  // namespace warpsim
