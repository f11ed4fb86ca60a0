// Follows sets of lanes through shuffles and operations: see advice_shuffles.h.
#include "sim/advice/advice_shuffles.h"

#include <algorithm>
#include <cstring>

namespace warpsim {
namespace {

constexpr std::size_t kMaxOpen = 16;  // chains of a warp that may still go on

LaneMask lanes_before(unsigned lane) { return lane_bit(lane) - 1; }
LaneMask lanes_up_to(unsigned lane) { return lanes_before(lane) | lane_bit(lane); }

}  // namespace

// ---- what values are

ShuffleAdvice::Chain* ShuffleAdvice::find_chain(std::uint32_t id) {
  for (auto at = current_->open.rbegin(); at != current_->open.rend(); ++at)  // mostly the newest
    if (at->id == id) return &*at;
  return nullptr;
}

std::uint32_t ShuffleAdvice::chain_of_origin(std::uint32_t origin) const {
  for (const Chain& chain : current_->open)
    if (chain.origin == origin) return chain.id;
  return 0;
}

ShuffleAdvice::Lanes& ShuffleAdvice::lanes_of(Reg& reg) {
  if (!reg.lanes) {
    const std::uint32_t chain = chain_of_origin(reg.origin);
    reg.lanes = std::make_unique<Lanes>();
    for (unsigned lane = 0; lane < lanes_; ++lane) (*reg.lanes)[lane] = {chain, chain == 0 ? 0 : lane_bit(lane)};
  }
  return *reg.lanes;
}

DependsOn ShuffleAdvice::depends_of(const std::vector<std::int32_t>& regs) const {
  DependsOn depends = DependsOn::Lane;
  for (const std::int32_t reg : regs)
    depends = std::max(depends, current_->regs[static_cast<std::size_t>(reg)].depends);
  return depends;
}

// Of who executes this.
DependsOn ShuffleAdvice::control() const {
  const std::int32_t guard = now_.insn->guard.reg;
  return guard < 0 ? current_->split : std::max(current_->split, depends_of({guard}));
}

// Values that no chain knows, on the lanes that execute.
void ShuffleAdvice::make_new(std::int32_t dst, DependsOn depends) {
  if (dst < 0) return;
  Reg& reg = current_->regs[static_cast<std::size_t>(dst)];
  const bool all = (now_.alive & ~now_.active) == 0;
  reg.depends = all ? depends : std::max(depends, reg.depends);
  if (!reg.lanes || all) {
    reg.lanes.reset();
    reg.origin = ++next_;
    return;
  }
  for_each_lane(now_.active, [&](unsigned lane) { (*reg.lanes)[lane] = {}; });
}

void ShuffleAdvice::put(std::int32_t dst, LaneMask lanes, const Lanes& values, DependsOn depends) {
  Reg& reg = current_->regs[static_cast<std::size_t>(dst)];
  bool any = reg.lanes != nullptr;
  for_each_lane(lanes, [&](unsigned lane) { any = any || values[lane].chain != 0; });
  if (!any) return make_new(dst, depends);
  const bool all = (now_.alive & ~lanes) == 0;
  reg.depends = all ? depends : std::max(depends, reg.depends);
  Lanes& now = lanes_of(reg);
  for_each_lane(lanes, [&](unsigned lane) { now[lane] = values[lane]; });
}

// A use that is no part of a chain: fine of a value of its own, and of one that a collective would give, too.
void ShuffleAdvice::read_value(const Value& value, unsigned lane) {
  if (value.chain == 0 || value.of == lane_bit(lane)) return;
  Chain* const chain = find_chain(value.chain);
  if (chain == nullptr) return;
  if (value.of == full_mask(lanes_)) chain->reads_all = chain->reads_all || lane + 1 != lanes_;
  else if (value.of == lanes_up_to(lane)) chain->reads_up_to = true;
  else if (value.of != 0 && value.of == lanes_before(lane)) chain->reads_before = true;
  else chain->reads_other = true;
}

void ShuffleAdvice::read(std::int32_t reg, LaneMask lanes) {
  if (reg < 0) return;
  const Reg& of = current_->regs[static_cast<std::size_t>(reg)];
  if (of.lanes) for_each_lane(lanes, [&](unsigned lane) { read_value((*of.lanes)[lane], lane); });
}

// ---- what instructions do

void ShuffleAdvice::on_issue(const IssueEvent& event) {
  if (!shuffles_at_all_) return;
  now_ = event;
  key_ = std::uint64_t{event.block} * warps_per_block_ + event.warp;
  current_ = &warps_[key_];
  if (current_->regs.empty()) {
    current_->block = event.block;
    current_->warp = event.warp;
    current_->regs.resize(program_->registers.size() + 1);
    current_->truth.resize(program_->registers.size() + 1);
  }
  current_->alive = event.alive;
  if (event.group == event.alive) current_->split = DependsOn::Lane;
  if (event.active == 0) return;
  const Code& code = code_[static_cast<std::size_t>(event.pc)];
  if (code.part != Part::Shuffle) compute(code);
}

void ShuffleAdvice::compute(const Code& code) {
  const LaneMask active = now_.active;
  const DependsOn who = control();
  const DependsOn chosen = code.part == Part::Select ? std::max(who, depends_of({code.pred})) : who;
  DependsOn depends = std::max({chosen, code.depends, depends_of(code.others)});
  for (const std::int32_t reg : {code.a, code.b})
    if (reg >= 0) depends = std::max(depends, depends_of({reg}));
  const auto reg_of = [&](std::int32_t reg) { return &current_->regs[static_cast<std::size_t>(reg)]; };
  const bool in_chain = (code.a >= 0 && reg_of(code.a)->lanes) || (code.b >= 0 && reg_of(code.b)->lanes);
  for (const std::int32_t reg : code.others) read(reg, active);
  const bool whole_copy =
      code.part == Part::Copy && !in_chain && chosen != DependsOn::Memory && (now_.alive & ~active) == 0;
  if (whole_copy) {
    reg_of(code.dst)->origin = reg_of(code.a)->origin;
    reg_of(code.dst)->lanes.reset();
    reg_of(code.dst)->depends = depends;
    return;
  }
  const bool new_values = code.part == Part::Other || (code.part == Part::Combine && !in_chain);
  if (new_values || chosen == DependsOn::Memory) {
    read(code.a, active);
    read(code.b, active);
    for (const std::int32_t reg : code.writes) make_new(reg, depends);
    return;
  }
  Lanes values;
  // The values of a register: looked up once for those that all belong to one origin.
  const auto values_of = [&](std::int32_t reg) {
    const Lanes* const lanes = reg < 0 ? nullptr : reg_of(reg)->lanes.get();
    const std::uint32_t chain = reg < 0 || lanes != nullptr ? 0 : chain_of_origin(reg_of(reg)->origin);
    return [lanes, chain](unsigned lane) {
      return lanes != nullptr ? (*lanes)[lane] : chain == 0 ? Value{} : Value{chain, lane_bit(lane)};
    };
  };
  const auto a = values_of(code.a), b = values_of(code.b);
  const LaneMask truth = code.pred < 0 ? ~LaneMask{0} : current_->truth[static_cast<std::size_t>(code.pred)];
  for_each_lane(active, [&](unsigned lane) {
    const Value in_a = a(lane), in_b = b(lane);
    if (code.part == Part::Combine) values[lane] = combined(in_a, in_b, lane);
    else values[lane] = code.part == Part::Copy || has_lane(truth, lane) != code.negated ? in_a : in_b;
    Chain* const chain = find_chain(values[lane].chain);
    const bool moved = values[lane].of != lane_bit(lane);
    if (chain != nullptr) chain->depends = std::max(chain->depends, chosen);
    const bool counts = chain != nullptr && moved && (chain->others.empty() || chain->others.back() != now_.pc);
    if (counts) chain->others.push_back(now_.pc);
  });
  put(code.dst, active, values, depends);
  look_whether_done(code.dst);
}

ShuffleAdvice::Value ShuffleAdvice::combined(const Value& a, const Value& b, unsigned lane) {
  const Insn& insn = *now_.insn;
  Chain* const chain = a.chain == b.chain && a.chain != 0 ? find_chain(a.chain) : nullptr;
  const bool is_over = a.of == full_mask(lanes_) || b.of == full_mask(lanes_);  // a result of all lanes counts as used
  if (chain == nullptr || is_over || (chain->has_op && (chain->op != insn.op || chain->type != insn.type))) {
    read_value(a, lane);
    read_value(b, lane);
    return {};
  }
  chain->has_op = true;
  chain->op = insn.op;
  chain->type = insn.type;
  const bool twice_is_once = code_[static_cast<std::size_t>(now_.pc)].twice_is_once;
  if (a.of == 0 || b.of == 0 || ((a.of & b.of) != 0 && !twice_is_once)) return {a.chain, 0};
  return {a.chain, a.of | b.of};
}

// Does each lane hold what all lanes make?
bool ShuffleAdvice::is_reduced(const Reg& reg) const {
  bool reduced = reg.lanes != nullptr;
  for (unsigned lane = 0; reduced && lane < lanes_; ++lane) reduced = (*reg.lanes)[lane].of == full_mask(lanes_);
  return reduced;
}

// Does each lane hold what lanes 0 to itself make?
bool ShuffleAdvice::is_scanned(const Reg& reg) const {
  bool scanned = reg.lanes != nullptr;
  for (unsigned lane = 0; scanned && lane < lanes_; ++lane) scanned = (*reg.lanes)[lane].of == lanes_up_to(lane);
  return scanned;
}

// The chain that the values of the register belong to; a new one if they have none, or not all the same.
// What is done ends its chain, unless it is a scan that the lanes now take one lane late.
ShuffleAdvice::Chain& ShuffleAdvice::chain_at(std::int32_t reg, bool shifts) {
  Reg& of = current_->regs[static_cast<std::size_t>(reg)];
  if (of.lanes) {
    const std::uint32_t first = (*of.lanes)[0].chain;
    bool same = first != 0 && find_chain(first) != nullptr && !is_reduced(of) && (shifts || !is_scanned(of));
    for (unsigned lane = 1; lane < lanes_; ++lane) same = same && (*of.lanes)[lane].chain == first;
    if (same) return *find_chain(first);
    read(reg, full_mask(lanes_));
    of.lanes.reset();
    of.origin = ++next_;
  }
  if (Chain* const known = find_chain(chain_of_origin(of.origin))) return *known;
  if (current_->open.size() == kMaxOpen) close_oldest(*current_);
  if (of.origin == 0) of.origin = ++next_;
  Chain& chain = current_->open.emplace_back();
  chain.id = ++next_;
  chain.origin = of.origin;
  chain.from = reg;
  chain.cycle = now_.cycle;
  return chain;
}

void ShuffleAdvice::on_exchange(const ExchangeEvent& event) {
  if (!shuffles_at_all_ || event.lanes == 0) return;
  const Code& code = code_[static_cast<std::size_t>(now_.pc)];
  if (code.part != Part::Shuffle) return;
  look_at_site(event, code);
  shuffle(event, code);
}

void ShuffleAdvice::shuffle(const ExchangeEvent& event, const Code& code) {
  const LaneMask all = full_mask(lanes_);
  const DependsOn where = std::max({control(), code.depends, depends_of(code.others)});
  const DependsOn depends = code.a < 0 ? where : std::max(where, depends_of({code.a}));
  for (const std::int32_t reg : code.others) read(reg, event.lanes);
  const bool whole = event.lanes == all && event.undefined == 0 && code.a >= 0 && where != DependsOn::Memory;
  if (!whole || code.dst < 0) {
    read(code.a, event.lanes);
    make_new(code.dst, depends);
    make_new(code.in_range, where);
    return;
  }
  bool shifts = true;
  for (unsigned lane = 1; lane < lanes_; ++lane) shifts = shifts && event.from[lane] + 1U == lane;
  Chain& chain = chain_at(code.a, shifts);
  chain.depends = std::max(chain.depends, where);
  const Reg& from = current_->regs[static_cast<std::size_t>(code.a)];
  Lanes values;
  unsigned offset = 0;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const unsigned source = event.from[lane];
    values[lane] = from.lanes ? (*from.lanes)[source] : Value{chain.id, lane_bit(source)};
    if (offset == 0) offset = source < lane ? lane - source : source - lane;
  }
  chain.shuffles.push_back(now_.pc);
  chain.offsets.push_back(offset);
  put(code.dst, all, values, depends);
  make_new(code.in_range, where);
  look_whether_done(code.dst);
}

