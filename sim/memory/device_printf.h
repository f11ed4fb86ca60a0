// What printf of a kernel writes.
//
// Shapes: the arguments lie one after another as C's variadic call promotes them, each at a multiple of its size: int
//         and unsigned 4 bytes; long, long long, size_t, pointers and double 8. There are 32 at most: a conversion that
//         wants one more is written as it stands.
// Units:  bytes, generic addresses.
// Errors: none; what is no conversion is written as it stands, and what cannot be read ends the text.
// Source: CUDA C++ Programming Guide 13.0, "Formatted Output"; PTX Interoperability 13.0, "System Calls".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warpsim {

// The byte at a generic address; none if nothing is there.
using ByteReader = std::function<std::optional<std::byte>(std::uint64_t)>;

// A string that ends with 0, and at the latest after 64 KB.
std::string device_string(std::uint64_t address, const ByteReader& read);

inline constexpr std::uint32_t kNoFormat = ~std::uint32_t{0};  // -1: the format is a null pointer
struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  // how many the format took, at most 32; or kNoFormat
};
Printed device_printf(std::uint64_t format, std::uint64_t arguments, const ByteReader& read);

}  // namespace warpsim
