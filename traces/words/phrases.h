// The renderers' own words in each language: headers, derived lines, event lists, verdicts.
//
// Shapes: a phrase is a pattern with {0}, {1} … for what it is filled with; its two languages stand side by side in one
//         table.
// Units:  none.
// Errors: none.
// Source: the Korean follows the Korean edition of the GPU Puzzles.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "traces/words/language.h"

namespace warpsim {

enum class Phrase : std::uint8_t {
  // header and result
  Case,
  OneLane,
  Lanes,
  OneBlock,
  Blocks,
  OneThread,
  Threads,
  TimedBy,
  OfMachineCode,
  CollectivesOneStep,
  CollectivesShuffles,
  AsShuffles,
  OnBackend,
  OneCycle,
  Cycles,
  OneInstruction,
  Instructions,
  WindowCycle,
  WindowCycles,
  WindowInstructions,
  BlockAndWarp,
  MachineCycles,
  AtCycle,
  AtCycles,
  Letters,
  Trap,
  WindowBegins,
  WindowEnds,
  WholeRun,
  // derived lines
  LaneRange,
  OneLaneRange,
  NoSuchLane,
  NoPart,
  ReceivesXor,
  Receives,
  // event lists
  NoLane,
  SomeLane,
  SomeLanes,
  NoLanes,
  FromLane,
  Stored,
  BranchTo,
  Done,
  Together,
  // verdicts
  Passed,
  Failed,
  NotWritten,
  WrongLength,
  IsUndefined,
  Differs,
  NotClean,
  // pictures
  AndBlock,
  AndWarp,
  WhenCycle,
  StoppedHere,
  Jumps,
  GoesOn,
  LaneNumbers,
  KeyArrows,
  KeyBar,
  KeyStairs,
  KeyTwoBars,
  KeyKeeps,
  KeyInactive,
  KeyUndefined,
  // what lanes exchange
  Pairs,
  Halves,
  Quarters,
  Eighths,
  Sixteenths,
  ThirtySeconds,
  XorBy,
};

std::string say(Language language, Phrase phrase, std::initializer_list<std::string_view> values = {});

}  // namespace warpsim
