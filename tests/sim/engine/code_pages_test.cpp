// Pages of machine code: written first, executable then, never both.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/engine/compiled.h"

namespace warpsim {
namespace code_pages_test {

// The permissions of the page at this address, as /proc/self/maps has them: "r-xp".
std::string permissions_at(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string permissions;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> permissions;
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(address);
    if (at >= begin && at < end) return permissions;
  }
  return "";
}

TEST(CodePages, AreExecutableAndNotWritable) {
  if (!engine::can_compile()) GTEST_SKIP() << "no machine code on this host";
  const engine::CodePages pages(std::vector<std::byte>(100, std::byte{0xc3}));
  ASSERT_NE(pages.begin(), nullptr);
  EXPECT_EQ(permissions_at(pages.begin()), "r-xp");
}

}  // namespace code_pages_test
}  // namespace warpsim
