// Sentences: the sources' steps word for word, one of every kind, and all programs' events in both languages.
#include "traces/sentence/sentence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/every_program.h"
#include "traces/io/writer.h"
#include "traces/model/instruction_texts.h"
#include "traces/replay/dataflow.h"
#include "traces/sentence/notes.h"

namespace warpsim {
namespace {

using testing::program_trace;

const TraceEvent& nth_event(const Trace& trace, const std::string& op, int n) {
  for (const TraceEvent& event : trace.events)
    if (trace.head.code[static_cast<std::size_t>(event.pc)].op == op && n-- == 0) return event;
  ADD_FAILURE() << "no such " << op;
  return trace.events.front();
}
std::string english(const Trace& trace, const std::string& op, int n = 0) {
  return sentence(trace.head, nth_event(trace, op, n), Language::English);
}
std::string korean(const Trace& trace, const std::string& op, int n = 0) {
  return sentence(trace.head, nth_event(trace, op, n), Language::Korean);
}

// 000's worked example: 0, 2, 4 … 12, 1000 at 8 lanes; Step 1 is shuffle_xor(max_val, 4).
TEST(Sentence, ButterflyOfTheDocument) {
  const Trace trace = program_trace("p26/butterfly_parallel_max", "worked", 8);
  EXPECT_EQ(english(trace, "shfl.bfly", 0),
            "Cycle 9: shuffle_xor(max_val, 4): lane 0 receives 8 from lane 4; 8 lanes active");
  EXPECT_EQ(korean(trace, "shfl.bfly", 0),
            "사이클 9: shuffle_xor(max_val, 4): Lane 0이 Lane 4에서 8을 수신; 활성 Lane 8개");
  EXPECT_EQ(english(trace, "shfl.bfly", 2),
            "Cycle 19: shuffle_xor(max_val, 1): lane 0 receives 1000 from lane 1; 8 lanes active");
  EXPECT_EQ(english(trace, "max", 0), "Cycle 10: max(max_val, other): lane 0 gets max_val = 8; 8 lanes active");
  EXPECT_EQ(english(trace, "max", 2),
            "Cycle 20: max(max_val, other): every active lane gets max_val = 1000; 8 lanes active");
  EXPECT_EQ(korean(trace, "max", 2),
            "사이클 20: max(max_val, other): 모든 활성 Lane에서 max_val = 1000; 활성 Lane 8개");
  EXPECT_EQ(english(trace, "ld.global"), "Cycle 7: lane 0 loads max_val = 0 from input[0]; 8 lanes active");
  EXPECT_EQ(korean(trace, "ld.global"), "사이클 7: Lane 0이 input[0]에서 max_val = 0을 로드; 활성 Lane 8개");
  EXPECT_EQ(english(trace, "st.global"), "Cycle 25: lane 0 stores 1000 to output[0]; 8 lanes active");
  EXPECT_EQ(korean(trace, "st.global"), "사이클 25: Lane 0이 output[0]에 1000을 저장; 활성 Lane 8개");
  EXPECT_EQ(english(trace, "exit", 0), "Cycle 3: the guard @outside holds on no lane; no lane exits; no lane active");
  EXPECT_EQ(english(trace, "exit", 1), "Cycle 26: lanes 0-7 are done; 8 lanes active");
}

// Four lanes arrive at a barrier of four: what its word means, not its bits.
TEST(Sentence, MbarriersCountArrivals) {
  const Trace trace = program_trace("bugs/mbarrier_without_init_fixed", "test", 4);
  EXPECT_EQ(english(trace, "mbarrier.init.shared"),
            "Cycle 2: filled[0] is a barrier of 4 arrivals; the guard @first leaves out lanes 2, 3; 2 lanes active");
  EXPECT_EQ(english(trace, "mbarrier.arrive.shared"),
            "Cycle 8: lanes 0-3 arrive at filled[0]: 4 of 4 arrivals of phase 0 were missing; the phase is complete; 4 "
            "lanes active");
  EXPECT_EQ(korean(trace, "mbarrier.arrive.shared"),
            "사이클 8: Lane 0-3이 filled[0]에 도착: 0단계의 도착 4번 중 4번이 남아 있었음; 단계가 끝남; 활성 Lane 4개");
  EXPECT_EQ(english(trace, "mbarrier.test_wait.shared"),
            "Cycle 9: filled[0]: 4 of 4 arrivals of phase 1 are missing, done = true; 4 lanes active");
}

constexpr const char* kEveryKind = R"(.kernel t (in input: u32[size], inout out: u32[size], param size: u32 = WARP_SZ)
.shared u32 tile[128]
        ld.global.u32   %v, input[%gtid]
        setp.lt.u32     %low, %laneid, 2
        shfl.up.b32     %up, %v, 1
        shfl.down.b32   %down|%there, %v, 9
        shfl.idx.b32    %third, %v, 3
        and.b32         %pair, %laneid, 1
        shfl.idx.b32    %gathered, %v, %pair
        broadcast.u32   %first, %v
        vote.ballot.mask %lows, %low
        vote.any.pred   %some, !%low
        match.any.b32   %same, %pair
        redux.add.u32   %sum, %v
        scan.add.u32    %upto, %v
        @%low add.u32   %v, %v, 10
        mul.lo.u32      %far, %laneid, 32
        st.shared.u32   tile[%laneid], %v
        ld.shared.u32   %none, tile[%far]
        bar.sync        0
        bar.warp.sync
        nanosleep.u32   4
        atom.global.add.u32 %old, out[0], %v
        @%low bra       near
        add.u32         %v, %v, 1
near:   @!%low bra      there
there:  bra             end
end:    exit
.case test
    input = i + 1
    out = 0
)";

TEST(Sentence, EveryKind) {
  const Trace trace = testing::text_trace(kEveryKind, 4);
  EXPECT_EQ(english(trace, "shfl.up"),
            "Cycle 3: shuffle_up(v, 1): lane 1 receives 1 from lane 0; lane 0 has no source and keeps its own value; 4 "
            "lanes active");
  EXPECT_EQ(
      korean(trace, "shfl.up"),
      "사이클 3: shuffle_up(v, 1): Lane 1이 Lane 0에서 1을 수신; Lane 0은 읽을 Lane이 없어 자신의 값을 유지; 활성 "
      "Lane 4개");
  EXPECT_EQ(english(trace, "shfl.down"), "Cycle 4: shuffle_down(v, 9): each lane keeps its own value; 4 lanes active");
  EXPECT_EQ(english(trace, "shfl.idx", 0), "Cycle 5: shuffle_idx(v, 3): lane 0 receives 4 from lane 3; 4 lanes active");
  EXPECT_EQ(english(trace, "shfl.idx", 1),
            "Cycle 7: shuffle_idx(v, pair): lane 2 receives 1 from lane 0; 4 lanes active");
  EXPECT_EQ(english(trace, "broadcast"), "Cycle 8: broadcast(v, 0): lane 1 receives 1 from lane 0; 4 lanes active");
  EXPECT_EQ(english(trace, "vote.ballot"),
            "Cycle 9: vote.ballot(low): every active lane gets lows = 0x00000003; 4 lanes active");
  EXPECT_EQ(english(trace, "vote.any"), "Cycle 10: vote.any(!low): every active lane gets some = true; 4 lanes active");
  EXPECT_EQ(english(trace, "match.any"), "Cycle 11: match.any(pair): lane 0 gets same = 0x00000005; 4 lanes active");
  EXPECT_EQ(english(trace, "redux.add"), "Cycle 12: redux.add(v): every active lane gets sum = 10; 4 lanes active");
  EXPECT_EQ(english(trace, "scan.add"), "Cycle 13: scan.add(v): lane 1 gets upto = 3; 4 lanes active");
  EXPECT_EQ(english(trace, "add", 0),
            "Cycle 14: add(v, 10): lane 0 gets v = 11; the guard @low leaves out lanes 2, 3; 2 lanes active");
  EXPECT_EQ(korean(trace, "add", 0),
            "사이클 14: add(v, 10): Lane 0에서 v = 11; 가드 @low가 Lane 2, 3을 제외; 활성 Lane 2개");
  EXPECT_EQ(english(trace, "st.shared"), "Cycle 16: lane 0 stores 11 to tile[0]; 4 lanes active");
  // tile[0], [32], [64] and [96] are four words of one bank.
  EXPECT_EQ(
      english(trace, "ld.shared"),
      "Cycle 17: lane 0 loads none = 11 from tile[0]; a 4-way bank conflict; the values of lanes 1-3 are undefined; "
      "4 lanes active");
  EXPECT_EQ(english(trace, "bar"), "Cycle 18: bar(0): waits for the block; 4 lanes active");
  EXPECT_EQ(english(trace, "bar.warp"), "Cycle 19: bar.warp: waits for the lanes of its warp; 4 lanes active");
  EXPECT_EQ(english(trace, "nanosleep"), "Cycle 20: nanosleep(4): has no effect here; 4 lanes active");
  // 11 + 12 + 3 + 4, one after another.
  EXPECT_EQ(english(trace, "atom.global.add"),
            "Cycle 21: atom.global.add(out[0], v): lane 0 finds 0 in out[0] and leaves 11; 4 lanes active");
  EXPECT_EQ(
      english(trace, "bra", 0),
      "Cycle 22: the warp diverges: lanes 0, 1 to line 26, lanes 2, 3 go on; they converge again at line 26; 4 lanes "
      "active");
  EXPECT_EQ(korean(trace, "bra", 0),
            "사이클 22: Warp가 갈라짐: Lane 0, 1은 26행으로, Lane 2, 3은 계속 진행; 26행에서 다시 만남; 활성 Lane 4개");
  EXPECT_EQ(english(trace, "add", 1),
            "Cycle 23: add(v, 1): lane 2 gets v = 4; lanes 0-3 go on together at line 26; 2 lanes active");
  EXPECT_EQ(english(trace, "bra", 2), "Cycle 25: all 4 lanes go to line 28; 4 lanes active");
  EXPECT_EQ(korean(trace, "bra", 2), "사이클 25: Lane 4개 모두 28행으로 이동; 활성 Lane 4개");
}

// Lanes without a source lane that participates, and several warps and blocks.
TEST(Sentence, UndefinedSourceAndPlace) {
  const Trace trace = testing::text_trace(R"(.kernel t (in input: u32[size], param size: u32 = WARP_SZ)
        ld.global.u32   %v, input[%laneid]
        setp.eq.u32     %last, %laneid, WARP_SZ - 1
        @%last exit
        shfl.down.b32   %down, %v, 1
        exit
.case test
    block = 2 * WARP_SZ
    grid = 2
    input = i + 1
)",
                                          4);
  EXPECT_EQ(
      english(trace, "shfl.down", 3),
      "Cycle 4, block 1, warp 1: shuffle_down(v, 1): lane 0 receives 2 from lane 1; lane 2 reads a lane that takes "
      "no part; the value of lane 2 is undefined; 3 lanes active");
  EXPECT_EQ(korean(trace, "shfl.down", 3),
            "사이클 4, 블록 1, Warp 1: shuffle_down(v, 1): Lane 0이 Lane 1에서 2를 수신; Lane 2는 참여하지 않는 Lane의 "
            "값을 읽음; Lane 2의 값은 정의되지 않음; 활성 Lane 3개");
}

