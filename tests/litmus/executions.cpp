// The executions of a candidate: what reads from what, the orders, and the axioms.
#include <algorithm>

#include "tests/litmus/candidate.h"

namespace warpsim::litmus {

bool Candidate::enumerate(std::uint64_t& budget, const Found& found) {
  found_ = &found;
  return choose_sources(0, budget);
}

// Each read takes a write of its value; its own thread's later writes would be thin air or against causality.
bool Candidate::choose_sources(std::size_t read, std::uint64_t& budget) {
  if (read == reads_.size()) {
    if (budget == 0) return false;
    --budget;
    Relation thin_air = depends_;
    for (const std::size_t each : reads_) thin_air.add(source_[each], each);
    if (thin_air.acyclic(count_)) order_fences(0);
    return true;
  }
  const std::size_t self = reads_[read];
  const EventSet candidates =
      at_[static_cast<std::size_t>(events_[self].location)] & writes_ & ~program_order_.row(self);
  bool within = true;
  for_each(candidates, [&](std::size_t write) {
    if (!within || events_[write].value != events_[self].value || !can_read(read, write)) return;
    source_[self] = write;
    within = choose_sources(read + 1, budget);
  });
  return within;
}

// What the axioms refuse whatever the other reads do, so that few candidates are looked at: a write that another
// one follows before the read in program order (Causality), and one write for two atomics that are morally strong with
// it and with each other (Atomicity and SC-per-Location).
bool Candidate::can_read(std::size_t read, std::size_t write) const {
  const std::size_t self = reads_[read];
  const bool initial = events_[write].thread < 0;
  const EventSet own = at_[static_cast<std::size_t>(events_[self].location)] & writes_ & ~one(write);
  bool can = true;
  for_each(own, [&](std::size_t other) {
    can = can && !(program_order_.has(write, other) && program_order_.has(other, self));
  });
  if (!events_[self].atomic) return can;
  for (std::size_t k = 0; k < read; ++k) {
    const std::size_t other = reads_[k];
    if (events_[other].atomic && source_[other] == write && strong_.has(self, other) &&
        (initial || (strong_.has(write, self) && strong_.has(write, other))))
      return false;
  }
  return can;
}

// Fence-SC order: any orientation of the morally strong pairs of different threads that has no cycle. What is decided
// stays closed, so that it decides what follows from it.
void Candidate::order_fences(std::size_t pair) {
  while (pair < fence_pairs_.size() && (fence_order_.has(fence_pairs_[pair].first, fence_pairs_[pair].second) ||
                                        fence_order_.has(fence_pairs_[pair].second, fence_pairs_[pair].first)))
    ++pair;
  if (pair == fence_pairs_.size()) return check();
  const auto [a, b] = fence_pairs_[pair];
  const Relation before = fence_order_;
  for (const auto& [first, second] : {std::pair{a, b}, std::pair{b, a}}) {
    fence_order_.add(first, second);
    fence_order_.close(count_);
    order_fences(pair + 1);
    fence_order_ = before;
  }
}

// Observation order, what synchronises, base causality order and causality order.
void Candidate::set_causality() {
  observation_ = {};
  for (const std::size_t read : reads_)
    if (strong_.has(source_[read], read)) observation_.add(source_[read], read);
  for (std::size_t round = 0; round < reads_.size(); ++round)  // through atomics
    for (const std::size_t read : reads_)
      if (events_[read].atomic)
        for (std::size_t write = 0; write < count_; ++write)
          if (observation_.has(write, read)) observation_.row(write) |= observation_.row(read + 1);
  base_ = program_order_;
  base_ |= barriers_;
  base_ |= fence_order_;
  for (const auto& [first, write] : releases_)
    for (const auto& [read, last] : acquires_)
      if (observation_.has(write, read) && strong_.has(first, last)) base_.add(first, last);
  base_.close(count_);
  causality_ = {};
  for (std::size_t a = 0; a < count_; ++a) {
    if (events_[a].location < 0) continue;
    const EventSet here = at_[static_cast<std::size_t>(events_[a].location)];
    causality_.row(a) = base_.row(a) & here;
    for_each(observation_.row(a), [&](std::size_t via) { causality_.row(a) |= base_.row(via) & here; });
  }
}

// Fence-SC: no fence.sc is before itself, now that their order is part of base causality order.
bool Candidate::fences_agree() const {
  for (std::size_t k = 0; k < count_; ++k)
    if (events_[k].kind == Event::Kind::Fence && events_[k].order == Order::Sc && base_.has(k, k)) return false;
  return true;
}

void Candidate::check() {
  set_causality();
  if (!fences_agree()) return;
  for (const std::size_t read : reads_)  // Causality, first half
    if (causality_.has(read, source_[read])) return;
  std::vector<std::vector<std::int64_t>> memory;
  for (std::size_t location = 0; location < at_.size(); ++location) {
    memory.push_back(final_values(static_cast<std::int32_t>(location)));
    if (memory.back().empty()) return;
  }
  (*found_)(memory, races());
}

// Coherence order is what causality order makes of the writes, and the orientation of the other morally strong pairs.
std::vector<std::int64_t> Candidate::final_values(std::int32_t location) {
  const EventSet here = at_[static_cast<std::size_t>(location)];
  if (here == 0) return {program_.locations[static_cast<std::size_t>(location)].initial};
  Relation coherence;
  std::vector<std::pair<std::size_t, std::size_t>> free;
  for_each(here & writes_, [&](std::size_t a) { coherence.row(a) = causality_.row(a) & writes_; });
  for_each(here & writes_, [&](std::size_t a) {
    for_each(here & writes_ & strong_.row(a), [&](std::size_t b) {
      if (a < b && !coherence.has(a, b) && !coherence.has(b, a)) free.emplace_back(a, b);
    });
  });
  std::vector<std::int64_t> values;
  order_writes(free, 0, coherence, here, values);
  return values;
}

void Candidate::order_writes(const std::vector<std::pair<std::size_t, std::size_t>>& free, std::size_t k,
                             Relation coherence, EventSet here, std::vector<std::int64_t>& values) {
  coherence.close(count_);
  if (!coherence.irreflexive(count_)) return;
  while (k < free.size() &&
         (coherence.has(free[k].first, free[k].second) || coherence.has(free[k].second, free[k].first)))
    ++k;
  if (k < free.size()) {
    for (const auto& [a, b] : {free[k], std::pair{free[k].second, free[k].first}}) {
      Relation next = coherence;
      next.add(a, b);
      order_writes(free, k + 1, next, here, values);
    }
    return;
  }
  if (!location_holds(coherence, here)) return;
  for_each(here & writes_, [&](std::size_t write) {
    const std::int64_t value = events_[write].value;
    if (coherence.row(write) == 0 && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  });
}

// Causality's second half, Atomicity and SC-per-Location, of the accesses of one location.
bool Candidate::location_holds(const Relation& coherence, EventSet here) const {
  Relation order;  // communication order of morally strong pairs, and program order
  bool holds = true;
  for_each(here, [&](std::size_t a) { order.row(a) = program_order_.row(a) & here; });
  for_each(here & writes_, [&](std::size_t write) { order.row(write) |= coherence.row(write) & strong_.row(write); });
  for_each(here & ~writes_, [&](std::size_t read) {
    if (strong_.has(source_[read], read)) order.add(source_[read], read);
    const EventSet later = coherence.row(source_[read]);  // the read precedes them in communication order
    for_each(later, [&](std::size_t write) {
      if (causality_.has(write, read)) holds = false;
      if (!strong_.has(read, write)) return;
      order.add(read, write);
      if (events_[read].atomic && coherence.has(write, read + 1) && strong_.has(write, read + 1)) holds = false;
    });
  });
  return holds && order.acyclic(count_);
}

std::vector<std::pair<std::size_t, std::size_t>> Candidate::races() const {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  // What comes after an atomic's write comes after its read, too.
  const auto is_before = [&](std::size_t a, std::size_t b) {
    return causality_.has(a, b) || (events_[a].atomic && !contains(writes_, a) && causality_.has(a + 1, b));
  };
  for (std::size_t a = first_of_.front(); a < count_; ++a) {
    const Event& event = events_[a];
    if (event.location < 0) continue;
    const EventSet others = at_[static_cast<std::size_t>(event.location)] & ~(one(a) | (one(a) - 1)) & ~strong_.row(a);
    for_each(others, [&](std::size_t b) {
      if (event.thread == events_[b].thread || (!contains(writes_, a) && !contains(writes_, b))) return;
      if (!is_before(a, b) && !is_before(b, a)) found.emplace_back(a, b);
    });
  }
  return found;
}

}  // namespace warpsim::litmus
