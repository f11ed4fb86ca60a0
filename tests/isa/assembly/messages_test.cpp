// Messages about bad assembly, word for word.
//
// Shapes: each row is one wrong line of a kernel that is right otherwise: the line, the marks below it, the code, the
//         message, and the hint. Every row gives exactly this one message. The rows are in messages.def.
#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"

namespace warpsim {
namespace {

struct Row {
  std::string line, marks, code, message, hint;
};

constexpr const char* kBefore =
    ".kernel k (in input: f32[size], out output: f32[size], inout both: f32[size], param size: u32 = WARP_SZ, param "
    "pivot: f32)\n"
    ".shared f32 tile[64]\n"
    ".reg .f32 %x, %y\n"
    ".reg .u32 %n, %i\n"
    ".reg .u64 %ptr\n"
    ".reg .pred %p, %q\n"
    ".reg .mask %m\n"
    ".reg .b16 %h\n"
    "loop:\n";  // the wrong line is the tenth

const Row kRows[] = {
#include "tests/isa/assembly/messages.def"
};

TEST(Messages, AreExactly) {
  for (const Row& row : kRows) {
    const Assembled made = assemble(kBefore + row.line + "\nexit\n", "k.warp");
    const std::size_t column = row.marks.find('^') + 1;
    std::string expected = "k.warp:10:" + std::to_string(column) + ": error[" + row.code + "]: " + row.message +
                           "\n   10 | " + row.line + "\n      | " + row.marks + "\n";
    if (!row.hint.empty()) expected += "      hint: " + row.hint + "\n";
    EXPECT_EQ(made.diagnostics.render(), expected);
    EXPECT_FALSE(made.lesson() != nullptr) << row.line;
  }
}

}  // namespace
}  // namespace warpsim
