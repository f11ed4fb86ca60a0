// The ten puzzles: every case at every lane count against oracles that know the puzzles' Mojo code and nothing of the
// programs, and that the cases that the puzzles ask for are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "isa/program/expand.h"
#include "tests/support/program_run.h"
#include "traces/template/phase_template.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace puzzles_test {

using Floats = std::vector<float>;

// A warp's living threads: global indices below size, in lane order. `block_start` is its block's first index.
struct Warp {
  std::vector<std::size_t> at;
  std::size_t block_start = 0;
};

struct Problem {
  Floats input;
  std::size_t lanes = 32;
  float pivot = 5;
  std::vector<Warp> warps;
};

std::vector<Warp> warps_of(std::size_t grid, std::size_t block, std::size_t lanes, std::size_t size) {
  std::vector<Warp> warps;
  for (std::size_t b = 0; b < grid; ++b) {
    for (std::size_t first = 0; first < block; first += lanes) {
      Warp warp;
      warp.block_start = b * block;
      for (std::size_t t = first; t < std::min(block, first + lanes); ++t) {
        if (b * block + t < size) warp.at.push_back(b * block + t);
      }
      if (!warp.at.empty()) warps.push_back(warp);
    }
  }
  return warps;
}

using Oracle = std::function<void(const Problem&, const Warp&, Floats& output)>;

float first_four(const Problem& p, const Warp& w) {
  float sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (w.block_start + i < p.input.size()) sum += p.input[w.block_start + i];
  }
  return sum;
}

void neighbor_difference(const Problem& p, const Warp& w, Floats& output) {
  for (std::size_t k = 0; k < w.at.size(); ++k)
    output[w.at[k]] = k + 1 < w.at.size() ? p.input[w.at[k + 1]] - p.input[w.at[k]] : 0.0F;
}

void moving_average(const Problem& p, const Warp& w, Floats& output) {
  for (std::size_t k = 0; k < w.at.size(); ++k) {
    const float current = p.input[w.at[k]];
    if (k + 2 < w.at.size()) {
      const float two = current + p.input[w.at[k + 1]];
      const float three = two + p.input[w.at[k + 2]];
      output[w.at[k]] = three / 3.0F;
    } else if (k + 1 < w.at.size()) {
      output[w.at[k]] = (current + p.input[w.at[k + 1]]) / 2.0F;
    } else {
      output[w.at[k]] = current;
    }
  }
}

void basic_broadcast(const Problem& p, const Warp& w, Floats& output) {
  for (const std::size_t i : w.at) output[i] = first_four(p, w) + p.input[i];
}

void conditional_broadcast(const Problem& p, const Warp& w, Floats& output) {
  float largest = p.input[w.block_start];
  const std::size_t count = std::min({std::size_t{8}, p.lanes, p.input.size() - w.block_start});
  for (std::size_t i = 1; i < count; ++i) largest = std::max(largest, p.input[w.block_start + i]);
  for (const std::size_t i : w.at) output[i] = p.input[i] >= largest / 2.0F ? p.input[i] * 2.0F : p.input[i] / 2.0F;
}

void coordination(const Problem& p, const Warp& w, Floats& output) {
  const float scale = first_four(p, w) / 4.0F;
  for (std::size_t k = 0; k < w.at.size(); ++k) {
    const float current = p.input[w.at[k]];
    output[w.at[k]] = (k + 1 < w.at.size() ? current + p.input[w.at[k + 1]] : current) * scale;
  }
}

void pair_swap(const Problem& p, const Warp& w, Floats& output) {
  for (std::size_t k = 0; k < w.at.size(); ++k) {
    const std::size_t partner = k % 2 == 0 ? k + 1 : k - 1;
    output[w.at[k]] = p.input[w.at[partner < w.at.size() ? partner : k]];
  }
}

