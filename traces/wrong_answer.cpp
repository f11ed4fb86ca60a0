// The explanation of a wrong answer, put together: see wrong_answer.h.
#include "traces/wrong_answer.h"

#include <algorithm>
#include <string_view>

#include "traces/state.h"
#include "traces/wrong_answer_parts.h"

namespace warpsim {
namespace wrong {

std::optional<Thread> thread_of(const TraceHead& head, std::size_t number) {
  if (head.block.count() != head.block.x || head.grid.count() != head.grid.x || head.block.x == 0) return std::nullopt;
  if (number >= head.block.count() * head.grid.count()) return std::nullopt;
  const std::size_t in_block = number % head.block.x;
  return Thread{static_cast<std::uint32_t>(number / head.block.x), static_cast<std::uint32_t>(in_block / head.lanes),
                static_cast<unsigned>(in_block % head.lanes)};
}

std::optional<std::size_t> number_of(const TraceHead& head, const Thread& thread) {
  const std::size_t number =
      std::size_t{thread.block} * head.block.x + std::size_t{thread.warp} * head.lanes + thread.lane;
  return thread_of(head, number) == thread ? std::optional(number) : std::nullopt;
}

std::vector<std::pair<Stored, std::size_t>> stores_to(const Trace& trace, std::int32_t param) {
  std::vector<std::pair<Stored, std::size_t>> stores;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const TraceEvent& event = trace.events[n];
    if (!event.memory || !event.memory->writes() || event.memory->space == "shared") continue;
    std::size_t k = 0;
    for_each_lane(event.memory->lanes, [&](unsigned lane) {
      for (unsigned e = 0; e < event.memory->elements && event.memory->object[k] == param; ++e)
        stores.push_back({{n, lane, e}, static_cast<std::size_t>(event.memory->index[k]) + e});
      ++k;
    });
  }
  return stores;
}

}  // namespace wrong

namespace {

using wrong::Inputs;
using wrong::Stored;

constexpr std::size_t kSteps = 8;

std::string lane_name(unsigned lane) { return "lane " + std::to_string(lane); }
std::string lanes_text(LaneMask lanes) { return (count_lanes(lanes) == 1 ? "lane " : "lanes ") + lane_ranges(lanes); }

// The wrong elements of an output: those that differ and hold something defined.
std::vector<std::size_t> wrong_elements(const TraceOutcome& outcome, const std::string& name, const Array& expected,
                                        const Array& got) {
  std::vector<std::size_t> list;
  const auto undefined = std::find_if(outcome.undefined.begin(), outcome.undefined.end(),
                                      [&](const UndefinedElements& one) { return one.name == name; });
  for (std::size_t k = 0; k < std::min(expected.bits.size(), got.bits.size()); ++k) {
    const bool holds_nothing =
        undefined != outcome.undefined.end() && std::binary_search(undefined->index.begin(), undefined->index.end(), k);
    if (expected.bits[k] != got.bits[k] && !holds_nothing) list.push_back(k);
  }
  return list;
}

class Explanation {
 public:
  Explanation(const Trace& trace, const Dataflow& flow, std::int32_t param, const Array& expected, const Array& got,
              const std::vector<std::size_t>& wrong)
      : trace_(trace),
        flow_(flow),
        name_(trace.head.params[static_cast<std::size_t>(param)].name),
        wrong_(wrong),
        first_(wrong.front()),
        stores_(wrong::stores_to(trace, param)) {
    finding_.code = Finding::WrongOutput;
    finding_.message = element(first_) + " is " + format_value(got.type, got.bits[first_]) + ", expected " +
                       format_value(expected.type, expected.bits[first_]);
    got_ = got.bits[first_];
    size_ = got.bits.size();
    for (const auto& [stored, index] : stores_) {
      if (index == first_) stored_ = stored;
    }
  }

  // The inputs that the value was computed from.
  std::vector<InputElement> computed_from() const {
    return stored_ ? flow_.contributions(value()) : std::vector<InputElement>{};
  }

  RunFinding explain(const Inputs& depends_on, const Inputs& tried) {
    if (stored_) {
      const TraceEvent& at = event(*stored_);
      finding_.cycle = at.cycle.value_or(0);
      finding_.block = at.block;
      finding_.warp = at.warp;
      finding_.pc = at.pc;
      finding_.lanes = lane_bit(stored_->lane);
      step(stored_->event, lane_bit(stored_->lane), lane_name(stored_->lane) + " stores it");
      if (!depends_on.empty()) compare(depends_on, tried);
      else only_what_reached();
      other_storers();
    } else {
      never_stored();
    }
    if (wrong_.size() > 1)
      finding_.message += "; " + std::to_string(wrong_.size()) + " of " + std::to_string(size_) +
                          " elements are wrong: " + wrong::which_ones(wrong_, size_);
    return finding_;
  }

