// Captures: what is written is what is read, bit for bit; what is no capture is refused in words; a case that has
// changed has another hash.
#include "tools/cuda/recording/capture.h"

#include <gtest/gtest.h>

#include <set>

#include "isa/assembly/assembler.h"

namespace warpsim::tools {
namespace {

Capture sample() {
  CapturedRun plain;
  plain.case_name = "test";
  plain.lanes = 8;
  plain.rules = {{"input", "[\"quoted\"]\n"}, {"size", "WARP_SZ"}};
  plain.inputs_hash = "00000000deadbeef";
  plain.outputs = {
      // Infinities, both zeros, quiet and signalling NaNs with payloads and signs.
      {"f32", {Type::F32, {0x3f800000, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 0x7fc12345, 0xffa00001, 1}}},
      {"f64", {Type::F64, {0x3fb999999999999a, 0xfff8000000000000, 0x7ff8000000000001, 0x7ff0000000000001, 1}}},
      {"f16", {Type::F16, {0x3c00, 0x7c00, 0xfc00, 0x7fff, 0xfe01, 0x0001, 0x8000}}},
      {"bf16", {Type::BF16, {0x3f80, 0x7f80, 0x7fc1, 0xffff}}},
      {"pairs", {Type::F16X2, {0x3c00bc00, 0x7fff0001}}},
      {"u64", {Type::U64, {0, ~std::uint64_t{0}, (std::uint64_t{1} << 53) + 1}}},
      {"s64", {Type::S64, {std::uint64_t{1} << 63, ~std::uint64_t{0}}}},
      {"s32", {Type::S32, {0x80000000, 0xffffffff}}},
      {"byte", {Type::U8, {0, 255}}},
      {"nothing", {Type::U32, {}}}};
  CapturedRun same = plain, other = plain;
  same.lanes = other.lanes = 32;
  same.has_kernel = true;
  other.case_name = "worked";
  other.has_kernel = true;
  other.kernel_outputs = {{"f32", {Type::F32, {0x7fffffff}}}};
  return {"p99/sample", {plain, same, other}};
}

TEST(Capture, WhatIsWrittenIsRead) {
  const Capture wrote = sample();
  const auto read = read_capture(to_json(wrote));
  ASSERT_TRUE(std::holds_alternative<Capture>(read)) << std::get<std::string>(read);
  const Capture& back = std::get<Capture>(read);
  EXPECT_EQ(back.program, wrote.program);
  ASSERT_EQ(back.runs.size(), wrote.runs.size());
  for (std::size_t k = 0; k < wrote.runs.size(); ++k) {
    const CapturedRun &a = wrote.runs[k], &b = back.runs[k];
    EXPECT_EQ(a.case_name, b.case_name);
    EXPECT_EQ(a.lanes, b.lanes);
    EXPECT_EQ(a.rules, b.rules);
    EXPECT_EQ(a.inputs_hash, b.inputs_hash);
    EXPECT_EQ(a.has_kernel, b.has_kernel);
    EXPECT_EQ(a.kernel_outputs, b.kernel_outputs);
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (std::size_t n = 0; n < a.outputs.size(); ++n) EXPECT_EQ(a.outputs[n], b.outputs[n]) << a.outputs[n].first;
  }
  EXPECT_EQ(to_json(back), to_json(wrote));
}

constexpr const char* kGood =
    R"({"format": "warpsim-capture", "version": "1.0", "program": "p/k", "runs": [{"case": "test", "lanes": 8, )"
    R"("inputs": {"a": "i"}, "inputs_hash": "0", "outputs": {"o": {"type": "u32", "values": [1, 2]}}}]})";

std::string replaced(const std::string& what, const std::string& with) {
  std::string text = kGood;
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

std::string refusal(const std::string& text) {
  const auto read = read_capture(text);
  const std::string* why = std::get_if<std::string>(&read);
  return why != nullptr ? *why : "(it is read)";
}

std::string no_member(const std::string& name) {
  return "there is no member \"" + name + "\" of the kind it should be";
}

TEST(Capture, WhatIsNoneIsRefused) {
  EXPECT_EQ(refusal(kGood), "(it is read)");
  EXPECT_EQ(refusal(""), "it is no JSON");
  EXPECT_EQ(refusal(std::string(kGood).substr(0, 100)), "it is no JSON");
  EXPECT_EQ(refusal("[]"), "it is no capture of warpsim");
  EXPECT_EQ(refusal("{}"), "it is no capture of warpsim");
  EXPECT_EQ(refusal(replaced("warpsim-capture", "warpsim-trace")), "it is no capture of warpsim");
  EXPECT_EQ(refusal(replaced("\"1.0\"", "\"2.0\"")), "its version is 2.0, this warpsim reads 1.x");
  EXPECT_EQ(refusal(replaced("\"1.0\"", "\"1.7\"")), "(it is read)");
}

TEST(Capture, AMemberThatIsMissingOrOfAnotherKindIsNamed) {
  for (const char* name : {"program", "runs", "case", "lanes", "inputs", "inputs_hash", "outputs", "type", "values"}) {
    const std::string quoted = "\"" + std::string(name) + "\": ";
    EXPECT_EQ(refusal(replaced(quoted, "\"else\": ")), no_member(name));
    EXPECT_EQ(refusal(replaced(quoted, quoted + "null, \"else\": ")), no_member(name));
  }
  EXPECT_EQ(refusal(replaced("\"lanes\": 8", "\"lanes\": -8")), no_member("lanes"));
  EXPECT_EQ(refusal(replaced("[{\"case\"", "[7, {\"case\"")), no_member("case"));
  EXPECT_EQ(refusal(replaced("\"outputs\"", "\"kernel\": [], \"outputs\"")), no_member("kernel"));
}

TEST(Capture, ValuesOfTheWrongKindNameTheirBuffer) {
  for (const char* values : {"[1, \"two\"]", "[1, 2.5]", "[1, -2]", "[1, 4294967296]", "[[1], 2]", "[null, 2]"}) {
    const std::string why = refusal(replaced("[1, 2]", values));
    EXPECT_EQ(why.rfind("o: ", 0), 0U) << values << ": " << why;
  }
  const std::string no_type = refusal(replaced("\"u32\"", "\"u33\""));
  EXPECT_NE(no_type, "(it is read)");
}

struct Hashed {
  Lesson program;
  Arguments arguments;
  std::string hash() const { return inputs_hash(program, arguments); }
};

Hashed hashed() {
  Assembled assembled = assemble(
      ".kernel k (in a: u32[], inout b: f64[], out o: u32[], param n: u32 = 1)\n st.global.u32 o[0], n\n exit\n",
      "test.warp");
  EXPECT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  Arguments arguments;
  arguments.buffers = {{"a", {Type::U32, {1, 2, 3}}}, {"b", {Type::F64, {0, 4}}}, {"o", {Type::U32, {0}}}};
  arguments.scalars = {{"n", 5}};
  return {*assembled.lesson(), arguments};
}

TEST(Capture, EveryBitOfTheInputsIsInTheHash) {
  const std::string before = hashed().hash();
  std::set<std::string> hashes = {before};
  for (const auto& [name, width] : {std::pair{"a", 32}, std::pair{"b", 64}, std::pair{"o", 32}})
    for (std::size_t k = 0; k < hashed().arguments.buffers.at(name).bits.size(); ++k)
      for (int bit = 0; bit < width; ++bit) {
        Hashed one = hashed();
        one.arguments.buffers.at(name).bits[k] ^= std::uint64_t{1} << bit;
        EXPECT_TRUE(hashes.insert(one.hash()).second) << name << "[" << k << "], bit " << bit;
      }
  for (int bit = 0; bit < 32; ++bit) {
    Hashed one = hashed();
    one.arguments.scalars.at("n") ^= std::uint64_t{1} << bit;
    EXPECT_TRUE(hashes.insert(one.hash()).second) << "n, bit " << bit;
  }
  EXPECT_EQ(hashed().hash(), before);
}

// An element that moves from the end of one buffer to the start of the next is a change.
TEST(Capture, WhereABufferEndsIsInTheHash) {
  Hashed one = hashed(), other = hashed();
  one.arguments.buffers.at("a").bits = {7, 7};
  one.arguments.buffers.at("b").bits = {7};
  other.arguments.buffers.at("a").bits = {7};
  other.arguments.buffers.at("b").bits = {7, 7};
  EXPECT_NE(one.hash(), other.hash());
}

// The steps of FNV-1a, written out. Captures hold such hashes: another start would make every input look changed.
TEST(Capture, TheHashStaysWhatCapturesHold) {
  const std::uint64_t prime = (std::uint64_t{1} << 40) + 0x1b3;  // of 64-bit FNV
  std::uint64_t state = 1469598103934665603U;
  EXPECT_EQ(hash_of(""), "14650fb0739d0383");
  for (const unsigned char c : std::string("a\xff")) state = (state ^ c) * prime;
  EXPECT_EQ(std::stoull(hash_of("a\xff"), nullptr, 16), state);
}

TEST(Capture, TheRulesAreThoseOfTheParameters) {
  const Assembled assembled = assemble(
      ".kernel k (in a: u32[], out o: u32[], param n: u32 = 1)\n st.global.u32 o[0], n\n exit\n"
      ".case test\n lanes = 8\n a = i * 2\n n = 3\n expect o = 3\n",
      "test.warp");
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  EXPECT_EQ(input_rules(*assembled.lesson(), assembled.lesson()->cases[0]),
            (std::map<std::string, std::string>{{"a", "i * 2"}, {"n", "3"}}));
}

}  // namespace
}  // namespace warpsim::tools
