// One call of the command: its options, the catalogue of programs, and the Reply.
//
// Shapes: every verb receives one. This room has what several verbs do with it: loading programs and traces, reading
//         options, opening the GPU, writing result files.
// Errors: a verb reports through `reply`; the exit code is the Reply's.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "tools/session/catalogue.h"
#include "tools/session/option_set.h"
#include "tools/session/options.h"
#include "tools/session/reply.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

class CommandLine;
struct ChosenProfile;
struct Session;

// How --timing machine-code runs a case: execute() in loading.h for machine code, which this room does not know.
using RunCode = std::optional<Trace> (*)(Session& session, const Lesson& program, const PreparedCase& prepared,
                                         std::optional<TraceConsumer> consumer);

struct Session {
  const Options& options;
  const Catalogue& catalogue;
  const CommandLine* command_line;  // for `help` and `completions`; nullptr: there is none
  Reply& reply;
  OptionSet takes = 0;                                     // the options of the verb that runs
  std::shared_ptr<const ChosenProfile> profile = nullptr;  // what --profile names, once it was asked for
  RunCode run_code = nullptr;                              // null: this build has none
  const std::atomic<bool>* stop = nullptr;                 // of a verb that Ctrl-C ends with a report: it was pressed
  bool has_said_breakpoint = false;
  bool runs_code() const { return options.timing == kMachineCode; }
  bool is_stopped() const { return stop != nullptr && *stop; }
};

}  // namespace warpsim::tools
