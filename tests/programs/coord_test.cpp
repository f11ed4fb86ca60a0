// The programs of programs/coord/ against oracles: std::stable_partition, std::sort, std::find_if, breadth-first search
// with a queue and loops over the warp's elements; float sums in the order in which the program adds, written out.
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/oracle_check.h"

namespace warpsim::testing {
namespace coord_test {

template <class T>
std::vector<T> values_of(const Problem& p, const Warp& w, const std::string& name = "input") {
  std::vector<T> values;
  for (const std::uint64_t bits : p.input(w, name)) values.push_back(from_bits<T>(bits));
  return values;
}

template <class T>
T param(const Problem& p, const std::string& name) {
  return from_bits<T>(p.params.at(name));
}

void put_all(Outputs& out, const std::string& name, const Warp& w, std::uint64_t bits) {
  for (const std::size_t i : w.at) out[name][i] = bits;
}

// From the warp's first element on.
template <class T>
void put_row(Outputs& out, const std::string& name, const Warp& w, const std::vector<T>& row) {
  for (std::size_t k = 0; k < row.size(); ++k) out[name][w.at[0] + k] = to_bits<T>(row[k]);
}

void leader_election(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::int32_t> values = values_of<std::int32_t>(p, w);
  const auto leader = std::find_if(values.begin(), values.end(),
                                   [&](std::int32_t v) { return v >= param<std::int32_t>(p, "threshold"); });
  const bool elected = leader != values.end();
  put_all(out, "leader", w, elected ? static_cast<std::size_t>(leader - values.begin()) : p.lanes);
  put_all(out, "word", w, elected ? to_bits(*leader) : 0);
}

template <class T, class Keep>
Oracle compact(Keep keep) {
  return [=](const Problem& p, const Warp& w, Outputs& out) {
    std::vector<T> kept;
    for (const T value : values_of<T>(p, w)) {
      if (keep(value)) kept.push_back(value);
    }
    put_row(out, "output", w, kept);
    put_all(out, "kept", w, kept.size());
  };
}

void conditional_gather(const Problem& p, const Warp& w, Outputs& out) {
  for (const std::size_t i : w.at) {
    const std::int64_t wanted = from_bits<std::int32_t>(p.inputs.at("wanted")[i]);
    const bool there = wanted >= 0 && wanted < static_cast<std::int64_t>(w.at.size());
    out["output"][i] = p.inputs.at("input")[there ? w.at[static_cast<std::size_t>(wanted)] : i];
  }
}

void collective_decision(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<std::int32_t> values = values_of<std::int32_t>(p, w);
  const auto loud = static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [&](std::int32_t v) { return v >= param<std::int32_t>(p, "loud"); }));
  const double share = static_cast<double>(loud) / static_cast<double>(values.size());
  const int decision = share == 1 ? 3 : share > 0.5 ? 2 : share > 0 ? 1 : 0;
  put_all(out, "decision", w, static_cast<std::uint64_t>(decision));
  for (std::size_t k = 0; k < values.size(); ++k)
    out["output"][w.at[k]] = to_bits(static_cast<std::int32_t>(std::floor(std::ldexp(values[k], -decision))));
}

void parallel_filter(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<std::int32_t> accepted = values_of<std::int32_t>(p, w);
  const auto border = std::stable_partition(accepted.begin(), accepted.end(), [&](std::int32_t v) {
    return v >= param<std::int32_t>(p, "low") && v < param<std::int32_t>(p, "high") && v % 3 != 0;
  });
  const std::vector<std::int32_t> rejected(border, accepted.end());
  accepted.erase(border, accepted.end());
  put_row(out, "accepted", w, accepted);
  put_row(out, "rejected", w, rejected);
  put_all(out, "count", w, accepted.size());
}

void quicksort_partition(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<std::int32_t> values = values_of<std::int32_t>(p, w);
  std::vector<std::int32_t> three = {values.front(), values[(values.size() - 1) / 2], values.back()};
  std::sort(three.begin(), three.end());
  const auto less = std::stable_partition(values.begin(), values.end(), [&](std::int32_t v) { return v < three[1]; });
  const auto equal = std::stable_partition(less, values.end(), [&](std::int32_t v) { return v == three[1]; });
  put_row(out, "output", w, values);
  put_all(out, "smaller", w, static_cast<std::uint64_t>(less - values.begin()));
  put_all(out, "equal", w, static_cast<std::uint64_t>(equal - less));
}

