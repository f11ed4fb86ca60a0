// A trace as Markdown: the program, its inputs, a table a step, the outputs.
//
// Source: CommonMark with GitHub's tables; traces/FORMAT.md, "Exports".
#include <memory>
#include <utility>

#include "traces/export/export.h"
#include "traces/export/export_parts.h"
#include "traces/io/json_values.h"
#include "traces/replay/phase_view.h"
#include "traces/sentence/launch_text.h"
#include "traces/words/plain_text.h"
#include "traces/words/sources.h"

namespace warpsim {
namespace {

// Text that Markdown leaves as it is, also in a cell of a table.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]<>#|&!~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// In backquotes, with as many as it takes; a line end becomes a blank.
std::string code(std::string_view text) {
  std::size_t longest = 0, run = 0;
  std::string line;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = run > longest ? run : longest;
    if (c == '|') line += '\\';  // in a table a bar ends a cell, even in code
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + line + fence : fence + " " + line + " " + fence;
}

class Markdown {
 public:
  explicit Markdown(ExportOutput output)
      : output_([output = std::move(output)](std::string_view text) { output(without_controls(text)); }) {}

  void head(const TraceHead& head) {
    head_ = head;
    if (head.start) events_ = head.start->events;
    std::string out = "# " + escaped(head.title.empty() ? head.program : head.title) + "\n\n" + code(head.program);
    const std::vector<std::string> sources = cited(head.document);
    for (std::size_t k = 0; k < sources.size(); ++k) out += (k == 0 ? " (" : "; ") + escaped(sources[k]);
    if (!sources.empty()) out += ")";
    out += ": " + escaped(launch_text(head)) + ", " + escaped(head.backend);
    if (const std::string timing = timing_text(head); !timing.empty()) out += ", " + escaped(timing);
    out += "\n\n";
    out += fenced(head.text, "asm") + "\n";
    if (head.start) out += "A window of the run: " + std::to_string(head.start->events) + " events come before.\n\n";
    arrays(out, "Inputs", head.inputs, {});
    output_(out);
  }
  void event(const TraceEvent& event);
  void outcome(const TraceOutcome& outcome) {
    std::string out;
    arrays(out, "Outputs", outcome.outputs, outcome.undefined);
    if (outcome.passed) out += *outcome.passed ? "As expected.\n" : "**Not as expected.**\n";
    for (const TraceFinding& finding : outcome.findings) fault(out, finding);
    if (outcome.trap) {
      out += "\n## The run stopped\n";
      fault(out, *outcome.trap);
      for (const TracePlace& place : outcome.trap->places) {
        out += "- " + escaped(place_text(head_, place));
        out += place.waits_for.empty() ? "\n" : ": " + escaped(place.waits_for) + "\n";
      }
    }
    output_(out);
  }

 private:
  void fault(std::string& out, const TraceFinding& one) const {
    out += "\n**" + escaped(name_of(one)) + "** in cycle " + std::to_string(one.cycle) + ", " +
           escaped(place_text(head_, {one.block, one.warp, one.lanes, one.pc, ""})) + "\n\n" + escaped(one.message) +
           "\n\n";
    if (!one.hint.empty()) out += escaped(one.hint) + "\n\n";
  }
  // A block of code whose fence occurs in none of its lines.
  static std::string fenced(std::string_view text, std::string_view language) {
    std::size_t longest = 2, run = 0;
    for (const char c : text) {
      run = c == '`' ? run + 1 : 0;
      longest = run > longest ? run : longest;
    }
    const std::string fence(longest + 1, '`');
    const bool ended = text.empty() || text.back() == '\n';
    std::string lines;
    for (std::size_t k = 0; k < text.size(); ++k)
      if (text[k] != '\r' || k + 1 >= text.size() || text[k + 1] != '\n') lines += text[k];
    return fence + std::string(language) + "\n" + lines + (ended ? "" : "\n") + fence + "\n";
  }
  void arrays(std::string& out, const char* title, const std::vector<std::pair<std::string, Array>>& list,
              const std::vector<UndefinedElements>& undefined) const {
    if (list.empty()) return;
    out += std::string("## ") + title + "\n\n| buffer | type | values |\n|---|---|---|\n";
    for (const auto& [buffer, array] : list) {
      out += "| " + code(buffer) + " | " + std::string(name(array.type)) + " | ";
      const UndefinedElements* holes = nullptr;
      for (const UndefinedElements& one : undefined)
        if (one.name == buffer) holes = &one;
      std::size_t next = 0;
      for (std::size_t k = 0; k < array.bits.size(); ++k) {
        const bool is_hole = holes != nullptr && next < holes->index.size() && holes->index[next] == k;
        next += is_hole ? 1 : 0;
        out += (k == 0 ? "" : ", ") + (is_hole ? "?" : plain_value(array.type, array.bits[k], false, head_.lanes));
      }
      out += " |\n";
    }
    out += "\n";
  }
  template <class Cell>
  void line(std::string& out, const std::string& title, LaneMask lanes, Cell cell) const {
    out += "| " + title + " |";
    for_each_lane(lanes, [&](unsigned lane) {
      const std::string text = cell(lane);
      out += text.empty() ? " |" : " " + text + " |";
    });
    out += "\n";
  }

