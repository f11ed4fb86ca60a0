// Choosing code by the size of an element of memory.
#pragma once

#include <cstdint>

namespace warpsim {

// What f returns, called with a zero of so many bytes: 1, 2, 4 or 8.
template <class F>
auto with_value_of(std::uint32_t bytes, F f) {
  switch (bytes) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
  }
}

}  // namespace warpsim
