// Rows whose lanes count, of which machine code computes the first lane alone: what programs compute and how they stop
// are the interpreter's.
//
// Shapes: random programs on 32 and 64 bits: counters by lane, by warp and by block, products, shifts, widenings that
//         count beyond 2^31 and 2^32, pointers that walk, bits of lanes' numbers; loads of one address, of neighbours,
//         and of what is as far apart as is known; under guards, in
//         branches that lanes part at, in loops and behind barriers; in blocks whose warps are rows, and in others.
//         All registers are stored at the end.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which computes each lane.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "sim/engine/linear_rows.h"
#include "sim/machine/random.h"
#include "tests/support/block_runs.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace linear_rows_test {

using testing::program_of;

constexpr std::uint64_t kPrograms = testing::kSanitized ? 30 : 600;
constexpr std::array<const char*, 5> kWords{"%a", "%b", "%c", "%d", "%e"};
constexpr std::array<const char*, 3> kLongs{"%la", "%lb", "%lc"};
constexpr std::size_t kElements = 4096;

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : draw_(seed) {}

  std::string program() {
    text_ = R"(.kernel k (in x: u32[], in bytes: u8[], out words: u32[], out longs: u64[], param n: u32)
.shared u32 tile[1024]
  mad.lo.u32 %row, %tid.y, %ntid.x, %tid.x
  mul.lo.u32 %t, %ntid.x, %ntid.y
  mad.lo.u32 %gid, %ctaid.x, %t, %row
  mov.u64 %px, x
  mov.u64 %pb, bytes
  mov.u32 %s, tile
  mul.wide.u32 %off, %gid, 4
  add.u64 %pw, %px, %off
  mov.u32 %a, %tid.x
  mov.u32 %b, %ctaid.x
  mov.u32 %c, n
  mad.lo.u32 %d, %laneid, 12, 7
  mov.u32 %e, 0x7ffffff0
  cvt.u64.u32 %la, %gid
  mov.u64 %lb, 5
  mov.u64 %lc, x
  sub.u64 %lc, %lc, %px
)";
    for (std::uint64_t left = 3 + below(4); left != 0; --left) part();
    for (std::size_t k = 0; k < kWords.size(); ++k) store("words", kWords[k], k);
    for (std::size_t k = 0; k < kLongs.size(); ++k) store("longs", kLongs[k], k);
    return text_ + "  exit\n";
  }

 private:
  std::uint64_t below(std::uint64_t n) { return draw_.next() % n; }
  std::string word() { return kWords.at(below(kWords.size())); }
  std::string wide() { return kLongs.at(below(kLongs.size())); }
  void line(const std::string& text) { text_ += "  " + guard_ + text + "\n"; }

  void store(const std::string& to, const std::string& from, std::size_t number) {
    const std::string type = to == "words" ? "u32" : "u64";
    text_ += "  add.u32 %at, %gid, " + std::to_string(number * kElements) + "\n  st.global." + type + " " + to +
             "[%at], " + from + "\n";
  }

  void arithmetic() {
    constexpr std::array<const char*, 10> kOps{"add.u32", "add.s32", "sub.u32", "mul.lo.u32", "and.b32",
                                               "or.b32",  "xor.b32", "min.s32", "max.u32",    "min.u32"};
    constexpr std::array<const char*, 6> kWide{"add.u64", "sub.s64", "mul.lo.s64", "and.b64", "min.s64", "max.u64"};
    const std::string number = std::to_string(1 + below(40));
    switch (below(14)) {
      case 12: {
        const std::string to = wide(), widen = below(2) == 0 ? "cvt.s64.s32 " : "cvt.u64.u32 ";
        line(std::string("add.u32 %i, %laneid, ") + (below(2) == 0 ? "0x7ffffff0" : "0xfffffff0"));
        return line(below(2) == 0 ? widen + to + ", %i" : "mul.wide.s32 " + to + ", %i, " + number);
      }
      case 13: return line("sub.s32 " + word() + ", " + number + ", " + word());
      case 0: return line("mad.lo.s32 " + word() + ", " + word() + ", " + number + ", " + word());
      case 1: return line("shl.b32 " + word() + ", " + word() + ", " + std::to_string(below(34)));
      case 2: return line((below(2) == 0 ? "shr.u32 " : "shr.s32 ") + word() + ", " + word() + ", " + number);
      case 3: return line((below(2) == 0 ? "not.b32 " : "neg.s32 ") + word() + ", " + word());
      case 4: return line((below(2) == 0 ? "mul.wide.s32 " : "mul.wide.u32 ") + wide() + ", " + word() + ", " + number);
      case 5: return line((below(2) == 0 ? "cvt.s64.s32 " : "cvt.u64.u32 ") + wide() + ", " + word());
      case 6: return line("cvt.u32.u64 " + word() + ", " + wide());
      case 7: return line("mad.wide.u32 " + wide() + ", " + word() + ", " + number + ", " + wide());
      case 8: return line(std::string(kWide.at(below(kWide.size()))) + " " + wide() + ", " + wide() + ", " + wide());
      case 9:
        return line("mov.u32 " + word() + ", " +
                    std::array<const char*, 5>{"%laneid", "%tid.x", "%ctaid.x", "n", "77"}.at(below(5)));
      default:
        return line(std::string(kOps.at(below(kOps.size()))) + " " + word() + ", " + word() + ", " +
                    (below(2) == 0 ? word() : number));
    }
  }

  void access() {
    const std::string number = std::to_string(4 * below(8));
    switch (below(9)) {
      case 0: return line("ld.global.u32 " + word() + ", [%pw+" + number + "]");
      case 1: return line("ld.global.u32 " + word() + ", [%px+" + number + "]");
      case 2: return line("ld.global.u64 " + wide() + ", [%px+" + std::to_string(8 * below(8)) + "]");
      case 3: return line("ld.global.v2.u32 {" + word() + ", %t}, [%px+8]");
      case 4:
        line("cvt.u64.u32 %off, %row");
        line("add.u64 %pc, %pb, %off");
        return line((below(2) == 0 ? "ld.global.u8 %h, [%pc+" : "ld.global.s8 %h, [%pc+") + number + "]");
      case 5: return line("add.u64 %pw, %pw, " + number);
      case 6:
        line("shl.b32 %i, %row, 2");
        line("add.u32 %i, %i, %s");
        line("st.shared.u32 [%i], " + word());
        return line("ld.shared.u32 " + word() + ", [%i]");
      case 7: return line("ld.shared.u32 " + word() + ", [%s+" + number + "]");
      default:
        line("and.b32 %i, " + word() + ", 255");
        line("mul.wide.u32 %off, %i, 4");
        line("add.u64 %pc, %px, %off");
        return line("ld.global.u32 " + word() + ", [%pc]");
    }
  }

  // Its lanes go to one address, to neighbours, or further from each other.
  void access_with_steps() {
    const std::string offset = std::to_string(4 * below(8));
    line("sub.u32 %i, %row, %laneid");
    line("mad.lo.u32 %i, %laneid, " + std::to_string(below(4)) + ", %i");
    line((below(2) == 0 ? "mul.wide.u32 %off, %i, 4" : "mul.wide.s32 %off, %i, 4"));
    line("add.u64 %pc, %px, %off");
    if (below(3) == 0) return line("ld.global.u64 " + wide() + ", [%px+" + std::to_string(8 * below(8)) + "]");
    line("ld.global.u32 " + word() + ", [%pc+" + offset + "]");
  }

  // Lanes are as far from the first one as bits of their numbers say; words, double words and vectors, of lanes' own or
  // not.
  void access_by_bits() {
    static constexpr std::array<const char*, 13> kMasks{"1",  "2",  "3",  "6",  "7",  "12", "15",
                                                        "24", "31", "32", "48", "80", "127"};
    struct Size {
      const char *type, *values, *shift, *size;
    };
    static constexpr std::array<Size, 5> kSizes{
        Size{"u32", "%v0", "2", "4"}, Size{"u64", "%w0", "3", "8"}, Size{"v2.u32", "{%v0, %v1}", "3", "8"},
        Size{"v4.u32", "{%v0, %v1, %v2, %v3}", "4", "16"}, Size{"v2.u64", "{%w0, %w1}", "4", "16"}};
    const auto mask = [&] { return std::string(kMasks.at(below(kMasks.size()))); };
    line("mov.u32 %i, " + std::array<std::string, 3>{"%tid.x", "%laneid", word()}.at(below(16) % 3));
    for (std::uint64_t left = below(4); left != 0; --left) {
      switch (below(11)) {
        case 9:
          line("and.b32 %j, %tid.x, " + mask());
          line("add.u32 %i, %i, %j");
          if (below(2) == 0) line("and.b32 %i, %i, " + std::array<std::string, 3>{"32", "48", "80"}.at(below(3)));
          break;
        case 10: line("sub.u32 %i, 77, %i"); break;
        case 0:
        case 1: line("and.b32 %i, %i, " + mask()); break;
        case 2: line("or.b32 %i, %i, " + mask()); break;
        case 3: line("xor.b32 %i, %i, " + mask()); break;
        case 4: line((below(2) == 0 ? "shr.u32 %i, %i, " : "shr.s32 %i, %i, ") + std::to_string(1 + below(3))); break;
        case 5: line("mul.lo.u32 %i, %i, 3"); break;
        default:
          line("and.b32 %j, %tid.x, " + mask());
          line("shl.b32 %i, %i, 1");
          line("sub.u32 %i, %i, %j");
      }
    }
    if (below(6) == 0) {  // beyond what 32 bits hold, for some lanes
      line(std::string("add.u32 %i, %i, ") + (below(2) == 0 ? "0x7ffffff0" : "0xfffffff0"));
      return line((below(2) == 0 ? "mul.wide.s32 " : "mul.wide.u32 ") + wide() + ", %i, 3");
    }
    const Size& one = kSizes.at(below(kSizes.size()));
    const bool stores = below(2) == 0, shared = stores || below(2) == 0;
    if (shared) {
      line("shl.b32 %i, %i, " + std::string(one.shift));
      line("add.u32 %i, %i, %s");
    } else {
      line((below(2) == 0 ? "mul.wide.u32 %off, %i, " : "mul.wide.s32 %off, %i, ") + std::string(one.size));
      line("add.u64 %pc, %px, %off");
    }
    for (int k = 0; k < 4; ++k) text_ += "  mov.b32 %v" + std::to_string(k) + ", " + word() + "\n";
    text_ += "  mov.b64 %w0, " + wide() + "\n  mov.b64 %w1, " + wide() + "\n";
    const std::string values = one.values, type = one.type;
    if (stores) line("st.shared." + type + " [%i], " + values);
    else
      line("ld." + std::string(shared ? "shared." : "global.") + type + " " + values + (shared ? ", [%i]" : ", [%pc]"));
    if (stores && below(2) == 0) line("ld.shared.u32 %v0, [%i]");
    line("xor.b32 " + word() + ", %v0, %v1");
    line("add.u32 " + word() + ", %v2, %v3");
    line("xor.b64 " + wide() + ", %w0, %w1");
  }

  // What comes in is of one kind on both ways, but not of those who come together.
  void two_ways(const std::string& number) {
    text_ += "  setp.lt.u32 %p, " + word() + ", " + word() + "\n  @%p bra other" + number + "\n  mov.u32 %i, 3\n";
    text_ += "  bra join" + number + "\nother" + number + ":\n  mov.u32 %i, 8\njoin" + number + ":\n";
    text_ += "  mov.u32 %k, 0\nagain" + number + ":\n  mul.wide.u32 %off, %i, 4\n  add.u64 %pc, %px, %off\n";
    text_ += "  ld.global.u32 " + word() + ", [%pc]\n  add.u32 %i, %i, 1\n";
    if (below(3) == 0) text_ += "  bar.sync 0\n";
    text_ += "  add.u32 %k, %k, 1\n  setp.lt.u32 %more, %k, 5\n  @%more bra again" + number + "\n";
  }

  // Until the upper lanes leave the buffer, or all lanes have gone so far.
  void walk(const std::string& number) {
    text_ += "  add.u64 %pc, %pw, 64\n  mov.u32 %k, 0\nwalk" + number + ":\n  ld.global.u32 " + word() +
             ", [%pc]\n  add.u64 %pc, %pc, 128\n  add.u32 %k, %k, 1\n  setp.lt.u32 %more, %k, " +
             (below(3) == 0 ? "200" : "90") + "\n  @%more bra walk" + number + "\n";
  }

  // For lanes from the 16th on, not aligned, or far away.
  void fault() {
    const std::array<std::string, 3> far{std::to_string(4 * kElements - 64), "2", "0x100000000"};
    line("mul.wide.u32 %off, %tid.x, 4");
    line("add.u64 %pc, %px, %off");
    line("add.u64 %pc, %pc, " + far.at(below(far.size())));
    line((below(2) == 0 ? "ld.global.u32 " : "ld.global.b32 ") + word() + ", [%pc]");
  }

  void some() {
    if (below(40) == 0) fault();
    for (std::uint64_t left = 1 + below(4); left != 0; --left)
      below(3) != 0 ? arithmetic() : below(2) == 0 ? access() : below(2) == 0 ? access_with_steps() : access_by_bits();
  }

  // Straight, under a guard, for some lanes, or round and round.
  // %p: of any two rows, or by order of lanes that count with what all have alike, beyond where they wrap, too.
  void compare() {
    constexpr std::array<const char*, 4> kOrders{"lt", "le", "gt", "ge"};
    constexpr std::array<const char*, 5> kFirst{"0x7ffffff0", "0xfffffff0", "0xffffff00", "0", "30"};
    constexpr std::array<const char*, 6> kLimits{"7", "40", "0x7fffffff", "0x80000000", "0xfffffff8", "n"};
    const std::string how = std::string("setp.") + kOrders.at(below(4)) + (below(2) == 0 ? ".u" : ".s");
    switch (below(4)) {
      case 0: return line(how + "32 %p, " + word() + ", " + word());
      case 1:
        line("mul.wide.u32 %off, %laneid, 4");
        line(std::string("add.u64 %off, %off, ") + (below(2) == 0 ? "0x7fffffffffffffc0" : "0xffffffffffffff80"));
        return line(how + "64 %p, %off, " +
                    std::array<const char*, 3>{"0x7ffffffffffffff0", "0x8000000000000020", "20"}.at(below(3)));
      default:
        line("mad.lo.u32 %i, %laneid, " + std::to_string(1 + below(3)) + ", " + kFirst.at(below(5)));
        line(how + "32 %p, %i, " + kLimits.at(below(6)));
    }
  }

  void part() {
    const std::string number = std::to_string(labels_++);
    switch (below(8)) {
      case 6: return two_ways(number);
      case 7: return walk(number);
      case 0:
        compare();
        guard_ = below(2) == 0 ? "@%p " : "@!%p ";
        some();
        guard_.clear();
        return;
      case 1:
        compare();
        text_ += "  @%p bra past" + number + "\n";
        some();
        text_ += "past" + number + ":\n";
        return;
      case 2:
      case 3: {
        const bool by_lane = below(3) == 0;
        text_ += by_lane ? "  and.b32 %k, %laneid, 7\n" : "  mov.u32 %k, " + std::to_string(below(9)) + "\n";
        text_ += "round" + number + ":\n";
        some();
        if (!by_lane && below(3) == 0) text_ += "  bar.sync 0\n";
        text_ += "  add.u32 %k, %k, 1\n  setp.lt.u32 %more, %k, 12\n  @%more bra round" + number + "\n";
        return;
      }
      case 4: text_ += "  bar.sync 0\n"; return;
      default: some();
    }
  }

  SplitMix draw_;
  std::string text_, guard_;
  int labels_ = 0;
};

