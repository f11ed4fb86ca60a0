// The shadow of registers and memory: see undefined.h for its rules.
#include "sim/check/undefined.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "isa/program/reads_writes.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

// Shared memory is at most 228 KiB a multiprocessor (CUDA C++ Programming Guide, compute capability 9.0); this is a
// safety net against events with wild addresses, not a limit of the machine.
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1} << 24;

// Of two equal operands the result is the operand, or always the same.
bool takes_equals(Op op) {
  const Form form = info(op).form;
  return form == Form::PAB || (form == Form::DAB && is_idempotent(op));
}

template <class Word>
Word load(const std::uint8_t* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Lanes at and above `lane`.
LaneMask lanes_from(unsigned lane) { return lane >= 64 ? 0 : ~LaneMask{0} << lane; }

// The bits of an 8-byte granule that [address, address + bytes) covers, starting in that granule.
std::uint8_t byte_bits(std::uint64_t address, std::uint32_t bytes) {
  return static_cast<std::uint8_t>(((1U << bytes) - 1U) << (address & 7));
}

}  // namespace

void UndefinedLanes::on_start(const Machine& machine) {
  begin(machine.program(), machine.lanes(), machine.warps_per_block());
  machine_ = &machine;
}

void UndefinedLanes::begin(const Program& program, unsigned lanes, std::uint32_t warps_per_block) {
  *this = UndefinedLanes(of_);
  program_ = &program;
  lanes_ = lanes;
  warps_per_block_ = warps_per_block;
  for (const Insn& insn : program.code) reads_.push_back(reads_of(insn));
  unwritten_.assign(program.registers.size(), of_ == ShadowOf::Undefined ? full_mask(lanes) : 0);
}

void UndefinedLanes::take_as_written(const std::vector<bool>& but) {
  for (std::size_t reg = 0; reg < unwritten_.size(); ++reg)
    if (!but[reg]) unwritten_[reg] = 0;
}

UndefinedLanes::Reads UndefinedLanes::reads_of(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  const bool carries = row.lift == Lift::Shuffle || row.lift == Lift::Broadcast || row.lift == Lift::Vote ||
                       row.lift == Lift::Match || row.lift == Lift::Redux || row.lift == Lift::Reduce ||
                       row.lift == Lift::Scan;
  Reads reads;
  reads.selects = has_trait(row, kSelects);
  reads.overwrites = has_trait(row, kOverwrites);
  if (insn.guard.reg >= 0) reads.lanewise.push_back(insn.guard.reg);
  const std::span<const Slot> form = slots(row.form);
  int source = 0;  // index among the Src slots: operand a comes first in every form
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].role != Role::Src && form[k].role != Role::Addr) continue;
    const Operand& operand = insn.operands[k];
    const std::int32_t reg = register_of(operand);
    const int place = form[k].role == Role::Src ? source++ : -1;
    if (place >= 0 && place < 2 && takes_equals(insn.op)) reads.equals[place] = reg;
    if (reads.selects && place == 0) {
      reads.if_true = reg;
    } else if (reads.selects && place == 1) {
      reads.if_false = reg;
    } else if (reads.selects && place == 2) {
      reads.selector = reg;
      reads.selector_negated = operand.negated;
    } else if ((carries && place == 0) || (row.lift == Lift::BarrierReduce && form[k].type == SlotType::Pred)) {
      reads.carried = reg;
    } else if (row.lift == Lift::Store && form[k].in_braces) {
      reads.elements.push_back(reg);
    } else if (row.lift == Lift::Atomic && form[k].role == Role::Src) {
      if (reg >= 0) reads.stored.push_back(reg);
    } else if (reg >= 0) {
      reads.lanewise.push_back(reg);
    }
  }
  return reads;
}

UndefinedLanes::WarpShadow& UndefinedLanes::shadow(std::uint32_t block, std::uint32_t warp) {
  WarpShadow& found = warps_[std::uint64_t{block} * warps_per_block_ + warp];
  if (found.undefined.empty()) {
    found.undefined = unwritten_;
    found.truth.assign(program_->registers.size(), 0);
    found.existing = issue_.alive;
  }
  return found;
}

LaneMask UndefinedLanes::at(const std::vector<std::int32_t>& regs) const {
  LaneMask lanes = 0;
  for (const std::int32_t reg : regs) lanes |= at(reg);
  return lanes;
}

