// The interface: errors, initialization, the device.
#include <array>
#include <cstring>

#include "host/cuda/call.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

struct ErrorRow {
  CUresult error;
  const char *name, *text;  // null: the runtime's
};
constexpr ErrorRow kErrors[] = {
#define DRIVER_ERROR(number, name) {name, #name, nullptr},
#define DRIVER_OWN_ERROR(number, name, text) {name, #name, text},
#include "host/cuda/errors.def"
#undef DRIVER_OWN_ERROR
#undef DRIVER_ERROR
};

const ErrorRow* find(CUresult error) {
  for (const ErrorRow& row : kErrors)
    if (row.error == error) return &row;
  return nullptr;
}

// Of the runtime's properties: where they are in its structure.
struct Properties {
  std::array<char, 256> name;
  CUuuid uuid;
  std::array<std::byte, 16> luid;
  std::size_t bytes;
  std::array<std::byte, 712> rest;
};
static_assert(sizeof(Properties) >= 1008);

template <class F>
CUresult of_device(const char* name, CUdevice device, F&& f) {
  return call(
      name, [&] { return device == 0 ? result_of(f()) : CUDA_ERROR_INVALID_DEVICE; }, Needs::Driver);
}

template <class F>
CUresult with_properties(const char* name, CUdevice device, F&& f) {
  return of_device(name, device, [&] {
    Properties properties{};
    const cudart::cudaError_t error = cudart::cudaGetDeviceProperties(&properties, device);
    return error == cudart::cudaSuccess ? f(properties) : result_of(error);
  });
}

int attribute(int number) {
  int value = 0;
  static_cast<void>(cudart::cudaDeviceGetAttribute(&value, number, 0));
  return value;
}

}  // namespace

// Of the runtime's own errors, the driver's for the same mistake.
CUresult result_of(cudart::cudaError_t error) {
  switch (error) {
    case cudart::cudaErrorInvalidConfiguration:
    case cudart::cudaErrorInvalidPitchValue:
    case cudart::cudaErrorInvalidHostPointer:
    case cudart::cudaErrorInvalidDevicePointer:
    case cudart::cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
    case cudart::cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    case cudart::cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    default: return static_cast<CUresult>(error);
  }
}

extern "C" {

// ---- errors
CUDRIVER(cuGetErrorName)(CUresult error, const char** text) {
  const ErrorRow* const row = find(error);
  const CUresult result = set_value(text, row == nullptr ? nullptr : row->name);
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : result;
}
CUDRIVER(cuGetErrorString)(CUresult error, const char** text) {
  const ErrorRow* const row = find(error);
  const CUresult result =
      set_value(text, row == nullptr         ? nullptr
                      : row->text != nullptr ? row->text
                                             : cudart::cudaGetErrorString(static_cast<cudart::cudaError_t>(error)));
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : result;
}

// ---- initialization
CUDRIVER(cuInit)(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  Contexts::get().initialize();
  return CUDA_SUCCESS;
}
CUDRIVER(cuDriverGetVersion)(int* version) {
  return version == nullptr ? CUDA_ERROR_INVALID_VALUE : result_of(cudart::cudaDriverGetVersion(version));
}

// ---- the device
CUDRIVER(cuDeviceGetCount)(int* count) {
  return call(
      __func__, [count] { return set_value(count, 1); }, Needs::Driver);
}
CUDRIVER(cuDeviceGet)(CUdevice* device, int ordinal) {
  return of_device(__func__, ordinal, [&] { return set_value(device, 0); });
}
CUDRIVER(cuDeviceGetName)(char* name, int size, CUdevice device) {
  return with_properties(__func__, device, [&](const Properties& of) {
    if (name == nullptr || size <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::strncpy(name, of.name.data(), static_cast<std::size_t>(size));
    name[size - 1] = '\0';
    return CUDA_SUCCESS;
  });
}
CUDRIVER(cuDeviceTotalMem_v2)(std::size_t* bytes, CUdevice device) {
  return with_properties(__func__, device, [bytes](const Properties& of) { return set_value(bytes, of.bytes); });
}
CUDRIVER(cuDeviceGetUuid)(CUuuid* uuid, CUdevice device) {
  return with_properties(__func__, device, [uuid](const Properties& of) { return set_value(uuid, of.uuid); });
}
CUDRIVER(cuDeviceGetUuid_v2)(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }
CUDRIVER(cuDeviceGetAttribute)(int* value, int number, CUdevice device) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceGetAttribute(value, number, device); });
}
CUDRIVER(cuDeviceComputeCapability)(int* major, int* minor, CUdevice device) {
  return of_device(__func__, device, [&] {
    const CUresult error = set_value(major, attribute(75));
    return error != CUDA_SUCCESS ? error : set_value(minor, attribute(76));
  });
}
CUDRIVER(cuDeviceGetProperties)(CUdevprop* properties, CUdevice device) {
  return of_device(__func__, device, [properties] {
    return set_value(properties, CUdevprop{attribute(1),
                                           {attribute(2), attribute(3), attribute(4)},
                                           {attribute(5), attribute(6), attribute(7)},
                                           attribute(8),
                                           attribute(9),
                                           attribute(10),
                                           attribute(11),
                                           attribute(12),
                                           attribute(13),
                                           attribute(14)});
  });
}
CUDRIVER(cuDeviceGetPCIBusId)(char* id, int size, CUdevice device) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceGetPCIBusId(id, size, device); });
}
CUDRIVER(cuDeviceGetByPCIBusId)(CUdevice* device, const char* id) {
  return call(
      __func__, [&] { return cudart::cudaDeviceGetByPCIBusId(device, id); }, Needs::Driver);
}
CUDRIVER(cuDeviceCanAccessPeer)(int* can, CUdevice device, CUdevice peer) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceCanAccessPeer(can, device, peer); });
}
CUDRIVER(cuDeviceGetP2PAttribute)(int* value, int attribute, CUdevice from, CUdevice to) {
  return call(
      __func__, [&] { return cudart::cudaDeviceGetP2PAttribute(value, attribute, from, to); }, Needs::Driver);
}
CUDRIVER(cuDeviceGetDefaultMemPool)(CUmemoryPool* pool, CUdevice device) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceGetDefaultMemPool(pool, device); });
}
CUDRIVER(cuDeviceGetMemPool)(CUmemoryPool* pool, CUdevice device) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceGetMemPool(pool, device); });
}
CUDRIVER(cuDeviceSetMemPool)(CUdevice device, CUmemoryPool pool) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceSetMemPool(device, pool); });
}
CUDRIVER(cuDeviceGraphMemTrim)(CUdevice device) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceGraphMemTrim(device); });
}
CUDRIVER(cuDeviceGetGraphMemAttribute)(CUdevice device, int attribute, void* value) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceGetGraphMemAttribute(device, attribute, value); });
}
CUDRIVER(cuDeviceSetGraphMemAttribute)(CUdevice device, int attribute, void* value) {
  return of_device(__func__, device, [&] { return cudart::cudaDeviceSetGraphMemAttribute(device, attribute, value); });
}

// ---- profilers
CUDRIVER(cuProfilerStart)() {
  return call(__func__, [] { return cudart::cudaProfilerStart(); });
}
CUDRIVER(cuProfilerStop)() {
  return call(__func__, [] { return cudart::cudaProfilerStop(); });
}
}

}  // namespace warpsim::driver
