// The C interface: handles to host::Device, with a lock a device, and nothing that leaves by an exception.
#include "host/interface/warpsim.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "host/device/device.h"
#include "isa/table/findings.h"
#include "isa/text/number_text.h"
#include "traces/text/fault_drawing.h"

using warpsim::host::Failure;
using warpsim::host::KernelModule;

struct warpsim_kernel {
  warpsim_module* module = nullptr;
  KernelModule::Kernel* kernel = nullptr;
};

struct warpsim_module {
  warpsim_device* device = nullptr;
  KernelModule* module = nullptr;
  std::vector<warpsim_kernel> kernels;
};

struct warpsim_device {
  warpsim::host::Device device;
  std::vector<std::unique_ptr<warpsim_module>> modules;
  mutable std::mutex mutex;
  mutable std::mutex errors_mutex;
  std::map<std::thread::id, std::string> errors;
};

namespace {

warpsim_status fail(warpsim_device& device, warpsim_status status, std::string text) {
  const std::lock_guard lock(device.errors_mutex);
  device.errors[std::this_thread::get_id()] = std::move(text);
  return status;
}

warpsim_status fail(warpsim_device& device, Failure failure) {
  return fail(device, static_cast<warpsim_status>(failure.status), std::move(failure.text));
}

// Runs what a call does, with the device's lock held.
template <class F>
warpsim_status guarded(warpsim_device* device, F&& f) {
  if (device == nullptr) return WARPSIM_ERROR_INVALID_VALUE;
  try {
    const std::lock_guard lock(device->mutex);
    return f();
  } catch (const std::bad_alloc&) {
    return WARPSIM_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    try {
      return fail(*device, WARPSIM_ERROR_INTERNAL, error.what());
    } catch (...) {
      return WARPSIM_ERROR_INTERNAL;
    }
  }
}

std::string words(const char* text, const char* otherwise) { return text == nullptr ? otherwise : text; }

warpsim_status null_argument(warpsim_device& device, const char* name) {
  return fail(device, WARPSIM_ERROR_INVALID_VALUE, std::string("`") + name + "` is null");
}

// The bytes of device memory from an address on; null after it has said that they are not there.
std::byte* bytes_at(warpsim_device& device, std::uint64_t address, std::uint64_t size) {
  warpsim::DeviceMemory& memory = device.device.memory();
  if (const auto* const found = memory.find(address, size)) return found->bytes + (address - found->address);
  std::string text = warpsim::counted(size, "byte") + " at " + warpsim::hexadecimal_text(address);
  if (const auto* const freed = memory.freed(address)) text += ": `" + freed->name + "` was there, and was freed";
  else if (const auto* const inside = memory.find(address, 0))
    text += " reach past the end of `" + inside->name + "`, which has " + warpsim::counted(inside->size_bytes, "byte");
  else text += ": nothing is allocated there";
  static_cast<void>(fail(device, WARPSIM_ERROR_BAD_ADDRESS, std::move(text)));
  return nullptr;
}

// Calls f with those bytes, for a call that passes memory of the host.
template <class F>
warpsim_status with_bytes(warpsim_device* device, std::uint64_t address, std::uint64_t size, const void* host,
                          const char* name, F&& f) {
  return guarded(device, [&] {
    if (size == 0) return WARPSIM_OK;
    if (host == nullptr) return null_argument(*device, name);
    std::byte* const at = bytes_at(*device, address, size);
    if (at == nullptr) return WARPSIM_ERROR_BAD_ADDRESS;
    f(at);
    return WARPSIM_OK;
  });
}

warpsim::Dim3 dimensions(const std::uint32_t (&of)[3]) { return {of[0], of[1], of[2]}; }

warpsim_severity severity_of(const warpsim::host::Report& report) {
  if (report.is_trap) return WARPSIM_TRAPPED;
  const warpsim::Severity severity = warpsim::severity_of(report.finding);
  return severity == warpsim::Severity::Advice    ? WARPSIM_ADVICE
         : severity == warpsim::Severity::Warning ? WARPSIM_WARNING
                                                  : WARPSIM_FAULT;
}

void pass_on(const warpsim::host::Report& report, warpsim_finding_callback callback, void* user) {
  const warpsim::TraceFinding& finding = report.finding;
  const std::string message = english(finding.message), hint = english(finding.hint);
  const warpsim::SourceRange where = warpsim::place_of(report.program, finding);
  const std::string file = where.line == 0 ? "" : report.program.source(where).name;
  const bool has_place = finding.pc >= 0 && static_cast<std::size_t>(finding.pc) < report.program.code.size();
  const warpsim::Dim3& grid = report.config.grid;
  const std::uint64_t row = std::uint64_t{grid.x} * grid.y;
  warpsim_finding out{};
  out.size = sizeof(out);
  out.severity = severity_of(report);
  out.code = finding.code.word.c_str();
  out.kind = finding.kind.c_str();
  out.message = message.c_str();
  out.hint = hint.c_str();
  out.text = report.drawn.c_str();
  out.file = file.c_str();
  out.line = where.line;
  out.column = where.column;
  out.ptx_line = has_place ? report.program.code[static_cast<std::size_t>(finding.pc)].where.line : 0;
  out.kernel = report.kernel.name().c_str();
  out.launch = report.launch;
  out.issue = finding.cycle;
  out.block[0] = finding.block % grid.x;
  out.block[1] = finding.block / grid.x % grid.y;
  out.block[2] = static_cast<std::uint32_t>(finding.block / row);
  out.warp = finding.warp;
  out.lanes = finding.lanes;
  callback(user, &out);
}

void pass_on(const warpsim::host::LaunchStatistics& launch, warpsim_statistics_callback callback, void* user) {
  const warpsim::Statistics& s = launch.statistics;
  warpsim_statistics out{};
  out.size = sizeof(out);
  out.kernel = launch.kernel.name().c_str();
  out.launch = launch.launch;
  out.instructions = s.counts.instructions;
  out.active_lanes = s.active_lanes;
  out.existing_lanes = s.existing_lanes;
  out.shared_accesses = s.shared.accesses;
  out.shared_conflicts = s.shared.conflicts;
  out.global_requests = s.global.requests;
  out.global_sectors = s.global.sectors;
  out.global_least_sectors = s.global.least_sectors;
  callback(user, &out);
}

void pass_on(std::string_view text, warpsim_text_callback callback, void* user) {
  callback(user, text.data(), text.size());
}

// Has one of the device's listeners call back; null ends it.
template <class Told, class Callback>
void listen(warpsim_device* device, std::function<void(Told)> warpsim::host::Listeners::*which, Callback callback,
            void* user) {
  static_cast<void>(guarded(device, [&] {
    std::function<void(Told)>& listener = device->device.listeners().*which;
    listener = nullptr;
    if (callback != nullptr) listener = [callback, user](Told told) { pass_on(told, callback, user); };
    return WARPSIM_OK;
  }));
}

}  // namespace

