// The programs that a name can mean; see catalogue.h.
#include "tools/session/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "isa/table/findings.h"
#include "isa/text/diagnostic.h"
#include "programs/embedded.h"
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
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(dir, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".warp") paths.push_back(it->path().string());
  if (failed) {
    error_ = "cannot read the programs in " + dir + ": " + failed.message();
    return;
  }
  std::sort(paths.begin(), paths.end());
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

std::string Catalogue::did_you_mean(std::string_view name) const {
  std::vector<std::string> candidates;
  for (const CatalogueEntry& entry : entries_) {
    candidates.push_back(entry.full_name());
    if (name.find('/') == std::string_view::npos) candidates.emplace_back(entry.name);
  }
  return nearest(name, candidates);
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
