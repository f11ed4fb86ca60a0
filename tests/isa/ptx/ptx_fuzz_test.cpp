// Mutated PTX: no text crashes the reader, hangs it or exhausts memory, and each is read or gets an error.
//
// Shapes: WARPSIM_FUZZ_ROUNDS sets how many, or WARPSIM_FUZZ_SECONDS for how long; WARPSIM_FUZZ_SEED, 0 to 20, which:
//         each seed has other texts, so that processes can share the work. With WARPSIM_FUZZ_KEEP=FILE each text is
//         written there before it is read: after a crash it is the one. Nothing else is read, so the test can run
//         anywhere: warpsim_tests --gtest_filter='PtxFuzz.*'.
// Source: seeds written for this test.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "isa/ptx/ptx_modules.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "sim/machine/machine.h"

namespace warpsim::ptx {
namespace {

const std::array<std::string, 7> kSeeds = {
    ".version 9.0\n.target sm_90, debug\n.address_size 64\n.visible .entry saxpy(.param .u64 .ptr .global .align 4 x,\n"
    " .param .f32 a) .maxntid 256, 1, 1\n{\n .reg .pred %p<3>; .reg .b64 %rd<5>;\n .loc 1 6 0\n"
    " ld.param.u64 %rd1, [x]; @!%p1 bra $L1;\n mov.f32 %f1, 0f3F800000;\n"
    " shfl.sync.up.b32 %r11|%p2, %r8, 1, 0, -1;\n $L1: ret;\n}\n.file 1 \"saxpy.cu\"\n",
    ".version 8.5\n.target sm_80\n.address_size 64\n.global .align 8 .b8 table[2][4] = {{1, 2}, {0xff(f), "
    "generic(t)+4}};\n"
    ".func (.param .b32 r) f (.param .align 8 .b8 s[16]) .noreturn;\n.extern .shared .align 16 .b8 open[];\n"
    ".entry k() { { .param .b32 p0; call.uni (p0), f, (s), proto; }\n t: .branchtargets A, B;\n"
    " proto: .callprototype (.param .b32 _) _ (.param .b64 _);\n A: B: brx.idx %r1, t; exit; }\n",
    ".version 7.0\n.target sm_70\n.address_size 64\n.const .u32 x = (1 + 2) * 3 - (4 ? 5 : 6) / 7 << 8 | ~9 & !10;\n"
    ".entry k() { ld.const.v4.f32 {%f1, _, %f2.x, %f3}, [x+4*8-2]; tex.2d.v4.f32.f32 {a,b,c,d}, [t, {e, f}]; }\n"
    ".section .debug_str { $L__info_string0: .b8 95,90,0 }\n.alias k2, k; // end\n",
    ".version 9.0\n.target sm_90\n.address_size 64\n.const .u32 c[3] = {7, 8};\n.global .u64 t[2] = {f, c+4};\n"
    ".extern .shared .align 16 .b8 d[];\n.func (.param .b32 r) f(.param .b32 n) {\n.reg .b32 %r<9>; .reg .pred %p; "
    ".local .align 8 .b8 l[16];\nld.param.u32 %r1, [n]; setp.lt.u32 %p, %r1, 2; @%p bra e; { .param .b32 a; "
    "st.param.b32 [a], %r1; .param .b32 b; call (b), f, (a); ld.param.b32 %r4, [b]; }\ne: st.param.b32 [r], %r1; ret; "
    "}\n"
    ".entry k(.param .u64 y, .param .align 8 .b8 s[24]) { .reg .b64 %rd<9>; .reg .b32 %r<9>; .local .b32 m[4];\n"
    "ld.param.v2.u32 {%r1, %r2}, [s+8]; mov.u64 %rd1, m; st.local.u32 [%rd1+4], %r1; cvta.local.u64 %rd1, %rd1; "
    "ld.u32 %r3, [%rd1+4]; x: .branchtargets A, B; and.b32 %r4, %r3, 1; brx.idx %r4, x; A: mov.u64 %rd2, d; "
    "B: ld.const.u32 %r5, [c+4]; ld.global.u64 %rd3, [t]; p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r5; call (b), %rd3, (a), p; } ret; }\n",
    ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b64 r) "
    "__cudaCDP2GetParameterBufferV2(.param "
    ".b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);\n.extern .func (.param .b32 r) "
    "cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);\n.extern .entry far();\n.shared .b32 s[8];\n.weak .entry "
    "c(.param "
    ".u64 y, .param .u32 n) { .reg .b64 %rd<2>; .reg .b32 %r<3>; ld.param.u32 %r1, [n]; st.shared.u32 [s], %r1; "
    "mov.u64 "
    "%rd1, far; ret; }\n.entry k(.param .u64 y) { .reg .b64 %rd<5>; mov.u64 %rd1, c; { .param .b64 p0; st.param.b64 "
    "[p0], "
    "%rd1; .param .align 4 .b8 p1[12]; st.param.b32 [p1], 2; st.param.b32 [p1+4], 1; st.param.b32 [p1+8], 1; .param "
    ".align "
    "4 .b8 p2[12]; st.param.b32 [p2], 2; st.param.b32 [p2+4], 1; st.param.b32 [p2+8], 1; .param .b32 p3; st.param.b32 "
    "[p3], 0; .param .b64 r0; call (r0), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3); ld.param.b64 %rd2, [r0]; } "
    "st.u64 [%rd2], %rd1; { .param .b64 q0; st.param.b64 [q0], %rd2; .param .b64 q1; st.param.b64 [q1], 3; .param .b32 "
    "s0; "
    "call (s0), cudaLaunchDeviceV2, (q0, q1); } ret; }\n",
    ".version 9.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b64 s;\n.func f(.reg .pred q, .reg .v2 .u32 v) { "
    "ret; }\n"
    ".func g() .visible .func h(.reg .pred p) { .global .u32 i = 5; .const .u32 j[2] = {1, i}; st.u32 [s+4], 7; ret; "
    "}\n"
    ".entry k(.param .u64 y) { .reg .v4 .u32 v; .reg .b32 %r<9>; .reg .pred %p<5>; .reg .b64 %rd<4>; .reg .b16 %h<3>; "
    ".reg .f32 %f;\n"
    "mov.v4.u32 v, {%r1, 2, v.w, (3 + 4) * 5}; mov.v2.u32 {v.x, v.y}, {v.y, v.x}; setp.hs.u32 %p1, v.x, %r1; call h, "
    "(%p1);\n"
    "lop3.or.b32 _|%p2, %r1, %r2, %r3, 0x96, !%p1; elect.sync %r5|%p3, -1; min.relu.s16x2 %r1, %r2, 7; max.relu.s32 "
    "%r1, %r2, -1;\n"
    "cvt.rn.relu.satfinite.bf16.f32 %h1, %f; createpolicy.fractional.L2::evict_first.b64 %rd1, 0.5; mov.u32 %r1, s;\n"
    "ld.param.u64 %rd2, [y]; cp.async.ca.shared.global.L2::128B [%r1], [%rd2], 4, %p1; mbarrier.init.shared.b64 [s], "
    "1;\n"
    "cp.async.mbarrier.arrive.noinc.shared.b64 [s]; mbarrier.pending_count.b64 %r2, %rd3; t: .calltargets h; ret; }\n",
    ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() { .reg .b32 %r<9>; .reg .pred %p;\n"
    "vadd.s32.u32.s32.sat.max %r1, %r2.b3, %r3.h1, %r4; vsub.u32.u32.u32.sat %r1.h1, %r2, 5, %r4; "
    "vshl.s32.s32.u32.wrap %r1, %r2, %r3;\n"
    "vmad.s32.s32.u32.sat.shr15 %r1, -%r2.h0, %r3.b1, %r4; vmad.u32.u32.u32.po.shr7 %r1, %r2, %r3, %r4; "
    "vset.u32.s32.ge.add %r1, %r2.b0, %r3, %r4;\n"
    "vavrg4.u32.s32.u32 %r1.b310, %r2.b7610, %r3.b0123, %r4; @%p vabsdiff2.u32.s32.s32.add %r1.h0, %r2.h13, %r3, %r4; "
    "vset2.s32.s32.lt %r1, %r2, %r3, 0;\n"
    "ret; }\n"};

constexpr std::array<std::string_view, 24> kWords = {
    "{",    "}",  "(",  ")",  "[",  "]",  ";",          ",", ".entry", ".func", ".param",   ".reg",
    ".b32", "0x", "0f", "/*", "*/", "\"", ".loc 1 2 3", "@", "-",      "<",     ".section", "18446744073709551615"};

std::string mutated(std::string text, std::mt19937& random) {
  for (auto n = 1 + random() % 6; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size(), length = random() % 12;
    switch (random() % 6) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, kWords[random() % kWords.size()]); break;
      case 2: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
      case 3: text[at] = static_cast<char>(random() % 256); break;
      case 4: text.resize(at); break;
      default: text[at] = static_cast<char>(text[at] ^ (1 << random() % 7)); break;
    }
  }
  return text;
}

