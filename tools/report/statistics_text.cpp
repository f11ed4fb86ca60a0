#include "tools/report/statistics_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/sass/instruction.h"
#include "isa/text/number_text.h"
#include "tools/report/sm_limits.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/model/source_lines.h"
#include "traces/replay/phase_view.h"
#include "traces/sentence/launch_text.h"
#include "traces/sentence/stall_text.h"
#include "traces/words/plain_text.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kReportWidth = 80, kNameColumns = 22, kNumberColumns = 9, kBarColumns = 30;
constexpr std::size_t kWorst = 10;    // places that a report names
constexpr std::size_t kSubCores = 8;  // that it lists one by one

constexpr std::array<std::string_view, kActivityCount> kActivity = {
    "none", "up to a quarter", "up to a half", "up to three quarters", "less than all", "all"};
constexpr std::array<std::string_view, kActivityCount> kKoreanActivity = {"없음",     "1/4 이하",    "1/2 이하",
                                                                          "3/4 이하", "전부는 아님", "전부"};

std::string percent(std::uint64_t of, std::uint64_t whole) {
  const std::uint64_t hundredths = static_cast<std::uint64_t>(std::llround(ratio(of, whole) * 100));
  return of != 0 && hundredths == 0 ? "<1 %" : std::to_string(hundredths) + " %";
}

// Filled with blanks up to so many columns of the terminal.
std::string in_columns(const std::string& text, std::size_t columns) {
  return text + std::string(columns - std::min(columns, columns_of(text)), ' ');
}
std::string right_in_columns(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, columns_of(text)), ' ') + text;
}

class Report {
 public:
  Report(const TraceHead& head, std::span<const TimedRun> runs, const StatisticsWording& wording)
      : head_(head),
        runs_(runs),
        low_(runs.front().statistics),
        profile_(runs.front().profile),
        ascii_(wording.ascii),
        language_(wording.language),
        translations_(wording.translations) {}

  std::string take() {
    whose();
    totals();
    activity();
    units();
    source_lines();
    if (low_.timed) {
      stalls();
      places();
      sub_cores();
    } else {
      text_ += say("\nstalls\n  none: in lockstep every warp issues once a cycle; --profile times runs\n",
                   "\n대기\n  없음: lockstep에서는 모든 Warp가 사이클마다 한 번 발행. 시간은 --profile로 측정\n");
    }
    memory();
    if (low_.timed && runs_.front().device != nullptr) limits(*runs_.front().device);
    return text_;
  }

