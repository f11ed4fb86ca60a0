// What a run may take to be calm: see sim/check/checker.h.
#pragma once

#include <cstdint>

namespace warpsim {

// Nothing, its memory, or also that nobody uses what a shuffle has left in place.
enum class Calm : std::uint8_t { Nothing, Memory, Lanes };

}  // namespace warpsim
