// See source_lines.h.
#include "traces/model/source_lines.h"

#include "isa/text/lines.h"
#include "isa/text/word.h"

namespace warpsim {

const TraceSourcePlace* place_of(const TraceHead& head, const TraceInsn& insn) {
  return insn.place < 0 ? nullptr : &head.places[static_cast<std::size_t>(insn.place)];
}

std::string line_name(const TraceHead& head, const TraceSourcePlace& place) {
  return head.sources[place.source].file + ":" + std::to_string(place.line);
}

std::string line_name(const TraceHead& head, const TraceInsn& insn) {
  if (head.sources.empty()) return std::to_string(insn.line);
  if (const TraceSourcePlace* const place = place_of(head, insn)) return line_name(head, *place);
  return head.file + ":" + std::to_string(insn.line);
}

std::string_view variable_in(const TraceHead& head, std::int32_t reg, std::int32_t pc) {
  for (const std::int32_t at : {pc + 1, pc})
    for (const TraceVariable& one : head.variables)
      if (one.reg == reg && one.first <= at && at < one.end) return one.name;
  return "";
}

std::string_view source_text(const TraceHead& head, const TraceSourcePlace& place) {
  return trimmed(line_in(head.sources[place.source].text, place.line));
}

std::vector<const TraceSourcePlace*> frames_of(const TraceHead& head, const TraceInsn& insn) {
  std::vector<const TraceSourcePlace*> all;
  for (std::int32_t at = insn.innermost; at >= 0; at = all.back()->inlined_at)
    all.push_back(&head.places[static_cast<std::size_t>(at)]);
  return all;
}

bool show_one_line(const TraceHead& head, const TraceInsn& a, const TraceInsn& b) {
  const TraceSourcePlace *x = place_of(head, a), *y = place_of(head, b);
  return x == y || (x != nullptr && y != nullptr && x->source == y->source && x->line == y->line &&
                    x->inlined_at == y->inlined_at);
}

}  // namespace warpsim
