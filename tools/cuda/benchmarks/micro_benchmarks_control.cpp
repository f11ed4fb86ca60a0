// Measured kernels: barriers, branches, lanes that diverge and converge, loops.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

std::string with_warps(const std::string& name, unsigned warps) {
  return name + (warps == 1 ? "" : ".w" + std::to_string(warps));
}

void add_barriers(Kernels& kernels) {
  for (const unsigned warps : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U}) {
    const KernelSet set = warps == 1 || warps == 4 || warps == 8 || warps == 16 || warps == 32 ? kFit : kTest;
    kernels.add(with_warps("bar/sync", warps), "barriers", set, warps, {"", repeated("bar.sync 0", 8), {"%a"}, 0, ""});
  }
  for (const unsigned warps : {1U, 4U, 8U, 16U, 32U})
    kernels.add(with_warps("bar/work", warps), "barriers", warps == 8 || warps == 32 ? kFit : kTest, warps,
                {"", repeated("bar.sync 0\n" + repeated(kStep, 6), 4) + "bar.sync 0", {"%a"}, 0, ""});
  for (const unsigned warps : {2U, 8U, 32U})
    kernels.add(with_warps("bar/late", warps), "barriers", warps == 8 ? kFit : kTest, warps,
                {"shr.u32 %e, %tid.x, 5",
                 "setp.ne.u32 %p, %e, 0; @%p bra early\n" + repeated(kStep, 16) + "early: bar.sync 0; bar.sync 0",
                 {"%a"},
                 0,
                 ""});
  for (const unsigned warps : {1U, 8U})
    kernels.add(with_warps("bar/red.popc", warps), "barriers", warps == 1 ? kFit : kTest, warps,
                {"", repeated("setp.ne.u32 %p, %a, %b; bar.red.popc.u32 %a, 0, %p", 4), {"%a"}, 0, ""});
  kernels.add("bar/warp", "barriers", kFit, 1,
              {"", repeated(std::string(kStep) + "; bar.warp.sync", 8), {"%a"}, 0, ""});
}

std::string if_else(unsigned first, unsigned second) {
  return "setp.eq.u32 %p, %e, 0; @%p bra even\n" + repeated(kStep, first) + "bra join\neven:\n" +
         repeated(kOther, second) + "join:\n";
}

// One path for each residue of the lane's number.
std::string ways(unsigned count, unsigned length) {
  std::string text;
  for (unsigned k = 0; k + 1 < count; ++k) {
    text += numbered("setp.ne.u32 %p, %e, #; @%p bra way#\n", k) + repeated(kStep, length);
    text += "add.u32 %a, %a, " + std::to_string(7 * k + 3) + "; bra join\n" + numbered("way#:\n", k);
  }
  return text + repeated(kStep, length) + "join:\n";
}

void add_branches(Kernels& kernels) {
  const auto residue = [](unsigned count) { return "and.b32 %e, %laneid, " + std::to_string(count - 1); };
  const std::string lane = "mov.u32 %l, %laneid", odd = residue(2);
  struct Sides {
    unsigned first, second, warps;
    KernelSet set;
  };
  for (const Sides& s : {Sides{16, 16, 1, kFit}, Sides{8, 24, 1, kTest}, Sides{32, 8, 1, kFit}, Sides{16, 16, 4, kTest},
                         Sides{16, 16, 8, kFit}, Sides{16, 16, 32, kTest}})
    kernels.add(with_warps("branch/if.else." + std::to_string(s.first) + "." + std::to_string(s.second), s.warps),
                "divergence", s.set, s.warps, {odd, if_else(s.first, s.second), {"%a"}, 0, ""});
  for (const unsigned length : {12U, 16U, 32U})
    kernels.add("branch/if." + std::to_string(length), "divergence", length == 16 ? kTest : kFit, 1,
                {odd, "setp.eq.u32 %p, %e, 0; @%p bra join\n" + repeated(kStep, length) + "join:\n", {"%a"}, 0, ""});
  // All lanes take the same path, which is not known before the run.
  kernels.add("branch/if.none", "divergence", kFit, 1,
              {lane, "setp.ge.u32 %p, %l, %zero; @%p bra join\n" + repeated(kStep, 16) + "join:\n", {"%a"}, 0, ""});
  kernels.add("branch/if.all", "divergence", kFit, 1,
              {lane, "setp.lt.u32 %p, %l, %zero; @%p bra join\n" + repeated(kStep, 16) + "join:\n", {"%a"}, 0, ""});
  kernels.add("branch/if.else.all", "divergence", kTest, 1,
              {lane,
               "setp.lt.u32 %p, %l, %zero; @%p bra even\n" + repeated(kStep, 16) + "bra join\neven:\n" +
                   repeated(kOther, 16) + "join:\n",
               {"%a"},
               0,
               ""});
  for (const unsigned count : {2U, 4U, 8U, 16U, 32U})
    for (const unsigned length : {8U, 16U})
      kernels.add("branch/ways." + std::to_string(count) + "." + std::to_string(length), "divergence",
                  (count == 4 || count == 16) == (length == 8) ? kTest : kFit, 1,
                  {residue(count), ways(count, length), {"%a"}, 0, ""});
  kernels.add("branch/ways.4.8.w8", "divergence", kTest, 8, {residue(4), ways(4, 8), {"%a"}, 0, ""});
}

void add_loops(Kernels& kernels) {
  const std::string step = std::string("sub.u32 %e, %e, 1; ") + kStep + "; setp.ne.u32 %p, %e, 0; @%p bra loop\n";
  for (const unsigned trips : {4U, 8U, 16U, 32U})
    kernels.add("loop/uniform." + std::to_string(trips), "divergence", trips == 8 || trips == 32 ? kFit : kTest, 1,
                {"", "mov.u32 %e, " + std::to_string(trips) + "\nloop:\n" + step, {"%a"}, 0, ""});
  kernels.add("loop/uniform.16.w8", "divergence", kTest, 8, {"", "mov.u32 %e, 16\nloop:\n" + step, {"%a"}, 0, ""});
  // Lanes leave one after another.
  struct Trips {
    const char* name;
    const char* count;
    KernelSet set;
  };
  for (const Trips& t : {Trips{"lanes", "add.u32 %t1, %laneid, 1", kFit},
                         Trips{"four", "and.b32 %t1, %laneid, 3; add.u32 %t1, %t1, 1", kTest},
                         Trips{"two", "and.b32 %t1, %laneid, 1; mul.lo.u32 %t1, %t1, 8; add.u32 %t1, %t1, 4", kTest}})
    kernels.add("loop/divergent." + std::string(t.name), "divergence", t.set, 1,
                {t.count, "mov.u32 %e, %t1\nloop:\n" + step, {"%a"}, 0, ""});
}

}  // namespace

void add_control(Kernels& kernels) {
  add_barriers(kernels);
  add_branches(kernels);
  add_loops(kernels);
}

}  // namespace warpsim
