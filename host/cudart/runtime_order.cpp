// In which order work is done, and who waits for it; see runtime.h.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "host/cudart/runtime.h"

namespace warpsim::cudart {
namespace {

constexpr unsigned kNonBlocking = 1;      // cudaStreamNonBlocking
constexpr std::size_t kMostOpen = 256;    // work that is put off
constexpr std::uint64_t kMostAtOnce = 4;  // done in a call that waits for nothing
constexpr auto kPatience = std::chrono::milliseconds(500);

bool is_over(const WorkPointer& work) { return work == nullptr || work->state == WorkItem::State::Over; }
bool are_over(const std::vector<WorkPointer>& all) { return std::all_of(all.begin(), all.end(), is_over); }

}  // namespace

// ---- what is behind what

// What the host waits for with a stream: with the legacy one for those that it orders, too.
std::vector<WorkPointer> Runtime::work_of(const Stream& stream) const {
  return &stream == &legacy_ ? before_next(stream) : std::vector{stream.last};
}

// The legacy stream comes after all that blocking streams were given before it, and they come after it.
std::vector<WorkPointer> Runtime::before_next(const Stream& stream) const {
  std::vector<WorkPointer> before{stream.last};
  if (&stream == &legacy_) {
    before.push_back(per_thread_.last);
    for (const auto& [handle, other] : streams_)
      if ((other->flags & kNonBlocking) == 0) before.push_back(other->last);
    before.insert(before.end(), left_.begin(), left_.end());
  } else if ((stream.flags & kNonBlocking) == 0) {
    before.push_back(legacy_.last);
  }
  std::erase(before, nullptr);
  return before;
}

void Runtime::give(Stream& stream, WorkPointer work) {
  if (&stream == &legacy_) left_.clear();
  stream.last = std::move(work);
}

bool Runtime::remove(cudaStream_t stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return false;
  std::erase_if(left_, [this](const WorkPointer& one) { return host_clock_.knows(one->moment); });
  if (found->second->last != nullptr && (found->second->flags & kNonBlocking) == 0)
    left_.push_back(found->second->last);
  streams_.erase(found);
  return true;
}

// Made, and done where work is not put off.
WorkPointer Runtime::append(Work work, std::vector<WorkPointer> behind, cudaError_t& error) {
  auto item = std::make_shared<WorkItem>();
  item->before = host_clock_;
  for (const WorkPointer& one : behind) item->before.join(one->before), item->before.join(one->moment);
  item->moment = chains_.next(item->before);
  std::erase_if(behind, is_over);
  item->behind = std::move(behind);
  set_freed(work);
  item->work = std::move(work);
  if (options_.checks || std::holds_alternative<KernelWork>(item->work)) item->at = place();
  open_.push_back(item);
  if (options_.fuzzes_streams) return item;
  run(item);
  error = item->error;
  return item;
}

// Its nodes in an order that keeps the edges; what is returned is over when they all are.
WorkPointer Runtime::append(const std::vector<Step>& steps, const WorkPointer& begin, cudaError_t& error) {
  std::vector<WorkPointer> made;
  std::vector<bool> is_end(steps.size(), true);
  for (std::size_t k = 0; k < steps.size() && error == cudaSuccess; ++k) {
    std::vector<WorkPointer> behind;
    for (const std::size_t before : steps[k].behind) behind.push_back(made[before]), is_end[before] = false;
    if (behind.empty()) behind.push_back(begin);
    if (const auto* const child = std::get_if<GraphWork>(steps[k].work)) {
      made.push_back(append(*child, append(NoWork{}, std::move(behind), error), error));
      continue;
    }
    const auto* const event = std::get_if<EventWork>(steps[k].work);
    if (event != nullptr && !event->records && is_live(event->event) && event->event->last != nullptr)
      behind.push_back(event->event->last);
    made.push_back(append(*steps[k].work, std::move(behind), error));
    if (event != nullptr && event->records && is_live(event->event)) record(*event->event, made.back());
  }
  std::vector<WorkPointer> ends;
  for (std::size_t k = 0; k < made.size(); ++k)
    if (is_end[k]) ends.push_back(made[k]);
  if (ends.empty()) ends.push_back(begin);
  return append(NoWork{}, std::move(ends), error);
}

WorkPointer Runtime::append(const GraphWork& graph, const WorkPointer& begin, cudaError_t& error) {
  const std::vector<GraphNode*> order = graph.graph->order();
  std::vector<Step> steps;
  for (const GraphNode* const node : order) steps.push_back({&node->work, Graph::places_behind(*node, order)});
  return append(steps, begin, error);
}

cudaError_t Runtime::launch(GraphExec& graph, Stream* stream) {
  Stream& in = stream == nullptr ? legacy_ : *stream;
  note_accesses();
  std::vector<WorkPointer> behind = before_next(in);
  if (graph.last != nullptr) behind.push_back(graph.last);  // not beside itself
  static const Work kNothing = NoWork{};
  std::vector<Step> steps;
  for (const GraphExec::Step& step : graph.steps)
    steps.push_back({step.is_enabled ? &step.work : &kNothing, step.behind});
  cudaError_t error = cudaSuccess;
  const WorkPointer begin = append(NoWork{}, std::move(behind), error);
  graph.last = append(steps, begin, error);
  give(in, graph.last);
  if (options_.fuzzes_streams) defer();
  return error;
}

void Runtime::record(Event& event, const WorkPointer& by) const {
  event.capture = nullptr;
  event.recorded.reset();
  event.last = by;
  if (is_over(by)) event.recorded = now();
}

// ---- what the host waits for

// What the call answers at once, though the work is put off.
cudaError_t Runtime::refuse(const Work& work) {
  if (const auto* const kernel = std::get_if<KernelWork>(&work)) return refuse(*kernel);
  if (const auto* const copy = std::get_if<CopyWork>(&work)) return refuse(*copy);
  const auto* const fill = std::get_if<FillWork>(&work);
  return fill == nullptr ? cudaSuccess : refuse(*fill);
}

// Source: CUDA Runtime API 13.0, "API synchronization behavior".
bool Runtime::waits_for(const Work& work) const {
  enum class Kind { Pageable, Pinned, Device };
  const auto kind = [this](const Rows& rows) {
    const Block* const block = block_at(rows.address);
    if (block != nullptr && block->type == cudaMemoryTypeHost) return Kind::Pinned;
    return device_.memory().find(rows.address, 1) == nullptr ? Kind::Pageable : Kind::Device;
  };
  if (const auto* const copy = std::get_if<CopyWork>(&work)) {
    const Kind to = kind(copy->to), from = kind(copy->from);
    if (to != Kind::Device && from != Kind::Device) return true;
    return copy->is_async ? to == Kind::Pageable : to != Kind::Device || from != Kind::Device;
  }
  const auto* const fill = std::get_if<FillWork>(&work);
  if (fill == nullptr || fill->is_async) return false;
  const Block* const block = block_at(fill->to.address);
  return block != nullptr && block->type != cudaMemoryTypeDevice;
}

// Pageable memory is read at the call; by a node of a graph when it comes to it.
void Runtime::stage(WorkItem& item) const {
  auto* const copy = std::get_if<CopyWork>(&item.work);
  if (copy == nullptr || copy->extent.is_empty() || !copy->is_async) return;
  if (device_.memory().find(copy->from.address, 1) != nullptr || copy->from.address == 0) return;
  const Extent& extent = copy->extent;
  item.staged.resize(extent.width * extent.height * extent.depth);
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y)
      std::memcpy(item.staged.data() + (z * extent.height + y) * extent.width,
                  reinterpret_cast<const std::byte*>(copy->from.address) + z * copy->from.layer + y * copy->from.pitch,
                  extent.width);
  copy->from = {reinterpret_cast<std::uintptr_t>(item.staged.data()), extent.width, extent.width * extent.height};
}