// A trace from hardware has no cycles, and whatever is in a trace is text.
TEST(Sentence, OfHardwareAndOfNonsense) {
  Trace trace = program_trace("p26/butterfly_parallel_max", "worked", 8);
  TraceEvent event = nth_event(trace, "max", 0);
  event.cycle.reset();
  EXPECT_EQ(sentence(trace.head, event), "max(max_val, other): lane 0 gets max_val = 8; 8 lanes active");
  trace.head.code[static_cast<std::size_t>(event.pc)].op = "<script>";
  read_instruction_texts(trace.head);
  EXPECT_EQ(sentence(trace.head, event), "<script>: lane 0 gets max_val = 8; 8 lanes active");
}

// ---- all programs

std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t k = 0; k < text.size();) {
    if (text[k] < '0' || text[k] > '9') {
      ++k;
      continue;
    }
    std::size_t end = k;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                 (text[end] == '.' && end + 1 < text.size() && std::isdigit(text[end + 1]) != 0)))
      ++end;
    std::string number = text.substr(k, end - k);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    if (number.ends_with("way")) number.resize(number.size() - 3);
    found.push_back(number);
    k = end;
  }
  return found;
}

std::set<std::string> numbers_of(const Trace& trace, const TraceEvent& event) {
  const TraceInsn& insn = trace.head.code[static_cast<std::size_t>(event.pc)];
  std::set<std::string> allowed;
  const auto add = [&](const std::string& text) {
    for (const std::string& number : numbers_in(text)) allowed.insert(number);
  };
  const auto add_mask = [&](LaneMask mask) {
    add(std::to_string(count_lanes(mask)));
    for_each_lane(mask, [&](unsigned lane) { add(std::to_string(lane)); });
  };
  add(to_json(event, trace.head));
  add(insn.text);
  add_mask(event.active);
  add_mask(event.group);
  for (const TraceMask& mask : event.masks) {
    add_mask(mask.taken);
    add_mask(mask.not_taken);
    for (const std::int32_t pc : {mask.target, mask.reconvergence})
      if (pc >= 0) add(std::to_string(trace.head.code[static_cast<std::size_t>(pc)].line));
  }
  if (event.exchange) {
    std::size_t k = 0;
    for_each_lane(event.exchange->lanes, [&](unsigned lane) {
      const unsigned from = event.exchange->from[k++];
      add(std::to_string(from > lane ? from - lane : lane - from));
      add(std::to_string(from ^ lane));
    });
  }
  return allowed;
}

