// See environment.h.
#include "host/exec/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "sim/code/lane_ops.h"
#include "sim/engine/compiled.h"
#include "sim/launch/launch.h"

namespace warpsim::host {
namespace {

// A line a piece: where it begins, its bytes, both as hexadecimal numbers, and a name. (Linux,
// tools/perf/Documentation/jit-interface.txt)
void add_to_perf_map(const std::byte* begin, std::size_t bytes, const std::string& name) {
  std::ofstream map("/tmp/perf-" + std::to_string(::getpid()) + ".map", std::ios::app);
  map << std::hex << reinterpret_cast<std::uintptr_t>(begin) << ' ' << bytes << ' ' << name << '\n';
}

}  // namespace

unsigned threads_of_host() { return std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads); }

void heed_environment() {
  if (const char* const most = std::getenv("WARPSIM_HOST"); most != nullptr) limit_host_isa(most);
  if (std::getenv("WARPSIM_PERF_MAP") != nullptr) engine::name_code_by(add_to_perf_map);
}

}  // namespace warpsim::host
