// What accompanies a trace on a page: kinds of flow for every row of the table, windows, and faults in both
// languages.
#include "traces/sentence/notes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "isa/table/op.h"
#include "tests/support/every_program.h"
#include "tests/support/korean_text.h"
#include "traces/io/window.h"
#include "traces/replay/dataflow.h"
#include "traces/sentence/sentence.h"
#include "traces/words/fault_text.h"

namespace warpsim {
namespace {

using testing::english_in;
using testing::program_trace;

const CaseOverrides kShort{.max_cycles = 200};
constexpr const char* kHead = ".kernel t (in input: u32[8], out output: u32[8])\n.shared u32 tile[4]\n";
constexpr const char* kTail = "\n        exit\n.case test\n    input = i\n";

// One program for each kind of trap, and some that continue.
struct Bad {
  const char *kind, *body;
};
constexpr Bad kBad[] = {
    {"out-of-bounds", "        st.global.u32 output[8], 1"},
    {"out-of-bounds", "        add.u32 %i, %laneid, 7\n        st.global.u32 output[%i], 1"},
    {"out-of-bounds", "        sub.s32 %i, %laneid, 2\n        ld.global.u32 %v, input[%i]"},
    {"out-of-bounds", "        ld.global.v2.u32 {%a, %b}, input[8]"},
    {"out-of-bounds", "        mov.u64 %p, output\n        atom.global.add.u32 %v, [%p + 40], 1"},
    {"out-of-bounds", "        mov.u64 %p, input\n        ld.global.u32 %v, [%p - 8]"},
    {"out-of-bounds", "        mov.u32 %p, 64\n        ld.shared.u32 %v, [%p]"},
    {"misaligned", "        mov.u64 %p, input\n        ld.global.u32 %v, [%p + 2]"},
    {"read-only", "        mov.u64 %p, input\n        st.global.u32 [%p + 4], 1"},
    {"member-mask", "        shfl.idx.b32 %v, %laneid, 0, mask=0x1"},
    {"partial-collective",
     "        setp.lt.u32 %low, %laneid, 2\n        @!%low bra on\n        reduce.add.u32 %v, %laneid, mask=0x3\non:"},
    {"shuffle-mismatch",
     "        setp.lt.u32 %low, %laneid, 2\n        selp.b32 %m, 15, 12, %low\n        shfl.idx.b32 %v, %laneid, 0, "
     "mask=%m"},
    {"shuffle-mismatch",
     "        setp.lt.u32 %low, %laneid, 2\n        @%low bra there\n        shfl.up.b32 %v, %laneid, 1\n        bra "
     "on\nthere:  shfl.down.b32 %v, %laneid, 1\non:"},
    {"deadlock", "        setp.lt.u32 %low, %laneid, 2\n        @%low bra on\n        bar.sync 0, 16\non:"},
    {"deadlock",
     "        setp.lt.u32 %low, %laneid, 1\n        @%low bra on\n        bra off\non:     bar.sync 0\noff:    "
     "shfl.idx.b32 %v, %laneid, 0"},
    {"deadlock", "        bar.sync 0, 6"},
    {"deadlock", "        bar.sync 0, 8"},
    {"deadlock",
     "        setp.lt.u32 %low, %laneid, 2\n        @!%low bra on\n        shfl.idx.b32 %v, %laneid, 0\non:     "
     "bar.sync "
     "0"},
    {"deadlock",
     "        setp.lt.u32 %low, %laneid, 1\n        @!%low bra on\n        bar.warp.sync 3\non:     bar.sync 0"},
    {"cycle-limit", "again:  bra again"},
    {"finding",
     "        setp.lt.u32 %low, %laneid, 2\n        @%low mov.u32 %some, 1\n        st.global.u32 output[%laneid], "
     "%some"},
    {"finding",
     "        setp.lt.u32 %low, %laneid, 2\n        @%low setp.ne.u32 %p, %laneid, 1\n        @%p add.u32 %v, %laneid, "
     "1"},
    {"finding",
     "        setp.lt.u32 %low, %laneid, 2\n        @%low setp.gt.u32 %p, %laneid, 1\n        vote.any.pred %any, %p"},
    {"finding", "        atom.shared.add.u32 %v, tile[0], 1"},
    {"finding",
     "        setp.lt.u32 %low, %laneid, 2\n        @%low mov.u32 %some, 1\n        ld.global.u32 %v, input[%some]"},
};

std::vector<std::string> texts_of(const nlohmann::json& fault) {
  std::vector<std::string> texts = {fault.at("message"), fault.at("hint")};
  for (const char* const list : {"steps", "places"})
    for (const std::string text : fault.at(list)) texts.push_back(text);
  return texts;
}

TEST(Notes, FaultsAreSaidInBothLanguages) {
  std::set<std::string> kinds;
  for (const Bad& bad : kBad) {
    SCOPED_TRACE(bad.body);
    const Trace trace = testing::text_trace(kHead + std::string(bad.body) + kTail, 4, kShort);
    const TraceOutcome& outcome = trace.outcome;
    const bool finding = std::string_view(bad.kind) == "finding";
    ASSERT_EQ(outcome.trap.has_value(), !finding);
    ASSERT_EQ(outcome.findings.empty(), !finding);
    EXPECT_EQ(finding ? "finding" : outcome.trap->kind, bad.kind);
    kinds.insert(bad.kind);
    const nlohmann::json faults = nlohmann::json::parse(notes_json(trace)).at("faults").at("ko");
    ASSERT_EQ(faults.size(), outcome.findings.size() + (outcome.trap ? 1 : 0));
    const std::string message = finding ? english(outcome.findings.front().message) : english(outcome.trap->message);
    EXPECT_EQ(fault_text(message, Language::English), message);
    for (std::size_t k = 0; k < faults.size(); ++k) {
      const TraceFinding& fault = k < outcome.findings.size() ? outcome.findings[k] : *outcome.trap;
      EXPECT_EQ(faults[k].at("steps").size(), fault.steps.size());
      EXPECT_EQ(faults[k].at("places").size(), fault.places.size());
      EXPECT_FALSE(fault.places.empty()) << "where the lanes were";
      for (const std::string& text : texts_of(faults[k])) EXPECT_EQ(english_in(text), "") << text << "\n" << message;
    }
    if (finding || trace.events.empty())
      continue;  // what stops its first instruction from being issued leaves no event
    const std::size_t last = trace.events.size() - 1;
    EXPECT_NE(sentence(trace, last).find(message), std::string::npos) << sentence(trace, last);
    EXPECT_EQ(sentence(trace, last, Language::Korean).find(message), std::string::npos);
    for (std::size_t k = 0; k < last; ++k) EXPECT_EQ(sentence(trace, k), sentence(trace.head, trace.events[k]));
  }
  EXPECT_EQ(kinds.size(), 9U) << "every kind but falling off the end, which the verifier refuses, and looping for "
                                 "ever, which takes longer, and findings";
  EXPECT_EQ(fault_text("control passed the last instruction", Language::Korean), "마지막 명령어를 지나쳐 실행됨");
  EXPECT_EQ(fault_text("whatever a trace may hold", Language::Korean), "whatever a trace may hold");
}

// Sentences of runs that take more than a warp, or more cycles.
TEST(Notes, EndlessRunsAreSaidInBothLanguages) {
  const struct {
    const char *kind, *body;
    CaseOverrides launch;
  } kEndless[] = {
      {"livelock", "again:  bra again", {}},
      {"livelock", "again:  ld.global.u32 %v, input[0]\n        bra again", {}},
      {"livelock",
       "        setp.lt.u32 %low, %laneid, 2\n        @%low bra on\nagain:  ld.global.u32 %v, input[0]\n        "
       "setp.eq.u32 %p, %v, 0\n        @%p bra again\non:",
       {}},
      {"livelock",
       "        setp.lt.u32 %low, %laneid, 2\n        @%low bra on\nagain:  ld.global.u32 %v, input[0]\n        "
       "setp.eq.u32 %p, %v, 0\n        @%p bra again\n        exit\non:     mov.u32 %v, 1",
       {}},
      {"deadlock",
       "        setp.ge.u32 %gone, %tid.x, 4\n        @%gone exit\n        bar.sync 0, 8",
       {.block = Dim3{8, 1, 1}}},
      {"deadlock", "        bar.sync 0, 16", {.block = Dim3{8, 1, 1}}},
      {"deadlock",
       "        setp.lt.u32 %first, %tid.x, 4\n        @%first bra on\n        bar.sync 1\n        bra off\non:     "
       "bar.sync 2\noff:",
       {.block = Dim3{8, 1, 1}}},
  };
  for (const auto& one : kEndless) {
    SCOPED_TRACE(one.body);
    const Trace trace = testing::text_trace(kHead + std::string(one.body) + kTail, 4, one.launch);
    ASSERT_TRUE(trace.outcome.trap);
    EXPECT_EQ(trace.outcome.trap->kind, one.kind);
    const nlohmann::json notes = nlohmann::json::parse(notes_json(trace));
    for (const nlohmann::json& fault : notes.at("faults").at("ko"))
      for (const std::string& text : texts_of(fault)) EXPECT_EQ(english_in(text), "") << text;
  }
}

TEST(Notes, TheSentenceOfATrapSaysSo) {
  const Trace out = testing::text_trace(kHead + std::string(kBad[0].body) + kTail, 4, kShort);
  EXPECT_EQ(sentence(out, 0),
            "Cycle 1: st.global(output[8], 1): stopped here: lane 0 writes output[8], 1 element past the end of its 8; "
            "so do 3 other lanes; 4 lanes active");
  EXPECT_EQ(sentence(out, 0, Language::Korean),
            "사이클 1: st.global(output[8], 1): 여기서 멈춤: Lane 0이 output[8]에 저장: 요소 8개의 끝에서 1개 벗어남; "
            "다른 Lane 3개도 같음; 활성 Lane 4개");
  const Trace endless = testing::text_trace(kHead + std::string("again:  bra again") + kTail, 4, kShort);
  EXPECT_EQ(sentence(endless, endless.events.size() - 1),
            "Cycle 200: all 4 lanes go to line 3; 4 lanes active; the run stopped after this: still running after 200 "
            "cycles");
  WindowOptions some;
  some.to = 20;
  const Trace window = window_of(endless, some);
  EXPECT_EQ(sentence(window, 19), "Cycle 20: all 4 lanes go to line 3; 4 lanes active") << "the run goes on after it";
}

TEST(Notes, AWindowSaysWhatItShows) {
  const Trace whole = program_trace("p26/butterfly_parallel_max", "worked", 8);
  const auto window_in = [](const Trace& trace) { return nlohmann::json::parse(notes_json(trace)).at("window"); };
  EXPECT_TRUE(window_in(whole).is_null());
  WindowOptions some;
  some.from = 9, some.to = 20;
  EXPECT_EQ(window_in(window_of(whole, some)).dump(), R"({"all":26,"events":12,"first":9,"last":20,"of":26})");
  some.from = 1, some.to = 5;
  EXPECT_EQ(window_in(window_of(whole, some)).dump(), R"({"all":26,"events":5,"first":1,"last":5,"of":26})");
  some.from = 20, some.to = 26;
  EXPECT_EQ(window_in(window_of(whole, some)).at("first"), 20);
  const Trace trapped = testing::text_trace(kHead + std::string(kBad[0].body) + kTail, 4, kShort);
  EXPECT_TRUE(window_in(trapped).is_null()) << "the instruction that trapped is an event and does not count as one";
  Trace unnumbered = window_of(whole, some);
  for (TraceEvent& event : unnumbered.events) event.cycle.reset();
  EXPECT_EQ(window_in(unnumbered).dump(), R"({"all":26,"events":7,"first":20,"last":26,"of":26})");
}

// The page asks what a row does by these alone.
TEST(Notes, FlowOfEveryKind) {
  const Trace trace = testing::text_trace(kHead + std::string(R"(        ld.global.u32 %v, input[%laneid]
        shfl.up.b32 %u|%there, %v, 1
        broadcast.u32 %f, %v
        vote.any.pred %some, !%there
        match.any.b32 %same, %v
        redux.add.u32 %sum, %v, mask=0xf
        reduce.max.u32 %most, %v
        scan.add.u32 %upto, %v
        scan.add.exclusive.u32 %before, %v
        activemask.mask %here
        vote.ballot.mask %lows, %there, mask=%here
        st.shared.u32 tile[%laneid], %v
        bar.sync 0
        bar.red.popc.u32 %count, 0, %there
        atom.global.add.u32 %old, output[0], %v
        atom.global.exch.b32 %old, output[0], %v
        add.u32 %v, %v, 1)") + kTail,
                                          4);
  const nlohmann::json flow = nlohmann::json::parse(notes_json(trace)).at("flow");
  std::string kinds, exclusive, overwrites, members;
  for (const nlohmann::json& one : flow) {
    kinds += one.at("kind").get<std::string>() + " ";
    exclusive += one.at("exclusive").get<bool>() ? '1' : '0';
    overwrites += one.at("overwrites").get<bool>() ? '1' : '0';
    members += one.at("members").get<std::string>() + ",";
  }
  EXPECT_EQ(
      kinds,
      "load shuffle shuffle vote match reduce reduce scan scan  vote store barrier block-reduce atomic atomic   ");
  EXPECT_EQ(exclusive, "000000001000000000");
  EXPECT_EQ(overwrites, "000000000000000100");
  EXPECT_EQ(members, ",,,,,15,,,,,%here,,,,,,,,");
  // Every row that crosses lanes or touches memory has a kind, so that a new lift is not forgotten.
  for (const OpInfo& row : assembly_ops()) {
    TraceHead head;
    TraceInsn insn;
    insn.op = row.mnemonic;
    for (int t = 0; t < 64 && insn.type == Type::None; ++t)
      if (contains(first_types(row.types), static_cast<Type>(t))) insn.type = static_cast<Type>(t);
    for (const Slot& slot : slots(row.form))
      insn.operands.push_back(slot.in_braces && (insn.operands.empty() || !(&slot)[-1].in_braces) ? "{" : "");
    head.code.push_back(insn);
    read_instruction_texts(head);
    const bool moves =
        row.unit == Unit::Shfl || row.unit == Unit::Mem || row.unit == Unit::Shared || row.lift == Lift::Match;
    const bool own = row.lift == Lift::LoadParam || row.lift == Lift::Nothing;
    if (moves && !own) {
      EXPECT_NE(name(flow_of(head, 0).kind), "") << row.mnemonic;
    } else if (is_lanewise(row.lift)) {
      EXPECT_EQ(name(flow_of(head, 0).kind), "") << row.mnemonic;
    }
  }
}

}  // namespace
}  // namespace warpsim