int& Runtime::capture_mode() {
  thread_local int mode = cudaStreamCaptureModeGlobal;
  return mode;
}

template <class IsMeant>
cudaError_t Runtime::spoil(IsMeant is_meant, cudaError_t error) {
  bool is_any = false;
  for (const auto& [handle, stream] : streams_) {
    if (stream->capture == nullptr || !is_meant(*stream)) continue;
    is_any = stream->capture->is_invalid = true;
  }
  return is_any ? error : cudaSuccess;
}

cudaError_t Runtime::spoil_by_use(const Stream& stream) {
  if (&stream != &legacy_) return cudaSuccess;
  return spoil([](const Stream& one) { return (one.flags & kNonBlocking) == 0; }, cudaErrorStreamCaptureImplicit);
}

cudaError_t Runtime::spoil_by_unsafe_call() {
  const int mode = capture_mode();
  if (mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  return spoil(
      [mode](const Stream& one) {
        const bool is_own = one.captured_by == std::this_thread::get_id();
        return (is_own && one.capture_mode != cudaStreamCaptureModeRelaxed) ||
               (mode == cudaStreamCaptureModeGlobal && one.capture_mode == cudaStreamCaptureModeGlobal);
      },
      cudaErrorStreamCaptureUnsupported);
}

cudaError_t Runtime::spoil_by_unsafe_call(const Stream& stream) {
  const cudaError_t error = spoil_by_use(stream);
  return error != cudaSuccess ? error : spoil_by_unsafe_call();
}

cudaError_t Runtime::spoil_by_waiting_for_all() {
  return spoil([](const Stream&) { return true; }, cudaErrorStreamCaptureUnsupported);
}

cudaError_t Runtime::submit(cudaStream_t handle, Work work) {
  Stream* const stream = find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr) return capture(*stream, std::move(work));
  if (const cudaError_t error = spoil_by_use(*stream); error != cudaSuccess) return error;
  note_accesses();
  if (options_.fuzzes_streams)
    if (const cudaError_t error = refuse(work); error != cudaSuccess) return error;
  const bool waits = waits_for(work);
  std::vector<WorkPointer> behind = before_next(*stream);
  auto* const event = std::get_if<EventWork>(&work);
  Event* const recorded = event != nullptr && event->records ? event->event : nullptr;
  if (event != nullptr && recorded == nullptr && event->event->last != nullptr) behind.push_back(event->event->last);
  cudaError_t error = cudaSuccess;
  const WorkPointer item = append(std::move(work), std::move(behind), error);
  if (!is_over(item)) stage(*item);
  give(*stream, item);
  if (recorded != nullptr) record(*recorded, item);
  if (waits && error == cudaSuccess) return wait_for({item});
  if (options_.fuzzes_streams) defer();
  return error;
}

