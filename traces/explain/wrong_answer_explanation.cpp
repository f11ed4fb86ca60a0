// Which inputs went into a wrong element, and which did not: see wrong_answer_explanation.h.
#include "traces/explain/wrong_answer_explanation.h"

#include <algorithm>
#include <iterator>

namespace warpsim::wrong {
namespace {

constexpr std::size_t kSteps = 8;

}  // namespace

Explanation::Explanation(const Trace& trace, const Dataflow& flow, std::int32_t param,
                         const std::vector<std::size_t>& wrong, const Array& expected, const Array& got)
    : trace_(trace),
      flow_(flow),
      name_(trace.head.params[static_cast<std::size_t>(param)].name),
      wrong_(wrong),
      expected_(expected),
      first_(wrong.front()),
      stores_(stores_to(trace, param)) {
  finding_.code = Finding::WrongOutput;
  finding_.message = {
      MessageId::IsInsteadOf,
      {element(first_), format_value(got.type, got.bits[first_]), format_value(expected.type, expected.bits[first_])}};
  got_ = got.bits[first_];
  size_ = got.bits.size();
  for (const auto& [stored, index] : stores_) {
    if (index == first_) stored_ = stored;
  }
}

std::vector<InputElement> Explanation::computed_from() const {
  return stored_ ? flow_.contributions(value()) : std::vector<InputElement>{};
}

RunFinding Explanation::explain(const Inputs& depends_on, const Inputs& tried) {
  if (stored_) {
    const TraceEvent& at = event(*stored_);
    finding_.cycle = at.cycle.value_or(0);
    finding_.block = at.block;
    finding_.warp = at.warp;
    finding_.pc = at.pc;
    finding_.lanes = lane_bit(stored_->lane);
    step(stored_->event, lane_bit(stored_->lane), {MessageId::StoresThis, {lane_named(stored_->lane)}});
    if (!depends_on.empty()) compare(depends_on, tried);
    else as_closed_form();
    other_storers();
  } else {
    never_stored();
  }
  if (wrong_.size() > 1)
    add_sentence(finding_.message, {MessageId::ElementsWrong, {wrong_.size(), size_, which_ones(wrong_, size_)}});
  return finding_;
}

// The first says what the wrong value comes from.
void Explanation::say(Message sentence) {
  if (finding_.message.id != MessageId::IsInsteadOf) return add_sentence(finding_.message, std::move(sentence));
  finding_.message.id = MessageId::IsInsteadOfBecause;
  finding_.message.parts.push_back(std::move(sentence));
}

void Explanation::step(std::size_t n, LaneMask lanes, Message text) {
  const TraceEvent& at = trace_.events[n];
  finding_.steps.push_back({at.cycle.value_or(0), at.block, at.warp, at.pc, lanes, std::move(text)});
}

std::string Explanation::names(const Inputs& inputs) const { return names_of(trace_.head, inputs); }

// The rule names no input: what it depends on is what its numbers are of the inputs.
void Explanation::as_closed_form() {
  const std::vector<InputElement> list = computed_from();
  const std::optional<ClosedForm> form = closed_form_of(trace_, expected_, first_, Inputs(list.begin(), list.end()));
  if (!form) return only_what_reached();
  finding_.message.parts[2] = form->value;
  compare(form->from, all_inputs(trace_));
}

void Explanation::compare(const Inputs& depends_on, const Inputs& tried) {
  const std::vector<InputElement> list = computed_from();
  const Inputs from(list.begin(), list.end());
  Inputs missing, extra;
  std::set_difference(depends_on.begin(), depends_on.end(), from.begin(), from.end(),
                      std::inserter(missing, missing.end()));
  for (const InputElement& input : from)
    if (depends_on.count(input) == 0 && tried.count(input) != 0) extra.insert(input);
  if (missing.empty() && extra.empty()) return right_inputs(from);
  const Inputs never = never_heard(trace_, *stored_, missing);
  if (!missing.empty() && !extra.empty()) {
    say({missing.size() == 1 ? MessageId::ComputedFromNotOne : MessageId::ComputedFromNotSeveral,
         {names(extra), names(missing)}});
    beside(missing, extra);
  } else if (!extra.empty()) {
    say({MessageId::GoesInUnasked, {names(extra)}});
  }
  if (!never.empty()) never_came(never, extra.empty());
  else if (!missing.empty() && extra.empty()) not_taken(missing);
  if (finding_.hint.empty() && !missing.empty())
    finding_.hint = never.empty() ? MessageId::TryWhatTakesIn : MessageId::TryFollowShuffles;
  if (!missing.empty() && depends_on.size() > 1) complete_on_one_lane();
  received();
}

// The register that is stored holds what is expected on one other lane of the warp: the end of a tree, say.
void Explanation::complete_on_one_lane() {
  const std::vector<FlowSource> stored = flow_.sources(value());
  if (stored.size() != 1 || stored[0].kind != FlowSource::Kind::Value || stored[0].reg < 0) return;
  const TraceEvent& store = event(*stored_);
  std::map<unsigned, std::uint64_t> held;
  for (std::size_t n = 0; n < stored_->event; ++n) {
    const TraceEvent& at = trace_.events[n];
    if (at.block != store.block || at.warp != store.warp) continue;
    for (const TraceWrite& write : at.writes) {
      std::size_t k = 0;
      for_each_lane(write.lanes, [&](unsigned lane) {
        if (write.reg == stored[0].reg) held[lane] = write.bits[k];
        ++k;
      });
    }
  }
  LaneMask complete = 0;
  for (const auto& [lane, bits] : held)
    if (bits == expected_.bits[first_]) complete |= lane_bit(lane);
  if (count_lanes(complete) != 1 || held.size() < 2 || has_lane(complete, stored_->lane)) return;
  const Message lane = lane_named(first_lane(complete));
  add_sentence(finding_.message, {MessageId::CompleteOnOneLane,
                                  {trace_.head.registers[static_cast<std::size_t>(stored[0].reg)].name, lane}});
  finding_.hint = {MessageId::TryBroadcastResult, {lane}};
}

// Nothing proves that it did not come to the lane; but it is not in the value.
void Explanation::not_taken(const Inputs& missing) {
  say({MessageId::CameButNotIn, {names(missing), lane_named(stored_->lane)}});
  const ShuffleReason reason = missing_offset(trace_, *stored_);
  if (reason.text.empty()) return;
  say(reason.text);
  finding_.hint = reason.hint;
}

// Inputs of which each stands as far from the one that is missing.
void Explanation::beside(const Inputs& missing, const Inputs& extra) {
  const bool by_shuffle = shuffle_reason(trace_, *stored_, stored_->lane).pc >= 0;
  if (by_shuffle || missing.size() != extra.size()) return;
  const std::int64_t far = extra.begin()->index - missing.begin()->index;
  for (auto m = missing.begin(), e = extra.begin(); m != missing.end(); ++m, ++e)
    if (m->param != e->param || e->index - m->index != far) return;
  finding_.hint = {MessageId::TryIndexOff, {far < 0 ? -far : far}};
}

// Of what never came: which lanes had it, and why the shuffles do not bring it.
void Explanation::never_came(const Inputs& never, bool first) {
  const Loaders loaders = loaders_of(trace_, *stored_, never);
  const Message lane = lane_named(stored_->lane);
  if (loaders.lanes != 0) {
    const ShuffleReason reason = shuffle_reason(trace_, *stored_, first_lane(loaders.lanes));
    if (reason.pc < 0 && !first) return;  // no shuffle was to bring it: it should have loaded it itself
    say({MessageId::NeverHeard, {lane, lanes_named(loaders.lanes)}});
    if (!reason.text.empty()) say(reason.text);
    if (!reason.hint.empty()) finding_.hint = reason.hint;
    for (std::size_t k = 0; k < std::min<std::size_t>(loaders.events.size(), 2); ++k)
      step(loaders.events[k].first, lane_bit(loaders.events[k].second),
           {MessageId::LoadsMissing, {lane_named(loaders.events[k].second)}});
  } else if (!loaders.elsewhere.empty() && first) {
    say({MessageId::OtherWarpsLoad, {names(loaders.elsewhere), lane}});
  } else if (!loaders.by_nobody.empty() && first) {
    say({MessageId::NobodyLoads, {names(loaders.by_nobody)}});
  }
}

void Explanation::right_inputs(const Inputs& from) {
  const Message all =
      from.size() == 1 ? Message(MessageId::ReachedIt, {names(from)}) : Message(MessageId::AllReachedIt, {from.size()});
  if (often(all)) return;
  if (begins_with_constant(all)) return;
  say({MessageId::TryOtherOperation, {all}});
  finding_.hint = MessageId::TryOperation;
  received();
}

// Where an input goes in more often than another.
bool Explanation::often(const Message& all) {
  const std::map<InputElement, std::uint64_t> times = times_in(trace_, flow_, value());
  std::uint64_t most = 1, least = ~std::uint64_t{0};
  for (const auto& [input, n] : times) {
    most = std::max(most, n);
    least = std::min(least, n);
  }
  if (times.empty() || most == 1) return false;
  Inputs twice;
  for (const auto& [input, n] : times)
    if (n == most) twice.insert(input);
  const Loaders loaders = loaders_of(trace_, *stored_, twice);
  const LaneMask others = loaders.lanes & ~lane_bit(stored_->lane);
  const bool one = twice.size() == 1;
  const MessageId times_it_goes_in = least == most ? (one ? MessageId::GoesInTimes : MessageId::GoInTimes)
                                     : least == 1  ? (one ? MessageId::GoesInOthersOnce : MessageId::GoInOthersOnce)
                                                   : (one ? MessageId::GoesInOthersLess : MessageId::GoInOthersLess);
  Message goes_in(times_it_goes_in, {names(twice), most});
  say(all.empty() ? std::move(goes_in) : Message(MessageId::But, {all, std::move(goes_in)}));
  if (others != 0) say({MessageId::HeardTwice, {lane_named(stored_->lane), lanes_named(others)}});
  received();
  return true;
}

// Is the value a constant that it began with, as of a largest that begins with 0?
bool Explanation::begins_with_constant(const Message& all) {
  for (const FlowValue& one : flow_.slice(value())) {
    if (one.reg < 0 || !flow_.sources(one).empty() || trace_.events[one.event].memory) continue;
    for (const TraceWrite& write : trace_.events[one.event].writes) {
      if (write.reg != one.reg || !has_lane(write.lanes, one.lane)) continue;
      const std::size_t place = count_lanes(write.lanes & (lane_bit(one.lane) - 1));
      if (write.bits[place] != got_) continue;
      say({MessageId::ButConstant, {all, lane_named(one.lane)}});
      finding_.hint = MessageId::TryIdentity;
      step(one.event, lane_bit(one.lane), {MessageId::BeginsWithThis, {lane_named(one.lane)}});
      return true;
    }
  }
  return false;
}

void Explanation::only_what_reached() {
  const std::vector<InputElement> list = computed_from();
  const Inputs from(list.begin(), list.end());
  if (from.empty()) {
    say(MessageId::NoInputWentIn);
    return;
  }
  const std::string& input = trace_.head.params[static_cast<std::size_t>(from.begin()->param)].name;
  finding_.hint = {MessageId::TryRuleOverInputs, {name_, input}};
  say(MessageId::CaseDoesNotSay);
  say({MessageId::WentIn, {names(from)}});
  const ShuffleReason reason = missing_offset(trace_, *stored_);
  if (!reason.text.empty()) {
    say(reason.text);
    finding_.hint = reason.hint;
  } else if (often({})) {
    return;
  }
  received();
}

// The shuffles that brought the lane something that went in, the last first.
void Explanation::received() {
  std::size_t shown = 0;
  for (const FlowValue& one : flow_.slice(value())) {
    const TraceEvent& at = trace_.events[one.event];
    if (!at.exchange || one.reg < 0 || one.lane != stored_->lane || !has_lane(at.exchange->lanes, one.lane)) continue;
    if (shown++ == kSteps) return;
    const unsigned from = at.exchange->from[count_lanes(at.exchange->lanes & (lane_bit(one.lane) - 1))];
    step(one.event, lane_bit(one.lane),
         from == one.lane ? Message(MessageId::KeepsOwnHere, {lane_named(one.lane)})
                          : Message(MessageId::HearsHere, {lane_named(one.lane), lane_named(from)}));
  }
}

}  // namespace warpsim::wrong
