// What a trap says: the lanes, where each one is, what it waits for, why it is wrong and what to try.
#include <algorithm>

#include "isa/table/op.h"
#include "isa/text/check.h"
#include "isa/text/number_text.h"
#include "sim/machine/machine_impl.h"

namespace warpsim {
namespace {

std::string hex(std::uint64_t n) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[n & 15]);
    n >>= 4;
  } while (n != 0);
  return "0x" + text;
}

}  // namespace

std::string_view name(TrapKind kind) {
  switch (kind) {
    case TrapKind::OutOfBounds: return "out-of-bounds";
    case TrapKind::Misaligned: return "misaligned";
    case TrapKind::ReadOnly: return "read-only";
    case TrapKind::MemberMask: return "member-mask";
    case TrapKind::PartialCollective: return "partial-collective";
    case TrapKind::ShuffleMismatch: return "shuffle-mismatch";
    case TrapKind::Deadlock: return "deadlock";
    case TrapKind::CycleLimit: return "cycle-limit";
    case TrapKind::FellOffTheEnd: return "fell-off-the-end";
    case TrapKind::Livelock: return "livelock";
  }
  return "";
}

Finding finding_of(TrapKind kind) {
  switch (kind) {
    case TrapKind::OutOfBounds: return Finding::OutOfBounds;
    case TrapKind::Misaligned: return Finding::Misaligned;
    case TrapKind::ReadOnly: return Finding::ReadOnly;
    case TrapKind::MemberMask: return Finding::NotInOwnMask;
    case TrapKind::PartialCollective: return Finding::PartialCollective;
    case TrapKind::ShuffleMismatch: return Finding::DifferentMasks;
    case TrapKind::Deadlock: break;
    case TrapKind::CycleLimit: return Finding::CycleLimit;
    case TrapKind::FellOffTheEnd: return Finding::FellOffTheEnd;
    case TrapKind::Livelock: return Finding::Livelock;
  }
  return Finding::Deadlock;
}

std::string Machine::Impl::line_of(std::int32_t pc) const {
  if (pc < 0 || pc >= static_cast<std::int32_t>(program_.code.size())) return "the end";
  const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
  return "line " + std::to_string(insn.where.line) + " (" + std::string(info(insn.op).mnemonic) + ")";
}

void Machine::Impl::trap(TrapKind kind, const Warp& warp, std::int32_t pc, LaneMask lanes, std::string message,
                         std::string hint) {
  if (!result_.ok) return;
  result_.ok = false;
  result_.trap = Trap{kind,  finding_of(kind),   warp.cycle,      warp.block, warp.index, pc,
                      lanes, std::move(message), std::move(hint), {}};
  const bool everywhere = kind == TrapKind::Deadlock || kind == TrapKind::Livelock;
  if (everywhere) {
    for (const Warp& w : warps_) add_places(w, result_.trap.places);
  } else {
    add_places(warp, result_.trap.places);
  }
  // Warps that ran ahead of this point (run_ahead) have issued what, in order, comes after the trap: it does not count.
  const std::size_t k = static_cast<std::size_t>(&warp - warps_.data());
  result_.cycles = 0;
  for (std::size_t j = 0; j < warps_.size(); ++j) {
    const std::uint64_t last = everywhere ? warps_[j].last_issue : j < k ? warp.cycle : warp.cycle - 1;
    if (warps_[j].last_issue > last) result_.instructions -= warps_[j].last_issue - last;
    result_.cycles = std::max(result_.cycles, std::min(warps_[j].last_issue, last));
  }
  // In a timed run nobody need have issued just before it.
  if (clock_ && !everywhere) result_.cycles = std::max(result_.cycles, warp.cycle - 1);
}

std::string Machine::Impl::what_it_waits_for(const Warp& warp, const Group& g) const {
  if (g.pc < 0 || g.pc >= static_cast<std::int32_t>(code_.insns.size())) return "";
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(g.pc)];
  if (g.state == Group::State::WaitsForLanes) {
    LaneMask needed = 0;
    for_each_lane(g.lanes, [&](unsigned l) { needed |= member_mask(warp, d, l); });
    return "waits for " + lanes_in_words(needed & warp.alive & ~g.lanes) + " of its member mask " +
           lane_mask_hex(needed, code_.lanes);
  }
  if (g.state == Group::State::WaitsForBlock) {
    const std::size_t first = std::size_t{warp.block} * warps_per_block_;
    std::uint64_t arrived = 0;
    for (std::size_t j = first; j < first + warps_per_block_; ++j) {
      for (const Group& other : warps_[j].divergence.groups()) {
        if (stand_at_one_barrier(other, g)) arrived += count_lanes(other.lanes);
      }
    }
    return "waits at barrier " + std::to_string(g.barrier) + ": " + counted(arrived, "thread") + " of " +
           std::to_string(g.barrier_count == 0 ? config_.block.count() : g.barrier_count) + " there";
  }
  return "";
}

