// The sorting networks of programs/permute: proved up to 16 lanes by the 0-1 principle.
//
// The 0-1 principle (Knuth, "The Art of Computer Programming" 3, section 5.3.4, theorem Z): a network of
// compare-exchanges that sorts every sequence of zeros and ones sorts every sequence. That these are such networks is
// tested first: the same lanes exchange whatever the keys, always in pairs, and leave the smaller key in one of the
// two.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "tests/support/program_host.h"
#include "tests/support/sanitized.h"

namespace warpsim::testing {
namespace {

class SortTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    assembled_ = assemble_program("permute/" + GetParam());
    ASSERT_TRUE(assembled_.lesson()) << assembled_.diagnostics.render();
  }
  const Lesson& program() const { return *assembled_.lesson(); }

  // Each block is one warp, of `keys` lanes that exist, and sorts one of the sequences. A launch has 64 blocks: the
  // machine goes through all its warps in every cycle, and so few stay in the cache.
  void expect_sorted(unsigned lanes, std::uint32_t keys, const std::vector<std::int32_t>& sequences) {
    Host host;
    host.lanes = lanes;
    host.block = keys;
    for (std::size_t done = 0; done < sequences.size(); done += std::size_t{64} * keys) {
      std::vector<std::int32_t> expected(
          sequences.begin() + static_cast<std::ptrdiff_t>(done),
          sequences.begin() + static_cast<std::ptrdiff_t>(std::min(sequences.size(), done + std::size_t{64} * keys)));
      host.grid = static_cast<std::uint32_t>(expected.size() / keys);
      host.params["size"] = std::to_string(expected.size());
      host.inputs["input"] = s32_array(expected);
      const std::vector<std::int32_t> output = s32_values(host.fast_run(program(), "output"));
      for (auto at = expected.begin(); at != expected.end(); at += keys) std::sort(at, at + keys);
      ASSERT_EQ(output.size(), expected.size());
      const auto differ = std::mismatch(output.begin(), output.end(), expected.begin());
      if (differ.first == output.end()) continue;
      const std::size_t block = static_cast<std::size_t>(differ.first - output.begin()) / keys;
      std::string sequence;
      for (std::size_t k = 0; k < keys; ++k) sequence += std::to_string(sequences[done + block * keys + k]) + " ";
      FAIL() << keys << " keys at " << lanes << " lanes: " << sequence << "is not sorted";
    }
  }

 private:
  Assembled assembled_;
};

// Which lane each lane reads, shuffle by shuffle, of one warp.
std::vector<std::vector<std::uint8_t>> meetings(const Trace& trace) {
  std::vector<std::vector<std::uint8_t>> all;
  for (const TraceEvent& event : trace.events) {
    if (event.exchange) all.push_back(event.exchange->from);
  }
  return all;
}

// The keys of one warp: what its lanes hold before the first exchange, and after each.
std::vector<std::vector<std::int32_t>> keys_between(const Trace& trace) {
  std::vector<std::vector<std::int32_t>> all;
  std::vector<std::int32_t> keys(trace.head.lanes, 0);
  for (const TraceEvent& event : trace.events) {
    if (event.exchange) all.push_back(keys);
    for (const TraceWrite& write : event.writes) {
      if (trace.head.registers[static_cast<std::size_t>(write.reg)].name != "%key") continue;
      std::size_t k = 0;
      for (unsigned lane = 0; lane < trace.head.lanes; ++lane) {
        if ((write.lanes >> lane & 1) != 0) keys[lane] = static_cast<std::int32_t>(write.bits[k++]);
      }
    }
  }
  all.push_back(keys);
  return all;
}

// After an exchange the lower lane has the smaller key, the upper one the larger. Other lanes keep their key.
// Both networks sort upwards everywhere: they have no pair that sorts downwards.
void expect_exchanges(const Trace& trace, unsigned keys) {
  const std::vector<std::vector<std::uint8_t>> who = meetings(trace);
  const std::vector<std::vector<std::int32_t>> held = keys_between(trace);
  ASSERT_EQ(held.size(), who.size() + 1);
  for (std::size_t m = 0; m < who.size(); ++m) {
    ASSERT_GE(who[m].size(), keys);
    for (std::size_t lane = 0; lane < keys; ++lane) {
      const std::size_t other = who[m][lane];
      const auto [smaller, larger] = std::minmax(held[m][lane], held[m][other]);
      EXPECT_EQ(held[m + 1][lane], lane <= other ? smaller : larger)
          << "lane " << lane << " met " << other << " in meeting " << m;
    }
  }
}

