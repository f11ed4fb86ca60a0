// Loads at neighbouring addresses, of which machine code makes one of each lane's: which they are, and that programs
// compute, and stop at, what they do in the interpreter.
//
// Shapes: random programs that load words behind a pointer of each lane's own: anywhere, neighbours, one place, up to
//         the end of the buffer and beyond it, not aligned; with stores between them, to the same words too, with
//         pointers that are overwritten, with volatile loads, guards, branches and loops that lanes part in.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which makes one access after the other.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "sim/code/decode.h"
#include "sim/engine/frame.h"
#include "sim/engine/linear_rows.h"
#include "sim/memory/memory.h"
#include "tests/support/block_runs.h"
#include "tests/support/drawn_program.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace load_groups_test {

using testing::program_of;

constexpr std::uint64_t kPrograms = testing::kSanitized ? 30 : 1000;
constexpr std::array<const char*, 6> kWords{"%a", "%b", "%c", "%d", "%e", "%i"};
constexpr std::size_t kElements = 2048;

class Drawing : testing::DrawnProgram {
 public:
  explicit Drawing(std::uint64_t seed) : DrawnProgram(seed) {}

  std::string program() {
    text_ = R"(.kernel k (inout x: u32[], out words: u32[])
  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x
  mov.u64 %px, x
  mov.u64 %pc, x
  mov.u64 %pd, x
  mov.u32 %a, %gid
  mov.u32 %b, %laneid
  mov.u32 %c, %ctaid.x
  mov.u32 %d, 5
  mov.u32 %e, 77
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

  // %pc or %pd: of sixteen words of x, or up to its end.
  void point() {
    const std::string to = below(3) == 0 ? "%pd" : "%pc";
    switch (below(8)) {
      case 0: line("mov.u32 %w, %gid"); break;  // neighbours
      case 1: line("mov.u32 %w, %ctaid.x"); break;
      case 2: line("shr.u32 %w, %gid, 1"); break;
      case 3: line("shl.b32 %w, %laneid, 2"); break;
      case 4:
        line("and.b32 %w, %gid, 3");
        line("sub.u32 %w, " + std::to_string(kElements - (below(30) == 0 ? 2 : 4)) + ", %w");
        break;
      default: line("mad.lo.u32 %w, " + word() + ", 0x9e3779b1, " + word()); line("shr.u32 %w, %w, 9");
    }
    line("min.u32 %v, %w, " + std::to_string(kElements - 4));
    line("and.b32 %w, %w, " + std::to_string(kElements - 17));
    if (below(2) == 0) line("mov.u32 %w, %v");
    line("mul.wide.u32 %off, %w, 4");
    line("add.u64 " + to + ", %px, %off");
    if (below(60) == 0) line("add.u64 " + to + ", " + to + (below(2) == 0 ? ", 2" : ", 8"));
  }

  void loads() {
    const std::string from = below(4) == 0 ? "%pd" : "%pc", other = from == "%pd" ? "%pc" : "%pd";
    const std::uint64_t count = 2 + below(5);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::string offset = "+" + std::to_string(4 * (k % 4)) + "]";
      line(std::string(below(12) == 0 ? "ld.volatile.global.u32 " : "ld.global.u32 ") + word() + ", [" + from + offset);
      switch (below(16)) {
        case 0: line("st.global.u32 [" + other + "+" + std::to_string(4 * below(4)) + "], " + word()); break;
        case 1: line("st.global.u32 [" + from + "+" + std::to_string(4 * below(4)) + "], " + word()); break;
        case 2: point(); break;
        case 3: line("atom.global.add.u32 " + word() + ", [" + other + "], " + word()); break;
        case 4:
        case 5: line("ld.global.u32 " + word() + ", [" + other + "+" + std::to_string(4 * (k % 4)) + "]"); break;
        case 6: line("ld.global.u16 %h, [" + other + "+2]"); break;
        case 7: line("ld.global.v2.u32 {" + word() + ", %t}, [%px+8]"); break;
        case 8:
        case 9:
        case 10: line("xor.b32 " + word() + ", " + word() + ", " + word()); break;
        default: break;
      }
    }
  }

  void some() {
    if (below(3) != 0) point();
    for (std::uint64_t left = 1 + below(2); left != 0; --left) loads();
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
          if (below(2) == 0) text_ += "  add.u64 %pc, %pc, 4\n  min.u64 %pc, %pc, %px\n";
        });
      case 4: text_ += "  bar.sync 0\n"; return;
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
  config.reconvergence = Reconvergence::Independent;
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

TEST(LoadGroups, ResultsAreTheInterpreters) {
  std::uint64_t faults = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = Drawing(seed).program();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    faults += testing::expect_engines_alike(program_of(text), config_of(seed), arguments()).result.ok ? 0 : 1;
  }
  EXPECT_GT(faults, kPrograms / 100);
  EXPECT_LT(faults, kPrograms / 2);
}

