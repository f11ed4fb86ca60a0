// The ceiling of the `iter` workload: the same work written by hand for one host instruction set, one warp at a time or
// several side by side, where their number allows it: what one waits for overlaps with the others.
//
// Shapes: in and out hold `warps` × 32 values; the result bits are those of the simulated program.
// Errors: the caller asks ceiling_isa() first; "none" means that this machine has neither AVX-512 nor AVX2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpsim {

std::string_view ceiling_isa();
void ceiling(const std::uint32_t* in, std::uint32_t* out, std::size_t warps, unsigned iterations, bool side_by_side);

}  // namespace warpsim
