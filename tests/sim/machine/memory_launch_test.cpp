// Launches on a memory that was there before them and stays behind them.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "sim/machine/machine.h"
#include "sim/memory/device_memory.h"
#include "tests/support/korean_text.h"

namespace warpsim {
namespace memory_launch_test {

constexpr const char* kDouble = R"(.kernel k (in a: u32[], out o: u32[])
    ld.global.u32 %v, a[%gtid]
    shl.b32 %v, %v, 1
    st.global.u32 o[%gtid], %v
    exit
)";
// The same through pointers.
constexpr const char* kDoublePointed = R"(.kernel k (in a: u32[], out o: u32[])
    mov.u64 %from, a
    mov.u64 %to, o
    mul.wide.u32 %offset, %gtid, 4
    add.u64 %from, %from, %offset
    add.u64 %to, %to, %offset
    ld.global.u32 %v, [%from]
    shl.b32 %v, %v, 1
    st.global.u32 [%to], %v
    exit
)";
constexpr std::uint64_t kCount = 32, kBytes = 4 * kCount;

struct Launched {
  std::string refused;
  RunResult result;
  Array in, out;
};

Launched launch(const std::string& text, DeviceMemory& memory, std::vector<std::uint64_t> params,
                std::vector<EventSink*> sinks = {}) {
  Assembled assembled = assemble(text, "test.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  if (!assembled.lesson()) return {};
  std::variant<Machine, LaunchError> made =
      Machine::create(*assembled.lesson(), {}, Binding{std::move(params)}, memory);
  if (const LaunchError* e = std::get_if<LaunchError>(&made)) return {e->code + " " + e->message, {}, {}, {}};
  Machine& machine = std::get<Machine>(made);
  Launched done{"", machine.run(sinks), machine.buffer("a"), machine.buffer("o")};
  if (!done.result.ok) testing::expect_korean(done.result.trap);
  return done;
}

std::uint64_t allocated(DeviceMemory& memory, const std::string& name, std::uint64_t size = kBytes) {
  return memory.allocate(size, name).value_or(0);
}

std::uint64_t counting(DeviceMemory& memory, const std::string& name) {
  const std::uint64_t at = allocated(memory, name);
  std::vector<std::uint32_t> numbers(kCount);
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::memcpy(memory.find(at, kBytes)->bytes, numbers.data(), kBytes);
  return at;
}

TEST(MemoryLaunch, TheSecondLaunchSeesWhatTheFirstOneStored) {
  for (const char* const text : {kDouble, kDoublePointed}) {
    DeviceMemory memory;
    const std::uint64_t a = counting(memory, "a"), b = allocated(memory, "b"), c = allocated(memory, "c");
    ASSERT_TRUE(launch(text, memory, {a, b}).result.ok);
    const Launched second = launch(text, memory, {b, c});
    ASSERT_TRUE(second.result.ok);
    for (std::uint64_t k = 0; k < kCount; ++k) {
      EXPECT_EQ(second.in.bits[k], 2 * k);
      EXPECT_EQ(second.out.bits[k], 4 * k);
    }
  }
}

TEST(MemoryLaunch, ABorrowedBufferIsWrittenInPlace) {
  DeviceMemory memory;
  std::vector<std::uint32_t> host(kCount, 7);
  const std::uint64_t a = counting(memory, "a");
  const std::uint64_t o = memory.borrow(std::as_writable_bytes(std::span(host)), "host").value_or(0);
  ASSERT_TRUE(launch(kDouble, memory, {a, o}).result.ok);
  for (std::uint32_t k = 0; k < kCount; ++k) EXPECT_EQ(host[k], 2 * k);
}

TEST(MemoryLaunch, AParameterMayPointIntoTheMiddleOfAnAllocation) {
  DeviceMemory memory;
  const std::uint64_t heap = allocated(memory, "heap", 3 * kBytes);
  for (std::uint32_t k = 0; k < kCount; ++k) std::memcpy(memory.find(heap, 0)->bytes + kBytes + 4 * k, &k, sizeof k);
  const Launched run = launch(kDouble, memory, {heap + kBytes, heap + 2 * kBytes});
  ASSERT_TRUE(run.result.ok) << english(run.result.trap.message);
  EXPECT_EQ(run.in.bits.size(), 2 * kCount) << "to the end of the allocation";
  EXPECT_EQ(run.out.bits.size(), kCount);
  EXPECT_EQ(run.out.bits[31], 62U);
  // One that is both: nothing says that the allocation may not be written.
  EXPECT_TRUE(launch(kDoublePointed, memory, {heap, heap + 4}).result.ok);
  // Not from its middle to behind its end.
  const Launched past = launch(kDouble, memory, {heap, heap + 2 * kBytes + 8});
  EXPECT_EQ(english(past.result.trap.message),
            "lane 30 writes o[30], 1 element past the end of its 30; so does 1 other lane");
}

TEST(MemoryLaunch, UseAfterFreeTraps) {
  for (const char* const text : {kDouble, kDoublePointed}) {
    DeviceMemory memory;
    const std::uint64_t a = counting(memory, "input"), o = allocated(memory, "o");
    ASSERT_TRUE(memory.free(a));
    const Launched run = launch(text, memory, {a, o});
    EXPECT_EQ(run.result.trap.kind, TrapKind::OutOfBounds);
    EXPECT_EQ(english(run.result.trap.message).substr(english(run.result.trap.message).find(", ")),
              ", in input, which was freed; so do 31 other lanes");
  }
}

TEST(MemoryLaunch, AParameterBoundToNothingTrapsWhereItIsUsed) {
  DeviceMemory memory;
  const std::uint64_t a = counting(memory, "a");
  const Launched run = launch(kDouble, memory, {a, 0});
  EXPECT_EQ(english(run.result.trap.message),
            "lane 0 writes o[0], but nothing is allocated at 0x0; so do 31 other lanes");
  EXPECT_TRUE(launch(".kernel k (in a: u32[], out o: u32[])\n exit\n", memory, {0, 0}).result.ok);
}

TEST(MemoryLaunch, MarkedMemoryIsNotWritten) {
  DeviceMemory memory;
  const std::uint64_t a = counting(memory, "a"), o = allocated(memory, "o");
  ASSERT_TRUE(memory.set_read_only(o, true));
  for (const char* const text : {kDouble, kDoublePointed}) {
    const Launched run = launch(text, memory, {a, o});
    EXPECT_EQ(run.result.trap.kind, TrapKind::ReadOnly);
    EXPECT_NE(english(run.result.trap.message).find("which is read-only memory"), std::string::npos);
  }
  ASSERT_TRUE(memory.set_read_only(o, false));
  EXPECT_TRUE(launch(kDouble, memory, {a, o}).result.ok);
  // What the kernel takes as `in` only is not written through a pointer either.
  const Launched backwards = launch(R"(.kernel k (in a: u32[], out o: u32[])
    mov.u64 %to, a
    st.global.u32 [%to], %laneid
    exit
)",
                                    memory, {a, o});
  EXPECT_EQ(backwards.result.trap.kind, TrapKind::ReadOnly);
}

