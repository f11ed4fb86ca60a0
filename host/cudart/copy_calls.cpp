// The interface: copies and fills, of memory and of variables.
#include <string>
#include <type_traits>

#include "host/cudart/call.h"
#include "isa/text/number_text.h"

namespace warpsim::cudart {
namespace {

// Copies that the host waits for let kernels' prints out; a fill is not waited for, unless it is of the host's memory.
enum class Waits : bool { No, Yes };

template <class W>
cudaError_t submit(Runtime& runtime, cudaStream_t stream, W work, Waits waits) {
  work.is_async = waits == Waits::No;
  if (waits == Waits::Yes && std::is_same_v<W, CopyWork>) runtime.flush_prints();
  return runtime.submit(stream, std::move(work));
}

template <class W>
cudaError_t submit(cudaStream_t stream, W work, Waits waits) {
  return call([&](Runtime& runtime) { return submit(runtime, stream, std::move(work), waits); });
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
  if (width > to_pitch || width > from_pitch) return answer([] { return cudaErrorInvalidPitchValue; });
  return submit(stream, CopyWork{rows_at(to, to_pitch), rows_at(from, from_pitch), {width, height}, kind}, waits);
}

// At a place of a box whose elements are bytes.
Rows rows_in(const cudaPitchedPtr& box, const cudaPos& at) {
  const std::size_t layer = box.pitch * box.ysize;
  return {address_of(box.ptr) + at.z * layer + at.y * box.pitch + at.x, box.pitch, layer};
}

cudaError_t copy_box(const cudaMemcpy3DParms* box, cudaStream_t stream, Waits waits) {
  return call([&](Runtime& runtime) {
    CopyWork work;
    if (box == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = copy_in(*box, work); error != cudaSuccess) return error;
    return submit(runtime, stream, work, waits);
  });
}

cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream, Waits waits) {
  if (width > pitch) return answer([] { return cudaErrorInvalidValue; });
  return submit(stream, FillWork{rows_at(to, pitch), {width, height}, static_cast<std::uint32_t>(value), 1}, waits);
}

cudaError_t fill_box(const cudaPitchedPtr& box, int value, const cudaExtent& extent, cudaStream_t stream, Waits waits) {
  if (extent.width > box.pitch) return answer([] { return cudaErrorInvalidValue; });
  return submit(
      stream,
      FillWork{rows_in(box, {}), {extent.width, extent.height, extent.depth}, static_cast<std::uint32_t>(value), 1},
      waits);
}

// Of a variable, from an offset on; `f` makes the work from its address.
template <class F>
cudaError_t copy_symbol(const void* symbol, std::size_t size, std::size_t offset, cudaStream_t stream, Waits waits,
                        F&& f) {
  return call([&](Runtime& runtime) {
    host::Symbol found;
    if (const cudaError_t error = runtime.modules().find_symbol(symbol, found); error != cudaSuccess) return error;
    if (offset > found.size_bytes || size > found.size_bytes - offset) {
      const host::CallStack at = host::CallStack::here();
      runtime.report().add({Finding::HostCopyPast,
                            at.called() + " copies " + counted(size, "byte") + " at offset " + std::to_string(offset) +
                                " of a variable of " + counted(found.size_bytes, "byte"),
                            {{"in " + at.called(), at}}});
      return cudaErrorInvalidValue;
    }
    return submit(runtime, stream, f(reinterpret_cast<void*>(found.address + offset)), waits);
  });
}

cudaError_t copy_to_symbol(const void* symbol, const void* from, std::size_t size, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
  return copy_symbol(symbol, size, offset, stream, waits, [&](void* to) { return copy_of(to, from, size, kind); });
}
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, Waits waits) {
  return copy_symbol(symbol, size, offset, stream, waits, [&](void* from) { return copy_of(to, from, size, kind); });
}

}  // namespace

cudaError_t copy_in(const cudaMemcpy3DParms& box, CopyWork& work) {
  if (box.srcArray != nullptr || box.dstArray != nullptr) return cudaErrorNotSupported;
  if (box.extent.width > box.srcPtr.pitch || box.extent.width > box.dstPtr.pitch) return cudaErrorInvalidPitchValue;
  work = {rows_in(box.dstPtr, box.dstPos),
          rows_in(box.srcPtr, box.srcPos),
          {box.extent.width, box.extent.height, box.extent.depth},
          box.kind};
  return cudaSuccess;
}

