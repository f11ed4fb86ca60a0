// The race checker against the enumerator: those of programs/litmus, and random ones, under several schedules.
//
// Shapes: a run is one execution out of those that the model allows, and an interleaving. So what a run leaves must be
// an
//         allowed outcome; a run must show no race where no execution has one; and where some execution has one, some
//         run must show one. Where the checker is known to say something else, a test says what and why.
// Source: tests/litmus/model.h, which shares nothing with sim/check.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/litmus/compared.h"
#include "tests/support/program_run.h"

namespace warpsim::litmus {
namespace checker_test {

using testing::record_run;
using testing::RecordedRun;
using testing::source_text;

constexpr std::uint32_t kRandomPrograms = 150;

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WARPSIM_SOURCE_DIR "/programs/litmus"))
    if (entry.is_regular_file()) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Assembled assembled(const std::string& name) {
  return assemble(source_text("programs/litmus/" + name + ".warp"), name + ".warp");
}

TEST(LitmusPrograms, TheCheckerAgreesWithTheModel) {
  const std::vector<std::string> names = program_names();
  EXPECT_GE(names.size(), 80U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Assembled made = assembled(name);
    ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
    const Compared got = compared(*made.lesson());
    const std::string both =
        "model: " + text_of(got.model, *made.lesson()) + "; checker: " + text_of(got.checker, *made.lesson());
    EXPECT_EQ(got.model.empty(), got.checker.empty()) << both;
    EXPECT_EQ(got.model.empty(), got.expected == 0) << both;
    EXPECT_TRUE(got.allowed);
    // Fence-SC order hands the data on here, whatever the flag is; the checker knows that order by release and acquire
    // patterns alone, and a plain flag makes none.
    if (name == "mp_blocks_weak_flag") continue;
    EXPECT_TRUE(std::includes(got.model.begin(), got.model.end(), got.checker.begin(), got.checker.end())) << both;
  }
}

// Codes and pcs.
using Findings = std::set<std::pair<std::string, std::int32_t>>;

TEST(LitmusPrograms, EachShowsWhatItsCaseSays) {
  for (const std::string& name : program_names()) {
    const Assembled made = assembled(name);
    ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
    const Case& one = made.lesson()->cases.at(0);
    for (const unsigned lanes : lane_counts(*made.lesson(), one)) {
      CaseOverrides overrides;
      overrides.lanes = lanes;
      const std::variant<PreparedCase, LaunchError> prepared = prepare_case(*made.lesson(), one, overrides);
      ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared));
      Findings wanted, found;
      for (const ExpectedFinding& each : std::get<PreparedCase>(prepared).findings)
        wanted.emplace(code(each.code), each.pc);
      const RecordedRun run = record_run(*made.lesson(), one, overrides);
      EXPECT_EQ(run.error, "");
      for (const TraceFinding& each : run.trace.outcome.findings) found.emplace(each.code.word, each.pc);
      EXPECT_EQ(found, wanted) << name << " at " << lanes << " lanes";
      EXPECT_NE(run.trace.outcome.passed, false) << name << " at " << lanes << " lanes";
    }
  }
}

// A message of block 0, whose thread 1 stores and whose thread 0 raises the flag; in block 1 thread 0 looks at the
// flag, and both threads read.
std::string message(const std::string& before_barrier, const std::string& raise, const std::string& look,
                    const std::string& after_barrier) {
  return ".kernel message (inout data: u32[1], inout flag: u32[1], out seen: u32[2])\n"
         " setp.eq.u32 %second, %ctaid.x, 1\n setp.eq.u32 %first, %tid.x, 0\n @%second bra wait\n"
         " @!%first st.global.u32 data[0], 1\n " +
         before_barrier + "\n bar.sync 0\n @%first " + raise + "\n exit\nwait: @!%first bra meet\nagain: " + look +
         "\n setp.eq.u32 %down, %up, 0\n @%down bra again\nmeet: bar.sync 0\n " + after_barrier +
         "\n ld.global.u32 %v, data[0]\n st.global.u32 seen[%tid.x], %v\n exit\n"
         ".case test\n grid = 2\n block = 2\n data = 0\n flag = 0\n";
}

