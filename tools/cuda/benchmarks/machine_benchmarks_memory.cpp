// Measured machine code: bank conflicts of loads, stores and atomics; global memory from L1, L2 and DRAM.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

// All of %y0 … %y(count - 1) in %z.
std::string all_of(unsigned count) {
  std::string out = "mov.u32 %z, %y0\n";
  for (unsigned k = 1; k < count; ++k) out += numbered("mad.lo.u32 %z, %z, %d, %y#\n", k);
  return out;
}

// ---- shared memory

// Words of a warp lie so that `ways` of them share a bank; a warp has 1024 words, which all warps share.
void add_banks(Kernels& kernels, unsigned ways, unsigned warps) {
  const std::string name = "banks/#." + text(ways);
  const std::string at = "mul.lo.u32 %e, %laneid, " + text(ways) +
                         "; and.b32 %e, %e, 1023; shl.b32 %e, %e, 2; st.shared.u32 [%e], %e; bar.sync 0\n";
  std::string loads, stores, atomics, reds;
  for (unsigned k = 0; k < 6; ++k) {
    loads += numbered("ld.volatile.shared.u32 %y#, [%e]\n", k);
    stores += "st.volatile.shared.u32 [%e], %a\n";
    atomics += numbered("atom.shared.add.u32 %y#, [%e], %one\n", k);
    reds += "red.shared.add.u32 [%e], %one\n";
  }
  const auto add = [&](const char* what, const std::string& region, const char* result) {
    std::string full = name;
    full.replace(full.find('#'), 1, what);
    kernels.add(by_warps(full, warps), "shared", warps, {at, region, {result}, 1024, ""});
  };
  add("chase", repeated("ld.shared.u32 %e, [%e]", 8), "%e");
  add("loads", loads + all_of(6), "%z");
  add("stores", stores + "ld.volatile.shared.u32 %y0, [%e]; xor.b32 %z, %y0, %b\n", "%b");
  add("atomics", atomics, "%b");
  add("reds", reds + "ld.volatile.shared.u32 %y0, [%e]; xor.b32 %z, %y0, %b\n", "%b");
}

// `ways` lanes of a warp at one word.
void add_same_word(Kernels& kernels, unsigned ways, unsigned warps) {
  const std::string at =
      "div.u32 %e, %laneid, " + text(ways) + "; shl.b32 %e, %e, 2; st.shared.u32 [%e], %zero; bar.sync 0\n";
  kernels.add(by_warps("banks/same.atomics." + text(ways), warps), "shared", warps,
              {at, repeated("atom.shared.add.u32 %y0, [%e], %one", 4), {"%b"}, 32, ""});
  kernels.add(by_warps("banks/same.loads." + text(ways), warps), "shared", warps,
              {at, repeated("ld.shared.u32 %y0, [%e]; add.u32 %e, %e, %y0", 8), {"%e"}, 32, ""});
  kernels.add(by_warps("banks/same.exch." + text(ways), warps), "shared", warps,
              {at, repeated("atom.shared.exch.b32 %y0, [%e], %a", 4), {"%b"}, 32, ""});
}

void add_wide(Kernels& kernels, unsigned warps) {
  for (const unsigned words : {2U, 4U}) {
    for (const unsigned stride : {1U, 2U, 4U, 8U}) {  // of accesses
      const unsigned bytes = 4 * words * stride;
      std::string fill = "mul.lo.u32 %e, %laneid, " + text(bytes) + "; and.b32 %e, %e, 4095\n", loads, stores;
      const std::string v = ".v" + text(words);
      for (unsigned k = 0; k < words; ++k) fill += "st.shared.u32 [%e + " + text(4 * k) + "], %zero\n";
      fill += "bar.sync 0\n";
      for (unsigned k = 0; k < 4; ++k) {
        const std::string y = "%y" + text(k), rest = words == 2 ? ", %q#}" : ", %q#, %r#, %s#}";
        loads += numbered("ld.volatile.shared" + v + ".u32 {" + y + rest + ", [%e]\n", k);
        stores += "st.volatile.shared" + v + ".u32 [%e], {%a, %b" + (words == 2 ? "}" : ", %c, %d}") + "\n";
      }
      const std::string name = text(words) + "." + text(stride);
      kernels.add(by_warps("banks/wide.loads." + name, warps), "shared", warps,
                  {fill, loads + all_of(4), {"%z"}, 1024 + 32, ""});
      kernels.add(by_warps("banks/wide.stores." + name, warps), "shared", warps,
                  {fill, stores + "ld.volatile.shared.u32 %y0, [%e]; xor.b32 %z, %y0, %b\n", {"%b"}, 1024 + 32, ""});
    }
  }
}

