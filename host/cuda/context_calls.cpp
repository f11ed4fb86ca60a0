// The interface: contexts.
#include "host/cuda/call.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

constexpr unsigned kContextFlags = 0xff;    // of cuCtxCreate()
constexpr unsigned kContextVersion = 3020;  // of the interface that contexts have, as on an H200
constexpr unsigned kMapHost = 0x08;         // what the primary one always has
constexpr int kShmemLimit = 7;              // of clients that share a GPU
constexpr unsigned kNoScheduling = ~0x07U;  // beside how the host waits

CUresult with_primary(const char* name, CUdevice device, auto&& f) {
  return call(
      name, [&] { return device == 0 ? f(Contexts::get()) : CUDA_ERROR_INVALID_DEVICE; }, Needs::Driver);
}

CUresult create(const char* name, CUcontext* context, unsigned flags, CUdevice device) {
  return call(
      name,
      [&] {
        if (context == nullptr || (flags & ~kContextFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        return set_value(context, Contexts::get().create(flags, kContextVersion));
      },
      Needs::Driver);
}

CUresult with_current(const char* name, auto&& f) {
  return call(name, [&] { return f(*Contexts::get().current()); });
}

}  // namespace

extern "C" {

// ---- the primary one
CUDRIVER(cuDevicePrimaryCtxRetain)(CUcontext* context, CUdevice device) {
  return with_primary(__func__, device, [context](Contexts& contexts) {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    contexts.primary().version = kContextVersion;
    contexts.retain();
    return set_value(context, &contexts.primary());
  });
}
CUDRIVER(cuDevicePrimaryCtxRelease_v2)(CUdevice device) {
  return with_primary(__func__, device, [](Contexts& contexts) {
    return contexts.release() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUDRIVER(cuDevicePrimaryCtxRelease)(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }
CUDRIVER(cuDevicePrimaryCtxReset_v2)(CUdevice device) {
  return with_primary(__func__, device, [](Contexts&) { return result_of(cudart::cudaDeviceReset()); });
}
CUDRIVER(cuDevicePrimaryCtxReset)(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }
CUDRIVER(cuDevicePrimaryCtxSetFlags_v2)(CUdevice device, unsigned flags) {
  return with_primary(__func__, device, [flags](Contexts& contexts) {
    if ((flags & ~kContextFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    contexts.primary().flags = flags;
    return CUDA_SUCCESS;
  });
}
CUDRIVER(cuDevicePrimaryCtxSetFlags)(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
CUDRIVER(cuDevicePrimaryCtxGetState)(CUdevice device, unsigned* flags, int* is_active) {
  return with_primary(__func__, device, [&](Contexts& contexts) {
    const CUresult error = set_value(flags, contexts.primary().flags);
    return error != CUDA_SUCCESS ? error : set_value(is_active, contexts.is_active() ? 1 : 0);
  });
}

// ---- others
CUDRIVER(cuCtxCreate_v2)(CUcontext* context, unsigned flags, CUdevice device) {
  return create(__func__, context, flags, device);
}
CUDRIVER(cuCtxCreate_v3)(CUcontext* context, const void*, int, unsigned flags, CUdevice device) {
  return create(__func__, context, flags, device);
}
CUDRIVER(cuCtxCreate_v4)(CUcontext* context, const void*, unsigned flags, CUdevice device) {
  return create(__func__, context, flags, device);
}
CUDRIVER(cuCtxDestroy_v2)(CUcontext context) {
  return call(
      __func__,
      [&] {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        return Contexts::get().destroy(context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
      },
      Needs::Driver);
}

// ---- which one is current
CUDRIVER(cuCtxPushCurrent_v2)(CUcontext context) {
  return call(
      __func__,
      [&] {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (!Contexts::get().is_live(context)) return CUDA_ERROR_INVALID_CONTEXT;
        Contexts::get().push(context);
        return CUDA_SUCCESS;
      },
      Needs::Driver);
}
CUDRIVER(cuCtxPopCurrent_v2)(CUcontext* context) {
  return call(
      __func__,
      [&] {
        CUcontext const popped = Contexts::get().pop();
        if (popped == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        cudart::give_wanted(context, popped);
        return CUDA_SUCCESS;
      },
      Needs::Driver);
}
CUDRIVER(cuCtxSetCurrent)(CUcontext context) {
  return call(
      __func__,
      [&] {
        if (context != nullptr && !Contexts::get().is_live(context)) return CUDA_ERROR_INVALID_CONTEXT;
        Contexts::get().set_current(context);
        return CUDA_SUCCESS;
      },
      Needs::Driver);
}
CUDRIVER(cuCtxGetCurrent)(CUcontext* context) {
  return call(
      __func__, [&] { return set_value(context, Contexts::get().current()); }, Needs::Driver);
}
CUDRIVER(cuCtxGetDevice)(CUdevice* device) {
  return call(
      __func__,
      [device] { return Contexts::get().current() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : set_value(device, 0); },
      Needs::Driver);
}
CUDRIVER(cuCtxGetDevice_v2)(CUdevice* device, CUcontext) { return cuCtxGetDevice(device); }
CUDRIVER(cuCtxSynchronize)() {
  return call(__func__, [] { return cudart::cudaDeviceSynchronize(); });
}
CUDRIVER(cuCtxSynchronize_v2)(CUcontext) { return cuCtxSynchronize(); }

// ---- what it is like
CUDRIVER(cuCtxGetFlags)(unsigned* flags) {
  return with_current(__func__, [flags](const Context& of) {
    return set_value(flags, of.flags | (&of == &Contexts::get().primary() ? kMapHost : 0));
  });
}
CUDRIVER(cuCtxSetFlags)(unsigned flags) {
  return with_current(__func__, [flags](Context& of) {
    if ((flags & ~kContextFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    of.flags = (of.flags & kNoScheduling) | flags;
    return CUDA_SUCCESS;
  });
}
CUDRIVER(cuCtxGetApiVersion)(CUcontext context, unsigned* version) {
  return with_current(__func__, [&](const Context& current) {
    const Context* const of = context == nullptr ? &current : context;
    return Contexts::get().is_live(of) ? set_value(version, of->version) : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUDRIVER(cuCtxGetId)(CUcontext context, unsigned long long* id) {
  return with_current(__func__, [&](const Context& current) {
    const Context* const of = context == nullptr ? &current : context;
    return Contexts::get().is_live(of) ? set_value(id, of->id) : CUDA_ERROR_CONTEXT_IS_DESTROYED;
  });
}
CUDRIVER(cuCtxGetLimit)(std::size_t* value, int limit) {
  return call(__func__, [&] {
    return limit == kShmemLimit ? set_value(value, 0) : result_of(cudart::cudaDeviceGetLimit(value, limit));
  });
}
CUDRIVER(cuCtxSetLimit)(int limit, std::size_t value) {
  return call(__func__, [&] { return cudart::cudaDeviceSetLimit(limit, value); });
}
CUDRIVER(cuCtxGetCacheConfig)(int* config) {
  return with_current(__func__, [config](const Context& of) { return set_value(config, of.cache_config); });
}
CUDRIVER(cuCtxSetCacheConfig)(int config) {
  return with_current(__func__, [config](Context& of) {
    if (config < 0 || config > 3) return CUDA_ERROR_INVALID_VALUE;
    of.cache_config = config;
    return CUDA_SUCCESS;
  });
}
CUDRIVER(cuCtxGetSharedMemConfig)(int* config) {
  return call(__func__, [&] { return cudart::cudaDeviceGetSharedMemConfig(config); });
}
CUDRIVER(cuCtxSetSharedMemConfig)(int config) {
  return call(__func__, [&] { return cudart::cudaDeviceSetSharedMemConfig(config); });
}
CUDRIVER(cuCtxGetStreamPriorityRange)(int* least, int* greatest) {
  return call(__func__, [&] { return cudart::cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUDRIVER(cuCtxResetPersistingL2Cache)() {
  return call(__func__, [] { return cudart::cudaCtxResetPersistingL2Cache(); });
}
CUDRIVER(cuFlushGPUDirectRDMAWrites)(int target, int scope) {
  return call(__func__, [&] { return cudart::cudaDeviceFlushGPUDirectRDMAWrites(target, scope); });
}
CUDRIVER(cuThreadExchangeStreamCaptureMode)(int* mode) {
  return call(
      __func__, [&] { return cudart::cudaThreadExchangeStreamCaptureMode(mode); }, Needs::Driver);
}

// ---- peers: there are none
CUDRIVER(cuCtxEnablePeerAccess)(CUcontext peer, unsigned) {
  return call(__func__,
              [peer] { return peer == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED; });
}
CUDRIVER(cuCtxDisablePeerAccess)(CUcontext peer) {
  return call(__func__,
              [peer] { return peer == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED; });
}
}

}  // namespace warpsim::driver
