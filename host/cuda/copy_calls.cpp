// The interface: copies and fills.
#include "host/cuda/boxes.h"
#include "host/cuda/call.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

using cudart::cudaMemcpyKind;
using cudart::Runtime;

// Where one side begins.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  bool is_device() const { return type == CU_MEMORYTYPE_DEVICE; }
  bool is_known() const { return type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED; }
  void* at() const { return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer(device); }
};

cudaMemcpyKind kind_of(const Side& to, const Side& from) {
  if (to.type == CU_MEMORYTYPE_UNIFIED || from.type == CU_MEMORYTYPE_UNIFIED) return cudart::cudaMemcpyDefault;
  return to.is_device()     ? from.is_device() ? cudart::cudaMemcpyDeviceToDevice : cudart::cudaMemcpyHostToDevice
         : from.is_device() ? cudart::cudaMemcpyDeviceToHost
                            : cudart::cudaMemcpyHostToHost;
}

CUresult copy_box(const char* name, const CUDA_MEMCPY3D* from, CUstream stream, bool waits) {
  return call(name, [&] {
    if (from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudart::cudaMemcpy3DParms box{};
    if (const CUresult error = box_of(*from, box); error != CUDA_SUCCESS) return error;
    return result_of(waits ? cudart::cudaMemcpy3D(&box) : cudart::cudaMemcpy3DAsync(&box, stream));
  });
}
CUresult copy_box(const char* name, const CUDA_MEMCPY2D* from, CUstream stream, bool waits) {
  if (from == nullptr) return call(name, [] { return CUDA_ERROR_INVALID_VALUE; });
  const CUDA_MEMCPY3D box = box_of(*from);
  return copy_box(name, &box, stream, waits);
}

CUresult copy(const char* name, void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return call(name, [&] { return cudart::cudaMemcpy(to, from, size, kind); });
}
CUresult copy(const char* name, void* to, const void* from, std::size_t size, cudaMemcpyKind kind, CUstream stream) {
  return call(name, [&] { return cudart::cudaMemcpyAsync(to, from, size, kind, stream); });
}

// `width` elements of so many bytes in each row.
CUresult fill_later(const char* name, const cudart::Rows& to, unsigned value, unsigned element_bytes, std::size_t width,
                    std::size_t height, CUstream stream, bool is_async = true) {
  return with_runtime(name, [&](Runtime& runtime) {
    if (to.address % element_bytes != 0 || to.pitch % element_bytes != 0) return CUDA_ERROR_INVALID_VALUE;
    cudart::FillWork work{to, {width * element_bytes, height}, value, element_bytes};
    work.is_async = is_async;
    return result_of(runtime.submit(stream, work));
  });
}
CUresult fill(const char* name, const cudart::Rows& to, unsigned value, unsigned element_bytes, std::size_t width,
              std::size_t height) {
  return fill_later(name, to, value, element_bytes, width, height, nullptr, false);
}

}  // namespace

CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D& from) {
  CUDA_MEMCPY3D box{};
  box.srcXInBytes = from.srcXInBytes, box.srcY = from.srcY;
  box.srcMemoryType = from.srcMemoryType, box.srcHost = from.srcHost, box.srcDevice = from.srcDevice;
  box.srcPitch = from.srcPitch;
  box.dstXInBytes = from.dstXInBytes, box.dstY = from.dstY;
  box.dstMemoryType = from.dstMemoryType, box.dstHost = from.dstHost, box.dstDevice = from.dstDevice;
  box.dstPitch = from.dstPitch;
  box.WidthInBytes = from.WidthInBytes, box.Height = from.Height, box.Depth = 1;
  return box;
}

