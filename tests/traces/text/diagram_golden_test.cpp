// The sources' diagrams, token for token, drawn from recorded runs. traces/golden/README.md says where a golden
// differs from its document.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "programs/embedded.h"
#include "tests/support/program_run.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace diagram_golden_test {

std::vector<std::string> tokens_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> tokens;
  for (std::string token; stream >> token;) tokens.push_back(token);
  return tokens;
}

// One drawing that a golden is made of: the steps of a run, or one picture.
struct Part {
  std::string program, case_name, picture;
  unsigned lanes;
  bool first_block_only = false;
};
struct Golden {
  std::string file;
  bool ascii;
  std::vector<Part> parts;
};

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> all = {
      {"000_175_198_butterfly_pair_swap", false, {{"p26/butterfly_pair_swap", "test", "", 32}}},
      {"000_293_309_butterfly_parallel_max_tree", false, {{"p26/butterfly_parallel_max", "worked_4", "tree", 4}}},
      {"000_373_399_butterfly_parallel_max", false, {{"p26/butterfly_parallel_max", "worked", "", 8}}},
      {"000_558_578_butterfly_conditional_max", false, {{"p26/butterfly_conditional_max", "worked", "", 4}}},
      {"001_201_223_butterfly_pair_swap", false, {{"p26/butterfly_pair_swap", "test", "", 32}}},
      {"001_329_343_butterfly_parallel_max_tree", false, {{"p26/butterfly_parallel_max", "worked_4", "tree", 4}}},
      {"001_420_444_butterfly_parallel_max", false, {{"p26/butterfly_parallel_max", "worked", "", 8}}},
      {"001_622_640_butterfly_conditional_max", false, {{"p26/butterfly_conditional_max", "worked", "", 4}}},
      {"002_25_34_overview",
       true,
       {{"p26/butterfly_parallel_max", "test", "network", 32}, {"p26/warp_inclusive_prefix_sum", "test", "scan", 32}}},
      {"002_1149_1173_warp_inclusive_prefix_sum", true, {{"p26/warp_inclusive_prefix_sum", "worked", "", 32}}},
      {"002_1378_1413_warp_partition", true, {{"p26/warp_partition", "worked", "", 8}}},
      {"003_117_123_idx_broadcast", false, {{"shuffle/idx_broadcast", "worked", "", 8}}},
      {"003_167_181_up", false, {{"shuffle/up", "worked", "", 8}}},
      {"003_224_238_down", false, {{"shuffle/down", "worked", "", 8}}},
      {"003_281_293_xor_twice", false, {{"shuffle/xor_twice", "worked", "symmetry", 8}}},
      {"003_298_316_bfly_masks_1", false, {{"shuffle/bfly_masks", "worked", "", 8}}},
      {"003_321_338_bfly_masks_2", false, {{"shuffle/bfly_masks", "worked_2", "", 8}}},
      {"003_343_351_bfly_masks_network", false, {{"shuffle/bfly_masks", "test", "network", 32}}},
      {"004_25_34_overview",
       true,
       {{"p25/neighbor_difference", "test", "chain", 32}, {"p25/basic_broadcast", "test", "broadcast", 32}}},
      {"004_395_416_neighbor_difference", true, {{"p25/neighbor_difference", "worked", "", 32}}},
      {"004_609_637_moving_average_3", true, {{"p25/moving_average_3", "test", "", 32, true}}},
      {"004_651_657_moving_average_3_blocks", true, {{"p25/moving_average_3", "test", "blocks", 32}}},
      {"004_921_941_basic_broadcast", true, {{"p25/basic_broadcast", "worked", "", 32}}},
      {"004_1139_1166_conditional_broadcast", true, {{"p25/conditional_broadcast", "worked", "", 32}}},
      {"004_1377_1406_broadcast_shuffle_coordination",
       true,
       {{"p25/broadcast_shuffle_coordination", "worked", "", 32}}},
  };
  return all;
}

std::string draw(const Part& part, bool ascii, const Translations* korean = nullptr) {
  CaseOverrides overrides;
  overrides.lanes = part.lanes;
  const RecordedRun run = record_run(part.program, part.case_name, overrides);
  EXPECT_EQ(run.error, "");
  TextOptions options;
  options.ascii = ascii;
  options.language = korean == nullptr ? Language::English : Language::Korean;
  options.translations = korean;
  options.header = false;
  options.cycles = false;
  options.steps = part.picture.empty();
  options.pictures = false;
  options.picture = part.picture;
  if (part.first_block_only) options.block = 0;
  return render_text(run.trace, options);
}

std::ostream& operator<<(std::ostream& out, const Golden& golden) { return out << golden.file; }

class DiagramGolden : public ::testing::TestWithParam<Golden> {};

