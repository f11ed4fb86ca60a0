// What a run did and what it waited for, in numbers: how busy its lanes and sub-cores were, where warps stalled, what
// memory had to serve. For reports; sim/statistics/counts.h has the instructions.
//
// Shapes: StatisticsCounter is an EventSink: give it to Machine::run and read statistics() afterwards. A lockstep
//         run has no stalls and no sub-cores. A warp's cycles are those from its start to its last instruction: in each
//         it issued, or stalled for a reason.
// Units:  cycles; one instruction of one warp, or of one divergent group of it, is 1. Lanes of an instruction are
//         active if its guard lets them execute; of a branch and an exit all lanes that are there. Sectors of 32 bytes,
//         lines of 128.
// Errors: none: it reads and never steers.
// Source: the categories of NVIDIA Nsight Compute's "Warp State Statistics" and "Scheduler Statistics", as far as the
//         model has them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/event/observer.h"
#include "sim/statistics/counts.h"

namespace warpsim {

// How many of a warp's existing lanes execute an instruction, in classes.
inline constexpr int kActivityCount = 6;  // none, up to a quarter, a half, three quarters, less than all, all
int activity_of(unsigned active, unsigned existing);

// One instruction that waits for one thing.
struct StallPlace {
  Stall::Reason reason = Stall::Reason::Issue;
  std::int32_t pc = -1;      // the instruction that waited
  std::int32_t reg = -1;     // for this register …
  std::int32_t writer = -1;  // … written by the instruction here; for Barrier, the barrier's pc
  std::int32_t pipe = -1;    // of the profile
  std::uint64_t cycles = 0, times = 0;
};

struct SubCoreStatistics {
  std::uint64_t warps = 0;  // that ran there, one after another or at once
  std::uint64_t instructions = 0;
  std::uint64_t issued = 0;         // cycles in which one of them issued
  std::uint64_t none_eligible = 0;  // … in which there were warps and none could
  std::uint64_t empty = 0;          // … in which there was no warp
};

struct SharedStatistics {
  std::uint64_t accesses = 0, ways = 0;  // ways: the sum of all accesses' degrees of conflict
  std::uint64_t conflicts = 0;           // accesses that take more turns than without a conflict
  unsigned worst_ways = 0;
  std::int32_t worst_pc = -1;  // the first
};

struct SectorStatistics {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0, least_sectors = 0, lines = 0,
                least_lines = 0;                     // `least`: the fewest that can hold what the lanes access
  std::uint64_t worst_sectors = 0, worst_least = 0;  // of the request that exceeds its least by most
  std::int32_t worst_pc = -1;
};

struct Statistics {
  std::uint64_t cycles = 0;
  Counts counts;
  std::uint64_t active_lanes = 0, existing_lanes = 0;    // summed over all instructions
  std::array<std::uint64_t, kActivityCount> activity{};  // instructions, by activity_of()
  std::vector<std::uint64_t> instructions_at;            // by pc, up to the last one that executed
  SharedStatistics shared;
  SectorStatistics global;
  SectorStatistics local;  // interleaved by lane, as on hardware

  // Of a timed run.
  bool timed = false;
  std::uint64_t issue_cycles = 0;                         // summed over warps: the cycles in which the warp issued
  std::uint64_t stall_cycles = 0;                         // summed over warps
  std::array<std::uint64_t, kStallReasonCount> stalls{};  // the index is the Reason
  std::vector<StallPlace> places;                         // the most cycles first
  unsigned sub_cores_an_sm = 0;
  std::map<std::int32_t, SubCoreStatistics> sub_cores;  // by Machine::sub_core; those that had a warp

  std::uint64_t sms() const;  // that had a warp
};

class StatisticsCounter : public EventSink {
 public:
  // What it needs to know of a machine; for callers that have events but no running machine.
  struct Source {
    bool timed = false;
    unsigned sub_cores_an_sm = 0;
    std::function<LaneMask(std::uint32_t warp)> existing_lanes;
    std::function<std::int32_t(std::uint32_t block, std::uint32_t warp)> sub_core;  // of a timed run
    unsigned lanes = 0;                                                             // a warp
  };
  void begin(Source source);
  void finish(std::uint64_t cycles);
  const Statistics& statistics() const { return statistics_; }

  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_mask(const MaskEvent& event) override;
  void on_finish(const Machine& machine, const RunResult& result) override;

 private:
  // A set of cycles.
  class Cycles {
   public:
    void add(std::uint64_t first, std::uint64_t last);
    std::uint64_t size() const;

   private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> spans_;  // sorted and disjoint
  };
  struct SubCore {
    std::uint64_t last_issue = 0;
    Cycles lived;  // cycles in which it had a warp
  };
  struct Warp {
    std::int32_t sub_core = -1;
    std::uint64_t born = 0;
    std::uint64_t last_issue = 0;
  };
  using PlaceKey = std::tuple<Stall::Reason, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;

  void count_sectors(SectorStatistics& counted, const MemoryEvent& event);
  void time(const IssueEvent& event);
  void end_warp(std::uint64_t key, std::uint64_t cycle);

  Source source_;
  Counter counter_;
  Statistics statistics_;
  std::map<PlaceKey, std::pair<std::uint64_t, std::uint64_t>> places_;  // cycles, times
  std::unordered_map<std::int32_t, SubCore> sub_cores_;
  std::unordered_map<std::uint64_t, Warp> warps_;  // that have not ended

  // The instruction whose events arrive.
  std::uint64_t key_ = 0, cycle_ = 0;
  std::int32_t pc_ = -1;
  LaneMask alive_ = 0;
};

}  // namespace warpsim