CUDA_MEMCPY3D description_of(const cudart::cudaMemcpy3DParms& box) {
  const auto type = [&box](cudaMemcpyKind of_device) {
    return box.kind == cudart::cudaMemcpyDefault                                   ? CU_MEMORYTYPE_UNIFIED
           : box.kind == of_device || box.kind == cudart::cudaMemcpyDeviceToDevice ? CU_MEMORYTYPE_DEVICE
                                                                                   : CU_MEMORYTYPE_HOST;
  };
  CUDA_MEMCPY3D to{};
  to.srcMemoryType = type(cudart::cudaMemcpyDeviceToHost), to.dstMemoryType = type(cudart::cudaMemcpyHostToDevice);
  to.srcXInBytes = box.srcPos.x, to.srcY = box.srcPos.y, to.srcZ = box.srcPos.z;
  to.dstXInBytes = box.dstPos.x, to.dstY = box.dstPos.y, to.dstZ = box.dstPos.z;
  if (to.srcMemoryType == CU_MEMORYTYPE_HOST) to.srcHost = box.srcPtr.ptr;
  else to.srcDevice = cudart::address_of(box.srcPtr.ptr);
  if (to.dstMemoryType == CU_MEMORYTYPE_HOST) to.dstHost = box.dstPtr.ptr;
  else to.dstDevice = cudart::address_of(box.dstPtr.ptr);
  to.srcPitch = box.srcPtr.pitch, to.srcHeight = box.srcPtr.ysize;
  to.dstPitch = box.dstPtr.pitch, to.dstHeight = box.dstPtr.ysize;
  to.WidthInBytes = box.extent.width, to.Height = box.extent.height, to.Depth = box.extent.depth;
  return to;
}

CUresult box_of(const CUDA_MEMCPY3D& from, cudart::cudaMemcpy3DParms& box) {
  const Side target{from.dstMemoryType, from.dstHost, from.dstDevice};
  const Side source{from.srcMemoryType, from.srcHost, from.srcDevice};
  if (!target.is_known() || !source.is_known()) return CUDA_ERROR_INVALID_VALUE;
  if (target.type == CU_MEMORYTYPE_ARRAY || source.type == CU_MEMORYTYPE_ARRAY) return CUDA_ERROR_NOT_SUPPORTED;
  const auto pitched = [&](const Side& side, std::size_t pitch, std::size_t height) {
    const std::size_t row = pitch == 0 ? from.WidthInBytes : pitch;
    return cudart::cudaPitchedPtr{side.at(), row, row, height == 0 ? from.Height : height};
  };
  box.srcPos = {from.srcXInBytes, from.srcY, from.srcZ};
  box.dstPos = {from.dstXInBytes, from.dstY, from.dstZ};
  box.srcPtr = pitched(source, from.srcPitch, from.srcHeight);
  box.dstPtr = pitched(target, from.dstPitch, from.dstHeight);
  box.extent = {from.WidthInBytes, from.Height, from.Depth};
  box.kind = kind_of(target, source);
  return CUDA_SUCCESS;
}

