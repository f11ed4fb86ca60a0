// A run whose whole state comes again goes round for ever; see livelock.h.
#include <algorithm>

#include "sim/machine/machine_impl.h"

namespace warpsim {
namespace {

// Watches one round: who passes which lines.
class OneRound : public EventSink {
 public:
  OneRound(std::vector<LinesGoneRound>& gone, std::uint32_t warps_per_block)
      : gone_(gone), warps_per_block_(warps_per_block) {}

  void on_issue(const IssueEvent& event) override {
    LinesGoneRound& gone = gone_[std::size_t{event.block} * warps_per_block_ + event.warp];
    const auto line = static_cast<std::uint32_t>(event.insn->where.line);
    for_each_lane(event.group, [&](unsigned lane) {
      if (!has_lane(gone.lanes, lane)) gone.first[lane] = gone.last[lane] = line;
      gone.first[lane] = std::min(gone.first[lane], line);
      gone.last[lane] = std::max(gone.last[lane], line);
    });
    gone.lanes |= event.group;
    const Lift lift = info(event.insn->op).lift;
    if (event.active != 0 && (lift == Lift::Load || lift == Lift::Atomic)) gone.reads_memory = true;
  }

 private:
  std::vector<LinesGoneRound>& gone_;
  std::uint32_t warps_per_block_;
};

}  // namespace

LivelockWatch::WarpState Machine::Impl::state_of(const Warp& warp, std::uint64_t now) const {
  return {warp.alive, warp.cycle > now ? warp.cycle - now : 0, warp.divergence.groups(), warp.divergence.frames()};
}

void Machine::Impl::keep_state(std::uint32_t k) {
  LivelockWatch& kept = livelock_;
  kept.has_state = true;
  kept.cycle = warps_[k].cycle;
  kept.next_cycle = std::max(2 * kept.next_cycle, kept.cycle + 1);
  kept.warp = kept.differed = k;
  kept.warps.clear();
  for (const Warp& w : warps_) kept.warps.push_back(state_of(w, kept.cycle));
  const std::size_t bytes = warps_.size() * code_.block_template.size();
  kept.registers.assign(register_storage_.get(), register_storage_.get() + bytes);
  kept.shared = shared_;
  kept.buffers.clear();
  for (const GlobalMemory::Buffer& b : memory_.buffers()) {
    if (!b.layout.read_only) kept.buffers.push_back(b.bytes);
  }
}

bool Machine::Impl::is_as_kept(std::uint32_t warp, std::uint64_t now) const {
  const Warp& w = warps_[warp];
  const LivelockWatch::WarpState& kept = livelock_.warps[warp];
  if (w.alive != kept.alive || (w.cycle > now ? w.cycle - now : 0) != kept.ahead) return false;
  if (w.divergence.groups() != kept.groups || w.divergence.frames() != kept.frames) return false;
  const std::size_t bytes = code_.block_template.size();
  return std::equal(w.registers, w.registers + bytes, livelock_.registers.data() + warp * bytes);
}

// The warp that made the difference the last time mostly makes it again.
bool Machine::Impl::all_is_as_kept(std::uint32_t k) {
  const std::uint64_t now = warps_[k].cycle;
  if (!is_as_kept(k, now) || !is_as_kept(livelock_.differed, now)) return false;
  for (std::uint32_t j = 0; j < warps_.size(); ++j) {
    if (is_as_kept(j, now)) continue;
    livelock_.differed = j;
    return false;
  }
  if (shared_ != livelock_.shared) return false;
  auto kept = livelock_.buffers.begin();
  for (const GlobalMemory::Buffer& b : memory_.buffers()) {
    if (!b.layout.read_only && b.bytes != *kept++) return false;
  }
  return true;
}

bool Machine::Impl::goes_round(std::uint32_t k) {
  if (livelock_.has_state && k == livelock_.warp && all_is_as_kept(k)) return true;
  if (warps_[k].cycle >= livelock_.next_cycle) keep_state(k);
  return false;
}

// Goes round once more, which changes nothing, and looks who passes where.
std::vector<LinesGoneRound> Machine::Impl::lines_gone_round(std::uint32_t k) {
  std::vector<LinesGoneRound> gone(warps_.size());
  const std::vector<Warp> before = warps_;
  const RunResult result = result_;
  const std::uint64_t end = 2 * warps_[k].cycle - livelock_.cycle;
  OneRound round(gone, warps_per_block_);
  EventSink* const sinks[] = {&round};
  queue(k);
  while (queue_.top() != k || warps_[k].cycle != end) {
    const std::uint32_t j = queue_.top();
    queue_.pop();
    warps_[j].queued = false;
    issue(warps_[j], SinkObserver{sinks});
    if (warps_[j].divergence.next_ready() >= 0) queue(j);
  }
  warps_ = before;
  result_ = result;
  return gone;
}

void Machine::Impl::trap_livelock(std::uint32_t k) {
  const std::vector<LinesGoneRound> gone = lines_gone_round(k);
  bool reads = false, others_wait = false;
  for (std::size_t j = 0; j < warps_.size(); ++j) {
    reads = reads || gone[j].reads_memory;
    others_wait = others_wait || (gone[j].reads_memory && (warps_[j].alive & ~gone[j].lanes) != 0);
  }
  const bool stack = config_.reconvergence == Reconvergence::Stack;
  const std::string hint =
      stack && others_wait
          ? "the lanes that wait may hold what the others wait for in memory: let a lane finish before it goes on; "
            "`--reconvergence independent` gives each its turn"
      : reads ? "what it reads in memory never changes: see who should change it, and where those lanes are"
              : "nothing that the loop tests ever changes: is its exit condition ever true?";
  const Warp& warp = warps_[k];
  const Group& g = warp.divergence.groups()[static_cast<std::size_t>(std::max(warp.divergence.next_ready(), 0))];
  trap(TrapKind::Livelock, warp, g.pc, g.lanes,
       "goes round for ever: cycle " + std::to_string(warp.cycle) + " finds everything as cycle " +
           std::to_string(livelock_.cycle) + " did",
       hint);
  for (LanePlace& place : result_.trap.places) {
    if (place.pc < 0) continue;
    const LinesGoneRound& lines = gone[std::size_t{place.block} * warps_per_block_ + place.warp];
    std::uint32_t first = 0, last = 0;
    for_each_lane(place.lanes & lines.lanes, [&](unsigned lane) {
      first = first == 0 ? lines.first[lane] : std::min(first, lines.first[lane]);
      last = std::max(last, lines.last[lane]);
    });
    if (last != 0)
      place.waits_for = first == last ? "goes round line " + std::to_string(first)
                                      : "goes round lines " + std::to_string(first) + " to " + std::to_string(last);
    else if (place.waits_for.empty()) place.waits_for = "never has its turn";
  }
}

}  // namespace warpsim
