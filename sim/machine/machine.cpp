// Whether a launch can be, and the order in which its warps issue.
#include "sim/machine/machine.h"

#include <algorithm>

#include "isa/text/number_text.h"
#include "sim/launch/launch_limits.h"
#include "sim/launch/residency.h"
#include "sim/machine/machine_impl.h"
#include "sim/machine/traps.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMaxStateBytes = std::uint64_t{8} << 30;
constexpr std::uint64_t kMostBlocks = 0xffff'ffff;

LaunchError error(std::string code, std::string message, std::string hint) {
  return {std::move(code), std::move(message), std::move(hint), {}};
}

std::optional<LaunchError> check(const LaunchConfig& c) {
  if (std::optional<LaunchError> e = check_limits(c)) return e;
  if (c.schedule != Schedule{} && c.timing) {
    return error("L006", "a schedule other than rr has no timing profile, which says itself when warps issue",
                 "give one or the other");
  }
  if (c.grid.count() > kMostBlocks) {
    return error("L005", "a grid of " + std::to_string(c.grid.count()) + " blocks is more than can be numbered",
                 "launch at most " + std::to_string(kMostBlocks));
  }
  return std::nullopt;
}

std::optional<LaunchError> check(const Program& program, const Arguments& arguments) {
  for (const Param& p : program.params) {
    if (!p.is_buffer()) {
      if (arguments.scalars.find(p.name) == arguments.scalars.end()) {
        return error("L003", "parameter '" + p.name + "' has no value", "give it one");
      }
    } else if (const auto it = arguments.buffers.find(p.name); it == arguments.buffers.end()) {
      return error("L003", "buffer '" + p.name + "' is not given", "give it contents");
    } else if (it->second.type != p.type) {
      return error("L004",
                   "buffer '" + p.name + "' is " + std::string(name(it->second.type)) + "[], the kernel wants " +
                       std::string(name(p.type)) + "[]",
                   "");
    }
  }
  return std::nullopt;
}

// With block.x filled in.
LaunchConfig completed(LaunchConfig config) {
  if (config.block.x == 0) config.block.x = config.lanes;
  return config;
}

}  // namespace

// ---- running

Machine::Impl::Impl(const Program& program, const LaunchConfig& config, Binding binding, const DeviceMemory& memory,
                    Code code, std::uint64_t resident)
    : state_(program, config, std::move(binding), memory, std::move(code), resident), draws_(config.schedule) {
  if (config.timing)
    clock_ = std::make_unique<ProgramClock>(*config.timing, program, static_cast<std::uint32_t>(resident),
                                            state_.warps_per_block);
  run_ahead_.set_next_block(
      {[this](std::uint64_t issues) { return begin_in_code(issues); },
       [this](std::uint64_t blocks, std::uint64_t issues) { have_begun_in_code(blocks, issues); }});
  make_ready(0, static_cast<std::uint32_t>(state_.warps.size()));
}

void Machine::Impl::make_ready(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t k = begin; k < end; ++k) {
    state_.warps[k].cycle += draws_.start_delay_cycles();
    make_ready(k);
  }
}

template <class Observer>
void Machine::Impl::begin_in_slot(std::uint32_t slot, std::uint64_t cycle, const Observer& observer) {
  if constexpr (Observer::kActive) {
    if (slot < state_.slots()) {
      const std::span<Warp> gone(&state_.warps[std::size_t{slot} * state_.warps_per_block], state_.warps_per_block);
      std::uint64_t last = 0;
      for (const Warp& warp : gone) last = std::max(last, warp.last_issue);
      observer.report(&EventSink::on_block_end, BlockEndEvent{last, gone[0].block});
    }
  }
  state_.begin_next_block(slot, cycle);
  livelock_.forget();
}