// ---- global memory

constexpr const char* kRing = "ring";

// A ring of `words` words, each of which leads `step` further.
void give_ring(KernelText& kernel, unsigned words, unsigned step) {
  kernel.params = "in ring: u32[" + text(words) + "], ";
  kernel.fields = "    ring = (i + " + text(step) + ") % " + text(words) + "\n";
}

// One load after another; past L1 with .cg. One word a warp, or a line each lane.
void add_chases(Kernels& kernels) {
  struct Chase {
    const char* name;
    unsigned words, step, stride;  // between lanes
    const char* cache;
    bool cold;
    unsigned passes;
  };
  constexpr unsigned kMiB = 1U << 18;  // words
  for (const Chase& c : {
           Chase{"l1", 1024, 32, 0, "", false, 4},
           Chase{"l1.lanes", 1024, 32, 1, "", false, 4},
           Chase{"l1.sectors", 1024, 256, 8, "", false, 4},
           Chase{"l1.lines", 1024, 0, 32, "", false, 4},
           Chase{"l2.near", 1024, 32, 0, ".cg", false, 4},
           Chase{"l2.4k", kMiB, 1024, 0, ".cg", false, 4},
           Chase{"l2.64k", kMiB, 16416, 0, ".cg", false, 4},
           Chase{"l2.far", 4 * kMiB, 65568, 0, ".cg", false, 4},
           Chase{"l2.lanes", 1024, 32, 1, ".cg", false, 4},
           Chase{"l2.sectors", kMiB, 256, 8, ".cg", false, 4},
           Chase{"l2.lines", kMiB, 1024, 32, ".cg", false, 4},
           Chase{"dram.near", kMiB, 32, 0, ".cg", true, 1},
           Chase{"dram.4k", kMiB, 1024, 0, ".cg", true, 1},
           Chase{"dram.far", 4 * kMiB, 65568, 0, ".cg", true, 1},
           Chase{"dram.lines", kMiB, 1024, 32, ".cg", true, 1},
       }) {
    for (const unsigned warps : {1U, 4U, 16U}) {
      KernelText kernel;
      give_ring(kernel, c.words, c.step);
      kernel.before = "mul.lo.u32 %e, %laneid, " + text(c.stride) + "; shr.u32 %i, %tid.x, 5; mul.lo.u32 %i, %i, " +
                      text(c.words / 32) + "; add.u32 %e, %e, %i; and.b32 %e, %e, " + text(c.words - 1) + "\n";
      kernel.region = repeated(std::string("ld.global") + c.cache + ".u32 %e, " + kRing + "[%e]", 16);
      kernel.results = {"%e"};
      kernel.cold = c.cold;
      kernel.passes = c.passes;
      kernels.add(by_warps("global/chase." + std::string(c.name), warps), "global", warps, kernel);
    }
  }
}

