// What is not meant so, or not portable, in a program that is well formed: known before it runs, once the lane count
// is.
//
// Shapes: one StaticFinding a place, in text order.
// Units:  pcs count instructions.
// Errors: none: verify() has refused what does not fit.
// Source: isa/table/findings.def has the rules.
#pragma once

#include <cstdint>
#include <optional>
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

// The register whose value says how wide a shuffle's segments are, or how many threads a barrier counts; -1: none.
std::int32_t register_linted(const Insn& insn);
// What is wrong with such a value.
std::optional<StaticFinding> lint_value(const Insn& insn, std::int32_t pc, std::int64_t value, unsigned lanes);

}  // namespace warpsim