LaunchConfig config_of(std::uint64_t seed) {
  static constexpr std::array<Dim3, 6> kBlocks{Dim3{32, 1, 1}, Dim3{96, 1, 1}, Dim3{32, 3, 1},
                                               Dim3{16, 4, 1}, Dim3{64, 2, 1}, Dim3{40, 1, 1}};
  LaunchConfig config;
  config.grid.x = static_cast<std::uint32_t>(1 + seed % 3);
  config.block = kBlocks.at(seed % kBlocks.size());
  config.schedule = kBlocksSchedule;
  config.keeps_state = seed % 4 == 0;
  config.max_cycles = seed % 7 == 0 ? 200 + seed : kDefaultMaxCycles;
  return config;
}

Arguments arguments() {
  Arguments all;
  all.buffers["x"] = {Type::U32, std::vector<std::uint64_t>(kElements)};
  all.buffers["bytes"] = {Type::U8, std::vector<std::uint64_t>(kElements)};
  for (std::size_t k = 0; k < kElements; ++k) {
    all.buffers["x"].bits[k] = k * 0x9e3779b1U & 0xffffffffU;
    all.buffers["bytes"].bits[k] = k * 37 & 0xff;
  }
  all.buffers["words"] = {Type::U32, std::vector<std::uint64_t>(kElements * kWords.size())};
  all.buffers["longs"] = {Type::U64, std::vector<std::uint64_t>(kElements * kLongs.size())};
  all.scalars["n"] = 11;
  return all;
}

