// A race in words: who did what, and the ordering edge that is missing between the two.
#include "isa/table/op.h"
#include "sim/check/races.h"

namespace warpsim {
namespace {

std::uint32_t line_of(const Program& program, std::int32_t pc) {
  return program.code[static_cast<std::size_t>(pc)].where.line;
}

// What stands between two accesses and orders no memory, though one may think so: "the shfl.bfly of line 13".
Message what_does_not(const Program& program, std::int32_t from, std::int32_t to) {
  for (std::int32_t pc = from + 1; pc < to; ++pc) {
    const Insn& insn = program.code[static_cast<std::size_t>(pc)];
    const Lift lift = info(insn.op).lift;
    if (crosses_lanes(lift) && lift != Lift::BarrierReduce)
      return {MessageId::InstructionOfLine, {info(insn.op).mnemonic, insn.where.line}};
  }
  return {};
}

Message between(const Program& program, std::int32_t from, std::int32_t to) {
  const std::uint32_t a = line_of(program, from), b = line_of(program, to);
  if (from < to) return {MessageId::BetweenLines, {a, b}};
  if (from == to) return {MessageId::BeforeLineAgain, {b}};
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

Finding code_of(Race::Kind kind) {
  switch (kind) {
    case Race::Kind::InWarp: return Finding::RaceInWarp;
    case Race::Kind::InBlock: return Finding::RaceInBlock;
    case Race::Kind::InGrid: return Finding::RaceInGrid;
    case Race::Kind::OneStore: break;
  }
  return Finding::StoresOfSeveralValues;
}

// The first fence after the one access, or else before the other, that reaches one block alone; -1: none.
std::int32_t narrow_fence(const Race& race, const Program& program) {
  const auto is_narrow = [&](std::int32_t pc) {
    const Op op = program.code[static_cast<std::size_t>(pc)].op;
    return has_trait(info(op), kOrders) && reach_of(scope_of_fence(op)) == Reach::Block;
  };
  const std::int32_t end = static_cast<std::int32_t>(program.code.size());
  for (std::int32_t pc = race.earlier.pc + 1; pc < end; ++pc)
    if (is_narrow(pc)) return pc;
  for (std::int32_t pc = race.later.pc; pc-- > 0;)
    if (is_narrow(pc)) return pc;
  return -1;
}

// What would order two accesses of different blocks.
Message edge_in_grid(const Race& race, const Program& program) {
  const std::uint32_t a = line_of(program, race.earlier.pc), b = line_of(program, race.later.pc);
  if (race.earlier.strong && race.later.strong) return {MessageId::TryWiderAtomics, {a, b}};
  if (const std::int32_t fence = narrow_fence(race, program); fence >= 0) {
    const Insn& insn = program.code[static_cast<std::size_t>(fence)];
    return {MessageId::TryWiderFence, {info(insn.op).mnemonic, insn.where.line}};
  }
  return {MessageId::TryFences, {a, b}};
}

// What would order the two.
Message edge(const Race& race, const Program& program) {
  const Message where = between(program, race.earlier.pc, race.later.pc);
  switch (race.kind) {
    case Race::Kind::InWarp: {
      const Message not_this = what_does_not(program, race.earlier.pc, race.later.pc);
      if (not_this.empty()) return {MessageId::TryWarpBarrier, {where}};
      return {MessageId::TryWarpBarrierInstead, {where, not_this}};
    }
    case Race::Kind::InBlock: return {MessageId::TryBlockBarrier, {where}};
    case Race::Kind::InGrid: return edge_in_grid(race, program);
    case Race::Kind::OneStore: break;
  }
  return {};
}

}  // namespace

RunFinding finding_of(const Race& race, const Program& program) {
  RunFinding finding;
  finding.code = code_of(race.kind);
  finding.cycle = race.later.cycle;
  finding.block = race.later.block;
  finding.warp = race.later.warp;
  finding.pc = race.later.pc;
  finding.lanes = race.later.lanes;
  const std::size_t object = static_cast<std::size_t>(race.object);
  const Message place = race.object < 0 ? Message(MessageId::AWord)
                                        : "`" +
                                              (race.space == MemoryEvent::Space::Shared ? program.objects[object].name
                                                                                        : program.params[object].name) +
                                              "[" + std::to_string(race.index) + "]`";
  if (race.kind == Race::Kind::OneStore) {
    finding.lanes |= race.earlier.lanes;
    finding.message = {MessageId::StoresDiffer, {lanes_named(finding.lanes), place}};
    return finding;
  }
  finding.message = {
      MessageId::Race,
      {deed_at(race.later, race.kind, place), deed(race.earlier, race.kind), line_of(program, race.earlier.pc)}};
  finding.hint = edge(race, program);
  finding.steps.push_back({race.earlier.cycle, race.earlier.block, race.earlier.warp, race.earlier.pc,
                           race.earlier.lanes, deed_at(race.earlier, race.kind, place)});
  return finding;
}

}  // namespace warpsim