TEST(Sentence, OfAllProgramsSaysOnlyWhatTheEventHolds) {
  testing::for_each_program([](const Lesson&, const Trace& trace) {
    for (const TraceEvent& event : trace.events) {
      const std::string english = sentence(trace.head, event, Language::English);
      const std::string korean = sentence(trace.head, event, Language::Korean);
      const std::set<std::string> allowed = numbers_of(trace, event);
      for (const std::string& number : numbers_in(english))
        EXPECT_EQ(allowed.count(number), 1U) << number << ": " << english;
      std::vector<std::string> in_english = numbers_in(english), in_korean = numbers_in(korean);
      std::sort(in_english.begin(), in_english.end());
      std::sort(in_korean.begin(), in_korean.end());
      EXPECT_EQ(in_english, in_korean) << english << "\n" << korean;
      EXPECT_TRUE(english.ends_with(" active")) << english;
      EXPECT_TRUE(korean.ends_with("개") || korean.ends_with("없음")) << korean;
      for (const std::string* text : {&english, &korean}) {
        EXPECT_EQ(text->find_first_of("$%"), std::string::npos) << *text;
        for (const char* marker : {"/가}", "/를}", "/은}", "/는}", "/로}"})
          EXPECT_EQ(text->find(marker), std::string::npos) << *text;
        EXPECT_EQ(text->find("; ;"), std::string::npos) << *text;
        EXPECT_EQ(text->find(": ;"), std::string::npos) << *text;
      }
    }
  });
}