  ExportOutput output_;
  TraceHead head_;
  std::uint64_t events_ = 0;
};

void Markdown::event(const TraceEvent& event) {
  const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
  ++events_;
  std::string out;
  if (event.phase && !event.phase->title.empty()) out += "## " + escaped(event.phase->title) + "\n\n";
  out += "### " + (event.cycle ? "Cycle " + std::to_string(*event.cycle) : "Event " + std::to_string(events_));
  if (head_.grid.count() > 1) out += ", block " + std::to_string(event.block);
  if (head_.block.count() > head_.lanes) out += ", warp " + std::to_string(event.warp);
  out += ": " + code(insn.text) + "\n\n";
  const LaneMask lanes = event.group;
  line(out, "lane", lanes, [](unsigned lane) { return std::to_string(lane); });
  out += "|---|";
  for_each_lane(lanes, [&out](unsigned) { out += "---|"; });
  out += "\n";
  const bool is_bare = !event.exchange && !event.memory && event.writes.empty();
  if (event.active != event.group || is_bare)
    line(out, "active", lanes, [&](unsigned lane) { return has_lane(event.active, lane) ? "yes" : "no"; });
  if (const TraceExchange* x = event.exchange ? &*event.exchange : nullptr)
    line(out, "from lane", lanes, [&](unsigned lane) -> std::string {
      if (!has_lane(x->lanes, lane)) return "";
      const std::string from = std::to_string(x->from[lane_place(x->lanes, lane)]);
      return !has_lane(x->in_range, lane) ? from + " (own)" : has_lane(x->undefined, lane) ? from + " (?)" : from;
    });
  if (const TraceMemory* m = event.memory ? &*event.memory : nullptr) {
    line(out, std::string(name(m->access)), lanes, [&](unsigned lane) -> std::string {
      return has_lane(m->lanes, lane) ? code(element_text(head_, *m, lane_place(m->lanes, lane))) : "";
    });
    line(out, m->writes() ? "stored" : "loaded", lanes, [&](unsigned lane) -> std::string {
      if (!has_lane(m->lanes, lane)) return "";
      const std::string text = access_text(*m, lane_place(m->lanes, lane), lane, head_.lanes, true);
      return text.empty() ? "?" : escaped(text);
    });
  }
  for (const TraceWrite& write : event.writes) {
    const TraceRegister& reg = head_.registers[static_cast<std::size_t>(write.reg)];
    line(out, code(reg.name), lanes, [&](unsigned lane) -> std::string {
      if (!has_lane(write.lanes, lane)) return "";
      if (has_lane(write.undefined, lane)) return "?";
      return escaped(plain_value(reg.type, write.bits[lane_place(write.lanes, lane)], false, head_.lanes));
    });
  }
  for (const TraceMask& mask : event.masks)
    if (mask.kind == TraceMask::Kind::Branch && mask.taken != 0 && mask.not_taken != 0)
      line(out, "branch", lanes, [&](unsigned lane) {
        return has_lane(mask.taken, lane) ? "taken" : has_lane(mask.not_taken, lane) ? "not taken" : "";
      });
  output_(out + "\n");
}

}  // namespace

TraceConsumer export_markdown(ExportOutput output) {
  const auto page = std::make_shared<Markdown>(std::move(output));
  return {[page](const TraceHead& head) { page->head(head); }, [page](const TraceEvent& event) { page->event(event); },
          [page](const TraceOutcome& outcome) { page->outcome(outcome); }};
}

}  // namespace warpsim
