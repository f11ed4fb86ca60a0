#include "sim/sass/code_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "sim/memory/bank_ways.h"
#include "sim/memory/memory.h"
#include "sim/sass/lane_code.h"
#include "sim/timing/code_clock.h"

namespace warpsim::sass {
namespace {

std::uint32_t resident(const CodeSection& section, const CodeLaunch& launch, const TimingProfile& profile) {
  LaunchConfig config;
  config.grid = launch.grid;
  return static_cast<std::uint32_t>(resident_blocks(config, limits_of_code(profile), needs_of_block(section, launch)));
}

// One launch under way.
class Timed {
 public:
  Timed(CodeMachine& machine, const CodeLaunch& launch, const TimingProfile& profile, std::uint32_t slots,
        std::span<CodeSink* const> sinks, std::uint64_t most_cycles)
      : machine_(machine),
        sinks_(sinks),
        most_cycles_(most_cycles),
        blocks_(launch.grid.count()),
        begun_(slots),
        block_of_(slots),
        left_(slots, machine.warps_per_block()),
        clock_(profile, machine.code(), slots, machine.warps_per_block(),
               launch.is_first ? CodeClock::Code::First : CodeClock::Code::Left) {
    if (!launch.is_cold) clock_.warm_l2();
    clock_.place_in_l2(launch.l2);
    clock_.pass_barriers([&](std::int32_t at) { return machine.passes_barriers(at); });
    if (sinks.empty()) clock_.go_alone(machine.alone(), most_cycles, blocks_);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      machine_.begin_block(slot, slot);
      block_of_[slot] = slot;
    }
  }

  CodeRun run(const std::atomic<bool>* stop) {
    CodeRun result = issue_all(stop);
    result.instructions += clock_.alone().instructions;
    result.cycles = std::max(result.cycles, clock_.alone().cycle);
    return result;
  }

 private:
  CodeRun issue_all(const std::atomic<bool>* stop) {
    CodeRun result;
    while (const auto turn = clock_.next()) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
        result.refusal = {"it was stopped", step_.at};
        return result;
      }
      if (turn->cycle > most_cycles_) {
        result.refusal = {"it runs for more than " + std::to_string(most_cycles_) + " cycles", step_.at, true};
        return result;
      }
      machine_.run_to(turn->warp, clock_.at(turn->warp));
      if (!machine_.step(turn->warp, turn->cycle, step_)) {
        result.refusal = machine_.refusal();
        return result;
      }
      result.cycles = turn->cycle;
      ++result.instructions;
      if (!sinks_.empty()) report(*turn);
      note(step_);
      clock_.issued(step_.at, outcome_);
      for (const std::uint32_t warp : machine_.released()) {
        clock_.leave_barrier(warp);
        if (warp != turn->warp && clock_.at(warp) > machine_.next(warp)) machine_.run_to(warp, clock_.at(warp));
      }
      plan(turn->warp);
      for (const std::uint32_t warp : machine_.released())
        if (warp != turn->warp) plan(warp);
    }
    if (begun_ < blocks_ || std::any_of(left_.begin(), left_.end(), [](std::uint32_t left) { return left != 0; }))
      result.refusal = {"its warps wait for each other for ever", step_.at, true};
    return result;
  }

  void report(const Clock::Turn& turn) {
    const std::uint32_t slot = turn.warp / machine_.warps_per_block();
    const CodeIssue issue{turn.cycle,
                          block_of_[slot],
                          turn.warp % machine_.warps_per_block(),
                          clock_.sub_core(turn.warp),
                          &step_,
                          &machine_,
                          turn.warp,
                          clock_.stalls()};
    for (CodeSink* const sink : sinks_) sink->on_issue(issue);
  }

  void plan(std::uint32_t warp) {
    const std::int32_t next = machine_.next(warp);
    if (next >= 0) return clock_.plan(warp, next, machine_.may_leave_out(warp), machine_.is_behind_barrier(warp));
    if (next == CodeMachine::kWaits) return clock_.park();
    clock_.end(warp);
    const std::uint32_t slot = warp / machine_.warps_per_block();
    if (--left_[slot] != 0 || begun_ == blocks_) return;
    machine_.begin_block(slot, begun_);
    block_of_[slot] = begun_;
    left_[slot] = machine_.warps_per_block();
    clock_.begin_block(slot, begun_++);
  }

  void note(const CodeStep& step) {
    outcome_ = {};
    outcome_.way = step.way;
    outcome_.side = step.side;
    outcome_.values = step.values;
    if (step.space == CodeStep::Space::None) return;
    if (step.space == CodeStep::Space::Shared) {
      const BankWays ways =
          step.is_conflict_free ? BankWays{1, 1, 1} : lane_code().ways(step.address.data(), step.active, step.bytes);
      return outcome_.note_banks(ways, step.active, step.address.data(), step.bytes, step.is_atomic);
    }
    outcome_.stores = step.stores;
    outcome_.is_atomic = step.is_atomic;
    outcome_.bytes = std::max<unsigned>(step.bytes, 1);
    outcome_.in_a_row = step.in_a_row;
    outcome_.address = step.address;
    if (step.in_a_row || (step.active == kAllLanes && !step.is_atomic)) return;
    std::size_t count = 0;
    for (Lanes left = step.active; left != 0; left &= left - 1)
      addresses_[count++] = step.address[static_cast<std::size_t>(std::countr_zero(left))];
    const std::span<std::uint64_t> addresses = std::span(addresses_).first(count);
    if (step.is_atomic) outcome_.note_atomic(addresses);
    outcome_.address = addresses;
  }

  CodeMachine& machine_;
  std::span<CodeSink* const> sinks_;
  std::uint64_t most_cycles_;
  std::uint64_t blocks_;
  std::uint32_t begun_;
  std::vector<std::uint32_t> block_of_, left_;  // by slot: its block, and how many of its warps have not ended
  CodeClock clock_;
  CodeStep step_;
  TimedOutcome outcome_;
  std::array<std::uint64_t, kLanes> addresses_;
};

}  // namespace

BlockNeeds needs_of_block(const CodeSection& section, const CodeLaunch& launch) {
  constexpr std::uint32_t kGivenOut = 8;  // registers of a thread at once
  const std::uint32_t warps = static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
  const std::uint32_t registers = (section.registers + kGivenOut - 1) / kGivenOut * kGivenOut;
  return {warps, registers * warps * kLanes, std::max(section.shared_bytes, kFirstShared) + launch.shared_bytes};
}

DeviceLimits limits_of_code(const TimingProfile& profile) {
  DeviceLimits limits = limits_of(profile);
  limits.registers = DeviceLimits{}.registers;
  return limits;
}

CodeRun run_code(const Cubin& cubin, const CodeSection& section, const CodeLaunch& launch, const TimingProfile& profile,
                 std::span<CodeSink* const> sinks, std::uint64_t most_cycles, const std::atomic<bool>* stop) {
  const std::uint32_t slots = resident(section, launch, profile);
  auto created = CodeMachine::create(cubin, section, launch, slots);
  if (CodeRefusal* why = std::get_if<CodeRefusal>(&created)) return {std::move(*why), 0, 0};
  return Timed(std::get<CodeMachine>(created), launch, profile, slots, sinks, most_cycles).run(stop);
}

}  // namespace warpsim::sass
