// PTX text → its syntax.
//
// Shapes: one text, one module. Of several that are linked (ptx_modules.h) each has a number, which its places have.
// Units:  none.
// Errors: Diagnostics P001 … P018, at most 20 of a text; a statement that does not parse is left out.
// Source: PTX ISA 9.0.
#pragma once

#include <string>

#include "isa/ptx/ptx_syntax.h"
#include "isa/text/diagnostic.h"

namespace warpsim::ptx {

struct ReadModule {
  Module module;
  Diagnostics diagnostics;
};
ReadModule read_module(SharedText text, std::string file, std::uint32_t number = 0);

}  // namespace warpsim::ptx
