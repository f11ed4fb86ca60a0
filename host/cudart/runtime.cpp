// See runtime.h.
#include "host/cudart/runtime.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "host/exec/environment.h"
#include "host/exec/progress.h"
#include "isa/text/number_text.h"
#include "sim/launch/launch_limits.h"

namespace warpsim::cudart {
namespace {

host::ExecOptions options_of_environment() {
  host::heed_environment();
  const char* const text = std::getenv(host::kExecVariable);
  return text == nullptr ? host::ExecOptions{} : host::exec_options_from(text);
}

cudaError_t error_of(const host::Failure& failure) {
  switch (failure.status) {
    case host::Status::Ok: return cudaSuccess;
    case host::Status::OutOfMemory: return cudaErrorMemoryAllocation;
    case host::Status::BadPtx: return cudaErrorInvalidPtx;
    case host::Status::Unsupported: return cudaErrorNotSupported;
    case host::Status::Trap: break;
    case host::Status::InvalidValue:
    case host::Status::NotFound:
    case host::Status::BadLaunch: return cudaErrorInvalidValue;
    case host::Status::Stopped: return cudaErrorLaunchTimeout;
  }
  if (failure.is_assertion) return cudaErrorAssert;
  switch (failure.trap.value_or(TrapKind::Trap)) {
    case TrapKind::OutOfBounds:
    case TrapKind::ReadOnly: return cudaErrorIllegalAddress;
    case TrapKind::Misaligned: return cudaErrorMisalignedAddress;
    case TrapKind::NoFunction: return cudaErrorInvalidPc;
    case TrapKind::StackOverflow: return cudaErrorHardwareStackError;
    case TrapKind::Deadlock:
    case TrapKind::Livelock:
    case TrapKind::CycleLimit: return cudaErrorLaunchTimeout;
    case TrapKind::NoMemory: return cudaErrorMemoryAllocation;
    default: return cudaErrorLaunchFailure;
  }
}

// Ctrl-C ends the launch that runs, with a report of where it was, and then the program: under `warpsim exec`, and if
// the program does nothing else about it.
std::atomic<host::Device*> interruptible{nullptr};
static_assert(std::atomic<host::Device*>::is_always_lock_free, "a signal handler reads it");

extern "C" void stop_launch(int) {
  if (host::Device* const device = interruptible.load(std::memory_order_relaxed)) device->stop();
}

class Interruptible {
 public:
  Interruptible(host::Device& device, bool is_wanted) {
    if (!is_wanted || ::sigaction(SIGINT, nullptr, &before_) != 0 || before_.sa_handler != SIG_DFL) return;
    interruptible.store(&device, std::memory_order_relaxed);
    struct sigaction ours {};
    ours.sa_handler = stop_launch;
    is_set_ = ::sigaction(SIGINT, &ours, nullptr) == 0;
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible() {
    if (is_set_) ::sigaction(SIGINT, &before_, nullptr);
    interruptible.store(nullptr, std::memory_order_relaxed);
  }

 private:
  struct sigaction before_ {};
  bool is_set_ = false;
};

enum class Attribute : int {
#define DEVICE_ATTRIBUTE(number, value, name) name = (value),
#include "host/cudart/device_facts.def"
#undef DEVICE_ATTRIBUTE
};
constexpr double kGigahertz = static_cast<double>(Attribute::ClockRate) / 1e6;  // from kHz

Dim3 dimensions(const dim3& of) { return {of.x, of.y, of.z}; }

}  // namespace

// Never destroyed: programs call it from their own destructors, and fat binaries are registered before everything.
Runtime& Runtime::get() {
  static Runtime* const runtime = new Runtime;
  return *runtime;
}

Runtime::Runtime()
    : options_(options_of_environment()),
      report_(options_.report),
      modules_(
          device_, [this](const std::string& text) { say(text); }, options_) {
  legacy_.id = 1;
  per_thread_.id = 2;
  device_.listeners().finding = [this](const host::Report& report) {
    report_.add(report, launches_of_[report.kernel.name()], calls_of(report.finding));
  };
  draws_.seed(options_.streams_seed);
  if (options_.checks) device_.memory().map_twice(), device_.record_touched();
  device_.listeners().print = [this](std::string_view text) { printed_ += text; };
  if (options_.max_cycles != 0) device_.set_max_cycles(options_.max_cycles);
  device_.set_engine(engine_named(options_.engine));
  device_.set_threads(options_.threads == 0 ? host::threads_of_host() : static_cast<unsigned>(options_.threads));
  if (options_.logs_engine)
    device_.listeners().engine = [this](std::uint64_t launch, const std::string& kernel, std::string_view line) {
      say("engine: launch " + std::to_string(launch) + ", " + kernel + ": " + std::string(line));
    };
  if (options_.profile.empty()) return;
  timing_ = host::read_timing(options_);
  device_.set_times_code(options_.times_code && timing_ != nullptr && timing_->machine_code.has_value());
  if (timing_ == nullptr) report_.say("cannot read the timing profile in " + options_.profile + ": nothing is timed");
}

// Of a launch that failed: whoever asks for the error hears the reason, too.
void Runtime::asked() {
  if (unasked_ && !unasked_->why.empty())
    say("the launch of " + unasked_->kernel + " fails with " + name(unasked_->error) + ": " + unasked_->why);
  unasked_.reset();
}

void Runtime::finish() {
  static_cast<void>(wait());
  if (!options_.trace.empty() && !trace_) say_what_could_be_traced();
  if (unasked_ && options_.checks)
    report_.add({Finding::HostErrorUnasked,
                 "the launch of " + unasked_->kernel + " failed with " + name(unasked_->error) + " (" +
                     text(unasked_->error) + "), and nobody asked" + (unasked_->why.empty() ? "" : ": ") +
                     unasked_->why,
                 {{"launched", unasked_->at}}});
  if (options_.leaks && options_.checks && broken_ == cudaSuccess) report_leaks();
}

// No launch was the one to be traced: which there were. A process without any says nothing: it may be a shell's.
void Runtime::say_what_could_be_traced() {
  std::string all;
  for (const auto& [kernel, times] : launches_of_)
    all += (all.empty() ? "" : ", ") + kernel + " (" + std::to_string(times) + (times == 1 ? " launch)" : " launches)");
  if (!all.empty())
    say("no trace was written: there was no launch " + std::to_string(options_.trace_number) + " of a kernel `" +
        options_.trace_kernel + "`; there were " + all);
}

// ---- errors

cudaError_t& Runtime::last_error() {
  thread_local cudaError_t last = cudaSuccess;
  return last;
}

const char*& Runtime::driver_call() {
  thread_local const char* call = nullptr;
  return call;
}

bool& Runtime::thread_uses() {
  thread_local bool uses = false;
  return uses;
}

std::atomic<bool>& Runtime::is_used() {
  static std::atomic<bool> used{false};
  return used;
}

cudaError_t Runtime::notice() {
  if (pending_ != cudaSuccess) broken_ = pending_;
  pending_ = cudaSuccess;
  return broken_;
}

// The device stays as it is after a fault: what a context was is gone, and there is no new one (as on an H200).
void Runtime::reset() {
  if (wait() != cudaSuccess) broken_ = cudaErrorDevicesUnavailable;
  for (auto at = blocks_.begin(); at != blocks_.end();) {
    const Block block = (at++)->second;
    if (!block.is_registered && !block.is_of_graph) static_cast<void>(release(block.address, "cudaDeviceReset"));
  }
}

void Runtime::say(const std::string& text) {
  if (said_.insert(text).second) report_.say(text);
}

void Runtime::flush_prints() {
  if (printed_.empty()) return;
  std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  printed_.clear();
}

// ---- streams and events

Stream* Runtime::find(cudaStream_t stream) {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  if (handle <= 1) return &legacy_;
  if (handle == 2) return &per_thread_;
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second.get();
}

cudaStream_t Runtime::add_stream(unsigned flags, int priority) {
  auto made = std::make_unique<Stream>();
  made->id = next_stream_++;
  made->flags = flags;
  made->priority = priority;
  Stream* const stream = made.get();
  streams_[stream] = std::move(made);
  return stream;
}

cudaEvent_t Runtime::add_event(unsigned flags) {
  auto made = std::make_unique<Event>();
  made->flags = flags;
  Event* const event = made.get();
  events_[event] = std::move(made);
  return event;
}

bool Runtime::remove(cudaEvent_t event) { return events_.erase(event) != 0; }

// Ends in all streams that have joined it, all of whose work the origin must have waited for.
cudaGraph_t Runtime::end_capture(Stream& origin, cudaError_t& error) {
  const std::shared_ptr<Graph> graph = origin.capture;
  error = graph->is_invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  for (const auto& [handle, stream] : streams_)
    if (stream->capture == graph && error == cudaSuccess && !Graph::leads_to(stream->tail, origin.tail))
      error = cudaErrorStreamCaptureUnjoined;
  for (const auto& [handle, stream] : streams_)
    if (stream->capture == graph) stream->capture = nullptr, stream->tail.clear();
  return error == cudaSuccess ? keep(graph) : nullptr;
}

// ---- graphs

cudaGraph_t Runtime::keep(std::shared_ptr<Graph> graph) {
  Graph* const handle = graph.get();
  graphs_[handle] = std::move(graph);
  return handle;
}

cudaGraphExec_t Runtime::keep(std::unique_ptr<GraphExec> graph) {
  GraphExec* const handle = graph.get();
  executables_[handle] = std::move(graph);
  return handle;
}

std::shared_ptr<Graph> Runtime::find(cudaGraph_t graph) const {
  const auto found = graphs_.find(graph);
  return found == graphs_.end() ? nullptr : found->second;
}

bool Runtime::is_live(const GraphNode* node) const {
  const auto holds = [node](const std::shared_ptr<Graph>& graph) {
    return graph != nullptr &&
           std::any_of(graph->nodes.begin(), graph->nodes.end(), [node](const auto& one) { return one.get() == node; });
  };
  return std::any_of(graphs_.begin(), graphs_.end(), [&](const auto& one) { return holds(one.second); }) ||
         std::any_of(streams_.begin(), streams_.end(), [&](const auto& one) { return holds(one.second->capture); });
}

std::uint64_t Runtime::graph_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [handle, graph] : graphs_)
    for (const auto& node : graph->nodes)
      if (const auto* const made = std::get_if<AllocateWork>(&node->work)) bytes += made->size;
  return bytes;
}

