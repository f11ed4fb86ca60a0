#include "sim/machine/barriers.h"

#include <algorithm>
#include <utility>

#include "sim/code/row_meaning.h"

namespace warpsim {

void Barriers::arrive(Warp& warp, int group, const DecodedInsn& d, LaneMask active) {
  Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  const std::byte* r = warp.registers;
  const unsigned lane = first_lane(active);
  g.state = Group::State::WaitsForBlock;
  g.barrier = row<std::uint32_t>(r, d.a)[lane];
  if (state_.code.counts_arrivals && has_lane(active, first_lane(warp.alive))) ++state_.visits_of(warp, g.barrier);
  g.barrier_count = d.b == kNoOffset ? 0 : row<std::uint32_t>(r, d.b)[lane];
  if (const LaneMask switched_off = g.lanes & ~active; switched_off != 0) {
    warp.divergence.split_off(group, switched_off, g.pc + 1, gathering_.joined);
  }
  open_complete(warp);
}

bool Barriers::has_arrived(const Warp& warp, const Group& barrier) const {
  LaneMask waiting = 0;
  for (const Group& g : warp.divergence.groups())
    if (stand_at_one_barrier(state_.code, g, barrier)) waiting |= g.lanes;
  return waiting != 0 && waiting == warp.alive;
}

// A quick look before the thorough one: a barrier of all threads stays closed as long as some warp lives and does not
// wait. Asked first are those behind the one that has just come, which are mostly still to come.
bool Barriers::some_warp_is_missing(const Warp& issuing) const {
  if (state_.code.counts_arrivals) return false;
  const std::span<const Warp> block = std::as_const(state_).block_of(issuing);
  for (std::size_t n = 0, k = issuing.index; n < block.size(); ++n) {
    k = k + 1 == block.size() ? 0 : k + 1;
    for (const Group& g : block[k].divergence.groups())
      if (g.state != Group::State::WaitsForBlock) return true;
  }
  return false;
}

bool Barriers::is_open(std::span<const Warp> block, const Group& asked) const {
  std::uint64_t arrived = 0, exited = 0;
  arrived += state_.arrivals_at(block.front().block, asked);
  for (const Warp& w : block) {
    if (has_arrived(w, asked)) ++arrived;
    else if (w.alive == 0) ++exited;
  }
  if (arrived == 0) return false;
  return asked.barrier_count == 0 ? arrived + exited == block.size()
                                  : arrived * state_.code.lanes >= asked.barrier_count;
}

// What mostly is the case: all living warps of the block wait whole at one bar.sync for all of it.
bool Barriers::open_whole(const Warp& issuing) {
  if (state_.code.counts_arrivals || !issuing.divergence.whole()) return false;
  const std::span<Warp> block = state_.block_of(issuing);
  const auto first = std::find_if(block.begin(), block.end(), [](const Warp& w) { return w.alive != 0; });
  if (!first->divergence.whole()) return false;
  const Group asked = first->divergence.groups()[0];
  if (asked.state != Group::State::WaitsForBlock || state_.insn(asked.pc).op != Op::BarSync) return false;
  for (const Warp& w : block) {
    if (w.alive == 0) continue;
    if (!w.divergence.whole() || !stand_at_one_barrier(state_.code, w.divergence.groups()[0], asked)) return false;
  }
  Gathering::Barrier* const told =
      gathering_.is_observed ? &gathering_.barriers.emplace_back(Gathering::Barrier{SyncEvent::Kind::Block, false, {}})
                             : nullptr;
  if (told != nullptr) told->arrivals.reserve(block.size());
  for (Warp& w : block) {
    if (w.alive == 0) continue;
    Group& g = w.divergence.groups()[0];
    if (told != nullptr) told->arrivals.push_back({w.index, g.pc, g.lanes});
    released_.push_back({state_.number_of(w), asked.pc});
    ++g.pc;
    g.state = Group::State::Ready;
  }
  return true;
}

// Opens every barrier of the block at which enough have arrived.
void Barriers::open_complete(Warp& issuing) {
  if (some_warp_is_missing(issuing) || open_whole(issuing)) return;
  const std::optional<PendingArrival> passed = pass_arrival(issuing);
  const std::span<Warp> block = state_.block_of(issuing);
  std::vector<Group> closed;  // barriers that were asked about and stay as they are, each once
  for (const Warp& warp : block) {
    for (std::size_t n = 0; n < warp.divergence.groups().size(); ++n) {
      const Group asked = warp.divergence.groups()[n];
      if (asked.state != Group::State::WaitsForBlock || only_arrives(asked)) continue;
      const auto is_asked = [&](const Group& c) {
        return stand_at_one_barrier(state_.code, c, asked) && c.barrier_count == asked.barrier_count;
      };
      if (std::any_of(closed.begin(), closed.end(), is_asked)) continue;
      if (is_open(block, asked)) {
        open(block, asked);
        break;  // all of this warp's lanes have gone on
      }
      closed.push_back(asked);
    }
  }
  if (passed) drop_complete(issuing.block, *passed);
}

// Once all lanes of the warp have come to bar.arrive, they go on.
std::optional<PendingArrival> Barriers::pass_arrival(Warp& warp) {
  std::vector<Group>& groups = warp.divergence.groups();
  const auto first = std::find_if(groups.begin(), groups.end(), [this](const Group& g) { return only_arrives(g); });
  if (first == groups.end() || !has_arrived(warp, *first)) return std::nullopt;
  const PendingArrival one{
      warp.block, first->barrier, first->barrier_count, {warp.index, first->pc, warp.alive, ++last_ticket_}};
  state_.arrivals.push_back(one);
  if (gathering_.is_observed) gathering_.barriers.push_back({SyncEvent::Kind::Arrive, false, {one.arrival}});
  for (int n = static_cast<int>(groups.size()) - 1; n >= 0; --n) {
    const Group& g = groups[static_cast<std::size_t>(n)];
    if (only_arrives(g)) warp.divergence.move(n, g.pc + 1, gathering_.joined);
  }
  return one;
}

// A barrier whose count is full begins again, also where nobody waits at it.
void Barriers::drop_complete(std::uint32_t block, const PendingArrival& last) {
  const auto same = [&](const PendingArrival& one) { return one.counts_for(block, last.barrier, last.count); };
  std::vector<PendingArrival>& all = state_.arrivals;
  const auto arrived = static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), same));
  if (arrived * state_.code.lanes >= last.count) std::erase_if(all, same);
}

