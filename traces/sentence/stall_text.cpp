#include "traces/sentence/stall_text.h"

#include <string_view>

#include "sim/event/observer.h"
#include "traces/model/source_lines.h"
#include "traces/replay/phase_view.h"

namespace warpsim {
namespace {

// Why, without what is in brackets; $1 is the register or the pipe. And the reason alone.
struct ReasonWords {
  Stall::Reason reason;
  std::string_view english, korean, alone;
};
constexpr ReasonWords kReasons[] = {
    {Stall::Reason::Issue, "for its last instruction to issue", "앞 명령의 발행", "발행 슬롯"},
    {Stall::Reason::Branch, "for the path to here", "분기", "분기"},
    {Stall::Reason::Dependency, "for $1", "$1", "연산 결과"},
    {Stall::Reason::Memory, "for $1 from memory", "메모리에서 오는 $1", "메모리"},
    {Stall::Reason::Barrier, "for other warps at the barrier", "배리어의 다른 Warp", "배리어"},
    {Stall::Reason::Unit, "for the pipe $1", "파이프 $1", "파이프"},
    {Stall::Reason::NotSelected, "for its turn", "차례", "차례"},
};

// "line 14: shfl.bfly"
std::string place(const TraceHead& head, std::int32_t pc, bool korean) {
  const TraceInsn* const insn = find_insn(head, pc);
  if (insn == nullptr) return "";
  const bool has_source = insn->line != 0 && !head.sources.empty();
  const std::string number = insn->line != 0 ? std::to_string(insn->line) : std::to_string(pc);
  const std::string where = has_source        ? line_name(head, *insn)
                            : insn->line == 0 ? "pc " + number
                            : korean          ? number + "행"
                                              : "line " + number;
  return " (" + where + ": " + insn->op + ")";
}

std::string cycles_text(std::uint64_t cycles, bool korean) {
  return std::to_string(cycles) + (korean ? "사이클" : cycles == 1 ? " cycle" : " cycles");
}

}  // namespace

std::string_view korean_name(Stall::Reason reason) {
  for (const ReasonWords& words : kReasons)
    if (words.reason == reason) return words.alone;
  return name(reason);
}

std::string stall_text(const TraceHead& head, const TraceStall& stall, Language language) {
  const bool korean = language == Language::Korean;
  const std::string what = stall.reg >= 0       ? head.registers[static_cast<std::size_t>(stall.reg)].name
                           : stall.pipe.empty() ? "?"
                                                : stall.pipe;
  std::string text = korean ? stall.reason.word : "for " + stall.reason.word;
  for (const ReasonWords& words : kReasons) {
    if (stall.reason != words.reason) continue;
    text = korean ? words.korean : words.english;
    if (const std::size_t at = text.find("$1"); at != std::string::npos) text.replace(at, 2, what);
  }
  if (stall.reason == Stall::Reason::Memory && stall.reg < 0)  // a fence
    text = korean ? "자신의 저장" : "for its own stores";
  return text + place(head, stall.pc, korean);
}

std::string waited_text(const TraceHead& head, const TraceEvent& event, Language language) {
  if (event.stalls.empty()) return "";
  const bool korean = language == Language::Korean;
  const std::string cycles = cycles_text(event.waited(), korean);
  if (event.stalls.size() == 1) {
    const std::string what = stall_text(head, event.stalls.front(), language);
    return korean ? cycles + " 대기: " + what : "waited " + cycles + " " + what;
  }
  std::string text = korean ? cycles + " 대기: " : "waited " + cycles + ": ";
  for (std::size_t k = 0; k < event.stalls.size(); ++k) {
    const std::string what = stall_text(head, event.stalls[k], language),
                      number = std::to_string(event.stalls[k].cycles);
    text += (k == 0 ? "" : ", ") + (korean ? what + " " + number : number + " " + what);
  }
  return text;
}

}  // namespace warpsim
