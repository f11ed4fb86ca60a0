// Files that may change; see file_watch.h.
#include "tools/serve/file_watch.h"

#include <system_error>
#include <utility>

#include "tools/support/output.h"

namespace warpsim::tools {
namespace {

std::string content_of(const std::string& path) {
  std::string text, ignored;
  return read_file(path, text, ignored) ? text : "";
}

}  // namespace

FileWatch::Stamp FileWatch::stamp_of(const std::string& path) {
  std::error_code error;
  Stamp stamp;
  stamp.bytes = std::filesystem::file_size(path, error);
  if (error) return {};
  stamp.when = std::filesystem::last_write_time(path, error);
  stamp.is_there = !error;
  return stamp.is_there ? stamp : Stamp{};
}

FileWatch::FileWatch(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const Stamp now = stamp_of(path);
    files_.push_back({path, now, now, content_of(path)});
  }
}

bool FileWatch::has_changed() {
  bool changed = false;
  for (File& file : files_) {
    const Stamp now = stamp_of(file.path);
    const bool settled = now == std::exchange(file.seen, now);
    if (!settled || now == file.read) continue;
    std::string content = content_of(file.path);
    changed = changed || now.is_there != file.read.is_there || content != file.content;
    file.read = now;
    file.content = std::move(content);
  }
  return changed;
}

}  // namespace warpsim::tools
