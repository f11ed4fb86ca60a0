// Schedule `blocks`: the order of its turns, that everybody gets on, and that a run is the same watched or not.
//
// Units:  cycles are issues of the whole machine.
// Source: sim/README.md, "Schedules".
#include "sim/machine/block_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/block_runs.h"
#include "tests/support/every_run.h"
#include "tests/support/record_text.h"
#include "tests/support/run.h"
#include "tests/support/small_profile.h"
#include "tests/support/spin_lock.h"
#include "tools/fuzz/random/random_program.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace block_turns_test {

using testing::expect_alike;
using testing::expect_alike_each_way;
using testing::in_blocks;
using testing::kSpinLock;
using testing::LongestWait;
using testing::Ran;
using testing::run_each_way;
using testing::run_text;
using testing::RunSetup;
using testing::Some;
using Words = std::vector<std::uint64_t>;

// Which warp issued, in the order of the run: "0.1" is warp 1 of block 0.
struct Order : EventSink {
  void on_issue(const IssueEvent& event) override {
    EXPECT_EQ(event.cycle, warps.size() + 1) << "an issue's cycle is its number";
    warps.push_back(std::to_string(event.block) + "." + std::to_string(event.warp));
  }
  std::string text() const {
    std::string all;
    for (const std::string& one : warps) all += (all.empty() ? "" : " ") + one;
    return all;
  }
  // "0.0 x3, 0.1 x1"
  std::string turns() const {
    std::string all;
    for (std::size_t k = 0, n = 0; k < warps.size(); k += n) {
      for (n = 1; k + n < warps.size() && warps[k + n] == warps[k];) ++n;
      all += (all.empty() ? "" : ", ") + warps[k] + " x" + std::to_string(n);
    }
    return all;
  }
  std::vector<std::string> warps;
};

std::string turns_of(const std::string& text, RunSetup setup) {
  Order order;
  setup.sinks = {&order};
  const Ran ran = run_text(text, setup);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.result.cycles, order.warps.size());
  EXPECT_EQ(ran.result.instructions, order.warps.size());
  return order.turns();
}

TEST(BlockTurns, AWarpRunsUntilItWaits) {
  const RunSetup setup = in_blocks({.lanes = 4, .grid = {3, 1, 1}, .block = {8, 1, 1}, .resident_blocks = 2});
  EXPECT_EQ(turns_of(".kernel k ()\n mov.u32 %a, 1\n bar.sync 0\n exit\n", setup),
            "0.0 x2, 0.1 x3, 0.0 x1, 1.0 x2, 1.1 x3, 1.0 x1, 2.0 x2, 2.1 x3, 2.0 x1")
      << "a block goes on behind its barrier; block 2 begins where block 0 ended, after those that were there";
}

// Two blocks of two warps: the first loops until the second has set the flag, each round through `in_loop`.
std::string turns_until_flag(const std::string& in_loop) {
  const std::string text = R"(.kernel k (inout flag: u32[1])
    setp.ne.u32 %other, %ctaid.x, 0
    @%other bra set
wait:
)" + in_loop + R"(    ld.global.u32 %f, flag[0]
    setp.eq.u32 %unset, %f, 0
    @%unset bra wait
set: st.global.u32 flag[0], 1
    exit
)";
  return turns_of(text, in_blocks({.lanes = 1,
                                   .grid = {2, 1, 1},
                                   .block = {2, 1, 1},
                                   .max_cycles = kNoCycleLimit,
                                   .buffers = {{"flag", {0}}}}));
}

TEST(BlockTurns, ABlockThatSpinsGivesWay) {
  EXPECT_EQ(turns_until_flag("").substr(0, 43), "0.0 x4096, 0.1 x4096, 1.0 x4, 1.1 x4, 0.0 x");
}

TEST(BlockTurns, ABlockWhoseBarriersSpinGivesWay) {
  const std::string turns = turns_until_flag("    bar.sync 0\n");
  const std::string before = turns.substr(0, turns.find("1.0"));
  EXPECT_EQ(std::count(before.begin(), before.end(), ','), 2 * kBlockRounds) << before.substr(0, 200);
}

