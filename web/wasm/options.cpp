// Options by name; see options.h.
#include "web/wasm/options.h"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/text/diagnostic.h"
#include "tools/session/option_choices.h"

namespace warpsim::web {

namespace {

using tools::Options;
using Json = nlohmann::ordered_json;
using Member = std::variant<std::string Options::*, bool Options::*, std::vector<std::string> Options::*>;

struct Row {
  std::string_view name;
  Member member;
  std::string_view choices = {};  // the only words that it can be; none: any
};
// Those that mean something without files, a terminal, a GPU and a second thread.
const Row kRows[] = {
    {"kernel", &Options::kernel},
    {"link", &Options::links},
    {"case", &Options::case_name},
    {"lanes", &Options::lanes},
    {"grid", &Options::grid},
    {"block", &Options::block},
    {"shared", &Options::shared},
    {"input", &Options::inputs},
    {"param", &Options::params},
    {"max-cycles", &Options::max_cycles},
    {"resident-blocks", &Options::resident_blocks},
    {"reconvergence", &Options::reconvergence, tools::kReconvergences},
    {"schedule", &Options::schedule},
    {"profile", &Options::profile},
    {"scheduler", &Options::scheduler, tools::kSchedulers},
    {"sms", &Options::sms},
    {"expand", &Options::expand},
    {"contract", &Options::contract},
    {"output", &Options::output},
    {"from", &Options::from},
    {"until", &Options::to},  // of an export, whose `to` is its form
    {"block-index", &Options::block_index},
    {"warp", &Options::warp},
    {"max-events", &Options::max_events},
    {"to", &Options::to_form},
    {"format", &Options::format, tools::kTraceFormats},
    {"check", &Options::check, tools::kChecks},
    {"error-on", &Options::error_on, tools::kFailingSeverities},
    {"schedules", &Options::schedules},
    {"advice", &Options::advice},
    {"lang", &Options::language, tools::kLanguages},
    {"ascii", &Options::ascii},
    {"json", &Options::json},
    {"seed", &Options::seed},
    {"hint", &Options::hint},
    {"markdown", &Options::markdown},
    {"names", &Options::names_only},
    {"bugs", &Options::mistakes},
    {"counts", &Options::counts},
    {"sarif", &Options::sarif},
    {"junit", &Options::junit},
    {"theme", &Options::theme, tools::kThemes},
};

struct Put {
  const Json& value;
  Options& into;

  bool operator()(std::string Options::*member) const {
    if (value.is_string()) into.*member = value.get<std::string>();
    return value.is_string();
  }
  bool operator()(bool Options::*member) const {
    if (value.is_boolean()) into.*member = value.get<bool>();
    return value.is_boolean();
  }
  bool operator()(std::vector<std::string> Options::*member) const {
    if (!value.is_array()) return false;
    for (const Json& one : value) {
      if (!one.is_string()) return false;
      (into.*member).push_back(one.get<std::string>());
    }
    return true;
  }
};

bool is_one_of(std::string_view word, std::string_view choices) {
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find('|'), choices.size());
    if (choices.substr(0, end) == word) return true;
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return false;
}

std::string_view wanted(const Member& member) {
  constexpr std::string_view kKinds[] = {"a string", "true or false", "a list of strings"};
  return kKinds[member.index()];
}

}  // namespace

std::string read_options(const Json& options, Options& into) {
  if (options.is_null()) return "";
  if (!options.is_object()) return "`options` is no object";
  for (const auto& [name, value] : options.items()) {
    const Row* found = nullptr;
    std::vector<std::string> names;
    for (const Row& row : kRows) {
      if (row.name == name) found = &row;
      names.emplace_back(row.name);
    }
    if (found == nullptr) {
      const std::string near = nearest(name, names);
      return "there is no option `" + name + "` here" + (near.empty() ? "" : "; did you mean `" + near + "`?");
    }
    if (!std::visit(Put{value, into}, found->member))
      return "the option `" + name + "` wants " + std::string(wanted(found->member));
    if (!found->choices.empty() && !is_one_of(value.get<std::string>(), found->choices))
      return "the option `" + name + "` is one of " + std::string(found->choices);
  }
  return "";
}

}  // namespace warpsim::web
