#include "tools/session/gpu_session.h"

#include <utility>

#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr unsigned kGpuSeconds = 60, kMostGpuSeconds = 86'400;

}  // namespace

void report(Session& session, const BackendError& error) {
  session.reply.fail(error.code, error.id, error.message, error.hint);
}

bool gpu_options_fit(Session& session) {
  if (session.options.backend == "cuda" && !session.options.check.empty() && session.options.check != "off") {
    session.reply.fail(ExitCode::Unsupported, "unsupported", "a GPU reports nothing that could be checked",
                       "leave out --check, or --backend cuda");
    return false;
  }
  if (session.options.gpu_seconds.empty() || session.options.backend == "cuda") return true;
  session.reply.fail(ExitCode::Usage, "usage", "--gpu-seconds is for --backend cuda",
                     "the simulator's limit is --max-cycles");
  return false;
}

std::optional<unsigned> gpu_seconds(Session& session) {
  const std::string& given = session.options.gpu_seconds;
  if (given.empty()) return kGpuSeconds;
  const std::optional<std::uint64_t> count = parse_count(given);
  if (count && *count != 0 && *count <= kMostGpuSeconds) return static_cast<unsigned>(*count);
  session.reply.fail(ExitCode::Usage, "usage", "--gpu-seconds " + given + " is not a number of seconds",
                     "a whole number from 1 to " + std::to_string(kMostGpuSeconds));
  return std::nullopt;
}

std::unique_ptr<CudaBackend> open_gpu(Session& session, const std::string& without) {
  const std::optional<unsigned> seconds = gpu_seconds(session);
  if (!seconds) return nullptr;
  auto opened = CudaBackend::open(*seconds);
  if (BackendError* error = std::get_if<BackendError>(&opened)) {
    if (!without.empty()) error->hint = "run this where a GPU and its driver are; without one there is " + without;
    report(session, *error);
    return nullptr;
  }
  return std::get<std::unique_ptr<CudaBackend>>(std::move(opened));
}

std::optional<Trace> gpu_trace_of(Session& session, const Ready& ready, bool steps) {
  const Options& given = session.options;
  for (const auto& [option, value] : {std::pair{"--reconvergence", &given.reconvergence},
                                      {"--schedule", &given.schedule},
                                      {"--profile", &given.profile},
                                      {"--scheduler", &given.scheduler},
                                      {"--sms", &given.sms},
                                      {"--resident-blocks", &given.resident_blocks}}) {
    if (value->empty()) continue;
    session.reply.fail(ExitCode::Unsupported, "schedule",
                       "a GPU goes its own way: " + std::string(option) + " is the simulator's",
                       "leave one of the two out");
    return std::nullopt;
  }
  if (ready.prepared.config.lanes > kPtxLanes) {  // said even where there is no GPU
    report(session,
           to_backend_error(std::get<PtxUnsupported>(write_ptx(ready.program, {ready.prepared.config.lanes}))));
    return std::nullopt;
  }
  const std::unique_ptr<CudaBackend> backend = open_gpu(session);
  if (!backend) return std::nullopt;
  auto ran = backend->run(ready.program, ready.prepared, steps);
  if (const BackendError* error = std::get_if<BackendError>(&ran)) {
    report(session, *error);
    return std::nullopt;
  }
  return std::get<Trace>(std::move(ran));
}

}  // namespace warpsim::tools
