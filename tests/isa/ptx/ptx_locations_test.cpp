// .loc and .file of PTX become places in the source, with the calls that were inlined.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"

namespace warpsim::ptx {
namespace {

// "_Z5twicei" and "_Z9add_twiceii", with their zeros.
constexpr const char* kStrings =
    ".section .debug_str {\n$L__one:\n.b8 95,90,53,116,119,105,99,101,105,0\n"
    "$L__two:\n.b8 95,90,57,97,100,100,95,116,119,105,99,101,105,105,0\n}\n";

Program made(const std::string& body, const std::string& files) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry _Z1kv() {\n.reg .b32 %r<4>;\n" + body + "}\n" +
      files + kStrings;
  ReadModule read = read_module(text, "folder/k.ptx");
  EXPECT_FALSE(read.diagnostics.has_errors()) << read.diagnostics.render();
  Diagnostics diagnostics;
  diagnostics.file = "folder/k.ptx";
  std::optional<Program> program = make_program(read.module, read.module.functions.front(), diagnostics);
  EXPECT_TRUE(program.has_value()) << diagnostics.render();
  return program.value_or(Program{});
}

const std::string kFiles =
    "\t.file 1 \"/home/k.cu\"\n\t.file 7 \"/usr/local/cuda/targets/x86_64-linux/include/intrinsics.hpp\"\n";

TEST(PtxLocations, EachInstructionHasThePlaceOfTheLastOne) {
  const Program program =
      made("mov.u32 %r0, 1;\n.loc 1 7 3\nmov.u32 %r1, 2;\nmov.u32 %r2, 3;\n.loc 1 9 1\nret;\n", kFiles);
  ASSERT_EQ(program.module->files.size(), 3U);
  EXPECT_EQ(program.module->files[1].name, "/home/k.cu");
  EXPECT_EQ(program.place(0), (SourceRange{6, 1, 7, 0})) << "before the first .loc: the text's own";
  for (const std::int32_t pc : {1, 2}) EXPECT_EQ(program.place(pc), (SourceRange{7, 3, 1, 1})) << pc;
  EXPECT_EQ(program.place(3).line, 9U);
  EXPECT_EQ(program.line(0), "k.ptx:6");
  EXPECT_EQ(program.line(1), "k.cu:7");
  EXPECT_EQ(program.source_at(1)->function, "k");
  EXPECT_EQ(program.source(program.place(1)).name, "/home/k.cu");
}

TEST(PtxLocations, InlinedPlacesLeadToWhereTheyWereInlined) {
  const Program program = made(
      ".loc 1 12 5\n.loc 1 4 3, function_name $L__two, inlined_at 1 12 5\n"
      ".loc 1 2 29, function_name $L__one, inlined_at 1 4 3\nmov.u32 %r0, 1;\n"
      ".loc 1 20 5\n.loc 1 4 3, function_name $L__two, inlined_at 1 20 5\nmov.u32 %r1, 1;\nret;\n",
      kFiles);
  const std::vector<const SourcePlace*> frames = program.frames(0);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0]->function, "twice");
  EXPECT_EQ(frames[0]->where.line, 2U);
  EXPECT_EQ(frames[1]->function, "add_twice");
  EXPECT_EQ(frames[1]->where.line, 4U);
  EXPECT_EQ(frames[2]->function, "k");
  EXPECT_EQ(frames[2]->where.line, 12U);
  ASSERT_EQ(program.frames(1).size(), 2U);
  EXPECT_EQ(program.frames(1)[1]->where.line, 20U) << "the same line, inlined elsewhere";
  EXPECT_EQ(program.line(0), "k.cu:2");
}

TEST(PtxLocations, TheCompilersHeadersAreNotShownFirst) {
  const Program program =
      made(".loc 1 11 5\n.loc 7 409 9, function_name $L__one, inlined_at 1 11 5\nmov.u32 %r0, 1;\nret;\n", kFiles);
  EXPECT_EQ(program.line(0), "k.cu:11");
  EXPECT_EQ(program.frames(0).size(), 2U);
  const Program alone = made(".loc 7 409 9\nmov.u32 %r0, 1;\nret;\n", kFiles);
  EXPECT_EQ(alone.line(0), "intrinsics.hpp:409") << "where there is nothing else";
}

