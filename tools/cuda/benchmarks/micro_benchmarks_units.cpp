// Measured kernels: arithmetic, one instruction after another and several side by side.
#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

struct Chain {
  const char* name;
  const char* step;
  unsigned times;
  KernelSet set;
  const char* result = "%a";
};

// Each step works on what the one before it has made. Two operations alternate where ptxas would fuse one with itself.
constexpr Chain kChains[] = {
    {"add.xor", "add.u32 %a, %a, %b; xor.b32 %a, %a, %c", 16, kFit},
    {"sub.and", "sub.u32 %a, %a, %b; or.b32 %a, %a, %c", 16, kTest},
    {"mad.lo.u32", "mad.lo.u32 %a, %a, %b, %c", 32, kFit},
    {"mul.lo.u32", "mul.lo.u32 %a, %a, %b", 32, kTest},
    {"mul.hi.u32", "mul.hi.u32 %a, %a, %b", 16, kFit},
    {"mul.wide.u32", "mul.wide.u32 %s, %a, %b; mov.b64 {%x, %y}, %s; xor.b32 %a, %x, %y", 8, kFit},
    {"dp4a", "dp4a.u32.u32 %a, %a, %b, %c", 32, kFit},
    {"fma.f32", "fma.rn.f32 %f, %f, %g, %h", 32, kFit, "%f"},
    {"add.f32", "add.f32 %f, %f, %g", 32, kTest, "%f"},
    {"mul.f32", "mul.f32 %f, %f, %g", 32, kTest, "%f"},
    {"max.xor", "max.u32 %a, %a, %b; xor.b32 %a, %a, %c", 16, kFit},
    {"min.max.s32", "min.s32 %a, %a, %b; max.s32 %a, %a, %c", 16, kTest},
    {"min.max.f32", "min.f32 %f, %f, %g; max.f32 %f, %f, %h", 16, kTest, "%f"},
    {"shl.xor", "shl.b32 %a, %a, %b; xor.b32 %a, %a, %c", 16, kTest},
    {"shf.wrap", "shf.l.wrap.b32 %a, %a, %b, %c", 16, kFit},
    {"prmt", "prmt.b32 %a, %a, %b, %c", 16, kTest},
    {"setp.selp", "setp.lt.s32 %p, %a, %b; selp.b32 %a, %c, %a, %p", 16, kFit},
    {"setp.selp.f32", "setp.lt.f32 %p, %f, %g; selp.f32 %f, %h, %f, %p", 16, kTest, "%f"},
    {"setp.guard", "setp.lt.s32 %p, %a, %b; @%p add.u32 %a, %a, %c", 16, kFit},
    {"popc", "popc.b32 %a, %a", 16, kFit},
    {"clz", "clz.b32 %a, %a", 16, kTest},
    {"bfind", "bfind.u32 %a, %a", 16, kTest},
    {"brev.add", "brev.b32 %a, %a; add.u32 %a, %a, %b", 16, kTest},
    {"add.u64", "add.u64 %s, %s, %t; xor.b64 %s, %s, %t", 8, kFit, "%s"},
    {"add.f64", "add.f64 %u, %u, %v", 16, kTest, "%u"},
    {"fma.f64", "fma.rn.f64 %u, %u, %v, %v", 16, kFit, "%u"},
    {"ex2", "ex2.approx.ftz.f32 %f, %f", 16, kFit, "%f"},
    {"lg2", "lg2.approx.ftz.f32 %f, %f", 16, kTest, "%f"},
    {"rsqrt", "rsqrt.approx.ftz.f32 %f, %f", 16, kTest, "%f"},
    {"tanh", "tanh.approx.f32 %f, %f", 16, kFit, "%f"},
    {"rcp.add", "rcp.approx.ftz.f32 %f, %f; add.f32 %f, %f, %g", 8, kTest, "%f"},
    {"cvt.f32.s32", "cvt.rn.f32.s32 %a, %a; cvt.rzi.s32.f32 %a, %a; xor.b32 %a, %a, %b", 8, kFit},
    {"cvt.f64.f32", "cvt.f64.f32 %u, %f; cvt.rn.f32.f64 %f, %u", 8, kFit, "%f"},
    {"cvt.f16.f32", "cvt.rn.f16.f32 %x, %f; cvt.f32.f16 %f, %x", 8, kFit, "%f"},
    {"fma.f16x2", "fma.rn.f16x2 %a, %a, %b, %c", 16, kFit},
    {"add.f16x2", "add.f16x2 %a, %a, %b", 16, kTest},
};

