// The shadow that the race check keeps: strips, words and touches say the same.
//
// Source: race_words.h says what a strip stands for. Where a buffer begins says nothing about races: a kernel that
// touches strips as a whole has the same ones as the kernel that touches everything one word further on.
#include "sim/check/race_words.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <tuple>

#include "sim/check/races.h"
#include "tests/support/run.h"

namespace warpsim {
namespace race_words_test {

RaceTouch touch_at(std::int32_t pc) {
  RaceTouch touch;
  touch.pc = pc;
  return touch;
}

TEST(RaceWords, AStripIsItsWords) {
  RaceTouches touches;
  const std::uint32_t read = touches.add(touch_at(7)), written = touches.add(touch_at(8));
  RacePage page;
  page.set(RaceWords::kRead, 3, 1, {read + 8, 2});      // lanes 8 to 15, four bytes each
  page.set(RaceWords::kWrite, 3, 1, {written + 4, 3});  // lanes 4 to 7, eight bytes each
  EXPECT_EQ(page.strip(touches, RaceWords::kRead, 3, 1).number(), read + 8);
  EXPECT_EQ(page.strip(touches, RaceWords::kRead, 2, 1).number(), 0U);
  page.spread(3);
  EXPECT_TRUE(page.strip(touches, RaceWords::kRead, 3, 1).is_mixed()) << "its words stand alone now";
  for (std::uint32_t k = 0; k < 8; ++k) {
    const RaceSeen reader = page.words.seen(touches, RaceWords::kRead, 24 + k);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader.touch->pc, 7);
    EXPECT_EQ(reader.lanes, lane_bit(8 + k));
    const RaceSeen writer = page.words.seen(touches, RaceWords::kWrite, 24 + k);
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer.touch->pc, 8);
    EXPECT_EQ(writer.lanes, lane_bit(4 + k / 2));
  }
  EXPECT_TRUE(page.words.is_untouched(touches, 23));
  EXPECT_TRUE(page.words.is_untouched(touches, 32));
}

TEST(RaceWords, OneTouchGoesOnThroughStrips) {
  RaceTouches touches;
  const std::uint32_t read = touches.add(touch_at(7));
  RacePage page;
  page.set(RaceWords::kRead, 4, 4, {read, 2});  // lanes 0 to 31, four bytes each
  EXPECT_EQ(page.strip(touches, RaceWords::kRead, 4, 4).number(), read);
  EXPECT_EQ(page.strip(touches, RaceWords::kRead, 6, 2).number(), read + 16);
  EXPECT_TRUE(page.strip(touches, RaceWords::kRead, 3, 2).is_mixed()) << "nobody's, then lanes";
  EXPECT_TRUE(page.strip(touches, RaceWords::kRead, 7, 2).is_mixed()) << "lanes, then nobody's";
  EXPECT_EQ(page.strip(touches, RaceWords::kRead, 8, 4).number(), 0U);
  page.set(RaceWords::kRead, 6, 1, {read, 2});
  EXPECT_TRUE(page.strip(touches, RaceWords::kRead, 4, 4).is_mixed()) << "lanes 16 to 23 are missing";
  page.set(RaceWords::kRead, 4, 4, {read, 2});
  page.spread(7);
  EXPECT_TRUE(page.strip(touches, RaceWords::kRead, 4, 4).is_mixed()) << "the last one's words stand alone";
  page.set(RaceWords::kRead, 4, 4, {});
  EXPECT_EQ(page.strip(touches, RaceWords::kRead, 4, 4).number(), 0U);
}

TEST(RaceWords, ManySetsKeepTheirNumbers) {
  RaceTouches touches;
  for (int phase = 0; phase < 3; ++phase) {
    const LaneMask sets = phase == 1 ? 5'000 : 100;
    std::set<std::uint32_t> numbers;
    for (LaneMask lanes = 1; lanes <= sets; ++lanes) numbers.insert(touches.number_of_set(lanes << 7));
    EXPECT_EQ(numbers.size(), sets);
    for (LaneMask lanes = 1; lanes <= sets; ++lanes)
      ASSERT_EQ(touches.set(touches.number_of_set(lanes << 7)), lanes << 7) << phase;
    EXPECT_EQ(*numbers.rbegin() + 1, touches.number_of_set(~LaneMask{0})) << "each has one number";
    touches.begin_phase();
  }
}

TEST(RaceWords, SmallerWordsHaveWhatTheLargerOneHad) {
  RaceTouches touches;
  const std::uint32_t one = touches.add(touch_at(1)), other = touches.add(touch_at(2));
  RaceWords words(4, 2);
  words.set(RaceWords::kWrite, 1, one + 5);
  words.set_value(1, 0x44332211);
  words.set(RaceWords::kRead, 1, other + 6);
  words.add_lane(touches, RaceWords::kRead, 1, 9);
  words.keep_read(1);
  const RaceWords bytes = words.in_words_of(0);
  for (std::uint32_t k = 0; k < 16; ++k) {
    EXPECT_EQ(bytes.is_untouched(touches, k), k / 4 != 1) << k;
    if (k / 4 != 1) continue;
    EXPECT_EQ(bytes.value(k), 0x11 * (k - 3)) << k;
    EXPECT_EQ(bytes.seen(touches, RaceWords::kWrite, k).lanes, lane_bit(5));
    for (const RaceWords::Part part : {RaceWords::kRead, RaceWords::kOtherRead}) {
      EXPECT_EQ(bytes.seen(touches, part, k).touch->pc, 2);
      EXPECT_EQ(bytes.seen(touches, part, k).lanes, lane_bit(6) | lane_bit(9));
    }
  }
}

