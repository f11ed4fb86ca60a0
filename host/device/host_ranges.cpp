// See host_ranges.h.
#include "host/device/host_ranges.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

namespace warpsim::host {
namespace {

// The next word of a line, which is taken off it.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return line = {};
  const std::size_t end = line.find(' ', begin);
  const std::string_view word = line.substr(begin, end == std::string_view::npos ? end : end - begin);
  line = end == std::string_view::npos ? std::string_view{} : line.substr(end);
  return word;
}

std::uint64_t hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

}  // namespace

std::vector<HostRange> parse_host_ranges(std::string_view maps) {
  std::vector<HostRange> ranges;
  while (!maps.empty()) {
    std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(maps.size(), line.size() + 1));
    const std::string_view span = take_word(line), rights = take_word(line);
    for (int skipped = 0; skipped < 3; ++skipped) take_word(line);  // offset, device, inode
    const std::size_t begins = line.find_first_not_of(' ');
    const std::string_view name = begins == std::string_view::npos ? std::string_view{} : line.substr(begins);
    const std::size_t dash = span.find('-');
    if (dash == std::string_view::npos || rights.size() < 2 || rights[0] != 'r' || name.starts_with("[v")) continue;
    HostRange one{hexadecimal(span.substr(0, dash)), hexadecimal(span.substr(dash + 1)), rights[1] == 'w',
                  std::string(name)};
    if (!ranges.empty() && ranges.back().end == one.begin && ranges.back().writable == one.writable) {
      ranges.back().end = one.end;
    } else {
      ranges.push_back(std::move(one));
    }
  }
  return ranges;
}

std::vector<HostRange> host_ranges() {
  std::ifstream in("/proc/self/maps");
  return parse_host_ranges(std::string(std::istreambuf_iterator<char>(in), {}));
}

}  // namespace warpsim::host
