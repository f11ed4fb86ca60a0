// Stores of bytes and halves by some lanes, anywhere: what is in memory afterwards is the interpreter's.
//
// Shapes: each number of lanes, drawn from all of them, under a guard and in a branch's body; places are drawn from so
//         few that several lanes store to one, of which the last lane's value stays; or neighbours.
// Errors: a difference prints the type, the seed and how many places there are.
// Source: the interpreter, which stores lane by lane.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/block_runs.h"
#include "tests/support/every_run.h"

namespace warpsim {
namespace small_stores_test {

// Two stores a round: all lanes of which a drawn number is below the round's make both.
std::string program_of_type(const std::string& type) {
  const std::string store = "st.global." + type + " ";
  return R"(.kernel k (inout at: )" + type + R"([512], param seed: u32, param places: u32)
  mov.u64 %base, at
  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x
  mad.lo.u32 %x, %gid, 0x9e3779b1, seed
  mov.u32 %k, 0
round:
  mad.lo.u32 %x, %x, 1664525, 1013904223
  shr.u32 %n, %x, 8
  rem.u32 %draw, %n, 33
  rem.u32 %w, %n, places
  setp.eq.u32 %near, places, 512
  @%near add.u32 %w, %gid, %k
  mul.wide.u32 %off, %w, )" +
         (type == "u8" ? "1" : "2") + R"(
  add.u64 %p, %base, %off
  cvt.u16.u32 %v, %n
  setp.lt.u32 %acts, %draw, %k
  @%acts )" +
         store + R"([%p], %v
  @!%acts bra past
  add.u16 %v, %v, 7
  )" + store +
         R"([%p+2], %v
past:
  add.u32 %k, %k, 1
  setp.lt.u32 %more, %k, 34
  @%more bra round
  exit
)";
}

TEST(SmallStores, AreTheInterpreters) {
  for (const std::string type : {"u8", "u16"}) {
    const Program program = testing::program_of(program_of_type(type));
    for (const std::uint64_t places : {3, 40, 500, 512}) {
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(type + ", seed " + std::to_string(seed) + ", places " + std::to_string(places));
        LaunchConfig config;
        config.block.x = seed % 3 == 0 ? 40 : 64;
        config.schedule = kBlocksSchedule;
        config.reconvergence = Reconvergence::Independent;
        config.keeps_state = seed % 2 == 0;
        Arguments arguments;
        arguments.buffers["at"] = {type == "u8" ? Type::U8 : Type::U16, std::vector<std::uint64_t>(512)};
        arguments.scalars["seed"] = seed;
        arguments.scalars["places"] = places;
        const auto expected = testing::expect_engines_alike(program, config, arguments);
        EXPECT_TRUE(expected.result.ok);
        EXPECT_NE(expected.arrays.at("at").bits, arguments.buffers["at"].bits);
      }
    }
  }
}

}  // namespace small_stores_test
}  // namespace warpsim
