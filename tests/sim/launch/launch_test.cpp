// Cases prepared for a launch: what is computed from what, what wins over what, and every mistake.
#include "sim/launch/launch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {
namespace {

using Words = std::vector<std::uint64_t>;

Param param(std::string name, Param::Kind kind, Type type, std::string length_or_default = "") {
  Param p;
  p.name = std::move(name);
  p.kind = kind;
  p.type = type;
  (kind == Param::Kind::Scalar ? p.default_value : p.length) = std::move(length_or_default);
  return p;
}

// kernel max (in input: f32[size], out output: f32[size], param size: u32 = WARP_SZ)
Program max_program() {
  Program program;
  program.name = "max";
  program.params = {param("input", Param::Kind::In, Type::U32, "size"),
                    param("output", Param::Kind::Out, Type::U32, "size"),
                    param("size", Param::Kind::Scalar, Type::U32, "WARP_SZ")};
  return program;
}

// A case written as the assembler reads it, one field a line from line 10 on.
Case case_of(const std::vector<std::pair<std::string, std::string>>& fields) {
  Case c;
  c.name = "test";
  c.where = {9, 1, 5};
  for (const auto& [key, value] : fields) {
    c.fields.push_back(
        {key, value, {static_cast<std::uint32_t>(10 + c.fields.size()), 20, static_cast<std::uint32_t>(value.size())}});
  }
  return c;
}

PreparedCase prepared(const Program& program, const Case& c, const CaseOverrides& overrides = {}) {
  std::variant<PreparedCase, LaunchError> result = prepare_case(program, c, overrides);
  if (const LaunchError* error = std::get_if<LaunchError>(&result)) {
    ADD_FAILURE() << error->code << " " << error->message;
    return {};
  }
  return std::get<PreparedCase>(std::move(result));
}

// "L005 12:24 message | hint"
std::string refused(const Program& program, const Case& c, const CaseOverrides& overrides = {}) {
  const std::variant<PreparedCase, LaunchError> result = prepare_case(program, c, overrides);
  const LaunchError* error = std::get_if<LaunchError>(&result);
  if (error == nullptr) return "no error";
  return error->code + " " + std::to_string(error->where.line) + ":" + std::to_string(error->where.column) + " " +
         error->message + (error->hint.empty() ? "" : " | " + error->hint);
}

// ---- outputs

TEST(Launch, ARuleHoldsAtEveryLaneCount) {
  const Case c = case_of({{"input", "2*i, last 1000"}, {"expect output", "max(j, 0, n, input[j])"}});
  for (const unsigned lanes : lane_counts(max_program(), c)) {
    CaseOverrides overrides;
    overrides.lanes = lanes;
    const PreparedCase ready = prepared(max_program(), c, overrides);
    EXPECT_EQ(ready.name, "test");
    EXPECT_EQ(ready.config.lanes, lanes);
    EXPECT_EQ(ready.config.block, (Dim3{lanes, 1, 1}));
    EXPECT_EQ(ready.config.grid, Dim3{});
    EXPECT_EQ(ready.config.max_cycles, kDefaultMaxCycles);
    EXPECT_EQ(ready.arguments.scalars.at("size"), lanes);
    const Array& input = ready.arguments.buffers.at("input");
    ASSERT_EQ(input.bits.size(), lanes);
    EXPECT_EQ(input.bits[1], 2U);
    EXPECT_EQ(input.bits.back(), 1000U);
    EXPECT_EQ(ready.arguments.buffers.at("output"), (Array{Type::U32, Words(lanes, 0)}));
    EXPECT_EQ(ready.expected.at("output"), (Array{Type::U32, Words(lanes, 1000)}));
  }
}

TEST(Launch, LaneCountsOfACase) {
  EXPECT_EQ(lane_counts(max_program(), case_of({})), (std::vector<unsigned>{4, 8, 16, 32, 64}));
  EXPECT_EQ(lane_counts(max_program(), case_of({{"lanes", "8"}})), (std::vector<unsigned>{8}));
  EXPECT_EQ(lane_counts(max_program(), case_of({{"lanes", "8, 16,64"}})), (std::vector<unsigned>{8, 16, 64}));
}

// Without those that the program is exempt from, unless the case fixes its own.
TEST(Launch, ExemptLaneCounts) {
  Program program = max_program();
  program.group = "g";
  program.exemptions.push_back({{1, 4}, "four make a group", {7, 1, 1}});
  program.exemptions.push_back({{64}, "a literal mask", {8, 1, 1}});
  EXPECT_EQ(lane_counts(program, case_of({})), (std::vector<unsigned>{8, 16, 32}));
  EXPECT_EQ(lane_counts(program, case_of({{"lanes", "2, 8"}})), (std::vector<unsigned>{2, 8}));
  CaseOverrides overrides;
  overrides.lanes = 64;
  EXPECT_EQ(refused(program, case_of({{"input", "i"}}), overrides),
            "L011 0:0 g/" + program.name + " does not run at 64 lanes: a literal mask");
  overrides.lanes = 1;
  EXPECT_EQ(refused(program, case_of({{"input", "i"}}), overrides),
            "L011 0:0 g/" + program.name + " does not run at 1 lane: four make a group");
  overrides.lanes = 2;
  EXPECT_EQ(refused(program, case_of({{"input", "i"}}), overrides), "no error");
  EXPECT_EQ(refused(program, case_of({{"lanes", "8, 4"}, {"input", "i"}})),
            "L011 10:20 the case fixes 4 lanes, where the program does not run: four make a group | "
            "line 7 exempts it from this lane count");
}

TEST(Launch, LanesComeFromTheCommandLineThenTheCaseThenAre32) {
  CaseOverrides overrides;
  EXPECT_EQ(prepared(max_program(), case_of({{"input", "i"}})).config.lanes, 32U);
  EXPECT_EQ(prepared(max_program(), case_of({{"lanes", "8,16"}, {"input", "i"}})).config.lanes, 8U);
  overrides.lanes = 64;
  EXPECT_EQ(prepared(max_program(), case_of({{"lanes", "8"}, {"input", "i"}}), overrides).config.lanes, 64U);
}

TEST(Launch, GridAndBlock) {
  const PreparedCase ready = prepared(
      max_program(),
      case_of(
          {{"lanes", "16"}, {"grid", "3 x 2"}, {"block", "8x4"}, {"size", "grid * block_size"}, {"input", "block"}}));
  EXPECT_EQ(ready.config.grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(ready.config.block, (Dim3{8, 4, 1}));
  EXPECT_EQ(ready.arguments.scalars.at("size"), 192U);
  EXPECT_EQ(ready.arguments.buffers.at("input").bits[191], 5U);
  EXPECT_EQ(prepared(max_program(), case_of({{"block", "max(W, 40)x2x1"}, {"input", "i"}})).config.block,
            (Dim3{40, 2, 1}));
  EXPECT_EQ(prepared(max_program(), case_of({{"block", "0x20"}, {"input", "i"}})).config.block, (Dim3{32, 1, 1}));
  EXPECT_EQ(prepared(max_program(), case_of({{"block", "10x2"}, {"input", "i"}})).config.block, (Dim3{10, 2, 1}));
  CaseOverrides overrides;
  overrides.grid = Dim3{2, 1, 1};
  overrides.block = Dim3{5, 5, 2};
  overrides.max_cycles = 77;
  const PreparedCase other =
      prepared(max_program(), case_of({{"grid", "9"}, {"max_cycles", "5"}, {"input", "i"}}), overrides);
  EXPECT_EQ(other.config.grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(other.config.block, (Dim3{5, 5, 2}));
  EXPECT_EQ(other.config.max_cycles, 77U);
  EXPECT_EQ(prepared(max_program(), case_of({{"max_cycles", "WARP_SZ"}, {"input", "i"}})).config.max_cycles, 32U);
}

TEST(Launch, ScalarsComeFromTheCommandLineThenTheCaseThenTheKernel) {
  Program program = max_program();
  program.params.push_back(param("half", Param::Kind::Scalar, Type::U32, "size / 2"));
  program.params.push_back(param("scale", Param::Kind::Scalar, Type::F32, "half * 0.5"));
  EXPECT_EQ(prepared(program, case_of({{"input", "i"}})).arguments.scalars.at("scale"), 0x41000000U);  // 8.0
  const Case c = case_of({{"size", "20"}, {"input", "i"}});
  EXPECT_EQ(prepared(program, c).arguments.scalars.at("half"), 10U);
  CaseOverrides overrides;
  overrides.params["size"] = "WARP_SZ * 2";
  const PreparedCase ready = prepared(program, c, overrides);
  EXPECT_EQ(ready.arguments.scalars.at("size"), 64U);
  EXPECT_EQ(ready.arguments.scalars.at("half"), 32U);
  EXPECT_EQ(ready.arguments.buffers.at("input").bits.size(), 64U);
}

TEST(Launch, InputsComeFromAFileThenTheCommandLineThenTheCase) {
  const Case c = case_of({{"size", "3"}, {"input", "i"}});
  CaseOverrides overrides;
  EXPECT_EQ(prepared(max_program(), c, overrides).arguments.buffers.at("input").bits, (Words{0, 1, 2}));
  overrides.inputs["input"] = "7,8,9";
  EXPECT_EQ(prepared(max_program(), c, overrides).arguments.buffers.at("input").bits, (Words{7, 8, 9}));
  overrides.input_arrays["input"] = {Type::U32, {4, 5, 6}};
  EXPECT_EQ(prepared(max_program(), c, overrides).arguments.buffers.at("input").bits, (Words{4, 5, 6}));
}

TEST(Launch, AnOutputMayBeginWithWhatTheCaseSays) {
  EXPECT_EQ(prepared(max_program(), case_of({{"size", "2"}, {"input", "i"}, {"output", "fill:9"}}))
                .arguments.buffers.at("output")
                .bits,
            (Words{9, 9}));
}

TEST(Launch, ALaterInputMayUseAnEarlierOne) {
  Program program = max_program();
  program.params.push_back(param("more", Param::Kind::InOut, Type::S32, "size"));
  const PreparedCase ready = prepared(program, case_of({{"size", "3"},
                                                        {"more", "-input[i]"},
                                                        {"input", "i"},
                                                        {"expect more", "more[i] * 2"},
                                                        {"expect output", "[1,2,3]"}}));
  EXPECT_EQ(ready.arguments.buffers.at("more").bits, (Words{0, 0xffffffffU, 0xfffffffeU}));
  EXPECT_EQ(ready.expected.at("more").bits, (Words{0, 0xfffffffeU, 0xfffffffcU}));
  EXPECT_EQ(ready.expected.size(), 2U);
}

TEST(Launch, ABufferWithoutALengthIsAsLongAsItsList) {
  Program program = max_program();
  program.params[0].length = program.params[1].length = "";
  const PreparedCase ready = prepared(program, case_of({{"input", "[5, 6, 7]"}, {"expect output", "[1, 2]"}}));
  EXPECT_EQ(ready.arguments.buffers.at("input").bits, (Words{5, 6, 7}));
  EXPECT_EQ(ready.arguments.buffers.at("output").bits, (Words{0, 0}));
  CaseOverrides overrides;
  overrides.input_arrays["input"] = {Type::U32, {4, 5, 6, 7}};
  EXPECT_EQ(
      prepared(program, case_of({{"expect output", "[1, 2]"}}), overrides).arguments.buffers.at("input").bits.size(),
      4U);
  EXPECT_EQ(refused(program, case_of({{"input", "[5, 6, 7]"}})),
            "L003 0:0 nothing says how long 'output: u32[]' is | write its length in the kernel's line, or give it a "
            "list such as [1, 2, 3]");
}

TEST(Launch, ABufferMayBeEmpty) {
  EXPECT_TRUE(prepared(max_program(), case_of({{"size", "0"}, {"input", "i, last 3"}}))
                  .arguments.buffers.at("input")
                  .bits.empty());
}

// ---- what is refused

TEST(Launch, LanesAreAPowerOfTwoUpTo64) {
  CaseOverrides overrides;
  for (const unsigned lanes : {0U, 3U, 33U, 65U, 128U}) {
    overrides.lanes = lanes;
    EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}}), overrides),
              "L001 0:0 a warp of " + std::to_string(lanes) + " lanes | lanes is a power of two from 1 to 64");
  }
  EXPECT_EQ(refused(max_program(), case_of({{"lanes", "8, 12"}, {"input", "i"}})),
            "L001 10:20 a warp of 12 lanes | lanes is a power of two from 1 to 64");
  EXPECT_EQ(refused(max_program(), case_of({{"lanes", "eight"}, {"input", "i"}})),
            "L005 10:20 lanes: 'eight' has no meaning here");
  EXPECT_EQ(lane_counts(max_program(), case_of({{"lanes", "eight"}})), (std::vector<unsigned>{32}));
}