// ---- work

// It becomes a node.
cudaError_t Runtime::capture(Stream& stream, Work work) {
  if (stream.capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (auto* const event = std::get_if<EventWork>(&work)) {
    if (event->records) {
      event->event->capture = stream.capture;
      event->event->tail = stream.tail;
    } else if (event->event->capture == stream.capture) {
      stream.tail.insert(stream.tail.end(), event->event->tail.begin(), event->event->tail.end());
    }
    return cudaSuccess;
  }
  stream.tail = {stream.capture->add(std::move(work), stream.tail)};
  return cudaSuccess;
}

cudaError_t Runtime::run(const Work& work) {
  return std::visit([this](const auto& one) { return run(one); }, work);
}

// What the host does there may wait for nothing and be waited for in the host's own ways: from now on the host knows
// what is over.
cudaError_t Runtime::run(const HostWork& work) {
  flush_prints();
  host_clock_.join(running_->before);
  host_knows({});
  if (work.callback != nullptr) work.callback(work.stream, cudaSuccess, work.argument);
  else work.function(work.argument);
  note_accesses();
  host_clock_.join(running_->moment);
  return cudaSuccess;
}

cudaError_t Runtime::run(const EventWork& work) {
  if (work.records && is_live(work.event) && work.event->last.get() == running_) work.event->recorded = now();
  return cudaSuccess;
}

std::chrono::steady_clock::time_point Runtime::now() const {
  using Clock = std::chrono::steady_clock;
  if (timing_ == nullptr) return Clock::now();
  const std::chrono::duration<double, std::nano> taken(static_cast<double>(timed_cycles_) / kGigahertz);
  return Clock::time_point(std::chrono::duration_cast<Clock::duration>(taken));
}

// ---- kernels

// What this launch is watched for.
void Runtime::listen(const KernelWork& work) {
  const std::string& kernel = work.function->kernel->name();
  const std::uint64_t number = ++launches_of_[kernel];
  const bool is_named = options_.names_launch(kernel, device_.launches() + 1);
  device_.set_checks(options_.checks && is_named);
  device_.set_timing(is_named ? timing_ : nullptr);
  device_.listeners().statistics = nullptr;
  if (timing_ && is_named)
    device_.listeners().statistics = [this](const host::LaunchStatistics& timed) {
      timed_cycles_ += timed.cycles();
      report_.add(timed, kGigahertz, launched_at_);
    };
  device_.listeners().trace = nullptr;
  if (options_.trace.empty() || number != options_.trace_number || !host::matches(options_.trace_kernel, kernel) ||
      trace_)
    return;
  trace_.reset(std::fopen(options_.trace.c_str(), "we"));
  if (!trace_) return say("cannot write the trace to " + options_.trace);
  device_.listeners().trace = [this](std::string_view text) { std::fwrite(text.data(), 1, text.size(), trace_.get()); };
}

namespace {

// "a block of 2048x1x1 threads is too large: at most …"
std::string in_words(const LaunchError& error) { return error.message + (error.hint.empty() ? "" : ": " + error.hint); }

// In one line, without the kernel's name before it.
std::string reason_of(const host::Failure& failure, const std::string& kernel) {
  static constexpr std::string_view kHint = "\n  hint: ";
  std::string text = failure.text;
  if (text.starts_with(kernel + ": ")) text.erase(0, kernel.size() + 2);
  if (const std::size_t at = text.find(kHint); at != std::string::npos) text.replace(at, kHint.size(), ": ");
  return text;
}

std::optional<std::string> wrong_shape(const KernelWork& work) {
  if (const auto grid = check_grid(dimensions(work.grid))) return in_words(*grid);
  if (const auto block = check_block(dimensions(work.block))) return in_words(*block);
  const std::uint32_t most = work.function->most_dynamic_shared.value_or(kUsualSharedBytes);
  if (work.shared_bytes <= most) return std::nullopt;
  return counted(work.shared_bytes, "byte") + " of dynamic shared memory, where the kernel may have " +
         std::to_string(most) +
         ": cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, …) allows up to " +
         std::to_string(kMostSharedBytes) + ", with its static shared memory";
}

}  // namespace

cudaError_t Runtime::refuse_launch(const KernelWork& work, cudaError_t error, const std::string& why) {
  if (driver_call() != nullptr) return error;  // which the driver's call answers itself
  const std::string kernel = work.function->kernel == nullptr ? work.function->symbol : work.function->kernel->name();
  unasked_ = {kernel, error, why, place()};
  return error;
}

// What can be said before it begins.
cudaError_t Runtime::refuse(const KernelWork& work) {
  if (const cudaError_t error = modules_.use(*work.function); error != cudaSuccess)
    return refuse_launch(work, error, "");
  const auto why = wrong_shape(work);
  return why ? refuse_launch(work, cudaErrorInvalidValue, *why) : cudaSuccess;
}

cudaError_t Runtime::run(const KernelWork& work) {
  flush_prints();
  if (pending_ != cudaSuccess || broken_ != cudaSuccess) return notice();
  launched_at_ = place();
  if (const cudaError_t error = refuse(work); error != cudaSuccess) return error;
  const host::LaunchShape shape{dimensions(work.grid), dimensions(work.block), work.shared_bytes, work.is_cooperative};
  std::vector<const void*> params;
  for (const auto& value : work.values) params.push_back(value.data());
  listen(work);
  std::optional<host::Failure> failure;
  {
    const Interruptible launch(device_, !options_.report.empty());
    std::optional<host::Progress> progress;
    if (!options_.report.empty())
      progress.emplace(work.function->kernel->name() + ", launch " + std::to_string(device_.launches() + 1),
                       shape.grid.count(), [this] { return device_.ended_blocks(); });
    failure = device_.launch(*work.function->kernel, shape, params);
  }
  if (failure && failure->status == host::Status::Stopped) {
    flush_prints();
    static_cast<void>(std::fflush(stdout));
    static_cast<void>(std::raise(SIGINT));
  }
  if (trace_ && device_.listeners().trace) std::fflush(trace_.get());
  if (!failure) return cudaSuccess;
  const cudaError_t error = error_of(*failure);
  if (failure->trap) return pending_ = error, cudaSuccess;
  return refuse_launch(work, error, reason_of(*failure, work.function->kernel->name()));
}

}  // namespace warpsim::cudart
