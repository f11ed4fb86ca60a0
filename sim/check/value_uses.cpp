// Which operands decide, store or address, and the way back from there; see value_uses.h.
#include "sim/check/value_uses.h"

#include <algorithm>

#include "isa/assembly/disassembler.h"
#include "isa/table/op.h"
#include "isa/text/check.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

constexpr std::size_t kMostSteps = 64;  // of one finding: the middle of a longer way is left out

// Text: it is none.
MessageId how_used(const Insn& insn, const Slot& slot) {
  const OpInfo& row = info(insn.op);
  if (slot.role == Role::Addr || row.lift == Lift::Copy) return MessageId::UseIsAddress;
  if (slot.role != Role::Src) return MessageId::Text;
  if (slot.type == SlotType::Mask) return MessageId::UseNamesMembers;
  if (row.lift == Lift::Atomic || row.lift == Lift::Mbarrier) return MessageId::UseInAtomic;
  if (row.lift == Lift::BarrierReduce && slot.type == SlotType::Pred) return MessageId::UseDecidesBarrier;
  if (row.lift == Lift::Store) return MessageId::UseIsStored;
  if (row.form == Form::Vote) return MessageId::UseDecidesVote;
  return MessageId::Text;
}

Message loads_unwritten(const Origin& origin, Message element) {
  const unsigned bytes = origin.unwritten_bytes;
  if (bytes == 0) return {MessageId::LoadsUnwritten, {unsigned{origin.lane}, std::move(element)}};
  const MessageId row = (bytes & (bytes - 1)) == 0 ? MessageId::ByteOf : MessageId::BytesOf;
  return {MessageId::LoadsPartlyUnwritten, {unsigned{origin.lane}, std::move(element), {row, {lane_ranges(bytes)}}}};
}

}  // namespace

Finding finding_of(Origin::Birth birth) {
  switch (birth) {
    case Origin::Birth::NeverWritten: return Finding::NeverWritten;
    case Origin::Birth::SourceInactive: return Finding::SourceInactive;
    case Origin::Birth::SourceExited:
    case Origin::Birth::SourceAbsent: return Finding::SourceExited;
    case Origin::Birth::SourceOutsideMask: return Finding::SourceOutsideMask;
    case Origin::Birth::SharedUnwritten: return Finding::SharedUnwritten;
    case Origin::Birth::LocalUnwritten: return Finding::LocalUnwritten;
    case Origin::Birth::GlobalUnwritten: return Finding::GlobalUnwritten;
    case Origin::Birth::OutOfRange: return Finding::OutOfRange;
    case Origin::Birth::None: break;
  }
  return Finding::NeverWritten;
}

std::vector<ValueUses::Use> ValueUses::uses_of(const Insn& insn) const {
  std::vector<Use> uses;
  const bool copies = of_ == ShadowOf::Undefined && space_of(info(insn.op), insn.mods) != AddressSpace::Global;
  if (insn.guard.reg >= 0) uses.push_back({insn.guard.reg, true, MessageId::UseDecidesLanes});
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    const bool reads = form[k].role == Role::Addr ? operand.reg >= 0 : operand.kind == Operand::Kind::Reg;
    const MessageId how = reads ? how_used(insn, form[k]) : MessageId::Text;
    if (how == MessageId::Text || (how == MessageId::UseIsStored && copies)) continue;
    uses.push_back({operand.reg, false, how});
  }
  return uses;
}

void ValueUses::begin(const Machine& machine) {
  *this = ValueUses(of_);
  machine_ = &machine;
  program_ = &machine.program();
  for (const Insn& insn : program_->code) uses_.push_back(uses_of(insn));
}

bool ValueUses::is_meant(const IssueEvent& event, LaneMask holding) const {
  return of_ == ShadowOf::OutOfRange && (holding & event.alive) == event.active && event.active != event.alive;
}

// A vote that comes out the same whatever those lanes hold is decided by the others.
LaneMask ValueUses::using_lanes(const IssueEvent& event, const Use& use, LaneMask holding,
                                const UndefinedLanes& shadow) const {
  if (use.is_guard) return holding & event.group;
  const bool by_result = use.how == MessageId::UseDecidesVote || use.how == MessageId::UseDecidesBarrier;
  return by_result && shadow.undefined_result() == 0 ? 0 : holding & event.active;
}

namespace {

// "`%r8`", or with the variable of the source that it holds: "`v` (`%r8`)".
std::string register_named(const Program& program, std::int32_t reg, std::int32_t pc) {
  const std::string own = "`" + program.registers[static_cast<std::size_t>(reg)].name + "`";
  const std::string_view variable = program.variable_in(reg, pc);
  return variable.empty() ? own : "`" + std::string(variable) + "` (" + own + ")";
}

}  // namespace

