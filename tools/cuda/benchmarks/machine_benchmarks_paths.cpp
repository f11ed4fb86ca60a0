// Measured machine code: divergence, jumps, instruction fetch, where warps begin, barriers.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

// Two sides; `e` decides.
std::string sides(const std::string& label, unsigned first, unsigned second) {
  return "@%p bra " + label + "\n" + repeated(kStep, first) + "bra " + label + "j\n" + label + ":\n" +
         repeated(kOther, second) + label + "j:\n";
}

// A side that has sides, `depth` times.
std::string nested(unsigned depth, unsigned length) {
  if (depth == 0) return repeated(kStep, length);
  const std::string k = text(depth);
  return "and.b32 %e" + k + ", %laneid, " + text(1U << depth) + "; setp.ne.u32 %p" + k + ", %e" + k + ", 0; @%p" + k +
         " bra n" + k + "\n" + repeated(kOther, length) + "bra m" + k + "\nn" + k + ":\n" + nested(depth - 1, length) +
         "m" + k + ":\n" + repeated(kStep, 2);
}

void add_divergence(Kernels& kernels) {
  const std::string odd = "and.b32 %e, %laneid, 1; setp.eq.u32 %p, %e, 0";
  for (const unsigned warps : {1U, 4U, 8U, 32U}) {
    struct Lengths {
      unsigned first, second;
    };
    for (const Lengths& l : {Lengths{12, 12}, Lengths{12, 48}, Lengths{48, 12}, Lengths{32, 32}})
      kernels.add(by_warps("path/sides." + text(l.first) + "." + text(l.second), warps), "divergence", warps,
                  {odd, sides("s", l.first, l.second), {"%a"}, 0, ""});
    kernels.add(
        by_warps("path/sides.four.times", warps), "divergence", warps,
        {odd, sides("s", 12, 12) + sides("t", 12, 12) + sides("u", 12, 12) + sides("v", 12, 12), {"%a"}, 0, ""});
    for (const unsigned depth : {1U, 2U, 3U, 4U})
      kernels.add(by_warps("path/nested." + text(depth), warps), "divergence", warps,
                  {"", nested(depth, 12), {"%a"}, 0, ""});
    // Lanes, and warps, that are done before others; with all that a program does.
    KernelText early{
        "", "and.b32 %e, %laneid, 1; setp.eq.u32 %p, %e, 0; @%p bra gone\n" + repeated(kStep, 24), {"%a"}, 0, ""};
    early.whole = true;
    early.region += "st.global.u32 early[%gtid], %a\ngone:\n";
    early.params = "out early: u32[" + text(32 * warps) + "], ";
    kernels.add(by_warps("path/early", warps), "divergence", warps, early);
    KernelText exits = early;
    exits.region = "and.b32 %e, %laneid, 3; setp.eq.u32 %p, %e, 0; @%p exit\n" + repeated(kStep, 24) +
                   "setp.eq.u32 %p, %e, 1; @%p exit\n" + repeated(kStep, 24);
    exits.params = "";
    kernels.add(by_warps("path/exits", warps), "divergence", warps, exits);
  }
}

// Loops and jumps.
void add_jumps(Kernels& kernels) {
  for (const unsigned warps : {1U, 4U, 8U, 32U}) {
    // Trips that differ by lane, in a loop and in a loop of a loop.
    for (const unsigned trips : {2U, 4U, 8U, 32U})
      kernels.add(
          by_warps("path/trips." + text(trips), warps), "divergence", warps,
          {"and.b32 %t1, %laneid, " + text(trips - 1) + "; add.u32 %t1, %t1, 1",
           "mov.u32 %e, %t1\nloop:\n" + repeated(kStep, 4) + "sub.u32 %e, %e, 1; setp.ne.u32 %p, %e, 0; @%p bra loop\n",
           {"%a"},
           0,
           ""});
    kernels.add(by_warps("path/trips.nested", warps), "divergence", warps,
                {"and.b32 %t1, %laneid, 3; add.u32 %t1, %t1, 1",
                 "mov.u32 %e, %t1\nouter:\nmov.u32 %i, %t1\ninner:\n" + repeated(kStep, 2) +
                     "sub.u32 %i, %i, 1; setp.ne.u32 %q, %i, 0; @%q bra inner\n" +
                     "sub.u32 %e, %e, 1; setp.ne.u32 %p, %e, 0; @%p bra outer\n",
                 {"%a"},
                 0,
                 ""});
    // The same trips for all lanes: jumps that are taken.
    for (const unsigned body : {1U, 2U, 4U, 8U, 16U, 32U})
      kernels.add(by_warps("path/loop." + text(body), warps), "divergence", warps,
                  {"add.u32 %t1, %zero, 16",
                   "mov.u32 %e, %t1\nloop:\n" + repeated(kStep, body) +
                       "sub.u32 %e, %e, 1; setp.ne.u32 %p, %e, 0; @%p bra loop\n",
                   {"%a"},
                   0,
                   ""});
    // Jumps over code that nobody executes.
    for (const unsigned over : {8U, 16U, 64U}) {
      std::string jumps;
      for (unsigned k = 0; k < 8; ++k)
        jumps += "@%p bra j" + text(k) + "\n" + repeated(kOther, over) + "j" + text(k) + ":\n" + kStep + "\n";
      kernels.add(by_warps("path/jumps." + text(over), warps), "divergence", warps,
                  {"setp.lt.u32 %p, %zero, %one", jumps, {"%a"}, 0, ""});
    }
  }
}