LaneMask UndefinedLanes::result_of(const Insn& insn, const Reads& reads, LaneMask active) const {
  if (reads.selects) {
    const LaneMask picked_undefined = [&] {
      if (reads.selector < 0) return at(reads.if_true) | at(reads.if_false);
      const LaneMask truth = current_->truth[static_cast<std::size_t>(reads.selector)];
      const LaneMask picks_a = reads.selector_negated ? ~truth : truth;
      return (picks_a & at(reads.if_true)) | (~picks_a & at(reads.if_false));
    }();
    return lanewise_ | at(reads.selector) | picked_undefined;
  }
  const LaneMask heard = carried_ & active;
  switch (info(insn.op).lift) {
    case Lift::BarrierReduce: return current_->reduction_undefined ? ~LaneMask{0} : lanewise_;
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Reduce: return heard != 0 ? ~LaneMask{0} : lanewise_;
    case Lift::Scan:
      if (heard == 0) return lanewise_;
      return lanewise_ | lanes_from(first_lane(heard) + (insn.mods.exclusive ? 1U : 0U));
    default: return lanewise_;  // shuffles and loads learn more in on_exchange and on_memory
  }
}

void UndefinedLanes::on_issue(const IssueEvent& event) {
  const Reads& reads = reads_[static_cast<std::size_t>(event.pc)];
  issue_ = event;
  current_ = &shadow(event.block, event.warp);
  if (is_born_) born_.fill(-1);
  is_born_ = false;
  block_ = event.block;
  lift_ = info(event.insn->op).lift;
  lanewise_ = at(reads.lanewise);
  if (of_ == ShadowOf::OutOfRange && lanewise_ != 0) lanewise_ &= ~given_back(event);
  carried_ = at(reads.carried);
  operands_ = at(reads.stored);
  overwrites_ = reads.overwrites;
  access_undefined_ = {};
  vector_ = false;
  written_ = 0;
  pc_ = static_cast<std::size_t>(event.pc);
  result_ = result_of(*event.insn, reads, event.active);
}

// Lanes on which what was left in place meets the value that it is.
LaneMask UndefinedLanes::given_back(const IssueEvent& event) const {
  const Reads& reads = reads_[static_cast<std::size_t>(event.pc)];
  const std::int32_t a = reads.equals[0], b = reads.equals[1];
  if (a < 0 || b < 0 || machine_ == nullptr) return 0;
  LaneMask lanes = 0;
  for_each_lane((at(a) ^ at(b)) & event.active, [&](unsigned lane) {
    if (machine_->register_bits(event.block, event.warp, a, lane) ==
        machine_->register_bits(event.block, event.warp, b, lane))
      lanes |= lane_bit(lane);
  });
  return lanes;
}

void UndefinedLanes::on_exchange(const ExchangeEvent& event) {
  const bool follows_undefined = of_ == ShadowOf::Undefined;
  const LaneMask born = follows_undefined ? event.undefined : event.lanes & ~event.in_range;
  if (follows_undefined) result_ |= born;
  if (lift_ != Lift::Shuffle && lift_ != Lift::Broadcast) return;
  result_ |= born;
  for_each_lane(born, [&](unsigned lane) {
    Origin origin = here(lane);
    origin.birth = follows_undefined ? birth_of_source(event, lane) : Origin::Birth::OutOfRange;
    origin.from = event.from[lane];
    is_born_ = true;
    born_[lane] = add(origin);
  });
  if (carried_ == 0) return;
  for_each_lane(event.lanes, [&](unsigned lane) {
    const unsigned from = event.from[lane];
    if (!has_lane(carried_, from)) return;
    result_ |= lane_bit(lane);
    if (born_[lane] >= 0) return;
    Origin origin = here(lane);
    origin.from = static_cast<std::uint8_t>(from);
    origin.before = origin_in(*current_, reads_[pc_].carried, from);
    is_born_ = true;
    born_[lane] = add(origin);
  });
}

// Why a lane's source did not take part.
Origin::Birth UndefinedLanes::birth_of_source(const ExchangeEvent& event, unsigned lane) const {
  const unsigned from = event.from[lane];
  if (!has_lane(current_->existing, from)) return Origin::Birth::SourceAbsent;
  if (!has_lane(issue_.alive, from)) return Origin::Birth::SourceExited;
  return has_lane(event.lanes, from) ? Origin::Birth::SourceOutsideMask : Origin::Birth::SourceInactive;
}

