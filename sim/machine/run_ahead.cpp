// See run_ahead.h.
#include "sim/machine/run_ahead.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/engine/groups.h"
#include "sim/machine/exchange.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMostAhead = 65'536;  // in one go, so that whoever wants to stop a run has not long to wait
constexpr std::size_t kSideBySide = 8;        // with 4 the `iter` benchmark is a quarter slower, with 16 no faster

std::int32_t pc_of(const Warp& warp) { return warp.divergence.groups()[0].pc; }

}  // namespace

// Executes from `d` on until the budget is used up or something else than execute() and branches that all pass the same
// path is needed; `d` is left there. Says how many instructions that were.
template <class Execute>
std::uint64_t RunAhead::run_through(const DecodedInsn*& d, std::uint64_t budget, RegisterBlocks blocks,
                                    Execute execute) const {
  const LaneMask lanes = full_mask(state_.code.lanes);
  std::uint64_t done = 0;
  while (done < budget) {
    if (d->fast.alone != nullptr) [[likely]] {
      execute(*d);
      ++d;
    } else if (d->lift == Lift::Branch && !d->watched) {
      const LaneMask taken = taking(blocks[0], *d, lanes);
      if (taken != 0 && taken != lanes) break;
      for (std::byte* const r : blocks.subspan(1)) {
        if (taking(r, *d, lanes) != taken) return done;
      }
      d = taken != 0 ? &state_.insn(d->target) : d + 1;
    } else break;
    ++done;
  }
  return done;
}

// All lanes go together, and the next instruction is one for run_through(). Lanes that have exited must keep their
// registers, so none has.
bool RunAhead::is_possible(const Warp& warp) const {
  if (!warp.divergence.whole() || warp.cycle > until_cycle_) return false;
  const Group& g = warp.divergence.groups()[0];
  if (g.state != Group::State::Ready || g.lanes != full_mask(state_.code.lanes)) return false;
  const DecodedInsn& d = state_.insn(g.pc);
  if (d.lift != Lift::Branch) return d.fast.alone != nullptr;
  if (d.watched) return false;
  const LaneMask taken = taking(warp.registers, d, g.lanes);
  return taken == 0 || taken == g.lanes;
}

// The earliest warps, for as long as there is one after the other that can.
bool RunAhead::run() {
  std::array<Warp*, kSideBySide> warps{};
  std::size_t count = 0;
  while (count < kSideBySide && !queue_.empty()) {
    Warp& warp = state_.warps[queue_.next()];
    if (!is_possible(warp)) break;
    queue_.take();
    warps[count++] = &warp;
  }
  if (count == 0) return false;
  const Warp& first = *warps[0];
  const std::uint64_t before = first.cycle;
  for (std::span<Warp*> rest(warps.data(), count); !rest.empty();) {
    const std::int32_t pc = pc_of(*rest[0]);
    const auto end = std::stable_partition(rest.begin(), rest.end(), [pc](const Warp* w) { return pc_of(*w) == pc; });
    const std::size_t together = static_cast<std::size_t>(end - rest.begin());
    run_side_by_side(rest.first(together));
    rest = rest.subspan(together);
  }
  for (std::size_t k = 0; k < count; ++k) queue_.add(state_.number_of(*warps[k]));
  return first.cycle != before;
}

RunAhead::RunAhead(LaunchState& state, TurnQueue& queue, MemoryUnit& memory)
    : state_(state),
      queue_(queue),
      memory_(memory),
      until_cycle_(state.config.max_cycles),
      engine_(state.code, state.program, state.config) {
  frame_.access = &access_from_code;
  frame_.hear = &hear_from_code;
  frame_.hear_lanes = &hear_lanes_from_code;
  frame_.diverge = &engine::diverge;
  frame_.arrive = &engine::arrive;
  frame_.all = full_mask(state.code.lanes);
  frame_.machine = this;
  frame_.places = memory.places();
}

