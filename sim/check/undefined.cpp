// The shadow of registers and memory: see undefined.h for its rules.
#include "sim/check/undefined.h"

#include <cstring>
#include <utility>

#include "sim/machine.h"

namespace warpsim {
namespace {

// Shared memory is at most 228 KiB a multiprocessor (CUDA C++ Programming Guide, compute capability 9.0); this is a
// safety net against events with wild addresses, not a limit of the machine.
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1} << 24;

// The register that an operand reads, as a value, a predicate, an index or a pointer.
std::int32_t register_of(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::Reg:
    case Operand::Kind::Element:
    case Operand::Kind::Address: return operand.reg;
    default: return -1;
  }
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
}

void UndefinedLanes::begin(const Program& program, unsigned lanes, std::uint32_t warps_per_block) {
  *this = UndefinedLanes(of_);
  program_ = &program;
  lanes_ = lanes;
  warps_per_block_ = warps_per_block;
  for (const Insn& insn : program.code) reads_.push_back(reads_of(insn));
}

UndefinedLanes::Reads UndefinedLanes::reads_of(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  const bool carries = row.lift == Lift::Shuffle || row.lift == Lift::Broadcast || row.lift == Lift::Vote ||
                       row.lift == Lift::Match || row.lift == Lift::Redux || row.lift == Lift::Reduce ||
                       row.lift == Lift::Scan;
  Reads reads;
  reads.selects = row.form == Form::DABP;
  reads.overwrites = row.kernel == "AtomExch";
  if (insn.guard.reg >= 0) reads.lanewise.push_back(insn.guard.reg);
  const std::span<const Slot> form = slots(row.form);
  int source = 0;  // the how manyeth Src slot: operand a comes first in every form
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].role != Role::Src && form[k].role != Role::Addr) continue;
    const Operand& operand = insn.operands[k];
    const std::int32_t reg = register_of(operand);
    const int place = form[k].role == Role::Src ? source++ : -1;
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
    found.undefined.assign(program_->registers.size(), of_ == ShadowOf::Undefined ? full_mask(lanes_) : 0);
    found.truth.assign(program_->registers.size(), 0);
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
  current_ = &shadow(event.block, event.warp);
  block_ = event.block;
  lift_ = info(event.insn->op).lift;
  lanewise_ = at(reads.lanewise);
  carried_ = at(reads.carried);
  operands_ = at(reads.stored);
  overwrites_ = reads.overwrites;
  access_undefined_ = {};
  vector_ = false;
  written_ = 0;
  pc_ = static_cast<std::size_t>(event.pc);
  result_ = result_of(*event.insn, reads, event.active);
}

void UndefinedLanes::on_exchange(const ExchangeEvent& event) {
  if (of_ == ShadowOf::Undefined) result_ |= event.undefined;
  if (lift_ != Lift::Shuffle && lift_ != Lift::Broadcast) return;
  if (of_ == ShadowOf::OutOfRange) result_ |= event.lanes & ~event.in_range;
  for_each_lane(event.lanes, [&](unsigned lane) {
    if (has_lane(carried_, event.from[lane])) result_ |= lane_bit(lane);
  });
}

void UndefinedLanes::on_memory(const MemoryEvent& event) {
  using Access = MemoryEvent::Access;
  access_undefined_ = {};
  stored_undefined_ = (lanewise_ | operands_) & event.lanes;
  const std::vector<std::int32_t>& elements = reads_[pc_].elements;
  for (unsigned k = 0; k < event.elements; ++k) {
    const std::int32_t element = k < elements.size() ? elements[k] : -1;
    access_undefined_[k] = (lanewise_ | at(element)) & event.lanes;
    const std::uint64_t behind = std::uint64_t{k} * event.bytes;
    for_each_lane(event.lanes, [&](unsigned lane) {
      if (event.access == Access::Store) {
        store(event, lane, behind, has_lane(access_undefined_[k], lane));
      } else if (load_is_undefined(event, lane, behind)) {
        access_undefined_[k] |= lane_bit(lane);
      }
      if (event.access != Access::Atomic) return;
      if (!overwrites_) stored_undefined_ |= access_undefined_[k] & lane_bit(lane);
      store(event, lane, behind, has_lane(stored_undefined_, lane));
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
  const LaneMask result = in_range_predicate ? lanewise_ : vector_ ? access_undefined_[written_++ & 3] : result_;
  current_->undefined[reg] = (current_->undefined[reg] & ~event.lanes) | (result & event.lanes);
  if (event.cls == RegClass::Pred) {
    LaneMask values = 0;
    std::memcpy(&values, event.data, sizeof values);
    current_->truth[reg] = (current_->truth[reg] & ~event.lanes) | (values & event.lanes);
  }
}

LaneMask UndefinedLanes::undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const {
  const auto found = warps_.find(std::uint64_t{block} * warps_per_block_ + warp);
  if (found == warps_.end()) return of_ == ShadowOf::Undefined ? full_mask(lanes_) : 0;
  return found->second.undefined[static_cast<std::size_t>(reg)];
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
  const std::vector<std::uint8_t>& defined = shared_[block_];
  for (std::uint64_t byte = address; byte < address + event.bytes; ++byte)
    if (byte >= defined.size() || defined[byte] == 0) return true;
  return false;
}

void UndefinedLanes::store(const MemoryEvent& event, unsigned lane, std::uint64_t behind, bool is_undefined) {
  if (of_ == ShadowOf::OutOfRange) return;
  const std::uint64_t address = event.address[lane] + behind;
  if (event.space == MemoryEvent::Space::Global) {
    if (global_.empty() && !is_undefined) return;
    std::uint8_t& bytes = global_[address / 8];
    const std::uint8_t covered = byte_bits(address, event.bytes);
    bytes = static_cast<std::uint8_t>(is_undefined ? bytes | covered : bytes & ~covered);
    if (bytes == 0) global_.erase(address / 8);
    return;
  }
  if (address >= kMaxSharedBytes) return;
  std::vector<std::uint8_t>& defined = shared_[block_];
  if (defined.size() < address + event.bytes) defined.resize(address + event.bytes, 0);
  for (std::uint64_t byte = address; byte < address + event.bytes; ++byte) defined[byte] = is_undefined ? 0 : 1;
}

}  // namespace warpsim
