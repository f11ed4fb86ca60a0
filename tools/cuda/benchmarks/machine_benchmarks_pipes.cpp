// Measured machine code: arithmetic and exchanges of 1 to 32 warps, and two pipes at once.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

constexpr unsigned kPipeWarps[] = {1, 2, 3, 4, 5, 8, 12, 16, 32};

// What stream `#` of a pipe starts from, does again and again, and leaves in a word %x#.
struct Pipe {
  const char* name;
  const char* start;
  const char* step;
  const char* result = "";
};
constexpr Pipe kPipes[] = {
    {"ffma", "add.f32 %x#, %f, %w#", "fma.rn.f32 %x#, %x#, %g, %h"},
    {"alu", "add.u32 %x#, %a, #", "xor.b32 %x#, %x#, %b; add.u32 %x#, %x#, %c"},
    {"imad", "add.u32 %x#, %a, #", "mad.lo.u32 %x#, %x#, %b, %c"},
    {"hfma2", "add.u32 %x#, %a, #", "fma.rn.f16x2 %x#, %x#, %b, %c"},
    {"dadd", "cvt.f64.f32 %y#, %w#", "add.f64 %y#, %y#, %u", "mov.b64 {%x#, %z#}, %y#; xor.b32 %x#, %x#, %z#"},
    {"dfma", "cvt.f64.f32 %y#, %w#", "fma.rn.f64 %y#, %y#, %u, %v", "mov.b64 {%x#, %z#}, %y#; xor.b32 %x#, %x#, %z#"},
    {"mufu", "add.f32 %x#, %f, %w#", "ex2.approx.ftz.f32 %x#, %x#"},
    {"popc", "add.u32 %x#, %a, #", "popc.b32 %x#, %x#"},
    {"shf", "add.u32 %x#, %a, #", "shf.l.wrap.b32 %x#, %x#, %b, %c"},
    {"shfl", "add.u32 %x#, %a, #", "shfl.bfly.b32 %x#, %x#, 1"},
    {"lds", "add.u32 %x#, %own, 0", "ld.shared.u32 %x#, [%x#]"},
    {"wide", "cvt.u64.u32 %y#, %a", "mad.wide.u32 %y#, %b, %c, %y#", "mov.b64 {%x#, %z#}, %y#; xor.b32 %x#, %x#, %z#"},
};
constexpr const char* kOwn = "st.shared.u32 [%own], %own; bar.sync 0\n";  // a word that leads to itself

const Pipe& pipe(const std::string& name) {
  for (const Pipe& one : kPipes)
    if (name == one.name) return one;
  return kPipes[0];
}

// A round of `streams` streams from number `from` on.
std::string round_of(const Pipe& one, unsigned streams, unsigned from) {
  std::string text;
  const std::string steps = one.step;
  for (std::size_t at = 0; at < steps.size();) {
    const std::size_t end = std::min(steps.find(';', at), steps.size());
    for (unsigned k = from; k < from + streams; ++k) text += numbered(steps.substr(at, end - at), k) + "\n";
    at = end + 1;
  }
  return text;
}

void set_up(KernelText& kernel, const Pipe& one, unsigned streams, unsigned from) {
  for (unsigned k = from; k < from + streams; ++k) {
    kernel.before += numbered(one.start, k) + "\n";
    kernel.after += numbered(one.result, k) + "\n";
    kernel.results.push_back("%x" + std::to_string(k));
  }
}

void add_pipe(Kernels& kernels, const Pipe& one, unsigned streams, unsigned warps) {
  KernelText kernel;
  kernel.results.clear();
  if (one.name == std::string("lds")) kernel.before = kOwn;
  set_up(kernel, one, streams, 0);
  kernel.region = repeated(round_of(one, streams, 0), 32 / streams);
  kernels.add("warps/" + std::string(one.name) + ".ilp" + std::to_string(streams) + ".w" + std::to_string(warps),
              "throughput", warps, kernel);
}

// `first` : `second` instructions of two pipes, which take turns.
void add_mixture(Kernels& kernels, const std::string& first, unsigned firsts, const std::string& second,
                 unsigned seconds, unsigned warps) {
  KernelText kernel;
  kernel.results.clear();
  if (first == "lds" || second == "lds") kernel.before = kOwn;
  set_up(kernel, pipe(first), firsts, 0);
  set_up(kernel, pipe(second), seconds, firsts);
  kernel.region =
      repeated(round_of(pipe(first), firsts, 0) + round_of(pipe(second), seconds, firsts), 48 / (firsts + seconds));
  kernels.add(
      "mixed/" + first + std::to_string(firsts) + "." + second + std::to_string(seconds) + ".w" + std::to_string(warps),
      "throughput", warps, kernel);
}

