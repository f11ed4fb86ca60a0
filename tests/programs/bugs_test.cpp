// The mistakes of programs/bugs/: each shows exactly what its cases say must be found, at every lane count, and its
// fix is clean, also under other schedules and where diverged lanes take turns.
//
// Source: what must be found follows from the rules of isa/table/findings.def; it was worked out by hand, mistake by
//         mistake. The pitfalls and DON'Ts are those of document 003, lines 674-706 and 712-773.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/table/findings.h"
#include "programs/embedded.h"
#include "sim/advice/advice.h"
#include "tests/support/program_run.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim::testing {
namespace {

constexpr const char* kGroup = "bugs";
constexpr std::uint64_t kSeeds = 8;        // other schedules
constexpr std::uint64_t kPatience = 1000;  // another schedule lets warps wait

bool is_fixed(const std::string& name) { return name.ends_with(kFixed); }

// The wrong ones: "bugs/wrong_mask".
std::vector<std::string> mistakes() {
  std::vector<std::string> names = programs_in({kGroup});
  names.erase(std::remove_if(names.begin(), names.end(), is_fixed), names.end());
  return names;
}

Lesson program(const std::string& name) {
  Assembled assembled = assemble_program(name);
  EXPECT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  return assembled.lesson() ? *assembled.lesson() : Lesson{};
}

std::vector<ExpectedFinding> expected(const Lesson& program, const Case& one) {
  const CaseField* const field = one.find(kFindingKey);
  if (field == nullptr) return {};
  const auto parsed = parse_findings(field->value, program.labels);
  const auto* const findings = std::get_if<std::vector<ExpectedFinding>>(&parsed);
  EXPECT_NE(findings, nullptr) << program.name;
  return findings != nullptr ? *findings : std::vector<ExpectedFinding>{};
}

bool is_advice(Finding finding) { return info(finding).severity == Severity::Advice; }

// What a run found: codes and lines, each once; 0: no place, or none that was asked for.
using Found = std::set<std::pair<std::string, std::uint32_t>>;

std::string text(const Found& found) {
  std::string out;
  for (const auto& [code, line] : found) out += (out.empty() ? "" : ", ") + code + " @ " + std::to_string(line);
  return out;
}

struct Shown {
  Found found;
  std::vector<std::pair<std::string, Array>> outputs;
  std::uint64_t cycles = 0;
  bool trapped = false;
};

std::uint32_t line_of(const Lesson& program, std::int32_t pc) {
  return pc < 0 ? 0 : program.code[static_cast<std::size_t>(pc)].where.line;
}

Shown shown(const Lesson& program, const Case& one, const CaseOverrides& overrides, bool advise = false) {
  Advice advice;
  std::vector<EventSink*> others;
  if (advise) others.push_back(&advice);
  const RecordedRun recorded = record_run(program, one, overrides, others);
  EXPECT_EQ(recorded.error, "");
  const TraceOutcome& outcome = recorded.trace.outcome;
  Shown made;
  for (const TraceFinding& each : outcome.findings) made.found.emplace(each.code.word, line_of(program, each.pc));
  if (outcome.trap) made.found.emplace(outcome.trap->code.word, line_of(program, outcome.trap->pc));
  if (outcome.passed == false) made.found.emplace(code(Finding::WrongOutput), 0);
  for (const RunFinding& each : advice.found()) made.found.emplace(code(each.code), line_of(program, each.pc));
  made.outputs = outcome.outputs;
  made.cycles = outcome.cycles;
  made.trapped = outcome.trap.has_value();
  return made;
}

// The same case under other orders.
template <class Check>
void under_other_schedules(const Lesson& program, const Case& one, const CaseOverrides& plain, std::uint64_t cycles,
                           Check check) {
  for (std::uint64_t seed = 0; seed <= kSeeds; ++seed)
    for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
      CaseOverrides other = plain;
      if (seed != 0) other.schedule = fuzz_schedule(seed);
      other.reconvergence = mode;
      other.max_cycles = cycles * kPatience;
      check(shown(program, one, other), "seed " + std::to_string(seed) + ", " + std::string(name(mode)));
    }
}

