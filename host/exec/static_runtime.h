// What to tell somebody whose program has NVIDIA's runtime inside.
//
// Errors: none; these are texts.
#pragma once

namespace warpsim::host {

inline constexpr const char* kStaticRuntime = "NVIDIA's runtime inside, which works with NVIDIA's driver alone";
inline constexpr const char* kLinkSharedRuntime =
    "link it to the shared one: NVCC_APPEND_FLAGS='-cudart shared', or -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared";

}  // namespace warpsim::host
