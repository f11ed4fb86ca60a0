// Which fences of a Markdown text ask for a diagram, and where they stand.
//
// Source: CommonMark 0.31, 4.5: marks of one kind, at least three; the end has at least as many and nothing behind.
#include "tools/book/fences.h"

#include <gtest/gtest.h>

namespace warpsim::tools {
namespace {

TEST(BookFences, AFenceHasItsInfoItsTextAndItsPlace) {
  const std::string text = "One\n\n```warp-sim a/b lanes=4 \n```\nTwo\n~~~~ warp-sim\nadd\n~~~\n~~~~~\nrest";
  const std::vector<Fence> fences = diagram_fences(text);
  ASSERT_EQ(fences.size(), 2U);
  EXPECT_EQ(fences[0].info, "a/b lanes=4");
  EXPECT_EQ(fences[0].body, "");
  EXPECT_EQ(fences[0].line, 3U);
  EXPECT_EQ(text.substr(fences[0].begin, fences[0].end - fences[0].begin), "```warp-sim a/b lanes=4 \n```\n");
  EXPECT_EQ(fences[1].body, "add\n~~~\n") << "three marks do not end four";
  EXPECT_EQ(text.substr(fences[1].end), "rest");
}

TEST(BookFences, AFenceInAListKeepsItsIndent) {
  const std::vector<Fence> fences = diagram_fences("- x\n\n  ```warp-sim\n  add\n    sub\n  ```\n");
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0].indent, "  ");
  EXPECT_EQ(fences[0].body, "add\n  sub\n");
}

TEST(BookFences, OtherFencesAndWhatIsInThemAreLeft) {
  EXPECT_TRUE(diagram_fences("```rust\n```\n```warp-simulator\n```\n``warp-sim``\n```warp-sim a`b```\n").empty());
  EXPECT_TRUE(diagram_fences("````md\n```warp-sim a/b\n```\n````\n").empty());
}

TEST(BookFences, WithoutAnEndItGoesOnToTheLast) {
  const std::vector<Fence> fences = diagram_fences("```warp-sim\nadd");
  ASSERT_EQ(fences.size(), 1U);
  EXPECT_EQ(fences[0].body, "add\n");
  EXPECT_EQ(fences[0].end, 15U);
  EXPECT_TRUE(diagram_fences("").empty());
}

}  // namespace
}  // namespace warpsim::tools
