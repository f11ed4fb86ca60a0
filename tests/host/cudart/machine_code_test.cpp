// Programs that nvcc made with machine code for sm_90: `warpsim exec` times that.
//
// Source: none: that they are timed by it, and why not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/sanitized.h"
#include "tools/support/child_process.h"

namespace warpsim {
namespace machine_code_test {

namespace fs = std::filesystem;
using tools::ChildResult;
using tools::run_child;

// With variables and constants of a module, whole and linked (-rdc=true); sums whose order is open.
TEST(ProgramsWithMachineCode, AreTimedByIt) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the programs are for x86-64";
#endif
  if (testing::kSanitized) GTEST_SKIP() << "the sanitizers' libraries must be loaded before all others";
  const char* const nvcc = "/usr/local/cuda/bin/nvcc";
  if (!fs::exists(nvcc)) GTEST_SKIP() << "there is no " << nvcc << " to make a program with machine code";
  const fs::path folder = fs::path(WARPSIM_BINARY_DIR) / "tests/cuda_programs_with_code";
  fs::create_directories(folder);
  const std::string source = (folder / "app").string() + ".cu";
  std::ofstream(source) << R"(
__constant__ int factor[2] = {3, 5};
__device__ int total;
__global__ void sum(const int* x) { atomicAdd(&total, factor[threadIdx.x & 1] * x[threadIdx.x]); }
__global__ void open_order(float* x) {
  float late = threadIdx.x;  // a block takes the longer the lower its number is
  for (int k = blockIdx.x; k < 8; ++k) late = sqrtf(late + 1);
  atomicAdd(x, 1.0f / (1 + threadIdx.x + 37 * blockIdx.x) + late);
}
int main() {
  int* x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 1, 1024);
  sum<<<3, 128>>>(x);
  cudaMemset(x, 0, 1024);
  open_order<<<8, 128>>>(reinterpret_cast<float*>(x));
  cudaFree(x);
}
)";
  for (const char* const linked : {"-rdc=false", "-rdc=true"}) {
    const std::string program = source + linked, log = program + ".json";
    const ChildResult made =
        run_child({nvcc, "-w", "-arch=sm_90", "-cudart", "shared", linked, "-o", program, source}, "");
    ASSERT_TRUE(made.is_fine()) << made.err;
    run_child({WARPSIM_BINARY, "exec", "--check", "off", "--json", "--log", log, "--profile", "h200", program}, "");
    std::ifstream told(log);
    const nlohmann::json launches = nlohmann::json::parse(told)["result"]["launches"];
    ASSERT_EQ(launches.size(), 2U) << linked << launches;
    EXPECT_EQ(launches[0].value("timed_by", ""), "machine code") << linked << launches[0];
    EXPECT_EQ(launches[0].value("limit", ""), "grid");
    EXPECT_EQ(launches[1].value("timed_by", ""), "PTX") << linked << launches[1];
    EXPECT_EQ(launches[1].value("why_not_machine_code", ""), "it leaves other values in cudaMalloc #1 than the PTX");
    EXPECT_EQ(launches[1]["cycles"], launches[1]["ptx_cycles"]);
  }
}

}  // namespace machine_code_test
}  // namespace warpsim