// All stand at one pc; the order of `warps` changes.
void RunAhead::run_side_by_side(std::span<Warp*> warps) {
  std::array<std::byte*, kSideBySide> registers{};
  std::uint64_t last_cycle = 0;
  for (std::size_t k = 0; k < warps.size(); ++k) {
    registers[k] = warps[k]->registers;
    last_cycle = std::max(last_cycle, warps[k]->cycle);
  }
  const std::uint64_t budget = std::min(kMostAhead, until_cycle_ - last_cycle + 1);
  const DecodedInsn* d = &state_.insn(pc_of(*warps[0]));
  std::uint64_t done = 0;
  if (warps.size() == 1) {
    done =
        run_through(d, budget, {registers.data(), 1}, [r = registers[0]](const DecodedInsn& i) { i.fast.alone(r, i); });
  } else {
    const RegisterBlocks blocks(registers.data(), warps.size());
    done = run_through(d, budget, blocks, [blocks](const DecodedInsn& i) { i.fast.together(blocks, i); });
  }
  advance(warps, d->pc, done);
  if (done < budget && d->lift == Lift::Branch && !d->watched && warps.size() > 1) run_separately(warps, *d);
}

// The warps stand at a branch that they do not pass together. Those whose own lanes part there stay.
void RunAhead::run_separately(std::span<Warp*> warps, const DecodedInsn& branch) {
  const LaneMask lanes = full_mask(state_.code.lanes);
  for (const LaneMask path : {lanes, LaneMask{0}}) {
    const auto end = std::stable_partition(warps.begin(), warps.end(),
                                           [&](const Warp* w) { return taking(w->registers, branch, lanes) == path; });
    const std::span<Warp*> together = warps.first(static_cast<std::size_t>(end - warps.begin()));
    if (together.empty()) continue;
    advance(together, path != 0 ? branch.target : branch.pc + 1, 1);
    run_side_by_side(together);
    warps = warps.subspan(together.size());
  }
}

void RunAhead::advance(std::span<Warp* const> warps, std::int32_t pc, std::uint64_t instructions) {
  if (instructions == 0) return;
  for (Warp* const w : warps) state_.advance(*w, pc, instructions);
}

// ---- one warp within its own turn: what issue() does, where nobody watches and nobody else is needed

// Whether these lanes are all who execute an instruction that lanes execute together: each names all of them, of those
// that live no other, and none that waits there has come before.
bool RunAhead::are_together(const Warp& warp, const DecodedInsn& d, LaneMask active) const {
  if (d.member_mask == kNoOffset || is_collective(d.lift)) {
    if (active != warp.alive) return false;
  } else {
    for (const Group& g : warp.divergence.groups())
      if (g.state == Group::State::WaitsForLanes && g.pc == d.pc) return false;
  }
  if (d.member_mask == kNoOffset) return true;
  const LaneMask members = member_mask(state_.code, warp, d, first_lane(active));
  if ((members & warp.alive) != active) return false;
  LaneMask others = 0;
  for_lanes(active, [&](unsigned l) { others |= member_mask(state_.code, warp, d, l) ^ members; });
  return others == 0;
}

// What needs neither other warps nor other groups, and is no branch. False: it does.
bool RunAhead::execute(Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle) {
  if (d.watched && !(d.choices && choosing(warp.registers, d, active) == 0))
    return active != 0 && d.heard && memory_.access_heard(warp, d, active, cycle);
  switch (d.lift) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
      if (d.masked == nullptr || d.reads_clock) return false;
      if (active != 0) d.masked(warp.registers, d, active);
      return true;
    case Lift::Load:
    case Lift::Store: return d.access.move != nullptr && memory_.move(warp, d, active);
    case Lift::Atomic: return memory_.change_alone(warp, d, active);
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Shuffle:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: break;
    case Lift::Special:
      if (d.op != Op::ActiveMask) return false;
      for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, active); });
      return true;
    default: return false;
  }
  if (active == 0) return true;
  if (!are_together(warp, d, active)) return false;
  if (is_watched_ && d.lift == Lift::Shuffle && active != full_mask(state_.code.lanes) &&
      !finds_all_sources(state_, warp, d, active))
    return false;
  if (d.lift == Lift::Vote) execute_vote(state_, warp, d, active);
  else if (d.lift == Lift::Match) execute_match(state_, warp, d, active);
  else if (d.lift == Lift::Redux) execute_redux(state_, warp, d, active);
  else {
    Exchange exchange;
    execute_exchange(state_, warp, d, active, exchange);
  }
  return true;
}

bool RunAhead::access_from_code(engine::Frame& frame, std::int32_t pc, LaneMask active) {
  RunAhead& self = *static_cast<RunAhead*>(frame.machine);
  return self.execute(self.warp_in(frame), self.state_.insn(pc), active, self.code_end_ - frame.left);
}

