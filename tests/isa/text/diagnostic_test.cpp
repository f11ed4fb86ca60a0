// How messages are drawn, and which word is near another.
#include "isa/text/diagnostic.h"

#include <gtest/gtest.h>

namespace warpsim {
namespace {

std::string drawn(const std::string& text, SourceRange where, const std::string& hint = "") {
  Diagnostics d{"a.warp", text, {}};
  d.error("A001", where, "wrong", hint);
  return d.render();
}

TEST(Diagnostic, DrawsLineCaretAndHint) {
  EXPECT_EQ(drawn("one\ntwo three\n", {2, 5, 5}, "try four"),
            "a.warp:2:5: error[A001]: wrong\n"
            "    2 | two three\n"
            "      |     ^~~~~\n"
            "      hint: try four\n");
}

TEST(Diagnostic, PlacesTheCaretByDisplayedWidth) {
  EXPECT_EQ(drawn("\"é→\" x", {1, 9, 1}),  // two-byte and three-byte characters, one cell each
            "a.warp:1:9: error[A001]: wrong\n"
            "    1 | \"é→\" x\n"
            "      |      ^\n");
  EXPECT_EQ(drawn("\"레인\" x", {1, 10, 1}),  // two cells each
            "a.warp:1:10: error[A001]: wrong\n"
            "    1 | \"레인\" x\n"
            "      |        ^\n");
  EXPECT_EQ(drawn("e\xcc\x81 x", {1, 5, 1}),  // a combining accent has no width
            "a.warp:1:5: error[A001]: wrong\n"
            "    1 | e\xcc\x81 x\n"
            "      |   ^\n");
  EXPECT_EQ(drawn("\tx\ty", {1, 4, 1}),
            "a.warp:1:4: error[A001]: wrong\n"
            "    1 |         x       y\n"
            "      |                 ^\n");
}

TEST(Diagnostic, DrawsWhatHasNoPicture) {
  EXPECT_EQ(drawn(std::string("a\0b\xff", 4) + "c\r\n", {1, 4, 2}),
            "a.warp:1:4: error[A001]: wrong\n"
            "    1 | a·b�c\n"
            "      |    ^~\n");
  EXPECT_EQ(drawn("ab", {1, 3, 1}), "a.warp:1:3: error[A001]: wrong\n    1 | ab\n      |   ^\n");
  EXPECT_EQ(drawn("ab", {1, 1, 100}), "a.warp:1:1: error[A001]: wrong\n    1 | ab\n      | ^~\n");
  EXPECT_EQ(drawn("ab", {0, 0, 1}, "h"), "a.warp: error[A001]: wrong\n  hint: h\n");
  EXPECT_EQ(drawn("", {7, 3, 1}), "a.warp:7:3: error[A001]: wrong\n");
}

TEST(Diagnostic, CutsLongLines) {
  const std::string text = drawn(std::string(5'000'000, 'a') + "X" + std::string(5'000'000, 'b'), {1, 5'000'001, 1});
  EXPECT_LT(text.size(), 400U);
  const std::size_t line = text.find(" | "), marks = text.find(" | ", line + 3);
  const std::string shown = text.substr(line + 3, text.find('\n', line) - line - 3);
  const std::string caret = text.substr(marks + 3, text.find('\n', marks) - marks - 3);
  ASSERT_EQ(shown.substr(0, 3), "…");
  EXPECT_EQ(shown.substr(shown.size() - 3), "…");
  EXPECT_EQ(shown[caret.size() + 1], 'X');  // the ellipsis is one cell and three bytes
}

TEST(Diagnostic, RendersInOrderOfPlace) {
  Diagnostics d{"f", "", {}};
  d.error("A002", {9, 1, 1}, "second");
  d.warning("A001", {3, 5, 1}, "first");
  EXPECT_EQ(d.render(), "f:3:5: warning[A001]: first\nf:9:1: error[A002]: second\n");
  EXPECT_TRUE(d.has_errors());
  d.list.erase(d.list.begin());
  EXPECT_FALSE(d.has_errors());
}

TEST(Nearest, FindsTheWordThatWasMeant) {
  const std::vector<std::string> words = {"input", "output", "size", "max"};
  EXPECT_EQ(nearest("inptu", words), "input");  // a swap
  EXPECT_EQ(nearest("outputs", words), "output");
  EXPECT_EQ(nearest("Size", words), "size");
  EXPECT_EQ(nearest("mx", words), "max");
  EXPECT_EQ(nearest("banana", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest("x", {"y"}), "");  // nothing in common
  EXPECT_EQ(nearest(std::string(1000, 'a'), words), "");
  EXPECT_EQ(nearest("max", {}), "");
}

}  // namespace
}  // namespace warpsim
