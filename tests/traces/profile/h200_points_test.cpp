// The profile h200 against an H200's own numbers: each line of tests/data/h200_latency.txt that a program can express
// is run as one, and what it takes is compared.
//
// Shapes: a point is a line's name and the text of one step. A program repeats the step; what it takes is the
//         difference of two lengths, so that what stands around the steps does not count, divided by the steps.
// Units:  cycles for a step of one warp; of thr.* lines for a step of all warps, as the lines say.
// Source: tests/data/h200_latency.txt (clock reads around the same PTX, ptxas 13.0, -O3). Lines that are left out: what
//         ptxas makes another instruction of than the program has (mad.wide, mul.lo.u64, %smid, match of 64 bits),
//         where in L2 a line lies, constant banks, and instruction fetch, which the model does not have.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/run.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim {
namespace {

using testing::run_text;
using testing::RunSetup;

// Within these no point needs a reason.
constexpr double kMeanOfClass = 5, kWorst = 15;  // per cent

struct Shape {
  unsigned warps = 1;
  bool one_sub_core = false;  // all of them; the warps between have ended
  unsigned rounds = 24;       // the shorter program's steps; the longer one has three times as many
};

// Registers of all kinds, and addresses in shared and global memory.
constexpr const char* kHead =
    ".kernel k (inout out: u32[])\n.shared u32 tile[2048]\n"
    " mov.u32 %a0, %laneid\n add.u32 %a1, %laneid, 1\n add.u32 %a2, %laneid, 2\n add.u32 %a3, %laneid, 3\n"
    " mov.u32 %v0, 0\n mov.u32 %v1, 0\n mov.u32 %v2, 0\n mov.u32 %v3, 0\n"
    " mov.u32 %b, 3\n mov.u32 %c, 5\n add.u32 %one, %b, -2\n"
    " cvt.rn.f32.u32 %f0, %laneid\n cvt.rn.f32.u32 %f1, %a1\n cvt.rn.f32.u32 %f2, %a2\n cvt.rn.f32.u32 %f3, %a3\n"
    " mov.f32 %g, 1.5\n mov.f32 %h, 0.25\n"
    " cvt.f64.f32 %d0, %f0\n cvt.f64.f32 %d1, %f1\n cvt.f64.f32 %d2, %f2\n cvt.f64.f32 %d3, %f3\n"
    " mov.f64 %e, 1.5\n mov.f64 %k, 0.25\n mov.b32 %x, 0x3c003c00\n mov.b32 %y, 0x38003800\n"
    " setp.ne.u32 %some, %laneid, 0\n and.b32 %four, %laneid, 3\n mov.u64 %w, 7\n mov.u64 %z, 11\n";

std::uint64_t cycles_of(const std::string& setup, const std::string& steps, const Shape& shape) {
  static const auto h200 = std::make_shared<const TimingProfile>(builtin_profile("h200")->bounds.front());
  std::string text = kHead + setup;
  if (shape.one_sub_core) text += " and.b32 %place, %warpid, 3\n setp.ne.u32 %other, %place, 0\n @%other exit\n";
  text += steps + " exit\n";
  RunSetup run;
  run.block = {32 * shape.warps * (shape.one_sub_core ? 4 : 1), 1, 1};
  run.buffers["out"] = std::vector<std::uint64_t>(65'536);
  run.max_cycles = 10'000'000;
  run.timing = h200;
  const testing::Ran ran = run_text(text, run);
  EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << text;
  return ran.result.cycles;
}

std::string repeated(const std::string& step, unsigned times) {
  std::string all;
  for (unsigned k = 0; k < times; ++k) all += " " + step + "\n";
  return all;
}

double a_step(const std::string& setup, const std::string& step, const Shape& shape = {}) {
  const std::uint64_t few = cycles_of(setup, repeated(step, shape.rounds), shape);
  const std::uint64_t many = cycles_of(setup, repeated(step, 3 * shape.rounds), shape);
  return static_cast<double>(many - few) / (2 * shape.rounds);
}

const std::map<std::string, double>& measured() {
  static const std::map<std::string, double> lines = [] {
    std::map<std::string, double> all;
    for (const char* const name : {"h200_latency.txt", "h200_loops.txt"}) {
      std::ifstream file(std::string(WARPSIM_SOURCE_DIR "/tests/data/") + name);
      for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.rfind(' ');
        if (line.starts_with('#') || at == std::string::npos) continue;
        all[line.substr(0, at)] = std::stod(line.substr(at + 1));
      }
    }
    return all;
  }();
  return lines;
}

// Errors of one class, and the points that have a reason to be off.
class Points {
 public:
  void compare(const std::string& name, double modelled, const char* reason = nullptr) {
    ASSERT_TRUE(measured().contains(name)) << name;
    const double gpu = measured().at(name), error = 100 * (modelled / gpu - 1);
    // A cycle more or less of a few is none of the model's: the clock counts whole ones.
    const bool is_close = std::abs(modelled - gpu) <= 0.5;
    if (reason != nullptr) {
      EXPECT_GT(std::abs(error), kMeanOfClass) << name << " needs no reason any more: " << reason;
      ++reasons_;
      return;
    }
    const double counted = is_close ? 0 : std::abs(error);
    sum_ += counted;
    ++count_;
    if (counted > worst_) {
      worst_ = counted;
      worst_name_ = name;
    }
    EXPECT_TRUE(is_close || std::abs(error) <= kWorst)
        << name << ": the H200 takes " << gpu << ", the model " << modelled << " (" << error << " %)";
  }
  ~Points() {
    EXPECT_GT(count_, 0U);
    EXPECT_LE(sum_ / count_, kMeanOfClass) << "mean of " << count_ << " points";
    std::printf("%u points, %u with a reason, mean %.1f %%, worst %.1f %% %s\n", count_, reasons_, sum_ / count_,
                worst_, worst_name_.c_str());
  }

