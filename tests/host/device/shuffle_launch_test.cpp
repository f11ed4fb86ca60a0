// Shuffles whose operands never change, as nvcc writes them: `mov` puts them into registers. Interpreter and machine
// code know where each value comes from before the run.
//
// Source: the pseudo code of PTX ISA 9.0, "shfl.sync".
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "host/device/device.h"

namespace warpsim::host {
namespace shuffle_launch_test {

constexpr unsigned kLanes = 32;

struct Source {
  unsigned lane;
  bool is_in_range;
};

Source source(const std::string& mode, unsigned lane, unsigned b, unsigned c) {
  const unsigned value = b & 31, clamp = c & 31, mask = c >> 8 & 31;
  const unsigned most = (lane & mask) | (clamp & ~mask), least = lane & mask;
  unsigned j = lane;
  bool p = true;
  if (mode == "up") {
    j = lane - value;
    p = static_cast<int>(j) >= static_cast<int>(most);
  } else if (mode == "down") {
    j = lane + value;
    p = j <= most;
  } else if (mode == "bfly") {
    j = lane ^ value;
    p = j <= most;
  } else {
    j = least | (value & ~mask);
    p = j <= most;
  }
  return {p ? j : lane, p};
}

constexpr unsigned kShuffles = 33;

// What b is in a lane: of the last shuffle the lane's number, which is a register that never changes, too.
unsigned b_of(unsigned shuffle, unsigned lane) { return shuffle < 32 ? shuffle : lane; }

// All 32 values of b with this c, and the lane's own number. Each thread's word is 1000 + its lane; it stores what it
// receives, and 1 where the lane was in range, of each b. The result is also the operand, so that no value may be lost
// under way.
std::string kernel(const std::string& mode, unsigned c) {
  std::string body;
  for (unsigned b = 0; b < kShuffles; ++b)
    body += "  mov.u32 %r1, %r9;\n  mov.u32 %r2" + std::to_string(b) + ", " + (b < 32 ? std::to_string(b) : "%laneid") +
            ";\n  shfl.sync." + mode + ".b32 %r1|%p1, %r1, %r2" + std::to_string(b) +
            ", %r3, %r4;\n  selp.u32 %r5, 1, 0, %p1;\n  st.global.v2.u32 [%rd1 + " + std::to_string(b * kLanes * 8) +
            "], {%r1, %r5};\n";
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .pred %p<4>;
  .reg .b32 %r<240>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r6, %tid.x;
  add.s32 %r9, %r6, 1000;
  mul.wide.u32 %rd2, %r6, 8;
  add.s64 %rd1, %rd1, %rd2;
  mov.u32 %r3, )" +
         std::to_string(c) + ";\n  mov.u32 %r4, -1;\n" + body + "  ret;\n}\n";
}

void expect_right(const std::string& mode, unsigned c, EngineChoice engine, bool checks) {
  Device device;
  device.set_checks(checks);
  device.set_engine(engine);
  const auto loaded = device.load({{"k.ptx", kernel(mode, c)}});
  KernelModule* const* const module = std::get_if<KernelModule*>(&loaded);
  ASSERT_NE(module, nullptr) << std::get<Failure>(loaded).text;
  constexpr std::uint64_t kBytes = std::uint64_t{kShuffles} * kLanes * 8;
  const std::uint64_t address = device.memory().allocate(kBytes, "x").value_or(0);
  const std::array<const void*, 1> params{&address};
  const std::optional<Failure> failure = device.launch(*(*module)->find_kernel("k"), {{1, 1, 1}, {32, 1, 1}}, params);
  ASSERT_FALSE(failure) << failure->text;
  std::vector<std::uint32_t> words(kBytes / 4);
  std::memcpy(words.data(), device.memory().find(address, kBytes)->bytes, kBytes);
  for (unsigned b = 0; b < kShuffles; ++b) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const Source from = source(mode, lane, b_of(b, lane), c);
      const std::size_t at = (b * kLanes + lane) * 2;
      ASSERT_EQ(words[at], 1000 + from.lane) << mode << " b " << b << " c " << c << " lane " << lane;
      ASSERT_EQ(words[at + 1], from.is_in_range ? 1U : 0U) << mode << " b " << b << " c " << c << " lane " << lane;
    }
  }
}

TEST(ShuffleLaunch, ConstantOperandsGiveWhatPtxSays) {
  for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Compiled})
    for (const bool checks : {false, true})
      for (const std::string mode : {"up", "down", "bfly", "idx"})
        for (const unsigned width : {32U, 16U, 8U, 4U, 2U, 1U})
          for (const unsigned clamp : {0U, 5U, 31U})
            expect_right(mode, (32 - width) << 8 | (mode == "up" && clamp == 31 ? 0U : clamp), engine, checks);
}

}  // namespace shuffle_launch_test
}  // namespace warpsim::host