TEST(LinearRows, ResultsAreTheInterpreters) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = Drawing(seed).program();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    testing::expect_engines_alike(program_of(text), config_of(seed), arguments());
  }
}

// Sums of a thread's number and some of its bits, of which bits are taken, set, turned and shifted away: some reach
// beyond what is known of a warp's first thread.
TEST(LinearRows, BitsOfSums) {
  constexpr std::array<unsigned, 12> kMasks{1, 3, 6, 16, 24, 31, 32, 48, 63, 64, 96, 0xfffffff0};
  LaunchConfig config = config_of(1);
  config.block = {224, 1, 1};
  for (const unsigned of_sum : kMasks)
    for (const std::string first : {"add.u32 %i, %tid.x, %j", "add.u32 %i, %tid.x, %tid.x\n  sub.u32 %i, %i, %j",
                                    "mul.lo.u32 %i, %tid.x, 3", "add.u32 %i, %laneid, %tid.x"}) {
      std::string text =
          ".kernel k (in x: u32[], in bytes: u8[], out words: u32[], out longs: u64[], param n: u32)\n"
          "  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x\n  mov.u32 %all, 0\n  and.b32 %j, %tid.x, " +
          std::to_string(of_sum) + "\n  " + first + "\n";
      for (const unsigned mask : kMasks)
        for (const std::string op : {"and.b32", "or.b32", "xor.b32"}) {
          text += "  " + op + " %k, %i, " + std::to_string(mask) + "\n  shr.u32 %l, %k, 2\n  add.u32 %k, %k, %l\n";
          text += "  and.b32 %l, %k, 40\n  add.u32 %k, %k, %l\n  mad.lo.u32 %all, %all, 31, %k\n";
        }
      text += "  st.global.u32 words[%gid], %all\n  exit\n";
      SCOPED_TRACE(text);
      testing::expect_engines_alike(program_of(text), config, arguments());
    }
}

