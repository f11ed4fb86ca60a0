// Writing the notes.
#include "traces/notes.h"

#include "traces/dataflow.h"
#include "traces/json_text.h"
#include "traces/json_values.h"
#include "traces/phase_titles.h"
#include "traces/sentence.h"

namespace warpsim {
namespace {

void append_names(std::string& out, std::string_view key, const std::vector<std::string>& names) {
  list_member(out, key, names.size(), [&](std::size_t k) { append_json_string(out, names[k]); });
}

void append_flow(std::string& out, const InsnFlow& flow) {
  out += '{';
  append_json_key(out, "guard");
  if (flow.guard.empty()) out += "null";
  else append_json_string(out, flow.guard);
  append_json_key(out, "negated");
  out += flow.negated ? "true" : "false";
  append_names(out, "value", flow.value);
  append_names(out, "exchanged", flow.exchanged);
  append_names(out, "address", flow.address);
  append_names(out, "writes", flow.writes);
  out += '}';
}

void append_sentences(std::string& out, std::string_view key, const Trace& trace, Language language) {
  list_member(out, key, trace.events.size(),
              [&](std::size_t k) { append_json_string(out, sentence(trace.head, trace.events[k], language)); });
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

}  // namespace

std::string notes_json(const Trace& trace, const Translations* korean) {
  std::string out = "{\"sentences\": {";
  append_sentences(out, "en", trace, Language::English);
  append_sentences(out, "ko", trace, Language::Korean);
  out += "}, \"titles\": {\"ko\": {";
  if (korean != nullptr) append_titles(out, trace, *korean);
  out += "}}, ";
  list_member(out, "flow", trace.head.code.size(),
              [&](std::size_t pc) { append_flow(out, flow_of(trace.head, static_cast<std::int32_t>(pc))); });
  return out + "}\n";
}

}  // namespace warpsim
