// Writing the notes.
#include "traces/notes.h"

#include "traces/dataflow.h"
#include "traces/json_text.h"
#include "traces/json_values.h"
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

}  // namespace

std::string notes_json(const Trace& trace) {
  std::string out = "{\"sentences\": {";
  append_sentences(out, "en", trace, Language::English);
  append_sentences(out, "ko", trace, Language::Korean);
  out += "}, \"titles\": {\"ko\": {}}, ";
  list_member(out, "flow", trace.head.code.size(),
              [&](std::size_t pc) { append_flow(out, flow_of(trace.head, static_cast<std::int32_t>(pc))); });
  return out + "}\n";
}

}  // namespace warpsim
