// The events of a trace as a plain list: cycle, place, instruction, and what it changed.
#pragma once

#include <string>

#include "traces/text_renderer.h"
#include "traces/trace.h"

namespace warpsim {

std::string render_events(const Trace& trace, const TextOptions& options);

}  // namespace warpsim