// The number of rounds of a quicksort that partitions at the middle: the depth of the recursion.
std::uint64_t depth_of(const std::vector<std::int32_t>& values) {
  if (values.size() <= 1) return 0;
  const std::int32_t pivot = values[values.size() / 2];
  std::vector<std::int32_t> less, more;
  for (const std::int32_t v : values) {
    if (v < pivot) less.push_back(v);
    if (v > pivot) more.push_back(v);
  }
  return 1 + std::max(depth_of(less), depth_of(more));
}

void quicksort(const Problem& p, const Warp& w, Outputs& out) {
  std::vector<std::int32_t> values = values_of<std::int32_t>(p, w);
  put_all(out, "rounds", w, std::max<std::uint64_t>(1, depth_of(values)));  // one element takes a round, too
  std::sort(values.begin(), values.end());
  put_row(out, "output", w, values);
}

void load_balance(const Problem& p, const Warp& w, Outputs& out) {
  const std::uint64_t room = p.params.at("room"), places = room * w.at.size();
  std::uint64_t task = 0, longest = 0;
  for (const std::size_t i : w.at) {
    const std::uint64_t mine = p.inputs.at("work")[i];
    longest = std::max(longest, mine);
    for (std::uint64_t k = 0; k < mine && task < places; ++k)
      out["result"][w.at[0] * room + task++] = 100 * (i + 1) + k;
  }
  put_all(out, "alone", w, longest);
  put_all(out, "rounds", w, (task + w.at.size() - 1) / w.at.size());
}

void adaptive_filter(const Problem& p, const Warp& w, Outputs& out) {
  const std::vector<float> x = values_of<float>(p, w);
  std::vector<float> differences(x.size(), 0.0F);
  for (std::size_t l = 0; l + 1 < x.size(); ++l) differences[l] = std::abs(x[l + 1] - x[l]);
  const float sum = doubling_sum(differences, x.size() - 1, p.lanes);
  const float mean = sum / static_cast<float>(std::max<std::size_t>(1, x.size() - 1));
  const float noise = mean * param<float>(p, "factor");
  put_all(out, "noise", w, to_bits(noise));
  for (std::size_t l = 0; l < x.size(); ++l) {
    float result = x[l];
    if (l > 0 && l + 1 < x.size()) {
      std::vector<float> three = {x[l - 1], x[l], x[l + 1]};
      std::sort(three.begin(), three.end());
      if (std::abs(x[l] - three[1]) > noise) result = three[1];
    }
    out["output"][w.at[l]] = to_bits(result);
  }
}

void quality_control(const Problem& p, const Warp& w, Outputs& out) {
  const float low = param<float>(p, "low"), high = param<float>(p, "high");
  const std::vector<float> x = values_of<float>(p, w);
  std::vector<float> good = x;
  std::size_t bad = 0;
  for (float& value : good) {
    if (value >= low && value <= high) continue;
    ++bad;
    value = 0;
  }
  const double share = static_cast<double>(bad) / static_cast<double>(x.size());
  const int grade = share == 0 ? 0 : share <= 0.25 ? 1 : share <= 0.5 ? 2 : 3;
  const float mean = doubling_sum(good, x.size() - 1, p.lanes) / static_cast<float>(x.size() - bad);
  put_all(out, "grade", w, static_cast<std::uint64_t>(grade));
  for (std::size_t l = 0; l < x.size(); ++l) {
    float result = x[l];
    if (grade == 3) result = 0;
    else if (std::isnan(x[l]) || x[l] < low) result = grade == 1 ? mean : low;
    else if (x[l] > high) result = grade == 1 ? mean : high;
    out["output"][w.at[l]] = to_bits(result);
  }
}

void match_histogram(const Problem& p, const Warp& w, Outputs& out) {
  for (const std::uint64_t value : p.input(w, "input")) ++out["histogram"][value % p.params.at("bins")];
}

// Warps come in the machine's order.
void aggregated_atomics(const Problem& p, const Warp& w, Outputs& out) {
  for (const std::int32_t value : values_of<std::int32_t>(p, w)) {
    if (value >= param<std::int32_t>(p, "threshold")) out["output"][out["counter"][0]++] = to_bits(value);
  }
}