void ValueUses::on_issue(const IssueEvent& event, UndefinedLanes& shadow) {
  for (const Use& use : uses_[static_cast<std::size_t>(event.pc)]) {
    const LaneMask holding = shadow.undefined(event.block, event.warp, use.reg);
    const LaneMask lanes = using_lanes(event, use, holding, shadow);
    if (lanes == 0 || is_meant(event, holding)) continue;
    if (use.is_guard && !first_branch_ && info(event.insn->op).lift == Lift::Branch) first_branch_ = event.cycle;
    std::vector<std::int32_t> origins;
    for_each_lane(lanes,
                  [&](unsigned lane) { origins.push_back(shadow.origin(event.block, event.warp, use.reg, lane)); });
    report(event, shadow, use.reg, lanes, origins, register_named(*program_, use.reg, event.pc), use.how);
  }
}

void ValueUses::on_memory(const IssueEvent& issue, const MemoryEvent& event, UndefinedLanes& shadow) {
  const OpInfo& row = info(issue.insn->op);
  if (event.access != MemoryEvent::Access::Atomic || has_trait(row, kOverwrites)) return;
  // Each bit keeps to itself there: what reads a bit that nobody wrote is found where it does.
  if (has_trait(row, kBitwise) && event.space == MemoryEvent::Space::Shared) return;
  LaneMask undefined = shadow.undefined_access() & event.lanes;
  // What an address leads astray has been said on issue.
  for (const Operand& operand : issue.insn->operands) {
    const bool addresses = operand.kind == Operand::Kind::Element || operand.kind == Operand::Kind::Address;
    if (addresses && operand.reg >= 0) undefined &= ~shadow.undefined(issue.block, issue.warp, operand.reg);
  }
  if (undefined == 0) return;
  constexpr std::int32_t kMemory = -1;
  const unsigned first = first_lane(undefined);
  Message place = MessageId::TheMemory;
  if (event.object_of(first) >= 0)
    place = "`" + program_->element_name(event.space, event.object_of(first), event.index_of(first)) + "`";
  else if (Message named = allocated_at(*machine_, event.address[first]);
           event.space == MemoryEvent::Space::Global && !named.empty())
    place = std::move(named);
  std::vector<std::int32_t> origins;
  for_each_lane(undefined, [&](unsigned lane) { origins.push_back(shadow.origin_of_access(lane)); });
  report(issue, shadow, kMemory, undefined, origins, place, MessageId::UndefinedInAtomic);
}

// `origins`: one a lane. What was born differently is found apart. `how`: a use, or UndefinedInAtomic.
void ValueUses::report(const IssueEvent& event, const UndefinedLanes& shadow, std::int32_t reg, LaneMask lanes,
                       const std::vector<std::int32_t>& origins, const Message& what, MessageId how) {
  const auto birth_of = [&](std::int32_t number) {
    return number < 0 ? Origin::Birth::NeverWritten : shadow.origin(number).root;
  };
  for (LaneMask rest = lanes; rest != 0;) {
    const std::int32_t origin = origins[count_lanes(lanes & (lane_bit(first_lane(rest)) - 1))];
    const Origin::Birth birth = birth_of(origin);
    LaneMask together = 0;
    std::size_t k = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      if (birth_of(origins[k++]) == birth) together |= lane_bit(lane);
    });
    rest &= ~together;
    if (!seen_.emplace(event.pc, reg, birth).second) continue;
    RunFinding finding;
    finding.code = finding_of(birth);
    finding.cycle = event.cycle;
    finding.block = event.block;
    finding.warp = event.warp;
    finding.pc = event.pc;
    finding.lanes = together;
    const bool in_part = reg >= 0 && (together & ~shadow.partly_undefined(event.block, event.warp, reg)) == 0;
    const MessageId state = birth == Origin::Birth::OutOfRange ? MessageId::LeftInPlaceUse
                            : in_part                          ? MessageId::PartlyUndefinedUse
                                                               : MessageId::UndefinedUse;
    finding.message = how == MessageId::UndefinedInAtomic ? Message(how, {what, lanes_named(together)})
                                                          : Message(state, {what, lanes_named(together), how});
    finding.steps = steps(shadow, origin);
    if (birth == Origin::Birth::OutOfRange) finding.hint = edge_hint(shadow, origin);
    if (how != MessageId::UseIsStored || of_ == ShadowOf::OutOfRange) {
      found_.push_back(std::move(finding));
      continue;
    }
    finding.places = machine_->places(event.block, event.warp);
    stored_.push_back({birth, std::move(finding)});
  }
}

void ValueUses::on_finish(const std::vector<std::string>& outputs, const UndefinedLanes& shadow) {
  if (stored_.empty()) return;
  std::set<std::pair<std::int32_t, Origin::Birth>> left;  // pcs of stores, and what they stored
  for (std::size_t k = 0; k < program_->params.size(); ++k) {
    const Param& param = program_->params[k];
    if (param.kind != Param::Kind::Out && param.kind != Param::Kind::InOut) continue;
    if (!outputs.empty() && std::find(outputs.begin(), outputs.end(), param.name) == outputs.end()) continue;
    const std::uint64_t size = machine_->buffer(param.name).bits.size() * static_cast<std::uint64_t>(bytes(param.type));
    shadow.for_each_stored_global(machine_->buffer_address(static_cast<std::int32_t>(k)), size,
                                  [&](const Origin& origin) {
                                    left.insert({origin.pc, origin.root});
                                  });
  }
  for (Stored& one : stored_)
    if (left.count({one.finding.pc, one.birth}) != 0) found_.push_back(std::move(one.finding));
  stored_.clear();
}

