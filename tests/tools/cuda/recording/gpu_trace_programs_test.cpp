// Every program, as a GPU's threads would have written it down: the trace made of that says what the simulator's says.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>

#include "isa/assembly/assembler.h"
#include "isa/program/expand.h"
#include "programs/embedded.h"
#include "tests/support/gpu_log.h"
#include "tests/support/program_run.h"
#include "tools/cuda/recording/gpu_trace.h"
#include "traces/compare/compare.h"

namespace warpsim::testing {
namespace {

constexpr const char* kDevice = "a GPU";

// One run in the simulator, and what a GPU would have recorded of it.
struct BothTraces {
  std::optional<Program> program;  // collectives expanded
  std::optional<Machine> machine;
  PreparedCase prepared;
  Trace simulated;
  GpuLogWriter writer;
  GpuLog log;
  GpuOutcome outcome;

  Trace of_gpu() const { return gpu_trace(*machine, log, outcome); }
};

// False where the case does not run with so many lanes.
bool run_both(BothTraces& both, const Program& program, const Case& one, unsigned lanes) {
  both.program = expand_collectives(program, lanes);
  CaseOverrides overrides;
  overrides.lanes = lanes;
  auto prepared = prepare_case(*both.program, one, overrides);
  if (std::holds_alternative<LaunchError>(prepared)) return false;
  both.prepared = std::get<PreparedCase>(std::move(prepared));
  auto made = Machine::create(*both.program, both.prepared.config, both.prepared.arguments);
  if (std::holds_alternative<LaunchError>(made)) return false;
  both.machine = std::get<Machine>(std::move(made));
  RecorderOptions options;
  options.case_name = one.name;
  options.expected = both.prepared.expected;
  Recorder recorder(options);
  EventSink* const sinks[] = {&recorder, &both.writer};
  if (!both.machine->run(sinks).ok) return false;
  both.simulated = recorder.take();
  both.log = both.writer.log();
  both.outcome = {kDevice, one.name, {}, both.prepared.expected};
  for (const Param& p : both.program->params)
    if (p.is_buffer()) both.outcome.buffers[p.name] = both.machine->buffer(p.name);
  return true;
}

// What one lane did, instruction by instruction. A fact that the simulator calls undefined is empty: hardware may have
// anything there.
using Facts = std::vector<std::optional<std::uint64_t>>;
using Lane = std::array<std::uint32_t, 3>;  // block, warp, lane

void add_memory(Facts& facts, const TraceMemory& m, unsigned lane, std::size_t k) {
  facts.insert(facts.end(), {m.is_shared(), m.writes(), m.bytes, m.elements});
  facts.insert(facts.end(), {m.address[k], static_cast<std::uint64_t>(m.object[k]),  //
                             static_cast<std::uint64_t>(m.index[k]), static_cast<std::uint64_t>(m.type)});
  for (unsigned e = 0; e < m.elements; ++e)
    facts.push_back(has_lane(m.undefined[e], lane) ? std::nullopt : std::optional(m.bits[k * m.elements + e]));
}
std::size_t place(LaneMask lanes, unsigned lane) { return count_lanes(lanes & (lane_bit(lane) - 1)); }

std::map<Lane, std::vector<Facts>> by_lane(const Trace& trace) {
  std::map<Lane, std::vector<Facts>> lanes;
  for (const TraceEvent& event : trace.events)
    for_each_lane(event.group, [&](unsigned lane) {
      Facts facts{static_cast<std::uint64_t>(event.pc), has_lane(event.active, lane)};
      if (const auto& x = event.exchange; x && has_lane(x->lanes, lane)) {
        facts.push_back(has_lane(x->undefined, lane) ? std::nullopt
                                                     : std::optional<std::uint64_t>(x->from[place(x->lanes, lane)]));
        facts.push_back(has_lane(x->in_range, lane));
      }
      if (const auto& m = event.memory; m && m->access != TraceMemory::Access::Atomic && has_lane(m->lanes, lane))
        add_memory(facts, *m, lane, place(m->lanes, lane));
      for (const TraceWrite& w : event.writes) {
        if (!has_lane(w.lanes, lane) || trace.head.registers[static_cast<std::size_t>(w.reg)].name == kCarryFlag)
          continue;
        facts.push_back(static_cast<std::uint64_t>(w.reg));
        facts.push_back(has_lane(w.undefined, lane) ? std::nullopt : std::optional(w.bits[place(w.lanes, lane)]));
      }
      lanes[{event.block, event.warp, lane}].push_back(facts);
    });
  return lanes;
}

bool agree(const Facts& simulated, const Facts& gpu) {
  if (simulated.size() != gpu.size()) return false;
  for (std::size_t k = 0; k < simulated.size(); ++k)
    if (simulated[k] && gpu[k] && *simulated[k] != *gpu[k]) return false;
  return true;
}

// More than first_difference() compares: also exchanges, memory and the lanes that a guard switches off.
std::string difference_by_lane(const Trace& simulated, const Trace& gpu) {
  const auto one = by_lane(simulated), two = by_lane(gpu);
  if (one.size() != two.size()) return "they have different lanes";
  for (const auto& [lane, steps] : one) {
    const std::string who = "block " + std::to_string(lane[0]) + ", warp " + std::to_string(lane[1]) + ", lane " +
                            std::to_string(lane[2]) + ": ";
    const auto found = two.find(lane);
    if (found == two.end()) return who + "missing";
    if (found->second.size() != steps.size()) return who + "executes another number of instructions";
    for (std::size_t k = 0; k < steps.size(); ++k)
      if (!agree(steps[k], found->second[k]))
        return who + "step " + std::to_string(k) + ", pc " + std::to_string(*steps[k][0]);
  }
  return "";
}

// What there was to get wrong.
struct Seen {
  unsigned runs = 0, divergent = 0, shared = 0, atomics = 0, expanded = 0, warps = 0, blocks = 0, partial = 0;