extern "C" {

// ---- copies
CUDRIVER(cuMemcpy)(CUdeviceptr to, CUdeviceptr from, std::size_t size) {
  return copy(__func__, pointer(to), pointer(from), size, cudart::cudaMemcpyDefault);
}
CUDRIVER(cuMemcpyAsync)(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy(__func__, pointer(to), pointer(from), size, cudart::cudaMemcpyDefault, stream);
}
CUDRIVER(cuMemcpyHtoD_v2)(CUdeviceptr to, const void* from, std::size_t size) {
  return copy(__func__, pointer(to), from, size, cudart::cudaMemcpyHostToDevice);
}
CUDRIVER(cuMemcpyHtoDAsync_v2)(CUdeviceptr to, const void* from, std::size_t size, CUstream stream) {
  return copy(__func__, pointer(to), from, size, cudart::cudaMemcpyHostToDevice, stream);
}
CUDRIVER(cuMemcpyDtoH_v2)(void* to, CUdeviceptr from, std::size_t size) {
  return copy(__func__, to, pointer(from), size, cudart::cudaMemcpyDeviceToHost);
}
CUDRIVER(cuMemcpyDtoHAsync_v2)(void* to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy(__func__, to, pointer(from), size, cudart::cudaMemcpyDeviceToHost, stream);
}
CUDRIVER(cuMemcpyDtoD_v2)(CUdeviceptr to, CUdeviceptr from, std::size_t size) {
  return copy(__func__, pointer(to), pointer(from), size, cudart::cudaMemcpyDeviceToDevice);
}
CUDRIVER(cuMemcpyDtoDAsync_v2)(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy(__func__, pointer(to), pointer(from), size, cudart::cudaMemcpyDeviceToDevice, stream);
}
CUDRIVER(cuMemcpyPeer)(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t size) {
  return copy(__func__, pointer(to), pointer(from), size, cudart::cudaMemcpyDeviceToDevice);
}
CUDRIVER(cuMemcpyPeerAsync)
(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t size, CUstream stream) {
  return copy(__func__, pointer(to), pointer(from), size, cudart::cudaMemcpyDeviceToDevice, stream);
}
CUDRIVER(cuMemcpy2D_v2)(const CUDA_MEMCPY2D* box) { return copy_box(__func__, box, nullptr, true); }
CUDRIVER(cuMemcpy2DUnaligned_v2)(const CUDA_MEMCPY2D* box) { return copy_box(__func__, box, nullptr, true); }
CUDRIVER(cuMemcpy2DAsync_v2)(const CUDA_MEMCPY2D* box, CUstream stream) {
  return copy_box(__func__, box, stream, false);
}
CUDRIVER(cuMemcpy3D_v2)(const CUDA_MEMCPY3D* box) { return copy_box(__func__, box, nullptr, true); }
CUDRIVER(cuMemcpy3DAsync_v2)(const CUDA_MEMCPY3D* box, CUstream stream) {
  return copy_box(__func__, box, stream, false);
}

// ---- fills
CUDRIVER(cuMemsetD8Async)(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return fill_later(__func__, {to, 0}, value, 1, count, 1, stream);
}
CUDRIVER(cuMemsetD16Async)(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
  return fill_later(__func__, {to, 0}, value, 2, count, 1, stream);
}
CUDRIVER(cuMemsetD32Async)(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
  return fill_later(__func__, {to, 0}, value, 4, count, 1, stream);
}
CUDRIVER(cuMemsetD2D8Async)
(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height, CUstream stream) {
  return fill_later(__func__, {to, pitch}, value, 1, width, height, stream);
}
CUDRIVER(cuMemsetD2D16Async)
(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height, CUstream stream) {
  return fill_later(__func__, {to, pitch}, value, 2, width, height, stream);
}
CUDRIVER(cuMemsetD2D32Async)
(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height, CUstream stream) {
  return fill_later(__func__, {to, pitch}, value, 4, width, height, stream);
}
CUDRIVER(cuMemsetD8_v2)(CUdeviceptr to, unsigned char value, std::size_t count) {
  return fill(__func__, {to, 0}, value, 1, count, 1);
}
CUDRIVER(cuMemsetD16_v2)(CUdeviceptr to, unsigned short value, std::size_t count) {
  return fill(__func__, {to, 0}, value, 2, count, 1);
}
CUDRIVER(cuMemsetD32_v2)(CUdeviceptr to, unsigned value, std::size_t count) {
  return fill(__func__, {to, 0}, value, 4, count, 1);
}
CUDRIVER(cuMemsetD2D8_v2)
(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  return fill(__func__, {to, pitch}, value, 1, width, height);
}
CUDRIVER(cuMemsetD2D16_v2)
(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
  return fill(__func__, {to, pitch}, value, 2, width, height);
}
CUDRIVER(cuMemsetD2D32_v2)
(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return fill(__func__, {to, pitch}, value, 4, width, height);
}
}

}  // namespace warpsim::driver
