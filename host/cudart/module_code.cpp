// See module_code.h.
#include "host/cudart/module_code.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

#include "host/cudart/images.h"
#include "host/exec/temporary_folder.h"

extern char** environ;

namespace warpsim::cudart {
namespace {

namespace fs = std::filesystem;

// Whether it was run to its end, without warpsim's libraries and in silence. How it ended may be known to the program's
// own handler of SIGCHLD alone: what it has written says it.
bool run(const std::vector<std::string>& words) {
  std::vector<char*> arguments, variables;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  for (char** at = environ; *at != nullptr; ++at)
    if (!std::string_view(*at).starts_with("LD_PRELOAD=")) variables.push_back(*at);
  variables.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&files, stream, "/dev/null", stream == STDIN_FILENO ? 0 : 1, 0);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, arguments.front(), &files, nullptr, arguments.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) return false;
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return true;
}

// "": it makes none.
std::string assembled(const host::PtxSource& source, const std::string& ptxas) {
  const host::TemporaryFolder folder;
  if (folder.path().empty()) return "";
  const fs::path from = folder.path() / "kernels.ptx", to = folder.path() / "kernels.cubin";
  std::ofstream(from, std::ios::binary) << std::string_view(source.text);
  if (!run({ptxas, "-arch=sm_" + std::to_string(kArch), "-lineinfo", "-o", to.string(), from.string()})) return "";
  std::ifstream made(to, std::ios::binary);
  return {std::istreambuf_iterator<char>(made), {}};
}

}  // namespace

void give_code(host::KernelModule& module, const std::vector<std::string>& cubins,
               const std::vector<host::PtxSource>& texts, const std::string& ptxas) {
  const std::string target = "sm_" + std::to_string(kArch);
  std::vector<std::string> files = cubins;
  std::string why = "the program has no machine code for " + target;
  if (files.empty() && ptxas.empty()) why += ", and there is no ptxas here";
  if (files.empty() && !ptxas.empty() && texts.size() == 1) {
    files.push_back(assembled(texts.front(), ptxas));
    if (files.front().empty()) files.clear(), why += ", and ptxas does not make it of the PTX";
  }
  std::vector<sass::Cubin> read;
  for (const std::string& file : files) {
    auto one = sass::read_cubin(std::as_bytes(std::span(file)));
    if (const auto* const error = std::get_if<sass::CubinError>(&one))
      why = "the machine code cannot be read: " + error->message;
    else read.push_back(std::move(std::get<sass::Cubin>(one)));
  }
  if (!read.empty()) why = "the machine code has no kernel of this name";
  module.set_code(std::move(read), std::move(why));
}

}  // namespace warpsim::cudart