bool RunAhead::hear_from_code(engine::Frame& frame, std::int32_t pc, std::uint64_t address, bool is_one_address) {
  RunAhead& self = *static_cast<RunAhead*>(frame.machine);
  const DecodedInsn& d = self.state_.insn(pc);
  const AddressSpace space = d.space == AddressSpace::Shared ? AddressSpace::Shared : AddressSpace::Global;
  return self.memory_.hears_range(self.warp_in(frame), d, space, address, is_one_address, self.code_end_ - frame.left);
}

bool RunAhead::hear_lanes_from_code(engine::Frame& frame, std::int32_t pc, LaneMask active) {
  RunAhead& self = *static_cast<RunAhead*>(frame.machine);
  return self.memory_.hears_lanes(self.warp_in(frame), self.state_.insn(pc), active, frame.scratch,
                                  self.code_end_ - frame.left);
}

// Those who wait, as the code has them; the group has made `done` issues already.
void RunAhead::enter_groups(const Warp& warp, const Run& run, std::uint64_t done) {
  engine::forget_waiting(frame_);
  const std::vector<Group>& groups = warp.divergence.groups();
  for (std::size_t k = 0; k < groups.size(); ++k)
    if (static_cast<int>(k) != run.group && groups[k].state == Group::State::Ready)
      engine::wait(frame_, groups[k].pc, groups[k].lanes, frame_.left + groups[k].passed_over + done);
  frame_.below = engine::lowest_pc(frame_);
}

// The groups as the code has left them.
void RunAhead::take_groups(Run& run) {
  if (frame_.apart != 0) {
    const std::uint64_t in_body = static_cast<std::uint64_t>(frame_.pc - frame_.branch - 1);
    engine::wait(frame_, state_.insn(frame_.branch).target, frame_.apart, frame_.left + in_body);
    frame_.apart = 0;
  }
  if (engine::lowest_pc(frame_) <= frame_.pc) engine::arrive(frame_, frame_.pc);
  run.regrouped = true;
}

void RunAhead::enter_code(LaneMask lanes, std::int32_t pc, std::uint64_t most, const Warp& warp) {
  frame_.registers = warp.registers;
  frame_.shared = state_.shared.empty() ? nullptr : state_.shared[warp.slot].data();
  if (frame_.settled_pages != nullptr) {
    frame_.settled_shared = listener_->settled_shared(warp.block);
    frame_.calm = {};
    listener_->calm_memory(warp.block, warp.index, frame_.calm);
  }
  frame_.lanes = lanes;
  frame_.pc = pc;
  frame_.left = most;
  frame_.may_regroup = warp.divergence.is_independent() && !follows_masks_;
  frame_.regrouped = false;
  frame_.apart = 0;
  frame_.shares_memory = state_.pool != nullptr;
  frame_.joined_at = ~std::uint64_t{0};
}

std::uint64_t RunAhead::leave_code(Run& run, std::uint64_t most) {
  if (frame_.regrouped || (frame_.apart != 0 && frame_.may_regroup)) take_groups(run);
  run.pc = frame_.pc;
  run.apart = frame_.apart;
  run.branch = frame_.branch;
  if (frame_.left != most) run.passed_over = engine::passed_over(frame_);
  issues_in_code_ += most - frame_.left;
  return most - frame_.left;
}

std::uint64_t RunAhead::run_code(Warp& warp, Run& run, std::uint64_t done, std::uint64_t budget, bool whole) {
  in_code_ = &warp;
  const std::uint64_t most = std::min<std::uint64_t>(budget, warp.divergence.patience());
  code_end_ = warp.cycle + issued_ + done + most;
  enter_code(run.lanes, run.pc, most, warp);
  enter_groups(warp, run, done);
  engine_.run(frame_, whole);
  return leave_code(run, most);
}

