// What the parts of the advice share.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/program/program.h"
#include "isa/text/message.h"
#include "sim/event/lane_mask.h"

namespace warpsim::advice {

// How often, of how often: "in 2 of 5 executions".
Message how_often(std::uint64_t times, std::uint64_t of);

// The row of a collective, a reduce or a scan, that combines as the instruction does; null: there is none, or the
// instruction says more than the collective can (.sat, another rounding).
const OpInfo* collective_row(Lift lift, const Insn& insn);
// Does the order of combining show in the bits?
bool order_shows(Op op, Type type);

}  // namespace warpsim::advice
