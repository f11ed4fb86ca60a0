// See kernel_arguments.h.
#include "host/cuda/kernel_arguments.h"

#include "isa/text/number_text.h"

namespace warpsim::driver {
namespace {

constexpr std::uintptr_t kEnd = 0, kBuffer = 1, kSize = 2;  // CU_LAUNCH_PARAM_…

}  // namespace

CUresult KernelArguments::set(const cudart::Function& function, void** params, void** extra) {
  pointers_ = params;
  if (extra == nullptr) return CUDA_SUCCESS;
  if (params != nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::byte* buffer = nullptr;
  const std::size_t* size = nullptr;
  for (void** at = extra; reinterpret_cast<std::uintptr_t>(*at) != kEnd; at += 2) {
    const auto mark = reinterpret_cast<std::uintptr_t>(*at);
    if (mark == kBuffer) buffer = static_cast<std::byte*>(at[1]);
    else if (mark == kSize) size = static_cast<const std::size_t*>(at[1]);
    else return CUDA_ERROR_INVALID_VALUE;
  }
  if (buffer == nullptr || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const host::KernelModule::Kernel& kernel = *function.kernel;
  const std::size_t count = kernel.parameter_count();
  const std::size_t all = count == 0 ? 0 : kernel.parameter_offset(count - 1) + kernel.parameter_bytes(count - 1);
  if (*size != all) {
    cudart::Runtime::get().say("the parameters of " + kernel.name() + " take " + counted(all, "byte") +
                               "; the launch passes a buffer of " + std::to_string(*size));
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  }
  for (std::size_t k = 0; k < count; ++k) own_.push_back(buffer + kernel.parameter_offset(k));
  pointers_ = own_.data();
  return CUDA_SUCCESS;
}

}  // namespace warpsim::driver
