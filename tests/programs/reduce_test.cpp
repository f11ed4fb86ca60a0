// The reductions of programs/reduce/ against oracles: std::accumulate and its like, and for floats the order in which
// the program adds, written out.
#include <numeric>

#include "tests/support/oracle_check.h"

namespace warpsim::testing {
namespace reduce_test {

template <class T>
std::vector<T> values_of(const Problem& p, const Warp& w, const std::string& name = "input") {
  std::vector<T> values;
  for (const std::uint64_t bits : p.input(w, name)) values.push_back(from_bits<T>(bits));
  return values;
}

// A float sum in the order of the tree: the values in even places, plus those in odd places, each added in the
// same way. With 8 values ((0+4)+(2+6)) + ((1+5)+(3+7)). Places past the end are left out.
float tree_sum(const std::vector<float>& values, std::size_t first, std::size_t stride, std::size_t lanes) {
  if (stride >= lanes) return values[first];
  const float even = tree_sum(values, first, 2 * stride, lanes);
  return first + stride < values.size() ? f32_add(even, tree_sum(values, first + stride, 2 * stride, lanes)) : even;
}
float tree_sum(const std::vector<float>& values, std::size_t lanes) { return tree_sum(values, 0, 1, lanes); }

enum class Where { Lane0, AllLanes };

void put(Outputs& out, const std::string& name, const Warp& w, Where where, std::uint64_t bits) {
  for (const std::size_t i : w.at) {
    if (where == Where::AllLanes || i == w.at[0]) out[name][i] = bits;
  }
}

template <class T, class Combine>
Oracle fold(Where where, Combine combine) {
  return [=](const Problem& p, const Warp& w, Outputs& out) {
    const std::vector<T> values = values_of<T>(p, w);
    put(out, "output", w, where, to_bits<T>(std::accumulate(values.begin() + 1, values.end(), values[0], combine)));
  };
}

Oracle float_sum(Where where) {
  return [=](const Problem& p, const Warp& w, Outputs& out) {
    put(out, "output", w, where, to_bits(tree_sum(values_of<float>(p, w), p.lanes)));
  };
}

void float_max(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<float> values = values_of<float>(p, w);
  for (float& value : values) value = f32_max_start(value, p.lanes);
  put(out, "output", w, Where::Lane0, to_bits(std::accumulate(values.begin() + 1, values.end(), values[0], f32_max)));
}

constexpr auto smaller = [](auto a, auto b) { return std::min(a, b); };
constexpr auto larger = [](auto a, auto b) { return std::max(a, b); };

void by_width(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::uint32_t> values = values_of<std::uint32_t>(p, w);
  const std::size_t width = std::bit_floor(std::clamp<std::size_t>(p.params.at("width"), 1, p.lanes));
  for (std::size_t k = 0; k < values.size(); k += width) {
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(k + width, values.size()));
    out["output"][w.at[k]] = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(k), end, std::uint32_t{0});
  }
}

void then_broadcast(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<float> values = values_of<float>(p, w);
  const float sum = tree_sum(values, p.lanes);
  for (std::size_t k = 0; k < values.size(); ++k) out["output"][w.at[k]] = to_bits(f32_div(values[k], sum));
}

void argmax(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::int32_t> values = values_of<std::int32_t>(p, w);
  const auto best = std::max_element(values.begin(), values.end());  // the first of the largest
  put(out, "largest", w, Where::AllLanes, to_bits(*best));
  put(out, "place", w, Where::AllLanes, w.at[static_cast<std::size_t>(best - values.begin())]);
}

void dual_min_max(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::int32_t> values = values_of<std::int32_t>(p, w);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  put(out, "least", w, Where::AllLanes, to_bits(*least));
  put(out, "most", w, Where::AllLanes, to_bits(*most));
  put(out, "spread", w, Where::AllLanes, static_cast<std::uint32_t>(*most) - static_cast<std::uint32_t>(*least));
}

void dot_product(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<float> products = values_of<float>(p, w, "a");
  const std::vector<float> b = values_of<float>(p, w, "b");
  for (std::size_t k = 0; k < products.size(); ++k) products[k] = f32_mul(products[k], b[k]);
  put(out, "output", w, Where::Lane0, to_bits(tree_sum(products, p.lanes)));
}

void mean_variance(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<float> values = values_of<float>(p, w);
  const float count = static_cast<float>(values.size());
  const float mean = f32_div(tree_sum(values, p.lanes), count);
  std::vector<float> squares;
  for (const float value : values) {
    const float distance = f32_sub(value, mean);
    squares.push_back(f32_mul(distance, distance));
  }
  put(out, "mean", w, Where::AllLanes, to_bits(mean));
  put(out, "variance", w, Where::AllLanes, to_bits(f32_div(tree_sum(squares, p.lanes), count)));
}

