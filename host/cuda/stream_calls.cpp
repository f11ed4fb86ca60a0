// The interface: streams, events, and what is captured of them.
#include <cstring>

#include "host/cuda/call.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

using cudart::GraphNode;
using cudart::Runtime;

CUresult write_value(const char* name, CUstream stream, CUdeviceptr to, std::uint64_t value, unsigned bytes) {
  return with_runtime(name, [&](Runtime& runtime) {
    if (to % bytes != 0) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned at = 0; at < bytes; at += 4) {
      const auto half = static_cast<std::uint32_t>(value >> (8 * at));
      cudart::FillWork work{{to + at}, {4}, half, 4};
      work.is_async = true;
      const cudart::cudaError_t error = runtime.submit(stream, work);
      if (error != cudart::cudaSuccess) return result_of(error);
    }
    return CUDA_SUCCESS;
  });
}

// All work is done in the order of the calls: a value that is not there by then never comes.
CUresult wait_value(const char* name, CUdeviceptr at, std::uint64_t value, unsigned bytes, unsigned flags) {
  return with_runtime(name, [&](Runtime& runtime) {
    const DeviceMemory::Allocation* const in = runtime.device().memory().find(at, bytes);
    if (at % bytes != 0 || in == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const cudart::cudaError_t error = cudart::cudaDeviceSynchronize(); error != cudart::cudaSuccess)
      return result_of(error);
    std::uint64_t there = 0;
    std::memcpy(&there, in->bytes + (at - in->address), bytes);
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1), all = sign | (sign - 1);
    const bool holds[] = {((there - value) & sign) == 0, there == value, (there & value) != 0,
                          (~(there | value) & all) != 0};
    if (holds[flags & 3]) return CUDA_SUCCESS;
    runtime.say(std::string(name) + " waits for what no work before it writes: it returns CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
  });
}

}  // namespace

extern "C" {

// ---- streams
CUDRIVER(cuStreamCreateWithPriority)(CUstream* stream, unsigned flags, int priority) {
  return call(__func__, [&] { return cudart::cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUDRIVER(cuStreamCreate)(CUstream* stream, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaStreamCreateWithFlags(stream, flags); });
}
CUDRIVER(cuStreamDestroy_v2)(CUstream stream) {
  return call(__func__, [&] { return cudart::cudaStreamDestroy(stream); });
}
CUDRIVER(cuStreamSynchronize)(CUstream stream) {
  return call(__func__, [&] { return cudart::cudaStreamSynchronize(stream); });
}
CUDRIVER(cuStreamQuery)(CUstream stream) {
  return call(__func__, [&] { return cudart::cudaStreamQuery(stream); });
}
CUDRIVER(cuStreamGetFlags)(CUstream stream, unsigned* flags) {
  return call(__func__, [&] { return cudart::cudaStreamGetFlags(stream, flags); });
}
CUDRIVER(cuStreamGetPriority)(CUstream stream, int* priority) {
  return call(__func__, [&] { return cudart::cudaStreamGetPriority(stream, priority); });
}
CUDRIVER(cuStreamGetId)(CUstream stream, unsigned long long* id) {
  return call(__func__, [&] { return cudart::cudaStreamGetId(stream, id); });
}
CUDRIVER(cuStreamGetDevice)(CUstream stream, CUdevice* device) {
  return call(__func__, [&] { return cudart::cudaStreamGetDevice(stream, device); });
}
CUDRIVER(cuStreamGetCtx)(CUstream stream, CUcontext* context) {
  return with_runtime(__func__, [&](Runtime& runtime) {
    return runtime.find(stream) == nullptr ? CUDA_ERROR_INVALID_HANDLE : set_value(context, Contexts::get().current());
  });
}
CUDRIVER(cuStreamSetAttribute)(CUstream stream, int attribute, const void* value) {
  return call(__func__, [&] { return cudart::cudaStreamSetAttribute(stream, attribute, value); });
}
CUDRIVER(cuStreamGetAttribute)(CUstream stream, int attribute, void* value) {
  return call(__func__, [&] { return cudart::cudaStreamGetAttribute(stream, attribute, value); });
}
CUDRIVER(cuStreamCopyAttributes)(CUstream to, CUstream from) {
  return call(__func__, [&] { return cudart::cudaStreamCopyAttributes(to, from); });
}
CUDRIVER(cuStreamWaitEvent)(CUstream stream, CUevent event, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaStreamWaitEvent(stream, event, flags); });
}
CUDRIVER(cuStreamAddCallback)(CUstream stream, CUstreamCallback callback, void* argument, unsigned flags) {
  return call(__func__, [&] {
    // The numbers of both interfaces' errors are the same.
    return cudart::cudaStreamAddCallback(stream, reinterpret_cast<cudart::cudaStreamCallback_t>(callback), argument,
                                         flags);
  });
}
CUDRIVER(cuStreamWriteValue32_v2)(CUstream stream, CUdeviceptr to, std::uint32_t value, unsigned) {
  return write_value(__func__, stream, to, value, 4);
}
CUDRIVER(cuStreamWriteValue64_v2)(CUstream stream, CUdeviceptr to, std::uint64_t value, unsigned) {
  return write_value(__func__, stream, to, value, 8);
}