 private:
  // $1 is the first of `words`.
  std::string say(std::string_view english, std::string_view korean,
                  std::initializer_list<std::string> words = {}) const {
    const std::string_view pattern = language_ == Language::Korean ? korean : english;
    std::string text;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      if (pattern[k] == '$') text += words.begin()[pattern[++k] - '1'];
      else text += pattern[k];
    }
    return text;
  }
  // What the bounds differ in, as "low to high".
  template <class F>
  std::string bounds(F&& of) const {
    const std::string low = of(runs_.front().statistics), high = of(runs_.back().statistics);
    return low == high ? low : say("$1 to $2", "$1 ~ $2", {low, high});
  }
  void line(const std::string& name, const std::string& value) {
    text_ += in_columns(name, kNameColumns) + " " + value + "\n";
  }
  void bar(std::string_view name, std::uint64_t count, std::uint64_t whole) {
    if (count == 0) return;
    const std::size_t filled =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(ratio(count, whole) * kBarColumns)));
    text_ += "  " + in_columns(std::string(name), kNameColumns) + right_aligned(std::to_string(count), kNumberColumns) +
             right_aligned(percent(count, whole), 7) + "  ";
    for (std::size_t k = 0; k < filled; ++k) text_ += ascii_ ? "#" : "█";
    text_ += '\n';
  }
  // A line that is no longer than the terminal.
  void cut(const std::string& line) {
    const std::string_view dots = ascii_ ? "..." : "…";
    text_ += (columns_of(line) <= kReportWidth ? line : fitted(line, kReportWidth, dots)) + "\n";
  }
  // Of machine code that was made of one text the lines need no name of a file.
  bool is_of_one_file() const { return head_.is_machine_code && head_.sources.size() == 1; }
  std::string line_of(const TraceInsn& insn) const {
    if (const TraceSourcePlace* const place = warpsim::place_of(head_, insn); is_of_one_file() && place != nullptr)
      return say("line $1", "$1행", {std::to_string(place->line)});
    if (head_.is_machine_code && insn.place < 0)
      return "0x" + hex_digits(static_cast<std::uint64_t>(insn.pc) * sass::kWordBytes, 4);
    if (!head_.sources.empty()) return line_name(head_, insn);
    return insn.line == 0 ? "pc " + std::to_string(insn.pc) : say("line $1", "$1행", {std::to_string(insn.line)});
  }
  std::string place(std::int32_t pc) const {
    const TraceInsn* const insn = find_insn(head_, pc);
    if (insn == nullptr) return "?";
    return line_of(*insn) + ": " + insn->text;
  }

  void whose() {
    const std::string_view title = translations_ == nullptr ? head_.title : translations_->of(head_.title);
    cut(head_.program + (title.empty() ? "" : ": ") + std::string(title));
    cut(launch_text(head_, language_));
    if (profile_ == nullptr) return cut(say("profile lockstep", "프로파일 lockstep"));
    // A scheduler that is not its own is a part of a profile's name, and so is the bound.
    std::string name = profile_->name.substr(0, profile_->name.find(" --"));
    if (runs_.size() == 2) name = name.substr(0, name.rfind(':')) + say(", low and high", "의 하한과 상한");
    cut(say("profile $1, scheduler $2: $3", "프로파일 $1, 스케줄러 $2: $3",
            {name, std::string(warpsim::name(profile_->scheduler)), profile_->title}));
    if (head_.is_machine_code) cut(say("machine code, as ptxas makes it", "ptxas가 만드는 기계어"));
  }

  void totals() {
    text_ += '\n';
    line(say("cycles", "사이클"), bounds([](const Statistics& s) { return std::to_string(s.cycles); }));
    if (const std::uint64_t first = runs_.front().first_launch; first != 0)
      line("  " + say("a first launch", "첫 실행"),
           std::to_string(first) + say(", with its code in no cache", ", 코드가 캐시에 없을 때"));
    line(say("warp instructions", "Warp 명령어"), std::to_string(low_.counts.instructions));
    const auto ipc = [](const Statistics& s, std::uint64_t parts) {
      return decimals(ratio(s.counts.instructions, s.cycles * std::max<std::uint64_t>(parts, 1)), 3);
    };
    line(say("instructions a cycle", "사이클당 명령어"), bounds([&](const Statistics& s) { return ipc(s, 1); }));
    if (low_.timed) {
      const auto parts = [&](const std::string& name, auto count) {
        const std::uint64_t n = count(low_);
        line("  " + name, bounds([&](const Statistics& s) { return ipc(s, count(s)); }) +
                              say(n == 1 ? ", of $1 that had a warp" : ", of $1 that had warps",
                                  ", Warp가 있던 것 $1개", {std::to_string(n)}));
      };
      parts(say("an SM", "SM마다"), [](const Statistics& s) { return s.sms(); });
      parts(say("a sub-core", "서브코어마다"), [](const Statistics& s) { return std::uint64_t{s.sub_cores.size()}; });
    }
    line(say("divergent branches", "갈라진 분기"), std::to_string(low_.counts.divergent_branches));
  }

  void activity() {
    const std::uint64_t n = low_.counts.instructions;
    text_ += say("\nactive lanes, of those that exist: $1 of $2 on average\n",
                 "\n활성 Lane, 있는 Lane 가운데: 평균 $2개 중 $1개\n",
                 {decimals(ratio(low_.active_lanes, n), 2), decimals(ratio(low_.existing_lanes, n), 2)});
    const auto& names = language_ == Language::Korean ? kKoreanActivity : kActivity;
    for (std::size_t k = low_.activity.size(); k-- > 0;) bar(names[k], low_.activity[k], n);
  }

  void units() {
    text_ += say("\ninstructions by unit\n", "\n유닛별 명령어\n");
    for (int k = 0; k < kUnitCount; ++k)
      bar(name(static_cast<Unit>(k)), low_.counts.by_unit[static_cast<std::size_t>(k)], low_.counts.instructions);
  }

  void stalls() {
    const std::uint64_t whole = low_.issue_cycles + low_.stall_cycles;
    text_ += say("\ncycles of warps, of each from its birth to its last instruction\n",
                 "\nWarp의 사이클, 각 Warp의 시작부터 마지막 명령어까지\n");
    bar(say("issued", "발행한 사이클"), low_.issue_cycles, whole);
    for (int k = 0; k < kStallReasonCount; ++k) {
      const Stall::Reason reason = static_cast<Stall::Reason>(k);
      std::string what(name(reason));
      if (language_ == Language::Korean) what += " (" + std::string(korean_name(reason)) + ")";
      bar(what, low_.stalls[static_cast<std::size_t>(k)], whole);
    }
  }

  // "%x (line 14: shfl.bfly)", "fma": what a stall's reason does not say by itself.
  std::string waited_for(const StallPlace& one) const {
    std::string text;
    if (one.reg >= 0) text = head_.registers[static_cast<std::size_t>(one.reg)].name;
    if (one.pipe >= 0) text = profile_->pipes[static_cast<std::size_t>(one.pipe)].name;
    if (const TraceInsn* const insn = find_insn(head_, one.writer))
      text += (text.empty() ? "(" : " (") + line_of(*insn) + ": " + insn->op + ")";
    return text;
  }
  std::string who(const StallPlace& one) const {
    const TraceInsn* const insn = find_insn(head_, one.pc);
    return insn == nullptr ? "?" : line_of(*insn) + " " + insn->op;
  }

  // The reason is spelled as in the table above.
  void places() {
    if (low_.places.empty()) return;
    text_ += say("\nwhere most was waited (cycles, times, who, reason, for what)\n",
                 "\n가장 많이 기다린 곳 (사이클, 횟수, 명령어, 이유, 기다린 것)\n");
    const std::size_t listed = std::min(kWorst, low_.places.size());
    std::size_t who_columns = 0, reason_columns = 0;
    for (std::size_t k = 0; k < listed; ++k) {
      who_columns = std::max(who_columns, columns_of(who(low_.places[k])));
      reason_columns = std::max(reason_columns, columns_of(name(low_.places[k].reason)));
    }
    for (std::size_t k = 0; k < listed; ++k) {
      const StallPlace& one = low_.places[k];
      const std::string what = waited_for(one), reason(name(one.reason));
      cut(right_aligned(std::to_string(one.cycles), 8) + right_aligned(std::to_string(one.times), 5) + "  " +
          in_columns(who(one), who_columns) + "  " +
          (what.empty() ? reason : in_columns(reason, reason_columns) + "  ") + what);
    }
    more(low_.places.size(), kWorst);
  }

  void more(std::size_t all, std::size_t listed) {
    if (all <= listed) return;
    text_ += say("  and $1 more: --json has all\n", "  그 밖에 $1개: 전체는 --json\n", {std::to_string(all - listed)});
  }

  void sub_cores() {
    text_ += "\n" + in_columns(say("sub-cores, in cycles", "서브코어, 사이클"), kNameColumns + 2) +
             right_in_columns(say("issued", "발행"), 8) + right_in_columns(say("none eligible", "발행 불가"), 15) +
             right_in_columns(say("empty", "비어 있음"), 10) + right_in_columns(say("warps", "Warp"), 10) + "\n";
    std::size_t listed = 0;
    for (const auto& [number, one] : low_.sub_cores) {
      if (listed++ == kSubCores) break;
      const int each = static_cast<int>(std::max(low_.sub_cores_an_sm, 1U));
      const std::string name = say("  SM $1, sub-core $2", "  SM $1, 서브코어 $2",
                                   {std::to_string(number / each), std::to_string(number % each)});
      text_ += in_columns(name, kNameColumns + 2) + right_aligned(std::to_string(one.issued), 8) +
               right_aligned(std::to_string(one.none_eligible), 15) + right_aligned(std::to_string(one.empty), 10) +
               right_aligned(std::to_string(one.warps), 10) + "\n";
    }
    more(low_.sub_cores.size(), kSubCores);
  }

  // Where a kernel spends its instructions, in the words of its source.
  void source_lines() {
    std::vector<SourceLineCount> all = count_lines(head_, low_);
    if (all.empty()) return;
    text_ += say("\nwarp instructions by line of the source\n", "\n소스 줄마다의 Warp 명령어\n");
    list_lines(all, &SourceLineCount::instructions, low_.counts.instructions);
    if (!low_.timed) return;
    text_ += say("\ncycles of warps by line of the source, waiting and issuing\n",
                 "\n소스 줄마다의 Warp 사이클, 대기와 발행\n");
    std::stable_sort(all.begin(), all.end(),
                     [](const SourceLineCount& a, const SourceLineCount& b) { return a.cycles > b.cycles; });
    list_lines(all, &SourceLineCount::cycles, low_.issue_cycles + low_.stall_cycles);
  }
  void list_lines(const std::vector<SourceLineCount>& all, std::uint64_t SourceLineCount::*count, std::uint64_t whole) {
    const auto name = [this](const TraceSourcePlace& place) {
      return is_of_one_file() ? say("line $1", "$1행", {std::to_string(place.line)}) : line_name(head_, place);
    };
    std::size_t columns = 0;
    for (std::size_t k = 0; k < std::min(kWorst, all.size()); ++k)
      columns = std::max(columns, columns_of(name(*all[k].place)));
    for (std::size_t k = 0; k < std::min(kWorst, all.size()); ++k)
      cut(right_aligned(std::to_string(all[k].*count), kNumberColumns) +
          right_aligned(percent(all[k].*count, whole), 7) + "  " + in_columns(name(*all[k].place), columns) + "  " +
          std::string(source_text(head_, *all[k].place)));
    more(all.size(), kWorst);
  }

  void memory() {
    const SharedStatistics& shared = low_.shared;
    if (shared.accesses != 0) {
      text_ += say("\nshared memory\n", "\n공유 메모리\n");
      const std::string accesses = std::to_string(shared.accesses),
                        ways = decimals(ratio(shared.ways, shared.accesses), 2);
      line(say("  accesses", "  접근"), say(shared.ways == shared.accesses ? "$1, $2 way each" : "$1, $2 ways each",
                                            "$1, 각각 $2-way", {accesses, ways}));
      line(say("  bank conflicts", "  뱅크 충돌"), std::to_string(shared.conflicts));
      if (shared.conflicts != 0)
        cut(in_columns(say("  worst", "  최악"), kNameColumns) + " " +
            say("$1 ways at $2", "$1-way: $2", {std::to_string(shared.worst_ways), place(shared.worst_pc)}));
    }
    sectors(say("global memory", "전역 메모리"), low_.global);
    sectors(say("local memory", "로컬 메모리"), low_.local);
    if (low_.counts.barriers == 0) return;
    text_ += say("\nbarriers\n", "\n배리어\n");
    line(say("  executed", "  실행"), std::to_string(low_.counts.barriers));
    if (low_.timed)
      line(say("  cycles waited", "  대기 사이클"),
           std::to_string(low_.stalls[static_cast<std::size_t>(Stall::Reason::Barrier)]));
  }
  void sectors(const std::string& memory, const SectorStatistics& of) {
    if (of.requests == 0) return;
    text_ += "\n" + memory + "\n";
    line(say("  requests", "  요청"), std::to_string(of.requests));
    pieces(say("sectors of 32 bytes", "32바이트 섹터"), of.requests, of.sectors, of.least_sectors);
    pieces(say("lines of 128 bytes", "128바이트 라인"), of.requests, of.lines, of.least_lines);
    if (of.worst_sectors > of.worst_least)
      cut(in_columns(say("  worst", "  최악"), kNameColumns) + " " +
          say("$1 sectors where $2 could do at $3", "섹터 $1개, 최소 $2개: $3",
              {std::to_string(of.worst_sectors), std::to_string(of.worst_least), place(of.worst_pc)}));
  }
  // How much of an SM the launch can use, and did use.
  void limits(const TimingProfile& device) {
    text_ += say("\nan SM\n", "\nSM\n");
    line(say("  warps on average", "  평균 Warp"), decimals(warps_at_once(low_), 2));
    if (const std::optional<SmLimits> fits = sm_limits(head_, device)) {
      line(say("  warps that fit", "  들어가는 Warp"),
           say("$1 of $2: $3 of $4", "$2개 중 $1개: 블록 $5개, 블록당 $6개",
               {std::to_string(fits->blocks * fits->block.warps), std::to_string(fits->device.warps),
                counted(fits->blocks, "block"), counted(fits->block.warps, "warp"), std::to_string(fits->blocks),
                std::to_string(fits->block.warps)}));
      line(say("  limited by", "  제한"), std::string(fits->limited_by));
    }
    const SmRoofs roofs = sm_roofs(device);
    const double x = instructions_a_line(low_);
    line(say("  instructions a cycle", "  사이클당 명령어"), decimals(instructions_a_cycle(low_), 3));
    if (roofs.issue > 0) line(say("    most to issue", "    발행 상한"), decimals(roofs.issue, 3));
    if (roofs.lines > 0 && x > 0)
      line(say("    most by lines", "    라인 상한"), say("$1, at $2 instructions a line", "$1, 라인당 명령어 $2개",
                                                          {decimals(x * roofs.lines, 3), decimals(x, 2)}));
  }
  void pieces(const std::string& name, std::uint64_t requests, std::uint64_t touched, std::uint64_t least) {
    line("  " + name, say("$1 a request; $2 in all where $3 could do ($4)", "요청당 $1개; 모두 $2개, 최소 $3개 ($4)",
                          {decimals(ratio(touched, requests), 2), std::to_string(touched), std::to_string(least),
                           percent(least, touched)}));
  }

  const TraceHead& head_;
  std::span<const TimedRun> runs_;
  const Statistics& low_;
  const TimingProfile* profile_;
  bool ascii_;
  Language language_;
  const Translations* translations_;
  std::string text_;
};

}  // namespace

