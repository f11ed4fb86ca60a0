// Code for host instruction sets beyond the baseline stays in functions that only their own copy of the lane loops
// calls.
//
// Shapes: the linker keeps one copy of an inline function that several files define. If an AVX file defines one that
//         others use, hosts without AVX may run it. So all that these files define and others could see is named after
//         their instruction set.
// Errors: skipped where there is no nm, and under sanitizers, which keep more functions apart.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "tests/support/sanitized.h"

namespace warpsim {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> chunk{};
  while (std::fgets(chunk.data(), chunk.size(), pipe) != nullptr) text += chunk.data();
  pclose(pipe);
  return text;
}

// What nm says of one file, line by line: "0000000000000000 W warpsim::…"; lower case letters are local, but for u and
// v.
std::string shared_symbols(const std::string& object, const std::string& tag, const std::string& entry, int& tagged) {
  std::string shared, rest = output_of("nm -C --defined-only '" + object + "' 2>/dev/null");
  while (!rest.empty()) {
    const std::string line = rest.substr(0, rest.find('\n'));
    rest.erase(0, line.size() + 1);
    if (line.size() < 20) continue;
    const char kind = line[17];
    const std::string name = line.substr(19);
    const bool is_local = kind >= 'a' && kind <= 'z' && kind != 'u' && kind != 'v';
    const bool is_data_for_exceptions = name.find("DW.ref.") == 0;
    const bool is_table = (kind == 'u' || kind == 'V') && name.find("warpsim::mufu::k") == 0;  // data, the same in all
    const bool is_tagged = name.find("lane_ops_detail::" + tag) != std::string::npos;
    tagged += is_tagged;
    if (!is_local && !is_data_for_exceptions && !is_table && !is_tagged && name != entry) shared += line + "\n";
  }
  return shared;
}

TEST(HostCode, NothingBeyondTheBaselineIsShared) {
  if (testing::kSanitized) GTEST_SKIP() << "under a sanitizer";
  if (output_of("nm --version 2>/dev/null").empty()) GTEST_SKIP() << "no nm";
  const std::string folder = std::string(WARPSIM_BINARY_DIR) + "/sim/CMakeFiles/sim.dir/";
  if (!std::ifstream(folder + "code/lane_ops_avx2.cpp.o"))
    GTEST_SKIP() << "no objects of CMake's Ninja or Makefile generators";
  for (const auto& [part, function] :
       {std::pair{"code/lane_ops_", "warpsim::lane_ops_"}, std::pair{"sass/lane_code_", "warpsim::sass::lane_code_"}}) {
    for (const auto& [file, tag] : {std::pair{"avx2", "Avx2"}, std::pair{"avx512", "Avx512"}}) {
      int tagged = 0;
      const std::string entry = std::string(function) + file + "()";
      EXPECT_EQ(shared_symbols(folder + part + file + ".cpp.o", tag, entry, tagged), "") << part << file;
      EXPECT_GT(tagged, 50) << part << file;  // nm's lines were understood
    }
  }
}

}  // namespace
}  // namespace warpsim
