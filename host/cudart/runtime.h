// The runtime of one process: its device, its memory of all kinds, its streams, events and graphs, and its errors.
//
// Shapes: one for the process, made when it is first asked for and never destroyed, as programs call it to their last
//         instruction. A stream does its work when it is given to it, in the order of the calls: the same program does
//         the same each time. With ExecOptions::fuzzes_streams it does it later, in one of the orders that CUDA allows:
//         the same for the same seed.
// Units:  bytes; milliseconds.
// Errors: cudaError_t. A fault of a kernel is reported by the next call that waits or touches memory, and by all calls
//         after it. What is wrong is also said in words, by say() and the reports.
// Source: CUDA Runtime API 13.0; what the documentation leaves open was measured on an H200
// (tests/data/h200_calls.txt).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "host/cudart/cuda_types.h"
#include "host/cudart/graphs.h"
#include "host/cudart/host_guard.h"
#include "host/cudart/modules.h"
#include "host/cudart/work.h"
#include "host/cudart/work_item.h"
#include "host/cudart/work_races.h"
#include "host/device/device.h"
#include "host/exec/exec_options.h"
#include "host/exec/exec_report.h"

namespace warpsim::cudart {

struct Stream {
  std::uint64_t id = 0;
  unsigned flags = 0;
  int priority = 0;
  WorkPointer last;  // that it was given
  // While it is captured: into which graph, behind which nodes, and whether the capture began here.
  std::shared_ptr<Graph> capture;
  std::vector<GraphNode*> tail;
  int capture_mode = 0;
  std::thread::id captured_by;
  bool is_origin = false;
  std::map<int, std::array<std::byte, 64>> attributes;  // that were set, but for the priority
};

struct Event {
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;  // once that is over
  WorkPointer last;                                               // the work that records it
  std::shared_ptr<Graph> capture;                                 // of the stream that it was recorded in
  std::vector<GraphNode*> tail;
};

struct Pool {
  std::map<int, std::uint64_t> attributes;
  std::uint64_t used = 0, most_used = 0;
};

// Memory that a call of the host has made.
struct Block {
  cudaMemoryType type = cudaMemoryTypeDevice;
  std::uint64_t address = 0, size = 0;
  unsigned flags = 0;
  bool is_registered = false;  // the host's own
  bool is_freed = false;       // by a call of a stream that has not come to it yet, or of a graph that has not run
  bool is_of_graph = false;    // it is there whenever the graph that allocates it has run
  Pool* pool = nullptr;
  std::string made_by;  // "cudaMalloc"
  host::CallStack made_at;
  std::string name;  // "cudaMalloc #2", as findings have it
};

class Runtime;
const char* name(cudaError_t error);  // "cudaErrorInvalidValue"
const char* text(cudaError_t error);  // "invalid argument"
// A copy of boxes, as the interface describes it. Arrays are not supported.
cudaError_t copy_in(const cudaMemcpy3DParms& box, CopyWork& work);
// What a launch is given, with copies of its arguments.
cudaError_t kernel_work(Runtime& runtime, const void* function, const dim3& grid, const dim3& block,
                        void* const* arguments, std::size_t shared, KernelWork& work);

enum CaptureMode : int { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
inline bool is_capture_mode(int mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}
// What is given to the stream from now on becomes nodes of the graph, the first behind these.
cudaError_t begin_capture(Stream& stream, std::shared_ptr<Graph> graph, std::vector<GraphNode*> behind, int mode);

class Runtime {
 public:
  static Runtime& get();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  std::recursive_mutex& mutex() { return mutex_; }
  // Of the thread: the driver's call that is under way and uses the runtime's; null: none is. Findings name it.
  static const char*& driver_call();
  static const char* called(const char* call) { return driver_call() == nullptr ? call : driver_call(); }
  // Whether a call of the runtime itself has used the device, here and in any thread.
  static bool& thread_uses();
  static std::atomic<bool>& is_used();
  host::Device& device() { return device_; }
  Modules& modules() { return modules_; }

  // ---- errors
  // Of the thread: that of the last call that failed.
  static cudaError_t& last_error();
  // What all calls answer once a kernel has failed.
  cudaError_t broken() const { return broken_; }
  // From now on a fault of a kernel shows.
  cudaError_t notice();
  void asked();
  void reset();
  // Once a text.
  void say(const std::string& text);
  host::ExecReport& report() { return report_; }

