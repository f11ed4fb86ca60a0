#include "sim/timing/timed_code.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "isa/cfg.h"
#include "isa/check.h"
#include "isa/reads_writes.h"
#include "isa/uniformity.h"

namespace warpsim {

unsigned latency(const TimingProfile& profile, std::uint8_t writer, TimedCode::Use use, std::uint8_t reader) {
  const TimingClass& cls = profile.classes[writer];
  if (use == TimedCode::Use::Guard) return cls.guard_latency;
  if (use == TimedCode::Use::Predicate && cls.predicate_latency != 0) return cls.predicate_latency;
  if (use == TimedCode::Use::Index) return cls.latency[profile.address.cls] + profile.address.latency;
  return cls.latency[reader];
}

namespace {

// The pipes of one warp, as a compiler fills them.
class Pipes {
 public:
  explicit Pipes(const TimingProfile& profile) : free_(profile.pipes.size()) {}
  // When an instruction of `cls` issues that could at `now`.
  std::uint64_t take(const TimingClass& cls, std::uint64_t now) {
    if (cls.pipes.empty()) return now;
    double& free = free_[*std::min_element(cls.pipes.begin(), cls.pipes.end(),
                                           [this](std::uint8_t a, std::uint8_t b) { return free_[a] < free_[b]; })];
    now = std::max(now, static_cast<std::uint64_t>(std::ceil(free)));
    free = std::max(free, static_cast<double>(now)) + cls.interval;
    return now;
  }

 private:
  std::vector<double> free_;
};

}  // namespace

TimedCode::TimedCode(const TimingProfile& profile, const Program& program) : insns_(program.code.size()) {
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const warpsim::Insn& insn = program.code[pc];
    const OpInfo& row = info(insn.op);
    const std::int32_t cls = class_of(profile, insn);
    WARPSIM_CHECK(cls >= 0);
    Insn& timed = insns_[pc];
    timed.cls = static_cast<std::uint8_t>(cls);
    timed.is_branch = row.lift == Lift::Branch;
    timed.from_memory = row.lift == Lift::Load || row.lift == Lift::Atomic;
    timed.caches = row.unit == Unit::Mem && (row.lift == Lift::Load || row.lift == Lift::Store);
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
      if (insn.guard.reg >= 0) reads_.push_back({reg, Use::Value});  // the lanes that it leaves keep what they have
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
    const std::int32_t meets = cfg.reconvergence_pc(static_cast<std::int32_t>(pc));
    if (meets != kExit) insns_[static_cast<std::size_t>(meets)].meets = true;
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
  Pipes pipes(profile);
  std::uint64_t now = 0, last = 0;
  std::map<std::int32_t, std::pair<std::uint64_t, std::uint8_t>> written;  // when, and by which class
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    Insn& insn = insns_[pc];
    if (starts[pc]) written.clear();
    for (const Read& one : reads(insn)) {
      const auto found = written.find(one.reg);
      if (found == written.end()) continue;
      const std::uint64_t ready = found->second.first + latency(profile, found->second.second, one.use, insn.cls);
      if (ready <= now) continue;
      now = ready;
      insn.distance_reg = one.reg;
    }
    const TimingClass& cls = profile.classes[insn.cls];
    if (insn.distance_reg >= 0) insn.distance = static_cast<std::uint32_t>(now - last);
    now = pipes.take(cls, now);
    for (const std::int32_t reg : writes(insn)) {
      if (cls.is_variable) written.erase(reg);
      else written[reg] = {now, insn.cls};
    }
    last = now;
    now += cls.issue;
  }
}

// An operand that the instruction before has in the same place is kept for this one, if the warp goes on with it: what
// this one reads must be there by then.
void TimedCode::find_operand_reuse(const TimingProfile& profile, const Program& program) {
  const auto same_place = [&](const warpsim::Insn& one, const warpsim::Insn& other) {
    const auto form = slots(info(one.op).form);
    for (std::size_t k = 0; k < form.size() && k < one.operands.size() && k < other.operands.size(); ++k)
      if (form[k].role == Role::Src && register_of(one.operands[k]) >= 0 &&
          register_of(one.operands[k]) == register_of(other.operands[k]))
        return true;
    return false;
  };
  // When each would issue if its warp were alone.
  std::uint64_t now = 0;
  std::map<std::int32_t, std::pair<std::uint64_t, std::uint8_t>> written;  // when, and by which class
  Pipes pipes(profile);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    Insn& insn = insns_[pc];
    std::set<std::int32_t> read;
    bool waits = false;
    for (const Read& one : reads(insn)) {
      if (one.use == Use::Value) read.insert(one.reg);
      const auto found = written.find(one.reg);
      if (found == written.end()) continue;
      const std::uint64_t ready = found->second.first + latency(profile, found->second.second, one.use, insn.cls);
      waits = waits || ready > now;
      now = std::max(now, ready);
    }
    const TimingClass& cls = profile.classes[insn.cls];
    const std::uint64_t takes = pipes.take(cls, now);
    waits = waits || takes > now;
    now = takes;
    const bool goes_on = pc > 0 && !waits && same_place(program.code[pc], program.code[pc - 1]);
    insn.three_anew = read.size() >= 3 && !goes_on;
    insn.three_kept = read.size() >= 3 && goes_on;
    for (const std::int32_t reg : writes(insn)) written[reg] = {now, insn.cls};
    now += cls.issue;
  }
}

}  // namespace warpsim
