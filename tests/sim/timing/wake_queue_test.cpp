// The clock's queue of sub-cores and its caches, beside the plainest things that do the same.
#include "sim/timing/wake_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>
#include <utility>
#include <vector>

#include "sim/timing/cache.h"

namespace warpsim {
namespace {

TEST(WakeQueue, GivesThoseThatWakeNextHoweverFarAwayThatIs) {
  constexpr std::uint32_t kSubCores = 150;
  auto draws = [of = std::mt19937(7)]() mutable { return static_cast<std::uint32_t>(of()); };
  WakeQueue queue(kSubCores);
  std::vector<std::uint64_t> wakes(kSubCores, WakeQueue::kNever);
  std::uint64_t now = 0;
  for (int round = 0; round < 20'000; ++round) {
    for (unsigned k = draws() % 6; k > 0; --k) {
      const std::uint32_t one = draws() % kSubCores;
      const std::uint64_t most[] = {2, 30, 1023, 1025, 5000};
      wakes[one] = draws() % 5 == 0 ? WakeQueue::kNever : now + draws() % most[draws() % 5];
      queue.set(one, wakes[one]);
    }
    std::vector<std::uint32_t> due, should;
    const std::uint64_t cycle = queue.take(due), first = *std::min_element(wakes.begin(), wakes.end());
    ASSERT_EQ(cycle, first) << "round " << round;
    if (first == WakeQueue::kNever) continue;
    now = first;
    for (std::uint32_t one = 0; one < kSubCores; ++one)
      if (wakes[one] == first) should.push_back(one);
    EXPECT_EQ(due, should) << "round " << round;
    for (const std::uint32_t one : due) wakes[one] = WakeQueue::kNever;
  }
}

TEST(LineCache, ForgetsTheLineThatWasUsedLongestAgo) {
  auto draws = [of = std::mt19937(11)]() mutable { return static_cast<std::uint32_t>(of()); };
  for (const std::size_t most : {0U, 1U, 5U, 200U}) {
    LineCache cache(most);
    std::list<std::pair<std::uint64_t, LineCache::Arrivals>> used;  // the newest first
    for (std::uint64_t cycle = 1; cycle <= 5000; ++cycle) {
      const std::uint64_t line = draws() % (most + most / 2 + 2);
      const std::size_t sector = draws() % LineCache::Arrivals{}.size();
      const auto known = std::find_if(used.begin(), used.end(), [&](const auto& one) { return one.first == line; });
      LineCache::Arrivals* const found = cache.find(line);
      ASSERT_EQ(found != nullptr, known != used.end()) << most << " lines, cycle " << cycle;
      if (found != nullptr) {
        EXPECT_EQ(*found, known->second);
        used.splice(used.begin(), used, known);
      } else {
        used.push_front({line, {}});
        used.front().second.fill(LineCache::kAbsent);
      }
      used.front().second[sector] = cycle;
      LineCache::Arrivals* const filled = cache.fill(found, line, sector, cycle);
      ASSERT_EQ(filled != nullptr, most != 0);
      if (filled != nullptr) {
        EXPECT_EQ(*filled, used.front().second);
      }
      if (used.size() > most) used.pop_back();
    }
  }
}

}  // namespace
}  // namespace warpsim
