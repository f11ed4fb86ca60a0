// A CUDA driver without a GPU, for tests of what is said when a call fails: libcuda.so.1 in a folder of its own.
//
// Shapes: memory is the host's; a launch does nothing. WARPSIM_FAKE_CUDA says what goes wrong, as name=number joined by
//         commas: a function's name and the error that it gives; devices, how many there are; capability, times ten;
//         outside, the offset of a byte of the GPU's memory that a kernel changes; hangs, that it never ends; argument
//         and stores, where a buffer's address lies in a kernel's parameters and the word of 64 bits that it leaves in
//         the buffer's first element.
// Units:  bytes.
// Errors: CUresult.
// Source: CUDA driver API 13.0, cuda.h.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int setting(const char* name, int otherwise) {
  const char* text = std::getenv("WARPSIM_FAKE_CUDA");
  const std::size_t length = std::strlen(name);
  for (; text != nullptr && *text != '\0'; text = std::strchr(text, ','), text += text != nullptr ? 1 : 0)
    if (std::strncmp(text, name, length) == 0 && text[length] == '=') return std::atoi(text + length + 1);
  return otherwise;
}

struct Error {
  int code;
  const char *name, *text;
};
constexpr Error kErrors[] = {
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
};
const Error* find(int code) {
  for (const Error& each : kErrors)
    if (each.code == code) return &each;
  return nullptr;
}

char* linker_log = nullptr;
std::string text_of_module;
std::size_t parameter_bytes = 0;  // of the kernel that was asked for last; 0: not known

// `.param .u32 n` and its kin, each at the next multiple of its size. A driver refuses an image of another size.
std::size_t bytes_of_parameters(const char* kernel) {
  const std::size_t begin = text_of_module.find(" " + std::string(kernel) + "(");
  const std::size_t end = begin == std::string::npos ? begin : text_of_module.find(')', begin);
  std::size_t bytes = 0;
  for (std::size_t at = begin; end != std::string::npos; at += 2) {
    at = text_of_module.find(".param .", at);
    if (at >= end) break;
    at = text_of_module.find_first_of("0123456789", at);
    const std::size_t size = static_cast<std::size_t>(std::atoi(text_of_module.c_str() + at)) / 8;
    if (size != 0) bytes = (bytes + size - 1) / size * size + size;
  }
  return bytes;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return setting("cuInit", 0); }
int cuDeviceGetCount(int* count) {
  *count = setting("devices", 1);
  return setting("cuDeviceGetCount", 0);
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return setting("cuDeviceGet", 0);
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = nullptr;
  return setting("cuDevicePrimaryCtxRetain", 0);
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void*) { return setting("cuCtxSetCurrent", 0); }
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "Pretended GPU", static_cast<std::size_t>(size));
  return setting("cuDeviceGetName", 0);
}
int cuDriverGetVersion(int* version) {
  *version = 13020;
  return setting("cuDriverGetVersion", 0);
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMajor = 75;
  const int capability = setting("capability", 90);
  *value = attribute == kMajor ? capability / 10 : capability % 10;
  return setting("cuDeviceGetAttribute", 0);
}
int cuGetErrorName(int code, const char** name) {
  const Error* found = find(code);
  *name = found != nullptr ? found->name : nullptr;
  return found != nullptr ? 0 : 1;
}
int cuGetErrorString(int code, const char** text) {
  const Error* found = find(code);
  *text = found != nullptr ? found->text : nullptr;
  return found != nullptr ? 0 : 1;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, const int* options, void** values) {
  constexpr int kErrorLog = 5;
  *module = nullptr;
  text_of_module =
      std::strncmp(static_cast<const char*>(image), ".version", 8) == 0 ? static_cast<const char*>(image) : "";
  const int code = setting("cuModuleLoadDataEx", 0);
  for (unsigned k = 0; k < count && code != 0; ++k)
    if (options[k] == kErrorLog)
      std::strcpy(static_cast<char*>(values[k]), "ptxas application ptx input, line 7; error");
  return code;
}
// What the linker makes is not machine code: it says so.
int cuLinkCreate_v2(unsigned count, const int* options, void** values, void** linker) {
  constexpr int kErrorLog = 5;
  linker_log = nullptr;
  for (unsigned k = 0; k < count; ++k)
    if (options[k] == kErrorLog) linker_log = static_cast<char*>(values[k]);
  *linker = nullptr;
  return setting("cuLinkCreate_v2", 0);
}
int cuLinkAddData_v2(void*, int, void*, std::size_t, const char*, unsigned, int*, void**) {
  const int code = setting("cuLinkAddData_v2", 0);
  if (code != 0 && linker_log != nullptr) std::strcpy(linker_log, "ptxas application ptx input, line 7; error");
  return code;
}
int cuLinkComplete(void*, void** cubin, std::size_t* size) {
  static char pretended[] = "pretended machine code";
  *cubin = pretended;
  *size = sizeof pretended;
  return setting("cuLinkComplete", 0);
}
int cuLinkDestroy(void*) { return 0; }
int cuModuleLoadData(void** module, const void*) {
  *module = nullptr;
  return setting("cuModuleLoadData", 0);
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = nullptr;
  parameter_bytes = bytes_of_parameters(name);
  return setting("cuModuleGetFunction", 0);
}
int cuFuncSetAttribute(void*, int, int) { return setting("cuFuncSetAttribute", 0); }
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
  return setting("cuMemAlloc_v2", 0);
}
int cuMemFree_v2(std::uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
// It only empties caches, which this memory has not.
int cuMemsetD8_v2(std::uint64_t, unsigned char, std::size_t) { return setting("cuMemsetD8_v2", 0); }
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return setting("cuMemcpyHtoD_v2", 0);
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  if (const int outside = setting("outside", -1); outside >= 0) static_cast<char*>(to)[outside] = 1;
  return setting("cuMemcpyDtoH_v2", 0);
}
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void** extra) {
  if (const int at = setting("argument", -1); at >= 0) {
    const std::uint64_t word = static_cast<std::uint64_t>(setting("stores", 0));
    void* address = nullptr;
    std::memcpy(&address, static_cast<const char*>(extra[1]) + at, sizeof address);
    std::memcpy(address, &word, sizeof word);
  }
  if (parameter_bytes != 0 && *static_cast<const std::size_t*>(extra[3]) != parameter_bytes) return 701;
  return setting("cuLaunchKernel", 0);
}
int cuCtxSynchronize() {
  while (setting("hangs", 0) != 0) pause();
  return setting("cuCtxSynchronize", 0);
}

}  // extern "C"
