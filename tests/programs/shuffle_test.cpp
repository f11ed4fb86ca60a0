// The programs of shuffle/: every case, and random launches with inputs that are all different, against oracles that
// say for one lane what CUDA's manual says of a shuffle, in plain arithmetic, and share nothing with the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/programs/shuffle_oracles.h"
#include "tests/support/program_run.h"
#include "traces/template/phase_template.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace shuffle_test {

// ---- random launches

using Random = std::mt19937_64;

std::size_t fewest_living(const Launch& launch) {
  std::size_t fewest = launch.lanes;
  for (const Warp& warp : warps_of(launch)) fewest = std::min(fewest, warp.size());
  return fewest;
}

std::int64_t any_operand(Random& random) {
  return random() % 2 == 0 ? static_cast<std::int64_t>(random() % 70) : static_cast<std::int64_t>(random() >> 32);
}

void nothing(Launch&, Random&) {}
void any_delta(Launch& s, Random& random) { s.params["delta"] = any_operand(random); }
// A source lane that every warp has, or a number that wraps to one.
void living_source(Launch& s, Random& random) {
  s.params["src"] = static_cast<std::int64_t>(random() % fewest_living(s) + s.lanes * (random() % 3));
}
void living_sources(Launch& s, Random& random) {
  s.inputs["source"].assign(s.size, 0);
  for (const Warp& warp : warps_of(s)) {
    for (const std::size_t at : warp) s.inputs["source"][at] = random() % warp.size() + s.lanes * (random() % 3);
  }
}
void some_masks(Launch& s, Random& random) {
  s.params["first"] = static_cast<std::int64_t>(random() % 66);
  s.params["masks"] = static_cast<std::int64_t>(1 + random() % 3);
}
void one_mask(Launch& s, Random& random) { s.params["lane_mask"] = any_operand(random); }
void any_width(Launch& s, Random& random) {
  s.params["width"] = static_cast<std::int64_t>(random() % 3 == 0 ? random() % (2 * s.lanes)
                                                                  : s.lanes >> random() % std::bit_width(s.lanes));
  s.params["b"] = any_operand(random);
}
void any_b(Launch& s, Random& random) {
  s.params["b"] = static_cast<std::int32_t>(static_cast<std::uint32_t>(random()));
  if (random() % 2 == 0) s.params["b"] = static_cast<std::int64_t>(random() % 111) - 40;
}
// The document's masks, for as many lanes as there are, and any others; with a partner and a delta that lead no member
// out of the set.
void any_members(Launch& s, Random& random) {
  const std::uint64_t all = s.lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << s.lanes) - 1;
  const std::uint64_t low = (std::uint64_t{1} << s.lanes / 2) - 1, even = 0x5555555555555555;
  const std::uint64_t known[] = {
      all, low, all & ~low, all & even, all & ~even, std::uint64_t{1} << random() % s.lanes, random()};
  s.params["members"] = static_cast<std::int64_t>(known[random() % std::size(known)]);
  const auto stays = [&](Mode mode) {
    for (const Warp& warp : warps_of(s)) {
      for (std::size_t lane = 0; lane < warp.size(); ++lane) {
        const std::optional<std::size_t> from = inside_set(s, warp, mode, lane);
        if (from && !is_member(s, *from)) return false;
      }
    }
    return true;
  };
  int round = 0;  // 0 exchanges nothing
  do s.params["partner"] = round++ < 99 ? static_cast<std::int64_t>(random() % 64) : 0;
  while (!stays(Mode::Xor));
  round = 0;
  do s.params["delta"] = round++ < 99 ? static_cast<std::int64_t>(random() % 64) : 0;
  while (!stays(Mode::Up) || !stays(Mode::Down));
}

struct Shuffle {
  std::string name;
  Oracle oracle;
  std::function<void(Launch&, Random&)> prepare;
};
std::ostream& operator<<(std::ostream& out, const Shuffle& shuffle) { return out << shuffle.name; }

