// Other forms of a trace: tables, timelines and pictures. One file a form: export_csv.cpp, export_chrome.cpp …
//
// Shapes: the streaming ones are consumers: records go in as a recorder, a reader or a window gives them, text comes
//         out in pieces, and nothing of a trace's length is kept. The pictures need the whole trace.
// Units:  timelines count a cycle as a microsecond; in a trace from hardware, which has no cycles, an event.
// Errors: none: a reader has checked the trace. The same trace gives the same bytes.
// Source: traces/FORMAT.md, "Exports".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "traces/export/network.h"
#include "traces/model/trace.h"

namespace warpsim {

using ExportOutput = std::function<void(std::string_view)>;

TraceConsumer export_csv(ExportOutput output);       // RFC 4180; a row an event, lane and register
TraceConsumer export_markdown(ExportOutput output);  // program, inputs, a table a step
TraceConsumer export_chrome(ExportOutput output);    // Trace Event Format, JSON
TraceConsumer export_perfetto(ExportOutput output);  // perfetto.protos.Trace

// The network of one warp of a trace; see network.h. Titles stand as they do in the trace.
std::string export_svg(const TraceHead& head, const Network& network, Language language = Language::English);
std::string export_dot(const TraceHead& head, const Network& network);

}  // namespace warpsim
