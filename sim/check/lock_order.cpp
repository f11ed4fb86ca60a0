// Who holds what while taking what; see lock_order.h.
#include "sim/check/lock_order.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "isa/table/op.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

bool can_take(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  return row.lift == Lift::Atomic && (row.kernel == "AtomExch" || row.kernel == "AtomCas");
}

}  // namespace

void LockOrder::on_start(const Machine& machine) {
  *this = LockOrder();
  program_ = &machine.program();
  warps_per_block_ = machine.warps_per_block();
  any_ = std::any_of(program_->code.begin(), program_->code.end(), can_take);
}

void LockOrder::on_sync(const SyncEvent& event) {
  if (any_ && event.kind == SyncEvent::Kind::Block && event.arrivals.size() >= warps_per_block_)
    ++barriers_[event.block];
}

LockOrder::Word LockOrder::word_of(const IssueEvent& issue, const MemoryEvent& event, unsigned lane) {
  return {event.space == MemoryEvent::Space::Shared ? std::int64_t{issue.block} : -1, event.address[lane]};
}

void LockOrder::on_memory(const IssueEvent& issue, const MemoryEvent& event) {
  if (!any_ || event.access == MemoryEvent::Access::Load || event.elements != 1) return;
  const bool atomic = event.access == MemoryEvent::Access::Atomic;
  if (!atomic && holders_.empty()) return;
  event.for_each_turn([&](unsigned lane) {
    const std::uint64_t now = atomic ? event.stored[lane] : event.value_of(lane, 0);
    if (now == 0) released({issue.block, issue.warp, lane}, word_of(issue, event, lane));
    else if (atomic && event.value_of(lane, 0) == 0 && can_take(*issue.insn)) taken(issue, event, lane);
  });
}

void LockOrder::taken(const IssueEvent& issue, const MemoryEvent& event, unsigned lane) {
  const Thread thread{issue.block, issue.warp, lane};
  Holder& holder = holders_[thread];
  const Taking taking{
      word_of(issue, event, lane), thread, issue.cycle, issue.pc, event.object_of(lane), event.index_of(lane),
      barriers_[issue.block]};
  const auto is_same = [&](const Taking& one) { return one.word == taking.word; };
  std::erase_if(holder.held, is_same);  // another thread has released it
  for (const Taking& first : holder.held) {
    Edge& edge = holder.unproven.emplace_back(Edge{first, taking, {}});
    for (const Taking& other : holder.held)
      if (other.word != first.word) edge.gates.insert(other.word);
  }
  holder.held.push_back(taking);
}

// The thread that took a word releases it: then it was a lock.
void LockOrder::released(const Thread& thread, const Word& word) {
  const auto at = holders_.find(thread);
  if (at == holders_.end()) return;
  Holder& holder = at->second;
  if (std::erase_if(holder.held, [&](const Taking& one) { return one.word == word; }) == 0) return;
  for (Edge& edge : holder.unproven)
    if ((edge.first.word == word || edge.second.word == word) && --edge.held == 0) add(edge);
  std::erase_if(holder.unproven, [](const Edge& edge) { return edge.held == 0; });
  if (holder.held.empty() && holder.unproven.empty()) holders_.erase(at);
}

void LockOrder::add(const Edge& edge) {
  std::vector<Edge>& known = edges_[edge.first.word][edge.second.word];
  const bool is_new = std::none_of(known.begin(), known.end(), [&](const Edge& one) {
    return one.second.thread == edge.second.thread && one.gates == edge.gates;
  });
  if (!is_new || known.size() == kMostEdges) return;
  known.push_back(edge);
  std::vector<const Edge*> path{&edge};
  if (closes(path)) report(path);
}

// Whether two threads may be at the two edges at once, each waiting for what it takes.
bool LockOrder::can_meet(const Edge& one, const Edge& other) {
  const Thread& a = one.second.thread;
  const Thread& b = other.second.thread;
  if (a == b) return false;
  if (std::get<0>(a) == std::get<0>(b) && one.second.barriers != other.second.barriers) return false;
  return std::none_of(one.gates.begin(), one.gates.end(), [&](const Word& gate) { return other.gates.contains(gate); });
}

// Goes on from the path's last edge until it is back at the first one's held word.
bool LockOrder::closes(std::vector<const Edge*>& path) {
  const auto next = edges_.find(path.back()->second.word);
  if (next == edges_.end()) return false;
  for (const auto& [word, edges] : next->second)
    for (const Edge& edge : edges) {
      if (!std::all_of(path.begin(), path.end(), [&](const Edge* one) { return can_meet(*one, edge); })) continue;
      path.push_back(&edge);
      if (word == path.front()->first.word || (path.size() < kMostLocks && closes(path))) return true;
      path.pop_back();
    }
  return false;
}

Message LockOrder::place(const Taking& taking) const {
  if (taking.object < 0) return MessageId::AWord;
  const AddressSpace space = taking.word.first < 0 ? AddressSpace::Global : AddressSpace::Shared;
  return "`" + program_->element_name(space, taking.object, taking.index) + "`";
}

void LockOrder::report(const std::vector<const Edge*>& circle) {
  const Edge& last = *circle.front();
  const Edge& other = *circle.back();
  if (!seen_.insert(std::minmax(last.second.pc, other.second.pc)).second) return;
  const auto line = [&](const Taking& one) { return program_->line(one.pc); };
  const auto who = [](const Taking& one) {
    const auto& [block, warp, lane] = one.thread;
    return Message{MessageId::OfWarpOfBlock, {lane_named(lane), warp, block}};
  };
  RunFinding& finding = found_.emplace_back();
  finding.code = Finding::LockOrder;
  finding.cycle = last.second.cycle;
  std::tie(finding.block, finding.warp, std::ignore) = last.second.thread;
  finding.pc = last.second.pc;
  finding.lanes = lane_bit(std::get<2>(last.second.thread));
  if (circle.size() == 2)
    finding.message = {MessageId::TakesInOtherOrder,
                       {who(last.second), place(last.second), place(last.first), line(last.first), who(other.second),
                        line(other.first), line(other.second)}};
  else
    finding.message = {MessageId::TakesInCircle,
                       {who(last.second), place(last.second), place(last.first), circle.size() - 1, circle.size()}};
  for (const Edge* const edge : circle)
    for (const Taking* const one : {&edge->first, &edge->second}) {
      const auto& [block, warp, lane] = one->thread;
      finding.steps.push_back(
          {one->cycle, block, warp, one->pc, lane_bit(lane), {MessageId::TakesLock, {who(*one), place(*one)}}});
    }
}

}  // namespace warpsim