// Breadth-first search with a queue, one vertex after another, from every source. Lanes act in lane order and take
// edges in the queue's order, so even the order in which vertices are reached is this one.
void frontier_expansion(const Problem& p, const Warp&, Outputs& out) {
  const Words &first = p.inputs.at("first"), &target = p.inputs.at("target");
  const std::size_t size = p.params.at("size");
  for (std::size_t search = 0; search < p.params.at("searches"); ++search) {
    Words queue = {p.inputs.at("source")[search]}, level(size, 0);
    level[queue[0]] = 1;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint64_t vertex = queue[head];
      for (std::uint64_t edge = first[vertex]; edge < first[vertex + 1]; ++edge) {
        if (level[target[edge]] != 0) continue;
        level[target[edge]] = level[vertex] + 1;
        queue.push_back(target[edge]);
      }
    }
    out["reached"][search] = queue.size();
    std::copy(level.begin(), level.end(), out["level"].begin() + static_cast<std::ptrdiff_t>(search * size));
    std::copy(queue.begin(), queue.end(), out["queue"].begin() + static_cast<std::ptrdiff_t>(search * size));
  }
}

// ---- launches with inputs that make such programs decide now one thing, now another

std::size_t size_of(const std::vector<Warp>& warps) { return warps.back().at.back() + 1; }

std::int32_t between(std::mt19937& random, std::int32_t low, std::int32_t high) {
  return std::uniform_int_distribution<std::int32_t>(low, high)(random);
}

// Whole numbers around 0, all different, in random order.
Array shuffled(std::mt19937& random, std::size_t count, Type type = Type::S32) {
  Array array{type, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t value = static_cast<std::int32_t>(i) - static_cast<std::int32_t>(count / 2);
    array.bits.push_back(type == Type::F32 ? to_bits(static_cast<float>(value)) : to_bits(value));
  }
  std::shuffle(array.bits.begin(), array.bits.end(), random);
  return array;
}

using Launch = std::function<void(std::mt19937&, const std::vector<Warp>&, CaseOverrides&)>;

// `input` as above, and thresholds anywhere among its values and a little outside.
Launch around(std::vector<std::string> thresholds) {
  return [=](std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
    const std::size_t size = size_of(warps);
    launch.input_arrays["input"] = shuffled(random, size);
    const std::int32_t reach = static_cast<std::int32_t>(size) / 2 + 2;
    for (const std::string& name : thresholds) launch.params[name] = std::to_string(between(random, -reach, reach));
  };
}

// Few values, so that many are equal, or all different ones.
void now_and_then_equal(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  Array input = shuffled(random, size_of(warps));
  const std::int32_t few = between(random, 1, 6);
  if (random() % 2 == 0) {
    for (std::uint64_t& bits : input.bits) bits = to_bits(from_bits<std::int32_t>(bits) % few);
  }
  launch.input_arrays["input"] = input;
}

void some_zeros(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  launch.input_arrays["input"] = shuffled(random, size_of(warps));
  const std::uint64_t rare = 1 + random() % 5;
  for (std::uint64_t& bits : launch.input_arrays["input"].bits) bits = random() % rare == 0 ? 0 : bits;
}

void some_nans(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  launch.input_arrays["input"] = shuffled(random, size_of(warps), Type::F32);
  const std::uint64_t rare = 1 + random() % 5;
  for (std::uint64_t& bits : launch.input_arrays["input"].bits)
    bits = random() % rare == 0 ? 0x7fc00000 + random() % 9 : bits;
}

void wishes(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  Array& wanted = launch.input_arrays["wanted"] = Array{Type::S32, {}};
  const std::int32_t reach = static_cast<std::int32_t>(*launch.lanes) + 3;
  for (std::size_t i = 0; i < size_of(warps); ++i) wanted.bits.push_back(to_bits(between(random, -3, reach)));
}

void uneven_work(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  Array& work = launch.input_arrays["work"] = Array{Type::U32, {}};
  const std::uint64_t rare = 1 + random() % 4;
  for (std::size_t i = 0; i < size_of(warps); ++i) work.bits.push_back(random() % rare == 0 ? random() % 12 : 0);
  launch.params["room"] = std::to_string(between(random, 1, 12));
}

void spikes(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  Array& input = launch.input_arrays["input"] = random_array(random, Type::F32, size_of(warps), 0);
  for (std::uint64_t& bits : input.bits) {
    if (random() % 4 != 0) bits = to_bits(from_bits<float>(bits) / 16);
  }
  launch.params["factor"] = std::to_string(between(random, 0, 12)) + " / 8.0";
}