// Instructions that do not wait for each other, and then for all of them. What stands before is there for each of them
// too, where it has a `#`: ptxas makes one of two that are equal.
struct Burst {
  const char* name;
  const char* cls;
  const char* before;
  const char* step;
};
constexpr Burst kBursts[] = {
    {"shfl", "shuffles", "", "shfl.bfly.b32 %y#, %a, #"},
    {"shfl.lane", "shuffles", "", "add.u32 %x#, %a, #; shfl.bfly.b32 %y#, %x#, %b"},
    {"shfl.both", "shuffles", "", "add.u32 %x#, %a, #; shfl.bfly.b32 %y#, %x#, %b, %c"},
    {"vote", "shuffles", "add.u32 %x#, %a, #", "setp.lt.u32 %p#, %x#, %b; vote.ballot.b32 %y#, %p#"},
    {"redux", "shuffles", "add.u32 %x#, %a, #", "redux.add.s32 %y#, %x#"},
    {"match", "shuffles", "add.u32 %y#, %a, #; and.b32 %y#, %y#, 3", "match.any.b32 %y#, %y#"},
    {"lds", "shared", kOwn, "ld.volatile.shared.u32 %y#, [%own]"},
    {"sts", "shared", kOwn, "st.volatile.shared.u32 [%own], %b; mov.u32 %y#, %b"},
    {"atoms", "shared", kOwn, "atom.shared.add.u32 %y#, [%own], %b"},
    {"atoms.cas", "shared", kOwn, "atom.shared.cas.b32 %y#, [%own], %a, %b"},
    {"reds", "shared", kOwn, "red.shared.add.u32 [%own], %b; mov.u32 %y#, %b"},
    {"ex2", "throughput", "", "ex2.approx.ftz.f32 %y#, %f; add.f32 %f, %f, %g"},
};

void add_burst(Kernels& kernels, const Burst& one, unsigned count, unsigned warps) {
  std::string before = one.before, region, all;
  const bool for_each = before.find('#') != std::string::npos;
  if (for_each) before.clear();
  for (unsigned k = 0; k < count; ++k) {
    if (for_each) before += numbered(one.before, k) + "\n";
    region += numbered(one.step, k) + "\n";
    all += numbered(k == 0 ? "mov.u32 %z, %y0" : "mad.lo.u32 %z, %z, %d, %y#", k) + "\n";
  }
  kernels.add("burst/" + std::string(one.name) + "." + std::to_string(count) + ".w" + std::to_string(warps), one.cls,
              warps, {before, region + all, {"%z"}, 0, ""});
}

// Instructions that few lanes of a warp execute, or none: a guard that is false, and known in the run alone.
void add_guarded(Kernels& kernels, unsigned lanes, unsigned warps) {
  const std::string guard = "add.u32 %e, %zero, " + text(lanes) + "; setp.lt.u32 %p, %laneid, %e\n";
  for (const Burst& one : {Burst{"lds", "shared", "", "@%p ld.volatile.shared.u32 %y#, [%own]"},
                           Burst{"sts", "shared", "", "@%p st.volatile.shared.u32 [%own], %b"},
                           Burst{"atoms", "shared", "", "@%p atom.shared.add.u32 %y#, [%own], %b"},
                           Burst{"imad", "throughput", "", "@%p mad.lo.u32 %y#, %y#, %b, %c"},
                           Burst{"ex2", "throughput", "", "@%p ex2.approx.ftz.f32 %y#, %y#"},
                           Burst{"dfma", "throughput", "", "@%p fma.rn.f64 %u, %u, %v, %v"}}) {
    std::string before = kOwn + guard, region, all;
    for (unsigned k = 0; k < 8; ++k) {
      before += numbered("add.u32 %y#, %a, #\n", k);
      region += numbered(one.step, k) + "\n";
      all += numbered(k == 0 ? "mov.u32 %z, %y0" : "mad.lo.u32 %z, %z, %d, %y#", k) + "\n";
    }
    const bool doubles = one.name == std::string("dfma");
    kernels.add(by_warps("guarded/" + std::string(one.name) + "." + text(lanes), warps), one.cls, warps,
                {before, region + all, {"%z", doubles ? "%u" : "%own"}, 0, ""});
  }
}

}  // namespace

void add_pipes(Kernels& kernels) {
  for (const Pipe& one : kPipes)
    for (const unsigned warps : kPipeWarps)
      for (const unsigned streams : {1U, 2U, 4U}) add_pipe(kernels, one, streams, warps);
  struct Mixture {
    const char* first;
    unsigned firsts;
    const char* second;
    unsigned seconds;
  };
  for (const Mixture& m : {Mixture{"ffma", 2, "alu", 2}, Mixture{"ffma", 3, "mufu", 1}, Mixture{"imad", 2, "ffma", 2},
                           Mixture{"imad", 2, "alu", 2}, Mixture{"shfl", 2, "ffma", 2}, Mixture{"lds", 2, "ffma", 2},
                           Mixture{"lds", 2, "shfl", 2}, Mixture{"mufu", 2, "popc", 2}, Mixture{"hfma2", 2, "ffma", 2},
                           Mixture{"dfma", 1, "ffma", 3}, Mixture{"dfma", 2, "shfl", 2}, Mixture{"alu", 3, "shfl", 1},
                           Mixture{"shf", 2, "alu", 2}, Mixture{"wide", 2, "alu", 2}})
    for (const unsigned warps : {1U, 4U, 8U, 16U, 32U})
      add_mixture(kernels, m.first, m.firsts, m.second, m.seconds, warps);
  for (const unsigned lanes : {0U, 1U, 8U, 16U})
    for (const unsigned warps : {1U, 4U, 8U, 16U}) add_guarded(kernels, lanes, warps);
  for (const Burst& one : kBursts)
    for (const unsigned warps : kPipeWarps)
      for (const unsigned count : {4U, 16U}) add_burst(kernels, one, count, warps);
}

}  // namespace warpsim
