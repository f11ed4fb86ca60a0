// Messages about bad assembly, word for word; and what is offered to put it right, and that it does.
//
// Shapes: each row is one wrong line of a kernel that is right otherwise: the line, the marks below it, the code, the
//         message, and the hint. Every row gives exactly this one message. The rows are in messages.def. A row of
//         kFixed is such a line, and it after each of the fixes that are offered.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"

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

// Lines and columns count from 1, columns in bytes.
std::string changed(std::string text, const Fix& fix) {
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < fix.where.line; ++line) at = text.find('\n', at) + 1;
  return text.replace(at + fix.where.column - 1, fix.where.length, fix.text);
}

struct Fixed {
  std::string wrong;
  std::vector<std::string> right;
};
const Fixed kFixed[] = {
    {"mxa.f32 %x, %x, %y", {"max.f32 %x, %x, %y"}},
    {"shuffle_xor.f32 %x, %y, 1", {"shfl.bfly.b32 %x, %y, 1"}},
    {"prefix_sum %x, %y", {}},  // in which type is not known
    {"add.f32 %x %x, %y", {"add.f32 %x, %x, %y"}},
    {"add.f32 %x, %x %y", {"add.f32 %x, %x, %y"}},
    {"add.f32 %x, %y", {"add.f32 %x, %x, %y"}},
    {"add.f32 %x, y, %y", {"add.f32 %x, %y, %y"}},
    {"add.f32 x, %y, %y", {"add.f32 %x, %y, %y"}},
    {"mov.u32 k, 1", {"mov.u32 %k, 1"}},
    {"ld.global.f32 %x, input[%n", {"ld.global.f32 %x, input[%n]"}},
    {"st.global.f32 both[%n, %x", {"st.global.f32 both[%n], %x"}},
    {"ld.global.f32 %x, input[n]", {"ld.global.f32 %x, input[%n]"}},
    {"ld.global.f32 %x, input[gtid]", {"ld.global.f32 %x, input[%gtid]"}},
    {"ld.global.f32 %x, imput[%n]", {"ld.global.f32 %x, input[%n]"}},
    {"ld.global.f32 %x, %ptr", {"ld.global.f32 %x, [%ptr]"}},
    {"ld.global.f32 %x, tile[%n]", {"ld.shared.f32 %x, tile[%n]"}},
    {"@p add.f32 %x, %x, %y", {"@%p add.f32 %x, %x, %y"}},
    {"@!p add.f32 %x, %x, %y", {"@!%p add.f32 %x, %x, %y"}},
    {"add.f32 %x, %y, 2", {"add.f32 %x, %y, 2.0"}},
    {"bra lop", {"bra loop"}},
    {"done", {"done:"}},
    {"exti", {"exit"}},
    {"setp.gee.u32 %p, %n, 1", {"setp.ge.u32 %p, %n, 1"}},
    {"vote.b32 %n, %p", {"vote.ballot.b32 %n, %p"}},
    {"shl.u32 %n, %n, 1", {"shl.b32 %n, %n, 1"}},
    {"mul.u32 %n, %n, 3", {"mul.lo.u32 %n, %n, 3", "mul.hi.u32 %n, %n, 3", "mul.wide.u32 %n, %n, 3"}},
    {"max.b32 %n, %n, %i",
     {"max.u32 %n, %n, %i", "max.s32 %n, %n, %i", "max.f32 %n, %n, %i", "max.f16x2 %n, %n, %i",
      "max.bf16x2 %n, %n, %i"}},
    {"div.f32 %x, %x, %y",
     {"div.rn.f32 %x, %x, %y", "div.rz.f32 %x, %x, %y", "div.rm.f32 %x, %x, %y", "div.rp.f32 %x, %x, %y"}},
    {"mul.low.u32 %n, %n, 3", {"mul.lo.u32 %n, %n, 3"}},
    {".phaze \"a\"", {".phase \"a\""}},
    {"mov.f32 %x, %ziel", {}},
};

TEST(Fixes, AreExactly) {
  for (const Fixed& row : kFixed) {
    const std::string text = kBefore + row.wrong + "\nexit\n";
    const Assembled made = assemble(text, "k.warp");
    ASSERT_EQ(made.diagnostics.list.size(), 1U) << row.wrong << "\n" << made.diagnostics.render();
    std::vector<std::string> right;
    for (const Fix& fix : made.diagnostics.list[0].fixes) {
      const std::string after = changed(text, fix);
      const std::size_t from = std::string(kBefore).size();
      right.push_back(after.substr(from, after.find('\n', from) - from));
    }
    EXPECT_EQ(right, row.right) << made.diagnostics.render();
  }
}

TEST(Fixes, EndTheirMessage) {
  std::size_t fixes = 0;
  for (const Row& row : kRows) {
    const std::string text = kBefore + row.line + "\nexit\n";
    const Assembled made = assemble(text, "k.warp");
    for (const Diagnostic& one : made.diagnostics.list) {
      for (const Fix& fix : one.fixes) {
        ++fixes;
        for (const Diagnostic& left : assemble(changed(text, fix), "k.warp").diagnostics.list)
          EXPECT_NE(left.message, one.message) << changed(text, fix);
      }
    }
  }
  EXPECT_GT(fixes, 60U);
}

