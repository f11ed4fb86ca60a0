// A launch of machine code beside the same launch of its program: what each leaves in memory.
//
// Shapes: all blocks of a grid are there at once, as far as there is room; warps take turns of one instruction.
// Errors: texts that say why there is nothing to compare.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/sass/cubin.h"
#include "sim/launch/launch.h"
#include "sim/sass/code_machine.h"

namespace warpsim::testing {

struct CodeComparison {
  std::string difference;          // "": both leave the same
  bool is_refused = false;         // there is nothing to compare, and `difference` says why
  std::uint64_t instructions = 0;  // of warps, of the machine code
};
// `shared_bytes`: of a block, that the cubin does not say. Buffers with a name of `ignored` are not compared. `behind`:
// parameters after the program's.
CodeComparison compare_code(const Program& program, const LaunchConfig& config, const Arguments& arguments,
                            const sass::Cubin& cubin, std::string_view entry, std::uint32_t shared_bytes,
                            const std::set<std::string>& ignored = {}, const std::vector<std::uint64_t>& behind = {});

// Runs a launch to its end; "" or why not.
std::string run_code(const sass::Cubin& cubin, std::string_view entry, const sass::CodeLaunch& launch,
                     std::uint64_t& instructions);

}  // namespace warpsim::testing
