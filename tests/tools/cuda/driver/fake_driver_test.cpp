// What the command says, and how it exits, when a call of the CUDA driver fails. The driver is
// tests/support/fake_driver/, whose calls fail on demand.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "tests/tools/command/one_file_case.h"

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

// It computes zeros, which is what memory holds before it runs. Its clocks go to the buffers after its own two.
std::string clocked_kernel() {
  std::string text = R"(.kernel zeros (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)
        ld.global.u32   %own, input[%gtid]
)";
  for (int k = 0; k < 20; ++k) text += "        shfl.bfly.b32 %other, %own, 1\n        add.u32 %own, %own, %other\n";
  return text + R"(        st.global.u32   output[%gtid], %own
        exit
.case test
    lanes = 32
    input = 0 * i
    expect output = 0 * i
)";
}
// As cuobjdump would list it.
std::string pretended_cuobjdump() {
  std::string text = "#!/bin/sh\ntest \"$1\" = -sass && test -s \"$2\" && cat <<'END'\n";
  const auto line = [&text](const std::string& insn) { text += "        /*0100*/                   " + insn + " ;\n"; };
  line("CS2R R4, SR_CLOCKLO");
  for (int k = 0; k < 20; ++k) line("SHFL.BFLY PT, R8, R11, 0x1, 0x1f"), line("IADD3 R11, R8, R11, RZ");
  line("CS2R R8, SR_CLOCKLO");
  return text + "END\n";
}

OneFileCase with_driver(const std::string& settings, const std::string& arguments) {
  OneFileCase one;
  // Memory of a GPU that has faulted cannot be freed: no report of leaks.
  one.command =
      "chmod +x tools/cuobjdump; PATH=\"$PWD/tools:$PATH\" ASAN_OPTIONS=detect_leaks=0 "
      "LD_LIBRARY_PATH='" WARPSIM_FAKE_DRIVER "' WARPSIM_FAKE_CUDA=" +
      settings + " warpsim " + arguments;
  one.files = {{"pair.warp", kKernel},
               {"newer.warp", kNewer},
               {"programs/g/zeros.warp", clocked_kernel()},
               {"structure.ptx",
                ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .align 8 .b8 s[16]) { ret; }\n"},
               {"structure.launch",
                ".kernel k (s { param a: u32, param b: u32, out x: u64[2] })\n.case one\n"
                "    grid = 1\n    block = 32\n    a = 1\n    b = 2\n"},
               {"tools/cuobjdump", pretended_cuobjdump()}};
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

// Two buffers of 8 elements take less than a page each; a page is before them and one after.
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

// The members of a structure lie where the kernel's one parameter has them: the pointer behind two numbers.
TEST(FakeDriverLaunch, AStructureIsPassedAsItLies) {
  const OneFileCase ran = with_driver("argument=8,stores=7", "crosscheck structure.ptx");
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("k, case one: x[0] is 0 (0x0) here, 7 (0x7) on the GPU; 1 of 2 differ\n"), std::string::npos)
      << ran.err;
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

// ---- kernels from PTX

constexpr const char* kDoubles = R"(.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 runs;
.visible .entry doubles(.param .u64 in, .param .u64 out) {
  .reg .b64 %rd<5>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, %r2; st.global.u32 [%rd2], %r2;
  st.global.u32 [runs], 1;
  ret;
})";

