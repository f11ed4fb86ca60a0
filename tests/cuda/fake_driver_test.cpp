// What the command says, and how it exits, when a call of the CUDA driver fails. The driver is
// tests/support/fake_driver/, whose calls fail as they are told.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "tests/tools/one_file_case.h"

#ifdef WARPSIM_FAKE_DRIVER

namespace warpsim {
namespace {

constexpr const char* kKernel = R"(.kernel pair (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)
        ld.global.u32   %own, input[%gtid]
        add.u32         %own, %own, %own
        st.global.u32   output[%gtid], %own
        exit
.case test
    input = i + 1
    expect output = 2 * i + 2
)";
// redux came with compute capability 8.0 (PTX ISA 9.0, "redux.sync").
constexpr const char* kNewer = R"(.kernel newer (out output: u32[1])
        redux.add.u32   %sum, %laneid
        st.global.u32   output[0], %sum
        exit
.case test
    expect output = W * (W - 1) / 2
)";

OneFileCase with_driver(const std::string& settings, const std::string& arguments) {
  OneFileCase one;
  // What lies on a GPU that has faulted cannot be freed: no report of leaks.
  one.command = "ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH='" WARPSIM_FAKE_DRIVER "' WARPSIM_FAKE_CUDA=" + settings +
                " warpsim " + arguments;
  one.files = {{"pair.warp", kKernel}, {"newer.warp", kNewer}};
  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

struct Fault {
  const char* name;
  const char* settings;
  int exit_code;
  const char* said;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FakeDriver : public ::testing::TestWithParam<Fault> {};

TEST_P(FakeDriver, EveryFailingCallIsSaid) {
  const Fault& fault = GetParam();
  for (const char* verb : {"run", "trace"}) {
    const OneFileCase ran = with_driver(fault.settings, std::string(verb) + " pair.warp --lanes 8 --backend cuda");
    EXPECT_EQ(ran.exit_code, fault.exit_code) << ran.err;
    EXPECT_NE(ran.err.find(std::string("warpsim: error: ") + fault.said), std::string::npos) << verb << ": " << ran.err;
    EXPECT_EQ(ran.out, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FakeDriver,
    ::testing::Values(
        Fault{"NoDevice", "cuInit=100", 5,
              "no GPU here: cuInit: CUDA_ERROR_NO_DEVICE (100), no CUDA-capable device is detected\n"},
        Fault{"NoneCounted", "devices=0", 5, "no GPU here: the driver finds none\n"},
        Fault{"Device", "cuDeviceGet=100", 5, "cuDeviceGet: CUDA_ERROR_NO_DEVICE (100), "},
        Fault{"Context", "cuDevicePrimaryCtxRetain=2", 5,
              "cuDevicePrimaryCtxRetain: CUDA_ERROR_OUT_OF_MEMORY (2), out of memory\n"},
        Fault{"NobodyKnowsThatError", "cuCtxSetCurrent=12345", 5, "cuCtxSetCurrent: error (12345)\n"},
        Fault{"RefusedPtx", "cuModuleLoadDataEx=218", 5,
              "the driver refuses the PTX: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218), a PTX JIT compilation "
              "failed\n"
              "ptxas application ptx input, line 7; error\n"},
        Fault{"Entry", "cuModuleGetFunction=500", 5,
              "pair: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500), named symbol not found\n"},
        Fault{"CopyThere", "cuMemcpyHtoD_v2=2", 5, "pair: cuMemcpyHtoD_v2: CUDA_ERROR_OUT_OF_MEMORY (2), "},
        Fault{"Launch", "cuLaunchKernel=2", 5, "pair: cuLaunchKernel: CUDA_ERROR_OUT_OF_MEMORY (2), "},
        Fault{"TooManyResources", "cuLaunchKernel=701", 5,
              "pair: cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701), too many resources requested for "
              "launch\n"},
        Fault{"Misaligned", "cuCtxSynchronize=716", 4, "pair: cuCtxSynchronize: CUDA_ERROR_MISALIGNED_ADDRESS (716), "},
        Fault{"KernelFault", "cuCtxSynchronize=700", 4,
              "pair: cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700), an illegal memory access was encountered\n"
              "  hint: the driver works again in a new process only\n"},
        Fault{"FaultSeenInACopy", "cuMemcpyDtoH_v2=700", 4,
              "pair: cuMemcpyDtoH_v2: CUDA_ERROR_ILLEGAL_ADDRESS (700), "}),
    [](const auto& one) { return one.param.name; });

// Two buffers of 8 elements take less than a page each; a page lies before them and one behind.
TEST(FakeDriverMemory, SaysHowMuchItAskedFor) {
  const OneFileCase ran = with_driver("cuMemAlloc_v2=2", "run pair.warp --lanes 8 --backend cuda");
  EXPECT_EQ(ran.exit_code, 5);
  EXPECT_NE(ran.err.find(" bytes of the GPU's memory: cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2), out of memory\n"),
            std::string::npos)
      << ran.err;
}

// The pattern before the first buffer has changed, 96 bytes before it: the simulator's buffers begin at 0x10000000.
TEST(FakeDriverMemory, AStoreOutsideTheBuffersIsFound) {
  const OneFileCase ran = with_driver("outside=4000", "run pair.warp --lanes 8 --backend cuda");
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("warpsim: error: pair wrote outside its buffers on the GPU, at address 0xfffffa0\n"),
            std::string::npos)
      << ran.err;
}

TEST(FakeDriverLaunch, AGpuThatIsTooOldIsNamed) {
  const OneFileCase ran = with_driver("capability=75", "run newer.warp --backend cuda");
  EXPECT_EQ(ran.exit_code, 5);
  EXPECT_NE(ran.err.find("newer needs sm_80; Pretended GPU is sm_75\n"), std::string::npos) << ran.err;
  EXPECT_EQ(with_driver("capability=80", "run newer.warp --backend cuda").err.find("needs sm_80"), std::string::npos);
}

TEST(FakeDriverLaunch, AKernelThatHangsIsStopped) {
  const OneFileCase ran = with_driver("hangs=1", "run pair.warp --backend cuda --gpu-seconds 1");
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("pair has not ended on the GPU after 1 s: stopped\n"), std::string::npos) << ran.err;
}

// Launches do nothing, so outputs stay zeros: neither run nor crosscheck may call that right.
TEST(FakeDriverLaunch, AGpuThatDoesNothingIsNotBelieved) {
  const OneFileCase ran = with_driver("", "run pair.warp --lanes 8 --backend cuda");
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  const OneFileCase crossed = with_driver("", "crosscheck p26/butterfly_parallel_max --case worked");
  EXPECT_EQ(crossed.exit_code, 1) << crossed.out;
  EXPECT_NE(crossed.out.find("on Pretended GPU, driver for CUDA 13.2\n"), std::string::npos) << crossed.out;
  EXPECT_NE(crossed.err.find("p26/butterfly_parallel_max, case worked at 8 lanes, ptx: output output[0] holds 1000.0, "
                             "the other holds 0.0\n"),
            std::string::npos)
      << crossed.err;
}

}  // namespace
}  // namespace warpsim

#endif  // WARPSIM_FAKE_DRIVER
