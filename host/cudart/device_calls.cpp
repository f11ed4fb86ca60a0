// The interface: the device, which is one and is called warpsim.
#include <array>
#include <cstdio>
#include <cstring>

#include "host/cudart/call.h"

namespace warpsim::cudart {
namespace {

constexpr const char* kName = "warpsim";
constexpr int kVersion = 13'000;  // of the driver's interface, and of the runtime's
constexpr const char* kBusId = "0000:00:00.0";

struct PropertyRow {
  std::size_t offset, bytes;
  std::uint64_t value;
};
constexpr PropertyRow kProperties[] = {
#define DEVICE_PROPERTY(offset, bytes, value, name) {offset, bytes, static_cast<std::uint64_t>(value)},
#include "host/cudart/device_facts.def"
#undef DEVICE_PROPERTY
};
struct AttributeRow {
  int number, value;
};
constexpr AttributeRow kAttributes[] = {
#define DEVICE_ATTRIBUTE(number, value, name) {number, value},
#include "host/cudart/device_facts.def"
#undef DEVICE_ATTRIBUTE
};
constexpr std::size_t kPropertiesBytes = 1008;

// cudaLimitStackSize and those behind it.
std::array<std::size_t, 7>& device_limits() {
  static std::array<std::size_t, 7> limits = {1024, 8'650'752, 8'388'608, 0, 2048, 64, 11'796'480};
  return limits;
}
constexpr unsigned kMapHost = 8, kLocalMemoryAtMost = 16;
unsigned& device_flags() {
  static unsigned flags = kMapHost | kLocalMemoryAtMost;
  return flags;
}
constexpr int kSyncDepth = 3;  // not since compute capability 9.0

cudaError_t of_device(int device, auto&& f) {
  return query([&](Runtime& runtime) { return device == 0 ? f(runtime) : cudaErrorInvalidDevice; });
}

}  // namespace

extern "C" {

CUDART(cudaGetDeviceCount)(int* count) {
  return query([&](Runtime&) { return give(count, 1); });
}
CUDART(cudaGetDevice)(int* device) {
  return query([&](Runtime&) { return give(device, 0); });
}
CUDART(cudaSetDevice)(int device) {
  return call([device](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
CUDART(cudaInitDevice)(int device, unsigned, unsigned) { return cudaSetDevice(device); }
CUDART(cudaSetValidDevices)(int* devices, int count) {
  return call([&](Runtime&) {
    for (int k = 0; k < count; ++k)
      if (devices == nullptr || devices[k] != 0) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}
CUDART(cudaChooseDevice)(int* device, const void*) { return cudaGetDevice(device); }
CUDART(cudaGetDeviceFlags)(unsigned* flags) {
  return call([&](Runtime&) { return give(flags, device_flags()); });
}
CUDART(cudaSetDeviceFlags)(unsigned flags) {
  return call([&](Runtime&) {
    if (flags > 0xff) return cudaErrorInvalidValue;
    device_flags() = flags | kMapHost;
    return cudaSuccess;
  });
}

CUDART(cudaGetDeviceProperties)(void* to, int device) {
  return of_device(device, [to](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidValue;
    auto* const bytes = static_cast<std::byte*>(to);
    std::memset(bytes, 0, kPropertiesBytes);
    std::memcpy(bytes, kName, std::strlen(kName));
    for (const PropertyRow& row : kProperties) std::memcpy(bytes + row.offset, &row.value, row.bytes);
    return cudaSuccess;
  });
}
CUDART(cudaDeviceGetAttribute)(int* value, int attribute, int device) {
  return of_device(device, [&](Runtime&) {
    for (const AttributeRow& row : kAttributes)
      if (row.number == attribute) return give(value, row.value);
    return cudaErrorInvalidValue;
  });
}

CUDART(cudaDeviceSynchronize)() {
  return call([](Runtime& runtime) {
    const cudaError_t error = runtime.spoil_by_waiting_for_all();
    return error != cudaSuccess ? error : runtime.wait();
  });
}
CUDART(cudaDeviceReset)() {
  locked([](Runtime& runtime) { runtime.reset(); });
  return cudaSuccess;
}

CUDART(cudaDeviceGetLimit)(std::size_t* value, int limit) {
  return call([&](Runtime&) {
    if (limit < 0 || limit > 6) return cudaErrorInvalidValue;
    return limit == kSyncDepth ? cudaErrorUnsupportedLimit
                               : give(value, device_limits()[static_cast<std::size_t>(limit)]);
  });
}
CUDART(cudaDeviceSetLimit)(int limit, std::size_t value) {
  return call([&](Runtime&) {
    if (limit < 0 || limit > 6) return cudaErrorInvalidValue;
    if (limit == kSyncDepth) return cudaErrorUnsupportedLimit;
    device_limits()[static_cast<std::size_t>(limit)] = value;
    return cudaSuccess;
  });
}
CUDART(cudaDeviceGetCacheConfig)(int* config) {
  return call([&](Runtime&) { return give(config, 0); });
}
CUDART(cudaDeviceSetCacheConfig)(int) {
  return call([](Runtime&) { return cudaSuccess; });
}
CUDART(cudaDeviceGetSharedMemConfig)(int* config) {
  return call([&](Runtime&) { return give(config, 1); });  // banks of four bytes
}
CUDART(cudaDeviceSetSharedMemConfig)(int) {
  return call([](Runtime&) { return cudaSuccess; });
}
CUDART(cudaCtxResetPersistingL2Cache)() {
  return call([](Runtime&) { return cudaSuccess; });
}
CUDART(cudaDeviceFlushGPUDirectRDMAWrites)(int, int) {
  return call([](Runtime&) { return cudaSuccess; });
}

// ---- its place
CUDART(cudaDeviceGetPCIBusId)(char* id, int size, int device) {
  return of_device(device, [&](Runtime&) {
    if (id == nullptr || size < 13) return cudaErrorInvalidValue;
    std::snprintf(id, static_cast<std::size_t>(size), "%s", kBusId);
    return cudaSuccess;
  });
}
CUDART(cudaDeviceGetByPCIBusId)(int* device, const char* id) {
  return query([&](Runtime&) {
    return id == nullptr || std::strcmp(id, kBusId) != 0 ? cudaErrorInvalidValue : give(device, 0);
  });
}

// ---- peers: there are none
CUDART(cudaDeviceCanAccessPeer)(int* can, int device, int peer) {
  return of_device(device, [&](Runtime&) { return peer != 0 ? cudaErrorInvalidDevice : give(can, 0); });
}
CUDART(cudaDeviceEnablePeerAccess)(int peer, unsigned) {
  return of_device(peer, [](Runtime&) { return cudaErrorPeerAccessUnsupported; });
}
CUDART(cudaDeviceDisablePeerAccess)(int peer) {
  return of_device(peer, [](Runtime&) { return cudaErrorPeerAccessNotEnabled; });
}
CUDART(cudaDeviceGetP2PAttribute)(int*, int, int, int) {
  return call([](Runtime&) { return cudaErrorInvalidDevice; });
}

// ---- versions, profilers
CUDART(cudaDriverGetVersion)(int* version) {
  return answer([&] { return give(version, kVersion); });
}
CUDART(cudaRuntimeGetVersion)(int* version) {
  return answer([&] { return give(version, kVersion); });
}
CUDART(cudaProfilerStart)() {
  return call([](Runtime&) { return cudaSuccess; });
}
CUDART(cudaProfilerStop)() {
  return call([](Runtime&) { return cudaSuccess; });
}
}

}  // namespace warpsim::cudart
