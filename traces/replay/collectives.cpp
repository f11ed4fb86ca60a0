// Finding the expanded collectives by the lines that they came from.
#include "traces/replay/collectives.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>

#include "isa/table/op.h"

namespace warpsim {
namespace {

bool is_reduction_or_scan(const TraceInsn& insn) {
  return insn.row != nullptr && (insn.row->lift == Lift::Reduce || insn.row->lift == Lift::Scan);
}

// The opcode of a line: what follows a label and a guard.
bool calls_reduction_or_scan(const std::string& line) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.front() == '@' || word.back() == ':') continue;
    return word.starts_with("reduce.") || word.starts_with("scan.");
  }
  return false;
}

}  // namespace

std::vector<bool> expanded_instructions(const TraceHead& head) {
  std::vector<bool> calls{false};  // by line, from 1
  std::istringstream text(head.text);
  for (std::string line; std::getline(text, line);) calls.push_back(calls_reduction_or_scan(line));
  std::vector<bool> expanded;
  for (const TraceInsn& insn : head.code)
    expanded.push_back(insn.line < calls.size() && calls[insn.line] && !is_reduction_or_scan(insn));
  return expanded;
}

CollectiveForm collective_form(const TraceHead& head) {
  if (std::any_of(head.code.begin(), head.code.end(), is_reduction_or_scan)) return CollectiveForm::OneStep;
  const std::vector<bool> expanded = expanded_instructions(head);
  const bool any = std::find(expanded.begin(), expanded.end(), true) != expanded.end();
  return any ? CollectiveForm::Shuffles : CollectiveForm::None;
}

}  // namespace warpsim
