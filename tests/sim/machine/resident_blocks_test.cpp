// Grids of more blocks than there is room for: the others begin one by one, each where one has ended.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/check/checker.h"
#include "sim/machine/machine.h"
#include "tests/support/run.h"
#include "tests/support/small_profile.h"

namespace warpsim {
namespace resident_blocks_test {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

constexpr const char* kTicket = R"(.kernel k (inout n: u32[], out o: u32[])
    atom.global.add.u32 %t, n[0], 1
    st.global.u32 o[%ctaid.x], %t
    exit
)";

RunSetup tickets(std::uint32_t blocks, std::uint64_t resident) {
  RunSetup s{.lanes = 1, .grid = {blocks, 1, 1}};
  s.buffers["n"] = {0};
  s.buffers["o"] = std::vector<std::uint64_t>(blocks, 0);
  s.resident_blocks = resident;
  return s;
}

TEST(ResidentBlocks, TheNextBlockBeginsInTheCycleBehindTheOneThatEnded) {
  for (const std::uint64_t resident : {1U, 2U, 3U, 7U, 100U}) {
    const Ran ran = run_text(kTicket, tickets(7, resident));
    ASSERT_TRUE(ran.result.ok);
    EXPECT_EQ(ran.result.cycles, 3 * ((7 + resident - 1) / resident)) << resident;
    EXPECT_EQ(ran.result.instructions, 21U);
    EXPECT_EQ(ran.buffer("o"), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6})) << "by number, in rising order";
  }
}

TEST(ResidentBlocks, ABlockThatTakesLongLeavesTheOthersToTheOtherPlace) {
  // Block 0 goes round ten times; the others pass by, one behind the other.
  const std::string text = R"(.kernel k (inout n: u32[], out o: u32[])
    mov.u32 %i, 10
    setp.ne.u32 %others, %ctaid.x, 0
    @%others bra take
again: sub.u32 %i, %i, 1
    setp.ne.u32 %more, %i, 0
    @%more bra again
take: atom.global.add.u32 %t, n[0], 1
    st.global.u32 o[%ctaid.x], %t
    exit
)";
  const Ran ran = run_text(text, tickets(5, 2));
  ASSERT_TRUE(ran.result.ok);
  EXPECT_EQ(ran.buffer("o"), (std::vector<std::uint64_t>{4, 0, 1, 2, 3}));
  EXPECT_EQ(ran.result.cycles, 36U);
}

TEST(ResidentBlocks, AGridOf2To31BlocksStartsAtOnce) {
  RunSetup s{.grid = {0x7fffffff, 1, 1}, .max_cycles = 50};
  s.resident_blocks = 4;
  EventSink sink;
  for (const bool watched : {false, true}) {
    s.sinks = watched ? std::vector<EventSink*>{&sink} : std::vector<EventSink*>{};
    const Ran ran = run_text(".kernel k ()\n mov.u32 %a, 1\n exit\n", s);
    EXPECT_EQ(ran.result.trap.kind, TrapKind::CycleLimit);
    EXPECT_EQ(english(ran.result.trap.message),
              "still running after 50 cycles; 2147483543 blocks have not begun: there is room for 4 at a time");
    EXPECT_EQ(ran.result.cycles, 50U);
    EXPECT_EQ(ran.result.instructions, 200U);
  }
}

TEST(ResidentBlocks, TheDefaultIsWhatAnH200Holds) {
  const Ran ran = run_text(".kernel k ()\n exit\n", {.grid = {0x7fffffff, 1, 1}, .max_cycles = 2});
  EXPECT_EQ(ran.result.instructions, 2U * 132 * 32);
}

TEST(ResidentBlocks, AllAtOnceMayBeTooMany) {
  RunSetup s{.grid = {0x7fffffff, 1, 1}};
  s.cooperative = true;
  EXPECT_EQ(run_text(".kernel k ()\n exit\n", s).error.message,
            "the registers and shared memory of 2147483647 blocks that are there at once do not fit in 8 GiB");
  EXPECT_EQ(run_text(".kernel k ()\n exit\n", {.grid = {0x7fffffff, 65535, 1}}).error.code, "L005");
}

// All blocks count themselves in, and wait until all have.
constexpr const char* kGridBarrier = R"(.kernel k (inout n: u32[], out o: u32[])
    atom.global.add.u32 %t, n[0], 1
again: atom.global.add.u32 %t, n[0], 0
    setp.lt.u32 %fewer, %t, 4
    @%fewer bra again
    st.global.u32 o[%ctaid.x], %t
    exit
)";

TEST(ResidentBlocks, ABarrierOfAGridThatHasTooFewPlacesIsFound) {
  EventSink sink;
  RunSetup s = tickets(4, 3);
  s.sinks = {&sink};
  const Ran stuck = run_text(kGridBarrier, s);
  EXPECT_EQ(stuck.result.trap.kind, TrapKind::Livelock);
  const std::string message = english(stuck.result.trap.message);
  EXPECT_EQ(message.substr(message.find("; ")), "; 1 block has not begun: there is room for 3 at a time");
  EXPECT_EQ(english(stuck.result.trap.hint),
            "do not wait for a block that has not begun: launch as many as have room at a time");
  s.sinks.clear();
  s.max_cycles = 1000;
  EXPECT_NE(english(run_text(kGridBarrier, s).result.trap.message).find("1 block has not begun"), std::string::npos);
  s.cooperative = true;
  EXPECT_TRUE(run_text(kGridBarrier, s).result.ok);
}