void parallel_max(const Problem& p, const Warp& w, Floats& output) {
  float largest = p.input[w.at[0]];
  for (const std::size_t i : w.at) largest = std::max(largest, p.input[i]);
  for (const std::size_t i : w.at) output[i] = largest;
}

void conditional_max(const Problem& p, const Warp& w, Floats& output) {
  float largest = p.input[w.at[0]], smallest = largest;
  for (const std::size_t i : w.at) largest = std::max(largest, p.input[i]), smallest = std::min(smallest, p.input[i]);
  for (std::size_t k = 0; k < w.at.size(); ++k) output[w.at[k]] = k % 2 == 0 ? largest : smallest;
}

void prefix_sum(const Problem& p, const Warp& w, Floats& output) {
  float sum = 0;
  for (const std::size_t i : w.at) output[i] = sum += p.input[i];
}

void partition(const Problem& p, const Warp& w, Floats& output) {
  std::vector<std::size_t> order = w.at;
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return p.input[i] < p.pivot; });
  for (std::size_t k = 0; k < order.size(); ++k) output[w.at[k]] = p.input[order[k]];
}

struct Puzzle {
  std::string name, title, command;
  Oracle oracle;
};

const std::vector<Puzzle>& puzzles() {
  static const std::vector<Puzzle> all = {
      {"p25/neighbor_difference", "Basic neighbor difference", "p25 --neighbor", neighbor_difference},
      {"p25/moving_average_3", "Moving average", "p25 --average", moving_average},
      {"p25/basic_broadcast", "Basic broadcast", "p25 --broadcast-basic", basic_broadcast},
      {"p25/conditional_broadcast", "Conditional broadcast", "p25 --broadcast-conditional", conditional_broadcast},
      {"p25/broadcast_shuffle_coordination", "Broadcast + Shuffle coordination", "p25 --broadcast-shuffle-coordination",
       coordination},
      {"p26/butterfly_pair_swap", "Butterfly pair swap", "p26 --pair-swap", pair_swap},
      {"p26/butterfly_parallel_max", "Butterfly parallel max", "p26 --parallel-max", parallel_max},
      {"p26/butterfly_conditional_max", "Butterfly conditional max", "p26 --conditional-max", conditional_max},
      {"p26/warp_inclusive_prefix_sum", "Warp inclusive prefix sum", "p26 --prefix-sum", prefix_sum},
      {"p26/warp_partition", "Warp partition", "p26 --partition", partition},
  };
  return all;
}

const Array& array_of(const std::vector<std::pair<std::string, Array>>& list, const std::string& name) {
  static const Array none;
  for (const auto& [key, array] : list) {
    if (key == name) return array;
  }
  return none;
}

Floats floats_of(const Array& array) {
  Floats values;
  for (const std::uint64_t bits : array.bits) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return values;
}

Floats solve(const Puzzle& puzzle, const Trace& trace) {
  Problem problem;
  problem.input = floats_of(array_of(trace.head.inputs, "input"));
  problem.lanes = trace.head.lanes;
  for (const TraceParam& param : trace.head.params) {
    if (param.name == "pivot") problem.pivot = std::bit_cast<float>(static_cast<std::uint32_t>(param.bits));
  }
  Floats output(problem.input.size(), 0.0F);
  for (const Warp& warp : warps_of(trace.head.grid.x, trace.head.block.x, problem.lanes, problem.input.size()))
    puzzle.oracle(problem, warp, output);
  return output;
}

void check_run(const Puzzle& puzzle, const Trace& trace) {
  ASSERT_FALSE(trace.outcome.trap.has_value()) << english(trace.outcome.trap->message);
  EXPECT_TRUE(trace.outcome.findings.empty());
  EXPECT_TRUE(trace.outcome.undefined.empty());
  EXPECT_EQ(floats_of(array_of(trace.outcome.outputs, "output")), solve(puzzle, trace));
}

std::ostream& operator<<(std::ostream& out, const Puzzle& puzzle) { return out << puzzle.name; }

