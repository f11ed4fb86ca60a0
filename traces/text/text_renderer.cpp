// A trace as text: walks the events once and draws each warp's phases and pictures.
#include "traces/text/text_renderer.h"

#include <algorithm>
#include <map>

#include "traces/replay/collectives.h"
#include "traces/replay/phase_view.h"
#include "traces/text/text_renderer_derived.h"
#include "traces/text/text_renderer_events.h"
#include "traces/text/text_renderer_frame.h"
#include "traces/text/text_renderer_lines.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

using WarpId = std::pair<std::uint32_t, std::uint32_t>;  // block, warp

struct TimelineRow {
  std::string title;
  std::optional<std::uint64_t> first, last;
};

// What is being drawn of one warp.
struct WarpDrawing {
  TraceState now;
  bool in_phase = false;
  PhaseRecord record;                     // the instance that runs
  std::vector<const TraceEvent*> events;  // its own; before the first one, those that came until then
  LaneMask exited = 0;
  DerivedLines derived;
  std::optional<PhaseRecord> block_record;  // the titled instance whose `end` lines are still to come
  std::size_t title_start = 0;              // where in `steps` the block began
  std::string steps;
  std::vector<std::string> pictures;  // by picture: its lines so far
  std::vector<bool> unasked;          // by picture: its `when=` lets it be drawn without being asked for
  std::vector<TimelineRow> timeline;
};

class Drawing {
 public:
  Drawing(const Trace& trace, const TextOptions& options)
      : head_(trace.head),
        options_(options),
        memory_(trace.head),
        windowed_(head_.start && !(trace.outcome.instructions > 0 && holds_end(trace))),
        many_warps_(has_many_warps(trace)),
        expanded_(expanded_instructions(head_)),
        phases_(parse_phases(head_.phases, options.language, options.translations)),
        pictures_(parse_phases(head_.pictures, options.language, options.translations)) {
    for (const TraceEvent& event : trace.events) add(event);
    for (auto& [id, warp] : warps_) finish(id, warp);
  }

  std::string text() const {
    std::string out;
    for (const auto& [id, warp] : warps_) {
      if (!wanted(id)) continue;
      if (options_.header && warps_.size() > 1)
        out += "\n" + words(Phrase::BlockAndWarp, {std::to_string(id.first), std::to_string(id.second)}) + "\n";
      if (options_.steps) out += warp.steps;
      add_pictures(out, warp);
      if (options_.cycles && !options_.cycles_inline) add_timeline(out, warp);
    }
    return out;
  }

 private:
  std::string words(Phrase phrase, std::initializer_list<std::string_view> values) const {
    return say(options_.language, phrase, values);
  }
  bool wanted(const WarpId& id) const {
    return (!options_.block || *options_.block == id.first) && (!options_.warp || *options_.warp == id.second);
  }
  RecordView view(const WarpId& id, const WarpDrawing& warp, const PhaseRecord& record) const {
    return {head_, memory_, warp.now, record, id.first, id.second};
  }

  void add(const TraceEvent& event) {
    const WarpId id{event.block, event.warp};
    const auto [at, fresh] = warps_.try_emplace(id);
    WarpDrawing& warp = at->second;
    if (fresh) {
      warp.now = TraceState(head_);
      warp.derived = DerivedLines(options_.language);
      warp.pictures.resize(pictures_.size());
    }
    if (event.phase) begin(id, warp, event);
    warp.events.push_back(&event);
    for (const TraceMask& mask : event.masks)
      if (mask.kind == TraceMask::Kind::Exit) warp.exited |= mask.taken;
    if (!warp.in_phase) {
      warp.now.apply(event);
      memory_.apply(event);
      return;
    }
    const bool derive = phases_[phase_index(warp)].lines.empty() && !phases_[phase_index(warp)].options.bare;
    if (derive) warp.derived.before(head_, event, view(id, warp, warp.record));
    record_event(id, warp, event);
    warp.now.apply(event);
    memory_.apply(event);
    if (derive) warp.derived.after(head_, event, view(id, warp, warp.record));
  }

  static std::size_t phase_index(const WarpDrawing& warp) { return static_cast<std::size_t>(warp.record.start.phase); }