 private:
  double sum_ = 0, worst_ = 0;
  unsigned count_ = 0, reasons_ = 0;
  std::string worst_name_;
};

constexpr std::pair<const char*, const char*> kChains[] = {
    {"lat.add.u32^xor (IADD3+LOP3)", "add.u32 %a0, %a0, %b\n xor.b32 %a0, %a0, %c"},
    {"lat.lop3.b32 x2", "lop3.b32 %a0, %a0, %b, %c, 0x96\n lop3.b32 %a0, %a0, %b, %c, 0xe8"},
    {"lat.mad.lo.u32", "mad.lo.u32 %a0, %a0, %b, %c"},
    {"lat.shf.l.wrap.b32", "shf.l.wrap.b32 %a0, %a0, %b, %c"},
    {"lat.bfind.u32", "bfind.u32 %a0, %a0"},
    {"lat.brev.b32^add", "brev.b32 %a0, %a0\n add.u32 %a0, %a0, %c"},
    {"lat.dp4a.u32.u32", "dp4a.u32.u32 %a0, %a0, %b, %c"},
    {"lat.rcp.approx.ftz.f32+add", "rcp.approx.ftz.f32 %f0, %f0\n add.rn.f32 %f0, %f0, %g"},
    {"lat.ex2.approx.f32", "ex2.approx.f32 %f0, %f0"},
    {"lat.fma.rn.bf16x2", "fma.rn.bf16x2 %x, %x, %y, %y"},
    {"lat.cvt.rn.f16.f32+cvt.f32.f16", "cvt.rn.f16.f32 %half, %f0\n cvt.f32.f16 %f0, %half"},
    {"lat.cvt.rn.bf16.f32+cvt.f32.bf16", "cvt.rn.bf16.f32 %half, %f0\n cvt.f32.bf16 %f0, %half"},
    {"lat.cvt.rni.f32.f32+add", "cvt.rni.f32.f32 %f0, %f0\n add.rn.f32 %f0, %f0, %g"},
    {"lat.cvt.rn.f64.s32+cvt.rzi.s32.f64", "cvt.rn.f64.s32 %d0, %a0\n cvt.rzi.s32.f64 %a0, %d0"},
    {"lat.vote.any+selp+setp", "vote.any.pred %q, %some\n selp.b32 %a0, %b, %c, %q\n setp.ne.u32 %some, %a0, 0"},
    {"lat.vote.all+selp+setp", "vote.all.pred %q, %some\n selp.b32 %a0, %b, %c, %q\n setp.ne.u32 %some, %a0, 0"},
    {"lat.match.any.b32(4 distinct)+add", "match.any.b32 %v0, %four\n add.u32 %four, %four, %v0"},
    {"lat.match.any.b32(32 distinct)+add", "match.any.b32 %v0, %a0\n add.u32 %a0, %a0, %v0"},
    {"lat.redux.min.s32", "redux.min.s32 %a0, %a0"},
    {"lat.redux.and.b32", "redux.and.b32 %a0, %a0"},
    {"lat.shfl.idx(lane chain)", "shfl.idx.b32 %a0, %b, %a0"},
    {"lat.shfl.bfly(reg mask)", "shfl.bfly.b32 %a0, %a0, %b"},
    {"lat.mul.hi.u32", "mul.hi.u32 %a0, %a0, %b"},
    {"lat.add.u64^xor.b64", "add.u64 %w, %w, %z\n xor.b64 %w, %w, %z"},
    {"lat.shl.b32^xor", "shl.b32 %a0, %a0, 3\n xor.b32 %a0, %a0, %c"},
    {"lat.min.s32+max.s32", "min.s32 %a0, %a0, %b\n max.s32 %a0, %a0, %c"},
    {"lat.popc.b32", "popc.b32 %a0, %a0"},
    {"lat.clz.b32", "clz.b32 %a0, %a0"},
    {"lat.prmt.b32", "prmt.b32 %a0, %a0, %b, 0x3210"},
    {"lat.bfe.u32", "bfe.u32 %a0, %a0, %b, %c"},
    {"lat.bfi.b32", "bfi.b32 %a0, %a0, %a1, %b, %c"},
    {"lat.setp.lt.s32+selp.b32", "setp.lt.s32 %p, %a0, %b\n selp.b32 %a0, %b, %c, %p"},
    {"lat.setp+@p add.u32", "setp.lt.u32 %p, %a0, %b\n @%p add.u32 %a0, %a0, %c"},
    {"lat.div.u32", "div.u32 %a0, %a0, %b"},
    {"lat.rem.u32", "rem.u32 %a0, %a0, %b"},
    {"lat.div.s32", "div.s32 %a0, %a0, %b"},
    {"lat.add.rn.f32", "add.rn.f32 %f0, %f0, %g"},
    {"lat.mul.rn.f32", "mul.rn.f32 %f0, %f0, %g"},
    {"lat.fma.rn.f32", "fma.rn.f32 %f0, %f0, %g, %h"},
    {"lat.min.f32+max.f32", "min.f32 %f0, %f0, %g\n max.f32 %f0, %f0, %h"},
    {"lat.setp.lt.f32+selp.f32", "setp.lt.f32 %p, %f0, %g\n selp.f32 %f0, %g, %h, %p"},
    {"lat.ex2.approx.ftz.f32", "ex2.approx.ftz.f32 %f0, %f0"},
    {"lat.lg2.approx.ftz.f32", "lg2.approx.ftz.f32 %f0, %f0"},
    {"lat.rsqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32 %f0, %f0"},
    {"lat.sqrt.approx.ftz.f32", "sqrt.approx.ftz.f32 %f0, %f0"},
    {"lat.sin.approx.ftz.f32", "sin.approx.ftz.f32 %f0, %f0"},
    {"lat.tanh.approx.f32", "tanh.approx.f32 %f0, %f0"},
    {"lat.div.rn.f32", "div.rn.f32 %f0, %f0, %g"},
    {"lat.rcp.rn.f32", "rcp.rn.f32 %f0, %f0"},
    {"lat.sqrt.rn.f32", "sqrt.rn.f32 %f0, %f0"},
    {"lat.div.approx.ftz.f32", "div.approx.ftz.f32 %f0, %f0, %g"},
    {"lat.fma.rn.f16x2", "fma.rn.f16x2 %x, %x, %y, %y"},
    {"lat.add.f16x2", "add.f16x2 %x, %x, %y"},
    {"lat.add.rn.f64", "add.rn.f64 %d0, %d0, %e"},
    {"lat.mul.rn.f64", "mul.rn.f64 %d0, %d0, %e"},
    {"lat.fma.rn.f64", "fma.rn.f64 %d0, %d0, %e, %k"},
    {"lat.min.f64", "min.f64 %d0, %d0, %e\n max.f64 %d0, %d0, %k"},
    {"lat.div.rn.f64", "div.rn.f64 %d0, %d0, %e"},
    {"lat.sqrt.rn.f64", "sqrt.rn.f64 %d0, %d0"},
    {"lat.cvt.rn.f32.s32+cvt.rzi.s32.f32", "cvt.rn.f32.s32 %f0, %a0\n cvt.rzi.s32.f32 %a0, %f0"},
    {"lat.cvt.f64.f32+cvt.rn.f32.f64", "cvt.f64.f32 %d0, %f0\n cvt.rn.f32.f64 %f0, %d0"},
    {"lat.shfl.idx", "shfl.idx.b32 %a0, %a0, %b"},
    {"lat.shfl.up", "shfl.up.b32 %a0, %a0, %b"},
    {"lat.shfl.down", "shfl.down.b32 %a0, %a0, %b"},
    {"lat.shfl.bfly", "shfl.bfly.b32 %a0, %a0, %b"},
    {"lat.shfl.bfly(imm)", "shfl.bfly.b32 %a0, %a0, 3"},
    {"lat.shfl.up pred->@p add", "shfl.up.b32 %v0|%p, %a0, %b\n @%p add.u32 %a0, %a0, %c"},
    {"lat.vote.ballot", "setp.ne.u32 %p, %a0, 0\n vote.ballot.b32 %a0, %p"},
    {"lat.match.any.b32(all equal)", "match.any.b32 %v0, %v0"},
    {"lat.match.all.b32(equal)", "match.all.b32 %v0, %v0"},
    {"lat.redux.add.s32", "redux.add.s32 %a0, %a0"},
    {"lat.redux.max.u32", "redux.max.u32 %a0, %a0"},
    {"lat.redux.xor.b32", "redux.xor.b32 %a0, %a0"},
    {"lat.bar.warp.sync(full)", "bar.warp.sync"},
};

TEST(H200Points, LatenciesOfChains) {
  Points points;
  for (const auto& [name, step] : kChains) {
    // Of many rounds of match the four values would come to be fewer.
    const bool matches = std::string(name).starts_with("lat.match");
    points.compare(name, a_step("", step, {1, false, matches ? 2U : 24U}));
  }
}

// %ad: where the lane stands in `tile`, so many words apart.
std::string words_apart(unsigned words) {
  return " mov.u32 %ad, tile\n mad.lo.u32 %ad, %laneid, " + std::to_string(4 * words % 8192) + ", %ad\n";
}

TEST(H200Points, SharedMemory) {
  Points points;
  for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
    const std::string at = words_apart(ways), conflict = ".conflict" + std::to_string(ways);
    const std::string chase = at + " mov.u32 %base, %ad\n st.shared.u32 [%ad], %ad\n";
    points.compare("smem.ld.b32" + conflict, a_step(chase, "ld.shared.u32 %ad, [%ad]"));
    points.compare("smem.st" + conflict, a_step(at, "st.shared.u32 [%ad], %b"));
    points.compare("smem.st+ld" + conflict, a_step(at, "st.shared.u32 [%ad], %a0\n ld.shared.u32 %a0, [%ad]"));
    points.compare("smem.ld.indep" + conflict, a_step(at + " st.shared.u32 [%ad], %b\n", "ld.shared.u32 %v0, [%ad]"));
    points.compare("smem.atom.add.ret" + conflict, a_step(at, "atom.shared.add.u32 %a0, [%ad], %a0"));
    points.compare("smem.atom.add.noret" + conflict, a_step(at, "red.shared.add.u32 [%ad], %b"));
  }
  for (const unsigned words : {3U, 33U})
    points.compare("smem.ld.b32.stride" + std::to_string(words),
                   a_step(words_apart(words) + " st.shared.u32 [%ad], %ad\n", "ld.shared.u32 %ad, [%ad]"));
  const std::string two = " st.shared.v2.u32 [%ad], {%ad, %ad}\n",
                    four = " st.shared.v4.u32 [%ad], {%ad, %ad, %ad, %ad}\n";
  const char* const load_two = "ld.shared.v2.u32 {%ad, %v1}, [%ad]";
  const char* const load_four = "ld.shared.v4.u32 {%ad, %v1, %v2, %v3}, [%ad]";
  points.compare("smem.ld.v2.unit", a_step(words_apart(2) + two, load_two));
  points.compare("smem.ld.v2.stride128B", a_step(words_apart(32) + two, load_two));
  points.compare("smem.ld.v4.unit", a_step(words_apart(4) + four, load_four));
  points.compare("smem.ld.v4.stride32B", a_step(words_apart(8) + four, load_four));
  points.compare("smem.ld.v4.stride128B", a_step(words_apart(32) + four, load_four));
  points.compare(
      "smem.st+syncwarp+ld+syncwarp",
      a_step(words_apart(1), "st.shared.u32 [%ad], %a0\n bar.warp.sync\n ld.shared.u32 %a0, [%ad]\n bar.warp.sync"));
  const std::string one = " mov.u32 %ad, tile\n";
  points.compare("smem.ld.b32.broadcast", a_step(one + " st.shared.u32 [%ad], %ad\n", "ld.shared.u32 %ad, [%ad]"));
  points.compare("smem.atom.add.ret.same_address", a_step(one, "atom.shared.add.u32 %a0, [%ad], %a0"));
  points.compare("smem.atom.add.noret.same_address", a_step(one, "red.shared.add.u32 [%ad], %b"));
  points.compare("smem.atom.cas.conflict1", a_step(words_apart(1), "atom.shared.cas.b32 %a0, [%ad], %a0, %b"));
  points.compare("smem.atom.exch.conflict1", a_step(words_apart(1), "atom.shared.exch.b32 %a0, [%ad], %a0"));
}

