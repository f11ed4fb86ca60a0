// Accesses at `base + index * size`, of which machine code takes the 32-bit index itself: which they are, and that
// programs compute, and stop at, what they do in the interpreter. And registers that lanes which do not act need no
// more.
//
// Shapes: random programs whose lanes load and store words, pairs and quadruples by indices of their own: near each
//         other or anywhere, negative ones and such without a sign, beyond a buffer, so large that a product of 32 bits
//         would wrap; with what else reads, or overwrites, the index, the product or the address, in loops and branches
//         that lanes part in.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which computes each address in 64 bits.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "sim/code/decode.h"
#include "sim/engine/linear_rows.h"
#include "sim/memory/memory.h"
#include "tests/support/block_runs.h"
#include "tests/support/drawn_program.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace indexed_accesses_test {

using testing::program_of;

constexpr std::uint64_t kPrograms = testing::kSanitized ? 30 : 1000;
constexpr std::array<const char*, 5> kWords{"%a", "%b", "%c", "%d", "%i"};
constexpr std::size_t kElements = 2048;

class Drawing : testing::DrawnProgram {
 public:
  explicit Drawing(std::uint64_t seed) : DrawnProgram(seed) {}

  std::string program() {
    text_ = R"(.kernel k (inout x: u32[], out words: u32[])
  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x
  mov.u64 %px, x
  mov.u64 %other, x
  mov.u32 %a, %gid
  mov.u32 %b, %laneid
  mov.u32 %c, %ctaid.x
  mov.u32 %d, 5
  mul.lo.u32 %i, %gid, 0x9e3779b1
)";
    for (std::uint64_t left = 2 + below(4); left != 0; --left) part();
    for (std::size_t k = 0; k < kWords.size(); ++k)
      text_ += "  add.u32 %at, %gid, " + std::to_string(k * kElements) + "\n  st.global.u32 words[%at], " +
               kWords.at(k) + "\n";
    return text_ + "  exit\n";
  }

 private:
  std::string word() { return of(kWords); }

  // %w: an index of elements of so many words, which are to be so many bytes behind the base.
  std::uint64_t index(std::uint64_t words) {
    const std::string most = std::to_string(kElements / words / 2 - 1);
    switch (below(6)) {
      case 0: line("mov.u32 %w, %gid"); break;  // neighbours
      case 1: line("mov.u32 %w, %ctaid.x"); break;
      default: line("mad.lo.u32 %w, " + word() + ", 0x9e3779b1, " + word()); line("shr.u32 %w, %w, 9");
    }
    line("and.b32 %w, %w, " + most);
    if (below(80) == 0) line("xor.b32 %w, %w, " + std::string(below(2) == 0 ? "0x40000000" : "0x80000000"));
    switch (below(4)) {
      case 0: line("sub.u32 %w, %w, " + std::to_string(kElements / words / 2)); return kElements * 2;
      case 1: line("sub.u32 %w, " + most + ", %w"); return 4 * words * below(3);
      case 2: line("add.u32 %w, %w, 1"); return below(40) == 0 ? 2 : 0;
      default: return 0;
    }
  }

  void some() {
    const std::uint64_t log = below(4) == 0 ? 1 + below(2) : 0, words = std::uint64_t{1} << log;
    const std::uint64_t behind = index(words);
    const bool is_mostly_negative = behind == kElements * 2, has_sign = below(is_mostly_negative ? 24 : 4) != 0;
    line(std::string("mul.wide.") + (has_sign ? "s32" : "u32") + " %off, %w, " + std::to_string(4 * words));
    if (below(12) == 0) line("add.s64 %off, %off, 0");
    if (below(12) == 0) line("mov.u32 %w, 3");
    line(below(2) == 0 ? "add.s64 %at64, %px, %off" : "add.s64 %at64, %off, %px");
    if (below(6) == 0) line("add.s64 %other, %px, %off");
    const std::string at = "[%at64" + (behind == 0 ? "" : "+" + std::to_string(behind)) + "]";
    for (std::uint64_t left = 1 + below(2); left != 0; --left) access(words, at);
    if (below(5) == 0) line("ld.global.u32 " + word() + ", [%px+16]");
    if (below(5) == 0) line("ld.global.u32 " + word() + ", [%other]");
    if (below(9) == 0) line("cvt.u32.u64 " + word() + (below(2) == 0 ? ", %off" : ", %at64"));
    if (below(3) == 0) line("xor.b32 " + word() + ", " + word() + ", " + word());
  }

  void access(std::uint64_t words, const std::string& at) {
    const bool is_load = below(3) != 0;
    std::string what = word();
    if (words == 2) what = "{%a, %c}";
    if (words == 4) what = "{%b, %d, %a, %i}";
    const std::string type = words == 1 ? "u32 " : "v" + std::to_string(words) + ".u32 ";
    line(is_load ? "ld.global." + type + what + ", " + at : "st.global." + type + at + ", " + what);
  }

  void part() {
    const auto draw = [this] { some(); };
    switch (below(7)) {
      case 0: return guarded(draw);
      case 1: return in_bodies(word(), word(), draw);
      case 2:
      case 3:
        return in_rounds(word(), [this] {
          some();
          if (below(3) == 0) some();
        });
      case 4:  // lanes wait here with what they need behind it
        text_ += below(2) == 0 ? "  bar.sync 0\n" : "  shfl.sync.bfly.b32 %b, %b, 1, 0x1f, 0xffffffff\n";
        return;
      default: some();
    }
  }
};

