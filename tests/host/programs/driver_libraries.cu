// What the calls of the driver answer about libraries, linking, mapped memory, addresses of functions and faults, and
// beside the runtime. As driver_calls.cu.

// nvcc: -cudart shared -lcuda
#include <cuda_runtime.h>

#include "driver_calls.h"

static void libraries() {
  begin();
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  CUmodule made = nullptr;
  CUdeviceptr at = 0;
  size_t size = 0;
  unsigned count = 0;
  int value = 0;
  SAY(cuLibraryLoadData(&library, kAdd, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SAY(cuLibraryLoadData(nullptr, kAdd, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SAY(cuLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SAY(cuLibraryLoadFromFile(&library, "/nowhere/at/all.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  SAY(cuLibraryLoadData(&library, kAdd, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SAY(cuLibraryGetKernelCount(&count, library));
  std::printf("%u\n", count);
  CUkernel kernels[8] = {};
  SAY(cuLibraryEnumerateKernels(kernels, 8, library));
  YES(kernels[3] != nullptr && kernels[4] == nullptr);
  SAY(cuLibraryGetKernel(&kernel, library, "add"));
  SAY(cuLibraryGetKernel(&kernel, library, "nothing"));
  SAY(cuLibraryGetKernel(&kernel, library, "add"));
  SAY(cuLibraryGetKernel(nullptr, library, "add"));
  SAY(cuLibraryGetModule(&made, library));
  SAY(cuModuleGetFunction(&function, made, "count"));
  SAY(cuLibraryGetGlobal(&at, &size, library, "counter"));
  std::printf("%zu bytes, holds %d\n", size, first(at));
  SAY(cuLibraryGetGlobal(&at, &size, library, "nothing"));
  SAY(cuLibraryGetManaged(&at, &size, library, "counter"));
  SAY(cuKernelGetFunction(&function, kernel));
  const char* called = nullptr;
  SAY(cuKernelGetName(&called, kernel));
  std::puts(called);
  CUlibrary of = nullptr;
  SAY(cuKernelGetLibrary(&of, kernel));
  YES(of == library);
  SAY(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device));
  std::printf("%d\n", value);
  SAY(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000, kernel, device));
  SAY(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, device));
  std::printf("%d\n", value);
  SAY(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, device));
  size_t offset = 0;
  SAY(cuKernelGetParamInfo(kernel, 1, &offset, &size));
  std::printf("%zu %zu\n", offset, size);
  SAY(cuKernelGetParamInfo(kernel, 2, &offset, &size));
  CUdeviceptr memory = 0;
  cuMemAlloc(&memory, 1024);
  cuMemsetD32(memory, 1, 256);
  value = 4;
  void* arguments[] = {&memory, &value};
  SAY(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(function, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  std::printf("%d\n", first(memory));
  SAY(cuLibraryUnload(library));
  SAY(cuLibraryUnload(nullptr));
  SAY(cuMemFree(memory));
}

static void links() {
  begin();
  CUlinkState link = nullptr;
  void* image = nullptr;
  size_t size = 0;
  CUmodule made = nullptr;
  CUfunction calls = nullptr;
  char error[4096] = {}, information[4096] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {error, reinterpret_cast<void*>(sizeof error), information,
                    reinterpret_cast<void*>(sizeof information)};
  SAY(cuLinkCreate(4, options, values, &link));
  SAY(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kCaller), sizeof kCaller, "caller", 0, nullptr, nullptr));
  SAY(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kCallee), sizeof kCallee, "callee", 0, nullptr, nullptr));
  SAY(cuLinkComplete(link, &image, &size));
  YES(image != nullptr && size != 0);
  std::string copy(static_cast<const char*>(image), size);
  SAY(cuLinkDestroy(link));
  SAY(cuModuleLoadData(&made, copy.data()));
  SAY(cuModuleGetFunction(&calls, made, "calls"));
  CUdeviceptr at = 0;
  cuMemAlloc(&at, 4);
  void* arguments[] = {&at};
  SAY(cuLaunchKernel(calls, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  std::printf("%d\n", first(at));
  SAY(cuModuleUnload(made));
  // One text missing.
  values[1] = values[3] = reinterpret_cast<void*>(sizeof error);
  SAY(cuLinkCreate(4, options, values, &link));
  SAY(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kCaller), sizeof kCaller, "caller", 0, nullptr, nullptr));
  std::printf("without callee: %s\n", cuLinkComplete(link, &image, &size) == CUDA_SUCCESS ? "linked" : "not linked");
  YES(std::strstr(error, "twice") != nullptr);
  SAY(cuLinkDestroy(link));
  // One that is no PTX.
  values[1] = values[3] = reinterpret_cast<void*>(sizeof error);
  SAY(cuLinkCreate(4, options, values, &link));
  SAY(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kBad), sizeof kBad, "bad", 0, nullptr, nullptr));
  YES(std::strchr(error, '6') != nullptr);
  SAY(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 0, "bad", 0, nullptr, nullptr));
  SAY(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nowhere/at/all.ptx", 0, nullptr, nullptr));
  SAY(cuLinkDestroy(link));
  SAY(cuLinkCreate(0, nullptr, nullptr, nullptr));
  SAY(cuMemFree(at));
}

