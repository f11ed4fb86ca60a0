// What a host is told of its launches, and hosts with several threads.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/host/interface/c_device.h"
#include "traces/io/reader.h"

namespace warpsim::host {
namespace {

using CCallbacks = CDevice;

struct Told {
  std::string text, code, kernel, file;
  warpsim_severity severity;
  std::uint32_t line, ptx_line, block[3], warp;
  std::uint64_t lanes, launch;
};
void on_finding(void* user, const warpsim_finding* f) {
  static_cast<std::vector<Told>*>(user)->push_back({f->text,
                                                    f->code,
                                                    f->kernel,
                                                    f->file,
                                                    f->severity,
                                                    f->line,
                                                    f->ptx_line,
                                                    {f->block[0], f->block[1], f->block[2]},
                                                    f->warp,
                                                    f->lanes,
                                                    f->launch});
}
void on_text(void* user, const char* text, std::size_t length) {
  static_cast<std::string*>(user)->append(text, length);
}

// All threads of a block but the first store to one word without an order.
const std::string kRace =
    ".file 1 \"race.cu\"\n.visible .entry race(.param .u64 y) {\n.reg .b64 %rd; .reg .b32 %r; .reg .pred %p;\n"
    ".loc 1 3 5\nld.param.u64 %rd, [y]; mov.u32 %r, %tid.x;\n.loc 1 4 9\nst.global.u32 [%rd], %r;\nret; }\n";

TEST_F(CCallbacks, FindingsNameTheSourceAndTheThreads) {
  std::vector<Told> told;
  warpsim_on_finding(device_, on_finding, &told);
  warpsim_kernel* const race = kernel_of(kRace);
  const std::uint64_t y = allocated(4);
  ASSERT_EQ(launch(race, 1, 64, {&y}), WARPSIM_OK) << "a finding does not end a launch";
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told[0].kernel, "race");
  EXPECT_EQ(told[0].file, "race.cu");
  EXPECT_EQ(told[0].line, 4U);
  EXPECT_EQ(told[0].ptx_line, 10U);
  EXPECT_EQ(told[0].launch, 1U);
  EXPECT_NE(told[0].severity, WARPSIM_TRAPPED);
  EXPECT_NE(told[0].text.find(told[0].code), std::string::npos);

  told.clear();
  warpsim_kernel* const numbers = kernel_of(kNumbers);
  const std::uint64_t small = allocated(4 * 40);
  const warpsim_shape shape = {sizeof(warpsim_shape), {1, 2, 1}, {64, 1, 1}, 0, 0};
  const void* const parameters[] = {&small};
  EXPECT_EQ(warpsim_launch(numbers, &shape, parameters), WARPSIM_ERROR_TRAP);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].severity, WARPSIM_TRAPPED);
  EXPECT_EQ(told[0].launch, 2U);
  EXPECT_EQ(told[0].warp, 1U) << "40 numbers: lane 8 of the second warp is the first behind them";
  EXPECT_EQ(told[0].lanes, 0xffffff00U);
  EXPECT_EQ(told[0].block[1], 0U);
  EXPECT_EQ(told[0].line, told[0].ptx_line) << "no source is known";

  told.clear();
  warpsim_on_finding(device_, nullptr, nullptr);
  EXPECT_EQ(launch(race, 1, 64, {&y}), WARPSIM_OK);
  EXPECT_TRUE(told.empty());
}

TEST_F(CCallbacks, WithoutChecksThereAreNoFindings) {
  warpsim_device* unchecked = nullptr;
  const warpsim_device_options options = {sizeof(warpsim_device_options), 0};
  ASSERT_EQ(warpsim_create(&options, &unchecked), WARPSIM_OK);
  std::swap(device_, unchecked);
  std::vector<Told> told;
  warpsim_on_finding(device_, on_finding, &told);
  const std::uint64_t y = allocated(4);
  EXPECT_EQ(launch(kernel_of(kRace), 1, 64, {&y}), WARPSIM_OK);
  EXPECT_TRUE(told.empty());
  const std::uint64_t nowhere = 8;
  EXPECT_EQ(launch(kernel_of(kRace), 1, 64, {&nowhere}), WARPSIM_ERROR_TRAP);
  EXPECT_EQ(told.size(), 1U);
  warpsim_destroy(unchecked);
}

