// NVIDIA's runtime inside a program or a library: how it is recognised, and what to tell about it.
//
// Errors: none.
// Source: the names of errors stand in that runtime, and in no program of its own.
#pragma once

#include <string>
#include <string_view>

namespace warpsim::host {

inline constexpr std::string_view kInsideRuntime = "cudaErrorSoftwareValidityNotEstablished";
inline constexpr const char* kStaticRuntime = "NVIDIA's runtime inside, which works with NVIDIA's driver alone";
inline constexpr const char* kLinkSharedRuntime =
    "link it to the shared one: NVCC_APPEND_FLAGS='-cudart shared', or -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared";

// Of this process: the program or library that this address is in, if it has the runtime inside; "" if it has not.
std::string object_with_runtime(const void* address);

}  // namespace warpsim::host
