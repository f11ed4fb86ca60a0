// A race in words: who did what, and the ordering edge that is missing between the two.
#include "isa/table/op.h"
#include "isa/text/number_text.h"
#include "sim/check/races.h"

namespace warpsim {
namespace {

std::uint32_t line_of(const Program& program, std::int32_t pc) {
  return program.code[static_cast<std::size_t>(pc)].where.line;
}

// What stands between two accesses and orders no memory, though one may think so: "the shfl.bfly of line 13".
std::string what_does_not(const Program& program, std::int32_t from, std::int32_t to) {
  for (std::int32_t pc = from + 1; pc < to; ++pc) {
    const Insn& insn = program.code[static_cast<std::size_t>(pc)];
    const Lift lift = info(insn.op).lift;
    if (crosses_lanes(lift) && lift != Lift::BarrierReduce)
      return "the " + std::string(info(insn.op).mnemonic) + " of line " + std::to_string(insn.where.line);
  }
  return "";
}

std::string between(const Program& program, std::int32_t from, std::int32_t to) {
  const std::uint32_t a = line_of(program, from), b = line_of(program, to);
  if (from < to) return "between lines " + std::to_string(a) + " and " + std::to_string(b);
  if (from == to) return "before line " + std::to_string(b) + " is executed again";
  return "behind line " + std::to_string(a) + ", before line " + std::to_string(b) + " is executed again";
}

std::string deed(const RaceAccess& access) {
  const std::string verb = access.atomic ? "change" : access.writes ? "write" : "read";
  return count_lanes(access.lanes) == 1 ? verb + "s" : verb;
}

std::string who(const RaceAccess& access, Race::Kind kind) {
  std::string text = lanes_in_words(access.lanes);
  if (kind == Race::Kind::InBlock || kind == Race::Kind::InGrid) text += " of warp " + std::to_string(access.warp);
  if (kind == Race::Kind::InGrid) text += " of block " + std::to_string(access.block);
  return text;
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

std::string edge(const Race& race, const Program& program) {
  const std::string where = between(program, race.earlier.pc, race.later.pc);
  switch (race.kind) {
    case Race::Kind::InWarp: {
      const std::string not_this = what_does_not(program, race.earlier.pc, race.later.pc);
      return "bar.warp.sync " + where + " would order them" +
             (not_this.empty() ? "" : "; " + not_this + " does not: it orders no memory");
    }
    case Race::Kind::InBlock: return "bar.sync " + where + " would order them";
    case Race::Kind::InGrid:
      return "membar.gl and an atomic behind line " + std::to_string(line_of(program, race.earlier.pc)) +
             ", an atomic and membar.gl before line " + std::to_string(line_of(program, race.later.pc)) +
             " would order them; or use atomics for both";
    case Race::Kind::OneStore: break;
  }
  return "";
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
  const std::string place = race.object < 0
                                ? "a word"
                                : "`" +
                                      (race.space == MemoryEvent::Space::Shared ? program.objects[object].name
                                                                                : program.params[object].name) +
                                      "[" + std::to_string(race.index) + "]`";
  if (race.kind == Race::Kind::OneStore) {
    finding.lanes |= race.earlier.lanes;
    finding.message = lanes_in_words(finding.lanes) + " store different values in " + place +
                      " in one instruction: one of them stays";
    return finding;
  }
  finding.message = who(race.later, race.kind) + " " + deed(race.later) + " " + place + ", which " +
                    who(race.earlier, race.kind) + " " + deed(race.earlier) + " at line " +
                    std::to_string(line_of(program, race.earlier.pc)) + ", and nothing orders the two";
  finding.hint = edge(race, program);
  finding.steps.push_back({race.earlier.cycle, race.earlier.block, race.earlier.warp, race.earlier.pc,
                           race.earlier.lanes, who(race.earlier, race.kind) + " " + deed(race.earlier) + " " + place});
  return finding;
}

}  // namespace warpsim
