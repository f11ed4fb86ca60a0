// The functions of CUDA's device runtime that a kernel may call: it launches kernels with them.
//
// Shapes: a function is named by its index here. Its arguments and its result are bytes of the callee's frame, the
//         result first, each at a multiple of its alignment. Those with `stored_bytes` give a value, which is stored to
//         where the first argument points, and return an error code.
// Units:  bytes.
// Errors: none.
// Source: cuda_device_runtime_api.h of CUDA 13.0; CUDA C++ Programming Guide 13.0, "CUDA Dynamic Parallelism". There
//         they are `cuda` or `__cudaCDP2` and the name; those with _ptsz have the same meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpsim {

enum class RuntimeCall : std::uint8_t {
  ParameterBuffer,
  Launch,
  CreateStream,
  DestroyStream,
  CreateEvent,
  UseEvent,  // work runs in the order in which it was asked for, so events order nothing
  LastError,
  PeekError,
  ErrorText,
  ErrorName,
  Device,
  DeviceCount,
  Allocate,
  Release,
  Copy,
  Fill,
  SetConditional,
};

struct RuntimeFunction {
  std::string_view name;
  RuntimeCall call;
  std::uint8_t result_bytes;
  std::array<std::uint8_t, 5> argument_bytes;  // 12: three words; 0: no more
  std::uint8_t stored_bytes = 0;
};

inline constexpr std::array<RuntimeFunction, 23> kRuntimeFunctions = {{
    {"GetParameterBufferV2", RuntimeCall::ParameterBuffer, 8, {8, 12, 12, 4}},
    {"LaunchDeviceV2", RuntimeCall::Launch, 4, {8, 8}},
    {"StreamCreateWithFlags", RuntimeCall::CreateStream, 4, {8, 4}, 8},
    {"StreamDestroy", RuntimeCall::DestroyStream, 4, {8}},
    {"StreamWaitEvent", RuntimeCall::UseEvent, 4, {8, 8, 4}},
    {"EventCreateWithFlags", RuntimeCall::CreateEvent, 4, {8, 4}, 8},
    {"EventRecord", RuntimeCall::UseEvent, 4, {8, 8}},
    {"EventRecordWithFlags", RuntimeCall::UseEvent, 4, {8, 8, 4}},
    {"EventDestroy", RuntimeCall::UseEvent, 4, {8}},
    {"GetLastError", RuntimeCall::LastError, 4, {}},
    {"PeekAtLastError", RuntimeCall::PeekError, 4, {}},
    {"GetErrorString", RuntimeCall::ErrorText, 8, {4}},
    {"GetErrorName", RuntimeCall::ErrorName, 8, {4}},
    {"GetDevice", RuntimeCall::Device, 4, {8}, 4},
    {"GetDeviceCount", RuntimeCall::DeviceCount, 4, {8}, 4},
    {"Malloc", RuntimeCall::Allocate, 4, {8, 8}, 8},
    {"Free", RuntimeCall::Release, 4, {8}},
    {"MemcpyAsync", RuntimeCall::Copy, 4, {8, 8, 8, 4, 8}},
    {"MemsetAsync", RuntimeCall::Fill, 4, {8, 4, 8, 8}},
    {"GraphSetConditional", RuntimeCall::SetConditional, 0, {8, 4}},
    {"LaunchDeviceV2_ptsz", RuntimeCall::Launch, 4, {8, 8}},
    {"MemcpyAsync_ptsz", RuntimeCall::Copy, 4, {8, 8, 8, 4, 8}},
    {"MemsetAsync_ptsz", RuntimeCall::Fill, 4, {8, 4, 8, 8}},
}};

// By the name as PTX has it; -1: it is none of these.
constexpr std::int32_t find_runtime_function(std::string_view name) {
  constexpr std::array<std::string_view, 2> kPrefixes = {"__cudaCDP2", "cuda"};
  for (const std::string_view prefix : kPrefixes)
    for (std::size_t k = 0; k < kRuntimeFunctions.size(); ++k)
      if (name.substr(0, prefix.size()) == prefix && name.substr(prefix.size()) == kRuntimeFunctions[k].name)
        return static_cast<std::int32_t>(k);
  return -1;
}

// Where an argument stands in the frame.
constexpr std::uint32_t argument_offset(const RuntimeFunction& function, std::size_t argument) {
  std::uint32_t at = function.result_bytes;
  for (std::size_t k = 0;; ++k) {
    const std::uint32_t size = function.argument_bytes[k], alignment = size == 12 ? 4 : size;
    if (alignment != 0) at = (at + alignment - 1) / alignment * alignment;
    if (k == argument) return at;
    at += size;
  }
}

}  // namespace warpsim