TEST(BlockTurns, ABlockEndsAndTheNextBeginsInItsPlace) {
  const RunSetup setup = in_blocks({.lanes = 1, .grid = {4, 1, 1}, .block = {2, 1, 1}, .resident_blocks = 1});
  EXPECT_EQ(turns_of(".kernel k ()\n mov.u32 %a, 1\n exit\n", setup),
            "0.0 x2, 0.1 x2, 1.0 x2, 1.1 x2, 2.0 x2, 2.1 x2, 3.0 x2, 3.1 x2");
}

constexpr const char* kLoop = R"(.kernel k ()
    mov.u32 %n, 0
again: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 2000
    @%more bra again
    exit
)";

TEST(BlockTurns, ATurnHas4096Issues) {
  const RunSetup two = in_blocks({.lanes = 4, .block = {8, 1, 1}});
  EXPECT_EQ(turns_of(kLoop, two), "0.0 x4096, 0.1 x4096, 0.0 x1906, 0.1 x1906");
  EXPECT_EQ(turns_of(kLoop, in_blocks({.lanes = 4, .block = {4, 1, 1}})), "0.0 x6002") << "alone";
  const RunSetup four = in_blocks({.lanes = 4, .grid = {2, 1, 1}, .block = {8, 1, 1}});
  EXPECT_EQ(turns_of(kLoop, four),
            "0.0 x4096, 0.1 x4096, 1.0 x4096, 1.1 x4096, 0.0 x1906, 0.1 x1906, 1.0 x1906, 1.1 x1906");
}

TEST(BlockTurns, NanosleepEndsTheTurn) {
  const std::string text = R"(.kernel k ()
    setp.eq.u32 %first, %tid.x, 0
    nanosleep 100
    @%first nanosleep 100
    exit
)";
  EXPECT_EQ(turns_of(text, in_blocks({.lanes = 2, .block = {4, 1, 1}})), "0.0 x2, 0.1 x2, 0.0 x1, 0.1 x2, 0.0 x1")
      << "where no lane sleeps the turn goes on";
}

// Warps are in several words of the set of those that are ready.
TEST(BlockTurns, TheNextReadyWarpIsFoundInAnyWord) {
  for (const std::size_t warps : {1U, 2U, 63U, 64U, 65U, 128U, 200U}) {
    const auto none = [] { return false; };
    const auto room = [] { return true; };
    BlockTurns turns(warps, 1);
    EXPECT_EQ(turns.begin_next(none), BlockTurns::Next::Nobody);
    std::vector<std::uint32_t> ready;
    for (std::uint32_t k = 0; k < warps; ++k)
      if (k % 67 == 0 || k + 1 == warps) ready.push_back(k);
    for (const std::uint32_t k : ready) turns.add(k);
    for (int round = 0; round < 3; ++round) {
      for (const std::uint32_t k : ready) {
        ASSERT_EQ(turns.begin_next(none), BlockTurns::Next::Warp);
        EXPECT_EQ(turns.warp(), k) << "of " << warps;
        EXPECT_EQ(turns.left(), kTurnIssues);
      }
    }
    EXPECT_EQ(turns.begin_next(room), BlockTurns::Next::NewBlock) << "a block that can begin does so first";
    for (const std::uint32_t k : ready) turns.remove(k);
    EXPECT_EQ(turns.begin_next(none), BlockTurns::Next::Nobody);
  }
}

// ---- everybody gets on

TEST(BlockTurns, ALockThatLanesOfAWarpTakeFromEachOther) {
  for (const unsigned lanes : {2U, 8U, 32U, 64U}) {
    LongestWait longest;
    const RunSetup setup = in_blocks(
        {.lanes = lanes, .max_cycles = kNoCycleLimit, .buffers = {{"lock", {0}}, {"sum", {0}}}, .sinks = {&longest}});
    const Ran ran = run_text(kSpinLock, setup);
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    EXPECT_EQ(ran.buffer("sum")[0], lanes) << "nobody was in it together with another";
    EXPECT_GT(longest.longest, kTurnIssues / 2);
    EXPECT_LE(longest.longest, kTurnIssues + lanes);
    EXPECT_LT(ran.result.cycles, 2 * kTurnIssues * lanes) << "who has its turn keeps it, and does not wait before each";
  }
}

TEST(BlockTurns, ALockThatWarpsAndBlocksTakeFromEachOther) {
  for (const std::uint64_t resident : {1U, 2U, 5U}) {
    const RunSetup setup = in_blocks({.lanes = 4,
                                      .grid = {5, 1, 1},
                                      .block = {12, 1, 1},
                                      .max_cycles = kNoCycleLimit,
                                      .buffers = {{"lock", {0}}, {"sum", {0}}},
                                      .resident_blocks = resident});
    const Ran ran = run_text(kSpinLock, setup);
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    EXPECT_EQ(ran.buffer("sum")[0], 60U);
  }
}

