// Stores of bytes and halves by some lanes, anywhere: what is in memory afterwards is the interpreter's.
//
// Shapes: each number of lanes, drawn from all of them, under a guard and in a branch's body; places are drawn from so
//         few that several lanes store to one, of which the last lane's value stays; or neighbours. Of a lane's four
//         bytes, which may be stored at once, those that lie apart, that overlap, and up to the end and beyond it.
// Errors: a difference prints the type, the seed and how many places there are.
// Source: the interpreter, which stores lane by lane.
#include <gtest/gtest.h>

#include <string>
#include <utility>
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

// Four bytes of a lane, and one more, each round by more lanes; a lane's are so far behind the one's before, but those
// of the upper sixteen lanes are nearer.
constexpr const char* kStoresOfWords =
    R"(.kernel k (inout at: u8[512], param seed: u32, param places: u32, param behind: u32, param nearer: u32,
           param last: u32)
  mov.u64 %base, at
  mad.lo.u32 %x, %tid.x, 0x9e3779b1, seed
  mov.u32 %k, 0
round:
  mad.lo.u32 %x, %x, 1664525, 1013904223
  shr.u32 %n, %x, 8
  rem.u32 %draw, %n, 33
  mul.lo.u32 %w, %k, 11
  rem.u32 %w, %w, places
  mad.lo.u32 %w, %laneid, behind, %w
  setp.ge.u32 %upper, %laneid, 16
  @%upper sub.u32 %w, %w, nearer
  min.u32 %w, %w, last
  cvt.u64.u32 %off, %w
  add.u64 %p, %base, %off
  cvt.u16.u32 %a, %n
  add.u16 %b, %a, 1
  add.u16 %c, %a, 3
  shr.u32 %m, %n, 9
  cvt.u16.u32 %d, %m
  setp.ge.u32 %rests, %draw, %k
  @%rests bra past
  st.global.u8 [%p+1], %a
  st.global.u8 [%p+2], %b
  st.global.u8 [%p+3], %c
  st.global.u8 [%p+4], %d
  st.global.u8 [%p+5], %a
past:
  add.u32 %k, %k, 1
  setp.lt.u32 %more, %k, 34
  @%more bra round
  exit
)";

TEST(SmallStores, FourOfALaneAreTheInterpreters) {
  const Program program = testing::program_of(kStoresOfWords);
  int faults = 0;
  for (const auto& [behind, nearer] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 0}, {1, 0}, {3, 0}, {4, 0}, {5, 0}, {9, 0}, {9, 7}}) {
    for (const std::uint64_t last : {300, 506, 507, 509}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(std::to_string(behind) + " bytes behind, " + std::to_string(nearer) + " nearer, seed " +
                     std::to_string(seed) + ", up to " + std::to_string(last));
        LaunchConfig config;
        config.grid.x = 2;
        config.block.x = seed == 3 ? 40 : 64;
        config.schedule = kBlocksSchedule;
        config.reconvergence = Reconvergence::Independent;
        config.keeps_state = seed == 2;
        Arguments arguments;
        arguments.buffers["at"] = {Type::U8, std::vector<std::uint64_t>(512)};
        arguments.scalars = {
            {"seed", seed}, {"places", last < 400 ? 8 : 400}, {"behind", behind}, {"nearer", nearer}, {"last", last}};
        const auto expected = testing::expect_engines_alike(program, config, arguments);
        faults += expected.result.ok ? 0 : 1;
        EXPECT_NE(expected.arrays.at("at").bits, arguments.buffers["at"].bits);
      }
    }
  }
  EXPECT_GT(faults, 0);
  EXPECT_LT(faults, 56);
}

}  // namespace small_stores_test
}  // namespace warpsim