CUDRIVER(cuStreamWaitValue32_v2)(CUstream, CUdeviceptr at, std::uint32_t value, unsigned flags) {
  return wait_value(__func__, at, value, 4, flags);
}
CUDRIVER(cuStreamWaitValue64_v2)(CUstream, CUdeviceptr at, std::uint64_t value, unsigned flags) {
  return wait_value(__func__, at, value, 8, flags);
}

// ---- events
CUDRIVER(cuEventCreate)(CUevent* event, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaEventCreateWithFlags(event, flags); });
}
CUDRIVER(cuEventDestroy_v2)(CUevent event) {
  return call(__func__, [&] { return cudart::cudaEventDestroy(event); });
}
CUDRIVER(cuEventRecord)(CUevent event, CUstream stream) {
  return call(__func__, [&] { return cudart::cudaEventRecord(event, stream); });
}
CUDRIVER(cuEventRecordWithFlags)(CUevent event, CUstream stream, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaEventRecordWithFlags(event, stream, flags); });
}
CUDRIVER(cuEventSynchronize)(CUevent event) {
  return call(__func__, [&] { return cudart::cudaEventSynchronize(event); });
}
CUDRIVER(cuEventQuery)(CUevent event) {
  return call(__func__, [&] { return cudart::cudaEventQuery(event); });
}
CUDRIVER(cuEventElapsedTime_v2)(float* ms, CUevent begin, CUevent end) {
  return call(__func__, [&] {
    return ms == nullptr ? cudart::cudaErrorInvalidResourceHandle : cudart::cudaEventElapsedTime(ms, begin, end);
  });
}
CUDRIVER(cuEventElapsedTime)(float* ms, CUevent begin, CUevent end) { return cuEventElapsedTime_v2(ms, begin, end); }

// ---- capturing
CUDRIVER(cuStreamBeginCapture_v2)(CUstream stream, int mode) {
  return call(__func__, [&] { return cudart::cudaStreamBeginCapture(stream, mode); });
}
CUDRIVER(cuStreamBeginCapture)(CUstream stream) { return cuStreamBeginCapture_v2(stream, 0); }
CUDRIVER(cuStreamBeginCaptureToGraph)
(CUstream stream, CUgraph graph, GraphNode* const* behind, const cudart::cudaGraphEdgeData* edges, std::size_t count,
 int mode) {
  return call(__func__,
              [&] { return cudart::cudaStreamBeginCaptureToGraph(stream, graph, behind, edges, count, mode); });
}
CUDRIVER(cuStreamEndCapture)(CUstream stream, CUgraph* graph) {
  return call(__func__, [&] { return cudart::cudaStreamEndCapture(stream, graph); });
}
CUDRIVER(cuStreamIsCapturing)(CUstream stream, cudart::cudaStreamCaptureStatus* status) {
  return call(__func__, [&] { return cudart::cudaStreamIsCapturing(stream, status); });
}
CUDRIVER(cuStreamGetCaptureInfo_v3)
(CUstream stream, cudart::cudaStreamCaptureStatus* status, unsigned long long* id, CUgraph* graph,
 GraphNode* const** tail, const cudart::cudaGraphEdgeData** edges, std::size_t* count) {
  return call(__func__,
              [&] { return cudart::cudaStreamGetCaptureInfo(stream, status, id, graph, tail, edges, count); });
}
CUDRIVER(cuStreamGetCaptureInfo_v2)
(CUstream stream, cudart::cudaStreamCaptureStatus* status, unsigned long long* id, CUgraph* graph,
 GraphNode* const** tail, std::size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, tail, nullptr, count);
}
CUDRIVER(cuStreamUpdateCaptureDependencies_v2)
(CUstream stream, GraphNode* const* nodes, const cudart::cudaGraphEdgeData* edges, std::size_t count, unsigned flags) {
  return call(__func__,
              [&] { return cudart::cudaStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags); });
}
CUDRIVER(cuStreamUpdateCaptureDependencies)
(CUstream stream, GraphNode* const* nodes, std::size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, count, flags);
}
}

}  // namespace warpsim::driver