// Of a kernel whose pointer comes first.
std::vector<DecodedInsn> insns_of(const std::string& lines) {
  const Program program =
      program_of(".kernel k (inout x: u32[64], param from: u64)\n  mov.u64 %p, from\n" + lines + "  exit\n");
  DeviceMemory memory;
  const Arguments none{{{"from", 0}}, {{"x", {Type::U32, std::vector<std::uint64_t>(64)}}}};
  LaunchConfig config;
  config.block.x = 32;
  const auto code = decode(program, config, std::get<Binding>(bind(program, none, memory)));
  return std::get<Code>(code).insns;
}

// The pcs of each group.
std::vector<std::vector<std::int32_t>> groups_of(const std::string& lines) {
  const std::vector<DecodedInsn> insns = insns_of(lines);
  std::vector<std::vector<std::int32_t>> found;
  for (const engine::LoadGroup& one : engine::load_groups(insns, 0, static_cast<std::int32_t>(insns.size()))) {
    EXPECT_LE(one.row + one.pcs.size() - 1, engine::kMostFetched);
    found.push_back(one.pcs);
  }
  return found;
}

std::string load(const std::string& to, int offset, const std::string& how = "ld.global.u32") {
  return "  " + how + " %" + to + ", [%p+" + std::to_string(offset) + "]\n";
}

TEST(LoadGroups, AreOfPlainLoadsOfOnePointer) {
  using Groups = std::vector<std::vector<std::int32_t>>;
  const std::string two = load("a", 4) + load("b", 8);
  EXPECT_EQ(groups_of(two), (Groups{{1, 2}}));
  EXPECT_EQ(groups_of(two + load("c", 12)), (Groups{{1, 2}}));
  EXPECT_EQ(groups_of(two + load("c", 12) + load("d", 16) + load("e", 20)), (Groups{{1, 2, 3, 4}}));
  EXPECT_EQ(groups_of(load("a", 4) + "  add.u32 %c, %a, 1\n" + load("b", 8)), (Groups{{1, 3}}));
  EXPECT_EQ(groups_of(load("a", 4) + load("b", 12)), Groups());
  EXPECT_EQ(groups_of(load("a", 8) + load("b", 4)), Groups());
  EXPECT_EQ(groups_of(load("a", 4) + "  st.global.u32 x[3], %a\n" + load("b", 8)), Groups());
  EXPECT_EQ(groups_of(load("a", 4) + "  fence.acq_rel.gpu\n" + load("b", 8)), Groups());
  EXPECT_EQ(groups_of(load("a", 4) + "  add.u64 %p, %p, 4\n" + load("b", 8)), Groups());
  EXPECT_EQ(groups_of(load("a", 4) + load("b", 8, "ld.volatile.global.u32")), Groups());
  EXPECT_EQ(groups_of(load("a", 0, "ld.global.u64") + load("b", 8, "ld.global.u64")), Groups());
  EXPECT_EQ(groups_of("  setp.eq.u64 %q, %p, 0\n  @%q ld.global.u32 %a, [%p+4]\n" + load("b", 8)), Groups());
}

std::string store(int offset, const std::string& how = "st.global.u8") {
  return "  " + how + " [%p+" + std::to_string(offset) + "], %a\n";
}

TEST(StoresOfWords, AreFourPlainOnesInARow) {
  using Pcs = std::vector<std::int32_t>;
  const auto found = [](const std::string& lines) {
    const std::vector<DecodedInsn> insns = insns_of("  mov.u16 %a, 1\n" + lines);
    return engine::stores_of_words(insns, 0, static_cast<std::int32_t>(insns.size()));
  };
  const std::string four = store(1) + store(2) + store(3) + store(4);
  EXPECT_EQ(found(four), Pcs{2});
  EXPECT_EQ(found(store(0) + four), Pcs{2});
  EXPECT_EQ(found(store(7) + four), Pcs{3});
  EXPECT_EQ(found(four + store(5) + store(6) + store(7) + store(8)), (Pcs{2, 6}));
  EXPECT_EQ(found(store(1) + store(2) + store(3)), Pcs());
  EXPECT_EQ(found(store(1) + store(2) + store(3) + store(5)), Pcs());
  EXPECT_EQ(found(store(4) + store(3) + store(2) + store(1)), Pcs());
  EXPECT_EQ(found(store(1) + store(2) + "  add.u16 %a, %a, 1\n" + store(3) + store(4)), Pcs());
  EXPECT_EQ(found(store(1) + store(2) + store(3) + store(4, "st.volatile.global.u8")), Pcs());
  EXPECT_EQ(found(store(1) + store(2) + store(3) + store(4, "st.global.u16")), Pcs());
}

}  // namespace load_groups_test
}  // namespace warpsim
