// Logs written by hand, word by word as isa/ptx_writer/ptx_writer.h describes them, and the traces that they become.
#include "tools/cuda/recording/gpu_trace.h"

#include <gtest/gtest.h>

#include <bit>
#include <optional>

#include "isa/assembly/assembler.h"
#include "isa/ptx_writer/ptx_writer.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kOn = std::uint64_t{1} << 32, kInRange = std::uint64_t{1} << 33;
std::uint64_t from(std::uint64_t lane) { return lane << 40; }

// A launch that is not run, and what its threads would have written.
struct Launch {
  explicit Launch(const std::string& text, unsigned lanes, Dim3 block = {0, 1, 1}, Dim3 grid = {1, 1, 1}) {
    Assembled assembled = assemble(text, "test.warp");
    EXPECT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
    program = *assembled.lesson();
    LaunchConfig config;
    config.lanes = lanes;
    config.grid = grid;
    config.block = block;
    Arguments arguments;
    for (const Param& p : program.params)
      if (p.is_buffer()) arguments.buffers[p.name] = {p.type, std::vector<std::uint64_t>(16)};
    machine = std::get<Machine>(Machine::create(program, config, arguments));
    threads_a_block = ptx_block(lanes, machine->config().block).count();
    threads.resize(threads_a_block * grid.count(), {1});
  }
  // The words of one lane, after those that it has.
  void lane(unsigned lane, const std::vector<std::uint64_t>& words, unsigned warp = 0, unsigned block = 0) {
    std::vector<std::uint64_t>& have = threads[block * threads_a_block + warp * 32 + lane];
    have.insert(have.end(), words.begin(), words.end());
    have[0] = have.size();
  }
  Trace trace() const {
    GpuLog log;
    log.words_a_thread = 64;
    log.threads_a_block = threads_a_block;
    for (std::vector<std::uint64_t> words : threads) {
      words.resize(log.words_a_thread, ~std::uint64_t{0});  // nothing after what was written may be read
      log.words.insert(log.words.end(), words.begin(), words.end());
    }
    return gpu_trace(*machine, log, {&program, "NVIDIA H200", "by hand", {}, {}});
  }
  std::uint64_t address(const char* buffer) const { return machine->buffer_address(program.find_param(buffer)); }

  Lesson program;
  std::optional<Machine> machine;
  std::uint64_t threads_a_block = 0;
  std::vector<std::vector<std::uint64_t>> threads;
};

std::vector<std::pair<std::int32_t, LaneMask>> pcs_and_groups(const Trace& trace) {
  std::vector<std::pair<std::int32_t, LaneMask>> list;
  for (const TraceEvent& event : trace.events) list.emplace_back(event.pc, event.group);
  return list;
}

TEST(GpuTrace, TheHeadNamesTheGpuAndCyclesAreEmpty) {
  Launch launch(".kernel k ()\n mov.u32 %x, 7\n exit\n", 2);
  for (unsigned l : {0U, 1U}) launch.lane(l, {0 | kOn, 7, 1 | kOn});
  const Trace trace = launch.trace();
  EXPECT_EQ(trace.head.backend, "NVIDIA H200");
  EXPECT_EQ(trace.head.case_name, "by hand");
  EXPECT_EQ(trace.head.lanes, 2U);
  ASSERT_EQ(trace.events.size(), 2U);
  for (const TraceEvent& event : trace.events) EXPECT_FALSE(event.cycle.has_value());
  EXPECT_EQ(trace.outcome.instructions, 2U);
  ASSERT_EQ(trace.events[1].masks.size(), 1U);
  EXPECT_EQ(trace.events[1].masks[0].kind, TraceMask::Kind::Exit);
  EXPECT_EQ(trace.events[1].masks[0].taken, 0b11U);
}