std::vector<SourceLineCount> count_lines(const TraceHead& head, const Statistics& statistics) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, SourceLineCount> by_line;
  for (std::size_t pc = 0; pc < std::min(statistics.instructions_at.size(), head.code.size()); ++pc) {
    const TraceSourcePlace* const place = warpsim::place_of(head, head.code[pc]);
    if (place == nullptr || statistics.instructions_at[pc] == 0) continue;
    SourceLineCount& one = by_line[{place->source, place->line}];
    one.place = place;
    one.instructions += statistics.instructions_at[pc];
    if (statistics.timed) one.cycles += statistics.instructions_at[pc];
  }
  for (const StallPlace& stall : statistics.places)
    if (const TraceInsn* const insn = find_insn(head, stall.pc))
      if (const TraceSourcePlace* const place = warpsim::place_of(head, *insn))
        by_line[{place->source, place->line}].cycles += stall.cycles;
  std::vector<SourceLineCount> all;
  for (const auto& [line, one] : by_line) all.push_back(one);
  std::stable_sort(all.begin(), all.end(),
                   [](const SourceLineCount& a, const SourceLineCount& b) { return a.instructions > b.instructions; });
  return all;
}

std::string statistics_text(const TraceHead& head, std::span<const TimedRun> runs, const StatisticsWording& wording) {
  return without_controls(Report(head, runs, wording).take());
}

}  // namespace warpsim::tools
