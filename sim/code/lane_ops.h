// The lane loops, compiled for several host instruction sets and chosen at run time.
//
// Shapes: lane_op() returns the functions that run one table row with one type and one set of modifiers over a warp.
// Errors: a row that has no lane loop gives null functions; decode() asks only for rows that have one.
#pragma once

#include <string_view>

#include "isa/table/op.h"
#include "sim/code/decode.h"

namespace warpsim {

struct LaneOp {
  WholeOp full;
  MaskedFn masked = nullptr;
};

// What one host instruction set offers. `width` is storage_width(lanes).
struct LaneOps {
  std::string_view host_isa;
  LaneOp (*lane_op)(Op op, Type type, Mods mods, unsigned width);
  WholeOp (*shuffle_constant)(Type type, unsigned width);                    // b: row of source lanes, made at decode
  WholeOp (*shuffle_variable)(ShuffleMode mode, Type type, unsigned width);  // b, c: operand rows
  AccessOp (*access)(Lift lift, Type type, unsigned width);                  // Load and Store
};

LaneOp bits_op(unsigned width);      // the loop of Lift::Bits but for kernels on words, the same for all rows and hosts
WholeOp guarded_op(unsigned width);  // the insn's `masked` on the lanes where its guard holds

// The best that this machine can run; no better than what limit_host_isa() has been given.
const LaneOps& lane_ops();

// One for each instruction set that this build has; internal to lane_ops.cpp.
const LaneOps& lane_ops_baseline();
const LaneOps& lane_ops_avx2();
const LaneOps& lane_ops_avx512();

// The host instruction set that lane loops run with: "baseline", "avx2" or "avx512", chosen at run time.
std::string_view host_isa();
// Before it is first asked for: the most that is chosen.
void limit_host_isa(std::string_view most);

}  // namespace warpsim
