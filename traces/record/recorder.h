// A run → its trace: in memory, or streamed event by event.
//
// Shapes: an EventSink. The head is ready after on_start, an event when the next instruction issues (or after
//         finish_event()), the outcome after on_finish. With a consumer that takes no events, none is made.
//         What was found, and what is undefined, comes from a checker that is attached to the same run, before the
//         recorder: without one a trace has no findings but its trap, and the recorder follows what is undefined itself
//         if it is to be marked.
// Units:  as trace.h.
// Errors: none: it reads and never steers.
// Source: traces/FORMAT.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "isa/text/diagnostic.h"
#include "sim/check/checker.h"
#include "sim/check/undefined_watch.h"
#include "sim/event/observer.h"
#include "traces/model/trace.h"
#include "traces/replay/state.h"
#include "traces/template/phase_template.h"

namespace warpsim {

struct RecorderOptions {
  std::string backend = "simulator";
  // Events from real hardware: no cycles, and nothing is undefined, for what it holds is there to see.
  bool hardware = false;
  // Attached to the same run, before the recorder; null: the run is not checked.
  const Checker* checker = nullptr;
  // Without a checker: whether the trace says what is undefined.
  bool marks_undefined = true;
  // Whether every step is reported even if no events are wanted: a run that does not end then stops where it does with
  // events.
  bool tells_all = false;
  // What is taught with the program that runs: titles, phases, drawings; null: nothing. It must outlive the recorder.
  const Lesson* lesson = nullptr;
  std::string case_name;                               // "" if none
  std::map<std::string, Array, std::less<>> expected;  // by output; empty if nothing is expected
};

TraceFinding told(const RunFinding& found);
TraceTrap told(const Trap& trap);
// All that was found, but for what the trap says.
std::vector<TraceFinding> told(const Checker& checker, const RunResult& result);

// What is wrong with the conditions of a program's assertions: each a sentence with its place.
Diagnostics check_assertions(const Program& program);

// What is known before a run. `address_of` gives a buffer parameter's address; `lesson` may be null.
TraceHead make_head(const Program& program, const Lesson* lesson, const LaunchConfig& config,
                    const Arguments& arguments, const std::function<std::uint64_t(std::int32_t param)>& address_of);

// Where the local memory of the event's lane begins in a trace: each has a megabyte of the window to itself, so that no
// two lanes have an address in common.
inline constexpr std::uint64_t kLocalBytesOfLane = 1024 * 1024;
std::uint64_t local_memory_of(const TraceHead& head, const TraceEvent& event, unsigned lane);

class Recorder : public EventSink {
 public:
  explicit Recorder(RecorderOptions options = {});            // keeps the whole trace
  Recorder(RecorderOptions options, TraceConsumer consumer);  // keeps no event

  const Trace& trace() const { return trace_; }  // streaming: the head and the outcome only
  Trace take() { return std::move(trace_); }
  // Ends the current event, so that a stepper sees it before the next one issues.
  void finish_event();

  // What on_start and on_finish take from the machine; for callers that have events but no running machine.
  using AddressOf = std::function<std::uint64_t(std::int32_t param)>;
  using BufferOf = std::function<Array(const std::string& name)>;  // the contents now
  void begin(const Program& program, const LaunchConfig& config, const Arguments& arguments, AddressOf address_of,
             BufferOf buffer_of);
  void finish(const RunResult& result);

  void on_start(const Machine& machine) override;
  // Whether it follows what is undefined itself.
  bool follows_undefined() const { return own_undefined_.has_value(); }
  bool watches(std::int32_t pc) const override {
    return makes_events_ || options_.tells_all || (own_undefined_ && own_undefined_->watches(pc));
  }
  unsigned watch_version() const override { return own_undefined_ ? own_undefined_->watch_version() : 0; }
  void on_issue(const IssueEvent& event) override;
  void on_exchange(const ExchangeEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_sync(const SyncEvent& event) override;
  void on_block_end(const BlockEndEvent& event) override;
  void on_write(const WriteEvent& event) override;
  void on_mask(const MaskEvent& event) override;
  void on_stall(const StallEvent& event) override;
  void on_finish(const Machine& machine, const RunResult& result) override;

 private:
  // Which phase each lane of a warp is in, and how many instances there have been.
  struct WarpPhases {
    std::vector<std::int32_t> of_lane;  // -1: none yet
    std::vector<std::uint32_t> steps;   // by phase
    std::uint32_t number = 0;
  };

  void start_phase(const IssueEvent& event);
  void add_timing(const IssueEvent& event);
  void check_assertions(const IssueEvent& event);
  static std::string values_of(const Expression& condition, const TemplateView& view, unsigned lane);
  class TitleView;
  TraceMemory memory_of(const MemoryEvent& event) const;
  void set_apart(std::vector<std::uint64_t>& addresses, LaneMask lanes) const;
  Type shown_type(const MemoryEvent& event) const;
  void add_outputs();

  RecorderOptions options_;
  TraceConsumer consumer_;
  bool keep_events_ = true;
  bool makes_events_ = true;
  const Program* program_ = nullptr;
  std::vector<Template> titles_;        // by phase
  std::vector<Expression> conditions_;  // by assertion; empty once it has been found not to hold
  std::vector<TraceFinding> failed_;    // assertions
  bool needs_state_ = false;
  AddressOf address_of_;
  BufferOf buffer_of_;  // between begin and finish
  Trace trace_;
  TraceEvent event_;
  bool in_event_ = false;
  const Machine* timed_ = nullptr;  // while a timed run runs
  std::optional<UndefinedWatch> own_undefined_;
  const UndefinedLanes* undefined_ = nullptr;               // of this run; null: not followed
  TraceState state_;                                        // only if a title or an assertion asks for a value
  using WarpKey = std::pair<std::uint32_t, std::uint32_t>;  // block, warp
  std::map<WarpKey, WarpPhases> phases_;
  std::map<WarpKey, std::vector<TraceMask>> pending_masks_;
  WarpKey stalled_;
};

}  // namespace warpsim
