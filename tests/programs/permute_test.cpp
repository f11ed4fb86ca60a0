// programs/permute: the permutations, stencils, differences, sorts and the Walsh-Hadamard transform against plain C++,
// in whole, ragged and partial warps. The proofs of the sorts, of FFT and of convolution are in files beside this.
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "tests/support/oracle_check.h"
#include "tests/support/program_host.h"

namespace warpsim::testing {
namespace permute_test {

std::vector<float> own(const Problem& p, const Warp& warp) {
  std::vector<float> values;
  for (const std::size_t i : warp.at) values.push_back(from_bits<float>(p.inputs.at("input")[i]));
  return values;
}

template <class T>
void write(const Warp& warp, const std::vector<T>& values, Outputs& out) {
  for (std::size_t k = 0; k < values.size(); ++k) out["output"][warp.at[k]] = to_bits(values[k]);
}

void rotate(const Problem& p, const Warp& warp, Outputs& out) {
  std::vector<float> values = own(p, warp);
  const auto count = static_cast<std::int64_t>(values.size());
  const std::int64_t turn = static_cast<std::int32_t>(static_cast<std::uint32_t>(p.params.at("rotation")));
  std::rotate(values.begin(), values.begin() + (turn % count + count) % count, values.end());
  write(warp, values, out);
}

void reverse(const Problem& p, const Warp& warp, Outputs& out) {
  std::vector<float> values = own(p, warp);
  std::reverse(values.begin(), values.end());
  write(warp, values, out);
}

void backward_difference(const Problem& p, const Warp& warp, Outputs& out) {
  std::vector<float> values = own(p, warp);
  std::adjacent_difference(values.begin(), values.end(), values.begin());
  values[0] = 0;
  write(warp, values, out);
}

void trailing_average(const Problem& p, const Warp& warp, Outputs& out) {
  const std::vector<float> x = own(p, warp);
  std::vector<float> values;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (k == 0) values.push_back(x[0]);
    if (k == 1) values.push_back((x[1] + x[0]) / 2.0F);
    if (k < 2) continue;
    const float two = x[k] + x[k - 1];
    const float three = two + x[k - 2];
    values.push_back(three / 3.0F);
  }
  write(warp, values, out);
}

// A warp's edges repeat the value at the edge.
void stencil_3(const Problem& p, const Warp& warp, Outputs& out) {
  std::vector<float> x = own(p, warp), values;
  x.insert(x.begin(), x.front());
  x.push_back(x.back());
  for (std::size_t k = 1; k + 1 < x.size(); ++k) {
    const float sides = x[k - 1] + x[k + 1];
    values.push_back(sides - 2.0F * x[k]);
  }
  write(warp, values, out);
}

// Over the whole input, whatever the warps; its ends repeat the value there.
void stencil_5(const Problem& p, const Warp& warp, Outputs& out) {
  const auto at = [&](std::size_t i, std::ptrdiff_t distance) {
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(p.inputs.at("input").size()) - 1;
    const std::ptrdiff_t place = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(i) + distance, 0, last);
    return from_bits<float>(p.inputs.at("input")[static_cast<std::size_t>(place)]);
  };
  std::vector<float> values;
  for (const std::size_t i : warp.at) {
    const float outer = at(i, -2) + at(i, 2);
    const float inner = at(i, -1) + at(i, 1);
    const float five = outer + inner * 4.0F;
    values.push_back((five + at(i, 0) * 6.0F) / 16.0F);
  }
  write(warp, values, out);
}

void sort(const Problem& p, const Warp& warp, Outputs& out) {
  std::vector<std::int32_t> values;
  for (const std::uint64_t bits : p.input(warp, "input")) values.push_back(from_bits<std::int32_t>(bits));
  std::sort(values.begin(), values.end());
  std::vector<std::uint32_t> keys(values.begin(), values.end());
  write(warp, keys, out);
}

void walsh_hadamard(const Problem& p, const Warp& warp, Outputs& out) {
  if (warp.at.size() != p.lanes) return;  // a ragged warp has no transform
  const Words input = p.input(warp, "input");
  std::vector<std::uint32_t> values(p.lanes);
  for (std::size_t k = 0; k < p.lanes; ++k) {
    for (std::size_t j = 0; j < p.lanes; ++j) {
      const std::uint32_t value = static_cast<std::uint32_t>(input[j]);
      values[k] += std::popcount(k & j) % 2 == 0 ? value : 0U - value;
    }
  }
  write(warp, values, out);
}