  // ---- memory
  cudaError_t allocate(std::size_t size, cudaMemoryType type, unsigned flags, const char* call, Pool* pool,
                       std::uint64_t& address);
  // Of a node: it is allocated when the graph comes to it, at the same address each time.
  cudaError_t allocate_in_graph(std::size_t size, const char* call, Pool* pool, std::uint64_t& address);
  // Waits for all work first.
  cudaError_t free(std::uint64_t address, const char* call, bool of_host);
  cudaError_t free_in(cudaStream_t stream, std::uint64_t address);
  // Memory of the host that the device sees, too, or that the driver's interface makes the device's.
  cudaError_t register_host(void* host, std::size_t size, unsigned flags, cudaMemoryType type = cudaMemoryTypeHost);
  cudaError_t unregister_host(void* host);
  const Block* block_at(std::uint64_t address) const;  // that holds the address; null
  std::uint64_t free_bytes() const;
  Pool& default_pool() { return default_pool_; }
  Pool*& pool() { return pool_; }  // that cudaMallocAsync() takes from
  std::set<Pool*>& pools() { return pools_; }

  // ---- streams and events
  // The stream of a handle, of which 0, 1 and 2 are the default ones; null: there is none.
  Stream* find(cudaStream_t stream);
  bool is_live(cudaEvent_t event) const { return events_.contains(event); }
  cudaStream_t add_stream(unsigned flags, int priority);
  bool remove(cudaStream_t stream);
  cudaEvent_t add_event(unsigned flags);
  bool remove(cudaEvent_t event);

  // Of the thread: what it may do while others capture.
  static int& capture_mode();
  // What spoils captures that are under way, and fails then: the legacy stream, which would have to wait for a stream
  // that is captured; what waits or allocates, where the capture's mode forbids it; what waits for the whole device.
  cudaError_t spoil_by_use(const Stream& stream);
  cudaError_t spoil_by_unsafe_call();
  cudaError_t spoil_by_unsafe_call(const Stream& stream);  // that uses it, too
  cudaError_t spoil_by_waiting_for_all();
  // Null after an error.
  cudaGraph_t end_capture(Stream& origin, cudaError_t& error);

  // ---- graphs
  cudaGraph_t keep(std::shared_ptr<Graph> graph);
  cudaGraphExec_t keep(std::unique_ptr<GraphExec> graph);
  std::shared_ptr<Graph> find(cudaGraph_t graph) const;  // null: there is none
  bool is_live(const GraphNode* node) const;
  void drop(const Graph& graph) { graphs_.erase(&graph); }
  void drop(GraphExec& graph) { executables_.erase(&graph); }
  std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>>& executables() { return executables_; }
  std::uint64_t graph_bytes() const;

  // Gives the work to the stream, or puts it into the graph that the stream is captured into. What the host waits for
  // is over behind it.
  cudaError_t submit(cudaStream_t stream, Work work);
  cudaError_t launch(GraphExec& graph, Stream* stream = nullptr);  // null: the legacy one
  // The host waits for the work of a stream, up to an event, or for all; a fault of a kernel shows.
  cudaError_t wait(const Stream& stream) { return wait_for(work_of(stream)); }
  cudaError_t wait(const Event& event) { return wait_for({event.last}); }
  cudaError_t wait();
  // The same if it is over; else cudaErrorNotReady, and there is progress.
  cudaError_t ask(const Stream& stream) { return ask_for(work_of(stream)); }
  cudaError_t ask(const Event& event) { return ask_for({event.last}); }
  // The host's time, or, where launches are timed, the time that they have taken so far on the device.
  std::chrono::steady_clock::time_point now() const;
  // What kernels printed comes out where a program waits.
  void flush_prints();

  // As the program ends.
  void finish();

 private:
  Runtime();
  template <class IsMeant>
  cudaError_t spoil(IsMeant is_meant, cudaError_t error);
  // ---- the order of work: runtime_order.cpp
  struct Step {
    const Work* work = nullptr;
    std::vector<std::size_t> behind;  // of those before it
  };
  std::vector<WorkPointer> work_of(const Stream& stream) const;
  std::vector<WorkPointer> before_next(const Stream& stream) const;
  WorkPointer append(Work work, std::vector<WorkPointer> behind, cudaError_t& error);
  WorkPointer append(const std::vector<Step>& steps, const WorkPointer& begin, cudaError_t& error);
  WorkPointer append(const GraphWork& graph, const WorkPointer& begin, cudaError_t& error);
  void give(Stream& stream, WorkPointer work);
  void record(Event& event, const WorkPointer& by) const;
  static cudaError_t capture(Stream& stream, Work work);
  bool waits_for(const Work& work) const;
  void stage(WorkItem& item) const;
  cudaError_t late_error();
  cudaError_t wait_for(const std::vector<WorkPointer>& goals);
  cudaError_t ask_for(const std::vector<WorkPointer>& goals);
  void defer();
  void work_towards(const std::vector<WorkPointer>& goals);
  bool work_once(const std::set<const WorkItem*>& among);
  void work_some();
  std::uint64_t draw(std::uint64_t below) { return draws_() % below; }
  void run(const WorkPointer& item);
  void host_knows(const std::vector<WorkPointer>& over);
  host::CallStack place() const {
    return running_ == nullptr || running_->at.is_empty() ? host::CallStack::here() : running_->at;
  }
  host::Touched touched_by(const Work& work);
  void note_touched(const WorkItem& item, host::Touched touched);
  void note_accesses();
  void report(const WorkRace& race);
  std::string name_byte(std::uint64_t address, host::HostFinding& finding) const;
  cudaError_t refuse(const Work& work);
  cudaError_t refuse(const KernelWork& work);
  cudaError_t refuse(const CopyWork& work);
  cudaError_t refuse(const FillWork& work);