// What a kernel of such a text does with nothing to work on: it ends, or stops with a trap.
void run_some(const ReadModule& read) {
  for (const Function& one : read.module.functions) {
    if (!one.is_entry || !one.has_body) continue;
    Diagnostics diagnostics;
    const std::optional<Program> program = make_program(read.module, one, diagnostics);
    ASSERT_EQ(program.has_value(), !diagnostics.has_errors()) << diagnostics.render();
    if (!program) continue;
    if (const auto written = write_ptx(*program, {});
        const PtxKernel* const kernel = std::get_if<PtxKernel>(&written)) {
      EXPECT_EQ(read_module(ptx_module({kernel, 1}), "written").diagnostics.render(), "");
    }
    LaunchConfig config;
    config.schedule = kBlocksSchedule;
    config.reconvergence = Reconvergence::Independent;
    config.max_cycles = 3000;
    DeviceMemory memory;
    Binding binding;
    binding.params.assign(program->params.size(), 0);
    auto made = Machine::create(*program, config, binding, memory);
    if (Machine* const machine = std::get_if<Machine>(&made)) {
      EventSink watcher;
      EventSink* const sinks[] = {&watcher};
      static_cast<void>(machine->run(sinks));
    }
  }
}

// Two texts that are read may be one program, or have names that do not fit.
void link_some(const std::string& one, const std::string& other) {
  std::vector<ReadModule> modules;
  for (const std::string& text : {one, other}) {
    modules.push_back(read_module(text, "fuzz", static_cast<std::uint32_t>(modules.size())));
    if (modules.back().diagnostics.has_errors()) return;
  }
  const ReadModule linked = link(std::move(modules));
  if (!linked.diagnostics.has_errors()) run_some(linked);
}