LaunchConfig config_of(std::uint64_t seed) {
  static constexpr std::array<std::uint32_t, 4> kThreads{32, 96, 64, 40};
  LaunchConfig config;
  config.grid.x = static_cast<std::uint32_t>(1 + seed % 3);
  config.block.x = kThreads.at(seed % kThreads.size());
  config.schedule = kBlocksSchedule;
  config.reconvergence = seed % 9 == 0 ? Reconvergence::Stack : Reconvergence::Independent;
  config.keeps_state = seed % 5 == 0;
  config.max_cycles = seed % 11 == 0 ? 100 + seed : kDefaultMaxCycles;
  return config;
}

Arguments arguments() {
  Arguments all;
  all.buffers["x"] = {Type::U32, std::vector<std::uint64_t>(kElements)};
  for (std::size_t k = 0; k < kElements; ++k) all.buffers["x"].bits[k] = k * 0x9e3779b1U & 0xffffffffU;
  all.buffers["words"] = {Type::U32, std::vector<std::uint64_t>(kElements * kWords.size())};
  return all;
}

TEST(IndexedAccesses, ResultsAreTheInterpreters) {
  std::uint64_t faults = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = Drawing(seed).program();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    faults += testing::expect_engines_alike(program_of(text), config_of(seed), arguments()).result.ok ? 0 : 1;
  }
  EXPECT_GT(faults, kPrograms / 100);
  EXPECT_LT(faults, kPrograms / 2);
}

// In the last round lanes go below the base: with a sign to where the others went, without one far away.
TEST(IndexedAccesses, AnIndexWithoutASignIsLarge) {
  for (const bool has_sign : {true, false}) {
    const std::string text = std::string(R"(.kernel k (inout x: u32[], out words: u32[])
  mov.u64 %px, x
  mov.u32 %sum, 0
  mov.u32 %i, 0
round:
  setp.eq.u32 %last, %i, 9
  xor.b32 %w, %laneid, 5
  @%last sub.u32 %w, %w, 32
  mul.wide.)") + (has_sign ? "s32" : "u32") +
                             R"( %off, %w, 4
  add.s64 %at64, %px, %off
  ld.global.u32 %a, [%at64+128]
  add.u32 %sum, %sum, %a
  add.u32 %i, %i, 1
  setp.lt.u32 %more, %i, 10
  @%more bra round
  add.u32 %at, %ctaid.x, %laneid
  st.global.u32 words[%at], %sum
  exit
)";
    LaunchConfig config;
    config.block.x = 32;
    config.schedule = kBlocksSchedule;
    config.keeps_state = false;
    EXPECT_EQ(testing::expect_engines_alike(program_of(text), config, arguments()).result.ok, has_sign);
  }
}

// Some lanes wait at a shuffle with what they give to others, while these write that register further down in the text,
// and come back to the shuffle with it.
TEST(RestingLanes, KeepWhatTheyNeedWhereTheyWait) {
  const std::string text = R"(.kernel k (out words: u32[])
  mov.u32 %round, 0
  mov.u32 %sum, 0
again:
  and.b32 %own, %round, 15
  add.u32 %own, %own, %laneid
  setp.lt.u32 %few, %own, 20
  @%few bra few
meet:
  shfl.sync.bfly.b32 %other, %own, 1, 0x1f, 0xffffffff
  mad.lo.u32 %sum, %sum, 3, %other
  add.u32 %round, %round, 1
  setp.lt.u32 %more, %round, 3000
  @%more bra again
  st.global.u32 words[%tid.x], %sum
  exit
few:
  setp.lt.u32 %less, %own, 10
  @%less bra less
  add.u32 %own, %own, 1
less:
  and.b32 %own, %own, 31
  setp.eq.u32 %none, %own, 77
  @%none bra few
  mad.lo.u32 %own, %own, 5, 7
  bra meet
)";
  LaunchConfig config;
  config.block.x = 64;
  config.schedule = kBlocksSchedule;
  config.reconvergence = Reconvergence::Independent;
  config.keeps_state = false;
  Arguments none;
  none.buffers["words"] = {Type::U32, std::vector<std::uint64_t>(64)};
  const testing::Outputs out = testing::expect_engines_alike(program_of(text), config, none);
  ASSERT_TRUE(out.result.ok);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    std::uint32_t sum = 0;
    for (std::uint32_t round = 0; round < 3000; ++round) {
      const std::uint32_t own = (lane % 32 ^ 1) + round % 16;
      sum = sum * 3 + (own < 10 ? own * 5 + 7 : own < 20 ? own * 5 + 12 : own);
    }
    EXPECT_EQ(out.arrays.at("words").bits[lane], sum) << lane;
  }
}

