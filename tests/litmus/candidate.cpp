// What one path of each thread fixes: events, program order, moral strength, patterns, barriers.
#include "tests/litmus/candidate.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpsim::litmus {

Candidate::Candidate(const Program& program, const std::vector<const Trace*>& traces) : program_(program) {
  at_.resize(program.locations.size());
  std::vector<bool> accessed(program.locations.size());
  for (const Trace* trace : traces)
    for (const Event& event : trace->events)
      if (event.location >= 0) accessed[static_cast<std::size_t>(event.location)] = true;
  for (std::size_t location = 0; location < program.locations.size(); ++location) {
    if (!accessed[location]) continue;
    Event initial;
    initial.kind = Event::Kind::Write;
    initial.location = static_cast<std::int32_t>(location);
    initial.value = program.locations[location].initial;
    events_.push_back(initial);
  }
  for (const Trace* trace : traces) {
    first_of_.push_back(events_.size());
    events_.insert(events_.end(), trace->events.begin(), trace->events.end());
  }
  first_of_.push_back(events_.size());
  count_ = events_.size();
  if (count_ > kMaxEvents) return;
  source_.resize(count_);
  relate();
  find_patterns();
  ends_ = meet_at_barriers();
}

bool Candidate::includes(const Event& from, const Event& to) const {
  const Thread& a = program_.threads[static_cast<std::size_t>(from.thread)];
  const Thread& b = program_.threads[static_cast<std::size_t>(to.thread)];
  switch (from.scope) {
    case Scope::Cta: return a.gpu == b.gpu && a.cluster == b.cluster && a.cta == b.cta;
    case Scope::Cluster: return a.gpu == b.gpu && a.cluster == b.cluster;
    case Scope::Gpu: return a.gpu == b.gpu;
    default: return true;
  }
}

bool Candidate::strong(std::size_t k) const {
  const Event& event = events_[k];
  return event.thread >= 0 && event.kind != Event::Kind::Barrier && event.order != Order::Weak;
}

// Program order, dependencies, and which pairs are morally strong: of one thread, or strong and each within the other's
// scope; two accesses must be to one location, too.
void Candidate::relate() {
  const auto is_access = [&](std::size_t k) {
    return events_[k].kind == Event::Kind::Read || events_[k].kind == Event::Kind::Write;
  };
  for (std::size_t a = 0; a < count_; ++a) {
    const Event& first = events_[a];
    if (is_access(a)) at_[static_cast<std::size_t>(first.location)] |= one(a);
    if (first.kind == Event::Kind::Write) writes_ |= one(a);
    if (first.kind == Event::Kind::Read) reads_.push_back(a);
    if (first.thread >= 0)
      for_each(first.depends,
               [&](std::size_t k) { depends_.add(first_of_[static_cast<std::size_t>(first.thread)] + k, a); });
    for (std::size_t b = 0; b < count_; ++b) {
      const Event& second = events_[b];
      if (a == b || second.thread < 0) continue;
      if (first.thread < 0 || (first.thread == second.thread && a < b)) program_order_.add(a, b);
      if (first.thread < 0) continue;
      const bool together = first.thread == second.thread ||
                            (strong(a) && strong(b) && includes(first, second) && includes(second, first));
      if (together && (!is_access(a) || !is_access(b) || first.location == second.location)) strong_.add(a, b);
    }
  }
}

// A fence of a thread that has nothing else orders nothing.
bool Candidate::is_alone(std::size_t fence) const {
  const std::size_t thread = static_cast<std::size_t>(std::max(events_[fence].thread, 0));
  return std::all_of(events_.begin() + static_cast<std::ptrdiff_t>(first_of_[thread]),
                     events_.begin() + static_cast<std::ptrdiff_t>(first_of_[thread + 1]),
                     [](const Event& each) { return each.kind == Event::Kind::Fence; });
}

