// Writing a profile: members in the order of PROFILE.md, a class and a rule a line, two bounds as [low, high].
//
// Shapes: what a reader takes for granted is not written. Of latencies the one that most readers have is "else".
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "isa/text/number_text.h"
#include "traces/io/json_text.h"
#include "traces/profile/profile_json.h"

namespace warpsim {
namespace {

// One number, or one of each bound.
using Times = std::array<double, 2>;

void append_time(std::string& out, double time) {
  if (time == std::floor(time)) append_json_unsigned(out, static_cast<std::uint64_t>(time));
  else append_number(out, time);
}

class Writer {
 public:
  explicit Writer(const ProfileFile& file) : file_(file), low_(file.bounds.front()), high_(file.bounds.back()) {}

  std::string write() {
    out_ = "{\n  ";
    text_member(out_, "format", "warpsim profile");
    text_member(out_, "version", "1.0");
    next_line();
    text_member(out_, "name", file_.name);
    text_member(out_, "title", file_.title);
    next_line();
    provenance();
    text_member(out_, "scheduler", name(low_.scheduler));
    next_line();
    sm();
    pipes();
    classes();
    rules();
    costs();
    machine_code();
    return std::move(out_) + "\n}\n";
  }

 private:
  void next_line() { out_ += ",\n  "; }

  template <class Of>
  Times both(Of of) const {
    return {static_cast<double>(of(low_)), static_cast<double>(of(high_))};
  }
  void append(const Times& times) {
    if (times[0] == times[1]) return append_time(out_, times[0]);
    out_ += '[';
    append_time(out_, times[0]);
    out_ += ", ";
    append_time(out_, times[1]);
    out_ += ']';
  }
  template <class Of>
  void time_member(std::string_view name, Of of) {
    append_json_key(out_, name);
    append(both(of));
  }
  // Members in brackets, one a line.
  void lines(std::string_view name, std::string_view brackets, std::size_t count,
             const std::function<void(std::size_t)>& append_line) {
    append_json_key(out_, name);
    out_ += brackets[0];
    for (std::size_t k = 0; k < count; ++k) {
      out_ += k == 0 ? "\n    " : ",\n    ";
      append_line(k);
    }
    out_ += count == 0 ? "" : "\n  ";
    out_ += brackets[1];
    next_line();
  }
  void truth_member(std::string_view name, bool truth) {
    append_json_key(out_, name);
    out_ += truth ? "true" : "false";
  }
  void words_member(std::string_view name, const std::vector<std::string>& words) {
    if (!words.empty())
      list_member(out_, name, words.size(), [&](std::size_t k) { append_json_string(out_, words[k]); });
  }

  void provenance() {
    lines("provenance", "[]", file_.provenance.size(), [this](std::size_t k) {
      const Provenance& one = file_.provenance[k];
      out_ += '{';
      const std::pair<std::string_view, std::string_view> members[] = {
          {"what", one.what},     {"source", one.source}, {"device", one.device},
          {"driver", one.driver}, {"date", one.date},     {"command", one.command}};
      for (const auto& [name, text] : members)
        if (!text.empty() || name == "what" || name == "source") text_member(out_, name, text);
      out_ += '}';
    });
  }

  void sm() {
    out_ += "\"sm\": {";
    number_member(out_, "sub_cores", low_.sm.sub_cores);
    number_member(out_, "sms", low_.sm.sms);
    number_member(out_, "max_warps", low_.sm.max_warps);
    number_member(out_, "max_blocks", low_.sm.max_blocks);
    number_member(out_, "max_shared_bytes", low_.sm.max_shared_bytes);
    out_ += '}';
    next_line();
  }

  void pipes() {
    out_ += "\"pipes\": {";
    for (const TimingPipe& pipe : low_.pipes) text_member(out_, pipe.name, pipe.of_sm ? "sm" : "sub-core");
    out_ += '}';
    next_line();
  }

  void classes() {
    lines("classes", "{}", low_.classes.size(), [this](std::size_t k) {
      append_json_string(out_, low_.classes[k].name);
      out_ += ": {";
      one_class(k);
      out_ += '}';
    });
  }