// `rule` says what is doubled.
OneFileCase doubled_with_driver(const std::string& settings, const std::string& rule, const std::string& more = "") {
  OneFileCase one;
  one.command = "ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH='" WARPSIM_FAKE_DRIVER "' WARPSIM_FAKE_CUDA=" + settings +
                " warpsim crosscheck doubles.ptx " + more;
  one.files = {{"doubles.ptx", kDoubles},
               {"doubles.launch",
                ".kernel doubles (in input: u32[32], out output: u32[32])\n.case test\n    grid = 1\n"
                "    block = 32\n    input = " +
                    rule + "\n"}};
  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

TEST(FakeDriverPtx, AGpuThatDoesNothingIsNotBelieved) {
  const OneFileCase ran = doubled_with_driver("", "i");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_EQ(ran.err,
            "warpsim: error: doubles.ptx: doubles, case test: output[1] is 2 (0x2) here, 0 (0x0) on the GPU; 31 of 32 "
            "differ\n");
  EXPECT_EQ(ran.out,
            "doubles.ptx: doubles, case test: differs, 2 buffers, 256 bytes\n1 run, 1 compared: 1 differ\n"
            "on Pretended GPU, driver for CUDA 13.2\n");
}

TEST(FakeDriverPtx, WhatIsEqualIsRecordedAndComparedAgain) {
  const OneFileCase ran = doubled_with_driver(
      "", "0",
      "--record cap && cat cap/doubles/doubles.json && warpsim crosscheck doubles.ptx --against cap && "
      "sed -i 's/\\[0, 0/[0, 7/' cap/doubles/doubles.json && warpsim crosscheck doubles.ptx --against cap");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(
      ran.out.find("doubles.ptx: doubles, case test: equal, 2 buffers, 256 bytes\n1 run, 1 compared: all equal\n"), 0U)
      << ran.out;
  EXPECT_NE(ran.out.find("\"program\": \"doubles\""), std::string::npos) << ran.out;
  EXPECT_EQ(ran.err,
            "warpsim: error: doubles.ptx: doubles, case test: input[1] is 0 (0x0) here, 7 (0x7) on the GPU; 1 of 32 "
            "differ\n");
}

// Here nvcc copies: the CUDA C++ is PTX already.
TEST(FakeDriverPtx, CudaSourcesRunAsWhatNvccMakesOfThem) {
  const std::string copies =
      "printf '#!/bin/sh\\nwhile [ \"$1\" != -o ]; do shift; done; cp \"$3\" \"$2\"\\n' >nvcc; chmod +x nvcc; "
      "mv doubles.ptx doubles.cu; export CUDACXX=./nvcc; ";
  for (const std::string contract : {"", " --contract"}) {
    OneFileCase one = doubled_with_driver("", "0", contract);
    one.command = copies + one.command;
    one.command.replace(one.command.find("crosscheck doubles.ptx"), 22, "crosscheck doubles.cu");
    const OneFileCase ran = run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(ran.out.substr(0, ran.out.find("on Pretended")),
              "doubles.cu: doubles, case test: equal, 2 buffers, 256 bytes\n1 run, 1 compared: all equal\n");
  }
}

TEST(FakeDriverPtx, FaultsAreSaid) {
  const OneFileCase refused = doubled_with_driver("cuLinkAddData_v2=218", "i");
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_NE(refused.err.find("doubles.ptx: the driver refuses the PTX: cuLinkAddData_v2: CUDA_ERROR_INVALID_PTX (218)"),
            std::string::npos)
      << refused.err;
  const OneFileCase fault = doubled_with_driver("cuCtxSynchronize=700", "i", "--record cap; code=$?; ls; exit $code");
  EXPECT_EQ(fault.exit_code, 4);
  EXPECT_NE(fault.err.find("doubles.ptx: doubles: cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700)"),
            std::string::npos)
      << fault.err;
  EXPECT_EQ(fault.out.find("cap"), std::string::npos) << "nothing was computed, and it was recorded";
}

// ---- clocks

class FakeDriverClocks : public ::testing::TestWithParam<Fault> {};

TEST_P(FakeDriverClocks, EveryFailingCallIsSaid) {
  const Fault& fault = GetParam();
  const OneFileCase ran =
      with_driver(fault.settings, "crosscheck --cycles chain/fma --record clocks.json; code=$?; ls *.json; exit $code");
  EXPECT_EQ(ran.exit_code, fault.exit_code) << ran.err;
  EXPECT_NE(ran.err.find("warpsim: error: chain/fma.f32: " + std::string(fault.said)), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out.find("clocks.json"), std::string::npos) << "nothing was measured, and it was recorded";
}

INSTANTIATE_TEST_SUITE_P(
    All, FakeDriverClocks,
    ::testing::Values(
        Fault{"Linker", "cuLinkCreate_v2=2", 5,
              "the driver refuses the PTX: cuLinkCreate_v2: CUDA_ERROR_OUT_OF_MEMORY (2), out of memory\n"},
        Fault{"OldDriver", "cuLinkCreate_v2=-1", 5,
              "the driver refuses the PTX: cuLinkCreate_v2: this driver has no such function\n"},
        Fault{"RefusedPtx", "cuLinkAddData_v2=218", 5,
              "the driver refuses the PTX: cuLinkAddData_v2: CUDA_ERROR_INVALID_PTX (218), a PTX JIT compilation "
              "failed\n"
              "ptxas application ptx input, line 7; error\n"},
        Fault{"Completion", "cuLinkComplete=218", 5,
              "the driver refuses the PTX: cuLinkComplete: CUDA_ERROR_INVALID_PTX (218), "},
        Fault{"OwnMachineCode", "cuModuleLoadData=2", 5,
              "the driver refuses its own machine code: cuModuleLoadData: CUDA_ERROR_OUT_OF_MEMORY (2), "},
        Fault{"Entry", "cuModuleGetFunction=500", 5,
              "chain_fma_f32: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500), "},
        Fault{"Memory", "cuMemAlloc_v2=2", 5, ""},
        Fault{"Launch", "cuLaunchKernel=701", 5, "chain_fma_f32: cuLaunchKernel"},
        Fault{"KernelFault", "cuCtxSynchronize=700", 4,
              "chain_fma_f32: cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700), an illegal memory access was "
              "encountered\n"
              "  hint: the driver works again in a new process only\n"},
        Fault{"NothingHappens", "x=0", 1, "out0[0] is not what the simulator gives\n"}),
    [](const auto& one) { return one.param.name; });

TEST(FakeDriverClocks, AKernelThatHangsIsNamed) {
  const OneFileCase ran = with_driver("hangs=1", "crosscheck --cycles chain/fma.f32 --gpu-seconds 1");
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("chain_fma_f32 has not ended on the GPU after 1 s: stopped\n"), std::string::npos) << ran.err;
}

