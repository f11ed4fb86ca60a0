// Sets of lanes instead of numbers: every output of every reduction and scan has heard of exactly the inputs that it
// must, whatever their values.
#include <gtest/gtest.h>

#include <numeric>

#include "isa/program/expand.h"
#include "sim/launch/launch.h"
#include "tests/support/heard.h"
#include "tests/support/oracle_check.h"

namespace warpsim::testing {
namespace heard_test {

using HeardByElement =
    std::map<std::string, std::map<std::size_t, std::set<std::string>>>;  // buffer, index → "input[3]"

// Fills in whom the outputs of one warp must have heard.
using Expect = std::function<void(const Problem&, const Warp&, HeardByElement&)>;

struct Listener {
  std::string name;
  Expect expect;
  std::string taken, given;  // the program is broken where `taken` is replaced by `given`: a step left out
  Follow follow = Follow::Values;
};

std::ostream& operator<<(std::ostream& out, const Listener& l) { return out << l.name; }

// The inputs of lanes `from` to `to` - 1.
std::set<std::string> elements(const Warp& w, std::size_t from, std::size_t to,
                               const std::vector<std::string>& inputs = {"input"}) {
  std::set<std::string> all;
  for (std::size_t l = from; l < to; ++l) {
    for (const std::string& input : inputs) all.insert(input + "[" + std::to_string(w.at[l]) + "]");
  }
  return all;
}

// All living lanes, on lane 0 or on each.
Expect everyone_at_lane_0(const std::vector<std::string>& inputs = {"input"}) {
  return [=](const Problem&, const Warp& w, HeardByElement& heard) {
    heard["output"][w.at[0]] = elements(w, 0, w.at.size(), inputs);
  };
}
Expect everyone_everywhere(const std::vector<std::string>& outputs = {"output"}) {
  return [=](const Problem&, const Warp& w, HeardByElement& heard) {
    for (const std::string& output : outputs)
      for (const std::size_t i : w.at) heard[output][i] = elements(w, 0, w.at.size());
  };
}
// Lanes 0 … l, or 0 … l - 1.
Expect lanes_before(bool inclusive, const std::string& input = "input", const std::string& output = "output") {
  return [=](const Problem&, const Warp& w, HeardByElement& heard) {
    for (std::size_t l = 0; l < w.at.size(); ++l)
      heard[output][w.at[l]] = elements(w, 0, l + (inclusive ? 1 : 0), {input});
  };
}

void own_segment_by_width(const Problem& p, const Warp& w, HeardByElement& heard) {
  const std::size_t width = std::bit_floor(std::clamp<std::size_t>(p.params.at("width"), 1, p.lanes));
  for (std::size_t l = 0; l < w.at.size(); l += width)
    heard["output"][w.at[l]] = elements(w, l, std::min(l + width, w.at.size()));
}

void from_the_head(const Problem& p, const Warp& w, HeardByElement& heard) {
  std::size_t head = 0;
  for (std::size_t l = 0; l < w.at.size(); ++l) {
    if (p.inputs.at("head")[w.at[l]] != 0) head = l;
    heard["output"][w.at[l]] = elements(w, head, l + 1);
  }
}

// With the choices: the flags that decided how far to go, too. Only a segment of as many lanes as the machine has needs
// no flag of its first lane: the last lane has no step left to ask whether to go on.
void from_the_head_by_flags(const Problem& p, const Warp& w, HeardByElement& heard) {
  from_the_head(p, w, heard);
  std::size_t head = 0;
  for (std::size_t l = 0; l < w.at.size(); ++l) {
    if (p.inputs.at("head")[w.at[l]] != 0) head = l;
    heard["output"][w.at[l]].merge(elements(w, l - head + 1 == p.lanes ? head + 1 : head, l + 1, {"head"}));
  }
}

// The butterfly with offsets from half the warp down to 1 that takes its partner's value where its own is 0: from
// `offset` on, whose value lane `lane` holds, and whose it looked at to decide that.
struct FirstValid {
  const Words& values;
  std::size_t lanes;
  std::size_t winner(std::size_t lane, std::size_t offset, std::set<std::size_t>& asked) const {
    if (offset == lanes) return lane;
    std::size_t own = winner(lane, 2 * offset, asked);
    const std::size_t partner = lane ^ offset;
    if (partner >= values.size()) return own;
    asked.insert(own);
    return values[own] != 0 ? own : winner(partner, 2 * offset, asked);
  }
};

// In order: the leftmost that is not 0, and with the choices those before it, which were 0. Where all are 0, the last.
Expect first_valid(Follow follow) {
  return [=](const Problem& p, const Warp& w, HeardByElement& heard) {
    const Words values = p.input(w, "input");
    std::size_t first = 0;
    while (first + 1 < values.size() && values[first] == 0) ++first;
    for (std::size_t l = 0; l < w.at.size(); ++l) {
      heard["in_order"][w.at[l]] = elements(w, follow == Follow::Choices ? 0 : first, first + 1);
      std::set<std::size_t> asked;
      const std::size_t winner = FirstValid{values, p.lanes}.winner(l, 1, asked);
      std::set<std::string>& names = heard["as_written"][w.at[l]] = elements(w, winner, winner + 1);
      if (follow == Follow::Values) continue;
      for (const std::size_t lane : asked) names.merge(elements(w, lane, lane + 1));
    }
  };
}

// Values alone: the winner. Its place is made from no input's value.
void the_largest(const Problem& p, const Warp& w, HeardByElement& heard) {
  std::size_t best = 0;
  const auto value = [&](std::size_t l) { return from_bits<std::int32_t>(p.inputs.at("input")[w.at[l]]); };
  for (std::size_t l = 1; l < w.at.size(); ++l) best = value(l) > value(best) ? l : best;
  for (const std::size_t i : w.at) {
    heard["largest"][i] = elements(w, best, best + 1);
    heard["place"][i] = {};
  }
}

// With the comparisons: all. A warp of one lane compares nothing, and its place is no input's.
void everyone_compared(const Problem& p, const Warp& w, HeardByElement& heard) {
  everyone_everywhere({"largest", "place"})(p, w, heard);
  if (p.lanes == 1) heard["place"][w.at[0]].clear();
}

// An owner is a lane's number and no input's; with the choices, the slot is found from what the lanes before bring.
Expect offsets_and_owners(Follow follow) {
  return [=](const Problem& p, const Warp& w, HeardByElement& heard) {
    lanes_before(false, "counts", "offset")(p, w, heard);
    std::size_t slot = w.at[0] * p.params.at("room");
    for (std::size_t l = 0; l < w.at.size(); ++l) {
      for (std::uint64_t item = 0; item < p.inputs.at("counts")[w.at[l]]; ++item)
        heard["owner"][slot++] = elements(w, 0, follow == Follow::Choices ? l : 0, {"counts"});
    }
  };
}

// Each output is one input, moved: where `order` puts it.
template <class Less>
Expect moved(Less less) {
  return [=](const Problem& p, const Warp& w, HeardByElement& heard) {
    std::vector<std::size_t> order(w.at.size());
    std::iota(order.begin(), order.end(), 0);
    const Words keys = p.input(w, "input");
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return less(p, keys[a], keys[b]); });
    for (std::size_t l = 0; l < order.size(); ++l) heard["output"][w.at[l]] = elements(w, order[l], order[l] + 1);
  };
}
const Expect kByLowBits = moved([](const Problem& p, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mask = (std::uint64_t{1} << p.params.at("bits")) - 1;
  return (a & mask) < (b & mask);
});
const Expect kByPivot = moved([](const Problem& p, std::uint64_t a, std::uint64_t b) {
  const float pivot = from_bits<float>(p.params.at("pivot"));
  return from_bits<float>(a) < pivot && !(from_bits<float>(b) < pivot);
});