TEST(H200Points, FencesAndAtomics) {
  const std::string own = " mov.u64 %to, out\n mul.wide.u32 %off, %laneid, 4\n add.u64 %to, %to, %off\n";
  const std::string same = " mov.u64 %to, out\n";
  Points points;
  points.compare("mem.atom.add.ret.distinct", a_step(own, "atom.global.add.u32 %a0, [%to], %a0"));
  points.compare("mem.atom.add.ret.same", a_step(same, "atom.global.add.u32 %a0, [%to], %a0"));
  points.compare("mem.red.add.distinct", a_step(own, "red.global.add.u32 [%to], %b"));
  points.compare("mem.red.add.same", a_step(same, "red.global.add.u32 [%to], %b"));
  points.compare("mem.st+membar.gl", a_step(own, "st.global.u32 [%to], %b\n membar.gl"));
  points.compare("mem.st+membar.cta", a_step(own, "st.global.u32 [%to], %b\n membar.cta"));
  points.compare("mem.membar.gl", a_step("", "membar.gl"));
  points.compare("mem.st.indep", a_step(own, "st.global.u32 [%to], %b"));
}

// Loads that find their line in L1. What comes from L2 and DRAM is only reported: docs/cycles.md.
TEST(H200Points, LoadsFromL1) {
  Points points;
  points.compare("mem.ld.ca.l1hit.4KB",
                 a_step(" mov.u64 %to, out\n st.global.u64 [%to], %to\n ld.global.u64 %to, [%to]\n",
                        "ld.global.u64 %to, [%to]", {1, false, 100}));
  for (const unsigned stride : {0U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    const std::string own = " mov.u64 %base, out\n mul.lo.u32 %a0, %laneid, " + std::to_string(stride / 4) +
                            "\n mul.wide.u32 %off, %a0, 4\n add.u64 %to, %base, %off\n st.global.u32 [%to], %a0\n"
                            " ld.global.u32 %a0, [%to]\n";
    points.compare("mem.warp.ld.ca.stride" + std::to_string(stride) + "B",
                   a_step(own, "ld.global.u32 %a0, [%to]\n mul.wide.u32 %off, %a0, 4\n add.u64 %to, %base, %off"));
  }
}

// Both sides are of so many dependent multiplications.
std::string if_else(const std::string& condition, unsigned length) {
  return condition + " %p, %laneid, 16\n @%p bra then@\n" + repeated("mad.lo.u32 %a0, %a0, %b, %c", length) +
         " bra join@\nthen@:\n" + repeated("mad.lo.u32 %a0, %a0, %c, %b", length) + "join@:";
}

TEST(H200Points, Branches) {
  const auto a_branch = [](const std::string& condition, unsigned length) {
    const auto cycles = [&](unsigned times) {
      std::string steps;
      for (unsigned k = 0; k < times; ++k) {
        std::string one = " " + if_else(condition, length) + "\n";
        for (std::size_t at; (at = one.find('@', one.find("bra"))) != std::string::npos;)
          one.replace(at, 1, "_" + std::to_string(k));
        steps += one;
      }
      return cycles_of("", steps, {});
    };
    return static_cast<double>(cycles(12) - cycles(4)) / 8;
  };
  Points points;
  points.compare("div.ifelse16.split16", a_branch("setp.lt.u32", 16));
  points.compare("div.ifelse64.split16", a_branch("setp.lt.u32", 64));
}

// A constant that all lanes add to one word is added once, as ATOMS.POPC.INC: not 32 times, as a register's is.
TEST(H200Points, AConstantIsAddedOnce) {
  const std::string one = " mov.u32 %ad, tile\n";
  EXPECT_EQ(a_step(one, "red.shared.add.u32 [%ad], 1"), 4);
  EXPECT_EQ(a_step(words_apart(32), "red.shared.add.u32 [%ad], 1"), 64) << "32 words of one bank";
}

TEST(H200Points, Barriers) {
  Points points;
  for (const unsigned warps : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 12U, 16U, 20U, 24U, 28U, 32U})
    points.compare("bar.sync.warps" + std::to_string(warps), a_step("", "bar.sync 0", {warps}));
}