TEST(Bugs, EachShowsWhatItsCasesSay) {
  for (const std::string& name : mistakes()) {
    const Lesson wrong = program(name);
    for (const Case& one : wrong.cases) {
      const std::vector<ExpectedFinding> wanted = expected(wrong, one);
      EXPECT_FALSE(wanted.empty()) << name << " shows nothing";
      const bool advises =
          std::any_of(wanted.begin(), wanted.end(), [](const auto& each) { return is_advice(each.code); });
      const bool by_schedule = std::any_of(wanted.begin(), wanted.end(),
                                           [](const auto& each) { return each.code == Finding::DependsOnSchedule; });
      for (const unsigned lanes : lane_counts(wrong, one)) {
        CaseOverrides overrides;
        overrides.lanes = lanes;
        Shown made = shown(wrong, one, overrides, advises);
        if (by_schedule)
          under_other_schedules(wrong, one, overrides, made.cycles, [&](const Shown& other, const std::string&) {
            if (other.outputs != made.outputs) made.found.emplace(code(Finding::DependsOnSchedule), 0);
          });
        Found places;
        for (const ExpectedFinding& each : wanted) places.emplace(code(each.code), line_of(wrong, each.pc));
        for (const ExpectedFinding& each : wanted)  // anywhere
          if (each.pc < 0)
            for (const auto& [what, line] : made.found)
              if (what == code(each.code)) {
                places.erase({what, 0});
                places.emplace(what, line);
              }
        EXPECT_EQ(text(made.found), text(places)) << name << " at " << lanes << " lanes";
      }
    }
  }
}

TEST(Bugs, EachFixIsCleanInEveryOrder) {
  for (const std::string& name : mistakes()) {
    const Lesson fixed = program(name + std::string(kFixed));
    for (const Case& one : fixed.cases) {
      EXPECT_TRUE(std::any_of(one.fields.begin(), one.fields.end(), [](const CaseField& field) {
        return field.key.starts_with("expect ");
      })) << name;
      for (const unsigned lanes : lane_counts(fixed, one)) {
        CaseOverrides overrides;
        overrides.lanes = lanes;
        const Shown made = shown(fixed, one, overrides);
        EXPECT_EQ(text(made.found), "") << name << " at " << lanes << " lanes";
        under_other_schedules(fixed, one, overrides, made.cycles, [&](const Shown& other, const std::string& order) {
          EXPECT_EQ(text(other.found), "") << name << " at " << lanes << " lanes, " << order;
          EXPECT_TRUE(other.outputs == made.outputs) << name << " at " << lanes << " lanes, " << order;
        });
      }
    }
  }
}

// A fix keeps the inputs and the expected outputs; only the findings go.
TEST(Bugs, EachIsBesideItsFix) {
  std::set<std::string> fixes;
  for (const std::string& name : programs_in({kGroup}))
    if (is_fixed(name)) fixes.insert(name);
  for (const std::string& name : mistakes()) {
    EXPECT_EQ(fixes.erase(name + std::string(kFixed)), 1U) << name;
    const Lesson wrong = program(name), fixed = program(name + std::string(kFixed));
    EXPECT_EQ(fixed.title, wrong.title + ", fixed");
    ASSERT_EQ(fixed.cases.size(), wrong.cases.size()) << name;
    const auto given = [](const Case& one) {
      std::map<std::string, std::string> fields;
      for (const CaseField& field : one.fields)
        if (field.key != kFindingKey && !field.key.starts_with("expect ")) fields[field.key] = field.value;
      return fields;
    };
    for (std::size_t k = 0; k < wrong.cases.size(); ++k) {
      EXPECT_EQ(given(fixed.cases[k]), given(wrong.cases[k])) << name;
      EXPECT_EQ(fixed.cases[k].find(kFindingKey), nullptr) << name;
      for (const CaseField& field : wrong.cases[k].fields) {
        if (!field.key.starts_with("expect ")) continue;
        const CaseField* const same = fixed.cases[k].find(field.key);
        EXPECT_TRUE(same != nullptr && same->value == field.value) << name << ", " << field.key;
      }
    }
  }
  EXPECT_EQ(fixes, std::set<std::string>()) << "fixes of nothing";
  EXPECT_GE(mistakes().size(), 40U);
}

