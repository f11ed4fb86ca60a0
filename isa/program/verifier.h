// What is wrong with a program before it runs, whatever front end it comes from.
//
// Errors: Diagnostics, codes V….
#pragma once

#include "isa/program/program.h"
#include "isa/text/diagnostic.h"

namespace warpsim {

// What can be known before running: classes, register never written on any path, branches out of range … codes V….
void verify(const Program& program, Diagnostics& diagnostics);

}  // namespace warpsim
