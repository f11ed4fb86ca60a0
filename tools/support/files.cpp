// Paths of this machine's file system; see files.h.
#include "tools/support/files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace warpsim::tools {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored);
}

std::vector<std::string> files_below(const std::string& folder, std::string_view ending, std::string& error) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ending) paths.push_back(it->path().string());
  if (failed) error = failed.message();
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string working_folder() {
  std::error_code ignored;
  return fs::current_path(ignored).string();
}

}  // namespace warpsim::tools
