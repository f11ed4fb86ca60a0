// See ptx_video.h.
#include "isa/ptx/ptx_video.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/assembly/opcode.h"

namespace warpsim::ptx {
namespace {

using Action = VideoForm::Action;
using Second = VideoForm::Second;

template <typename T, std::size_t N>
std::optional<T> named(const std::array<std::pair<std::string_view, T>, N>& all, std::string_view word) {
  const auto found = std::find_if(all.begin(), all.end(), [word](const auto& one) { return one.first == word; });
  return found == all.end() ? std::nullopt : std::optional<T>(found->second);
}

constexpr std::array<std::pair<std::string_view, Action>, 10> kActions = {{{"vadd", Action::Add},
                                                                           {"vsub", Action::Sub},
                                                                           {"vabsdiff", Action::AbsDiff},
                                                                           {"vavrg", Action::Average},
                                                                           {"vmin", Action::Min},
                                                                           {"vmax", Action::Max},
                                                                           {"vshl", Action::Shl},
                                                                           {"vshr", Action::Shr},
                                                                           {"vmad", Action::Mad},
                                                                           {"vset", Action::Set}}};
constexpr std::array<std::pair<std::string_view, Type>, 2> kTypes = {{{"u32", Type::U32}, {"s32", Type::S32}}};
constexpr std::array<std::pair<std::string_view, Op>, 6> kComparisons = {{{"eq", Op::SetpEq},
                                                                          {"ne", Op::SetpNe},
                                                                          {"lt", Op::SetpLt},
                                                                          {"le", Op::SetpLe},
                                                                          {"gt", Op::SetpGt},
                                                                          {"ge", Op::SetpGe}}};
constexpr std::array<std::pair<std::string_view, Second>, 3> kSeconds = {
    {{"add", Second::Add}, {"min", Second::Min}, {"max", Second::Max}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kDistances = {{{"clamp", false}, {"wrap", true}}};
constexpr std::array<std::pair<std::string_view, unsigned>, 2> kScales = {{{"shr7", 7}, {"shr15", 15}}};

// "vadd4" → Add in 4 lanes.
bool read_name(std::string_view word, VideoForm& form) {
  if (!word.empty() && (word.back() == '2' || word.back() == '4')) {
    form.lanes = static_cast<unsigned>(word.back() - '0');
    word.remove_suffix(1);
  }
  const std::optional<Action> action = named(kActions, word);
  if (!action) return false;
  form.action = *action;
  const bool scalar_only = form.is_shift() || form.action == Action::Mad;
  return form.lanes == 1 ? form.action != Action::Average : !scalar_only;
}

// What may stand behind the types, each word once.
bool read_modifier(std::string_view word, VideoForm& form, bool& has_mode) {
  const auto distance = named(kDistances, word);
  const auto comparison = named(kComparisons, word);
  const auto scale = named(kScales, word);
  const auto second = named(kSeconds, word);
  const bool is_mad = form.action == Action::Mad, is_set = form.action == Action::Set;
  if (word == "sat" && !form.saturates && !is_set) {
    form.saturates = true;
  } else if (word == "po" && is_mad && !form.plus_one) {
    form.plus_one = true;
  } else if (distance && form.is_shift() && !has_mode) {
    form.wraps = *distance;
    has_mode = true;
  } else if (comparison && is_set && !has_mode) {
    form.compares = *comparison;
    has_mode = true;
  } else if (scale && is_mad && form.scale == 0) {
    form.scale = *scale;
  } else if (second && !is_mad && form.second == Second::None) {
    form.second = *second;
  } else {
    return false;
  }
  return true;
}

// The numbers behind ".h" or ".b", from the last one on; none if one is too large.
std::optional<std::vector<unsigned>> numbers_of(std::string_view selector, unsigned lanes, unsigned below) {
  if (!selector.starts_with(lanes == 2 ? ".h" : ".b")) return std::nullopt;
  std::vector<unsigned> all;
  for (const char c : selector.substr(2)) {
    if (c < '0' || c >= static_cast<char>('0' + below)) return std::nullopt;
    all.insert(all.begin(), static_cast<unsigned>(c - '0'));
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

}  // namespace

std::optional<VideoForm> video_form(std::string_view opcode) {
  if (!opcode.starts_with("v")) return std::nullopt;
  const std::vector<std::string_view> words = split_at_dots(opcode);
  VideoForm form;
  if (!read_name(words[0], form)) return std::nullopt;
  std::size_t next = 1;
  const bool is_set = form.action == Action::Set;  // its result has no type of its own
  for (Type* const type : {&form.type, &form.a, &form.b}) {
    if (is_set && type == &form.type) continue;
    const std::optional<Type> given = next < words.size() ? named(kTypes, words[next++]) : std::nullopt;
    if (!given) return std::nullopt;
    *type = *given;
  }
  bool has_mode = !is_set && !form.is_shift();
  for (; next < words.size(); ++next)
    if (!read_modifier(words[next], form, has_mode)) return std::nullopt;
  const bool is_wrong =
      !has_mode || (form.is_shift() && form.b != Type::U32) ||
      (form.lanes != 1 && form.second != Second::None && (form.second != Second::Add || form.saturates));
  return is_wrong ? std::nullopt : std::optional(form);
}

std::optional<VideoForm> integer_form(std::string_view opcode) {
  const std::vector<std::string_view> words = split_at_dots(opcode);
  if (words.size() < 2 || words.size() > 3) return std::nullopt;
  VideoForm form;
  form.at_least_zero = words.size() == 3;
  if (form.at_least_zero && (words[1] != "relu" || words[0] == "add")) return std::nullopt;
  if (words[0] == "add") form.action = Action::Add;
  else if (words[0] == "min") form.action = Action::Min;
  else if (words[0] == "max") form.action = Action::Max;
  else return std::nullopt;
  const std::string_view type = words.back();
  const bool is_pair = type == "u16x2" || type == "s16x2";
  if (!is_pair && (type != "s32" || !form.at_least_zero)) return std::nullopt;
  if (type == "u16x2" && form.at_least_zero) return std::nullopt;
  form.lanes = is_pair ? 2 : 1;
  form.type = form.a = form.b = type.starts_with("s") ? Type::S32 : Type::U32;
  return form;
}

std::optional<Part> part_of(std::string_view selector) {
  if (selector.empty()) return Part{};
  if (selector.size() != 3) return std::nullopt;
  const unsigned number = static_cast<unsigned>(selector[2] - '0');
  if (selector.starts_with(".b") && number < 4) return Part{number * 8, 8};
  if (selector.starts_with(".h") && number < 2) return Part{number * 16, 16};
  return std::nullopt;
}

std::optional<std::vector<unsigned>> chosen_lanes(std::string_view selector, unsigned lanes, unsigned first) {
  if (!selector.empty()) {
    std::optional<std::vector<unsigned>> chosen = numbers_of(selector, lanes, 2 * lanes);
    return chosen && chosen->size() == lanes ? chosen : std::nullopt;
  }
  std::vector<unsigned> all;
  for (unsigned lane = 0; lane < lanes; ++lane) all.push_back(first + lane);
  return all;
}

std::optional<std::vector<unsigned>> masked_lanes(std::string_view mask, unsigned lanes) {
  if (mask.empty()) return chosen_lanes("", lanes, 0);
  const std::optional<std::vector<unsigned>> chosen = numbers_of(mask, lanes, lanes);
  const bool is_ordered =
      chosen && std::adjacent_find(chosen->begin(), chosen->end(), std::greater_equal<>()) == chosen->end();
  return is_ordered ? chosen : std::nullopt;
}

}  // namespace warpsim::ptx
