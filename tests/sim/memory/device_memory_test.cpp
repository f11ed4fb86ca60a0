// Allocations of a device's memory: where they lie, and how they are found again.
#include "sim/memory/device_memory.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpsim {
namespace {

using Address = std::uint64_t;

Address allocated(DeviceMemory& memory, Address size, std::string name = "x",
                  Address alignment = DeviceMemory::kAlignBytes) {
  const std::optional<Address> address = memory.allocate(size, std::move(name), alignment);
  EXPECT_TRUE(address.has_value());
  return address.value_or(0);
}

TEST(DeviceMemory, AllocationsLieApartAndAligned) {
  DeviceMemory memory;
  EXPECT_EQ(allocated(memory, 100), DeviceMemory::kFirstAddress);
  EXPECT_EQ(allocated(memory, 0), DeviceMemory::kFirstAddress + 4096 + 256);
  EXPECT_EQ(allocated(memory, 1), DeviceMemory::kFirstAddress + 2 * 4096 + 256);
  EXPECT_EQ(allocated(memory, 8, "page", 65536) % 65536, 0U);
  EXPECT_EQ(memory.size(), 4U);
}

TEST(DeviceMemory, FindsWhatLiesAllInsideOneAllocation) {
  DeviceMemory memory;
  const Address a = allocated(memory, 16, "a"), b = allocated(memory, 8, "b");
  ASSERT_NE(memory.find(a, 16), nullptr);
  EXPECT_EQ(memory.find(a, 16)->name, "a");
  EXPECT_EQ(memory.find(a + 12, 4)->name, "a");
  EXPECT_EQ(memory.find(a + 16, 0)->name, "a") << "the end of an array is an address of it";
  EXPECT_EQ(memory.find(b + 7, 1)->name, "b");
  EXPECT_EQ(memory.find(a + 13, 4), nullptr);
  EXPECT_EQ(memory.find(a - 1, 1), nullptr);
  EXPECT_EQ(memory.find(b + 8, 1), nullptr);
  EXPECT_EQ(memory.find(a + 1, ~Address{0}), nullptr) << "the end of the access wraps";
  EXPECT_EQ(memory.find(~Address{0}, 4), nullptr);
  EXPECT_EQ(memory.find(0, 1), nullptr);
}

TEST(DeviceMemory, StartsAsZerosAndHoldsAByteAByte) {
  DeviceMemory memory;
  const DeviceMemory::Allocation& a = *memory.find(allocated(memory, 3), 3);
  for (unsigned k = 0; k < 3; ++k) EXPECT_EQ(a.bytes[k], std::byte{0});
}

TEST(DeviceMemory, HostMemoryIsMappedAtItsOwnAddress) {
  std::vector<std::byte> host(100);
  const Address at = reinterpret_cast<std::uintptr_t>(host.data());
  DeviceMemory memory(at - 10);
  ASSERT_TRUE(memory.map(host, "host"));
  EXPECT_EQ(memory.find(at + 96, 4)->bytes, host.data());
  EXPECT_EQ(memory.find(at + 97, 4), nullptr);
  EXPECT_EQ(memory.allocated_bytes(), 100U);
  EXPECT_FALSE(memory.map(std::span(host).subspan(40, 4), "again")) << "one is there";
  EXPECT_FALSE(memory.map(std::span(host).first(1), "again"));
  EXPECT_FALSE(memory.map(std::span(host.data() - 8, 9), "again")) << "it reaches into one";
  EXPECT_GE(allocated(memory, 64, "behind", 1), at + 100) << "it does not fit before";
  EXPECT_TRUE(memory.free(at));
  EXPECT_EQ(memory.freed(at + 5)->name, "host");
}

TEST(DeviceMemory, NothingIsMappedOverConstantsOrTheHeap) {
  DeviceMemory memory;
  for (const Address at : {kHeapBegin, kHeapEnd - 8, kHeapBegin - 8, kConstantBegin - 8, kSharedWindow})
    EXPECT_FALSE(memory.map({reinterpret_cast<std::byte*>(at), 16}, "x")) << std::hex << at;
  EXPECT_TRUE(memory.map({reinterpret_cast<std::byte*>(kHeapBegin - 16), 16}, "x"));
}

TEST(DeviceMemory, TheNearestIsTheLowerOfTwo) {
  DeviceMemory memory;
  EXPECT_EQ(memory.nearest(5), nullptr);
  const Address a = allocated(memory, 256, "a"), b = allocated(memory, 256, "b");
  EXPECT_EQ(memory.nearest(0)->name, "a");
  EXPECT_EQ(memory.nearest(a + 10)->name, "a");
  const Address middle = (a + 256 + b) / 2;
  EXPECT_EQ(memory.nearest(middle)->name, "a");
  EXPECT_EQ(memory.nearest(middle + 1)->name, "b");
  EXPECT_EQ(memory.nearest(b + 4000)->name, "b");
}

TEST(DeviceMemory, WhatWasFreedIsKnownByNameAndItsAddressIsNotGivenAgain) {
  DeviceMemory memory;
  const Address a = allocated(memory, 16, "a");
  EXPECT_FALSE(memory.free(a + 4)) << "no allocation begins there";
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_EQ(memory.find(a, 4), nullptr);
  ASSERT_NE(memory.freed(a + 15), nullptr);
  EXPECT_EQ(memory.freed(a + 15)->name, "a");
  EXPECT_EQ(memory.freed(a + 16), nullptr);
  EXPECT_GT(allocated(memory, 16, "b"), a);
  for (std::size_t k = 0; k < DeviceMemory::kFreedKnown; ++k) EXPECT_TRUE(memory.free(allocated(memory, 4, "c")));
  EXPECT_EQ(memory.freed(a), nullptr) << "so many others were freed behind it";
}

TEST(DeviceMemory, BorrowedBytesStayWhereTheyAre) {
  DeviceMemory memory;
  std::vector<std::byte> host(8, std::byte{7});
  const std::optional<Address> at = memory.borrow(host, "host");
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(memory.find(*at, 8)->bytes, host.data());
  EXPECT_TRUE(memory.free(*at));
  EXPECT_EQ(host[7], std::byte{7});
}

TEST(DeviceMemory, TheHostsViewIsTheSameMemory) {
  DeviceMemory memory;
  memory.map_twice();
  const std::optional<Address> at = memory.allocate_on_host(10'000, "x");
  ASSERT_TRUE(at.has_value());
  const DeviceMemory::Allocation& one = *memory.find(*at, 10'000);
  if (!one.has_view) GTEST_SKIP() << "this system has no memfd_create";
  EXPECT_EQ(memory.views(), 1U);
  auto* const view = reinterpret_cast<std::byte*>(*at);
  ASSERT_NE(view, one.bytes);
  for (std::size_t k = 0; k < 10'000; ++k) ASSERT_EQ(one.bytes[k], std::byte{0});
  view[9'999] = std::byte{7};
  one.bytes[0] = std::byte{8};
  EXPECT_EQ(one.bytes[9'999], std::byte{7});
  EXPECT_EQ(view[0], std::byte{8});
  EXPECT_TRUE(memory.free(*at));
  EXPECT_EQ(memory.views(), 0U);
}

TEST(DeviceMemory, SaysWhenThereIsNoRoom) {
  DeviceMemory memory;
  EXPECT_FALSE(memory.allocate(DeviceMemory::kMostBytes + 1, "too much").has_value());
  EXPECT_FALSE(memory.allocate(~std::uint64_t{0}, "all").has_value());
  EXPECT_EQ(memory.size(), 0U);
  EXPECT_FALSE(memory.set_read_only(5, true));
}

TEST(DeviceMemory, ManyAllocationsAreEachFoundAgain) {
  DeviceMemory memory;
  constexpr Address kCount = 100'000;
  std::vector<Address> at;
  for (Address k = 0; k < kCount; ++k) at.push_back(allocated(memory, 1 + k % 300, std::to_string(k)));
  for (Address k = 0; k < kCount; k += 3) ASSERT_TRUE(memory.free(at[k]));
  for (Address k = 0; k < kCount; ++k) {
    const DeviceMemory::Allocation* const found = memory.find(at[k] + k % 300, 1);
    ASSERT_EQ(found != nullptr, k % 3 != 0) << k;
    if (found == nullptr) continue;
    ASSERT_EQ(found->name, std::to_string(k));
  }
  Address last = 0;
  memory.for_each([&](const DeviceMemory::Allocation& a) {
    EXPECT_GT(a.address, last);
    last = a.address;
  });
}

}  // namespace
}  // namespace warpsim