TEST(Launch, GridsAndBlocksHaveCudasLimits) {
  const auto shape = [](const std::string& key, const std::string& value) {
    return refused(max_program(), case_of({{key, value}, {"input", "i"}}));
  };
  EXPECT_EQ(shape("block", "0"), "L002 10:20 a block of 0x1x1 threads has none | every dimension is at least 1");
  EXPECT_EQ(shape("grid", "2x0"), "L002 10:20 a grid of 2x0x1 blocks has none | every dimension is at least 1");
  EXPECT_EQ(shape("block", "1024"), "no error");
  EXPECT_EQ(
      shape("block", "1025"),
      "L002 10:20 a block of 1025x1x1 threads is too large | at most 1024x1024x64 and 1024 threads in all, as in CUDA");
  EXPECT_EQ(shape("block", "33x32").substr(0, 4), "L002");
  EXPECT_EQ(shape("block", "1x1x65").substr(0, 4), "L002");
  EXPECT_EQ(shape("block", "4294967295x4294967295x4294967295").substr(0, 4), "L002");
  EXPECT_EQ(shape("grid", "2147483647x65535x65535"), "no error");
  EXPECT_EQ(shape("grid", "2147483648"),
            "L002 10:20 a grid of 2147483648x1x1 blocks is too large | at most 2147483647x65535x65535, as in CUDA");
  EXPECT_EQ(shape("grid", "1x65536").substr(0, 4), "L002");
  EXPECT_EQ(shape("grid", "1x1x65536").substr(0, 4), "L002");
  EXPECT_EQ(shape("grid", "1x2x3x4"), "L002 10:20 grid has at most three dimensions");
  EXPECT_EQ(shape("grid", "2x(1+"), "L005 10:25 grid: expected a value, not the end of the rule");
  EXPECT_EQ(shape("grid", "-1"), "L005 10:20 grid: -1 does not fit u32");
  EXPECT_EQ(shape("max_cycles", "0"), "L010 10:20 max_cycles is at least 1");
  EXPECT_EQ(shape("max_cycles", "-5"), "L010 10:20 max_cycles is at least 1");
}

