// Measured kernels: the sources' algorithms in straight lines, with shuffles and their twins through shared memory.
// All belong to the test set.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

constexpr unsigned kWarps[] = {1, 2, 4, 8, 16, 32};
constexpr unsigned kOffsets[] = {16, 8, 4, 2, 1};

void add_all(Kernels& kernels, const std::string& name, const KernelText& kernel) {
  for (const unsigned warps : kWarps)
    kernels.add("algorithm/" + name + ".w" + text(warps), "algorithms", kTest, warps, kernel);
}

// The addresses of the words that a twin reads: %at16 …, of the lanes across.
std::string partner_addresses() {
  std::string out;
  for (const unsigned distance : kOffsets)
    out += "xor.b32 %at" + text(distance) + ", %own, " + text(4 * distance) + "\n";
  return out;
}
// %o = %a of the lane `distance` across, through shared memory.
std::string through_shared(unsigned distance) {
  return "st.shared.u32 [%own], %a; bar.sync 0; ld.shared.u32 %o, [%at" + text(distance) + "]\n";
}

void add_butterflies(Kernels& kernels) {
  struct Combine {
    const char* name;
    const char* step;
  };
  for (const Combine& c : {Combine{"max", "max.u32 %a, %a, %o\n"}, Combine{"add", "add.u32 %a, %a, %o\n"},
                           Combine{"add.f32", "add.f32 %a, %a, %o\n"}}) {
    KernelText shuffles, twin;
    twin.before = partner_addresses();
    for (const unsigned distance : kOffsets) {
      shuffles.region += "shfl.bfly.b32 %o, %a, " + text(distance) + "\n" + c.step;
      twin.region += through_shared(distance) + c.step + "bar.sync 0\n";
    }
    add_all(kernels, std::string("butterfly.") + c.name, shuffles);
    if (std::string(c.name) == "max") add_all(kernels, "butterfly.max.twin", twin);
  }
}

void add_scans(Kernels& kernels) {
  KernelText shuffles, twin;
  for (const unsigned distance : {1U, 2U, 4U, 8U, 16U}) {
    shuffles.region += "shfl.up.b32 %o|%p, %a, " + text(distance) + "; @%p add.u32 %a, %a, %o\n";
    // A lane without a neighbour so far below reads its own word, and does not add it.
    twin.before += numbered(
        "setp.ge.u32 %q#, %laneid, #; selp.b32 %e, " + text(4 * distance) + ", 0, %q#; sub.u32 %at#, %own, %e\n",
        distance);
    twin.region += "st.shared.u32 [%own], %a; bar.sync 0\n";
    twin.region += numbered("ld.shared.u32 %o, [%at#]; @%q# add.u32 %a, %a, %o; bar.sync 0\n", distance);
  }
  add_all(kernels, "scan", shuffles);
  add_all(kernels, "scan.twin", twin);
}

// Of 32: whether a lane keeps the larger value of a step is a word that it has from before.
void add_sorts(Kernels& kernels) {
  KernelText shuffles, twin;
  twin.before = partner_addresses();
  unsigned step = 0;
  std::string value = "%a";
  for (unsigned size = 2; size <= 32; size *= 2) {
    for (unsigned distance = size / 2; distance != 0; distance /= 2, ++step) {
      const std::string keeps = "%k" + text(step), next = "%v" + text(step), of = "and.b32 %e, %laneid, ";
      const std::string before = of + text(distance) + "; setp.ne.u32 %p, %e, 0; " + of + text(size) +
                                 "; setp.ne.u32 %q, %e, 0; xor.pred %p, %p, %q; selp.b32 " + keeps + ", 1, 0, %p\n";
      const std::string both = next + ", " + value + ", %o";
      const std::string decide = "setp.ne.u32 %p, " + keeps + ", 0\n";
      const std::string choose = "min.u32 " + both + "; @%p max.u32 " + both + "\n";
      const std::string exchange = "shfl.bfly.b32 %o, " + value + ", " + text(distance) + "\n";
      const std::string store = "st.shared.u32 [%own], " + value + "; bar.sync 0\n";
      const std::string load = "ld.shared.u32 %o, [%at" + text(distance) + "]\n";
      shuffles.before += before;
      twin.before += before;
      shuffles.region += (step == 0 ? exchange + decide : decide + exchange) + choose;
      twin.region += (step == 0 ? store + decide : decide + store) + load + choose + "bar.sync 0\n";
      value = next;
    }
  }
  shuffles.results = twin.results = {value};
  add_all(kernels, "bitonic", shuffles);
  add_all(kernels, "bitonic.twin", twin);
}

