// The plain list of events, a block of lines an event.
//
// Shapes: a line `cycle block.warp pc instruction`, then an indented line for each thing that it did.
// Units:  machine cycles.
// Errors: none.
// Source: traces/FORMAT.md.
#include "traces/text/text_renderer_events.h"

#include <algorithm>

#include "traces/model/source_lines.h"
#include "traces/replay/phase_view.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

constexpr std::string_view kDetailIndent = "            ";

// Which lanes execute, where it is not all of them.
std::string lanes_words(Language language, LaneMask lanes, unsigned all) {
  if (lanes == full_mask(all)) return "";
  if (lanes == 0) return say(language, Phrase::NoLane);
  return say(language, count_lanes(lanes) == 1 ? Phrase::SomeLane : Phrase::SomeLanes, {lane_ranges(lanes)});
}

// A list that fits the width: dots replace what does not, the last item stays.
std::string fitted(const std::vector<std::string>& items, std::size_t width) {
  std::string all = "[";
  for (std::size_t k = 0; k < items.size(); ++k) all += (k == 0 ? "" : ", ") + items[k];
  all += "]";
  if (all.size() <= width || items.size() < 4) return all;
  const std::string end = "..., " + items.back() + "]";
  std::string front = "[";
  for (const std::string& item : items) {
    if (front.size() + item.size() + 2 + end.size() > width) break;
    front += item + ", ";
  }
  return front + end;
}

class EventList {
 public:
  EventList(const TraceHead& head, const TextOptions& options, bool many_warps)
      : head_(head), options_(options), many_warps_(many_warps) {}

  void add(const TraceEvent& event) {
    if (options_.block && *options_.block != event.block) return;
    if (options_.warp && *options_.warp != event.warp) return;
    const TraceInsn* insn = find_insn(head_, event.pc);
    if (insn != nullptr) source_line(*insn);
    const std::string cycle = event.cycle ? std::to_string(*event.cycle) : "-";
    out_ += std::string(cycle.size() < 6 ? 6 - cycle.size() : 0, ' ') + cycle + "  ";
    if (many_warps_) out_ += std::to_string(event.block) + "." + std::to_string(event.warp) + "  ";
    const std::string pc = std::to_string(event.pc);
    out_ += std::string(pc.size() < 3 ? 3 - pc.size() : 0, ' ') + pc + "  " + (insn != nullptr ? insn->text : "?");
    out_ += lanes_words(options_.language, event.active, head_.lanes) + "\n";
    details(event);
  }

  std::string take() { return std::move(out_); }

 private:
  std::string words(Phrase phrase, std::initializer_list<std::string_view> values = {}) const {
    return say(options_.language, phrase, values);
  }

  std::string ranges(LaneMask lanes) const { return lanes == 0 ? words(Phrase::NoLanes) : lane_ranges(lanes); }

  // A heading where another line of the source begins.
  void source_line(const TraceInsn& insn) {
    const TraceSourcePlace* const place = place_of(head_, insn);
    const bool is_new = last_ == nullptr || !show_one_line(head_, *last_, insn);
    last_ = &insn;
    if (place == nullptr || !is_new) return;
    std::string heading = line_name(head_, *place);
    for (std::int32_t at = place->inlined_at; at >= 0; at = head_.places[static_cast<std::size_t>(at)].inlined_at)
      heading += " ← " + line_name(head_, head_.places[static_cast<std::size_t>(at)]);
    const std::string_view text = source_text(head_, *place);
    if (!text.empty()) heading += ": " + std::string(text);
    out_ += cut(heading, options_.width) + "\n";
  }

  void line(const std::string& name, const std::vector<std::string>& items) {
    const bool same = items.size() > 1 && std::all_of(items.begin(), items.end(),
                                                      [&](const std::string& item) { return item == items[0]; });
    const std::size_t used = kDetailIndent.size() + text_width(name) + 3;
    const std::size_t width = options_.width > used + 20 ? options_.width - used : 20;
    out_ += std::string(kDetailIndent) + name + " = " + (same || items.size() == 1 ? items[0] : fitted(items, width)) +
            "\n";
  }

  void details(const TraceEvent& event) {
    for (const TraceWrite& write : event.writes) {
      const TraceRegister& reg = head_.registers[static_cast<std::size_t>(write.reg)];
      std::vector<std::string> items;
      std::size_t k = 0;
      for_each_lane(write.lanes, [&](unsigned lane) {
        const std::uint64_t bits = write.bits[k++];
        items.push_back(has_lane(write.undefined, lane) ? "?"
                                                        : display(TemplateValue::of(reg.type, bits), head_.lanes));
      });
      const std::string_view variable = variable_in(head_, write.reg, event.pc);
      if (!items.empty()) line(variable.empty() ? reg.name : std::string(variable) + " (" + reg.name + ")", items);
    }
    if (event.exchange) {
      std::vector<std::string> items;
      for (const std::uint8_t from : event.exchange->from) items.push_back(std::to_string(from));
      if (!items.empty()) line(words(Phrase::FromLane), items);
    }
    if (event.memory && event.memory->writes()) stores(*event.memory);
    for (const TraceMask& mask : event.masks) {
      const std::string taken = ranges(mask.taken), stay = ranges(mask.not_taken);
      if (mask.kind == TraceMask::Kind::Branch)
        out_ += std::string(kDetailIndent) + words(Phrase::BranchTo, {std::to_string(mask.target), taken, stay}) + "\n";
      else
        out_ += std::string(kDetailIndent) +
                words(mask.kind == TraceMask::Kind::Exit ? Phrase::Done : Phrase::Together, {taken}) + "\n";
    }
  }

  void stores(const TraceMemory& memory) {
    std::vector<std::string> items;
    std::size_t k = 0;
    for_each_lane(memory.lanes, [&](unsigned lane) {
      for (unsigned e = 0; e < memory.elements; ++e, ++k) {
        const std::size_t place = k / memory.elements;
        items.push_back(std::string(object_name(head_, memory, place)) + "[" + std::to_string(memory.index[place] + e) +
                        "]=" +
                        (has_lane(memory.left_undefined(e), lane)
                             ? "?"
                             : display(TemplateValue::of(memory.type, memory.left(k)), head_.lanes)));
      }
    });
    if (!items.empty()) line(words(Phrase::Stored), items);
  }

  const TraceHead& head_;
  const TextOptions& options_;
  bool many_warps_ = false;
  const TraceInsn* last_ = nullptr;
  std::string out_;
};

}  // namespace

std::string render_events(const TraceHead& head, const std::vector<const TraceEvent*>& events,
                          const TextOptions& options, bool many_warps) {
  EventList list(head, options, many_warps);
  for (const TraceEvent* event : events) list.add(*event);
  return list.take();
}

bool has_many_warps(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(),
                     [](const TraceEvent& event) { return event.block + event.warp > 0; });
}

std::string render_events(const Trace& trace, const TextOptions& options) {
  std::vector<const TraceEvent*> events;
  for (const TraceEvent& event : trace.events) events.push_back(&event);
  const std::string text = render_events(trace.head, events, options, has_many_warps(trace));
  return text.empty() ? text : "\n" + text;
}

}  // namespace warpsim
