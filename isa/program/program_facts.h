// What each launch of a program would find out anew of its code alone: found once where there are many of them.
//
// Shapes: Program::facts; null where nobody has asked: build_cfg() and unwritten_reads() then find theirs anew.
//         A program whose instructions change has none.
// Units:  those of the parts.
// Errors: none.
#pragma once

#include <vector>

#include "isa/program/cfg.h"
#include "isa/program/program.h"
#include "isa/program/register_places.h"
#include "isa/program/stored_pointers.h"
#include "isa/program/unwritten_reads.h"

namespace warpsim {

struct ProgramFacts {
  explicit ProgramFacts(const Program& program)
      : places(register_places(program)),
        cfg(build_cfg(program)),
        unwritten(unwritten_reads(program)),
        stored(stored_pointers(program)) {}

  RegisterPlaces places;
  Cfg cfg;
  std::vector<bool> unwritten;  // by register: it may be read before it is written
  std::vector<ParamPart> stored;
};

}  // namespace warpsim
