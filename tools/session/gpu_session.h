// The GPU for the verbs: opening it, and telling the Reply why not.
//
// Shapes: one backend a run of the command at most.
// Units:  seconds.
// Errors: through the Reply.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tools/cuda/recording/backend.h"
#include "tools/session/loading.h"

namespace warpsim::tools {

// --gpu-seconds, or what it is without one. Nothing after it has said what is wrong with it.
std::optional<unsigned> gpu_seconds(Session& session);
// `without`: what there is for the verb where there is no GPU.
std::unique_ptr<CudaBackend> open_gpu(Session& session, const std::string& without = "");
// False after it has said that --gpu-seconds is for --backend cuda.
bool gpu_options_fit(Session& session);
// The case on the GPU; with all its steps, or with its outputs alone.
std::optional<Trace> gpu_trace_of(Session& session, const Ready& ready, bool steps);
void report(Session& session, const BackendError& error);

}  // namespace warpsim::tools