TEST(RaceWords, ASweepLeavesOutWhatNoWordHas) {
  RaceTouches touches;
  RaceWords words(3, 2);
  RacePage page;
  const auto each = [&](auto f) {
    words.for_each_number(f);
    page.for_each_number(f);
  };
  std::int32_t pc = 0;
  while (!touches.is_full()) {
    const std::uint32_t number = touches.add(touch_at(pc));
    if (pc == 5) words.set(RaceWords::kWrite, 0, number + 3);
    if (pc == 6) words.set(RaceWords::kRead, 0, number + 4);
    if (pc == 7) page.set(RaceWords::kOtherRead, 1, 1, {number + 16, 2});
    if (pc == 8) words.set(RaceWords::kWrite, 1, number);
    if (pc == 9) words.set(RaceWords::kWrite, 1, number);  // nobody has the one before it now
    ++pc;
  }
  words.add_lane(touches, RaceWords::kRead, 0, 31);
  touches.sweep(each);
  EXPECT_FALSE(touches.is_full());
  EXPECT_EQ(words.seen(touches, RaceWords::kWrite, 0).touch->pc, 5);
  EXPECT_EQ(words.seen(touches, RaceWords::kWrite, 0).lanes, lane_bit(3));
  EXPECT_EQ(words.seen(touches, RaceWords::kRead, 0).touch->pc, 6);
  EXPECT_EQ(words.seen(touches, RaceWords::kRead, 0).lanes, lane_bit(4) | lane_bit(31));
  EXPECT_EQ(touches.of(page.strip(touches, RaceWords::kOtherRead, 1, 1).number()).pc, 7);
  EXPECT_EQ(words.seen(touches, RaceWords::kWrite, 1).touch->pc, 9);
  EXPECT_TRUE(words.is_untouched(touches, 2));
  EXPECT_EQ(touches.add(touch_at(0)) >> RaceTouches::kTouchBit, 5U) << "four are left";
  touches.begin_phase();
  EXPECT_TRUE(words.is_untouched(touches, 0));
}

// ---- races of a kernel in which warps load and store, all of it `shift` words further on

using Found = std::set<std::tuple<int, std::int32_t, std::int32_t, LaneMask, LaneMask, std::int64_t, bool>>;

Found races_of(const std::string& body, std::int64_t shift) {
  Races sink;
  const testing::Ran ran = testing::run_text(
      ".kernel k (inout out: u32[])\n mov.u64 %p, out\n mul.wide.u32 %o, %gtid, 4\n"
      " add.u64 %p, %p, %o\n add.u64 %p, %p, " +
          std::to_string(4 * shift) + "\n" + body + " exit\n",
      {.lanes = 16,
       .grid = {2, 1, 1},
       .block = {48, 1, 1},
       .buffers = {{"out", std::vector<std::uint64_t>(1024)}},
       .sinks = {&sink}});
  EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  Found found;
  for (const Race& race : sink.found())
    found.emplace(static_cast<int>(race.kind), race.earlier.pc, race.later.pc, race.earlier.lanes, race.later.lanes,
                  race.index - shift, race.equal_stores);
  return found;
}

TEST(RaceWords, WhereABufferBeginsSaysNothingAboutRaces) {
  std::mt19937 random(7);
  const auto one_of = [&](auto... texts) {
    const std::string all[] = {texts...};
    return all[std::uniform_int_distribution<std::size_t>(0, sizeof...(texts) - 1)(random)];
  };
  std::size_t races = 0;
  for (int round = 0; round < 150; ++round) {
    std::string body = " setp.lt.u32 %some, %laneid, 8\n setp.lt.u32 %few, %laneid, 3\n";
    for (int k = 0; k < 6; ++k) {
      const std::string offset = one_of("0", "0", "32", "64", "128", "192", "4", "60");
      const std::string guard = one_of("", "", "", "@%some ", "@%few ");
      body += " " + guard +
              one_of("ld.global.u32 %v, [%p+" + offset + "]", "ld.global.u32 %v, [%p+" + offset + "]",
                     "st.global.u32 [%p+" + offset + "], 7", "st.global.u32 [%p+" + offset + "], %laneid",
                     "ld.global.u16 %h, [%p+" + offset + "]", "ld.volatile.global.u32 %v, [%p+" + offset + "]",
                     "st.volatile.global.u32 [%p+" + offset + "], 7") +
              "\n" + one_of("", "", "", " bar.sync 0\n", " bar.warp.sync\n", " membar.gl\n");
    }
    const Found aligned = races_of(body, 0);
    EXPECT_EQ(aligned, races_of(body, 1)) << body;
    EXPECT_EQ(aligned, races_of(body, 8)) << body;
    races += aligned.size();
  }
  EXPECT_GT(races, 300U);
}

}  // namespace race_words_test
}  // namespace warpsim
