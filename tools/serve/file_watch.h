// Files that may change: their content is compared, so that saving the same again is no change.
//
// Shapes: a file that is not there is one of its states. A file that is being written is left to settle: its size and
//         its time have to be the same twice.
// Errors: a file that cannot be read is as one that is not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpsim::tools {

class FileWatch {
 public:
  explicit FileWatch(const std::vector<std::string>& paths);
  // Whether one has changed since the last yes.
  bool has_changed();
  std::size_t count() const { return files_.size(); }

 private:
  struct Stamp {
    bool is_there = false;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type when{};
    bool operator==(const Stamp&) const = default;
  };
  struct File {
    std::string path;
    Stamp seen, read;  // at the last look, and when its content was last read
    std::string content;
  };
  static Stamp stamp_of(const std::string& path);

  std::vector<File> files_;
};

}  // namespace warpsim::tools
