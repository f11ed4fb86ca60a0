// The table of messages: every row says the same in both languages, and no row takes another's English.
#include <gtest/gtest.h>

#include <algorithm>

#include "traces/words/fault_text.h"
#include "traces/words/korean.h"

namespace warpsim {
namespace {

// What stands in the braces of a pattern.
std::vector<std::string> braces_of(std::string_view pattern) {
  std::vector<std::string> found;
  std::string rest;
  fill_pattern(rest, pattern, [&](std::string&, std::string_view inside) { found.emplace_back(inside); });
  EXPECT_EQ(rest.find_first_of("{}"), std::string::npos) << pattern;
  return found;
}

// With a part for each of its places, as no row's words are.
Message sample_of(const MessageRow& row) {
  Message message(row.id);
  for (std::size_t k = 0; k < braces_of(row.english).size(); ++k) message.parts.push_back("#" + std::to_string(k + 1));
  return message;
}

TEST(Messages, EveryRowHasTheSamePartsInBothLanguages) {
  ASSERT_GT(all_messages().size(), 250U);
  for (const MessageRow& row : all_messages()) {
    std::vector<std::string> english = braces_of(row.english), korean = braces_of(row.korean);
    for (std::size_t k = 0; k < english.size(); ++k) EXPECT_EQ(english[k], std::to_string(k)) << row.english;
    korean.erase(std::remove_if(korean.begin(), korean.end(), is_particle_marker), korean.end());
    std::sort(korean.begin(), korean.end());
    EXPECT_EQ(korean, english) << row.korean;
  }
}

// A part may be left out there, and none stands twice. What names things of PTX alone has other words there.
TEST(Messages, InCudasWordsThereAreNoOtherParts) {
  for (const MessageRow& row : all_messages()) {
    const std::vector<std::string> english = braces_of(row.english);
    std::vector<std::string> cuda = braces_of(row.cuda);
    std::sort(cuda.begin(), cuda.end());
    EXPECT_EQ(std::adjacent_find(cuda.begin(), cuda.end()), cuda.end()) << row.cuda;
    EXPECT_TRUE(std::includes(english.begin(), english.end(), cuda.begin(), cuda.end())) << row.cuda;
    for (const std::string_view word : {"bar.sync", "bar.warp", "vote.", "membar", "mbarrier.", ".maxntid"})
      EXPECT_EQ(row.cuda.find(word), std::string_view::npos) << row.cuda;
  }
}

TEST(Messages, EveryRowIsFoundByItsId) {
  for (const MessageRow& row : all_messages()) {
    EXPECT_EQ(&message_row(row.id), &row);
    for (const MessageRow& other : all_messages()) EXPECT_TRUE(&row == &other || row.english != other.english);
  }
}

TEST(Messages, EveryRowIsReadBackFromItsEnglish) {
  for (const MessageRow& row : all_messages()) {
    const Message sample = sample_of(row), back = message_from(english(sample));
    EXPECT_EQ(english(back), english(sample));
    EXPECT_TRUE(back.id == row.id) << row.english << "\nis taken by\n"
                                   << english(back.id == MessageId::Text
                                                  ? Message("none")
                                                  : Message(std::string(message_row(back.id).english)));
    ASSERT_EQ(back.parts.size(), sample.parts.size()) << row.english;
    for (std::size_t k = 0; k < back.parts.size(); ++k) {
      EXPECT_TRUE(back.parts[k].id == MessageId::Text);
      EXPECT_EQ(back.parts[k].text, sample.parts[k].text) << row.english;
    }
  }
}

// Behind what ends in a vowel, and behind what ends in a consonant.
TEST(Messages, EveryParticleIsChosen) {
  for (const MessageRow& row : all_messages()) {
    for (const std::string_view word : {"가", "각"}) {
      Message message = sample_of(row);
      for (Message& part : message.parts) part = word;
      const std::string korean = fault_text(message, Language::Korean);
      EXPECT_EQ(korean.find_first_of("{}"), std::string::npos) << korean;
      EXPECT_NE(korean, "");
    }
  }
}

TEST(Messages, SentencesAreJoined) {
  Message message;
  EXPECT_TRUE(message.empty());
  add_sentence(message, MessageId::NobodyStoresIt);
  EXPECT_EQ(english(message), "nobody stores it");
  add_sentence(message, {MessageId::NobodyLoads, {"input[3]"}});
  add_sentence(message, {MessageId::NeverHeard, {{MessageId::LaneNumber, {1}}, {MessageId::LaneNumber, {2}}}});
  EXPECT_EQ(english(message), "nobody stores it; nobody loads input[3]; lane 1 never heard lane 2");
  EXPECT_EQ(fault_text(message, Language::Korean),
            "아무도 저장하지 않음; 아무도 input[3]을 읽지 않음; Lane 1에 Lane 2의 값이 전해지지 않음");
  const Message back = message_from(english(message));
  ASSERT_TRUE(back.id == MessageId::Sentences);
  ASSERT_EQ(back.parts.size(), 3U);
  EXPECT_TRUE(back.parts[2].parts[1].id == MessageId::LaneNumber);
}

}  // namespace
}  // namespace warpsim
