#include "tests/support/ptxas.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

namespace warpsim::testing {

std::optional<std::string> ptxas() {
#ifdef WARPSIM_PTXAS
  return WARPSIM_PTXAS;
#else
  return std::nullopt;
#endif
}

namespace {

// What ptxas says; "" if nothing is wrong.
std::string run_ptxas(const std::string& module, unsigned target, const std::string& options,
                      const std::string& output) {
  const std::string input = output + ".ptx", said = output + ".txt";
  std::ofstream(input) << module;
  const std::string command = "'" + ptxas().value_or("ptxas") + "' " + options + " -arch=sm_" + std::to_string(target) +
                              " -o '" + output + "' '" + input + "' >'" + said + "' 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream text;
  text << std::ifstream(said).rdbuf();
  std::filesystem::remove(input);
  std::filesystem::remove(said);
  return status == 0 ? "" : "ptxas failed: " + text.str().substr(0, 4000);
}

std::string unused_path() {
  static int count = 0;
  return (std::filesystem::temp_directory_path() /
          ("warpsim_ptx_" + std::to_string(getpid()) + "_" + std::to_string(count++)))
      .string();
}

}  // namespace

std::string assemble_ptx(const std::string& module, unsigned target) {
  // Only whether it is valid matters: not optimised, which is quicker.
  const std::string output = unused_path(), said = run_ptxas(module, target, "-O0 --opt-level 0", output);
  std::filesystem::remove(output);
  return said;
}

std::variant<sass::Cubin, sass::CubinError> code_of_ptx(const std::string& module, unsigned target,
                                                        const std::string& options) {
  const std::string output = unused_path(), said = run_ptxas(module, target, options, output);
  if (!said.empty()) return sass::CubinError{said};
  std::stringstream bytes;
  bytes << std::ifstream(output, std::ios::binary).rdbuf();
  std::filesystem::remove(output);
  const std::string file = bytes.str();
  return sass::read_cubin(std::as_bytes(std::span(file)));
}

}  // namespace warpsim::testing
