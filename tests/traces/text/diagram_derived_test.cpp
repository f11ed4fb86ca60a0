// What the renderer draws for a program that says nothing about drawing: lines derived from its instructions, and the
// event list of a program without phases.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program_run.h"
#include "traces/io/window.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace {

std::string draw(const std::string& text, unsigned lanes, TextOptions options = {}) {
  const Assembled assembled = assemble(text, "test.warp");
  EXPECT_TRUE(assembled.program.has_value()) << assembled.diagnostics.render();
  if (!assembled.program) return "";
  CaseOverrides overrides;
  overrides.lanes = lanes;
  const RecordedRun run = record_run(*assembled.program, assembled.program->cases.at(0), overrides);
  EXPECT_EQ(run.error, "");
  options.header = options.cycles = false;
  return render_text(run.trace, options);
}

// Through a pointer, 64 bits change two elements of a u32 buffer, and 16 bits half of one.
TEST(DiagramDerived, StoresOfAnotherWidth) {
  EXPECT_EQ(draw(R"(
.kernel k (inout data: u32[4])
.phase "Store"
.draw "{data[0]:x} {data[1]:x} {data[2]:x} {data[3]:x}" once
        mov.u64         %p, data
        mov.u64         %wide, 0x1111222233334444
        st.global.u64   [%p], %wide
        mov.b16         %half, 0xABCD
        st.global.b16   [%p + 10], %half
        exit
.case one; lanes = 1; data = fill:0xFFFFFFFF
)",
                 1),
            "Store\n  33334444 11112222 abcdffff ffffffff\n");
}

// Up by 33 asks for the lane one below, down by -1 for the one 31 above, as the network does.
TEST(DiagramDerived, AskedForModuloTheNetwork) {
  const std::string text = R"(
.kernel k ()
.phase "Up"
.draw "{lane}: {asked} {from} {in_range}"
        shfl.up.b32     %x, %laneid, 33
.phase "Down"
.draw "{lane}: {asked} {from} {in_range}"
        mov.u32         %far, 0xFFFFFFFF
        shfl.down.b32   %x, %laneid, %far
.phase "Butterfly"
.draw "{lane}: {asked} {from} {in_range}"
        shfl.bfly.b32   %x, %laneid, 65
        exit
.case one
)";
  EXPECT_EQ(draw(text, 2),
            "Up\n  0: -1 0 false\n  1: 0 0 true\n\nDown\n  0: 31 0 false\n  1: 32 1 false\n\n"
            "Butterfly\n  0: 1 1 true\n  1: 0 0 true\n");
  const std::string wide = draw(text, 64);
  EXPECT_NE(wide.find("  40: 7 7 true\n"), std::string::npos) << wide;      // up: six bits
  EXPECT_NE(wide.find("  40: 103 40 false\n"), std::string::npos) << wide;  // down by 63
  EXPECT_NE(wide.find("  40: 41 41 true\n"), std::string::npos) << wide;    // xor 1
}

constexpr const char* kShufflesThatAreUsed = R"(
.kernel k (in input: u32[WARP_SZ], out output: u32[WARP_SZ])
.phase "Load"
        ld.global.u32   %x, input[%laneid]
.phase "Step {step}: offset 1"
        shfl.bfly.b32   %y, %x, 1
        max.u32         %x, %x, %y
.phase "Up"
        shfl.up.b32     %z, %x, 1
.phase "Sum"
        shfl.down.b32   %w|%there, %x, 2
        @%there add.u32 %x, %x, %w
.phase "Tell"
        broadcast.u32   %all, %x, 1
        setp.gt.u32     %big, %x, 8
        vote.any        %some, %big
.phase "Store"
        st.global.u32   output[%laneid], %x
        exit
.case one; lanes = 4; input = [5, 1, 7, 2]
)";

TEST(DiagramDerived, ShufflesAndWhatTakesThemUp) {
  const std::string drawn = draw(kShufflesThatAreUsed, 4);
  EXPECT_EQ(drawn, R"(Load
  Lane 0: x = input[0] = 5
  Lane 1: x = input[1] = 1
  Lane 2: x = input[2] = 7
  Lane 3: x = input[3] = 2

Step 1: offset 1
  Lane 0↔1: max(5,1)=5
  Lane 1↔0: max(1,5)=5
  Lane 2↔3: max(7,2)=7
  Lane 3↔2: max(2,7)=7

Up
  Lane 0: receives undefined (no Lane -1) → z = ?
  Lane 1: receives x from Lane 0 → z = 5
  Lane 2: receives x from Lane 1 → z = 5
  Lane 3: receives x from Lane 2 → z = 7

Sum
  Lane 0←2: 5+7=12
  Lane 1←3: 5+7=12
  Lane 2: receives undefined (no Lane 4) → w = ?
  Lane 3: receives undefined (no Lane 5) → w = ?

Tell
  Lane 0: receives x from Lane 1 → all = 12
  Lane 1: receives x from Lane 1 → all = 12
  Lane 2: receives x from Lane 1 → all = 12
  Lane 3: receives x from Lane 1 → all = 12
  Lanes 0-3: some = true

Store
  Lane 0: output[0] = 12
  Lane 1: output[1] = 12
  Lane 2: output[2] = 7
  Lane 3: output[3] = 7
)");
}