// So many rows are stale as the loop begins that the counter's lanes are stored in its first round, and in no other.
TEST(LinearRows, ManyOfThemAtOnce) {
  std::string text =
      ".kernel k (in x: u32[], in bytes: u8[], out words: u32[], out longs: u64[], param n: u32)\n"
      "  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x\n  mov.u64 %px, x\n  mul.wide.u32 %off, %gid, 4\n"
      "  add.u64 %p0, %px, %off\n  sub.u64 %first, %p0, 0\n  mov.u64 %acc, 0\n  mov.u32 %k, 0\n";
  for (int k = 1; k < 10; ++k) text += "  add.u64 %p" + std::to_string(k) + ", %p0, " + std::to_string(4 * k) + "\n";
  text += "loop:\n  sub.u64 %d, %p0, %first\n  xor.b64 %e, %p0, %px\n  add.u64 %acc, %acc, %e\n";
  text += "  add.u64 %p0, %p0, 4\n  ld.global.u32 %v, [%p0]\n";
  for (int k = 1; k < 9; ++k) text += "  add.u64 %t" + std::to_string(k) + ", %p0, " + std::to_string(4 * k) + "\n";
  for (int k = 1; k < 10; ++k)
    text += "  ld.global.u32 %v, [%p" + std::to_string(k) + "]\n  cvt.u64.u32 %w, %v\n  add.u64 %acc, %acc, %w\n";
  for (int k = 1; k < 9; ++k) text += "  add.u64 %acc, %acc, %t" + std::to_string(k) + "\n";
  text +=
      "  add.u32 %k, %k, 1\n  setp.lt.u32 %more, %k, 20\n  @%more bra loop\n"
      "  st.global.u64 longs[%gid], %acc\n  exit\n";
  for (const std::uint64_t seed : {0, 1, 4})
    testing::expect_engines_alike(program_of(text), config_of(seed), arguments());
}

