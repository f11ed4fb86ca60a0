// The table of `warpsim exec --profile`.
#include "tools/exec/timing_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "isa/text/columns.h"

namespace warpsim {
namespace {

using Json = nlohmann::json;

Json record(int launch, const std::string& kernel, std::uint64_t cycles) {
  return {{"launch", launch},
          {"kernel", kernel},
          {"grid", {4, 2, 1}},
          {"block", {256, 1, 1}},
          {"cycles", cycles},
          {"ns", static_cast<double>(cycles) / 2},
          {"instructions", 3 * cycles},
          {"sms", 2},
          {"issued", 100},
          {"stalls", {{"memory", 700}, {"barrier", 200}, {"unit", 0}, {"branch", 1}}},
          {"warps_an_sm", 16},
          {"of_warps", 64},
          {"limit", "shared memory"},
          {"ended", true},
          {"launched", "main, app.cu:12"}};
}

std::string table(const std::vector<Json>& records) {
  TimingProfile profile;
  profile.name = "h200";
  profile.sm.sms = 132;
  return tools::timing_table(profile, records);
}

TEST(TimingTable, HasALaunchALineWithWhatItWaitedFor) {
  const std::string text = table({record(1, "sum", 5000)});
  EXPECT_NE(text.find("profile h200: whole grids of PTX on a model of 132 SMs"), std::string::npos) << text;
  EXPECT_NE(text.find("  1  sum     4x2 x 256          5000    2.50 us       1.50\n"), std::string::npos) << text;
  EXPECT_NE(text.find("     memory 70 %, barrier 20 %, issued 10 %\n"), std::string::npos) << text;
  EXPECT_NE(text.find("at most 16 of 64 warps on an SM, limited by shared memory\n     launched in main, app.cu:12\n"),
            std::string::npos)
      << text;
}

TEST(TimingTable, LaunchesThatAreAlikeAreOneLine) {
  const std::string text = table({record(1, "sum", 5000), record(2, "sum", 5000), record(3, "sum", 6000)});
  EXPECT_NE(text.find("1-2  sum"), std::string::npos) << text;
  EXPECT_NE(text.find("  3  sum"), std::string::npos) << text;
}

TEST(TimingTable, SaysWhoseTheNumbersAre) {
  Json of_code = record(1, "sum", 5000), of_ptx = record(2, "sum", 5000);
  of_code["timed_by"] = "machine code";
  of_ptx["timed_by"] = "PTX";
  const std::string both = table({of_code, of_ptx});
  EXPECT_NE(both.find("profile h200: whole grids on a model of 132 SMs.\n"), std::string::npos) << both;
  EXPECT_NE(both.find("or by PTX where a launch says so"), std::string::npos) << both;
  EXPECT_NE(both.find("     machine code: memory 70 %, barrier 20 %, issued 10 %\n"), std::string::npos) << both;
  EXPECT_NE(both.find("     PTX: memory 70 %, barrier 20 %, issued 10 %\n"), std::string::npos) << both;
  EXPECT_EQ(table({of_code}).find("PTX"), std::string::npos);
  EXPECT_NE(table({of_ptx}).find("whole grids of PTX"), std::string::npos);
  of_ptx["why_not_machine_code"] = "it leaves other values in cudaMalloc #2 than the PTX";
  EXPECT_NE(table({of_ptx}).find("     not by machine code: it leaves other values in cudaMalloc #2 than the PTX\n"),
            std::string::npos)
      << table({of_ptx});
}

TEST(TimingTable, IsNoWiderThanATerminal) {
  Json stopped = record(123456, std::string(60, 'k'), 123'456'789'012);
  stopped["ended"] = false;
  stopped["launched"] = std::string(90, 'x');
  std::istringstream lines(table({stopped}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 80U) << line;
  EXPECT_NE(table({stopped}).find("it was stopped"), std::string::npos);
}

}  // namespace
}  // namespace warpsim