// As far as the group goes before others have to be asked, or it comes to where they are.
std::uint64_t RunAhead::run_stretch(Warp& warp, Run& run, std::uint64_t budget) {
  std::uint64_t done = 0, interpreted = 0;
  const bool is_full = run.lanes == full_mask(state_.code.lanes);
  const bool stops_before = follows_masks_ && run.below != std::numeric_limits<std::int32_t>::max();
  const auto joins = [&](std::int32_t pc) { return stops_before && pc >= run.below; };
  while (done < budget && run.pc < run.below && run.apart == 0 && !run.regrouped) {
    const bool has_code = !stops_before && engine_.has_code_at(run.pc, is_full);
    const std::uint64_t in_code = has_code ? run_code(warp, run, done, budget - done, is_full) : 0;
    done += in_code;
    if (in_code != 0) continue;
    const DecodedInsn& d = state_.insn(run.pc);
    if (d.lift == Lift::Branch) {
      const LaneMask taken = taking(warp.registers, d, run.lanes);
      const std::int32_t next = taken != 0 ? d.target : run.pc + 1;
      if (d.watched || (taken != 0 && taken != run.lanes) || joins(next)) break;
      run.pc = next;
    } else {
      if (joins(run.pc + 1)) break;
      if (is_full && d.fast.alone != nullptr) d.fast.alone(warp.registers, d);
      else if (!execute(warp, d, taking(warp.registers, d, run.lanes), warp.cycle + issued_ + done)) break;
      ++run.pc;
    }
    run.passed_over = 0;
    ++done;
    ++interpreted;
  }
  if (interpreted != 0) engine_.note_interpreted(interpreted, is_full);
  return done;
}

// ---- loops of registers alone

const engine::RegisterLoop* RunAhead::loop_of(const Warp& warp) {
  if (!warp.divergence.whole()) return nullptr;
  const Group& g = warp.divergence.groups()[0];
  if (g.state != Group::State::Ready || g.lanes != full_mask(state_.code.lanes)) return nullptr;
  return g.pc < 0 ? nullptr : engine_.loop_at(g.pc);
}

// From `pc` on; how many of these issues there were before a warp left the loop.
std::uint64_t RunAhead::step_in_loop(std::span<Warp* const> warps, const engine::RegisterLoop& loop, std::int32_t pc,
                                     std::uint64_t issues) {
  const LaneMask all = full_mask(state_.code.lanes);
  std::vector<std::byte*> registers;
  for (const Warp* const w : warps) registers.push_back(w->registers);
  for (std::uint64_t done = 0; done < issues; ++done) {
    const DecodedInsn& d = state_.insn(pc++);
    if (d.lift == Lift::Branch) {
      for (const std::byte* const r : registers)
        if (taking(r, d, all) != all) return done;
      pc = loop.begin;
    } else if (d.fast.together != nullptr) {
      for (RegisterBlocks rest(registers); !rest.empty(); rest = rest.subspan(std::min(kSideBySide, rest.size())))
        d.fast.together(rest.first(std::min(kSideBySide, rest.size())), d);
    } else {
      for (Warp* const w : warps) execute(*w, d, taking(w->registers, d, all), 0);
    }
  }
  return issues;
}

// All stand at its begin. How many rounds all can make.
std::uint64_t RunAhead::go_whole_rounds(std::span<Warp* const> warps, const engine::RegisterLoop& loop,
                                        std::uint64_t rounds) {
  const std::size_t bytes = state_.code.block_template.size();
  while (!warps.empty()) {
    unsigned together = 1;
    while (together < warps.size() && warps[together]->registers == warps[0]->registers + together * bytes) ++together;
    together = together < engine::kSideBySide ? 1 : engine::kSideBySide;
    frame_.registers = warps[0]->registers;
    frame_.lanes = full_mask(state_.code.lanes);
    frame_.left = rounds;
    if (!engine_.run_loop(frame_, loop, together)) return 0;
    rounds -= frame_.left;
    warps = warps.subspan(together);
  }
  return rounds;
}

std::uint64_t RunAhead::go_round(std::span<Warp* const> warps, const engine::RegisterLoop& loop, std::uint64_t issues) {
  const std::int32_t pc = pc_of(*warps[0]);
  const auto to_end = static_cast<std::uint64_t>(loop.end - pc);
  const std::uint64_t head = pc == loop.begin ? 0 : std::min(to_end, issues);
  if (const std::uint64_t made = step_in_loop(warps, loop, pc, head); made != head) return made;
  const std::uint64_t rounds = (issues - head) / loop.length(), tail = (issues - head) % loop.length();
  if (const std::uint64_t made = go_whole_rounds(warps, loop, rounds); made != rounds)
    return head + made * loop.length();
  step_in_loop(warps, loop, loop.begin, tail);
  return issues;
}