template <class Observer>
std::uint32_t Machine::Impl::begin_block(std::uint32_t slot, std::uint64_t cycle, const Observer& observer) {
  begin_in_slot(slot, cycle, observer);
  const std::uint32_t first = slot * state_.warps_per_block;
  if (clock_) clock_->begin_block(slot, state_.warps[first].block);
  else make_ready(first, first + state_.warps_per_block);
  return first;
}

void Machine::Impl::note_arguments() {
  if (own_memory_ == nullptr && state_.binding.kernel < 0)
    arguments_ = arguments_of(state_.program, state_.binding, state_.memory);
}

template <class Observer>
void Machine::Impl::give_up_slot(const Warp& warp, const Observer& observer) {
  if (!state_.ends_block(warp)) return;
  if (state_.config.ended_blocks != nullptr) ++*state_.config.ended_blocks;
  if (takes_turns_) {
    state_.free(warp.slot);
    turns_.end_block();
  } else if (state_.blocks_waiting() != 0) begin_block(warp.slot, warp.last_issue + 1, observer);
}

void Machine::Impl::stop() {
  ended_ = true;
  trap_interrupted(state_);
}

// Nobody can issue any more: all have ended, or nothing ever will.
void Machine::Impl::end_of_turns() {
  ended_ = true;
  const bool finished =
      std::all_of(state_.warps.begin(), state_.warps.end(), [](const Warp& w) { return w.divergence.finished(); });
  if (!finished) trap_deadlock(state_);
}

template <class Observer>
bool Machine::Impl::step(const Observer& observer) {
  if (clock_) return step_timed(observer);
  if (takes_turns_) return step_blocks(observer);
  while (!ended_) {
    if (queue_.empty()) {
      end_of_turns();
      return false;
    }
    const std::uint32_t k = queue_.take();
    Warp& warp = state_.warps[k];
    if (warp.cycle > state_.last_cycle) {
      ended_ = true;
      trap_cycle_limit(state_, warp);
      return false;
    }
    if constexpr (Observer::kActive) {
      if (livelock_.is_on() && livelock_.repeats(k)) {
        ended_ = true;
        report_livelock(k);
        return false;
      }
    }
    const bool issued = issue(warp, observer);
    if constexpr (Observer::kActive) state_.end_early(observer.early_end());
    if (warp.divergence.next_ready() >= 0) queue_.add(k);
    else if (warp.divergence.finished()) give_up_slot(warp, observer);
    if (!state_.result.ok) ended_ = true;
    if (issued) return true;
  }
  return false;
}

void Machine::Impl::repeat_cycles(std::uint32_t k, std::uint64_t end, const SinkObserver& observer) {
  queue_.add(k);
  while (queue_.next() != k || state_.warps[k].cycle != end) {
    const std::uint32_t j = queue_.take();
    issue(state_.warps[j], observer);
    if (state_.warps[j].divergence.next_ready() >= 0) queue_.add(j);
  }
}

// Runs one more round, which changes nothing, and watches which lanes pass which lines.
void Machine::Impl::report_livelock(std::uint32_t k) {
  const std::vector<Warp> before = state_.warps;
  const RunResult result = state_.result;
  const std::uint64_t end = 2 * before[k].cycle - livelock_.kept_cycle();
  LoopRound round(state_);
  EventSink* const sinks[] = {&round};
  if (takes_turns_) repeat_turns(end, SinkObserver{sinks});
  else repeat_cycles(k, end, SinkObserver{sinks});
  state_.warps = before;
  state_.result = result;
  trap_livelock(state_, state_.warps[k], {MessageId::RunsForEver, {before[k].cycle, livelock_.kept_cycle()}}, round);
}

template <class Observer>
void Machine::Impl::run(const Observer& observer) {
  if constexpr (Observer::kActive) {
    while (!has_ended() && step(observer)) {
    }
  } else {
    if (takes_turns_) return run_blocks(observer);
    if (clock_) {
      while (!has_ended() && step_timed(observer)) {
      }
      return;
    }
    // The same order, but warps run on through what only their own registers can see. A fuzzed schedule draws its
    // order as it goes.
    while (!has_ended()) {
      if (draws_.is_fuzzed() || !run_ahead_.run()) step(observer);
    }
  }
}