// What one unit does to %a: the pairs of them show how long a result takes from unit to unit.
struct Step {
  const char* name;
  const char* text;
  bool reads_late = false;  // what it reads must stay in its register for a while
};
constexpr Step kUnitSteps[] = {
    {"alu", "xor.b32 %a, %a, %b"},
    {"imad", "mad.lo.u32 %a, %a, %b, %c"},
    {"ffma", "fma.rn.f32 %a, %a, %b, %c"},
    {"popc", "popc.b32 %a, %a", true},
    {"mufu", "ex2.approx.ftz.f32 %a, %a", true},
    {"shfl", "shfl.bfly.b32 %a, %a, 1", true},
    {"i2f", "cvt.rn.f32.u32 %a, %a"},
    {"f16", "fma.rn.f16x2 %a, %a, %b, %c"},
};

// An operation of a stream: `#` is the stream's number.
struct Stream {
  const char* name;
  const char* start;
  const char* step;
  const char* result;
  bool throughout;          // measured with every number of warps
  bool alternates = false;  // its two operations are on different units
};
constexpr Stream kStreams[] = {
    {"fma.f32", "add.f32 %x#, %f, %w#", "fma.rn.f32 %x#, %x#, %g, %h", "%x#", true},
    {"mad.lo.u32", "add.u32 %x#, %a, #", "mad.lo.u32 %x#, %x#, %b, %c", "%x#", true},
    {"xor.add", "add.u32 %x#, %a, #", "xor.b32 %x#, %x#, %b; add.u32 %x#, %x#, %c", "%x#", true, true},
    {"shfl.bfly", "add.u32 %x#, %a, #", "shfl.bfly.b32 %x#, %x#, 1", "%x#", true},
    {"popc", "add.u32 %x#, %a, #", "popc.b32 %x#, %x#", "%x#", false},
    {"ex2", "add.f32 %x#, %f, %w#", "ex2.approx.ftz.f32 %x#, %x#", "%x#", false},
    {"i2f", "add.u32 %x#, %a, #", "cvt.rn.f32.u32 %x#, %x#", "%x#", false},
    {"fma.f16x2", "add.u32 %x#, %a, #", "fma.rn.f16x2 %x#, %x#, %b, %c", "%x#", false},
    {"min.max", "add.u32 %x#, %a, #", "max.u32 %x#, %x#, %b; min.u32 %x#, %x#, %c", "%x#", false},
};

std::string stream_name(const Stream& stream, unsigned streams, unsigned warps) {
  return "stream/" + std::string(stream.name) + ".ilp" + std::to_string(streams) + ".w" + std::to_string(warps);
}

// Four streams of two operations on different units, in the order that ptxas gives them.
std::string alternating(const std::string& steps, unsigned rounds) {
  const std::string one = steps.substr(0, steps.find(';')), other = steps.substr(steps.find(';') + 1);
  std::string text;
  for (unsigned round = 0; round < rounds; ++round) {
    text += numbered(one, 0) + "\n" + (round == 0 ? "" : numbered(other, 3) + "\n");
    text += numbered(one, 1) + "\n" + numbered(one, 2) + "\n" + numbered(other, 0) + "\n";
    text += numbered(one, 3) + "\n" + numbered(other, 1) + "\n" + numbered(other, 2) + "\n";
  }
  return text + numbered(other, 3) + "\n";
}

