// Before and after the diagram; see text_renderer_frame.h.
#include "traces/text/text_renderer_frame.h"

#include <algorithm>

#include "traces/replay/phase_view.h"
#include "traces/sentence/launch_text.h"
#include "traces/words/fault_text.h"
#include "traces/words/phrases.h"
#include "traces/words/sources.h"

namespace warpsim {
namespace {

// The places in the program's sources follow the title where they fit, else in lines of their own.
void append_document(std::string& out, const std::string& document) {
  const std::vector<std::string> phrases = cited(document);
  if (phrases.size() == 1 && text_width(out) + text_width(phrases[0]) + 3 <= kTerminal) {
    out += " (" + phrases[0] + ")";
    return;
  }
  for (std::size_t k = 0; k < phrases.size(); ++k) out += (k == 0 ? "\n  (" : ";\n   ") + phrases[k];
  out += ")";
}

// A window's part of the run.
void add_window(std::string& out, const Trace& trace, Language language) {
  const TraceOutcome& outcome = trace.outcome;
  const std::string cycles = std::to_string(outcome.cycles), instructions = std::to_string(outcome.instructions);
  std::optional<std::uint64_t> first, last;
  for (const TraceEvent& event : trace.events) {
    if (!event.cycle) continue;
    first = std::min(first.value_or(*event.cycle), *event.cycle);
    last = std::max(last.value_or(*event.cycle), *event.cycle);
  }
  if (first)
    out +=
        say(language, first == last ? Phrase::WindowCycle : Phrase::WindowCycles, {cycle_words(first, last), cycles});
  out += say(language, Phrase::WindowInstructions, {std::to_string(trace.events.size()), instructions});
}

}  // namespace

std::string cycle_words(const std::optional<std::uint64_t>& first, const std::optional<std::uint64_t>& last) {
  if (!first) return "";
  if (!last || *first == *last) return std::to_string(*first);
  return std::to_string(*first) + "-" + std::to_string(*last);
}

std::string letters_text(const TraceHead& head, Language language) {
  const auto has_letters = [](const TracePhase& phase) {
    return std::any_of(phase.lines.begin(), phase.lines.end(),
                       [](const TraceDraw& draw) { return draw.text.find(":A}") != std::string::npos; });
  };
  if (!std::any_of(head.phases.begin(), head.phases.end(), has_letters)) return "";
  return "\n" + say(language, Phrase::Letters) + "\n";
}

std::string header_text(const Trace& trace, const TextOptions& options) {
  const TraceHead& head = trace.head;
  std::string out = head.program;
  if (!head.title.empty()) {
    out += out.empty() ? "" : ": ";
    out += options.translations != nullptr ? options.translations->of(head.title) : head.title;
  }
  if (!head.document.empty()) append_document(out, head.document);
  out += "\n";
  const auto add = [&](bool one, Phrase singular, Phrase plural, const std::string& value) {
    out += say(options.language, one ? singular : plural, {value});
  };
  out += launch_text(head, options.language);
  if (head.backend != "simulator") add(true, Phrase::OnBackend, Phrase::OnBackend, head.backend);
  const TraceOutcome& outcome = trace.outcome;
  if (outcome.cycles > 0 && head.start) {
    add_window(out, trace, options.language);
  } else if (outcome.cycles > 0) {
    add(outcome.cycles == 1, Phrase::OneCycle, Phrase::Cycles, std::to_string(outcome.cycles));
    add(outcome.instructions == 1, Phrase::OneInstruction, Phrase::Instructions, std::to_string(outcome.instructions));
  }
  const std::string timing = timing_text(head, options.language);
  return out + (timing.empty() ? "" : "\n" + timing) + "\n";
}

std::string result_text(const Trace& trace, const TextOptions& options) {
  std::string out = trace.outcome.printed;
  if (!out.empty() && !out.ends_with('\n')) out += "\n";
  for (const auto& [name, array] : trace.outcome.outputs)
    out += name + ": " + array_text(array, find_undefined(trace.outcome.undefined, name)) + "\n";
  const std::string verdict =
      render_verdict(run_facts(trace.head, trace.outcome, options.translations), options.language);
  if (!verdict.empty()) out += verdict + "\n";
  for (const TraceFinding& finding : trace.outcome.findings)
    out += name_of(finding) + ": " + fault_text(finding.message, options.language) + "\n";
  if (trace.outcome.trap)
    out += say(options.language, Phrase::Trap,
               {name_of(*trace.outcome.trap), fault_text(trace.outcome.trap->message, options.language)}) +
           "\n";
  if (!out.empty() && trace.head.start) out = say(options.language, Phrase::WholeRun) + "\n" + out;
  return out.empty() ? out : "\n" + out;
}

}  // namespace warpsim
