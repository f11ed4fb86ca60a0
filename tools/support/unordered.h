// Outputs that several warps fill in an order that nothing fixes (`.unordered`): their elements stand for themselves.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/array.h"

namespace warpsim::tools {

// Those outputs of a run sorted, so that two runs can be compared.
inline void sort_unordered(const Program& program, std::vector<std::pair<std::string, Array>>& outputs) {
  for (auto& [name, array] : outputs)
    for (const Unordered& one : program.unordered)
      if (one.output == name) std::sort(array.bits.begin(), array.bits.end());
}

}  // namespace warpsim::tools