TEST(GpuTrace, AGuardSwitchesLanesOff) {
  Launch launch(".kernel k ()\n setp.lt.u32 %p, %laneid, 2\n mov.u32 %x, 1\n @%p mov.u32 %x, 9\n exit\n", 4);
  for (unsigned l = 0; l < 4; ++l) {
    launch.lane(l, {0 | kOn, l < 2 ? 1U : 0U, 1 | kOn, 1});
    if (l < 2) launch.lane(l, {2 | kOn, 9});
    else launch.lane(l, {2});
    launch.lane(l, {3 | kOn});
  }
  const Trace trace = launch.trace();
  ASSERT_EQ(trace.events.size(), 4U);
  ASSERT_EQ(trace.events[0].writes.size(), 1U);
  EXPECT_EQ(trace.events[0].writes[0].bits, (std::vector<std::uint64_t>{1, 1, 0, 0}));  // a predicate
  const TraceEvent& guarded = trace.events[2];
  EXPECT_EQ(guarded.group, 0b1111U);
  EXPECT_EQ(guarded.active, 0b0011U);
  ASSERT_EQ(guarded.writes.size(), 1U);
  EXPECT_EQ(guarded.writes[0].lanes, 0b0011U);
  EXPECT_EQ(guarded.writes[0].undefined, 0U);
  EXPECT_EQ(guarded.writes[0].bits, (std::vector<std::uint64_t>{9, 9}));
}

TEST(GpuTrace, AShuffleHasItsSourcesAndWhoIsInRange) {
  Launch launch(".kernel k ()\n mov.u32 %x, %laneid\n shfl.up.b32 %y|%there, %x, 1\n exit\n", 4);
  for (std::uint64_t l = 0; l < 4; ++l) {
    const std::uint64_t source = l == 0 ? 0 : l - 1, there = l == 0 ? 0 : kInRange;
    launch.lane(static_cast<unsigned>(l),
                {0 | kOn, l, 1 | kOn | there | from(source), source, l == 0 ? 0U : 1U, 2 | kOn});
  }
  const Trace trace = launch.trace();
  ASSERT_EQ(trace.events.size(), 3U);
  const TraceEvent& shuffle = trace.events[1];
  ASSERT_TRUE(shuffle.exchange);
  EXPECT_EQ(shuffle.exchange->lanes, 0b1111U);
  EXPECT_EQ(shuffle.exchange->from, (std::vector<std::uint8_t>{0, 0, 1, 2}));
  EXPECT_EQ(shuffle.exchange->in_range, 0b1110U);
  EXPECT_EQ(shuffle.exchange->undefined, 0U);
  ASSERT_EQ(shuffle.writes.size(), 2U);
  EXPECT_EQ(shuffle.writes[0].bits, (std::vector<std::uint64_t>{0, 0, 1, 2}));
  EXPECT_EQ(shuffle.writes[1].bits, (std::vector<std::uint64_t>{0, 1, 1, 1}));
  EXPECT_FALSE(trace.events[0].exchange);
}