TEST(Launch, UnknownNamesAreGuessed) {
  EXPECT_EQ(refused(max_program(), case_of({{"sise", "3"}, {"input", "i"}})),
            "L008 10:20 'max' has no parameter 'sise' | did you mean 'size'?");
  EXPECT_EQ(refused(max_program(), case_of({{"lane", "8"}, {"input", "i"}})),
            "L008 10:20 'max' has no parameter 'lane' | did you mean 'lanes'?");
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}, {"expect outptu", "i"}})),
            "L008 11:20 'max' has no buffer 'outptu' | did you mean 'output'?");
  CaseOverrides overrides;
  overrides.params["pivot"] = "5";
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}}), overrides),
            "L008 0:0 'max' has no parameter 'pivot' | there is 'size'");
  overrides.params.clear();
  overrides.inputs["inputs"] = "i";
  EXPECT_EQ(refused(max_program(), case_of({}), overrides),
            "L008 0:0 'max' has no buffer 'inputs' | did you mean 'input'?");
}

TEST(Launch, NamesOfTheWrongKind) {
  CaseOverrides overrides;
  overrides.inputs["size"] = "5";
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}}), overrides),
            "L004 0:0 'size' is a scalar parameter, not a buffer | give its value as a parameter");
  overrides.inputs.clear();
  overrides.params["input"] = "5";
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}}), overrides),
            "L004 0:0 'input' is a buffer, not a scalar parameter | give its contents as an input");
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}, {"expect input", "i"}})),
            "L004 11:20 'input' is no output | expect names an 'out' or 'inout' buffer");
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}, {"expect size", "i"}})),
            "L004 11:20 'size' is no output | expect names an 'out' or 'inout' buffer");
  overrides.params.clear();
  overrides.input_arrays["input"] = {Type::F32, Words(32, 0)};
  EXPECT_EQ(refused(max_program(), case_of({}), overrides),
            "L004 0:0 input holds f32, the kernel's 'input: u32[size]' wants u32");
}

