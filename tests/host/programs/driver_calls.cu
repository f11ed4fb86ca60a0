// What each call of the driver answers, right and wrong: prints a line a call. The same on a GPU and under warpsim.

// nvcc: -x c++ -cudart none -lcuda
#include "driver_calls.h"

// Not in the header of CUDA 13, but in its library.
extern "C" CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);

static void errors() {
  for (int k = 0; k < 1000; ++k) {
    const char *named = nullptr, *text = nullptr;
    if (cuGetErrorName(static_cast<CUresult>(k), &named) != CUDA_SUCCESS) continue;
    cuGetErrorString(static_cast<CUresult>(k), &text);
    std::printf("%d %s: %s\n", k, named, text);
  }
  const char* text = "untouched";
  std::printf("%d\n", cuGetErrorName(static_cast<CUresult>(12345), &text));
  std::printf("%s\n", text == nullptr ? "null" : text);
  text = "untouched";
  std::printf("%d\n", cuGetErrorString(static_cast<CUresult>(12345), &text));
  std::printf("%s\n", text == nullptr ? "null" : text);
}

static void before_init() {
  int value = 0;
  CUdeviceptr at = 0;
  CUcontext context = nullptr;
  CUmodule made = nullptr;
  void* function = nullptr;
  SAY(cuDriverGetVersion(&value));
  YES(value >= 13000);
  SAY(cuDriverGetVersion(nullptr));
  SAY(cuDeviceGetCount(&value));
  SAY(cuDeviceGet(&value, 0));
  SAY(cuCtxGetCurrent(&context));
  SAY(cuMemAlloc(&at, 16));
  SAY(cuModuleLoadData(&made, kAdd));
  SAY(cuCtxSynchronize());
  SAY(cuDevicePrimaryCtxRetain(&context, 0));
  SAY(cuMemFree(0));
  SAY(cuStreamQuery(nullptr));
  SAY(cuGetProcAddress("cuInit", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  YES(function != nullptr);
  SAY(cuInit(1));
  SAY(cuDeviceGetCount(&value));
  SAY(cuInit(0));
  SAY(cuInit(0));
  SAY(cuDeviceGetCount(&value));
}

static void devices() {
  SAY(cuInit(0));
  int value = -1;
  size_t size = 0;
  char text[256];
  CUuuid uuid;
  SAY(cuDeviceGetCount(nullptr));
  SAY(cuDeviceGetCount(&value));
  YES(value == 1);
  SAY(cuDeviceGet(&device, 0));
  std::printf("%d\n", device);
  SAY(cuDeviceGet(nullptr, 0));
  SAY(cuDeviceGet(&value, 99));
  SAY(cuDeviceGet(&value, -1));
  SAY(cuDeviceGetName(text, 256, device));
  SAY(cuDeviceGetName(nullptr, 256, device));
  SAY(cuDeviceGetName(text, 256, 99));
  SAY(cuDeviceTotalMem(&size, device));
  YES(size > size_t{1} << 30);
  SAY(cuDeviceTotalMem(nullptr, device));
  SAY(cuDeviceGetUuid(&uuid, device));
  SAY(cuDeviceGetUuid(nullptr, device));
  int major = 0, minor = 0;
  SAY(cuDeviceComputeCapability(&major, &minor, device));
  std::printf("%d.%d\n", major, minor);
  for (int k : {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 14, 15, 16, 17,  18,  19,  20,  30,  31,  39,  41, 51,
                75, 76, 78, 79, 80, 81, 82, 83, 84, 89, 90, 91, 95, 97, 99, 102, 106, 111, 115, 119, 120, 121, 126}) {
    const CUresult error = cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(k), device);
    std::printf("attribute %d: %s %d\n", k, name(error), value);
  }
  SAY(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), device));
  SAY(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), device));
  SAY(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  SAY(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
  SAY(cuDeviceGetPCIBusId(text, 32, device));
  SAY(cuDeviceGetByPCIBusId(&value, text));
  std::printf("%d\n", value);
  SAY(cuDeviceGetPCIBusId(text, 4, device));
  SAY(cuDeviceGetPCIBusId(nullptr, 32, device));
  SAY(cuDeviceGetByPCIBusId(&value, "nothing"));
  SAY(cuDeviceGetByPCIBusId(&value, nullptr));
  SAY(cuDeviceCanAccessPeer(&value, device, device));
  SAY(cuDeviceCanAccessPeer(&value, device, 7));
  CUdevprop properties;
  SAY(cuDeviceGetProperties(&properties, device));
  std::printf("%d %d %d %d\n", properties.maxThreadsPerBlock, properties.SIMDWidth, properties.sharedMemPerBlock,
              properties.regsPerBlock);
  CUmemoryPool pool = nullptr, current = nullptr;
  SAY(cuDeviceGetDefaultMemPool(&pool, device));
  SAY(cuDeviceGetMemPool(&current, device));
  YES(pool == current && pool != nullptr);
  SAY(cuDeviceGetDefaultMemPool(&pool, 99));
  SAY(cuDeviceSetMemPool(device, pool));
}

static void contexts() {
  SAY(cuInit(0));
  cuDeviceGet(&device, 0);
  unsigned flags = 99, version = 0;
  int active = 99;
  CUcontext context = reinterpret_cast<CUcontext>(1), other = nullptr, old = nullptr;
  CUdevice of = 99;
  CUdeviceptr at = 0;
  SAY(cuCtxGetCurrent(&context));
  YES(context == nullptr);
  SAY(cuCtxGetCurrent(nullptr));
  SAY(cuCtxSynchronize());
  SAY(cuCtxGetDevice(&of));
  SAY(cuMemAlloc(&at, 16));
  SAY(cuModuleLoadData(&module_, kAdd));
  SAY(cuCtxPopCurrent(&context));
  SAY(cuDevicePrimaryCtxGetState(device, &flags, &active));
  std::printf("flags %u, active %d\n", flags, active);
  SAY(cuDevicePrimaryCtxRelease(device));
  SAY(cuDevicePrimaryCtxSetFlags(device, CU_CTX_SCHED_BLOCKING_SYNC));
  SAY(cuDevicePrimaryCtxSetFlags(device, 0x1000));
  SAY(cuDevicePrimaryCtxSetFlags(99, 0));
  SAY(cuDevicePrimaryCtxRetain(&primary, 99));
  SAY(cuDevicePrimaryCtxRetain(nullptr, device));
  SAY(cuDevicePrimaryCtxRetain(&primary, device));
  SAY(cuDevicePrimaryCtxGetState(device, &flags, &active));
  std::printf("flags %u, active %d\n", flags, active);
  SAY(cuCtxGetCurrent(&context));
  YES(context == nullptr);
  SAY(cuCtxSetCurrent(primary));
  SAY(cuCtxGetCurrent(&context));
  YES(context == primary);
  SAY(cuCtxGetDevice(&of));
  std::printf("device %d\n", of);
  SAY(cuCtxGetDevice(nullptr));
  SAY(cuCtxGetFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
  SAY(cuCtxGetFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cuCtxSetFlags(0x1000));
  SAY(cuCtxGetApiVersion(primary, &version));
  std::printf("version %u\n", version);
  SAY(cuCtxGetApiVersion(nullptr, &version));
  unsigned long long id = 0, second = 0;
  SAY(cuCtxGetId(primary, &id));
  SAY(cuCtxGetId(nullptr, &second));
  YES(id == second);
  size_t limit = 0;
  for (int k = 0; k < 8; ++k) {
    const CUresult error = cuCtxGetLimit(&limit, static_cast<CUlimit>(k));
    std::printf("limit %d: %s", k, name(error));
    if (error == CUDA_SUCCESS && k < 2) std::printf(" %zu", limit);
    std::puts("");
  }
  SAY(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  SAY(cuCtxGetLimit(&limit, static_cast<CUlimit>(77)));
  SAY(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
  SAY(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  std::printf("%zu\n", limit);
  SAY(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
  SAY(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
  std::printf("%zu\n", limit);
  CUfunc_cache cache;
  SAY(cuCtxGetCacheConfig(&cache));
  std::printf("%d\n", cache);
  SAY(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
  SAY(cuCtxGetCacheConfig(&cache));
  std::printf("%d\n", cache);
  SAY(cuCtxSetCacheConfig(static_cast<CUfunc_cache>(9)));
  CUsharedconfig config;
  SAY(cuCtxGetSharedMemConfig(&config));
  std::printf("%d\n", config);
  SAY(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  int least = 9, greatest = 9;
  SAY(cuCtxGetStreamPriorityRange(&least, &greatest));
  std::printf("%d %d\n", least, greatest);
  SAY(cuCtxGetStreamPriorityRange(nullptr, nullptr));
  SAY(cuCtxResetPersistingL2Cache());
  SAY(cuCtxSynchronize());
  // Others, on the stack of this thread.
  SAY(cuCtxCreate(&other, nullptr, 0, device));
  SAY(cuCtxGetCurrent(&context));
  YES(context == other && other != primary);
  SAY(cuCtxGetApiVersion(other, &version));
  std::printf("version %u\n", version);
  SAY(cuCtxGetFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cuCtxPopCurrent(&old));
  YES(old == other);
  SAY(cuCtxGetCurrent(&context));
  YES(context == primary);
  SAY(cuCtxPushCurrent(other));
  SAY(cuCtxGetCurrent(&context));
  YES(context == other);
  SAY(cuMemAlloc(&at, 1024));
  SAY(cuMemsetD8(at, 1, 1024));
  SAY(cuMemFree(at));
  SAY(cuCtxDestroy(other));
  SAY(cuCtxGetCurrent(&context));
  YES(context == primary);
  SAY(cuCtxPopCurrent(nullptr));
  SAY(cuCtxGetCurrent(&context));
  YES(context == nullptr);
  SAY(cuCtxPopCurrent(&old));
  SAY(cuCtxPushCurrent(nullptr));
  SAY(cuCtxDestroy(nullptr));
  SAY(cuCtxSetCurrent(nullptr));
  SAY(cuCtxCreate(&other, nullptr, 0x1000, device));
  SAY(cuCtxCreate(&other, nullptr, 0, 99));
  SAY(cuCtxCreate(nullptr, nullptr, 0, device));
  SAY(cuCtxCreate_v2(&other, CU_CTX_SCHED_YIELD, device));
  SAY(cuCtxGetApiVersion(other, &version));
  std::printf("version %u\n", version);
  SAY(cuCtxGetFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cuCtxDestroy(other));
  SAY(cuCtxGetCurrent(&context));
  YES(context == nullptr);
  SAY(cuDevicePrimaryCtxRelease(device));
  SAY(cuDevicePrimaryCtxRetain(&primary, device));
  SAY(cuCtxSetCurrent(primary));
  SAY(cuCtxGetFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cuDevicePrimaryCtxRelease(device));
  SAY(cuMemAlloc(&at, 16));
  SAY(cuCtxGetDevice(&of));
  SAY(cuCtxSetCurrent(nullptr));
  SAY(cuDevicePrimaryCtxGetState(device, &flags, &active));
  std::printf("flags %u, active %d\n", flags, active);
  SAY(cuDevicePrimaryCtxRelease(device));
  SAY(cuDevicePrimaryCtxReset(device));
}

static void write(const char* path, const void* bytes, size_t size) {
  std::FILE* const file = std::fopen(path, "wb");
  std::fwrite(bytes, 1, size, file);
  std::fclose(file);
}

static void modules() {
  begin();
  CUmodule made = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr at = 0;
  size_t size = 0;
  unsigned count = 0;
  SAY(cuModuleLoadData(&made, kAdd));
  SAY(cuModuleLoadData(nullptr, kAdd));
  SAY(cuModuleLoadData(&made, nullptr));
  SAY(cuModuleLoadData(&made, kBad));
  SAY(cuModuleLoadData(&made, kLater));
  SAY(cuModuleLoadData(&made, "nothing of PTX"));
  SAY(cuModuleLoadData(&made, ""));
  SAY(cuModuleLoad(&made, "/nowhere/at/all.ptx"));
  SAY(cuModuleLoad(&made, nullptr));
  const std::string path = "/tmp/driver_calls." + std::to_string(::getpid()) + ".ptx";
  write(path.c_str(), kAdd, std::strlen(kAdd));
  std::printf("of a file: %s\n", name(cuModuleLoad(&made, path.c_str())));
  ::unlink(path.c_str());
  SAY(cuModuleGetFunction(&function, made, "add"));
  YES(function != nullptr && function != add);
  SAY(cuModuleGetFunction(&function, made, "nothing"));
  SAY(cuModuleGetFunction(&function, made, ""));
  SAY(cuModuleGetFunction(&function, made, nullptr));
  SAY(cuModuleGetFunction(nullptr, made, "add"));
  SAY(cuModuleGetFunction(&function, nullptr, "add"));
  SAY(cuModuleGetGlobal(&at, &size, made, "counter"));
  std::printf("%zu bytes, holds %d\n", size, first(at));
  SAY(cuModuleGetGlobal(&at, &size, made, "table"));
  std::printf("%zu bytes, holds %d\n", size, first(at));
  SAY(cuModuleGetGlobal(nullptr, &size, made, "factors"));
  std::printf("%zu bytes\n", size);
  SAY(cuModuleGetGlobal(&at, nullptr, made, "factors"));
  SAY(cuModuleGetGlobal(nullptr, nullptr, made, "factors"));
  SAY(cuModuleGetGlobal(&at, &size, made, "add"));
  SAY(cuModuleGetGlobal(&at, &size, made, "nothing"));
  SAY(cuModuleGetFunctionCount(&count, made));
  std::printf("%u\n", count);
  CUfunction functions[8] = {};
  SAY(cuModuleEnumerateFunctions(functions, 8, made));
  YES(functions[3] != nullptr && functions[4] == nullptr);
  SAY(cuModuleEnumerateFunctions(functions, 0, made));
  SAY(cuModuleUnload(made));
  SAY(cuModuleUnload(nullptr));
  CUmoduleLoadingMode mode;
  SAY(cuModuleGetLoadingMode(&mode));
  // With options.
  char information[2048] = {}, error[2048] = {};
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
  void* values[] = {information, reinterpret_cast<void*>(sizeof information), error,
                    reinterpret_cast<void*>(sizeof error), reinterpret_cast<void*>(32)};
  SAY(cuModuleLoadDataEx(&made, kBad, 5, options, values));
  YES(std::strchr(error, '6') != nullptr);
  YES(reinterpret_cast<size_t>(values[3]) == std::strlen(error) + 1 ||
      reinterpret_cast<size_t>(values[3]) == std::strlen(error));
  values[1] = values[3] = reinterpret_cast<void*>(sizeof error);
  error[0] = '\0';
  SAY(cuModuleLoadDataEx(&made, kAdd, 5, options, values));
  YES(error[0] == '\0');
  SAY(cuModuleUnload(made));
  SAY(cuModuleLoadDataEx(&made, kAdd, 0, nullptr, nullptr));
  SAY(cuModuleUnload(made));
  SAY(cuModuleLoadDataEx(&made, kAdd, 1, nullptr, nullptr));
  SAY(cuModuleLoadFatBinary(&made, kAdd));
}

static void functions() {
  begin();
  int value = 0;
  for (const char* of : {"add", "sharing", "mixed"}) {
    CUfunction function = nullptr;
    cuModuleGetFunction(&function, module_, of);
    for (int k : {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
      const CUresult error = cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(k), function);
      std::printf("%s %d: %s %d\n", of, k, name(error), value);
    }
    const char* called = nullptr;
    SAY(cuFuncGetName(&called, function));
    std::puts(called);
    for (size_t k = 0; k < 5; ++k) {
      size_t offset = 0, size = 0;
      const CUresult error = cuFuncGetParamInfo(function, k, &offset, &size);
      std::printf("parameter %zu: %s %zu %zu\n", k, name(error), offset, size);
    }
  }
  SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, add));
  SAY(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(99), add));
  SAY(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, add));
  SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
  SAY(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, add));
  std::printf("%d\n", value);
  SAY(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000000));
  SAY(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
  SAY(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
  SAY(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
  SAY(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
  SAY(cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0));
  SAY(cuFuncSetCacheConfig(add, CU_FUNC_CACHE_PREFER_L1));
  SAY(cuFuncSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_L1));
  SAY(cuFuncSetSharedMemConfig(add, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
  CUmodule of = nullptr;
  SAY(cuFuncGetModule(&of, add));
  YES(of == module_);
  CUfunctionLoadingState state;
  SAY(cuFuncLoad(add));
  SAY(cuFuncIsLoaded(&state, add));
  std::printf("%d\n", state);
  const char* called = nullptr;
  SAY(cuFuncGetName(nullptr, add));
  SAY(cuFuncGetName(&called, nullptr));
  size_t offset = 0;
  SAY(cuFuncGetParamInfo(add, 0, &offset, nullptr));
  SAY(cuFuncGetParamInfo(add, 0, nullptr, nullptr));
  // Occupancy.
  CUfunction mixed = nullptr;
  cuModuleGetFunction(&mixed, module_, "mixed");
  int blocks = 0, threads = 0;
  size_t bytes = 0;
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mixed, 256, 0));
  std::printf("%d\n", blocks);
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mixed, 1024, 0));
  std::printf("%d\n", blocks);
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mixed, 128, 40000));
  std::printf("%d\n", blocks);
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mixed, 0, 0));
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mixed, 2000, 0));
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, mixed, 128, 0));
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 128, 0));
  SAY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, mixed, 256, 0, 0));
  SAY(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, mixed, nullptr, 0, 0));
  std::printf("%d %d\n", blocks, threads);
  SAY(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, mixed, nullptr, 0, 128));
  std::printf("%d %d\n", blocks, threads);
  SAY(cuOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &threads, mixed, nullptr, 1024, 0, 0));
  std::printf("%d %d\n", blocks, threads);
  SAY(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, mixed, 2, 256));
  std::printf("%zu\n", bytes);
}

