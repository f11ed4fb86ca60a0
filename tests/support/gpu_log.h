// The log that a recording kernel would have written, made from a run of the simulator.
//
// Shapes: an EventSink; log() is what gpu_trace() takes. What a kernel leaves as it finds it (the words after a
//         thread's last record) and what must not be read (an atomic's operands) is filled with a pattern.
// Units:  words of 64 bits; threads in the hardware's numbering.
// Errors: complaints() names each record that has not as many values as ptx_record::values() says.
// Source: isa/ptx_writer/ptx_writer.h, ptx_record.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "isa/ptx_writer/ptx_writer.h"
#include "sim/machine/machine.h"
#include "tools/cuda/recording/gpu_trace.h"

namespace warpsim::testing {

class GpuLogWriter : public EventSink {
 public:
  static constexpr std::uint64_t kNobodyReads = 0xa5a5a5a5a5a5a5a5;

  void on_start(const Machine& machine) override {
    const Dim3 hardware = ptx_block(machine.lanes(), machine.config().block);
    threads_a_block_ = hardware.count();
    threads_.resize(threads_a_block_ * machine.config().grid.count());
    program_ = &machine.program();
  }
  void on_issue(const IssueEvent& event) override {
    finish_records();
    issue_ = event;
    in_record_ = true;
    for_each_lane(event.group, [&](unsigned lane) {
      std::vector<std::uint64_t>& words = of(lane);
      if (words.empty()) words.push_back(0);
      const std::uint64_t head = static_cast<std::uint64_t>(event.pc);
      begin_[lane] = words.size();
      words.push_back(has_lane(event.active, lane) ? head | ptx_record::kExecuted : head);
    });
  }
  void on_exchange(const ExchangeEvent& event) override {
    if (info(issue_.insn->op).lift != Lift::Shuffle) return;
    for_each_lane(event.lanes, [&](unsigned lane) {
      std::uint64_t& head = of(lane)[begin_[lane]];
      head |= std::uint64_t{event.from[lane]} << ptx_record::kFromShift;
      if (has_lane(event.in_range, lane)) head |= ptx_record::kInRange;
    });
  }
  // A byte is in a register of 16 bits, whose upper half may hold anything.
  void on_memory(const MemoryEvent& event) override {
    const std::uint64_t above = event.bytes == 1 ? 0xa500 : 0;
    for_each_lane(event.lanes, [&](unsigned lane) {
      of(lane).push_back(event.address[lane]);
      if (event.access == MemoryEvent::Access::Store)
        for (unsigned e = 0; e < event.elements; ++e) of(lane).push_back(event.value_of(lane, e) | above);
      if (event.access == MemoryEvent::Access::Atomic)
        for (std::size_t k = 0; k < atomic_operands(); ++k) of(lane).push_back(kNobodyReads);
    });
  }
  void on_write(const WriteEvent& event) override {
    const std::string& name = program_->registers[static_cast<std::size_t>(event.reg)].name;
    if (name == kCarryFlag) return;  // no kernel can read it
    for_each_lane(event.lanes, [&](unsigned lane) {
      written_[{issue_.pc, lane}].push_back({thread(lane), of(lane).size()});
      of(lane).push_back(event.at(lane));
    });
  }

  GpuLog log() {
    finish_records();
    std::size_t longest = 0;
    for (const std::vector<std::uint64_t>& words : threads_) longest = std::max(longest, words.size());
    GpuLog log;
    log.words_a_thread = static_cast<std::uint32_t>(longest + 3);
    log.threads_a_block = threads_a_block_;
    for (std::vector<std::uint64_t> words : threads_) {
      if (words.empty()) words = {0};  // a thread that the block does not have
      words[0] = words.size() == 1 ? 0 : words.size();
      words.resize(log.words_a_thread, kNobodyReads);
      log.words.insert(log.words.end(), words.begin(), words.end());
    }
    return log;
  }
  // Where the log has the k-th register that this lane wrote at `pc`, over all blocks and warps in the order of the
  // run.
  std::size_t word_of(std::int32_t pc, unsigned lane, std::size_t k, const GpuLog& log) const {
    const auto& [at_thread, at_word] = written_.at({pc, lane}).at(k);
    return at_thread * log.words_a_thread + at_word;
  }
  const std::string& complaints() const { return complaints_; }

 private:
  std::size_t thread(unsigned lane) const {
    return issue_.block * threads_a_block_ + issue_.warp * std::size_t{32} + lane;
  }
  std::vector<std::uint64_t>& of(unsigned lane) { return threads_[thread(lane)]; }

  // Sources of the instruction that is no address: what an atomic works with.
  std::size_t atomic_operands() const {
    const auto form = slots(info(issue_.insn->op).form);
    std::size_t count = 0;
    for (std::size_t k = 0; k < form.size() && k < issue_.insn->operands.size(); ++k)
      if (form[k].role == Role::Src && issue_.insn->operands[k].kind != Operand::Kind::None) ++count;
    return count;
  }
  void finish_records() {
    if (!in_record_) return;
    in_record_ = false;
    for_each_lane(issue_.active, [&](unsigned lane) {
      const std::size_t have = of(lane).size() - begin_[lane] - 1, should = ptx_record::values(*issue_.insn);
      if (have != should && complaints_.empty())
        complaints_ = "pc " + std::to_string(issue_.pc) + " " + std::string(info(issue_.insn->op).mnemonic) + " has " +
                      std::to_string(have) + " values, not " + std::to_string(should);
    });
  }

  const Program* program_ = nullptr;
  std::size_t threads_a_block_ = 0;
  std::vector<std::vector<std::uint64_t>> threads_;
  IssueEvent issue_{};
  bool in_record_ = false;
  std::array<std::size_t, kMaxLanes> begin_{};  // the record's head
  using PcAndLane = std::pair<std::int32_t, unsigned>;
  std::map<PcAndLane, std::vector<std::pair<std::size_t, std::size_t>>> written_;  // thread, word
  std::string complaints_;
};

}  // namespace warpsim::testing
