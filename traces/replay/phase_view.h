// A phase of a warp at one moment of a trace: its registers and memory, for drawings and sentences.
//
// Shapes: events are applied in the trace's order. A PhaseRecord gathers one instance of a phase in one warp;
//         RecordView lets templates ask about it, with the registers as they are and as they were when it began.
// Units:  lanes; elements; machine cycles.
// Errors: none: what the trace does not hold is Missing.
// Source: traces/FORMAT.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/model/trace.h"
#include "traces/replay/memory_state.h"
#include "traces/replay/state.h"
#include "traces/template/phase_template.h"

namespace warpsim {

// One instance of a phase in one warp.
struct PhaseRecord {
  TracePhaseStart start;
  LaneMask lanes = 0;  // that arrived at its first instruction
  std::optional<std::uint64_t> first_cycle, last_cycle;
  TraceState old;  // registers when it began

  struct Exchange {
    const TraceEvent* event;
    std::string_view reg;             // that the shuffle wrote
    std::vector<std::int64_t> asked;  // the lane that each lane addressed, by lane
  };
  std::vector<Exchange> exchanges;
  std::vector<const TraceEvent*> accesses;  // to memory
};

class RecordView : public TemplateView {
 public:
  RecordView(const TraceHead& head, const TraceMemoryState& memory, const TraceState& now, const PhaseRecord& record,
             std::uint32_t block, std::uint32_t warp)
      : head_(head), memory_(memory), now_(now), record_(record), block_(block), warp_(warp) {}

  unsigned warp_size() const override { return head_.lanes; }
  Dim3 grid() const override { return head_.grid; }
  Dim3 block() const override { return head_.block; }
  std::uint32_t block_index() const override { return block_; }
  std::uint32_t warp_index() const override { return warp_; }
  std::uint32_t phase_number() const override { return record_.start.number; }
  std::uint32_t phase_step() const override { return record_.start.step; }
  LaneMask lanes() const override { return record_.lanes; }
  TemplateValue reg(std::string_view name, unsigned lane, bool old) const override;
  TemplateValue param(std::string_view name) const override;
  TemplateValue element(std::string_view buffer, std::int64_t index) const override;
  std::optional<TemplateSource> source(std::string_view reg, unsigned lane) const override;
  std::vector<TemplateAccess> accesses(unsigned lane) const override;

 private:
  const TraceHead& head_;
  const TraceMemoryState& memory_;
  const TraceState& now_;
  const PhaseRecord& record_;
  std::uint32_t block_, warp_;
};

// The place of `lane` in the per-lane vectors beside `lanes`.
inline std::size_t lane_place(LaneMask lanes, unsigned lane) { return count_lanes(lanes & (lane_bit(lane) - 1)); }
// The name of what an access touched: a parameter or a shared array; "?" if unknown.
std::string_view object_name(const TraceHead& head, const TraceMemory& memory, std::size_t place);
// The text of the operand called `slot` ("a", "b") of an instruction, "" if it has none.
std::string_view operand_text(const TraceInsn& insn, std::string_view slot);
const TraceInsn* find_insn(const TraceHead& head, std::int32_t pc);
// The lane that each lane of a shuffle asks for; empty if the instruction is none.
std::vector<std::int64_t> asked_lanes(const TraceInsn& insn, const TemplateView& view, LaneMask lanes);

}  // namespace warpsim
