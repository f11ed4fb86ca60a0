#include "sim/timing/timed_code.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "isa/program/cfg.h"
#include "isa/program/reads_writes.h"
#include "isa/program/uniformity.h"
#include "isa/text/check.h"

namespace warpsim {

unsigned latency(const TimingProfile& profile, std::uint8_t writer, TimedCode::Use use, std::uint8_t reader) {
  const TimingClass& cls = profile.classes[writer];
  if (use == TimedCode::Use::Guard) return cls.guard_latency;
  if (use == TimedCode::Use::Predicate && cls.predicate_latency != 0) return cls.predicate_latency;
  if (use == TimedCode::Use::Index) return cls.latency[profile.address.cls] + profile.address.latency;
  return cls.latency[reader];
}

namespace {

// When the instructions of a single warp would issue, one after another.
class LoneWarp {
 public:
  explicit LoneWarp(const TimingProfile& profile) : profile_(profile), free_(profile.pipes.size()) {}

  struct Issue {
    std::uint64_t ready = 0;     // the instruction before has issued, and the operands are ready
    std::uint64_t at = 0;        // … and its pipe is free
    std::int32_t last_reg = -1;  // the operand that was ready last; -1: it did not wait for any
  };
  Issue issue(const TimedCode& code, const TimedCode::Insn& insn) {
    Issue one;
    one.ready = now_;
    for (const TimedCode::Read& read : code.reads(insn)) {
      const auto found = written_.find(read.reg);
      if (found == written_.end()) continue;
      const std::uint64_t there = found->second.first + latency(profile_, found->second.second, read.use, insn.cls);
      if (there <= one.ready) continue;
      one.ready = there;
      one.last_reg = read.reg;
    }
    const TimingClass& cls = profile_.classes[insn.cls];
    one.at = take_pipe(cls, one.ready);
    for (const std::int32_t reg : code.writes(insn)) written_[reg] = {one.at, insn.cls};
    now_ = one.at + cls.issue;
    return one;
  }
  // As if the register had been written long ago, or never.
  void forget(std::int32_t reg) { written_.erase(reg); }
  void forget() { written_.clear(); }

 private:
  std::uint64_t take_pipe(const TimingClass& cls, std::uint64_t now) {
    if (cls.pipes.empty()) return now;
    double& free = free_[*std::min_element(cls.pipes.begin(), cls.pipes.end(),
                                           [this](std::uint8_t a, std::uint8_t b) { return free_[a] < free_[b]; })];
    now = std::max(now, static_cast<std::uint64_t>(std::ceil(free)));
    free = std::max(free, static_cast<double>(now)) + cls.interval;
    return now;
  }

