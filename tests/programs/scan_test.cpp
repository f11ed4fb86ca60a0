// The scans of programs/scan/ against oracles: std::inclusive_scan, std::exclusive_scan, std::stable_sort, and for
// floats the order in which the program adds, written out.
#include <numeric>

#include "tests/support/oracle_check.h"

namespace warpsim::testing {
namespace {

void inclusive_float_sum(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<float> values;
  for (const std::uint64_t bits : p.input(w, "input")) values.push_back(from_bits<float>(bits));
  for (std::size_t l = 0; l < values.size(); ++l) out["output"][w.at[l]] = to_bits(doubling_sum(values, l, p.lanes));
}

template <class T, class Combine>
Oracle inclusive(Combine combine) {
  return [=](const Problem& p, const Warp& w, Outputs& out) {
    std::vector<T> values;
    for (const std::uint64_t bits : p.input(w, "input")) values.push_back(from_bits<T>(bits));
    std::inclusive_scan(values.begin(), values.end(), values.begin(), combine);
    for (std::size_t l = 0; l < values.size(); ++l) out["output"][w.at[l]] = to_bits<T>(values[l]);
  };
}

void inclusive_float_max(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<float> values;
  for (const std::uint64_t bits : p.input(w, "input")) values.push_back(f32_max_start(from_bits<float>(bits), p.lanes));
  std::inclusive_scan(values.begin(), values.end(), values.begin(), f32_max);
  for (std::size_t l = 0; l < values.size(); ++l) out["output"][w.at[l]] = to_bits(values[l]);
}

std::vector<std::uint32_t> sums_before(const Words& words) {
  std::vector<std::uint32_t> sums(words.begin(), words.end());
  std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), std::uint32_t{0});
  return sums;
}

void exclusive_sum(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::uint32_t> sums = sums_before(p.input(w, "input"));
  for (std::size_t l = 0; l < sums.size(); ++l) out["output"][w.at[l]] = sums[l];
}

void segmented(const Problem& p, const Warp& w, Outputs& out) {
  std::uint32_t sum = 0;
  for (const std::size_t i : w.at) {
    if (p.inputs.at("head")[i] != 0) sum = 0;
    sum += static_cast<std::uint32_t>(p.inputs.at("input")[i]);
    out["output"][i] = sum;
  }
}

void work_offsets(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::uint32_t> starts = sums_before(p.input(w, "counts"));
  std::size_t slot = w.at[0] * p.params.at("room");
  for (std::size_t l = 0; l < starts.size(); ++l) {
    out["offset"][w.at[l]] = starts[l];
    for (std::uint64_t item = 0; item < p.inputs.at("counts")[w.at[l]]; ++item) out["owner"][slot++] = w.at[l] + 1;
  }
}

void radix_sort(const Problem& p, const Warp& w, Outputs& out) {
  Words keys = p.input(w, "input");
  const std::uint64_t mask = (std::uint64_t{1} << p.params.at("bits")) - 1;
  std::stable_sort(keys.begin(), keys.end(), [&](auto a, auto b) { return (a & mask) < (b & mask); });
  for (std::size_t l = 0; l < keys.size(); ++l) out["output"][w.at[l]] = keys[l];
}

std::map<std::string, std::string> some_bits(std::mt19937& random, unsigned) {
  return {{"bits", std::to_string(random() % 33)}};
}

const std::vector<CheckedProgram>& scans() {
  static const std::vector<CheckedProgram> all = {
      {"scan/hillis_steele_inclusive", inclusive_float_sum},
      {"scan/hillis_steele_exclusive", exclusive_sum},
      {"scan/blelloch", exclusive_sum},
      {"scan/min", inclusive<std::int32_t>([](auto a, auto b) { return std::min(a, b); })},
      {"scan/max", inclusive_float_max},
      {"scan/product", inclusive<std::uint64_t>(std::multiplies<>())},
      {"scan/segmented", segmented, {{"head", 2}}, {}, {}, 1, 3, {"head"}},
      {"scan/work_offsets",
       work_offsets,
       {{"counts", 7}},
       [](std::mt19937&, unsigned) {
         return std::map<std::string, std::string>{{"room", "6"}};
       }},
      {"scan/radix_sort_split", radix_sort, {}, some_bits},
  };
  return all;
}

class ScanTest : public ::testing::TestWithParam<CheckedProgram> {};

TEST_P(ScanTest, EveryCaseAtEveryLaneCount) { check_cases(GetParam()); }
TEST_P(ScanTest, RandomInputs) { check_random(GetParam()); }
TEST_P(ScanTest, HasItsCasesAndWords) { check_form(GetParam()); }

TEST(Scan, EveryProgramIsHere) { expect_whole_group("scan", scans()); }

class ScanFloatsTest : public ::testing::TestWithParam<CheckedProgram> {};
TEST_P(ScanFloatsTest, SpecialValues) { check_special_floats(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Two, ScanFloatsTest, ::testing::ValuesIn(with_floats(scans())),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

INSTANTIATE_TEST_SUITE_P(All, ScanTest, ::testing::ValuesIn(scans()),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

// Keys with the same digits keep their order: the sorted bits are few, and each key shows where it comes from.
TEST(RadixSort, IsStable) {
  const CheckedProgram checked = {"scan/radix_sort_split", radix_sort};
  const Assembled assembled = assemble_program(checked.name);
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  std::mt19937 random(11);
  for (const unsigned lanes : {4U, 8U, 32U, 64U}) {
    CaseOverrides overrides;
    overrides.lanes = lanes;
    overrides.params = {{"size", std::to_string(2 * lanes)}, {"bits", "2"}};
    Array keys{Type::U32, {}};
    for (unsigned i = 0; i < 2 * lanes; ++i) keys.bits.push_back(i << 2 | random() % 4);
    overrides.input_arrays["input"] = keys;
    const RecordedRun run = record_run(*assembled.program, different_case(*assembled.program), overrides);
    ASSERT_EQ(run.error, "");
    expect_outputs(checked, run.trace);
  }
}

}  // namespace
}  // namespace warpsim::testing