  void add(const Program& program, const BothTraces& both) {
    const Trace& t = both.simulated;
    const auto any = [&](auto what) { return std::any_of(t.events.begin(), t.events.end(), what) ? 1U : 0U; };
    ++runs;
    divergent += any([](const TraceEvent& e) {
      return std::any_of(e.masks.begin(), e.masks.end(), [](const TraceMask& m) {
        return m.kind == TraceMask::Kind::Branch && m.taken != 0 && m.not_taken != 0;
      });
    });
    shared += any([](const TraceEvent& e) { return e.memory && e.memory->is_shared(); });
    atomics += any([](const TraceEvent& e) { return e.memory && e.memory->access == TraceMemory::Access::Atomic; });
    expanded += both.program->code.size() != program.code.size() ? 1 : 0;
    warps += t.head.block.count() > t.head.lanes ? 1 : 0;
    blocks += t.head.grid.count() > 1 ? 1 : 0;
    partial += t.head.block.count() % t.head.lanes != 0 ? 1 : 0;
  }
};

TEST(GpuTracePrograms, TheTraceOfALogSaysWhatTheSimulatorsSays) {
  Seen seen;
  for (const EmbeddedProgram& each : embedded_programs()) {
    if (shows_mistakes(each.group)) continue;
    const Assembled assembled = assemble(std::string(each.text), std::string(each.name), std::string(each.group));
    ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
    for (const Case& one : assembled.program->cases)
      for (const unsigned lanes : lane_counts(*assembled.program, one)) {
        BothTraces both;
        if (lanes > 32 || (lanes != 8 && lanes != 32 && one.find("lanes") == nullptr)) continue;
        if (!run_both(both, *assembled.program, one, lanes)) continue;
        const std::string who = assembled.program->full_name() + " " + one.name + " at " + std::to_string(lanes);
        ASSERT_EQ(both.writer.complaints(), "") << who;
        const Trace gpu = both.of_gpu();
        ASSERT_EQ(first_difference(both.simulated, gpu).value_or(""), "") << who;
        ASSERT_EQ(difference_by_lane(both.simulated, gpu), "") << who;
        for (const TraceEvent& e : gpu.events) ASSERT_FALSE(e.cycle.has_value()) << who;
        EXPECT_EQ(gpu.outcome.passed, both.simulated.outcome.passed) << who;
        seen.add(*assembled.program, both);
      }
  }
  EXPECT_GE(seen.runs, 100U);
  for (const unsigned count :
       {seen.divergent, seen.shared, seen.atomics, seen.expanded, seen.warps, seen.blocks, seen.partial})
    EXPECT_GE(count, 3U);
}

struct Falsified {
  const char* program;
  const char* one;
  unsigned lanes;
  const char* op;  // the first instruction with this mnemonic …
  std::size_t k;   // … in its k-th execution by
  unsigned lane;
  std::uint64_t flip;
  const char* said;  // after "pc N "
};

void PrintTo(const Falsified& one, std::ostream* out) { *out << one.program << " " << one.op << " " << one.k; }

class GpuTraceFalsified : public ::testing::TestWithParam<Falsified> {};

TEST_P(GpuTraceFalsified, OneWrongWordIsNamed) {
  const Falsified& f = GetParam();
  const Assembled assembled = assemble_program(f.program);
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  BothTraces both;
  ASSERT_TRUE(run_both(both, *assembled.program, *assembled.program->find_case(f.one), f.lanes));
  std::int32_t pc = 0;
  while (std::string(info(both.program->code[static_cast<std::size_t>(pc)].op).mnemonic) != f.op) ++pc;
  both.log.words[both.writer.word_of(pc, f.lane, f.k, both.log)] ^= f.flip;
  EXPECT_EQ(first_difference(both.simulated, both.of_gpu()).value_or("no difference"),
            "pc " + std::to_string(pc) + " " + f.said);
}

INSTANTIATE_TEST_SUITE_P(All, GpuTraceFalsified,
                         ::testing::Values(
                             // Inputs 0 2 4 6 8 10 12 1000: lane 3 reads lane 7 first, and holds 1000 from then on.
                             Falsified{"p26/butterfly_parallel_max", "worked", 8, "max", 0, 3, 0x80000000,
                                       "max, execution 1: lane 3 holds 1000.0, the other holds -1000.0"},
                             Falsified{"p26/butterfly_parallel_max", "worked", 8, "max", 2, 0, 0x80000000,
                                       "max, execution 3: lane 0 holds 1000.0, the other holds -1000.0"},
                             // No warp has used the counter before the only one, so it held 0; lane 0
                             // sends it to the others, by a shuffle that the broadcast becomes.
                             Falsified{"coord/aggregated_atomics", "worked", 8, "atom.global.add", 0, 0, 4,
                                       "atom.global.add, execution 1: lane 0 holds 0, the other holds 4"},
                             Falsified{"coord/aggregated_atomics", "worked", 8, "shfl.idx", 0, 5, 1,
                                       "shfl.idx, execution 1: lane 5 holds 0, the other holds 1"}),
                         [](const auto& one) { return "Number" + std::to_string(one.index); });

}  // namespace
}  // namespace warpsim::testing