void UndefinedLanes::on_memory(const MemoryEvent& event) {
  using Access = MemoryEvent::Access;
  access_undefined_ = {};
  if (event.space == MemoryEvent::Space::Shared) shared_now_ = &shared_[block_];
  stored_undefined_ = (lanewise_ | operands_) & event.lanes;
  const std::vector<std::int32_t>& elements = reads_[pc_].elements;
  for (unsigned k = 0; k < event.elements; ++k) {
    const std::int32_t element = k < elements.size() ? elements[k] : -1;
    access_undefined_[k] = (lanewise_ | at(element)) & event.lanes;
    const std::uint64_t behind = std::uint64_t{k} * event.bytes;
    event.for_each_turn([&](unsigned lane) {
      if (event.access != Access::Store && load_is_undefined(event, lane, behind))
        access_undefined_[k] |= lane_bit(lane);
      if (has_lane(access_undefined_[k], lane)) access_origin_[k][lane] = origin_at(event, lane, k, element);
      if (event.access == Access::Store) store(event, lane, k, has_lane(access_undefined_[k], lane));
      if (event.access != Access::Atomic) return;
      if (!overwrites_) stored_undefined_ |= access_undefined_[k] & lane_bit(lane);
      store(event, lane, k, has_lane(stored_undefined_, lane));
    });
  }
  if (event.access != Access::Store) result_ = access_undefined_[0];
  vector_ = event.access == Access::Load && event.elements > 1;
}

void UndefinedLanes::on_sync(const SyncEvent& event) {
  if (!event.reduces) return;
  bool undefined = false;
  for (const SyncEvent::Arrival& arrival : event.arrivals) {
    current_ = &shadow(event.block, arrival.warp);
    const Reads& reads = reads_[static_cast<std::size_t>(arrival.pc)];
    undefined = undefined || ((at(reads.carried) | at(reads.lanewise)) & arrival.lanes) != 0;
  }
  for (const SyncEvent::Arrival& arrival : event.arrivals)
    shadow(event.block, arrival.warp).reduction_undefined = undefined;
}

void UndefinedLanes::on_write(const WriteEvent& event) {
  const std::size_t reg = static_cast<std::size_t>(event.reg);
  // A shuffle's in-range predicate depends on where it reads from, not on what it finds there.
  const bool in_range_predicate = lift_ == Lift::Shuffle && event.cls == RegClass::Pred;
  const unsigned element = vector_ ? written_++ & 3 : 0;
  const LaneMask result = in_range_predicate ? lanewise_ : vector_ ? access_undefined_[element] : result_;
  if (const LaneMask undefined = result & event.lanes; undefined != 0) set_origins(undefined, event.reg, element);
  current_->undefined[reg] = (current_->undefined[reg] & ~event.lanes) | (result & event.lanes);
  if (event.cls == RegClass::Pred) {
    LaneMask values = 0;
    std::memcpy(&values, event.data, sizeof values);
    current_->truth[reg] = (current_->truth[reg] & ~event.lanes) | (values & event.lanes);
  }
}

void UndefinedLanes::on_block_end(const BlockEndEvent& event) {
  for (std::uint32_t warp = 0; warp < warps_per_block_; ++warp)
    warps_.erase(std::uint64_t{event.block} * warps_per_block_ + warp);
  shared_.erase(event.block);
  shared_origins_.erase(event.block);
  current_ = nullptr;
}

LaneMask UndefinedLanes::undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const {
  const auto found = warps_.find(std::uint64_t{block} * warps_per_block_ + warp);
  if (found == warps_.end()) return of_ == ShadowOf::Undefined ? full_mask(lanes_) : 0;
  return found->second.undefined[static_cast<std::size_t>(reg)];
}

// ---- origins

// A chain is told whole up to so many steps of a run; what is undefined beyond them keeps the origin before.
constexpr std::size_t kMostOrigins = std::size_t{1} << 20;

std::int32_t UndefinedLanes::add(Origin origin) {
  if (origins_.size() >= kMostOrigins && origin.before >= 0) return origin.before;
  origin.root = origin.before >= 0 ? origins_[static_cast<std::size_t>(origin.before)].root : origin.birth;
  origins_.push_back(origin);
  return static_cast<std::int32_t>(origins_.size()) - 1;
}

