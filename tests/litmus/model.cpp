// Combines the threads' traces, and gathers what their executions come to.
#include "tests/litmus/model.h"

#include <algorithm>
#include <map>
#include <vector>

#include "tests/litmus/candidate.h"

namespace warpsim::litmus {
namespace {

// Values of locations as bits of a set: what a trace stores, and what it reads that is not there from the start.
struct Needs {
  std::vector<std::uint64_t> wanted, given;
};

class Judge {
 public:
  Judge(const Program& program, const Limits& limits) : program_(program), limits_(limits) {}

  Verdict judge() {
    traces_ = traces_of(program_, limits_);
    verdict_.refused = traces_.refused;
    verdict_.cut = traces_.cut;
    if (!verdict_.refused.empty()) return verdict_;
    number_values();
    // What threads from here on can give, at most.
    later_.assign(program_.threads.size() + 1, std::vector<std::uint64_t>(words_));
    for (std::size_t t = program_.threads.size(); t-- > 0;) {
      later_[t] = later_[t + 1];
      for (const Needs& each : needs_[t]) unite(later_[t], each.given);
    }
    combine(0, std::vector<std::uint64_t>(words_), std::vector<std::uint64_t>(words_));
    verdict_.candidates = limits_.candidates - budget_;
    return verdict_;
  }

 private:
  using Bits = std::vector<std::uint64_t>;

  static void unite(Bits& to, const Bits& from) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] |= from[k];
  }
  void number_values();
  void combine(std::size_t thread, const Bits& wanted, const Bits& given);
  void look_at();

  const Program& program_;
  const Limits& limits_;
  Traces traces_;
  std::vector<std::vector<Needs>> needs_;
  std::vector<Bits> later_;
  std::size_t words_ = 0;
  std::vector<const Trace*> chosen_;
  std::uint64_t budget_ = limits_.candidates;
  Verdict verdict_;
};

void Judge::number_values() {
  std::map<std::pair<std::int32_t, std::int64_t>, std::size_t> numbers;
  for (const std::vector<Trace>& thread : traces_.by_thread)
    for (const Trace& trace : thread)
      for (const Event& event : trace.events)
        if (event.location >= 0) numbers.try_emplace({event.location, event.value}, numbers.size());
  words_ = numbers.size() / 64 + 1;
  for (const std::vector<Trace>& thread : traces_.by_thread) {
    needs_.emplace_back();
    for (const Trace& trace : thread) {
      Needs needs{Bits(words_), Bits(words_)};
      for (const Event& event : trace.events) {
        if (event.location < 0) continue;
        const std::size_t number = numbers.at({event.location, event.value});
        const bool initial = program_.locations[static_cast<std::size_t>(event.location)].initial == event.value;
        if (event.kind == Event::Kind::Write) needs.given[number / 64] |= std::uint64_t{1} << number % 64;
        if (event.kind == Event::Kind::Read && !initial) needs.wanted[number / 64] |= std::uint64_t{1} << number % 64;
      }
      needs_.back().push_back(std::move(needs));
    }
  }
}

void Judge::combine(std::size_t thread, const Bits& wanted, const Bits& given) {
  for (std::size_t k = 0; k < words_; ++k)
    if ((wanted[k] & ~given[k] & ~later_[thread][k]) != 0) return;
  if (thread == program_.threads.size()) return look_at();
  for (std::size_t k = 0; k < traces_.by_thread[thread].size() && verdict_.refused.empty(); ++k) {
    Bits more_wanted = wanted, more_given = given;
    unite(more_wanted, needs_[thread][k].wanted);
    unite(more_given, needs_[thread][k].given);
    chosen_.push_back(&traces_.by_thread[thread][k]);
    combine(thread + 1, more_wanted, more_given);
    chosen_.pop_back();
  }
}

void Judge::look_at() {
  Candidate candidate(program_, chosen_);
  if (candidate.too_large()) verdict_.refused = kTooManyEvents;
  if (candidate.too_large() || !candidate.ends()) return;
  Outcome outcome;
  for (const Trace* trace : chosen_) outcome.registers.push_back(trace->registers);
  const auto found = [&](const std::vector<std::vector<std::int64_t>>& memory,
                         const std::vector<std::pair<std::size_t, std::size_t>>& races) {
    outcome.memory.assign(memory.size(), 0);
    const auto each = [&](const auto& self, std::size_t location) -> void {
      if (location == memory.size()) {
        verdict_.outcomes.insert(outcome);
        return;
      }
      for (const std::int64_t value : memory[location]) {
        outcome.memory[location] = value;
        self(self, location + 1);
      }
    };
    each(each, 0);
    for (const auto& [a, b] : races) {
      const Event &first = candidate.event(a), &second = candidate.event(b);
      const Place one{first.thread, first.origin}, other{second.thread, second.origin};
      verdict_.races.emplace(std::min(one, other), std::max(one, other));
    }
  };
  if (!candidate.enumerate(budget_, found)) verdict_.refused = "too many candidate executions";
}

}  // namespace

Verdict judge(const Program& program, const Limits& limits) { return Judge(program, limits).judge(); }

bool satisfied(const Program& program, const Verdict& verdict) {
  const auto fits = [&](const Outcome& outcome) { return holds(program.condition, outcome); };
  const auto begin = verdict.outcomes.begin(), end = verdict.outcomes.end();
  switch (program.quantifier) {
    case Quantifier::Exists: return std::any_of(begin, end, fits);
    case Quantifier::NotExists: return std::none_of(begin, end, fits);
    default: return std::all_of(begin, end, fits);
  }
}

}  // namespace warpsim::litmus
