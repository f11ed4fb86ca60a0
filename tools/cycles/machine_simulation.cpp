#include "tools/cycles/machine_simulation.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "isa/sass/instruction.h"
#include "isa/text/number_text.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/memory.h"
#include "sim/sass/code_run.h"

namespace warpsim::tools {
namespace {

// So that a loop without an end is refused, not waited for: the longest job takes some 2 million.
constexpr std::uint64_t kMostJobCycles = 50'000'000;

// The job's buffers, with what they hold before the run.
class JobMemory {
 public:
  explicit JobMemory(const MachineJob& job) {
    for (const JobBuffer& buffer : job.buffers) buffers_.push_back(&buffer);
    std::sort(buffers_.begin(), buffers_.end(),
              [](const JobBuffer* a, const JobBuffer* b) { return a->address < b->address; });
    if (!buffers_.empty()) memory_ = DeviceMemory(buffers_.front()->address);
  }
  // "" or the buffer that cannot stand at its address.
  std::string fill() {
    for (const JobBuffer* buffer : buffers_) {
      const std::string& bytes = *buffer->before;
      const auto address = memory_.allocate(bytes.size(), buffer->name);
      if (!address || *address != buffer->address) return buffer->name;
      if (!bytes.empty()) std::memcpy(memory_.find(*address, bytes.size())->bytes, bytes.data(), bytes.size());
    }
    return "";
  }
  std::string_view held(const JobBuffer& buffer) const {
    const std::size_t size = buffer.before->size();
    if (size == 0) return {};
    return {reinterpret_cast<const char*>(memory_.find(buffer.address, size)->bytes), size};
  }
  DeviceMemory& memory() { return memory_; }

 private:
  std::vector<const JobBuffer*> buffers_;  // by address
  DeviceMemory memory_;
};

std::vector<std::byte> passed(const MachineJob& job) {
  std::vector<std::byte> params(job.params.size());
  if (!params.empty()) std::memcpy(params.data(), job.params.data(), params.size());
  for (const JobBuffer& buffer : job.buffers)
    store_bits(params.data() + buffer.param_offset, buffer.address, sizeof buffer.address);
  return params;
}

JobRefusal refusal_of(const sass::CodeRefusal& why, const sass::CodeSection& section) {
  JobRefusal out{why.message, ""};
  if (const auto insn = sass::instruction_of(section, why))
    out.where = "at " + hexadecimal_text(insn->address) + ", " + text_of(*insn);
  return out;
}

}  // namespace

L2Map l2_of(const MachineJob& job, unsigned place, const L2Map& all) {
  const JobPlaces places(job, place + 1);
  const auto own =
      std::find_if(places.buffers.begin(), places.buffers.end(), [](const auto& one) { return !one.is_shared; });
  const std::uint64_t begin = place * places.stride / L2Map::kPiece, end = begin + places.stride / L2Map::kPiece;
  if (own == places.buffers.end() || end > all.first.size()) return {};
  const auto part = [&](const std::vector<std::uint16_t>& of) {
    return std::vector<std::uint16_t>(of.begin() + static_cast<std::ptrdiff_t>(begin),
                                      of.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {own->buffer->address - own->offset, part(all.first), part(all.again)};
}

std::variant<SimulatedJob, JobRefusal> simulate_machine_job(const MachineJob& job, const sass::Cubin& cubin,
                                                            const TimingProfile& profile, const SimulatedLaunch& as) {
  const auto section = std::find_if(cubin.sections.begin(), cubin.sections.end(),
                                    [&job](const auto& one) { return one.is_entry && one.name == job.entry; });
  if (section == cubin.sections.end()) return JobRefusal{"its machine code has no kernel " + job.entry, ""};
  if (!profile.machine_code) return JobRefusal{"the profile has no numbers for machine code", ""};
  JobMemory memory(job);
  if (const std::string name = memory.fill(); !name.empty()) return JobRefusal{"there is no room for " + name, ""};
  sass::CodeLaunch launch{job.grid, job.block, job.shared_bytes, passed(job), &memory.memory()};
  launch.is_first = as.is_first;
  launch.l2 = as.l2;
  launch.is_cold = job.cold;  // else what it reads was copied to the GPU before, through L2
  const sass::CodeRun run = sass::run_code(cubin, *section, launch, profile, {}, kMostJobCycles);
  if (run.refusal) return refusal_of(*run.refusal, *section);
  std::string_view begin, end, sm;
  for (const JobBuffer& buffer : job.buffers) {
    const std::string_view held = memory.held(buffer);
    if (buffer.name == "clock_begin") begin = held;
    else if (buffer.name == "clock_end") end = held;
    else if (buffer.name == "clock_sm") sm = held;
    else if (!job.may_differ && held != *buffer.after) return JobRefusal{"leaves other values in " + buffer.name, ""};
  }
  return SimulatedJob{warp_clocks(job, begin, end, sm), run.instructions};
}

}  // namespace warpsim::tools
