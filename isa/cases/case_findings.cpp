// `finding = WS0104 @ read, WS0401`: what a case says must be found.
//
// Errors: CaseError, with the place in the text.
#include <algorithm>

#include "isa/cases/case.h"
#include "isa/text/diagnostic.h"
#include "isa/text/word.h"

namespace warpsim {
namespace {

struct Part {
  std::string_view text;
  std::size_t offset;
};
Part trimmed(Part part) {
  const std::string_view text = warpsim::trimmed(part.text);
  return {text, part.offset + static_cast<std::size_t>(text.data() - part.text.data())};
}

}  // namespace

std::variant<std::vector<ExpectedFinding>, CaseError> parse_findings(std::string_view text, const Labels& labels) {
  std::vector<ExpectedFinding> findings;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const Part whole{text.substr(from, end - from), from};
    from = end + 1;
    const std::size_t at = whole.text.find('@');
    const Part code = trimmed({whole.text.substr(0, at), whole.offset});
    const std::optional<Finding> finding = finding_of(code.text);
    if (!finding)
      return CaseError{"expected the code of a finding such as WS0104, not '" + std::string(code.text) + "'",
                       code.offset};
    ExpectedFinding& one = findings.emplace_back(ExpectedFinding{*finding, -1});
    if (at == std::string_view::npos) continue;
    const Part label = trimmed({whole.text.substr(at + 1), whole.offset + at + 1});
    const auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& l) { return l.first == label.text; });
    if (found == labels.end()) {
      std::vector<std::string> names;
      for (const auto& [name, pc] : labels) names.push_back(name);
      const std::string meant = nearest(std::string(label.text), names);
      return CaseError{
          "no label '" + std::string(label.text) + "'" + (meant.empty() ? "" : ", did you mean " + meant + "?"),
          label.offset};
    }
    one.pc = found->second;
  }
  return findings;
}

}  // namespace warpsim