  const TimingProfile& profile_;
  std::uint64_t now_ = 0;
  std::map<std::int32_t, std::pair<std::uint64_t, std::uint8_t>> written_;  // when it was written, and by which class
  std::vector<double> free_;                                                // pipes
};

// Whether both read the same register as the same operand.
bool share_operand(const Insn& one, const Insn& other) {
  const auto form = slots(info(one.op).form);
  for (std::size_t k = 0; k < form.size() && k < one.operands.size() && k < other.operands.size(); ++k)
    if (form[k].role == Role::Src && register_of(one.operands[k]) >= 0 &&
        register_of(one.operands[k]) == register_of(other.operands[k]))
      return true;
  return false;
}

}  // namespace

TimedCode::TimedCode(const TimingProfile& profile, const Program& program) : insns_(program.code.size()) {
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const warpsim::Insn& insn = program.code[pc];
    const OpInfo& row = info(insn.op);
    const std::int32_t cls = class_of(profile, insn);
    WARPSIM_CHECK(cls >= 0);
    Insn& timed = insns_[pc];
    timed.cls = static_cast<std::uint8_t>(cls);
    timed.is_branch = is_jump(row.lift);
    const AccessKind access = access_of(row);
    timed.from_memory = accesses_memory(row) && access != AccessKind::Store;
    timed.copies = row.lift == Lift::Copy;
    timed.caches = timed.copies || (space_of(row, insn.mods) != AddressSpace::Shared && accesses_memory(row) &&
                                    (access == AccessKind::Load || access == AccessKind::Store));
    timed.copy_groups = insn.op == Op::CpAsyncCommit      ? TimedCode::CopyGroups::Commit
                        : insn.op == Op::CpAsyncWaitAll   ? TimedCode::CopyGroups::WaitAll
                        : insn.op == Op::CpAsyncWaitGroup ? TimedCode::CopyGroups::Wait
                                                          : TimedCode::CopyGroups::None;
    if (timed.copy_groups == CopyGroups::Wait)
      timed.pending = static_cast<std::uint8_t>(insn.operands[0].expr.evaluate(1));
    timed.first_read = static_cast<std::uint32_t>(reads_.size());
    if (insn.guard.reg >= 0) reads_.push_back({insn.guard.reg, Use::Guard});
    const auto form = slots(row.form);
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      const Operand& o = insn.operands[k];
      if ((form[k].role != Role::Src && form[k].role != Role::Addr) || register_of(o) < 0) continue;
      const bool is_bit = program.registers[static_cast<std::size_t>(o.reg)].cls == RegClass::Pred;
      timed.has_index = timed.has_index || o.kind == Operand::Kind::Element;
      reads_.push_back({o.reg, o.kind == Operand::Kind::Element ? Use::Index : is_bit ? Use::Predicate : Use::Value});
    }
    timed.first_write = static_cast<std::uint32_t>(writes_.size());
    for_each_written(insn, [&](std::int32_t reg) {
      writes_.push_back(reg);
      if (insn.guard.reg >= 0)
        reads_.push_back({reg, Use::Value});  // the lanes that the guard switches off keep their values
    });
    timed.reads = static_cast<std::uint32_t>(reads_.size()) - timed.first_read;
    timed.writes = static_cast<std::uint32_t>(writes_.size()) - timed.first_write;
  }
  if (program.code.empty()) return;
  find_distances(profile, program);
  find_operand_reuse(profile, program);
  const Cfg cfg = build_cfg(program);
  const Uniformity uniformity(program, cfg);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (!uniformity.may_part(static_cast<std::int32_t>(pc))) continue;
    const std::int32_t there = cfg.reconvergence_pc(static_cast<std::int32_t>(pc));
    if (there != kExit) insns_[static_cast<std::size_t>(there)].reconverges = true;
  }
}

void TimedCode::find_distances(const TimingProfile& profile, const Program& program) {
  std::vector<bool> starts(program.code.size() + 1);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (!insns_[pc].is_branch) continue;
    starts[pc + 1] = true;
    for (const Operand& o : program.code[pc].operands)
      if (o.kind == Operand::Kind::Label) starts[static_cast<std::size_t>(o.target)] = true;
  }
  LoneWarp warp(profile);
  std::uint64_t last = 0;  // the cycle in which the instruction before issued
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    Insn& insn = insns_[pc];
    if (starts[pc]) warp.forget();
    const LoneWarp::Issue issue = warp.issue(*this, insn);
    insn.distance_reg = issue.last_reg;
    if (issue.last_reg >= 0) insn.distance = static_cast<std::uint32_t>(issue.ready - last);
    if (profile.classes[insn.cls].is_variable)
      for (const std::int32_t reg : writes(insn)) warp.forget(reg);
    last = issue.at;
  }
}

// An operand that the instruction before reads at the same place is kept for this one, if the warp issues both back to
// back: the other operands of this one must be ready by then.
void TimedCode::find_operand_reuse(const TimingProfile& profile, const Program& program) {
  LoneWarp warp(profile);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    Insn& insn = insns_[pc];
    const LoneWarp::Issue issue = warp.issue(*this, insn);
    std::set<std::int32_t> read;
    for (const Read& one : reads(insn))
      if (one.use == Use::Value) read.insert(one.reg);
    const bool waits = issue.last_reg >= 0 || issue.at > issue.ready;
    const bool kept = pc > 0 && !waits && share_operand(program.code[pc], program.code[pc - 1]);
    insn.three_anew = read.size() >= 3 && !kept;
    insn.three_kept = read.size() >= 3 && kept;
  }
}

}  // namespace warpsim
