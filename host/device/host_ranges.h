// The memory that this process has, as the kernel of its system says it.
//
// Shapes: ranges in rising order that do not meet; neighbours with the same rights are one range.
// Units:  bytes.
// Errors: none if /proc/self/maps cannot be read.
// Source: proc(5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::host {

struct HostRange {
  std::uint64_t begin = 0, end = 0;
  bool writable = false;
  std::string name;  // the file that it is from, "[heap]"; "" if it has none
};

// Of a text as /proc/PID/maps has it: what can be read there.
std::vector<HostRange> parse_host_ranges(std::string_view maps);
std::vector<HostRange> host_ranges();

}  // namespace warpsim::host