cudaError_t Runtime::wait_for(const std::vector<WorkPointer>& goals) {
  note_accesses();
  called_ = std::chrono::steady_clock::now();
  work_towards(goals);
  flush_prints();
  if (!are_over(goals)) return cudaErrorNotPermitted;  // a function of the host that waits for its own stream
  host_knows(goals);
  return late_error();
}

// What went wrong in work that was put off.
cudaError_t Runtime::late_error() {
  const cudaError_t late = std::exchange(late_, cudaSuccess);
  const cudaError_t error = notice();
  return error != cudaSuccess ? error : late;
}

cudaError_t Runtime::wait() {
  note_accesses();
  called_ = std::chrono::steady_clock::now();
  work_towards(std::vector(open_));
  flush_prints();
  if (!open_.empty()) return cudaErrorNotPermitted;
  chains_.join_to(host_clock_);
  host_knows({});
  return late_error();
}

cudaError_t Runtime::ask_for(const std::vector<WorkPointer>& goals) {
  if (are_over(goals)) return wait_for(goals);
  note_accesses();
  called_ = std::chrono::steady_clock::now();
  work_once({});
  work_some();
  return are_over(goals) ? wait_for(goals) : cudaErrorNotReady;
}

void Runtime::host_knows(const std::vector<WorkPointer>& over) {
  for (const WorkPointer& one : over)
    if (one != nullptr) host_clock_.join(one->before), host_clock_.join(one->moment);
  if (options_.checks && races_.forget(host_clock_)) guard_.update(device_.memory(), races_.kept());
}

