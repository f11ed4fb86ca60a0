#include "sim/timing/code_timing.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace warpsim {
namespace {

bool is_real_register(const sass::Operand& o) {
  return o.kind == sass::OperandKind::Register && o.number != sass::kZero;
}

// The three places where a register may stand, by which the operand cache keeps them: bits 24, 32 and 64.
struct Sources {
  std::array<std::uint8_t, 3> number{sass::kZero, sass::kZero, sass::kZero};
};
constexpr std::array<unsigned, 3> kSourceBits = {24, 32, 64};

Sources sources_of(const sass::Instruction& insn) {
  Sources found;
  for (std::size_t k = 0; k < kSourceBits.size(); ++k) {
    const std::uint8_t at = static_cast<std::uint8_t>(insn.word.bits(kSourceBits[k], 8));
    for (const sass::Operand& o : insn.operands)
      if (!o.is_destination && is_real_register(o) && o.number == at) found.number[k] = at;
  }
  return found;
}

// What each bank delivers: what is not cached. Of 64 bits a register of either; of such operands only that of the last
// place is kept.
std::array<std::uint8_t, 2> banks_of(const Sources& sources, const Sources* cached, bool is_wide) {
  std::array<std::uint8_t, 2> reads{};
  for (std::size_t k = 0; k < sources.number.size(); ++k) {
    const std::uint8_t one = sources.number[k];
    const bool may_be_kept = cached != nullptr && (!is_wide || k + 1 == sources.number.size());
    if (one == sass::kZero || (may_be_kept && cached->number[k] == one)) continue;
    const auto end = sources.number.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::find(sources.number.begin(), end, one) != end) continue;
    ++reads[one % 2];
    if (is_wide) ++reads[1 - one % 2];
  }
  return reads;
}

// Results of 64 bits, and addresses, are two registers.
void note_registers(const sass::Instruction& insn, CodeTiming::Insn& out) {
  const auto add = [&out](std::uint8_t number, bool is_pair) {
    if (number == sass::kZero) return;
    if (out.reads < out.register_.size()) out.register_[out.reads++] = number;
    if (is_pair && out.reads < out.register_.size()) out.register_[out.reads++] = static_cast<std::uint8_t>(number + 1);
  };
  const bool is_wide = insn.name.starts_with("D") || sass::has_modifier(insn, "64") || sass::has_modifier(insn, "WIDE");
  for (const sass::Operand& o : insn.operands) {
    if (o.kind == sass::OperandKind::Memory) add(o.base, true);
    else if (!o.is_destination && is_real_register(o)) add(o.number, is_wide);
  }
  for (std::uint8_t k = 0; k < out.reads; ++k) out.read_marks |= CodeTiming::mark_of(out.register_[k]);
}

constexpr std::int64_t kConstantLine = 64, kConstantLines = 1 << 16;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void note_scoreboards(const sass::Instruction& insn, const TimingClass& cls, CodeTiming::Insn& out) {
  unsigned written = cls.scoreboard;
  std::size_t sources = 0;
  bool by_register = false, writes_predicate = false;
  for (const sass::Operand& o : insn.operands) {
    if (o.is_destination) {
      writes_predicate |= o.kind == sass::OperandKind::Predicate && o.number != sass::kTrue;
    } else if (sources++ != 0) {
      by_register |= is_real_register(o);
    }
  }
  if (writes_predicate) written += cls.scoreboard_of_predicate;
  if (by_register) written += cls.scoreboard_by_register;
  out.written = static_cast<std::uint16_t>(written);
  out.operands_read = static_cast<std::uint16_t>(cls.operands_read);
}

void note_kind(const sass::Instruction& insn, CodeTiming::Insn& out) {
  out.caches = is_one_of(insn.name, {"LDG", "STG", "LD", "ST", "LDL", "STL", "ATOM", "ATOMG", "RED", "REDG", "LDGSTS"});
  out.passes_l1 = sass::has_modifier(insn, "STRONG.GPU") || sass::has_modifier(insn, "STRONG.SYS");
  for (const sass::Operand& o : insn.operands)
    if (o.kind == sass::OperandKind::Constant && o.base == sass::kZero)
      out.constants = static_cast<std::int32_t>(o.value / kConstantLine + o.number * kConstantLines);
  out.loads_constants = insn.name == "LDC";
  out.copies = insn.name == "LDGSTS";
  out.commits = insn.name == "LDGDEPBAR";
  out.converges = insn.name == "BSYNC";
  out.from_memory = out.caches || is_one_of(insn.name, {"LDS", "LDSM", "ATOMS", "LDC", "ULDC"});
  if (insn.name != "DEPBAR") return;
  for (const sass::Operand& o : insn.operands) {
    if (o.kind == sass::OperandKind::Scoreboard) out.counted = o.number;
    if (o.kind == sass::OperandKind::Immediate) out.at_most = static_cast<std::int8_t>(o.value);
  }
}

}  // namespace