TEST(Launch, MissingValuesAreNamed) {
  Program program = max_program();
  program.params[2].default_value = "";
  EXPECT_EQ(refused(program, case_of({{"input", "i"}})),
            "L003 9:1 parameter 'size: u32' has no value | give it one, or let the case say 'size = …'");
  EXPECT_EQ(refused(max_program(), case_of({})),
            "L003 9:1 input 'input: u32[size]' has no values | give it some, or let the case say 'input = …'");
  EXPECT_EQ(refused(max_program(), Case{}), "L003 0:0 input 'input: u32[size]' has no values | give it some");
}

TEST(Launch, SizesMustMatch) {
  CaseOverrides overrides;
  overrides.params["size"] = "32";
  overrides.inputs["input"] = "1, 2, 3";
  EXPECT_EQ(refused(max_program(), case_of({}), overrides),
            "L006 0:0 input has 3 elements, the kernel's 'input: u32[size]' wants 32 | --param size=3");
  overrides.inputs["input"] = "[1]";
  EXPECT_EQ(refused(max_program(), case_of({}), overrides),
            "L006 0:0 input has 1 element, the kernel's 'input: u32[size]' wants 32 | --param size=1");
  overrides.input_arrays["input"] = {Type::U32, Words(20, 0)};
  EXPECT_EQ(refused(max_program(), case_of({}), overrides),
            "L006 0:0 input has 20 elements, the kernel's 'input: u32[size]' wants 32 | --param size=20");
  Program warp = max_program();
  warp.params[0].length = "WARP_SZ";
  EXPECT_EQ(refused(warp, case_of({}), overrides),
            "L006 0:0 input has 20 elements, the kernel's 'input: u32[WARP_SZ]' wants 32");
  overrides.input_arrays["input"] = {Type::U32, Words(8, 0)};
  EXPECT_EQ(refused(warp, case_of({}), overrides),
            "L006 0:0 input has 8 elements, the kernel's 'input: u32[WARP_SZ]' wants 32 | --lanes 8");
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}, {"expect output", "[1, 2]"}})),
            "L006 11:20 expect output has 2 elements, the kernel's 'output: u32[size]' wants 32");
  Program program = max_program();
  program.params[0].length = "size - 40";
  program.params[0].where = {3, 7, 1};
  EXPECT_EQ(refused(program, case_of({{"input", "i"}})), "L006 3:7 the length of 'input: u32[size - 40]' is -8");
}

