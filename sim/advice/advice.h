// Advice on a run: nothing is wrong, and it could be faster or shorter.
//
// Shapes: one finding a pc: the worst execution, or the first, with counts over the run.
//           - advice_memory: bank conflicts (WS0801), sectors of global memory that are touched for little (WS0802);
//           - advice_idle: lanes that idle because a branch or a guard parts them (WS0803);
//           - advice_shuffles: shuffles that one collective replaces (WS0804), shuffles that move nothing (WS0805);
//           - races: stores of one value to one word by several threads (WS0407).
// Units:  cycles from 1; shared memory in words of 4 bytes, global memory in sectors of 32.
// Errors: none here: it reports, others judge.
// Source: CUDA C++ Best Practices Guide, "Shared Memory and Memory Banks", "Coalesced Access to Global Memory",
//         "Branching and Divergence".
#pragma once

#include <vector>

#include "sim/advice/advice_idle.h"
#include "sim/advice/advice_memory.h"
#include "sim/advice/advice_shuffles.h"
#include "sim/check/races.h"
#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

class Advice : public EventSink {
 public:
  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_exchange(const ExchangeEvent& event) override { shuffles_.on_exchange(event); }
  void on_memory(const MemoryEvent& event) override;
  void on_write(const WriteEvent& event) override { shuffles_.on_write(event); }
  void on_mask(const MaskEvent& event) override;
  void on_sync(const SyncEvent& event) override { races_.on_sync(event); }
  void on_block_end(const BlockEndEvent& event) override { races_.on_block_end(event); }
  void on_finish(const Machine& machine, const RunResult& result) override;
  // After the run: by code, then by pc; idle lanes with the worst first.
  const std::vector<RunFinding>& found() const { return found_; }

 private:
  MemoryAdvice memory_;
  IdleAdvice idle_;
  ShuffleAdvice shuffles_;
  Races races_;
  std::vector<RunFinding> found_;
};

}  // namespace warpsim
