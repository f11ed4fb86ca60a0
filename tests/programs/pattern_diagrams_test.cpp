// The diagrams of reduce/, scan/, coord/, graph/, block/ and twin/ fit a terminal of 80 columns at 8 lanes; and every
// calculation that those of reduce/ and scan/ show is right, whatever the inputs.
#include <regex>

#include "tests/support/oracle_check.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace pattern_diagrams_test {

std::string steps_of(const Trace& trace) {
  TextOptions options;
  options.header = options.cycles = false;
  return render_text(trace, options);
}

// Whether `a op b` is that: in integers of 32 bits, which wrap, if all three numbers are integers, else as f32 computes
// it. What is combined bit by bit is drawn in binary.
bool is_right(const std::string& a, const std::string& op, const std::string& b, const std::string& result) {
  if ((a + b + result).find_first_of(".e") == std::string::npos && op != "/") {
    const int base = op == "&" || op == "|" || op == "^" ? 2 : 10;
    const std::int64_t x = std::stoll(a, nullptr, base), y = std::stoll(b, nullptr, base);
    const std::uint32_t u = static_cast<std::uint32_t>(x), v = static_cast<std::uint32_t>(y);
    const std::map<std::string, std::uint32_t> results = {{"+", u + v},
                                                          {"-", u - v},
                                                          {"*", u * v},
                                                          {"&", u & v},
                                                          {"|", u | v},
                                                          {"^", u ^ v},
                                                          {"min", static_cast<std::uint32_t>(std::min(x, y))},
                                                          {"max", static_cast<std::uint32_t>(std::max(x, y))}};
    return results.at(op) == static_cast<std::uint32_t>(std::stoll(result, nullptr, base));
  }
  const float x = std::stof(a), y = std::stof(b);
  const std::map<std::string, float> results = {
      {"+", x + y}, {"-", x - y}, {"*", x * y}, {"/", x / y}, {"min", std::min(x, y)}, {"max", std::max(x, y)}};
  return results.at(op) == std::stof(result);
}

// Checks every `3+5=8` and `max(3,5)=5` of a text; returns how many there were.
int check_calculations(const std::string& text) {
  static const std::string number = "(-?[0-9][0-9.]*(?:e[-+][0-9]+)?)";
  static const std::regex infix("(?:^|[^0-9.e])" + number + "([-+*/&|^])" + number + "=" + number);
  static const std::regex prefix("(min|max)\\(" + number + "," + number + "\\)=" + number);
  int count = 0;
  for (std::sregex_iterator m(text.begin(), text.end(), infix), end; m != end; ++m, ++count)
    EXPECT_TRUE(is_right((*m)[1], (*m)[2], (*m)[3], (*m)[4])) << m->str();
  for (std::sregex_iterator m(text.begin(), text.end(), prefix), end; m != end; ++m, ++count)
    EXPECT_TRUE(is_right((*m)[2], (*m)[1], (*m)[3], (*m)[4])) << m->str();
  return count;
}

std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class DiagramWidth : public ::testing::TestWithParam<std::string> {};
class PatternDiagram : public ::testing::TestWithParam<std::string> {};

TEST_P(DiagramWidth, FitsATerminal) {
  for (const char* name : {"test", "worked"}) {
    CaseOverrides overrides;
    if (std::string(name) == "test") overrides.lanes = 8;
    const RecordedRun run = record_run(GetParam(), name, overrides);
    ASSERT_EQ(run.error, "");
    std::istringstream text(steps_of(run.trace));
    int lines = 0;
    for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(columns(line), 80U) << line;
    EXPECT_GE(lines, 10);
  }
}

TEST_P(PatternDiagram, ItsCalculationsAreRight) {
  const Assembled assembled = assemble_program(GetParam());
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  const std::set<std::string> without = {"reduce/argmax", "reduce/first_valid", "scan/radix_sort_split",
                                         "scan/work_offsets"};
  std::mt19937 random(3);
  for (const unsigned lanes : {8U, 16U, 32U, 64U}) {
    for (const unsigned size : {lanes, lanes - 3}) {
      CaseOverrides overrides;
      overrides.lanes = lanes;
      overrides.params["size"] = std::to_string(size);
      for (const Param& param : assembled.program->params) {
        if (param.kind != Param::Kind::In) continue;
        const std::uint64_t below = param.name == "head" || param.type == Type::U64 ? 2
                                    : param.type == Type::U32                       ? 1000
                                                                                    : 0;
        overrides.input_arrays[param.name] = random_array(random, param.type, size, below);
      }
      if (assembled.program->find_param("room") >= 0) overrides.params["room"] = "1000";
      const RecordedRun run = record_run(*assembled.program, different_case(*assembled.program), overrides);
      ASSERT_EQ(run.error, "");
      SCOPED_TRACE(std::to_string(size) + " of " + std::to_string(lanes) + " lanes");
      const int shown = check_calculations(steps_of(run.trace));
      if (without.contains(GetParam())) {
        EXPECT_EQ(shown, 0);
      } else {
        EXPECT_GE(shown,
                  GetParam() == "scan/segmented" ? 1 : static_cast<int>(size) / 2);  // random heads: few additions
      }
    }
  }
}

