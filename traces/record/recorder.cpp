// Converting the machine's events as they come.
#include "traces/record/recorder.h"

#include <algorithm>
#include <utility>

#include "isa/kernels/windows.h"

#include "sim/machine/machine.h"
#include "sim/memory/memory.h"
#include "sim/timing/profile.h"

namespace warpsim {
namespace {

// The elements of `row`, which has one a lane, at the lanes of the mask.
template <class To, class From>
std::vector<To> pick(const From* row, LaneMask lanes) {
  std::vector<To> picked;
  picked.reserve(count_lanes(lanes));
  for_each_lane(lanes, [&](unsigned lane) { picked.push_back(static_cast<To>(row[lane])); });
  return picked;
}

TraceMask convert(const MaskEvent& event) {
  switch (event.kind) {
    case MaskEvent::Kind::Branch: return {event.kind, event.taken, event.not_taken, event.target, event.reconvergence};
    case MaskEvent::Kind::Reconverge: return {event.kind, event.taken, 0, event.target, -1};
    case MaskEvent::Kind::Exit: break;
  }
  return {event.kind, event.taken, 0, -1, -1};
}

// A fuzzed or timed schedule gives an output that nothing orders in any order.
bool is_as_expected(const Array& output, const Array& expected, bool any_order) {
  if (!any_order || output.type != expected.type) return output == expected;
  std::vector<std::uint64_t> have = output.bits, want = expected.bits;
  std::sort(have.begin(), have.end());
  std::sort(want.begin(), want.end());
  return have == want;
}

// What a trap and a finding have in common.
template <class Fault>
TraceFinding fault_of(const Fault& fault) {
  TraceFinding out;
  out.code = fault.code;
  out.message = fault.message;
  out.hint = fault.hint;
  out.cycle = fault.cycle;
  out.block = fault.block;
  out.warp = fault.warp;
  out.pc = fault.pc;
  out.lanes = fault.lanes;
  for (const LanePlace& place : fault.places)
    out.places.push_back({place.block, place.warp, place.lanes, place.pc, place.waits_for});
  return out;
}

// The trap says the same of the same place.
bool is_said_by_trap(const RunResult& result, const RunFinding& found) {
  return !result.ok && result.trap.code == found.code && result.trap.pc == found.pc;
}

}  // namespace

TraceTrap told(const Trap& trap) {
  TraceTrap out = fault_of(trap);
  out.kind = name(trap.kind);
  return out;
}

TraceFinding told(const RunFinding& found) {
  TraceFinding out = fault_of(found);
  out.kind = kind(found.code);
  if (out.hint.empty()) out.hint = info(found.code).hint;
  for (const FindingStep& step : found.steps)
    out.steps.push_back({step.cycle, step.block, step.warp, step.pc, step.lanes, step.text});
  return out;
}

std::vector<TraceFinding> told(const Checker& checker, const RunResult& result) {
  std::vector<TraceFinding> findings;
  for (const RunFinding& found : checker.found())
    if (!is_said_by_trap(result, found)) findings.push_back(told(found));
  return findings;
}

Recorder::Recorder(RecorderOptions options) : options_(std::move(options)) {
  if (options_.checker == nullptr && options_.marks_undefined && !options_.hardware) own_undefined_.emplace();
}
Recorder::Recorder(RecorderOptions options, TraceConsumer consumer) : Recorder(std::move(options)) {
  consumer_ = std::move(consumer);
  keep_events_ = false;
}

void Recorder::on_start(const Machine& machine) {
  if (own_undefined_) own_undefined_->on_start(machine);
  undefined_ = options_.checker != nullptr ? &options_.checker->undefined()
               : own_undefined_            ? &own_undefined_->lanes()
                                           : nullptr;
  timed_ = machine.config().timing ? &machine : nullptr;
  begin(
      machine.program(), machine.config(), machine.arguments(),
      [&machine](std::int32_t param) { return machine.buffer_address(param); },
      [&machine](const std::string& name) { return machine.buffer(name); });
}

void Recorder::begin(const Program& program, const LaunchConfig& config, const Arguments& arguments,
                     AddressOf address_of, BufferOf buffer_of) {
  program_ = &program;
  address_of_ = std::move(address_of);
  buffer_of_ = std::move(buffer_of);
  trace_ = Trace{};
  trace_.head = make_head(program, options_.lesson, config, arguments, address_of_);
  trace_.head.backend = options_.backend;
  trace_.head.case_name = options_.case_name;
  state_ = TraceState(trace_.head);
  in_event_ = false;
  phases_.clear();
  pending_masks_.clear();
  titles_.clear();
  for (const TracePhase& phase : trace_.head.phases) titles_.emplace_back(phase.title);
  conditions_.clear();
  failed_.clear();
  if (options_.checker != nullptr && !options_.hardware)
    for (const Assertion& one : program.assertions) conditions_.emplace_back(one.condition);
  needs_state_ = !conditions_.empty() ||
                 std::any_of(trace_.head.phases.begin(), trace_.head.phases.end(),
                             [](const TracePhase& phase) { return phase.title.find('%') != std::string::npos; });
  makes_events_ = keep_events_ || consumer_.event || !conditions_.empty();
  if (consumer_.head) consumer_.head(trace_.head);
}

void Recorder::finish_event() {
  if (!in_event_) return;
  in_event_ = false;
  if (needs_state_) state_.apply(event_);
  if (consumer_.event) consumer_.event(event_);
  if (keep_events_) trace_.events.push_back(std::move(event_));
}

void Recorder::on_issue(const IssueEvent& event) {
  finish_event();
  if (own_undefined_) own_undefined_->on_issue(event);
  if (!makes_events_) return;
  if (!conditions_.empty()) check_assertions(event);
  event_ = TraceEvent{};
  if (!options_.hardware) event_.cycle = event.cycle;
  event_.block = event.block;
  event_.warp = event.warp;
  event_.pc = event.pc;
  event_.active = event.active;
  event_.group = event.group;
  in_event_ = true;
  if (timed_ != nullptr) add_timing(event);
  if (trace_.head.code[static_cast<std::size_t>(event.pc)].phase >= 0) start_phase(event);
  // Lanes that reconverged while the warp could not issue are reported with its next instruction.
  if (const auto waiting = pending_masks_.find({event.block, event.warp}); waiting != pending_masks_.end()) {
    event_.masks = std::move(waiting->second);
    pending_masks_.erase(waiting);
  }
}

void Recorder::add_timing(const IssueEvent& event) {
  event_.sub_core = timed_->sub_core(event.block, event.warp);
  const std::vector<TimingPipe>& pipes = timed_->config().timing->pipes;
  for (const Stall& stall : event.stalls) {
    const bool has_pipe = stall.pipe >= 0;
    event_.stalls.push_back({stall.reason, stall.cycles, stall.reg, stall.pc,
                             has_pipe ? pipes[static_cast<std::size_t>(stall.pipe)].name : ""});
  }
}

void Recorder::on_exchange(const ExchangeEvent& event) {
  if (own_undefined_) own_undefined_->on_exchange(event);
  if (!makes_events_) return;
  const Lift lift = info(program_->code[static_cast<std::size_t>(event_.pc)].op).lift;
  if (event.lanes == 0 || (lift != Lift::Shuffle && lift != Lift::Broadcast)) return;
  TraceExchange exchange;
  exchange.lanes = event.lanes;
  exchange.from = pick<std::uint8_t>(event.from, event.lanes);
  exchange.in_range = event.in_range & event.lanes;
  exchange.undefined = event.undefined & event.lanes;
  event_.exchange = std::move(exchange);
}

// An untyped access shows what the array that it touches holds.
Type Recorder::shown_type(const MemoryEvent& event) const {
  Type type = program_->code[static_cast<std::size_t>(event_.pc)].type;
  if (type == Type::None)  // a copy
    type = untyped_of(static_cast<int>(event.bytes) * 8);
  if (!is_untyped(type) || event.lanes == 0) return type;
  const std::int32_t object = event.object_of(first_lane(event.lanes));
  if (object < 0) return type;
  const Type element = program_->held_in(event.space, object).element;
  return bits(element) == bits(type) ? element : type;
}

void Recorder::on_memory(const MemoryEvent& event) {
  if (own_undefined_) own_undefined_->on_memory(event);
  if (event.lanes == 0 || !makes_events_) return;
  event_.memory = memory_of(event);
  if (event.source == nullptr || event.source->lanes == 0) return;
  const CopySource& from = *event.source;
  MemoryEvent loaded = event;
  loaded.space = MemoryEvent::Space::Global;
  loaded.access = MemoryEvent::Access::Load;
  loaded.lanes = from.lanes;
  loaded.address = from.address;
  loaded.names = from.names;
  loaded.order = nullptr;
  event_.source = memory_of(loaded);
  std::vector<std::uint8_t> read = pick<std::uint8_t>(from.bytes, from.lanes);
  if (std::any_of(read.begin(), read.end(), [&](std::uint8_t n) { return n < event.bytes * event.elements; }))
    event_.source->read = std::move(read);
}

std::uint64_t local_memory_of(const TraceHead& head, const TraceEvent& event, unsigned lane) {
  const std::uint64_t warp = event.block * head.warps_per_block() + event.warp;
  return kLocalWindow + (warp * kMaxLanes + lane) * kLocalBytesOfLane;
}

void Recorder::set_apart(std::vector<std::uint64_t>& addresses, LaneMask lanes) const {
  std::size_t k = 0;
  for_each_lane(lanes, [&](unsigned lane) { addresses[k++] += local_memory_of(trace_.head, event_, lane); });
}

TraceMemory Recorder::memory_of(const MemoryEvent& event) const {
  TraceMemory memory;
  memory.space = event.space;
  memory.access = event.access;
  memory.bytes = event.bytes;
  memory.lanes = event.lanes;
  memory.object = pick<std::int32_t>(event.names->objects(), event.lanes);
  memory.index = pick<std::int64_t>(event.names->indices(), event.lanes);
  // A trace has no names for what is in local memory and among the parameters.
  const bool is_local = event.space == MemoryEvent::Space::Local;
  if (is_local || event.space == MemoryEvent::Space::Param) std::fill(memory.object.begin(), memory.object.end(), -1);
  for (std::size_t k = 0; k < memory.object.size(); ++k)
    if (memory.object[k] < 0) memory.index[k] = 0;
  memory.address = pick<std::uint64_t>(event.address, event.lanes);
  if (is_local) set_apart(memory.address, event.lanes);
  memory.elements = event.elements;
  for_each_lane(event.lanes, [&](unsigned lane) {
    for (unsigned k = 0; k < event.elements; ++k) memory.bits.push_back(event.value_of(lane, k));
  });
  if (event.order != nullptr)
    event.for_each_turn([&](unsigned lane) { memory.order.push_back(static_cast<std::uint8_t>(lane)); });
  if (event.access == TraceMemory::Access::Atomic) memory.stored = pick<std::uint64_t>(event.stored, event.lanes);
  if (undefined_ != nullptr) {
    for (unsigned k = 0; k < event.elements; ++k) memory.undefined[k] = undefined_->undefined_access(k) & event.lanes;
    if (event.access == TraceMemory::Access::Atomic)
      memory.undefined_stored = undefined_->undefined_stored() & event.lanes;
  }
  memory.type = shown_type(event);
  memory.ways = memory.is_shared() ? bank_ways(event) : 0;
  return memory;
}

void Recorder::on_block_end(const BlockEndEvent& event) {
  if (own_undefined_) own_undefined_->on_block_end(event);
}

void Recorder::on_sync(const SyncEvent& event) {
  if (own_undefined_) own_undefined_->on_sync(event);
}

void Recorder::on_write(const WriteEvent& event) {
  if (own_undefined_) own_undefined_->on_write(event);
  if (event.lanes == 0 || !makes_events_) return;
  TraceWrite write;
  write.reg = event.reg;
  write.lanes = event.lanes;
  if (undefined_ != nullptr)
    write.undefined = undefined_->undefined(event_.block, event_.warp, event.reg) & event.lanes;
  write.bits.reserve(count_lanes(event.lanes));
  for_each_lane(event.lanes, [&](unsigned lane) { write.bits.push_back(event.at(lane)); });
  event_.writes.push_back(std::move(write));
}

void Recorder::on_stall(const StallEvent& event) {
  if (!makes_events_) return;
  finish_event();
  stalled_ = {event.block, event.warp};
}

void Recorder::on_mask(const MaskEvent& event) {
  if (!makes_events_) return;
  if (in_event_) event_.masks.push_back(convert(event));
  else pending_masks_[stalled_].push_back(convert(event));
}

void Recorder::on_finish(const Machine&, const RunResult& result) { finish(result); }

void Recorder::finish(const RunResult& result) {
  finish_event();
  TraceOutcome& outcome = trace_.outcome;
  outcome.cycles = result.cycles;
  outcome.instructions = result.instructions;
  outcome.printed = result.printed + (result.printed_all ? "" : "\n(more was printed, and is lost)\n");
  add_outputs();
  buffer_of_ = nullptr;
  timed_ = nullptr;
  if (!result.ok) outcome.trap = told(result.trap);
  if (options_.checker != nullptr) outcome.findings = told(*options_.checker, result);
  outcome.findings.insert(outcome.findings.end(), failed_.begin(), failed_.end());
  std::stable_sort(outcome.findings.begin(), outcome.findings.end(),
                   [](const TraceFinding& x, const TraceFinding& y) { return x.cycle < y.cycle; });
  outcome.ok = result.ok && outcome.passed.value_or(true) && outcome.findings.empty();
  if (consumer_.outcome) consumer_.outcome(outcome);
}

void Recorder::add_outputs() {
  TraceOutcome& outcome = trace_.outcome;
  for (std::size_t k = 0; k < program_->params.size(); ++k) {
    const Param& param = program_->params[k];
    if ((param.kind != Param::Kind::Out && param.kind != Param::Kind::InOut) || param.is_variable) continue;
    Array array = buffer_of_(param.name);
    const std::uint64_t base = address_of_(static_cast<std::int32_t>(k));
    const std::uint32_t size = static_cast<std::uint32_t>(bytes(param.type));
    const bool is_lockstep = trace_.head.schedule.empty() && trace_.head.profile == TraceHead().profile;
    const bool any_order = !is_lockstep && std::any_of(program_->unordered.begin(), program_->unordered.end(),
                                                       [&](const Unordered& one) { return one.output == param.name; });
    UndefinedElements undefined{param.name, {}};
    for (std::size_t n = 0; n < array.bits.size() && undefined_ != nullptr; ++n)
      if (undefined_->undefined_global(base + n * size, size)) undefined.index.push_back(n);
    if (const auto expected = options_.expected.find(param.name); expected != options_.expected.end()) {
      outcome.passed = outcome.passed.value_or(true) && undefined.index.empty() &&
                       is_as_expected(array, expected->second, any_order);
      outcome.expected.emplace_back(param.name, expected->second);
    }
    if (!undefined.index.empty()) outcome.undefined.push_back(std::move(undefined));
    outcome.outputs.emplace_back(param.name, std::move(array));
  }
}

}  // namespace warpsim
