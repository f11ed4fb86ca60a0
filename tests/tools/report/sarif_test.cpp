// SARIF of a report. tests/web/sarif.test.mjs holds the same text against the schema of SARIF 2.1.0.
#include "tools/report/sarif.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "isa/assembly/assembler.h"
#include "tests/tools/report/check_samples.h"

namespace warpsim::tools {
namespace {

using nlohmann::json;

json run_of(const CheckReport& report, std::string_view folder = "") {
  return json::parse(sarif(report, folder)).at("runs").at(0);
}

// Less what isa/table/findings.def says, which the next test looks at.
std::string without_rules(std::string text) {
  const std::size_t begin = text.find("\"rules\": ["), end = text.find("\n          ]", begin);
  EXPECT_NE(end, std::string::npos);
  text.erase(begin, end - begin);
  for (std::size_t at = text.find("\"ruleIndex\""); at != std::string::npos; at = text.find("\"ruleIndex\"", at))
    text.erase(at, text.find('\n', at) + 1 - at);
  return text;
}

// The whole text, for people to read and for the schema. WARPSIM_REBASE=1 writes it anew.
TEST(Sarif, IsAsTheSampleShows) {
  const std::string path = WARPSIM_SOURCE_DIR "/tests/tools/report/check_sample.sarif";
  CheckReport report = testing::sample_report();
  report.findings[1].suppressed_by = "line 3 of ci.supp: the picture shows what stays in place";
  const std::string text = sarif(report);
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  const std::string sample{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(without_rules(text) == without_rules(sample)) << path << " is not what is written now";
}

TEST(Sarif, EveryCodeIsARuleAndResultsPointAtTheirs) {
  const json run = run_of(testing::sample_report());
  const json& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), all_findings().size());
  EXPECT_EQ(run["tool"]["driver"]["name"], "warpsim");
  for (std::size_t k = 0; k < rules.size(); ++k) {
    const FindingInfo& row = all_findings()[k];
    EXPECT_EQ(rules[k]["id"], code(row.finding));
    EXPECT_EQ(rules[k]["shortDescription"]["text"], row.title);
    EXPECT_EQ(rules[k]["fullDescription"]["text"], row.rule);
    EXPECT_EQ(rules[k]["help"]["text"], english(row.hint));
  }
  for (const json& result : run["results"])
    EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][1]["level"], "warning");
  EXPECT_EQ(run["results"][2]["level"], "note");
  EXPECT_EQ(run["results"][3]["level"], "error");  // a wrong answer
}

TEST(Sarif, SaysWhereAndWho) {
  const json run = run_of(testing::sample_report());
  const json& race = run["results"][0];
  EXPECT_EQ(race["locations"][0]["physicalLocation"],
            json::parse(R"({"artifactLocation": {"uri": "programs/demo/hand_on.warp"},
                            "region": {"startLine": 9, "startColumn": 9, "endColumn": 40}})"));
  EXPECT_EQ(
      race["message"]["text"],
      "lanes 0-3 of warp 1 read `tile[1]`, which lane 1 of warp 0 writes, and nothing orders the two. In cycle 6, "
      "block 0, warp 1, lanes 0-3 (0x0000000f). What to try: bar.sync between the two.");
  EXPECT_EQ(race["properties"]["lanes"], "0x0000000f");
  EXPECT_EQ(race["properties"]["sightings"][1],
            json::parse(R"({"case": "test", "lanes": 32, "schedule": "fuzz:7", "reconvergence": "independent"})"));
  // A wrong output is of no line and of no cycle.
  const json& wrong = run["results"][3];
  EXPECT_FALSE(wrong["locations"][0]["physicalLocation"].contains("region"));
  EXPECT_FALSE(wrong["properties"].contains("cycle"));
  EXPECT_FALSE(wrong.contains("codeFlows"));
}

// Steps are listed from the end back; the flow has them in the order of time, each in its warp, and the finding last.
TEST(Sarif, StepsFlowThroughTheWarps) {
  const json race = run_of(testing::sample_report())["results"][0];
  const json& threads = race["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0]["id"], "block 0, warp 0");
  ASSERT_EQ(threads[0]["locations"].size(), 1U);
  EXPECT_EQ(threads[0]["locations"][0]["executionOrder"], 2);
  EXPECT_EQ(threads[0]["locations"][0]["location"]["message"]["text"],
            "cycle 3, block 0, warp 0, lane 1 (0x00000002): writes `tile[1]`");
  EXPECT_EQ(threads[0]["locations"][0]["location"]["physicalLocation"]["region"]["startLine"], 6);
  ASSERT_EQ(threads[1]["locations"].size(), 2U);
  EXPECT_EQ(threads[1]["locations"][0]["executionOrder"], 1);
  EXPECT_EQ(threads[1]["locations"][1]["executionOrder"], 3);
  EXPECT_EQ(threads[1]["locations"][1]["importance"], "essential");
  EXPECT_EQ(threads[1]["locations"][1]["location"]["physicalLocation"]["region"]["startLine"], 9);

  const json& places = race["relatedLocations"];
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0]["message"]["text"], "block 0, warp 1, lanes 0-3 (0x0000000f): here");
  EXPECT_EQ(places[1]["message"]["text"], "block 0, warp 1, lanes 4-6 (0x00000070): waits for its turn");
  EXPECT_EQ(places[2]["message"]["text"], "block 0, warp 1, lane 7 (0x00000080): exited");
  EXPECT_FALSE(places[2]["physicalLocation"].contains("region"));
}