// A warp takes the lock, loops for longer than a turn, and gives it back, while the others spin.
TEST(BlockTurns, AHolderThatNeedsSeveralTurns) {
  const std::string text = R"(.kernel k (inout lock: u32[1], inout sum: u32[1])
spin: atom.global.cas.b32 %old, lock[0], 0, 1
    setp.ne.u32 %busy, %old, 0
    @%busy bra spin
    ld.global.u32 %v, sum[0]
    mov.u32 %n, 0
hold: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 3000
    @%more bra hold
    add.u32 %v, %v, 1
    st.global.u32 sum[0], %v
    atom.global.exch.b32 %old, lock[0], 0
    exit
)";
  const RunSetup setup = in_blocks({.lanes = 1,
                                    .grid = {3, 1, 1},
                                    .block = {2, 1, 1},
                                    .max_cycles = kNoCycleLimit,
                                    .buffers = {{"lock", {0}}, {"sum", {0}}}});
  const Ran ran = run_text(text, setup);
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.buffer("sum")[0], 6U);
}

TEST(BlockTurns, ABarrierOfTheGrid) {
  const std::string text = R"(.kernel k (inout n: u32[1], out o: u32[])
    atom.global.add.u32 %t, n[0], 1
again: ld.global.u32 %t, n[0]
    setp.lt.u32 %fewer, %t, 96
    @%fewer bra again
    bar.sync 0
    st.global.u32 o[%gtid], %t
    exit
)";
  const RunSetup setup = in_blocks({.lanes = 4,
                                    .grid = {8, 1, 1},
                                    .block = {12, 1, 1},
                                    .max_cycles = kNoCycleLimit,
                                    .buffers = {{"n", {0}}, {"o", Words(96)}},
                                    .cooperative = true});
  const Ran ran = run_text(text, setup);
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.buffer("o"), Words(96, 96));
}

// Each block adds to the sum of the block behind it, which has its first turn later.
TEST(BlockTurns, BlocksThatLookBack) {
  const std::string text = R"(.kernel k (inout flag: u32[], inout sum: u32[])
    sub.u32 %last, %nctaid.x, 1
    mov.u32 %before, 0
    setp.eq.u32 %first, %ctaid.x, %last
    @%first bra put
    add.u32 %i, %ctaid.x, 1
wait: ld.global.u32 %f, flag[%i]
    setp.eq.u32 %not_yet, %f, 0
    @%not_yet nanosleep 20
    @%not_yet bra wait
    ld.global.u32 %before, sum[%i]
put: add.u32 %before, %before, 1
    st.global.u32 sum[%ctaid.x], %before
    membar.gl
    atom.global.exch.b32 %f, flag[%ctaid.x], 1
    exit
)";
  const RunSetup setup = in_blocks({.lanes = 1,
                                    .grid = {100, 1, 1},
                                    .max_cycles = kNoCycleLimit,
                                    .buffers = {{"flag", Words(100)}, {"sum", Words(100)}}});
  const Ran ran = run_text(text, setup);
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(ran.buffer("sum")[k], 100 - k);
  EXPECT_LT(ran.result.cycles, 100 * kTurnIssues / 4) << "who sleeps gives way at once";
}

// The lane that waits is at the lower pc, so that it would be first; it sleeps.
TEST(BlockTurns, ALaneThatSleepsLetsTheOthersOfItsWarpGoFirst) {
  const std::string text = R"(.kernel k (inout flag: u32[1])
    setp.eq.u32 %last, %laneid, WARP_SZ - 1
    @%last bra set
wait: ld.global.u32 %f, flag[0]
    setp.ne.u32 %done, %f, 0
    @%done exit
    nanosleep 20
    bra wait
set: st.global.u32 flag[0], 1
    exit
)";
  const Ran ran = run_text(text, in_blocks({.lanes = 8, .max_cycles = 100, .buffers = {{"flag", {0}}}}));
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
}

// ---- a run is the same, watched or not

