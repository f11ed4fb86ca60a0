// The region of a ClockJob on a GPU, and its machine code by cuobjdump; see clock_job.h.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "sim/machine/machine.h"
#include "tools/cuda/benchmarks/clock_job.h"
#include "tools/cuda/benchmarks/machine_code.h"

namespace warpsim {
namespace {

bool is_clock_buffer(const std::string& name) { return name.rfind("clock_", 0) == 0; }

std::string difference(const std::map<std::string, Array, std::less<>>& simulated, const GpuRun& run) {
  for (const auto& [name, array] : simulated) {
    const auto found = run.buffers.find(name);
    if (is_clock_buffer(name) || found == run.buffers.end()) continue;
    for (std::size_t k = 0; k < array.bits.size(); ++k)
      if (k >= found->second.bits.size() || found->second.bits[k] != array.bits[k])
        return name + "[" + std::to_string(k) + "] is not what the simulator gives";
  }
  return "";
}

}  // namespace

std::variant<MeasuredRegion, GpuError> measure_region(Gpu& gpu, const ClockJob& job, unsigned launches,
                                                      const std::string& cuobjdump) {
  auto created = Machine::create(job.clocked.program, job.prepared.config, job.prepared.arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) return GpuError{error->message, error->hint};
  const Machine& machine = std::get<Machine>(created);
  const auto compiled = gpu.compile(job.ptx);
  if (const GpuError* error = std::get_if<GpuError>(&compiled)) return *error;
  const std::string& cubin = std::get<std::string>(compiled);
  const auto loaded = gpu.load_machine_code(cubin);
  if (const GpuError* error = std::get_if<GpuError>(&loaded)) return *error;
  GpuLaunch launch;
  launch.entry = job.entry;
  launch.machine = &machine;
  launch.block = job.prepared.config.block;
  launch.shared_bytes = job.dynamic_shared_bytes;
  launch.cold = job.cold;
  const std::vector<GpuLaunch> all(launches, launch);
  const auto ran = gpu.run(std::get<CudaHandle>(loaded), all);
  if (gpu.works()) gpu.unload(std::get<CudaHandle>(loaded));
  if (const GpuError* error = std::get_if<GpuError>(&ran)) return *error;
  const auto simulated = simulate_region(job, nullptr);
  MeasuredRegion measured;
  for (const GpuRun& run : std::get<std::vector<GpuRun>>(ran)) {
    measured.cycles.push_back(region_cycles(run.buffers.at("clock_begin"), run.buffers.at("clock_end")));
    if (const SimulatedRegion* region = std::get_if<SimulatedRegion>(&simulated); region && measured.difference.empty())
      measured.difference = difference(region->buffers, run);
  }
  if (!cuobjdump.empty()) measured.opcodes = region_opcodes(parse_machine_code(disassembled(cuobjdump, cubin)));
  return measured;
}

std::string find_cuobjdump() {
  const char* const path = std::getenv("PATH");
  std::string folders = std::string(path == nullptr ? "" : path) + ":/usr/local/cuda/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + "/cuobjdump";
    if (access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return "";
}

std::string disassembled(const std::string& cuobjdump, const std::string& cubin) {
  const char* const folder = std::getenv("TMPDIR");
  std::string file = std::string(folder == nullptr ? "/tmp" : folder) + "/warpsim-XXXXXX";
  const int descriptor = mkstemp(file.data());
  if (descriptor < 0) return "";
  const bool written = write(descriptor, cubin.data(), cubin.size()) == static_cast<ssize_t>(cubin.size());
  close(descriptor);
  std::string text;
  FILE* const pipe = written ? popen(("'" + cuobjdump + "' -sass '" + file + "' 2>/dev/null").c_str(), "r") : nullptr;
  std::array<char, 4096> piece{};
  for (std::size_t got = 1; pipe != nullptr && got != 0;) {
    got = fread(piece.data(), 1, piece.size(), pipe);
    text.append(piece.data(), got);
  }
  if (pipe != nullptr) pclose(pipe);
  unlink(file.c_str());
  return text;
}

}  // namespace warpsim
