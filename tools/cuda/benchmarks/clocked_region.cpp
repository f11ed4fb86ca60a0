#include "tools/cuda/benchmarks/clocked_region.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "isa/table/op.h"

namespace warpsim {
namespace {

constexpr std::string_view kFirstLabel = "measure", kLastLabel = "measured";

bool is_global(const Insn& insn) {
  return info(insn.op).space == AddressSpace::Global || has_trait(info(insn.op), kOrders);
}
bool is_store(const Insn& insn) { return info(insn.op).lift == Lift::Store; }

// What the straight path to the region, or after it, may consist of.
bool is_plain(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  const bool exits = insn.op == Op::Exit;
  const bool computes = !crosses_lanes(row.lift) && row.lift != Lift::Atomic && row.space != AddressSpace::Shared;
  return exits || (computes && row.unit != Unit::Branch && row.unit != Unit::Barrier && row.lift != Lift::Special);
}

std::string on_line(const Insn& insn) {
  return insn.where.line == 0 ? "" : " on line " + std::to_string(insn.where.line);
}

class RegionFinder {
 public:
  explicit RegionFinder(const Program& program)
      : program_(program), size_(static_cast<std::int32_t>(program.code.size())) {}

  std::variant<ClockedRegion, NotClocked> run() {
    marked_ = find_label(kFirstLabel, region_.first) && find_label(kLastLabel, region_.last);
    if (!marked_) guess();
    if (region_.first >= region_.last)
      return NotClocked{"there is nothing between its leading loads and its trailing stores"};
    if (std::string why = what_prevents(); !why.empty()) return NotClocked{std::move(why)};
    return region_;
  }

 private:
  const Insn& at(std::int32_t pc) const { return program_.code[static_cast<std::size_t>(pc)]; }

  bool find_label(std::string_view name, std::int32_t& pc) const {
    for (const auto& [label, at] : program_.labels) {
      if (label != name) continue;
      pc = at;
      return true;
    }
    return false;
  }

  bool is_target(std::int32_t pc) const {
    return std::any_of(program_.code.begin(), program_.code.end(),
                       [pc](const Insn& insn) { return insn.op == Op::Bra && insn.operands[0].target == pc; });
  }

  void guess() {
    region_ = {0, size_};
    for (std::int32_t pc = 0; pc < size_ && leads(at(pc)) && !is_target(pc); ++pc) {
      const bool leaves = at(pc).op == Op::Exit && at(pc).guard.reg >= 0;
      if (is_global(at(pc)) || leaves) region_.first = pc + 1;
    }
    for (std::int32_t pc = size_ - 1; pc >= region_.first && is_plain(at(pc)) && !is_load(pc); --pc) {
      if (is_store(at(pc)) || at(pc).op == Op::Exit) region_.last = pc;
      if (is_target(pc)) break;
    }
  }
  // Before the loads lanes may agree on who is there.
  static bool leads(const Insn& insn) {
    return (is_plain(insn) && !is_store(insn)) || info(insn.op).lift == Lift::Vote;
  }
  bool is_load(std::int32_t pc) const { return is_global(at(pc)) && !is_store(at(pc)); }

  std::string what_prevents() const {
    for (std::int32_t pc = 0; pc < size_; ++pc) {
      const Insn& insn = at(pc);
      const bool inside = pc >= region_.first && pc < region_.last;
      if (inside && insn.op == Op::Exit) return "lanes exit" + on_line(insn) + ", within what would be measured";
      if (inside && !marked_ && is_global(insn))
        return "it uses global memory" + on_line(insn) + ", within what would be measured";
      if (inside && !marked_ && info(insn.op).lift == Lift::Atomic)
        return "what its atomic" + on_line(insn) + " does is not the same in each pass";
      if (insn.op != Op::Bra) continue;
      const std::int32_t target = insn.operands[0].target;
      if (inside ? target < region_.first || target > region_.last : target >= region_.first && target < region_.last)
        return "the branch" + on_line(insn) + " crosses the border of what would be measured";
    }
    return "";
  }

  const Program& program_;
  std::int32_t size_;
  ClockedRegion region_;
  bool marked_ = false;
};

}  // namespace

std::variant<ClockedRegion, NotClocked> find_clocked_region(const Program& program) {
  return RegionFinder(program).run();
}

}  // namespace warpsim
