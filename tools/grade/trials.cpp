// Hidden inputs; see trials.h.
#include "tools/grade/trials.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/machine/random.h"
#include "tools/session/loading.h"
#include "tools/session/overrides.h"

namespace warpsim::tools {

namespace {

// Inputs whose values belong together.
struct Structured {
  std::string_view program, input;
};
constexpr Structured kStructured[] = {
    {"graph/connected_components", "neighbor"},
    {"graph/tree_traversal", "parent"},
    {"graph/tree_traversal", "child"},
    {"graph/tree_traversal", "sibling"},
    {"coord/frontier_expansion", "first"},
    {"coord/frontier_expansion", "target"},
    {"coord/frontier_expansion", "source"},
    {"permute/fft_radix2", "cosine"},
    {"permute/fft_radix2", "sine"},
    {"permute/convolution", "cosine"},
    {"permute/convolution", "sine"},
};

bool is_structured(const Lesson& program, const std::string& input) {
  return std::any_of(std::begin(kStructured), std::end(kStructured),
                     [&](const Structured& one) { return one.program == program.full_name() && one.input == input; });
}

void reorder(Array& array, SplitMix& random) {
  for (std::size_t k = array.bits.size(); k > 1; --k)
    std::swap(array.bits[k - 1], array.bits[random.below(static_cast<unsigned>(k))]);
}

constexpr double kMostDrawn = 1 << 24;  // whole numbers up to here are exact in f32

// The element as a number, where it is one of those that are drawn.
std::optional<double> number_of(Type type, std::uint64_t bits) {
  if (type == Type::F32) return static_cast<double>(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)));
  if (type == Type::F64) return __builtin_bit_cast(double, bits);
  if (is_float(type)) return std::nullopt;
  if (type == Type::S32) return static_cast<double>(static_cast<std::int32_t>(bits));
  if (type == Type::S64) return static_cast<double>(static_cast<std::int64_t>(bits));
  if (type == Type::U32 || type == Type::B32 || type == Type::U64 || type == Type::B64)
    return static_cast<double>(bits);
  return std::nullopt;
}

std::uint64_t bits_of(Type type, double number) {
  if (type == Type::F32) return __builtin_bit_cast(std::uint32_t, static_cast<float>(number));
  if (type == Type::F64) return __builtin_bit_cast(std::uint64_t, number);
  const auto whole = static_cast<std::int64_t>(number);
  return type == Type::S32 ? static_cast<std::uint32_t>(whole) : static_cast<std::uint64_t>(whole);
}

struct Range {
  double least = INFINITY, most = -INFINITY;
  bool whole = true;  // no fractions
};

// Of the elements; nothing where they are no numbers to draw from.
std::optional<Range> range_of(const Array& array) {
  Range range;
  for (const std::uint64_t bits : array.bits) {
    const std::optional<double> number = number_of(array.type, bits);
    if (!number || !(std::abs(*number) <= kMostDrawn)) return std::nullopt;
    range.whole = range.whole && *number == std::floor(*number);
    range.least = std::min(range.least, *number);
    range.most = std::max(range.most, *number);
  }
  if (array.bits.empty()) return std::nullopt;
  return range;
}

void draw(Array& array, const Range& range, SplitMix& random) {
  constexpr double kQuarter = 0.25;
  const double step = range.whole ? 1 : kQuarter;
  const auto places = static_cast<unsigned>((range.most - range.least) / step) + 1;
  for (std::uint64_t& bits : array.bits) bits = bits_of(array.type, range.least + step * random.below(places));
}

bool draw(Array& array, SplitMix& random) {
  std::optional<Range> range = range_of(array);
  if (!range) return false;
  auto& [least, most, whole] = *range;
  if (least == most) {
    if (least == 0 || least == 1) least = 0, most = 1;
    else least = std::min(2 * least, 0.0), most = std::max(2 * most, 0.0);
  }
  draw(array, *range, random);
  return true;
}

enum class Change { Draw, Reorder };

PreparedCase with_other_inputs(const Lesson& program, PreparedCase prepared, Change change, SplitMix& random) {
  for (const Param& param : program.params) {
    const auto found = prepared.arguments.buffers.find(param.name);
    if (param.kind == Param::Kind::Out || found == prepared.arguments.buffers.end()) continue;
    if (is_structured(program, param.name)) continue;
    if (change == Change::Reorder || !draw(found->second, random)) reorder(found->second, random);
  }
  return prepared;
}

std::optional<Trial> hidden_trial(Session& session, const Lesson& solution, const PreparedCase& seen,
                                  SplitMix& random) {
  for (const Change change : {Change::Draw, Change::Reorder}) {
    PreparedCase other = with_other_inputs(solution, seen, change, random);
    if (other.arguments.buffers == seen.arguments.buffers) continue;
    if (std::optional<Trial> trial = tried(session, solution, other)) return trial;
  }
  return std::nullopt;
}

// The inputs that are negative somewhere in some case.
std::set<std::string> signed_inputs(const Lesson& solution) {
  std::set<std::string> names;
  for (const Case& one : solution.cases) {
    for (const unsigned lanes : lane_counts(solution, one)) {
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const auto made = prepare_case(solution, one, overrides);
      const auto* const prepared = std::get_if<PreparedCase>(&made);
      if (prepared == nullptr) continue;
      for (const auto& [name, array] : prepared->arguments.buffers)
        if (const std::optional<Range> range = range_of(array); range && range->least < 0) names.insert(name);
    }
  }
  return names;
}

