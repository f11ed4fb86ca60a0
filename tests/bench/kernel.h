// The kernels of kernels/ as they are measured: launches and parameters, and some of them as C++.
//
// Shapes: buffers are counted in the order of the parameters, without the numbers among these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "isa/table/array.h"

namespace warpsim::bench {

using Bytes = std::vector<std::byte>;

// A parameter: a buffer with its first contents, or a number.
using Parameter = std::variant<Bytes, std::uint32_t, float>;

// The elements of what a kernel writes. Where another compiler fuses, reorders and divides, floats may differ a little;
// counts of rounds until a float passes a limit may differ in a few places.
enum class Results { Integers, Floats, Doubles, Counts };

struct Kernel {
  std::string name;  // of the row in the table: the kernel's, and behind an `@` what tells its launches apart
  Dim3 grid, block;
  std::vector<Parameter> parameters;
  Results results = Results::Integers;
  std::function<void(std::vector<Bytes>&)> native = nullptr;  // on its buffers
  std::string entry() const { return name.substr(0, name.find('@')); }
};

std::vector<Kernel> kernels();

}  // namespace warpsim::bench
