// What a GPU's clocks said of the measured kernels, as a file.
//
// Shapes: one line a kernel; device, driver, day and command once. The PTX's hash says whether a kernel is still
//         the one that was measured; the machine code is kept, packed, so that it can be compared again.
// Units:  cycles of the region.
// Errors: read_cycle_capture() says what is wrong with a file, for a person.
// Source: traces/captures/README.md describes the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warpsim::tools {

struct CapturedCycles {
  std::string name;  // "chain/fma.f32", "p26/butterfly_parallel_max"
  unsigned warps = 1;
  std::uint64_t median = 0, least = 0, most = 0;  // of the launches
  std::string ptx;                                // its hash
  std::string code;                               // pack_opcodes(); "": nobody could list it
};

struct CycleCapture {
  std::string device, driver, date, command;
  unsigned target = 0, launches = 0;
  std::map<std::string, CapturedCycles> kernels;  // by name
};

// Sorts them.
void set_cycles(CapturedCycles& kernel, std::vector<std::uint64_t> cycles);

std::string to_json(const CycleCapture& capture);
[[nodiscard]] std::variant<CycleCapture, std::string> read_cycle_capture(std::string_view text);

}  // namespace warpsim::tools
