// The interface: addresses of its functions, and those without a meaning here.
#include <cstring>

#include "host/cuda/call.h"
#include "host/cuda/function_table.h"
#include "host/cudart/calls.h"
#include "host/exec/static_runtime.h"

namespace warpsim::driver {
namespace {

constexpr unsigned long long kAddressFlags = 3;  // CU_GET_PROC_ADDRESS_…: which default stream is meant
constexpr int kSymbolFound = 0, kSymbolNotFound = 1, kVersionNotSufficient = 2;
CUresult refuse(const char* name) {
  cudart::Runtime::get().say(std::string(name) + " is not supported: it returns CUDA_ERROR_NOT_SUPPORTED");
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

extern "C" {

#define DRIVER_FUNCTION(name, base, since)
#define DRIVER_VARIANT(name, suffix)
// Whatever its parameters are: it looks at none of them.
#define DRIVER_REFUSED(name, base, since) \
  CUDRIVER(name)() { return refuse(#name); }
#include "host/cuda/functions.def"
#undef DRIVER_REFUSED
#undef DRIVER_VARIANT
#undef DRIVER_FUNCTION

// What it asks for is NVIDIA's own: a runtime inside the program needs it, others do without.
CUDRIVER(cuGetExportTable)(const void** table, const void*) {
  cudart::give_wanted(table, nullptr);
  const std::string object = host::object_with_runtime(__builtin_return_address(0));
  if (object.empty()) return refuse(__func__);
  cudart::Runtime::get().say(object + " has " + host::kStaticRuntime +
                             " (cuGetExportTable)\n  hint: " + host::kLinkSharedRuntime);
  return CUDA_ERROR_NOT_SUPPORTED;
}
}

namespace {

// The newest of that name that is not newer than the version.
const FunctionRow* find(const char* name, int version, int& status) {
  const FunctionRow* best = nullptr;
  status = kSymbolNotFound;
  for (const FunctionRow& row : function_rows()) {
    if (std::strcmp(row.name, name) != 0) continue;
    if (status == kSymbolNotFound) status = kVersionNotSufficient;
    if (row.since <= version && (best == nullptr || row.since > best->since)) best = &row;
  }
  if (best != nullptr) status = kSymbolFound;
  return best;
}

CUresult find_address(const char* name, void** to, int version, unsigned long long flags, int* status) {
  int known = 0;
  if (name == nullptr || to == nullptr || flags > kAddressFlags) return CUDA_ERROR_INVALID_VALUE;
  static_cast<void>(cudart::cudaDriverGetVersion(&known));
  if (version > known) return CUDA_ERROR_INVALID_VALUE;
  int found = kSymbolNotFound;
  const FunctionRow* const row = find(name, version, found);
  *to = row == nullptr ? nullptr : const_cast<void*>(row->address);
  cudart::give_wanted(status, found);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUDRIVER(cuGetProcAddress_v2)(const char* name, void** to, int version, unsigned long long flags, int* status) {
  return find_address(name, to, version, flags, status);
}
CUDRIVER(cuGetProcAddress)(const char* name, void** to, int version, unsigned long long flags) {
  const CUresult error = find_address(name, to, version, flags, nullptr);
  return error == CUDA_SUCCESS && *to == nullptr ? CUDA_ERROR_NOT_FOUND : error;
}
}

}  // namespace warpsim::driver
