#include "tools/cuda/driver/driver.h"

#include <array>

namespace warpsim {
namespace {

constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;  // CUdevice_attribute

}  // namespace

std::unique_ptr<CudaDriver> CudaDriver::open(std::string& why) {
  std::unique_ptr<CudaDriver> driver(new CudaDriver);
  driver->library_ = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver->library_ == nullptr) {
    why = "no CUDA driver here: libcuda.so.1 is not found";
    return nullptr;
  }
  int count = 0;
  const int init = driver->call("cuInit", 0U);
  if (init != 0 || driver->call("cuDeviceGetCount", &count) != 0 || count == 0) {
    why = "no GPU here: " + (init != 0 ? driver->error_text("cuInit", init) : std::string("the driver finds none"));
    return nullptr;
  }
  return driver->make_context(why) ? std::move(driver) : nullptr;
}

CudaDriver::~CudaDriver() {
  if (context_ != nullptr) call("cuDevicePrimaryCtxRelease_v2", device_);
  if (library_ != nullptr) dlclose(library_);
}

bool CudaDriver::works(const char* function, int code, std::string& why) const {
  if (code != 0) why = error_text(function, code);
  return code == 0;
}

bool CudaDriver::make_context(std::string& why) {
  int version = 0, major = 0, minor = 0;
  std::array<char, 200> name{};
  const bool made =
      works("cuDeviceGet", call("cuDeviceGet", &device_, 0), why) &&
      works("cuDevicePrimaryCtxRetain", call("cuDevicePrimaryCtxRetain", &context_, device_), why) &&
      works("cuCtxSetCurrent", make_current(), why) &&
      works("cuDeviceGetName", call("cuDeviceGetName", name.data(), static_cast<int>(name.size()), device_), why) &&
      works("cuDriverGetVersion", call("cuDriverGetVersion", &version), why) &&
      works("cuDeviceGetAttribute", call("cuDeviceGetAttribute", &major, kCapabilityMajor, device_), why) &&
      works("cuDeviceGetAttribute", call("cuDeviceGetAttribute", &minor, kCapabilityMinor, device_), why);
  device_name_ = name.data();
  driver_version_ = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  target_ = static_cast<unsigned>(10 * major + minor);
  return made;
}

std::string CudaDriver::error_text(const char* function, int code) const {
  const char *name = nullptr, *text = nullptr;
  call("cuGetErrorName", code, &name);
  call("cuGetErrorString", code, &text);
  std::string out = std::string(function) + ": ";
  if (code == kMissing) return out + "this driver has no such function";
  out += (name != nullptr ? std::string(name) : "error") + " (" + std::to_string(code) + ")";
  return text != nullptr ? out + ", " + text : out;
}

}  // namespace warpsim