// What 6 or 8 warps of a sub-core lose depends on the loop's length, not on the instruction: the loop of 256 additions
// is quick with 6 warps, those of 64 and 1,024 are not. A program's machine code is not known here, nor what fetches
// it.
TEST(H200Points, TheSameInstructionIsNotOneNumber) {
  for (const char* const op : {"add.f32", "fma.f32"}) {
    const auto of = [&](const char* body) { return measured().at(std::string("loop.") + op + ".body" + body); };
    EXPECT_NEAR(of("256.warps24"), 6, 0.2) << "one issue a cycle";
    EXPECT_GT(of("64.warps24"), 8) << "the same instruction, the same warps";
    EXPECT_GT(of("1024.warps24"), 8);
  }
}

TEST(H200Points, BarriersThatReduce) {
  Points points;
  for (const unsigned warps : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 12U, 16U, 20U, 24U, 28U, 32U})
    points.compare("bar.red.popc.warps" + std::to_string(warps),
                   a_step("", "setp.ne.u32 %p, %a0, 0\n bar.red.popc.u32 %a0, 0, %p", {warps}));
}

// The clock of the first warp to leave less that of the last to come, which comes late.
TEST(H200Points, WhoComesLastLeavesAtOnce) {
  for (const unsigned warps : {2U, 4U, 8U, 16U, 32U}) {
    const std::string late =
        " setp.ne.u32 %early, %warpid, 0\n @%early bra go\n" + repeated("mad.lo.u32 %a0, %a0, %b, %c", 200) +
        "go: mov.u32 %t0, %clock\n bar.sync 0\n mov.u32 %t1, %clock\n"
        " st.global.u32 out[%tid.x], %t0\n add.u32 %i, %tid.x, 1024\n st.global.u32 out[%i], %t1\n";
    RunSetup run;
    run.block = {32 * warps, 1, 1};
    run.buffers["out"] = std::vector<std::uint64_t>(2048);
    run.timing = std::make_shared<const TimingProfile>(builtin_profile("h200")->bounds.front());
    const testing::Ran ran = run_text(kHead + late + " exit\n", run);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok);
    const std::vector<std::uint64_t> clocks = ran.buffer("out");
    std::uint64_t first = ~std::uint64_t{0};
    for (unsigned w = 0; w < warps; ++w) first = std::min(first, clocks[1024 + 32 * w]);
    const std::string name = "bar.last_arrival_to_leave.warps" + std::to_string(warps);
    EXPECT_NEAR(static_cast<double>(first - clocks[0]), measured().at(name), 2) << name;
    EXPECT_GT(first, clocks[0]) << "nobody leaves before the last has come";
  }
}