Origin UndefinedLanes::here(unsigned lane) const {
  Origin origin;
  origin.cycle = issue_.cycle;
  origin.block = issue_.block;
  origin.warp = issue_.warp;
  origin.pc = issue_.pc;
  origin.lane = static_cast<std::uint8_t>(lane);
  return origin;
}

std::int32_t UndefinedLanes::origin_in(WarpShadow& warp, std::int32_t reg, unsigned lane) {
  const std::size_t place = static_cast<std::size_t>(reg) * lanes_ + lane;
  if (warp.origin.empty()) warp.origin.assign(program_->registers.size() * lanes_, -1);
  if (warp.origin[place] < 0) {
    Origin origin = here(lane);
    origin.birth = Origin::Birth::NeverWritten;
    origin.reg = reg;
    warp.origin[place] = add(origin);
  }
  return warp.origin[place];
}

std::int32_t UndefinedLanes::origin(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) {
  return origin_in(shadow(block, warp), reg, lane);
}

// Of the operands of the instruction that is being told, the first that is undefined on the lane; of one that takes
// lanes together, on the first lane that is. Asked before the instruction's first write.
std::int32_t UndefinedLanes::carried_origin(unsigned lane) {
  const Reads& reads = reads_[pc_];
  const auto undefined_here = [&](std::int32_t reg) { return reg >= 0 && has_lane(at(reg), lane); };
  for (const std::int32_t reg : reads.lanewise)
    if (undefined_here(reg)) return origin_in(*current_, reg, lane);
  for (const std::int32_t reg : {reads.selector, reads.if_true, reads.if_false})
    if (undefined_here(reg)) return origin_in(*current_, reg, lane);
  if (const LaneMask heard = carried_ & issue_.active; heard != 0)
    return origin_in(*current_, reads.carried, has_lane(heard, lane) ? lane : first_lane(heard));
  return -1;
}

std::unordered_map<std::uint64_t, std::int32_t>& UndefinedLanes::memory_origins(MemoryEvent::Space space) {
  return space == MemoryEvent::Space::Shared ? shared_origins_[block_] : global_origins_;
}

void UndefinedLanes::forget_global(std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t byte = address; byte < address + size; ++byte)
    global_[byte / 8] = static_cast<std::uint8_t>(global_[byte / 8] | 1U << (byte & 7));
}

// Of what the lane loads, stores or finds, where that is undefined; `element_reg` is the register that is stored.
std::int32_t UndefinedLanes::origin_at(const MemoryEvent& event, unsigned lane, unsigned element,
                                       std::int32_t element_reg) {
  if (has_lane(lanewise_, lane)) return carried_origin(lane);
  if (element_reg >= 0 && has_lane(at(element_reg), lane)) return origin_in(*current_, element_reg, lane);
  const std::uint64_t address = event.address[lane] + std::uint64_t{element} * event.bytes;
  const std::uint8_t undefined = undefined_bytes(event, address), all = byte_bits(0, event.bytes);
  const auto& known = memory_origins(event.space);
  for (std::uint32_t k = 0; k < event.bytes; ++k) {
    if ((undefined >> k & 1) == 0) continue;
    if (const auto found = known.find(address + k); found != known.end()) return found->second;
  }
  Origin origin = here(lane);
  origin.unwritten_bytes = undefined == all ? 0 : undefined;
  const bool shared = event.space == MemoryEvent::Space::Shared;
  origin.birth = shared ? Origin::Birth::SharedUnwritten : Origin::Birth::GlobalUnwritten;
  origin.object = event.object_of[lane];
  origin.index = event.index[lane] + element;
  return add(origin);
}

// In a loop that carries something undefined round by round, each round tells what the first one told. -1: no such
// loop, or one of more instructions than are looked back at.
std::int32_t UndefinedLanes::earlier_round(const Origin& next) const {
  constexpr int kLongestRound = 8;
  std::int32_t at = next.before;
  for (int k = 0; k < kLongestRound && at >= 0; ++k, at = origins_[static_cast<std::size_t>(at)].before) {
    const Origin& one = origins_[static_cast<std::size_t>(at)];
    const bool same = one.pc == next.pc && one.lane == next.lane && one.reg == next.reg && one.block == next.block &&
                      one.warp == next.warp;
    if (same) return at;
  }
  return -1;
}

