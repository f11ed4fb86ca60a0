// What one launch of a kernel says of the next one's threads and machine code.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/device/device.h"
#include "sim/engine/compiled.h"

namespace warpsim::host {
namespace thread_launch_test {

// The first of two blocks has nothing to do.
constexpr std::string_view kUneven = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra done;
  ld.param.u64 %rd1, [x];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r3, 0;
again:
  st.global.u32 [%rd3], %r3;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 20000;
  @%p1 bra again;
done:
  ret;
}
)";

// What the engine's log says of each launch of two blocks.
using Log = std::vector<std::string>;
std::vector<Log> logs_of(Device& device, const std::string& text, std::uint32_t threads, int times) {
  std::vector<Log> logs;
  device.listeners().engine = [&](std::uint64_t launch, const std::string&, std::string_view line) {
    logs.resize(launch);
    logs.back().emplace_back(line);
  };
  const auto loaded = device.load({{"k.ptx", text}});
  KernelModule* const* const module = std::get_if<KernelModule*>(&loaded);
  if (module == nullptr) {
    ADD_FAILURE() << std::get<Failure>(loaded).text;
    return logs;
  }
  const std::uint64_t address = device.memory().allocate(256, "x").value_or(0);
  const std::array<const void*, 1> params{&address};
  for (int k = 0; k < times; ++k)
    EXPECT_FALSE(device.launch(*(*module)->find_kernel("k"), {{2, 1, 1}, {threads, 1, 1}}, params));
  return logs;
}

TEST(ThreadLaunch, TheNextOneBeginsThemAtOnce) {
  Device device;
  device.set_checks(false);
  device.set_threads(2);
  const std::vector<Log> logs = logs_of(device, std::string(kUneven), 64, 2);
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].back(), "1 thread: the run is too short for more, or of too few blocks");
  EXPECT_EQ(logs[1].back(), "2 threads");
}

// 3,000 issues a launch: the sixth is the first that has more behind it than compiling costs.
TEST(ThreadLaunch, ShortLaunchesCompileTogether) {
  if (!engine::can_compile()) GTEST_SKIP() << "no machine code on this host";
  std::string text(kUneven);
  text.replace(text.find("%r3, 1;"), 7, "%r3, 2;");
  text.replace(text.find("20000"), 5, "1496");
  text.insert(text.find("again:"), "  xor.b32 %r2, %r2, %r1;  // other code than the kernel's above\n");
  for (const bool is_checked : {false, true}) {
    Device device;
    device.set_checks(is_checked);
    std::vector<bool> is_code;  // by launch
    for (const Log& log : logs_of(device, text, 32, 7))
      is_code.push_back(std::any_of(log.begin(), log.end(), [](const std::string& line) {
        return line.starts_with("all lanes together: ") && line.find("are machine code") != std::string::npos;
      }));
    EXPECT_EQ(is_code, (std::vector<bool>{false, false, false, false, false, true, true})) << is_checked;
  }
}

}  // namespace thread_launch_test
}  // namespace warpsim::host
