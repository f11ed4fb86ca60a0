// Programs against oracles: plain C++ that knows what the outputs must be and nothing of the program.
//
// Shapes: an oracle fills the outputs of one warp, whose living threads are in lane order in Warp::at. Buffers hold
//         one element's bits a word, as Array does.
// Units:  indices count elements.
// Errors: what differs is reported to the running test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "isa/program/expand.h"
#include "sim/launch/launch.h"
#include "tests/support/program_run.h"
#include "traces/template/phase_template.h"

namespace warpsim::testing {

using Words = std::vector<std::uint64_t>;

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else {
    return static_cast<T>(bits);
  }
}
template <class T>
std::uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// PTX's arithmetic of f32, bit for bit: an operation that gives a NaN gives 0x7FFFFFFF.
inline float canonical(float x) { return std::isnan(x) ? from_bits<float>(0x7FFFFFFF) : x; }
inline float f32_add(float a, float b) { return canonical(a + b); }
inline float f32_sub(float a, float b) { return canonical(a - b); }
inline float f32_mul(float a, float b) { return canonical(a * b); }
inline float f32_div(float a, float b) { return canonical(a / b); }
// A NaN loses; +0 is larger than -0.
inline float f32_max(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return canonical(std::isnan(a) ? b : a);
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
// What a lane of a maximum starts from where lanes without a partner take the maximum with themselves: of a NaN that is
// the canonical one. A warp of one lane has no step.
inline float f32_max_start(float x, std::size_t lanes) { return lanes == 1 ? x : f32_max(x, x); }

// A warp's living threads: global indices below size, in lane order.
struct Warp {
  std::vector<std::size_t> at;
};

// A launch as an oracle sees it.
struct Problem {
  std::size_t lanes = 32;
  std::size_t block = 32;  // threads of a block
  std::map<std::string, Words> inputs;
  std::map<std::string, std::uint64_t> params;  // bits
  std::vector<Warp> warps;
  Words input(const Warp& warp, const std::string& name) const {
    Words values;
    for (const std::size_t i : warp.at) values.push_back(inputs.at(name)[i]);
    return values;
  }
};

// `lanes_each` lanes share one element; then Warp::at holds elements.
inline std::vector<Warp> warps_of(std::size_t grid, std::size_t block, std::size_t lanes, std::size_t size,
                                  std::size_t lanes_each = 1) {
  std::vector<Warp> warps;
  for (std::size_t b = 0; b < grid; ++b) {
    for (std::size_t first = 0; first < block; first += lanes) {
      Warp warp;
      for (std::size_t t = first; t < std::min(block, first + lanes); t += lanes_each) {
        if ((b * block + t) / lanes_each < size) warp.at.push_back((b * block + t) / lanes_each);
      }
      if (!warp.at.empty()) warps.push_back(warp);
    }
  }
  return warps;
}

inline Problem problem_of(const TraceHead& head, std::size_t lanes_each = 1) {
  Problem problem;
  problem.lanes = head.lanes;
  problem.block = head.block.x;
  for (const auto& [name, array] : head.inputs) problem.inputs[name] = array.bits;
  for (const TraceParam& param : head.params) {
    if (!param.is_buffer()) problem.params[param.name] = param.bits;
  }
  problem.warps = warps_of(head.grid.x, head.block.x, head.lanes, problem.params.at("size"), lanes_each);
  return problem;
}

// Lane l's sum over the last `reach` lanes up to itself, as Hillis and Steele add it: the nearer half, then the
// farther.
inline float doubling_sum(const std::vector<float>& values, std::size_t lane, std::size_t reach) {
  if (reach == 1) return values[lane];
  const float near = doubling_sum(values, lane, reach / 2);
  return lane >= reach / 2 ? f32_add(near, doubling_sum(values, lane - reach / 2, reach / 2)) : near;
}

using Outputs = std::map<std::string, Words>;
using Oracle = std::function<void(const Problem&, const Warp&, Outputs&)>;

struct CheckedProgram {
  std::string name;  // "reduce/sum_down"
  Oracle oracle;
  std::map<std::string, std::uint64_t> below = {};  // random elements of these inputs are below that number
  // Random values of further parameters, as rules; `lanes` is the lane count.
  std::function<std::map<std::string, std::string>(std::mt19937&, unsigned lanes)> params = {};
  // Where plain random inputs would not do: sets inputs and parameters of a launch with these warps.
  std::function<void(std::mt19937&, const std::vector<Warp>&, CaseOverrides&)> launch = {};
  std::size_t lanes_each = 1;    // so many lanes share one element
  std::uint32_t most_warps = 3;  // of a block in random launches
  // Inputs whose elements cannot all be different in the case `different`: flags, links that end, a quarter of a circle
  // and its mirror image.
  std::set<std::string, std::less<>> alike = {};
};

inline std::ostream& operator<<(std::ostream& out, const CheckedProgram& p) { return out << p.name; }

inline void expect_outputs(const CheckedProgram& checked, const Trace& trace) {
  ASSERT_FALSE(trace.outcome.trap.has_value()) << english(trace.outcome.trap->message);
  EXPECT_TRUE(trace.outcome.findings.empty());
  EXPECT_TRUE(trace.outcome.undefined.empty());
  const Problem problem = problem_of(trace.head, checked.lanes_each);
  Outputs expected;
  for (const auto& [name, array] : trace.outcome.outputs) expected[name].assign(array.bits.size(), 0);
  for (const Warp& warp : problem.warps) checked.oracle(problem, warp, expected);
  for (const auto& [name, array] : trace.outcome.outputs) EXPECT_EQ(array.bits, expected[name]) << name;
}

// Every case, where it may run and with its collectives in one step and as shuffles: the case's rule and the oracle
// agree.
inline void check_cases(const CheckedProgram& checked) {
  const Assembled assembled = assemble_program(checked.name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  for (const Case& one : assembled.lesson()->cases) {
    const std::vector<unsigned> some(kLaneCounts.begin(), kLaneCounts.end());
    for (const unsigned lanes : one.find("lanes") != nullptr ? lane_counts(*assembled.lesson(), one) : some) {
      if (assembled.lesson()->exemption_at(lanes) != nullptr) continue;
      SCOPED_TRACE(one.name + " at " + std::to_string(lanes) + " lanes");
      CaseOverrides overrides;
      overrides.lanes = lanes;
      for (const Lesson& program : {*assembled.lesson(), expand_collectives(*assembled.lesson(), lanes)}) {
        const RecordedRun run = record_run(program, one, overrides);
        ASSERT_EQ(run.error, "");
        expect_outputs(checked, run.trace);
        EXPECT_EQ(run.trace.outcome.passed, true);
      }
    }
  }
}

// The case that the random launches start from, without what it expects.
inline Case different_case(const Lesson& program) {
  Case one = program.find_case("different") == nullptr ? Case{} : *program.find_case("different");
  std::erase_if(one.fields, [](const CaseField& field) { return field.key.starts_with("expect"); });
  return one;
}

// `count` values; all of them different where the type has enough.
inline Array random_array(std::mt19937& random, Type type, std::size_t count, std::uint64_t below) {
  Array array{type, {}};
  std::set<std::uint64_t> seen;
  while (array.bits.size() < count) {
    std::uint64_t bits = random();
    if (below != 0) bits %= below;
    else if (type == Type::F32) bits = to_bits(std::uniform_real_distribution<float>(-100, 100)(random));
    else if (type == Type::U64) bits = bits << 32 | random();
    if (below != 0 || seen.insert(bits).second) array.bits.push_back(bits);
  }
  return array;
}

// One launch with random inputs that are all different.
inline void check_launch(const CheckedProgram& checked, const Lesson& program, std::mt19937& random, unsigned lanes,
                         std::uint32_t grid, std::uint32_t block, std::size_t size) {
  CaseOverrides overrides;
  overrides.lanes = lanes;
  overrides.grid = Dim3{grid, 1, 1};
  overrides.block = Dim3{block, 1, 1};
  overrides.params["size"] = std::to_string(size);
  if (checked.params) {
    for (const auto& [name, rule] : checked.params(random, lanes)) overrides.params[name] = rule;
  }
  if (checked.launch) checked.launch(random, warps_of(grid, block, lanes, size, checked.lanes_each), overrides);
  for (const Param& param : program.params) {
    if (param.kind != Param::Kind::In || overrides.input_arrays.contains(param.name)) continue;
    const auto limit = checked.below.find(param.name);
    overrides.input_arrays[param.name] =
        random_array(random, param.type, size, limit == checked.below.end() ? 0 : limit->second);
  }
  SCOPED_TRACE(std::to_string(size) + " elements, " + std::to_string(grid) + " blocks of " + std::to_string(block) +
               " at " + std::to_string(lanes) + " lanes");
  const RecordedRun run = record_run(program, different_case(program), overrides);
  ASSERT_EQ(run.error, "");
  expect_outputs(checked, run.trace);
}

// At every lane count; blocks of any length, warps of any number of living lanes.
inline void check_random(const CheckedProgram& checked, unsigned seed = 20240229) {
  const Assembled assembled = assemble_program(checked.name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  const Lesson& program = *assembled.lesson();
  std::mt19937 random(seed);
  for (const unsigned lanes : kLaneCounts) {
    if (program.exemption_at(lanes) != nullptr) continue;
    for (int round = 0; round < 12; ++round) {
      const std::uint32_t grid = 1 + static_cast<std::uint32_t>(random() % 3);
      const std::uint32_t each = static_cast<std::uint32_t>(checked.lanes_each);
      const std::uint32_t most = std::min(1024U, checked.most_warps * lanes);
      const std::uint32_t block = round < 4 ? lanes : each * (1 + static_cast<std::uint32_t>(random() % (most / each)));
      const std::size_t elements = std::size_t{grid} * block / each;
      const std::size_t size = round % 2 == 0 ? elements : 1 + random() % elements;
      ASSERT_NO_FATAL_FAILURE(check_launch(checked, program, random, lanes, grid, block, size));
    }
  }
}

// Floats among which are NaNs with payloads, zeros of both signs, subnormals, infinities, and numbers whose sums
// overflow. `kinds` has a bit for each of these kinds; none means numbers alone, and `dense` leaves numbers out.
inline Array special_floats(std::mt19937& random, std::size_t count, unsigned kinds, bool dense) {
  static const std::vector<std::vector<std::uint32_t>> specials = {{0x7FC12345, 0xFFC00001, 0x7F800001, 0x7FFFFFFF},
                                                                   {0x00000000, 0x80000000},
                                                                   {0x00000001, 0x80000001, 0x007FFFFF, 0x80400000},
                                                                   {0x7F800000, 0xFF800000},
                                                                   {0x7F7FFFFF, 0xFF7FFFFF, 0x7F000000, 0xFEFFFFFF}};
  std::vector<std::uint32_t> chosen;
  for (std::size_t k = 0; k < specials.size(); ++k) {
    if ((kinds >> k & 1) != 0) chosen.insert(chosen.end(), specials[k].begin(), specials[k].end());
  }
  Array array{Type::F32, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const bool special = !chosen.empty() && (dense || random() % 6 == 0);
    array.bits.push_back(special ? chosen[random() % chosen.size()]
                                 : to_bits(std::uniform_real_distribution<float>(-100, 100)(random)));
  }
  return array;
}

// Random launches with such floats in every f32 input.
inline void check_special_floats(CheckedProgram checked) {
  const Assembled assembled = assemble_program(checked.name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  checked.launch = [&](std::mt19937& random, const std::vector<Warp>&, CaseOverrides& overrides) {
    // One kind, or any mixture of them.
    const unsigned kinds = random() % 2 == 0 ? 1U << random() % 5 : static_cast<unsigned>(random() % 32);
    for (const Param& param : assembled.lesson()->params) {
      if (param.kind == Param::Kind::In && param.type == Type::F32)
        overrides.input_arrays[param.name] =
            special_floats(random, std::stoul(overrides.params.at("size")), kinds, random() % 2 == 0);
    }
  };
  for (unsigned round = 0; round < 4; ++round) ASSERT_NO_FATAL_FAILURE(check_random(checked, 100 + round));
}

// Those of `all` that read floats.
inline std::vector<CheckedProgram> with_floats(const std::vector<CheckedProgram>& all) {
  std::vector<CheckedProgram> some;
  for (const CheckedProgram& checked : all) {
    const Assembled assembled = assemble_program(checked.name);
    const auto reads_floats = [](const Param& p) { return p.kind == Param::Kind::In && p.type == Type::F32; };
    if (assembled.lesson() &&
        std::any_of(assembled.lesson()->params.begin(), assembled.lesson()->params.end(), reads_floats))
      some.push_back(checked);
  }
  return some;
}

// Every program of the group has its oracle.
inline void expect_whole_group(const std::string& group, const std::vector<CheckedProgram>& all) {
  std::vector<std::string> names;
  for (const CheckedProgram& checked : all) names.push_back(checked.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, programs_in({group}));
}

// The cases and words that every program of a pattern has.
inline void check_form(const CheckedProgram& checked) {
  const Assembled assembled = assemble_program(checked.name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  const Lesson& program = *assembled.lesson();
  for (const char* name : {"test", "worked", "blocks", "size20", "size48", "partial", "different"})
    ASSERT_NE(program.find_case(name), nullptr) << name;
  EXPECT_EQ(program.full_name(), checked.name);
  EXPECT_EQ(program.cases[0].name, "test");
  EXPECT_NE(program.header.find("The trick: "), std::string::npos);
  EXPECT_FALSE(program.title.empty());
  EXPECT_FALSE(program.document.empty());
  for (const unsigned lanes : {8U, 16U, 32U, 64U}) {
    CaseOverrides overrides;
    overrides.lanes = lanes;
    const RecordedRun run = record_run(program, *program.find_case("different"), overrides);
    ASSERT_EQ(run.error, "");
    for (const auto& [name, array] : run.trace.head.inputs) {
      const std::set<std::uint64_t> values(array.bits.begin(), array.bits.end());
      EXPECT_EQ(values.size() == array.bits.size(), !checked.alike.contains(name))
          << name << " at " << lanes << " lanes";
    }
    EXPECT_EQ(check_templates(run.trace.head), std::vector<std::string>{});
  }
}

}  // namespace warpsim::testing
