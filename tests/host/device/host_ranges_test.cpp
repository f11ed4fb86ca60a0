// What /proc/self/maps says, as ranges.
//
// Source: proc(5).
#include "host/device/host_ranges.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

namespace warpsim::host {
namespace {

TEST(HostRanges, NeighboursWithTheSameRightsAreOne) {
  const std::vector<HostRange> ranges = parse_host_ranges(
      "00400000-00401000 r-xp 00000000 08:01 12 /usr/bin/a b\n"
      "00401000-00403000 r--p 00001000 08:01 12 /usr/bin/a b\n"
      "00403000-00404000 rw-p 00003000 08:01 12 /usr/bin/a b\n"
      "00500000-00501000 ---p 00000000 00:00 0\n"
      "00501000-00502000 rw-p 00000000 00:00 0 \n"
      "7ffd0000-7ffd1000 r--p 00000000 00:00 0          [vvar]\n"
      "7ffe0000-7ffe1000 r-xp 00000000 00:00 0          [vdso]\n"
      "7fff0000-7fff1000 rw-p 00000000 00:00 0          [stack]\n"
      "nonsense\n");
  ASSERT_EQ(ranges.size(), 4U);
  EXPECT_EQ(ranges[0].begin, 0x400000U);
  EXPECT_EQ(ranges[0].end, 0x403000U);
  EXPECT_FALSE(ranges[0].writable);
  EXPECT_EQ(ranges[0].name, "/usr/bin/a b");
  EXPECT_EQ(ranges[1].begin, 0x403000U);
  EXPECT_TRUE(ranges[1].writable);
  EXPECT_EQ(ranges[2].begin, 0x501000U) << "nobody may read what lies before";
  EXPECT_EQ(ranges[2].name, "");
  EXPECT_EQ(ranges[3].name, "[stack]");
}

TEST(HostRanges, OfThisProcess) {
  constexpr std::size_t kBytes = 1 << 16;
  void* const here = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(here, MAP_FAILED);
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(here);
  const auto has_it = [&](bool writable) {
    const std::vector<HostRange> ranges = host_ranges();
    return std::any_of(ranges.begin(), ranges.end(), [&](const HostRange& one) {
      return one.begin <= address && address + kBytes <= one.end && one.writable == writable;
    });
  };
  EXPECT_TRUE(has_it(true));
  ASSERT_EQ(mprotect(here, kBytes, PROT_READ), 0);
  EXPECT_TRUE(has_it(false));
  // Still there, so that nothing else comes to lie in its place.
  ASSERT_EQ(mprotect(here, kBytes, PROT_NONE), 0);
  EXPECT_FALSE(has_it(true) || has_it(false));
  ASSERT_EQ(munmap(here, kBytes), 0);
}

}  // namespace
}  // namespace warpsim::host
