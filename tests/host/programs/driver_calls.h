// What driver_calls.cu and driver_more_calls.cu share: how they print, and the PTX that they load.
//
// Shapes: each part of such a program runs in a process of its own, so that a fault in one leaves the others alone.
#pragma once

#include <cuda.h>
#include <cudaProfiler.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define SAY(call) say(#call, call)
#define YES(condition) std::printf("%s: %s\n", #condition, (condition) ? "yes" : "no")

static const char* name(CUresult error) {
  const char* text = nullptr;
  return cuGetErrorName(error, &text) == CUDA_SUCCESS ? text : "?";
}
static CUresult say(const char* call, CUresult error) {
  std::printf("%s = %s\n", call, name(error));
  return error;
}

static const char kAdd[] = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 counter = 5;
.global .align 4 .b8 table[400];
.const .align 4 .f32 factors[4];
.visible .entry add(.param .u64 to, .param .u32 value) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r2, %r2, %r3, %r4;
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r5, [%rd2];
  add.u32 %r5, %r5, %r1;
  st.global.u32 [%rd2], %r5;
  ret;
}
.visible .entry mixed(.param .u8 a, .param .u64 to, .param .u16 b, .param .align 8 .b8 c[24]) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [to];
  cvta.to.global.u64 %rd1, %rd1;
  ld.param.u8 %r1, [a];
  ld.param.u16 %r2, [b];
  ld.param.u32 %r3, [c+16];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry count() {
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  mov.u64 %rd1, counter;
  atom.global.add.u32 %r1, [%rd1], 1;
  ret;
}
.visible .entry sharing(.param .u64 to) {
  .shared .align 4 .b8 tile[4096];
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [to];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, 7;
  st.shared.u32 [tile], %r1;
  ld.shared.u32 %r2, [tile];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
// An operand that nothing declares, in line 6.
static const char kBad[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry bad() {\n  .reg .b32 %r<3>;\n"
    "  add.u32 %r1, %nothing, 1;\n  ret;\n}\n";
static const char kLater[] = ".version 8.0\n.target sm_120\n.address_size 64\n.visible .entry later() { ret; }\n";
static const char kCaller[] = R"(.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 x);
.extern .global .align 4 .u32 offset;
.visible .entry calls(.param .u64 to) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [to];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, 21;
  {
    .param .b32 in;
    .param .b32 out;
    st.param.b32 [in], %r1;
    call.uni (out), twice, (in);
    ld.param.b32 %r2, [out];
  }
  ld.global.u32 %r3, [offset];
  add.u32 %r2, %r2, %r3;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
static const char kCallee[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 offset = 100;
.visible .func (.param .b32 result) twice(.param .b32 x) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  add.u32 %r1, %r1, %r1;
  st.param.b32 [result], %r1;
  ret;
}
)";

static CUdevice device;
static CUcontext primary;
static CUmodule module_;
static CUfunction add;

// What most parts begin with.
static void begin() {
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&primary, device);
  cuCtxSetCurrent(primary);
  cuModuleLoadData(&module_, kAdd);
  cuModuleGetFunction(&add, module_, "add");
}
static int first(CUdeviceptr at) {
  int value = -1;
  cuMemcpyDtoH(&value, at, sizeof value);
  return value;
}

// Each part by its name, in a child; `argv[1]` asks for one alone.
struct Part {
  const char* name;
  void (*run)();
};
template <int N>
int run_parts(const Part (&parts)[N], int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (const Part& part : parts) {
    if (argc > 1 && std::strcmp(argv[1], part.name) != 0) continue;
    std::printf("# %s\n", part.name);
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
      part.run();
      std::fflush(stdout);
      std::exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("ended by signal %d\n", WTERMSIG(status));
  }
  return 0;
}
