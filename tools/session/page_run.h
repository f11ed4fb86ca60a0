// What a page shows of one NAME: its run, and beside a run with reductions or scans as shuffles the one with each as
// one step; of two NAMEs their runs side by side.
//
// Shapes: the shuffles are what a GPU runs, so the page opens on them. A trace file, a window, a GPU's run and a
// program from
//         standard input are shown as they are.
// Errors: through the Reply; the answer is then nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/session/trace_source.h"
#include "traces/words/language.h"

namespace warpsim::tools {

struct PageRun {
  std::vector<Trace> traces;      // one, or the two that stand side by side
  std::optional<Trace> one_step;  // of one: the run with its collectives as one step each
  std::optional<TraceSource> source;
};

// The run of NAME.
std::optional<PageRun> run_for_page(Session& session, const std::string& name);
// That of the command line's NAME, or those of its two.
std::optional<PageRun> runs_for_page(Session& session);
// The page, with each program's twin in CUDA C++, and its data alone (tools/viewer/view_page.h); nothing if the
// translations cannot be read.
std::optional<std::string> page_of(Session& session, const PageRun& run);
std::optional<std::vector<std::pair<std::string, std::string>>> page_data_of(Session& session, const PageRun& run);

}  // namespace warpsim::tools
