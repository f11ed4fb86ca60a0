// From a trace to its wrong outputs: see wrong_answer.h.
#include "traces/explain/wrong_answer.h"

#include <algorithm>

#include "traces/explain/wrong_answer_explanation.h"
#include "traces/text/text_renderer.h"

namespace warpsim {
namespace {

// The wrong elements of an output: those that differ and hold something defined.
std::vector<std::size_t> wrong_elements(const TraceOutcome& outcome, const std::string& name, const Array& expected,
                                        const Array& got) {
  std::vector<std::size_t> list;
  const UndefinedElements* const undefined = find_undefined(outcome.undefined, name);
  for (std::size_t k = 0; k < std::min(expected.bits.size(), got.bits.size()); ++k) {
    const bool holds_nothing =
        undefined != nullptr && std::binary_search(undefined->index.begin(), undefined->index.end(), k);
    if (expected.bits[k] != got.bits[k] && !holds_nothing) list.push_back(k);
  }
  return list;
}

}  // namespace

std::vector<RunFinding> explain_wrong_answers(const Trace& trace, const Expected& expected) {
  std::vector<RunFinding> found;
  if (trace.outcome.trap) return found;
  const Dataflow flow(trace);
  std::vector<std::vector<std::size_t>> wrong_of;
  std::vector<wrong::Explanation> explanations;
  std::vector<InputElement> likely;
  wrong::Elements firsts;
  std::vector<std::string> names;
  wrong_of.reserve(trace.outcome.expected.size());
  for (const auto& [name, array] : trace.outcome.expected) {
    for (std::size_t p = 0; p < trace.head.params.size(); ++p) {
      if (trace.head.params[p].name != name) continue;
      for (const auto& [output, got] : trace.outcome.outputs) {
        if (output != name) continue;
        const std::vector<std::size_t> wrong = wrong_elements(trace.outcome, name, array, got);
        if (wrong.empty()) continue;
        wrong_of.push_back(wrong);
        explanations.emplace_back(trace, flow, static_cast<std::int32_t>(p), wrong_of.back(), array, got);
        const std::vector<InputElement> from = explanations.back().computed_from();
        likely.insert(likely.end(), from.begin(), from.end());
        firsts[name] = wrong.front();
        names.push_back(name);
      }
    }
  }
  if (explanations.empty()) return found;
  wrong::Dependence depends = wrong::dependence_of(trace, expected, firsts, likely);
  for (std::size_t k = 0; k < explanations.size(); ++k)
    found.push_back(explanations[k].explain(depends.on[names[k]], depends.tried));
  return found;
}

}  // namespace warpsim
