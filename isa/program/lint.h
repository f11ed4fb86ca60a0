// What is not meant so, or not portable, in a program that is well formed: known before it runs, once the lane count
// is.
//
// Shapes: one StaticFinding a place, in text order.
// Units:  pcs count instructions.
// Errors: none: verify() has refused what does not fit.
// Source: isa/table/findings.def has the rules.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/findings.h"
#include "isa/text/message.h"

namespace warpsim {

struct StaticFinding {
  Finding code{};
  std::int32_t pc = -1;
  Message message;
};

std::vector<StaticFinding> lint(const Program& program, unsigned lanes);

}  // namespace warpsim
