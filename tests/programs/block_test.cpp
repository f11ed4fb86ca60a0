// The programs of programs/block/ against oracles: std::inclusive_scan, std::accumulate and loops over the block's
// elements; the float sum in the order of its two trees, written as a recursion. Blocks of one warp up to more warps
// than a warp has lanes.
#include <numeric>

#include "tests/support/oracle_check.h"
#include "tests/support/races.h"

namespace warpsim::testing {
namespace block_test {

// Called once for each block that has an element: its number and the first and past-the-last of its elements.
using BlockOracle = std::function<void(const Problem&, std::size_t block, std::size_t from, std::size_t to, Outputs&)>;

Oracle of_blocks(BlockOracle oracle) {
  return [=](const Problem& p, const Warp& w, Outputs& out) {
    const std::size_t block = w.at[0] / p.block, from = block * p.block;
    if (w.at[0] == from) oracle(p, block, from, std::min(from + p.block, p.params.at("size")), out);
  };
}

// What lane `lane` holds after shuffle_down with offsets from lanes / 2 down to `step`, where the lanes past the end of
// `values` do not exist.
float tree_sum(const std::vector<float>& values, std::size_t lane, std::size_t step, std::size_t lanes) {
  if (step == lanes) return values[lane];
  const float own = tree_sum(values, lane, 2 * step, lanes);
  return lane + step < values.size() ? own + tree_sum(values, lane + step, 2 * step, lanes) : own;
}

void sum(const Problem& p, std::size_t block, std::size_t from, std::size_t to, Outputs& out) {
  std::vector<float> parts(std::min(p.lanes, (p.block + p.lanes - 1) / p.lanes), 0.0F);
  for (std::size_t first = 0; first < p.block; first += p.lanes) {
    std::vector<float> values(std::min(p.lanes, p.block - first), 0.0F);
    for (std::size_t l = 0; l < values.size() && from + first + l < to; ++l)
      values[l] = from_bits<float>(p.inputs.at("input")[from + first + l]);
    parts[first / p.lanes % p.lanes] += tree_sum(values, 0, 1, p.lanes);
  }
  out["output"][block] = to_bits(tree_sum(parts, 0, 1, p.lanes));
}

std::uint32_t add(std::uint64_t a, std::uint64_t b) { return static_cast<std::uint32_t>(a + b); }  // wraps

void prefix_sum(const Problem& p, std::size_t, std::size_t from, std::size_t to, Outputs& out) {
  const auto input = p.inputs.at("input").begin();
  const auto begin = static_cast<std::ptrdiff_t>(from), end = static_cast<std::ptrdiff_t>(to);
  std::inclusive_scan(input + begin, input + end, out["output"].begin() + begin, add);
}

void broadcast(const Problem& p, std::size_t, std::size_t from, std::size_t to, Outputs& out) {
  const std::size_t source = from + p.params.at("source");
  for (std::size_t i = from; i < to; ++i) out["output"][i] = p.inputs.at("input")[source < to ? source : i];
}

void histogram(const Problem& p, std::size_t, std::size_t from, std::size_t to, Outputs& out) {
  for (std::size_t i = from; i < to; ++i) ++out["histogram"][p.inputs.at("input")[i] % p.params.at("bins")];
}

// The first warp speaks for the whole grid, whose threads may have several elements each.
void grid_reduction(const Problem& p, const Warp& w, Outputs& out) {
  const Words& input = p.inputs.at("input");
  if (w.at[0] == 0) out["output"][0] = std::accumulate(input.begin(), input.end(), std::uint32_t{0}, add);
}

// ---- launches

// Any thread of the block, and now and then one that it has not.
void some_source(std::mt19937& random, const std::vector<Warp>&, CaseOverrides& launch) {
  launch.params["source"] = std::to_string(random() % (launch.block->x + 2));
}

void some_bins(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  launch.input_arrays["input"] = random_array(random, Type::U32, warps.back().at.back() + 1, 0);
  const unsigned most[] = {6, 100, 1024};
  launch.params["bins"] = std::to_string(1 + random() % most[random() % 3]);
}

// Fewer elements than threads, or a few for each.
void any_size(std::mt19937& random, const std::vector<Warp>&, CaseOverrides& launch) {
  const std::size_t threads = std::size_t{launch.grid->x} * launch.block->x;
  const std::size_t size = 1 + random() % (4 * threads);
  launch.params["size"] = std::to_string(size);
  launch.input_arrays["input"] = random_array(random, Type::S32, size, 0);
}

const std::vector<CheckedProgram>& programs() {
  static const std::vector<CheckedProgram> all = {
      {"block/sum", of_blocks(sum), {}, {}, {}, 1, 12},
      {"block/prefix_sum", of_blocks(prefix_sum), {}, {}, {}, 1, 12},
      {"block/broadcast", of_blocks(broadcast), {}, {}, some_source, 1, 12},
      {"block/histogram", of_blocks(histogram), {}, {}, some_bins, 1, 12},
      {"block/grid_reduction", grid_reduction, {}, {}, any_size, 1, 12},
  };
  return all;
}

class BlockTest : public ::testing::TestWithParam<CheckedProgram> {};

TEST_P(BlockTest, EveryCaseAtEveryLaneCount) { check_cases(GetParam()); }
TEST_P(BlockTest, RandomInputs) { check_random(GetParam()); }
TEST_P(BlockTest, HasItsCasesAndWords) { check_form(GetParam()); }

// From one warp to one more than a warp has lanes, or as many as a block may have; the last warp whole, one lane short,
// and of one lane.
TEST_P(BlockTest, AnyNumberOfWarps) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  std::mt19937 random(27);
  for (const unsigned lanes : {8U, 16U, 32U, 64U}) {
    for (const unsigned warps : {1U, 2U, 3U, 5U, 7U, lanes, lanes + 1, 2 * lanes + 3}) {
      for (const unsigned missing : {0U, 1U, lanes - 1}) {
        const unsigned block = std::min(warps * lanes, 1024U) - missing;
        const unsigned grid = missing == 1 ? 3 : 1;
        const std::size_t elements = std::size_t{grid} * block;
        const std::size_t size = elements - (missing == 0 ? 0 : random() % std::min<std::size_t>(elements, lanes / 2));
        ASSERT_NO_FATAL_FAILURE(check_launch(GetParam(), *assembled.lesson(), random, lanes, grid, block, size));
      }
    }
  }
}

// The barriers put all that lanes do to one word in order; and each of them is needed.
TEST_P(BlockTest, LanesAreKeptInOrderByBarriers) {
  const std::string text = source_text("programs/" + GetParam().name + ".warp"), barrier = "bar.sync        0";
  const auto races_of = [](const std::string& source, unsigned lanes) {
    const Assembled assembled = assemble(source, "ordered.warp", "block");
    EXPECT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
    CaseOverrides overrides;
    overrides.lanes = lanes;
    const RecordedRun run = record_run(*assembled.lesson(), *assembled.lesson()->find_case("different"), overrides);
    EXPECT_EQ(run.error, "");
    return races(run.trace);
  };
  for (const unsigned lanes : {8U, 16U, 32U, 64U}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    EXPECT_EQ(races_of(text, lanes), 0U);
    int barriers = 0;
    for (std::size_t at = text.find(barrier); at != std::string::npos; at = text.find(barrier, at + 1), ++barriers) {
      std::string without = text;
      EXPECT_GT(races_of(without.erase(at, barrier.size()), lanes), 0U) << "without barrier " << barriers;
    }
    EXPECT_GE(barriers, 1);
  }
}

TEST(Block, EveryProgramIsHere) { expect_whole_group("block", programs()); }

INSTANTIATE_TEST_SUITE_P(All, BlockTest, ::testing::ValuesIn(programs()),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

Trace trace_of(const std::string& program, const std::string& case_name, unsigned lanes, CaseOverrides overrides = {}) {
  overrides.lanes = lanes;
  const RecordedRun run = record_run(program, case_name, overrides);
  EXPECT_EQ(run.error, "");
  return run.trace;
}

// Lanes that reach memory so, over the whole run.
std::size_t accesses(const Trace& trace, const std::string& space, const std::string& access) {
  std::size_t count = 0;
  for (const TraceEvent& event : trace.events) {
    if (event.memory && name(event.memory->space) == space && name(event.memory->access) == access)
      count += static_cast<std::size_t>(std::popcount(event.memory->lanes));
  }
  return count;
}

// What two levels are for.
TEST(TwoLevels, SharedMemoryIsAskedAsRarelyAsTheProgramsSay) {
  for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    const Trace sum = trace_of("block/sum", "different", lanes);  // two blocks of five warps
    EXPECT_EQ(accesses(sum, "shared", "store"), 10U);
    EXPECT_EQ(accesses(sum, "shared", "load"), 10U);
    const Trace scan = trace_of("block/prefix_sum", "test", lanes);  // two complete warps, and one that is not
    EXPECT_EQ(accesses(scan, "shared", "store"), 2U + 2U);
    const Trace said = trace_of("block/broadcast", "different", lanes);
    EXPECT_EQ(accesses(said, "shared", "store"), 2U);
    for (const TraceEvent& event : said.events) {
      const bool shared = event.memory && event.memory->is_shared();
      EXPECT_EQ(shared ? event.memory->ways : 1U, 1U);
    }
  }
}

TEST(TwoLevels, AtomicsAreAsFewAsTheProgramsSay) {
  for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    EXPECT_EQ(accesses(trace_of("block/grid_reduction", "test", lanes), "global", "atomic"), 2U);
    EXPECT_EQ(accesses(trace_of("block/grid_reduction", "blocks", lanes), "global", "atomic"), 5U);
    const Trace histogram = trace_of("block/histogram", "blocks", lanes);  // one bin, all of them, two
    EXPECT_EQ(accesses(histogram, "shared", "atomic"), 10U * lanes);
    EXPECT_EQ(accesses(histogram, "global", "atomic"), 1 + 4 * lanes + 2U);
  }
}

TEST(BlockHistogram, MoreBinsThanSharedMemoryHasRoomFor) {
  CaseOverrides overrides;
  overrides.params["bins"] = "1025";
  const Trace trace = trace_of("block/histogram", "test", 32, overrides);
  ASSERT_TRUE(trace.outcome.trap.has_value());
  EXPECT_EQ(trace.outcome.trap->kind, "out-of-bounds");
}

}  // namespace block_test
}  // namespace warpsim::testing
