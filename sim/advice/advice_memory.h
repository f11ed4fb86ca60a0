// Accesses that memory serves in more turns than it need: bank conflicts and scattered sectors.
//
// Shapes: a site a pc, with its worst execution.
//           - shared: as bank_ways() in sim/memory/memory.h counts;
//           - global: the sectors of 32 bytes that the lanes touch, against the least that could hold as many
//             different bytes. One more than the least is what a range that begins inside a sector needs: no finding.
//             Neither is a row of elements, one a lane, of which some lanes are missing.
// Units:  words of 4 bytes, sectors of 32 bytes.
// Errors: none.
// Source: CUDA C++ Best Practices Guide, "Shared Memory and Memory Banks", "Coalesced Access to Global Memory".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

class MemoryAdvice {
 public:
  void begin(const Machine& machine);
  void on_issue(const IssueEvent& event);
  void on_memory(const MemoryEvent& event);
  void finish(std::vector<RunFinding>& found) const;

 private:
  struct Site {
    std::uint64_t executions = 0, costly = 0;
    unsigned worst = 0;  // ways, or sectors beyond the least
    RunFinding finding;
  };

  void shared_access(Site& site, const MemoryEvent& event);
  void global_access(Site& site, const MemoryEvent& event);
  void keep(Site& site, Finding code, LaneMask lanes);
  std::string name_of_word(const MemoryEvent& event, std::uint64_t word, unsigned lane) const;
  Message words_named(const MemoryEvent& event, const std::map<std::uint64_t, LaneMask>& words) const;

  const Program* program_ = nullptr;
  std::vector<Site> sites_;  // by pc
  std::uint64_t cycle_ = 0;  // of the instruction that is being told
  std::uint32_t block_ = 0, warp_ = 0;
  std::int32_t pc_ = -1;
};

}  // namespace warpsim