// Code in a straight line: `passes` 1 is the first touch.
void add_fetch(Kernels& kernels) {
  KernelText kernel;
  kernel.results.clear();
  for (unsigned k = 0; k < 4; ++k) {
    kernel.before += numbered("add.f32 %x#, %f, %w#\n", k);
    kernel.results.push_back("%x" + text(k));
  }
  std::string round;
  for (unsigned k = 0; k < 4; ++k) round += numbered("fma.rn.f32 %x#, %x#, %g, %h\n", k);
  for (const unsigned count : {4U, 8U, 32U, 64U, 128U, 256U, 512U, 1024U, 1536U, 2048U, 4096U, 8192U}) {
    kernel.region = repeated(round, count / 4);
    for (const unsigned warps : {1U, 4U, 8U, 32U}) {
      for (const unsigned passes : {1U, 2U, 4U}) {
        if (passes == 2 && (count > 2048 || warps == 4)) continue;
        kernel.passes = passes;
        kernels.add(by_warps("fetch/" + text(16 * count) + ".pass" + text(passes), warps), "fetch", warps, kernel);
      }
    }
  }
}

// Where the warps of a block begin: they do nothing but store, load before, or wait for each other once.
void add_begins(Kernels& kernels) {
  for (const unsigned warps : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 12U, 16U, 24U, 32U}) {
    KernelText kernel{"", "", {"%a"}, 0, ""};
    kernel.whole = true;
    kernels.add(by_warps("begin/load", warps), "fetch", warps, kernel);
    kernel.region = "bar.sync 0";
    kernels.add(by_warps("begin/barrier", warps), "barriers", warps, kernel);
    kernel.region = "mov.u32 %e, %laneid";
    kernel.results = {"%e"};
    kernels.add(by_warps("begin/nothing", warps), "fetch", warps, kernel);
  }
}

}  // namespace

void add_paths(Kernels& kernels) {
  add_divergence(kernels);
  add_jumps(kernels);
  add_fetch(kernels);
  add_begins(kernels);
}

void add_meetings(Kernels& kernels) {
  const std::string warp = "shr.u32 %e, %tid.x, 5";
  for (const unsigned warps : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 10U, 12U, 16U, 20U, 28U, 32U}) {
    kernels.add(by_warps("meet/work", warps), "barriers", warps,
                {"", repeated("bar.sync 0\n" + repeated(kStep, 12), 3) + "bar.sync 0", {"%a"}, 0, ""});
    // Each warp comes later than the one before it.
    kernels.add(by_warps("meet/stairs", warps), "barriers", warps,
                {warp + "; add.u32 %t1, %e, 1",
                 "mov.u32 %i, %t1\nloop:\n" + repeated(kStep, 2) +
                     "sub.u32 %i, %i, 1; setp.ne.u32 %p, %i, 0; @%p bra loop\nbar.sync 0; bar.sync 0",
                 {"%a"},
                 0,
                 ""});
    kernels.add(by_warps("meet/load", warps), "barriers", warps,
                {"st.shared.u32 [%own], %own; bar.sync 0; mov.u32 %e, %own",
                 repeated("ld.shared.u32 %e, [%e]; bar.sync 0", 6),
                 {"%e"},
                 0,
                 ""});
    kernels.add(by_warps("meet/store", warps), "barriers", warps,
                {"", repeated("st.shared.u32 [%own], %a; bar.sync 0", 6), {"%a"}, 0, ""});
    kernels.add(by_warps("meet/red.popc", warps), "barriers", warps,
                {"", repeated("setp.ne.u32 %p, %a, %b; bar.red.popc.u32 %a, 0, %p", 4), {"%a"}, 0, ""});
    kernels.add(by_warps("meet/red.or", warps), "barriers", warps,
                {"",
                 repeated("setp.lt.u32 %p, %a, %b; bar.red.or.pred %q, 0, %p; @%q mad.lo.u32 %a, %a, %b, %c", 4),
                 {"%a"},
                 0,
                 ""});
    if (warps % 2 == 0)  // two halves, each by itself
      kernels.add(by_warps("meet/halves", warps), "barriers", warps,
                  {warp + "; and.b32 %e, %e, 1; setp.eq.u32 %p, %e, 0",
                   "@%p bra even\n" + repeated("bar.sync 1, " + text(16 * warps) + "\n" + repeated(kStep, 4), 4) +
                       "bra join\neven:\n" +
                       repeated("bar.sync 2, " + text(16 * warps) + "\n" + repeated(kOther, 8), 4) + "join:\n",
                   {"%a"},
                   0,
                   ""});
  }
}

}  // namespace warpsim