  // The members that classes of programs and of machine code share; `of` gives a bound's class.
  template <class Of, class Member>
  void class_time(std::string_view name, Of of, Member member, double unsaid) {
    const Times all = both([&](const TimingProfile& profile) { return of(profile).*member; });
    if (all == Times{unsaid, unsaid}) return;
    append_json_key(out_, name);
    append(all);
  }
  template <class Of>
  void class_pipes(Of of) {
    const TimingClass& own = of(low_);
    constexpr double kAlways = -1;
    if (!own.pipes.empty()) {
      list_member(out_, "pipes", own.pipes.size(),
                  [&](std::size_t n) { append_json_string(out_, low_.pipes[own.pipes[n]].name); });
      class_time("interval", of, &TimingClass::interval, kAlways);
    }
    class_time("interval_of_three", of, &TimingClass::interval_of_three, 0);
    class_time("interval_per_way", of, &TimingClass::interval_per_way, 0);
    if (own.sm_pipe >= 0) {
      text_member(out_, "sm_pipe", low_.pipes[static_cast<std::size_t>(own.sm_pipe)].name);
      class_time("sm_interval", of, &TimingClass::sm_interval, kAlways);
    }
  }
  template <class Of>
  void class_ways(Of of) {
    const TimingClass& own = of(low_);
    if (own.is_variable) truth_member("variable", true);
    if (own.is_queued) truth_member("queued", true);
    if (own.passes_barrier) truth_member("passes_barrier", true);
    if (own.merges_lanes) truth_member("merges_lanes", true);
    if (own.keeps_turn) truth_member("keeps_turn", true);
    if (own.waits_for_stores) truth_member("waits_for_stores", true);
    class_time("per_way", of, &TimingClass::per_way, 0);
    class_time("per_line", of, &TimingClass::per_line, 0);
    class_time("per_value", of, &TimingClass::per_value, 0);
  }

  void one_class(std::size_t k) {
    const auto of = [k](const TimingProfile& profile) -> const TimingClass& { return profile.classes[k]; };
    class_pipes(of);
    class_time("issue", of, &TimingClass::issue, 1);
    class_time("issue_alike", of, &TimingClass::issue_alike, 0);
    class_ways(of);
    latency(k);
  }

  void code_class(std::size_t k) {
    const auto of = [k](const TimingProfile& profile) -> const TimingClass& {
      return profile.machine_code->classes[k];
    };
    class_pipes(of);
    class_time("issue", of, &TimingClass::issue, 1);
    class_ways(of);
    class_time("scoreboard", of, &TimingClass::scoreboard, 0);
    class_time("predicate", of, &TimingClass::scoreboard_of_predicate, 0);
    class_time("by_register", of, &TimingClass::scoreboard_by_register, 0);
    class_time("operands_read", of, &TimingClass::operands_read, 0);
    class_time("interlock", of, &TimingClass::interlock, 0);
    class_time("queue", of, &TimingClass::queue, 0);
  }

  void machine_code() {
    if (!low_.machine_code) return;
    const CodeTimingProfile& own = *low_.machine_code;
    next_line();
    out_ += "\"machine_code\": {";
    lines("classes", "{}", own.classes.size(), [&](std::size_t k) {
      append_json_string(out_, own.classes[k].name);
      out_ += ": {";
      code_class(k);
      out_ += '}';
    });
    lines("rules", "[]", own.rules.size(), [&](std::size_t k) {
      out_ += '{';
      words_member("opcodes", own.rules[k].opcodes);
      if (own.rules[k].registers != 0) number_member(out_, "registers", own.rules[k].registers);
      text_member(out_, "class", own.classes[own.rules[k].cls].name);
      out_ += '}';
    });
    branch([](const TimingProfile& p) -> const BranchTiming& { return p.machine_code->branch; });
    next_line();
    out_ += "\"fetch\": {";
    time_member("line", [](const TimingProfile& p) { return p.machine_code->fetch.line; });
    time_member("lines", [](const TimingProfile& p) { return p.machine_code->fetch.lines; });
    time_member("ways", [](const TimingProfile& p) { return p.machine_code->fetch.ways; });
    time_member("line_interval", [](const TimingProfile& p) { return p.machine_code->fetch.line_interval; });
    time_member("miss", [](const TimingProfile& p) { return p.machine_code->fetch.miss; });
    time_member("restart", [](const TimingProfile& p) { return p.machine_code->fetch.restart; });
    time_member("ahead", [](const TimingProfile& p) { return p.machine_code->fetch.ahead; });
    out_ += '}';
    next_line();
    out_ += "\"memory\": {";
    time_member("l2_latency", [](const TimingProfile& p) { return p.machine_code->memory.l2_latency; });
    time_member("l2_nearest", [](const TimingProfile& p) { return p.machine_code->memory.l2_nearest; });
    time_member("read_sector", [](const TimingProfile& p) { return p.machine_code->memory.read_sector; });
    time_member("far_page", [](const TimingProfile& p) { return p.machine_code->memory.far_page; });
    time_member("page_bits", [](const TimingProfile& p) { return p.machine_code->memory.page_bits; });
    time_member("near_pages", [](const TimingProfile& p) { return p.machine_code->memory.near_pages; });
    time_member("write", [](const TimingProfile& p) { return p.machine_code->memory.write; });
    time_member("write_line", [](const TimingProfile& p) { return p.machine_code->memory.write_line; });
    time_member("write_sector", [](const TimingProfile& p) { return p.machine_code->memory.write_sector; });
    time_member("write_partial", [](const TimingProfile& p) { return p.machine_code->memory.write_partial; });
    time_member("write_mask", [](const TimingProfile& p) { return p.machine_code->memory.write_mask; });
    time_member("write_lines", [](const TimingProfile& p) { return p.machine_code->memory.write_lines; });
    time_member("write_room", [](const TimingProfile& p) { return p.machine_code->memory.write_room; });
    time_member("atomic_sector", [](const TimingProfile& p) { return p.machine_code->memory.atomic_sector; });
    time_member("atomic_lane", [](const TimingProfile& p) { return p.machine_code->memory.atomic_lane; });
    time_member("write_ahead", [](const TimingProfile& p) { return p.machine_code->memory.write_ahead; });
    time_member("constants", [](const TimingProfile& p) { return p.machine_code->memory.constants; });
    time_member("uniform_constants", [](const TimingProfile& p) { return p.machine_code->memory.uniform_constants; });
    time_member("constants_apart", [](const TimingProfile& p) { return p.machine_code->memory.constants_apart; });
    out_ += "}}";
  }

