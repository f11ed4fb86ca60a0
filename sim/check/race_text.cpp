// A race in words: who did what, and the ordering edge that is missing between the two.
#include "isa/table/op.h"
#include "sim/check/races.h"
#include "sim/machine/machine.h"
#include "sim/ordering/dependences.h"

namespace warpsim {
namespace {

// What stands between two accesses and orders no memory, though one may think so: "the shfl.bfly of line 13".
Message what_does_not(const Program& program, std::int32_t from, std::int32_t to) {
  for (std::int32_t pc = from + 1; pc < to; ++pc) {
    const Insn& insn = program.code[static_cast<std::size_t>(pc)];
    const Lift lift = info(insn.op).lift;
    if (crosses_lanes(lift) && lift != Lift::BarrierReduce)
      return {MessageId::InstructionOfLine, {info(insn.op).mnemonic, program.line(pc)}};
  }
  return {};
}

Message between(const Program& program, std::int32_t from, std::int32_t to) {
  const std::string a = program.line(from), b = program.line(to);
  if (from != to && a == b) return {MessageId::BetweenAccessesOfLine, {a}};
  if (from < to) return {MessageId::BetweenLines, {a, b}};
  if (from == to) return {MessageId::BeforeLineAgain, {b}};
  if (!may_follow(program, to, from)) return {MessageId::BetweenLines, {b, a}};
  return {MessageId::BehindLineBeforeAgain, {a, b}};
}

Message who(const RaceAccess& access, Race::Kind kind) {
  const Message lanes = lanes_named(access.lanes);
  if (kind == Race::Kind::InGrid) return {MessageId::OfWarpOfBlock, {lanes, access.warp, access.block}};
  if (kind == Race::Kind::InBlock) return {MessageId::OfWarp, {lanes, access.warp}};
  return lanes;
}

// "lane 3 writes"
Message deed(const RaceAccess& access, Race::Kind kind) {
  const bool one = count_lanes(access.lanes) == 1;
  const MessageId verb = access.atomic   ? (one ? MessageId::Changes : MessageId::Change)
                         : access.writes ? (one ? MessageId::Writes : MessageId::Write)
                                         : (one ? MessageId::Reads : MessageId::Read);
  return {verb, {who(access, kind)}};
}

// "lane 3 writes `tile[4]`"
Message deed_at(const RaceAccess& access, Race::Kind kind, const Message& place) {
  const bool one = count_lanes(access.lanes) == 1;
  const MessageId verb = access.atomic   ? (one ? MessageId::ChangesPlace : MessageId::ChangePlace)
                         : access.writes ? (one ? MessageId::WritesPlace : MessageId::WritePlace)
                                         : (one ? MessageId::ReadsPlace : MessageId::ReadPlace);
  return {verb, {who(access, kind), place}};
}

Finding code_of(const Race& race) {
  if (race.equal_stores) return Finding::EqualStores;
  switch (race.kind) {
    case Race::Kind::InWarp: return Finding::RaceInWarp;
    case Race::Kind::InBlock: return Finding::RaceInBlock;
    case Race::Kind::InGrid: return Finding::RaceInGrid;
    case Race::Kind::OneStore: break;
  }
  return Finding::StoresOfSeveralValues;
}

// The first instruction behind the earlier access that `is`, or else the last one before the later access; -1: none.
template <class F>
std::int32_t between_them(const Race& race, const Program& program, F is) {
  const std::int32_t end = static_cast<std::int32_t>(program.code.size());
  for (std::int32_t pc = race.earlier.pc + 1; pc < end; ++pc)
    if (is(program.code[static_cast<std::size_t>(pc)])) return pc;
  for (std::int32_t pc = race.later.pc; pc-- > 0;)
    if (is(program.code[static_cast<std::size_t>(pc)])) return pc;
  return -1;
}

// The fence or the strong access whose scope is too small.
Message wider(const Race& race, const Program& program) {
  const auto is_narrow_fence = [](const Insn& insn) {
    return has_trait(info(insn.op), kOrders) && reach_of(scope_of_fence(insn.op)) == Reach::Block;
  };
  const auto is_narrow_access = [](const Insn& insn) {
    return is_strong(insn) && reach_of(insn.mods.memory.scope) == Reach::Block;
  };
  if (const std::int32_t pc = between_them(race, program, is_narrow_fence); pc >= 0) {
    const Insn& insn = program.code[static_cast<std::size_t>(pc)];
    return {MessageId::TryWiderFence, {info(insn.op).mnemonic, program.line(pc)}};
  }
  const std::int32_t pc = between_them(race, program, is_narrow_access);
  return pc < 0 ? Message{} : Message{MessageId::TryWiderAccess, {program.line(pc)}};
}

const Insn& insn_at(const Program& program, std::int32_t pc) { return program.code[static_cast<std::size_t>(pc)]; }

// The first strong access that writes behind the earlier access; -1: none.
std::int32_t hands_on(const Race& race, const Program& program) {
  for (std::int32_t pc = race.earlier.pc + 1; pc < static_cast<std::int32_t>(program.code.size()); ++pc)
    if (const Insn& insn = insn_at(program, pc); is_strong(insn) && writes_memory(info(insn.op))) return pc;
  return -1;
}

// The last strong access that reads before the later access; -1: none.
std::int32_t takes(const Race& race, const Program& program) {
  for (std::int32_t pc = race.later.pc; pc-- > 0;) {
    const Insn& insn = insn_at(program, pc);
    if (is_strong(insn) && access_of(info(insn.op)) != AccessKind::Store) return pc;
  }
  return -1;
}

bool has_fence(const Program& program, std::int32_t from, std::int32_t to) {
  for (std::int32_t pc = from + 1; pc < to; ++pc)
    if (has_trait(info(insn_at(program, pc).op), kOrders)) return true;
  return false;
}

bool has_barrier(const Program& program, std::int32_t from, std::int32_t to) {
  for (std::int32_t pc = from + 1; pc < to; ++pc)
    if (info(insn_at(program, pc).op).lift == Lift::Barrier) return true;
  return false;
}

// The access that hands on releases what the earlier one did, by itself or by a fence before it.
bool does_release(const Race& race, const Program& program, std::int32_t pc) {
  const Semantics semantics = insn_at(program, pc).mods.memory.semantics;
  return semantics == Semantics::Release || semantics == Semantics::AcqRel ||
         (has_fence(program, race.earlier.pc, pc) && !has_barrier(program, race.earlier.pc, pc));
}

bool does_acquire(const Race& race, const Program& program, std::int32_t pc) {
  const Semantics semantics = insn_at(program, pc).mods.memory.semantics;
  return semantics == Semantics::Acquire || semantics == Semantics::AcqRel || has_fence(program, pc, race.later.pc);
}

// Where the value is handed over, and which side does not order; empty: no hand-over is there.
Message missing_side(const Race& race, const Program& program) {
  if (!race.missing || (race.earlier.strong && race.later.strong)) return {};
  const std::string a = program.line(race.earlier.pc), b = program.line(race.later.pc);
  if (race.missing == Missing::Scope) return wider(race, program);
  if (race.missing == Missing::LaneStep) return {MessageId::TryLaneStep, {a, b}};
  const std::int32_t from = hands_on(race, program), to = takes(race, program);
  if (from < 0 || to < 0 || from == to) return {};
  const bool releases = does_release(race, program, from), acquires = does_acquire(race, program, to);
  const bool lacks_acquire = race.missing == Missing::Acquire || (race.missing == Missing::Both && releases);
  const bool lacks_release = race.missing == Missing::Release || (race.missing == Missing::Both && acquires);
  if ((lacks_acquire && acquires) || (lacks_release && releases)) return {MessageId::TryChain, {a, b}};
  if (lacks_acquire) return {MessageId::TryAcquire, {program.line(to), b}};
  if (lacks_release) return {MessageId::TryRelease, {program.line(from), a}};
  return {MessageId::TryBothSides, {program.line(from), a, program.line(to)}};
}

// What would order the two.
Message edge(const Race& race, const Program& program) {
  if (Message side = missing_side(race, program); !side.empty()) return side;
  const Message where = between(program, race.earlier.pc, race.later.pc);
  switch (race.kind) {
    case Race::Kind::InWarp: {
      const Message not_this = what_does_not(program, race.earlier.pc, race.later.pc);
      if (not_this.empty()) return {MessageId::TryWarpBarrier, {where}};
      return {MessageId::TryWarpBarrierInstead, {where, not_this}};
    }
    case Race::Kind::InBlock:
      if (race.met_others)
        return {MessageId::TryOwnBarrier,
                {program.line(race.met_others->first), program.line(race.met_others->second)}};
      return {MessageId::TryBlockBarrier, {where}};
    case Race::Kind::InGrid: {
      const std::string a = program.line(race.earlier.pc), b = program.line(race.later.pc);
      const bool both_strong = race.earlier.strong && race.later.strong;
      return {both_strong ? MessageId::TryWiderAtomics : MessageId::TryFences, {a, b}};
    }
    case Race::Kind::OneStore: break;
  }
  return {};
}

}  // namespace

Message allocated_at(const Machine& machine, std::uint64_t address) {
  for (const DeviceMemory* memory : {&machine.heap(), &machine.memory()}) {
    const auto at = [&](const auto* one) -> Message {
      return {MessageId::FromByteOn, {address - one->address, one->name}};
    };
    if (const DeviceMemory::Allocation* const in = memory->find(address, 1)) return at(in);
    if (const DeviceMemory::Freed* const gone = memory->freed(address)) return at(gone);
  }
  return {};
}

RunFinding finding_of(const Race& race, const Program& program) {
  RunFinding finding;
  finding.code = code_of(race);
  finding.cycle = race.later.cycle;
  finding.block = race.later.block;
  finding.warp = race.later.warp;
  finding.pc = race.later.pc;
  finding.lanes = race.later.lanes;
  const Message place = race.object < 0 ? (race.unnamed.empty() ? Message(MessageId::AWord) : race.unnamed)
                                        : "`" + program.element_name(race.space, race.object, race.index) + "`";
  if (race.kind == Race::Kind::OneStore) {
    finding.lanes |= race.earlier.lanes;
    finding.message = {MessageId::StoresDiffer, {lanes_named(finding.lanes), place}};
    return finding;
  }
  finding.message = {
      race.equal_stores ? MessageId::EqualStores : MessageId::Race,
      {deed_at(race.later, race.kind, place), deed(race.earlier, race.kind), program.line(race.earlier.pc)}};
  if (!race.equal_stores) finding.hint = edge(race, program);
  finding.steps.push_back({race.earlier.cycle, race.earlier.block, race.earlier.warp, race.earlier.pc,
                           race.earlier.lanes, deed_at(race.earlier, race.kind, place)});
  return finding;
}

}  // namespace warpsim
