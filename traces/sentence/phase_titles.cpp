// Filling titles again; see phase_titles.h.
#include "traces/sentence/phase_titles.h"

#include "traces/replay/phase_view.h"

namespace warpsim {

std::vector<std::pair<std::size_t, std::string>> phase_titles(const Trace& trace, Language language,
                                                              const Translations& translations) {
  const TraceHead& head = trace.head;
  std::vector<Template> templates;
  for (const TracePhase& phase : head.phases) templates.emplace_back(translations.of(phase.title), language);
  std::vector<std::pair<std::size_t, std::string>> titles;
  TraceMemoryState memory(head);
  TraceState now(head);
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent& event = trace.events[k];
    const std::size_t index = event.phase ? static_cast<std::size_t>(event.phase->phase) : head.phases.size();
    if (index < head.phases.size() && translations.has(head.phases[index].title)) {
      PhaseRecord record;
      record.start = *event.phase;
      record.lanes = event.group != 0 ? event.group : event.active;
      titles.emplace_back(k, templates[index].fill(RecordView(head, memory, now, record, event.block, event.warp)));
    }
    now.apply(event);
    memory.apply(event);
  }
  return titles;
}

}  // namespace warpsim