CodeTiming::CodeTiming(const CodeTimingProfile& profile, std::span<const sass::Instruction> code) {
  Sources cached;
  for (const sass::Instruction& insn : code) {
    Insn& out = insns_.emplace_back();
    note_registers(insn, out);
    out.cls = static_cast<std::uint8_t>(std::max(class_of(profile, opcode_of(insn), out.reads), 0));
    out.control = insn.control;
    const TimingClass& cls = profile.classes[out.cls];
    out.issue = static_cast<std::uint16_t>(std::max<unsigned>(insn.control.stall, cls.issue));
    note_kind(insn, out);
    out.meets = insn.name == "WARPSYNC" && cls.is_queued;
    out.is_own = cls.sm_pipe < 0 && cls.queue == 0 && !out.caches && !out.copies;
    note_scoreboards(insn, cls, out);
    if (out.at_most >= 0) groups_ = std::max(groups_, static_cast<std::size_t>(out.at_most) + 1);
    const Sources sources = sources_of(insn);
    const bool is_double = insn.name.starts_with("D");
    if (cls.operands_read == 0) {  // others read theirs later, from a queue
      out.banks = banks_of(sources, nullptr, is_double);
      out.banks_kept = banks_of(sources, &cached, is_double);
    }
    out.holds = !cls.pipes.empty() && cls.interval == 1;  // pipes of half a warp's width take theirs in two cycles
    for (std::size_t k = 0; k < kSourceBits.size(); ++k)
      cached.number[k] = (insn.control.reuse >> k & 1) != 0 ? sources.number[k] : sass::kZero;
    out.is_plain = out.is_own && out.constants < 0 && cls.interlock == 0 && !out.commits && !out.converges &&
                   insn.control.write_scoreboard >= kScoreboards && insn.control.read_scoreboard >= kScoreboards;
    out.waits = insn.control.wait_mask != 0 || out.at_most >= 0;
    if (cls.interlock == 0 || insn.operands.empty() || !is_real_register(insn.operands.front())) continue;
    out.interlock = static_cast<std::uint16_t>(cls.interlock);
    out.slow = insn.operands.front().number;
    out.slow_count = sass::has_modifier(insn, "WIDE") ? 2 : 1;
    for (unsigned k = 0; k < out.slow_count; ++k) out.slow_marks |= CodeTiming::mark_of(out.slow + k);
  }
  count_ = static_cast<std::uint32_t>(insns_.size());
  number_constants();
  find_ends(code);
}

// The shortest way from each instruction to one that may end lanes, by the cycles until the next may issue.
void CodeTiming::find_ends(std::span<const sass::Instruction> code) {
  constexpr std::uint32_t kFar = 1 << 24;
  const auto leads_anywhere = [](const sass::Instruction& insn) {
    const bool has_target = std::any_of(insn.operands.begin(), insn.operands.end(),
                                        [](const sass::Operand& o) { return o.kind == sass::OperandKind::Target; });
    return is_one_of(insn.name, {"EXIT", "KILL", "BRX", "JMP", "JMX", "CALL", "RET", "RTT", "ENDCOLLECTIVE"}) ||
           (has_target && !is_one_of(insn.name, {"BRA", "BSSY"}));
  };
  for (std::size_t at = 0; at < code.size(); ++at) insns_[at].until_end = leads_anywhere(code[at]) ? 0 : kFar;
  for (bool changes = true; changes;) {
    changes = false;
    const auto from = [this](std::uint64_t at) { return at < insns_.size() ? insns_[at].until_end : 0U; };
    for (std::size_t at = code.size(); at-- > 0;) {
      std::uint32_t shortest = from(at + 1);
      for (const sass::Operand& o : code[at].operands)
        if (o.kind == sass::OperandKind::Target && code[at].name == "BRA")
          shortest = std::min(shortest, from(static_cast<std::uint64_t>(o.value) / sass::kWordBytes));
      Insn& insn = insns_[at];
      if (shortest + insn.issue >= insn.until_end) continue;
      insn.until_end = shortest + insn.issue;
      changes = true;
    }
  }
}

// From where they are to the place among those that the code has.
void CodeTiming::number_constants() {
  std::map<std::int32_t, std::int32_t> numbers;
  for (Insn& one : insns_)
    if (one.constants >= 0)
      one.constants = numbers.try_emplace(one.constants, static_cast<std::int32_t>(numbers.size())).first->second;
  constants_ = numbers.size();
}

}  // namespace warpsim
