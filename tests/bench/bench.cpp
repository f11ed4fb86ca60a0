// Benchmarks: the interpreter on the `iter` workload beside its hand-written ceiling, what checking costs there and in
// a workload with shared memory and barriers, and trace writing.
//
//   build/release/warpsim_bench                                  everything, then the ratios
//   build/release/warpsim_bench --benchmark_filter=cost          what checking costs, only
//   build/release/warpsim_bench --benchmark_filter=iter          the interpreter and its ceiling only
//   build/release/warpsim_bench --benchmark_filter=timed         runs with the profile h200, by warps of one block
//   build/release/warpsim_bench --benchmark_filter=kernels       kernels from CUDA C++ by the interpreter, as machine
//                                                                code, checked, as OpenCL by PoCL if it is installed,
//                                                                and some as C++
//   build/release/warpsim_bench --benchmark_filter=machine_code  machine code for sm_90, executed, and timed as well
//
// Units:  instructions/s are warp instructions. useful/s counts 10 instructions a butterfly (5 shuffles, 5 max) for
//         each iteration of each warp; additions and loop control are not counted, neither here nor in the ceiling.
//         bytes/s of the trace counts JSON text.
// Errors: exit code 1 where one of two that are compared is wrong: the results are compared first.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/exec/environment.h"
#include "isa/assembly/assembler.h"
#include "sim/check/checker.h"
#include "sim/code/lane_ops.h"
#include "sim/machine/machine.h"
#include "tests/bench/ceiling.h"
#include "tests/bench/kernels.h"
#include "tests/bench/machine_code.h"
#include "tests/bench/ratios.h"
#include "traces/io/writer.h"
#include "traces/profile/builtin_profiles.h"
#include "traces/record/recorder.h"

namespace {

using namespace warpsim;

constexpr unsigned kLanes = 32;
constexpr unsigned kIterations = 1000;
constexpr std::size_t kWarps = 1024;
constexpr double kUsefulAWarp = 10.0 * kIterations;

// v = 0; c = in; 1000 × { v = v + c; 5 × (shfl.bfly 16, 8, 4, 2, 1; max) }; store
constexpr const char* kIter = R"(
.kernel iter (in input: u32[], out output: u32[])
        ld.global.u32   %c, input[%gtid]
        mov.u32         %v, 0
        mov.u32         %n, 1000
again:  add.u32         %v, %v, %c
        shfl.bfly.b32   %o, %v, 16
        max.u32         %v, %v, %o
        shfl.bfly.b32   %o, %v, 8
        max.u32         %v, %v, %o
        shfl.bfly.b32   %o, %v, 4
        max.u32         %v, %v, %o
        shfl.bfly.b32   %o, %v, 2
        max.u32         %v, %v, %o
        shfl.bfly.b32   %o, %v, 1
        max.u32         %v, %v, %o
        sub.u32         %n, %n, 1
        setp.ne.u32     %more, %n, 0
        @%more bra      again
        st.global.u32   output[%gtid], %v
        exit
)";

// 200 × { each thread puts its value down; barrier; it adds its neighbour's; barrier }
constexpr const char* kShared = R"(
.kernel shared (in input: u32[], out output: u32[])
.shared u32 tile[1024]
        ld.global.u32   %v, input[%gtid]
        add.u32         %next, %tid.x, 1
        sub.u32         %last, %ntid.x, 1
        and.b32         %next, %next, %last
        mov.u32         %n, 200
again:  st.shared.u32   tile[%tid.x], %v
        bar.sync        0
        ld.shared.u32   %other, tile[%next]
        bar.sync        0
        add.u32         %v, %v, %other
        xor.b32         %v, %v, %n
        sub.u32         %n, %n, 1
        setp.ne.u32     %more, %n, 0
        @%more bra      again
        st.global.u32   output[%gtid], %v
        exit
)";

Lesson assemble_or_die(const char* text) {
  Assembled assembled = assemble(text, "bench.warp");
  if (!assembled.lesson()) {
    std::fputs(assembled.diagnostics.render().c_str(), stderr);
    std::exit(70);
  }
  return *assembled.lesson();
}

std::vector<std::uint32_t> inputs() {
  std::vector<std::uint32_t> in(kWarps * kLanes);
  std::uint32_t state = 12345;
  for (std::uint32_t& v : in) v = (state = state * 1664525 + 1013904223) >> 12;
  return in;
}

Machine make_machine(const Lesson& program, std::size_t warps, std::uint32_t warps_a_block = 1,
                     std::shared_ptr<const TimingProfile> timing = nullptr, const Schedule& schedule = {}) {
  LaunchConfig config;
  config.schedule = schedule;
  config.timing = std::move(timing);
  config.max_cycles = std::uint64_t{1} << 40;
  config.lanes = kLanes;
  config.grid.x = static_cast<std::uint32_t>(warps) / warps_a_block;
  config.block.x = warps_a_block * kLanes;
  Arguments arguments;
  const std::vector<std::uint32_t> in = inputs();
  arguments.buffers["input"] = {Type::U32, {in.begin(), in.begin() + static_cast<std::ptrdiff_t>(warps * kLanes)}};
  arguments.buffers["output"] = {Type::U32, std::vector<std::uint64_t>(warps * kLanes)};
  std::variant<Machine, LaunchError> made = Machine::create(program, config, arguments);
  if (LaunchError* e = std::get_if<LaunchError>(&made)) {
    std::fprintf(stderr, "%s\n", e->message.c_str());
    std::exit(70);
  }
  return std::move(std::get<Machine>(made));
}