TEST(ResidentBlocks, EndedPlacesThatOthersTookAreNotALoop) {
  // Blocks that do not know their own number begin for ever as the ones before did.
  EventSink sink;
  RunSetup s = tickets(3000, 1);
  s.sinks = {&sink};
  const Ran ran = run_text(".kernel k (inout n: u32[], out o: u32[])\n mov.u32 %a, 1\n exit\n", s);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.result.cycles, 6000U);
}

TEST(ResidentBlocks, OnlyResidentBlocksHaveAState) {
  Assembled assembled = assemble(".kernel k ()\n mov.u32 %a, %ctaid.x\n exit\n", "test.warp");
  ASSERT_TRUE(assembled.lesson() != nullptr);
  LaunchConfig config;
  config.grid = {3, 1, 1};
  config.resident_blocks = 1;
  std::variant<Machine, LaunchError> made = Machine::create(*assembled.lesson(), config, Arguments{});
  Machine& machine = std::get<Machine>(made);
  EventSink sink;
  EventSink* const sinks[] = {&sink};
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(machine.step(sinks));  // block 1 has done its first instruction
  const std::int32_t a = assembled.lesson()->find_register("%a");
  EXPECT_EQ(machine.register_bits(1, 0, a, 5), 1U);
  EXPECT_EQ(machine.places(1, 0)[0].pc, 1);
  EXPECT_EQ(machine.places(0, 0)[0].pc, -1) << "exited";
  EXPECT_EQ(machine.places(0, 0)[0].lanes, full_mask(32));
  EXPECT_EQ(english(machine.places(2, 0)[0].waits_for), "its block has not begun");
  EXPECT_EQ(machine.register_bits(2, 0, a, 5), 0U);
  EXPECT_EQ(machine.sub_core(2, 0), -1);
  while (machine.step(sinks)) {
  }
  EXPECT_EQ(machine.register_bits(2, 0, a, 5), 2U) << "the last to have the place keeps it";
}

TEST(ResidentBlocks, ATrapCountsWhatEndedBefore) {
  const std::string text = ".kernel k (out o: u32[])\n st.global.u32 o[%ctaid.x], 1\n exit\n";
  RunSetup s{.lanes = 1, .grid = {5, 1, 1}};
  s.buffers["o"] = {0, 0, 0};
  s.resident_blocks = 1;
  const Ran ran = run_text(text, s);
  EXPECT_EQ(ran.result.trap.block, 3U);
  EXPECT_EQ(ran.result.trap.cycle, 7U);
  EXPECT_EQ(ran.result.cycles, 6U);
  EXPECT_EQ(ran.result.instructions, 6U);
}

TEST(ResidentBlocks, PoisonIsTheBlocksOwnWhereverItRuns) {
  const std::string text = R"(.kernel k (out o: u32[], out p: u32[])
.shared u32 t[3]
    ld.shared.u32 %v, t[1]
    st.global.u32 o[%ctaid.x], %v
    setp.gt.u32 %none, %ctaid.x, 100
    @%none mov.u32 %never, 0
    st.global.u32 p[%ctaid.x], %never
    st.shared.u32 t[1], 0
    exit
)";
  RunSetup s{.lanes = 1, .grid = {6, 1, 1}};
  s.buffers["o"] = s.buffers["p"] = std::vector<std::uint64_t>(6, 0);
  for (s.poison = 0; s.poison < 3; ++s.poison) {
    s.resident_blocks = 0;
    const Ran all = run_text(text, s);
    s.resident_blocks = 2;
    const Ran few = run_text(text, s);
    EXPECT_EQ(all.buffer("o"), few.buffer("o"));
    EXPECT_EQ(all.buffer("p"), few.buffer("p"));
    EXPECT_EQ(few.buffer("o")[5] == 0, s.poison == 0) << "not what another block left there";
  }
}

TEST(ResidentBlocks, AFuzzedScheduleIsTheSameWatchedOrNot) {
  EventSink sink;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    RunSetup s = tickets(20, 3);
    s.schedule = fuzz_schedule(seed);
    const Ran plain = run_text(kTicket, s);
    s.sinks = {&sink};
    const Ran watched = run_text(kTicket, s);
    EXPECT_TRUE(plain.result.ok);
    EXPECT_EQ(plain.result.cycles, watched.result.cycles);
    EXPECT_EQ(plain.buffer("o"), watched.buffer("o"));
  }
}

