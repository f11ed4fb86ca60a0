// Follows what is undefined in a run of the machine, and asks only for the instructions that can matter to it.
//
// Shapes: a sink of its own. The checker has one; a recorder has one if its trace marks undefined lanes and no checker
//         is attached.
// Units:  pcs by number.
// Errors: none: it knows, others judge.
// Source: sim/check/undefined.h says what is undefined, isa/program/unwritten_reads.h what is read before it is
// written.
#pragma once

#include <utility>
#include <vector>

#include "isa/program/program.h"
#include "sim/check/undefined.h"
#include "sim/event/observer.h"

namespace warpsim {

// Which instructions a checker must see: the others can neither make nor meet a value that holds nothing defined, or
// that a shuffle left in place. A register may hold such a value if some path reads it before it is written on every
// lane that comes there, if a shuffle or a load gives it, or if such a register went into it. Instructions that touch
// none of those, and only registers, go unwatched, so that a run is hardly slower for being checked.
struct Watched {
  std::vector<bool> registers;  // may hold such a value
  std::vector<bool> pcs;
  std::vector<bool> meets;  // by pc: a register that it reads or writes may
};

struct WatchedRun {
  unsigned lanes = 32;
  bool memory_may_be = false;  // global memory holds something undefined from the start
  bool follows_left = true;    // what shuffles leave in place past their segments is followed, too
  // Shuffles whose every source is in range, or which follows_left lets out, are taken to find it there,
  // and loads and atomics to find something defined. Where one does not, the rest of the run is to be watched without
  // this.
  bool finds_sources = true, loads_defined = true;
};
// `unwritten`: the registers that unwritten_reads() finds, once for a run.
Watched what_to_watch(const Program& program, std::vector<bool> unwritten, const WatchedRun& run);

class UndefinedWatch : public EventSink {
 public:
  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override { lanes_.on_issue(event); }
  void on_exchange(const ExchangeEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_block_end(const BlockEndEvent& event) override { lanes_.on_block_end(event); }
  void on_write(const WriteEvent& event) override { lanes_.on_write(event); }
  void on_sync(const SyncEvent& event) override { lanes_.on_sync(event); }

  // Of the next run: what shuffles leave in place need not be watched.
  void leave_left() { follows_left_ = false; }
  bool watches(std::int32_t pc) const override { return watched_.pcs[static_cast<std::size_t>(pc)]; }
  unsigned watch_version() const override { return (watch_.finds_sources ? 0 : 1) + (watch_.loads_defined ? 0 : 1); }
  bool meets(std::int32_t pc) const { return watched_.meets[static_cast<std::size_t>(pc)]; }
  bool are_all_defined(const AccessPlace& place) { return lanes_.are_all_defined(place); }
  bool is_all_defined(const AccessPlace& place, const MemoryEvent& event) {
    return lanes_.is_all_defined(place, event);
  }
  void define(const MemoryEvent& event) { lanes_.define(event); }
  bool is_all_defined(const AccessPlace& place, const RangeEvent& event) { return lanes_.is_all_defined(place, event); }
  void define(const RangeEvent& event) { lanes_.define(event); }
  bool is_all_defined(const AccessPlace& place, const LanesEvent& event) { return lanes_.is_all_defined(place, event); }
  void define(const LanesEvent& event) { lanes_.define(event); }
  const UndefinedLanes& lanes() const { return lanes_; }
  UndefinedLanes& lanes() { return lanes_; }
  // Of global memory, before the run begins and after it.
  UndefinedWords take_memory() { return lanes_.take_memory(); }
  void give_memory(UndefinedWords memory) { lanes_.give_memory(std::move(memory)); }

 private:
  const Program* program_ = nullptr;
  bool follows_left_ = true;
  std::vector<bool> unwritten_;
  WatchedRun watch_;
  Watched watched_;
  UndefinedLanes lanes_;
};

}  // namespace warpsim
