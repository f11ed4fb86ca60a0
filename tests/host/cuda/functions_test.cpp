// What libcuda.so.1 exports: the functions of the table, all of them and no other.
//
// Source: host/cuda/functions.def; where the toolkit is, its header and the symbols of its stub.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tools/support/child_process.h"

namespace warpsim {
namespace {

std::set<std::string> names_of_table() {
  return {
#define DRIVER_FUNCTION(name, base, since) #name,
#define DRIVER_REFUSED(name, base, since) #name,
#define DRIVER_VARIANT(name, suffix) #name "_" #suffix,
#include "host/cuda/functions.def"
#undef DRIVER_VARIANT
#undef DRIVER_REFUSED
#undef DRIVER_FUNCTION
  };
}

// That begin as the driver's do: "cuInit", and not "cudaMalloc".
std::set<std::string> exports_of(const std::string& library) {
  const tools::ChildResult listed = tools::run_child({"nm", "-D", "--defined-only", library}, "");
  EXPECT_TRUE(listed.is_fine()) << listed.err;
  std::set<std::string> names;
  std::istringstream words(listed.out);
  for (std::string word; words >> word;)
    if (word.starts_with("cu") && word.size() > 2 && std::isupper(static_cast<unsigned char>(word[2])) != 0)
      names.insert(word.substr(0, word.find('@')));
  return names;
}

TEST(DriverFunctions, ExportsAreTheTable) {
  EXPECT_EQ(exports_of(WARPSIM_BINARY_DIR "/cuda/libcudart.so.13"), names_of_table());
}

TEST(DriverFunctions, TheTableHasAllOfTheHeader) {
  std::ifstream file("/usr/local/cuda/include/cuda.h");
  if (!file) GTEST_SKIP() << "no toolkit";
  const std::string header{std::istreambuf_iterator<char>(file), {}};
  const std::set<std::string> table = names_of_table();
  const std::regex declaration(R"(\nCUresult CUDAAPI (cu[A-Z]\w*)\()");
  std::size_t seen = 0;
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at, ++seen)
    EXPECT_TRUE(table.contains((*at)[1])) << (*at)[1];
  EXPECT_GT(seen, 300u);
}

}  // namespace
}  // namespace warpsim