void the_partner(const Problem&, const Warp& w, HeardByElement& heard) {
  for (std::size_t l = 0; l < w.at.size(); ++l) {
    const std::size_t partner = (l ^ 1) < w.at.size() ? l ^ 1 : l;
    heard["output"][w.at[l]] = elements(w, partner, partner + 1);
  }
}

// Of the block, which may have several warps.
void all_of_the_block(const Problem& p, const Warp& w, HeardByElement& heard) {
  heard["output"][w.at[0] / p.block].merge(elements(w, 0, w.at.size()));
}
void the_block_up_to_here(const Problem& p, const Warp& w, HeardByElement& heard) {
  for (const std::size_t i : w.at) {
    for (std::size_t j = i - i % p.block; j <= i; ++j) heard["output"][i].insert("input[" + std::to_string(j) + "]");
  }
}

const std::vector<Listener>& listeners() {
  static const std::vector<Listener> all = [] {
    const std::string half = "WARP_SZ / 2", quarter = "WARP_SZ / 4";
    const std::string one = "%offset, 1\n", two = "%offset, 2\n";
    std::vector<Listener> list;
    for (const char* op : {"sum", "min", "max", "and", "or", "xor"}) {
      list.push_back({std::string("reduce/") + op + "_down", everyone_at_lane_0(), half, quarter});
      list.push_back({std::string("reduce/") + op + "_bfly", everyone_everywhere(), half, quarter});
    }
    const std::vector<Listener> others = {
        {"reduce/by_width", own_segment_by_width, "%offset, %width, 1", "%offset, %width, 2"},
        {"reduce/then_broadcast", everyone_everywhere(), half, quarter},
        {"reduce/argmax", the_largest, half, quarter},
        {"reduce/argmax", everyone_compared, half, quarter, Follow::Choices},
        {"reduce/first_valid", first_valid(Follow::Values), "%value, %other, %valid", "%other, %value, %valid"},
        {"reduce/first_valid", first_valid(Follow::Choices), half, quarter, Follow::Choices},
        {"reduce/dual_min_max", everyone_everywhere({"least", "most", "spread"}), half, quarter},
        {"reduce/dot_product", everyone_at_lane_0({"a", "b"}), half, quarter},
        {"reduce/mean_variance", everyone_everywhere({"mean", "variance"}), half, quarter},
        {"scan/hillis_steele_inclusive", lanes_before(true), one, two},
        {"scan/hillis_steele_exclusive", lanes_before(false), one, two},
        {"scan/blelloch", lanes_before(false), "%distance, 1\n", "%distance, 2\n"},
        {"scan/min", lanes_before(true), one, two},
        {"scan/max", lanes_before(true), one, two},
        {"scan/product", lanes_before(true), one, two},
        {"scan/segmented", from_the_head, one, two},
        {"scan/segmented", from_the_head_by_flags, one, two, Follow::Choices},
        {"scan/work_offsets", offsets_and_owners(Follow::Values), "scan.add.exclusive", "scan.add"},
        {"scan/work_offsets", offsets_and_owners(Follow::Choices), "scan.add.exclusive", "scan.add", Follow::Choices},
        {"scan/radix_sort_split", kByLowBits, "%lanemask_lt", "%lanemask_le"},
        {"scan/radix_sort_split", everyone_everywhere(), "vote.ballot.mask %ballot, %zero",
         "mov.mask %ballot, %lanemask_lt", Follow::Choices},
        {"block/sum", all_of_the_block, half, quarter},
        {"block/prefix_sum", the_block_up_to_here, one, two},
        {"p26/butterfly_pair_swap", the_partner, "%current_val, 1, %last", "%current_val, 2, %last"},
        {"p26/butterfly_parallel_max", everyone_everywhere(), half, quarter},
        {"p26/butterfly_conditional_max", everyone_everywhere(), half, quarter},
        {"p26/warp_inclusive_prefix_sum", lanes_before(true), "scan.add.f32 ", "scan.add.exclusive.f32 "},
        {"p26/warp_partition", kByPivot, "%slot, %slot, %warp_start", "%slot, %slot, 0"},
    };
    list.insert(list.end(), others.begin(), others.end());
    return list;
  }();
  return all;
}

