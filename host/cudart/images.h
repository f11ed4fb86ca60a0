// The PTX in what a program registers or loads: a wrapper as nvcc writes it, a fat binary, or a text.
//
// Shapes: a wrapper of version 2 names the fat binaries of a whole program (-rdc=true), which are linked by symbol; so
// do
//         the parts that cuLinkComplete() put into one fat binary. Of each the best PTX for the device counts.
// Units:  bytes. An image is as long as it says itself; a text ends with a zero.
// Errors: cudaError_t, and why, in a sentence.
// Source: host/fatbin/fat_binary.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/cudart/cuda_types.h"
#include "host/device/kernel_module.h"
#include "host/fatbin/fat_binary.h"

namespace warpsim::cudart {

inline constexpr int kArch = 90;  // an H200's

struct FatWrapper {
  std::uint32_t magic = 0, version = 0;
  const void* data = nullptr;
  const void* const* parts = nullptr;  // of version 2: the fat binaries that were linked, up to a null
};

struct ImageTexts {
  std::vector<host::PtxSource> sources;
  std::vector<std::string> cubins;  // for the device, where they were asked for
  cudaError_t error = cudaSuccess;
  std::string why;
};

// `name` is what messages call it.
ImageTexts read_wrapper(const FatWrapper& wrapper, const std::string& name, host::FatCode code);
ImageTexts read_image(const void* image, const std::string& name, host::FatCode code);

}  // namespace warpsim::cudart
