// Schedule `blocks`, where nobody watches barriers: the warps of a block have their turns within code, from barrier to
// barrier (engine::Seat), for as long as all lanes of each stay together. Also many turns of all warps within loops of
// registers alone.
//
// Shapes: a ring of seats. The warp that comes last to a barrier goes on behind it in the same turn; so the turns up to
//         the next barrier are those of a ring that begins with it. What the turns are is block_turns.h's, and where
//         one of them ends in another way than at a barrier or exit, the machine goes on from there by itself.
// Units:  issues.
// Errors: none.
#include <algorithm>

#include "sim/engine/groups.h"
#include "sim/machine/machine_impl.h"

namespace warpsim {

using engine::Seat;

// ---- seats

bool RunAhead::set_out(Seat& seat, std::int32_t at) const {
  const bool is_full = seat.lanes == full_mask(state_.code.lanes);
  seat.at = at;
  if (!engine_.has_code_at(at, is_full)) return false;
  seat.resume = engine_.code_at(at, is_full);
  return true;
}

bool RunAhead::take_seats(std::span<Warp> block) {
  seats_.clear();
  seated_ = block;
  for (const Warp& w : block) {
    if (w.alive == 0) continue;
    const Stretch stretch = w.divergence.stretch();
    if (!w.divergence.whole() || stretch.group < 0) return false;
    if (listener_ != nullptr && stretch.lanes != state_.existing_lanes(w.index)) return false;
    Seat& seat = seats_.emplace_back();
    seat.registers = w.registers;
    seat.lanes = stretch.lanes;
    seat.warp = w.index;
    if (!set_out(seat, stretch.pc)) return false;
  }
  link_seats();
  return true;
}

void RunAhead::link_seats() {
  for (std::size_t k = 0; k < seats_.size(); ++k) seats_[k].next = &seats_[k + 1 == seats_.size() ? 0 : k + 1];
}

bool RunAhead::take_seats_again() {
  bool have_code = true;
  const std::int32_t pc = state_.first_pc();
  const Seat* before = nullptr;
  for (Seat& seat : seats_) {
    seat.lanes = seated_[seat.warp].existing;
    seat.last_issue = 0;
    if (before != nullptr && before->lanes == seat.lanes) {
      seat.at = pc;
      seat.resume = before->resume;
    } else {
      have_code = set_out(seat, pc) && have_code;
    }
    before = &seat;
  }
  link_seats();
  return have_code;
}

Seat* RunAhead::run_seats(Seat& first, Seat& last, std::uint64_t left) {
  enter_code(first.lanes, first.at, left, seated_[first.warp]);
  if (frame_.calm.chunks != nullptr) {
    for (Seat& seat : seats_) {
      const std::int32_t behind = (static_cast<std::int32_t>(seat.warp) - static_cast<std::int32_t>(first.warp)) *
                                  static_cast<std::int32_t>(state_.code.lanes);
      seat.shared_reader = frame_.calm.of_shared.reader + behind;
      seat.global_reader = frame_.calm.of_global.reader + behind;
    }
  }
  engine::forget_waiting(frame_);
  frame_.below = engine::lowest_pc(frame_);
  frame_.seat = &first;
  frame_.last_seat = &last;
  frame_.turn = kTurnIssues;
  frame_.turns_are_over = false;
  frame_.next_block = listener_ == nullptr ? &next_block_from_code : nullptr;
  frame_.blocks = {};
  first_left_ = left;
  engine_.run(frame_, first.lanes == full_mask(state_.code.lanes));
  settle_block();
  Seat* const stopped = frame_.turns_are_over ? nullptr : frame_.seat;
  frame_.seat = nullptr;
  return stopped;
}

bool RunAhead::next_block_from_code(engine::Frame& frame) {
  return static_cast<RunAhead*>(frame.machine)->begin_next_block();
}

// Those that have begun by themselves since it was asked last.
void RunAhead::note_begun_blocks() {
  engine::NextBlocks& blocks = frame_.blocks;
  if (blocks.begun == 0) return;
  next_block_.have_begun(blocks.begun, blocks.begun * blocks.warps * kTurnIssues - blocks.unused_earlier);
  blocks.begun = 0;
  blocks.unused -= blocks.unused_earlier;
  blocks.unused_earlier = 0;
}

// Nothing is done where not all of the block are at one exit.
bool RunAhead::begin_next_block() {
  note_begun_blocks();
  const std::int32_t exit = frame_.last_seat->pc, begin = state_.first_pc();
  if (state_.insn(exit).op != Op::Exit || !state_.all_live(seated_[0])) return false;
  std::uint64_t issues = first_left_ - kTurnIssues;
  for (const Seat& seat : seats_) {
    if (seat.pc != exit) return false;
    issues += kTurnIssues - seat.left;
  }
  const std::optional<std::uint64_t> more = next_block_.begins(issues);
  if (!more) return false;
  frame_.blocks = {.left = *more, .warps = seats_.size(), .number = seated_[0].block % state_.config.grid.x};
  has_begun_blocks_ = true;
  first_left_ = kTurnIssues;
  for (Seat& seat : seats_)
    if (seat.at != begin) set_out(seat, begin);  // they have been there before
  frame_.seat = &seats_.front();
  frame_.last_seat = &seats_.back();
  return true;
}

std::uint64_t RunAhead::settle_seat(Warp& warp, std::uint64_t left) {
  const Stretch stretch = warp.divergence.stretch();
  Run run{.lanes = stretch.lanes, .below = stretch.below, .pc = stretch.pc, .group = stretch.group};
  const std::uint64_t issues = leave_code(run, left);
  if (issues != 0) settle(warp, stretch, run, issues);
  return issues;
}

void RunAhead::take_back(Seat& seat) {
  ++seat.left;
  frame_.left = seat.left;
  frame_.pc = seat.pc;
  frame_.regrouped = false;
  frame_.apart = 0;
  frame_.joined_at = ~std::uint64_t{0};
}

// ---- their turns

struct Machine::Impl::Ring {
  Seat* first;           // whose turn is the first …
  Seat* last;            // … and the last
  std::uint64_t left;    // of the issues of the turn that passes
  std::uint32_t rounds;  // BlockTurns', as `gets_on`
  bool gets_on;