// What a code host knows a finding again by: other lines and other spaces change nothing; another statement does.
TEST(Sarif, FingerprintsOutliveMovedLines) {
  const auto fingerprints = [](const std::string& text) {
    std::vector<std::string> all;
    const json run = run_of(testing::sample_report(text));
    for (const json& result : run["results"]) all.push_back(result["partialFingerprints"]["warpsimStatement/v1"]);
    return all;
  };
  const std::vector<std::string> before = fingerprints(testing::kHandOn);
  EXPECT_EQ(before[0], "demo/hand_on WS0402 ld.shared.f32 %y, tile[%next] #1");
  EXPECT_EQ(before[1], "demo/hand_on WS0201 shfl.down.b32 %x, %x, 1 #2");
  EXPECT_EQ(before[3], "demo/hand_on WS0901");
  std::string moved = testing::kHandOn;
  moved.insert(moved.find("        shfl"), "// more\n\n");
  moved.insert(moved.find("%y, tile"), "   ");
  EXPECT_EQ(fingerprints(moved), before);
  std::string other = testing::kHandOn;
  other.replace(other.find("tile[%next]"), 11, "tile[%laneid]");
  EXPECT_NE(fingerprints(other)[0], before[0]);
}

// What `.assert` finds is reported at the directive, among the statements.
TEST(Sarif, AnAssertionIsAPlaceToo) {
  const Assembled made = assemble(R"(.kernel k ()
        mov.u32         %a, 1
here:   mov.u32         %b, 2
        .assert "%a == 2"
        .assert "%b  == 1" "never"
        exit
)",
                                  "k.warp");
  ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
  CheckReport report;
  report.programs = {checked_program(*made.lesson())};
  for (const char* const condition : {"%a == 2", "%b  == 1"}) {
    CheckedFinding& one = report.findings.emplace_back();
    one.program = "k";
    one.file = "k.warp";
    one.code = Finding::AssertFailed;
    one.finding.code = Finding::AssertFailed;
    one.finding.pc = made.lesson()->assertions[0].pc;
    one.finding.message = std::string(condition) + " does not hold";
    find_places(one, *made.lesson());
  }
  EXPECT_EQ(report.findings[0].where.line, 4U);
  EXPECT_EQ(report.findings[1].where.line, 5U);
  const json results = run_of(report)["results"];
  EXPECT_NE(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
  EXPECT_EQ(report.programs[0].labels, (std::vector<std::pair<std::string, std::size_t>>{{"here", 1}}));
}

TEST(Sarif, NamesNoAbsolutePath) {
  const CheckReport report = testing::sample_report();
  EXPECT_EQ(run_of(report)["artifacts"][1]["location"]["uri"], "all%20clean%231.warp");
  EXPECT_EQ(run_of(report, "/srv")["artifacts"][1]["location"]["uri"], "kernels/all%20clean%231.warp");
  EXPECT_EQ(run_of(report, "/srv/")["artifacts"][1]["location"]["uri"], "kernels/all%20clean%231.warp");
  EXPECT_EQ(run_of(report, "/sr")["artifacts"][1]["location"]["uri"], "all%20clean%231.warp");
  EXPECT_EQ(run_of(report, "/srv")["artifacts"][0]["location"]["uri"], "programs/demo/hand_on.warp");
}

// The specification wants it of all results of a run or of none, so that one result shows whether it was looked at.
TEST(Sarif, SuppressionsAreSaidOfAllOrOfNone) {
  CheckReport report = testing::sample_report();
  json run = run_of(report);
  ASSERT_EQ(run["results"].size(), 4u);
  for (const json& result : run["results"]) EXPECT_FALSE(result.contains("suppressions"));
  report.findings[2].suppressed_by = "line 9 of x: known";
  run = run_of(report);
  EXPECT_EQ(run["results"][0]["suppressions"], json::array());
  EXPECT_EQ(run["results"][2]["suppressions"],
            json::parse(R"([{"kind": "external", "justification": "line 9 of x: known"}])"));
}

TEST(Sarif, SaysWhatCouldNotRun) {
  CheckReport report = testing::sample_report();
  const json invocation = run_of(report)["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  ASSERT_EQ(invocation["toolExecutionNotifications"].size(), 1U);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "demo/broken: it could not be loaded.");
  report.runs.pop_back();
  EXPECT_EQ(run_of(report)["invocations"][0], json::parse(R"({"executionSuccessful": true})"));
  EXPECT_EQ(run_of(report)["properties"]["instructions"],
            json::parse(R"({"exact": 40, "approximate": 2, "unsupported": 0})"));
}

// "Messages with placeholders" and "Messages with embedded links" of the specification.
TEST(Sarif, MessagesHoldNeitherArgumentsNorLinks) {
  CheckReport report = testing::sample_report();
  report.findings[3].finding.message = "{%a, %b} is input[0](what?)";
  const json text = run_of(report)["results"][3]["message"]["text"];
  EXPECT_EQ(text.get<std::string>().find("{{%a, %b}} is input[0] (what?)."), 0U) << text;
}

// A line of é (2 bytes, 1 unit) and 𝄞 (4 bytes, 2 units) before the place; and bytes that are no UTF-8.
TEST(Sarif, ColumnsAreUtf16Units) {
  CheckReport report;
  report.programs = {{"a", "a.warp", "\xc3\xa9\xf0\x9d\x84\x9e add\n", {}, {}}};
  CheckedFinding& one = report.findings.emplace_back();
  one.program = "a";
  one.file = "a.warp";
  one.code = Finding::OutOfRange;
  one.where = {1, 8, 3};
  one.finding.message = "not \xff UTF-8";
  const json result = run_of(report)["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"],
            json::parse(R"({"startLine": 1, "startColumn": 5, "endColumn": 8})"));
  EXPECT_EQ(result["message"]["text"], "not \xef\xbf\xbd UTF-8.");
}

}  // namespace
}  // namespace warpsim::tools
