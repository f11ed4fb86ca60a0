// Where a trace comes from: a file, a run in the simulator, a GPU. Record by record, so that its length does not
// matter.
//
// Shapes: NAME is a trace file (see is_trace_file(); also with .gz or .zst added) or a program; its records go to a
//         consumer.
// Units:  none.
// Errors: through the Reply; the answer is then nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "sim/statistics/counts.h"
#include "tools/session/loading.h"
#include "traces/io/window.h"

namespace warpsim::tools {

struct TraceSource {
  std::optional<Ready> ready;                // of a program
  Trace facts;                               // head and outcome, without events
  std::optional<ExactnessCounts> exactness;  // of a run in the simulator
};

// The records of a file.
bool stream_file(Session& session, const std::string& path, const TraceConsumer& consumer);
// The records of NAME, those of the window that the command line asks for.
std::optional<TraceSource> stream_trace(Session& session, const std::string& name, const TraceConsumer& consumer);
// All of them.
std::optional<Trace> recorded_trace(Session& session, const std::string& name);
// After stream_trace(): reports how the run ended to the Reply; nothing for a file.
void report_source(Session& session, const TraceSource& source);

// Gathers a trace until there are more than `most` of the events that count, then no event at all. `counted` is how
// many there are in all.
TraceConsumer collect_up_to(std::size_t most, Trace& trace, std::size_t& counted,
                            std::function<bool(const TraceEvent&)> counts);
// All that a page takes, and whether it takes so many.
TraceConsumer collect_for_page(Trace& trace, std::size_t& events);
bool page_takes(Session& session, std::size_t events);

// --from --to --block-index --warp --max-events
std::optional<WindowOptions> read_window(Session& session);
// What a file would be called without .gz and .zst.
std::string without_compression(const std::string& path);
// --compress, or as -o FILE ends.
Compression wanted_compression(const Options& options);

}  // namespace warpsim::tools
