// Test results as JUnit XML; see junit.h.
#include "tools/junit.h"

#include <cstddef>
#include <string_view>

namespace warpsim::tools {

namespace {

enum class Lines { Joined, Kept };  // a text keeps its lines, an attribute cannot

std::string escaped(std::string_view text, Lines lines = Lines::Joined) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += lines == Lines::Kept ? '\n' : ' '; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

bool is_failure(const TestRun& run) { return run.status == TestRun::Status::Mismatch; }
bool is_error(const TestRun& run) {
  return run.status == TestRun::Status::Trap || run.status == TestRun::Status::Error;
}

std::string counts(const TestRun* first, const TestRun* last) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  for (const TestRun* run = first; run != last; ++run)
    failures += is_failure(*run), errors += is_error(*run), skipped += run->status == TestRun::Status::Skipped;
  return " tests=\"" + std::to_string(last - first) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"" +
         std::to_string(errors) + "\" skipped=\"" + std::to_string(skipped) + "\"";
}

std::string testcase(const TestRun& run) {
  std::string text = "    <testcase classname=\"" + escaped(run.program) + "\" name=\"" + escaped(run.name) + "\"";
  const bool skipped = run.status == TestRun::Status::Skipped;
  if (!skipped && !is_failure(run) && !is_error(run)) return text + "/>\n";
  const std::string element = skipped ? "skipped" : is_failure(run) ? "failure" : "error";
  text += "><" + element + " message=\"" + escaped(run.message) + "\"";
  if (run.messages.empty()) return text + "/></testcase>\n";
  return text + ">" + escaped(run.messages, Lines::Kept) + "</" + element + "></testcase>\n";
}

}  // namespace

std::string junit_xml(const std::vector<TestRun>& runs) {
  const TestRun* const end = runs.data() + runs.size();
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpsim\"" + counts(runs.data(), end) + ">\n";
  for (const TestRun* first = runs.data(); first != end;) {
    const TestRun* last = first;
    while (last != end && last->program == first->program) ++last;
    text += "  <testsuite name=\"" + escaped(first->program) + "\"" + counts(first, last) + ">\n";
    for (; first != last; ++first) text += testcase(*first);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace warpsim::tools
