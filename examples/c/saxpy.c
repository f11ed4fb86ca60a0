/* A kernel of PTX, run by a C program on a machine without a GPU: y = a x + y. */
#include <stdio.h>
#include <stdlib.h>
#include <warpsim.h>

static const char* const kText =
    ".version 8.0\n"
    ".target sm_90\n"
    ".address_size 64\n"
    ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)\n"
    "{\n"
    "  .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<6>;\n"
    "  ld.param.u32 %r1, [n]; ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.u32 %p, %r5, %r1;\n"
    "  @%p bra end;\n"
    "  mul.wide.u32 %rd3, %r5, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;\n"
    "  ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5];\n"
    "  fma.rn.f32 %f4, %f1, %f2, %f3; st.global.f32 [%rd5], %f4;\n"
    "end: ret;\n"
    "}\n";

static void check(const warpsim_device* device, warpsim_status status) {
  char text[4096];
  if (status == WARPSIM_OK) return;
  warpsim_error(device, text, sizeof(text));
  fprintf(stderr, "%s: %s\n", warpsim_status_name(status), text);
  exit(1);
}

static void on_finding(void* user, const warpsim_finding* finding) {
  (void)user;
  fputs(finding->text, stderr);
}

int main(void) {
  uint32_t n = 4;
  float a = 2, x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 1, 1};
  uint64_t on_device_x = 0, on_device_y = 0;
  const warpsim_ptx ptx = {kText, 0, "saxpy.ptx"};
  const warpsim_shape shape = WARPSIM_SHAPE(1, 32);
  warpsim_device* device = NULL;
  warpsim_module* module = NULL;
  warpsim_kernel* saxpy = NULL;

  if (warpsim_create(NULL, &device) != WARPSIM_OK) return 1;
  warpsim_on_finding(device, on_finding, NULL);
  check(device, warpsim_load(device, &ptx, 1, &module));
  check(device, warpsim_find_kernel(module, "saxpy", &saxpy));
  printf("%s takes %zu parameters\n", warpsim_kernel_name(saxpy), warpsim_parameter_count(saxpy));

  check(device, warpsim_allocate(device, sizeof(x), "x", &on_device_x));
  check(device, warpsim_allocate(device, sizeof(y), "y", &on_device_y));
  check(device, warpsim_write(device, on_device_x, x, sizeof(x)));
  check(device, warpsim_write(device, on_device_y, y, sizeof(y)));
  {
    const void* parameters[4];
    parameters[0] = &n;
    parameters[1] = &a;
    parameters[2] = &on_device_x;
    parameters[3] = &on_device_y;
    check(device, warpsim_launch(saxpy, &shape, parameters));
  }
  check(device, warpsim_read(device, y, on_device_y, sizeof(y)));
  printf("%.1f %.1f %.1f %.1f\n", y[0], y[1], y[2], y[3]);
  warpsim_destroy(device);
  return 0;
}
