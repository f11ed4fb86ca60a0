// A run that is asked to stop does so soon, however it runs, and says where its warps stand.
//
// Source: sim/README.md, "Stopping".
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/run.h"
#include "tests/support/small_profile.h"

namespace warpsim {
namespace stop_test {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

// Warp 1 waits; warp 0 counts, in its registers alone, for longer than anybody waits.
constexpr const char* kEndless = R"(.kernel k ()
    setp.ge.u32 %waits, %tid.x, 4
    mov.u64 %n, 0
    @%waits bra wait
again: add.u64 %n, %n, 1
    setp.ne.u64 %more, %n, 0
    @%more bra again
wait: bar.sync 0
    exit
)";

RunSetup endless(const Schedule& schedule) {
  RunSetup setup{.lanes = 4, .block = {8, 1, 1}, .max_cycles = kNoCycleLimit};
  setup.schedule = schedule;
  return setup;
}

void expect_stopped(const Ran& ran) {
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Interrupted);
  EXPECT_EQ(code(ran.result.trap.code), "WS0706");
  EXPECT_EQ(english(ran.result.trap.message),
            "stopped from outside after " + std::to_string(ran.result.cycles) + " cycles");
  ASSERT_EQ(ran.result.trap.places.size(), 2U);
  EXPECT_EQ(english(ran.result.trap.places[1].waits_for), "waits at barrier 0: 4 threads of 8 there");
}

TEST(Stop, AnotherThreadStopsARunThatNobodyWatches) {
  for (const Schedule& schedule : {Schedule{}, kBlocksSchedule, fuzz_schedule(1)}) {
    SCOPED_TRACE(name(schedule));
    std::atomic<bool> stop{false};
    RunSetup setup = endless(schedule);
    setup.stop = &stop;
    std::thread other([&stop] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      stop = true;
    });
    const Ran ran = run_text(kEndless, setup);
    other.join();
    expect_stopped(ran);
    EXPECT_GT(ran.result.cycles, 1000U);
  }
}

// Stops the run in its thousandth cycle; watches everything, or the barrier alone.
struct Stopper : EventSink {
  explicit Stopper(bool watches_all) : watches_all_(watches_all) {}
  bool watches(std::int32_t pc) const override { return watches_all_ || pc == 6; }
  void on_issue(const IssueEvent& event) override { stop = event.cycle >= 1000 || !watches_all_; }
  void on_finish(const Machine&, const RunResult& result) override {
    ++finished;
    EXPECT_FALSE(result.ok);
  }
  std::atomic<bool> stop{false};
  int finished = 0;

 private:
  bool watches_all_;
};

TEST(Stop, AWatcherStopsTheRun) {
  std::vector<RunSetup> setups = {endless({}), endless(kBlocksSchedule), endless(fuzz_schedule(1)), endless({})};
  setups.back().timing = std::make_shared<const TimingProfile>(testing::small_profile());
  for (RunSetup& setup : setups) {
    for (const bool all : {true, false}) {
      SCOPED_TRACE(name(setup.schedule) + (setup.timing ? ", timed" : ""));
      Stopper stopper(all);
      setup.stop = &stopper.stop;
      setup.sinks = {&stopper};
      const Ran ran = run_text(kEndless, setup);
      EXPECT_EQ(ran.result.trap.kind, TrapKind::Interrupted);
      EXPECT_EQ(stopper.finished, 1);
      EXPECT_LT(ran.result.cycles, 1'000'000U);
    }
  }
}

TEST(Stop, ItStopsBeforeItsFirstInstruction) {
  const std::atomic<bool> stop{true};
  RunSetup setup{.lanes = 4};
  setup.stop = &stop;
  EXPECT_EQ(run_text(".kernel k ()\n exit\n", setup).result.trap.kind, TrapKind::Interrupted);
  setup.stop = nullptr;
  EXPECT_TRUE(run_text(".kernel k ()\n exit\n", setup).result.ok);
}

}  // namespace stop_test
}  // namespace warpsim