TEST(Notes, HaveASentenceAnEventAndAFlowAPc) {
  testing::for_each_program([](const Lesson&, const Trace& trace) {
    const nlohmann::json notes = nlohmann::json::parse(notes_json(trace));
    ASSERT_EQ(notes["sentences"]["en"].size(), trace.events.size());
    ASSERT_EQ(notes["sentences"]["ko"].size(), trace.events.size());
    EXPECT_EQ(notes["sentences"]["ko"].back(), sentence(trace.head, trace.events.back(), Language::Korean));
    ASSERT_EQ(notes["flow"].size(), trace.head.code.size());
    for (std::size_t pc = 0; pc < trace.head.code.size(); ++pc) {
      const InsnFlow flow = flow_of(trace.head, static_cast<std::int32_t>(pc));
      const nlohmann::json& said = notes["flow"][pc];
      EXPECT_EQ(said["guard"], flow.guard.empty() ? nlohmann::json() : nlohmann::json(flow.guard));
      EXPECT_EQ(said["negated"], flow.negated);
      EXPECT_EQ(said["value"], flow.value);
      EXPECT_EQ(said["exchanged"], flow.exchanged);
      EXPECT_EQ(said["address"], flow.address);
      EXPECT_EQ(said["writes"], flow.writes);
    }
  });
}

}  // namespace
}  // namespace warpsim
