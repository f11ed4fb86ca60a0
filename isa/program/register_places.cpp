// See register_places.h.
#include "isa/program/register_places.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "isa/program/clock_loops.h"
#include "isa/program/constant_copies.h"
#include "isa/program/liveness.h"
#include "isa/program/reads_writes.h"

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

}  // namespace

RegisterPlaces places_alone(const Program& program) {
  const std::size_t count = program.registers.size();
  RegisterPlaces places{std::vector<std::int32_t>(count), std::vector<std::int32_t>(count, -1)};
  std::iota(places.with.begin(), places.with.end(), 0);
  return places;
}

RegisterPlaces register_places(const Program& program) {
  RegisterPlaces places = places_alone(program);
  if (!program.routines.empty()) return places;
  places.copy_at = constant_copies(program);
  std::vector<std::int32_t>& place = places.with;
  const std::vector<Interval> intervals = intervals_of(program);
  const ClockLoops clocks(program);
  const auto class_of = [&](std::int32_t reg) { return program.registers[static_cast<std::size_t>(reg)].cls; };
  std::vector<std::int32_t> in_order;
  for (const std::int32_t reg : place)
    if (places.copy_at[static_cast<std::size_t>(reg)] < 0 && intervals[static_cast<std::size_t>(reg)].first >= 0)
      in_order.push_back(reg);
  const auto interval = [&](std::int32_t reg) { return intervals[static_cast<std::size_t>(reg)]; };
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](std::int32_t a, std::int32_t b) { return interval(a).first < interval(b).first; });
  // By class, and whether of a clock, the places that have been given out, and where the register that lies there now
  // ends. The first to end is given out first.
  using End = std::pair<std::int32_t, std::int32_t>;
  std::map<std::pair<RegClass, bool>, std::priority_queue<End, std::vector<End>, std::greater<>>> ends;
  for (const std::int32_t reg : in_order) {
    auto& of_class = ends[{class_of(reg), clocks.is_of_clock(static_cast<std::size_t>(reg))}];
    if (!of_class.empty() && of_class.top().first < interval(reg).first) {
      place[static_cast<std::size_t>(reg)] = of_class.top().second;
      of_class.pop();
    }
    of_class.emplace(interval(reg).last, place[static_cast<std::size_t>(reg)]);
  }
  return places;
}

}  // namespace warpsim
