// The programs of tests/checker/, after public reports: `warpsim check` says of each what manifest.json says that it
// says. Whoever changes a verdict writes it down there.
//
// Source: which codes are right follows from the PTX ISA, "Memory Consistency Model"; manifest.json says why, of each.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace warpsim::testing {
namespace {

const std::string kFolder = WARPSIM_SOURCE_DIR "/tests/checker/";

std::string printed_by_check(const std::string& path) {
  const std::string command = std::string(WARPSIM_BINARY) + " check " + kFolder + path + " --json 2>/dev/null";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string out;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) out.append(part.data(), n);
  pclose(pipe);
  return out;
}

std::string verdict(const nlohmann::json& program, const nlohmann::json& report) {
  std::set<std::string> codes;
  for (const auto& finding : report.at("diagnostics"))
    if (finding.at("severity") != "advice") codes.insert(finding.at("code").get<std::string>());
  const bool assembles =
      std::all_of(codes.begin(), codes.end(), [](const auto& code) { return code.starts_with("WS"); });
  if (!assembles) return "does not parse";
  if (program.at("kind") == "correct") return codes.empty() ? "clean" : "flagged";
  if (codes.empty()) return "missed";
  for (const auto& right : program.at("expected_codes"))
    if (codes.contains(right.get<std::string>())) return "found";
  return "wrong cause";
}

TEST(OwnPrograms, GetTheVerdictThatTheManifestSays) {
  std::ifstream file(kFolder + "manifest.json");
  const nlohmann::json programs = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(programs.is_array());
  EXPECT_EQ(programs.size(), 50U);
  std::map<std::string, int> counts;
  for (const auto& program : programs) {
    const auto path = program.at("path").get<std::string>();
    const auto report = nlohmann::json::parse(printed_by_check(path), nullptr, false);
    ASSERT_TRUE(report.is_object()) << path;
    const std::string now = verdict(program, report);
    EXPECT_EQ(program.at("verdict").get<std::string>(), now) << path;
    ++counts[program.at("kind").get<std::string>() + ", " + now];
  }
  for (const auto& [what, count] : counts) RecordProperty(what, count);
}

}  // namespace
}  // namespace warpsim::testing