// Takes from what runs ahead whatever some sink watches. False if that is everything.
bool Machine::Impl::leave_unwatched(const SinkObserver& observer) {
  if (draws_.is_fuzzed()) return false;
  const std::span<EventSink* const> sinks = observer.sinks;
  EventSink* const listener = takes_turns_ && sinks.size() == 1 && sinks[0]->can_hear_at_once() ? sinks[0] : nullptr;
  bool leaves = false;
  for (DecodedInsn& d : state_.code.insns) {
    const bool watched =
        std::any_of(sinks.begin(), sinks.end(), [&d](const EventSink* sink) { return sink->watches(d.pc); });
    leaves = leaves || (!watched && d.fast.alone != nullptr);
    if (watched) d.fast = {};
    d.watched = watched;
    d.heard = watched && listener != nullptr &&
              (d.lift == Lift::Load || d.lift == Lift::Store || d.lift == Lift::Atomic) && d.object < 0;
    d.is_easily_heard = d.heard && listener->hears_ranges(d.pc);
    d.choices = watched && listener != nullptr ? listener->choices_heard(d.pc) : std::nullopt;
  }
  memory_.set_listener(listener);
  run_ahead_.set_listener(listener);
  run_ahead_.follow_masks(
      std::any_of(sinks.begin(), sinks.end(), [](const EventSink* sink) { return sink->follows_masks(); }));
  run_ahead_.watch(!sinks.empty());
  run_ahead_.forget_code(
      state_.config.keeps_state ||
      std::any_of(sinks.begin(), sinks.end(), [](const EventSink* sink) { return sink->looks_at_registers(); }));
  return leaves;
}

// As without sinks, but from cycles 2^10, 2^11 … on the run goes step by step for a while: only there it is seen
// whether it loops for ever. At first that is a sixteenth of the time. Runs in which every step is reported see it
// sooner.
void Machine::Impl::run_watched(const SinkObserver& observer) {
  if (takes_turns_) return run_blocks(observer);
  constexpr std::uint64_t kFirst = 1024, kEnough = 256, kPart = 16, kLaterPart = 1024;
  const auto after = [](std::uint64_t from) {
    return from + (from / kPart < kEnough ? from / kPart : kEnough < from / kLaterPart ? from / kLaterPart : kEnough);
  };
  std::uint64_t begin = kFirst, end = after(begin);
  livelock_.restart(begin);
  unsigned version = watch_version(observer);
  while (!has_ended()) {
    if (const std::uint64_t now = queue_.empty() ? 0 : state_.warps[queue_.next()].cycle; now >= end) {
      while (begin <= now) begin *= 2;
      end = after(begin);
      livelock_.restart(begin);
    }
    run_ahead_.set_until(std::min(state_.last_cycle, begin - 1));
    if (run_ahead_.run()) continue;
    step(observer);
    if (const unsigned now = watch_version(observer); now != version) {
      version = now;
      leave_unwatched(observer);
    }
  }
}

template <class Observer>
void Machine::Impl::finish(const Machine& machine, const Observer& observer) {
  if constexpr (Observer::kActive) {
    for (EventSink* sink : observer.sinks) sink->on_finish(machine, state_.result);
  } else {
    static_cast<void>(machine);
    static_cast<void>(observer);
  }
}

template void Machine::Impl::begin_in_slot(std::uint32_t, std::uint64_t, const NullObserver&);
template void Machine::Impl::begin_in_slot(std::uint32_t, std::uint64_t, const SinkObserver&);
template std::uint32_t Machine::Impl::begin_block(std::uint32_t, std::uint64_t, const NullObserver&);
template std::uint32_t Machine::Impl::begin_block(std::uint32_t, std::uint64_t, const SinkObserver&);
template void Machine::Impl::give_up_slot(const Warp&, const NullObserver&);
template void Machine::Impl::give_up_slot(const Warp&, const SinkObserver&);
template bool Machine::Impl::step(const SinkObserver&);
template void Machine::Impl::run(const SinkObserver&);
template void Machine::Impl::run(const NullObserver&);

