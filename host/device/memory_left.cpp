// See memory_left.h.
#include "host/device/memory_left.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

namespace warpsim::host {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (!(file >> number)) return std::nullopt;  // there is none, or it says "max"
  return number;
}

std::uint64_t limit_less(std::optional<std::uint64_t> limit, std::uint64_t used) {
  if (!limit) return kNoLimit;
  return *limit > used ? *limit - used : 0;
}

std::uint64_t left_on_machine(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::uint64_t kibibytes = 0;
    if (!(file >> kibibytes)) break;
    if (name == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return kNoLimit;
}

// What files on disk take in a group: it is given back when it is needed.
std::uint64_t cached_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t bytes = 0, cached = 0;
  for (std::string name; file >> name >> bytes;)
    if (name == "inactive_file" || name == "active_file") cached += bytes;
  return cached;
}

// Of the group and of those that it is in.
std::uint64_t left_in_group(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::uint64_t left = kNoLimit;
  for (std::string line; std::getline(file, line);) {
    const bool is_second = line.starts_with("0::");
    const std::size_t at = line.find(":memory:");
    if (!is_second && at == std::string::npos) continue;
    const std::string base = root + (is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    const std::string limit = is_second ? "/memory.max" : "/memory.limit_in_bytes";
    const std::string used = is_second ? "/memory.current" : "/memory.usage_in_bytes";
    for (std::string group = line.substr(is_second ? 3 : at + 8);; group.resize(group.rfind('/'))) {
      if (group == "/") group.clear();
      if (const std::optional<std::uint64_t> now = number_in(base + group + used))
        left = std::min(left, limit_less(number_in(base + group + limit),
                                         *now - std::min(*now, cached_in(base + group + "/memory.stat"))));
      if (group.find('/') == std::string::npos) break;
    }
  }
  return left;
}

std::uint64_t left_of(int resource, std::uint64_t used) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return kNoLimit;
  return limit_less(limit.rlim_cur, used);
}

}  // namespace

std::uint64_t memory_left(const std::string& root) {
  std::uint64_t left = std::min(left_on_machine(root), left_in_group(root));
  std::ifstream file(root + "/proc/self/statm");
  std::uint64_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(file >> size >> resident >> shared >> text >> library >> data)) return left;
  const std::uint64_t page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min({left, left_of(RLIMIT_AS, size * page), left_of(RLIMIT_DATA, data * page)});
}

}  // namespace warpsim::host
