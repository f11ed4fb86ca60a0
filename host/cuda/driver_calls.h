// Functions of the driver's interface that the runtime's stand on.
//
// Shapes: as the CUDA Driver API has them.
// Errors: as there.
#pragma once

#include "host/cuda/driver_types.h"

namespace warpsim::driver {

extern "C" {
CUresult cuGetExportTable(const void** table, const void* id);
CUresult cuGetProcAddress_v2(const char* name, void** to, int version, unsigned long long flags, int* status);
CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* options, void** values, unsigned count,
                           void*, void**, unsigned);
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                               unsigned count, void*, void**, unsigned);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name);
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library);
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr* at, std::size_t* size, CUlibrary library, const char* name);
CUresult cuLibraryGetManaged(CUdeviceptr* at, std::size_t* size, CUlibrary library, const char* name);
CUresult cuKernelSetAttribute(int which, int value, CUkernel kernel, CUdevice device);
}

}  // namespace warpsim::driver