// PTX ISA, section 8.7: a release, perhaps with a strong write behind it; or a fence and a strong write. An acquire,
// perhaps with a strong read before it; or a strong read and a fence.
void Candidate::find_patterns() {
  for (std::size_t a = 0; a < count_; ++a) {
    const Event& first = events_[a];
    if (first.thread < 0) continue;
    const bool write = first.kind == Event::Kind::Write, read = first.kind == Event::Kind::Read;
    if (write && first.order == Order::Release) releases_.emplace_back(a, a);
    if (read && first.order == Order::Acquire) acquires_.emplace_back(a, a);
    for (std::size_t b = a + 1; b < count_ && events_[b].thread == first.thread; ++b) {
      const Event& second = events_[b];
      const bool same = first.location == second.location;
      const bool fence = first.kind == Event::Kind::Fence;
      if (second.kind == Event::Kind::Write && strong(b) && (fence || (write && first.order == Order::Release && same)))
        releases_.emplace_back(a, b);
      if (read && strong(a) &&
          (second.kind == Event::Kind::Fence ||
           (second.kind == Event::Kind::Read && second.order == Order::Acquire && same)))
        acquires_.emplace_back(a, b);
      if (fence && first.order == Order::Sc && second.kind == Event::Kind::Fence && second.order == Order::Sc)
        fence_order_.add(a, b);
    }
    if (first.kind != Event::Kind::Fence || first.order != Order::Sc || is_alone(a)) continue;
    for (std::size_t b = a + 1; b < count_; ++b)
      if (!is_alone(b) && events_[b].kind == Event::Kind::Fence && events_[b].order == Order::Sc && strong_.has(a, b) &&
          events_[b].thread != first.thread)
        fence_pairs_.emplace_back(a, b);
  }
}

// Whether all that the barrier waits for have arrived. `reached`: by thread, the first event that it has not passed.
bool Candidate::met(std::size_t barrier, const std::vector<std::size_t>& reached) const {
  const Event& own = events_[barrier];
  const Thread& self = program_.threads[static_cast<std::size_t>(own.thread)];
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const Thread& other = program_.threads[t];
    if (other.gpu != self.gpu || other.cluster != self.cluster || other.cta != self.cta) continue;
    if (own.within_warp && (other.warp != self.warp || !contains(own.members, static_cast<std::size_t>(other.lane))))
      continue;
    bool expected = false, here = false;
    for (std::size_t k = first_of_[t]; k < first_of_[t + 1]; ++k)
      if (barriers_.has(barrier, k) || k == barrier) {
        expected = true;
        here = here || k <= reached[t];
      }
    // By instance: whose code has it must come; by arrival: all of the block that have not ended.
    if (own.instance >= 0) {
      for (const Instruction& insn : other.code)
        if (insn.kind == Instruction::Kind::Barrier && insn.instance == own.instance && insn.a.reg < 0 &&
            insn.a.constant == own.barrier)
          expected = true;
    } else {
      expected = expected || reached[t] < first_of_[t + 1];
    }
    if (expected && !here) return false;
  }
  return true;
}

// Relates the barriers that meet; false: some wait for ever.
bool Candidate::meet_at_barriers() {
  const auto same = [&](const Event& a, const Event& b) {
    const Thread& s = program_.threads[static_cast<std::size_t>(a.thread)];
    const Thread& t = program_.threads[static_cast<std::size_t>(b.thread)];
    if (s.gpu != t.gpu || s.cluster != t.cluster || s.cta != t.cta || a.within_warp != b.within_warp) return false;
    if (a.within_warp) return s.warp == t.warp && a.members == b.members && a.arrival == b.arrival;
    if (a.instance != b.instance || a.barrier != b.barrier) return false;
    return a.instance >= 0 || a.arrival == b.arrival;
  };
  for (std::size_t a = 0; a < count_; ++a)
    for (std::size_t b = 0; b < count_; ++b)
      if (a != b && events_[a].kind == Event::Kind::Barrier && events_[b].kind == Event::Kind::Barrier &&
          same(events_[a], events_[b]))
        barriers_.add(a, b);
  std::vector<std::size_t> reached(first_of_.begin(), first_of_.end() - 1);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t t = 0; t < reached.size(); ++t)
      for (; reached[t] < first_of_[t + 1]; ++reached[t], moved = true) {
        const Event& event = events_[reached[t]];
        if (event.kind == Event::Kind::Barrier && event.waits && !met(reached[t], reached)) break;
      }
  }
  for (std::size_t t = 0; t < reached.size(); ++t)
    if (reached[t] < first_of_[t + 1]) return false;
  for (std::size_t b = 0; b < count_; ++b)  // who only arrives is told nothing
    if (events_[b].kind == Event::Kind::Barrier && !events_[b].waits)
      for (std::size_t a = 0; a < count_; ++a) barriers_.remove(a, b);
  return true;
}

}  // namespace warpsim::litmus
