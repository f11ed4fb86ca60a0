// Launches that are timed by the machine code beside their PTX: whose numbers they have, and why not.
//
// Source: the code is ptxas's, captured; what it takes is what sim/sass/code_run.h says of the same launch.
#include "host/device/code_timer.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/device/device.h"
#include "isa/assembly/assembler.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "programs/embedded.h"
#include "tools/sass/code_capture.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::host {
namespace code_timer_test {

// shuffle/lane_number: the threads of each block store their lanes' numbers into `laneid`.
std::string lane_number_ptx() {
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (embedded.group != "shuffle" || embedded.name != "lane_number") continue;
    const Assembled made = assemble(embedded.text, std::string(embedded.name), std::string(embedded.group));
    const PtxKernel kernel = std::get<PtxKernel>(write_ptx(*made.lesson(), PtxOptions{}));
    return ptx_module({&kernel, 1});
  }
  return "";
}

struct Timed {
  std::optional<CodeTime> code;
  std::uint64_t ptx_cycles = 0, cycles = 0;
  std::vector<std::uint32_t> output;
  std::vector<std::uint64_t> all_cycles;  // launch by launch
};

// On `blocks` blocks of 32 threads; the device runs `ptx`, and has the code of the program as it is.
Timed launch(const std::string& ptx, std::uint32_t blocks, bool has_code = true, std::uint64_t other_bytes = 0,
             bool is_cooperative = false, unsigned launches = 1, std::size_t nops = 0) {
  Timed timed;
  Device device;
  device.set_timing(std::make_shared<const TimingProfile>(builtin_profile("h200")->bounds.front()));
  device.set_times_code(true);
  device.set_checks(false);
  device.listeners().statistics = [&](const LaunchStatistics& one) {
    timed.code = *one.code;
    timed.ptx_cycles = one.statistics.cycles;
    timed.cycles = one.cycles();
    timed.all_cycles.push_back(timed.cycles);
  };
  const auto loaded = device.load({{"k.ptx", ptx}});
  if (!std::holds_alternative<KernelModule*>(loaded)) {
    ADD_FAILURE() << std::get<Failure>(loaded).text;
    return timed;
  }
  KernelModule& module = *std::get<KernelModule*>(loaded);
  const std::string own = lane_number_ptx();
  const tools::CapturedCode* const captured = tools::captured_code_of(own);
  if (captured == nullptr) {
    ADD_FAILURE() << "not captured";
    return timed;
  }
  sass::Cubin cubin = tools::cubin_of(*captured, own);
  for (sass::CodeSection& section : cubin.sections) section.name = module.kernel(0).symbol();
  // What pads the code's end; jumps are relative.
  for (sass::CodeSection& section : cubin.sections)
    section.words.insert(section.words.begin(), nops, section.words.back());
  if (has_code) module.set_code({cubin}, "");
  else module.set_code({}, "there is none");
  constexpr std::uint32_t kThreads = 32, kBytes = kThreads * 4;
  std::vector<std::uint64_t> buffers;
  for (const char* const name : {"input", "laneid", "by_x", "read_own"})
    buffers.push_back(*device.memory().allocate(kBytes, name));
  if (other_bytes != 0) {
    EXPECT_TRUE(device.memory().allocate(other_bytes, "other"));
  }
  const void* const params[] = {&buffers[0], &buffers[1], &buffers[2], &buffers[3], &kThreads};
  const LaunchShape shape{{blocks, 1, 1}, {kThreads, 1, 1}, 0, is_cooperative};
  for (unsigned k = 0; k < launches; ++k)
    if (const auto failure = device.launch(module.kernel(0), shape, params)) ADD_FAILURE() << failure->text;
  const auto* const words = reinterpret_cast<const std::uint32_t*>(device.memory().find(buffers[1], kBytes)->bytes);
  timed.output.assign(words, words + kThreads);
  return timed;
}

TEST(CodeTimer, ALaunchHasTheNumbersOfItsMachineCode) {
  const Timed timed = launch(lane_number_ptx(), 300);
  ASSERT_TRUE(timed.code);
  EXPECT_EQ(timed.code->why_none, "");
  EXPECT_EQ(timed.cycles, timed.code->cycles);
  EXPECT_NE(timed.cycles, timed.ptx_cycles);
  EXPECT_GT(timed.code->cycles, 0U);
  EXPECT_EQ(timed.code->instructions % 300, 0U) << "each block is alike";
  EXPECT_EQ(timed.code->needs.warps, 1U);
  EXPECT_EQ(timed.code->needs.registers % (8 * 32), 0U) << "given out by eight a thread";
  EXPECT_GT(timed.code->stalls[static_cast<std::size_t>(Stall::Reason::Issue)], 0U);
  for (std::size_t k = 0; k < timed.output.size(); ++k) EXPECT_EQ(timed.output[k], k);
}

// 26 instructions come with the launch; of 200 more most have to be fetched, and the next launches find them.
TEST(CodeTimer, AFirstLaunchFetchesItsCode) {
  const std::vector<std::uint64_t> few = launch(lane_number_ptx(), 1, true, 0, false, 3).all_cycles;
  ASSERT_EQ(few.size(), 3U);
  EXPECT_EQ(few[0], few[1]);
  const std::vector<std::uint64_t> many = launch(lane_number_ptx(), 1, true, 0, false, 3, 200).all_cycles;
  ASSERT_EQ(many.size(), 3U);
  EXPECT_GT(many[0], many[1] + 100);
  EXPECT_EQ(many[1], many[2]);
}

TEST(CodeTimer, OtherValuesAreNoNumber) {
  std::string ptx = lane_number_ptx();
  const std::size_t at = ptx.find("%laneid;");
  ASSERT_NE(at, std::string::npos) << ptx;
  ptx.replace(at, 8, "%warpid;");  // the PTX does something else than the code
  const Timed timed = launch(ptx, 4);
  ASSERT_TRUE(timed.code);
  EXPECT_EQ(timed.code->why_none, "it leaves other values in laneid than the PTX");
  EXPECT_EQ(timed.cycles, timed.ptx_cycles);
  for (const std::uint32_t word : timed.output) EXPECT_EQ(word, 0U) << "what counts is the PTX's";
}

TEST(CodeTimer, SaysWhyThereIsNoNumber) {
  EXPECT_EQ(launch(lane_number_ptx(), 1, false).code->why_none, "there is none");
  EXPECT_EQ(launch(lane_number_ptx(), 1, true, CodeTimer::kMostCopied + 1).code->why_none,
            "it runs on a copy of the memory, and more than 256 MiB are allocated");
  EXPECT_EQ(launch(lane_number_ptx(), 1, true, 0, true).code->why_none,
            "the blocks of a cooperative launch wait for each other");
}

}  // namespace code_timer_test
}  // namespace warpsim::host