TEST_F(CCallbacks, PrintTraceAndStatistics) {
  const std::string text = ptx_text(
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
      ".global .align 1 .b8 format[7] = {116, 32, 37, 100, 10, 0};\n"
      ".visible .entry say() { .local .align 8 .b32 l[2]; .reg .b64 %rd<3>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x;\n"
      "st.local.u32 [l], %r1; mov.u64 %rd1, l; cvta.local.u64 %rd1, %rd1; mov.u64 %rd2, format; cvta.global.u64 %rd2, "
      "%rd2;\n"
      "{ .param .b64 a; st.param.b64 [a], %rd2; .param .b64 b; st.param.b64 [b], %rd1; .param .b32 c; call (c), "
      "vprintf, (a, b); } ret; }\n");
  const warpsim_ptx ptx = {text.c_str(), 0, "say.ptx"};
  warpsim_module* module = nullptr;
  ASSERT_EQ(warpsim_load(device_, &ptx, 1, &module), WARPSIM_OK) << error();
  std::string printed, trace;
  warpsim_statistics last{};
  warpsim_on_print(device_, on_text, &printed);
  warpsim_on_trace(device_, on_text, &trace);
  warpsim_on_statistics(
      device_, [](void* user, const warpsim_statistics* s) { *static_cast<warpsim_statistics*>(user) = *s; }, &last);
  ASSERT_EQ(launch(warpsim_kernel_at(module, 0), 1, 3, {}), WARPSIM_OK) << error();
  EXPECT_EQ(printed, "t 0\nt 1\nt 2\n");

  const auto read = read_trace(trace);
  ASSERT_TRUE(std::holds_alternative<Trace>(read));
  const Trace& made = std::get<Trace>(read);
  EXPECT_EQ(made.head.program, "say");
  EXPECT_EQ(made.outcome.printed, printed);
  EXPECT_EQ(last.instructions, made.events.size());
  EXPECT_EQ(last.active_lanes, 3 * last.instructions) << "all three threads, at each";
  EXPECT_EQ(last.launch, 1U);
  EXPECT_GT(last.instructions, 8U) << "it has so many lines";
}

// Kernels that add to one word from several threads of the host: no launch is lost.
TEST_F(CCallbacks, ThreadsShareADevice) {
  warpsim_kernel* const add = kernel_of(
      ".visible .entry add(.param .u64 y) { .reg .b64 %rd; ld.param.u64 %rd, [y]; red.global.add.u32 [%rd], 1; ret; "
      "}\n");
  const std::uint64_t y = allocated(4);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int n = 0; n < 25; ++n) EXPECT_EQ(launch(add, 1, 32, {&y}), WARPSIM_OK);
    });
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(words_at(y, 1).front(), 4 * 25 * 32U);
}

TEST(CDevices, ShareNothing) {
  std::vector<std::thread> threads;
  for (std::uint32_t k = 1; k <= 4; ++k)
    threads.emplace_back([k] {
      warpsim_device* device = nullptr;
      ASSERT_EQ(warpsim_create(nullptr, &device), WARPSIM_OK);
      const std::string text = ptx_text(
          ".global .u32 v;\n.visible .entry add(.param .u32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; "
          "red.global.add.u32 [v], %r; ret; }\n");
      const warpsim_ptx ptx = {text.c_str(), 0, nullptr};
      warpsim_module* module = nullptr;
      ASSERT_EQ(warpsim_load(device, &ptx, 1, &module), WARPSIM_OK);
      const warpsim_shape shape = WARPSIM_SHAPE(2, 32);
      const void* const parameters[] = {&k};
      for (int n = 0; n < 10; ++n)
        EXPECT_EQ(warpsim_launch(warpsim_kernel_at(module, 0), &shape, parameters), WARPSIM_OK);
      std::uint64_t v = 0;
      std::uint32_t sum = 0;
      EXPECT_EQ(warpsim_find_symbol(module, "v", &v, nullptr), WARPSIM_OK);
      EXPECT_EQ(warpsim_read(device, &sum, v, 4), WARPSIM_OK);
      EXPECT_EQ(sum, 640 * k);
      warpsim_destroy(device);
    });
  for (std::thread& one : threads) one.join();
}

TEST_F(CCallbacks, ALaunchIsStopped) {
  warpsim_kernel* const counts = kernel_of(
      ".visible .entry k(.param .u64 y) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [y]; mov.u64 %rd2, 0;\n"
      "L: add.u64 %rd2, %rd2, 1; st.volatile.global.u64 [%rd1], %rd2; bra L; }\n");
  const std::uint64_t y = allocated(8);
  std::atomic<bool> over = false;
  std::thread stopper([&] {
    while (!over) {
      warpsim_stop(device_);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const warpsim_status status = launch(counts, 1, 32, {&y});
  over = true;
  stopper.join();
  EXPECT_EQ(status, WARPSIM_ERROR_STOPPED);
  EXPECT_NE(error().find("stopped from outside"), std::string::npos) << error();
}

// Of libwarpsim.so only its interface is seen.
TEST(CLibrary, ShowsItsInterfaceAlone) {
  const std::string list = std::string(WARPSIM_BINARY_DIR) + "/libwarpsim_exports.txt";
  ASSERT_EQ(std::system(("nm -D --defined-only " WARPSIM_LIBRARY " > '" + list + "'").c_str()), 0);
  std::ifstream in(list);
  std::string address, kind, name;
  std::size_t count = 0;
  while (in >> address >> kind >> name) {
    EXPECT_TRUE(name.starts_with("warpsim_") || name == "ptx_run") << name;
    ++count;
  }
  std::ifstream header(WARPSIM_SOURCE_DIR "/host/interface/warpsim.h");
  std::stringstream text;
  text << header.rdbuf();
  std::size_t declared = 0;
  for (std::size_t at = text.str().find("\nWARPSIM_API "); at != std::string::npos;
       at = text.str().find("\nWARPSIM_API ", at + 1))
    ++declared;
  EXPECT_EQ(count, declared);
}

}  // namespace
}  // namespace warpsim::host
