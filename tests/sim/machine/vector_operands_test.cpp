// Vectors: registers in braces, loaded, stored, packed and unpacked.
//
// Shapes: small programs; what each lane gets is worked out beside them.
// Source: PTX ISA 9.0, sections 6.4.3 (vectors as operands), 9.7.9.8 (ld), 9.7.9.4 (mov: pack and unpack).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/captures.h"
#include "tests/support/record_text.h"
#include "tests/support/run.h"
#include "traces/compare/compare.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/text/text_renderer.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::record_text;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

TEST(VectorOperands, RegistersArePutTogetherAndTakenApart) {
  const Ran ran = run_text(R"(.kernel k (out o: u64[5], in i: b64[2])
    ld.global.b64 %x, i[0]
    mov.b64 {%lo, %hi}, %x
    mov.b64 %y, {%hi, %lo}
    st.global.b64 o[0], %y
    mov.b32 {%a, %b}, %lo
    mov.b32 %z, {%b, %a}
    cvt.u64.u32 %w, %z
    st.global.u64 o[1], %w
    mov.b64 {%h0, %h1, %h2, %h3}, %x
    mov.b64 %y, {%h3, %h2, %h1, %h0}
    st.global.b64 o[2], %y
    mov.b64 %y, {7, %hi}
    st.global.b64 o[3], %y
    mov.b32 %lo, {%a, %a}
    mov.b64 %x, {%lo, %lo}
    st.global.b64 o[4], %x
    exit
)",
                           {.lanes = 1, .buffers = {{"o", Words(5)}, {"i", {0x0123456789abcdef, 0}}}});
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.result.trap.message;
  EXPECT_EQ(ran.buffer("o"),
            (Words{0x89abcdef01234567, 0xcdef89ab, 0xcdef89ab45670123, 0x0123456700000007, 0xcdefcdefcdefcdef}));
}

TEST(VectorOperands, LoadsAndStoresMoveElementsThatFollowEachOther) {
  for (const unsigned lanes : {1U, 8U, 32U, 64U}) {
    Words input, expected, pairs;
    for (unsigned k = 0; k < 4 * lanes; ++k) input.push_back(100 + k);
    for (unsigned l = 0; l < lanes; ++l) {
      for (unsigned e = 0; e < 4; ++e) expected.push_back(input[4 * l + 3 - e]);
      for (unsigned e = 0; e < 2; ++e) pairs.push_back(input[4 * l + e] | input[4 * l + 2 + e] << 32);
    }
    const Ran ran =
        run_text(R"(.kernel k (in i: u32[], out o: u32[], out p: u64[])
    .shared u32 tile[4 * WARP_SZ]
    shl.b32 %at, %laneid, 2
    ld.global.v4.u32 {%a, %b, %c, %d}, i[%at]
    st.shared.v4.b32 tile[%at], {%d, %c, %b, %a}
    ld.v2.u32 {%d, %c}, tile[%at]
    ld.shared.v2.u32 {%b, %a}, tile[%at + 2]
    st.global.v4.u32 o[%at], {%d, %c, %b, %a}
    mov.u64 %q, p
    mad.wide.u32 %q, %laneid, 16, %q
    mov.b64 %x, {%a, %c}
    mov.b64 %y, {%b, %d}
    st.global.v2.u64 [%q], {%x, %y}
    exit
)",
                 {.lanes = lanes, .buffers = {{"i", input}, {"o", Words(4 * lanes)}, {"p", Words(2 * lanes)}}});
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.result.trap.message;
    EXPECT_EQ(ran.buffer("o"), expected);
    EXPECT_EQ(ran.buffer("p"), pairs);
  }
}

// A byte is widened by its sign or with zeros, each element by itself; four of them are aligned to 4.
TEST(VectorOperands, BytesFollowEachOtherToo) {
  const Ran ran =
      run_text(R"(.kernel k (in i: s8[], out o: s16[], out p: u8[])
    .shared u8 tile[2 * WARP_SZ]
    shl.b32 %at, %laneid, 2
    ld.global.v4.s8 {%a, %b, %c, %d}, i[%at]
    shl.b32 %half, %laneid, 1
    st.shared.v2.u8 tile[%half], {%d, %a}
    ld.shared.v2.u8 {%x, %y}, tile[%half]
    sub.s16 %x, %x, %b
    st.global.s16 o[%laneid], %x
    st.global.v4.u8 p[%at], {%y, %c, %b, %a}
    exit
)",
               {.lanes = 2, .buffers = {{"i", {0x80, 0xff, 1, 2, 3, 4, 5, 0xfe}}, {"o", Words(2)}, {"p", Words(8)}}});
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.result.trap.message;
  EXPECT_EQ(ran.buffer("o"), (Words{2 + 1, 0xfe - 4}));
  EXPECT_EQ(ran.buffer("p"), (Words{0x80, 1, 0xff, 0x80, 3, 5, 4, 3}));
  const Ran misaligned = run_text(".kernel k (in i: s8[])\nld.global.v4.s8 {%a, %b, %c, %d}, i[2]\nexit\n",
                                  {.lanes = 1, .buffers = {{"i", Words(8)}}});
  EXPECT_EQ(misaligned.result.trap.kind, TrapKind::Misaligned);
}

