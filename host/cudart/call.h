// What every function of the interface does before and after its own part.
//
// Shapes: CUDART(name)(parameters) { return call([&](Runtime& runtime) { … }); }. The runtime is locked meanwhile.
// Errors: a failure is remembered for cudaGetLastError(); no exception leaves.
#pragma once

#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "host/cudart/calls.h"
#include "host/cudart/runtime.h"

#define CUDART(name) extern "C" __attribute__((visibility("default"))) cudaError_t name

namespace warpsim::cudart {

// f(runtime), with the runtime locked.
template <class F>
auto locked(F&& f) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  return f(runtime);
}

// Whether a fault of an earlier kernel shows in a call: in those that wait for it or touch the device's memory.
enum class Notices : bool { No, Yes };

// Of what only asks about the device, and needs no context there.
template <class F>
cudaError_t query(F&& f, Notices notices = Notices::Yes) {
  cudaError_t error = cudaErrorUnknown;
  try {
    error = locked([&](Runtime& runtime) {
      const cudaError_t before = notices == Notices::Yes ? runtime.notice() : runtime.broken();
      return before == cudaSuccess ? f(runtime) : before;
    });
  } catch (const std::bad_alloc&) {
    error = cudaErrorMemoryAllocation;
  } catch (const std::exception&) {
    error = cudaErrorUnknown;
  }
  if (error != cudaSuccess) Runtime::last_error() = error;
  return error;
}

template <class F>
cudaError_t call(F&& f, Notices notices = Notices::Yes) {
  if (Runtime::driver_call() == nullptr) Runtime::thread_uses() = Runtime::is_used() = true;
  return query(std::forward<F>(f), notices);
}

// Of what asks nothing of the device.
template <class F>
cudaError_t answer(F&& f) {
  const cudaError_t error = f();
  if (error != cudaSuccess) Runtime::last_error() = error;
  return error;
}

// *to = value, unless it is null.
template <class T, class V>
cudaError_t give(T* to, V value) {
  if (to == nullptr) return cudaErrorInvalidValue;
  *to = static_cast<T>(value);
  return cudaSuccess;
}

// Sets what the caller wants to know.
template <class T, class V>
void give_wanted(T* to, V value) {
  if (to != nullptr) *to = static_cast<T>(value);
}

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
inline Rows rows_at(const void* pointer, std::size_t pitch = 0, std::size_t layer = 0) {
  return {address_of(pointer), pitch, layer};
}

inline CopyWork copy_of(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return {rows_at(to), rows_at(from), {size}, kind};
}

}  // namespace warpsim::cudart