  void begin(const WarpId& id, WarpDrawing& warp, const TraceEvent& event) {
    end_instance(id, warp);
    const std::size_t index = static_cast<std::size_t>(event.phase->phase);
    if (index >= phases_.size()) return;
    if (warp.steps.empty() && head_.start && event.phase->number > 1 && !warp.events.empty())
      list_part(warp, Phrase::WindowBegins);
    warp.events.clear();
    warp.in_phase = true;
    warp.record = {};
    warp.record.start = *event.phase;
    warp.record.lanes = event.group != 0 ? event.group : event.active;
    warp.record.old = warp.now;
    warp.derived.clear();
    if (!head_.phases[index].title.empty()) {
      end_block(id, warp);
      warp.title_start = warp.steps.size();
      const std::string title = title_of(index, *event.phase, view(id, warp, warp.record));
      warp.steps += "\n" + title + "\n";
      warp.timeline.push_back({title, event.cycle, event.cycle});
    } else if (warp.steps.empty()) {
      warp.steps = "\n";  // the header is above
    }
  }

  // The trace has it filled in; a translated one is filled here.
  std::string title_of(std::size_t index, const TracePhaseStart& start, const RecordView& now) const {
    const bool translated = phases_[index].title.text() != head_.phases[index].title;
    return translated ? phases_[index].title.fill(now) : start.title;
  }

  void record_event(const WarpId& id, WarpDrawing& warp, const TraceEvent& event) {
    PhaseRecord& record = warp.record;
    if (event.cycle) {
      if (!record.first_cycle) record.first_cycle = event.cycle;
      record.last_cycle = event.cycle;
      if (!warp.timeline.empty()) warp.timeline.back().last = event.cycle;
    }
    if (event.memory) record.accesses.push_back(&event);
    const TraceInsn* insn = find_insn(head_, event.pc);
    if (event.exchange && insn != nullptr) {
      std::string_view reg;
      if (!event.writes.empty()) reg = head_.registers[static_cast<std::size_t>(event.writes[0].reg)].name;
      std::vector<std::int64_t> asked = asked_lanes(*insn, view(id, warp, record), event.exchange->lanes);
      record.exchanges.push_back({&event, reg, std::move(asked)});
    }
  }

