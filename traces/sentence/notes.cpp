// Writing the notes.
#include "traces/sentence/notes.h"

#include <algorithm>

#include "traces/io/json_text.h"
#include "traces/io/json_values.h"
#include "traces/replay/collectives.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/state.h"
#include "traces/sentence/phase_titles.h"
#include "traces/sentence/sentence.h"
#include "traces/words/fault_text.h"
#include "traces/words/sources.h"

namespace warpsim {
namespace {

void append_names(std::string& out, std::string_view key, const std::vector<std::string>& names) {
  list_member(out, key, names.size(), [&](std::size_t k) { append_json_string(out, names[k]); });
}

void append_flag(std::string& out, std::string_view key, bool value) {
  append_json_key(out, key);
  out += value ? "true" : "false";
}

void append_flow(std::string& out, const InsnFlow& flow) {
  out += '{';
  text_member(out, "kind", name(flow.kind));
  append_flag(out, "exclusive", flow.exclusive);
  append_flag(out, "overwrites", flow.overwrites);
  append_json_key(out, "guard");
  if (flow.guard.empty()) out += "null";
  else append_json_string(out, flow.guard);
  append_flag(out, "negated", flow.negated);
  append_names(out, "value", flow.value);
  append_names(out, "exchanged", flow.exchanged);
  append_names(out, "address", flow.address);
  append_names(out, "writes", flow.writes);
  text_member(out, "members", flow.members);
  out += '}';
}

void append_sentences(std::string& out, std::string_view key, const Trace& trace, Language language) {
  list_member(out, key, trace.events.size(),
              [&](std::size_t k) { append_json_string(out, sentence(trace, k, language)); });
}

void append_titles(std::string& out, const Trace& trace, const Translations& korean) {
  bool first = true;
  for (const auto& [event, title] : phase_titles(trace, Language::Korean, korean)) {
    out += first ? "" : ", ";
    first = false;
    append_json_string(out, std::to_string(event));
    out += ": ";
    append_json_string(out, title);
  }
}

void append_fault(std::string& out, const TraceFinding& fault) {
  const auto korean = [&out](const Message& message) {
    append_json_string(out, fault_text(message, Language::Korean));
  };
  out += '{';
  append_json_key(out, "message");
  korean(fault.message);
  append_json_key(out, "hint");
  korean(fault.hint);
  list_member(out, "steps", fault.steps.size(), [&](std::size_t k) { korean(fault.steps[k].text); });
  list_member(out, "places", fault.places.size(), [&](std::size_t k) { korean(fault.places[k].waits_for); });
  out += '}';
}

void append_faults(std::string& out, const TraceOutcome& outcome) {
  const std::size_t findings = outcome.findings.size();
  list_member(out, "ko", findings + (outcome.trap ? 1 : 0),
              [&](std::size_t k) { append_fault(out, k < findings ? outcome.findings[k] : *outcome.trap); });
}

void append_window(std::string& out, const Trace& trace) {
  const std::uint64_t before = events_before(trace.head), here = trace.events.size();
  // The instruction that trapped is an event and does not count.
  const std::uint64_t all = std::max(trace.outcome.instructions, before + here);
  append_json_key(out, "window");
  if (here == all) {
    out += "null";
    return;
  }
  std::uint64_t first = before + 1, last = before + here, of = all;
  if (!trace.events.empty() && trace.events.front().cycle) {
    first = ~std::uint64_t{0}, last = 0, of = trace.outcome.cycles;
    for (const TraceEvent& event : trace.events) {
      first = std::min(first, event.cycle.value_or(first));
      last = std::max(last, event.cycle.value_or(last));
    }
  }
  out += '{';
  number_member(out, "first", first);
  number_member(out, "last", last);
  number_member(out, "of", std::max(of, last));
  number_member(out, "events", here);
  number_member(out, "all", all);
  out += '}';
}

}  // namespace

std::string notes_json(const Trace& trace, const Translations* korean) {
  std::string out = "{\"sentences\": {";
  append_sentences(out, "en", trace, Language::English);
  append_sentences(out, "ko", trace, Language::Korean);
  out += "}, \"name\": {";
  text_member(out, "ko", korean == nullptr ? trace.head.title : korean->of(trace.head.title));
  out += "}, \"titles\": {\"ko\": {";
  if (korean != nullptr) append_titles(out, trace, *korean);
  out += "}}, \"faults\": {";
  append_faults(out, trace.outcome);
  out += '}';
  const CollectiveForm form = collective_form(trace.head);
  const std::vector<CitedText> sources = cited_texts(trace.head.document);
  text_member(out, "collectives",
              form == CollectiveForm::None      ? ""
              : form == CollectiveForm::OneStep ? "step"
                                                : "shuffles");
  list_member(out, "sources", sources.size(), [&](std::size_t k) {
    out += '{';
    text_member(out, "text", sources[k].words);
    text_member(out, "address", sources[k].address);
    out += '}';
  });
  append_window(out, trace);
  out += ", ";
  list_member(out, "flow", trace.head.code.size(),
              [&](std::size_t pc) { append_flow(out, flow_of(trace.head, static_cast<std::int32_t>(pc))); });
  return out + "}\n";
}

}  // namespace warpsim