std::uint32_t setting(const char* name, std::uint32_t without) {
  const char* const given = std::getenv(name);
  return given == nullptr ? without : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
}

TEST(PtxFuzz, MutatedTexts) {
  constexpr std::uint32_t kTextsOfASeed = 200'000'000;
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::seconds time(setting("WARPSIM_FUZZ_SECONDS", 0));
  const std::uint32_t most = time.count() != 0 ? kTextsOfASeed : setting("WARPSIM_FUZZ_ROUNDS", 10'000);
  const std::uint32_t first = setting("WARPSIM_FUZZ_SEED", 0) * kTextsOfASeed;
  const char* const keep = std::getenv("WARPSIM_FUZZ_KEEP");
  for (const std::string& seed : kSeeds) EXPECT_EQ(read_module(seed, "seed").diagnostics.render(), "");
  std::uint32_t whole = 0, rounds = 0;
  for (; rounds < most; ++rounds) {
    if (time.count() != 0 && std::chrono::steady_clock::now() - begin > time) break;
    const std::uint32_t i = first + rounds;
    std::mt19937 random(i);
    const std::string text = mutated(kSeeds[i % kSeeds.size()], random);
    if (keep != nullptr) std::ofstream(keep, std::ios::binary) << text;
    SCOPED_TRACE("text " + std::to_string(i));
    const ReadModule read = read_module(text, "fuzz");
    ASSERT_LE(read.diagnostics.list.size(), 21U) << text;
    ASSERT_LT(read.diagnostics.render().size(), 100'000U);
    for (const Diagnostic& one : read.diagnostics.list) {
      ASSERT_FALSE(one.code.empty() || one.message.empty());
      for (const char c : one.message + one.hint) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20) << one.message;
    }
    for (const EntrySummary& entry : summarize(read.module)) ASSERT_NE(entry.function, nullptr);
    if (!read.diagnostics.has_errors()) run_some(read);
    if (!read.diagnostics.has_errors()) link_some(text, mutated(kSeeds[(i + 1) % kSeeds.size()], random));
    for (const Declaration& object : read.module.objects)
      if (object.initializer) static_cast<void>(constant_of(*object.initializer));
    whole += read.diagnostics.has_errors() ? 0 : 1;
  }
  RecordProperty("texts", static_cast<int>(rounds));
  EXPECT_GT(whole, rounds / 50) << "some are still PTX";
  EXPECT_LT(whole, rounds - rounds / 50) << "and some are not";
}

}  // namespace
}  // namespace warpsim::ptx
