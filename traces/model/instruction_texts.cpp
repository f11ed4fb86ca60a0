#include "traces/model/instruction_texts.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "isa/text/word.h"

namespace warpsim {
namespace {

// "@%p bra loop" and "@!%p bra loop"; of machine code without the %
Guard guard_of(const TraceHead& head, std::string_view text) {
  if (!text.starts_with('@')) return {};
  const bool negated = text.starts_with("@!");
  text.remove_prefix(negated ? 2 : 1);
  const std::string_view name = text.substr(0, text.find(' '));
  const std::int32_t reg = find_register(head, name.starts_with('%') ? std::string(name) : "%" + std::string(name));
  return reg < 0 ? Guard{} : Guard{reg, negated};
}

// Two rows of one mnemonic and type differ in their braces.
const OpInfo* row_of(const TraceInsn& insn) {
  const OpInfo* fallback = nullptr;
  for (const OpInfo& row : all_ops()) {
    if (row.mnemonic != insn.op || !contains(first_types(row.types), insn.type)) continue;
    const std::span<const Slot> form = slots(row.form);
    bool fits = form.size() == insn.operands.size();
    for (std::size_t k = 0; fits && k < form.size(); ++k) {
      const bool opens = form[k].in_braces && (k == 0 || !form[k - 1].in_braces);
      fits = opens == insn.operands[k].starts_with('{');
    }
    if (fits) return &row;
    if (fallback == nullptr) fallback = &row;
  }
  return fallback;
}

std::optional<ShuffleMode> shuffle_of(const TraceInsn& insn) {
  for (const auto& [op, mode] : {std::pair{"SHFL.IDX", ShuffleMode::Idx},  // of machine code
                                 {"SHFL.UP", ShuffleMode::Up},
                                 {"SHFL.DOWN", ShuffleMode::Down},
                                 {"SHFL.BFLY", ShuffleMode::Bfly}})
    if (insn.op == op) return mode;
  for (const OpInfo& row : all_ops())
    if (row.lift == Lift::Shuffle && row.mnemonic == insn.op) return shuffle_mode(row.traits);
  return std::nullopt;
}

// The member mask that an operand is, "0xff", "mask=0xff" or "255"; all lanes where it is left out or a register.
LaneMask mask_in(std::string_view operand) {
  constexpr std::string_view kKeyword = "mask=";
  if (operand.starts_with(kKeyword)) operand.remove_prefix(kKeyword.size());
  const bool is_hex = operand.starts_with("0x");
  if (operand.empty() || operand.front() < '0' || operand.front() > '9') return ~LaneMask{0};
  if (is_hex) operand.remove_prefix(2);
  LaneMask mask = 0;
  std::from_chars(operand.data(), operand.data() + operand.size(), mask, is_hex ? 16 : 10);
  return mask;
}

// What stands in a slot says more than its registers: the members, what is accessed.
void read_slots(TraceInsn& insn) {
  if (insn.row == nullptr) return;
  const std::span<const Slot> form = slots(insn.row->form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const std::string& operand = insn.operands[k];
    if (form[k].type == SlotType::Mask && form[k].role == Role::Src) insn.members = mask_in(operand);
    if (form[k].role == Role::Addr) insn.accessed = operand.substr(0, std::min(operand.find('['), operand.size()));
  }
}

}  // namespace

std::int32_t find_register(const TraceHead& head, std::string_view name) {
  for (std::size_t k = 0; k < head.registers.size(); ++k)
    if (head.registers[k].name == name) return static_cast<std::int32_t>(k);
  return -1;
}

std::vector<std::int32_t> registers_in(const TraceHead& head, std::string_view operand) {
  std::vector<std::int32_t> found;
  for (std::size_t at = operand.find('%'); at != std::string_view::npos; at = operand.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < operand.size() && (is_word(operand[end]) || operand[end] == '.')) ++end;
    const std::int32_t reg = find_register(head, operand.substr(at, end - at));
    if (reg >= 0 && std::find(found.begin(), found.end(), reg) == found.end()) found.push_back(reg);
  }
  return found;
}

void read_instruction_texts(TraceHead& head) {
  for (TraceInsn& insn : head.code) {
    insn.row = row_of(insn);
    insn.shuffle = shuffle_of(insn);
    insn.guard = guard_of(head, insn.text);
    insn.exclusive = insn.text.find(".exclusive") != std::string::npos;
    insn.operand_registers.clear();
    for (const std::string& operand : insn.operands) insn.operand_registers.push_back(registers_in(head, operand));
    read_slots(insn);
  }
}

}  // namespace warpsim