std::string on_all(std::string step, unsigned ilp) {  // % for the number of a register
  std::string all;
  for (unsigned k = 0; k < ilp; ++k) {
    std::string one = step;
    for (std::size_t at; (at = one.find('#')) != std::string::npos;) one.replace(at, 1, std::to_string(k));
    all += (k == 0 ? "" : "\n ") + one;
  }
  return all;
}

struct Stream {
  const char* name;
  const char* step;
  unsigned ilp;
  const char* behind = nullptr;  // all of the first kind, as the compiler orders them
};

// Many warps of one sub-core: see the reasons.
const char* why_off(const Stream& one, bool sub, unsigned warps) {
  const unsigned of_sub_core = sub ? warps : warps / 4;
  const std::string name = one.name;
  if (name.starts_with("cvt") && of_sub_core <= 1 && !(sub && warps != 1))
    return "the compiler's order of two conversions on a scoreboard";
  if (of_sub_core >= 6 &&
      (name == "fma.rn.f32" || name == "add.rn.f32" || name == "fma.rn.f64" || name == "mad.lo.u32"))
    return "instruction fetch: see TheSameInstructionIsNotOneNumber";
  if (of_sub_core == 4 && name == "mad.lo.u32" && one.ilp == 1)
    return "as above: stream/mad.lo.u32.ilp1.w16 of cycles.json takes 8.8";
  return nullptr;
}