  void begin_turn(const Seat& seat, const Seat& before) {
    left = kTurnIssues;
    if (seat.warp > before.warp) return;
    ++rounds;
    gets_on = false;
  }
};

bool Machine::Impl::has_exited(const Seat& seat) const { return state_.insn(seat.pc).op == Op::Exit; }

// Whether all have come to one barrier, or to their ends.
bool Machine::Impl::are_through(const Ring& ring) const {
  const auto barrier_of = [this](const Seat& s) {
    return row<std::uint32_t>(static_cast<const std::byte*>(s.registers), state_.insn(s.pc).a)[first_lane(s.lanes)];
  };
  const Seat* waits = nullptr;
  for (const Seat* s = ring.first;; s = s->next) {
    if (!has_exited(*s)) {
      if (waits != nullptr && (s->pc != waits->pc || barrier_of(*s) != barrier_of(*waits))) return false;
      waits = s;
    }
    if (s == ring.last) return true;
  }
}

// Turns up to the one that this seat is in the midst of; null: all.
template <class Observer>
void Machine::Impl::pass_turns(Ring& ring, const Seat* stopped, const Observer& observer) {
  const Seat* before = ring.last;
  for (Seat* s = ring.first; s != stopped; before = s, s = s->next) {
    if (s != ring.first) ring.begin_turn(*s, *before);
    state_.result.instructions += ring.left - s->left;
    run_ahead_.note_in_code(ring.left - s->left);
    state_.result.cycles = s->last_issue = state_.result.instructions;
    ring.left = s->left;
    if (has_exited(*s)) end_seat(*s, observer);
    ring.gets_on = ring.gets_on || s != ring.last || has_exited(*s);  // who comes last to a barrier goes on
    if (s == ring.last) return;
  }
  if (stopped != ring.first) ring.begin_turn(*stopped, *before);
}

template <class Observer>
void Machine::Impl::end_seat(const Seat& seat, const Observer& observer) {
  Warp& warp = state_.block_of(state_.warps[turns_.warp()])[seat.warp];
  warp.alive = 0;
  warp.last_issue = seat.last_issue;
  warp.divergence.exit_all();
  end_turn_unready(state_.number_of(warp));
  give_up_slot(warp, observer);
}

// All seats of the ring have come to one barrier: whoever watches hears of it if that is all lanes of the block.
void Machine::Impl::report_meeting(const Ring& ring) {
  EventSink* const listener = run_ahead_.listener();
  if (listener == nullptr) return;
  std::uint32_t warps = 0;
  bool are_all = true;
  for (const Seat* s = ring.first;; s = s->next) {
    ++warps;
    are_all = are_all && !has_exited(*s) && s->lanes == state_.existing_lanes(s->warp);
    if (s == ring.last) break;
  }
  if (are_all && warps == state_.warps_per_block) listener->on_meeting(state_.warps[turns_.warp()].block);
}

// All have come to one barrier or to their ends: those that live go on behind it. None if nobody does; false if no
// code begins there.
std::optional<bool> Machine::Impl::open_ring(Ring& ring) {
  report_meeting(ring);
  Seat *first = nullptr, *last = nullptr;
  bool have_code = true;
  for (Seat* s = ring.first;; s = s->next) {
    if (!has_exited(*s)) {
      have_code = run_ahead_.set_out(*s, s->pc + 1) && have_code;
      if (first == nullptr) first = s;
      else last->next = s;
      last = s;
    }
    if (s == ring.last) break;
  }
  if (first == nullptr) return std::nullopt;
  last->next = first;
  if (last != ring.last) {  // that one has ended
    ring.begin_turn(*first, *ring.last);
    ring.first = first;
    ring.last = last;
    return have_code;
  }
  ring.first = last;
  for (ring.last = first; ring.last->next != last;) ring.last = ring.last->next;
  return have_code;
}

// What pass_turns() and open_ring() do where all come to the same barrier, as they mostly do. False: they do not, and
// nothing is done.
bool Machine::Impl::open_ring_at_once(Ring& ring) {
  const std::int32_t pc = ring.first->pc;
  const DecodedInsn& barrier = state_.insn(pc);
  if (barrier.op != Op::BarSync || !state_.code.is_constant(barrier.a)) return false;
  std::uint64_t issues = ring.left - kTurnIssues;
  LaneMask all = 0, some = ~LaneMask{0};
  for (const Seat* s = ring.first;; s = s->next) {
    if (s->pc != pc) return false;
    issues += kTurnIssues - s->left;
    all |= s->lanes;
    some &= s->lanes;
    if (s == ring.last) break;
  }
  Seat* const go_on = ring.last;
  if (all != some || !run_ahead_.set_out(*go_on, pc + 1)) return false;
  report_meeting(ring);
  for (Seat* s = ring.first; s != go_on; s = s->next) {
    s->at = pc + 1;
    s->resume = go_on->resume;
    ring.last = s;
  }
  count_in_code(issues);
  if (ring.first->warp > go_on->warp) ++ring.rounds;
  if (ring.first != go_on) ring.gets_on = ring.last->warp < go_on->warp;  // or its turn is the first of a round
  ring.left = go_on->left;
  ring.first = go_on;
  return true;
}

// All warps of a block have come to their ends, and another block waits: it begins on the same seats, as begin_block()
// and take_seats() would have it. None if that is not so, and nothing is done; false if no code begins there.
template <class Observer>
std::optional<bool> Machine::Impl::begin_on_seats(Ring& ring, const Observer& observer) {
  const std::span<Seat> seats = run_ahead_.seats();
  std::uint64_t issues = ring.left - kTurnIssues;
  std::uint32_t ended = 0;
  for (const Seat* s = ring.first;; s = s->next) {
    if (!has_exited(*s)) return std::nullopt;
    issues += kTurnIssues - s->left;
    ++ended;
    if (s == ring.last) break;
  }
  if (ended != state_.warps_per_block || !state_.would_follow()) return std::nullopt;
  count_in_code(issues);
  Warp& first = state_.block_of(state_.warps[turns_.warp()])[0];
  first.last_issue = state_.result.instructions;
  if (state_.config.ended_blocks != nullptr) ++*state_.config.ended_blocks;
  begin_in_slot(first.slot, state_.result.instructions + 1, observer);
  ring = {&seats.front(), &seats.back(), kTurnIssues, 0, false};
  return run_ahead_.take_seats_again();
}

// The same within code, where nothing but its number and special registers tells the block from the one before.
std::optional<std::uint64_t> Machine::Impl::begin_in_code(std::uint64_t issues) {
  const std::uint64_t made = state_.result.instructions + issues;
  if (!state_.begins_alike() || !may_go_on(made) || !state_.would_follow()) return std::nullopt;
  end_blocks_in_code(1, issues);
  const std::uint32_t slot = state_.warps[turns_.warp()].slot;
  state_.begin_next_alike(slot, 1, made + 1);
  state_.fill_specials_of_block(slot);
  livelock_.forget();
  if (most_threads_ > 1) return 0;
  constexpr std::uint64_t kMostAtOnce = 16;  // so that whoever wants to stop the run has not long to wait
  const std::uint64_t of_block = std::uint64_t{state_.warps_per_block} * kTurnIssues;
  const std::uint64_t before_limit = (state_.last_cycle - made) / of_block;
  return std::min({kMostAtOnce, state_.alike_but_for_number(slot), std::max<std::uint64_t>(before_limit, 2) - 2});
}

void Machine::Impl::have_begun_in_code(std::uint64_t blocks, std::uint64_t issues) {
  end_blocks_in_code(blocks, issues);
  state_.begin_next_alike(state_.warps[turns_.warp()].slot, blocks, state_.result.instructions + 1);
}

void Machine::Impl::end_blocks_in_code(std::uint64_t blocks, std::uint64_t issues) {
  count_in_code(issues);
  if (state_.config.ended_blocks != nullptr) *state_.config.ended_blocks += blocks;
}

// The machine goes on by itself, in the midst of the turn of `stopped`.
void Machine::Impl::leave_ring(const Ring& ring, const Seat& stopped) {
  const std::span<Warp> block = state_.block_of(state_.warps[turns_.warp()]);
  bool waits = true;
  for (const Seat* s = ring.first;; s = s->next) {
    if (s == &stopped) waits = false;
    Warp& warp = block[s->warp];
    if (warp.alive != 0) {
      Group& g = warp.divergence.groups()[0];
      g.pc = waits ? s->pc : s->at;
      warp.last_issue = std::max(warp.last_issue, s->last_issue);
      warp.cycle = s->last_issue + 1;
      if (waits) {
        const DecodedInsn& d = state_.insn(s->pc);
        g.state = Group::State::WaitsForBlock;
        g.barrier = row<std::uint32_t>(warp.registers, d.a)[first_lane(s->lanes)];
        g.barrier_count = 0;
        turns_.remove(state_.number_of(warp));
      }
    }
    if (s == ring.last) break;
  }
  Warp& warp = block[stopped.warp];
  warp.cycle = state_.result.instructions + 1;
  turns_.go_on(state_.number_of(warp), ring.left, ring.rounds, ring.gets_on);
}

// Whether so many more turns can be had in one go, behind so many issues.
bool Machine::Impl::may_go_on(std::uint64_t issues) const {
  const std::uint64_t most = (std::uint64_t{state_.warps_per_block} + 1) * kTurnIssues;
  if (most_threads_ > 1 && is_worth_threads()) return false;
  return !is_asked_to_stop() && state_.last_cycle > issues + most;
}

bool Machine::Impl::may_go_round(const Ring& ring) const {
  return ring.rounds + 2 < kBlockRounds && may_go_on(state_.result.instructions);
}

template <class Observer>
void Machine::Impl::run_rounds(const Observer& observer) {
  const Warp& current = state_.warps[turns_.warp()];
  if (spins_.is_on() || state_.code.counts_arrivals || !run_ahead_.take_seats(state_.block_of(current))) return;
  const std::span<Seat> seats = run_ahead_.seats();
  Seat* const first =
      &*std::find_if(seats.begin(), seats.end(), [&](const Seat& s) { return s.warp == current.index; });
  Ring ring{first, first == seats.data() ? &seats.back() : first - 1, turns_.left(), turns_.rounds(), turns_.gets_on()};
  for (std::optional<bool> go_on = true; go_on;) {
    if (!*go_on || !may_go_round(ring)) return leave_ring(ring, *ring.first);
    Seat* stopped = run_ahead_.run_seats(*ring.first, *ring.last, ring.left);
    if (run_ahead_.has_begun_blocks()) ring = {&seats.front(), &seats.back(), kTurnIssues, 0, false};
    if (stopped == nullptr) {
      if (open_ring_at_once(ring)) continue;
      if (const std::optional<bool> again = begin_on_seats(ring, observer)) {
        go_on = again;
        continue;
      }
      if (!are_through(ring)) {
        stopped = ring.last;
        run_ahead_.take_back(*stopped);
      }
    }
    pass_turns(ring, stopped, observer);
    if (stopped != nullptr) {
      leave_ring(ring, *stopped);
      Warp& warp = state_.warps[turns_.warp()];
      const std::uint64_t issues = run_ahead_.settle_seat(warp, ring.left);
      state_.count(warp, issues);
      return turns_.use(issues);
    }
    go_on = open_ring(ring);
  }
}

// ---- loops of registers alone

// All warps that can issue are within such loops: what they do there shows nowhere before one leaves its own, so that
// they have many turns in one go. The turns that there are, and whose the next one is, stay the same.
bool Machine::Impl::go_round_loops() {
  if (turns_.left() != kTurnIssues || !turns_.begins_block() || spins_.is_on()) return false;
  const std::uint64_t now = state_.result.instructions;
  if (now < next_go_round_ || run_ahead_.loop_of(state_.warps[turns_.warp()]) == nullptr || state_.is_room())
    return false;
  std::vector<Warp*> warps;
  bool do_all = true;
  turns_.for_each_ready([&](std::uint32_t k) {
    do_all = do_all && run_ahead_.loop_of(state_.warps[k]) != nullptr;
    warps.push_back(&state_.warps[k]);
  });
  const std::uint64_t most = do_all ? rounds_in_one_go(warps) : 0;
  const std::uint64_t rounds = most == 0 ? 0 : go_round_together(warps, most);
  if (rounds == 0) {
    // It is no failure that a state is to be kept within the next round, or that the limit is there.
    const bool fails = !do_all || most != 0;
    next_go_round_ = now + (warps.size() * kTurnIssues << (fails ? std::min(failed_rounds_++, kMostDoubled) : 0));
    return false;
  }
  failed_rounds_ = 0;
  const std::uint64_t turns = rounds * warps.size();
  for (std::size_t k = 0; k < warps.size(); ++k)
    warps[k]->last_issue = now + (turns - warps.size() + k + 1) * kTurnIssues;
  state_.result.cycles = state_.result.instructions += turns * kTurnIssues;
  run_ahead_.note_in_code(turns * kTurnIssues);
  issues_in_loops_ += turns * kTurnIssues;
  turns_.pass_whole_turns();
  spins_.pass_turns(now + 1, turns);
  Warp& next = state_.warps[turns_.warp()];
  next.cycle = state_.result.instructions + 1;
  if (next.cycle <= state_.last_cycle && loops_for_ever()) ended_ = true;
  return true;
}

// So many that whoever wants to stop the run has not long to wait, and that no state is to be kept meanwhile, nor the
// launch's limit passed.
std::uint64_t Machine::Impl::rounds_in_one_go(std::span<Warp* const> warps) const {
  constexpr std::uint64_t kMostTurns = 512, kMostRounds = 64;
  const std::uint64_t now = state_.result.instructions, issues = warps.size() * kTurnIssues;
  const bool are_of_one_block =
      std::all_of(warps.begin(), warps.end(), [&](const Warp* w) { return w->slot == warps[0]->slot; });
  // A block asks for it as it begins with its turns: one alone after each round.
  const std::uint64_t until_kept = livelock_.next_kept() - std::min(livelock_.next_kept(), now + 1);
  const std::uint64_t before_kept = until_kept / issues + (are_of_one_block && until_kept % issues != 0 ? 1 : 0);
  const std::uint64_t at_most = std::clamp<std::uint64_t>(kMostTurns / warps.size(), 1, kMostRounds);
  return std::min({at_most, before_kept, (state_.last_cycle - std::min(state_.last_cycle, now)) / issues});
}

// How many rounds they have made.
std::uint64_t Machine::Impl::go_round_together(std::span<Warp* const> warps, std::uint64_t rounds) {
  constexpr std::size_t kMostKept = std::size_t{8} << 20;  // bytes
  const std::size_t bytes = state_.code.register_bytes;
  if (warps.size() * bytes > kMostKept) return 0;
  kept_registers_.resize(warps.size() * bytes);
  for (std::size_t k = 0; k < warps.size(); ++k)
    std::copy_n(warps[k]->registers, bytes, kept_registers_.data() + k * bytes);
  const auto go = [&](std::uint64_t issues) {
    std::uint64_t made = issues;
    for (std::size_t first = 0, end = 0; first < warps.size() && made >= kTurnIssues; first = end) {
      const std::int32_t pc = warps[first]->divergence.groups()[0].pc;
      while (end < warps.size() && warps[end]->divergence.groups()[0].pc == pc) ++end;
      made = run_ahead_.go_round(warps.subspan(first, end - first), *run_ahead_.loop_of(*warps[first]), made);
    }
    return made;
  };
  if (const std::uint64_t made = go(rounds * kTurnIssues); made != rounds * kTurnIssues) {
    for (std::size_t k = 0; k < warps.size(); ++k)
      std::copy_n(kept_registers_.data() + k * bytes, bytes, warps[k]->registers);
    rounds = made / kTurnIssues;
    if (rounds == 0) return 0;
    go(rounds * kTurnIssues);
  }
  for (Warp* const w : warps) {
    const engine::RegisterLoop& loop = *run_ahead_.loop_of(*w);
    std::int32_t& pc = w->divergence.groups()[0].pc;
    pc = loop.begin + static_cast<std::int32_t>((static_cast<std::uint64_t>(pc - loop.begin) + rounds * kTurnIssues) %
                                                loop.length());
  }
  return rounds;
}

template void Machine::Impl::run_rounds(const NullObserver&);
template void Machine::Impl::run_rounds(const SinkObserver&);

}  // namespace warpsim