// From hardly any bad ones to hardly any good ones.
void some_bad(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  Array& input = launch.input_arrays["input"] = random_array(random, Type::F32, size_of(warps), 0);
  const float limit = static_cast<float>(between(random, 10, 105));
  launch.params["low"] = std::to_string(-limit);
  launch.params["high"] = std::to_string(limit);
  if (!input.bits.empty() && random() % 2 == 0)
    input.bits[random() % input.bits.size()] = to_bits(std::numeric_limits<float>::quiet_NaN());
}

void some_bins(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  launch.input_arrays["input"] = random_array(random, Type::U32, size_of(warps), 0);
  launch.params["bins"] = std::to_string(between(random, 1, random() % 2 == 0 ? 6 : 100));
}

// Few edges or many, here and there a vertex that leads to many others; one search a block.
void random_edges(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  const std::size_t size = size_of(warps);
  Array first{Type::U32, {0}}, target{Type::U32, {}}, source{Type::U32, {}};
  const std::uint64_t usual = 1 + random() % 4;
  for (std::size_t v = 0; v < size; ++v) {
    const std::uint64_t degree = random() % (random() % 16 == 0 ? 2 * size : usual);
    for (std::uint64_t k = 0; k < degree; ++k) target.bits.push_back(random() % size);
    first.bits.push_back(target.bits.size());
  }
  for (std::size_t k = 0; k < launch.grid->x; ++k) source.bits.push_back(random() % size);
  launch.params["searches"] = std::to_string(source.bits.size());
  launch.params["edges"] = std::to_string(target.bits.size());
  launch.input_arrays.insert({{"first", first}, {"target", target}, {"source", source}});
}

const std::vector<CheckedProgram>& programs() {
  static const std::vector<CheckedProgram> all = {
      {"coord/leader_election", leader_election, {}, {}, around({"threshold"})},
      {"coord/compact_ballot", compact<std::int32_t>([](auto v) { return v != 0; }), {}, {}, some_zeros},
      {"coord/compact_scan", compact<float>([](auto v) { return !std::isnan(v); }), {}, {}, some_nans},
      {"coord/conditional_gather", conditional_gather, {}, {}, wishes},
      {"coord/collective_decision", collective_decision, {}, {}, around({"loud"})},
      {"coord/parallel_filter", parallel_filter, {}, {}, around({"low", "high"})},
      {"coord/quicksort_partition", quicksort_partition, {}, {}, now_and_then_equal},
      {"coord/quicksort", quicksort, {}, {}, now_and_then_equal},
      {"coord/load_balance", load_balance, {}, {}, uneven_work},
      {"coord/adaptive_filter", adaptive_filter, {}, {}, spikes},
      {"coord/quality_control", quality_control, {}, {}, some_bad},
      {"coord/match_histogram", match_histogram, {}, {}, some_bins},
      {"coord/aggregated_atomics", aggregated_atomics, {}, {}, around({"threshold"})},
      {"coord/frontier_expansion", frontier_expansion, {}, {}, random_edges},
  };
  return all;
}

class CoordTest : public ::testing::TestWithParam<CheckedProgram> {};

TEST_P(CoordTest, EveryCaseAtEveryLaneCount) { check_cases(GetParam()); }
TEST_P(CoordTest, RandomInputs) { check_random(GetParam()); }
TEST_P(CoordTest, HasItsCasesAndWords) { check_form(GetParam()); }

TEST(Coord, EveryProgramIsHere) { expect_whole_group("coord", programs()); }

INSTANTIATE_TEST_SUITE_P(All, CoordTest, ::testing::ValuesIn(programs()),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

// Lanes that reach the memory of an atomic, over the whole run.
int atomic_accesses(const std::string& program, const std::string& case_name, unsigned lanes) {
  CaseOverrides overrides;
  overrides.lanes = lanes;
  const RecordedRun run = record_run(program, case_name, overrides);
  EXPECT_EQ(run.error, "");
  int accesses = 0;
  for (const TraceEvent& event : run.trace.events) {
    if (event.memory && event.memory->access == TraceMemory::Access::Atomic)
      accesses += std::popcount(event.memory->lanes);
  }
  return accesses;
}

// What these two are for: of the three warps one keeps everything, one nothing, one half; and one has all elements in
// one bin, one each in its own, one in two.
TEST(Atomics, AreAsFewAsTheProgramsSay) {
  for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
    EXPECT_EQ(atomic_accesses("coord/aggregated_atomics", "blocks", lanes), 2) << lanes;
    EXPECT_EQ(atomic_accesses("coord/match_histogram", "blocks", lanes), static_cast<int>(1 + lanes + 2)) << lanes;
  }
}

}  // namespace coord_test
}  // namespace warpsim::testing
