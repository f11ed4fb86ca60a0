// Block barriers: where the warps of a block wait for each other, and what predicates come to there.
//
// A barrier is its number and what is done at it: PTX leaves open what bar.sync and bar.red do to each other. A warp
// has arrived when all its living lanes wait there; one that has exited counts where no number of threads is given
// (H200: shared hardware notes in sim/README.md).
#include <algorithm>

#include "isa/kernels/kernels.h"
#include "sim/machine/machine_impl.h"

namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

template <Lift L, class K>
std::uint64_t barrier_reduction(std::uint64_t trues, std::uint64_t threads) {
  if constexpr (L == Lift::BarrierReduce) return K::of(trues, threads);
  else return 0;
}
std::uint64_t barrier_reduction(Op op, std::uint64_t trues, std::uint64_t threads) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return barrier_reduction<Lift::lift, kernels::kernel>(trues, threads);
#include "isa/table/instructions.def"
#undef INSN
  }
  return 0;
}

}  // namespace

void Machine::Impl::arrive_at_barrier(Warp& warp, int group, const DecodedInsn& d, LaneMask active) {
  Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  const std::byte* r = warp.registers;
  const unsigned lane = first_lane(active);
  g.state = Group::State::WaitsForBlock;
  g.barrier = row<std::uint32_t>(r, d.a)[lane];
  g.barrier_count = d.b == kNoOffset ? 0 : row<std::uint32_t>(r, d.b)[lane];
  if (const LaneMask switched_off = g.lanes & ~active; switched_off != 0) {
    warp.divergence.split_off(group, switched_off, g.pc + 1, joined_);
  }
  release_barriers(warp);
}

bool Machine::Impl::stand_at_one_barrier(const Group& x, const Group& y) const {
  const auto op = [this](const Group& g) { return code_.insns[static_cast<std::size_t>(g.pc)].op; };
  return x.state == Group::State::WaitsForBlock && y.state == Group::State::WaitsForBlock && x.barrier == y.barrier &&
         op(x) == op(y);
}

bool Machine::Impl::has_arrived(const Warp& warp, const Group& barrier) const {
  LaneMask waiting = 0;
  for (const Group& g : warp.divergence.groups())
    if (stand_at_one_barrier(g, barrier)) waiting |= g.lanes;
  return waiting != 0 && waiting == warp.alive;
}

// A quick look before the thorough one: a barrier of all threads stays closed as long as some warp lives and does not
// wait. Asked first are those behind the one that has just come, which are mostly still to come.
bool Machine::Impl::some_warp_is_to_come(const Warp& issuing) const {
  if (code_.counts_arrivals) return false;
  const std::size_t first = std::size_t{issuing.block} * warps_per_block_;
  for (std::size_t n = 0, k = issuing.index; n < warps_per_block_; ++n) {
    k = k + 1 == warps_per_block_ ? 0 : k + 1;
    for (const Group& g : warps_[first + k].divergence.groups())
      if (g.state != Group::State::WaitsForBlock) return true;
  }
  return false;
}

bool Machine::Impl::is_open(std::span<const Warp> block, const Group& asked) const {
  std::uint64_t arrived = 0, exited = 0;
  for (const Warp& w : block) {
    if (has_arrived(w, asked)) ++arrived;
    else if (w.alive == 0) ++exited;
  }
  if (arrived == 0) return false;
  return asked.barrier_count == 0 ? arrived + exited == block.size() : arrived * code_.lanes >= asked.barrier_count;
}

// Opens every barrier of the block at which enough have arrived.
void Machine::Impl::release_barriers(const Warp& issuing) {
  if (some_warp_is_to_come(issuing)) return;
  const std::span<Warp> block(&warps_[std::size_t{issuing.block} * warps_per_block_], warps_per_block_);
  std::vector<Group> closed;  // barriers that were asked about and stay as they are, each once
  for (const Warp& warp : block) {
    for (std::size_t n = 0; n < warp.divergence.groups().size(); ++n) {
      const Group asked = warp.divergence.groups()[n];
      if (asked.state != Group::State::WaitsForBlock) continue;
      const auto is_asked = [&](const Group& c) {
        return stand_at_one_barrier(c, asked) && c.barrier_count == asked.barrier_count;
      };
      if (std::any_of(closed.begin(), closed.end(), is_asked)) continue;
      if (is_open(block, asked)) {
        open_barrier(issuing, block, asked);
        break;  // all of this warp's lanes have gone on
      }
      closed.push_back(asked);
    }
  }
}

// The threads go on behind bar.sync; at bar.red they still have their result to write, and execute it in their turn.
void Machine::Impl::open_barrier(const Warp& issuing, std::span<Warp> block, const Group& barrier) {
  std::vector<Warp*>& released = released_;
  released.clear();
  for (Warp& w : block)
    if (has_arrived(w, barrier)) released.push_back(&w);
  const bool reduces = code_.insns[static_cast<std::size_t>(barrier.pc)].lift == Lift::BarrierReduce;
  if (observed_) met_.push_back({SyncEvent::Kind::Block, reduces, arrivals_of(released)});
  if (reduces) reduce_predicates(released);
  for (Warp* const w : released) {
    for (int n = static_cast<int>(w->divergence.groups().size()) - 1; n >= 0; --n) {
      Group& g = w->divergence.groups()[static_cast<std::size_t>(n)];
      if (g.state != Group::State::WaitsForBlock) continue;
      if (reduces) g.state = Group::State::Ready;
      else w->divergence.move(n, g.pc + 1, joined_);
    }
    const std::uint32_t number = static_cast<std::uint32_t>(w - warps_.data());
    if (clock_) {
      freed_.push_back({number, barrier.pc});
    } else if (w != &issuing) {  // whose turn is now
      if (w->cycle <= issuing.cycle) w->cycle = issuing.cycle + 1;
      queue(number);
    }
  }
}

std::vector<SyncEvent::Arrival> Machine::Impl::arrivals_of(std::span<Warp* const> warps) const {
  std::vector<SyncEvent::Arrival> arrivals;
  for (Warp* const w : warps)
    for (const Group& g : w->divergence.groups())
      if (g.state == Group::State::WaitsForBlock) arrivals.push_back({w->index, g.pc, g.lanes});
  return arrivals;
}

// All lanes of these warps wait at one bar.red: what their predicates come to.
void Machine::Impl::reduce_predicates(std::span<Warp* const> warps) {
  std::uint64_t threads = 0, trues = 0;
  Op op = Op::BarRedPopc;
  for (Warp* const w : warps) {
    for (const Group& g : w->divergence.groups()) {
      const DecodedInsn& d = code_.insns[static_cast<std::size_t>(g.pc)];
      const LaneMask truth = word(static_cast<const std::byte*>(w->registers), d.p) ^ d.p_flip;
      threads += count_lanes(g.lanes);
      trues += count_lanes(truth & g.lanes);
      op = d.op;
    }
  }
  const std::uint64_t result = barrier_reduction(op, trues, threads);
  for (Warp* const w : warps) {
    for (Group& g : w->divergence.groups()) {
      g.released = true;
      g.reduced = result;
    }
  }
}

}  // namespace warpsim
