// Schedule `blocks`: finds runs in which every warp that can issue spins, and no memory ever changes.
//
// Shapes: now and then a probe watches the turns that follow. A warp repeats once its registers and groups are what
//         they were, with no memory changed since the probe began. When all warps that can issue repeat, nothing will
//         ever change. Registers that come from a clock may be others each time where no clock can end the loop. Unlike
//         livelock.h this needs no copy of memory, and the rounds of the warps may fit together in no way; but loops
//         that change memory and change it back are found there alone.
// Units:  issues from 1.
// Errors: none; a probe ends where memory changes, a warp waits or ends, or one does not repeat soon.
// Source: Brent (livelock.h): with which earlier state a warp's state is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "isa/program/clock_loops.h"
#include "sim/event/observer.h"
#include "sim/machine/divergence.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/livelock.h"
#include "sim/machine/observation.h"

namespace warpsim {

inline constexpr std::uint64_t kFirstProbe = 16'384;  // the next one when a run has taken half as long again

class SpinWatch : public EventSink {
 public:
  explicit SpinWatch(const LaunchState& state) : state_(state) {}

  bool is_on() const { return is_on_; }
  // Whether a probe is due in the turn that begins with this issue, and how many issues of the warp it would watch.
  bool is_due(std::uint64_t issue) const { return !is_on_ && issue >= next_probe_; }
  static std::uint64_t most_issues(std::uint64_t begun, bool is_whole);
  void begin(std::uint64_t issue);
  // It need not watch, as the warp's state will not come twice: only when the next one is due is noted.
  void pass_probe(std::uint64_t issue) {
    begun_ = issue;
    next_probe_ = issue + issue / 2;
  }
  // So many whole turns have passed, the first from this issue on, in which no warp's state has come twice. Probes have
  // begun with all but the first where they were due, and have ended within the same turn.
  void pass_turns(std::uint64_t issue, std::uint64_t turns);
  // The number of warps that repeat.
  std::size_t repeating() const { return repeating_; }
  // Whether the warp's issues are to be watched.
  bool watches_warp(std::uint32_t warp) const {
    if (!is_on_) return false;
    const auto known = warps_.find(warp);
    return known == warps_.end() || !known->second.repeats;
  }
  // The warp is about to issue. False if it repeats from here on.
  bool watch(std::uint32_t warp);
  void end() {
    if (is_on_) forget();
  }

  std::uint64_t begun() const { return begun_; }
  const LoopRound& round() const { return *round_; }
  // Those who watch the run, and this.
  SinkObserver beside(const NullObserver&) { return beside(SinkObserver{{}}); }
  SinkObserver beside(const SinkObserver& observer) {
    sinks_.assign(observer.sinks.begin(), observer.sinks.end());
    sinks_.push_back(this);
    return {sinks_};
  }

  void on_issue(const IssueEvent& event) override;
  void on_memory(const MemoryEvent& event) override;

 private:
  struct WarpState {
    bool repeats = false;
    bool does_clock_matter = false;  // to a loop that it has been in since
    std::uint64_t issues = 0, next_kept = 0;
    // As it was before one of its issues.
    LaneMask alive = 0;
    std::vector<Group> groups;
    std::vector<Frame> frames;
    std::vector<LaneStack> stacks;
    std::vector<std::byte> registers;
  };

  void forget();
  bool is_as_kept(const Warp& warp, const WarpState& kept) const;
  void keep(const Warp& warp, WarpState& kept);
  bool are_registers_kept(const Warp& warp, const WarpState& kept) const;

  const LaunchState& state_;
  std::optional<ClockLoops> clocks_;  // from the first probe on
  bool is_on_ = false;
  std::uint64_t next_probe_ = kFirstProbe, begun_ = 0;
  std::size_t repeating_ = 0;
  std::unordered_map<std::uint32_t, WarpState> warps_;  // those that have issued since the probe began
  std::optional<LoopRound> round_;                      // of the last probe
  std::vector<EventSink*> sinks_;
};

}  // namespace warpsim