// The threads go on behind bar.sync; at bar.red they still have their result to write, and execute it in their turn.
void Barriers::open(std::span<Warp> block, const Group& barrier) {
  leaving_.clear();
  for (Warp& w : block)
    if (has_arrived(w, barrier)) leaving_.push_back(&w);
  const bool reduces = state_.insn(barrier.pc).lift == Lift::BarrierReduce;
  if (gathering_.is_observed) gathering_.barriers.push_back({SyncEvent::Kind::Block, reduces, arrivals(barrier)});
  std::erase_if(state_.arrivals,
                [&](const PendingArrival& one) { return state_.counts_at(one, block.front().block, barrier); });
  if (reduces) reduce_predicates();
  for (Warp* const w : leaving_) {
    for (int n = static_cast<int>(w->divergence.groups().size()) - 1; n >= 0; --n) {
      Group& g = w->divergence.groups()[static_cast<std::size_t>(n)];
      if (g.state != Group::State::WaitsForBlock) continue;
      if (reduces) g.state = Group::State::Ready;
      else w->divergence.move(n, g.pc + 1, gathering_.joined);
    }
    released_.push_back({state_.number_of(*w), barrier.pc});
  }
}

std::vector<SyncEvent::Arrival> Barriers::arrivals(const Group& barrier) const {
  std::vector<SyncEvent::Arrival> all;
  all.reserve(leaving_.size());
  for (const Warp* const w : leaving_)
    for (const Group& g : w->divergence.groups())
      if (g.state == Group::State::WaitsForBlock) all.push_back({w->index, g.pc, g.lanes});
  for (const PendingArrival& one : state_.arrivals)
    if (state_.counts_at(one, leaving_.front()->block, barrier)) all.push_back(one.arrival);
  return all;
}

// All lanes of these warps wait at one bar.red: what their predicates come to.
void Barriers::reduce_predicates() {
  std::uint64_t threads = 0, trues = 0;
  Op op = Op::BarRedPopc;
  for (Warp* const w : leaving_) {
    for (const Group& g : w->divergence.groups()) {
      const DecodedInsn& d = state_.insn(g.pc);
      const LaneMask truth = word(static_cast<const std::byte*>(w->registers), d.p) ^ d.p_flip;
      threads += count_lanes(g.lanes);
      trues += count_lanes(truth & g.lanes);
      op = d.op;
    }
  }
  const std::uint64_t result = barrier_reduction_of(op, trues, threads);
  for (Warp* const w : leaving_) {
    for (Group& g : w->divergence.groups()) {
      g.released = true;
      g.reduced = result;
    }
  }
}

}  // namespace warpsim
