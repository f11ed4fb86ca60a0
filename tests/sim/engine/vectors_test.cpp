// Loads and stores at addresses of lanes' own: machine code moves what a lane has there, a vector or a word, as one.
//
// Shapes: random programs that load and store vectors of two and four elements, and words of 8 to 64 bits, in global
//         and in shared memory, by pointers of each lane's own: anywhere, neighbours, in one place, some lanes at the
//         place of others; by all lanes, with guards, and in bodies of some lanes.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which goes from lane to lane.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/block_runs.h"
#include "tests/support/drawn_program.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace vectors_test {

constexpr std::uint64_t kPrograms = testing::kSanitized ? 30 : 400;
constexpr std::array<const char*, 4> kWords{"%a", "%b", "%c", "%d"}, kDoubles{"%x", "%y", "%z", "%w"};
constexpr std::size_t kPlaces = 64, kBytesOfPlace = 16, kElements = kPlaces * kBytesOfPlace / 4;

class Drawing : testing::DrawnProgram {
 public:
  explicit Drawing(std::uint64_t seed) : DrawnProgram(seed) {}

  std::string program() {
    text_ = ".kernel k (inout m: u32[], out words: u32[], out doubles: u64[])\n  .shared u32 s[" +
            std::to_string(kElements) + R"(]
  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x
  mov.u64 %pm, m
  mov.u32 %ps, s
  mov.u32 %a, %gid
  mov.u32 %b, %laneid
  mul.lo.u32 %c, %gid, 0x9e3779b1
  mov.u32 %d, 5
  mul.wide.u32 %x, %c, %c
  mul.wide.u32 %y, %c, 77
  mov.u64 %z, 3
  mov.u64 %w, 9
  mov.u16 %h, 7
)";
    point();
    for (std::uint64_t left = 3 + below(5); left != 0; --left) part();
    for (std::size_t k = 0; k < kWords.size(); ++k) {
      text_ += "  mad.lo.u32 %at, %gid, 4, " + std::to_string(k) + "\n  st.global.u32 words[%at], " + kWords.at(k) +
               "\n  st.global.u64 doubles[%at], " + kDoubles.at(k) + "\n";
    }
    return text_ + "  exit\n";
  }

 private:
  // %pg and %pl: the same place of m and of s.
  void point() {
    switch (below(6)) {
      case 0: line("mov.u32 %i, %gid"); break;  // neighbours
      case 1: line("mov.u32 %i, %ctaid.x"); break;
      case 2: line("shr.u32 %i, %gid, 2"); break;
      case 3: line("shl.b32 %i, %laneid, 1"); break;
      default: line("mad.lo.u32 %i, " + of(kWords) + ", 0x9e3779b1, %gid"); line("shr.u32 %i, %i, 9");
    }
    line("and.b32 %i, %i, " + std::to_string(kPlaces - 1));
    line("mul.wide.u32 %off, %i, " + std::to_string(kBytesOfPlace));
    line("add.u64 %pg, %pm, %off");
    line("mad.lo.u32 %pl, %i, " + std::to_string(kBytesOfPlace) + ", %ps");
  }

  template <class Names>
  std::string vector(const Names& names, std::size_t count) {
    const std::size_t first = below(names.size());
    std::string text;
    for (std::size_t k = 0; k < count; ++k)
      text += (k == 0 ? "{" : ", ") + std::string(names.at((first + k) % names.size()));
    return text + "}";
  }

  void access() {
    const bool is_load = below(3) != 0, is_shared = below(2) == 0;
    const std::string space = is_shared ? "shared" : "global", from = is_shared ? "[%pl" : "[%pg";
    const auto move = [&](const std::string& type, const std::string& what, std::uint64_t offset) {
      const std::string at = from + "+" + std::to_string(offset) + "]";
      line(is_load ? "ld." + space + "." + type + " " + what + ", " + at
                   : "st." + space + "." + type + " " + at + ", " + what);
    };
    switch (below(8)) {
      case 0: return move("u32", of(kWords), 4 * below(4));
      case 1: return move("u64", of(kDoubles), 8 * below(2));
      case 2: return move("v2.u32", vector(kWords, 2), 8 * below(2));
      case 3:
      case 4: return move("v4.u32", vector(kWords, 4), 0);
      case 5: return is_load ? move(below(2) == 0 ? "u8" : "s8", "%h", below(16)) : move("u32", of(kWords), 0);
      default: return move("v2.u64", vector(kDoubles, 2), 0);
    }
  }

  void some() {
    if (below(2) != 0) point();
    for (std::uint64_t left = 1 + below(3); left != 0; --left) access();
    if (below(2) == 0) line("cvt.u32.u16 " + of(kWords) + ", %h");
  }

  void part() {
    const auto draw = [this] { some(); };
    switch (below(6)) {
      case 0: return guarded(draw);
      case 1: return in_bodies(of(kWords), of(kWords), draw);
      case 2: text_ += "  bar.sync 0\n"; return;
      default: some();
    }
  }
};

TEST(VectorsOfMachineCode, AreWhatTheInterpreterMoves) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = Drawing(seed).program();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    static constexpr std::array<std::uint32_t, 3> kThreads{32, 64, 40};
    LaunchConfig config;
    config.grid.x = static_cast<std::uint32_t>(1 + seed % 2);
    config.block.x = kThreads.at(seed % kThreads.size());
    config.schedule = kBlocksSchedule;
    config.keeps_state = seed % 5 == 0;
    Arguments arguments;
    arguments.buffers["m"] = {Type::U32, std::vector<std::uint64_t>(kElements)};
    for (std::size_t k = 0; k < kElements; ++k) arguments.buffers["m"].bits[k] = k * 0x9e3779b1U & 0xffffffffU;
    arguments.buffers["words"] = {Type::U32, std::vector<std::uint64_t>(512)};
    arguments.buffers["doubles"] = {Type::U64, std::vector<std::uint64_t>(512)};
    EXPECT_TRUE(testing::expect_engines_alike(testing::program_of(text), config, arguments).result.ok);
  }
}

}  // namespace vectors_test
}  // namespace warpsim