TEST_P(DiagramGolden, TokenForToken) {
  JsonError fault;
  const std::optional<Translations> korean = Translations::read(embedded_korean(), fault);
  ASSERT_TRUE(korean) << fault.message;
  const bool is_korean = GetParam().file.substr(0, 4) == "001_";  // 000's twin
  std::string drawn;
  for (const Part& part : GetParam().parts)
    drawn += draw(part, GetParam().ascii, is_korean ? &*korean : nullptr) + "\n";
  const std::vector<std::string> actual = tokens_of(drawn);
  const std::vector<std::string> expected = tokens_of(source_text("traces/golden/" + GetParam().file + ".txt"));
  ASSERT_FALSE(expected.empty());
  for (std::size_t k = 0; k < std::max(actual.size(), expected.size()); ++k) {
    const std::string want = k < expected.size() ? expected[k] : "(the end)",
                      have = k < actual.size() ? actual[k] : "(the end)";
    if (want == have) continue;
    FAIL() << "token " << k << ": the document has \"" << want << "\", the drawing \"" << have << "\" in\n" << drawn;
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, DiagramGolden, ::testing::ValuesIn(goldens()),
                         [](const auto& golden) { return golden.param.file; });

TEST(DiagramGoldens, EveryFileIsTested) {
  std::set<std::string> files, tested;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPSIM_SOURCE_DIR) + "/traces/golden")) {
    if (entry.path().extension() == ".txt") files.insert(entry.path().stem().string());
  }
  for (const Golden& golden : goldens()) tested.insert(golden.file);
  EXPECT_EQ(files, tested);
}

// 004:609-637 as printed: its numbers belong to the input 1, 2, 4, 7 of the case `worked`, and X is that input's 497.
TEST(DiagramGoldens, MovingAverageAsPrinted) {
  const std::string drawn = draw({"p25/moving_average_3", "worked", "", 32, true}, true);
  for (const char* line : {"  Lane 1: current_val = input[1] = 2\n", "  Lane 2: current_val = input[2] = 4\n",
                           "  Lane 2: next_val = input[3] = 7\n", "  Lane 2: next_next_val = input[4] = 11\n",
                           "  Lane 31: current_val = input[31] = 497\n", "  Lane 30: next_next_val = undefined\n"})
    EXPECT_NE(drawn.find(line), std::string::npos) << line << drawn;
}

// What the puzzles print (000:143-147, 002:1279-1283).
TEST(RunLines, AreTheDocuments) {
  CaseOverrides overrides;
  overrides.lanes = 32;
  const RecordedRun swap = record_run("p26/butterfly_pair_swap", "test", overrides);
  ASSERT_EQ(swap.error, "");
  const std::string swapped =
      "[1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, "
      "21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0]";
  EXPECT_EQ(render_run(run_facts(swap.trace.head, swap.trace.outcome)),
            "WARP_SIZE:  32\nSIZE:  32\noutput: " + swapped + "\nexpected: " + swapped +
                "\n✅ Butterfly pair swap test passed!\n");
  const RecordedRun partition = record_run("p26/warp_partition", "test", overrides);
  ASSERT_EQ(partition.error, "");
  const std::string parted =
      "[3.0, 1.0, 2.0, 4.0, 0.0, 3.0, 1.0, 4.0, 3.0, 1.0, 2.0, 4.0, 0.0, 3.0, 1.0, 4.0, 7.0, 8.0, 9.0, 6.0, 10.0, "
      "11.0, "
      "12.0, 13.0, 7.0, 8.0, 9.0, 6.0, 10.0, 11.0, 12.0, 13.0]";
  EXPECT_EQ(render_run(run_facts(partition.trace.head, partition.trace.outcome), true),
            "WARP_SIZE:  32\nSIZE:  32\noutput: " + parted + "\nexpected: " + parted +
                "\npivot: 5.0\nOK Warp partition test passed!\n");
  const RecordedRun two_blocks = record_run("p26/butterfly_conditional_max", "test", overrides);
  ASSERT_EQ(two_blocks.error, "");
  EXPECT_EQ(render_run(run_facts(two_blocks.trace.head, two_blocks.trace.outcome)).substr(0, 27),
            "WARP_SIZE:  32\nSIZE_2:  64\n");
}

TEST(RunLines, AFailureNamesTheFirstWrongElement) {
  RunFacts facts;
  facts.title = "Butterfly pair swap";
  facts.lanes = 4;
  const auto f32 = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
  facts.outputs = {{"output", {Type::F32, {f32(1), f32(2), f32(3), f32(4)}}}};
  facts.expected = {{"output", {Type::F32, {f32(1), f32(2.5F), f32(3), f32(5)}}}};
  facts.passed = false;
  EXPECT_EQ(render_verdict(facts), "❌ Butterfly pair swap test failed: output[1] is 2.0, expected 2.5 (2 of 4 differ)");
  facts.passed.reset();
  EXPECT_EQ(render_verdict(facts), "");
}

}  // namespace diagram_golden_test
}  // namespace warpsim::testing