// The same of more than a word, of which the first and the last one count: ptxas loads no more than what counts.
void add_wide_chases(Kernels& kernels) {
  for (const unsigned width : {2U, 4U}) {
    for (const std::string cache : {"", ".cg"}) {
      KernelText kernel;
      give_ring(kernel, 1024, 32);
      kernel.before = "mov.u32 %e, %zero\n";
      kernel.region =
          repeated("ld.global" + cache + ".v" + text(width) + ".u32 " + (width == 2 ? "{%e, %x}" : "{%e, %y, %z, %x}") +
                       ", " + kRing + "[%e]; mad.lo.u32 %e, %x, %zero, %e",
                   16);
      kernel.results = {"%e", "%x"};
      kernels.add("global/chase." + std::string(cache.empty() ? "l1" : "l2") + ".v" + text(width) + ".w1", "global", 1,
                  kernel);
    }
  }
}

enum class From : std::uint8_t { L1, L2, Dram };

// Loads that do not wait for each other, and then for all of them: `width` words a lane, lanes `stride` words apart.
void add_loads(Kernels& kernels, unsigned count, unsigned width, unsigned stride, unsigned warps, From from) {
  constexpr unsigned kWords = 1U << 19;
  const bool past_l1 = from != From::L1;
  KernelText kernel;
  give_ring(kernel, kWords, 1);
  kernel.before = "mul.lo.u32 %e, %tid.x, " + text(width * stride) + "\n";
  for (unsigned k = 0; k < count; ++k) {
    const std::string into = width == 1 ? "%y#" : width == 2 ? "{%y#, %q#}" : "{%y#, %q#, %r#, %s#}";
    kernel.region += numbered(std::string("ld.global") + (past_l1 ? ".cg" : "") +
                                  (width == 1 ? "" : ".v" + text(width)) + ".u32 " + into + ", ",
                              k) +
                     kRing + "[%e + " + text(k * width * stride * 32 * warps) + "]\n";
  }
  kernel.region += all_of(count);
  kernel.results = {"%z"};
  kernel.cold = from == From::Dram;
  if (kernel.cold) kernel.passes = 1;
  const std::string where = from == From::L1 ? "l1" : from == From::L2 ? "l2" : "dram";
  const std::string of = ".loads" + (count == 8 ? std::string() : text(count)) + ".";
  kernels.add(by_warps("global/" + where + of + text(width) + "." + text(stride), warps), "global", warps, kernel);
}

void add_stores(Kernels& kernels, unsigned warps) {
  const unsigned threads = 32 * warps;
  const auto add = [&](const std::string& name, const std::string& before, const std::string& region, unsigned words,
                       const char* result) {
    KernelText kernel{before, region, {result}, 0, ""};
    kernel.params = "inout place: u32[" + text(words) + "], ";
    kernel.fields = "    place = 0\n";
    kernels.add(by_warps("global/" + name, warps), "global", warps, kernel);
  };
  for (const unsigned stride : {1U, 2U, 4U, 8U, 32U}) {
    const std::string at = "mul.lo.u32 %e, %tid.x, " + text(stride) + "\n";
    std::string stores;
    for (unsigned k = 0; k < 4; ++k) stores += "st.global.u32 place[%e + " + text(k * threads * stride) + "], %a\n";
    add("stores." + text(stride), at, stores, 4 * threads * stride, "%a");
    add("stores.read." + text(stride), at, stores + "ld.global.cg.u32 %y0, place[%e]; xor.b32 %z, %y0, %b\n",
        4 * threads * stride, "%z");
    add("stores.other." + text(stride), at,
        stores + "ld.global.cg.u32 %y0, place[%e + " + text(4 * threads * stride) + "]; xor.b32 %z, %y0, %b\n",
        5 * threads * stride, "%z");
  }
  const std::string another = "mov.u32 %e, %tid.x\nxor.b32 %f, %e, " + std::string(warps == 1 ? "1" : "32") + "\n";
  add("stores.back", another,
      "st.global.u32 place[%e], %a; bar.sync 0; ld.global.u32 %y0, place[%f]; xor.b32 %z, %y0, %b\n", threads, "%z");
  const std::string own = "mov.u32 %e, %tid.x\n", one = "mov.u32 %e, %zero\n", line = "mul.lo.u32 %e, %tid.x, 32\n",
                    of_warp = "shr.u32 %e, %tid.x, 5\n";
  add("atoms.own", own, repeated("atom.global.add.u32 %y0, place[%e], %one; add.u32 %e, %e, %zero", 4), threads, "%b");
  add("atoms.same", one, repeated("atom.global.add.u32 %y0, place[%e], %one", 4), 32, "%b");
  add("atoms.warp", of_warp, repeated("atom.global.add.u32 %y0, place[%e], %one", 4), 32, "%b");
  add("atoms.lines", line, repeated("atom.global.add.u32 %y0, place[%e], %one", 4), 32 * threads, "%b");
  add("atoms.chase", own, repeated("atom.global.add.u32 %y0, place[%e], %zero; add.u32 %e, %e, %y0", 4), threads, "%e");
  add("atoms.cas", own, repeated("atom.global.cas.b32 %y0, place[%e], %zero, %zero; add.u32 %e, %e, %y0", 4), threads,
      "%e");
  add("reds.own", own, repeated("red.global.add.u32 place[%e], %one", 8), threads, "%b");
  add("reds.same", one, repeated("red.global.add.u32 place[%e], %one", 8), 32, "%b");
  add("reds.lines", line, repeated("red.global.add.u32 place[%e], %one", 8), 32 * threads, "%b");
  add("volatile", own, repeated("ld.volatile.global.u32 %y0, place[%e]; add.u32 %e, %e, %y0", 6), threads, "%e");
  add("fence", own, repeated("st.global.u32 place[%e], %a; membar.gl", 2), threads, "%a");
}

