// See machine_code.h.
#include "tests/bench/machine_code.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/sass/cubin.h"
#include "sim/memory/device_memory.h"
#include "sim/sass/code_run.h"
#include "tests/bench/kernel.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::bench {
namespace {

constexpr std::uint64_t kCycles = 200'000, kInstructions = 400'000;  // at most; then a run is long enough

const sass::Cubin& cubin() {
  static const sass::Cubin the = [] {
    std::ifstream in(WARPSIM_SOURCE_DIR "/tests/bench/kernels/kernels.cubin", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    auto read = sass::read_cubin(std::as_bytes(std::span(bytes)));
    auto* const cubin = std::get_if<sass::Cubin>(&read);
    return cubin == nullptr ? sass::Cubin{} : std::move(*cubin);
  }();
  return the;
}

void pass(std::vector<std::byte>& params, const void* value, std::size_t bytes) {
  const std::size_t at = (params.size() + bytes - 1) / bytes * bytes;
  params.resize(at + bytes);
  std::memcpy(params.data() + at, value, bytes);
}

// A launch with memory of its own; no section: the cubin does not have the kernel.
struct Launch {
  explicit Launch(const Kernel& of) {
    for (const sass::CodeSection& one : cubin().sections)
      if (one.is_entry && one.name == of.entry()) section = &one;
    for (const Parameter& one : of.parameters) {
      if (const Bytes* const bytes = std::get_if<Bytes>(&one)) {
        const std::uint64_t address = memory.allocate(bytes->size(), of.name).value_or(0);
        std::memcpy(memory.find(address, bytes->size())->bytes, bytes->data(), bytes->size());
        pass(launch.params, &address, sizeof address);
      } else if (const std::uint32_t* const word = std::get_if<std::uint32_t>(&one)) {
        pass(launch.params, word, sizeof *word);
      } else {
        pass(launch.params, &std::get<float>(one), sizeof(float));
      }
    }
    launch.grid = of.grid;
    launch.block = of.block;
    launch.memory = &memory;
  }
  DeviceMemory memory;
  sass::CodeLaunch launch;
  const sass::CodeSection* section = nullptr;
};

// Warps in turn, an instruction each; blocks begin where others have ended. Gives the instructions; 0: it was refused.
std::uint64_t execute(const Launch& of, std::uint32_t slots) {
  auto created = sass::CodeMachine::create(cubin(), *of.section, of.launch, slots);
  auto* const machine = std::get_if<sass::CodeMachine>(&created);
  if (machine == nullptr) return 0;
  const std::uint32_t warps = machine->warps_per_block();
  std::uint64_t begun = 0, count = 0;
  sass::CodeStep step;
  for (bool goes_on = true; goes_on && count < kInstructions;) {
    goes_on = false;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const std::uint32_t first = slot * warps;
      bool is_over = true;
      for (std::uint32_t warp = first; warp < first + warps && begun != 0; ++warp) {
        is_over = is_over && machine->next(warp) == sass::CodeMachine::kEnded;
        if (machine->next(warp) < 0) continue;
        if (!machine->step(warp, ++count, step)) return 0;
        goes_on = true;
      }
      if (!is_over || begun == of.launch.grid.count()) continue;
      machine->begin_block(slot, static_cast<std::uint32_t>(begun++));
      goes_on = true;
    }
  }
  return count;
}

// The same with the clock, until kCycles; nobody waits so long that nothing issues for a tenth of that.
std::uint64_t time(const Launch& of, const TimingProfile& profile) {
  const sass::CodeRun run = sass::run_code(cubin(), *of.section, of.launch, profile, {}, kCycles);
  const bool is_stopped = run.cycles > kCycles / 10 * 9;
  return run.refusal && !is_stopped ? 0 : run.instructions;
}

void measure(benchmark::State& state, const Kernel& of, std::uint32_t slots, bool is_timed) {
  TimingProfile profile = builtin_profile("h200")->bounds.front();
  profile.sm.sms = 1;
  profile.sm.max_blocks = slots;
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const Launch launch(of);
    state.ResumeTiming();
    if (launch.section != nullptr) instructions = is_timed ? time(launch, profile) : execute(launch, slots);
    if (instructions == 0) return state.SkipWithError("its machine code is not there, or was refused");
  }
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void add_machine_code() {
  static const std::vector<Kernel> all = kernels();
  for (const Kernel& one : all) {
    const auto warps = static_cast<std::uint32_t>((one.block.count() + sass::kLanes - 1) / sass::kLanes);
    for (const std::uint32_t together : {8U, 32U}) {
      if (together < warps) continue;
      const std::string title = std::string("machine_code/") + one.name + "/" + std::to_string(together) + "_warps/";
      for (const bool is_timed : {false, true})
        benchmark::RegisterBenchmark(
            (title + (is_timed ? "timed" : "executed")).c_str(),
            [&of = one, slots = together / warps, is_timed](benchmark::State& s) { measure(s, of, slots, is_timed); })
            ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace warpsim::bench