// What to try where the shuffle of `origin` left a value in place: to take its predicate, or to use the one that it
// has.
Message ValueUses::edge_hint(const UndefinedLanes& shadow, std::int32_t origin) const {
  while (origin >= 0 && shadow.origin(origin).before >= 0) origin = shadow.origin(origin).before;
  if (origin < 0) return {};
  const Origin& birth = shadow.origin(origin);
  const Insn& insn = program_->code[static_cast<std::size_t>(birth.pc)];
  const auto name_of = [this](std::int32_t reg) { return program_->registers[static_cast<std::size_t>(reg)].name; };
  const auto form = slots(info(insn.op).form);
  std::vector<std::string> written;  // the value, and the predicate if the shuffle has one
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k)
    if ((form[k].role == Role::Dst || form[k].role == Role::DstPred) && insn.operands[k].kind == Operand::Kind::Reg)
      written.push_back(name_of(insn.operands[k].reg));
  if (written.empty()) return {};
  if (written.size() > 1) return {MessageId::TryTheTakenPredicate, {"`" + written[1] + "`", "`" + written[0] + "`"}};
  std::string predicate = "%there";
  const auto is_taken = [&predicate](const Register& reg) { return reg.name == predicate; };
  while (std::any_of(program_->registers.begin(), program_->registers.end(), is_taken)) predicate += "_2";
  std::string text = disassemble(*program_, birth.pc);
  const std::size_t at = text.find(" " + written[0] + ",");
  if (at == std::string::npos) return {};
  text.insert(at + 1 + written[0].size(), "|" + predicate);
  return {MessageId::TryTakingThePredicate, {"`" + text + "`", "@" + predicate}};
}

std::vector<FindingStep> ValueUses::steps(const UndefinedLanes& shadow, std::int32_t origin) const {
  std::vector<FindingStep> way;
  for (; origin >= 0; origin = shadow.origin(origin).before) {
    const Origin& one = shadow.origin(origin);
    // Of lanes that change one word in one atomic, the last tells of all.
    const bool again = !way.empty() && way.back().pc == one.pc && way.back().cycle == one.cycle &&
                       way.back().block == one.block && way.back().warp == one.warp;
    if (again && one.before >= 0) continue;
    const bool loads = one.before >= 0 && one.reg >= 0 && shadow.origin(one.before).reg < 0;
    way.push_back({one.cycle, one.block, one.warp, one.pc, lane_bit(one.lane), told(one, loads)});
  }
  if (way.size() > kMostSteps)
    way.erase(way.begin() + kMostSteps / 2, way.end() - static_cast<std::ptrdiff_t>(kMostSteps / 2));
  return way;
}

// What no parameter leads to.
Message ValueUses::unnamed_place(const Origin& origin) const {
  if (origin.space != AddressSpace::Global) return MessageId::ThisPlace;
  Message place = allocated_at(*machine_, origin.address);
  return place.empty() ? MessageId::ThisPlace : std::move(place);
}

// `loads`: from memory in which it was stored.
Message ValueUses::told(const Origin& origin, bool loads) const {
  using Birth = Origin::Birth;
  const unsigned lane = origin.lane, from = origin.from;
  const Message reg = origin.reg < 0 ? "" : register_named(*program_, origin.reg, origin.pc);
  const auto element = [&]() -> Message {
    if (origin.object < 0) return unnamed_place(origin);
    return "`" + program_->element_name(origin.space, origin.object, origin.index) + "`";
  };
  const Insn& insn = program_->code[static_cast<std::size_t>(origin.pc)];
  const bool shuffles = info(insn.op).lift == Lift::Shuffle || info(insn.op).lift == Lift::Broadcast;
  switch (origin.birth) {
    case Birth::NeverWritten: return {MessageId::HasNeverWritten, {lane, reg}};
    case Birth::SourceInactive: return {MessageId::ReadsInactiveLane, {lane, reg, from}};
    case Birth::SourceExited: return {MessageId::ReadsExitedLane, {lane, reg, from}};
    case Birth::SourceAbsent: return {MessageId::ReadsAbsentLane, {lane, reg, from}};
    case Birth::SourceOutsideMask: return {MessageId::ReadsLaneOutsideMask, {lane, reg, from}};
    case Birth::SharedUnwritten:
    case Birth::LocalUnwritten:
    case Birth::GlobalUnwritten: return loads_unwritten(origin, element());
    case Birth::OutOfRange: return {MessageId::KeepsOwnValue, {lane, reg}};
    case Birth::None: break;
  }
  if (origin.reg < 0) return {MessageId::StoresIt, {lane, element()}};
  if (loads) return {MessageId::LoadsIt, {lane, reg}};
  if (shuffles) return {MessageId::TakesIt, {lane, from, reg}};
  return {MessageId::ComputesFromIt, {lane, reg}};
}

}  // namespace warpsim
