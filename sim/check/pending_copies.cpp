// The words that copies on their way write and read; see pending_copies.h.
#include "sim/check/pending_copies.h"

#include <algorithm>

#include "isa/table/op.h"
#include "sim/machine/machine.h"

namespace warpsim {

void PendingCopies::on_start(const Machine& machine) {
  *this = PendingCopies();
  program_ = &machine.program();
  shared_words_ = word(machine.shared_bytes_per_block() + 3);
  const bool copies = std::any_of(program_->code.begin(), program_->code.end(),
                                  [](const Insn& insn) { return info(insn.op).lift == Lift::Copy; });
  if (copies) copies_.resize(1);
}

const std::vector<PendingCopies::Copy>& PendingCopies::finished(const IssueEvent& event) {
  finished_.clear();
  const Op op = event.insn->op;
  if (op != Op::CpAsyncCommit && op != Op::CpAsyncWaitAll && op != Op::CpAsyncWaitGroup) return finished_;
  OfWarp& own = warps_[{event.block, event.warp}];
  if (op == Op::CpAsyncCommit) {
    for_each_lane(event.active, [&](unsigned lane) { ++own.groups[lane]; });
    for (const Id id : own.pending)
      if (Copy& copy = copies_[id]; copy.group == 0 && has_lane(event.active, copy.lane))
        copy.group = own.groups[copy.lane];
    return finished_;
  }
  const std::uint64_t left =
      op == Op::CpAsyncWaitAll ? 0 : static_cast<std::uint64_t>(event.insn->operands[0].expr.evaluate(1));
  const auto is_over = [&](Id id) {
    const Copy& copy = copies_[id];
    return has_lane(event.active, copy.lane) &&
           (op == Op::CpAsyncWaitAll || (copy.group != 0 && copy.group + left <= own.groups[copy.lane]));
  };
  for (const Id id : own.pending) {
    if (!is_over(id)) continue;
    finished_.push_back(copies_[id]);
    end(id);
  }
  std::erase_if(own.pending, is_over);
  return finished_;
}

void PendingCopies::on_memory(const IssueEvent& issue, const MemoryEvent& event) {
  if (copies_.empty() || (pending_ == 0 && event.source == nullptr)) return;
  for_each_lane(event.lanes, [&](unsigned lane) {
    look(issue, event, lane);
    if (event.source != nullptr) begin(issue, event, lane);
  });
}

void PendingCopies::look(const IssueEvent& issue, const MemoryEvent& event, unsigned lane) {
  const bool shared = event.space == MemoryEvent::Space::Shared;
  if (!shared && event.access == MemoryEvent::Access::Load) return;
  const std::uint64_t last = event.address[lane] + std::uint64_t{event.bytes} * event.elements - 1;
  for (std::uint64_t at = word(event.address[lane]); at <= word(last); ++at) {
    if (!shared) {
      const auto [from, to] = reads_.equal_range(at);
      for (auto one = from; one != to; ++one) report(issue, event, lane, copies_[one->second]);
    } else if (const auto block = writes_.find(issue.block); block != writes_.end() && at < shared_words_) {
      if (const Id id = block->second[at]; id != 0) report(issue, event, lane, copies_[id]);
    }
  }
}

void PendingCopies::begin(const IssueEvent& issue, const MemoryEvent& event, unsigned lane) {
  Copy copy{issue.block,
            issue.warp,
            lane,
            0,
            issue.pc,
            issue.cycle,
            event.address[lane],
            0,
            std::uint64_t{event.bytes} * event.elements,
            0};
  if (has_lane(event.source->lanes, lane)) {
    copy.from = event.source->address[lane];
    copy.read = event.source->bytes[lane];
  }
  Id id = static_cast<Id>(copies_.size());
  if (free_.empty()) {
    copies_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  copies_[id] = copy;
  ++pending_;
  warps_[{issue.block, issue.warp}].pending.push_back(id);
  std::vector<Id>& words = writes_[issue.block];
  words.resize(shared_words_);
  for (std::uint64_t at = word(copy.to); at < word(copy.to + copy.size); ++at) words[at] = id;
  for (std::uint64_t at = word(copy.from); at < word(copy.from + copy.read + 3); ++at) reads_.emplace(at, id);
}

void PendingCopies::end(Id id) {
  const Copy& copy = copies_[id];
  std::vector<Id>& words = writes_[copy.block];
  for (std::uint64_t at = word(copy.to); at < word(copy.to + copy.size); ++at)
    if (words[at] == id) words[at] = 0;
  for (std::uint64_t at = word(copy.from); at < word(copy.from + copy.read + 3); ++at) {
    const auto [from, to] = reads_.equal_range(at);
    for (auto one = from; one != to; ++one) {
      if (one->second != id) continue;
      reads_.erase(one);
      break;
    }
  }
  free_.push_back(id);
  --pending_;
}

// Its threads have exited; what they copied is gone.
void PendingCopies::on_block_end(const BlockEndEvent& event) {
  for (auto warp = warps_.lower_bound({event.block, 0}); warp != warps_.end() && warp->first.first == event.block;) {
    for (const Id id : warp->second.pending) end(id);
    warp = warps_.erase(warp);
  }
  writes_.erase(event.block);
}

void PendingCopies::report(const IssueEvent& issue, const MemoryEvent& event, unsigned lane, const Copy& copy) {
  if (!seen_.emplace(copy.pc, issue.pc).second) return;
  const bool one_warp = copy.block == issue.block && copy.warp == issue.warp, one_block = copy.block == issue.block;
  const auto who = [&](std::uint32_t block, std::uint32_t warp, unsigned of) -> Message {
    const Message name = lane_named(of);
    return one_warp    ? name
           : one_block ? Message(MessageId::OfWarp, {name, warp})
                       : Message(MessageId::OfWarpOfBlock, {name, warp, block});
  };
  const bool shared = event.space == MemoryEvent::Space::Shared;
  const std::int32_t object = event.object_of(lane);
  const Message place = object < 0 ? Message(MessageId::AWord)
                                   : "`" + program_->element_name(event.space, object, event.index_of(lane)) + "`";
  const MessageId verb = event.access == MemoryEvent::Access::Load    ? MessageId::ReadsPlace
                         : event.access == MemoryEvent::Access::Store ? MessageId::WritesPlace
                                                                      : MessageId::ChangesPlace;
  RunFinding& finding = found_.emplace_back();
  finding.code = Finding::CopyNotAwaited;
  finding.cycle = issue.cycle;
  finding.block = issue.block;
  finding.warp = issue.warp;
  finding.pc = issue.pc;
  finding.lanes = lane_bit(lane);
  const Message copier = who(copy.block, copy.warp, copy.lane);
  finding.message = {shared ? MessageId::CopyMayStillWrite : MessageId::CopyMayStillRead,
                     {Message(verb, {who(issue.block, issue.warp, lane), place}), copier, program_->line(copy.pc)}};
  finding.steps.push_back(
      {copy.cycle, copy.block, copy.warp, copy.pc, lane_bit(copy.lane), {MessageId::BeginsToCopy, {copier}}});
}

}  // namespace warpsim