const std::vector<Shuffle>& shuffles() {
  static const std::vector<Shuffle> all = {
      {"idx_broadcast", idx_broadcast, living_source},
      {"idx_gather", idx_gather, living_sources},
      {"up", up, any_delta},
      {"down", down, any_delta},
      {"bfly_masks", bfly_masks, some_masks},
      {"widths", widths, any_width},
      {"out_of_range", out_of_range, any_b},
      {"member_masks", member_masks, any_members},
      {"type_s32", swap_neighbors(larger_of<std::int32_t>), nothing},
      {"type_u32", swap_neighbors(larger_of<std::uint32_t>), nothing},
      {"type_f32", swap_neighbors(larger_float<float, std::uint32_t>), nothing},
      {"type_s64", swap_neighbors(larger_of<std::int64_t>), nothing},
      {"type_u64", swap_neighbors(larger_of<std::uint64_t>), nothing},
      {"type_f64", swap_neighbors(larger_float<double, std::uint64_t>), nothing},
      {"type_f16", swap_neighbors(larger_half), nothing},
      {"type_f16x2", swap_neighbors(larger_halves), nothing},
      {"struct_members", struct_members, living_source},
      {"split_64", split_64, any_delta},
      {"pointer_value", pointer_value, nothing},
      {"xor_twice", xor_twice, one_mask},
  };
  return all;
}

// Bits that are all different: of floats also zeros of both signs, denormals, infinities, and on even lanes that have a
// neighbor NaNs with payloads.
Bits different(Type type, std::size_t length, const Launch& launch, Random& random) {
  if (type == Type::F16X2) {
    Bits pairs = different(Type::F16, length, launch, random);
    const Bits high = different(Type::F16, length, launch, random);
    for (std::size_t k = 0; k < length; ++k) pairs[k] |= high[k] << 16;
    return pairs;
  }
  const std::uint64_t all = bits(type) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits(type)) - 1;
  const int fraction = type == Type::F16 ? 10 : type == Type::F32 ? 23 : 52;
  const std::uint64_t sign = std::uint64_t{1} << (bits(type) - 1);
  const std::uint64_t infinity = sign - (std::uint64_t{1} << fraction);
  const auto is_nan = [&](std::uint64_t x) { return is_float(type) && (x & ~sign) > infinity; };
  std::set<std::size_t> may_be_nan;
  for (const Warp& warp : warps_of(launch)) {
    for (std::size_t lane = 0; lane + 1 < warp.size(); lane += 2) may_be_nan.insert(warp[lane]);
  }
  std::set<std::uint64_t> used;
  Bits values;
  while (values.size() < length) {
    std::uint64_t value = random() & all;
    if (is_float(type) && random() % 4 == 0) {
      const std::uint64_t special[] = {0, sign, 1 + random() % 9, sign + 1 + random() % 9, infinity, infinity | sign};
      value = special[random() % std::size(special)];
      if (random() % 2 == 0) value = infinity + 1 + random() % 999;
    }
    if (is_nan(value) && may_be_nan.count(values.size()) == 0) continue;
    if (used.insert(value).second) values.push_back(value);
  }
  return values;
}

void check_run(const Shuffle& shuffle, const Launch& launch, const Trace& trace) {
  ASSERT_FALSE(trace.outcome.trap.has_value()) << english(trace.outcome.trap->message);
  EXPECT_TRUE(trace.outcome.findings.empty()) << english(trace.outcome.findings[0].message);
  EXPECT_TRUE(trace.outcome.undefined.empty());
  Arrays expected;
  for (const auto& [name, array] : trace.outcome.outputs) expected[name].assign(array.bits.size(), 0);
  const std::size_t outputs = expected.size();
  for (const Warp& warp : warps_of(launch)) shuffle.oracle(launch, warp, expected);
  ASSERT_EQ(expected.size(), outputs);
  for (const auto& [name, array] : trace.outcome.outputs) EXPECT_EQ(array.bits, expected[name]) << name;
}