class PuzzleTest : public ::testing::TestWithParam<Puzzle> {};

TEST_P(PuzzleTest, EveryCaseAtEveryLaneCount) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  for (const Case& one : assembled.lesson()->cases) {
    std::vector<unsigned> counts = lane_counts(*assembled.lesson(), one);
    if (one.find("lanes") == nullptr) counts.insert(counts.end(), {1, 2});
    for (const unsigned lanes : counts) {
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
      ASSERT_EQ(run.error, "");
      check_run(GetParam(), run.trace);
      EXPECT_EQ(run.trace.outcome.passed, true);  // the case's own rule agrees with the oracle
    }
  }
}

// An expanded run's text as that of the one step: without the shuffles that stand below what they come to.
std::string without_shuffles(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  bool shuffles = false;
  for (std::string line; std::getline(lines, line);) {
    shuffles = line == "  As the shuffles that a GPU runs:" || (shuffles && line.starts_with("   "));
    if (!shuffles) rest += line + "\n";
  }
  const std::string named = "(as shuffles)";
  for (std::size_t at = 0; (at = rest.find(named, at)) != std::string::npos;)
    rest.replace(at, named.size(), "(hardware-accelerated)");
  return rest;
}

// Collectives in one step and as the shuffles that a real GPU runs: the same outputs, the same diagram.
TEST_P(PuzzleTest, ExpandedIsTheSame) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  TextOptions steps;
  steps.header = steps.cycles = steps.pictures = false;
  for (const Case& one : assembled.lesson()->cases) {
    for (const unsigned lanes : lane_counts(*assembled.lesson(), one)) {
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
      const Lesson expanded = expand_collectives(*assembled.lesson(), lanes);
      const RecordedRun other = record_run(expanded, one, overrides);
      ASSERT_EQ(run.error + other.error, "");
      check_run(GetParam(), other.trace);
      EXPECT_EQ(render_text(run.trace, steps), without_shuffles(render_text(other.trace, steps)));
    }
  }
}

TEST_P(PuzzleTest, HasTheCasesThatTheTaskAsksFor) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  const Lesson& program = *assembled.lesson();
  ASSERT_FALSE(program.cases.empty());
  EXPECT_EQ(program.cases[0].name, "test");
  for (const char* name : {"test", "worked", "blocks", "size20", "size48", "partial", "different"})
    EXPECT_NE(program.find_case(name), nullptr) << name;
  for (const char* name : {"test", "blocks", "partial", "different"})
    EXPECT_EQ(lane_counts(program, *program.find_case(name)), (std::vector<unsigned>{4, 8, 16, 32, 64})) << name;
  EXPECT_EQ(program.title, GetParam().title);
  EXPECT_EQ(program.puzzle, GetParam().command);
  EXPECT_GE(program.find_param("size"), 0);
  EXPECT_FALSE(program.header.empty());
  EXPECT_FALSE(program.document.empty());
  const RecordedRun run = record_run(program, *program.find_case("different"), {});
  ASSERT_EQ(run.error, "");
  const Floats input = floats_of(array_of(run.trace.head.inputs, "input"));
  EXPECT_EQ(std::set<float>(input.begin(), input.end()).size(), input.size());
  EXPECT_EQ(check_templates(run.trace.head), std::vector<std::string>{});
}

