// The events of a trace as a plain list: cycle, place, instruction, and what it changed.
#pragma once

#include <string>
#include <vector>

#include "traces/model/trace.h"
#include "traces/text/text_renderer.h"

namespace warpsim {

std::string render_events(const Trace& trace, const TextOptions& options);
// Whether any but the first warp of the first block has events.
bool has_many_warps(const Trace& trace);
// Some of a trace's events; `many_warps`: with the warp of each.
std::string render_events(const TraceHead& head, const std::vector<const TraceEvent*>& events,
                          const TextOptions& options, bool many_warps);

}  // namespace warpsim
