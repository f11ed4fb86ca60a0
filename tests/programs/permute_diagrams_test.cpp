// The diagrams of programs/permute: every case fits a terminal of 80 columns at every lane count, and every calculation
// and comparison that they show is right, whatever the inputs.
#include <cmath>
#include <regex>

#include "tests/support/oracle_check.h"
#include "tests/support/program_host.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace permute_diagrams_test {

std::string steps_of(const Trace& trace) {
  TextOptions options;
  options.header = false;
  return render_text(trace, options);
}

using Numbers = std::vector<float>;

// What a program's lines say, and how many such lines a lane has at least, in tenths.
struct Claim {
  std::string program;
  std::string line;  // # means a number
  std::function<bool(const Numbers&)> holds;
  unsigned tenths;
};

std::ostream& operator<<(std::ostream& out, const Claim& claim) { return out << claim.program << ": " << claim.line; }

const std::vector<Claim>& claims() {
  static const auto less = [](const Numbers& n) { return n[0] < n[1] && n[2] <= n[3]; };
  static const auto greater = [](const Numbers& n) { return n[0] < n[1] && n[2] > n[3]; };
  static const auto difference = [](const Numbers& n) { return n[0] - n[1] == n[2]; };
  static const std::vector<Claim> all = {
      {"rotate", "#: # mod # = #", [](const Numbers& n) { return std::fmod(n[1], n[2]) == n[3] && n[0] < n[2]; }, 10},
      {"backward_difference", "# - # = #", difference, 5},
      {"trailing_average", R"(\(#\+#\+#\)/3=#)",
       [](const Numbers& n) {
         const float two = n[0] + n[1], three = two + n[2];
         return three / 3.0F == n[3];
       },
       2},
      {"trailing_average", R"(\(#\+#\)/2=#)", [](const Numbers& n) { return (n[0] + n[1]) / 2.0F == n[2]; }, 0},
      {"stencil_3", R"(\(#\+#\) - 2\*# = #)",
       [](const Numbers& n) {
         const float sides = n[0] + n[1];
         return sides - 2.0F * n[2] == n[3];
       },
       10},
      {"stencil_5", R"(\(\(#\+#\) \+ 4\*\(#\+#\) \+ 6\*#\) / 16 = #)",
       [](const Numbers& n) {
         const float outer = n[0] + n[1], inner = n[2] + n[3], five = outer + inner * 4.0F;
         return (five + n[4] * 6.0F) / 16.0F == n[5];
       },
       10},
      {"bitonic_sort", "#↔#: #≤#", less, 1},
      {"bitonic_sort", "#↔#: #>#", greater, 1},
      {"odd_even_merge_sort", "#↔#: #≤#", less, 1},
      {"odd_even_merge_sort", "#↔#: #>#", greater, 1},
      {"walsh_hadamard", R"(# \+ # = #)", [](const Numbers& n) { return n[0] + n[1] == n[2]; }, 10},
      {"walsh_hadamard", "# - # = #", difference, 10},
      {"convolution", R"(\(#, #\)\^2 = \(#, #\))",
       [](const Numbers& n) {
         const float minus = n[0] - n[1], plus = n[0] + n[1], product = n[0] * n[1];
         return minus * plus == n[2] && product + product == n[3];
       },
       10},
  };
  return all;
}

class PermuteDiagram : public ::testing::TestWithParam<Claim> {};

TEST_P(PermuteDiagram, ItsCalculationsAreRight) {
  const Claim& claim = GetParam();
  const Assembled assembled = assemble_program("permute/" + claim.program);
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  const std::regex line(std::regex_replace(claim.line, std::regex("#"), "(-?[0-9][0-9.]*(?:e[-+][0-9]+)?)"));
  std::mt19937 random(4);
  for (const unsigned lanes : {8U, 16U, 32U, 64U}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    Host host;
    host.lanes = host.block = lanes;
    for (const Param& param : assembled.program->params) {
      if (param.kind == Param::Kind::In)
        host.inputs[param.name] = random_array(random, param.type, lanes, param.type == Type::S32 ? 10000 : 0);
    }
    if (claim.program == "convolution") {
      host.inputs["cosine"].bits.resize(lanes / 2);
      host.inputs["sine"].bits.resize(lanes / 2);
    }
    const std::string text = steps_of(host.record(*assembled.program));
    unsigned shown = 0;
    for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match, ++shown) {
      Numbers numbers;
      for (std::size_t k = 1; k < match->size(); ++k) numbers.push_back(std::stof((*match)[k]));
      EXPECT_TRUE(claim.holds(numbers)) << match->str();
    }
    EXPECT_GE(shown, std::max(1U, lanes * claim.tenths / 10));
  }
}

INSTANTIATE_TEST_SUITE_P(Claims, PermuteDiagram, ::testing::ValuesIn(claims()),
                         [](const auto& claim) { return claim.param.program + "_" + std::to_string(claim.index); });

class PermuteWidth : public ::testing::TestWithParam<std::string> {};

TEST_P(PermuteWidth, FitsATerminal) {
  const Assembled assembled = assemble_program("permute/" + GetParam());
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  for (const Case& one : assembled.program->cases) {
    for (const unsigned lanes : lane_counts(*assembled.program, one)) {
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const RecordedRun run = record_run(*assembled.program, one, overrides);
      ASSERT_EQ(run.error, "");
      EXPECT_EQ(check_templates(run.trace.head), std::vector<std::string>{});
      std::istringstream drawn(steps_of(run.trace));
      int lines = 0;
      for (std::string line; std::getline(drawn, line); ++lines) EXPECT_LE(text_width(line), 80U) << line;
      EXPECT_GE(lines, 5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Twelve, PermuteWidth,
                         ::testing::Values("rotate", "reverse", "stencil_3", "stencil_5", "transpose", "bitonic_sort",
                                           "odd_even_merge_sort", "fft_radix2", "walsh_hadamard", "convolution",
                                           "backward_difference", "trailing_average"),
                         [](const auto& name) { return name.param; });

}  // namespace permute_diagrams_test
}  // namespace warpsim::testing
