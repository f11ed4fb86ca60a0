// JSON text → Trace: a document or NDJSON, checked so that users of the Trace may index with it.
//
// Shapes: read_trace() sees by itself which shape it has. Every pc, register, buffer, lane, block and warp in the
//         result exists in its head, and per-lane lists are as long as their masks say.
// Units:  as trace.h.
// Errors: JsonError (json_values.h), codes J001 … J018; members that are unknown are ignored, a higher major version is
//         refused. Nothing throws.
// Source: traces/FORMAT.md.
#pragma once

#include <string_view>
#include <variant>

#include "traces/io/json_values.h"
#include "traces/model/trace.h"

namespace warpsim {

// Collects the records of a streamed reading into a Trace.
TraceConsumer collect_into(Trace& trace);

[[nodiscard]] std::variant<Trace, JsonError> read_trace(std::string_view text);

}  // namespace warpsim