void add_streams(Points& points) {
  const Stream streams[] = {
      {"fma.rn.f32", "fma.rn.f32 %f#, %f#, %g, %g", 1},
      {"fma.rn.f32", "fma.rn.f32 %f#, %f#, %g, %g", 4},
      {"add.rn.f32", "add.rn.f32 %f#, %f#, %g", 4},
      {"mad.lo.u32", "mad.lo.u32 %a#, %a#, %b, %c", 1},
      {"mad.lo.u32", "mad.lo.u32 %a#, %a#, %b, %c", 4},
      {"shfl.bfly", "shfl.bfly.b32 %a#, %a#, %b", 1},
      {"shfl.bfly", "shfl.bfly.b32 %a#, %a#, %b", 4},
      {"redux.add.s32", "redux.add.s32 %a#, %a#", 1},
      {"redux.add.s32", "redux.add.s32 %a#, %a#", 4},
      {"match.any.b32(all equal)", "match.any.b32 %v#, %v#", 2},
      {"vote.ballot", "setp.ne.u32 %p#, %a#, 0", 4, "vote.ballot.b32 %a#, %p#"},
      {"ex2.approx.ftz.f32", "ex2.approx.ftz.f32 %f#, %f#", 4},
      {"popc.b32", "popc.b32 %a#, %a#", 4},
      {"fma.rn.f64", "fma.rn.f64 %d#, %d#, %e, %k", 4},
      {"cvt.rn.f32.s32+cvt.rzi.s32.f32", "cvt.rn.f32.s32 %f#, %a#\n cvt.rzi.s32.f32 %a#, %f#", 4},
  };
  for (const Stream& one : streams) {
    std::string step = on_all(one.step, one.ilp);
    if (one.behind != nullptr) step += "\n " + on_all(one.behind, one.ilp);
    for (const bool sub : {false, true}) {
      for (const unsigned warps : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 32U}) {
        if (sub ? warps > 8 : warps == 6) continue;
        const std::string name = std::string(sub ? "thr.sub." : "thr.sm.") + one.name + ".ilp" +
                                 std::to_string(one.ilp) + ".warps" + std::to_string(warps) +
                                 ".cycles_per_op_all_warps";
        const double modelled = a_step("", step, {warps, sub}) / one.ilp;
        points.compare(name, modelled, why_off(one, sub, warps));
      }
    }
  }
}