TEST(GpuTrace, AccessesKnowTheirObjectAndElement) {
  Launch launch(R"(.kernel k (in a: f32[], out b: u8[])
    .shared u32 one[4]
    .shared u32 two[4]
    ld.global.f32 %x, a[%laneid]
    cvt.u8.u32 %byte, %laneid
    st.global.u8 b[%laneid], %byte
    st.shared.u32 two[%laneid], %laneid
    ld.shared.u32 %y, two[%laneid]
    exit
)",
                2);
  const std::uint64_t a = launch.address("a"), b = launch.address("b");
  const std::uint64_t f = std::bit_cast<std::uint32_t>(1.5F);
  for (std::uint64_t l = 0; l < 2; ++l)
    launch.lane(static_cast<unsigned>(l), {0 | kOn, a + 12 + 4 * l, f + l,  //
                                           1 | kOn, l,                      //
                                           2 | kOn, b + 3 + l, 0xff40 + l,  // a byte is the low eight bits
                                           3 | kOn, 16 + 4 * l, 70 + l,     // two[] follows one[]
                                           4 | kOn, 16 + 4 * l, 70 + l,     //
                                           5 | kOn});
  const Trace trace = launch.trace();
  ASSERT_EQ(trace.events.size(), 6U);
  struct Expected {
    std::size_t event;
    const char *space, *access;
    std::int32_t object;
    std::vector<std::int64_t> index;
    std::vector<std::uint64_t> address, bits;
  };
  const Expected all[] = {{0, "global", "load", 0, {3, 4}, {a + 12, a + 16}, {f, f + 1}},
                          {2, "global", "store", 1, {3, 4}, {b + 3, b + 4}, {0x40, 0x41}},
                          {3, "shared", "store", 1, {0, 1}, {16, 20}, {70, 71}},
                          {4, "shared", "load", 1, {0, 1}, {16, 20}, {70, 71}}};
  for (const Expected& e : all) {
    ASSERT_TRUE(trace.events[e.event].memory);
    const TraceMemory& memory = *trace.events[e.event].memory;
    EXPECT_EQ(name(memory.space), e.space);
    EXPECT_EQ(name(memory.access), e.access);
    EXPECT_EQ(memory.object, (std::vector<std::int32_t>{e.object, e.object})) << e.event;
    EXPECT_EQ(memory.index, e.index) << e.event;
    EXPECT_EQ(memory.address, e.address) << e.event;
    EXPECT_EQ(memory.bits, e.bits) << e.event;
    EXPECT_EQ(memory.ways, memory.is_shared() ? 1U : 0U) << e.event;  // neighbours are in different banks
  }
  ASSERT_EQ(trace.events[0].writes.size(), 1U);
  EXPECT_EQ(trace.events[0].writes[0].bits, (std::vector<std::uint64_t>{f, f + 1}));
  EXPECT_TRUE(trace.events[2].writes.empty());
}

TEST(GpuTrace, AVectorHasItsElementsInOrder) {
  Launch launch(R"(.kernel k (in a: u32[], out b: u32[])
    ld.global.v2.u32 {%x, %y}, a[0]
    st.global.v2.u32 b[2], {%y, %x}
    exit
)",
                1);
  launch.lane(0, {0 | kOn, launch.address("a"), 5, 6, 1 | kOn, launch.address("b") + 8, 6, 5, 2 | kOn});
  const Trace trace = launch.trace();
  ASSERT_EQ(trace.events.size(), 3U);
  ASSERT_TRUE(trace.events[0].memory && trace.events[1].memory);
  EXPECT_EQ(trace.events[0].memory->elements, 2U);
  EXPECT_EQ(trace.events[0].memory->bits, (std::vector<std::uint64_t>{5, 6}));
  ASSERT_EQ(trace.events[0].writes.size(), 2U);
  EXPECT_EQ(trace.events[0].writes[1].bits, (std::vector<std::uint64_t>{6}));
  EXPECT_EQ(trace.events[1].memory->bits, (std::vector<std::uint64_t>{6, 5}));
  EXPECT_EQ(trace.events[1].memory->index, (std::vector<std::int64_t>{2}));
}

// An atomic records what it returned; what memory held between the turns of two lanes cannot be seen.
TEST(GpuTrace, AnAtomicHasAResultAndNoMemory) {
  Launch launch(".kernel k (out sum: u32[])\n atom.global.add.u32 %was, sum[0], 3\n exit\n", 2);
  launch.lane(0, {0 | kOn, launch.address("sum"), 3, 3, 1 | kOn});
  launch.lane(1, {0 | kOn, launch.address("sum"), 3, 0, 1 | kOn});
  const Trace trace = launch.trace();
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_FALSE(trace.events[0].memory);
  ASSERT_EQ(trace.events[0].writes.size(), 1U);
  EXPECT_EQ(trace.events[0].writes[0].bits, (std::vector<std::uint64_t>{3, 0}));
}

