// A launch of the machine code that ptxas makes of a program, timed and recorded: what `--timing machine-code` asks
// for.
//
// Shapes: the trace of code_head.h and code_recorder.h; its outcome is that of the program's own run, whose outputs
//         the machine code's must be.
// Units:  cycles.
// Errors: through the Reply, and then there is no trace: what cannot be timed, machine code that does not leave what
//         the program leaves, and instructions without a meaning are unsupported (5); a fault of the machine code is
//         a trap (4). Never a number that is not one.
#pragma once

#include <optional>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "tools/session/session.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

// As execute() in tools/session/loading.h, which calls it through Session::run_code.
std::optional<Trace> execute_code(Session& session, const Lesson& program, const PreparedCase& prepared,
                                  std::optional<TraceConsumer> consumer);

}  // namespace warpsim::tools
