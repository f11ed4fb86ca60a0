// Numbers and names as nvdisasm prints them.
//
// Units:  none.
// Errors: a number that has no name gives "".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpsim::sass {

std::string signed_hex_text(std::int64_t value);          // -0x1f
std::string float_text(double value);                     // 0.5, 1.4426950216293334961, +INF
std::string pair_text(std::uint32_t bits, bool is_bf16);  // "1, -0.5": the upper half first
std::string_view special_register(unsigned number);       // SR_TID.X

}  // namespace warpsim::sass
