// The interface: streams, events, and what is captured of them.
#include <chrono>
#include <cstring>
#include <thread>

#include "host/cudart/call.h"

namespace warpsim::cudart {
namespace {

constexpr unsigned kDisableTiming = 2;
constexpr int kAttributeSyncPolicy = 3, kAttributePriority = 8, kSyncPolicyUnset = -1;
constexpr std::size_t kAttributeBytes = 64;
// The window of the cache, how to wait, the priority, the domains of memory.
constexpr bool is_of_streams(int attribute) {
  return attribute == 1 || attribute == kAttributeSyncPolicy || (attribute >= kAttributePriority && attribute <= 10);
}
constexpr int kLeastPriority = 0, kGreatestPriority = -5;  // as an H200 has them

template <class F>
cudaError_t with_stream(cudaStream_t stream, F&& f) {
  return call([&](Runtime& runtime) {
    Stream* const found = runtime.find(stream);
    return found == nullptr ? cudaErrorInvalidResourceHandle : f(runtime, *found);
  });
}

template <class F>
cudaError_t with_event(cudaEvent_t event, F&& f) {
  return call(
      [&](Runtime& runtime) { return runtime.is_live(event) ? f(runtime, *event) : cudaErrorInvalidResourceHandle; });
}

// Not while it is captured, nor while a capture forbids it.
cudaError_t of_running(Runtime& runtime, const Stream& stream, auto&& f) {
  if (stream.capture != nullptr) {
    stream.capture->is_invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  const cudaError_t error = runtime.spoil_by_unsafe_call(stream);
  return error != cudaSuccess ? error : f();
}
cudaError_t of_recorded(Runtime& runtime, const Event& event, auto&& f) {
  if (event.capture != nullptr) return cudaErrorCapturedEvent;
  const cudaError_t error = runtime.spoil_by_unsafe_call();
  return error != cudaSuccess ? error : f();
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (stream.capture == nullptr) return cudaStreamCaptureStatusNone;
  return stream.capture->is_invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

float milliseconds(const Event& begin, const Event& end) {
  return std::chrono::duration<float, std::milli>(*end.recorded - *begin.recorded).count();
}

}  // namespace

cudaError_t begin_capture(Stream& stream, std::shared_ptr<Graph> graph, std::vector<GraphNode*> behind, int mode) {
  if (stream.id <= 1) return cudaErrorStreamCaptureUnsupported;  // the legacy stream
  if (stream.capture != nullptr) return cudaErrorIllegalState;
  stream.capture = std::move(graph);
  stream.tail = std::move(behind);
  stream.is_origin = true;
  stream.capture_mode = mode;
  stream.captured_by = std::this_thread::get_id();
  return cudaSuccess;
}

extern "C" {

// ---- streams
CUDART(cudaStreamCreateWithPriority)(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Runtime& runtime) {
    if (stream == nullptr || flags > 1) return cudaErrorInvalidValue;
    return give(stream, runtime.add_stream(flags, std::min(std::max(priority, kGreatestPriority), kLeastPriority)));
  });
}
CUDART(cudaStreamCreate)(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
CUDART(cudaStreamCreateWithFlags)(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
CUDART(cudaStreamDestroy)(cudaStream_t stream) {
  return call([&](Runtime& runtime) { return runtime.remove(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
CUDART(cudaStreamSynchronize)(cudaStream_t stream) {
  return with_stream(stream, [](Runtime& runtime, const Stream& of) {
    return of_running(runtime, of, [&] { return runtime.wait(of); });
  });
}
CUDART(cudaStreamQuery)(cudaStream_t stream) {
  return with_stream(stream, [](Runtime& runtime, const Stream& of) {
    return of_running(runtime, of, [&] { return runtime.ask(of); });
  });
}
CUDART(cudaStreamGetFlags)(cudaStream_t stream, unsigned* flags) {
  return with_stream(stream, [flags](Runtime&, const Stream& of) { return give(flags, of.flags); });
}
CUDART(cudaStreamGetPriority)(cudaStream_t stream, int* priority) {
  return with_stream(stream, [priority](Runtime&, const Stream& of) { return give(priority, of.priority); });
}
CUDART(cudaStreamGetId)(cudaStream_t stream, unsigned long long* id) {
  return with_stream(stream, [id](Runtime&, const Stream& of) { return give(id, of.id); });
}
CUDART(cudaStreamGetDevice)(cudaStream_t stream, int* device) {
  return with_stream(stream, [device](Runtime&, const Stream&) { return give(device, 0); });
}
CUDART(cudaStreamSetAttribute)(cudaStream_t stream, int attribute, const void* value) {
  return with_stream(stream, [&](Runtime&, Stream& of) {
    if (value == nullptr || !is_of_streams(attribute)) return cudaErrorInvalidValue;
    if (attribute == kAttributePriority) std::memcpy(&of.priority, value, sizeof of.priority);
    else std::memcpy(of.attributes[attribute].data(), value, kAttributeBytes);
    return cudaSuccess;
  });
}
CUDART(cudaStreamGetAttribute)(cudaStream_t stream, int attribute, void* value) {
  return with_stream(stream, [&](Runtime&, const Stream& of) {
    if (value == nullptr || !is_of_streams(attribute)) return cudaErrorInvalidValue;
    std::memset(value, 0, kAttributeBytes);
    const auto found = of.attributes.find(attribute);
    if (attribute == kAttributePriority) std::memcpy(value, &of.priority, sizeof of.priority);
    else if (found != of.attributes.end()) std::memcpy(value, found->second.data(), kAttributeBytes);
    else if (attribute == kAttributeSyncPolicy) std::memcpy(value, &kSyncPolicyUnset, sizeof kSyncPolicyUnset);
    return cudaSuccess;
  });
}
CUDART(cudaStreamCopyAttributes)(cudaStream_t to, cudaStream_t from) {
  return with_stream(to, [from](Runtime& runtime, Stream& of) {
    const Stream* const like = runtime.find(from);
    if (like == nullptr) return cudaErrorInvalidResourceHandle;
    of.attributes = like->attributes;
    of.priority = like->priority;
    return cudaSuccess;
  });
}
CUDART(cudaStreamWaitEvent)(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_event(event, [&](Runtime& runtime, Event& of) {
    Stream* const waiting = runtime.find(stream);
    if (waiting == nullptr) return cudaErrorInvalidResourceHandle;
    // A stream that waits for what is captured is captured, too.
    if (of.capture != nullptr && waiting->capture == nullptr) {
      waiting->capture = of.capture;
      waiting->tail = of.tail;
      waiting->is_origin = false;
      waiting->capture_mode = cudaStreamCaptureModeRelaxed;  // the origin's holds
      return cudaSuccess;
    }
    return runtime.submit(stream, EventWork{event, false});
  });
}
CUDART(cudaLaunchHostFunc)(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  return with_stream(stream, [&](Runtime& runtime, const Stream&) {
    return function == nullptr ? cudaErrorInvalidValue : runtime.submit(stream, HostWork{function, argument});
  });
}
CUDART(cudaStreamAddCallback)(cudaStream_t stream, cudaStreamCallback_t callback, void* argument, unsigned flags) {
  return with_stream(stream, [&](Runtime& runtime, const Stream& of) {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (of.capture != nullptr) return cudaErrorStreamCaptureUnsupported;
    return runtime.submit(stream, HostWork{nullptr, argument, callback, stream});
  });
}

// ---- events
CUDART(cudaEventCreateWithFlags)(cudaEvent_t* event, unsigned flags) {
  return call([&](Runtime& runtime) {
    return event == nullptr || flags > 7 ? cudaErrorInvalidValue : give(event, runtime.add_event(flags));
  });
}
CUDART(cudaEventCreate)(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
CUDART(cudaEventDestroy)(cudaEvent_t event) {
  return with_event(event, [event](Runtime& runtime, const Event&) {
    static_cast<void>(runtime.remove(event));
    return cudaSuccess;
  });
}
CUDART(cudaEventRecordWithFlags)(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return call(
      [&](Runtime& runtime) {
        return runtime.is_live(event) ? runtime.submit(stream, EventWork{event, true}) : cudaErrorInvalidResourceHandle;
      },
      Notices::No);
}
CUDART(cudaEventRecord)(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecordWithFlags(event, stream, 0); }
CUDART(cudaEventSynchronize)(cudaEvent_t event) {
  return with_event(event, [](Runtime& runtime, const Event& of) {
    return of_recorded(runtime, of, [&] { return runtime.wait(of); });
  });
}
CUDART(cudaEventQuery)(cudaEvent_t event) {
  return with_event(event, [](Runtime& runtime, const Event& of) {
    return of_recorded(runtime, of, [&] { return runtime.ask(of); });
  });
}
CUDART(cudaEventElapsedTime)(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return with_event(begin, [&](Runtime& runtime, const Event& from) {
    if (!runtime.is_live(end)) return cudaErrorInvalidResourceHandle;
    const bool is_timed = ((from.flags | end->flags) & kDisableTiming) == 0;
    if (is_timed && from.last != nullptr && end->last != nullptr)
      for (const Event* const one : {&from, static_cast<const Event*>(end)})
        if (const cudaError_t error = runtime.ask(*one); error != cudaSuccess) return error;
    return is_timed && from.recorded && end->recorded ? give(ms, milliseconds(from, *end))
                                                      : cudaErrorInvalidResourceHandle;
  });
}

// ---- capturing
CUDART(cudaStreamBeginCapture)(cudaStream_t stream, int mode) {
  return with_stream(stream, [mode](Runtime&, Stream& of) {
    return !is_capture_mode(mode) ? cudaErrorInvalidValue : begin_capture(of, std::make_shared<Graph>(), {}, mode);
  });
}
CUDART(cudaStreamEndCapture)(cudaStream_t stream, cudaGraph_t* graph) {
  return with_stream(stream, [graph](Runtime& runtime, Stream& of) {
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    if (of.capture == nullptr) return cudaErrorIllegalState;
    if (!of.is_origin) {
      of.capture->is_invalid = true;
      return cudaErrorStreamCaptureUnmatched;
    }
    cudaError_t error = cudaSuccess;
    *graph = runtime.end_capture(of, error);
    return error;
  });
}
CUDART(cudaStreamIsCapturing)(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return with_stream(stream, [status](Runtime&, const Stream& of) { return give(status, status_of(of)); });
}
CUDART(cudaStreamGetCaptureInfo)
(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
 GraphNode* const** tail, const cudaGraphEdgeData** edges, std::size_t* count) {
  return with_stream(stream, [&](Runtime&, const Stream& of) {
    if (status == nullptr) return cudaErrorInvalidValue;
    *status = status_of(of);
    if (of.capture == nullptr) return cudaSuccess;
    give_wanted(id, of.id);
    give_wanted(graph, of.capture.get());
    if (tail != nullptr) *tail = of.tail.data();
    if (edges != nullptr) *edges = nullptr;
    give_wanted(count, of.tail.size());
    return cudaSuccess;
  });
}
CUDART(cudaStreamUpdateCaptureDependencies)
(cudaStream_t stream, GraphNode* const* nodes, const cudaGraphEdgeData*, std::size_t count, unsigned flags) {
  return with_stream(stream, [&](Runtime&, Stream& of) {
    if (of.capture == nullptr) return cudaErrorIllegalState;
    if (flags > 1 || (nodes == nullptr && count != 0)) return cudaErrorInvalidValue;
    if (flags == 1) of.tail.clear();  // they take the place of those before
    of.tail.insert(of.tail.end(), nodes, nodes + count);
    return cudaSuccess;
  });
}
CUDART(cudaThreadExchangeStreamCaptureMode)(int* mode) {
  if (mode == nullptr || !is_capture_mode(*mode)) return answer([] { return cudaErrorInvalidValue; });
  std::swap(*mode, Runtime::capture_mode());
  return cudaSuccess;
}
CUDART(cudaDeviceGetStreamPriorityRange)(int* least, int* greatest) {
  return call([&](Runtime&) {
    give_wanted(least, kLeastPriority);
    give_wanted(greatest, kGreatestPriority);
    return cudaSuccess;
  });
}
}

}  // namespace warpsim::cudart
