// Measured kernels: shuffles, votes, matches and redux; shared memory, its bank conflicts and its atomics.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

struct Exchange {
  const char* name;
  const char* before;
  const char* step;
  unsigned times;
  KernelSet set;
  const char* after = "";
};

constexpr const char* kLane4 = "and.b32 %a, %laneid, 3";

constexpr Exchange kExchanges[] = {
    {"bfly.const", "", "shfl.bfly.b32 %a, %a, 1", 8, kFit},
    {"bfly.reg", "", "shfl.bfly.b32 %a, %a, %b", 8, kFit},
    {"idx.const", "", "shfl.idx.b32 %a, %a, 5; xor.b32 %a, %a, %b", 8, kTest},
    {"idx.reg", "", "shfl.idx.b32 %a, %a, %b", 8, kTest},
    {"idx.chased", "", "shfl.idx.b32 %a, %b, %a", 8, kFit},
    {"up.const", "", "shfl.up.b32 %a, %a, 1", 8, kTest},
    {"down.reg", "", "shfl.down.b32 %a, %a, %b", 8, kTest},
    {"bfly.width", "", "shfl.bfly.b32 %a, %a, 4, width=8", 8, kTest},
    {"up.guard", "", "shfl.up.b32 %d|%p, %a, 1; @%p add.u32 %a, %a, %d", 8, kFit},
    {"down.selp", "", "shfl.down.b32 %d|%p, %a, 1; selp.b32 %a, %d, %b, %p", 8, kTest},
    {"bfly.add", "", "shfl.bfly.b32 %d, %a, 1; add.u32 %a, %a, %d", 8, kFit},
    {"bfly.max", "", "shfl.bfly.b32 %d, %a, 1; max.u32 %a, %a, %d", 8, kTest},
    {"bfly.add.f32", "", "shfl.bfly.b32 %d, %a, 1; add.f32 %a, %a, %d", 8, kTest},
    {"bfly.two", "", "shfl.bfly.b32 %a, %a, 1; shfl.bfly.b32 %b, %b, 1; add.u32 %a, %a, %c; add.u32 %b, %b, %c", 6,
     kTest, "xor.b32 %a, %a, %b"},
    {"ballot", "", "setp.ne.u32 %p, %a, 0; vote.ballot.b32 %a, %p", 8, kFit},
    {"ballot.xor", "", "setp.ne.u32 %p, %a, 0; vote.ballot.b32 %d, %p; xor.b32 %a, %a, %d", 8, kTest},
    {"ballot.popc", "", "popc.b32 %a, %a; setp.ne.u32 %p, %a, %b; vote.ballot.b32 %a, %p", 8, kTest},
    {"vote.any", "", "setp.lt.s32 %p, %a, %b; vote.any.pred %q, %p; selp.b32 %a, %a, %c, %q", 8, kFit},
    {"vote.all", "", "setp.lt.s32 %p, %a, %b; vote.all.pred %q, %p; selp.b32 %a, %a, %c, %q", 8, kTest},
    {"match.1", "mov.u32 %a, %zero", "match.any.b32 %a, %a", 8, kFit},
    {"match.4", kLane4, "match.any.b32 %a, %a", 8, kFit},
    {"match.8", "and.b32 %a, %laneid, 7", "match.any.b32 %a, %a", 8, kTest},
    {"match.32", "mov.u32 %a, %laneid", "match.any.b32 %a, %a", 8, kFit},
    {"match.4.add", kLane4, "match.any.b32 %d, %a; add.u32 %a, %a, %d", 8, kTest},
    {"match.all", "mov.u32 %a, %zero", "match.all.b32 %d, %a; add.u32 %a, %a, %d", 8, kTest},
    {"redux.add", "", "redux.add.s32 %a, %a", 8, kFit},
    {"redux.max", "", "redux.max.u32 %a, %a", 8, kTest},
    {"redux.xor.add", "", "redux.xor.b32 %d, %a; add.u32 %a, %a, %d", 8, kTest},
};

