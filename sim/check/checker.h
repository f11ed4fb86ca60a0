// Everything that can be wrong with a run and does not stop it: one sink that watches for all of it.
//
// Shapes: a sink like any other: attach it to a run, and ask for findings afterwards. What was found comes in the order
//         of its cycles, what is known before the run first (cycle 0). A recorder that sees the same run takes from it
//         which lanes are undefined.
// Units:  cycles from 1.
// Errors: none here: it reports, others judge.
// Source: isa/table/findings.def; the parts say theirs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/calm/calm.h"
#include "sim/check/lock_order.h"
#include "sim/check/pending_copies.h"
#include "sim/check/races.h"
#include "sim/check/run_finding.h"
#include "sim/check/stale_swaps.h"
#include "sim/check/undefined.h"
#include "sim/check/undefined_watch.h"
#include "sim/check/value_uses.h"
#include "sim/event/observer.h"
#include "sim/ordering/skipped_barriers.h"

namespace warpsim {

class Checker : public EventSink {
 public:
  // Something undefined that is left in an output is a mistake: in those that the case expects, in any if it expects
  // nothing or is not known.
  Checker() = default;
  explicit Checker(const PreparedCase& prepared);
  // Of a memory that is there already: what is undefined in it as the next run begins, and after that run.
  void begin_with(UndefinedWords memory) {
    knows_memory_ = true;
    undefined_.give_memory(std::move(memory));
  }
  UndefinedWords take_memory() { return undefined_.take_memory(); }
  // The next run, which nobody else watches, takes memory to be calm (sim/calm), if the program may be so. After it
  // must_repeat() says whether it was not: nothing that it has found counts, and once undo() has made memory what it
  // was the launch is to run again, under a checker that takes less so. `pages` may serve one launch after another.
  // `by_bytes`: they are to know each byte that was touched. `stored`: addresses in allocations that the program shows
  // that it stores to.
  void take_as_calm(CalmPages& pages, Calm what = {}, bool by_bytes = false, std::vector<std::uint64_t> stored = {}) {
    calm_pages_ = &pages;
    calm_ = what;
    by_bytes_ = by_bytes;
    stored_ = std::move(stored);
  }
  // What may be taken so then.
  Calm calm_of_repeat() const {
    const bool stored_to_read = races_.has_stored_to_read();
    return {uses_left_ || stored_to_read, calm_.lanes && !uses_left_, calm_.reads && !stored_to_read};
  }
  bool is_taken_as_calm() const { return races_.is_taken_as_calm(); }
  bool must_repeat() const { return races_.must_repeat(); }
  UndefinedWords undo();
  // Asked now and then, as what is kept of global memory grows. Once it answers no, the run ends and says so.
  void ask_for_memory(std::function<bool()> is_left) { is_memory_left_ = std::move(is_left); }
  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  bool hears_at_once(const AccessPlace& place, const MemoryEvent& event) override;
  bool can_hear_at_once() const override { return true; }
  bool hears_ranges(std::int32_t pc) const override;
  bool hears_range(const AccessPlace& place, const RangeEvent& event) override;
  bool hears_lanes(const AccessPlace& place, const LanesEvent& event) override;
  const SettledPages* settled_pages() const override { return races_.settled_pages(); }
  const std::uint32_t* settled_shared(std::uint32_t block) override { return races_.settled_shared(block); }
  void calm_memory(std::uint32_t block, std::uint32_t warp, CalmMemory& memory) override;
  bool reads_only(std::uint64_t address, std::uint64_t size_bytes) override {
    return races_.reads_only(address, size_bytes);
  }
  void on_change(const ChangeEvent& event) override { races_.on_change(event); }
  void on_exchange(const ExchangeEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_write(const WriteEvent& event) override;
  void on_sync(const SyncEvent& event) override;
  void on_mask(const MaskEvent& event) override { skipped_barriers_.on_mask(issue_.block, issue_.warp, event); }
  void on_block_end(const BlockEndEvent& event) override;
  bool follows_masks() const override { return skipped_barriers_.is_on(); }
  void on_finish(const Machine& machine, const RunResult& result) override;

  bool watches(std::int32_t pc) const override {
    const Barrier barrier = barrier_[static_cast<std::size_t>(pc)];
    if (hears_meetings() && (barrier == Barrier::Plain || barrier == Barrier::Exit)) return false;
    return undefined_.watches(pc) || may_use_left(pc);
  }
  std::optional<ChoiceLanes> choices_heard(std::int32_t pc) const override;
  bool hears_meetings() const override { return is_taken_as_calm() && !lock_order_.is_on(); }
  void on_meeting(std::uint32_t block) override { races_.on_meeting(block); }
  unsigned watch_version() const override { return undefined_.watch_version(); }
  bool looks_at_registers() const override;
  const EarlyEnd* early_end() const override { return early_end_ ? &*early_end_ : nullptr; }
  const UndefinedLanes& undefined() const { return undefined_.lanes(); }
  std::vector<RunFinding> found() const;
  // What is found in grids that kernels launch is told of the instruction that launched them, once for each place.
  std::unique_ptr<EventSink> watcher_of_launched() override;
  void on_launched(EventSink& watcher, const DeviceWork& work) override;

 protected:
  // `other` watches a grid that the kernel has launched.
  void begin_launched(Checker& other);

 private:
  // A plain barrier of a block is unguarded, has constant operands and writes nothing: no part asks about it but
  // for who comes to it. About an unguarded exit none asks but for the masks.
  enum class Barrier : std::uint8_t { None, Plain, Exit, Other };
  struct LeftUse {  // lanes that may use what a shuffle has left in place
    LaneMask by_guard = 0, otherwise = 0;
    ChoiceLanes chosen;  // of a selection
    bool operator==(const LeftUse&) const = default;
  };
  void check_barrier(const IssueEvent& event);
  void check_meeting(const SyncEvent& event);
  void check_skipped(const SyncEvent& event);
  void check_whole(const SyncEvent& event);
  void find_left(const Program& program);
  LeftUse left_use(std::int32_t pc) const {
    return left_uses_.empty() ? LeftUse{} : left_uses_[static_cast<std::size_t>(pc)];
  }
  bool may_use_left(std::int32_t pc) const { return left_use(pc) != LeftUse{}; }
  bool chooses_left(const IssueEvent& event) const;
  bool uses_left(std::int32_t pc, LaneMask active, LaneMask group) const {
    const LeftUse use = left_use(pc);
    return ((use.by_guard & group) | (use.otherwise & active)) != 0;
  }
  void end_to_repeat();
  void check_operands(const IssueEvent& event);
  static Barrier barrier_of(const Insn& insn);
  void add_barrier(std::uint32_t block, std::uint32_t warp, std::int32_t pc, LaneMask lanes, LaneMask others);
  void collect();
  void plan_early_end(std::uint64_t cycle);
  void note(const AccessPlace& place);
  void ask_for_memory();
  bool are_all_defined(const MemoryEvent& event) const;  // that it has told last
  void add(RunFinding finding);

  std::function<bool()> is_memory_left_;
  CalmPages* calm_pages_ = nullptr;  // of the run that takes memory to be calm
  Calm calm_{false, false, false};
  std::vector<std::uint64_t> stored_;
  bool by_bytes_ = false;
  std::vector<LeftUse> left_uses_;    // by pc; empty: left_in_place_ follows it
  bool uses_left_ = false;            // some lane may have
  std::optional<bool> may_skip_;      // whether lanes may skip a barrier of the program; once somebody asked
  std::size_t pages_asked_for_ = 0;   // Races::pages() at which it is asked again
  std::vector<std::string> outputs_;  // that must be defined; none: all
  std::vector<Barrier> barrier_;      // by pc
  // By pc: the register that says how wide a shuffle's segments are, or how many threads a barrier counts; -1: none, or
  // what it holds has been found to be wrong.
  std::vector<std::int32_t> asked_register_;
  std::vector<bool>
      is_plain_;  // by pc: a weak load or store, or a relaxed atomic, of which only undefined_ and races_ want to hear
  bool knows_memory_ = false;     // what is undefined in memory at its start
  bool leaves_in_place_ = false;  // the program has shuffles that can
  const Machine* machine_ = nullptr;
  UndefinedWatch undefined_;
  UndefinedLanes left_in_place_{ShadowOf::OutOfRange};
  ValueUses undefined_uses_;
  ValueUses left_in_place_uses_{ShadowOf::OutOfRange};
  Races races_;
  PendingCopies copies_;
  StaleSwaps stale_swaps_;
  LockOrder lock_order_;
  SkippedBarriers skipped_barriers_;
  std::set<std::int32_t> divergent_barriers_;  // pcs
  std::vector<RunFinding> found_;
  std::uint64_t cycle_ = 0;            // of the instruction that is being told
  IssueEvent issue_{};                 // … unless it is a plain barrier or an exit
  std::optional<EarlyEnd> early_end_;  // once something undefined has decided a branch
};

}  // namespace warpsim