// Of size lanes with size registers each.
void add_transposes(Kernels& kernels) {
  for (const unsigned size : {4U, 8U}) {
    KernelText shuffles, twin;
    shuffles.results.clear();
    std::string fill, in, out, used;
    for (unsigned k = 0; k < size; ++k) {
      fill += numbered("add.u32 %x#, %a, #\n", k);
      shuffles.results.push_back("%x" + text(k));
      in += numbered("st.shared.u32 [%row + " + text(4 * k) + "], %x#\n", k);
      out += numbered("ld.shared.u32 %x#, [%column + " + text(4 * size * k) + "]\n", k);
      used += numbered("xor.b32 %x#, %x#, %zero\n", k);
    }
    shuffles.before = fill;
    for (unsigned distance = 1; distance < size; distance *= 2) {
      const std::string p = "%p" + text(distance);
      shuffles.before += "and.b32 %e, %laneid, " + text(distance) + "; setp.ne.u32 " + p + ", %e, 0\n";
      std::string send, swap, keep;
      for (unsigned k = 0; k < size; ++k) {
        if ((k & distance) != 0) continue;
        const std::string low = "%x" + text(k), high = "%x" + text(k + distance), t = "%y" + text(k);
        send += "selp.b32 " + t + ", " + low + ", " + high + ", " + p + "\n";
        swap += "shfl.bfly.b32 " + t + ", " + t + ", " + text(distance) + "\n";
        keep += "selp.b32 " + low + ", " + t + ", " + low + ", " + p + "\n";
        keep += "selp.b32 " + high + ", " + high + ", " + t + ", " + p + "\n";
      }
      shuffles.region += send + swap + keep;
    }
    add_all(kernels, "transpose." + text(size), shuffles);
    // Each group of lanes has a square of its own.
    twin.results = shuffles.results;
    const std::string bytes = text(4 * size * size), mask = text(size - 1);
    twin.before = fill + "mul.lo.u32 %row, %tid.x, " + text(4 * size) + "; div.u32 %column, %tid.x, " + text(size) +
                  "; mul.lo.u32 %column, %column, " + bytes + "; and.b32 %e, %tid.x, " + mask +
                  "; shl.b32 %e, %e, 2; add.u32 %column, %column, %e\n";
    twin.region = in + "bar.sync 0\n" + out + used;
    for (const unsigned warps : kWarps) {
      twin.shared_words = 32 * warps * size;
      kernels.add("algorithm/transpose." + text(size) + ".twin.w" + text(warps), "algorithms", kTest, warps, twin);
    }
  }
}

// Of 32 complex numbers, one a lane; sign and factor of a lane's step are floats that it has loaded.
void add_transforms(Kernels& kernels) {
  KernelText shuffles;
  shuffles.results = {"%f", "%g"};
  unsigned step = 0;
  for (const unsigned distance : kOffsets) {
    const std::string d = text(distance), sign = "%w" + text(3 * step), re = "%w" + text(3 * step + 1),
                      im = "%w" + text(3 * step + 2);
    shuffles.region += "shfl.bfly.b32 %or, %f, " + d + "; shfl.bfly.b32 %oi, %g, " + d + "\n";
    shuffles.region += "fma.rn.f32 %xr, %f, " + sign + ", %or; fma.rn.f32 %xi, %g, " + sign + ", %oi\n";
    shuffles.region += "mul.f32 %yr, %xi, " + im + "; mul.f32 %yi, %xr, " + im + "\n";
    shuffles.region += "fma.rn.f32 %f, %xr, " + re + ", %yr; fma.rn.f32 %g, %xi, " + re + ", %yi\n";
    ++step;
  }
  add_all(kernels, "fft", shuffles);
  KernelText twin = shuffles;
  twin.before = partner_addresses();
  twin.region.clear();
  // ptxas moves a barrier that arithmetic stands before: this is where it puts them.
  constexpr unsigned kBarrierBehind[] = {5, 5, 5, 5, 6};
  step = 0;
  for (const unsigned distance : kOffsets) {
    const std::string d = text(distance), sign = "%w" + text(3 * step), re = "%w" + text(3 * step + 1),
                      im = "%w" + text(3 * step + 2);
    twin.region += "st.shared.f32 [%own], %f; st.shared.f32 [%own + 4096], %g; bar.sync 0\n";
    twin.region += "ld.shared.f32 %or, [%at" + d + "]; ld.shared.f32 %oi, [%at" + d + " + 4096]\n";
    const std::string arithmetic[] = {
        "fma.rn.f32 %xr, %f, " + sign + ", %or\n", "fma.rn.f32 %xi, %g, " + sign + ", %oi\n",
        "mul.f32 %yr, %xi, " + im + "\n",          "mul.f32 %yi, %xr, " + im + "\n",
        "fma.rn.f32 %f, %xr, " + re + ", %yr\n",   "fma.rn.f32 %g, %xi, " + re + ", %yi\n"};
    for (unsigned k = 0; k < 6; ++k)
      twin.region += arithmetic[k] + (k + 1 == kBarrierBehind[step] ? "bar.sync 0\n" : "");
    ++step;
  }
  twin.shared_words = 1024;
  add_all(kernels, "fft.twin", twin);
}

}  // namespace

void add_algorithms(Kernels& kernels) {
  add_butterflies(kernels);
  add_scans(kernels);
  add_sorts(kernels);
  add_transposes(kernels);
  add_transforms(kernels);
}

}  // namespace warpsim