struct Access {
  const char* name;
  const char* before;
  const char* region;
  unsigned times;
  const char* result;
  KernelSet set;
  unsigned words = 0;  // of shared memory, beside the threads' own
};

// %own holds its own address, so a load from %a = %own gives %own.
constexpr const char* kChase = "st.shared.u32 [%own], %own; bar.sync 0; mov.u32 %e, %own";

constexpr Access kAccesses[] = {
    {"chase", kChase, "ld.shared.u32 %e, [%e]", 8, "%e", kFit},
    {"chase.xor", kChase, "ld.shared.u32 %e, [%e]; xor.b32 %e, %e, %zero", 8, "%e", kFit},
    {"chase.mad", kChase, "ld.shared.u32 %e, [%e]; mad.lo.u32 %e, %e, %one, %zero", 8, "%e", kTest},
    {"chase.shfl", kChase, "ld.shared.u32 %e, [%e]; shfl.bfly.b32 %e, %e, 1", 8, "%e", kTest},
    {"st.barwarp.ld", kChase, "st.shared.u32 [%own], %a; bar.warp.sync; ld.shared.u32 %a, [%own]; bar.warp.sync", 6,
     "%a", kFit},
    {"st.bar.ld", kChase, "st.shared.u32 [%own], %a; bar.sync 0; ld.shared.u32 %a, [%own]; bar.sync 0", 6, "%a", kFit},
    {"st.bar.ld.add", kChase,
     "st.shared.u32 [%own], %a; bar.sync 0; ld.shared.u32 %d, [%own]; add.u32 %a, %a, %d; bar.sync 0", 6, "%a", kTest},
    {"atom.add", "st.shared.u32 [%own], %zero; bar.sync 0", "atom.shared.add.u32 %a, [%own], %a", 6, "%a", kFit},
    {"atom.exch", "st.shared.u32 [%own], %zero; bar.sync 0", "atom.shared.exch.b32 %a, [%own], %a", 6, "%a", kTest},
    {"atom.cas", "st.shared.u32 [%own], %zero; bar.sync 0", "atom.shared.cas.b32 %a, [%own], %a, %b", 6, "%a", kTest},
};

// Threads of a warp whose words lie `ways` words apart: that many ways of bank conflict. Stores and loads wait in a
// queue before their unit: the region ends where what was loaded last is there.
void add_conflicts(Kernels& kernels, unsigned ways, unsigned warps, KernelSet set) {
  constexpr unsigned kEach = 6;
  const std::string suffix = "." + std::to_string(ways) + (warps == 1 ? "" : ".w" + std::to_string(warps));
  const unsigned words = 32 * warps * ways;  // of one access of all threads
  std::string fill = "mul.lo.u32 %e, %tid.x, " + std::to_string(4 * ways) + "\n", loads, stores;
  for (unsigned k = 0; k < kEach; ++k) {
    const std::string at = "[%e + " + std::to_string(4 * k * words) + "]";
    fill += "st.shared.u32 " + at + ", %e\n";
    loads += numbered("ld.shared.u32 %x#, ", k) + at + "\n";
    stores += "st.shared.u32 " + at + ", %a\n";
  }
  fill += "bar.sync 0\n";
  const std::string last = "xor.b32 %y, %x5, %zero\n";
  // Of all, so that it does not matter in which order the compiler loads them.
  const std::string all = "mad.lo.u32 %y, %x0, %x1, %x2; mad.lo.u32 %y, %y, %x3, %x4; xor.b32 %y, %y, %x5\n";
  if (ways > 1)  // without a conflict it is shared/chase
    kernels.add("shared/conflict.chase" + suffix, "shared", set, warps,
                {fill, repeated("ld.shared.u32 %e, [%e]", 8), {"%e"}, kEach * words, ""});
  kernels.add("shared/conflict.loads" + suffix, "shared", set, warps, {fill, loads + all, {"%y"}, kEach * words, ""});
  kernels.add("shared/conflict.stores" + suffix, "shared", set, warps,
              {fill, stores + "bar.sync 0; ld.shared.u32 %x5, [%e]; " + last, {"%y"}, kEach * words, ""});
}