void add_stream(Kernels& kernels, const Stream& stream, unsigned streams, unsigned warps, KernelSet set) {
  KernelText kernel;
  kernel.results.clear();
  std::string round;
  for (unsigned k = 0; k < streams; ++k) {
    kernel.before += numbered(stream.start, k) + "\n";
    kernel.results.push_back(numbered(stream.result, k));
  }
  const unsigned in_round = std::string_view(stream.step).find(';') == std::string_view::npos ? streams : 2 * streams;
  if (stream.alternates && streams == 4) {
    kernel.region = alternating(stream.step, 64 / in_round);
    return kernels.add(stream_name(stream, streams, warps), "throughput", set, warps, kernel);
  }
  // Instruction by instruction through the streams.
  const std::string steps = stream.step;
  for (std::size_t from = 0; from < steps.size();) {
    const std::size_t end = std::min(steps.find(';', from), steps.size());
    for (unsigned k = 0; k < streams; ++k) round += numbered(steps.substr(from, end - from), k) + "\n";
    from = end + 1;
  }
  kernel.region = repeated(round, 64 / in_round);
  kernels.add(stream_name(stream, streams, warps), "throughput", set, warps, kernel);
}

}  // namespace

void add_chains(Kernels& kernels) {
  for (const Chain& chain : kChains)
    kernels.add("chain/" + std::string(chain.name), "chains", chain.set, 1,
                {"", repeated(chain.step, chain.times), {chain.result}, 0, ""});
  unsigned count = 0;
  for (const Step& one : kUnitSteps) {
    for (const Step& other : kUnitSteps) {
      if (&other <= &one) continue;
      const bool turned = other.reads_late && !one.reads_late;  // the clock behind the region should not wait for it
      const std::string first = turned ? other.text : one.text, second = turned ? one.text : other.text;
      kernels.add("pair/" + std::string(one.name) + "." + other.name, "chains", ++count % 3 == 0 ? kTest : kFit, 1,
                  {"", repeated(first + "\n" + second, 8), {"%a"}, 0, ""});
    }
  }
  for (const unsigned warps : {2U, 4U, 8U, 16U, 32U})
    kernels.add("chain/add.xor.w" + std::to_string(warps), "chains", warps == 8 ? kFit : kTest, warps,
                {"", repeated(kChains[0].step, 16), {"%a"}, 0, ""});
}

void add_streams(Kernels& kernels) {
  for (const Stream& stream : kStreams) {
    for (const unsigned streams : {1U, 2U, 4U}) {
      for (const unsigned warps : {1U, 4U, 8U, 16U, 32U}) {
        const bool wanted = stream.throughout ? streams != 2 || warps == 8 : streams == 4 && warps != 4 && warps != 16;
        const bool unseen = warps == 16 || warps == 4 || streams == 2;
        if (wanted) add_stream(kernels, stream, streams, warps, unseen ? kTest : kFit);
      }
    }
  }
  for (const unsigned warps : {1U, 8U, 16U}) {
    KernelText kernel{"", "", {"%u"}, 0, "add.f64 %y0, %y0, %y1; add.f64 %y2, %y2, %y3; add.f64 %u, %y0, %y2"};
    std::string first, round;
    for (unsigned k = 0; k < 4; ++k) {
      kernel.before += numbered("cvt.f64.f32 %x#, %w#\n", k);
      first += numbered("fma.rn.f64 %y#, %x#, %u, %v\n", k);
      round += numbered("fma.rn.f64 %y#, %y#, %u, %v\n", k);
    }
    kernel.region = first + repeated(round, 11);
    kernels.add("stream/fma.f64.ilp4.w" + std::to_string(warps), "throughput", warps == 16 ? kTest : kFit, warps,
                kernel);
  }
}

}  // namespace warpsim