// ---- the public face

std::variant<Machine, LaunchError> Machine::create(const Program& program, const LaunchConfig& config,
                                                   const Arguments& arguments) {
  if (const std::optional<LaunchError> e = check(completed(config))) return *e;
  if (const std::optional<LaunchError> e = check(program, arguments)) return *e;
  auto memory = std::make_unique<DeviceMemory>();
  std::variant<Binding, LaunchError> binding = bind(program, arguments, *memory);
  if (LaunchError* e = std::get_if<LaunchError>(&binding)) return std::move(*e);
  std::variant<Machine, LaunchError> made = create(program, config, std::get<Binding>(binding), *memory);
  if (Machine* const machine = std::get_if<Machine>(&made)) {
    machine->impl_->own_memory_ = std::move(memory);
    machine->impl_->arguments_ = arguments;
  }
  return made;
}

std::variant<Machine, LaunchError> Machine::create(const Program& program, const LaunchConfig& config,
                                                   const Binding& binding, DeviceMemory& memory) {
  return Impl::create_on(program, config, binding, memory);
}

std::variant<Machine, LaunchError> Machine::Impl::create_on(const Program& program, const LaunchConfig& config,
                                                            const Binding& binding, const DeviceMemory& memory) {
  const LaunchConfig c = completed(config);
  if (const std::optional<LaunchError> e = check(c)) return *e;
  if (const std::optional<LaunchError> e = check_block(c.block, program)) return *e;
  if (binding.params.size() != program.params.size()) {
    return error("L003",
                 "the kernel has " + counted(program.params.size(), "parameter") + ", of which " +
                     std::to_string(binding.params.size()) + " are bound",
                 "bind each, in the kernel's order");
  }
  std::variant<Code, LaunchError> code = decode(program, c, binding);
  if (LaunchError* e = std::get_if<LaunchError>(&code)) return std::move(*e);
  const Code& made = std::get<Code>(code);
  const BlockNeeds needs = needs_of_block(program, c, made.own_shared_bytes);
  const std::uint64_t resident = resident_blocks(c, c.timing ? limits_of(*c.timing) : DeviceLimits{}, needs);
  const std::uint64_t a_block = needs.warps * (made.block_template.size() + sizeof(Warp)) + made.shared_bytes;
  if (resident > kMaxStateBytes / a_block) {
    return error("L005",
                 "the registers and shared memory of " + counted(resident, "block") +
                     " that are there at once do not fit in 8 GiB",
                 "launch a smaller grid, or have fewer resident blocks");
  }
  return Machine(std::make_unique<Impl>(program, c, binding, memory, std::move(std::get<Code>(code)), resident));
}

Machine::Machine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

RunResult Machine::run() {
  impl_->run(NullObserver{});
  impl_->log_engine(false);
  impl_->run_launched({});
  return impl_->state_.result;
}

RunResult Machine::run(std::span<EventSink* const> sinks) {
  if (sinks.empty()) return run();
  const SinkObserver observer{sinks};
  start(sinks);
  if (impl_->ended_) return impl_->state_.result;
  if (!impl_->clock_ && impl_->leave_unwatched(observer)) impl_->run_watched(observer);
  else impl_->run(observer);
  impl_->ended_ = true;
  impl_->log_engine(true);
  impl_->run_launched(sinks);
  impl_->finish(*this, observer);
  return impl_->state_.result;
}

void Machine::start(std::span<EventSink* const> sinks) {
  impl_->gathering_.is_observed = !sinks.empty();
  if (impl_->started_) return;
  impl_->started_ = true;
  if (!sinks.empty()) impl_->note_arguments();
  for (EventSink* sink : sinks) sink->on_start(*this);
}