extern "C" {

CUDART(cudaMemcpy)(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return submit(nullptr, copy_of(to, from, size, kind), Waits::Yes);
}
CUDART(cudaMemcpyAsync)(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  return submit(stream, copy_of(to, from, size, kind), Waits::No);
}
CUDART(cudaMemcpyPeer)(void* to, int to_device, const void* from, int from_device, std::size_t size) {
  if (to_device != 0 || from_device != 0) return answer([] { return cudaErrorInvalidDevice; });
  return submit(nullptr, copy_of(to, from, size, cudaMemcpyDeviceToDevice), Waits::Yes);
}
CUDART(cudaMemcpyPeerAsync)
(void* to, int to_device, const void* from, int from_device, std::size_t size, cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return answer([] { return cudaErrorInvalidDevice; });
  return submit(stream, copy_of(to, from, size, cudaMemcpyDeviceToDevice), Waits::No);
}
CUDART(cudaMemcpy2D)
(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
 cudaMemcpyKind kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, nullptr, Waits::Yes);
}
CUDART(cudaMemcpy2DAsync)
(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
 cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, Waits::No);
}
CUDART(cudaMemcpy3D)(const cudaMemcpy3DParms* box) { return copy_box(box, nullptr, Waits::Yes); }
CUDART(cudaMemcpy3DAsync)(const cudaMemcpy3DParms* box, cudaStream_t stream) {
  return copy_box(box, stream, Waits::No);
}

CUDART(cudaMemset)(void* to, int value, std::size_t size) {
  return fill_rows(to, size, value, size, 1, nullptr, Waits::Yes);
}
CUDART(cudaMemsetAsync)(void* to, int value, std::size_t size, cudaStream_t stream) {
  return fill_rows(to, size, value, size, 1, stream, Waits::No);
}
CUDART(cudaMemset2D)(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_rows(to, pitch, value, width, height, nullptr, Waits::Yes);
}
CUDART(cudaMemset2DAsync)
(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream) {
  return fill_rows(to, pitch, value, width, height, stream, Waits::No);
}
CUDART(cudaMemset3D)(cudaPitchedPtr box, int value, cudaExtent extent) {
  return fill_box(box, value, extent, nullptr, Waits::Yes);
}
CUDART(cudaMemset3DAsync)(cudaPitchedPtr box, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_box(box, value, extent, stream, Waits::No);
}

// ---- variables
CUDART(cudaMemcpyToSymbol)
(const void* symbol, const void* from, std::size_t size, std::size_t offset, cudaMemcpyKind kind) {
  return copy_to_symbol(symbol, from, size, offset, kind, nullptr, Waits::Yes);
}
CUDART(cudaMemcpyToSymbolAsync)
(const void* symbol, const void* from, std::size_t size, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol(symbol, from, size, offset, kind, stream, Waits::No);
}
CUDART(cudaMemcpyFromSymbol)(void* to, const void* symbol, std::size_t size, std::size_t offset, cudaMemcpyKind kind) {
  return copy_from_symbol(to, symbol, size, offset, kind, nullptr, Waits::Yes);
}
CUDART(cudaMemcpyFromSymbolAsync)
(void* to, const void* symbol, std::size_t size, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_symbol(to, symbol, size, offset, kind, stream, Waits::No);
}
CUDART(cudaGetSymbolAddress)(void** to, const void* symbol) {
  return call([&](Runtime& runtime) {
    host::Symbol found;
    const cudaError_t error = runtime.modules().find_symbol(symbol, found);
    return error != cudaSuccess ? error : give(to, reinterpret_cast<void*>(found.address));
  });
}
CUDART(cudaGetSymbolSize)(std::size_t* to, const void* symbol) {
  return call([&](Runtime& runtime) {
    host::Symbol found;
    const cudaError_t error = runtime.modules().find_symbol(symbol, found);
    return error != cudaSuccess ? error : give(to, found.size_bytes);
  });
}
}

}  // namespace warpsim::cudart
