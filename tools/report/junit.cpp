// Writing JUnit XML; see junit.h.
#include "tools/report/junit.h"

#include <algorithm>
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

// The element that says what came of it; "" if it passed.
std::string_view element_of(JUnitCase::Outcome outcome) {
  switch (outcome) {
    case JUnitCase::Outcome::Passed: return "";
    case JUnitCase::Outcome::Skipped: return "skipped";
    case JUnitCase::Outcome::Failure: return "failure";
    case JUnitCase::Outcome::Error: return "error";
  }
  return "";
}

std::string counts(const JUnitCase* first, const JUnitCase* last) {
  const auto count = [&](JUnitCase::Outcome outcome) {
    return std::to_string(std::count_if(first, last, [&](const JUnitCase& one) { return one.outcome == outcome; }));
  };
  return " tests=\"" + std::to_string(last - first) + "\" failures=\"" + count(JUnitCase::Outcome::Failure) +
         "\" errors=\"" + count(JUnitCase::Outcome::Error) + "\" skipped=\"" + count(JUnitCase::Outcome::Skipped) +
         "\"";
}

std::string testcase(const JUnitCase& one) {
  const std::string start = "    <testcase classname=\"" + escaped(one.suite) + "\" name=\"" + escaped(one.name) + "\"";
  const std::string element(element_of(one.outcome));
  std::string inside;
  if (!element.empty()) {
    inside = "<" + element + " message=\"" + escaped(one.message) + "\"";
    inside += one.text.empty() ? "/>" : ">" + escaped(one.text, Lines::Kept) + "</" + element + ">";
  }
  if (!one.output.empty()) inside += "<system-out>" + escaped(one.output, Lines::Kept) + "</system-out>";
  return inside.empty() ? start + "/>\n" : start + ">" + inside + "</testcase>\n";
}

}  // namespace

std::string junit_xml(const std::vector<JUnitCase>& cases) {
  const JUnitCase* const end = cases.data() + cases.size();
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpsim\"" + counts(cases.data(), end) + ">\n";
  for (const JUnitCase* first = cases.data(); first != end;) {
    const JUnitCase* last = first;
    while (last != end && last->suite == first->suite) ++last;
    text += "  <testsuite name=\"" + escaped(first->suite) + "\"" + counts(first, last) + ">\n";
    for (; first != last; ++first) text += testcase(*first);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace warpsim::tools
