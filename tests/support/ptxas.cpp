#include "tests/support/ptxas.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warpsim::testing {

std::optional<std::string> ptxas() {
#ifdef WARPSIM_PTXAS
  return WARPSIM_PTXAS;
#else
  return std::nullopt;
#endif
}

std::string assemble_ptx(const std::string& module, unsigned target) {
  static int count = 0;
  const std::filesystem::path stem = std::filesystem::temp_directory_path() /
                                     ("warpsim_ptx_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  const std::string input = stem.string() + ".ptx", said = stem.string() + ".txt";
  std::ofstream(input) << module;
  // Only whether it is valid matters: not optimised, which is quicker.
  const std::string command = "'" + ptxas().value_or("ptxas") + "' -O0 --opt-level 0 -arch=sm_" +
                              std::to_string(target) + " -o /dev/null '" + input + "' >'" + said + "' 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream text;
  text << std::ifstream(said).rdbuf();
  std::filesystem::remove(input);
  std::filesystem::remove(said);
  return status == 0 ? "" : "ptxas failed: " + text.str().substr(0, 4000);
}

}  // namespace warpsim::testing