// ---- work that is put off

// Where the host waits in its own ways, for a flag that a kernel or a function of the host sets, no call of it brings
// the work on: then this does, after a while.
void Runtime::defer() {
  called_ = std::chrono::steady_clock::now();
  if (!std::exchange(has_deferred_, true)) {
    std::atexit([] {
      Runtime& runtime = get();
      const std::lock_guard lock(runtime.mutex_);
      runtime.work_towards(std::vector(runtime.open_));
    });
    std::thread([this] {
      while (true) {
        std::this_thread::sleep_for(kPatience / 4);
        const std::lock_guard lock(mutex_);
        if (!open_.empty() && std::chrono::steady_clock::now() - called_ > kPatience) work_towards(std::vector(open_));
      }
    }).detach();
  }
  work_some();
  while (open_.size() > kMostOpen && work_once({})) continue;
}

// Towards its goals alone, or whatever else there is as well.
void Runtime::work_towards(const std::vector<WorkPointer>& goals) {
  if (open_.empty() || are_over(goals)) return;
  std::set<const WorkItem*> among;
  if (draw(2) == 0) {
    std::vector<const WorkItem*> next;
    for (const WorkPointer& goal : goals)
      if (!is_over(goal)) next.push_back(goal.get());
    while (!next.empty()) {
      const WorkItem* const one = next.back();
      next.pop_back();
      if (!among.insert(one).second) continue;
      for (const WorkPointer& before : one->behind)
        if (!is_over(before)) next.push_back(before.get());
    }
  }
  while (!are_over(goals) && work_once(among)) continue;
}

// Any of the work that may begin; of no set: of all. False if there is none.
bool Runtime::work_once(const std::set<const WorkItem*>& among) {
  std::vector<WorkPointer> ready;
  for (const WorkPointer& one : open_)
    if ((among.empty() || among.contains(one.get())) && one->may_run()) ready.push_back(one);
  if (ready.empty()) return false;
  run(ready[static_cast<std::size_t>(draw(ready.size()))]);
  return true;
}

void Runtime::work_some() {
  if (draw(2) == 0) return;
  for (std::uint64_t k = draw(kMostAtOnce); k != 0 && work_once({}); --k) continue;
}

void Runtime::run(const WorkPointer& item) {
  std::erase(open_, item);
  item->state = WorkItem::State::Runs;
  const WorkItem* const outer = std::exchange(running_, item.get());
  try {
    const bool is_kept = options_.checks && broken_ == cudaSuccess && pending_ == cudaSuccess;
    host::Touched touched;
    if (is_kept && !std::holds_alternative<KernelWork>(item->work)) touched = touched_by(item->work);
    // Behind a fault nothing is done any more, as all calls say.
    const bool is_lost = options_.fuzzes_streams && (broken_ != cudaSuccess || pending_ != cudaSuccess);
    if (!is_lost) item->error = run(item->work);
    if (is_kept && std::holds_alternative<KernelWork>(item->work)) touched = touched_by(item->work);
    if (is_kept && item->error == cudaSuccess) note_touched(*item, std::move(touched));
  } catch (const std::exception&) {
    item->error = cudaErrorMemoryAllocation;
  }
  running_ = outer;
  item->state = WorkItem::State::Over;
  item->behind.clear();
  item->staged = {};
  if (options_.fuzzes_streams && item->error != cudaSuccess) late_ = item->error;
}

}  // namespace warpsim::cudart