TEST(Bugs, EveryCodeHasAnExampleThatShowsIt) {
  for (const FindingInfo& row : all_findings()) {
    // The verifier refuses what could fall off the end (V002), no program stops itself from outside or for lack of
    // memory, and the others are of kernels from PTX: tests/sim/machine/ptx_runs_test.cpp. Those of the host are of
    // CUDA programs: tests/host/cudart/programs_test.cpp.
    constexpr std::array kOfNoText = {Finding::FellOffTheEnd, Finding::Interrupted, Finding::LocalUnwritten,
                                      Finding::StackOverflow, Finding::NoFunction,  Finding::Unsupported,
                                      Finding::NoMemory};
    const bool is_host = row.finding >= Finding::HostLeak;
    if (is_host || std::find(kOfNoText.begin(), kOfNoText.end(), row.finding) != kOfNoText.end()) {
      EXPECT_EQ(row.example, "");
      continue;
    }
    const std::vector<std::string> names = mistakes();
    ASSERT_NE(std::find(names.begin(), names.end(), row.example), names.end()) << code(row.finding);
    const Lesson wrong = program(std::string(row.example));
    bool shows = false;
    for (const Case& one : wrong.cases)
      for (const ExpectedFinding& each : expected(wrong, one)) shows = shows || each.code == row.finding;
    EXPECT_TRUE(shows) << row.example << " does not show " << code(row.finding);
  }
}

TEST(Bugs, EveryCodeIsExplained) {
  for (const FindingInfo& row : all_findings()) {
    for (const std::string& text : {std::string(row.title), std::string(row.rule), english(row.hint)}) {
      EXPECT_NE(text, "") << code(row.finding);
      EXPECT_NE(text.back(), '.') << text << ": the full stop is set where it is shown";
    }
    for (const char* heading : {"On hardware: ", "\n\nWhy it hides: ", "\n\nTo find it: ", "\n\nTo fix it: "})
      EXPECT_NE(row.text.find(heading), std::string_view::npos) << code(row.finding) << " lacks " << heading;
  }
}

// A trace has null for what is undefined, which is read back as 0: the text is what must be the same.
TEST(Bugs, TheirTracesComeBackByteForByte) {
  for (const std::string& name : mistakes()) {
    const Lesson wrong = program(name);
    for (const Case& one : wrong.cases) {
      const RecordedRun recorded = record_run(wrong, one, {});
      if (!recorded.error.empty()) continue;  // exempt at 32 lanes
      const std::string text = to_json(recorded.trace);
      const std::variant<Trace, JsonError> back = read_trace(text);
      ASSERT_TRUE(std::holds_alternative<Trace>(back)) << render(std::get<JsonError>(back), name);
      EXPECT_EQ(to_json(std::get<Trace>(back)), text) << name;
    }
  }
}

// The sources' own mistakes, by the numbers that they have there.
TEST(Bugs, ThePitfallsAndDontsOfTheDocumentsAreAmongThem) {
  std::map<std::string, std::string> named;  // the words in brackets at the head of a program
  for (const std::string& name : mistakes()) {
    const Lesson wrong = program(name);
    EXPECT_NE(wrong.header, "") << name;
    EXPECT_NE(wrong.title, "") << name;
    const std::size_t open = wrong.header.find('('), colon = wrong.header.find(':');
    if (open < colon) named[wrong.header.substr(open + 1, wrong.header.find(')') - open - 1)] = wrong.document;
  }
  const std::map<std::string, std::string> lines = {{"DON'T 1", "003:674-680"},   {"DON'T 2", "003:682-687"},
                                                    {"DON'T 3", "003:689-694"},   {"DON'T 4", "003:696-698"},
                                                    {"DON'T 5", "003:700-702"},   {"DON'T 6", "003:704-706"},
                                                    {"pitfall 1", "003:712-725"}, {"pitfall 2", "003:729-740"},
                                                    {"pitfall 3", "003:744-759"}, {"pitfall 4", "003:763-773"}};
  for (const auto& [what, where] : lines) {
    ASSERT_TRUE(named.contains(what)) << what;
    EXPECT_EQ(named.at(what).substr(0, where.size()), where) << what;
  }
}

}  // namespace
}  // namespace warpsim::testing