// Loads of four elements of one address: rows must be stored before such a load, not between its elements.
TEST(LinearRows, ElementsOfLoadsAtOnce) {
  for (unsigned count = 10; count < 20; ++count) {
    std::string text =
        ".kernel k (in x: u32[], in bytes: u8[], out words: u32[], out longs: u64[], param n: u32)\n"
        "  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x\n  mov.u64 %px, x\n  mov.u32 %sum, 0\n  mov.u32 %c, n\n";
    for (unsigned k = 0; k < count; ++k) {
      const std::string of = std::to_string(k);
      text += "  ld.global.v4.u32 {%a" + of + ", %b" + of + ", %c" + of + ", %d" + of + "}, [%px+" +
              std::to_string(16 * k) + "]\n";
    }
    for (unsigned k = 0; k < count; ++k)
      for (const char* const row : {"%a", "%b", "%c", "%d"})
        text += "  mad.lo.u32 %sum, %sum, %gid, " + (row + std::to_string(k)) + "\n";
    text += "  st.global.u32 words[%gid], %sum\n  exit\n";
    for (const std::uint64_t seed : {1, 3, 4})
      testing::expect_engines_alike(program_of(text), config_of(seed), arguments());
  }
}

}  // namespace linear_rows_test
}  // namespace warpsim