// Of every degree: so many lanes have words of one bank, the others each a word of a bank of its own.
void add_degrees(Kernels& kernels) {
  for (unsigned ways = 3; ways < 32; ++ways) {
    if ((ways & (ways - 1)) == 0) continue;  // add_conflicts()
    const std::string fill = "setp.lt.u32 %p, %laneid, " + std::to_string(ways) +
                             "; mov.u32 %e, %laneid; @%p mul.lo.u32 %e, %laneid, 32; shl.b32 %e, %e, 2\n"
                             "st.shared.u32 [%e], %e; bar.sync 0\n";
    kernels.add("shared/conflict.degree" + std::to_string(ways), "shared", kTest, 1,
                {fill, repeated("ld.shared.u32 %e, [%e]", 8), {"%e"}, 1024, ""});
  }
}

void add_vectors(Kernels& kernels) {
  const auto chase = [](unsigned words) {
    std::string fill = "mul.lo.u32 %e, %tid.x, " + std::to_string(4 * words) + "\n";
    for (unsigned k = 0; k < words; ++k) fill += "st.shared.u32 [%e + " + std::to_string(4 * k) + "], %e\n";
    return fill + "bar.sync 0";
  };
  kernels.add("shared/chase.v2", "shared", kFit, 1,
              {chase(2), repeated("ld.shared.v2.u32 {%e, %x}, [%e]", 8), {"%e", "%x"}, 64, ""});
  kernels.add("shared/chase.v4", "shared", kTest, 1,
              {chase(4), repeated("ld.shared.v4.u32 {%e, %x, %y, %z}, [%e]", 8), {"%e", "%x", "%y", "%z"}, 128, ""});
}

// One load stands in front of each region, so that the buffer's address is in a register there.
void add_global(Kernels& kernels) {
  const std::string chain = "ld.global.u32 %e, chain[%e]\n", far = "ld.global.u32 %e, far[%e]\n";
  const std::string own_lines = "shl.b32 %e, %laneid, 5\n";  // each lane a line of its own: 512 KiB in 128 loads
  for (const unsigned stride : {0U, 1U, 8U, 32U}) {
    const std::string at = "mul.lo.u32 %e, %laneid, " + std::to_string(stride) + "\n";
    kernels.add("global/chase.stride" + std::to_string(stride), "global", kTest, 1,
                {at + "and.b32 %e, %e, 1023\n" + chain, repeated(chain, 8), {"%e"}, 0, ""});
  }
  // Loads that do not wait for each other, of lines that are in L1 when a pass comes back.
  for (const unsigned stride : {1U, 8U, 32U}) {
    std::string loads, all = "xor.b32 %y, %x0, %x1\n";
    for (unsigned k = 0; k < 12; ++k)
      loads += numbered("ld.global.u32 %x#, far[%e + ", k) + std::to_string(1024 * k) + "]\n";
    for (unsigned k = 2; k < 12; ++k) all += numbered("xor.b32 %y, %y, %x#\n", k);
    kernels.add("global/loads.stride" + std::to_string(stride), "global", kTest, 1,
                {"mul.lo.u32 %e, %laneid, " + std::to_string(stride) + "\n", loads + all, {"%y"}, 0, ""});
  }
  // L1 has none of it any more when a pass comes back.
  kernels.add("global/l2", "global", kTest, 1, {own_lines + far, repeated(far, 128), {"%e"}, 0, ""});
  // A pass goes on where the last one stopped, so each load comes to a line that no load has had.
  const std::string keep = "st.shared.u32 [%own], %e\n";
  const std::string region = "ld.shared.u32 %e, [%own]\n" + repeated(far, 16) + keep;
  for (const unsigned stride : {0U, 1U, 8U, 32U}) {
    const std::string name = "stride" + std::to_string(stride);
    const std::string at = "mul.lo.u32 %e, %laneid, " + std::to_string(stride) + "\n" + far + keep;
    kernels.add("global/l2." + name, "global", kTest, 1,
                {own_lines + repeated(far, 128) + keep + at, region, {"%e"}, 0, ""});
    KernelText dram{at, region, {"%e"}, 0, ""};
    dram.cold = true;
    kernels.add("global/dram." + name, "global", kTest, 1, dram);
  }
}

}  // namespace

