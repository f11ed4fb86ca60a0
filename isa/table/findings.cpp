#include "isa/table/findings.h"

#include <algorithm>
#include <iterator>

#include "isa/text/check.h"

namespace warpsim {
namespace {

constexpr std::string_view text_of(Finding finding) {
  switch (finding) {
#define EXPLAIN(Name, hardware, hides, find, fix) \
  case Finding::Name:                             \
    return "On hardware: " hardware "\n\nWhy it hides: " hides "\n\nTo find it: " find "\n\nTo fix it: " fix;
#include "isa/table/findings_text.def"
#undef EXPLAIN
  }
  return "";
}

constexpr FindingInfo kFindings[] = {
#define FINDING(code, Name, severity, example, title, rule) \
  {Finding::Name, #Name, Severity::severity, example, title, rule, MessageId::Hint##Name, text_of(Finding::Name)},
#include "isa/table/findings.def"
#undef FINDING
};

constexpr bool rises() {
  for (std::size_t k = 1; k < std::size(kFindings); ++k)
    if (kFindings[k - 1].finding >= kFindings[k].finding) return false;
  return true;
}
static_assert(rises(), "the codes of isa/table/findings.def rise");

const FindingInfo* find(Finding finding) {
  const auto* const at = std::lower_bound(std::begin(kFindings), std::end(kFindings), finding,
                                          [](const FindingInfo& row, Finding wanted) { return row.finding < wanted; });
  return at != std::end(kFindings) && at->finding == finding ? at : nullptr;
}

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Wrong: return "wrong answer";
    case Severity::Advice: return "advice";
  }
  return "";
}

std::span<const FindingInfo> all_findings() { return kFindings; }

const FindingInfo& info(Finding finding) {
  const FindingInfo* const found = find(finding);
  WARPSIM_CHECK(found != nullptr);
  return *found;
}

std::string code(Finding finding) {
  const std::string digits = std::to_string(static_cast<unsigned>(finding));
  return "WS" + std::string(4 - digits.size(), '0') + digits;
}

std::string kind(Finding finding) {
  std::string out;
  for (const char c : info(finding).name) {
    if (c >= 'A' && c <= 'Z' && !out.empty()) out += '-';
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::optional<Finding> finding_of(std::string_view code) {
  if (code.size() != 6 || (code[0] != 'W' && code[0] != 'w') || (code[1] != 'S' && code[1] != 's')) return std::nullopt;
  unsigned number = 0;
  for (const char c : code.substr(2)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  const Finding finding = static_cast<Finding>(number);
  return find(finding) == nullptr ? std::nullopt : std::optional(finding);
}

}  // namespace warpsim
