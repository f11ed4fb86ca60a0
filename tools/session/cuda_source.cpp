// See cuda_source.h.
#include "tools/session/cuda_source.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "host/exec/temporary_folder.h"
#include "tools/support/child_process.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> compilers() {
  const char* const named = std::getenv("CUDACXX");
  return named != nullptr && *named != '\0' ? std::vector<std::string>{named} : places_of_toolkit_program("nvcc");
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

std::vector<std::string> places_of_toolkit_program(const std::string& name) {
  const char* const nvcc = std::getenv("CUDACXX");
  if (nvcc != nullptr && fs::path(nvcc).has_parent_path()) return {(fs::path(nvcc).parent_path() / name).string()};
  std::vector<std::string> all = {name};
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const home = std::getenv(variable); home != nullptr && *home != '\0')
      all.push_back((fs::path(home) / "bin" / name).string());
  all.push_back("/usr/local/cuda/bin/" + name);
  return all;
}

std::optional<std::string> compiled_to_ptx(Session& session, const std::string& path) {
  const host::TemporaryFolder folder;
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
