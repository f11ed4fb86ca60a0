// Particles after numbers, hangul, Latin words and brackets. The expectations are the regulations' and the Korean
// edition of the GPU Puzzles' own sentences, which are named where they are used.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "isa/table/findings.h"
#include "traces/template/phase_template.h"
#include "traces/words/fault_text.h"
#include "traces/words/korean.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

TEST(Korean, ParticlesAfterDigits) {
  // 영 일 이 삼 사 오 육 칠 팔 구
  const char* subjects[] = {"0이", "1이", "2가", "3이", "4가", "5가", "6이", "7이", "8이", "9가"};
  const char* directions[] = {"0으로", "1로", "2로", "3으로", "4로", "5로", "6으로", "7로", "8로", "9로"};
  for (int digit = 0; digit < 10; ++digit) {
    EXPECT_EQ(with_particles(std::to_string(digit) + "{이/가}"), subjects[digit]);
    EXPECT_EQ(with_particles(std::to_string(digit) + "{으로/로}"), directions[digit]);
  }
}

TEST(Korean, ParticlesAfterNumbers) {
  EXPECT_EQ(with_particles("10{을/를}"), "10을");                                // 십
  EXPECT_EQ(with_particles("12{을/를}"), "12를");                                // 십이
  EXPECT_EQ(with_particles("100{으로/로}"), "100으로");                          // 백
  EXPECT_EQ(with_particles("1000{은/는}"), "1000은");                            // 천
  EXPECT_EQ(with_particles("120000{와/과}"), "120000과");                        // 십이만
  EXPECT_EQ(with_particles("100000000{와/과}"), "100000000과");                  // 억
  EXPECT_EQ(with_particles("2000000000000{와/과}"), "2000000000000와");          // 조
  EXPECT_EQ(with_particles("10000000000000000{와/과}"), "10000000000000000과");  // 경
  EXPECT_EQ(with_particles("2.0{와/과}"), "2.0과");                              // 이 점 영
  EXPECT_EQ(with_particles("0.25{와/과}"), "0.25와");                            // … 오
  EXPECT_EQ(with_particles("-3{와/과}"), "-3과");
}

TEST(Korean, ParticlesAfterHangul) {
  EXPECT_EQ(with_particles("값{을/를} 결과{을/를}"), "값을 결과를");
  EXPECT_EQ(with_particles("초기 상태{이/가} 단계{은/는} 합{은/는}"), "초기 상태가 단계는 합은");
  EXPECT_EQ(with_particles("칠{으로/로} 집{으로/로} 차{으로/로}"), "칠로 집으로 차로");
}

TEST(Korean, MarkersInEitherOrder) {
  EXPECT_EQ(with_particles("3{가/이} 2{가/이} 3{와/과} 3{과/와}"), "3이 2가 3과 3과");
}

// 001: shuffle_xor(current_val, 1)이 모든 Lane에서 실행; shuffle_xor(current_val, 2)와 …; current_val=7 (전역 max)과
// min_val=1 (전역 min)을 가짐; `shuffle_xor()`을; Lane이, Warp는, offset이, max와 min, min과 max, barrier가, XOR로.
TEST(Korean, ParticlesOfTheDocument) {
  EXPECT_EQ(with_particles("shuffle_xor(current_val, 1){이/가} 모든 Lane에서 실행"),
            "shuffle_xor(current_val, 1)이 모든 Lane에서 실행");
  EXPECT_EQ(with_particles("shuffle_xor(current_val, 2){와/과} shuffle_xor(min_val, 2)"),
            "shuffle_xor(current_val, 2)와 shuffle_xor(min_val, 2)");
  EXPECT_EQ(with_particles("current_val=7 (전역 max){와/과} min_val=1 (전역 min){을/를} 가짐"),
            "current_val=7 (전역 max)과 min_val=1 (전역 min)을 가짐");
  EXPECT_EQ(with_particles("`shuffle_xor()`{을/를}"), "`shuffle_xor()`을");
  EXPECT_EQ(with_particles("Lane{이/가} Warp{은/는} offset{이/가} max{와/과} min{와/과} barrier{이/가} XOR{으로/로}"),
            "Lane이 Warp는 offset이 max와 min과 barrier가 XOR로");
}

