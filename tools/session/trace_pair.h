// Two traces to hold against each other, from what the command line names: trace files and programs.
//
// Shapes: a program beside a trace runs that trace's case on its launch and inputs, with its collectives expanded if
//         the trace's are; two programs run as the options say.
// Errors: through the Reply; the result is then empty.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tools/session/session.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

std::optional<std::pair<Trace, Trace>> load_trace_pair(Session& session, const std::string& one,
                                                       const std::string& two);

}  // namespace warpsim::tools
