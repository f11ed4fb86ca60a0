// The template language on a view made by hand: four lanes, a few registers, one shuffle, two loads.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "traces/template/phase_template.h"
#include "traces/text/text_renderer.h"

namespace warpsim {
namespace {

std::uint64_t f32(float value) { return std::bit_cast<std::uint32_t>(value); }

class FourLanes : public TemplateView {
 public:
  unsigned warp_size() const override { return 4; }
  Dim3 grid() const override { return {2, 1, 1}; }
  Dim3 block() const override { return {8, 1, 1}; }
  std::uint32_t block_index() const override { return 1; }
  std::uint32_t warp_index() const override { return 1; }
  std::uint32_t phase_number() const override { return 3; }
  std::uint32_t phase_step() const override { return 2; }
  LaneMask lanes() const override { return active; }
  TemplateValue reg(std::string_view name, unsigned lane, bool old) const override {
    const std::vector<float> x = old ? std::vector<float>{1, 2, 3, 4} : std::vector<float>{1.5F, 2, 3, 4000};
    if (name == "%x") return TemplateValue::of(Type::F32, f32(x[lane]));
    if (name == "%same") return TemplateValue::of(Type::S32, static_cast<std::uint32_t>(-7));
    if (name == "%even") return TemplateValue::truth(lane % 2 == 0);
    if (name == "%hole") return lane == 2 ? TemplateValue::undefined() : TemplateValue::of(Type::U32, lane);
    return {};
  }
  TemplateValue param(std::string_view name) const override {
    return name == "pivot" ? TemplateValue::of(Type::F32, f32(2.5F)) : TemplateValue{};
  }
  TemplateValue element(std::string_view buffer, std::int64_t index) const override {
    if (buffer != "input" || index < 0 || index > 2) return {};
    return TemplateValue::of(Type::U32, static_cast<std::uint64_t>(index) * 10);
  }
  std::optional<TemplateSource> source(std::string_view, unsigned lane) const override {
    return TemplateSource{lane < 3 ? lane + 1 : 3, lane < 3, false, static_cast<std::int64_t>(lane) + 1};
  }
  std::vector<TemplateAccess> accesses(unsigned lane) const override {
    return {{"input", lane, TemplateValue::of(Type::U32, lane * 10), false},
            {"input", lane + 1, TemplateValue::of(Type::U32, lane * 10 + 10), false}};
  }
  LaneMask active = 0xF;
};

std::string fill(std::string_view text, unsigned lane = 0) {
  const FourLanes view;
  return Template(text).fill({view, lane, view.lanes(), nullptr});
}

TEST(DiagramTemplate, Values) {
  EXPECT_EQ(fill("Lane {lane}: {%x}, {%x:.1}, {old %x:.1}", 1), "Lane 1: 2, 2.0, 2.0");
  EXPECT_EQ(fill("{%x} {old %x} {%same} {%even}", 0), "1.5 1 -7 true");
  EXPECT_EQ(fill("{%hole} {%nothing}", 2), "? ?");
  EXPECT_EQ(fill("Cycle {phase}, step {step}, {block}.{warp}, {WARP_SZ} {W}"), "Cycle 3, step 2, 1.1, 4 4");
  EXPECT_EQ(fill("{pivot} {pivot:.1} {input[1]} {input[lane + 1]}", 1), "2.5 2.5 10 20");
}

TEST(DiagramTemplate, Letters) {
  EXPECT_EQ(fill("[{lane:A}] {0:A} {25:A} {26:A} {51:A} {52:A} {701:A} {702:A}", 1), "[B] A Z AA AZ BA ZZ AAA");
  EXPECT_EQ(fill("{-1:A} {%x:A} {%hole:A} {lanes lane:A} {all lane:A}", 2), "-1 3 ? [A, B, C, D] [A, B, C, D]");
}

TEST(DiagramTemplate, BinaryAndHexadecimal) {
  EXPECT_EQ(fill("{lane:04b} {lane:b} {5:04b} {5:02b} {0:b} {%hole:04b}", 2), "0010 10 0101 101 0 ?");
  EXPECT_EQ(fill("{%same:x} {255:04x} {%x:08x} {%even:b} {-1:b}", 0),
            "fffffff9 00ff 3fc00000 1 " + std::string(64, '1'));
  EXPECT_EQ(fill("{lanes lane head=2:02b} {all lane^lane:02b}"), "[00, 01, ...] 00");
  for (const char* text : {"{lane:}", "{lane:c}", "{lane:4b}", "{lane:00b}", "{lane:065b}", "{lane:.2}", "{lane:08}"})
    EXPECT_NE(Template(text).error(), "") << text;
}

TEST(DiagramTemplate, Cells) {
  EXPECT_EQ(fill("T:{cells 5 {lane}}"), "T:  0    1    2    3  ");
  EXPECT_EQ(fill("V:{cells 5 [{lane:A}]}"), "V: [A]  [B]  [C]  [D] ");
  EXPECT_EQ(fill("{cells 4 {lane}↔}"), " 0↔  1↔  2↔  3↔ ");
  EXPECT_EQ(fill("{cells 2 {%x}}"), " 1.5   2    3  4000 ");  // wide enough for the widest, and a blank
  const FourLanes view;
  EXPECT_EQ(Template("{cells 5 {lane}}").fill({view, 0, view.lanes(), nullptr}, 1U, 1U), "  0   ...   3  ");
  for (const char* text : {"{cells}", "{cells x {lane}}", "{cells 0 {lane}}", "{cells 401 {lane}}"})
    EXPECT_NE(Template(text).error(), "") << text;
}

TEST(DiagramTemplate, SpecialRegisters) {
  // Block 1 of 8 threads, warp 1 of 4 lanes: thread 4 + lane, global 12 + lane.
  EXPECT_EQ(fill("{%laneid} {%tid.x} {%gtid} {%ctaid.x} {%ntid.x}", 3), "3 7 15 1 8");
  EXPECT_EQ(fill("{%gtid@first}-{%gtid@last} {%gtid@from}", 1), "12-15 14");
}

TEST(DiagramTemplate, Arithmetic) {
  EXPECT_EQ(fill("{lane + 2 * 3} {(lane + 2) * 3} {lane ^ 1} {-lane} {7 % 4} {7 / 2}", 1), "7 9 0 -1 3 3");
  EXPECT_EQ(fill("{lane / 0} {lane % 0}"), "? ?");
  EXPECT_EQ(fill("{%x < pivot} {%x >= 2.0 && lane != 0} {!(lane == 1) || %even}", 1), "true true false");
}

TEST(DiagramTemplate, Lists) {
  EXPECT_EQ(fill("{lanes %x}"), "[1.5, 2, 3, 4000]");
  EXPECT_EQ(fill("{lanes %x head=1 tail=1:.1}"), "[1.5, ..., 4000.0]");
  EXPECT_EQ(fill("{lanes %x to=lane join='+'}", 2), "1.5+2+3");
  EXPECT_EQ(fill("{lanes input[lane]}"), "[0, 10, 20]");  // there is no fourth element
  EXPECT_EQ(fill("{each {lane} ↔ {from}}"), "0 ↔ 1, 1 ↔ 2, 2 ↔ 3, 3 ↔ 3");
  EXPECT_EQ(fill("{loads ' + ' {buffer}[{index}]} = {loads '+' {value}}", 2), "input[2] + input[3] = 20+30");
  EXPECT_EQ(fill("{index} {value}", 2), "3 30");  // the last access
  EXPECT_EQ(fill("{all %same}, {all %x}"), "-7, [1.5, 2, 3, 4000]");
  EXPECT_EQ(fill("{ranges in_range} {Lanes in_range} {Lanes !in_range} {Lanes}"), "0-2 Lanes 0-2 Lane 3 Lanes 0-3");
  EXPECT_EQ(fill("{all(in_range)} {any(in_range)} {count(in_range)} {all(%same == %same@0)}"), "false true 3 true");
}

TEST(DiagramTemplate, OverTheLanes) {
  EXPECT_EQ(fill("{sum(%same)} {sum(lane)} {sum(%x)} {min(%x)} {max(%x)} {max(lane * 2) + 1}"),
            "-28 6 4006.5 1.5 4000 7");
  EXPECT_EQ(fill("{sum(in_range)} {sum(%hole)} {min(%hole)} {max(%nothing)}"), "3 ? ? ?");
  EXPECT_EQ(fill("{%x[0]} {%x[lane ^ 1]} {%x[9]} {%tid.x[3]} {old %x[1] + %x[1]}", 1), "1.5 1.5 ? 7 4");
  for (const char* text : {"{sum(lane}", "{%x[}", "{%x[1}", "{%x[]}", "{sum(max(min(1)))}", "{7[0]}", "{input[1][2]}"})
    EXPECT_NE(Template(text).error(), "") << text;
}

TEST(DiagramTemplate, ExchangeWords) {
  EXPECT_EQ(exchange_word(16, 32), "Halves");
  EXPECT_EQ(exchange_word(8, 32), "Quarters");
  EXPECT_EQ(exchange_word(4, 32), "Eighths");
  EXPECT_EQ(exchange_word(2, 32), "Sixteenths");
  EXPECT_EQ(exchange_word(2, 64), "Thirty-seconds");
  EXPECT_EQ(exchange_word(2, 4), "Halves");
  for (const unsigned lanes : {2U, 4U, 8U, 16U, 32U, 64U}) EXPECT_EQ(exchange_word(1, lanes), "Pairs");
  EXPECT_EQ(exchange_word(3, 8), "Xor-3");
}

TEST(DiagramTemplate, ColumnsCountCharacters) {
  EXPECT_EQ(fill("↔:{column 5}x"), "↔:   x");
  EXPECT_EQ(fill("longer:{column 5}x"), "longer: x");
}

TEST(DiagramTemplate, KoreanParticlesFollowWhatWasFilledIn) {
  EXPECT_EQ(fill("{lane}{을/를} {%same}{이/가} {each {lane}{은/는}}", 2), "2를 -7이 0은, 1은, 2는, 3은");
  EXPECT_EQ(fill("{%hole}{을/를}", 2), "?를");
  const FourLanes view;
  const TemplateScope scope{view, 0, view.lanes(), nullptr};
  EXPECT_EQ(Template("{Lanes in_range}{으로/로} {Lanes !in_range}", Language::Korean).fill(scope), "Lane 0-2로 Lane 3");
  EXPECT_EQ(Template("{exchange 2}, {exchange 1}", Language::Korean).fill(scope), "절반, 페어");
}

TEST(DiagramTemplate, FaultsAreReportedAndShown) {
  for (const char* text : {"{lane +}", "{%}", "{(lane}", "{lane ) }", "{all(lane}", "{input[1}", "{lanes %x width=3}",
                           "a { b", "{1 2}", "{column x}", "{cells 3", "{all(all(all(1)))}"})
    EXPECT_NE(Template(text).error(), "") << text;
  EXPECT_EQ(fill("a {lane +} b"), "a {lane +} b");
  EXPECT_EQ(Template("{lane}").error(), "");
}

TEST(DiagramTemplate, Options) {
  const LineOptions o = parse_line_options(
      "when=lane<from columns=2 comma head=3 dots=\"...and so on\" dots_when='all(%x == 1)' once id=a");
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.columns, 2U);
  EXPECT_TRUE(o.comma && o.once && !o.gap);
  EXPECT_EQ(o.head, 3U);
  EXPECT_FALSE(o.tail.has_value());
  EXPECT_EQ(o.dots, "...and so on");
  EXPECT_EQ(o.id, "a");
  const FourLanes view;
  EXPECT_EQ(o.when.lanes_where({view, 0, 0xF, nullptr}), 0x7U);
  EXPECT_EQ(parse_line_options("unless=lane<from").when.lanes_where({view, 0, 0xF, nullptr}), 0x8U);
  for (const char* text : {"colums=2", "head=many", "when=(lane", "tail="})
    EXPECT_NE(parse_line_options(text).error, "") << text;
}

// Templates come from files: whatever is in them, parsing and filling end, and nothing is read that is not there.
TEST(DiagramTemplate, AnyTextIsSafe) {
  const std::vector<std::string> words = {
      "{",    "}",  "(",     ")",      "[",      "]",      "%x",     "%hole",    "old ",      "lane",
      "from", "@",  "all(",  "count(", "each ",  "lanes ", "loads ", "ranges ",  "exchange ", "column ",
      "' '",  "\"", ":.1",   " head=", "cells ", ":A",     ":08b",   "to=",      "9",         "99999999999999999999",
      "1.5",  "+",  "-",     "*",      "/",      "%",      "^",      "&&",       "||",        "<",
      "==",   "!",  "input", "pivot",  " ",      "↔",      "when=",  "columns=", "dots=",     "sum(",
      "max("};
  std::mt19937 random(1);
  const FourLanes view;
  for (int round = 0; round < 20000; ++round) {
    std::string text = random() % 2 == 0 ? "{" : "";
    for (std::size_t k = random() % 20; k > 0; --k) text += words[random() % words.size()];
    const Template parsed(text);
    const std::string once = parsed.fill(view);
    EXPECT_EQ(once, parsed.fill(view)) << text;
    EXPECT_LT(once.size(), 100'000U) << text;
    EXPECT_EQ(parse_line_options(text).error, parse_line_options(text).error);
  }
  EXPECT_NE(Template("{" + std::string(100'000, '(') + "1}").error(), "");
  EXPECT_NE(Template("{" + std::string(100'000, '-') + "1}").error(), "");
  std::string nested = "{lane}";
  for (int k = 0; k < 1000; ++k) nested = "{each " + nested + "}";
  EXPECT_NE(Template(nested).error(), "");
}

TEST(DiagramTemplate, ProgramsAreChecked) {
  TraceHead head;
  head.registers = {{"%x", Type::F32}, {"%p", Type::Pred}};
  head.params = {{"input", TraceParam::Kind::In, Type::F32}};
  head.phases = {{"{%x} {input[lane]} {each {%x}}", "id=load", {{"{old %x}", "when=%p&&from(%x)==0"}}}};
  head.pictures = {{"", "", {{"{%x}", "during=load"}}}};
  EXPECT_EQ(check_templates(head), std::vector<std::string>{});
  head.phases[0].lines[0] = {"{each {%y}}", "when=!%q"};
  head.pictures[0].lines[0] = {"{output[lane]}", "during=store"};
  EXPECT_EQ(check_templates(head),
            (std::vector<std::string>{"\"{each {%y}}\" when=!%q: the program has no %y",
                                      "\"{each {%y}}\" when=!%q: the program has no %q",
                                      "\"{output[lane]}\" during=store: no phase has id=store",
                                      "\"{output[lane]}\" during=store: the program has no output"}));
}

TEST(DiagramTemplate, WhatCounts) {
  EXPECT_TRUE(counts({"Cycle {phase}: load", "head=3", {}}));
  EXPECT_FALSE(counts({"Input", "bare aside", {}}));
  EXPECT_FALSE(counts({"", "", {}}));
}

TEST(DiagramText, Ascii) {
  EXPECT_EQ(to_ascii("Lane 0↔4: (0⊕1=1) → ? ✅ ├── │ └── ←"), "Lane 0<->4: (0^1=1) -> ? OK |-- | `-- <-");
}

}  // namespace
}  // namespace warpsim