void add_copies(Kernels& kernels, unsigned warps) {
  const unsigned threads = 32 * warps;
  for (const unsigned bytes : {4U, 16U}) {
    KernelText kernel;
    give_ring(kernel, 1U << 19, 1);
    kernel.before = "mul.lo.u32 %e, %tid.x, " + text(bytes / 4) + "; mul.lo.u32 %i, %tid.x, " + text(bytes) + "\n";
    for (unsigned k = 0; k < 2; ++k)
      kernel.region += "cp.async." + std::string(bytes == 16 ? "cg" : "ca") + ".shared.global [%i + " +
                       text(k * bytes * threads) + "], " + kRing + "[%e + " + text(k * bytes / 4 * threads) + "], " +
                       text(bytes) + "\n";
    kernel.region += "cp.async.wait_all\nld.shared.u32 %z, [%i]; xor.b32 %z, %z, %b\n";
    kernel.results = {"%z"};
    kernel.shared_words = 2 * bytes / 4 * threads;
    kernels.add(by_warps("global/copies." + text(bytes), warps), "global", warps, kernel);
  }
}

}  // namespace

void add_memories(Kernels& kernels) {
  for (const unsigned warps : {1U, 4U, 8U}) {
    for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) add_banks(kernels, ways, warps);
    for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) add_same_word(kernels, ways, warps);
    add_wide(kernels, warps);
  }
  add_chases(kernels);
  add_wide_chases(kernels);
  for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (const unsigned width : {1U, 2U, 4U})
      for (const From from : {From::L1, From::L2, From::Dram}) {
        add_loads(kernels, 8, width, 1, warps, from);
        if (width != 2 && warps >= 8) add_loads(kernels, 16, width, 1, warps, from);
      }
    for (const unsigned stride : {2U, 4U, 8U, 16U, 32U})
      for (const From from : {From::L1, From::L2})
        if (warps == 1 || warps == 8 || (warps == 32 && stride < 16)) add_loads(kernels, 8, 1, stride, warps, from);
    if (warps != 2) add_stores(kernels, warps);
    if (warps == 1 || warps == 4 || warps == 16) add_copies(kernels, warps);
  }
}

}  // namespace warpsim
