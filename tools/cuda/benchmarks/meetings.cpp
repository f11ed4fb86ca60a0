// meetings: what the GPU of this machine does where lanes that must converge do not arrive: masks that name too many
// lanes or too few, barriers in one branch.
//
//   meetings > h200_meetings.txt      the capture that tests/data holds
//
// Build: g++ -std=c++20 -O2 tools/cuda/benchmarks/meetings.cpp -ldl -o meetings
//
// Shapes: each experiment is a few PTX instructions in a kernel of one warp, in which lane l holds %a = 0x100 + l and
//         stores %r, at first the same. `NAME ptx …` says which, then `NAME ends …` gives the 32 values, hexadecimal,
//         or `NAME does not end` says that it was still running after 10 seconds.
// Units:  lanes count from 0.
// Errors: a failing driver call becomes `NAME fails CALL CODE`. An experiment runs in a process of its own, which an
//         alarm ends.
// Source: PTX ISA 9.0; CUDA driver API 13.0, from libcuda.so.1 at run time.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr unsigned kLanes = 32, kSeconds = 10;

struct Experiment {
  std::string name, ptx;
};

// %upper: lanes 16 to 31; %odd: the odd lanes. A volatile store keeps the compiler from turning a branch into guards.
const std::string kShuffle = "shfl.sync.idx.b32 %r, %a, 1, 31, 0xffffffff;",
                  kStay = "st.volatile.global.u32 [%spare], %a;";
const std::array<Experiment, 9> kExperiments = {{
    {"wrong_mask", "@%upper bra M; " + kStay + " " + kShuffle + " M:"},
    {"wrong_mask_then_warp_barrier", "@%upper bra M; " + kStay + " " + kShuffle + " M: bar.warp.sync 0xffffffff;"},
    {"wrong_mask_then_barrier", "@%upper bra M; " + kStay + " " + kShuffle + " M: bar.sync 0;"},
    {"wrong_mask_then_shuffle", "@%upper bra M; " + kStay + " " + kShuffle +
                                    " M: shfl.sync.down.b32 %q, %a, 2, 31, 0xffffffff; add.u32 %r, %r, %q;"},
    {"half_mask", "@%upper bra M; " + kStay + " shfl.sync.idx.b32 %r, %a, 1, 31, 0x0000ffff; M:"},
    {"not_a_member", "shfl.sync.idx.b32 %r, %a, 0, 31, 0x55555555;"},
    {"divergent_barrier", "@%odd bra M; " + kStay + " bar.sync 0; M:"},
    {"divergent_barrier_then_barrier", "@%odd bra M; " + kStay + " bar.sync 0; M: bar.sync 0;"},
    {"divergent_barrier_then_warp_barrier", "@%odd bra M; " + kStay + " bar.sync 0; M: bar.warp.sync 0xffffffff;"},
}};

std::string kernel_of(const Experiment& experiment) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
         ".reg .pred %upper, %odd; .reg .u32 %lane, %bit, %a, %r, %q; .reg .u64 %to, %spare, %at;\n"
         "ld.param.u64 %to, [out]; add.u64 %spare, %to, 128; mov.u32 %lane, %tid.x; add.u32 %a, %lane, 256; mov.u32 "
         "%r, %a;\n"
         "setp.ge.u32 %upper, %lane, 16; and.b32 %bit, %lane, 1; setp.ne.u32 %odd, %bit, 0;\n" +
         experiment.ptx + "\nmul.wide.u32 %at, %lane, 4; add.u64 %to, %to, %at; st.global.u32 [%to], %r; ret; }\n";
}

using Handle = void*;

// Runs in a process of its own, because a kernel that does not end can only be left by ending its process.
[[noreturn]] void run(const Experiment& experiment) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  const auto call = [&]<class... A>(const char* function, A... arguments) {
    void* address = library == nullptr ? nullptr : dlsym(library, function);
    const int code = address == nullptr ? -1 : reinterpret_cast<int (*)(A...)>(address)(arguments...);
    if (code == 0) return;
    std::printf("%s fails %s %d\n", experiment.name.c_str(), function, code);
    std::exit(1);
  };
  int device = 0;
  Handle context = nullptr, module = nullptr, kernel = nullptr;
  std::uint64_t out = 0;
  call("cuInit", 0U);
  call("cuDeviceGet", &device, 0);
  call("cuDevicePrimaryCtxRetain", &context, device);
  call("cuCtxSetCurrent", context);
  call("cuMemAlloc_v2", &out, std::size_t{4 * kLanes + 4});
  call("cuModuleLoadData", &module, static_cast<const void*>(kernel_of(experiment).c_str()));
  call("cuModuleGetFunction", &kernel, module, "k");
  void* arguments[] = {&out};
  alarm(kSeconds);
  call("cuLaunchKernel", kernel, 1U, 1U, 1U, kLanes, 1U, 1U, 0U, Handle{}, static_cast<void**>(arguments),
       static_cast<void**>(nullptr));
  call("cuCtxSynchronize");
  alarm(0);
  std::array<std::uint32_t, kLanes> values{};
  call("cuMemcpyDtoH_v2", static_cast<void*>(values.data()), out, sizeof values);
  std::printf("%s ends", experiment.name.c_str());
  for (const std::uint32_t value : values) std::printf(" %x", value);
  std::puts("");
  std::exit(0);
}

}  // namespace

int main() {
  for (const Experiment& experiment : kExperiments) {
    std::printf("%s ptx %s\n", experiment.name.c_str(), experiment.ptx.c_str());
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) run(experiment);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("%s does not end\n", experiment.name.c_str());
    std::fflush(stdout);
  }
}