// Of all kernels after the first.
TEST(FakeDriverClocks, AFaultIsSaidOnceAndTheRestIsCounted) {
  const OneFileCase ran = with_driver("cuCtxSynchronize=700", "crosscheck --cycles chain/fma chain/mul.f32 --json");
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.out.find("\"not_made\": 3"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("cuCtxSynchronize"), ran.out.rfind("cuCtxSynchronize")) << ran.out;
}

// The last pass began at 0, before the kernel ran, and ended at 41; in lockstep the 40 instructions of the region take
// as long, and the clock is read a cycle later. The machine code is the program's, so the kernel is scored.
TEST(FakeDriverClocks, WhatTheClocksSaidIsRecordedAndComparedAgain) {
  const OneFileCase ran = with_driver(
      "argument=32,stores=41",
      "crosscheck --cycles --profile lockstep --programs programs g/zeros --record clocks.json >said && cat said "
      "clocks.json && warpsim crosscheck --cycles --profile lockstep --programs programs g/zeros --against clocks.json "
      "| cmp - said");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("programs    test               1   0.0 %   0.0 %  g/zeros\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 kernel on Pretended GPU, driver for CUDA 13.2, "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"command\": \"warpsim crosscheck --cycles --record clocks.json\", \"launches\": 21"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("{\"name\": \"g/zeros\", \"warps\": 1, \"cycles\": 41, \"least\": 41, \"most\": 41, "),
            std::string::npos)
      << ran.out;
}

TEST(FakeDriverClocks, AModelThatIsFarOffFails) {
  const OneFileCase ran =
      with_driver("argument=32,stores=82", "crosscheck --cycles --profile lockstep --programs programs g/zeros");
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.err.find("programs: the test set is off by 50.0 % on average and 50.0 % at worst; the limits are 5.0 % "
                         "and 15.0 %\n"),
            std::string::npos)
      << ran.err;
}

TEST(FakeDriverClocks, CalibrateSaysThatNothingCouldBeMeasured) {
  const OneFileCase ran = with_driver("cuCtxSynchronize=700", "calibrate -o mine.json; code=$?; ls *.json; exit $code");
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("chain_add_xor: cuCtxSynchronize: "), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("cuCtxSynchronize"), ran.err.rfind("cuCtxSynchronize")) << ran.err;
}

}  // namespace
}  // namespace warpsim

#endif  // WARPSIM_FAKE_DRIVER
