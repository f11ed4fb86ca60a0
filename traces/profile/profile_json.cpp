// Reading a profile: the file's members beside its classes and rules, and the two bounds.
#include "traces/profile/profile_json.h"

#include <algorithm>
#include <utility>

#include "isa/text/diagnostic.h"
#include "traces/io/json_place.h"
#include "traces/profile/profile_reader.h"

namespace warpsim {
namespace {

constexpr std::string_view kFormat = "warpsim profile", kVersion = "1.0";

void read_kind(const Node& root) {
  if (!root.has("format") || !root.member("format").is_text() || root.member("format").text() != kFormat) {
    root.fail("J007", "this is no profile: it does not say \"format\": \"warpsim profile\"",
              "`warpsim schema profile` says what a profile looks like");
    return;
  }
  const Node version = root.member("version");
  if (version.text() != kVersion)
    version.fail("J008", "the profile has version " + shortened(version.text()) + ", this program reads 1.0",
                 "use a newer warpsim, or calibrate again");
}

std::string read_name(const Node& node) {
  std::string name = node.text();
  if (!node.reading()->failed()) want_name(node, name);
  if (name == "lockstep") node.fail("J006", "lockstep is the name of having no profile", "call it something else");
  return name;
}

std::vector<Provenance> read_provenance(const Node& list) {
  std::vector<Provenance> all;
  for (std::size_t k = 0, n = list.size(); k < n; ++k) {
    const Node node = list.item(k);
    want_members(node, {"what", "source", "device", "driver", "date", "command"});
    Provenance& one = all.emplace_back();
    one.what = node.member("what").text();
    one.source = node.member("source").text();
    const std::pair<std::string_view, std::string*> optional[] = {
        {"device", &one.device}, {"driver", &one.driver}, {"date", &one.date}, {"command", &one.command}};
    for (const auto& [name, target] : optional)
      if (node.has(name)) *target = node.member(name).text();
  }
  return all;
}

}  // namespace

void want_name(const Node& node, std::string_view name) {
  const bool fits = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
  if (!fits) node.fail("J006", "a name consists of letters, digits, _, - and ., not " + shortened(name));
}

void want_members(const Node& node, std::initializer_list<std::string_view> known) {
  node.for_each_member([&known](const std::string& name, const Node& member) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    std::vector<std::string> words(known.begin(), known.end());
    const std::string near = nearest(name, words);
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
    member.fail("J011", "there is no member " + shortened(name) + " here",
                near.empty() ? "the members here are " + all : "did you mean \"" + near + "\"?");
  });
}

std::variant<ProfileFile, JsonError> read_profile(std::string_view text) {
  std::variant<Json, JsonError> parsed = parse_json(text);
  if (auto* error = std::get_if<JsonError>(&parsed)) return std::move(*error);
  const Json& json = std::get<Json>(parsed);
  Reading reading;
  const Node root(json, reading);
  ProfileFile file;
  read_kind(root);
  if (!reading.failed()) {
    want_members(root, {"format", "version", "name", "title", "provenance", "scheduler", "sm", "pipes", "classes",
                        "rules", "branch", "barrier", "global", "address", "machine_code"});
    file.name = read_name(root.member("name"));
    file.title = root.member("title").text();
    file.provenance = read_provenance(root.member("provenance"));
  }
  bool has_range = true;
  for (std::size_t bound = 0; bound < 2 && has_range && !reading.failed(); ++bound) {
    ProfileReader reader(bound);
    file.bounds.push_back(reader.profile(root));
    has_range = reader.has_range();
  }
  if (reading.failed()) {
    place_in(text, *reading.error);
    return *reading.error;
  }
  for (std::size_t bound = 0; bound < file.bounds.size(); ++bound) {
    file.bounds[bound].name = file.name + (file.bounds.size() == 1 ? "" : bound == 0 ? ":low" : ":high");
    file.bounds[bound].title = file.title;
  }
  return file;
}

}  // namespace warpsim
