// The clauses of a sentence, in English and Korean.
#include "traces/sentence/sentence.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "isa/kernels/kernels_warp.h"
#include "isa/program/program.h"
#include "isa/text/number_text.h"
#include "traces/model/source_lines.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/phase_view.h"
#include "traces/replay/state.h"
#include "traces/sentence/sentence_parts.h"
#include "traces/sentence/stall_text.h"
#include "traces/template/phase_template.h"
#include "traces/words/fault_text.h"
#include "traces/words/korean.h"

namespace warpsim {
namespace {

std::string register_name(const TraceHead& head, std::int32_t reg, std::int32_t pc) {
  if (const std::string_view variable = variable_in(head, reg, pc); !variable.empty()) return std::string(variable);
  const std::string& name = head.registers[static_cast<std::size_t>(reg)].name;
  return name == kCarryFlag ? "carry" : bare(name);
}

// A sentence in the making.
class Sentence {
 public:
  // `trap`: that the run stopped with at this event, or after it, or null.
  Sentence(const TraceHead& head, const TraceEvent& event, Language language, const TraceTrap* trap = nullptr)
      : head_(head),
        event_(event),
        korean_(language == Language::Korean),
        trap_(trap),
        insn_(find_insn(head, event.pc)) {
    row_ = insn_ == nullptr ? nullptr : insn_->row;
  }

  std::string take() {
    if (trap_ != nullptr && is_trapping(event_, *trap_)) {
      pending_ = call_text(head_, event_);
      say("stopped here: $1", "여기서 멈춤: $1", {trap_message()});
      call_prefix();
      trap_ = nullptr;
    } else {
      what_it_did();
    }
    undefined_lanes();
    guard();
    for (const TraceMask& mask : event_.masks) mask_clause(mask);
    const LaneMask active = active_lanes();
    if (active == 0) say("no lane active", "활성 Lane 없음", {});
    else say("$1 active", "활성 Lane $2개", {counted(active), std::to_string(count_lanes(active))});
    if (!event_.stalls.empty())
      say("$1", "$1", {waited_text(head_, event_, korean_ ? Language::Korean : Language::English)});
    if (trap_ != nullptr) say("the run stopped after this: $1", "이 단계 이후 실행이 멈춤: $1", {trap_message()});
    return place() + text_;
  }

 private:
  using Words = std::initializer_list<std::string>;

  std::string trap_message() const {
    return fault_text(trap_->message, korean_ ? Language::Korean : Language::English);
  }

  // At a branch all lanes of the group: its guard chooses a path and switches no lane off.
  LaneMask active_lanes() const { return row_ != nullptr && row_->lift == Lift::Branch ? event_.group : event_.active; }

  std::string filled(std::string_view english, std::string_view korean, Words words) const {
    const std::string_view pattern = korean_ ? korean : english;
    std::string out;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      if (pattern[k] == '$') out += words.begin()[pattern[++k] - '1'];
      else out += pattern[k];
    }
    return out;
  }
  void say(std::string_view english, std::string_view korean, Words words) {
    if (!text_.empty()) text_ += "; ";
    text_ += korean_ ? with_particles(filled(english, korean, words)) : filled(english, korean, words);
  }

  std::string lanes(LaneMask mask) const { return korean_ ? "Lane " + lane_ranges(mask) : lanes_in_words(mask); }
  static std::string counted(LaneMask mask) { return warpsim::counted(count_lanes(mask), "lane"); }
  std::string line(std::int32_t pc) const {
    const TraceInsn* insn = find_insn(head_, pc);
    const bool known = insn != nullptr && insn->line != 0;
    if (known && !head_.sources.empty()) return line_name(head_, *insn);
    const std::string number = known ? std::to_string(insn->line) : std::to_string(pc);
    return korean_ ? (known ? number + "행" : "pc " + number) : (known ? "line " : "pc ") + number;
  }

  std::string place() const {
    std::string out;
    const auto add = [&](std::string_view english, std::string_view korean, std::uint64_t number) {
      std::string word(korean_ ? korean : english);
      if (out.empty() && !korean_) word[0] = static_cast<char>(word[0] - 'a' + 'A');
      out += (out.empty() ? "" : ", ") + word + " " + std::to_string(number);
    };
    if (event_.cycle) add("cycle", "사이클", *event_.cycle);
    if (head_.grid.count() > 1) add("block", "블록", event_.block);
    if (head_.block.count() > head_.lanes) add("warp", "Warp", event_.warp);
    return out.empty() ? "" : out + ": ";
  }

