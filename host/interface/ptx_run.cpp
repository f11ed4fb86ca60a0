// ptx_run(): a kernel on the host's own memory, with gpuocelot's meaning.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "host/device/device.h"
#include "host/device/host_ranges.h"
#include "host/interface/warpsim.h"

namespace {

using warpsim::host::Device;
using warpsim::host::Failure;
using warpsim::host::HostRange;
using warpsim::host::KernelModule;
using warpsim::host::Status;

constexpr std::size_t kMostKept = 64;

// A text that was run: callers come again and again with the same one.
struct Kept {
  std::string text;
  Device device;
  KernelModule* module = nullptr;
  std::vector<std::uint64_t> mapped;
};

struct Texts {
  std::mutex mutex;
  std::list<Kept> kept;  // the one that was run last first
};
Texts& texts() {
  static Texts all;
  return all;
}

// All memory that the process has now: the kernel may come to any of it, and to nothing else.
void map_host(Kept& kept) {
  warpsim::DeviceMemory& memory = kept.device.memory();
  for (const std::uint64_t address : kept.mapped) static_cast<void>(memory.free(address));
  kept.mapped.clear();
  for (const HostRange& one : warpsim::host::host_ranges()) {
    std::byte* const bytes = reinterpret_cast<std::byte*>(one.begin);
    if (!memory.map({bytes, one.end - one.begin}, one.name.empty() ? "memory of the host" : one.name)) continue;
    static_cast<void>(memory.set_read_only(one.begin, !one.writable));
    kept.mapped.push_back(one.begin);
  }
}

Failure load(Texts& all, const std::string& text) {
  const auto found = std::find_if(all.kept.begin(), all.kept.end(), [&](const Kept& one) { return one.text == text; });
  if (found != all.kept.end()) {
    all.kept.splice(all.kept.begin(), all.kept, found);
    return {};
  }
  Kept& kept = all.kept.emplace_front();
  kept.device.set_checks(false);
  kept.device.listeners().print = [](std::string_view printed) {
    std::fwrite(printed.data(), 1, printed.size(), stdout);
    std::fflush(stdout);
  };
  auto loaded = kept.device.load({{"ptx", text}});
  if (Failure* const failure = std::get_if<Failure>(&loaded)) {
    Failure why = std::move(*failure);
    all.kept.pop_front();
    return why;
  }
  kept.module = std::get<KernelModule*>(loaded);
  kept.text = text;
  if (all.kept.size() > kMostKept) all.kept.pop_back();
  return {};
}

Failure run(const std::string& text, const std::vector<std::uint64_t>& values,
            const warpsim::host::LaunchShape& shape) {
  Texts& all = texts();
  const std::lock_guard lock(all.mutex);
  if (Failure failure = load(all, text); failure.status != Status::Ok) return failure;
  Kept& kept = all.kept.front();
  if (kept.module->kernel_count() == 0) return {Status::NotFound, "the text has no kernel: no .entry with a body"};
  KernelModule::Kernel& kernel = kept.module->kernel(0);
  std::vector<const void*> params;
  for (const std::uint64_t& value : values) params.push_back(&value);
  for (std::size_t k = 0; k < std::min(params.size(), kernel.parameter_count()); ++k)
    if (kernel.parameter_bytes(k) > sizeof(std::uint64_t))
      return {Status::InvalidValue, "parameter " + std::to_string(k) + " of " + kernel.name() +
                                        " is a structure, and an argument here has 64 bits"};
  map_host(kept);
  return kept.device.launch(kernel, shape, params).value_or(Failure{});
}

}  // namespace

extern "C" int ptx_run(const char* ptx, int n, void* const* args, int lx, int ly, int lz, int gx, int gy, int gz,
                       int smem) {
  Failure failure;
  try {
    const auto dimension = [](int of) { return static_cast<std::uint32_t>(std::max(of, 0)); };
    const warpsim::host::LaunchShape shape{{dimension(gx), dimension(gy), dimension(gz)},
                                           {dimension(lx), dimension(ly), dimension(lz)},
                                           dimension(smem),
                                           false};
    std::vector<std::uint64_t> values;
    for (int k = 0; args != nullptr && k < n; ++k) values.push_back(reinterpret_cast<std::uintptr_t>(args[k]));
    failure = ptx == nullptr ? Failure{Status::InvalidValue, "the text is a null pointer"} : run(ptx, values, shape);
  } catch (const std::exception& error) {
    failure = {Status::OutOfMemory, error.what()};
  }
  if (failure.status == Status::Ok) return 0;
  std::fprintf(stderr, "warpsim: error: ptx_run: %s\n", failure.text.c_str());
  return static_cast<int>(failure.status);
}