static void mapped_memory() {
  begin();
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t least = 0, best = 0;
  SAY(cuMemGetAllocationGranularity(&least, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  SAY(cuMemGetAllocationGranularity(&best, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  std::printf("%zu %zu\n", least, best);
  CUdeviceptr range = 0;
  SAY(cuMemAddressReserve(&range, 4 * least, 0, 0, 0));
  SAY(cuMemAddressReserve(&range, 1000, 0, 0, 0));
  SAY(cuMemAddressReserve(&range, 0, 0, 0, 0));
  SAY(cuMemAddressReserve(&range, 4 * least, 0, 0, 0));
  CUmemGenericAllocationHandle one = 0, two = 0;
  SAY(cuMemCreate(&one, least, &properties, 0));
  SAY(cuMemCreate(&two, 2 * least, &properties, 0));
  SAY(cuMemCreate(&two, 1000, &properties, 0));
  SAY(cuMemMap(range, least, 0, one, 0));
  SAY(cuMemMap(range, least, 0, one, 0));
  SAY(cuMemMap(range + least, 2 * least, 0, two, 0));
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SAY(cuMemsetD32(range, 1, 16));
  SAY(cuMemSetAccess(range, 3 * least, &access, 1));
  SAY(cuMemsetD32(range, 1, 3 * least / 4));
  int value = 4;
  CUdeviceptr border = range + least - 512;
  void* arguments[] = {&border, &value};
  SAY(cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  std::printf("%d %d %d\n", first(range), first(range + least - 4), first(range + least));
  unsigned long long flags = 0;
  SAY(cuMemGetAccess(&flags, &access.location, range));
  std::printf("%llu\n", flags);
  SAY(cuMemRelease(one));
  std::printf("%d\n", first(range));
  SAY(cuMemUnmap(range, 3 * least));
  SAY(cuMemRelease(two));
  SAY(cuMemAddressFree(range, 4 * least));
}

static void addresses() {
  begin();
  void* function = nullptr;
  CUdriverProcAddressQueryResult status;
  const auto ask = [&](const char* symbol, int version, unsigned long long flags) {
    function = reinterpret_cast<void*>(1);
    status = static_cast<CUdriverProcAddressQueryResult>(9);
    const CUresult error = cuGetProcAddress(symbol, &function, version, flags, &status);
    std::printf("%s %d %llu: %s, %s, status %d\n", symbol, version, flags, name(error),
                function == nullptr ? "null" : "an address", status);
    return function;
  };
  YES(ask("cuMemAlloc", 13000, 0) == reinterpret_cast<void*>(&cuMemAlloc_v2));
  YES(ask("cuMemAlloc", 12000, 0) == reinterpret_cast<void*>(&cuMemAlloc_v2));
  ask("cuMemAlloc", 2000, 0);
  ask("cuMemAlloc", 1000, 0);
  ask("cuMemAlloc_v2", 13000, 0);
  ask("cuLibraryLoadData", 11000, 0);
  ask("cuLibraryLoadData", 12000, 0);
  ask("cuNothing", 13000, 0);
  ask("", 13000, 0);
  ask("cuInit", 99000, 0);
  ask("cuInit", 13000, 77);
  ask("cuGetProcAddress", 12000, 0);
  ask("cuStreamQuery", 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
  ask("cuStreamQuery", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  ask("cuCtxCreate", 11000, 0);
  ask("cuCtxCreate", 12000, 0);
  ask("cuCtxCreate", 13000, 0);
  ask("cuGraphInstantiate", 11000, 0);
  ask("cuGraphInstantiate", 12000, 0);
  SAY(cuGetProcAddress("cuNothing", &function, 13000, 0, nullptr));
  // By the address.
  using Free = CUresult (*)(CUdeviceptr);
  using Allocate = CUresult (*)(CUdeviceptr*, size_t);
  CUdeviceptr at = 0;
  const auto allocate = reinterpret_cast<Allocate>(ask("cuMemAlloc", 13000, 0));
  const auto release = reinterpret_cast<Free>(ask("cuMemFree", 13000, 0));
  SAY(allocate(&at, 64));
  SAY(release(at));
}

static void faults() {
  begin();
  CUdeviceptr at = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUfunction function = nullptr;
  int value = 1;
  SAY(cuMemAlloc(&at, 64));
  CUdeviceptr nowhere = 16;
  void* arguments[] = {&nowhere, &value};
  SAY(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuCtxSynchronize());
  SAY(cuCtxSynchronize());
  SAY(cuMemAlloc(&at, 64));
  SAY(cuMemFree(at));
  SAY(cuMemcpyDtoH(&value, at, 4));
  SAY(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuStreamCreate(&stream, 0));
  SAY(cuStreamQuery(nullptr));
  SAY(cuModuleGetFunction(&function, module_, "add"));
  SAY(cuModuleLoadData(&module_, kAdd));
  SAY(cuCtxGetCurrent(&context));
  SAY(cuCtxGetDevice(&device));
  SAY(cuDeviceGetCount(&value));
  SAY(cuDevicePrimaryCtxReset(device));
}

static void misaligned() {
  begin();
  CUdeviceptr at = 0;
  int value = 1;
  SAY(cuMemAlloc(&at, 64));
  ++at;
  void* arguments[] = {&at, &value};
  SAY(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuStreamSynchronize(nullptr));
  SAY(cuCtxSynchronize());
}

#define RUN(call) std::printf("%s = %s\n", #call, cudaGetErrorName(call))
__device__ int variable = 3;
__global__ void twice(int* to) { to[threadIdx.x] *= 2, variable = 4; }

// One process, both interfaces.
static void beside_the_runtime() {
  int *memory = nullptr, host[4] = {};
  CUcontext current = nullptr;
  CUdeviceptr at = 0;
  RUN(cudaMalloc(&memory, 16));
  SAY(cuCtxGetCurrent(&current));
  YES(current != nullptr);
  unsigned flags = 0;
  int active = 0;
  SAY(cuDevicePrimaryCtxGetState(0, &flags, &active));
  std::printf("active %d\n", active);
  SAY(cuDevicePrimaryCtxRetain(&primary, 0));
  YES(primary == current);
  SAY(cuMemsetD32(reinterpret_cast<CUdeviceptr>(memory), 21, 4));
  twice<<<1, 4>>>(memory);
  SAY(cuMemcpyDtoH(host, reinterpret_cast<CUdeviceptr>(memory), 16));
  std::printf("%d %d\n", host[0], host[3]);
  SAY(cuMemAlloc(&at, 16));
  RUN(cudaMemcpy(reinterpret_cast<void*>(at), host, 16, cudaMemcpyHostToDevice));
  RUN(cudaFree(reinterpret_cast<void*>(at)));
  SAY(cuMemFree(reinterpret_cast<CUdeviceptr>(memory)));
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  RUN(cudaStreamCreate(&stream));
  SAY(cuEventCreate(&event, 0));
  SAY(cuEventRecord(event, stream));
  RUN(cudaEventSynchronize(event));
  RUN(cudaEventDestroy(event));
  SAY(cuStreamSynchronize(stream));
  SAY(cuStreamDestroy(stream));
  // Kernels and variables of the one for the other.
  SAY(cuModuleLoadData(&module_, kAdd));
  SAY(cuModuleGetFunction(&add, module_, "add"));
  RUN(cudaMalloc(&memory, 16));
  RUN(cudaMemset(memory, 0, 16));
  int value = 5;
  void* arguments[] = {&memory, &value};
  SAY(cuLaunchKernel(add, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  cudaFunction_t function = nullptr;
  RUN(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(twice)));
  SAY(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  RUN(cudaMemcpy(host, memory, 16, cudaMemcpyDeviceToHost));
  std::printf("%d %d\n", host[0], host[3]);
  RUN(cudaMemcpyFromSymbol(host, variable, 4));
  std::printf("%d\n", host[0]);
  // What one reports, the other's last error does not have.
  SAY(cuMemAlloc(nullptr, 4));
  RUN(cudaGetLastError());
  // The runtime hands out the driver's functions.
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult result;
  RUN(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 13000, cudaEnableDefault, &result));
  YES(entry == reinterpret_cast<void*>(&cuMemAlloc_v2));
  std::printf("%d\n", result);
  RUN(cudaGetDriverEntryPointByVersion("cuNothing", &entry, 13000, cudaEnableDefault, &result));
  std::printf("%d\n", result);
  RUN(cudaFree(memory));
  RUN(cudaDeviceSynchronize());
  SAY(cuCtxSynchronize());
  RUN(cudaDeviceReset());
}

int main(int argc, char** argv) {
  static const Part kParts[] = {{"libraries", libraries},
                                {"links", links},
                                {"mapped_memory", mapped_memory},
                                {"addresses", addresses},
                                {"faults", faults},
                                {"misaligned", misaligned},
                                {"beside_the_runtime", beside_the_runtime}};
  return run_parts(kParts, argc, argv);
}
