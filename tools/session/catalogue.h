// The programs that a name can mean: those in the binary, or those of a folder given with --programs.
//
// Shapes: one entry a file GROUP/NAME.warp, in the order of GROUP/NAME. Only names and texts: a program is assembled
//         when a verb wants it, so starting up costs the same however many there are. Groups are listed in the order
//         of kProgramGroups; those that it does not name come before the mistakes.
// Errors: a folder that cannot be read leaves the catalogue empty and says why in error().
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

struct CatalogueEntry {
  std::string_view group, name, text;
  std::string file;  // as messages print it
  std::string full_name() const { return std::string(group) + "/" + std::string(name); }
};

// The command line of a Mojo GPU Puzzle for a program: `.puzzle "p26 --parallel-max"`.
struct Puzzle {
  std::string verb, flag;  // "p26", "--parallel-max"
  std::string title;
  const CatalogueEntry* entry = nullptr;
};

class Catalogue {
 public:
  explicit Catalogue(const std::string& programs_dir);  // "": the embedded programs

  const std::string& error() const { return error_; }
  const std::vector<CatalogueEntry>& entries() const { return entries_; }
  // `group/name`, or `name` where only one group has it. Empty if there is none, several if it is not unique. An old
  // name, NAME_mended, means NAME_fixed.
  std::vector<const CatalogueEntry*> find(std::string_view name) const;
  const CatalogueEntry* only(std::string_view name) const;  // the one that find() gives, if it is one; or nullptr
  std::vector<const CatalogueEntry*> find_group(std::string_view group) const;
  std::vector<std::string> groups() const;
  // The programs that `name` could mean: those whose names contain it, else the nearest. Mistakes only if nothing else
  // fits.
  std::vector<std::string> did_you_mean(std::string_view name) const;
  std::vector<Puzzle> puzzles() const;

 private:
  std::vector<const CatalogueEntry*> named(std::string_view name) const;  // without the old names
  void read_folder(const std::string& dir);

  std::deque<std::string> texts_;  // what the entries of a folder point into
  std::vector<CatalogueEntry> entries_;
  std::string error_;
};

}  // namespace warpsim::tools