  void set_freed(const Work& work);
  void renew(std::uint64_t address);
  bool may_free(std::uint64_t address, bool of_host) const;
  cudaError_t release(std::uint64_t address, const char* call);
  cudaError_t run(const Work& work);
  cudaError_t run(const KernelWork& work);
  cudaError_t run(const CopyWork& work);
  cudaError_t run(const FillWork& work);
  cudaError_t run(const HostWork& work);
  cudaError_t run(const EventWork& work);
  cudaError_t run(const AllocateWork& work);
  cudaError_t run(const FreeWork& work);
  cudaError_t run(const NoWork&) { return cudaSuccess; }
  cudaError_t run(const GraphWork&) { return cudaSuccess; }  // its nodes are work of their own

  struct Side {
    std::byte* bytes = nullptr;
    bool is_device = false;
  };
  enum class Must { Either, Device, Host };
  std::optional<Side> side(const Rows& rows, const Extent& extent, Must must, bool is_written);
  host::HostFinding wrong_side(const Rows& rows, std::size_t reach, Must must, bool is_written);
  std::optional<std::pair<Side, Side>> sides(const CopyWork& work);  // the target, the source
  struct FreedBlock {
    Block block;
    std::string freed_by;
    host::CallStack freed_at;
  };
  const FreedBlock* freed_at(std::uint64_t address) const;
  void report_free(std::uint64_t address, const char* call, bool of_host);
  void report_leaks();
  void say_what_could_be_traced();
  void listen(const KernelWork& work);
  cudaError_t refuse_launch(const KernelWork& work, cudaError_t error, const std::string& why);
  // Where it was launched, and where the memory was allocated that the finding names.
  host::HostCalls calls_of(const TraceFinding& finding) const;

  std::recursive_mutex mutex_;
  host::ExecOptions options_;
  host::ExecReport report_;
  host::Device device_;
  Modules modules_;
  cudaError_t pending_ = cudaSuccess, broken_ = cudaSuccess;
  std::set<std::string> said_;
  std::map<std::uint64_t, Block> blocks_;
  std::deque<FreedBlock> freed_;  // the oldest first
  std::map<std::string, std::uint64_t> blocks_made_;
  Pool default_pool_;
  std::set<Pool*> pools_{&default_pool_};
  Pool* pool_ = &default_pool_;
  Stream legacy_, per_thread_;
  std::map<cudaStream_t, std::unique_ptr<Stream>> streams_;
  std::map<cudaEvent_t, std::unique_ptr<Event>> events_;
  std::map<const Graph*, std::shared_ptr<Graph>> graphs_;
  std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>> executables_;
  std::uint64_t next_stream_ = 3;
  std::vector<WorkPointer> open_;  // given, and not begun
  std::vector<WorkPointer> left_;  // the last work of streams that are gone
  const WorkItem* running_ = nullptr;
  std::mt19937_64 draws_;
  std::chrono::steady_clock::time_point called_;  // the last time that the host gave work or waited
  bool has_deferred_ = false;
  cudaError_t late_ = cudaSuccess;  // of work that was put off
  WorkChains chains_;
  WorkClock host_clock_;  // what the host knows to be over
  WorkRaces races_;
  HostGuard guard_;
  std::set<std::pair<host::CallStack, host::CallStack>> raced_;  // that were reported
  std::string printed_;
  host::CallStack launched_at_;                       // of the launch that runs
  std::map<std::string, std::uint64_t> launches_of_;  // so far, by kernel
  std::shared_ptr<const TimingProfile> timing_;       // of the launches that are named; null: none is timed
  std::uint64_t timed_cycles_ = 0;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> trace_{nullptr, &std::fclose};
  // Of a launch that failed and that nobody asked about yet.
  struct Unasked {
    std::string kernel;
    cudaError_t error = cudaSuccess;
    std::string why;  // "" if the error's own text says it
    host::CallStack at;
  };
  std::optional<Unasked> unasked_;
};

}  // namespace warpsim::cudart