bool RunAhead::stays_in_loop(Warp& warp, std::uint64_t issues) {
  const engine::RegisterLoop* const loop = loop_of(warp);
  if (loop == nullptr) return false;
  const std::vector<std::byte> before(warp.registers, warp.registers + state_.code.register_bytes);
  Warp* const one = &warp;
  const bool stays = go_round({&one, 1}, *loop, issues) == issues;
  std::copy(before.begin(), before.end(), warp.registers);
  return stays;
}

// What the group's issues have come to: who has left it, where it is, and whom it has met there.
void RunAhead::settle(Warp& warp, const Stretch& stretch, const Run& run, std::uint64_t issues) {
  Divergence& groups = warp.divergence;
  if (run.regrouped) {
    ready_.clear();
    const engine::Waiting& all = frame_.waiting;
    for (std::uint64_t k = 1; k <= all.lowest; ++k)
      ready_.push_back({.lanes = all.lanes[k],
                        .pc = all.pc[k],
                        .passed_over = static_cast<std::uint32_t>(all.since[k] - frame_.left)});
    ready_.push_back({.lanes = frame_.lanes, .pc = frame_.pc, .passed_over = engine::passed_over(frame_)});
    return groups.regroup(ready_);
  }
  const auto in_body = run.apart == 0 ? 0 : static_cast<std::uint64_t>(run.pc - run.branch - 1);
  joined_.clear();
  groups.ran(stretch.group, run.apart == 0 ? run.pc : run.branch, issues - in_body);
  if (run.apart != 0) {
    const DecodedInsn& branch = state_.insn(run.branch);
    groups.diverge(stretch.group, run.apart, branch.target, branch.reconvergence, joined_);
    if (in_body != 0) groups.ran(groups.next_ready(), run.pc, in_body);
    return;
  }
  if (groups.groups().size() > 1)
    groups.groups()[static_cast<std::size_t>(stretch.group)].passed_over = run.passed_over;
  if (run.pc >= run.below) groups.move(stretch.group, run.pc, joined_);
}

std::uint64_t RunAhead::run_whole(Warp& warp, std::uint64_t budget) {
  if (!warp.divergence.whole()) return 0;
  const Stretch stretch = warp.divergence.stretch();
  const bool is_full = stretch.lanes == full_mask(state_.code.lanes);
  const auto end = static_cast<std::int32_t>(state_.code.insns.size());
  if (stretch.group < 0 || stretch.pc < 0 || stretch.pc >= end || !engine_.has_code_at(stretch.pc, is_full)) return 0;
  Run run{.lanes = stretch.lanes, .below = stretch.below, .pc = stretch.pc, .group = stretch.group};
  issued_ = 0;
  const std::uint64_t issues = run_code(warp, run, 0, budget, is_full);
  if (run.regrouped || run.apart != 0) settle(warp, stretch, run, issues);
  else warp.divergence.groups()[0].pc = run.pc;
  if (issues != 0) state_.count(warp, issues);
  return issues;
}

std::uint64_t RunAhead::run_alone(Warp& warp, std::uint64_t budget) {
  std::uint64_t done = 0;
  const auto end = static_cast<std::int32_t>(state_.code.insns.size());
  while (done < budget) {
    const Stretch stretch = warp.divergence.stretch();
    if (stretch.group < 0 || stretch.pc < 0 || stretch.pc >= end) break;
    const std::uint64_t most = std::min(budget - done, stretch.most);
    Run run{.lanes = stretch.lanes, .below = stretch.below, .pc = stretch.pc, .group = stretch.group};
    issued_ = done;
    const std::uint64_t issues = run_stretch(warp, run, most);
    if (issues != 0) settle(warp, stretch, run, issues);
    done += issues;
    if (issues == 0 && run.pc >= run.below) break;  // groups that stand at one pc and have not joined
    if (issues == most || run.pc >= run.below || run.apart != 0 || run.regrouped) continue;
    const DecodedInsn& d = state_.insn(run.pc);
    const LaneMask taken = taking(warp.registers, d, run.lanes);
    if (d.lift != Lift::Branch || d.watched || follows_masks_ || taken == 0 || taken == run.lanes) break;
    joined_.clear();
    warp.divergence.ran(stretch.group, run.pc, 1);
    warp.divergence.diverge(stretch.group, taken, d.target, d.reconvergence, joined_);
    ++done;
  }
  if (done != 0) state_.count(warp, done);
  return done;
}

}  // namespace warpsim