struct Heed {
  HeardByElement heard, expected;
};

// Runs the case `different` with random inputs and asks every output element whom it has heard. 0 as a width is the
// program's own.
void listen(const Lesson& program, const Listener& listener, unsigned lanes, std::uint32_t block, std::size_t size,
            unsigned width, Heed& heed) {
  std::mt19937 random(lanes * 1000 + static_cast<unsigned>(size));
  CaseOverrides overrides;
  overrides.lanes = lanes;
  overrides.grid = Dim3{static_cast<std::uint32_t>((size + block - 1) / block), 1, 1};
  overrides.block = Dim3{block, 1, 1};
  overrides.params["size"] = std::to_string(size);
  if (program.find_param("room") >= 0) overrides.params["room"] = "6";
  if (width != 0) overrides.params["width"] = std::to_string(width);
  for (const Param& param : program.params) {
    const bool zeros = listener.name == "reduce/first_valid";
    const std::uint64_t below = param.name == "head" ? 2 : param.name == "counts" ? 7 : zeros ? 2 : 0;
    if (param.kind == Param::Kind::In)
      overrides.input_arrays[param.name] = random_array(random, param.type, size, below);
  }
  Heard ears(listener.follow);
  const RecordedRun run = record_run(program, different_case(program), overrides, {&ears});
  ASSERT_EQ(run.error, "");
  for (const auto& [element, sources] : ears.stored()) {
    std::set<std::string>& names = heed.heard[program.params[static_cast<std::size_t>(element.param)].name]
                                             [static_cast<std::size_t>(element.index)];
    for (const Source& s : sources)
      names.insert(program.params[static_cast<std::size_t>(s.param)].name + "[" + std::to_string(s.index) + "]");
  }
  const Problem problem = problem_of(run.trace.head);
  for (const Warp& warp : problem.warps) listener.expect(problem, warp, heed.expected);
}

