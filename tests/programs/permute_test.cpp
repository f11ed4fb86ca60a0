// programs/permute: every case at every lane count, and the permutations, stencils and differences against plain C++ on
// random inputs, in whole, ragged and partial warps. The sorts and the transforms have files of their own beside this.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/support/program_host.h"
#include "traces/phase_template.h"

namespace warpsim::testing {
namespace {

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {
      "rotate",           "reverse",      "stencil_3",           "stencil_5",  "transpose",      "backward_difference",
      "trailing_average", "bitonic_sort", "odd_even_merge_sort", "fft_radix2", "walsh_hadamard", "convolution"};
  return all;
}

class PermuteTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PermuteTest, EveryCaseAtEveryLaneCount) {
  const Assembled assembled = assemble_program("permute/" + GetParam());
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  const Program& program = *assembled.program;
  for (const Case& one : program.cases) {
    std::vector<unsigned> counts = lane_counts(program, one);
    if (one.find("lanes") == nullptr && GetParam() != "transpose") counts.insert(counts.end(), {1, 2});
    for (const unsigned lanes : counts) {
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const RecordedRun run = record_run(program, one, overrides);
      ASSERT_EQ(run.error, "");
      EXPECT_EQ(run.trace.outcome.passed, true);
      EXPECT_TRUE(run.trace.outcome.ok);
      EXPECT_TRUE(run.trace.outcome.undefined.empty());
      EXPECT_EQ(check_templates(run.trace.head), std::vector<std::string>{});
    }
  }
}

TEST_P(PermuteTest, HasWhatAReaderNeeds) {
  const Assembled assembled = assemble_program("permute/" + GetParam());
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  const Program& program = *assembled.program;
  ASSERT_FALSE(program.cases.empty());
  EXPECT_EQ(program.cases[0].name, "test");
  for (const char* name : {"worked", "blocks", "partial"}) EXPECT_NE(program.find_case(name), nullptr) << name;
  for (const char* name : {"test", "blocks", "partial"})
    EXPECT_EQ(lane_counts(program, *program.find_case(name)), (std::vector<unsigned>{4, 8, 16, 32, 64})) << name;
  EXPECT_NE(program.header.find("The trick:"), std::string::npos);
  EXPECT_FALSE(program.title.empty());
  EXPECT_FALSE(program.document.empty());
}

INSTANTIATE_TEST_SUITE_P(All, PermuteTest, ::testing::ValuesIn(names()), [](const auto& name) { return name.param; });

struct Problem {
  std::vector<float> input;
  int rotation = 0;
};

// What the lanes at `at` (one warp) write.
using Oracle = std::function<std::vector<float>(const Problem&, const std::vector<std::size_t>& at)>;

std::vector<float> own(const Problem& p, const std::vector<std::size_t>& at) {
  std::vector<float> values;
  for (const std::size_t i : at) values.push_back(p.input[i]);
  return values;
}

std::vector<float> rotate(const Problem& p, const std::vector<std::size_t>& at) {
  std::vector<float> values = own(p, at);
  const int count = static_cast<int>(values.size());
  const int left = (p.rotation % count + count) % count;
  std::rotate(values.begin(), values.begin() + left, values.end());
  return values;
}

std::vector<float> reverse(const Problem& p, const std::vector<std::size_t>& at) {
  std::vector<float> values = own(p, at);
  std::reverse(values.begin(), values.end());
  return values;
}

std::vector<float> backward_difference(const Problem& p, const std::vector<std::size_t>& at) {
  std::vector<float> values = own(p, at);
  std::adjacent_difference(values.begin(), values.end(), values.begin());
  values[0] = 0;
  return values;
}

std::vector<float> trailing_average(const Problem& p, const std::vector<std::size_t>& at) {
  const std::vector<float> x = own(p, at);
  std::vector<float> values;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (k == 0) values.push_back(x[0]);
    if (k == 1) values.push_back((x[1] + x[0]) / 2.0F);
    if (k < 2) continue;
    const float two = x[k] + x[k - 1];
    const float three = two + x[k - 2];
    values.push_back(three / 3.0F);
  }
  return values;
}