static void hosted(void* argument) { ++*static_cast<int*>(argument); }

static void launches() {
  begin();
  CUdeviceptr at = 0;
  SAY(cuMemAlloc(&at, 1024 * 4));
  SAY(cuMemsetD32(at, 1, 1024));
  int value = 5;
  void* arguments[] = {&at, &value};
  SAY(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuCtxSynchronize());
  std::printf("%d %d\n", first(at), first(at + 4092));
  struct {
    CUdeviceptr to;
    int value;
  } packed = {at, 7};
  size_t size = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  SAY(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  SAY(cuCtxSynchronize());
  std::printf("%d %d\n", first(at), first(at + 4092));
  SAY(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, extra));
  size = sizeof packed;
  SAY(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  size = 12;
  std::printf("%d\n", first(at));
  CUfunction mixed = nullptr;
  cuModuleGetFunction(&mixed, module_, "mixed");
  unsigned char a = 3;
  unsigned short b = 500;
  int c[6] = {0, 0, 0, 0, 70000, 0};
  void* parts[] = {&a, &at, &b, c};
  SAY(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, parts, nullptr));
  std::printf("%d\n", first(at));
  SAY(cuLaunchKernel(add, 0, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 1, 1, 0, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 1, 1, 1025, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 1, 1, 32, 32, 2, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 70000, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 1, 1, 1, 1, 65, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 100000, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SAY(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  SAY(cuCtxSynchronize());
  // More ways.
  CUlaunchConfig config = {};
  config.gridDimX = 4, config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 256, config.blockDimY = config.blockDimZ = 1;
  SAY(cuMemsetD32(at, 1, 1024));
  SAY(cuLaunchKernelEx(&config, add, arguments, nullptr));
  std::printf("%d\n", first(at));
  SAY(cuLaunchKernelEx(&config, add, nullptr, extra));
  SAY(cuLaunchKernelEx(nullptr, add, arguments, nullptr));
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[0].value.cooperative = 1;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  attributes[1].value.priority = 0;
  config.attrs = attributes;
  config.numAttrs = 2;
  SAY(cuLaunchKernelEx(&config, add, arguments, nullptr));
  std::printf("%d\n", first(at));
  SAY(cuLaunchCooperativeKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments));
  std::printf("%d\n", first(at));
  SAY(cuLaunchCooperativeKernel(add, 100000, 1, 1, 256, 1, 1, 0, nullptr, arguments));
  int calls = 0;
  SAY(cuLaunchHostFunc(nullptr, hosted, &calls));
  SAY(cuCtxSynchronize());
  std::printf("%d\n", calls);
  SAY(cuLaunchHostFunc(nullptr, nullptr, &calls));
  CUfunction counts = nullptr;
  cuModuleGetFunction(&counts, module_, "count");
  SAY(cuLaunchKernel(counts, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  CUdeviceptr counter = 0;
  cuModuleGetGlobal(&counter, nullptr, module_, "counter");
  std::printf("%d\n", first(counter));
  SAY(cuMemFree(at));
}

int main(int argc, char** argv) {
  static const Part kParts[] = {{"errors", errors},     {"before_init", before_init}, {"devices", devices},
                                {"contexts", contexts}, {"modules", modules},         {"functions", functions},
                                {"launches", launches}};
  return run_parts(kParts, argc, argv);
}
