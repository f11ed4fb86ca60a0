// The runtime of one process: its device, its memory of all kinds, its streams, events and graphs, and its errors.
//
// Shapes: one for the process, made when it is first asked for and never destroyed, as programs call it to their last
//         instruction. A stream does its work when it is given to it, in the order of the calls: the same program does
//         the same each time.
// Units:  bytes; milliseconds.
// Errors: cudaError_t. A fault of a kernel is reported by the next call that waits or touches memory, and by all calls
//         after it. What is wrong is also said in words, by say() and the reports.
// Source: CUDA Runtime API 13.0; what the documentation leaves open was measured on an H200
// (tests/data/h200_calls.txt).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "host/cudart/cuda_types.h"
#include "host/cudart/graphs.h"
#include "host/cudart/modules.h"
#include "host/cudart/work.h"
#include "host/device/device.h"
#include "host/exec/exec_options.h"
#include "host/exec/exec_report.h"

namespace warpsim::cudart {

struct Stream {
  std::uint64_t id = 0;
  unsigned flags = 0;
  int priority = 0;
  // While it is captured: into which graph, behind which nodes, and whether the capture began here.
  std::shared_ptr<Graph> capture;
  std::vector<GraphNode*> tail;
  bool is_origin = false;
};

struct Event {
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  std::shared_ptr<Graph> capture;  // of the stream that it was recorded in
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

// What is given to the stream from now on becomes nodes of the graph, the first behind these.
cudaError_t begin_capture(Stream& stream, std::shared_ptr<Graph> graph, std::vector<GraphNode*> behind);

class Runtime {
 public:
  static Runtime& get();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  std::recursive_mutex& mutex() { return mutex_; }
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
  cudaError_t free(std::uint64_t address, const char* call, bool of_host);
  cudaError_t register_host(void* host, std::size_t size, unsigned flags);
  cudaError_t unregister_host(void* host);
  const Block* block_at(std::uint64_t address) const;  // that holds the address; null
  std::uint64_t free_bytes() const;
  Pool& default_pool() { return default_pool_; }
  std::set<Pool*>& pools() { return pools_; }

  // ---- streams and events
  // The stream of a handle, of which 0, 1 and 2 are the default ones; null: there is none.
  Stream* find(cudaStream_t stream);
  bool is_live(cudaEvent_t event) const { return events_.contains(event); }
  cudaStream_t add_stream(unsigned flags, int priority);
  bool remove(cudaStream_t stream) { return streams_.erase(stream) != 0; }
  cudaEvent_t add_event(unsigned flags);
  bool remove(cudaEvent_t event);

  bool is_capturing() const;
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

  // Does the work, or puts it into the graph that the stream is captured into.
  cudaError_t submit(cudaStream_t stream, Work work);
  cudaError_t run(const Work& work);
  cudaError_t launch(GraphExec& graph);
  // The host's time, or, where launches are timed, the time that they have taken so far on the device.
  std::chrono::steady_clock::time_point now() const;
  // What kernels printed comes out where a program waits.
  void flush_prints();

  // As the program ends.
  void finish();

 private:
  Runtime();
  cudaError_t run(const KernelWork& work);
  cudaError_t run(const CopyWork& work);
  cudaError_t run(const FillWork& work);
  cudaError_t run(const HostWork& work);
  cudaError_t run(const EventWork& work);
  cudaError_t run(const GraphWork& work);
  cudaError_t run(const AllocateWork& work);
  cudaError_t run(const FreeWork& work);
  cudaError_t run(const NoWork&) { return cudaSuccess; }

  struct Side {
    std::byte* bytes = nullptr;
    bool is_device = false;
  };
  enum class Must { Either, Device, Host };
  std::optional<Side> side(const Rows& rows, const Extent& extent, Must must, bool is_written);
  host::HostFinding wrong_side(const Rows& rows, std::size_t reach, Must must, bool is_written);
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
  Stream legacy_, per_thread_;
  std::map<cudaStream_t, std::unique_ptr<Stream>> streams_;
  std::map<cudaEvent_t, std::unique_ptr<Event>> events_;
  std::map<const Graph*, std::shared_ptr<Graph>> graphs_;
  std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>> executables_;
  std::uint64_t next_stream_ = 3;
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