bool Machine::step(std::span<EventSink* const> sinks) {
  const SinkObserver observer{sinks};
  start(sinks);
  if (impl_->ended_) return false;
  if (impl_->step(observer) && !impl_->ended_) return true;
  impl_->ended_ = true;
  impl_->run_launched(sinks);
  impl_->finish(*this, observer);
  return false;
}

const RunResult& Machine::result() const { return impl_->state_.result; }
const Program& Machine::program() const { return impl_->state_.program; }
const LaunchConfig& Machine::config() const { return impl_->state_.config; }
LaunchHistory Machine::history() const { return impl_->history(); }
const Arguments& Machine::arguments() const { return impl_->arguments_; }
const DeviceMemory& Machine::memory() const { return impl_->state_.memory.device(); }
const DeviceMemory& Machine::heap() const { return impl_->state_.memory.heap(); }
unsigned Machine::lanes() const { return impl_->state_.config.lanes; }
std::uint32_t Machine::warps_per_block() const { return impl_->state_.warps_per_block; }
std::uint32_t Machine::shared_bytes_per_block() const { return impl_->state_.code.shared_bytes; }
LaneMask Machine::existing_lanes(std::uint32_t warp) const { return impl_->state_.existing_lanes(warp); }
Array Machine::buffer(std::string_view buffer_name) const {
  return impl_->state_.memory.contents(impl_->state_.program.find_param(buffer_name));
}

std::uint64_t Machine::buffer_address(std::int32_t param) const {
  const GlobalMemory::Buffer* b = impl_->state_.memory.of_param(param);
  return b == nullptr ? 0 : b->address;
}

std::int32_t Machine::sub_core(std::uint32_t block, std::uint32_t warp) const {
  const Warp* const w = impl_->state_.find(block, warp);
  return impl_->clock_ && w != nullptr ? impl_->clock_->sub_core(impl_->state_.number_of(*w)) : -1;
}

std::uint64_t Machine::register_bits(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) const {
  const Warp* const w = impl_->state_.find(block, warp);
  if (w == nullptr || w->registers == nullptr) return 0;
  const std::size_t r = static_cast<std::size_t>(reg);
  const std::uint32_t offset = impl_->state_.code.register_offset[r];
  const std::byte* registers = w->registers;
  if (impl_->state_.program.registers[r].cls == RegClass::Pred) return has_lane(word(registers, offset), lane) ? 1 : 0;
  if (impl_->state_.code.register_wide[r]) return row<std::uint64_t>(registers, offset)[lane];
  return row<std::uint32_t>(registers, offset)[lane];
}

const DecodedInsn& Machine::decoded(std::int32_t pc) const { return impl_->state_.insn(pc); }

const std::byte* Machine::registers(std::uint32_t block, std::uint32_t warp) const {
  const Warp* const w = impl_->state_.find(block, warp);
  return w == nullptr ? nullptr : w->registers;
}

std::vector<LanePlace> Machine::places(std::uint32_t block, std::uint32_t warp) const {
  const LaunchState& state = impl_->state_;
  std::vector<LanePlace> places;
  if (const Warp* const w = state.find(block, warp)) add_places(state, *w, places);
  else if (block < state.next_block) places.push_back({block, warp, state.existing_lanes(warp), -1, ""});
  else places.push_back({block, warp, state.existing_lanes(warp), 0, MessageId::BlockNotBegun});
  return places;
}

std::uint64_t WriteEvent::at(unsigned lane) const {
  if (cls == RegClass::Pred) return has_lane(*static_cast<const Aliased<LaneMask>*>(data), lane) ? 1 : 0;
  if (wide) return static_cast<const Aliased<std::uint64_t>*>(data)[lane];
  return static_cast<const Aliased<std::uint32_t>*>(data)[lane];
}

}  // namespace warpsim