  // "own = 3, own_too = 4": what the event left on a lane.
  std::string results(unsigned lane) const {
    std::string out;
    for (const TraceWrite& write : event_.writes) {
      if (!has_lane(write.lanes, lane)) continue;
      out += (out.empty() ? "" : ", ") + register_name(head_, write.reg, event_.pc) + " = " + value(write, lane);
    }
    return out;
  }
  std::string value(const TraceWrite& write, unsigned lane) const {
    if (has_lane(write.undefined, lane)) return "?";
    const Type type = head_.registers[static_cast<std::size_t>(write.reg)].type;
    return display(TemplateValue::of(type, write.bits[lane_place(write.lanes, lane)]), head_.lanes);
  }
  // The lowest lane that has something defined to show.
  unsigned telling_lane(LaneMask of, LaneMask undefined) const {
    const LaneMask defined = of & ~undefined;
    const LaneMask from = defined != 0 ? defined : of;
    const bool scan = row_ != nullptr && row_->lift == Lift::Scan && count_lanes(from) > 1;
    return first_lane(scan ? from & (from - 1) : from);
  }

  void what_it_did() {
    if (event_.exchange && !event_.writes.empty()) exchange_clause();
    else if (event_.memory) memory_clause();
    else if (!event_.writes.empty()) result_clause();
    else if (row_ != nullptr && event_.active != 0) silent_clause();
    else if (insn_ != nullptr && event_.active == 0 && event_.masks.empty()) text_ = call_text(head_, event_);
  }

  void call_prefix() {
    if (!pending_.empty()) text_ = pending_ + ": " + text_;
  }

  void exchange_clause() {
    const TraceExchange& exchange = *event_.exchange;
    const TraceWrite& write = event_.writes.front();
    LaneMask moved = 0;
    std::size_t k = 0;
    for_each_lane(exchange.lanes, [&](unsigned lane) {
      const bool other = exchange.from[k++] != lane;
      if (other && has_lane(exchange.in_range & ~exchange.undefined & ~write.undefined & write.lanes, lane))
        moved |= lane_bit(lane);
    });
    pending_ = call_text(head_, event_);
    if (moved != 0) {
      const unsigned lane = first_lane(moved);
      say("lane $1 receives $3 from lane $2", "Lane $1{이/가} Lane $2에서 $3{을/를} 수신",
          {std::to_string(lane), std::to_string(exchange.from[lane_place(exchange.lanes, lane)]), value(write, lane)});
    } else if (exchange.undefined == 0) {
      say("each lane keeps its own value", "각 Lane이 자신의 값을 유지", {});
    }
    if (const LaneMask outside = exchange.lanes & ~exchange.in_range; outside != 0 && moved != 0) {
      const bool one = count_lanes(outside) == 1;
      say(one ? "$1 has no source and keeps its own value" : "$1 have no source and keep their own values",
          "$1{은/는} 읽을 Lane이 없어 자신의 값을 유지", {lanes(outside)});
    }
    if (exchange.undefined != 0)
      say(count_lanes(exchange.undefined) == 1 ? "$1 reads a lane that takes no part"
                                               : "$1 read lanes that take no part",
          "$1{은/는} 참여하지 않는 Lane의 값을 읽음", {lanes(exchange.undefined)});
    call_prefix();
  }

  std::string element(const TraceMemory& memory, std::size_t place) const {
    const std::string_view name = object_name(head_, memory, place);
    if (name == "?") return "?";
    const std::string first = std::to_string(memory.index[place]);
    if (memory.elements == 1) return std::string(name) + "[" + first + "]";
    return std::string(name) + "[" + first + ".." + std::to_string(memory.index[place] + memory.elements - 1) + "]";
  }

  // The words of a barrier are read as it means them: from the first lane's to the last one's.
  void mbarrier_clause(const TraceMemory& memory) {
    using kernels::MbarrierWord;
    const std::string where = element(memory, 0), who = lanes(memory.lanes);
    const bool one = count_lanes(memory.lanes) == 1;
    const MbarrierWord before = MbarrierWord::of(memory.bits.front());
    const auto number = [](std::uint64_t n) { return std::to_string(n); };
    if (memory.access == TraceMemory::Access::Store) {
      if (before.count == 0) say("$1: a barrier no more", "$1: 더는 배리어가 아님", {where});
      else say("$1 is a barrier of $2 arrivals", "$1{은/는} 도착 $2번의 배리어", {where, number(before.count)});
    } else if (memory.access == TraceMemory::Access::Load) {
      say("$1: $2 of $3 arrivals of phase $4 are missing, $5", "$1: $4단계의 도착 $3번 중 $2번이 남음, $5",
          {where, number(before.missing), number(before.count), number(before.phase),
           results(first_lane(memory.lanes))});
    } else {
      const MbarrierWord after = MbarrierWord::of(memory.stored.back());
      const bool complete = after.phase != before.phase;
      say(one ? "$1 arrives at $2: $3 of $4 arrivals of phase $5 were missing"
              : "$1 arrive at $2: $3 of $4 arrivals of phase $5 were missing",
          "$1{이/가} $2에 도착: $5단계의 도착 $4번 중 $3번이 남아 있었음",
          {who, where, number(before.missing), number(before.count), number(before.phase)});
      if (complete) say("the phase is complete", "단계가 끝남", {});
      else say("now $1", "이제 $1번", {number(after.missing)});
    }
  }