 private:
  std::string element(std::size_t index) const { return name_ + "[" + std::to_string(index) + "]"; }
  const TraceEvent& event(const Stored& stored) const { return trace_.events[stored.event]; }
  FlowValue value() const { return {stored_->event, stored_->lane, -1, stored_->element}; }

  void say(const std::string& text) { finding_.message += (said_++ == 0 ? ": " : "; ") + text; }
  void step(std::size_t n, LaneMask lanes, const std::string& text) {
    const TraceEvent& at = trace_.events[n];
    finding_.steps.push_back({at.cycle.value_or(0), at.block, at.warp, at.pc, lanes, text});
  }

  // "input[3]", "input[0..7, 12]", "a[0], b[0]"
  std::string names(const Inputs& inputs) const {
    std::string text;
    for (auto at = inputs.begin(); at != inputs.end();) {
      const std::int32_t param = at->param;
      std::vector<std::size_t> numbers;
      for (; at != inputs.end() && at->param == param; ++at) numbers.push_back(static_cast<std::size_t>(at->index));
      text += (text.empty() ? "" : ", ") + trace_.head.params[static_cast<std::size_t>(param)].name + "[" +
              wrong::number_list(numbers, 6) + "]";
    }
    return text;
  }

  void compare(const Inputs& depends_on, const Inputs& tried) {
    const std::vector<InputElement> list = computed_from();
    const Inputs from(list.begin(), list.end());
    Inputs missing, extra;
    std::set_difference(depends_on.begin(), depends_on.end(), from.begin(), from.end(),
                        std::inserter(missing, missing.end()));
    for (const InputElement& input : from)
      if (depends_on.count(input) == 0 && tried.count(input) != 0) extra.insert(input);
    if (missing.empty() && extra.empty()) return right_inputs(from);
    const Inputs never = wrong::never_heard(trace_, *stored_, missing);
    if (!missing.empty() && !extra.empty()) {
      say("it is computed from " + names(extra) + ", where " + names(missing) + (missing.size() == 1 ? " is" : " are") +
          " expected to go in");
      beside(missing, extra);
    } else if (!extra.empty()) {
      say(names(extra) + " goes in, on which what is expected does not depend");
    }
    if (!never.empty()) never_came(never, extra.empty());
    else if (!missing.empty() && extra.empty()) not_taken(missing);
    received();
  }

  // Nothing proves that it did not come to the lane; but it is not in the value.
  void not_taken(const Inputs& missing) {
    say(names(missing) + " may have come to " + lane_name(stored_->lane) + ", but did not go into the value");
    const wrong::ShuffleReason reason = wrong::missing_offset(trace_, *stored_);
    if (reason.text.empty()) return;
    say(reason.text);
    finding_.hint = reason.hint;
  }

  // Inputs of which each stands as far from the one that is missing.
  void beside(const Inputs& missing, const Inputs& extra) {
    if (missing.size() != extra.size()) return;
    const std::int64_t far = extra.begin()->index - missing.begin()->index;
    for (auto m = missing.begin(), e = extra.begin(); m != missing.end(); ++m, ++e)
      if (m->param != e->param || e->index - m->index != far) return;
    finding_.hint = "is the index off by " + std::to_string(far < 0 ? -far : far) + "?";
  }

  // Of what never came: which lanes had it, and why the shuffles do not bring it.
  void never_came(const Inputs& never, bool first) {
    const wrong::Loaders loaders = wrong::loaders_of(trace_, *stored_, never);
    const std::string lane = lane_name(stored_->lane);
    if (loaders.lanes != 0) {
      const wrong::ShuffleReason reason = wrong::shuffle_reason(trace_, *stored_, first_lane(loaders.lanes));
      if (reason.pc < 0 && !first) return;  // no shuffle was to bring it: it should have loaded it itself
      say(lane + " never heard " + lanes_text(loaders.lanes));
      if (!reason.text.empty()) say(reason.text);
      if (!reason.hint.empty()) finding_.hint = reason.hint;
      for (std::size_t k = 0; k < std::min<std::size_t>(loaders.events.size(), 2); ++k)
        step(loaders.events[k].first, lane_bit(loaders.events[k].second),
             lane_name(loaders.events[k].second) + " loads what is missing");
    } else if (!loaders.elsewhere.empty() && first) {
      say(names(loaders.elsewhere) + ", which other warps alone load, never came to " + lane);
    } else if (!loaders.by_nobody.empty() && first) {
      say("nobody loads " + names(loaders.by_nobody));
    }
  }

