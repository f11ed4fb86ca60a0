// One random program on the machine and on the reference: where do they differ?
//
// Shapes: prepare() assembles a text and runs the reference once; compare() runs the machine on the same program, or
//         on a changed one, and compares every buffer and every lane's registers bit for bit.
// Units:  as in reference_interpreter.h.
// Errors: a difference is a sentence with the first differing value; a text that does not assemble is a difference too.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "isa/program/program.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "tools/fuzz/random/random_program.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {

// A program with what the reference says it does.
struct Prepared {
  RandomProgram source;
  std::optional<Program> program;
  Launch launch;
  LaunchConfig config;
  Result expected;
  std::string problem;  // why there is no program or no launch
};
Prepared prepare(const RandomProgram& source);

struct MachineRun {
  RunResult result;
  std::string difference;  // "" if there is none
};
// `changed` must have the registers of prepared.program first; registers after them are not compared.
MachineRun compare(const Prepared& prepared, const Program& changed, std::span<EventSink* const> sinks = {});

// The difference between machine and reference for this source; "" if there is none.
std::string difference(const RandomProgram& source);
// Takes away what a difference does not need.
RandomProgram shrink(const RandomProgram& source);
// Seed, launch, the shrunk program text, the difference: all that is needed to look into it.
std::string report(const RandomProgram& source);

}  // namespace warpsim::reference
