// test: every case at every lane count, with a summary for people, JSON for programs and JUnit XML for CI.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "isa/assembler.h"
#include "tools/json_object.h"
#include "tools/junit.h"
#include "tools/loading.h"
#include "tools/output.h"
#include "tools/trap_text.h"
#include "tools/verbs.h"
#include "tools/words.h"

namespace warpsim::tools {

namespace {

struct Totals {
  std::size_t programs = 0, cases = 0, runs = 0, failed = 0, unchecked = 0, skipped = 0;
};

class Tester {
 public:
  explicit Tester(Session& session) : session_(session) {}

  void test_name(const std::string& name);
  void test_catalogue() { test_entries(session_.catalogue.entries()); }
  bool read_lanes();  // false after it has said what is wrong with --lanes
  void finish();

 private:
  template <class Entries>
  void test_entries(const Entries& entries);
  void test_folder(const std::string& folder);
  void test_program(const std::optional<Program>& program, const std::string& name);
  void test_case(const Program& program, const Case& one);
  std::vector<unsigned> asked_lanes(const Program& program, const Case& one) const;
  void skip(const Program& program, const Case& one);
  TestRun run(const Program& program, const Case& one, unsigned lanes);

  Session& session_;
  std::vector<unsigned> asked_;  // --lanes; empty: as the cases say
  Totals totals_;
  std::vector<TestRun> runs_;
};

std::string run_name(const Case& one, unsigned lanes) { return one.name + " at " + lanes_text({lanes}); }

bool Tester::read_lanes() {
  if (session_.options.lanes.empty()) return true;
  const std::optional<std::vector<unsigned>> listed = parse_lane_list(session_.options.lanes);
  if (listed) asked_ = *listed;
  else
    session_.reply.fail(
        ExitCode::Usage, "usage",
        "--lanes wants 1, 2, 4, 8, 16, 32 or 64, or several of them, not " + in_ticks(session_.options.lanes),
        "--lanes 8,32");
  return listed.has_value();
}

const CatalogueEntry& entry_of(const CatalogueEntry& entry) { return entry; }
const CatalogueEntry& entry_of(const CatalogueEntry* entry) { return *entry; }

template <class Entries>
void Tester::test_entries(const Entries& entries) {
  for (const auto& one : entries) {
    const CatalogueEntry& entry = entry_of(one);
    test_program(assemble_entry(session_, entry), entry.full_name());
  }
}

void Tester::test_folder(const std::string& folder) {
  const Catalogue files(folder);
  if (!files.error().empty()) return session_.reply.fail(ExitCode::BadInput, "file", files.error());
  if (files.entries().empty())
    return session_.reply.fail(ExitCode::BadInput, "file", "there is no .warp file in " + folder);
  test_entries(files.entries());
}

void Tester::test_name(const std::string& name) {
  if (const auto group = session_.catalogue.find_group(name); !group.empty()) return test_entries(group);
  std::error_code ignored;
  if (session_.catalogue.find(name).empty() && std::filesystem::is_directory(name, ignored)) return test_folder(name);
  test_program(load_program(session_, name), name);
}

void Tester::test_program(const std::optional<Program>& program, const std::string& name) {
  if (!program) {
    runs_.push_back({name, "assemble", TestRun::Status::Error, "it does not assemble"});
    ++totals_.failed;
    return;
  }
  ++totals_.programs;
  const std::string& wanted = session_.options.case_name;
  for (const Case& one : program->cases)
    if (wanted.empty() || one.name == wanted) test_case(*program, one);
}

// The lane counts that are asked for: of those that the case fixes, or all of them where it fixes none.
std::vector<unsigned> Tester::asked_lanes(const Program& program, const Case& one) const {
  const std::vector<unsigned> own = lane_counts(program, one);
  if (asked_.empty()) return own;
  if (one.find("lanes") == nullptr) return asked_;
  std::vector<unsigned> both;
  std::copy_if(own.begin(), own.end(), std::back_inserter(both),
               [this](unsigned lanes) { return std::find(asked_.begin(), asked_.end(), lanes) != asked_.end(); });
  return both;
}

void Tester::test_case(const Program& program, const Case& one) {
  ++totals_.cases;
  std::vector<unsigned> good, bad;
  for (const unsigned lanes : asked_lanes(program, one)) {
    if (one.find("lanes") == nullptr && program.exemption_at(lanes) != nullptr) continue;
    runs_.push_back(run(program, one, lanes));
    const bool failed =
        runs_.back().status != TestRun::Status::Passed && runs_.back().status != TestRun::Status::Unchecked;
    ++totals_.runs;
    totals_.failed += failed ? 1 : 0;
    totals_.unchecked += runs_.back().status == TestRun::Status::Unchecked ? 1 : 0;
    (failed ? bad : good).push_back(lanes);
  }
  const std::string what = program.full_name() + "  " + one.name + "  at ";
  if (!good.empty()) session_.reply.text("ok    " + what + lanes_text(good) + "\n");
  if (!bad.empty()) session_.reply.text("FAIL  " + what + lanes_text(bad) + "\n");
  if (one.find("lanes") == nullptr) skip(program, one);
}

// Says what is not run at the lane counts that the program is exempt from.
void Tester::skip(const Program& program, const Case& one) {
  for (const Exemption& exemption : program.exemptions) {
    std::vector<unsigned> skipped;
    for (const unsigned lanes : exemption.lanes) {
      if (!asked_.empty() && std::find(asked_.begin(), asked_.end(), lanes) == asked_.end()) continue;
      skipped.push_back(lanes);
      runs_.push_back({program.full_name(), run_name(one, lanes), TestRun::Status::Skipped, exemption.reason});
      ++totals_.skipped;
    }
    if (!skipped.empty())
      session_.reply.text("skip  " + program.full_name() + "  " + one.name + "  at " + lanes_text(skipped) + ": " +
                          exemption.reason + "\n");
  }
}

TestRun Tester::run(const Program& program, const Case& one, unsigned lanes) {
  TestRun result{program.full_name(), run_name(one, lanes), TestRun::Status::Error, ""};
  const std::string who = result.program + ", case " + result.name;
  CaseOverrides overrides;
  overrides.lanes = lanes;
  const std::optional<PreparedCase> prepared = prepare(session_, program, one, overrides);
  if (!prepared) {
    result.message = "the case has an error";
    return result;
  }
  const Program expanded = session_.options.expand ? expand_collectives(program, lanes) : Program{};
  const Program& what = session_.options.expand ? expanded : program;
  const std::optional<Trace> trace = execute(session_, what, *prepared, no_events());
  if (!trace) {
    result.message = "the case does not fit the machine";
    return result;
  }
  const TraceOutcome& outcome = trace->outcome;
  if (outcome.trap) {
    result.status = TestRun::Status::Trap;
    result.message = outcome.trap->message;
    session_.reply.fail_drawn(ExitCode::Trap, who + ":\n" + draw_trap(what, *trace, *outcome.trap),
                              trap_to_json(what, *trace, *outcome.trap));
  } else if (outcome.ok) {
    result.status = outcome.passed ? TestRun::Status::Passed : TestRun::Status::Unchecked;
  } else {
    result.status = TestRun::Status::Mismatch;
    for (const std::string& sentence : mismatches(outcome))
      result.message += (result.message.empty() ? "" : "; ") + sentence;
    for (const TraceFinding& finding : outcome.findings)
      result.message += (result.message.empty() ? "" : "; ") + finding.message;
    session_.reply.fail(ExitCode::Mismatch, "mismatch", who + ": " + result.message);
  }
  return result;
}

void Tester::finish() {
  const auto count = [](std::size_t n, const std::string& word) {
    return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
  };
  std::string summary = count(totals_.programs, "program") + ", " + count(totals_.cases, "case") + ", " +
                        count(totals_.runs, "run") + ": ";
  summary += totals_.failed != 0 ? std::to_string(totals_.failed) + " failed"
             : totals_.runs != 0 ? "all as expected"
                                 : "nothing was tested";
  if (totals_.unchecked != 0) summary += " (" + std::to_string(totals_.unchecked) + " expect nothing)";
  if (totals_.skipped != 0) summary += ", " + std::to_string(totals_.skipped) + " skipped";
  session_.reply.text(summary + "\n");

  std::vector<std::string> failures, skipped;
  for (const TestRun& one : runs_) {
    if (one.status == TestRun::Status::Passed || one.status == TestRun::Status::Unchecked) continue;
    const bool skip = one.status == TestRun::Status::Skipped;
    (skip ? skipped : failures)
        .push_back(JsonObject()
                       .text("program", one.program)
                       .text("run", one.name)
                       .text(skip ? "reason" : "message", one.message)
                       .str());
  }
  session_.reply.result(JsonObject()
                            .number("programs", totals_.programs)
                            .number("cases", totals_.cases)
                            .number("runs", totals_.runs)
                            .number("failed", totals_.failed)
                            .raw("failures", json_list(failures))
                            .raw("skipped", json_list(skipped))
                            .str());
  if (totals_.runs + totals_.skipped == 0 && session_.reply.code() == ExitCode::Ok)
    session_.reply.fail(ExitCode::Usage, "usage", "no case fits --case and --lanes, so nothing was tested");
  if (session_.options.junit.empty()) return;
  Output file = Output::open(session_.options.junit);
  file.write(junit_xml(runs_));
  if (const std::string error = file.finish(); !error.empty()) session_.reply.fail(ExitCode::BadInput, "file", error);
}

}  // namespace

void run_test(Session& session) {
  Tester tester(session);
  if (!tester.read_lanes()) return;
  if (session.options.names.empty()) tester.test_catalogue();
  for (const std::string& name : session.options.names) tester.test_name(name);
  tester.finish();
}

}  // namespace warpsim::tools