// What this instruction leaves in a register, on these lanes.
void UndefinedLanes::set_origins(LaneMask lanes, std::int32_t reg, unsigned element) {
  if (current_->origin.empty()) current_->origin.assign(program_->registers.size() * lanes_, -1);
  const bool accesses = lift_ == Lift::Load || lift_ == Lift::Atomic;
  for_each_lane(lanes, [&](unsigned lane) {
    std::int32_t& origin = current_->origin[static_cast<std::size_t>(reg) * lanes_ + lane];
    if (accesses || born_[lane] < 0) {
      Origin next = here(lane);
      next.reg = reg;
      next.before = accesses ? access_origin_[element][lane] : carried_origin(lane);
      is_born_ = true;
      const std::int32_t round = earlier_round(next);
      born_[lane] = round >= 0 ? round : add(next);
    }
    origin = born_[lane];
    if (origin >= 0 && origins_[static_cast<std::size_t>(origin)].pc == issue_.pc)
      origins_[static_cast<std::size_t>(origin)].reg = reg;
  });
}

bool UndefinedLanes::undefined_global(std::uint64_t address, std::uint32_t bytes) const {
  if (global_.empty()) return false;
  const auto found = global_.find(address / 8);
  return found != global_.end() && (found->second & byte_bits(address, bytes)) != 0;
}

bool UndefinedLanes::load_is_undefined(const MemoryEvent& event, unsigned lane, std::uint64_t behind) {
  if (of_ == ShadowOf::OutOfRange) return false;
  const std::uint64_t address = event.address[lane] + behind;
  if (event.space == MemoryEvent::Space::Global) return undefined_global(address, event.bytes);
  const std::vector<std::uint8_t>& defined = *shared_now_;
  if (address >= defined.size() || event.bytes > defined.size() - address) return true;
  if (event.bytes == 4) return load<std::uint32_t>(defined.data() + address) != 0x01010101;
  return std::memchr(defined.data() + address, 0, event.bytes) != nullptr;
}

std::uint8_t UndefinedLanes::undefined_bytes(const MemoryEvent& event, std::uint64_t address) const {
  const std::uint8_t all = byte_bits(0, event.bytes);
  if (event.space == MemoryEvent::Space::Global) {
    const auto found = global_.find(address / 8);
    if (found == global_.end()) return 0;
    return static_cast<std::uint8_t>(found->second >> address % 8 & all);
  }
  const std::vector<std::uint8_t>& defined = *shared_now_;
  std::uint8_t undefined = all;
  for (std::uint32_t k = 0; k < event.bytes && address + k < defined.size(); ++k)
    if (defined[address + k] != 0) undefined = static_cast<std::uint8_t>(undefined & ~(1U << k));
  return undefined;
}

void UndefinedLanes::store(const MemoryEvent& event, unsigned lane, unsigned element, bool is_undefined) {
  if (of_ == ShadowOf::OutOfRange) return;
  const std::uint64_t address = event.address[lane] + std::uint64_t{element} * event.bytes;
  if (is_undefined) {
    Origin origin = here(lane);
    origin.object = event.object_of[lane];
    origin.index = event.index[lane] + element;
    origin.before = has_lane(access_undefined_[element], lane) ? access_origin_[element][lane] : carried_origin(lane);
    const std::int32_t number = add(origin);
    for (std::uint32_t k = 0; k < event.bytes; ++k) memory_origins(event.space)[address + k] = number;
  }
  if (event.space == MemoryEvent::Space::Global) {
    if (global_.empty() && !is_undefined) return;
    std::uint8_t& bytes = global_[address / 8];
    const std::uint8_t covered = byte_bits(address, event.bytes);
    bytes = static_cast<std::uint8_t>(is_undefined ? bytes | covered : bytes & ~covered);
    if (bytes == 0) global_.erase(address / 8);
    return;
  }
  if (address >= kMaxSharedBytes) return;
  std::vector<std::uint8_t>& defined = *shared_now_;
  if (defined.size() < address + event.bytes) defined.resize(address + event.bytes, 0);
  if (event.bytes == 4) {
    const std::uint32_t ones = is_undefined ? 0 : 0x01010101;
    std::memcpy(defined.data() + address, &ones, sizeof ones);
  } else {
    std::memset(defined.data() + address, is_undefined ? 0 : 1, event.bytes);
  }
}

}  // namespace warpsim