constexpr const char* kNoPhases = R"(
.kernel k (in input: u32[WARP_SZ], out output: u32[WARP_SZ])
        setp.ge.u32     %high, %laneid, 2
        ld.global.u32   %x, input[%laneid]
        @%high bra      skip
        add.u32         %x, %x, 1
skip:   st.global.u32   output[%laneid], %x
        exit
.case one; lanes = 4; input = [5, 1, 7, 2]
)";

TEST(DiagramEvents, AProgramWithoutPhasesIsListed) {
  const std::string drawn = draw(kNoPhases, 4);
  for (const char* piece :
       {"%high = [false, false, true, true]", "%x = [5, 1, 7, 2]", "to 4: lanes 2, 3; on: lanes 0, 1", "(lanes 0, 1)",
        "%x = [6, 2]", "stored = [output[0]=6, output[1]=2, output[2]=7, output[3]=2]", "done: lanes 0-3"})
    EXPECT_NE(drawn.find(piece), std::string::npos) << piece << " in\n" << drawn;
}

// A step that a window cuts is listed, not drawn: what its registers hold in the end is not known.
TEST(DiagramWindow, AStepThatIsCutIsListed) {
  CaseOverrides overrides;
  overrides.lanes = 8;
  const RecordedRun run = record_run("p26/butterfly_parallel_max", "test", overrides);
  ASSERT_EQ(run.error, "");
  const auto window = [&](std::uint64_t from, std::uint64_t to) {
    return render_text(window_of(run.trace, {.from = from, .to = to}));
  };
  const auto has = [](const std::string& drawn, const char* piece) { return drawn.find(piece) != std::string::npos; };
  std::uint64_t begin = 0, end = 0;  // of step 1
  for (const TraceEvent& event : run.trace.events) {
    if (event.phase && event.phase->number == 2) begin = *event.cycle;
    if (event.phase && event.phase->number == 3) end = *event.cycle - 1;
  }
  ASSERT_GT(begin, 1U);
  ASSERT_GT(end, begin + 1);
  const std::string whole = window(begin, end + 1), cut = window(begin, end - 1), rest = window(begin + 1, end + 1);
  EXPECT_TRUE(has(whole, "Lane 0↔4: max(0,8)=8")) << whole;
  EXPECT_FALSE(has(cut, "max(")) << cut;
  EXPECT_TRUE(has(cut, "Halves exchange\n  (the window ends within this step)\n")) << cut;
  EXPECT_TRUE(has(cut, "from lane = [4, 5, 6, 7, 0, 1, 2, 3]")) << cut;
  EXPECT_FALSE(has(rest, "Halves")) << rest;
  EXPECT_TRUE(has(rest, "\n  (the window begins within a step)\n")) << rest;
  const std::string cycles = std::to_string(begin) + "-" + std::to_string(end - 1) + " of " +
                             std::to_string(run.trace.outcome.cycles) + ", " + std::to_string(end - begin) + " of ";
  EXPECT_TRUE(has(cut, (", cycles " + cycles).c_str())) << cycles << cut;
  EXPECT_TRUE(has(cut, "\nOf the whole run:\noutput: ")) << cut;
  EXPECT_FALSE(has(render_text(run.trace), "whole run"));
  EXPECT_TRUE(has(window(end + 1, 1000), "Final result: All lanes have max_val = 1000")) << "to the end";
}

// The machine's cycles are beside the phases, in a table or in the titles.
TEST(DiagramCycles, StandBeside) {
  const RecordedRun run = record_run("p26/butterfly_pair_swap", "worked", {});
  ASSERT_EQ(run.error, "");
  TextOptions options;
  options.header = false;
  options.pictures = false;
  const std::string table = render_text(run.trace, options);
  EXPECT_NE(table.find("Machine cycles (lockstep)\n"), std::string::npos) << table;
  std::uint64_t load_cycle = 0;
  for (const TraceEvent& event : run.trace.events) {
    if (event.phase && event.phase->number == 1) load_cycle = *event.cycle;
  }
  ASSERT_GT(load_cycle, 0U);
  EXPECT_NE(table.find(std::to_string(load_cycle) + "  Cycle 1: All lanes load"), std::string::npos) << table;
  options.cycles_inline = true;
  const std::string beside = render_text(run.trace, options);
  EXPECT_NE(beside.find("simultaneously   [cycle " + std::to_string(load_cycle) + "]\n"), std::string::npos) << beside;
}

// Two blocks: each warp is drawn by itself, and options choose among them.
TEST(DiagramWarps, AreDrawnOneAfterTheOther) {
  const RecordedRun run = record_run("p25/moving_average_3", "test", {});
  ASSERT_EQ(run.error, "");
  const std::string both = render_text(run.trace, {});
  EXPECT_NE(both.find("Block 0, warp 0"), std::string::npos);
  EXPECT_NE(both.find("Block 1, warp 0"), std::string::npos);
  TextOptions options;
  options.block = 1;
  const std::string one = render_text(run.trace, options);
  EXPECT_EQ(one.find("Block 0, warp 0"), std::string::npos);
  EXPECT_NE(one.find("Block 1, warp 0"), std::string::npos);
}

}  // namespace
}  // namespace warpsim::testing