const std::string kNumber = "-?[0-9][0-9.]*(?:e[-+][0-9]+)?";

double sum_of(const std::string& terms) {
  static const std::regex number(kNumber);
  double sum = 0;
  for (std::sregex_iterator m(terms.begin(), terms.end(), number), end; m != end; ++m) sum += std::stod(m->str());
  return sum;
}

// Checks sums of any length, `3 + 4 + 5 = 12` and `3+4 → 7`; how many there were.
int check_sums(const std::string& text) {
  static const std::regex sum("(" + kNumber + "(?: ?\\+ ?" + kNumber + ")+) ?(?:=|→) ?(" + kNumber +
                              ")(?![0-9.]|[-+*/]| [-+*/])");
  int count = 0;
  for (std::sregex_iterator m(text.begin(), text.end(), sum), end; m != end; ++m, ++count)
    EXPECT_FLOAT_EQ(static_cast<float>(sum_of((*m)[1])), std::stof((*m)[2])) << m->str();
  return count;
}

// Checks `7 → output[2+1]` and `output[3] = tile[0] + 2 = 7` wherever a line says so: that is what the buffer holds in
// the end. How many there were. A warp counts its places from its own first one, so there must be one warp.
int check_stores(const std::string& text, const Trace& trace) {
  static const std::regex arrow("(" + kNumber + ") → ([a-z_]+)\\[([0-9]+(?:\\+[0-9]+)*)\\]");
  static const std::regex equal("([a-z_]+)\\[([0-9]+)\\] = (?:[^,\n]*[= ])?(" + kNumber + ")(?=,|\n|$)");
  int count = 0;
  const auto check = [&](const std::string& buffer, const std::string& place, const std::string& value) {
    for (const auto& [name, array] : trace.outcome.outputs) {
      if (name != buffer) continue;
      const std::size_t at = static_cast<std::size_t>(sum_of(place));
      ++count;
      if (at >= array.bits.size()) ADD_FAILURE() << buffer << "[" << place << "]";
      else
        EXPECT_EQ(std::stod(format_value(array.type, array.bits[at])), std::stod(value)) << buffer << "[" << at << "]";
    }
  };
  if (trace.head.grid.count() != 1 || trace.head.block.count() > trace.head.lanes) return 0;
  for (std::sregex_iterator m(text.begin(), text.end(), arrow), end; m != end; ++m) check((*m)[2], (*m)[3], (*m)[1]);
  for (std::sregex_iterator m(text.begin(), text.end(), equal), end; m != end; ++m) check((*m)[1], (*m)[2], (*m)[3]);
  return count;
}

// Their inputs are trees, lists, pivots and bins, which no random numbers make: each case is another set of them.
class CaseDiagram : public ::testing::TestWithParam<std::string> {};

TEST_P(CaseDiagram, ItsSumsAndStoresAreRight) {
  const Assembled assembled = assemble_program(GetParam());
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  int shown = 0, stored = 0;
  for (const Case& one : assembled.program->cases) {
    for (const unsigned lanes : lane_counts(*assembled.program, one)) {
      if (lanes < 8) continue;
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const RecordedRun run = record_run(*assembled.program, one, overrides);
      ASSERT_EQ(run.error, "");
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      shown += check_sums(steps_of(run.trace));
      stored += check_stores(steps_of(run.trace), run.trace);
    }
  }
  const std::set<std::string> show_neither = {
      "block/broadcast",          "block/histogram",          "coord/adaptive_filter", "coord/collective_decision",
      "coord/conditional_gather", "coord/frontier_expansion", "coord/leader_election", "coord/load_balance",
      "coord/match_histogram",    "coord/quality_control",    "coord/quicksort",       "graph/connected_components",
      "graph/tree_traversal"};
  EXPECT_EQ(shown + stored == 0, show_neither.contains(GetParam())) << shown << " sums, " << stored << " stores";
}

std::string test_name(const ::testing::TestParamInfo<std::string>& program) {
  std::string text = program.param;
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}
INSTANTIATE_TEST_SUITE_P(All, DiagramWidth,
                         ::testing::ValuesIn(programs_in({"reduce", "scan", "coord", "graph", "block", "twin"})),
                         test_name);
INSTANTIATE_TEST_SUITE_P(All, CaseDiagram, ::testing::ValuesIn(programs_in({"coord", "graph", "block", "twin"})),
                         test_name);
INSTANTIATE_TEST_SUITE_P(All, PatternDiagram, ::testing::ValuesIn(programs_in({"reduce", "scan"})), test_name);

}  // namespace pattern_diagrams_test
}  // namespace warpsim::testing
