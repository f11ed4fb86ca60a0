// The names of the texts that programs come from, against docs/SOURCES.md.
#include "traces/words/sources.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace warpsim {
namespace sources_test {

using Phrases = std::vector<std::string>;

TEST(Sources, APlaceIsATextAndItsLines) {
  EXPECT_EQ(cited("000:221-419"), Phrases{"Mojo GPU Puzzle 26, shuffle_xor, lines 221-419"});
  EXPECT_EQ(cited("000:661"), Phrases{"Mojo GPU Puzzle 26, shuffle_xor, line 661"});
  EXPECT_EQ(cited(""), Phrases{});
}

TEST(Sources, PlacesInOneTextShareItsName) {
  EXPECT_EQ(cited("003:700-702, 003:540, 004:1-9, 003:5"),
            (Phrases{"CUDA Shuffle Functions - Theory Guide, lines 700-702, 540", "Mojo GPU Puzzle 25, lines 1-9",
                     "CUDA Shuffle Functions - Theory Guide, line 5"}));
}

TEST(Sources, WhatIsNoPlaceStaysAsItIs) {
  EXPECT_EQ(cited("a paper of 1999, p. 7"), (Phrases{"a paper of 1999", "p. 7"}));
  EXPECT_EQ(cited("007:1"), Phrases{"007:1"});
}

// Each place of a program leads to a public page that docs/SOURCES.md names.
TEST(Sources, APlaceHasThePageThatItStandsOn) {
  const auto page_of = [](const std::string& place) { return std::string(cited_texts(place).front().address); };
  EXPECT_TRUE(page_of("002:198").ends_with("/puzzle_26/puzzle_26.md"));
  EXPECT_TRUE(page_of("002:199").ends_with("/puzzle_26/warp_shuffle_xor.md"));
  EXPECT_TRUE(page_of("002:937-1201").ends_with("/puzzle_26/warp_prefix_sum.md"));
  EXPECT_TRUE(page_of("004:211-435").ends_with("/puzzle_25/warp_shuffle_down.md"));
  EXPECT_TRUE(page_of("004:749-954, 004:5").ends_with("/puzzle_25/warp_broadcast.md"));
  EXPECT_EQ(page_of("a paper of 1999"), "");
  std::ifstream file(WARPSIM_SOURCE_DIR "/docs/SOURCES.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const std::string place :
       {"000:1", "001:1", "002:1", "002:300", "002:1000", "003:1", "004:1", "004:300", "004:1000"})
    EXPECT_NE(page.find("](" + page_of(place) + ")"), std::string::npos) << place << ": " << page_of(place);
}

// The page that explains the numbers calls each text by a title that begins with the same words.
TEST(Sources, AreThoseOfThePage) {
  std::ifstream file(WARPSIM_SOURCE_DIR "/docs/SOURCES.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const std::string number : {"000", "002", "003", "004"}) {
    const std::string name = cited(number + ":1")[0];
    const std::string title = name.substr(0, name.find(", "));
    EXPECT_NE(page.find("| " + number + " | " + title), std::string::npos) << number << " is " << title;
  }
}

}  // namespace sources_test
}  // namespace warpsim