TEST(BlockTurns, EveryProgramGivesWhatItGivesInLockstep) {
  int launches = 0;
  launches += testing::for_each_launch({4, 32, 64}, [](const Program& program, const PreparedCase& prepared) {
    testing::Outputs lockstep = testing::outputs_of(program, prepared.config, prepared.arguments);
    testing::sort_unordered(program, lockstep);
    LaunchConfig config = prepared.config;
    config.schedule = kBlocksSchedule;
    config.max_cycles = kNoCycleLimit;
    EventSink all;
    Some some;
    for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
      config.reconvergence = mode;
      testing::Outputs plain = testing::outputs_of(program, config, prepared.arguments);
      for (EventSink* const sink : {&all, static_cast<EventSink*>(&some)}) {
        const testing::Outputs watched = testing::outputs_of(program, config, prepared.arguments, {sink});
        expect_alike(plain.result, watched.result);
        EXPECT_TRUE(plain.arrays == watched.arrays);
      }
      EXPECT_TRUE(plain.result.ok) << english(plain.result.trap.message);
      testing::sort_unordered(program, plain);
      for (const auto& [output, array] : prepared.expected)
        EXPECT_TRUE(plain.arrays[output] == lockstep.arrays[output]) << output;
    }
  });
  EXPECT_GT(launches, 900);
}

TEST(BlockTurns, RandomProgramsAreTheSameWatchedOrNot) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const reference::RandomProgram random = reference::random_program(seed, reference::kHardwareLimits);
    const Assembled assembled = assemble(random.text(), "random.warp");
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    LaunchConfig config{.lanes = random.lanes, .grid = random.grid, .block = random.block};
    config.schedule = kBlocksSchedule;
    config.reconvergence = seed % 2 == 0 ? Reconvergence::Independent : Reconvergence::Stack;
    const Arguments arguments{random.scalars, random.buffers};
    expect_alike_each_way(*assembled.lesson(), config, arguments);
  }
}

TEST(BlockTurns, ALimitStopsEveryRunAtTheSameIssue) {
  RunSetup setup = in_blocks({.lanes = 4, .grid = {2, 1, 1}, .block = {8, 1, 1}});
  setup.max_cycles = kNoCycleLimit;
  EXPECT_EQ(run_each_way(kLoop, setup).result.cycles, 4 * 6002U);
  for (const std::uint64_t limit : {1U, 2U, 4095U, 4096U, 4097U, 8192U, 20000U, 24007U, 24008U}) {
    SCOPED_TRACE(limit);
    setup.max_cycles = limit;
    const Ran ran = run_each_way(kLoop, setup);
    EXPECT_EQ(ran.result.ok, limit == 24008);
    EXPECT_EQ(ran.result.cycles, limit);
    EXPECT_EQ(ran.result.instructions, limit);
  }
}

TEST(BlockTurns, WithoutALimitARunTakesAsLongAsItTakes) {
  const std::string text = R"(.kernel k ()
    mov.u32 %n, 0
again: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 4000000
    @%more bra again
    exit
)";
  RunSetup setup = in_blocks({.lanes = 4, .max_cycles = kDefaultMaxCycles});
  EXPECT_EQ(run_text(text, setup).result.trap.kind, TrapKind::CycleLimit);
  for (const Schedule& schedule : {kBlocksSchedule, Schedule{}}) {
    setup.schedule = schedule;
    setup.max_cycles = kNoCycleLimit;
    EXPECT_EQ(run_text(text, setup).result.cycles, 12'000'002U);
  }
}

TEST(BlockTurns, ATrapCountsWhatWasIssuedBefore) {
  const std::string text = ".kernel k (out o: u32[])\n mov.u32 %a, 1\n st.global.u32 o[%gtid], %a\n exit\n";
  const RunSetup setup =
      in_blocks({.lanes = 1, .grid = {5, 1, 1}, .buffers = {{"o", {0, 0, 0}}}, .resident_blocks = 2});
  const Ran ran = run_each_way(text, setup);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::OutOfBounds);
  EXPECT_EQ(ran.result.trap.block, 3U);
  EXPECT_EQ(ran.result.trap.cycle, 11U);
  EXPECT_EQ(ran.result.cycles, 10U);
  EXPECT_EQ(ran.result.instructions, 10U);
}

// ---- what it is called

