// Where shared memory, local memory and parameters stand among generic addresses.
//
// Shapes: a generic address in a window is the window's start and an offset in that space; every other one is an
//         address of global memory, in which constants have a part of their own. A function's address is in a window
//         that nobody can read.
// Units:  bytes.
// Errors: none.
// Source: PTX ISA 9.0, 6.4.1.1 "Generic Addressing". Where the windows stand is this simulator's own: above every
//         address that a process of the host has, so that host memory can be a device's.
#pragma once

#include <cstdint>

#include "isa/table/memory_access.h"

namespace warpsim {

inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 48;
inline constexpr std::uint64_t kLocalWindow = kSharedWindow + kWindowBytes;
inline constexpr std::uint64_t kParamWindow = kLocalWindow + kWindowBytes;
inline constexpr std::uint64_t kFunctionWindow = kParamWindow + kWindowBytes;
inline constexpr std::uint64_t kFunctionBytes = 16;           // from one function's address to the next one's
inline constexpr std::uint64_t kMostLocalBytes = 512 * 1024;  // of a thread, as on hardware
// The part of global memory that constants are in.
inline constexpr std::uint64_t kConstantBegin = std::uint64_t{1} << 47;
inline constexpr std::uint64_t kConstantEnd = kConstantBegin + kWindowBytes;
// The part in which a kernel's own malloc allocates.
inline constexpr std::uint64_t kHeapBegin = std::uint64_t{1} << 46;
inline constexpr std::uint64_t kHeapEnd = kHeapBegin + kWindowBytes;

constexpr std::uint64_t window_of(AddressSpace space) {
  return space == AddressSpace::Shared  ? kSharedWindow
         : space == AddressSpace::Local ? kLocalWindow
         : space == AddressSpace::Param ? kParamWindow
                                        : 0;
}
// The space of a generic address.
constexpr AddressSpace space_of_address(std::uint64_t address) {
  if (address - kSharedWindow < kWindowBytes) return AddressSpace::Shared;
  if (address - kLocalWindow < kWindowBytes) return AddressSpace::Local;
  if (address - kParamWindow < kWindowBytes) return AddressSpace::Param;
  return address - kConstantBegin < kConstantEnd - kConstantBegin ? AddressSpace::Constant : AddressSpace::Global;
}

}  // namespace warpsim