// In order: the first that is not 0. As written: the butterfly's own tree, where each lane's part comes before its
// partner's, and a partner that is not there adds nothing.
void first_valid(const Problem& p, const Warp& w, Outputs& out) {
  const Words input = p.input(w, "input");
  const auto first = std::find_if(input.begin(), input.end(), [](std::uint64_t value) { return value != 0; });
  put(out, "in_order", w, Where::AllLanes, first == input.end() ? 0 : *first);
  const std::function<std::uint64_t(std::size_t, std::size_t)> after = [&](std::size_t lane, std::size_t offset) {
    if (lane >= input.size()) return std::uint64_t{0};
    if (offset == p.lanes) return input[lane];
    const std::uint64_t own = after(lane, 2 * offset);
    return own != 0 ? own : after(lane ^ offset, 2 * offset);
  };
  for (std::size_t l = 0; l < w.at.size(); ++l) out["as_written"][w.at[l]] = after(l, 1);
}

// A power of two up to the lane count, or any number.
std::map<std::string, std::string> some_width(std::mt19937& random, unsigned lanes) {
  const unsigned power = 1U << random() % static_cast<unsigned>(std::bit_width(lanes));
  return {{"width", std::to_string(random() % 3 == 0 ? random() % (2 * lanes) : power)}};
}

const std::vector<CheckedProgram>& reductions() {
  using U = std::uint32_t;
  using S = std::int32_t;
  static const std::vector<CheckedProgram> all = {
      {"reduce/sum_down", float_sum(Where::Lane0)},
      {"reduce/sum_bfly", float_sum(Where::AllLanes)},
      {"reduce/min_down", fold<S>(Where::Lane0, smaller)},
      {"reduce/min_bfly", fold<U>(Where::AllLanes, smaller)},
      {"reduce/max_down", float_max},
      {"reduce/max_bfly", fold<S>(Where::AllLanes, larger)},
      {"reduce/and_down", fold<U>(Where::Lane0, std::bit_and<>())},
      {"reduce/and_bfly", fold<U>(Where::AllLanes, std::bit_and<>())},
      {"reduce/or_down", fold<U>(Where::Lane0, std::bit_or<>())},
      {"reduce/or_bfly", fold<U>(Where::AllLanes, std::bit_or<>())},
      {"reduce/xor_down", fold<U>(Where::Lane0, std::bit_xor<>())},
      {"reduce/xor_bfly", fold<U>(Where::AllLanes, std::bit_xor<>())},
      {"reduce/by_width", by_width, {}, some_width},
      {"reduce/then_broadcast", then_broadcast},
      {"reduce/argmax", argmax},
      {"reduce/dual_min_max", dual_min_max},
      {"reduce/dot_product", dot_product},
      {"reduce/mean_variance", mean_variance},
      {"reduce/first_valid", first_valid, {{"input", 3}}},
  };
  return all;
}

class ReduceTest : public ::testing::TestWithParam<CheckedProgram> {};

TEST_P(ReduceTest, EveryCaseAtEveryLaneCount) { check_cases(GetParam()); }
TEST_P(ReduceTest, RandomInputs) { check_random(GetParam()); }
TEST_P(ReduceTest, HasItsCasesAndWords) { check_form(GetParam()); }

TEST(Reduce, EveryProgramIsHere) { expect_whole_group("reduce", reductions()); }

class ReduceFloatsTest : public ::testing::TestWithParam<CheckedProgram> {};
TEST_P(ReduceFloatsTest, SpecialValues) { check_special_floats(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Six, ReduceFloatsTest, ::testing::ValuesIn(with_floats(reductions())),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

INSTANTIATE_TEST_SUITE_P(All, ReduceTest, ::testing::ValuesIn(reductions()),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

// The first place of the largest value counts, also where lane 0 must broadcast it.
TEST(Argmax, TiesGoToTheFirst) {
  const CheckedProgram checked = {"reduce/argmax", argmax};
  const Assembled assembled = assemble_program(checked.name);
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  std::mt19937 random(7);
  for (const unsigned lanes : {2U, 8U, 32U, 64U}) {
    for (unsigned size = 1; size <= lanes; ++size) {
      CaseOverrides overrides;
      overrides.lanes = lanes;
      overrides.params["size"] = std::to_string(size);
      overrides.input_arrays["input"] = random_array(random, Type::S32, size, 3);
      SCOPED_TRACE(std::to_string(size) + " elements at " + std::to_string(lanes) + " lanes");
      const RecordedRun run = record_run(*assembled.program, different_case(*assembled.program), overrides);
      ASSERT_EQ(run.error, "");
      expect_outputs(checked, run.trace);
    }
  }
}

}  // namespace reduce_test
}  // namespace warpsim::testing
