// Atomics on the machine: the H200's bits, lanes one after another, traps, undefined memory, and what the trace says.
//
// Shapes: one lane a line of the capture; counters that many lanes share.
// Source: tests/data/README.md; lane order is the simulator's choice (sim/README.md, "Memory").
#include <gtest/gtest.h>

#include <map>
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

std::string type_of(const std::string& opcode) { return opcode.substr(opcode.rfind('.') + 1); }

// Every captured atomic, as a program: what it leaves in memory and what it gives back.
TEST(Atomics, GiveTheBitsOfTheCaptures) {
  ASSERT_FALSE(tests::captured_atomics().empty()) << "cannot read the captures in tests/data";
  for (const auto& [opcode, lines] : tests::captured_atomics()) {
    const std::string type = type_of(opcode), bits = type.ends_with("64") ? "b64" : "b32";
    const bool gives = opcode.starts_with("atom"), shared = opcode.find("shared") != std::string::npos;
    const bool compares = opcode.find(".cas.") != std::string::npos;
    RunSetup setup;
    setup.grid = {static_cast<std::uint32_t>((lines.size() + 31) / 32), 1, 1};
    for (unsigned t = 0; t < setup.grid.x * 32; ++t) {
      setup.buffers["mem"].push_back(lines[t % lines.size()]->old);
      setup.buffers["b"].push_back(lines[t % lines.size()]->b);
      setup.buffers["c"].push_back(lines[t % lines.size()]->c);
      setup.buffers["old"].push_back(0);
    }
    const std::string own = shared ? "tile[%laneid]" : "mem[%gtid]";
    std::string text = ".kernel k (inout mem: " + bits + "[], in b: " + bits + "[], in c: " + bits +
                       "[], out old: " + bits + "[])\n.shared " + bits + " tile[32]\nld.global." + bits +
                       " %b, b[%gtid]\nld.global." + bits + " %c, c[%gtid]\n";
    if (shared) text += "ld.global." + bits + " %m, mem[%gtid]\nst.shared." + bits + " " + own + ", %m\n";
    text += opcode + " " + (gives ? "%old, " : "") + own + ", %b" + (compares ? ", %c\n" : "\n");
    if (gives) text += "st.global." + bits + " old[%gtid], %old\n";
    if (shared) text += "ld.shared." + bits + " %m, " + own + "\nst.global." + bits + " mem[%gtid], %m\n";
    const Ran ran = run_text(text + "exit\n", setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << text << english(ran.result.trap.message);
    const Words left = ran.buffer("mem"), old = ran.buffer("old");
    for (std::size_t t = 0; t < lines.size(); ++t) {
      EXPECT_EQ(left[t], lines[t]->left) << opcode << ", line " << lines[t]->line;
      EXPECT_EQ(old[t], gives ? lines[t]->old : 0) << opcode << ", line " << lines[t]->line;
    }
  }
}

TEST(Atomics, LanesAtOneAddressActInLaneOrder) {
  for (const unsigned lanes : {1U, 4U, 32U, 64U}) {
    const Ran ran =
        run_text(R"(.kernel k (inout counter: u32[1], inout chain: u32[1], out order: u32[])
    atom.global.add.u32 %mine, counter[0], 3
    st.global.u32 order[%gtid], %mine
    add.u32 %next, %laneid, 1
    atom.cas.b32 %found, chain[0], %laneid, %next
    exit
)",
                 {.lanes = lanes, .buffers = {{"counter", {100}}, {"chain", {0}}, {"order", Words(lanes)}}});
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    EXPECT_EQ(ran.buffer("counter"), Words{100 + 3 * lanes});
    for (unsigned l = 0; l < lanes; ++l) EXPECT_EQ(ran.buffer("order")[l], 100 + 3 * l);
    EXPECT_EQ(ran.buffer("chain"), Words{lanes}) << "each lane finds what the one before it left";
  }
}

TEST(Atomics, TrapAsLoadsAndStoresDo) {
  const RunSetup setup{.lanes = 4, .buffers = {{"o", Words(4)}, {"i", Words(4)}}};
  const auto trap = [&](const std::string& body) {
    const Ran ran = run_text(".kernel k (inout o: u32[], in i: u32[])\n.shared u32 tile[4]\n" + body + "exit\n", setup);
    EXPECT_FALSE(ran.result.ok) << body;
    return ran.result.trap;
  };
  const Trap outside = trap("red.global.add.u32 o[%laneid + 2], 1\n");
  EXPECT_EQ(outside.kind, TrapKind::OutOfBounds);
  EXPECT_EQ(outside.lanes, 0b1100U);
  EXPECT_EQ(english(outside.message).substr(0, 25), "lane 2 changes o[4], 1 el") << english(outside.message);
  EXPECT_EQ(trap("mov.u64 %p, o\nred.global.add.u32 [%p + 2], 1\n").kind, TrapKind::Misaligned);
  EXPECT_EQ(trap("mov.u64 %p, i\natom.global.exch.b32 %d, [%p], 1\n").kind, TrapKind::ReadOnly);
  EXPECT_EQ(trap("red.shared.max.u32 tile[4], 1\n").kind, TrapKind::OutOfBounds);
}