  void memory_clause() {
    const TraceMemory& memory = *event_.memory;
    const bool same =
        std::adjacent_find(memory.address.begin(), memory.address.end(), std::not_equal_to<>()) == memory.address.end();
    const bool reads_well = same || memory.access == TraceMemory::Access::Store;
    if (row_ != nullptr && row_->lift == Lift::Mbarrier && reads_well && memory.undefined[0] == 0)
      return mbarrier_clause(memory);
    const unsigned lane = telling_lane(memory.lanes, memory.undefined[0]);
    const std::size_t place = lane_place(memory.lanes, lane);
    const auto shown = [&](std::uint64_t bits, LaneMask undefined) {
      return has_lane(undefined, lane) ? "?" : display(TemplateValue::of(memory.type, bits), head_.lanes);
    };
    std::string values;
    for (unsigned e = 0; e < memory.elements; ++e)
      values += (e == 0 ? "" : ", ") + shown(memory.bits[place * memory.elements + e], memory.undefined[e]);
    const std::string where = element(memory, place), who = std::to_string(lane);
    if (memory.access == TraceMemory::Access::Load) {
      say("lane $1 loads $2 from $3", "Lane $1{이/가} $3에서 $2{을/를} 로드",
          {who, event_.writes.empty() ? values : results(lane), where});
    } else if (row_ != nullptr && row_->lift == Lift::Copy) {
      const bool reads = event_.source && has_lane(event_.source->lanes, lane);
      if (reads)
        say("lane $1 begins to copy $2 from $3 to $4", "Lane $1{이/가} $3에서 $4(으)로 $2의 복사를 시작",
            {who, values, element(*event_.source, lane_place(event_.source->lanes, lane)), where});
      else say("lane $1 begins to write zeros to $2", "Lane $1{이/가} $2에 0을 쓰기 시작", {who, where});
    } else if (memory.access == TraceMemory::Access::Store) {
      say("lane $1 stores $2 to $3", "Lane $1{이/가} $3에 $2{을/를} 저장", {who, values, where});
    } else {
      pending_ = call_text(head_, event_);
      say("lane $1 finds $2 in $3 and leaves $4", "Lane $1{이/가} $3에서 $2{을/를} 읽고 $4{을/를} 남김",
          {who, values, where, shown(memory.stored[place], memory.undefined_stored)});
      call_prefix();
    }
    if (memory.ways > 1) say("a $1-way bank conflict", "$1-way 뱅크 충돌", {std::to_string(memory.ways)});
  }

  void result_clause() {
    const TraceWrite& write = event_.writes.front();
    pending_ = call_text(head_, event_);
    if (write.lanes != 0) {
      const unsigned lane = telling_lane(write.lanes, write.undefined);
      if (count_lanes(write.lanes) > 1 && all_the_same())
        say("every active lane gets $1", "모든 활성 Lane에서 $1", {results(lane)});
      else say("lane $1 gets $2", "Lane $1에서 $2", {std::to_string(lane), results(lane)});
    }
    call_prefix();
  }
  bool all_the_same() const {
    return std::all_of(event_.writes.begin(), event_.writes.end(), [&](const TraceWrite& write) {
      return write.undefined == 0 && std::all_of(write.bits.begin(), write.bits.end(),
                                                 [&](std::uint64_t bits) { return bits == write.bits.front(); });
    });
  }