void add_exchanges(Kernels& kernels) {
  for (const Exchange& one : kExchanges)
    kernels.add("shuffle/" + std::string(one.name), "shuffles", one.set, 1,
                {one.before, repeated(one.step, one.times), {"%a"}, 0, one.after});
  for (const unsigned warps : {2U, 4U, 8U, 16U, 32U}) {
    const std::string suffix = ".w" + std::to_string(warps);
    const KernelSet set = warps == 8 || warps == 32 ? kFit : kTest;
    kernels.add("shuffle/bfly.add" + suffix, "shuffles", set, warps,
                {"", repeated("shfl.bfly.b32 %d, %a, 1; add.u32 %a, %a, %d", 8), {"%a"}, 0, ""});
    kernels.add("shuffle/ballot" + suffix, "shuffles", set, warps,
                {"", repeated("setp.ne.u32 %p, %a, 0; vote.ballot.b32 %a, %p", 8), {"%a"}, 0, ""});
    kernels.add("shuffle/redux" + suffix, "shuffles", set, warps,
                {"", repeated("redux.add.s32 %a, %a", 8), {"%a"}, 0, ""});
  }
}

void add_shared(Kernels& kernels) {
  for (const Access& one : kAccesses)
    kernels.add("shared/" + std::string(one.name), "shared", one.set, 1,
                {one.before, repeated(one.region, one.times), {one.result}, one.words, ""});
  for (const unsigned warps : {2U, 4U, 8U, 16U, 32U}) {
    kernels.add("shared/chase.w" + std::to_string(warps), "shared", warps == 8 || warps == 32 ? kFit : kTest, warps,
                {kChase, repeated("ld.shared.u32 %e, [%e]", 8), {"%e"}, 0, ""});
    kernels.add("shared/st.bar.ld.w" + std::to_string(warps), "shared", warps == 8 ? kFit : kTest, warps,
                {kChase,
                 repeated("st.shared.u32 [%own], %a; bar.sync 0; ld.shared.u32 %a, [%own]; bar.sync 0", 6),
                 {"%a"},
                 0,
                 ""});
  }
  for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U})
    add_conflicts(kernels, ways, 1, ways == 4 || ways == 16 ? kTest : kFit);
  add_conflicts(kernels, 2, 8, kFit);
  add_conflicts(kernels, 1, 8, kFit);
  add_conflicts(kernels, 4, 8, kTest);
  add_conflicts(kernels, 1, 32, kTest);
  add_degrees(kernels);
  add_vectors(kernels);
  kernels.add("shared/atom.add.same", "shared", kFit, 1,
              {"mov.u32 %e, %zero; st.shared.u32 [%e], %zero; bar.sync 0",
               repeated("atom.shared.add.u32 %a, [%e], %a", 4),
               {"%b"},
               1,
               ""});
  kernels.add("shared/red.add", "shared", kTest, 1,
              {"st.shared.u32 [%own], %zero; bar.sync 0",
               repeated("red.shared.add.u32 [%own], %a", 6) + "ld.shared.u32 %a, [%own]",
               {"%a"},
               0,
               ""});
  add_global(kernels);
}

}  // namespace warpsim
