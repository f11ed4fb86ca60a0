// Modules that are linked by symbol: which definition stands for a name, and what is said where none or two do.
//
// Source: PTX ISA 9.0, 11.6 "Linking Directives".
#include "isa/ptx/ptx_modules.h"

#include <gtest/gtest.h>

#include "isa/ptx/ptx_program.h"

namespace warpsim::ptx {
namespace {

// Each text as NAME.ptx, the first one a.ptx.
ReadModule linked(const std::vector<std::string>& texts) {
  std::vector<ReadModule> modules;
  for (const std::string& text : texts) {
    const std::uint32_t number = static_cast<std::uint32_t>(modules.size());
    modules.push_back(read_module(".version 9.0\n.target sm_90\n.address_size 64\n" + text,
                                  std::string(1, static_cast<char>('a' + number)) + ".ptx", number));
    EXPECT_EQ(modules.back().diagnostics.render(), "");
  }
  return link(std::move(modules));
}

// The kernel of the first text, and in `said` what loading it says.
std::optional<Program> program(const std::vector<std::string>& texts, std::string& said) {
  const ReadModule read = linked(texts);
  EXPECT_EQ(read.diagnostics.render(), "");
  Diagnostics diagnostics = read.diagnostics;
  for (const Function& one : read.module.functions) {
    if (!one.is_entry) continue;
    std::optional<Program> made = make_program(read.module, one, diagnostics);
    said = diagnostics.render();
    return made;
  }
  return std::nullopt;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kKernel = ".visible .entry k() {\n.reg .b64 %rd<3>; .reg .b32 %r<3>;\n";

TEST(PtxModules, WhatIsDefinedTwiceIsAnErrorThatNamesBothPlaces) {
  const std::string text = ".visible .global .u32 x;\n.visible .func f() { ret; }";
  const std::string said = linked({text, "\n" + text}).diagnostics.render();
  EXPECT_TRUE(contains(said, "b.ptx:5:23: error[P041]: `x` is defined here and in a.ptx:4")) << said;
  EXPECT_TRUE(contains(said, "b.ptx:6:16: error[P041]: `f` is defined here and in a.ptx:5")) << said;
  EXPECT_TRUE(contains(said, "    5 | .visible .global .u32 x;")) << said;
}

TEST(PtxModules, WeakDefinitionsGiveWay) {
  const std::string weak = ".weak .func f() { ret; }\n.weak .global .u32 x = 1;";
  const std::string strong = ".visible .func f() { ret; }\n.visible .global .u32 x = 2;";
  for (const auto& [texts, stays] :
       {std::pair{std::vector{weak, strong}, 1U}, {std::vector{strong, weak}, 0U}, {std::vector{weak, weak}, 0U}}) {
    const ReadModule read = linked(texts);
    EXPECT_EQ(read.diagnostics.render(), "");
    for (const Function& one : read.module.functions) EXPECT_EQ(one.has_body, one.name.where.file == stays);
    for (const Declaration& one : read.module.objects) EXPECT_EQ(is_definition(one), one.name.where.file == stays);
  }
}

TEST(PtxModules, CommonVariablesBecomeTheLargest) {
  const std::string use = kKernel + "ld.global.u32 %r1, [x]; ret; }";
  std::string said;
  for (const auto& [first, second] : {std::pair{"[3]", "[5]"}, {"[5]", "[3]"}}) {
    const std::optional<Program> made = program({std::string(".common .global .u32 x") + first + ";\n" + use,
                                                 std::string(".common .global .u32 x") + second + ";"},
                                                said);
    ASSERT_TRUE(made) << said;
    ASSERT_EQ(made->params.size(), 1U);
    EXPECT_EQ(made->params[0].length, "5");
  }
}

TEST(PtxModules, ADeclarationThatDoesNotFitIsAnError) {
  const std::string said =
      linked({".extern .func f(.param .b32 a);\n.extern .global .u32 x[4];\n.extern .global .u32 y[];",
              ".visible .func f(.param .b64 a) { ret; }\n.visible .global .u32 x[5];\n"
              ".visible .global .u32 y[5];"})
          .diagnostics.render();
  EXPECT_TRUE(contains(said, "a.ptx:4:15: error[P042]: `f` is declared otherwise here than it is defined in b.ptx:4"))
      << said;
  EXPECT_TRUE(contains(said, "error[P042]: `x`")) << said;
  EXPECT_FALSE(contains(said, "`y`")) << said;  // its length is left open
}

// The variable's 1 of the first text, 2 of the second: each function reads its own.
TEST(PtxModules, EqualLocalNamesStayApart) {
  const std::string own = ".func get(.reg .u32 %r9) { .reg .b32 %r<3>; ld.global.u32 %r1, [x]; ret; }\n";
  std::string said;
  const std::optional<Program> made =
      program({".global .u32 x = 1;\n" + own + ".extern .func other();\n" + kKernel +
                   "mov.u32 %r1, 0; call get, (%r1); call other; ret; }",
               ".global .u32 x = 2;\n" + own +
                   ".visible .func other() { .reg .b32 %r1; mov.u32 %r1, 0; call get, (%r1); ret; }"},
              said);
  ASSERT_TRUE(made) << said;
  EXPECT_EQ(said, "");
  ASSERT_EQ(made->params.size(), 2U);
  EXPECT_NE(made->params[0].name, made->params[1].name);
  EXPECT_NE(made->params[0].initial, made->params[1].initial);
  ASSERT_EQ(made->routines.size(), 4U);  // two of `get`, `other` and the kernel
}

TEST(PtxModules, WhatNothingDefinesIsRefusedWithTheNameThatWasMeant) {
  std::string said;
  const std::optional<Program> made =
      program({".extern .func helpr();\n.extern .global .u32 tabel[];\n" + kKernel +
                   "call helpr;\nmov.u64 %rd1, tabel;\nld.global.u32 %r1, [tabel+4];\nret; }",
               ".visible .func helper() { ret; }\n.visible .global .u32 table[4];"},
              said);
  ASSERT_TRUE(made) << said;
  EXPECT_EQ(made->unsupported.size(), 3U);
  EXPECT_TRUE(contains(said, "the function helpr has no body; did you mean helper?")) << said;
  EXPECT_TRUE(contains(said, "nothing defines tabel; did you mean table?")) << said;
}

// As nvcc prints constructors: two names of one body.
TEST(PtxModules, AnAliasIsADefinitionForOtherTexts) {
  std::string said;
  const std::optional<Program> made = program({".extern .func c1();\n" + kKernel + "call c1; ret; }",
                                               ".visible .func c2() { ret; }\n.visible .func c1();\n.alias c1, c2;"},
                                              said);
  ASSERT_TRUE(made) << said;
  EXPECT_EQ(said, "");
  EXPECT_EQ(made->routines.size(), 2U);
}

// Another text's definitions are no names of a text that does not declare them.
TEST(PtxModules, WhatATextDoesNotDeclareItCannotUse) {
  std::string said;
  EXPECT_FALSE(program({kKernel + "ld.global.u32 %r1, [x]; ret; }", ".visible .global .u32 x;"}, said));
  EXPECT_TRUE(contains(said, "error[P024]: nothing declares `x`")) << said;
}

TEST(PtxModules, FilesAndDebugStringsAreKeptApart) {
  const auto text = [](const std::string& name, const std::string& file) {
    return ".file 1 \"" + file + "\"\n.visible .func " + name +
           "() {\n.loc 1 5 0\n.loc 1 7 0, function_name $L, inlined_at 1 9 0\nret; }\n.section .debug_str "
           "{\n$L:\n.b8 " +
           std::to_string(name[0]) + ",0\n}";
  };
  const ReadModule read = linked({text("f", "f.cu"), text("g", "g.cu")});
  ASSERT_EQ(read.module.functions.size(), 2U);
  for (const Function& one : read.module.functions) {
    const std::string name(one.name.text);
    const Location& plain = std::get<Location>(one.body.at(0));
    const Location& inlined = std::get<Location>(one.body.at(1));
    EXPECT_EQ(read.module.files.at(plain.file), name + ".cu");
    EXPECT_EQ(read.module.files.at(inlined.at_file), name + ".cu");
    EXPECT_EQ(read.module.strings.find(inlined.function)->second, name);
  }
}

}  // namespace
}  // namespace warpsim::ptx