  void right_inputs(const Inputs& from) {
    const std::string all = from.size() == 1
                                ? names(from) + " reached it, as it should"
                                : "all " + std::to_string(from.size()) + " inputs that it depends on reached it";
    if (often(all)) return;
    if (begins_with_constant(all)) return;
    say(all + ": look at the operation and its order, not at the shuffles");
    received();
  }

  // Where an input goes in more often than another.
  bool often(const std::string& all) {
    const std::map<InputElement, std::uint64_t> times = wrong::times_in(trace_, flow_, value());
    std::uint64_t most = 1, least = ~std::uint64_t{0};
    for (const auto& [input, n] : times) {
      most = std::max(most, n);
      least = std::min(least, n);
    }
    if (times.empty() || most == 1) return false;
    Inputs twice;
    for (const auto& [input, n] : times)
      if (n == most) twice.insert(input);
    const wrong::Loaders loaders = wrong::loaders_of(trace_, *stored_, twice);
    const LaneMask others = loaders.lanes & ~lane_bit(stored_->lane);
    say(all + (all.empty() ? "" : ", but ") + names(twice) + (twice.size() == 1 ? " goes" : " go") + " in " +
        std::to_string(most) + " times" +
        (least == most ? ""
         : least == 1  ? ", others once"
                       : ", others less often"));
    if (others != 0) say(lane_name(stored_->lane) + " heard " + lanes_text(others) + " more than once");
    received();
    return true;
  }

  // Is the value a constant that it began with, as of a largest that begins with 0?
  bool begins_with_constant(const std::string& all) {
    for (const FlowValue& one : flow_.slice(value())) {
      if (one.reg < 0 || !flow_.sources(one).empty() || trace_.events[one.event].memory) continue;
      for (const TraceWrite& write : trace_.events[one.event].writes) {
        if (write.reg != one.reg || !has_lane(write.lanes, one.lane)) continue;
        const std::size_t place = count_lanes(write.lanes & (lane_bit(one.lane) - 1));
        if (write.bits[place] != got_) continue;
        say(all + ", but its value is the one that " + lane_name(one.lane) + " began with, which no input changed");
        finding_.hint = "begin with the operation's identity, or with an input";
        step(one.event, lane_bit(one.lane), lane_name(one.lane) + " begins with this");
        return true;
      }
    }
    return false;
  }

  void only_what_reached() {
    const std::vector<InputElement> list = computed_from();
    const Inputs from(list.begin(), list.end());
    if (from.empty()) {
      say("no input went into the value itself: it comes from constants and lane numbers");
      return;
    }
    say("the case does not say which inputs it depends on; " + names(from) + " went in");
    const wrong::ShuffleReason reason = wrong::missing_offset(trace_, *stored_);
    if (!reason.text.empty()) {
      say(reason.text);
      finding_.hint = reason.hint;
    } else if (often("")) {
      return;
    }
    received();
  }

  // The shuffles that brought the lane something that went in, the last first.
  void received() {
    std::size_t shown = 0;
    for (const FlowValue& one : flow_.slice(value())) {
      const TraceEvent& at = trace_.events[one.event];
      if (!at.exchange || one.reg < 0 || one.lane != stored_->lane || !has_lane(at.exchange->lanes, one.lane)) continue;
      if (shown++ == kSteps) return;
      const unsigned from = at.exchange->from[count_lanes(at.exchange->lanes & (lane_bit(one.lane) - 1))];
      step(one.event, lane_bit(one.lane),
           lane_name(one.lane) +
               (from == one.lane ? " keeps its own value here" : " hears " + lane_name(from) + " here"));
    }
  }

  // The thread of its number stored to it, too, but earlier; or every thread stores beside its number.
  void other_storers() {
    const std::optional<wrong::Thread> owner = wrong::thread_of(trace_.head, first_);
    if (!owner || *owner == thread_at(*stored_)) return;
    for (const auto& [stored, index] : stores_) {
      if (thread_at(stored) != *owner || index != first_) continue;
      say("thread " + std::to_string(first_) + " stored to it first, then " + thread_text(thread_at(*stored_)));
      step(stored.event, lane_bit(stored.lane), lane_name(stored.lane) + " stores to it first");
      return;
    }
    shifted();
  }

