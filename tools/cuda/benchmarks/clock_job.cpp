#include "tools/cuda/benchmarks/clock_job.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "isa/assembly/assembler.h"
#include "isa/program/expand.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "sim/machine/machine.h"
#include "tools/cuda/benchmarks/clocked_whole.h"

namespace warpsim {
namespace {

std::variant<Machine, std::string> run_region(const ClockJob& job, std::shared_ptr<const TimingProfile> timing,
                                              unsigned passes) {
  LaunchConfig config = job.prepared.config;
  config.timing = std::move(timing);
  Arguments arguments = job.prepared.arguments;
  if (!job.whole) arguments.scalars["clock_passes"] = passes;
  auto created = Machine::create(job.clocked.program, config, arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) return error->message;
  if (!std::get<Machine>(created).run().ok) return std::string("its run traps");
  return std::get<Machine>(std::move(created));
}

}  // namespace

std::variant<ClockJob, NotClocked> make_clock_job(const Lesson& program, const Case& one, Clocks clocks,
                                                  const CaseOverrides& launch) {
  const std::vector<unsigned> lanes = lane_counts(program, one);
  if (std::find(lanes.begin(), lanes.end(), kPtxLanes) == lanes.end())
    return NotClocked{"its case `" + one.name + "` does not run at 32 lanes"};
  const Lesson expanded = expand_collectives(program, kPtxLanes);
  ClockJob job;
  job.whole = clocks == Clocks::Whole;
  auto with_clocks = job.whole ? clocked_whole(expanded) : clocked(expanded);
  if (const NotClocked* why = std::get_if<NotClocked>(&with_clocks)) return *why;
  job.clocked = std::get<ClockedProgram>(std::move(with_clocks));
  CaseOverrides overrides = launch;
  overrides.lanes = kPtxLanes;
  auto prepared = prepare_case(job.clocked.program, one, overrides);
  if (const LaunchError* error = std::get_if<LaunchError>(&prepared)) return NotClocked{error->message};
  job.prepared = std::get<PreparedCase>(std::move(prepared));
  LaunchConfig& config = job.prepared.config;
  if (config.block.x == 0) config.block.x = kPtxLanes;
  job.warps = static_cast<unsigned>((config.block.count() + kPtxLanes - 1) / kPtxLanes);
  if (config.grid.count() != 1) return NotClocked{"it runs in several blocks"};
  if (job.warps > kMostClockedWarps) return NotClocked{"its block has too many warps"};
  PtxOptions options;
  options.block = config.block;
  options.keeps_loops = true;
  const auto written = write_ptx(job.clocked.program, options);
  if (const PtxUnsupported* why = std::get_if<PtxUnsupported>(&written)) return NotClocked{why->message};
  const PtxKernel& kernel = std::get<PtxKernel>(written);
  job.name = program.full_name();
  job.cls = "programs";
  job.set = KernelSet::Test;
  job.entry = kernel.entry;
  job.ptx = ptx_module({&kernel, 1});
  job.dynamic_shared_bytes = kernel.dynamic_shared ? kernel.shared_bytes : 0;
  return job;
}

std::optional<ClockJob> make_clock_job(const MicroBenchmark& one) {
  const Assembled assembled = assemble(one.text, one.name);
  if (assembled.lesson() == nullptr) return std::nullopt;
  auto made = make_clock_job(*assembled.lesson(), assembled.lesson()->cases.front(),
                             one.whole ? Clocks::Whole : Clocks::Region);
  if (std::holds_alternative<NotClocked>(made)) return std::nullopt;
  ClockJob job = std::get<ClockJob>(std::move(made));
  job.name = one.name;
  job.cls = one.cls;
  job.set = one.set;
  job.cold = one.cold;
  job.passes = one.passes;
  if (!job.whole) job.prepared.arguments.scalars["clock_passes"] = job.passes;
  return job;
}

std::vector<ClockJob> micro_benchmark_jobs() {
  std::vector<ClockJob> jobs;
  for (const MicroBenchmark& one : micro_benchmarks())
    if (std::optional<ClockJob> job = make_clock_job(one)) jobs.push_back(std::move(*job));
  return jobs;
}

std::optional<ClockJob> micro_benchmark_job(std::string_view name) {
  for (const MicroBenchmark& one : micro_benchmarks())
    if (one.name == name) return make_clock_job(one);
  return std::nullopt;
}

std::uint64_t region_cycles(const Array& begin, const Array& end) {
  // Clocks of 32 bits wrap round, every other second: they are compared with the first warp's.
  const auto since = [&](std::uint64_t clock) { return static_cast<std::int32_t>(clock - begin.bits.front()); };
  std::int32_t first = std::numeric_limits<std::int32_t>::max(), last = std::numeric_limits<std::int32_t>::min();
  for (std::size_t warp = 0; warp < end.bits.size() && warp < begin.bits.size(); ++warp) {
    if (end.bits[warp] == 0) continue;
    first = std::min(first, since(begin.bits[warp]));
    last = std::max(last, since(end.bits[warp]));
  }
  return last > first ? static_cast<std::uint64_t>(last - first) : 0;
}

std::variant<SimulatedRegion, std::string> simulate_region(const ClockJob& job,
                                                           std::shared_ptr<const TimingProfile> timing,
                                                           unsigned passes) {
  auto ran = run_region(job, std::move(timing), passes);
  if (const std::string* why = std::get_if<std::string>(&ran)) return *why;
  const Machine& machine = std::get<Machine>(ran);
  SimulatedRegion region;
  for (const Param& p : job.clocked.program.params)
    if (p.is_buffer()) region.buffers[p.name] = machine.buffer(p.name);
  region.cycles = region_cycles(region.buffers["clock_begin"], region.buffers["clock_end"]);
  return region;
}

std::variant<std::uint64_t, std::string> simulate_cycles(const ClockJob& job,
                                                         std::shared_ptr<const TimingProfile> timing) {
  auto ran = run_region(job, std::move(timing), kModelPasses);
  if (const std::string* why = std::get_if<std::string>(&ran)) return *why;
  const Machine& machine = std::get<Machine>(ran);
  return region_cycles(machine.buffer("clock_begin"), machine.buffer("clock_end"));
}

}  // namespace warpsim