// Heat flows between neighbors of a warp and nowhere else: each gets the difference to either side. The inputs of the
// test are multiples of 1/4, so no order of the additions rounds.
std::vector<float> stencil_3(const Problem& p, const std::vector<std::size_t>& at) {
  const std::vector<float> x = own(p, at);
  std::vector<float> values(x.size(), 0.0F);
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    values[k] += x[k + 1] - x[k];
    values[k + 1] += x[k] - x[k + 1];
  }
  return values;
}

// Over the whole input, whatever the warps. Averaging neighbors four times gives the weights 1 4 6 4 1; exact likewise.
std::vector<float> stencil_5(const Problem& p, const std::vector<std::size_t>& at) {
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(p.input.size()) - 1;
  std::vector<float> values;
  for (const std::size_t i : at) {
    std::vector<float> row;
    for (std::ptrdiff_t d = -2; d <= 2; ++d)
      row.push_back(
          p.input[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(i) + d, 0, last))]);
    for (std::size_t round = 0; round < 4; ++round) {
      for (std::size_t k = 0; k + 1 < row.size(); ++k) row[k] = (row[k] + row[k + 1]) / 2.0F;
      row.pop_back();
    }
    values.push_back(row[0]);
  }
  return values;
}

TEST(PermuteOracles, AnySizeAndLaneCount) {
  const std::map<std::string, Oracle> oracles = {{"rotate", rotate},
                                                 {"reverse", reverse},
                                                 {"backward_difference", backward_difference},
                                                 {"trailing_average", trailing_average},
                                                 {"stencil_3", stencil_3},
                                                 {"stencil_5", stencil_5}};
  std::mt19937 random(26);
  for (const auto& [name, oracle] : oracles) {
    const Assembled assembled = assemble_program("permute/" + name);
    ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
    for (const unsigned lanes : {1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
      for (std::size_t size = 1; size <= 3 * lanes + 4; size += lanes > 8 ? 9 : 1) {
        SCOPED_TRACE(name + ", " + std::to_string(size) + " elements at " + std::to_string(lanes) + " lanes");
        Host host;
        host.lanes = lanes;
        host.block = lanes + lanes / 2 + 1;  // the second warp of a block is partial, the grid's last warp ragged
        host.grid = static_cast<std::uint32_t>((size + host.block - 1) / host.block);
        Problem problem;
        std::vector<int> distinct(size);
        std::iota(distinct.begin(), distinct.end(), -static_cast<int>(size) / 2);
        std::shuffle(distinct.begin(), distinct.end(), random);
        for (const int value : distinct) problem.input.push_back(static_cast<float>(value) / 4.0F);
        host.params["size"] = std::to_string(size);
        host.inputs["input"] = f32_array(problem.input);
        if (name == "rotate") {
          problem.rotation = static_cast<int>(random()) / 2;
          host.params["rotation"] = std::to_string(problem.rotation);
        }
        std::vector<float> expected(size);
        for (const WarpThreads& warp : warps_of(host, size)) {
          const std::vector<float> values = oracle(problem, warp.at);
          for (std::size_t k = 0; k < values.size(); ++k) expected[warp.at[k]] = values[k];
        }
        const Host::Outputs outputs = host.checked_run(*assembled.program);
        ASSERT_EQ(f32_values(outputs.at("output")), expected);
      }
    }
  }
}

TEST(PermuteOracles, Transpose) {
  const Assembled assembled = assemble_program("permute/transpose");
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
    for (const std::uint32_t tiles : {1U, 2U, 5U, 20U}) {
      SCOPED_TRACE(std::to_string(tiles) + " tiles at " + std::to_string(lanes) + " lanes");
      Host host;
      host.lanes = lanes;
      host.block = lanes + 4;
      host.grid = (4 * tiles + host.block - 1) / host.block;
      host.params["tiles"] = std::to_string(tiles);
      std::vector<float> input(16 * std::size_t{tiles}), expected(input.size());
      std::iota(input.begin(), input.end(), 1.0F);
      for (std::size_t t = 0; t < tiles; ++t) {
        for (std::size_t row = 0; row < 4; ++row) {
          for (std::size_t column = 0; column < 4; ++column)
            expected[16 * t + 4 * column + row] = input[16 * t + 4 * row + column];
        }
      }
      host.inputs["input"] = f32_array(input);
      ASSERT_EQ(f32_values(host.checked_run(*assembled.program).at("output")), expected);
    }
  }
}

