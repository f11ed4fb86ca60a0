// What the checker finds, with which code, where it began, and what it does not report.
//
// Source: what the hardware leaves open is listed in sim/README.md; the expectations follow from the texts by hand.
#include "sim/check/checker.h"

#include <gtest/gtest.h>

#include "isa/assembly/assembler.h"
#include "sim/machine/machine.h"
#include "tests/sim/check/found_run.h"
#include "tests/support/every_program.h"

namespace warpsim {
namespace checker_test {

using testing::Found;

TEST(Checker, TheWayBackToTheBirth) {
  const Found found(
      " setp.lt.u32 %low, %laneid, 2\n"
      " @%low mov.u32 %x, 7\n"
      " add.u32 %y, %x, 1\n"
      " shfl.bfly.b32 %z, %y, 2\n"
      " st.shared.u32 tile[%laneid], %z\n"
      " ld.shared.u32 %v, tile[%laneid]\n"
      " st.global.u32 out[%laneid], %v\n");
  EXPECT_EQ(found.text(), "WS0101 @6 lanes 0, 1") << "storing it in shared memory copies it";
  EXPECT_EQ(found.steps(),
            "5: lane 0 loads it into `%v`; 4: lane 0 stores it in `tile[0]`; "
            "3: lane 0 takes it from lane 2 into `%z`; 2: lane 2 computes `%y` from it; "
            "2: lane 2 has never written `%x`");
}

TEST(Checker, WhyASourceTookNoPart) {
  const std::string store = "\n st.global.u32 out[%laneid], %x";
  EXPECT_EQ(Found(" setp.ge.u32 %high, %laneid, 2\n @%high exit\n shfl.bfly.b32 %x, %laneid, 2" + store).text(),
            "WS0103 @3 lanes 0, 1");
  EXPECT_EQ(Found(" shfl.bfly.b32 %x, %laneid, 2" + store, 4, 2).text(), "WS0103 @1 lanes 0, 1") << "never there";
  EXPECT_EQ(Found(" shfl.down.b32 %y, %laneid, 2\n setp.ge.u32 %p, %laneid, 2\n @%p exit\n"
                  " shfl.sync.down.b32 %x, %y, 2, 3, 0x3" +
                  store)
                .text(),
            "WS0103 @4 lanes 0, 1")
      << "what the lane that has exited had left in place does not come from there";
  EXPECT_EQ(Found(" setp.lt.u32 %low, %laneid, 2\n @!%low bra end\n shfl.sync.bfly.b32 %x, %laneid, 2, mask=0x3\n"
                  " st.global.u32 out[%laneid], %x\nend:")
                .text(),
            "WS0102 @3 lanes 0, 1");
  EXPECT_EQ(Found(" mov.u32 %m, 0x3\n setp.ge.u32 %high, %laneid, 2\n @%high mov.u32 %m, 0xc\n"
                  " shfl.sync.bfly.b32 %x, %laneid, 2, mask=%m" +
                  store)
                .text(),
            "WS0104 @4 lanes 0-3");
  EXPECT_EQ(Found(" ld.shared.u32 %x, tile[%laneid]" + store).text(), "WS0105 @1 lanes 0-3");
}

// Four lanes add to one word: not four steps.
TEST(Checker, AnAtomicIsOneStep) {
  const Found found(
      " red.shared.add.u32 tile[0], 1\n bar.warp.sync\n ld.shared.u32 %v, tile[0]\n"
      " st.global.u32 out[%laneid], %v\n");
  EXPECT_EQ(found.text(), "WS0105 @0 lanes 0-3; WS0105 @3 lanes 0-3");
  EXPECT_EQ(
      found.steps(1),
      "2: lane 0 loads it into `%v`; 0: lane 3 stores it in `tile[0]`; 0: lane 0 loads `tile[0]`, which nobody has "
      "written");
}

TEST(Checker, CopyingIsSilent) {
  EXPECT_EQ(Found(" shfl.bfly.b32 %x, %laneid, 2\n add.u32 %y, %x, %x\n shfl.up.b32 %z, %y, 1\n", 4, 2).text(), "");
}

TEST(Checker, WhatWasLeftInPlace) {
  const std::string down = " shfl.down.b32 %x|%ok, %laneid, 1\n";
  EXPECT_EQ(Found(down + " st.global.u32 out[%laneid], %x").text(), "WS0201 @1 lanes 3");
  EXPECT_EQ(Found(down + " @%ok st.global.u32 out[%laneid], %x").text(), "") << "the predicate is tested";
  EXPECT_EQ(Found(down + " selp.b32 %y, %x, 0, %ok\n st.global.u32 out[%laneid], %y").text(), "");
  EXPECT_EQ(Found(down + " setp.lt.u32 %p, %laneid, 3\n @%p st.global.u32 out[%laneid], %x").text(), "")
      << "the lane is tested";
  EXPECT_EQ(Found(down + " @!%ok st.global.u32 out[%laneid], %x").text(), "") << "the edge is used on purpose";
  EXPECT_EQ(Found(down + " @!%ok mov.u32 %x, 9\n st.global.u32 out[%laneid], %x").text(), "") << "it is overwritten";
  // What CUB's scans do: the value is kept on exactly the lanes that have no neighbour.
  const std::string scan = " @%ok add.u32 %x, %x, %laneid\n mov.u32 %y, %x\n st.global.u32 out[%laneid], %y";
  EXPECT_EQ(Found(down + scan).text(), "") << "it is kept on purpose";
  EXPECT_EQ(Found(down + " setp.lt.u32 %ok, %laneid, 2\n" + scan).text(), "WS0201 @4 lanes 3")
      << "the guard is not about it";
  EXPECT_EQ(Found(" shfl.up.b32 %x|%ok, %laneid, 4\n" + scan).text(), "") << "no lane has a neighbour";
  EXPECT_EQ(Found(down + " add.u32 %y, %x, 1\n st.global.u32 out[%laneid], %y").text(), "WS0201 @2 lanes 3")
      << "it is carried on";
  // A sum down the lanes leaves what is right in lane 0 alone.
  const std::string sum =
      " mov.u32 %s, %laneid\n shfl.down.b32 %o, %s, 2\n add.u32 %s, %s, %o\n shfl.down.b32 %o, %s, 1\n"
      " add.u32 %s, %s, %o\n";
  EXPECT_EQ(Found(sum + " setp.eq.u32 %first, %laneid, 0\n @%first st.global.u32 out[0], %s").text(), "");
  EXPECT_EQ(Found(sum + " setp.eq.u32 %last, %laneid, 3\n @%last st.global.u32 out[0], %s").text(),
            "WS0201 @6 lanes 3");
}

TEST(Checker, ABarrierWithoutTheWholeWarp) {
  const std::string both =
      " setp.lt.u32 %low, %laneid, 2\n @%low bra one\n bar.sync 0\n bra end\none: bar.sync 0\nend:";
  EXPECT_EQ(Found(both).text(), "WS0501 @2 lanes 2, 3; WS0501 @4 lanes 0, 1");
  EXPECT_EQ(Found(" setp.lt.u32 %low, %laneid, 2\n @!%low exit\n bar.sync 0").text(), "")
      << "who has exited is no lane";
}

TEST(Checker, DivergedLanesMayArriveAtABarrierOneAfterTheOther) {
  constexpr Reconvergence kTurns = Reconvergence::Independent;
  const std::string behind =
      " setp.lt.u32 %low, %laneid, 2\n @%low bra end\n add.u32 %x, %laneid, 1\n add.u32 %x, %x, 1\nend: bar.sync 0";
  EXPECT_EQ(Found(behind, 4, 4, kTurns).text(), "");
  const std::string both =
      " setp.lt.u32 %low, %laneid, 2\n @%low bra one\n bar.sync 0\n bra end\none: bar.sync 0\nend:";
  EXPECT_EQ(Found(both, 4, 4, kTurns).text(), "WS0501 @2 lanes 2, 3; WS0501 @4 lanes 0, 1");
}

// Who skips a barrier goes on behind it; who returns early goes to the end at once, and no barrier waits for those.
TEST(Checker, DivergedLanesThatSkipABarrier) {
  constexpr Reconvergence kTurns = Reconvergence::Independent;
  const std::string test = " setp.lt.u32 %low, %laneid, 2\n";
  const std::string store = " st.global.u32 out[%laneid], 1\n";
  EXPECT_EQ(Found(test + " @!%low bra join\n bar.sync 0\njoin:" + store, 4, 8, kTurns).text(), "WS0501 @2 lanes 0, 1");
  EXPECT_EQ(Found(test + " @%low bra end\n bar.sync 0\n" + store + "end:", 4, 8, kTurns).text(), "");
  EXPECT_EQ(Found(test + " @%low exit\n bar.sync 0\n" + store, 4, 8, kTurns).text(), "");
  EXPECT_EQ(
      Found(test + " @%low bra join\n add.u32 %x, %laneid, 1\njoin: bar.sync 0\n @%low exit\n bar.sync 0\n" + store, 4,
            8, kTurns)
          .text(),
      "")
      << "they have come together, and then some return early";
  EXPECT_EQ(Found(" mov.u32 %k, 0\nagain: bar.sync 0\n add.u32 %k, %k, 1\n setp.le.u32 %more, %k, %laneid\n"
                  " @%more bra again\n" +
                      store,
                  4, 4, kTurns)
                .text(),
            "WS0501 @1 lanes 1-3")
      << "lanes leave a loop after different numbers of rounds";
  EXPECT_EQ(
      Found(test + " setp.lt.u32 %one, %tid.x, 4\n @%one bra join\n bar.sync 1, 4\njoin:" + store, 4, 8, kTurns).text(),
      "")
      << "whole warps may";
}

TEST(Checker, WidthsAndCountsInRegisters) {
  const auto shuffle = [](const std::string& c, unsigned lanes) {
    return Found(" mov.u32 %c, " + c + "\n shfl.idx.b32 %x, %laneid, 0, %c", lanes, lanes).text();
  };
  EXPECT_EQ(shuffle("0x141f", 32), "WS0306 @1 lanes 0-31") << "a width of twelve";
  EXPECT_EQ(shuffle("0x181f", 32), "") << "of eight";
  EXPECT_EQ(shuffle("0x1f", 32), "");
  EXPECT_EQ(shuffle("0x103", 4), "WS0306 @1 lanes 0-3") << "of three";
  EXPECT_EQ(shuffle("0x203", 4), "") << "of two";
  const auto barrier = [](const std::string& count) {
    return Found(" mov.u32 %n, " + count + "\n bar.sync 1, %n", 4, 8).text();
  };
  EXPECT_EQ(barrier("8"), "");
  EXPECT_EQ(barrier("6").substr(0, 9), "WS0502 @1");
}

TEST(Checker, EndsWhenThereIsNoMemoryLeftForChecks) {
  for (const int answers : {0, 1, 100}) {
    Checker sink;
    int asked = 0;
    sink.ask_for_memory([&] { return asked++ < answers; });
    // Touches 3,000 pages of 1,024 bytes.
    const testing::Ran ran = testing::run_text(
        ".kernel k (inout out: u32[])\n mov.u32 %i, %laneid\nagain: st.global.u32 out[%i], 1\n add.u32 %i, %i, 256\n"
        " setp.lt.u32 %more, %i, 768000\n @%more bra again\n exit\n",
        {.lanes = 4, .block = {4, 1, 1}, .buffers = {{"out", std::vector<std::uint64_t>(768'000)}}, .sinks = {&sink}});
    ASSERT_TRUE(ran.machine != nullptr);
    EXPECT_GE(asked, 1);
    EXPECT_EQ(ran.result.ok, answers == 100);
    if (answers != 100) {
      EXPECT_EQ(ran.result.trap.kind, TrapKind::NoMemory);
      EXPECT_EQ(ran.result.trap.code, Finding::NoMemory);
      EXPECT_EQ(ran.result.trap.message.id, MessageId::NoMemoryForChecks);
    }
  }
}

TEST(Checker, WhatIsKnownBeforeTheRun) {
  EXPECT_EQ(Found(" activemask.b32 %m\n mov.b32 %n, %m\n shfl.sync.bfly.b32 %x, %laneid, 1, mask=%n").text(),
            "WS0305 @2 lanes none");
  EXPECT_EQ(Found(" activemask.b32 %m\n popc.b32 %n, %m\n st.global.u32 out[%laneid], %n").text(), "")
      << "asking is no mistake";
  EXPECT_EQ(Found(" activemask.mask %m\n match.any.sync.b32 %n, %laneid, mask=%m").text(), "")
      << "right whoever is here";
  EXPECT_EQ(Found(" activemask.mask %m\n match.all.sync.b32 %n|%p, %laneid, mask=%m").text(), "WS0305 @1 lanes none")
      << "whether all are the same depends on who is here";
  EXPECT_EQ(Found(" bar.sync 0, 6", 4, 8).findings.at(0).code, Finding::BarrierCount);
}

TEST(Checker, ScratchThatWasNeverFilled) {
  Checker sink;
  const Assembled assembled = assemble(
      ".kernel k (in temp: u32[4], out o: u32[4])\n ld.global.u32 %x, temp[%laneid]\n st.global.u32 o[%laneid], %x\n"
      " exit\n.case test\n lanes = 4\n temp = undefined\n",
      "t.warp");
  ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  const auto prepared = prepare_case(*assembled.lesson(), assembled.lesson()->cases.at(0), {});
  ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared)) << std::get<LaunchError>(prepared).message;
  auto machine = Machine::create(*assembled.lesson(), std::get<PreparedCase>(prepared).config,
                                 std::get<PreparedCase>(prepared).arguments);
  EventSink* const sinks[] = {&sink};
  std::get<Machine>(machine).run(sinks);
  ASSERT_EQ(sink.found().size(), 1U);
  EXPECT_EQ(sink.found()[0].code, Finding::GlobalUnwritten);
  EXPECT_EQ(english(sink.found()[0].steps.back().text), "lane 0 loads `temp[0]`, which nobody has written");
}

// How a word of shared memory came to be undefined: the first thing that happened. One lane; %ad is the word's address.
std::string birth_of_word(const std::string& stores) {
  const Trace trace = testing::text_trace(
      ".kernel k (out o: u32[1])\n.shared u32 s[1]\n mov.u32 %ad, 0\n mov.u32 %one, 1\n mov.b16 %half, 1\n"
      " setp.eq.u32 %no, %one, 2\n @%no mov.u32 %never, 1\n @%no mov.b16 %none, 1\n" +
          stores + " bar.warp.sync\n ld.shared.u32 %w, s[0]\n st.global.u32 o[0], %w\n exit\n.case test\n",
      1);
  if (trace.outcome.findings.empty()) return "no finding";
  return english(trace.outcome.findings.back().steps.back().text);
}

TEST(Checker, AWordWrittenInPartIsNotCalledUnwritten) {
  EXPECT_EQ(birth_of_word(""), "lane 0 loads `s[0]`, which nobody has written");
  EXPECT_EQ(birth_of_word(" st.shared.u8 [%ad], %half\n"),
            "lane 0 loads `s[0]`, of which nobody has written bytes 1-3");
  EXPECT_EQ(birth_of_word(" st.shared.u8 [%ad + 1], %half\n"),
            "lane 0 loads `s[0]`, of which nobody has written bytes 0, 2, 3");
  EXPECT_EQ(birth_of_word(" st.shared.u16 [%ad], %half\n st.shared.u8 [%ad + 3], %half\n"),
            "lane 0 loads `s[0]`, of which nobody has written byte 2");
  EXPECT_EQ(birth_of_word(" st.shared.u32 [%ad], %one\n"), "no finding");
  EXPECT_EQ(birth_of_word(" st.shared.u32 [%ad], %one\n st.shared.u8 [%ad + 2], %none\n"),
            "lane 0 has never written `%none`")
      << "what was stored undefined in the middle of it";
  EXPECT_EQ(birth_of_word(" st.shared.u32 [%ad], %never\n st.shared.u8 [%ad], %half\n"),
            "lane 0 has never written `%never`")
      << "its other bytes";
}

// A bound that nobody has written: each round is another state, so that it is no livelock. It ends 200,000 cycles after
// the first undefined branch, in cycle 4, instead of at the limit.
// Lanes that have exited, or that a block does not have, are no sources of what the others read, in any schedule.
TEST(Checker, AShuffleWithoutSomeLanes) {
  for (const Schedule& schedule : {Schedule{}, kBlocksSchedule})
    for (const char* const members : {"", ", 31, 0xffffffff", ", %c, %m"})
      for (const bool exits : {false, true}) {
        Checker sink;
        const testing::Ran ran = testing::run_text(
            std::string(".kernel k (inout out: u32[])\n mov.u32 %v, %tid.x\n mov.u32 %c, 31\n mov.u32 %m, -1\n") +
                (exits ? " setp.lt.u32 %e, %tid.x, 8\n @%e exit\n" : "") + (*members == 0 ? " shfl" : " shfl.sync") +
                ".bfly.b32 %o, %v, 16" + members + "\n st.global.u32 out[%tid.x], %o\n exit\n",
            {.lanes = 32,
             .block = {exits ? 32U : 20U, 1, 1},
             .buffers = {{"out", std::vector<std::uint64_t>(32)}},
             .sinks = {&sink},
             .schedule = schedule});
        ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message;
        ASSERT_EQ(sink.found().size(), 1U) << members;
        EXPECT_EQ(lane_ranges(sink.found().front().lanes), exits ? "16-23" : "4-15");
      }
}

// A shuffle needs no watching if constants say that all lanes find a source: as operands, or in registers.
TEST(Checker, WhichShufflesAreWatched) {
  const auto is_watched = [](const std::string& before, const std::string& operands) {
    Checker sink;
    const std::string text = ".kernel k (inout out: u32[])\n mov.u32 %v, 1\n mov.u32 %b, 4\n mov.u32 %c, 31\n" +
                             before + " shfl.sync.bfly.b32 %o, %v, " + operands +
                             "\n st.global.u32 out[%tid.x], %o\n exit\n";
    const testing::Ran ran = testing::run_text(text, {.lanes = 32,
                                                      .buffers = {{"out", std::vector<std::uint64_t>(32)}},
                                                      .sinks = {&sink},
                                                      .schedule = kBlocksSchedule});
    if (ran.machine == nullptr || !ran.result.ok) ADD_FAILURE() << text;
    for (std::size_t pc = 0; ran.machine != nullptr && pc < ran.machine->program().code.size(); ++pc)
      if (ran.machine->program().code[pc].op == Op::ShflBfly) return sink.watches(static_cast<std::int32_t>(pc));
    ADD_FAILURE() << text;
    return true;
  };
  EXPECT_FALSE(is_watched("", "4, 31, 0xffffffff"));
  EXPECT_FALSE(is_watched(" mov.u32 %m, -1\n", "%b, %c, %m"));
  EXPECT_TRUE(is_watched(" mov.u32 %m, -1\n", "%b, %laneid, %m"));
  EXPECT_TRUE(is_watched(" mov.u32 %m, -1\n mov.u32 %b, 8\n", "%b, %c, %m"));
  EXPECT_TRUE(is_watched(" mov.u32 %m, -1\n setp.eq.u32 %p, %v, 1\n @%p mov.u32 %d, 8\n", "%d, %c, %m"));
  // Of some lanes: until one does not find its source.
  const std::string of_eight = " mov.u32 %m, 0xff\n setp.lt.u32 %p, %laneid, 8\n @!%p exit\n";
  EXPECT_FALSE(is_watched(of_eight, "%b, %c, %m"));
  EXPECT_TRUE(is_watched(of_eight, "8, %c, %m"));
}

TEST(Checker, ALoopBehindAnUndefinedBranchEndsEarly) {
  const std::string text =
      ".kernel k (out o: u32[1])\n.shared u32 s[1]\n ld.shared.u32 %n, s[0]\n"
      "again: add.u32 %i, %i, 1\n setp.ne.u32 %p, %i, %n\n @%p bra again\n st.global.u32 o[0], %i\n exit\n"
      ".case test\n";
  const Trace trace = testing::text_trace(text, 1, {.max_cycles = 10'000'000});
  ASSERT_TRUE(trace.outcome.trap);
  EXPECT_EQ(trace.outcome.trap->code, Finding::CycleLimit);
  EXPECT_EQ(trace.outcome.trap->cycle, 200'005U);
  EXPECT_EQ(english(trace.outcome.trap->message),
            "still running 200000 cycles after something undefined decided a branch, in cycle 4: what it does now says "
            "nothing");
  const Trace sooner = testing::text_trace(text, 1, {.max_cycles = 1000});
  ASSERT_TRUE(sooner.outcome.trap);
  EXPECT_EQ(english(sooner.outcome.trap->message), "still running after 1000 cycles");
}

// What is allowed, and looks as if it were not.
// A run in which the checker alone asks for instructions leaves out those that cannot matter.
TEST(Checker, FindsTheSameWhateverElseWatches) {
  int found = 0;
  for (const std::string& name : testing::programs_in({"bugs"})) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    for (const Case& one : assembled.lesson()->cases) {
      CaseOverrides overrides;
      overrides.lanes = testing::about_8_lanes(*assembled.lesson(), one);
      const auto findings = [&](bool all) {
        const auto prepared = prepare_case(*assembled.lesson(), one, overrides);
        const PreparedCase& ready = std::get<PreparedCase>(prepared);
        auto machine = Machine::create(*assembled.lesson(), ready.config, ready.arguments);
        Checker checker(ready);
        EventSink everything;
        std::vector<EventSink*> sinks = {&checker};
        if (all) sinks.push_back(&everything);
        std::get<Machine>(machine).run(sinks);
        std::string text;
        for (const RunFinding& finding : checker.found()) {
          text += std::to_string(finding.cycle) + ": " + code(finding.code) + " @" + std::to_string(finding.pc) +
                  " lanes " + lane_ranges(finding.lanes) + " " + english(finding.message) + "\n";
          for (const FindingStep& step : finding.steps)
            text +=
                "  " + std::to_string(step.cycle) + " @" + std::to_string(step.pc) + " " + english(step.text) + "\n";
        }
        return text;
      };
      const std::string alone = findings(false);
      EXPECT_EQ(alone, findings(true)) << name << " " << one.name;
      found += alone.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(found, 30);
}

TEST(Checker, IsSilentAboutWhatIsAllowed) {
  EXPECT_EQ(Found(" setp.ge.u32 %high, %laneid, 2\n @%high exit\n shfl.sync.idx.b32 %x, %laneid, 0, mask=0xf\n"
                  " st.global.u32 out[%laneid], %x")
                .text(),
            "")
      << "exited lanes in a full mask, which nobody reads";
  EXPECT_EQ(
      Found(" setp.ge.u32 %second, %tid.x, 4\n @%second exit\n bar.sync 0\n st.global.u32 out[%tid.x], 1", 4, 8).text(),
      "")
      << "an exited warp at a barrier";
  EXPECT_EQ(Found(" shfl.up.b32 %left|%there, %laneid, 1\n @!%there mov.u32 %left, %laneid\n"
                  " shfl.down.b32 %right|%there, %laneid, 1\n selp.b32 %right, %right, %laneid, %there\n"
                  " add.u32 %sum, %left, %right\n st.global.u32 out[%laneid], %sum")
                .text(),
            "")
      << "clamping to the edge, with the predicate tested";
  EXPECT_EQ(
      Found(
          " mov.u32 %own, %laneid\n shfl.down.b32 %o, %own, 2\n max.u32 %m, %own, %o\n st.global.u32 out[%laneid], %m")
          .text(),
      "")
      << "the larger of the own value and itself";
}

}  // namespace checker_test
}  // namespace warpsim