extern "C" {

const char* warpsim_version(void) { return WARPSIM_VERSION; }

const char* warpsim_status_name(warpsim_status status) {
  switch (status) {
    case WARPSIM_OK: return "WARPSIM_OK";
    case WARPSIM_ERROR_INVALID_VALUE: return "WARPSIM_ERROR_INVALID_VALUE";
    case WARPSIM_ERROR_OUT_OF_MEMORY: return "WARPSIM_ERROR_OUT_OF_MEMORY";
    case WARPSIM_ERROR_BAD_PTX: return "WARPSIM_ERROR_BAD_PTX";
    case WARPSIM_ERROR_NOT_FOUND: return "WARPSIM_ERROR_NOT_FOUND";
    case WARPSIM_ERROR_BAD_LAUNCH: return "WARPSIM_ERROR_BAD_LAUNCH";
    case WARPSIM_ERROR_TRAP: return "WARPSIM_ERROR_TRAP";
    case WARPSIM_ERROR_UNSUPPORTED: return "WARPSIM_ERROR_UNSUPPORTED";
    case WARPSIM_ERROR_STOPPED: return "WARPSIM_ERROR_STOPPED";
    case WARPSIM_ERROR_BAD_ADDRESS: return "WARPSIM_ERROR_BAD_ADDRESS";
    case WARPSIM_ERROR_INTERNAL: return "WARPSIM_ERROR_INTERNAL";
  }
  return "unknown";
}

// ---- devices

warpsim_status warpsim_create(const warpsim_device_options* options, warpsim_device** device) {
  if (device == nullptr) return WARPSIM_ERROR_INVALID_VALUE;
  *device = nullptr;
  if (options != nullptr && options->size < sizeof(warpsim_device_options)) return WARPSIM_ERROR_INVALID_VALUE;
  try {
    auto made = std::make_unique<warpsim_device>();
    made->device.set_checks(options == nullptr || options->checks != 0);
    *device = made.release();
    return WARPSIM_OK;
  } catch (...) {
    return WARPSIM_ERROR_OUT_OF_MEMORY;
  }
}

void warpsim_destroy(warpsim_device* device) { delete device; }

size_t warpsim_error(const warpsim_device* device, char* text, size_t size) {
  if (device == nullptr) return 0;
  const std::lock_guard lock(device->errors_mutex);
  const auto found = device->errors.find(std::this_thread::get_id());
  const std::string_view error = found == device->errors.end() ? std::string_view("") : found->second;
  if (text != nullptr && size != 0) {
    const std::size_t written = std::min(error.size(), size - 1);
    std::memcpy(text, error.data(), written);
    text[written] = '\0';
  }
  return error.size();
}

// ---- memory

warpsim_status warpsim_allocate(warpsim_device* device, uint64_t size, const char* name, uint64_t* address) {
  return guarded(device, [&] {
    if (address == nullptr) return null_argument(*device, "address");
    const auto made = device->device.memory().allocate(size, words(name, "memory"));
    if (!made)
      return fail(*device, WARPSIM_ERROR_OUT_OF_MEMORY, "there is no memory for " + warpsim::counted(size, "byte"));
    *address = *made;
    return WARPSIM_OK;
  });
}

warpsim_status warpsim_map(warpsim_device* device, void* host, uint64_t size, const char* name) {
  return guarded(device, [&] {
    if (host == nullptr) return null_argument(*device, "host");
    if (device->device.memory().map({static_cast<std::byte*>(host), size}, words(name, "host memory")))
      return WARPSIM_OK;
    return fail(*device, WARPSIM_ERROR_INVALID_VALUE,
                "some of the " + warpsim::counted(size, "byte") + " at " +
                    warpsim::hexadecimal_text(reinterpret_cast<std::uintptr_t>(host)) + " is device memory already");
  });
}

warpsim_status warpsim_free(warpsim_device* device, uint64_t address) {
  return guarded(device, [&] {
    if (address == 0 || device->device.memory().free(address)) return WARPSIM_OK;
    const auto* const freed = device->device.memory().freed(address);
    return fail(*device, WARPSIM_ERROR_BAD_ADDRESS,
                freed != nullptr && freed->address == address
                    ? "`" + freed->name + "` was freed before"
                    : "no allocation begins at " + warpsim::hexadecimal_text(address));
  });
}

warpsim_status warpsim_write(warpsim_device* device, uint64_t to, const void* from, uint64_t size) {
  return with_bytes(device, to, size, from, "from", [&](std::byte* at) { std::memmove(at, from, size); });
}

warpsim_status warpsim_read(warpsim_device* device, void* to, uint64_t from, uint64_t size) {
  return with_bytes(device, from, size, to, "to", [&](const std::byte* at) { std::memmove(to, at, size); });
}

warpsim_status warpsim_copy(warpsim_device* device, uint64_t to, uint64_t from, uint64_t size) {
  return guarded(device, [&] {
    if (size == 0) return WARPSIM_OK;
    const std::byte* const source = bytes_at(*device, from, size);
    std::byte* const target = source == nullptr ? nullptr : bytes_at(*device, to, size);
    if (target == nullptr) return WARPSIM_ERROR_BAD_ADDRESS;
    std::memmove(target, source, size);
    return WARPSIM_OK;
  });
}

warpsim_status warpsim_fill(warpsim_device* device, uint64_t to, uint8_t value, uint64_t size) {
  return guarded(device, [&] {
    if (size == 0) return WARPSIM_OK;
    std::byte* const at = bytes_at(*device, to, size);
    if (at == nullptr) return WARPSIM_ERROR_BAD_ADDRESS;
    std::memset(at, value, size);
    return WARPSIM_OK;
  });
}

// ---- modules

warpsim_status warpsim_load(warpsim_device* device, const warpsim_ptx* texts, size_t count, warpsim_module** module) {
  return guarded(device, [&] {
    if (module == nullptr) return null_argument(*device, "module");
    *module = nullptr;
    if (texts == nullptr) return null_argument(*device, "texts");
    std::vector<warpsim::host::PtxSource> sources;
    for (size_t k = 0; k < count; ++k) {
      if (texts[k].text == nullptr) return null_argument(*device, "text");
      const std::size_t length = texts[k].length == 0 ? std::strlen(texts[k].text) : texts[k].length;
      sources.push_back({words(texts[k].name, "ptx"), std::string(texts[k].text, length)});
    }
    auto made = device->device.load(std::move(sources));
    if (Failure* const failure = std::get_if<Failure>(&made)) return fail(*device, std::move(*failure));
    auto handle = std::make_unique<warpsim_module>();
    handle->device = device;
    handle->module = std::get<KernelModule*>(made);
    for (std::size_t k = 0; k < handle->module->kernel_count(); ++k)
      handle->kernels.push_back({handle.get(), &handle->module->kernel(k)});
    *module = device->modules.emplace_back(std::move(handle)).get();
    return WARPSIM_OK;
  });
}

void warpsim_unload(warpsim_module* module) {
  if (module == nullptr) return;
  warpsim_device* const device = module->device;
  static_cast<void>(guarded(device, [&] {
    static_cast<void>(device->device.unload(module->module));
    std::erase_if(device->modules, [module](const auto& one) { return one.get() == module; });
    return WARPSIM_OK;
  }));
}

size_t warpsim_kernel_count(const warpsim_module* module) { return module == nullptr ? 0 : module->kernels.size(); }

warpsim_kernel* warpsim_kernel_at(warpsim_module* module, size_t index) {
  return index < warpsim_kernel_count(module) ? &module->kernels[index] : nullptr;
}

warpsim_status warpsim_find_kernel(warpsim_module* module, const char* name, warpsim_kernel** kernel) {
  if (module == nullptr) return WARPSIM_ERROR_INVALID_VALUE;
  return guarded(module->device, [&] {
    if (kernel == nullptr) return null_argument(*module->device, "kernel");
    *kernel = nullptr;
    if (name == nullptr) return null_argument(*module->device, "name");
    const KernelModule::Kernel* const found = module->module->find_kernel(name);
    for (warpsim_kernel& one : module->kernels)
      if (one.kernel == found) return *kernel = &one, WARPSIM_OK;
    std::string text = "the module has no kernel `" + std::string(name) + "`, or several of that name";
    for (const warpsim_kernel& one : module->kernels)
      text += (&one == &module->kernels.front() ? "; it has " : ", ") + ("`" + one.kernel->symbol() + "`");
    return fail(*module->device, WARPSIM_ERROR_NOT_FOUND, std::move(text));
  });
}

warpsim_status warpsim_find_symbol(warpsim_module* module, const char* name, uint64_t* address, uint64_t* size) {
  if (module == nullptr) return WARPSIM_ERROR_INVALID_VALUE;
  return guarded(module->device, [&] {
    if (name == nullptr) return null_argument(*module->device, "name");
    if (address == nullptr) return null_argument(*module->device, "address");
    const auto found = module->module->find_symbol(name);
    if (!found)
      return fail(*module->device, WARPSIM_ERROR_NOT_FOUND, "the module has no variable `" + std::string(name) + "`");
    *address = found->address;
    if (size != nullptr) *size = found->size_bytes;
    return WARPSIM_OK;
  });
}

const char* warpsim_kernel_symbol(const warpsim_kernel* kernel) {
  return kernel == nullptr ? "" : kernel->kernel->symbol().c_str();
}
const char* warpsim_kernel_name(const warpsim_kernel* kernel) {
  return kernel == nullptr ? "" : kernel->kernel->name().c_str();
}
size_t warpsim_parameter_count(const warpsim_kernel* kernel) {
  return kernel == nullptr ? 0 : kernel->kernel->parameter_count();
}
warpsim_status warpsim_parameter(const warpsim_kernel* kernel, size_t index, uint64_t* size, uint64_t* offset) {
  if (index >= warpsim_parameter_count(kernel)) return WARPSIM_ERROR_INVALID_VALUE;
  if (size != nullptr) *size = kernel->kernel->parameter_bytes(index);
  if (offset != nullptr) *offset = kernel->kernel->parameter_offset(index);
  return WARPSIM_OK;
}

// ---- launches

warpsim_status warpsim_launch(warpsim_kernel* kernel, const warpsim_shape* shape, const void* const* parameters) {
  if (kernel == nullptr) return WARPSIM_ERROR_INVALID_VALUE;
  warpsim_device* const device = kernel->module->device;
  return guarded(device, [&] {
    if (shape == nullptr) return null_argument(*device, "shape");
    if (shape->size < sizeof(warpsim_shape))
      return fail(*device, WARPSIM_ERROR_INVALID_VALUE, "the size of `shape` is not set: begin with WARPSIM_SHAPE");
    const std::size_t count = kernel->kernel->parameter_count();
    if (parameters == nullptr && count != 0) return null_argument(*device, "parameters");
    const warpsim::host::LaunchShape launch{dimensions(shape->grid), dimensions(shape->block), shape->shared_bytes,
                                            shape->cooperative != 0};
    auto failure = device->device.launch(*kernel->kernel, launch, {parameters, count});
    return failure ? fail(*device, std::move(*failure)) : WARPSIM_OK;
  });
}

void warpsim_stop(warpsim_device* device) {
  if (device != nullptr) device->device.stop();
}

// ---- what launches do

void warpsim_on_finding(warpsim_device* device, warpsim_finding_callback callback, void* user) {
  listen(device, &warpsim::host::Listeners::finding, callback, user);
}
void warpsim_on_print(warpsim_device* device, warpsim_text_callback callback, void* user) {
  listen(device, &warpsim::host::Listeners::print, callback, user);
}
void warpsim_on_trace(warpsim_device* device, warpsim_text_callback callback, void* user) {
  listen(device, &warpsim::host::Listeners::trace, callback, user);
}
void warpsim_on_statistics(warpsim_device* device, warpsim_statistics_callback callback, void* user) {
  listen(device, &warpsim::host::Listeners::statistics, callback, user);
}

}  // extern "C"