  // Draws the instance's lines, now that its values are known.
  void end_instance(const WarpId& id, WarpDrawing& warp) {
    if (!warp.in_phase) return;
    warp.in_phase = false;
    const std::size_t index = phase_index(warp);
    const ParsedPhase& phase = phases_[index];
    const RecordView now = view(id, warp, warp.record);
    draw_lines(warp.steps, lines_of(phase, false), phase.options, now);
    if (phase.lines.empty() && !phase.options.bare) {
      for (const LaneLines& group : warp.derived.groups()) draw_lane_lines(warp.steps, group, {}, phase.options, now);
    }
    list_expanded(warp);
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      std::vector<const ParsedLine*> lines;
      for (const ParsedLine& line : pictures_[k].lines) {
        if (!line.options.during.empty() && line.options.during == phase.options.id) lines.push_back(&line);
      }
      draw_lines(warp.pictures[k], lines, pictures_[k].options, now);
    }
    if (!head_.phases[index].title.empty()) warp.block_record = warp.record;
  }

  // What a collective of the instance ran as. Its lines speak of one operation.
  void list_expanded(WarpDrawing& warp) const {
    std::vector<const TraceEvent*> parts;
    for (const TraceEvent* event : warp.events) {
      const auto pc = static_cast<std::size_t>(event->pc);
      if (pc < expanded_.size() && expanded_[pc]) parts.push_back(event);
    }
    if (parts.empty()) return;
    warp.steps += "  " + words(Phrase::AsShuffles, {}) + "\n" + render_events(head_, parts, options_, many_warps_);
  }

  // The `end` lines of the titled phase that began the block.
  void end_block(const WarpId& id, WarpDrawing& warp) {
    if (!warp.block_record) return;
    const ParsedPhase& phase = phases_[static_cast<std::size_t>(warp.block_record->start.phase)];
    draw_lines(warp.steps, lines_of(phase, true), phase.options, view(id, warp, *warp.block_record));
    warp.block_record.reset();
    mark_cycles(warp);
  }

  // The block's cycles beside its title.
  void mark_cycles(WarpDrawing& warp) {
    const TimelineRow& row = warp.timeline.back();
    if (!options_.cycles_inline || !row.first) return;
    const std::size_t end = warp.title_start + 1 + row.title.size();
    warp.steps.insert(
        end, words(row.first == row.last ? Phrase::AtCycle : Phrase::AtCycles, {cycle_words(row.first, row.last)}));
  }

  // The window ends before the warp does, so what its last instance holds at its end is not known.
  bool is_cut(const WarpId& id, const WarpDrawing& warp) const {
    return windowed_ && (lanes_of_warp(head_, id.second) & ~warp.exited) != 0;
  }
  // Of an instance of which only a part is known: its instructions.
  void list_part(WarpDrawing& warp, Phrase which) const {
    if (!warp.in_phase) warp.steps += "\n";
    warp.steps += "  " + words(which, {}) + "\n" + render_events(head_, warp.events, options_, many_warps_);
  }

  void finish(const WarpId& id, WarpDrawing& warp) {
    const bool cut = is_cut(id, warp);
    if (cut && warp.in_phase) list_part(warp, Phrase::WindowEnds);
    if (cut) warp.block_record.reset();
    else end_instance(id, warp);
    end_block(id, warp);
    // What a picture says about the whole run: the lanes are those of the last phase.
    const RecordView now = view(id, warp, warp.record);
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      std::vector<const ParsedLine*> lines;
      for (const ParsedLine& line : pictures_[k].lines) {
        if (line.options.during.empty() && !cut) lines.push_back(&line);
      }
      draw_lines(warp.pictures[k], lines, pictures_[k].options, now);
      const LaneMask lanes = now.lanes();
      const LineOptions& options = pictures_[k].options;
      warp.unasked.push_back(options.when.empty() ||
                             options.when.holds({now, lanes == 0 ? 0 : first_lane(lanes), lanes, nullptr}));
      const std::string title = pictures_[k].title.fill(now);
      if (!title.empty()) warp.pictures[k] = title + "\n" + warp.pictures[k];
    }
  }

  static std::vector<const ParsedLine*> lines_of(const ParsedPhase& phase, bool at_end) {
    std::vector<const ParsedLine*> lines;
    for (const ParsedLine& line : phase.lines) {
      if (line.options.at_end == at_end) lines.push_back(&line);
    }
    return lines;
  }

  void add_pictures(std::string& out, const WarpDrawing& warp) const {
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      const bool unasked = options_.picture.empty() && options_.pictures && warp.unasked[k];
      const bool chosen = unasked || (!options_.picture.empty() && pictures_[k].options.id == options_.picture);
      if (chosen && !warp.pictures[k].empty()) out += "\n" + warp.pictures[k];
    }
  }

  void add_timeline(std::string& out, const WarpDrawing& warp) const {
    std::vector<std::pair<std::string, std::string>> rows;
    std::size_t width = 0;
    for (const TimelineRow& row : warp.timeline) {
      if (!row.first) return;  // from hardware: no cycles
      rows.emplace_back(cycle_words(row.first, row.last), row.title);
      width = std::max(width, rows.back().first.size());
    }
    if (rows.empty()) return;
    out += "\n" + words(Phrase::MachineCycles, {head_.profile}) + "\n";
    for (const auto& [cycles, title] : rows)
      out += "  " + std::string(width - cycles.size(), ' ') + cycles + "  " + cut(title, kTerminal - width - 6) + "\n";
  }

  const TraceHead& head_;
  const TextOptions& options_;
  TraceMemoryState memory_;
  bool windowed_, many_warps_;
  std::vector<bool> expanded_;  // by pc: a part of a collective
  std::vector<ParsedPhase> phases_, pictures_;
  std::map<WarpId, WarpDrawing> warps_;
};

}  // namespace

std::string render_text(const Trace& trace, const TextOptions& options) {
  std::string out;
  if (options.header) out += header_text(trace, options);
  const bool has_steps =
      std::any_of(trace.events.begin(), trace.events.end(), [](const TraceEvent& e) { return e.phase.has_value(); });
  if (has_steps) out += Drawing(trace, options).text();
  if (options.events || !has_steps) out += render_events(trace, options);
  if (options.header) out += letters_text(trace.head, options.language);
  if (options.header) out += result_text(trace, options);
  if (!options.header) out.erase(0, out.find_first_not_of('\n'));
  return options.ascii ? to_ascii(out) : out;
}

std::string to_ascii(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"↔", "<->"},   {"→", "->"}, {"←", "<-"}, {"⊕", "^"},  {"✅", "OK"}, {"❌", "FAILED"}, {"├──", "|--"},
      {"└──", "`--"}, {"│", "|"},  {"≥", ">="}, {"≤", "<="}, {"—", "-"},  {"–", "-"},      {"…", "..."}};
  std::string out;
  while (!text.empty()) {
    const auto* spelling = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                                        [&](const auto& s) { return text.substr(0, s.first.size()) == s.first; });
    if (spelling != std::end(kSpellings)) {
      out += spelling->second;
      text.remove_prefix(spelling->first.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace warpsim