// A pointer that was stored leads to an allocation that no parameter names.
TEST(MemoryLaunch, APointerMayLeadWhereNoParameterIsBound) {
  DeviceMemory memory;
  const std::uint64_t table = allocated(memory, "table", 8), data = allocated(memory, "data", 4);
  std::memcpy(memory.find(table, 8)->bytes, &data, 8);
  EventSink sink;
  for (const bool watched : {false, true}) {
    const Launched run =
        launch(R"(.kernel k (in a: u64[], out o: u64[])
    ld.global.u64 %p, a[0]
    st.global.u32 [%p], 42
    exit
)",
               memory, {table, table}, watched ? std::vector<EventSink*>{&sink} : std::vector<EventSink*>{});
    ASSERT_TRUE(run.result.ok) << english(run.result.trap.message);
    EXPECT_EQ(memory.find(data, 1)->bytes[0], std::byte{42});
    memory.find(data, 1)->bytes[0] = std::byte{0};
  }
}

TEST(MemoryLaunch, EveryParameterIsBound) {
  DeviceMemory memory;
  EXPECT_EQ(launch(kDouble, memory, {0}).refused, "L003 the kernel has 2 parameters, of which 1 are bound");
}

// Who watches a launch is told what it began with.
TEST(MemoryLaunch, ArgumentsAreWhatAWatchedRunBeganWith) {
  struct Begun : EventSink {
    Arguments arguments;
    void on_start(const Machine& machine) override { arguments = machine.arguments(); }
  } begun;
  DeviceMemory memory;
  const std::uint64_t a = counting(memory, "a"), o = allocated(memory, "o");
  ASSERT_TRUE(launch(kDouble, memory, {a, o}, {&begun}).result.ok);
  EXPECT_EQ(begun.arguments.buffers["a"].bits[5], 5U);
  EXPECT_EQ(begun.arguments.buffers["o"].bits, std::vector<std::uint64_t>(kCount, 0));
}

}  // namespace memory_launch_test
}  // namespace warpsim