  // Instructions that leave no value.
  void silent_clause() {
    if (row_->lift == Lift::Branch || row_ == &info(Op::Exit)) return;  // their masks say it
    pending_ = call_text(head_, event_);
    if (row_->form == Form::Warp) say("waits for the lanes of its warp", "Warp의 Lane들이 서로를 기다림", {});
    else if (row_->form == Form::BarArrive)
      say("arrives at the barrier and does not wait", "배리어에 도착만 하고 기다리지 않음", {});
    else if (row_->lift == Lift::Barrier) say("waits for the block", "블록의 다른 Warp를 기다림", {});
    else if (row_ == &info(Op::CpAsyncCommit))
      say("its lanes' copies so far are a group", "지금까지의 복사가 한 그룹이 됨", {});
    else if (row_ == &info(Op::CpAsyncWaitAll))
      say("its lanes wait for all of their copies", "각 Lane이 자신의 모든 복사를 기다림", {});
    else if (row_->form == Form::CopiesLeft)
      say("its lanes wait for their groups of copies but the newest $1",
          "각 Lane이 가장 새로운 $1개를 뺀 복사 그룹을 기다림",
          {insn_ == nullptr || insn_->operands.empty() ? std::string() : insn_->operands.front()});
    else if (row_->lift == Lift::Nothing) say("has no effect here", "여기서는 효과 없음", {});
    else {
      text_ = pending_;  // it trapped
      return;
    }
    call_prefix();
  }

  void undefined_lanes() {
    LaneMask undefined = 0;
    for (const TraceWrite& write : event_.writes) undefined |= write.undefined;
    if (event_.memory)
      for (unsigned e = 0; e < event_.memory->elements; ++e) undefined |= event_.memory->left_undefined(e);
    if (undefined == 0) return;
    say(count_lanes(undefined) == 1 ? "the value of $1 is undefined" : "the values of $1 are undefined",
        "$1의 값은 정의되지 않음", {lanes(undefined)});
  }

  void guard() {
    const LaneMask off = event_.group & ~event_.active;
    if (off == 0 || insn_ == nullptr || insn_->guard.reg < 0) return;
    if (row_ != nullptr && row_->lift == Lift::Branch) return;  // its mask says which lanes go where
    const std::string guard = (insn_->guard.negated ? "@!" : "@") + register_name(head_, insn_->guard.reg, event_.pc);
    if (event_.active == 0) say("the guard $1 holds on no lane", "가드 $1{이/가} 참인 Lane 없음", {guard});
    else say("the guard $1 leaves out $2", "가드 $1{이/가} $2{을/를} 제외", {guard, lanes(off)});
  }

  void mask_clause(const TraceMask& mask) {
    if (mask.kind == TraceMask::Kind::Branch) branch_clause(mask);
    else if (mask.kind == TraceMask::Kind::Reconverge)
      say("$1 go on together at $2", "$1{이/가} $2부터 다시 함께 진행", {lanes(mask.taken), line(mask.target)});
    else if (mask.taken == 0) say("no lane exits", "종료하는 Lane 없음", {});
    else say(count_lanes(mask.taken) == 1 ? "$1 is done" : "$1 are done", "$1 종료", {lanes(mask.taken)});
  }

  void branch_clause(const TraceMask& mask) {
    if (mask.not_taken == 0) {
      say("all $1 go to $2", "Lane $3개 모두 $2{으로/로} 이동",
          {counted(mask.taken), line(mask.target), std::to_string(count_lanes(mask.taken))});
    } else if (mask.taken == 0) {
      say("no lane goes to $2, all $1 go on", "$2{으로/로} 가는 Lane 없이 $3개 모두 계속 진행",
          {counted(mask.not_taken), line(mask.target), std::to_string(count_lanes(mask.not_taken))});
    } else {
      say("the warp diverges: $1 to $2, $3 go on", "Warp가 갈라짐: $1{은/는} $2{으로/로}, $3{은/는} 계속 진행",
          {lanes(mask.taken), line(mask.target), lanes(mask.not_taken)});
      if (head_.reconvergence == Reconvergence::Independent) return;  // nothing fixes where they reconverge, if they do
      if (mask.reconvergence >= 0) say("they converge again at $1", "$1에서 다시 만남", {line(mask.reconvergence)});
      else say("they do not converge again", "다시 만나지 않음", {});
    }
  }

  const TraceHead& head_;
  const TraceEvent& event_;
  bool korean_;
  const TraceTrap* trap_;
  const TraceInsn* insn_;
  const OpInfo* row_ = nullptr;
  std::string pending_;  // the call that the clauses so far belong to
  std::string text_;
};

}  // namespace

std::string sentence(const TraceHead& head, const TraceEvent& event, Language language) {
  return Sentence(head, event, language).take();
}

std::string sentence(const Trace& trace, std::size_t event, Language language) {
  const std::optional<TraceTrap>& trap = trace.outcome.trap;
  const bool stopped = trap && event + 1 == trace.events.size() && holds_end(trace);
  return Sentence(trace.head, trace.events[event], language, stopped ? &*trap : nullptr).take();
}

}  // namespace warpsim
