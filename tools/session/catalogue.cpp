// The programs that a name can mean; see catalogue.h.
#include "tools/session/catalogue.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "isa/table/findings.h"
#include "isa/text/diagnostic.h"
#include "programs/embedded.h"
#include "tools/support/files.h"
#include "tools/support/output.h"

namespace warpsim::tools {

namespace {

// The programs called NAME_fixed were NAME_mended once, and scripts still call them so.
constexpr std::string_view kOldSuffix = "_mended";

// The quoted word after `.NAME` where that opens a line; "" if there is none. Good enough to find a program by; the
// assembler reads it properly later.
std::string_view directive(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t before = text.find_last_not_of(" \t", at == 0 ? std::string_view::npos : at - 1);
    if (at != 0 && before != std::string_view::npos && text[before] != '\n') continue;
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open != std::string_view::npos && close > open) return line.substr(open + 1, close - open - 1);
  }
  return {};
}

// Where a group stands among all. One that the table does not name stands before the mistakes, the table's last.
std::size_t place_in_order(std::string_view group) {
  constexpr std::size_t kMistakes = std::size(kProgramGroups) - 1;
  for (std::size_t k = 0; k <= kMistakes; ++k)
    if (kProgramGroups[k].name == group) return 2 * k;
  return 2 * kMistakes - 1;
}

// The flags of the puzzles have hyphens where names have underscores.
std::string as_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// Whether `part`, or GROUP/part, is a part of the entry's name, from the beginning of one of its words on.
bool contains_words(const CatalogueEntry& entry, std::string_view part) {
  constexpr std::size_t kShortest = 3;
  std::string wanted = as_name(part);
  if (const std::size_t slash = wanted.rfind('/'); slash != std::string::npos) {
    if (entry.group != wanted.substr(0, slash)) return false;
    wanted.erase(0, slash + 1);
  }
  if (wanted.size() < kShortest) return false;
  const std::size_t at = ("_" + std::string(entry.name)).find("_" + wanted);
  return at != std::string::npos;
}

}  // namespace

Catalogue::Catalogue(const std::string& programs_dir) {
  if (!programs_dir.empty()) {
    read_folder(programs_dir);
    return;
  }
  for (const EmbeddedProgram& program : embedded_programs()) {
    std::string file = "programs/" + std::string(program.group) + "/" + std::string(program.name) + ".warp";
    entries_.push_back({program.group, program.name, program.text, std::move(file)});
  }
}

void Catalogue::read_folder(const std::string& dir) {
  namespace fs = std::filesystem;
  std::string failed;
  std::vector<std::string> paths = files_below(dir, ".warp", failed);
  if (!failed.empty()) {
    error_ = "cannot read the programs in " + dir + ": " + failed;
    return;
  }
  for (std::string& path : paths) {
    const fs::path relative = fs::path(path).lexically_relative(dir);
    const std::string& group = texts_.emplace_back(relative.parent_path().generic_string());
    const std::string& name = texts_.emplace_back(relative.stem().string());
    std::string& text = texts_.emplace_back();
    if (!read_file(path, text, error_)) return;
    entries_.push_back({group, name, text, std::move(path)});
  }
}

std::vector<const CatalogueEntry*> Catalogue::find(std::string_view name) const {
  std::vector<const CatalogueEntry*> found = named(name);
  if (!found.empty() || !name.ends_with(kOldSuffix)) return found;
  name.remove_suffix(kOldSuffix.size());
  return named(std::string(name) + std::string(kFixed));
}

const CatalogueEntry* Catalogue::only(std::string_view name) const {
  const std::vector<const CatalogueEntry*> found = find(name);
  return found.size() == 1 ? found.front() : nullptr;
}

std::vector<const CatalogueEntry*> Catalogue::named(std::string_view name) const {
  std::vector<const CatalogueEntry*> found;
  const std::size_t slash = name.rfind('/');
  const bool has_group = slash != std::string_view::npos;
  for (const CatalogueEntry& entry : entries_) {
    if (entry.name != (has_group ? name.substr(slash + 1) : name)) continue;
    if (!has_group || entry.group == name.substr(0, slash)) found.push_back(&entry);
  }
  return found;
}

std::vector<const CatalogueEntry*> Catalogue::find_group(std::string_view group) const {
  while (group.size() > 1 && group.back() == '/') group.remove_suffix(1);
  std::vector<const CatalogueEntry*> found;
  for (const CatalogueEntry& entry : entries_)
    if (entry.group == group) found.push_back(&entry);
  return found;
}

std::vector<std::string> Catalogue::groups() const {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : entries_)
    if (std::find(names.begin(), names.end(), entry.group) == names.end()) names.emplace_back(entry.group);
  std::stable_sort(names.begin(), names.end(),
                   [](const std::string& a, const std::string& b) { return place_in_order(a) < place_in_order(b); });
  return names;
}

std::vector<std::string> Catalogue::did_you_mean(std::string_view name) const {
  std::vector<std::string> within, candidates;
  for (const bool mistakes : {false, true})
    for (const std::string& group : within.empty() ? groups() : std::vector<std::string>{}) {
      if (shows_mistakes(group) != mistakes) continue;
      for (const CatalogueEntry* const entry : find_group(group)) {
        if (contains_words(*entry, name)) within.push_back(entry->full_name());
        candidates.push_back(entry->full_name());
        if (name.find('/') == std::string_view::npos) candidates.emplace_back(entry->name);
      }
    }
  if (!within.empty()) return within;
  const std::string near = nearest(name, candidates);
  return near.empty() ? std::vector<std::string>{} : std::vector{near};
}

std::vector<Puzzle> Catalogue::puzzles() const {
  std::vector<Puzzle> puzzles;
  for (const CatalogueEntry& entry : entries_) {
    const std::string_view line = directive(entry.text, ".puzzle");
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    puzzles.push_back({std::string(line.substr(0, blank)), std::string(line.substr(blank + 1)),
                       std::string(directive(entry.text, ".title")), &entry});
  }
  return puzzles;
}

}  // namespace warpsim::tools