std::string list(const std::string& prefix, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + prefix + std::to_string(k);
  return count == 1 ? text : "{" + text + "}";
}

// One program an opcode, one thread a line.
class MoveProgram {
 public:
  MoveProgram(const std::string& opcode, const tests::MoveVector& first)
      : loads_(opcode.starts_with("ld")),
        stores_(opcode.starts_with("st")),
        operands_(first.operands.size()),
        results_(first.results.size()) {
    const std::string type = opcode.substr(opcode.rfind('.') + 1);
    const int width = bits(parse_type(type));
    const bool shared = opcode.find(".shared") != std::string::npos;
    const int part =
        opcode.starts_with("mov.pack") || opcode.starts_with("mov.unpack") ? opcode.find('4') < 12 ? 4 : 2 : 1;
    const int narrow = std::max(16, width / part);
    const bool whole = loads_ || opcode.starts_with("mov.unpack");
    operand_bits_ = loads_ ? 64 : whole ? width : narrow;
    result_bits_ = stores_ ? 64 : opcode.starts_with("mov.pack") ? width : narrow;
    for (std::size_t k = 0; k < operands_; ++k)
      body_ += "ld.global.b" + std::to_string(operand_bits_) + " %s" + std::to_string(k) + ", s" + std::to_string(k) +
               "[%gtid]\n";
    if (loads_ || stores_) {
      words_ = loads_ ? operands_ : results_;
      const std::string count = std::to_string(words_);
      body_ += shared ? "mov.u32 %at, tile\nmad.lo.u32 %m, %laneid, " + std::to_string(8 * words_) + ", %at\n"
                      : "mov.u64 %at, mem\nmad.wide.u32 %m, %gtid, " + std::to_string(8 * words_) + ", %at\n";
      const std::string space = shared ? ".shared" : ".global";
      for (std::size_t k = 0; k < words_; ++k)
        body_ += "st" + space + ".b64 [%m + " + std::to_string(8 * k) + "], " +
                 (loads_ ? "%s" + std::to_string(k) : "0xa5a5a5a5a5a5a5a5") + "\n";
      body_ += opcode + (loads_ ? " " + list("%d", results_) + ", [%m]\n" : " [%m], " + list("%s", operands_) + "\n");
      for (std::size_t k = 0; stores_ && k < words_; ++k)
        body_ += "ld" + space + ".b64 %d" + std::to_string(k) + ", [%m + " + std::to_string(8 * k) + "]\n";
    } else {
      body_ += "mov." + type + " " + list("%d", results_) + ", " + list("%s", operands_) + "\n";
    }
    for (std::size_t k = 0; k < results_; ++k)
      body_ += "st.global.b" + std::to_string(result_bits_) + " d" + std::to_string(k) + "[%gtid], %d" +
               std::to_string(k) + "\n";
  }