void ShuffleAdvice::on_write(const WriteEvent& event) {
  if (!shuffles_at_all_ || event.cls != RegClass::Pred) return;
  LaneMask values = 0;
  std::memcpy(&values, event.data, sizeof values);
  LaneMask& truth = current_->truth[static_cast<std::size_t>(event.reg)];
  truth = (truth & ~event.lanes) | (values & event.lanes);
}

void ShuffleAdvice::on_mask(const MaskEvent& event) {
  if (!shuffles_at_all_ || current_ == nullptr) return;
  if (event.kind == MaskEvent::Kind::Branch && event.taken != 0 && event.not_taken != 0)
    current_->split = std::max(current_->split, control());
  if (event.kind == MaskEvent::Kind::Exit && (current_->alive &= ~event.taken) == 0) end(key_);
}

// ---- what has come of them

void ShuffleAdvice::look_whether_done(std::int32_t reg) {
  const Reg& of = current_->regs[static_cast<std::size_t>(reg)];
  if (lanes_ < 4 || !of.lanes || now_.alive != full_mask(lanes_)) return;
  const Lanes& values = *of.lanes;
  Chain* const chain = find_chain(values[lanes_ - 1].chain);
  if (chain == nullptr || !chain->has_op) return;
  bool all = true, up_to = true, before = true;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const bool ours = values[lane].chain == chain->id;
    all = all && ours && values[lane].of == full_mask(lanes_);
    up_to = up_to && ours && values[lane].of == lanes_up_to(lane);
    before = before && (lane == 0 || (ours && values[lane].of == lanes_before(lane)));
  }
  const bool at_0 = values[0].chain == chain->id && values[0].of == full_mask(lanes_);
  const auto is_in = [&](Kind kind) { chain->into[static_cast<std::size_t>(kind)] = reg; };
  if (all) is_in(Kind::Reduce);
  if (up_to) is_in(Kind::Scan);
  if (before) is_in(Kind::ExclusiveScan);
  if (at_0) is_in(Kind::ReduceToLane0);
}

void ShuffleAdvice::close_oldest(WarpState& warp) {
  Chain chain = warp.open.front();
  warp.open.pop_front();
  // What of it still stands in registers may be read later: then nobody would know.
  for (const Reg& reg : warp.regs) {
    for (unsigned lane = 0; reg.lanes && lane < lanes_; ++lane) {
      const Value& value = (*reg.lanes)[lane];
      const bool own = value.of == lane_bit(lane), whole = value.of == full_mask(lanes_);
      if (value.chain == chain.id && !own && !whole) chain.bad = true;
    }
  }
  close(warp, chain);
}

void ShuffleAdvice::end(std::uint64_t key) {
  const auto at = warps_.find(key);
  if (at == warps_.end()) return;
  for (const Chain& chain : at->second.open) close(at->second, chain);
  warps_.erase(at);
  current_ = nullptr;
}

}  // namespace warpsim
