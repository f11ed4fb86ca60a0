// `broadcast`, `reduce` and `scan` on one warp: the bits of their expansions into shuffles, computed in one step.
//
// Shapes: values are one 64-bit word a lane, zero-extended; lanes that do not exist or have exited count as the H200
//         treats them in a shuffle: they give 0, and what depends on them is reported undefined.
// Errors: the caller has checked that every living lane participates.
// Source: the expansions in isa/program/expand.cpp; reading from an exited lane: tests/data/h200_semantics,
//         `shflexited` (0).
#pragma once

#include <cstdint>

#include "isa/table/op.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

using Combine = std::uint64_t (*)(std::uint64_t own, std::uint64_t received);

// The operation of a reduce or scan row for one type, and what exclusive scan gives lane 0.
Combine combine_of(Op op, Type type);
std::uint64_t identity_of(Op op, Type type);

struct CollectiveResult {
  std::uint64_t value[64];
  LaneMask undefined;  // lanes whose result depends on a lane that is not there
};

CollectiveResult reduce_lanes(Op op, Type type, unsigned lanes, LaneMask alive, const std::uint64_t* a);
CollectiveResult scan_lanes(Op op, Type type, bool exclusive, unsigned lanes, LaneMask alive, const std::uint64_t* a);

}  // namespace warpsim