// Sizes from 1 to past one warp, also with one lane: ragged warps everywhere, and never an undefined value used.
TEST_P(PuzzleTest, AnySizeAndLaneCount) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  ASSERT_NE(assembled.lesson()->find_case("different"), nullptr);
  Case one = *assembled.lesson()->find_case("different");
  std::erase_if(one.fields, [](const CaseField& field) { return field.key == "expect output"; });
  for (const unsigned lanes : {1U, 2U, 8U, 32U, 64U}) {
    for (std::size_t size = 1; size <= 2 * lanes; size += lanes > 8 ? 7 : 1) {
      SCOPED_TRACE(std::to_string(size) + " elements at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      overrides.params["size"] = std::to_string(size);
      Array input{Type::F32, {}};
      for (std::size_t i = 0; i < size; ++i)
        input.bits.push_back(std::bit_cast<std::uint32_t>(static_cast<float>((i * 89 + size) % 257) / 4.0F - 70.0F));
      overrides.input_arrays["input"] = input;
      const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
      ASSERT_EQ(run.error, "");
      check_run(GetParam(), run.trace);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ten, PuzzleTest, ::testing::ValuesIn(puzzles()),
                         [](const auto& puzzle) { return puzzle.param.name.substr(puzzle.param.name.find('/') + 1); });

// The outputs that the puzzles print, at 32 lanes.
TEST(PuzzleOutputs, AreTheDocuments) {
  const std::map<std::string, Floats> first = {
      {"p25/neighbor_difference", {1, 3, 5, 7, 9, 11, 13, 15}},                                          // 004:338
      {"p25/moving_average_3", {3.3333333F, 6.3333335F, 10.333333F, 15.333333F, 21.333334F}},            // 004:545
      {"p25/basic_broadcast", {11, 12, 13, 14, 15, 16, 17, 18}},                                         // 004:856
      {"p25/conditional_broadcast", {1.5F, 0.5F, 14, 1, 18, 2, 12, 16, 1.5F}},                           // 004:1062
      {"p25/broadcast_shuffle_coordination", {30, 50, 70, 45, 20, 40, 60, 40, 20}},                      // 004:1295
      {"p26/butterfly_pair_swap", {1, 0, 3, 2, 5, 4, 7, 6}},                                             // 000:145
      {"p26/butterfly_parallel_max", {1000, 1000, 1000, 1000}},                                          // 000:340
      {"p26/butterfly_conditional_max", {9, 0, 9, 0, 9, 0}},                                             // 000:515
      {"p26/warp_inclusive_prefix_sum", {1, 3, 6, 10, 15, 21, 28, 36, 45, 55}},                          // 002:1085
      {"p26/warp_partition", {3, 1, 2, 4, 0, 3, 1, 4, 3, 1, 2, 4, 0, 3, 1, 4, 7, 8, 9, 6, 10, 11, 12}},  // 002:1281
  };
  const std::map<std::string, Floats> last = {
      {"p25/neighbor_difference", {57, 59, 61, 0}},
      {"p25/moving_average_3", {1953.3334F, 2016.3334F, 2048, 2080}},
      {"p25/basic_broadcast", {41, 42}},
      {"p25/conditional_broadcast", {12, 16}},
      {"p25/broadcast_shuffle_coordination", {20, 40, 60, 35}},
      {"p26/butterfly_pair_swap", {29, 28, 31, 30}},
      {"p26/butterfly_parallel_max", {1000}},
      {"p26/butterfly_conditional_max", {63, 32, 63, 32}},
      {"p26/warp_inclusive_prefix_sum", {465, 496, 528}},
      {"p26/warp_partition", {9, 6, 10, 11, 12, 13}},
  };
  for (const auto& [name, head] : first) {
    SCOPED_TRACE(name);
    CaseOverrides overrides;
    overrides.lanes = 32;
    const RecordedRun run = record_run(name, "test", overrides);
    ASSERT_EQ(run.error, "");
    const Floats output = floats_of(array_of(run.trace.outcome.outputs, "output"));
    const Floats& tail = last.at(name);
    ASSERT_GE(output.size(), head.size() + tail.size() - 1);
    EXPECT_EQ(Floats(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(head.size())), head);
    EXPECT_EQ(Floats(output.end() - static_cast<std::ptrdiff_t>(tail.size()), output.end()), tail);
    EXPECT_EQ(run.trace.outcome.passed, true);
  }
}

}  // namespace puzzles_test
}  // namespace warpsim::testing