// Lane l loops l + 1 times: those that loop again have a lower pc and go first, and all converge after the loop.
TEST(GpuTrace, LanesMergeAtTheLowestPc) {
  Launch launch(R"(.kernel k ()
    mov.u32 %n, 0
again:
    add.u32 %n, %n, 1
    setp.le.u32 %more, %n, %laneid
    @%more bra again
    exit
)",
                4);
  for (std::uint64_t l = 0; l < 4; ++l) {
    const unsigned lane = static_cast<unsigned>(l);
    launch.lane(lane, {0 | kOn, 0});
    for (std::uint64_t n = 1; n <= l + 1; ++n) {
      launch.lane(lane, {1 | kOn, n, 2 | kOn, n <= l ? 1U : 0U});
      launch.lane(lane, {n <= l ? 3 | kOn : 3});
    }
    launch.lane(lane, {4 | kOn});
  }
  const Trace trace = launch.trace();
  const std::vector<std::pair<std::int32_t, LaneMask>> expected = {{0, 0xf}, {1, 0xf}, {2, 0xf}, {3, 0xf}, {1, 0xe},
                                                                   {2, 0xe}, {3, 0xe}, {1, 0xc}, {2, 0xc}, {3, 0xc},
                                                                   {1, 0x8}, {2, 0x8}, {3, 0x8}, {4, 0xf}};
  EXPECT_EQ(pcs_and_groups(trace), expected);
  const TraceEvent& first_branch = trace.events[3];
  ASSERT_EQ(first_branch.masks.size(), 1U);
  EXPECT_EQ(first_branch.masks[0].kind, TraceMask::Kind::Branch);
  EXPECT_EQ(first_branch.masks[0].taken, 0xeU);
  EXPECT_EQ(first_branch.masks[0].not_taken, 0x1U);
  EXPECT_EQ(first_branch.masks[0].target, 1);
  EXPECT_EQ(first_branch.masks[0].reconvergence, 4);
  EXPECT_EQ(trace.events[5].writes[0].bits, (std::vector<std::uint64_t>{0, 1, 1}));  // n is 2 in lanes 1 to 3
}

// Warp 1 has two instructions more before the barrier than warp 0, which must wait.
TEST(GpuTrace, WarpsWaitForEachOtherAtABarrier) {
  Launch launch(R"(.kernel k ()
    setp.eq.u32 %first, %warpid, 0
    @%first bra meet
    mov.u32 %x, 1
    mov.u32 %x, 2
meet:
    bar.sync 0
    mov.u32 %y, 3
    exit
)",
                4, {6, 1, 1});  // warp 1 has two lanes
  for (unsigned l = 0; l < 4; ++l) launch.lane(l, {0 | kOn, 1, 1 | kOn, 4 | kOn, 5 | kOn, 3, 6 | kOn}, 0);
  for (unsigned l = 0; l < 2; ++l)
    launch.lane(l, {0 | kOn, 0, 1, 2 | kOn, 1, 3 | kOn, 2, 4 | kOn, 5 | kOn, 3, 6 | kOn}, 1);
  const Trace trace = launch.trace();
  std::vector<std::pair<std::uint32_t, std::int32_t>> order;
  for (const TraceEvent& event : trace.events) {
    order.emplace_back(event.warp, event.pc);
    EXPECT_EQ(event.group, event.warp == 0 ? 0xfU : 0x3U);
  }
  const std::vector<std::pair<std::uint32_t, std::int32_t>> expected = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {1, 3},
                                                                        {0, 4}, {1, 4}, {0, 5}, {1, 5}, {0, 6}, {1, 6}};
  EXPECT_EQ(order, expected);
}

TEST(GpuTrace, BlocksHaveTheirOwnThreads) {
  Launch launch(".kernel k ()\n mov.u32 %x, %ctaid.x\n exit\n", 2, {0, 1, 1}, {2, 1, 1});
  for (unsigned block : {0U, 1U})
    for (unsigned l : {0U, 1U}) launch.lane(l, {0 | kOn, block, 1 | kOn}, 0, block);
  const Trace trace = launch.trace();
  ASSERT_EQ(trace.events.size(), 4U);
  EXPECT_EQ(trace.events[2].block, 1U);
  EXPECT_EQ(trace.events[2].writes[0].bits, (std::vector<std::uint64_t>{1, 1}));
}

// A log that was too short says how long it should have been.
TEST(GpuTrace, ALogSaysHowManyWordsWereWanted) {
  GpuLog log;
  log.words_a_thread = 2;
  log.words = {2, 0, 900, 0, 1, 0};
  EXPECT_EQ(log.wanted(), 900U);
}

}  // namespace
}  // namespace warpsim