// Of a kernel that has these lines, by pc: who is part of one. %px is a base, and a register is live until its last
// use in the text.
std::vector<std::int32_t> parts_of(const std::vector<std::string>& lines) {
  std::string text = ".kernel k (inout x: u32[64], param px: u64)\n  mov.u32 %w, %laneid\n";
  for (const std::string& one : lines) text += "  " + one + "\n";
  const Program program = program_of(text + "  exit\n");
  DeviceMemory memory;
  const Arguments none{{{"px", 0}}, {{"x", {Type::U32, std::vector<std::uint64_t>(64)}}}};
  LaunchConfig config;
  config.block.x = 32;
  const auto made = decode(program, config, std::get<Binding>(bind(program, none, memory)));
  const std::vector<DecodedInsn>& insns = std::get<Code>(made).insns;
  const auto is_live = [&](std::int32_t pc, std::uint32_t row) {
    for (std::size_t k = static_cast<std::size_t>(pc); k < insns.size(); ++k) {
      for (const std::uint32_t read : engine::rows_read_by(insns[k]))
        if (read == row) return true;
      for (const std::uint32_t written : engine::rows_written_by(insns[k]))
        if (written == row) return false;
    }
    return false;
  };
  const auto is_base = [&](std::uint32_t row) { return std::get<Code>(made).is_constant(row); };
  std::vector<std::int32_t> parts;
  for (const auto& [pc, one] :
       engine::indexed_accesses(insns, 0, static_cast<std::int32_t>(insns.size()), is_base, is_live))
    parts.push_back(pc);
  return parts;
}

TEST(IndexedAccesses, AreOfAddressesThatNobodyElseReads) {
  using Pcs = std::vector<std::int32_t>;
  const std::string product = "mul.wide.s32 %o, %w, 4", sum = "add.s64 %p, %o, 4096", load = "ld.global.u32 %a, [%p]";
  EXPECT_EQ(parts_of({product, sum, load}), (Pcs{1, 2, 3}));
  EXPECT_EQ(parts_of({product, sum, load, "st.global.u32 [%p+8], %a"}), (Pcs{1, 2, 3, 4}));
  EXPECT_EQ(parts_of({product, sum, "add.s64 %q, %o, 8192", load, "ld.global.u32 %b, [%q]"}), (Pcs{1, 2, 3, 4, 5}));
  EXPECT_EQ(parts_of({"mul.wide.u32 %o, %w, 4", sum, load}), (Pcs{1, 2, 3}));
  EXPECT_EQ(parts_of({"mul.wide.s32 %o, %w, 8", sum, load}), Pcs());
  EXPECT_EQ(parts_of({product, sum, "ld.global.u16 %a, [%p]"}), Pcs());
  EXPECT_EQ(parts_of({product, sum, "mov.u32 %w, 1", load}), Pcs());
  EXPECT_EQ(parts_of({product, sum, load, "cvt.u32.u64 %b, %p"}), Pcs());
  EXPECT_EQ(parts_of({product, sum, load, "cvt.u32.u64 %b, %o"}), Pcs());
  EXPECT_EQ(parts_of({product, sum, "add.s64 %p, %p, 4", load}), Pcs());
  EXPECT_EQ(parts_of({product, sum, "st.global.u64 [%p], %p"}), Pcs());
  EXPECT_EQ(parts_of({product, "bar.sync 0", sum, load}), Pcs());
  EXPECT_EQ(parts_of({product, sum, "setp.eq.u32 %q, %w, 0", "@%q ld.global.u32 %a, [%p]"}), Pcs());
}

}  // namespace indexed_accesses_test
}  // namespace warpsim