TEST(Launch, AnInputGivenByHandSaysItsLength) {
  const Case c = case_of({{"size", "WARP_SZ"}, {"input", "i"}, {"expect output", "input[i] + 0 * size"}});
  CaseOverrides overrides;
  overrides.lanes = 4;
  overrides.inputs["input"] = "[1, 2, 3, 4]";
  EXPECT_EQ(prepared(max_program(), c, overrides).expected.size(), 1u) << "nothing changes";
  overrides.inputs["input"] = "[1, 2, 3]";
  PreparedCase ready = prepared(max_program(), c, overrides);
  EXPECT_EQ(ready.arguments.scalars["size"], 3u);
  EXPECT_EQ(ready.arguments.buffers["output"].bits.size(), 3u);
  EXPECT_EQ(ready.config.grid, Dim3{});
  EXPECT_EQ(ready.expected["output"].bits, (Words{1, 2, 3})) << "the expectation names the length";
  overrides.inputs["input"] = "[1, 2, 3, 4, 5, 6, 7, 8, 9]";
  ready = prepared(max_program(), c, overrides);
  EXPECT_EQ(ready.config.grid, (Dim3{3, 1, 1})) << "a thread for each element, as before";
  EXPECT_TRUE(ready.expected.empty()) << "it was written for another grid";
  overrides.grid = Dim3{2, 1, 1};
  EXPECT_EQ(prepared(max_program(), c, overrides).config.grid, (Dim3{2, 1, 1})) << "as it is given";
  overrides.grid.reset();
  const Case several = case_of({{"grid", "5"}, {"input", "i"}});
  EXPECT_EQ(prepared(max_program(), several, overrides).config.grid, (Dim3{5, 1, 1})) << "no thread for each element";
  const Case plain = case_of({{"input", "i"}, {"expect output", "input[i]"}});
  overrides.inputs["input"] = "[7]";
  EXPECT_TRUE(prepared(max_program(), plain, overrides).expected.empty()) << "it does not name the length";
}