class HeardTest : public ::testing::TestWithParam<Listener> {};

// Those to listen at: a program's collectives in one step, and as the shuffles that they expand to. What a collective
// hears in one step is tests/support/heard.cpp's reading of its definition; the shuffles show it.
std::vector<Lesson> with_shuffles(const Lesson& program, unsigned lanes) {
  std::vector<Lesson> both = {program, expand_collectives(program, lanes)};
  if (both[0].code.size() == both[1].code.size()) both.pop_back();
  return both;
}

// Below, at and above the lane count, powers of two and not.
std::vector<unsigned> widths_of(const Lesson& program, unsigned lanes) {
  if (program.find_param("width") < 0) return {0};
  std::vector<unsigned> widths = {3, lanes - 1 + lanes / 2};
  for (unsigned width = 1; width <= 2 * lanes; width *= 2) widths.push_back(width);
  return widths;
}

// Whole warps, ragged ones, several blocks, blocks that end inside a warp.
TEST_P(HeardTest, ExactlyTheRightInputs) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  for (const unsigned lanes : kLaneCounts) {
    for (const std::uint32_t block : {lanes, 2 * lanes, lanes + lanes / 2 + 1}) {
      for (const std::size_t size : {std::size_t{1}, lanes * 5 / 8 + std::size_t{1}, std::size_t{2} * block,
                                     std::size_t{2} * block - lanes / 3}) {
        for (const unsigned width : widths_of(*assembled.lesson(), lanes)) {
          SCOPED_TRACE(std::to_string(size) + " elements in blocks of " + std::to_string(block) + " at " +
                       std::to_string(lanes) + " lanes, width " + std::to_string(width));
          for (const Lesson& program : with_shuffles(*assembled.lesson(), lanes)) {
            Heed heed;
            ASSERT_NO_FATAL_FAILURE(listen(program, GetParam(), lanes, block, size, width, heed));
            ASSERT_FALSE(heed.expected.empty());
            EXPECT_EQ(heed.heard, heed.expected);
          }
        }
      }
    }
  }
}

Lesson broken(const std::string& name, const std::string& taken, const std::string& given) {
  std::string text = source_text("programs/" + name + ".warp");
  const std::size_t at = text.find(taken, text.find(".kernel"));
  if (at != std::string::npos) text.replace(at, taken.size(), given);
  EXPECT_NE(at, std::string::npos) << taken;
  const Assembled assembled = assemble(text, name, "broken");
  EXPECT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  return assembled.lesson() != nullptr ? *assembled.lesson() : Lesson{};
}

// With a step left out somebody is not heard, or too many are, at every lane count that has such a step.
TEST_P(HeardTest, AStepLeftOutIsSeen) {
  const Lesson program = broken(GetParam().name, GetParam().taken, GetParam().given);
  for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    for (const Lesson& one : with_shuffles(program, lanes)) {
      Heed heed;
      ASSERT_NO_FATAL_FAILURE(listen(one, GetParam(), lanes, lanes, std::size_t{2} * lanes, 0, heed));
      EXPECT_NE(heed.heard, heed.expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HeardTest, ::testing::ValuesIn(listeners()), [](const auto& l) {
  std::string name = l.param.name + (l.param.follow == Follow::Choices ? "_choices" : "");
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

TEST(HeardGroups, EveryProgramIsHere) {
  std::set<std::string> names;
  for (const Listener& listener : listeners()) names.insert(listener.name);
  for (const std::string& name : programs_in({"reduce", "scan"})) EXPECT_TRUE(names.contains(name)) << name;
}

// 20 of 32 lanes live: without lane 0's word the higher lanes of a butterfly miss some of the others.
TEST(HeardInRaggedWarps, TheButterflyNeedsLane0) {
  int butterflies = 0;
  for (const Listener& listener : listeners()) {
    if (source_text("programs/" + listener.name + ".warp").find("@%whole bra") == std::string::npos) continue;
    if (listener.name == "p26/warp_partition") continue;  // its sum goes into places, which are no values
    if (listener.name == "reduce/argmax" && listener.follow == Follow::Values) continue;  // all may hear the winner
    SCOPED_TRACE(listener.name);
    const Lesson program = broken(listener.name, "@%whole bra", "bra");
    Heed heed;
    ASSERT_NO_FATAL_FAILURE(listen(program, listener, 32, 32, 20, 0, heed));
    EXPECT_NE(heed.heard, heed.expected);
    ++butterflies;
  }
  EXPECT_EQ(butterflies, 11);  // six operations, argmax, dual, mean, and two puzzles
}

}  // namespace heard_test
}  // namespace warpsim::testing