std::map<std::string, std::string> any_rotation(std::mt19937& random, unsigned) {
  return {{"rotation", std::to_string(static_cast<std::int32_t>(random()))}};
}

const std::vector<CheckedProgram>& programs() {
  static const std::vector<CheckedProgram> all = {
      {"permute/rotate", rotate, {}, any_rotation},
      {"permute/reverse", reverse},
      {"permute/backward_difference", backward_difference},
      {"permute/trailing_average", trailing_average},
      {"permute/stencil_3", stencil_3},
      {"permute/stencil_5", stencil_5},
      {"permute/bitonic_sort", sort},
      {"permute/odd_even_merge_sort", sort},
      {"permute/walsh_hadamard", walsh_hadamard},
  };
  return all;
}

class PermuteTest : public ::testing::TestWithParam<CheckedProgram> {};

TEST_P(PermuteTest, CasesAtEveryLaneCount) { check_cases(GetParam()); }
TEST_P(PermuteTest, RandomInputs) { check_random(GetParam()); }
TEST_P(PermuteTest, HasWhatAReaderNeeds) { check_form(GetParam()); }

TEST(Permute, EveryProgramIsHere) {
  std::vector<CheckedProgram> all = programs();
  // Transpose.* below, and permute_transforms_test.cpp.
  for (const char* name : {"permute/transpose", "permute/fft_radix2", "permute/convolution"}) all.push_back({name, {}});
  expect_whole_group("permute", all);
}

INSTANTIATE_TEST_SUITE_P(All, PermuteTest, ::testing::ValuesIn(programs()),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

// The others' form. Their oracles are not given by the warp's elements alone.
TEST(PermuteForm, OfTransposeAndTransforms) {
  check_form({"permute/transpose", {}});
  for (const std::string name : {"permute/fft_radix2", "permute/convolution"})
    check_form({name, {}, {}, {}, {}, 1, 3, {"sine"}});
}

// The others' cases, at the lane counts where they run; their oracles are below and in permute_transforms_test.cpp.
TEST(PermuteCases, OfTransposeAndTransforms) {
  for (const std::string name : {"permute/transpose", "permute/fft_radix2", "permute/convolution"}) {
    const Assembled assembled = assemble_program(name);
    ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
    for (const Case& one : assembled.program->cases) {
      std::vector<unsigned> counts = lane_counts(*assembled.program, one);
      if (one.find("lanes") == nullptr && name != "permute/transpose") counts.insert(counts.end(), {1, 2});
      for (const unsigned lanes : counts) {
        SCOPED_TRACE(name + ", " + one.name + " at " + std::to_string(lanes) + " lanes");
        CaseOverrides overrides;
        overrides.lanes = lanes;
        const RecordedRun run = record_run(*assembled.program, one, overrides);
        ASSERT_EQ(run.error, "");
        if (name == "permute/fft_radix2" && one.name == "different")
          EXPECT_EQ(run.trace.outcome.passed, std::nullopt);  // permute_transforms_test.cpp compares it
        else EXPECT_EQ(run.trace.outcome.passed, true);
        EXPECT_TRUE(run.trace.outcome.ok);
        EXPECT_TRUE(run.trace.outcome.undefined.empty());
      }
    }
  }
}

TEST(Transpose, IsTheTransposeOfEveryTile) {
  std::mt19937 random(1858);
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
      for (float& value : input) value = std::uniform_real_distribution<float>(-100, 100)(random);
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

// Without the check the first lane would take itself for its predecessor, and only infinity and NaN would show it.
TEST(BackwardDifference, TheCheckMattersOnlyForWhatIsNotFinite) {
  const Assembled assembled = assemble_program("permute/backward_difference");
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  std::string text = source_text("programs/permute/backward_difference.warp");
  const std::string guard = "@%there sub.f32";
  ASSERT_NE(text.find(guard), std::string::npos);
  text.replace(text.find(guard), guard.size(), "sub.f32");
  text += "\n.allow WS0201 \"this is what it is about\"\n";
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

}  // namespace permute_test
}  // namespace warpsim::testing
