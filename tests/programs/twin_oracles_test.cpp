// The twins of programs/twin/: each names a program that does the same with shuffles, has its cases, and gives what it
// gives, bit for bit; and both give what plain C++ says.
//
// Shapes: a Launch is one random launch; an oracle gives the whole output. Its inputs are whole numbers so small that
//         sums in any order are exact, since it adds from left to right.
#include <numeric>
#include <optional>

#include "programs/embedded.h"
#include "sim/launch/launch.h"
#include "tests/support/oracle_check.h"

namespace warpsim::testing {
namespace twin_oracles_test {

struct Launch {
  std::size_t lanes, grid, block, size;
  std::vector<float> input;

  // One past the last living thread of thread t's warp.
  std::size_t warp_end(std::size_t t) const {
    const std::size_t first = t / block * block, in_block = t - first;
    return std::min({first + in_block / lanes * lanes + lanes, first + block, size});
  }
  std::size_t warp_begin(std::size_t t) const { return t - t % block % lanes; }
};

constexpr std::size_t kTile = 64;  // places for a block's threads

using WholeOracle = std::vector<float> (*)(const Launch&);

std::vector<float> swapped(const Launch& l) {
  std::vector<float> out = l.input;
  for (std::size_t first = 0; first < l.size; first = l.warp_end(first))
    for (std::size_t t = first; t + 1 < l.warp_end(first); t += 2) std::swap(out[t], out[t + 1]);
  return out;
}

std::vector<float> differences(const Launch& l) {
  std::vector<float> out(l.size, 0);
  for (std::size_t t = 0; t < l.size; ++t)
    if (t + 1 < l.warp_end(t)) out[t] = l.input[t + 1] - l.input[t];
  return out;
}

std::vector<float> plus_first_four(const Launch& l) {
  std::vector<float> out = l.input;
  for (std::size_t t = 0; t < l.size; ++t)
    for (std::size_t k = t / l.block * l.block, end = std::min(k + 4, l.size); k < end; ++k) out[t] += l.input[k];
  return out;
}

std::vector<float> sums(const Launch& l) {
  std::vector<float> out(l.size, 0);
  for (std::size_t t = 0; t < l.size; ++t) out[l.warp_begin(t)] += l.input[t];
  return out;
}

std::vector<float> prefix_sums(const Launch& l) {
  std::vector<float> out = l.input;
  for (std::size_t t = 0; t < l.size; ++t)
    if (t != l.warp_begin(t)) out[t] += out[t - 1];
  return out;
}

struct Twin {
  std::string name, base;
  WholeOracle oracle;
};
std::ostream& operator<<(std::ostream& out, const Twin& twin) { return out << twin.name; }

const std::vector<Twin> kTwins = {
    {"twin/pair_swap_shared", "p26/butterfly_pair_swap", swapped},
    {"twin/neighbor_difference_shared", "p25/neighbor_difference", differences},
    {"twin/neighbor_difference_global", "p25/neighbor_difference", differences},
    {"twin/broadcast_shared", "p25/basic_broadcast", plus_first_four},
    {"twin/reduction_shared", "reduce/sum_down", sums},
    {"twin/prefix_sum_simple", "p26/warp_inclusive_prefix_sum", prefix_sums},
};

Words output_of(const Lesson& program, const Launch& launch, const Array& input) {
  CaseOverrides overrides;
  overrides.lanes = static_cast<unsigned>(launch.lanes);
  overrides.grid = Dim3{static_cast<std::uint32_t>(launch.grid), 1, 1};
  overrides.block = Dim3{static_cast<std::uint32_t>(launch.block), 1, 1};
  overrides.params["size"] = std::to_string(launch.size);
  overrides.input_arrays["input"] = input;
  const RecordedRun run = record_run(program, Case{}, overrides);
  EXPECT_EQ(run.error, "");
  if (!run.error.empty()) return {};
  EXPECT_FALSE(run.trace.outcome.trap.has_value());
  EXPECT_TRUE(run.trace.outcome.findings.empty());
  EXPECT_TRUE(run.trace.outcome.undefined.empty());
  return run.trace.outcome.outputs.at(0).second.bits;
}

class TwinTest : public ::testing::TestWithParam<Twin> {
 protected:
  void SetUp() override {
    Assembled twin = assemble_program(GetParam().name), base = assemble_program(GetParam().base);
    ASSERT_TRUE(twin.lesson()) << twin.diagnostics.render();
    ASSERT_TRUE(base.lesson()) << base.diagnostics.render();
    twin_ = *twin.lesson();
    base_ = *base.lesson();
  }
  Lesson twin_, base_;
};

TEST_P(TwinTest, NamesItsProgram) { EXPECT_EQ(twin_.twin_of, GetParam().base); }

TEST_P(TwinTest, HasItsProgramsCases) {
  ASSERT_EQ(twin_.cases.size(), base_.cases.size());
  for (std::size_t k = 0; k < base_.cases.size(); ++k) {
    EXPECT_EQ(twin_.cases[k].name, base_.cases[k].name);
    ASSERT_EQ(twin_.cases[k].fields.size(), base_.cases[k].fields.size());
    for (std::size_t f = 0; f < base_.cases[k].fields.size(); ++f) {
      EXPECT_EQ(twin_.cases[k].fields[f].key, base_.cases[k].fields[f].key);
      EXPECT_EQ(twin_.cases[k].fields[f].value, base_.cases[k].fields[f].value);
    }
  }
}

TEST_P(TwinTest, HasItsCasesAndWords) { check_form({GetParam().name, {}}); }

TEST_P(TwinTest, EveryCaseAtEveryLaneCount) {
  for (const Case& one : twin_.cases) {
    const std::vector<unsigned> all(kLaneCounts.begin(), kLaneCounts.end());
    for (const unsigned lanes : one.find("lanes") != nullptr ? lane_counts(twin_, one) : all) {
      if (twin_.exemption_at(lanes) != nullptr) continue;
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const RecordedRun run = record_run(twin_, one, overrides);
      ASSERT_EQ(run.error, "");
      EXPECT_TRUE(run.trace.outcome.ok);
      EXPECT_EQ(run.trace.outcome.passed, true);
    }
  }
}

// Blocks of any length from four threads on, since fewer have no four elements to broadcast the sum of; up to the
// places of a tile.
TEST_P(TwinTest, RandomLaunches) {
  std::mt19937 random(20260117);
  for (const std::size_t lanes : kLaneCounts) {
    if (twin_.exemption_at(static_cast<unsigned>(lanes)) != nullptr) continue;
    for (int round = 0; round < 12; ++round) {
      Launch launch{
          lanes,
          1 + random() % 3,
          round < 4 ? std::max<std::size_t>(lanes, 4) : 4 + random() % std::min<std::size_t>(3 * lanes, kTile - 3),
          0,
          {}};
      const std::size_t threads = launch.grid * launch.block;
      launch.size = round % 2 == 0 ? threads : 1 + random() % threads;
      SCOPED_TRACE(std::to_string(launch.size) + " elements, " + std::to_string(launch.grid) + " blocks of " +
                   std::to_string(launch.block) + " at " + std::to_string(lanes) + " lanes");

      const Array any = random_array(random, Type::F32, launch.size, 0);
      EXPECT_EQ(output_of(twin_, launch, any), output_of(base_, launch, any));

      std::set<float> different;  // 64 of them add up to less than 2^24
      while (different.size() < launch.size)
        different.insert(static_cast<float>(static_cast<int>(random() % (1 << 18)) - (1 << 17)));
      launch.input.assign(different.begin(), different.end());
      std::shuffle(launch.input.begin(), launch.input.end(), random);
      Array whole{Type::F32, {}};
      for (const float value : launch.input) whole.bits.push_back(to_bits(value));
      Words expected;
      for (const float value : GetParam().oracle(launch)) expected.push_back(to_bits(value));
      EXPECT_EQ(output_of(twin_, launch, whole), expected);
      EXPECT_EQ(output_of(base_, launch, whole), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TwinTest, ::testing::ValuesIn(kTwins),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

// All programs that name another one, and only they, are in twin/; the program that they name exists and names none.
TEST(Twins, NameAProgramThatIsThere) {
  std::map<std::string, Lesson> programs;
  for (const EmbeddedProgram& one : embedded_programs()) {
    Assembled made = assemble(one.text, std::string(one.name), std::string(one.group));
    ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
    const std::string name = made.lesson()->full_name();
    programs.emplace(name, *made.lesson());
  }
  std::size_t twins = 0;
  for (const auto& [name, program] : programs) {
    EXPECT_EQ(program.group == "twin", !program.twin_of.empty()) << name;
    if (program.twin_of.empty()) continue;
    ++twins;
    ASSERT_TRUE(programs.contains(program.twin_of)) << name;
    EXPECT_EQ(programs.at(program.twin_of).twin_of, "") << name;
  }
  EXPECT_EQ(twins, kTwins.size());
}

}  // namespace twin_oracles_test
}  // namespace warpsim::testing
