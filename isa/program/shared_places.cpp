// See shared_places.h.
#include "isa/program/shared_places.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "isa/program/clock_loops.h"
#include "isa/program/liveness.h"
#include "isa/program/reads_writes.h"
#include "isa/table/op.h"

namespace warpsim {
namespace {

// From the first instruction in the text that a register is written at or live at, to the last.
struct Interval {
  std::int32_t first = -1, last = -1;
  void add(std::int32_t pc) {
    if (first < 0) first = pc;
    last = pc;
  }
};

std::vector<Interval> intervals_of(const Program& program) {
  std::vector<Interval> all(program.registers.size());
  Liveness liveness(program);
  for (std::int32_t pc = 0; pc < static_cast<std::int32_t>(program.code.size()); ++pc) {
    const auto add = [&](std::int32_t reg) { all[static_cast<std::size_t>(reg)].add(pc); };
    liveness.live_at(pc).for_each(add);
    for_each_written(program.code[static_cast<std::size_t>(pc)], add);
  }
  return all;
}

std::vector<bool> registers_alone(const Program& program) {
  std::vector<bool> alone(program.registers.size());
  const ClockLoops clocks(program);
  for (std::size_t r = 0; r < alone.size(); ++r)
    alone[r] = program.registers[r].cls == RegClass::Pred || clocks.is_of_clock(r);
  std::vector<int> writes(alone.size());
  for (const Insn& insn : program.code)
    for_each_written(insn, [&](std::int32_t reg) { ++writes[static_cast<std::size_t>(reg)]; });
  for (const Insn& insn : program.code) {
    const auto set_alone = [&](std::int32_t reg) { alone[static_cast<std::size_t>(reg)] = true; };
    if (crosses_lanes(info(insn.op).lift)) for_each_read(insn, set_alone);
    if (is_copy(insn))
      for_each_written(insn, [&](std::int32_t reg) {
        if (writes[static_cast<std::size_t>(reg)] == 1) set_alone(reg);
      });
  }
  return alone;
}

}  // namespace

std::vector<std::int32_t> shared_places(const Program& program) {
  std::vector<std::int32_t> place(program.registers.size());
  std::iota(place.begin(), place.end(), 0);
  if (!program.routines.empty()) return place;
  const std::vector<Interval> intervals = intervals_of(program);
  const std::vector<bool> alone = registers_alone(program);
  std::vector<std::int32_t> in_order;
  for (const std::int32_t reg : place)
    if (!alone[static_cast<std::size_t>(reg)] && intervals[static_cast<std::size_t>(reg)].first >= 0)
      in_order.push_back(reg);
  const auto interval = [&](std::int32_t reg) { return intervals[static_cast<std::size_t>(reg)]; };
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](std::int32_t a, std::int32_t b) { return interval(a).first < interval(b).first; });
  // By class, the places that have been given out, and where the register that lies there now ends. The first to end is
  // given out first.
  using End = std::pair<std::int32_t, std::int32_t>;
  std::map<RegClass, std::priority_queue<End, std::vector<End>, std::greater<>>> ends;
  for (const std::int32_t reg : in_order) {
    auto& of_class = ends[program.registers[static_cast<std::size_t>(reg)].cls];
    if (!of_class.empty() && of_class.top().first < interval(reg).first) {
      place[static_cast<std::size_t>(reg)] = of_class.top().second;
      of_class.pop();
    }
    of_class.emplace(interval(reg).last, place[static_cast<std::size_t>(reg)]);
  }
  return place;
}

}  // namespace warpsim