// Behind barriers, fence.sc takes what fence.sc released, and nothing else does.
TEST(LitmusPrograms, ABarrierPassesOnWhatFenceScOrdersOnBothSides) {
  const std::string relaxed = "atom.global.exch.b32 %o, flag[0], 1", release = "st.release.gpu.global.u32 flag[0], 1";
  const std::string look = "atom.global.or.b32 %up, flag[0], 0", acquire = "ld.acquire.gpu.global.u32 %up, flag[0]";
  const auto races = [&](const std::string& before_barrier, const std::string& raise, const std::string& looks,
                         const std::string& after_barrier) {
    const std::string text = message(before_barrier, raise, looks, after_barrier);
    const Assembled made = assemble(text, "message.warp");
    EXPECT_TRUE(made.lesson()) << made.diagnostics.render();
    if (!made.lesson()) return false;
    const Compared got = compared(*made.lesson());
    EXPECT_EQ(got.model, got.checker) << text;
    EXPECT_TRUE(got.allowed) << text;
    return !got.model.empty();
  };
  EXPECT_FALSE(races("membar.gl", relaxed, look, "membar.gl"));
  EXPECT_FALSE(races("", release, acquire, ""));
  EXPECT_TRUE(races("membar.gl", relaxed, acquire, "")) << "no fence.sc takes it";
  EXPECT_TRUE(races("", release, look, "membar.gl")) << "no fence.sc released it";
  EXPECT_TRUE(races("fence.acq_rel.gpu", relaxed, look, "membar.gl"));
  EXPECT_TRUE(races("membar.gl", relaxed, look, "fence.acq_rel.gpu"));
  EXPECT_TRUE(races("membar.cta", relaxed, look, "membar.gl"));
}

// A few instructions of each of two threads, of two blocks or of one warp, without branches.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint32_t seed) : random_(seed) {}

  bool blocks() const { return blocks_; }
  std::string text() {
    const bool blocks = blocks_ = pick(2) == 0;
    std::string out = ".kernel random (inout x: u32[1], inout y: u32[1], out seen: u32[8])\n";
    out += std::string(" setp.eq.u32 %second, ") + (blocks ? "%ctaid.x" : "%laneid") + ", 1\n @%second bra second\n";
    for (int thread = 0; thread < 2; ++thread) {
      if (thread == 1) out += "second:\n";
      for (unsigned k = 2 + pick(2); k > 0; --k) out += " " + instruction(thread);
      out += " exit\n";
    }
    return out + ".case test\n x = 0\n y = 0\n " + (blocks ? "grid = 2\n block = 1\n" : "block = 2\n");
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string instruction(int thread) {
    constexpr std::array kOrders = {"", ".relaxed", ".acquire", ".release", ".acq_rel"};
    constexpr std::array kScopes = {".cta", ".gpu", ".sys"};
    constexpr std::array kFences = {"membar.cta",        "membar.gl",         "membar.sys",
                                    "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.sc.gpu"};
    const std::string word = pick(2) == 0 ? "x[0]" : "y[0]", value = std::to_string(1 + ++values_);
    const std::string scope = kScopes.at(pick(3)), order = kOrders.at(pick(5));
    switch (pick(6)) {
      case 0: return "st.global.u32 " + word + ", " + value + "\n";
      case 1:
        return "ld.global.u32 %a, " + word + "\n st.global.u32 seen[" +
               std::to_string(4 * thread + static_cast<int>(values_ % 4)) + "], %a\n";
      case 2: return std::string(kFences.at(pick(6))) + "\n";
      case 3:
        return "atom" + order + (order.empty() ? "" : scope) + ".global.exch.b32 %b, " + word + ", " + value + "\n";
      default: return "atom" + order + (order.empty() ? "" : scope) + ".global.add.u32 %b, " + word + ", 1\n";
    }
  }

  std::mt19937 random_;
  unsigned values_ = 0;
  bool blocks_ = false;
};

TEST(LitmusPrograms, RandomOnes) {
  std::size_t racy = 0;
  for (std::uint32_t seed = 0; seed < kRandomPrograms; ++seed) {
    RandomProgram random(seed);
    const std::string source = random.text();
    const Assembled made = assemble(source, "random.warp");
    ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
    const Compared got = compared(*made.lesson());
    const std::string both = "seed " + std::to_string(seed) + "\n" + source +
                             "model: " + text_of(got.model, *made.lesson()) +
                             "; checker: " + text_of(got.checker, *made.lesson());
    EXPECT_TRUE(got.allowed) << both;
    EXPECT_EQ(got.model.empty(), got.checker.empty()) << both;
    racy += got.model.empty() ? 0 : 1;
    // Reads of a warp's lanes are remembered together, under the first one's line: which one races is not told apart.
    if (!random.blocks()) continue;
    EXPECT_TRUE(std::includes(got.model.begin(), got.model.end(), got.checker.begin(), got.checker.end())) << both;
  }
  EXPECT_GT(racy, kRandomPrograms / 4) << "most are not worth a comparison";
  EXPECT_LT(racy, kRandomPrograms * 9 / 10) << "most are not worth a comparison";
}

}  // namespace checker_test
}  // namespace warpsim::litmus