  wrong::Thread thread_at(const Stored& stored) const { return {event(stored).block, event(stored).warp, stored.lane}; }
  std::string thread_text(const wrong::Thread& thread) const {
    const std::optional<std::size_t> number = wrong::number_of(trace_.head, thread);
    return number ? "thread " + std::to_string(*number) : lane_name(thread.lane);
  }

  // Does every thread store beside its own number?
  void shifted() {
    std::optional<std::int64_t> shift;
    for (const auto& [stored, index] : stores_) {
      const std::optional<std::size_t> number = wrong::number_of(trace_.head, thread_at(stored));
      if (!number) return;
      const std::int64_t now = static_cast<std::int64_t>(index) - static_cast<std::int64_t>(*number);
      if (shift && *shift != now) return;
      shift = now;
    }
    if (stores_.size() < 2 || !shift || *shift == 0) return;
    say("every thread stores at its number " + std::string(*shift > 0 ? "+ " : "- ") +
        std::to_string(*shift > 0 ? *shift : -*shift));
  }

  void never_stored() {
    say("nobody stores it");
    if (stores_.empty()) {
      finding_.message += ", nor any element of " + name_;
      return;
    }
    const auto& [some, where] = stores_.front();
    finding_.cycle = event(some).cycle.value_or(0);
    finding_.block = event(some).block;
    finding_.warp = event(some).warp;
    finding_.pc = event(some).pc;
    const std::optional<wrong::Thread> owner = wrong::thread_of(trace_.head, first_);
    if (!owner) return;
    for (const auto& [stored, index] : stores_) {
      if (thread_at(stored) != *owner) continue;
      say("thread " + std::to_string(first_) + " stores to " + element(index));
      finding_.lanes = lane_bit(stored.lane);
      step(stored.event, lane_bit(stored.lane), lane_name(stored.lane) + " stores to " + element(index));
      return shifted();
    }
    say("thread " + std::to_string(first_) + ", " + lane_name(owner->lane) + " of its warp, comes to no store to " +
        name_);
    for (std::size_t n = trace_.events.size(); n-- > 0;) {
      const TraceEvent& at = trace_.events[n];
      const bool present = at.block == owner->block && at.warp == owner->warp && has_lane(at.group, owner->lane);
      if (!present) continue;
      const bool off = !has_lane(at.active, owner->lane);
      step(n, lane_bit(owner->lane), off ? "its guard switches it off here" : "the last that it executes");
      if (off) continue;
      return;
    }
  }

  const Trace& trace_;
  const Dataflow& flow_;
  const std::string& name_;
  const std::vector<std::size_t>& wrong_;
  std::size_t first_, size_ = 0;
  int said_ = 0;
  std::uint64_t got_ = 0;
  std::vector<std::pair<Stored, std::size_t>> stores_;
  std::optional<Stored> stored_;  // the last to the first wrong element
  RunFinding finding_;
};

}  // namespace

std::vector<RunFinding> explain_wrong_answers(const Trace& trace, const Expected& expected) {
  std::vector<RunFinding> found;
  if (trace.outcome.trap) return found;
  const Dataflow flow(trace);
  std::vector<std::vector<std::size_t>> wrong_of;
  std::vector<Explanation> explanations;
  std::vector<InputElement> likely;
  wrong::Elements firsts;
  std::vector<std::string> names;
  wrong_of.reserve(trace.outcome.expected.size());
  for (const auto& [name, array] : trace.outcome.expected) {
    for (std::size_t p = 0; p < trace.head.params.size(); ++p) {
      if (trace.head.params[p].name != name) continue;
      for (const auto& [output, got] : trace.outcome.outputs) {
        if (output != name) continue;
        const std::vector<std::size_t> wrong = wrong_elements(trace.outcome, name, array, got);
        if (wrong.empty()) continue;
        wrong_of.push_back(wrong);
        explanations.emplace_back(trace, flow, static_cast<std::int32_t>(p), array, got, wrong_of.back());
        const std::vector<InputElement> from = explanations.back().computed_from();
        likely.insert(likely.end(), from.begin(), from.end());
        firsts[name] = wrong.front();
        names.push_back(name);
      }
    }
  }
  if (explanations.empty()) return found;
  wrong::Dependence depends = wrong::dependence_of(trace, expected, firsts, likely);
  for (std::size_t k = 0; k < explanations.size(); ++k)
    found.push_back(explanations[k].explain(depends.on[names[k]], depends.tried));
  return found;
}

}  // namespace warpsim