// Nothing but negative numbers in the inputs that may be negative, as far from 0 as the case's own: a maximum that
// begins at 0 shows. Nothing where the case has no others itself.
std::optional<Trial> negative_trial(Session& session, const Lesson& solution, PreparedCase prepared,
                                    const std::set<std::string>& may_be_negative, SplitMix& random) {
  bool changes = false;
  for (const Param& param : solution.params) {
    const auto found = prepared.arguments.buffers.find(param.name);
    if (param.kind == Param::Kind::Out || found == prepared.arguments.buffers.end()) continue;
    if (!may_be_negative.contains(param.name) || is_structured(solution, param.name)) continue;
    std::optional<Range> range = range_of(found->second);
    if (!range || range->most < 0) continue;
    range->least = std::min(-std::max(range->most, -range->least), -1.0);
    range->most = -1;
    draw(found->second, *range, random);
    changes = true;
  }
  return changes ? tried(session, solution, prepared) : std::nullopt;
}

// The scalar that is the length of a buffer, if one is; nothing where it is as small as can be.
std::optional<std::pair<std::string, std::uint64_t>> length_of(const Lesson& program, const PreparedCase& prepared) {
  for (const Param& param : program.params) {
    const auto scalar = prepared.arguments.scalars.find(param.is_buffer() ? param.length : "");
    if (scalar != prepared.arguments.scalars.end() && scalar->second > 1) return *scalar;
  }
  return std::nullopt;
}

// Fewer elements for the same threads, by less than a warp.
std::optional<Trial> shorter_trial(Session& session, const Lesson& solution, const Case& one, const Trial& seen,
                                   SplitMix& random) {
  const auto length = length_of(solution, seen.prepared);
  const unsigned lanes = seen.prepared.config.lanes;
  if (!length || lanes == 1) return std::nullopt;
  const auto most = static_cast<unsigned>(std::min<std::uint64_t>(length->second - 1, lanes - 1));
  CaseOverrides overrides;
  overrides.lanes = lanes;
  overrides.grid = seen.prepared.config.grid;
  overrides.block = seen.block;
  overrides.param_bits[length->first] = length->second - 1 - random.below(most);
  auto prepared = prepare_case(solution, keep_valid_expectations(solution, one, overrides), overrides);
  auto* const shorter = std::get_if<PreparedCase>(&prepared);  // a list in the case has a length of its own
  if (shorter == nullptr) return std::nullopt;
  shorter->expected.clear();
  return hidden_trial(session, solution, *shorter, random);
}

}  // namespace

std::optional<Trial> tried(Session& session, const Lesson& solution, const PreparedCase& prepared) {
  const std::optional<Trace> trace = execute(session, solution, prepared, no_events());
  if (!trace || trace->outcome.trap || !trace->outcome.undefined.empty()) return std::nullopt;
  Trial trial{prepared.name, 0, prepared, trace->head.block, {}, {}, trace->outcome.cycles};
  for (const TraceFinding& finding : trace->outcome.findings) {
    if (fails(session.options, finding)) return std::nullopt;
    trial.warnings.insert(finding.code.word);
  }
  for (const auto& [name, array] : trace->outcome.outputs) trial.outputs[name] = array;
  return trial;
}

namespace {

// A case at a lane count: as it is written, and with hidden inputs.
void add_trials(Session& session, const Lesson& solution, const Case& one, unsigned lanes, const TrialPlan& plan,
                const std::set<std::string>& may_be_negative, SplitMix& random, std::vector<Trial>& trials) {
  CaseOverrides overrides;
  overrides.lanes = lanes;
  overrides.timing = plan.timing;
  std::optional<PreparedCase> seen = prepare(session, solution, one, overrides);
  if (!seen) return;
  seen->expected.clear();
  const std::optional<Trial> first = tried(session, solution, *seen);
  if (!first) return;
  trials.push_back(*first);
  if (plan.hidden == 0) return;
  unsigned number = 0;
  const auto add = [&](std::optional<Trial> trial) {
    if (!trial) return false;
    trial->hidden = ++number;
    trials.push_back(std::move(*trial));
    return true;
  };
  while (number < plan.hidden && add(hidden_trial(session, solution, *seen, random))) continue;
  add(negative_trial(session, solution, *seen, may_be_negative, random));
  add(shorter_trial(session, solution, one, *first, random));
}

}  // namespace

std::vector<Trial> trials_of(Session& session, const Lesson& solution, const TrialPlan& plan) {
  std::vector<Trial> trials;
  const std::set<std::string> may_be_negative = signed_inputs(solution);
  SplitMix random(plan.seed);
  for (const unsigned lanes : kLaneCounts) {
    if (!plan.lanes.empty() && std::find(plan.lanes.begin(), plan.lanes.end(), lanes) == plan.lanes.end()) continue;
    for (const Case& one : solution.cases) {
      const std::vector<unsigned> own = lane_counts(solution, one);
      const bool runs = std::find(own.begin(), own.end(), lanes) != own.end() && one.find(kFindingKey) == nullptr;
      if (runs) add_trials(session, solution, one, lanes, plan, may_be_negative, random, trials);
    }
  }
  return trials;
}

}  // namespace warpsim::tools
