// Opens the driver by name, asks it for a function's address, runs a kernel, asks for what only NVIDIA has, and leaves
// memory behind.

// nvcc: -x c++ -cudart none -ldl
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>

static const char kAdd[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry add(.param .u64 to, .param .u32 value) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, %r1;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

// NVIDIA's runtime inside a program is recognised by this text.
const char* volatile inside = "cudaErrorSoftwareValidityNotEstablished";

static void* driver;
template <class F>
F* function(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(driver, name));
}
#define DRIVER(name) function(decltype(&name){}, #name)

int main() {
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) return std::puts(dlerror()), 1;
  std::puts(dlsym(driver, "cuInit") != nullptr ? "cuInit is there" : "there is no cuInit");
  void* address = nullptr;
  DRIVER(cuGetProcAddress_v2)("cuMemAlloc", &address, 13000, 0, nullptr);
  std::puts(address == dlsym(driver, "cuMemAlloc_v2") ? "the same address by cuGetProcAddress" : "another address");
  CUcontext context;
  CUmodule module;
  CUfunction add;
  CUdeviceptr at = 0, left = 0;
  DRIVER(cuInit)(0);
  DRIVER(cuDevicePrimaryCtxRetain)(&context, 0);
  DRIVER(cuCtxSetCurrent)(context);
  DRIVER(cuModuleLoadData)(&module, kAdd);
  DRIVER(cuModuleGetFunction)(&add, module, "add");
  DRIVER(cuMemAlloc_v2)(&at, 4);
  int value = 1, more = 41;
  DRIVER(cuMemcpyHtoD_v2)(at, &value, 4);
  void* arguments[] = {&at, &more};
  DRIVER(cuLaunchKernel)(add, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  DRIVER(cuMemcpyDtoH_v2)(&value, at, 4);
  std::printf("1 + 41 = %d\n", value);
  DRIVER(cuMemFree_v2)(at);
  const void* table = nullptr;
  const CUuuid id = {};
  std::printf("a table: %d\n", DRIVER(cuGetExportTable)(&table, &id));
  DRIVER(cuMemAlloc_v2)(&left, 16);
  std::puts("never freed: 16 bytes");
}