  template <class Of>
  void branch(Of of) {
    out_ += "\"branch\": {";
    time_member("taken", [of](const TimingProfile& p) { return of(p).taken; });
    time_member("parted", [of](const TimingProfile& p) { return of(p).diverged; });
    time_member("joined", [of](const TimingProfile& p) { return of(p).joined; });
    time_member("passed", [of](const TimingProfile& p) { return of(p).passed; });
    time_member("other_side", [of](const TimingProfile& p) { return of(p).other_side; });
    out_ += '}';
  }

  void latency(std::size_t k) {
    const auto to = [this, k](std::size_t reader) {
      return both([&](const TimingProfile& profile) { return profile.classes[k].latency[reader]; });
    };
    std::map<Times, std::size_t> readers;
    for (std::size_t reader = 0; reader < low_.classes.size(); ++reader) ++readers[to(reader)];
    const auto most = std::max_element(readers.begin(), readers.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    append_json_key(out_, "latency");
    out_ += '{';
    append_json_key(out_, "else");
    append(most->first);
    const Times guard = both([k](const TimingProfile& profile) { return profile.classes[k].guard_latency; });
    if (guard != most->first) {
      append_json_key(out_, "guard");
      append(guard);
    }
    const Times predicate = both([k](const TimingProfile& profile) { return profile.classes[k].predicate_latency; });
    if (predicate != Times{}) {
      append_json_key(out_, "predicate");
      append(predicate);
    }
    for (std::size_t reader = 0; reader < low_.classes.size(); ++reader) {
      if (to(reader) == most->first) continue;
      append_json_key(out_, low_.classes[reader].name);
      append(to(reader));
    }
    out_ += '}';
  }

  void rules() {
    lines("rules", "[]", low_.rules.size(), [this](std::size_t k) {
      const TimingRule& rule = low_.rules[k];
      out_ += '{';
      words_member("units", rule.units);
      words_member("ops", rule.ops);
      words_member("types", rule.types);
      words_member("from", rule.from);
      if (rule.constants >= 0) truth_member("constants", rule.constants == 1);
      text_member(out_, "class", low_.classes[rule.cls].name);
      out_ += '}';
    });
  }

  void cache(std::string_view name, CacheTiming GlobalTiming::*member) {
    const CacheTiming& own = low_.global.*member;
    append_json_key(out_, name);
    out_ += '{';
    number_member(out_, "line_bytes", own.line_bytes);
    number_member(out_, "bytes", own.bytes);
    time_member("latency", [member](const TimingProfile& p) { return (p.global.*member).latency; });
    out_ += '}';
  }

  void costs() {
    branch([](const TimingProfile& p) -> const BranchTiming& { return p.branch; });
    out_ += ",\n  \"barrier\": {";
    time_member("release", [](const TimingProfile& p) { return p.barrier.release; });
    if (low_.barrier.leave != 1 || high_.barrier.leave != 1)
      time_member("leave", [](const TimingProfile& p) { return p.barrier.leave; });
    out_ += "},\n  \"global\": {";
    number_member(out_, "sector_bytes", low_.global.sector_bytes);
    cache("l1", &GlobalTiming::l1);
    cache("l2", &GlobalTiming::l2);
    time_member("dram_latency", [](const TimingProfile& p) { return p.global.dram_latency; });
    if (low_.global.store_latency != 0 || high_.global.store_latency != 0)
      time_member("store_latency", [](const TimingProfile& p) { return p.global.store_latency; });
    out_ += "},\n  \"address\": {";
    text_member(out_, "class", low_.classes[low_.address.cls].name);
    time_member("issue", [](const TimingProfile& p) { return p.address.issue; });
    time_member("latency", [](const TimingProfile& p) { return p.address.latency; });
    out_ += '}';
  }

  const ProfileFile& file_;
  const TimingProfile &low_, &high_;  // the same where there is one bound
  std::string out_;
};

}  // namespace

std::string write_profile(const ProfileFile& file) { return Writer(file).write(); }

}  // namespace warpsim
