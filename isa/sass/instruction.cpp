// See instruction.h.
#include "isa/sass/instruction.h"

#include <algorithm>

#include "isa/sass/number_words.h"
#include "isa/text/number_text.h"

namespace warpsim::sass {
namespace {

std::string guard_text(const Instruction& insn) {
  if (insn.guard == kTrue && !insn.guard_negated) return "";
  const std::string name = insn.guard == kTrue ? "PT" : "P" + std::to_string(insn.guard);
  return std::string(insn.guard_negated ? "@!" : "@") + (insn.guard_uniform ? "U" : "") + name + " ";
}

std::string wide_hex(Word word) {
  if (word.high == 0) return hexadecimal_text(word.low);
  return hexadecimal_text(word.high) + hex_digits(word.low, 16);
}

}  // namespace

bool has_modifier(const Instruction& insn, std::string_view modifier) {
  return std::find(insn.modifiers.begin(), insn.modifiers.end(), modifier) != insn.modifiers.end();
}

std::string opcode_of(const Instruction& insn) {
  if (!insn.is_known) return "unknown " + hexadecimal_text(insn.word.bits(0, 12));
  std::string text(insn.name);
  for (const std::string& modifier : insn.modifiers) text += "." + modifier;
  return text;
}

std::string text_of(const Instruction& insn) {
  std::string text = guard_text(insn) + opcode_of(insn);
  for (std::size_t k = 0; k < insn.operands.size(); ++k) text += (k == 0 ? " " : ", ") + insn.operands[k].text;
  text.resize(text.find_last_not_of(' ') + 1);
  if (insn.is_known && !insn.unknown_bits.is_zero()) text += " (unknown bits " + wide_hex(insn.unknown_bits) + ")";
  return text;
}

}  // namespace warpsim::sass