TEST(BlockTurns, ATraceNamesTheSchedule) {
  const RunSetup setup = in_blocks({.lanes = 4, .grid = {2, 1, 1}, .block = {8, 1, 1}});
  const Trace trace = testing::record_text(".kernel k ()\n mov.u32 %a, 1\n bar.sync 0\n exit\n", setup);
  EXPECT_EQ(trace.head.schedule, "blocks");
  EXPECT_EQ(trace.head.version, "1.2");
  const std::string text = to_ndjson(trace);
  const std::variant<Trace, JsonError> read = read_trace(text);
  ASSERT_TRUE(std::holds_alternative<Trace>(read)) << std::get<JsonError>(read).message;
  EXPECT_EQ(to_ndjson(std::get<Trace>(read)), text);
}

// What is told of barriers and exits; of a run that goes issue by issue if it watches everything.
class BarriersAndExits : public EventSink {
 public:
  explicit BarriersAndExits(bool watches_all) : watches_all_(watches_all) {}
  void on_start(const Machine& machine) override { code_ = &machine.program().code; }
  bool watches(std::int32_t pc) const override { return watches_all_ || is_told((*code_)[pc].op); }
  void on_issue(const IssueEvent& event) override {
    is_told_ = is_told(event.insn->op);
    if (!is_told_) return;
    ++issues;
    text += std::to_string(event.cycle) + ": " + std::to_string(event.block) + "." + std::to_string(event.warp) +
            " pc " + std::to_string(event.pc) + " " + lane_ranges(event.active) + " of " + lane_ranges(event.group) +
            " of " + lane_ranges(event.alive) + "\n";
  }
  void on_mask(const MaskEvent& event) override {
    if (is_told_)
      text += " mask " + std::to_string(static_cast<int>(event.kind)) + " " + lane_ranges(event.taken) + " / " +
              lane_ranges(event.not_taken) + " " + std::to_string(event.target) + "\n";
  }
  void on_sync(const SyncEvent& event) override {
    text += " sync " + std::to_string(event.block) + " " + lane_ranges(event.alive);
    for (const SyncEvent::Arrival& one : event.arrivals)
      text += ", " + std::to_string(one.warp) + " pc " + std::to_string(one.pc) + " " + lane_ranges(one.lanes);
    text += "\n";
  }
  void on_block_end(const BlockEndEvent& event) override { text += " ends " + std::to_string(event.block) + "\n"; }
  int issues = 0;
  std::string text;

 private:
  static bool is_told(Op op) { return op == Op::BarSync || op == Op::Exit; }
  bool watches_all_, is_told_ = false;
  const std::vector<Insn>* code_ = nullptr;
};

TEST(BlockTurns, BarriersAndExitsAreToldAsIssueByIssue) {
  const std::string loop =
      ".kernel k ()\n mov.u32 %n, 0\nround:\n bar.sync 0\n add.u32 %n, %n, 1\n setp.lt.u32 %p, %n, 5\n"
      " @%p bra round\n exit\n";
  const std::string early = ".kernel k ()\n setp.lt.u32 %p, %tid.x, 40\n @%p exit\n bar.sync 0\n bar.sync 1\n exit\n";
  const std::string whole_warps =
      ".kernel k ()\n shr.u32 %w, %tid.x, 5\n setp.eq.u32 %p, %w, 1\n @%p bra out\n bar.sync 0\n"
      " setp.eq.u32 %p, %w, 2\n @%p bra out\n bar.sync 0\nout:\n exit\n";
  const std::string some = ".kernel k ()\n setp.lt.u32 %p, %tid.x, 64\n @%p bar.sync 2, 64\n bar.sync 0\n exit\n";
  for (const std::string& text : {loop, early, whole_warps, some})
    for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
      BarriersAndExits told(false), all(true);
      for (BarriersAndExits* const sink : {&told, &all}) {
        RunSetup setup = in_blocks({.lanes = 32, .grid = {5, 1, 1}, .block = {104, 1, 1}});
        setup.resident_blocks = 2;
        setup.reconvergence = mode;
        setup.sinks = {sink};
        ASSERT_TRUE(run_text(text, setup).result.ok) << text;
      }
      EXPECT_GE(told.issues, 5 * 4 * 2) << text;
      EXPECT_EQ(told.text, all.text) << text;
    }
}

TEST(BlockTurns, ATimedRunHasItsOwnOrder) {
  RunSetup setup = in_blocks({.lanes = 4});
  setup.timing = std::make_shared<const TimingProfile>(testing::small_profile());
  EXPECT_EQ(run_text(".kernel k ()\n exit\n", setup).error.code, "L006");
}

}  // namespace block_turns_test
}  // namespace warpsim
