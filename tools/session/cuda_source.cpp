// See cuda_source.h.
#include "tools/session/cuda_source.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "tools/support/child_process.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "warpsim-XXXXXX").string();
    if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> compilers() {
  if (const char* const named = std::getenv("CUDACXX"); named != nullptr && *named != '\0') return {named};
  std::vector<std::string> all = {"nvcc"};
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const home = std::getenv(variable); home != nullptr && *home != '\0')
      all.push_back((fs::path(home) / "bin" / "nvcc").string());
  all.emplace_back("/usr/local/cuda/bin/nvcc");
  return all;
}

std::vector<std::string> words_of(const Options& options, const std::string& path, const std::string& to) {
  std::vector<std::string> words = {"-ptx", "-arch=" + (options.arch.empty() ? "sm_90" : options.arch),
                                    options.device_debug ? "-G" : "-lineinfo", "-x", "cu"};
  if (options.rdc || !options.links.empty()) words.emplace_back("-rdc=true");
  for (const std::string& one : options.include_folders) words.push_back("-I" + one);
  for (const std::string& one : options.macros) words.push_back("-D" + one);
  // The whole path, so that .file names the source wherever it is read again; and no name is an option.
  std::error_code ignored;
  words.insert(words.end(), {"-o", to, fs::absolute(path, ignored).lexically_normal().string()});
  return words;
}

}  // namespace

std::optional<std::string> compiled_to_ptx(Session& session, const std::string& path) {
  const TemporaryFolder folder;
  const std::string to = (folder.path() / "kernels.ptx").string();
  const std::vector<std::string> words = words_of(session.options, path, to);
  for (const std::string& compiler : compilers()) {
    std::vector<std::string> line = {compiler};
    line.insert(line.end(), words.begin(), words.end());
    const ChildResult result = run_child(line, "");
    if (!result.is_there) continue;
    std::string text, error;
    if (result.is_fine() && read_file(to, text, error)) {
      if (!result.err.empty()) {
        Diagnostics said;
        said.file = path;
        said.warning("nvcc", {}, result.err.substr(0, result.err.find_last_not_of('\n') + 1), "");
        session.reply.fail(ExitCode::Ok, said);
      }
      return text;
    }
    const std::string& said = result.err.empty() ? result.out : result.err;
    session.reply.fail(ExitCode::BadInput, "nvcc",
                       compiler + " does not compile " + path + ":\n" + said.substr(0, said.find_last_not_of('\n') + 1),
                       "--arch, -I and -D go to nvcc");
    return std::nullopt;
  }
  session.reply.fail(ExitCode::Unsupported, "nvcc", path + " is CUDA C++, and there is no nvcc to compile it",
                     "install the CUDA toolkit, or name its nvcc in CUDACXX; or compile where one is: `nvcc "
                     "-arch=sm_90 -ptx -lineinfo`, and give the .ptx");
  return std::nullopt;
}

}  // namespace warpsim::tools