void iter_warpsim(benchmark::State& state) {
  const Lesson program = assemble_or_die(kIter);
  for (auto _ : state) {
    state.PauseTiming();
    Machine machine = make_machine(program, kWarps);
    state.ResumeTiming();
    benchmark::DoNotOptimize(machine.run().cycles);
  }
  state.counters["useful/s"] = benchmark::Counter(kUsefulAWarp * kWarps, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::string(host_isa()));
}
BENCHMARK(iter_warpsim)->Unit(benchmark::kMillisecond)->MinTime(1.0);

void iter_ceiling(benchmark::State& state) {
  const std::vector<std::uint32_t> in = inputs();
  std::vector<std::uint32_t> out(in.size());
  for (auto _ : state) {
    ceiling(in.data(), out.data(), kWarps, kIterations, false);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.counters["useful/s"] = benchmark::Counter(kUsefulAWarp * kWarps, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::string(ceiling_isa()));
}
BENCHMARK(iter_ceiling)->Unit(benchmark::kMillisecond)->MinTime(1.0);

void cost(benchmark::State& state, const char* text, std::size_t warps, std::uint32_t warps_a_block, bool checks) {
  const Lesson program = assemble_or_die(text);
  for (auto _ : state) {
    state.PauseTiming();
    Machine machine = make_machine(program, warps, warps_a_block);
    Checker checker;
    EventSink* const sinks[] = {&checker};
    state.ResumeTiming();
    benchmark::DoNotOptimize((checks ? machine.run(sinks) : machine.run()).cycles);
    if (checks && !checker.found().empty()) state.SkipWithError("a correct program, and something was found");
  }
}
BENCHMARK_CAPTURE(cost, iter_unchecked, kIter, kWarps, 1, false)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(cost, iter_checked, kIter, kWarps, 1, true)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(cost, shared_unchecked, kShared, 64, 8, false)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(cost, shared_checked, kShared, 64, 8, true)->Unit(benchmark::kMillisecond)->MinTime(1.0);

// The unchecked runs of `cost`, with schedule `blocks`.
void blocks(benchmark::State& state, const char* text, std::size_t warps, std::uint32_t warps_a_block) {
  const Lesson program = assemble_or_die(text);
  for (auto _ : state) {
    state.PauseTiming();
    Machine machine = make_machine(program, warps, warps_a_block, nullptr, kBlocksSchedule);
    state.ResumeTiming();
    benchmark::DoNotOptimize(machine.run().cycles);
  }
}
BENCHMARK_CAPTURE(blocks, iter, kIter, kWarps, 1)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(blocks, shared, kShared, 64, 8)->Unit(benchmark::kMillisecond)->MinTime(1.0);

// One block of so many warps on one SM, with the profile h200.
void timed(benchmark::State& state, const char* text, std::size_t warps) {
  const Lesson program = assemble_or_die(text);
  const std::optional<ProfileFile> h200 = builtin_profile("h200");
  const auto timing = std::make_shared<TimingProfile>(h200->bounds.front());
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Machine machine = make_machine(program, warps, static_cast<std::uint32_t>(warps), timing);
    state.ResumeTiming();
    instructions = machine.run().instructions;
  }
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(timed, iter_1_warp, kIter, 1)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(timed, iter_8_warps, kIter, 8)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(timed, iter_32_warps, kIter, 32)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(timed, shared_1_warp, kShared, 1)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(timed, shared_8_warps, kShared, 8)->Unit(benchmark::kMillisecond)->MinTime(1.0);
BENCHMARK_CAPTURE(timed, shared_32_warps, kShared, 32)->Unit(benchmark::kMillisecond)->MinTime(1.0);

void trace_json(benchmark::State& state) {
  const Lesson program = assemble_or_die(kIter);
  Machine machine = make_machine(program, 4);
  Recorder recorder;
  EventSink* const sinks[] = {&recorder};
  machine.run(sinks);
  const Trace trace = recorder.take();
  std::size_t size = 0;
  for (auto _ : state) {
    const std::string text = to_json(trace);
    size = text.size();
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(size));
}
BENCHMARK(trace_json)->Unit(benchmark::kMillisecond);

// The same bits, or the comparison means nothing.
bool ceiling_agrees() {
  const Lesson program = assemble_or_die(kIter);
  Machine machine = make_machine(program, kWarps);
  machine.run();
  const std::vector<std::uint32_t> in = inputs();
  std::vector<std::uint32_t> out(in.size());
  ceiling(in.data(), out.data(), kWarps, kIterations, false);
  const Array simulated = machine.buffer("output");
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (simulated.bits[k] != out[k]) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  warpsim::host::heed_environment();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (ceiling_isa() != "none" && !ceiling_agrees()) {
    std::fputs("the hand-written loop and the simulator give different bits\n", stderr);
    return 1;
  }
  warpsim::bench::add_kernels();
  warpsim::bench::add_machine_code();
  warpsim::bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  return reporter.has_failed() ? 1 : 0;
}
