// Which instruction is in which class: the rules of a profile, and whether they fit all of the table.
#include <algorithm>

#include "isa/table/op.h"
#include "isa/table/type.h"
#include "isa/text/diagnostic.h"
#include "sim/statistics/counts.h"
#include "traces/profile/profile_reader.h"

namespace warpsim {
namespace {

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (int k = 0; k < kUnitCount; ++k) names.emplace_back(name(static_cast<Unit>(k)));
  return names;
}

bool lists(const std::vector<std::string>& words, std::string_view word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

bool matches(std::string_view pattern, std::string_view mnemonic) {
  const bool is_open = !pattern.empty() && pattern.back() == '*';
  if (!is_open) return pattern == mnemonic;
  pattern.remove_suffix(1);
  return mnemonic.substr(0, pattern.size()) == pattern;
}

// Has the row an instruction of one of these units? f64 has a unit of its own, and so has a move from a clock.
bool can_be_of(const OpInfo& row, const std::vector<std::string>& units) {
  const Unit wide = contains(row.types, Type::F64) ? unit_of(row, Type::F64) : row.unit;
  const Unit moved = &row == &info(Op::Mov) ? Unit::Special : row.unit;
  return lists(units, name(row.unit)) || lists(units, name(wide)) || lists(units, name(moved));
}

// The texts of a list that may be left out, each of which `check` looks at.
template <class Check>
std::vector<std::string> read_words(const Node& rule, std::string_view member, Check check) {
  std::vector<std::string> found;
  if (!rule.has(member)) return found;
  const Node list = rule.member(member);
  for (std::size_t k = 0, n = list.size_of_some(); k < n && !rule.reading()->failed(); ++k) {
    found.push_back(list.item(k).text());
    if (!rule.reading()->failed()) check(list.item(k), found.back());
  }
  return found;
}

void check_opcode(const Node& node, const std::string& pattern, const std::vector<std::string>& units) {
  std::vector<std::string> mnemonics;
  for (const OpInfo& row : all_ops())
    if (can_be_of(row, units)) mnemonics.emplace_back(row.mnemonic);
  const auto fits = [&](const std::string& mnemonic) { return matches(pattern, mnemonic); };
  if (std::any_of(mnemonics.begin(), mnemonics.end(), fits)) return;
  const std::string near = nearest(pattern, mnemonics);
  node.fail("J011", "there is no opcode " + shortened(pattern) + (units.empty() ? "" : " in these units"),
            near.empty()
                ? "opcodes are written without their types, as `warpsim isa` lists them; `mul*` is all that begin so"
                : "did you mean \"" + near + "\"?");
}

void check_type(const Node& node, const std::string& word) {
  if (parse_type(word) == Type::None)
    node.fail("J011", "there is no type " + shortened(word), "types are f32, u32, pred, mask …");
}

TimingRule read_rule(const Node& node, const std::vector<std::string>& class_names) {
  want_members(node, {"units", "ops", "types", "from", "constants", "class"});
  const std::vector<std::string> all_units = unit_names();
  TimingRule rule;
  rule.units = read_words(node, "units", [&all_units](const Node& item, const std::string& word) {
    place_of(item, "unit", word, all_units);
  });
  rule.ops = read_words(node, "ops",
                        [&rule](const Node& item, const std::string& word) { check_opcode(item, word, rule.units); });
  rule.types = read_words(node, "types", check_type);
  rule.from = read_words(node, "from", check_type);
  if (node.has("constants")) rule.constants = node.member("constants").truth() ? 1 : 0;
  const std::string word = node.member("class").text();
  if (!node.reading()->failed())
    rule.cls = static_cast<std::uint8_t>(place_of(node.member("class"), "class", word, class_names));
  return rule;
}

// Does it fit every instruction of its units?
bool fits_all(const TimingRule& rule) {
  return rule.ops.empty() && rule.types.empty() && rule.from.empty() && rule.constants < 0;
}

// A loop of instructions that take no time would never end.
void check_branch(const Node& node, const TimingRule& rule, const TimingProfile& profile) {
  const auto is_branch = [](const std::string& pattern) { return matches(pattern, info(Op::Bra).mnemonic); };
  if (!rule.ops.empty() && std::none_of(rule.ops.begin(), rule.ops.end(), is_branch)) return;
  if (profile.classes[rule.cls].issue != 0) return;
  node.member("class").fail("J006",
                            "a branch is in the class " + shortened(profile.classes[rule.cls].name) +
                                ", which issues in 0 cycles: a loop could then take no time",
                            "give branches a class with \"issue\" of at least 1");
}

}  // namespace

void read_rules(const Node& node, TimingProfile& profile) {
  std::vector<std::string> class_names;
  for (const TimingClass& one : profile.classes) class_names.push_back(one.name);
  std::vector<std::string> open = unit_names();  // units of which an instruction may have fitted no rule so far
  for (std::size_t k = 0, n = node.size(); k < n && !node.reading()->failed(); ++k) {
    const TimingRule rule = read_rule(node.item(k), class_names);
    if (node.reading()->failed()) return;
    const auto is_of_rule = [&rule](std::string_view unit) { return lists(rule.units, unit); };
    if (std::none_of(open.begin(), open.end(), is_of_rule))
      node.item(k).fail("J006", "this rule fits nothing: rules before it fit all of its units",
                        "the first rule that fits decides, so that the narrower ones come first");
    const bool takes_branches = std::find(open.begin(), open.end(), name(Unit::Branch)) != open.end();
    if (takes_branches && is_of_rule(name(Unit::Branch))) check_branch(node.item(k), rule, profile);
    if (fits_all(rule)) open.erase(std::remove_if(open.begin(), open.end(), is_of_rule), open.end());
    profile.rules.push_back(rule);
  }
  if (!open.empty())
    node.fail("J010", "instructions of the unit " + open.front() + " may fit no rule",
              "end with a rule that names the unit alone: {\"units\": [\"" + open.front() + "\"], \"class\": …}");
}

}  // namespace warpsim
