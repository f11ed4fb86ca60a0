// What the sources claim about time, and the results: with their numbers, with the H200's profile, on the H200.
//
// Shapes: a claim is a few instructions; it takes from the issue of the one at the label `from` to that of the one at
//         `to`, on one warp of 32 lanes.
// Units:  cycles.
// Errors: none.
// Source: each claim names its line (docs/SOURCES.md); measurements are lines of tests/data/h200_latency.txt, or
//         kernels of traces/captures/h200/cycles.json.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/support/profiles.h"

namespace warpsim::tools {

struct MeasuredLine {
  std::string_view line;  // of h200_latency.txt, up to its number
  double cycles = 0;      // that number
  double times = 1;       // so many of them in a chain are the claim
};
struct MeasuredKernel {
  std::string_view name;  // one of micro_benchmarks(): the claim's instructions
  double times = 1;       // so many of them in a chain
};
using Measurement = std::variant<MeasuredLine, MeasuredKernel>;

struct Claim {
  std::string_view what;   // "a shuffle"
  std::string_view where;  // "003:518"
  std::string_view said;   // "1-2"
  std::string before, region;
  std::optional<Measurement> measured;  // none if nobody measured it, or only its parts
  bool on_a_gpu = true;  // else no GPU has what it speaks of, and only the profile `documents` gives it a time
};

std::vector<Claim> all_claims();
// By each bound of the profile; lockstep counts instructions.
std::vector<std::uint64_t> claim_cycles(const Claim& claim, const ChosenProfile& profile);
// A kernel's only while it is the one that was measured, and its machine code is the program's.
std::optional<std::uint64_t> measured_cycles(const Claim& claim);
std::string_view name(const Measurement& measurement);  // the line or the kernel

// All claims as a table, and as a JSON list.
std::string claims_text();
std::string claims_json();

}  // namespace warpsim::tools
