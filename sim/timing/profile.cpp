#include "sim/timing/profile.h"

#include <algorithm>
#include <cstddef>

namespace warpsim {
namespace {

bool names(const std::vector<std::string>& words, std::string_view word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

bool matches(std::string_view pattern, std::string_view word) {
  if (!pattern.ends_with('*')) return pattern == word;
  return word.starts_with(pattern.substr(0, pattern.size() - 1));
}

// Whether the word is the pattern, in which each * is anything.
bool is_like(std::string_view word, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return word == pattern;
  if (!word.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  if (rest.empty()) return true;
  for (std::size_t at = star; at <= word.size(); ++at)
    if (is_like(word.substr(at), rest)) return true;
  return false;
}

// Whether all operands after the first are constants, as in a shuffle by 16; behind an address, all.
bool by_constants(const Insn& insn) {
  const auto form = slots(info(insn.op).form);
  std::size_t sources = accesses_memory(info(insn.op)) ? 1 : 0;
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].role != Role::Src || sources++ == 0) continue;
    const Operand::Kind kind = insn.operands[k].kind;
    if (kind == Operand::Kind::Reg || kind == Operand::Kind::Special) return false;
  }
  return true;
}

// A move that reads a clock is not executed where other moves are.
Unit unit_of(const Insn& insn) {
  for (const Operand& o : insn.operands)
    if (o.kind == Operand::Kind::Special && is_clock(o.special)) return Unit::Special;
  return unit_of(info(insn.op), insn.type);
}

bool fits(const TimingRule& rule, const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (!names(rule.units, name(unit_of(insn))) || !names(rule.types, name(insn.type)) ||
      !names(rule.from, name(insn.type2)))
    return false;
  const auto is_this = [&](const std::string& pattern) { return matches(pattern, row.mnemonic); };
  if (!rule.ops.empty() && !std::any_of(rule.ops.begin(), rule.ops.end(), is_this)) return false;
  return rule.constants < 0 || (rule.constants == 1) == by_constants(insn);
}

}  // namespace

std::string_view name(Scheduler scheduler) {
  switch (scheduler) {
    case Scheduler::Gto: return "gto";
    case Scheduler::Lrr: return "lrr";
    case Scheduler::Oldest: return "oldest";
  }
  return "";
}

std::int32_t class_of(const TimingProfile& profile, const Insn& insn) {
  for (const TimingRule& rule : profile.rules)
    if (fits(rule, insn)) return rule.cls;
  return -1;
}

std::int32_t class_of(const CodeTimingProfile& profile, std::string_view opcode, unsigned registers) {
  for (const CodeRule& rule : profile.rules) {
    const auto fits = [opcode](const std::string& pattern) { return is_like(opcode, pattern); };
    if (registers >= rule.registers && std::any_of(rule.opcodes.begin(), rule.opcodes.end(), fits)) return rule.cls;
  }
  return -1;
}

}  // namespace warpsim
