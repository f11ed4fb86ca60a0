// See work_races.h.
#include "host/cudart/work_races.h"

#include <algorithm>
#include <utility>

namespace warpsim::cudart {
namespace {

using host::ByteRange;
using host::ByteRanges;
using host::Touched;

// Two that agree by themselves who comes first, by atomics or flags in memory: what the one does before the other is
// theirs to know.
bool talk(const Touched& x, const Touched& y) {
  return x.strong_writes.first_common(y.strong_writes) || x.strong_writes.first_common(y.strong_reads) ||
         x.strong_reads.first_common(y.strong_writes);
}

std::optional<WorkRace> race_of(const TouchingWork& first, const TouchingWork& second) {
  const Touched &x = first.touched, &y = second.touched;
  struct Pair {
    const ByteRanges &of_first, &of_second;
    bool first_writes, second_writes;
  };
  const Pair pairs[] = {{x.writes, y.writes, true, true},        {x.writes, y.reads, true, false},
                        {x.reads, y.writes, false, true},        {x.writes, y.strong_writes, true, true},
                        {x.writes, y.strong_reads, true, false}, {x.strong_writes, y.writes, true, true},
                        {x.strong_writes, y.reads, true, false}, {x.strong_reads, y.writes, false, true},
                        {x.reads, y.strong_writes, false, true}};
  for (const Pair& pair : pairs)
    if (const std::optional<ByteRange> both = pair.of_first.first_common(pair.of_second))
      return talk(x, y) ? std::nullopt
                        : std::optional(WorkRace{&first, &second, pair.first_writes, pair.second_writes, *both});
  return std::nullopt;
}

}  // namespace

std::optional<WorkRace> WorkRaces::add(TouchingWork work) {
  if (work.touched.empty()) return std::nullopt;
  // What is in a race with an earlier work that touched the same is in one with this, too.
  drop([&](const TouchingWork& one) { return work.before.knows(one.moment) && one.touched == work.touched; });
  ranges_ += work.touched.size();
  kept_.push_back(std::move(work));
  while (kept_.size() > kMostKept || (ranges_ > kMostRanges && !kept_.empty())) {
    ranges_ -= kept_.front().touched.size();
    kept_.pop_front();
  }
  if (kept_.empty()) return std::nullopt;
  const TouchingWork& last = kept_.back();
  for (const TouchingWork& one : kept_)
    if (&one != &last && !last.before.knows(one.moment))
      if (std::optional<WorkRace> race = race_of(one, last)) return race;
  return std::nullopt;
}

bool WorkRaces::forget(const WorkClock& host) {
  return drop([&](const TouchingWork& one) { return host.knows(one.moment); });
}

bool WorkRaces::drop(const std::function<bool(const TouchingWork&)>& is_done) {
  const std::size_t before = kept_.size();
  std::erase_if(kept_, [&](const TouchingWork& one) {
    if (!is_done(one)) return false;
    ranges_ -= one.touched.size();
    return true;
  });
  return kept_.size() != before;
}

}  // namespace warpsim::cudart
