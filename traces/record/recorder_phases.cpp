// Where a run enters a phase, and what the phase's title says there; and what is asserted of the lanes that arrive at
// an instruction.
#include "traces/record/recorder.h"

#include <set>
#include <string_view>

#include "isa/table/findings.h"
#include "sim/machine/machine.h"

namespace warpsim {

// What a title may ask: the warp as it is before the phase's first instruction.
class Recorder::TitleView : public TemplateView {
 public:
  TitleView(const Recorder& recorder, const TracePhaseStart& start, const IssueEvent& event)
      : recorder_(recorder), start_(start), event_(event) {}

  unsigned warp_size() const override { return head().lanes; }
  Dim3 grid() const override { return head().grid; }
  Dim3 block() const override { return head().block; }
  std::uint32_t block_index() const override { return event_.block; }
  std::uint32_t warp_index() const override { return event_.warp; }
  std::uint32_t phase_number() const override { return start_.number; }
  std::uint32_t phase_step() const override { return start_.step; }
  LaneMask lanes() const override { return event_.group; }

  TemplateValue reg(std::string_view name, unsigned lane, bool) const override {
    for (std::size_t k = 0; k < head().registers.size(); ++k) {
      if (head().registers[k].name != name) continue;
      const std::int32_t index = static_cast<std::int32_t>(k);
      if (has_lane(recorder_.state_.undefined(event_.block, event_.warp, index), lane))
        return TemplateValue::undefined();
      return TemplateValue::of(head().registers[k].type, recorder_.state_.bits(event_.block, event_.warp, index, lane));
    }
    return {};
  }

  TemplateValue param(std::string_view name) const override {
    for (const TraceParam& param : head().params)
      if (param.name == name && !param.is_buffer()) return TemplateValue::of(param.type, param.bits);
    return {};
  }

  TemplateValue element(std::string_view buffer, std::int64_t index) const override {
    if (!recorder_.buffer_of_ || recorder_.program_->find_param(buffer) < 0) return {};
    const Array array = recorder_.buffer_of_(std::string(buffer));
    if (index < 0 || static_cast<std::uint64_t>(index) >= array.bits.size()) return {};
    return TemplateValue::of(array.type, array.bits[static_cast<std::size_t>(index)]);
  }

 private:
  const TraceHead& head() const { return recorder_.trace_.head; }
  const Recorder& recorder_;
  const TracePhaseStart& start_;
  const IssueEvent& event_;
};

// An instance begins when lanes arrive at the phase's first instruction, or enter its middle from another phase.
void Recorder::start_phase(const IssueEvent& event) {
  const std::int32_t phase = trace_.head.code[static_cast<std::size_t>(event.pc)].phase;
  const std::size_t index = static_cast<std::size_t>(phase);
  WarpPhases& warp = phases_[{event.block, event.warp}];
  if (warp.of_lane.empty()) {
    warp.of_lane.assign(trace_.head.lanes, -1);
    warp.steps.assign(trace_.head.phases.size(), 0);
  }
  bool already_there = false;
  for_each_lane(event.group, [&](unsigned lane) {
    already_there = already_there || warp.of_lane[lane] == phase;
    warp.of_lane[lane] = phase;
  });
  if (already_there && event.pc != options_.lesson->phases[index].first_pc) return;
  TracePhaseStart start;
  start.phase = phase;
  if (counts(trace_.head.phases[index])) ++warp.number;
  start.number = warp.number;
  start.step = ++warp.steps[index];
  start.title = titles_[index].fill(TitleView(*this, start, event));
  event_.phase = std::move(start);
}

// One finding an assertion: the first time that it does not hold.
void Recorder::check_assertions(const IssueEvent& event) {
  for (std::size_t k = 0; k < program_->assertions.size(); ++k) {
    const Assertion& one = program_->assertions[k];
    if (one.pc != event.pc || conditions_[k].empty()) continue;
    const TracePhaseStart no_phase;
    const TitleView view(*this, no_phase, event);
    LaneMask wrong = 0, undefined = 0;
    for_each_lane(event.group, [&](unsigned lane) {
      const TemplateValue value = conditions_[k].evaluate({view, lane, event.group, nullptr});
      if (value.kind == TemplateValue::Kind::Undefined) undefined |= lane_bit(lane);
      else if (!value.is_true()) wrong |= lane_bit(lane);
    });
    if ((wrong | undefined) == 0) continue;
    TraceFinding& found = failed_.emplace_back();
    found.code = Finding::AssertFailed;
    found.kind = kind(Finding::AssertFailed);
    const LaneMask lanes = wrong != 0 ? wrong : undefined;
    const std::string asked = one.condition + (one.message.empty() ? "" : " (" + one.message + ")");
    const unsigned lane = first_lane(lanes);
    const std::string values = values_of(conditions_[k], view, lane);
    if (values.empty())
      found.message = {wrong != 0 ? MessageId::AssertionFails : MessageId::AssertionUndefined,
                       {lanes_named(lanes), asked}};
    else
      found.message = {wrong != 0 ? MessageId::AssertionFailsWith : MessageId::AssertionUndefinedWith,
                       {lanes_named(lanes), asked, lane, values}};
    found.hint = info(Finding::AssertFailed).hint;
    found.cycle = event.cycle;
    found.block = event.block;
    found.warp = event.warp;
    found.pc = event.pc;
    found.lanes = lanes;
    conditions_[k] = Expression();
  }
}

// "%sum = 7, %n = 8"
std::string Recorder::values_of(const Expression& condition, const TemplateView& view, unsigned lane) {
  std::string text;
  std::set<std::string_view> said;
  for (const std::string_view name : condition.names()) {
    if (!said.insert(name).second) continue;
    const TemplateValue value = name.starts_with('%') ? view.reg(name, lane, false) : view.param(name);
    if (value.kind == TemplateValue::Kind::Missing) continue;
    text += (text.empty() ? "" : ", ") + std::string(name) + " = " +
            (value.kind == TemplateValue::Kind::Undefined ? "?" : format_value(value.type, value.bits));
  }
  return text;
}

Diagnostics check_assertions(const Program& program) {
  Diagnostics diagnostics;
  diagnostics.file = program.source().name;
  diagnostics.text = program.source().text;
  for (const Assertion& one : program.assertions) {
    const Expression condition(one.condition);
    if (!condition.error().empty()) diagnostics.error("A039", one.where, "the condition: " + condition.error());
    for (const std::string_view name : condition.names()) {
      const bool known = name.starts_with('%') ? program.find_register(name) >= 0 : program.find_param(name) >= 0;
      if (!known)
        diagnostics.error("A039", one.where,
                          "the condition asks for `" + std::string(name) + "`, which the program does not have");
    }
  }
  return diagnostics;
}

}  // namespace warpsim