void add_bank_conflicts(Points& points) {
  for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (const unsigned warps : {1U, 4U, 8U, 16U, 32U}) {
      const std::string end =
          ".conflict" + std::to_string(ways) + ".warps" + std::to_string(warps) + ".cycles_per_op_all_warps";
      const std::string at = words_apart(ways);
      const bool queue = ways == 1 && warps >= 16;  // of a full SM
      const char* const why = queue ? "the queue of accesses of a full SM is not modelled" : nullptr;
      points.compare("thr.smem.ld" + end,
                     a_step(at + " st.shared.u32 [%ad], %b\n bar.sync 0\n", on_all("ld.shared.u32 %v#, [%ad]", 4),
                            {warps, false, 8}) /
                         4,
                     why);
      points.compare("thr.smem.st" + end, a_step(at, "st.shared.u32 [%ad], %b", {warps}), queue ? why : nullptr);
    }
  }
}

// Where warps compete for a pipe, these lines are 7 to 16 % above what the same instructions take in the kernels of
// cycles.json (stream/ex2, stream/popc, shared/conflict.loads …), which the model has within 5 %. There all warps begin
// together, behind a barrier and a shuffle.
TEST(H200Points, ThroughputOfWarps) {
  Points points;
  add_streams(points);
  add_bank_conflicts(points);
}

}  // namespace
}  // namespace warpsim
