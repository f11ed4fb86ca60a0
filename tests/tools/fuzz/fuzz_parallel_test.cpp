// Shards of a fuzz as GNU parallel runs them: together they say what one process says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace {

OneFileCase run(const std::string& command) {
  OneFileCase one;
  one.command = command;
  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

const std::string kScript = "WARPSIM=warpsim " WARPSIM_SOURCE_DIR "/tools/fuzz_parallel.sh ";

TEST(FuzzParallel, ShardsSayWhatOneProcessSays) {
  if (run("command -v parallel").exit_code != 0) GTEST_SKIP() << "GNU parallel is not here (Debian: parallel)";
  const OneFileCase alone = run("warpsim fuzz --seed 11 --count 200 --json");
  const OneFileCase shards = run(kScript + "4 --seed 11 --count 200 --json");
  EXPECT_EQ(shards.exit_code, 0) << shards.err;
  EXPECT_EQ(shards.out, alone.out);
  EXPECT_NE(alone.out.find("\"programs\": 200"), std::string::npos) << alone.out;
  EXPECT_EQ(run(kScript + "3 --count 20").out, run("warpsim fuzz --count 20").out);
}

TEST(FuzzParallel, AShardThatFailsIsReported) {
  if (run("command -v parallel").exit_code != 0) GTEST_SKIP() << "GNU parallel is not here (Debian: parallel)";
  const OneFileCase wrong = run(kScript + "2 --count 0");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("--count wants"), std::string::npos) << wrong.err;
  EXPECT_EQ(run(kScript + "none").exit_code, 2);
}

}  // namespace
}  // namespace warpsim