void Machine::Impl::add_places(const Warp& warp, std::vector<LanePlace>& places) const {
  for (const Group& g : warp.divergence.groups()) {
    places.push_back({warp.block, warp.index, g.lanes, g.pc, what_it_waits_for(warp, g)});
  }
  for (const Frame& f : warp.divergence.frames()) {
    if (f.arrived == 0) continue;
    places.push_back({warp.block, warp.index, f.arrived, f.reconvergence,
                      "waits to meet " + lanes_in_words(f.lanes & ~f.arrived) + " here again"});
  }
  if (const LaneMask exited = warp.existing & ~warp.alive; exited != 0)
    places.push_back({warp.block, warp.index, exited, -1, ""});
}

void Machine::Impl::trap_mismatch(const Warp& warp, std::int32_t pc, LaneMask lanes, LaneMask other_lanes) {
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(pc)];
  const unsigned a = first_lane(lanes), b = first_lane(other_lanes);
  trap(TrapKind::ShuffleMismatch, warp, pc, lanes | other_lanes,
       "lane " + std::to_string(a) + " names lane " + std::to_string(b) +
           ", but their member masks differ: " + lane_mask_hex(member_mask(warp, d, a), code_.lanes) + " and " +
           lane_mask_hex(member_mask(warp, d, b), code_.lanes),
       "all lanes that a member mask names must give the same mask");
}

void Machine::Impl::trap_access(TrapKind kind, const Warp& warp, const DecodedInsn& d, LaneMask faulty,
                                const Access& x) {
  const unsigned l = first_lane(faulty);
  const std::string verb = d.lift == Lift::Load ? " reads " : d.lift == Lift::Store ? " writes " : " changes ";
  const std::string who = "lane " + std::to_string(l) + verb;
  const std::string others = count_lanes(faulty) > 1 ? "; so do " + counted(count_lanes(faulty) - 1, "other lane") : "";
  std::string what, hint;
  if (d.object >= 0) {
    const bool shared = d.shared_space;
    const std::size_t k = static_cast<std::size_t>(d.object);
    const std::string& object = shared ? program_.shared[k].name : program_.params[k].name;
    const Type type = shared ? program_.shared[k].type : program_.params[k].type;
    const std::uint64_t size = shared ? code_.shared[k].size_bytes : memory_.of_param(d.object)->layout.size_bytes;
    const std::int64_t length = static_cast<std::int64_t>(size) / bytes(type);
    const std::int64_t last = x.index[l] + x.elements - 1;
    what = object + "[" + std::to_string(x.index[l]) + "]";
    if (x.elements > 1) what += " to [" + std::to_string(last) + "]";
    if (kind == TrapKind::OutOfBounds) {
      const std::int64_t far = x.index[l] < 0 ? -x.index[l] : last - length + 1;
      what += ", " + counted(static_cast<std::uint64_t>(far), "element") +
              (x.index[l] < 0 ? " before the start of its " : " past the end of its ") + std::to_string(length);
      hint = "guard the access: compare the index with the number of elements";
    }
  } else {
    what = std::to_string(x.size_bytes()) + " bytes at " + hex(x.address[l]);
    if (kind == TrapKind::OutOfBounds && d.shared_space) {
      what += ", the block has " + counted(code_.shared_bytes, "byte") + " of shared memory";
    } else if (const GlobalMemory::Buffer* near = memory_.nearest(x.address[l]);
               kind == TrapKind::OutOfBounds && near != nullptr) {
      const std::uint64_t end = near->layout.address + near->layout.size_bytes;
      const bool before = x.address[l] < near->layout.address;
      what +=
          ", " +
          counted(before ? near->layout.address - x.address[l] : x.address[l] - std::min(end, x.address[l]), "byte") +
          (before ? " before the start of " : " past the end of ") +
          program_.params[static_cast<std::size_t>(near->layout.param)].name;
    }
    hint = "follow the pointer back to where it was made";
  }
  if (kind == TrapKind::Misaligned) {
    what += ", which is not a multiple of " + std::to_string(x.size_bytes());
    hint = "an access of " + std::to_string(x.size_bytes()) + " bytes must be aligned to them";
  }
  if (kind == TrapKind::ReadOnly) {
    what += ", which the kernel takes as `in`";
    hint = "declare the buffer `out` or `inout`";
  }
  trap(kind, warp, d.pc, faulty, who + what + others, hint);
}

}  // namespace warpsim