TEST(Korean, WhatIsNoMarkerStays) {
  EXPECT_EQ(with_particles("{a/b} {이/는} {이/가 {"), "{a/b} {이/는} {이/가 {");
  EXPECT_EQ(with_particles("{을/를}"), "를");
  EXPECT_EQ(with_particles(""), "");
}

TEST(Korean, HangulIsTwoColumnsWide) {
  EXPECT_EQ(text_width("Lane 0: 저장"), 12U);
  EXPECT_EQ(text_width("↔⊕→…"), 4U);
  EXPECT_EQ(text_width("한글"), text_width("ABCD"));
  EXPECT_EQ(text_width("가힣㈜、～"), 10U);  // first and last syllable, a compatibility form, wide punctuation
  EXPECT_LE(text_width("\xED"), 2U);         // cut off: no reading past the end
}

// 001: 절반 교환, 1/4 교환, 페어 교환.
TEST(Korean, ExchangeWords) {
  EXPECT_EQ(exchange_word(4, 8, Language::Korean), "절반");
  EXPECT_EQ(exchange_word(2, 8, Language::Korean), "1/4");
  EXPECT_EQ(exchange_word(4, 32, Language::Korean), "1/8");
  EXPECT_EQ(exchange_word(2, 32, Language::Korean), "1/16");
  EXPECT_EQ(exchange_word(2, 64, Language::Korean), "1/32");
  EXPECT_EQ(exchange_word(1, 8, Language::Korean), "페어");
  EXPECT_EQ(exchange_word(3, 8, Language::Korean), "XOR-3");
}

TEST(Korean, PhrasesAreFilledAndTheirParticlesChosen) {
  EXPECT_EQ(say(Language::Korean, Phrase::NoPart, {"5", "x"}),
            "정의되지 않은 값 수신 (Lane 5는 참여하지 않음) → x = ?");
  EXPECT_EQ(say(Language::Korean, Phrase::NoPart, {"6", "x"}),
            "정의되지 않은 값 수신 (Lane 6은 참여하지 않음) → x = ?");
  EXPECT_EQ(say(Language::English, Phrase::NoPart, {"5", "x"}), "receives undefined (Lane 5 takes no part) → x = ?");
  EXPECT_EQ(say(Language::Korean, Phrase::Passed, {"{0}{이/가}"}),
            "✅ {0}{이/가} 테스트 통과!");  // values are no patterns
}

// What one says, the other says: the same places in both.
TEST(Korean, EveryHintOfAFindingIsThere) {
  for (const FindingInfo& row : all_findings()) {
    const std::string korean = fault_text(row.hint, Language::Korean);
    EXPECT_TRUE(std::any_of(korean.begin(), korean.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xEA; }))
        << code(row.finding) << ": " << korean;
  }
}

TEST(Korean, EveryPhraseHasTheSameValuesInBothLanguages) {
  const std::initializer_list<std::string_view> values = {"<0>", "<1>", "<2>", "<3>", "<4>", "<5>"};
  for (int k = 0; k <= static_cast<int>(Phrase::XorBy); ++k) {
    const std::string english = say(Language::English, static_cast<Phrase>(k), values);
    const std::string korean = say(Language::Korean, static_cast<Phrase>(k), values);
    for (const std::string_view value : values)
      EXPECT_EQ(english.find(value) == std::string::npos, korean.find(value) == std::string::npos) << english << korean;
    EXPECT_EQ(korean.find('{'), std::string::npos) << korean;
  }
}

}  // namespace
}  // namespace warpsim
