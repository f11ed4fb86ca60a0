// What a launch is given: the dimensions of a grid or a block, and typed arrays.
//
// Errors: none.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/table/type.h"

namespace warpsim {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

// A typed array: the contents of a buffer. One element's bits in each word, zero-extended.
struct Array {
  Type type = Type::None;
  std::vector<std::uint64_t> bits;
  bool operator==(const Array&) const = default;
};

}  // namespace warpsim
