// One program, by the model and by the checker: which pairs of instructions race, and what is left in memory.
//
// Shapes: the first case, at four lanes; runs under several schedules and both kinds of reconvergence. A pair is two
// pcs,
//         or one if an instruction races with itself.
// Units:  none.
// Errors: a program that the model refuses fails the test.
// Source: tests/litmus/model.h, which shares nothing with sim/check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "isa/program/program.h"

namespace warpsim::litmus {

using Pairs = std::set<std::set<std::int32_t>>;

struct Compared {
  Pairs model, checker;
  std::set<std::vector<std::uint64_t>> outcomes;  // all buffers, as the model allows them to end
  bool allowed = true;                            // all that runs left
  std::size_t expected = 0;                       // findings, as the case says
};

Compared compared(const Lesson& lesson);

// By line: "11-20, 12".
std::string text_of(const Pairs& races, const warpsim::Program& program);

}  // namespace warpsim::litmus
