// Which instructions a checker must see: the others can neither make nor meet a value that holds nothing defined, or
// that a shuffle left in place.
//
// Shapes: a register may hold such a value if some path reads it before it is written on every lane that comes there,
//         if a shuffle or a load gives it, or if such a register went into it. Instructions that touch none of those,
//         and only registers, go unwatched, so that a run is hardly slower for being checked.
// Units:  registers and pcs by number.
// Errors: none.
// Source: definite assignment as a forward "must" problem over the control-flow graph: Aho, Lam, Sethi, Ullman,
//         "Compilers" (2nd edition), section 9.2.
#pragma once

#include <vector>

#include "isa/program/program.h"

namespace warpsim {

struct Watched {
  std::vector<bool> registers;  // may hold such a value
  std::vector<bool> pcs;
};

struct WatchedRun {
  unsigned lanes = 32;
  bool memory_may_be = false;  // global memory holds something undefined from the start
  // Shuffles whose every source is in range are taken to find it there, and loads and atomics to find something
  // defined. Where one does not, the rest of the run is to be watched without this.
  bool finds_sources = true, loads_defined = true;
};
Watched what_to_watch(const Program& program, const WatchedRun& run);

}  // namespace warpsim
