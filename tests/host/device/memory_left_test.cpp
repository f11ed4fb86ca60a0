// What is left of a machine's memory, from files as Linux writes them.
//
// Source: proc_meminfo(5), cgroups(7).
#include "host/device/memory_left.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warpsim::host {
namespace memory_left_test {

namespace fs = std::filesystem;

class Root {
 public:
  Root() : path_(fs::temp_directory_path() / ("warpsim_memory_left_" + std::to_string(::getpid()))) {}
  ~Root() { fs::remove_all(path_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

TEST(MemoryLeft, IsTheSmallestOfWhatIsLeft) {
  const Root root;
  EXPECT_GT(memory_left(root.path()), std::uint64_t{1} << 50) << "nothing says anything";
  root.write("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable:    800 kB\nHugePages_Total:   0\n");
  EXPECT_EQ(memory_left(root.path()), 800U * 1024);
  root.write("proc/self/cgroup", "0::/all/mine\n");
  root.write("sys/fs/cgroup/all/mine/memory.current", "300000\n");
  root.write("sys/fs/cgroup/all/mine/memory.max", "max\n");
  EXPECT_EQ(memory_left(root.path()), 800U * 1024);
  root.write("sys/fs/cgroup/all/mine/memory.max", "700000\n");
  EXPECT_EQ(memory_left(root.path()), 400'000U);
  root.write("sys/fs/cgroup/all/mine/memory.stat", "anon 5\ninactive_file 40000\nactive_file 10000\nslab 7\n");
  EXPECT_EQ(memory_left(root.path()), 450'000U) << "what files take is given back";
  root.write("sys/fs/cgroup/all/memory.current", "600000\n");
  root.write("sys/fs/cgroup/all/memory.max", "600001\n");
  EXPECT_EQ(memory_left(root.path()), 1U) << "the group that the group is in";
  root.write("proc/self/cgroup", "4:memory:/mine\n3:cpu:/\n");
  root.write("sys/fs/cgroup/memory/mine/memory.usage_in_bytes", "10\n");
  root.write("sys/fs/cgroup/memory/mine/memory.limit_in_bytes", "30\n");
  EXPECT_EQ(memory_left(root.path()), 20U) << "the first version of control groups";
}

TEST(MemoryLeft, ThisMachineHasSome) { EXPECT_GT(memory_left(), std::uint64_t{1} << 20); }

}  // namespace memory_left_test
}  // namespace warpsim::host