TEST(PtxLocations, WhatIsNotSaidIsNoPlace) {
  const Program program = made(
      ".loc 3 7 3\nmov.u32 %r0, 1;\n.loc 1 0 0\nmov.u32 %r1, 1;\n"
      ".loc 1 5 1, function_name $L__none, inlined_at 1 99 1\nmov.u32 %r2, 1;\nret;\n",
      kFiles);
  EXPECT_EQ(program.source_at(0), nullptr) << "no .file 3";
  EXPECT_EQ(program.source_at(1), nullptr) << "line 0";
  ASSERT_EQ(program.frames(2).size(), 2U);
  EXPECT_EQ(program.frames(2)[0]->function, "");
  EXPECT_EQ(program.frames(2)[1]->where.line, 99U) << "no .loc of that place came before";
  EXPECT_EQ(program.source_at(-1), nullptr);
  EXPECT_EQ(program.source_at(99), nullptr);
}

TEST(PtxLocations, WithoutAnyTheLinesAreTheTexts) {
  const Program program = made("mov.u32 %r0, 1;\nret;\n", "");
  EXPECT_EQ(program.line(0), "6");
  EXPECT_TRUE(program.frames(0).empty());
}

// The variable `i` in %r1 from one label to another; in a list, %r2 and then %r3 for `v`; a number that is no register.
TEST(PtxDebugInfo, RegistersHaveTheNamesOfVariables) {
  const std::string body =
      "$L__func_begin0:\nmov.u32 %r0, 1;\n$L__tmp1:\nmov.u32 %r1, 2;\n$L__tmp2:\nmov.u32 %r2, 3;\n$L__tmp3:\nmov.u32 "
      "%r3, "
      "4;\nret;\n$L__func_end0:\n";
  // Abbreviations: 1 a unit, 2 a function (low_pc, high_pc), 3 a variable (name, location as a block), 4 the same with
  // its location as an offset in .debug_loc.
  const std::string abbreviations =
      ".section .debug_abbrev {\n.b8 1,17,1,0,0\n.b8 2,46,1,17,1,18,1,0,0\n.b8 3,52,0,3,8,2,10,0,0\n.b8 "
      "4,52,0,3,8,2,6,0,0\n.b8 0\n}\n";
  // DW_OP_regx "%r1": 0x257231 in groups of seven bits.
  const std::string info =
      ".section .debug_info {\n.b32 100\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n.b8 2\n.b64 $L__func_begin0\n.b64 "
      "$L__func_end0\n.b8 3,105,0,5,144,177,228,149,1\n.b8 3,110,0,2,145,4\n.b8 4,118,0\n.b32 .debug_loc\n.b8 0,0\n}\n";
  const std::string list =
      ".section .debug_loc {\n.b64 $L__tmp2\n.b64 $L__tmp3\n.b8 5,0,144,178,228,149,1\n.b64 $L__tmp3\n.b64 "
      "$L__func_end0\n.b8 5,0,144,179,228,149,1\n.b64 0\n.b64 0\n}\n";
  const Program program = made(body, abbreviations + info + list);
  const std::int32_t r1 = program.find_register("%r1"), r2 = program.find_register("%r2"),
                     r3 = program.find_register("%r3");
  ASSERT_EQ(program.variables.size(), 3U);
  EXPECT_EQ(program.variable_in(r1, 1), "i");
  EXPECT_EQ(program.variable_in(r2, 1), "v") << "from what is behind the instruction on";
  EXPECT_EQ(program.variable_in(r2, 3), "");
  EXPECT_EQ(program.variable_in(r3, 3), "v");
  EXPECT_EQ(program.variable_in(r3, 1), "");
}

TEST(PtxDebugInfo, WhatIsCutOffOrUnknownSaysNothing) {
  const std::string abbreviations = ".section .debug_abbrev {\n.b8 1,17,1,3,8,2,10\n}\n";
  for (const char* const info : {".b32 0", ".b32 4294967295\n.b8 2,0\n.b32 0\n.b8 8,1,255", ".b8 1",
                                 ".b32 9\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n.b8 1,105"})
    EXPECT_TRUE(made("ret;\n", abbreviations + ".section .debug_info {\n" + info + "\n}\n").variables.empty()) << info;
}

}  // namespace
}  // namespace warpsim::ptx