// Every shuffle of these asks each living lane exactly once.
TEST(Permutations, EachSourceExactlyOnce) {
  for (const std::string name : {"rotate", "reverse", "transpose"}) {
    const Assembled assembled = assemble_program("permute/" + name);
    ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
    for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
      const std::string length = name == "transpose" ? "tiles" : "size";
      for (const std::uint32_t count : {1U, lanes / 4, lanes / 4 + 1}) {
        SCOPED_TRACE(name + ", " + std::to_string(count) + " at " + std::to_string(lanes) + " lanes");
        Host host;
        host.lanes = lanes;
        host.block = lanes;
        host.grid = 2;
        host.params[length] = std::to_string(count);
        host.inputs["input"] = f32_array(std::vector<float>(name == "transpose" ? 16 * count : count, 1.0F));
        std::size_t exchanges = 0;
        for (const TraceEvent& event : host.record(*assembled.program).events) {
          if (!event.exchange) continue;
          ++exchanges;
          LaneMask sources = 0;
          for (const std::uint8_t from : event.exchange->from) sources |= LaneMask{1} << from;
          EXPECT_EQ(sources, event.exchange->lanes);  // as many sources as receivers, and the very same lanes
          EXPECT_EQ(event.exchange->in_range, event.exchange->lanes);
        }
        EXPECT_GE(exchanges, name == "transpose" ? 4U : 1U);
      }
    }
  }
}

// The filter's gain from its own impulse response: -3 dB at 0.155 of the sampling rate and 1/3 at a quarter of it.
TEST(TrailingAverage, IsTheCausalFilter) {
  const Assembled assembled = assemble_program("permute/trailing_average");
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  Host host;
  std::vector<float> impulse(32, 0.0F);
  impulse[8] = 1.0F;
  host.inputs["input"] = f32_array(impulse);
  const std::vector<float> response = f32_values(host.checked_run(*assembled.program).at("output"));
  for (std::size_t n = 0; n < 8; ++n) EXPECT_EQ(response[n], 0.0F);  // nothing before the impulse
  const auto gain = [&](double frequency) {
    double re = 0, im = 0;
    for (std::size_t n = 0; n < response.size(); ++n) {
      const double angle = 2 * std::acos(-1.0) * frequency * static_cast<double>(n);
      re += static_cast<double>(response[n]) * std::cos(angle);
      im += static_cast<double>(response[n]) * std::sin(angle);
    }
    return std::hypot(re, im);
  };
  EXPECT_NEAR(gain(0), 1, 1e-6);
  EXPECT_GT(gain(0.155), std::sqrt(0.5));
  EXPECT_LT(gain(0.156), std::sqrt(0.5));
  EXPECT_NEAR(gain(0.25), 1.0 / 3.0, 1e-6);
}

// Without the check the first lane would take itself for its predecessor, and only infinity and NaN would tell.
TEST(BackwardDifference, TheCheckMattersOnlyForWhatIsNotFinite) {
  const Assembled assembled = assemble_program("permute/backward_difference");
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  std::string text = source_text("programs/permute/backward_difference.warp");
  const std::string guard = "@%there sub.f32";
  ASSERT_NE(text.find(guard), std::string::npos);
  text.replace(text.find(guard), guard.size(), "sub.f32");
  const Assembled unchecked = assemble(text, "unchecked.warp");
  ASSERT_TRUE(unchecked.program) << unchecked.diagnostics.render();
  Host host;
  for (const float first : {3.0F, -0.0F, 1e38F, 1e-45F}) {
    std::vector<float> input(32, 7.0F);
    input[0] = first;
    host.inputs["input"] = f32_array(input);
    EXPECT_EQ(host.checked_run(*assembled.program), host.checked_run(*unchecked.program)) << first;
  }
  std::vector<float> input(32, 7.0F);
  input[0] = std::numeric_limits<float>::infinity();
  host.inputs["input"] = f32_array(input);
  EXPECT_EQ(f32_values(host.checked_run(*assembled.program).at("output"))[0], 0.0F);
  EXPECT_TRUE(std::isnan(f32_values(host.checked_run(*unchecked.program).at("output"))[0]));
}

}  // namespace
}  // namespace warpsim::testing