std::string after_first_fix(const std::string& text) {
  const Assembled made = assemble(text, "k.warp");
  if (made.diagnostics.list.empty() || made.diagnostics.list[0].fixes.empty()) return made.diagnostics.render();
  return changed(text, made.diagnostics.list[0].fixes[0]);
}

TEST(Fixes, OfWholeTexts) {
  EXPECT_EQ(after_first_fix(".kernel k (in a: u32[n] out b: u32[n], param n: u32)\nexit\n"),
            ".kernel k (in a: u32[n], out b: u32[n], param n: u32)\nexit\n");
  EXPECT_EQ(after_first_fix(".kernel k (in a u32[n], param n: u32)\nexit\n"),
            ".kernel k (in a: u32[n], param n: u32)\nexit\n");
  EXPECT_EQ(after_first_fix(".kernel k (in a: float[n], param n: u32)\nexit\n"),
            ".kernel k (in a: f32[n], param n: u32)\nexit\n");
  EXPECT_EQ(after_first_fix(".kernel k (in a: u32[2 * siez], param size: u32)\nexit\n"),
            ".kernel k (in a: u32[2 * size], param size: u32)\nexit\n");
  EXPECT_EQ(after_first_fix(".kernel k (param n: u32)\n        mov.u32 %x, %n\n        exit\n"),
            ".kernel k (param n: u32)\n        mov.u32 %x, n\n        exit\n");
  EXPECT_EQ(after_first_fix(".kernel k\n    mov.u32 %x, 1  // the last one\n"),
            ".kernel k\n    mov.u32 %x, 1  // the last one\n    exit\n");
  EXPECT_EQ(after_first_fix(".kernel k (in a: u32[n], param n: u32)\nexit\n.case test\n    n = 4\n    aa = i\n"),
            ".kernel k (in a: u32[n], param n: u32)\nexit\n.case test\n    n = 4\n    a = i\n");
  // Columns count bytes, so that what stands before does not matter.
  EXPECT_EQ(after_first_fix(".kernel k\n/* 가나 */ exti\nexit\n"), ".kernel k\n/* 가나 */ exit\nexit\n");
}

// The lines of a PTX kernel's body, and them after each fix of its first message.
std::vector<std::string> ptx_after_fixes(const std::string& body) {
  const std::string before =
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %r<8>;\n\t.reg "
      ".b32 %sum;\n";
  const std::string text = before + body + "}\n";
  const ptx::ReadModule read = ptx::read_module(text, "k.ptx");
  Diagnostics all = read.diagnostics;
  if (!all.has_errors()) {
    all.text = read.module.text;
    (void)ptx::make_program(read.module, read.module.functions.back(), all);
  }
  std::vector<std::string> out;
  if (all.list.empty()) return {"nothing is wrong"};
  for (const Fix& fix : all.list[0].fixes) {
    const std::string after = changed(text, fix);
    out.push_back(after.substr(before.size(), after.size() - before.size() - 2));
  }
  return out;
}

TEST(Fixes, OfPtx) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ptx_after_fixes("\tadd.u32 %r1, %r2, %r3\n\tret;\n"), Texts{"\tadd.u32 %r1, %r2, %r3;\n\tret;\n"});
  EXPECT_EQ(ptx_after_fixes("\tret\n"), Texts{"\tret;\n"});
  EXPECT_EQ(ptx_after_fixes("\tadd.u32 %sun, %r2, %r3;\n\tret;\n"),
            (Texts{"\tadd.u32 %sum, %r2, %r3;\n\tret;\n", "\t.reg .b32 %sun;\n\tadd.u32 %sun, %r2, %r3;\n\tret;\n"}));
  EXPECT_EQ(ptx_after_fixes("\tmul.wide.u32 %wide, %r2, %r3;\n\tret;\n"),
            Texts{"\t.reg .b64 %wide;\n\tmul.wide.u32 %wide, %r2, %r3;\n\tret;\n"});
  EXPECT_EQ(ptx_after_fixes("\t@%less add.u32 %r1, %r2, %r3;\n\tret;\n"),
            Texts{"\t.reg .pred %less;\n\t@%less add.u32 %r1, %r2, %r3;\n\tret;\n"});
  // Eight registers, and none of them is %rx: it is not known which is meant.
  EXPECT_EQ(ptx_after_fixes("\tadd.u32 %r1, %r2, %rx;\n\tret;\n"),
            Texts{"\t.reg .b32 %rx;\n\tadd.u32 %r1, %r2, %rx;\n\tret;\n"});
  // Two statements in a line: a declaration would come between, and need not.
  EXPECT_EQ(ptx_after_fixes("\tmov.u32 %r1, 1; add.u32 %r1, %r2, %other;\n\tret;\n"), Texts{});
}

}  // namespace
}  // namespace warpsim
