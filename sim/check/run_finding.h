// What was found wrong in one run, or not as it was meant: what happened, where, and the steps that led there.
//
// Shapes: lanes are those of one warp at one instruction. The steps tell the story in the order in which it is told:
//         of an undefined value from its use back to its birth, of a race the other access.
// Units:  cycles from 1; pcs count instructions, -1: none.
// Errors: this is one.
// Source: isa/table/findings.def has the codes and their rules, isa/text/messages.def the words.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/table/findings.h"
#include "isa/text/message.h"
#include "sim/event/lane_mask.h"
#include "sim/event/trap.h"

namespace warpsim {

class Machine;

struct FindingStep {
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  Message text;  // "lane 3 reads %x from lane 7, which has exited"
};

struct RunFinding {
  Finding code{};
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  Message message;  // one sentence, with numbers
  Message hint;     // what to try, here; empty: as the table says
  std::vector<FindingStep> steps;
  std::vector<LanePlace> places;  // where the lanes of the warp stand then
};

// Which byte of which allocation an address of global memory is: of cudaMalloc, of a variable, of what malloc gave in a
// kernel. Empty: of none.
Message allocated_at(const Machine& machine, std::uint64_t address);

}  // namespace warpsim