  void compare(const std::string& opcode, const std::vector<tests::MoveVector>& lines) const {
    const std::string total = std::to_string(std::max<std::size_t>(1, words_) * 32);
    std::string text = ".kernel k (inout mem: b64[]";
    RunSetup setup;
    setup.grid = {static_cast<std::uint32_t>((lines.size() + 31) / 32), 1, 1};
    const std::size_t threads = std::size_t{setup.grid.x} * 32;
    setup.buffers["mem"].assign(std::max<std::size_t>(1, words_) * threads, 0);
    for (std::size_t k = 0; k < operands_; ++k) {
      text += ", in s" + std::to_string(k) + ": b" + std::to_string(operand_bits_) + "[]";
      for (std::size_t t = 0; t < threads; ++t)
        setup.buffers["s" + std::to_string(k)].push_back(lines[t % lines.size()].operands[k]);
    }
    for (std::size_t k = 0; k < results_; ++k) {
      text += ", out d" + std::to_string(k) + ": b" + std::to_string(result_bits_) + "[]";
      setup.buffers["d" + std::to_string(k)].assign(threads, 0);
    }
    text += ")\n.shared b64 tile[" + total + "]\n" + body_ + "exit\n";
    const Ran ran = run_text(text, setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << text << ran.error.message << ran.result.trap.message;
    for (std::size_t k = 0; k < results_; ++k) {
      const Words got = ran.buffer("d" + std::to_string(k));
      for (std::size_t t = 0; t < lines.size(); ++t)
        EXPECT_EQ(got[t], lines[t].results[k]) << opcode << ", line " << lines[t].line << ", result " << k;
    }
  }

 private:
  bool loads_, stores_;
  std::size_t operands_, results_, words_ = 0;
  int operand_bits_ = 64, result_bits_ = 64;
  std::string body_;
};

TEST(VectorOperands, LoadsStoresAndMovesGiveTheBitsOfTheCapture) {
  ASSERT_GT(tests::captured_moves().size(), 100U) << "cannot read the captures in tests/data";
  for (const auto& [opcode, lines] : tests::captured_moves()) MoveProgram(opcode, lines.front()).compare(opcode, lines);
}

TEST(VectorOperands, TrapWhereNotTheWholeVectorIsThere) {
  const auto trap = [](const std::string& body) {
    const Ran ran =
        run_text(".kernel k (inout o: f32[10])\n.shared f32 one[1]\n.shared f32 tile[4]\n" + body + "exit\n",
                 {.lanes = 4, .buffers = {{"o", Words(10)}}});
    EXPECT_FALSE(ran.result.ok) << body;
    return ran.result.trap;
  };
  const Trap misaligned = trap("ld.global.v4.f32 {%a, %b, %c, %d}, o[%laneid]\n");
  EXPECT_EQ(misaligned.kind, TrapKind::Misaligned);
  EXPECT_EQ(misaligned.lanes, 0b1110U);
  EXPECT_EQ(misaligned.message.substr(0, 79),
            "lane 1 reads o[1] to [4], which is not a multiple of 16; so do 2 other lanes");
  EXPECT_EQ(trap("ld.global.v2.f32 {%a, %b}, o[1]\n").kind, TrapKind::Misaligned);
  EXPECT_EQ(trap("ld.shared.v4.f32 {%a, %b, %c, %d}, tile[0]\n").kind, TrapKind::Misaligned) << "behind one[]";
  const Trap outside = trap("ld.global.v4.f32 {%a, %b, %c, %d}, o[8]\n");
  EXPECT_EQ(outside.kind, TrapKind::OutOfBounds);
  EXPECT_EQ(outside.message.substr(0, 65), "lane 0 reads o[8] to [11], 2 elements past the end of its 10; so ");
  EXPECT_EQ(trap("mov.u64 %p, o\nst.global.v2.f32 [%p + 40], {1.0, 2.0}\n").kind, TrapKind::OutOfBounds);
}

TEST(VectorOperands, TheTraceHasEveryElement) {
  const Trace trace = record_text(R"(.kernel k (inout o: u32[])
    .shared u32 tile[8]
    shl.b32 %at, %laneid, 1
    st.shared.u32 tile[%at], 5
    ld.shared.v2.u32 {%a, %b}, tile[%at]
    ld.global.v2.u32 {%c, %d}, o[%at]
    add.u32 %c, %c, 1
    st.global.v2.u32 o[%at], {%d, %c}
    exit
)",
                                  {.lanes = 4, .buffers = {{"o", {0, 1, 2, 3, 4, 5, 6, 7}}}});
  const TraceEvent& load = trace.events.at(2);
  EXPECT_EQ(load.memory->elements, 2U);
  EXPECT_EQ(load.memory->undefined, (std::array<LaneMask, 4>{0, 0xf, 0, 0})) << "only the even elements were stored";
  ASSERT_EQ(load.writes.size(), 2U);
  EXPECT_EQ(load.writes[0].undefined, 0U);
  EXPECT_EQ(load.writes[1].undefined, 0xfU);
  EXPECT_EQ(load.memory->ways, 1U);
  EXPECT_EQ(trace.events.at(3).memory->bits, (Words{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(trace.outcome.outputs.at(0).second.bits, (Words{1, 1, 3, 3, 5, 5, 7, 7}));
  EXPECT_TRUE(trace.outcome.findings.empty());

  const std::string text = to_json(trace);
  EXPECT_NE(text.find("\"elements\": 2, \"lanes\": \"0x0000000f\""), std::string::npos);
  EXPECT_NE(text.find("\"values\": [[5, null], [5, null], [5, null], [5, null]]"), std::string::npos);
  EXPECT_NE(text.find("\"values\": [[1, 1], [3, 3], [5, 5], [7, 7]]"), std::string::npos);
  const std::variant<Trace, JsonError> read = read_trace(text);
  ASSERT_TRUE(std::holds_alternative<Trace>(read));
  EXPECT_EQ(to_json(std::get<Trace>(read)), text);
  Trace other = std::get<Trace>(read);
  EXPECT_EQ(first_difference(trace, other), std::nullopt);
  other.events[5].memory->bits[3] = 9;
  EXPECT_EQ(first_difference(trace, other).value_or("").find("cycle 6, pc 5 st.global.v2: lane 1 stores to o[3]"), 0U)
      << first_difference(trace, other).value_or("");
}

// An element that is undefined makes only itself undefined in memory; and storing it is a finding.
TEST(VectorOperands, UndefinednessIsOfAnElement) {
  const Trace trace = record_text(R"(.kernel k (out o: u32[4])
    setp.eq.u32 %p, %laneid, 0
    mov.u32 %a, 1
    @!%p mov.u32 %b, 1
    @%p st.global.v2.u32 o[2], {%a, %b}
    exit
)",
                                  {.lanes = 2, .buffers = {{"o", Words(4)}}});
  ASSERT_EQ(trace.outcome.undefined.size(), 1U);
  EXPECT_EQ(trace.outcome.undefined[0].index, (std::vector<std::uint64_t>{3}));
  ASSERT_EQ(trace.outcome.findings.size(), 1U);
  EXPECT_EQ(trace.outcome.findings[0].message, "`%b` holds nothing defined on lane 0 and is stored");
}

}  // namespace
}  // namespace warpsim