TEST(ResidentBlocks, TimedRunsGiveUpTheirPlacesToo) {
  EventSink sink;
  RunSetup s = tickets(40, 3);
  s.timing = std::make_shared<TimingProfile>(testing::small_profile());
  const Ran plain = run_text(kTicket, s);
  s.sinks = {&sink};
  const Ran watched = run_text(kTicket, s);
  s.resident_blocks = 1;
  const Ran alone = run_text(kTicket, s);
  for (const Ran* ran : {&plain, &watched, &alone}) {
    ASSERT_TRUE(ran->result.ok);
    EXPECT_EQ(ran->result.instructions, 120U);
  }
  EXPECT_EQ(plain.result.cycles, watched.result.cycles);
  EXPECT_EQ(plain.buffer("o"), watched.buffer("o"));
  EXPECT_GT(alone.result.cycles, 2 * plain.result.cycles);
  EXPECT_EQ(plain.machine->sub_core(0, 0), -1) << "block 0 has given up its place";
  EXPECT_GE(plain.machine->sub_core(39, 0), 0);
}

// ---- who watches

std::vector<std::string> found_in(const std::string& text, const RunSetup& given) {
  Checker checker;
  RunSetup s = given;
  s.sinks = {&checker};
  const Ran ran = run_text(text, s);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  std::vector<std::string> codes;
  for (const RunFinding& one : checker.found()) codes.emplace_back(code(one.code));
  return codes;
}

TEST(ResidentBlocks, ChecksFindTheSameHoweverManyThereIsRoomFor) {
  const std::string race = ".kernel k (inout n: u32[], out o: u32[])\n st.global.u32 n[0], %ctaid.x\n exit\n";
  // What an earlier block left in the place's shared memory is nobody's.
  const std::string undefined = R"(.kernel k (inout n: u32[], out o: u32[])
.shared u32 t[1]
    setp.eq.u32 %first, %ctaid.x, 0
    @%first st.shared.u32 t[0], 1
    ld.shared.u32 %v, t[0]
    st.global.u32 o[%ctaid.x], %v
    exit
)";
  // Nor is what it left in registers.
  const std::string unwritten = R"(.kernel k (inout n: u32[], out o: u32[])
    setp.eq.u32 %first, %ctaid.x, 0
    @%first mov.u32 %v, 1
    st.global.u32 o[%ctaid.x], %v
    exit
)";
  for (const std::string& text : {race, undefined, unwritten}) {
    const std::vector<std::string> all = found_in(text, tickets(4, 0));
    EXPECT_FALSE(all.empty());
    for (const std::uint64_t resident : {1U, 2U, 3U}) EXPECT_EQ(found_in(text, tickets(4, resident)), all) << text;
  }
  EXPECT_TRUE(found_in(kTicket, tickets(40, 2)).empty());
}

struct Ends : EventSink {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
  void on_block_end(const BlockEndEvent& event) override { all.emplace_back(event.cycle, event.block); }
};

TEST(ResidentBlocks, TheEndOfABlockIsReportedWhereAnotherTakesItsPlace) {
  Ends ends;
  RunSetup s = tickets(5, 2);
  s.sinks = {&ends};
  run_text(kTicket, s);
  EXPECT_EQ(ends.all, (std::vector<std::pair<std::uint64_t, std::uint32_t>>{{3, 0}, {3, 1}, {6, 2}}));
}

// What blocks have goes from one to the next, and each finds it as if nobody had it before.
TEST(ResidentBlocks, ALaunchThatKeepsNoStateHasThatOfTheBlocksUnderWay) {
  const std::string text = R"(.kernel k (out o: u32[], out p: u32[])
    .shared .u32 tile[4]
    setp.eq.u32 %first, %tid.x, 0
    @!%first bra wait
    ld.shared.u32 %s, tile[1]
    st.shared.u32 tile[1], %ctaid.x
wait: bar.sync 0
    ld.shared.u32 %got, tile[1]
    st.global.u32 o[%gtid], %got
    @%first st.global.u32 p[%ctaid.x], %s
    exit
)";
  struct Held : Ends {
    std::size_t most = 0;
    const Machine* machine = nullptr;
    void on_start(const Machine& of) override { machine = &of; }
    void on_issue(const IssueEvent&) override {
      std::size_t now = 0;
      for (std::uint32_t block = 0; block < 6; ++block)
        now += machine->registers(block, 0) != nullptr || machine->registers(block, 1) != nullptr;
      most = std::max(most, now);
    }
  };
  for (const bool keeps : {true, false}) {
    Held held;
    RunSetup s{.lanes = 2, .grid = {6, 1, 1}, .block = {4, 1, 1}, .sinks = {&held}};
    s.schedule = kBlocksSchedule;
    s.buffers = {{"o", std::vector<std::uint64_t>(24)}, {"p", std::vector<std::uint64_t>(6, 9)}};
    s.keeps_state = keeps;
    const Ran ran = run_text(text, s);
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    for (std::size_t k = 0; k < 24; ++k) EXPECT_EQ(ran.buffer("o")[k], k / 4);
    EXPECT_EQ(ran.buffer("p"), std::vector<std::uint64_t>(6, 0)) << "shared memory is empty at the start of each block";
    EXPECT_EQ(held.most, keeps ? 6U : 1U);
    EXPECT_EQ(held.all.size(), keeps ? 0U : 5U);
  }
}

}  // namespace resident_blocks_test
}  // namespace warpsim
