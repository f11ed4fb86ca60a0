// Which waiting threads of the second interpreter have all arrived: see reference_interpreter.h.
//
// Shapes: barriers of the block count its threads; whatever else waits does so for the members of one mask.
// Errors: a lane outside its own member mask and a collective without the whole warp are faults.
// Source: PTX ISA 9.0: bar 9.7.13.1, bar.warp.sync 9.7.13.2.
#include <algorithm>
#include <set>
#include <utility>

#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {

bool Grid::is_for_the_block(const Insn& insn) { return is_block_barrier(insn.op); }

void Grid::arrive(Block& block, Thread& thread) {
  const Insn& insn = insn_at(thread);
  if (insn.op == Op::BarArrive) {
    ++block.gone_on[{named(block, thread, "barrier", Type::U32, 0), named(block, thread, "count", Type::U32, 0)}];
    ++thread.pc;
    return;
  }
  thread.waiting = true;
  if (is_for_the_block(insn)) {
    thread.barrier = named(block, thread, "barrier", Type::U32, 0);
    thread.count = named(block, thread, "count", Type::U32, 0);
    thread.predicate = named(block, thread, "p", Type::Pred, 0);
    return;
  }
  thread.member_mask = named(block, thread, "membermask", Type::Mask, ~Bits{0});
  if ((thread.member_mask >> thread.linear % lanes_ & 1) == 0) fault_ = "a lane outside its own member mask";
}

bool Grid::release_waiting(Block& block) {
  bool released = release_at_barriers(block);
  released = release_at_mbarriers(block) || released;
  for (std::size_t first = 0; first < block.threads.size() && !fault_; first += lanes_) {
    released = release_in_warp(block, first) || released;
  }
  return released;
}

std::optional<Grid::Bits> Grid::reduced(Op op, Bits trues, Bits arrived) {
  const std::string_view operation = operation_of(op);
  if (operation == "popc") return trues;
  if (operation == "and") return trues == arrived ? 1 : 0;
  if (operation == "or") return trues > 0 ? 1 : 0;
  return std::nullopt;
}

bool Grid::release_at_barriers(Block& block) {
  constexpr Bits kBarriers = 16;
  // A barrier and a reduction over it never release each other.
  std::set<std::pair<Bits, Op>> places;
  for (const Thread& t : block.threads)
    if (t.waiting && is_for_the_block(insn_at(t)) && t.barrier < kBarriers) places.emplace(t.barrier, insn_at(t).op);
  bool released = false;
  for (const auto& [barrier, op] : places) {
    const auto is_here = [&, barrier = barrier, op = op](const Thread& t) {
      return t.waiting && insn_at(t).op == op && t.barrier == barrier;
    };
    auto arrived = static_cast<Bits>(std::count_if(block.threads.begin(), block.threads.end(), is_here));
    const auto living = static_cast<Bits>(
        std::count_if(block.threads.begin(), block.threads.end(), [](const Thread& t) { return !t.exited; }));
    const Thread& one = *std::find_if(block.threads.begin(), block.threads.end(), is_here);
    const auto before = block.gone_on.find({barrier, one.count});
    if (op == Op::BarSync && before != block.gone_on.end()) arrived += before->second;
    if (arrived < (one.count == 0 ? living : one.count)) continue;
    const Bits trues = static_cast<Bits>(std::count_if(
        block.threads.begin(), block.threads.end(), [&](const Thread& t) { return is_here(t) && t.predicate != 0; }));
    for (Thread& thread : block.threads) {
      if (!is_here(thread)) continue;
      if (info(op).form == Form::BarRed) write_d(thread, reduced(op, trues, arrived).value_or(0));
      thread.waiting = false;
      ++thread.pc;
    }
    if (op == Op::BarSync && before != block.gone_on.end()) block.gone_on.erase(before);
    released = true;
  }
  return released;
}

// A warp's threads, by lane; lanes that do not exist or have exited are left out.
std::vector<Grid::Thread*> Grid::living_lanes(Block& block, std::size_t first) const {
  std::vector<Thread*> result;
  for (std::size_t k = first; k < std::min(first + lanes_, block.threads.size()); ++k) {
    if (!block.threads[k].exited) result.push_back(&block.threads[k]);
  }
  return result;
}

bool Grid::release_in_warp(Block& block, std::size_t first) {
  bool released = false;
  const std::vector<Thread*> living = living_lanes(block, first);
  for (Thread* thread : living) {
    if (!thread->waiting || is_for_the_block(insn_at(*thread)) || waits_at_mbarrier(*thread) || fault_) continue;
    std::vector<Thread*> members;
    for (Thread* other : living) {
      if ((thread->member_mask >> lane_of(*other) & 1) != 0) members.push_back(other);
    }
    const Op op = insn_at(*thread).op;
    const auto has_arrived = [&](const Thread* other) {
      if (!other->waiting || is_for_the_block(insn_at(*other)) || waits_at_mbarrier(*other)) return false;
      // Lanes may wait at different warp barriers, but for anything else at one instruction; always with one mask.
      const bool same_place = op == Op::BarWarp ? insn_at(*other).op == Op::BarWarp : other->pc == thread->pc;
      return same_place && other->member_mask == thread->member_mask;
    };
    if (!std::all_of(members.begin(), members.end(), has_arrived)) continue;
    execute_together(block, members, members.size() == living.size());
    for (Thread* other : members) {
      other->waiting = false;
      ++other->pc;
    }
    released = true;
  }
  return released;
}

void Grid::execute_together(Block& block, const std::vector<Thread*>& members, bool whole_warp) {
  const Insn& insn = insn_at(*members.front());
  switch (info(insn.op).lift) {
    case Lift::Shuffle: return shuffle(block, members, insn);
    case Lift::Vote: return vote(block, members, insn);
    case Lift::Match: return match(block, members, insn);
    case Lift::Redux: return redux(block, members, insn);
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan:
      if (!whole_warp) {
        fault_ = "a collective without the whole warp";
        return;
      }
      return collective(block, members, insn);
    case Lift::Special: {
      Bits mask = 0;
      for (const Thread* thread : members) mask |= Bits{1} << lane_of(*thread);
      for (Thread* thread : members) write_d(*thread, mask);
      return;
    }
    default: return;
  }
}

}  // namespace warpsim::reference
