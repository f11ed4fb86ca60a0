// The lines of a phase that has no `.draw`: what its instructions did, lane by lane, in the words of the Mojo GPU
// Puzzles.
//
// Shapes: one group of lines an instruction; a shuffle and the operation that takes its result are one group.
// Units:  lanes.
// Errors: none.
// Source: the diagrams of Mojo GPU Puzzles 25 and 26.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/replay/phase_view.h"
#include "traces/text/text_renderer_lines.h"

namespace warpsim {

class DerivedLines {
 public:
  explicit DerivedLines(Language language = Language::English) : language_(language) {}
  // Around applying the event to the state: `view` shows the registers before, then after.
  void before(const TraceHead& head, const TraceEvent& event, const TemplateView& view);
  void after(const TraceHead& head, const TraceEvent& event, const TemplateView& view);

  const std::vector<LaneLines>& groups() const { return groups_; }
  void clear();

 private:
  void add_memory(const TraceHead& head, const TraceEvent& event);
  void add_exchange(const TraceHead& head, const TraceEvent& event, const TemplateView& view);
  void add_fused(const TraceHead& head, const TraceEvent& event);
  void add_writes(const TraceHead& head, const TraceEvent& event);

  Language language_;
  std::vector<LaneLines> groups_;
  // The shuffle that the next operation may take up: its place in groups_, the register it wrote, where from.
  struct Shuffle {
    std::size_t group = 0;
    std::string_view reg;
    const TraceEvent* event = nullptr;
    bool swaps = false;  // two lanes read from each other
  };
  std::vector<Shuffle> shuffle_;                      // empty or one
  std::vector<std::string> operands_a_, operands_b_;  // of the operation, by lane, before it ran
};

}  // namespace warpsim