TEST_P(SortTest, IsANetworkOfCompareExchanges) {
  std::mt19937 random(1);
  for (const unsigned lanes : {2U, 4U, 8U, 16U, 32U, 64U}) {
    for (const unsigned keys : {lanes, lanes - 1, lanes / 2 + 1}) {
      SCOPED_TRACE(std::to_string(keys) + " keys at " + std::to_string(lanes) + " lanes");
      Host host;
      host.lanes = lanes;
      host.block = keys;
      host.params["size"] = std::to_string(keys);
      std::vector<std::vector<std::uint8_t>> first;
      for (int round = 0; round < 8; ++round) {
        std::vector<std::int32_t> input;
        for (unsigned k = 0; k < keys; ++k)
          input.push_back(round == 0 ? 0 : round == 1 ? -static_cast<int>(k) : static_cast<int>(random()));
        host.inputs["input"] = s32_array(input);
        const Trace trace = host.record(program());
        const std::vector<std::vector<std::uint8_t>> now = meetings(trace);
        ASSERT_NO_FATAL_FAILURE(expect_exchanges(trace, keys));
        if (round == 0) first = now;
        EXPECT_EQ(now, first);  // whatever the keys
      }
      std::size_t steps = 0;
      for (unsigned run = 1; run < keys; run *= 2) steps += static_cast<std::size_t>(std::bit_width(run));
      EXPECT_EQ(first.size(), steps);
      std::size_t comparisons = 0;
      for (const std::vector<std::uint8_t>& from : first) {
        for (std::size_t lane = 0; lane < from.size(); ++lane) {
          EXPECT_EQ(from[from[lane]], lane);  // in pairs
          comparisons += from[lane] > lane ? 1 : 0;
        }
      }
      if (keys == 8) {
        EXPECT_EQ(comparisons, GetParam() == "bitonic_sort" ? 24U : 19U);
      }
    }
  }
}

// All 2^N sequences of zeros and ones for every N up to 16, at 16 lanes: 131,070 sequences; up to 8 at 8 lanes, too.
// Up to 12 under the sanitizers.
TEST_P(SortTest, SortsAllZerosAndOnes) {
  for (const unsigned lanes : {8U, 16U}) {
    for (std::uint32_t keys = 1; keys <= std::min(lanes, testing::kSanitized ? 12U : 16U); ++keys) {
      std::vector<std::int32_t> sequences;
      sequences.reserve((std::size_t{1} << keys) * keys);
      for (std::uint32_t word = 0; word < std::uint32_t{1} << keys; ++word) {
        for (std::uint32_t k = 0; k < keys; ++k) sequences.push_back(static_cast<std::int32_t>(word >> k & 1));
      }
      ASSERT_NO_FATAL_FAILURE(expect_sorted(lanes, keys, sequences));
    }
  }
}

// Above 16 lanes 2^N is too many. The last merge is proved: all pairs of sorted halves of zeros and ones. The rest is
// sampled, with each number of ones equally often.
TEST_P(SortTest, MergesAllSortedHalvesOfZerosAndOnes) {
  std::mt19937 random(2);
  for (const std::uint32_t lanes : {32U, 64U}) {
    std::vector<std::int32_t> halves, sampled;
    for (std::uint32_t ones_below = 0; ones_below <= lanes / 2; ++ones_below) {
      for (std::uint32_t ones_above = 0; ones_above <= lanes / 2; ++ones_above) {
        for (std::uint32_t k = 0; k < lanes / 2; ++k) halves.push_back(k + ones_below >= lanes / 2 ? 1 : 0);
        for (std::uint32_t k = 0; k < lanes / 2; ++k) halves.push_back(k + ones_above >= lanes / 2 ? 1 : 0);
      }
    }
    for (std::uint32_t round = 0; round < 4000; ++round) {
      std::vector<std::int32_t> one(lanes, 0);
      std::fill_n(one.begin(), round % (lanes + 1), 1);
      std::shuffle(one.begin(), one.end(), random);
      sampled.insert(sampled.end(), one.begin(), one.end());
    }
    ASSERT_NO_FATAL_FAILURE(expect_sorted(lanes, lanes, halves));
    ASSERT_NO_FATAL_FAILURE(expect_sorted(lanes, lanes, sampled));
  }
}

INSTANTIATE_TEST_SUITE_P(Two, SortTest, ::testing::Values("bitonic_sort", "odd_even_merge_sort"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace warpsim::testing
