#include "tools/cuda/row_driver.h"

#include <array>

namespace warpsim::rows {

std::optional<Driver> Driver::open(std::string& why) {
  Driver driver;
  driver.library_ = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver.library_ == nullptr) {
    why = "libcuda.so.1 cannot be opened: this needs a GPU and its driver";
    return std::nullopt;
  }
  int device = 0, version = 0;
  std::array<char, 200> name{};
  const auto works = [&](const char* function, int code) {
    if (code != 0) why = std::string(function) + " gives " + std::to_string(code);
    return code == 0;
  };
  const bool open =
      works("cuInit", driver.call("cuInit", 0U)) && works("cuDeviceGet", driver.call("cuDeviceGet", &device, 0)) &&
      works("cuDevicePrimaryCtxRetain", driver.call("cuDevicePrimaryCtxRetain", &driver.context_, device)) &&
      works("cuCtxSetCurrent", driver.call("cuCtxSetCurrent", driver.context_)) &&
      works("cuDeviceGetName", driver.call("cuDeviceGetName", name.data(), static_cast<int>(name.size()), device)) &&
      works("cuDriverGetVersion", driver.call("cuDriverGetVersion", &version));
  if (!open) return std::nullopt;
  driver.description_ =
      std::string(name.data()) + ", CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  return driver;
}

}  // namespace warpsim::rows
