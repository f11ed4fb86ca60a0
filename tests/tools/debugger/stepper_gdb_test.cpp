// The words of gdb and cuda-gdb: what someone who knows them types first.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/korean_text.h"
#include "tests/tools/debugger/stepper_run.h"
#include "tools/debugger/stepper_gdb.h"

namespace warpsim {
namespace stepper_test {

// After two instructions lanes 0 and 1 are done, and lanes 2 and 3 hold 2 and 3.
Trace half_done() {
  return testing::text_trace(
      ".kernel t (out output: u32[4])\n        setp.lt.u32 %low, %laneid, 2\n        mov.u32 %v, %laneid\n"
      "        @%low exit\n        add.u32 %v, %v, 1\n        st.global.u32 output[%laneid], %v\n        exit\n"
      ".case test\n    output = 0\n",
      4);
}

// Two warps of four threads leave 10 times their number in shared memory; the sum of two neighbours goes to output.
Trace two_warps() {
  return testing::text_trace(
      ".kernel t (out output: u32[size], param size: u32 = 8)\n.shared u16 other[3]\n.shared u32 tile[8]\n"
      "        mul.lo.u32 %ten, %tid.x, 10\n        st.shared.u32 tile[%tid.x], %ten\n        bar.sync 0\n"
      "        xor.b32 %next, %tid.x, 1\n        ld.shared.u32 %v, tile[%next]\n        add.u32 %v, %v, %ten\n"
      "        st.global.u32 output[%tid.x], %v\n        exit\n"
      ".case test\n    block = 8\n    grid = 1\n    output = 0\n",
      4);
}

std::string said(const Trace& trace, const std::string& commands, const StepperLook& look = {}) {
  Stepper stepper(trace, look);
  return last_of(stepper, commands).text;
}

// The worked case: lane l holds 2 l, and lane 7 holds 1000.
TEST(StepperGdb, ValuesOverTheLanes) {
  EXPECT_EQ(text_of("goto 7; p sum(%max_val)"), "sum(%max_val) = 1042\n");
  EXPECT_EQ(text_of("goto 7; p min(%max_val)"), "min(%max_val) = 0\n");
  EXPECT_EQ(text_of("goto 7; p max(%max_val + %laneid)"), "max(%max_val + %laneid) = 1007\n");
  EXPECT_EQ(text_of("goto 7; p count(%max_val > 5)"), "count(%max_val > 5) = 5\n");
  EXPECT_EQ(text_of("goto 7; p sum(%laneid) * 2"), "sum(%laneid) * 2 = 56\n");
  EXPECT_EQ(text_of("goto 7; p sum(%whole)"), "sum(%whole) = 8\n") << "how many are true";
  EXPECT_EQ(text_of("goto 7; p sum(%more)"), "sum(%more) = ⟂\n") << "no lane has written it";
  // Only lanes that come to the next instruction take part, and that is said.
  EXPECT_EQ(said(half_done(), "goto 3; p sum(%v)"), "sum(%v) = 5   (of the active lanes 2, 3)\n");
  EXPECT_EQ(said(half_done(), "goto 3; p min(%v)"), "min(%v) = 2   (of the active lanes 2, 3)\n");
  EXPECT_EQ(said(half_done(), "goto 3; p count(%v < 3)"), "count(%v < 3) = 1   (of the active lanes 2, 3)\n");
  EXPECT_EQ(said(half_done(), "goto 2; p sum(%v)"), "sum(%v) = 6\n");
  EXPECT_TRUE(is_in("Breakpoint 1, line 34", text_of("break 34 if sum(%max_val) == 1042; c")));
}

TEST(StepperGdb, ALanesValue) {
  for (const char* spelling : {"%max_val[3]", "$max_val[3]", "max_val[3]"})
    EXPECT_EQ(text_of(std::string("goto 7; p ") + spelling), "%max_val[3] = 6\n") << spelling;
  EXPECT_EQ(text_of("goto 7; p %max_val[3] + 1"), "%max_val[3] + 1 = 7\n");
  EXPECT_EQ(text_of("goto 7; p$max_val#3"), "%max_val#3 = 6\n");
  EXPECT_EQ(text_of("goto 7; p %max_val[%laneid ^ 1]"),
            "%max_val[%laneid ^ 1]\n  #0 2     #1 0     #2 6     #3 4     #4 10    #5 8     #6 1000  #7 12\n");
  EXPECT_TRUE(is_in("a lane, from 0 to 7", text_of("p %max_val[8]")));
  EXPECT_EQ(text_of("goto 7; p $max_val"), text_of("goto 7; p %max_val"));
  EXPECT_EQ(text_of("goto 7; p max_val"), text_of("goto 7; p %max_val"));
  EXPECT_TRUE(is_in("Did you mean \"%max_val\"?", text_of("p $max_vol")));
  EXPECT_EQ(text_of("why %max_val[3]"), "%max_val[3] has not been written yet: it is undefined.\n");
  EXPECT_EQ(text_of("watch $max_val[3]"), "Watchpoint 1: %max_val#3\n");
  EXPECT_EQ(text_of("goto 9; info registers max_val"), text_of("goto 9; info registers %max_val"));
}

TEST(StepperGdb, CudasNames) {
  EXPECT_EQ(said(two_warps(), "thread 6; p threadIdx.x"), "%tid.x = 6   (lane 2)\n");
  EXPECT_EQ(said(two_warps(), "thread 6; p threadIdx"), "threadIdx = (6, 0, 0)\n");
  EXPECT_EQ(said(two_warps(), "p blockDim"), "blockDim = (8, 1, 1)\n");
  EXPECT_EQ(said(two_warps(), "warp 1; p threadIdx"),
            "threadIdx\n  #0 (4, 0, 0)  #1 (5, 0, 0)  #2 (6, 0, 0)  #3 (7, 0, 0)\n");
  EXPECT_EQ(said(two_warps(), "p warpSize"), "WARP_SZ = 4\n");
}

TEST(StepperGdb, AThreadIsAWarpAndALane) {
  const std::string chosen = said(two_warps(), "thread 6");
  EXPECT_TRUE(chosen.starts_with("[block (0,0,0), thread (6,0,0): warp 1, lane 2]\n4\t")) << chosen;
  for (const char* same : {"thread (6,0,0)", "thread 6,0,0", "cuda thread 6", "cuda warp 1 lane 2",
                           "cuda block 0 thread (6,0,0)", "warp 1; lane 2"})
    EXPECT_EQ(said(two_warps(), same), chosen) << same;
  EXPECT_EQ(said(two_warps(), "thread 6; cuda kernel block thread"), chosen.substr(0, chosen.find('\n') + 1));
  EXPECT_EQ(said(two_warps(), "thread 6; lane"), chosen.substr(0, chosen.find('\n') + 1));
  EXPECT_EQ(said(two_warps(), "thread 6; next; p %ten"), "%ten = 60   (lane 2)\n");
  EXPECT_EQ(said(two_warps(), "thread 6; next; why %ten").substr(0, 10), "%ten#2 = 6");
  EXPECT_EQ(said(two_warps(), "thread 6; next; watch %ten"), "Watchpoint 1: %ten#2\n");
  EXPECT_EQ(said(two_warps(), "thread 6; next; p sum(%ten)"), "sum(%ten) = 220\n") << "of the warp, whatever is chosen";
  EXPECT_TRUE(is_in("#3 70", said(two_warps(), "thread 6; next; lane all; p %ten")));
  for (const char* none :
       {"thread 8", "thread (0,1,0)", "thread x", "lane 4", "cuda block 1", "cuda thread 9", "cuda sm 0"}) {
    Stepper stepper(two_warps(), {});
    EXPECT_FALSE(stepper.run(none).ok) << none;
    EXPECT_EQ(stepper.run("lane").text, "[block (0,0,0), warp 0, all lanes]\n") << none;
  }
}

TEST(StepperGdb, WhereLanesAndThreadsAre) {
  EXPECT_EQ(said(half_done(), "goto 3; lane 2; info lanes"),
            " lane  state      thread       line  instruction\n"
            "    0  done       (0,0,0)      -\n"
            "    1  done       (1,0,0)      -\n"
            "*   2  active     (2,0,0)      5     add.u32 %v, %v, 1\n"
            "    3  active     (3,0,0)      5     add.u32 %v, %v, 1\n");
  EXPECT_EQ(said(half_done(), "goto 3; info cuda lanes"), said(half_done(), "goto 3; info lanes"));
  EXPECT_EQ(said(half_done(), "goto 3; info threads"),
            "* 0-1         warp 0    done\n* 2-3         warp 0    line 5: add.u32 %v, %v, 1\n");
  EXPECT_EQ(said(two_warps(), "thread 6; info cuda threads"),
            "  0-3         warp 0    line 4: mul.lo.u32 %ten, %tid.x, 10\n"
            "* 4-7         warp 1    line 4: mul.lo.u32 %ten, %tid.x, 10\n");
  EXPECT_EQ(said(two_warps(), "info blocks"), "* block 0 (0,0,0): 2 warps, done: 0\n");
  EXPECT_EQ(said(two_warps(), "info cuda kernels"), "* t: grid (1,1,1), block (8,1,1), warps of 4 lanes\n");
  EXPECT_TRUE(is_in("    3  stopped    (3,0,0)      4     ld.global.u32 %v, input[99]\n",
                    said(trapped(), "continue; info lanes")));
}

TEST(StepperGdb, LocalsAndArguments) {
  EXPECT_EQ(said(half_done(), "goto 3; lane 2; info locals"), "%low = false\n%v = 2\n");
  EXPECT_EQ(text_of("goto 9; i lo"), text_of("goto 9; info registers"));
  EXPECT_EQ(text_of("info args"),
            "input = 0x10000000   (f32[8], in)\noutput = 0x10001100   (f32[8], out)\nsize = 8   (u32)\n");
  EXPECT_EQ(said(two_warps(), "info shared"),
            "other = 0x0   (u16[3], of shared memory)\ntile = 0x8   (u32[8], of shared memory)\n");
  EXPECT_EQ(text_of("whatis %max_val"), "type = f32   (one value a lane)\n");
  EXPECT_EQ(text_of("ptype input"), "type = f32[8]   (a buffer in global memory, in)\n");
  EXPECT_EQ(said(two_warps(), "whatis tile"), "type = u32[8]   (an array in shared memory)\n");
  EXPECT_EQ(text_of("whatis %max_val#3 > 1"), "type = pred\n");
  EXPECT_EQ(text_of("whatis sum(%offset)"), "type = s64\n");
  EXPECT_TRUE(is_in("Did you mean \"%max_val\"?", text_of("whatis %max_vol")));
}

// 2.0f is 0x40000000, 4.0f is 0x40800000, 1000.0f is 0x447a0000.
TEST(StepperGdb, MemoryByAddress) {
  const std::string all =
      "0x10000000 <input[0]>:  0x00000000  0x40000000  0x40800000  0x40c00000\n"
      "0x10000010 <input[4]>:  0x41000000  0x41200000  0x41400000  0x447a0000\n";
  for (const char* place : {"input", "&input", "&input[0]", "0x10000000", "input[0]", "268435456"})
    EXPECT_EQ(text_of(std::string("x/8xw ") + place), all) << place;
  EXPECT_EQ(text_of("x/8wx input"), all);
  EXPECT_EQ(text_of("x /8xw input"), all) << "gdb takes a blank there";
  EXPECT_EQ(text_of("goto 7; p /x %max_val#7"), text_of("goto 7; p/x %max_val#7"));
  EXPECT_EQ(text_of("x/2dw input+1"), "0x10000004 <input[1]>:  1073741824  1082130432\n");
  EXPECT_EQ(text_of("x/2fw 0x10000000+4"), "0x10000004 <input[1]>:  2  4\n");
  EXPECT_EQ(text_of("x/4xb &input[1]"), "0x10000004 <input[1]>:  0x00  0x00  0x00  0x40\n");
  EXPECT_EQ(text_of("x/xh 0x10000006"), "0x10000006 <input+6>:  0x4000\n");
  EXPECT_EQ(text_of("x/xg input"), "0x10000000 <input[0]>:  0x4000000000000000\n");
  EXPECT_EQ(text_of("x/2 &input[1]"), "0x10000004 <input[1]>:  2  4\n") << "as the elements are";
  EXPECT_EQ(text_of("x/2xw input; x"), "0x10000008 <input[2]>:  0x40800000\n");
  EXPECT_TRUE(is_in("input ends there: it has 8 elements.", text_of("x/9xw input")));
  EXPECT_TRUE(is_in("There is no array at 0x20. Arrays: input 0x10000000", text_of("x/4xw 0x20")));
  EXPECT_TRUE(is_in("Only arrays have an address", text_of("x/4xw &size")));
  EXPECT_EQ(text_of("p &input[3]"), "&input[3] = 0x1000000c\n");
  EXPECT_EQ(text_of("p input[2]@3"), "input\n  [2] 4  [3] 6  [4] 8\n");
  EXPECT_EQ(text_of("p *input@2"), "input\n  [0] 0  [1] 2\n");
  Stepper stepper(butterfly(), {});
  stepper.run("x/2xw input");
  EXPECT_EQ(stepper.run("").text, "0x10000008 <input[2]>:  0x40800000  0x40c00000\n") << "Enter goes on";
}

// Of three u16, which take 6 bytes, the next array begins at 8. Nobody stores there in the first two instructions.
TEST(StepperGdb, SharedMemoryByAddress) {
  const std::string tile =
      "0x8 <tile[0]>:   0x00000000  0x0000000a  0x00000014  0x0000001e\n"
      "0x18 <tile[4]>:  0x00000028  0x00000032  0x0000003c  0x00000046\n";
  for (const char* place : {"tile", "&tile", "0x8", "@shared 0x8", "(@shared u32*)8"})
    EXPECT_EQ(said(two_warps(), std::string("break 6; c; goto 99; x/8xw ") + place), tile) << place;
  EXPECT_EQ(said(two_warps(), "x/2xw tile"), "0x8 <tile[0]>:  ⟂  ⟂\n");
  // A register that holds an address, of a lane or of all alike.
  EXPECT_EQ(said(two_warps(), "goto 99; x/xw %ten#2"), "0x14 <tile[3]>:  0x0000001e\n");
  EXPECT_TRUE(is_in("x wants one address: x/8xw %ten#0", said(two_warps(), "goto 99; x/xw %ten")));
  EXPECT_EQ(said(two_warps(), "goto 99; lane 2; x/xw $ten"), "0x14 <tile[3]>:  0x0000001e\n");
}

TEST(StepperGdb, Instructions) {
  const std::string three =
      "=>   9  line 34   @%there max.f32 %max_val, %max_val, %other\n    10  line 35   shr.u32 %offset, %offset, 1\n"
      "    11  line 36   setp.ne.u32 %more, %offset, 0\n";
  EXPECT_EQ(text_of("goto 9; x/3i $pc"), three);
  EXPECT_EQ(text_of("goto 9; disassemble 9,11"), three);
  EXPECT_EQ(text_of("goto 9; x/i $pc; x"), text_of("goto 9; disas 10,10"));
  EXPECT_EQ(text_of("goto 9; x/2i $pc+1"), text_of("goto 9; disas 10,11"));
  const std::string all = text_of("goto 9; disas");
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')), butterfly().head.code.size());
  EXPECT_TRUE(is_in(three, all)) << all;
  EXPECT_TRUE(is_in(" b  10  line 35", text_of("break *10; disas")));
  EXPECT_EQ(text_of("break *9"), "Breakpoint 1 at line 34.\n");
  EXPECT_EQ(text_of("display/i $pc; goto 9; undisplay 1; display/i $pc"),
            "2: " + three.substr(0, three.find('\n') + 1));
  EXPECT_TRUE(is_in("from 0 to 16", text_of("disas 17")));
  EXPECT_TRUE(is_in("from 0 to 16", text_of("x/i 17")));
}

TEST(StepperGdb, WatchpointsOnReads) {
  EXPECT_TRUE(is_in("Read watchpoint 1: input[3] = 6, read by lane 3\nCycle 7:", text_of("rwatch input[3]; c")));
  EXPECT_TRUE(is_in("The run has ended.", text_of("rwatch input[3]; c; c"))) << "it is read once";
  EXPECT_TRUE(is_in("The run has ended.", text_of("rwatch output[3]; c"))) << "a store does not read";
  EXPECT_TRUE(is_in("rwatch wants a register or an element: rwatch %r#4", text_of("rwatch")));
  EXPECT_TRUE(is_in("Access watchpoint 1: output[3]: 0 → 1000\n", text_of("awatch output[3]; c")));
  EXPECT_TRUE(is_in("Access watchpoint 1: input[3] = 6, read by lane 3\n", text_of("awatch input[3]; c")));
  // Lane 2's value is read by the shuffle of line 33 on lane 6, then by its own maximum, which was 4 before.
  EXPECT_TRUE(is_in("Read watchpoint 1: %max_val#2 = 4\nCycle 9:", text_of("rwatch %max_val#2; c")));
  EXPECT_TRUE(is_in("Read watchpoint 1: %max_val#2 = 4\nCycle 10:", text_of("rwatch %max_val#2; c; c")));
  EXPECT_TRUE(is_in("Read watchpoint 1: %max_val#2 = 4\n", text_of("rwatch %max_val#2; goto 10; rc")));
  EXPECT_TRUE(is_in("Cycle 10:", text_of("rwatch %there; c"))) << "a guard reads";
  EXPECT_EQ(text_of("rwatch input[3]; awatch %there; i b"),
            "Read watchpoint 1: input[3]\nAccess watchpoint 2: %there\n");
}

TEST(StepperGdb, BackToTheStartOfTheWarp) {
  EXPECT_EQ(text_of("goto 9; reverse-finish"), text_of("goto 0"));
  Stepper stepper(two_warps(), {});
  stepper.run("warp 1");
  stepper.run("step 2");
  stepper.run("rfinish");
  EXPECT_EQ(stepper.warp(), 1U);
  EXPECT_EQ(stepper.history().warp(0, 1)->events, 0U);
  EXPECT_GT(stepper.history().position(), 0U) << "before the warp's first instruction, not the run's";
  EXPECT_TRUE(is_in("Breakpoint 1, line 33", text_of("break 33; goto 20; rfinish"))) << "what stops, stops";
}

TEST(StepperGdb, ARecordedRunIsNotChanged) {
  EXPECT_TRUE(is_in("recorded run: nothing in it can be set. Start again with `--input input=0,2,4,7,8,10,12,1000`",
                    text_of("set var input[3] = 7", {Language::English, false, 400})));
  for (const char* command : {"set variable size=4", "set size = 4", "print size = 4"})
    EXPECT_TRUE(is_in("`--param size=4`", text_of(command, {Language::English, false, 400}))) << command;
  EXPECT_TRUE(
      is_in("`--input input=... --param size=...`", text_of("set %max_val = 3", {Language::English, false, 400})));
  Stepper stepper(butterfly(), {});
  EXPECT_FALSE(stepper.run("set var %max_val#3 = 3").ok);
  EXPECT_TRUE(stepper.run("set pagination off").ok);
  EXPECT_FALSE(stepper.run("set disassembly-flavor intel").ok);
  EXPECT_TRUE(is_in("recorded run", stepper.run("set").text));
  EXPECT_TRUE(stepper.run("print %max_val#3 == 3").ok) << "a comparison sets nothing";
}

// Every word of gdb that there is not says what there is, also to `help`; every other one has a suggestion.
TEST(StepperGdb, OtherWordsHaveASuggestion) {
  for (const char* word : {"jump", "call", "kill", "up", "down", "shell", "define", "printf", "record", "show", "tui",
                           "file", "end", "catch", "search"}) {
    const std::string told = text_of(word);
    EXPECT_TRUE(is_in("No command \"" + std::string(word) + "\" here: ", told) && is_in("`", told)) << told;
    EXPECT_EQ(text_of("help " + std::string(word)), told);
    StepperLook korean;
    korean.language = Language::Korean;
    EXPECT_TRUE(is_in("명령은 없습니다", text_of(word, korean)));
    Stepper stepper(butterfly(), {});
    EXPECT_FALSE(stepper.run(word).ok);
  }
  for (const auto& [typed, meant] : std::vector<std::pair<std::string, std::string>>{
           {"brake", "break"}, {"disasemble", "disassemble"}, {"thraed", "thread"}, {"contniue", "continue"}})
    EXPECT_TRUE(is_in("Did you mean \"" + meant + "\"?", text_of(typed))) << text_of(typed);
  EXPECT_TRUE(is_in("Did you mean \"locals\"?", text_of("info loclas")));
  EXPECT_TRUE(is_in("`help info` lists all", text_of("info")));
  EXPECT_TRUE(is_in("`warpsim tui NAME`", text_of("layout src")));
  EXPECT_TRUE(is_in("layout wants one of src, asm, regs", text_of("layout wide")));
  EXPECT_TRUE(is_in("each lane: active, elsewhere, done", text_of("help info")));
}

TEST(StepperGdb, TheBreakpointsCommands) {
  const std::string set = "break 33; commands; silent; print %max_val#0; end; ";
  EXPECT_EQ(text_of(set + "c"), "%max_val#0 = 0\n");
  EXPECT_EQ(text_of(set + "c; c"), "%max_val#0 = 8\n");
  EXPECT_EQ(text_of(set + "info b"), "Breakpoint 1, line 33\n        silent\n        print %max_val#0\n");
  EXPECT_TRUE(is_in("Breakpoint 1, line 33\nCycle 8:", text_of("break 33; commands 1; print %offset#0; end; c")));
  EXPECT_TRUE(is_in("%offset#0 = 4\n", text_of("break 33; commands 1; print %offset#0; end; c")));
  // A list that goes on is run at every stop.
  const std::string all = text_of("break 33; commands; silent; print %max_val#0; continue; end; c");
  EXPECT_TRUE(all.starts_with("%max_val#0 = 0\n%max_val#0 = 8\n%max_val#0 = 12\nCycle 26:")) << all;
  // What stands behind a motion is not run.
  EXPECT_FALSE(is_in("%offset", text_of("break 33; commands; silent; continue; print %offset; end; c")));
  EXPECT_EQ(text_of("break 33; commands; print %offset; end; commands 1; end; info b"), "Breakpoint 1, line 33\n");
  EXPECT_FALSE(is_in("%offset", text_of("break 33; commands; print %offset; end; disable 1; c")));
  Stepper stepper(butterfly(), {});
  EXPECT_FALSE(stepper.run("commands").ok) << "there is no breakpoint";
  stepper.run("break 33");
  EXPECT_FALSE(stepper.run("commands 2").ok);
  EXPECT_FALSE(stepper.is_reading_commands());
  stepper.run("commands");
  EXPECT_TRUE(stepper.is_reading_commands());
  stepper.run("rstep");
  stepper.run("continue");
  stepper.run("end");
  EXPECT_FALSE(stepper.is_reading_commands());
}

TEST(StepperGdb, CommandsThatNeverEndAreStopped) {
  Stepper stepper(butterfly(), {});
  for (const char* command :
       {"break 33", "commands", "silent", "rcontinue", "end", "break 18", "commands", "silent", "continue", "end"})
    ASSERT_TRUE(stepper.run(command).ok) << command;
  const Stepper::Answer answer = stepper.run("continue");
  EXPECT_FALSE(answer.ok);
  EXPECT_TRUE(is_in("lead to each other", answer.text)) << answer.text;
}

TEST(StepperGdb, AFileOfCommands) {
  const std::string file = ::testing::TempDir() + "session_" + std::to_string(::getpid()) + ".txt";
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write("# to the first exchange\nbreak 33\ncontinue\n\nprint %max_val#3; print %offset#0   # two\n");
  EXPECT_EQ(text_of("source " + file),
            text_of("break 33") + text_of("break 33; continue") + "%max_val#3 = 6\n%offset#0 = 4\n");
  write("break 33\ncommands\nsilent\nprint %max_val#0\nend\ncontinue\nprint %offset#0\n");
  EXPECT_TRUE(is_in("\n%max_val#0 = 0\n%offset#0 = 4\n", text_of("source " + file))) << text_of("source " + file);
  write("step\nstpe\nstep\n");
  Stepper stepper(butterfly(), {});
  const Stepper::Answer wrong = stepper.run("source " + file);
  EXPECT_FALSE(wrong.ok);
  EXPECT_EQ(wrong.text, file + ":2: Undefined command: \"stpe\". Did you mean \"step\"?\n");
  EXPECT_TRUE(wrong.before.starts_with("Cycle 1:")) << wrong.before;
  EXPECT_EQ(stepper.history().position(), 1U);
  write("source " + file + "\n");
  EXPECT_TRUE(is_in("lead to each other", text_of("source " + file)));
  std::remove(file.c_str());
  EXPECT_TRUE(is_in("cannot be read", text_of("source " + file)));
  EXPECT_TRUE(is_in("source wants a file", text_of("source")));
}

TEST(StepperGdb, CommandsAnswerInJson) {
  Stepper stepper(butterfly(), {});
  for (const char* command : {"break 33", "commands", "print %max_val#0", "continue", "end"}) stepper.run(command);
  const nlohmann::json answer = nlohmann::json::parse(stepper.run("continue").json);
  ASSERT_EQ(answer["commands"].size(), 6U) << "two at each of three stops";
  EXPECT_EQ(answer["commands"][2]["command"], "print %max_val#0");
  EXPECT_EQ(answer["commands"][2]["values"][0], 8);
  EXPECT_EQ(answer["stopped"], "end");
}

}  // namespace stepper_test
}  // namespace warpsim