TEST(Launch, WhatContradictsIsNotGuessed) {
  Program program = max_program();
  program.params.push_back(param("other", Param::Kind::In, Type::U32, "size"));
  CaseOverrides overrides;
  overrides.inputs["input"] = "[1, 2]";
  const std::string said = "L006 0:0 input has 2 elements, the kernel's 'input: u32[size]' wants 32 | --param size=2";
  EXPECT_EQ(refused(program, case_of({{"other", "[1, 2, 3]"}}), overrides), said) << "a list of the case";
  overrides.inputs["other"] = "[1, 2, 3]";
  EXPECT_EQ(refused(program, case_of({}), overrides), said) << "a list given by hand";
  overrides.inputs["other"] = "[3, 4]";
  EXPECT_EQ(prepared(program, case_of({}), overrides).arguments.scalars["size"], 2u);
  program.params[2].default_value = "";
  EXPECT_EQ(prepared(program, Case{}, overrides).arguments.scalars["size"], 2u) << "nothing else gives it a value";
  overrides.inputs["other"] = "[3, 4, 5]";
  EXPECT_EQ(refused(program, Case{}, overrides),
            "L006 0:0 other has 3 elements, the kernel's 'other: u32[size]' wants 2 | --param size=3");
}

TEST(Launch, BadRulesPointIntoTheCase) {
  EXPECT_EQ(refused(max_program(), case_of({{"input", "2 * ii"}})),
            "L005 10:24 input: 'ii' has no meaning here; did you mean 'i'?");
  EXPECT_EQ(refused(max_program(), case_of({{"input", "[1,\n 2,\n  x] repeated"}})),
            "L005 12:3 input: 'x' has no meaning here");
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i - 1"}})), "L005 10:22 input: -1 does not fit u32 (element 0)");
  EXPECT_EQ(refused(max_program(), case_of({{"size", "-1"}, {"input", "i"}})),
            "L005 10:20 parameter 'size: u32': -1 does not fit u32");
  CaseOverrides overrides;
  overrides.inputs["input"] = "2 *";
  EXPECT_EQ(refused(max_program(), case_of({}), overrides),
            "L005 0:0 input: expected a value, not the end of the rule | the rule is: 2 *");
}

TEST(Launch, NothingIsGivenTwice) {
  EXPECT_EQ(refused(max_program(), case_of({{"input", "i"}, {"input", "2*i"}})), "L009 11:20 'input' is given twice");
}

TEST(Launch, BuffersTakeAtMostOneGibibyte) {
  Program program = max_program();
  program.params[0].length = "1 << 62";
  EXPECT_EQ(refused(program, case_of({{"input", "i"}})),
            "L007 0:0 'input: u32[1 << 62]' would have 4611686018427387904 elements: too much memory | all buffers "
            "together take at most 1 GiB");
  program.params[0].length = "(1 << 28) - 1";
  program.params[1].length = "2";
  EXPECT_EQ(refused(program, case_of({{"input", "i"}})).substr(0, 32), "L007 0:0 'output: u32[2]' would ");
}

}  // namespace
}  // namespace warpsim