class ShuffleTest : public ::testing::TestWithParam<Shuffle> {};

TEST_P(ShuffleTest, EveryCaseAtEveryLaneCount) {
  const Assembled assembled = assemble_program("shuffle/" + GetParam().name);
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
      const TraceHead& head = run.trace.head;
      Launch launch;
      launch.lanes = head.lanes, launch.grid = head.grid.x, launch.block = head.block.x;
      for (const TraceParam& param : head.params) {
        const bool is_signed_32 = param.type == Type::S32;
        if (!param.is_buffer())
          launch.params[param.name] = is_signed_32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(param.bits))
                                                   : static_cast<std::int64_t>(param.bits);
      }
      launch.size = static_cast<std::size_t>(launch.params.at("size"));
      for (const auto& [name, array] : head.inputs) launch.inputs[name] = array.bits;
      check_run(GetParam(), launch, run.trace);
      EXPECT_EQ(run.trace.outcome.passed, true);  // the case's own rule agrees with the oracle
      TextOptions steps;
      steps.header = false;
      std::istringstream drawn(render_text(run.trace, steps));
      for (std::string line; std::getline(drawn, line);) EXPECT_LE(text_width(line), 80U) << line;
    }
  }
}

TEST_P(ShuffleTest, RandomLaunches) {
  const Assembled assembled = assemble_program("shuffle/" + GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  const Lesson& program = *assembled.lesson();
  ASSERT_NE(program.find_case("test"), nullptr);
  Case one = *program.find_case("test");
  std::erase_if(one.fields, [](const CaseField& field) { return field.key.starts_with("expect"); });
  Random random(2026);
  for (int round = 0; round < 140; ++round) {
    Launch launch;
    launch.lanes = std::size_t{1} << round % 7;
    launch.grid = 1 + random() % 3;
    launch.block = random() % 3 == 0 ? launch.lanes : 1 + random() % (2 * launch.lanes);
    launch.size = launch.grid * launch.block;
    if (random() % 3 == 0) launch.size = 1 + random() % launch.size;
    launch.params["size"] = static_cast<std::int64_t>(launch.size);
    GetParam().prepare(launch, random);
    CaseOverrides overrides;
    overrides.lanes = static_cast<unsigned>(launch.lanes);
    overrides.grid = Dim3{static_cast<std::uint32_t>(launch.grid), 1, 1};
    overrides.block = Dim3{static_cast<std::uint32_t>(launch.block), 1, 1};
    std::string words;
    for (const Param& param : program.params) {
      if (param.kind == Param::Kind::In) {
        Bits& values = launch.inputs[param.name];
        if (values.empty()) values = different(param.type, launch.size, launch, random);
        overrides.input_arrays[param.name] = Array{param.type, values};
      } else if (launch.params.count(param.name) != 0) {
        const std::int64_t value = launch.params[param.name];
        overrides.params[param.name] =
            param.type == Type::U64 ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
        words += " " + param.name + "=" + overrides.params[param.name];
      }
    }
    SCOPED_TRACE("round " + std::to_string(round) + ": " + std::to_string(launch.lanes) + " lanes, " +
                 std::to_string(launch.grid) + " blocks of " + std::to_string(launch.block) + words);
    const RecordedRun run = record_run(program, one, overrides);
    ASSERT_EQ(run.error, "");
    check_run(GetParam(), launch, run.trace);
    if (HasFailure()) return;
  }
}

TEST(Shuffles, EveryProgramIsHere) {
  std::vector<std::string> names = {"shuffle/lane_number"};  // in two dimensions: LaneNumber below
  for (const Shuffle& shuffle : shuffles()) names.push_back("shuffle/" + shuffle.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, programs_in({"shuffle"}));
}

TEST_P(ShuffleTest, HasWhatTheGroupAsksFor) {
  const Assembled assembled = assemble_program("shuffle/" + GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  const Lesson& program = *assembled.lesson();
  ASSERT_FALSE(program.cases.empty());
  EXPECT_EQ(program.cases[0].name, "test");
  for (const char* name : {"test", "worked", "partial"}) ASSERT_NE(program.find_case(name), nullptr) << name;
  for (const char* name : {"test", "partial"})
    EXPECT_EQ(lane_counts(program, *program.find_case(name)), (std::vector<unsigned>{4, 8, 16, 32, 64})) << name;
  EXPECT_FALSE(program.title.empty());
  EXPECT_TRUE(program.document.starts_with("003:"));
  EXPECT_NE(program.header.find("The trick: "), std::string::npos);
  const RecordedRun run = record_run(program, *program.find_case("test"), {});
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(check_templates(run.trace.head), std::vector<std::string>{});
  for (const auto& [name, array] : run.trace.head.inputs) {
    if (name == "source") continue;
    EXPECT_EQ(std::set<std::uint64_t>(array.bits.begin(), array.bits.end()).size(), array.bits.size()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShuffleTest, ::testing::ValuesIn(shuffles()),
                         [](const auto& shuffle) { return shuffle.param.name; });

// Threads count along x first, then y; a warp takes the next WARP_SZ of them.
TEST(LaneNumber, CountsThreadsRowByRow) {
  const Assembled assembled = assemble_program("shuffle/lane_number");
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  Random random(2026);
  int narrow = 0;
  for (const unsigned lanes : kLaneCounts) {
    for (const std::uint32_t width : {1U, 3U, lanes, lanes + 5U}) {
      const std::uint32_t height = 4;
      CaseOverrides overrides;
      overrides.lanes = lanes;
      overrides.block = Dim3{width, height, 1};
      overrides.params["size"] = std::to_string(width * height);
      Array input{Type::U32, {}};
      for (std::uint32_t i = 0; i < width * height; ++i) input.bits.push_back(1000 * i + random() % 1000);
      overrides.input_arrays["input"] = input;
      const RecordedRun run = record_run(*assembled.lesson(), *assembled.lesson()->find_case("test"), overrides);
      ASSERT_EQ(run.error, "");
      std::map<std::string, Bits> outputs;
      for (const auto& [name, array] : run.trace.outcome.outputs) outputs[name] = array.bits;
      std::uint32_t thread = 0;
      for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x, ++thread) {
          EXPECT_EQ(outputs.at("laneid")[thread], thread % lanes) << width << " wide, at " << lanes;
          EXPECT_EQ(outputs.at("by_x")[thread], x % lanes);
          const std::uint32_t read = thread / lanes * lanes + x % lanes;
          if (read < width * height) {
            EXPECT_EQ(outputs.at("read_own")[thread], input.bits[read]);
          }
          narrow += thread % lanes != x % lanes;
        }
      }
    }
  }
  EXPECT_GT(narrow, 100);
}

// A butterfly of a width reads an earlier segment, and up by 33 is up by 1: the oracle itself, at lanes worked by hand.
TEST(ShuffleOracle, ByHand) {
  EXPECT_EQ(source(Mode::Idx, 5, 20, 16, 32), 4U);  // 003:446-449
  EXPECT_EQ(source(Mode::Idx, 8, -1, 8, 32), 15U);
  EXPECT_EQ(source(Mode::Up, 7, 33, 32, 32), 6U);
  EXPECT_EQ(source(Mode::Up, 7, 33, 64, 64), std::nullopt);
  EXPECT_EQ(source(Mode::Down, 6, 2, 8, 8), std::nullopt);
  EXPECT_EQ(source(Mode::Xor, 5, 4, 4, 32), 1U);
  EXPECT_EQ(source(Mode::Xor, 1, 4, 4, 32), std::nullopt);
  EXPECT_EQ(source(Mode::Xor, 9, 32, 32, 32), 9U);
}

}  // namespace shuffle_test
}  // namespace warpsim::testing