TEST(Atomics, TheTraceSaysWhatWasFoundAndLeft) {
  const Trace trace = record_text(R"(.kernel k (inout o: s32[])
    .shared u32 tile[2]
    st.shared.u32 tile[0], 0
    and.b32 %half, %laneid, 1
    atom.global.min.s32 %old, o[%half], -1
    red.shared.add.u32 tile[0], 2
    exit
)",
                                  {.lanes = 4, .buffers = {{"o", {5, 0xfffffffe}}}});
  const TraceMemory& global = *trace.events.at(2).memory;
  EXPECT_EQ(global.access, TraceMemory::Access::Atomic);
  EXPECT_EQ(global.bits, (Words{5, 0xfffffffe, 0xffffffff, 0xfffffffe}));
  EXPECT_EQ(global.stored, (Words{0xffffffff, 0xfffffffe, 0xffffffff, 0xfffffffe}));
  EXPECT_EQ(trace.events[2].writes.at(0).bits, global.bits);
  const TraceMemory& shared = *trace.events.at(3).memory;
  EXPECT_EQ(shared.bits, (Words{0, 2, 4, 6}));
  EXPECT_EQ(shared.stored, (Words{2, 4, 6, 8}));
  EXPECT_EQ(shared.ways, 4U) << "four turns at one word";
  EXPECT_TRUE(trace.events[3].writes.empty());

  const std::string text = to_json(trace);
  EXPECT_NE(text.find("\"access\": \"atomic\", \"type\": \"s32\", \"lanes\": \"0x0000000f\", \"object\": \"o\", "
                      "\"index\": [0, 1, 0, 1]"),
            std::string::npos);
  EXPECT_NE(text.find("\"values\": [5, -2, -1, -2], \"stored\": [-1, -2, -1, -2]"), std::string::npos);
  const std::variant<Trace, JsonError> read = read_trace(text);
  ASSERT_TRUE(std::holds_alternative<Trace>(read));
  EXPECT_EQ(to_json(std::get<Trace>(read)), text);
  Trace other = std::get<Trace>(read);
  EXPECT_EQ(first_difference(trace, other), std::nullopt);
  other.events[2].memory->stored[3] = 7;
  EXPECT_EQ(first_difference(trace, other).value_or("").find("cycle 3, pc 2 atom.global.min: lane 3 leaves in o[1]"),
            0U)
      << first_difference(trace, other).value_or("");
}

TEST(Atomics, UndefinedMemoryAndOperandsAreFindings) {
  const auto findings = [](const std::string& body) {
    return record_text(".kernel k (inout o: u32[])\n.shared u32 tile[4]\n" + body + "exit\n",
                       {.lanes = 4, .buffers = {{"o", {0, 0, 0, 0}}}})
        .outcome.findings;
  };
  const auto memory = findings("red.shared.add.u32 tile[1], 1\n");
  ASSERT_EQ(memory.size(), 1U);
  EXPECT_EQ(english(memory[0].message), "`tile[1]` holds nothing defined when the atomic of lanes 0-3 changes it");
  const auto operand = findings("setp.eq.u32 %p, %laneid, 2\n@%p mov.u32 %x, 1\nred.global.add.u32 o[%laneid], %x\n");
  ASSERT_EQ(operand.size(), 1U);
  EXPECT_EQ(english(operand[0].message), "`%x` holds nothing defined on lanes 0, 1, 3 and goes into an atomic");
  EXPECT_EQ(findings("atom.shared.exch.b32 %old, tile[%laneid], 1\nred.shared.add.u32 tile[%laneid], 1\n").size(), 0U)
      << "an exchange needs nothing there";
  EXPECT_EQ(findings("atom.shared.exch.b32 %old, tile[%laneid], 1\nst.global.u32 o[%laneid], %old\n").size(), 1U)
      << "but gives back what nobody wrote";
}

// What a lane leaves undefined, the next lane finds undefined.
TEST(Atomics, UndefinednessGoesFromLaneToLane) {
  const Trace trace = record_text(R"(.kernel k (inout o: u32[1])
    setp.ne.u32 %p, %laneid, 1
    @%p mov.u32 %x, 1
    atom.global.add.u32 %old, o[0], %x
    exit
)",
                                  {.lanes = 4, .buffers = {{"o", {0}}}});
  const TraceMemory& memory = *trace.events.at(2).memory;
  EXPECT_EQ(memory.undefined[0], 0b1100U);
  EXPECT_EQ(memory.undefined_stored, 0b1110U);
  EXPECT_EQ(trace.events[2].writes.at(0).undefined, 0b1100U);
  EXPECT_EQ(trace.outcome.undefined.size(), 1U);
}

}  // namespace
}  // namespace warpsim
