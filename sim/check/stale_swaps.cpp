// What each thread has read, and how often each word has changed; see stale_swaps.h.
#include "sim/check/stale_swaps.h"

#include <algorithm>

#include "isa/table/op.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

constexpr std::size_t kSwapStores = 3;  // the operand c of atom.cas d, [address], b, c

// The register that a compare-and-swap stores; -1: none.
std::int32_t stored_by_swap(const Insn& insn) {
  if (insn.op != Op::AtomGlobalCas || insn.operands[kSwapStores].kind != Operand::Kind::Reg) return -1;
  return insn.operands[kSwapStores].reg;
}

// The register that a load or an atomic of one element reads into; -1: none.
std::int32_t read_into(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (space_of(row, insn.mods) != AddressSpace::Global || (row.lift != Lift::Load && row.lift != Lift::Atomic))
    return -1;
  return insn.operands[0].kind == Operand::Kind::Reg ? insn.operands[0].reg : -1;
}

Message place(const Program& program, std::int32_t object, std::int64_t index) {
  if (object < 0) return MessageId::AWord;
  return "`" + program.params[static_cast<std::size_t>(object)].name + "[" + std::to_string(index) + "]`";
}

}  // namespace

bool may_swap_stale(const Program& program) {
  return std::any_of(program.code.begin(), program.code.end(), [&](const Insn& swap) {
    const std::int32_t reg = stored_by_swap(swap);
    return reg >= 0 && std::any_of(program.code.begin(), program.code.end(),
                                   [&](const Insn& one) { return read_into(one) == reg; });
  });
}

void StaleSwaps::on_start(const Machine& machine) {
  *this = StaleSwaps();
  program_ = &machine.program();
  any_ = may_swap_stale(*program_);
}

void StaleSwaps::on_memory(const IssueEvent& issue, const MemoryEvent& event) {
  if (!any_ || event.space != MemoryEvent::Space::Global || event.elements != 1) return;
  event.for_each_turn([&](unsigned lane) {
    const std::uint64_t address = event.address[lane];
    std::deque<Read>& reads = reads_[{issue.block, issue.warp, lane}];
    const bool reading = event.access != MemoryEvent::Access::Store;
    if (event.access == MemoryEvent::Access::Atomic) compare(issue, event, lane, reads);
    if (const auto known = words_.find(address); reading) {
      reads.push_back({address, event.value_of(lane, 0), known == words_.end() ? 0 : known->second.changes, issue.cycle,
                       issue.pc, read_into(*issue.insn), event.object_of(lane), event.index_of(lane)});
      if (reads.size() > kReads) reads.pop_front();
    }
    if (event.access == MemoryEvent::Access::Load) return;
    const std::uint64_t now = reading ? event.stored[lane] : event.value_of(lane, 0);
    if (reading && now == event.value_of(lane, 0)) return;
    Word& word = words_[address];
    word.value = now;
    ++word.changes;
    // What the thread changes itself is no news to it.
    std::erase_if(reads, [&](const Read& one) { return one.address == address; });
  });
}

void StaleSwaps::compare(const IssueEvent& issue, const MemoryEvent& event, unsigned lane,
                         const std::deque<Read>& reads) {
  const std::int32_t reg = stored_by_swap(*issue.insn);
  const std::uint64_t was = event.value_of(lane, 0), stored = event.stored[lane];
  if (reg < 0 || stored == was) return;
  const auto changed = [&](const Read& one) {
    const auto word = words_.find(one.address);
    return word != words_.end() && word->second.changes > one.changes ? &word->second : nullptr;
  };
  const auto word =
      std::find_if(reads.rbegin(), reads.rend(), [&](const Read& one) { return one.address == event.address[lane]; });
  if (word == reads.rend() || word->value != was || changed(*word) == nullptr) return;
  const auto other = std::find_if(reads.rbegin(), word, [&](const Read& one) { return one.reg == reg; });
  if (other == word || other->value != stored) return;
  const Word* const since = changed(*other);
  if (since != nullptr && since->value != other->value) report(issue, lane, *word, *other);
}

void StaleSwaps::report(const IssueEvent& issue, unsigned lane, const Read& word, const Read& other) {
  if (!seen_.insert(issue.pc).second) return;
  const auto line = [&](const Read& one) { return program_->line(one.pc); };
  const Message first = place(*program_, word.object, word.index), second = place(*program_, other.object, other.index);
  RunFinding& finding = found_.emplace_back();
  finding.code = Finding::StaleSwap;
  finding.cycle = issue.cycle;
  finding.block = issue.block;
  finding.warp = issue.warp;
  finding.pc = issue.pc;
  finding.lanes = lane_bit(lane);
  finding.message = {MessageId::SwapsStale,
                     {lane_named(lane), issue.warp, issue.block, first, line(word), other.value, line(other), second,
                      words_[other.address].value}};
  for (const Read* const one : {&word, &other})
    finding.steps.push_back({one->cycle,
                             issue.block,
                             issue.warp,
                             one->pc,
                             finding.lanes,
                             {MessageId::ReadsForSwap, {lane_named(lane), one == &word ? first : second}}});
}

}  // namespace warpsim
