// Data races of random accesses, against every pair of them.
//
// Shapes: two warps of eight lanes; lines of loads and stores with simple indices, barriers of the block between some
// of
//         them. Two accesses to one word race where they are of different threads, not both loads, and no barrier
//         stands between them.
// Source: CUDA C++ Programming Guide, "Synchronization Functions": nothing else orders here.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/races.h"
#include "tests/support/run.h"

namespace warpsim {
namespace races_pairs_test {

constexpr unsigned kThreads = 16;

struct Index {
  const char* code;  // of %i, from %tid.x
  unsigned (*of)(unsigned thread);
};
constexpr Index kIndices[] = {
    {" mov.u32 %i, %tid.x\n", [](unsigned t) { return t; }},
    {" add.u32 %i, %tid.x, 16\n", [](unsigned t) { return t + 16; }},
    {" shl.b32 %i, %tid.x, 1\n", [](unsigned t) { return 2 * t; }},
    {" shr.u32 %i, %tid.x, 1\n", [](unsigned t) { return t / 2; }},
    {" and.b32 %i, %tid.x, 7\n", [](unsigned t) { return t % 8; }},
    {" xor.b32 %i, %tid.x, 8\n", [](unsigned t) { return t ^ 8; }},
    {" xor.b32 %i, %tid.x, 1\n", [](unsigned t) { return t ^ 1; }},
    {" mov.u32 %i, 6\n", [](unsigned) { return 6U; }},
};
struct Guard {
  const char* code;  // of %p
  bool (*of)(unsigned thread);
};
constexpr Guard kGuards[] = {
    {"", [](unsigned) { return true; }},
    {" setp.lt.u32 %p, %tid.x, 8\n", [](unsigned t) { return t < 8; }},
    {" setp.ge.u32 %p, %tid.x, 8\n", [](unsigned t) { return t >= 8; }},
    {" and.b32 %b, %tid.x, 1\n setp.eq.u32 %p, %b, 1\n", [](unsigned t) { return t % 2 == 1; }},
    {" setp.eq.u32 %p, %tid.x, 3\n", [](unsigned t) { return t == 3; }},
};

struct Access {
  unsigned thread, word, phase, line;
  bool stores;
};

struct Drawn {
  std::string text;
  bool has_race = false;
};

class Drawing {
 public:
  Drawing(std::uint32_t seed, bool shared) : state_(seed), shared_(shared) {}

  Drawn draw() {
    const unsigned lines = 2 + below(6);
    for (unsigned line = 0; line < lines; ++line) {
      add_access(line);
      if (below(2) == 0) {
        drawn_.text += " bar.sync 0\n";
        ++phase_;
      }
    }
    for (const Access& a : accesses_)
      for (const Access& b : accesses_)
        drawn_.has_race = drawn_.has_race ||
                          (a.thread != b.thread && a.word == b.word && a.phase == b.phase && (a.stores || b.stores));
    return drawn_;
  }

 private:
  unsigned below(unsigned n) {
    state_ = state_ * 1664525 + 1013904223;
    return (state_ >> 16) % n;
  }
  void add_access(unsigned line) {
    const Index& index = kIndices[below(8)];
    const Guard& guard = kGuards[below(3) == 0 ? below(5) : 0];
    const bool stores = below(3) == 0,
               is_pair = std::string(index.code).find("shl") != std::string::npos && below(2) == 0;
    const std::string at = shared_ ? "tile" : "out", space = shared_ ? "shared" : "global";
    const std::string on = *guard.code != 0 ? " @%p" : "", pair = is_pair ? ".v2" : "";
    const std::string value = is_pair ? "{%a, %c}" : "%a";
    drawn_.text += std::string(index.code) + guard.code;
    // All values are others, so that no two stores are of one value.
    if (stores) drawn_.text += " mad.lo.u32 %a, %tid.x, 64, " + std::to_string(2 * line) + "\n add.u32 %c, %a, 1\n";
    drawn_.text += on + (stores ? " st." : " ld.") + space + pair + ".u32 " +
                   (stores ? at + "[%i], " + value : value + ", " + at + "[%i]") + "\n";
    for (unsigned t = 0; t < kThreads; ++t)
      for (unsigned k = 0; k < (is_pair ? 2U : 1U); ++k)
        if (guard.of(t)) accesses_.push_back({t, index.of(t) + k, phase_, line, stores});
  }

  std::uint32_t state_;
  bool shared_;
  unsigned phase_ = 0;
  std::vector<Access> accesses_;
  Drawn drawn_;
};

TEST(Races, AreFoundWhereAPairOfAccessesIsOne) {
  int with = 0, without = 0;
  for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
    const bool shared = seed % 2 == 0;
    const Drawn drawn = Drawing(seed * 7919, shared).draw();
    for (const Schedule& schedule : {Schedule{}, kBlocksSchedule}) {
      Races sink;
      const testing::Ran ran =
          testing::run_text(".kernel k (inout out: u32[])\n.shared u32 tile[64]\n" + drawn.text + " exit\n",
                            {.lanes = 8,
                             .block = {kThreads, 1, 1},
                             .buffers = {{"out", std::vector<std::uint64_t>(64)}},
                             .sinks = {&sink},
                             .schedule = schedule});
      ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
      ASSERT_EQ(!sink.found().empty(), drawn.has_race) << drawn.text;
    }
    (drawn.has_race ? with : without) += 1;
  }
  EXPECT_GT(with, 300);
  EXPECT_GT(without, 300);
}

}  // namespace races_pairs_test
}  // namespace warpsim
