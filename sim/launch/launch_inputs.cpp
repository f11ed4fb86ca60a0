// What follows from inputs that are given by hand: the scalar that is their length, and the grid that goes with it.
//
// Shapes: only a length that is a scalar's name alone says what the scalar is. A case's own lists contradict, and so do
//         two inputs of different lengths.
// Units:  lengths count elements.
// Errors: see launch.cpp.
#include <algorithm>
#include <bit>
#include <limits>

#include "isa/cases/case_rule.h"
#include "isa/text/number_text.h"
#include "isa/text/word.h"
#include "sim/launch/launch_limits.h"
#include "sim/launch/preparation.h"

namespace warpsim {
namespace {

std::uint64_t blocks_for(std::uint64_t elements, std::uint64_t threads) {
  return std::max<std::uint64_t>(1, (elements + threads - 1) / threads);
}

}  // namespace

// How many elements the command line gives the buffer, 0 if it does not say.
std::uint64_t Preparation::given_by_hand(const Param& buffer) const {
  if (const auto array = overrides_.input_arrays.find(buffer.name); array != overrides_.input_arrays.end())
    return array->second.bits.size();
  const auto rule = overrides_.inputs.find(buffer.name);
  return rule == overrides_.inputs.end() ? 0 : natural_length(rule->second);
}

// How many elements each of the inputs given by hand has whose length is `scalar`: nothing if none is, or if they and
// the lists of the case do not agree.
std::optional<std::uint64_t> Preparation::length_given(const std::string& scalar) const {
  std::optional<std::uint64_t> by_hand;
  std::vector<std::uint64_t> listed;
  for (const Param& p : program_.params) {
    if (!p.is_buffer() || trimmed(p.length) != scalar) continue;
    const bool is_replaced = overrides_.input_arrays.contains(p.name) || overrides_.inputs.contains(p.name);
    if (const CaseField* field = case_.find(p.name); field != nullptr && !is_replaced)
      listed.push_back(natural_length({field->value, field}));
    if (const CaseField* field = case_.find(std::string(kExpect) + p.name))
      listed.push_back(natural_length({field->value, field}));
    const std::uint64_t given = given_by_hand(p);
    if (given == 0) continue;
    if (by_hand && *by_hand != given) return std::nullopt;
    by_hand = given;
  }
  const auto agrees = [&by_hand](std::uint64_t length) { return length == 0 || length == by_hand; };
  return std::all_of(listed.begin(), listed.end(), agrees) ? by_hand : std::nullopt;
}

bool Preparation::fit_to_inputs() {
  bool is_new = false;
  for (const Param& p : program_.params) {
    if (p.is_buffer() || is_float(p.type) || overrides_.params.contains(p.name) ||
        overrides_.param_bits.contains(p.name))
      continue;
    const std::optional<std::uint64_t> given = length_given(p.name);
    const std::uint64_t before = scope_.scalars[p.name];
    if (!given || *given == before) continue;
    is_new = true;
    fitted_[p.name] = *given;
    fit_grid(before, *given);
  }
  return accept(check_grid(prepared_.config.grid), {}) && (!is_new || set_scalars());  // what follows from them
}

// The first of the inputs will do: the message about one that contradicts it says more than that a value is missing.
bool Preparation::fit_missing(const Param& p) {
  const auto says = [&](const Param& other) {
    return other.is_buffer() && trimmed(other.length) == p.name && given_by_hand(other) != 0;
  };
  const auto first = std::find_if(program_.params.begin(), program_.params.end(), says);
  if (is_float(p.type) || first == program_.params.end()) return false;
  const std::uint64_t given = given_by_hand(*first);
  fitted_[p.name] = scope_.scalars[p.name] = given;
  scope_.scalar_types[p.name] = p.type;
  fit_grid(1, given);
  return true;
}

void Preparation::fit_grid(std::uint64_t before, std::uint64_t after) {
  const Dim3& block = prepared_.config.block;
  Dim3& grid = prepared_.config.grid;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (overrides_.grid || threads == 0 || grid.y != 1 || grid.z != 1 || grid.x != blocks_for(before, threads)) return;
  const std::uint64_t blocks =
      std::min<std::uint64_t>(blocks_for(after, threads), std::numeric_limits<std::uint32_t>::max());
  fits_grid_ = fits_grid_ || blocks != grid.x;
  grid.x = static_cast<std::uint32_t>(blocks);
  scope_.grid = grid;
}

// An expectation was written for the case's own grid, and for its own lengths unless it names them.
bool Preparation::still_holds(const CaseField& expectation) const {
  if (fitted_.empty()) return true;
  if (fits_grid_ || expectation.contents) return false;
  const auto parsed = parse_rule(expectation.value);
  const Rule* const rule = std::get_if<Rule>(&parsed);
  return rule == nullptr || std::all_of(fitted_.begin(), fitted_.end(), [rule](const auto& fitted) {
           return std::any_of(rule->nodes.begin(), rule->nodes.end(),
                              [&fitted](const RuleNode& node) { return node.name == fitted.first; });
         });
}

bool Preparation::fail_length(const Param& p, const std::string& what, std::uint64_t given, std::uint64_t wanted,
                              const CaseField* field) {
  const std::string_view length = trimmed(p.length);
  const std::int32_t scalar = program_.find_param(length);
  std::string hint;
  if (field == nullptr && scalar >= 0) hint = "--param " + std::string(length) + "=" + std::to_string(given);
  else if (field == nullptr && length == "WARP_SZ" && std::has_single_bit(given) && given <= kMaxLanes)
    hint = "--lanes " + std::to_string(given);
  return fail("L006", field != nullptr ? field->where : SourceRange{},
              what + " has " + counted(given, "element") + ", the kernel's " + written_param(p) + " wants " +
                  std::to_string(wanted),
              hint);
}

}  // namespace warpsim
