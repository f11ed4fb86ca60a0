// test: every case at every lane count, with a summary for people, JSON for programs and JUnit XML for CI.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/number_text.h"
#include "tools/command/test_run.h"
#include "tools/command/verbs.h"
#include "tools/report/junit.h"
#include "tools/session/loading.h"
#include "tools/session/named_programs.h"
#include "tools/session/overrides.h"
#include "tools/support/counts_text.h"
#include "tools/support/interrupt.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

struct Totals {
  std::size_t programs = 0, cases = 0, runs = 0, failed = 0, unchecked = 0, skipped = 0;
  std::size_t not_loaded = 0;  // counted in no other
  ExactnessCounts exactness{};
};

class Tester {
 public:
  explicit Tester(Session& session) : session_(session) {}

  void test_program(const Lesson& program);
  void cannot_load(const std::string& name, std::size_t said_before) {
    error(name, "load", "it could not be loaded", said_before);
    ++totals_.not_loaded;
  }
  bool read_lanes() { return read_lane_list(session_, asked_); }
  void finish();

 private:
  void say(std::string_view text);
  void error(const std::string& name, const std::string& run, const std::string& message, std::size_t said_before);
  void test_case(const Lesson& program, const Case& one);
  std::vector<unsigned> asked_lanes(const Lesson& program, const Case& one) const;
  void skip(const Lesson& program, const Case& one);

  Session& session_;
  std::vector<unsigned> asked_;  // --lanes; empty: as the cases say
  Totals totals_;
  std::vector<TestRun> runs_;
  ShownWarnings warnings_;
};

// The summary for people; where the XML has standard output, nothing else is printed there.
void Tester::say(std::string_view text) {
  if (!is_stdout(session_.options.junit)) session_.reply.text(text);
}

void Tester::test_program(const Lesson& program) {
  if (session_.is_stopped()) return;
  const std::size_t said_before = session_.reply.said().size();
  ++totals_.programs;
  if (program.cases.empty()) {
    session_.reply.fail(ExitCode::BadInput, "no-case", program.full_name() + " has no case, so nothing of it is tested",
                        "add `.case test` with inputs and `expect OUTPUT = RULE`");
    ++totals_.failed;
    return error(program.full_name(), "cases", "it has no case", said_before);
  }
  const std::string& wanted = session_.options.case_name;
  for (const Case& one : program.cases)
    if ((wanted.empty() || one.name == wanted) && !session_.is_stopped()) test_case(program, one);
}

// A program of which nothing could be run.
void Tester::error(const std::string& name, const std::string& run, const std::string& message,
                   std::size_t said_before) {
  runs_.push_back({name, run, TestRun::Status::Error, message, session_.reply.said().substr(said_before), {}});
}

// The lane counts that are asked for: of those that the case fixes, or all of them where it fixes none.
std::vector<unsigned> Tester::asked_lanes(const Lesson& program, const Case& one) const {
  const std::vector<unsigned> own = lane_counts(program, one);
  if (asked_.empty()) return own;
  if (one.find("lanes") == nullptr) return asked_;
  std::vector<unsigned> both;
  std::copy_if(own.begin(), own.end(), std::back_inserter(both),
               [this](unsigned lanes) { return std::find(asked_.begin(), asked_.end(), lanes) != asked_.end(); });
  return both;
}

void Tester::test_case(const Lesson& program, const Case& one) {
  ++totals_.cases;
  std::vector<unsigned> good, bad;
  for (const unsigned lanes : asked_lanes(program, one)) {
    if (session_.is_stopped()) break;
    if (one.find("lanes") == nullptr && program.exemption_at(lanes) != nullptr) continue;
    runs_.push_back(test_run(session_, program, one, lanes, warnings_));
    const TestRun& last = runs_.back();
    ++totals_.runs;
    totals_.failed += last.failed() ? 1 : 0;
    for (std::size_t k = 0; k < totals_.exactness.size(); ++k) totals_.exactness[k] += last.exactness[k];
    totals_.unchecked += last.status == TestRun::Status::Unchecked ? 1 : 0;
    (last.failed() ? bad : good).push_back(lanes);
  }
  const std::string what = program.full_name() + "  " + one.name + "  at ";
  if (!good.empty()) say("ok    " + what + lanes_text(good) + "\n");
  if (!bad.empty()) say("FAIL  " + what + lanes_text(bad) + "\n");
  if (one.find("lanes") == nullptr) skip(program, one);
}

// Says what is not run at the lane counts that the program is exempt from.
void Tester::skip(const Lesson& program, const Case& one) {
  for (const Exemption& exemption : program.exemptions) {
    std::vector<unsigned> skipped;
    for (const unsigned lanes : exemption.lanes) {
      if (!asked_.empty() && std::find(asked_.begin(), asked_.end(), lanes) == asked_.end()) continue;
      skipped.push_back(lanes);
      runs_.push_back({program.full_name(), run_name(one, lanes), TestRun::Status::Skipped, exemption.reason, "", {}});
      ++totals_.skipped;
    }
    if (!skipped.empty())
      say("skip  " + program.full_name() + "  " + one.name + "  at " + lanes_text(skipped) + ": " + exemption.reason +
          "\n");
  }
}

void Tester::finish() {
  std::string summary = counted(totals_.programs, "program") + ", " + counted(totals_.cases, "case") + ", " +
                        counted(totals_.runs, "run") + ": ";
  summary += totals_.failed != 0 ? std::to_string(totals_.failed) + " failed"
             : totals_.runs != 0 ? "all as expected"
                                 : "nothing was tested";
  if (!warnings_.empty())
    summary += ", " + counted(warnings_.size(), session_.options.check == "warn" ? "finding" : "warning");
  if (totals_.unchecked != 0) summary += " (" + std::to_string(totals_.unchecked) + " expect nothing)";
  if (totals_.skipped != 0) summary += ", " + std::to_string(totals_.skipped) + " skipped";
  if (totals_.not_loaded != 0) summary += "; " + counted(totals_.not_loaded, "program") + " could not be loaded";
  if (totals_.runs != 0) say("instructions: " + exactness_text(totals_.exactness) + "\n");
  say(summary + "\n");

  std::vector<std::string> failures, skipped;
  for (const TestRun& one : runs_) {
    const bool skip = one.status == TestRun::Status::Skipped;
    if (!skip && !one.failed()) continue;
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
                            .number("failed", totals_.failed + totals_.not_loaded)
                            .raw("by_exactness", exactness_json(totals_.exactness))
                            .raw("failures", json_list(failures))
                            .raw("skipped", json_list(skipped))
                            .str());
  if (totals_.runs + totals_.skipped == 0 && session_.reply.code() == ExitCode::Ok)
    session_.reply.fail(ExitCode::Usage, "usage", "no case fits --case and --lanes, so nothing was tested");
  if (!session_.options.junit.empty()) session_.reply.write_to(session_.options.junit, junit_xml(junit_cases(runs_)));
}

}  // namespace

void run_test(Session& session) {
  if (session.reply.json() && is_stdout(session.options.junit))
    return session.reply.fail(ExitCode::Usage, "usage", "--json and --junit - both want standard output",
                              "write one of them to a file: --junit FILE");
  Tester tester(session);
  CaseOverrides machine;
  if (!tester.read_lanes() || !read_error_exitcode(session) || !read_machine(session, machine)) return;
  session.stop = catch_interrupt();
  for_each_named(session,
                 {[&](const Lesson& program) { tester.test_program(program); },
                  [&](const std::string& name, std::size_t said_before) { tester.cannot_load(name, said_before); }});
  tester.finish();
}

}  // namespace warpsim::tools
