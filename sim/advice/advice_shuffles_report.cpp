// What of the chains and shuffles of a run is worth saying: see advice_shuffles.h.
#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>

#include "isa/kernels/shuffle_mode.h"
#include "isa/table/op.h"
#include "sim/advice/advice_parts.h"
#include "sim/advice/advice_shuffles.h"

namespace warpsim {

namespace advice {

Message how_often(std::uint64_t times, std::uint64_t of) {
  if (of == 1) return MessageId::InOneExecution;
  return times == of ? Message(MessageId::InEachExecution, {of}) : Message(MessageId::InSomeExecutions, {times, of});
}

const OpInfo* collective_row(Lift lift, const Insn& insn) {
  const Mods& mods = insn.mods;
  const bool rounds = mods.round != Round::None && mods.round != Round::Rn;
  if (rounds || mods.ftz || mods.sat || mods.relu || mods.nan || mods.xorsign) return nullptr;
  for (const OpInfo& one : all_ops())
    if (one.lift == lift && combines_by(one, info(insn.op), insn.type)) return &one;
  return nullptr;
}

bool order_shows(Op op, Type type) { return is_float(type) && !is_idempotent(op); }

}  // namespace advice

namespace {

const OpInfo* row_of(Lift lift, Op op, Type type) {
  Insn insn;
  insn.op = op;
  insn.type = type;
  return advice::collective_row(lift, insn);
}

// Why each lane gets its own value; `offset` counts lanes, also beyond the warp's.
Message why_identity(ShuffleMode mode, std::int64_t offset, unsigned lanes) {
  if (mode == ShuffleMode::Idx) return MessageId::AsksForItself;
  const bool swaps = mode == ShuffleMode::Bfly, up = mode == ShuffleMode::Up;
  if (offset == 0) return swaps ? MessageId::XorByZero : up ? MessageId::UpByZero : MessageId::DownByZero;
  return {swaps ? MessageId::XorByMultiple : up ? MessageId::UpByMultiple : MessageId::DownByMultiple, {offset, lanes}};
}

}  // namespace

std::optional<ShuffleAdvice::Kind> ShuffleAdvice::kind_of(const Chain& chain) {
  const auto is_done = [&](Kind kind) { return chain.into[static_cast<std::size_t>(kind)] >= 0; };
  if (chain.bad || !chain.has_op || chain.reads_other) return std::nullopt;
  const bool all_alone = !chain.reads_up_to && !chain.reads_before;
  if (is_done(Kind::Reduce) && all_alone) return Kind::Reduce;
  const bool scans = row_of(Lift::Scan, chain.op, chain.type) != nullptr && !chain.reads_all;
  if (is_done(Kind::ExclusiveScan) && scans && !chain.reads_up_to && chain.reads_before) return Kind::ExclusiveScan;
  if (is_done(Kind::Scan) && scans && !chain.reads_before) return Kind::Scan;
  if (is_done(Kind::ReduceToLane0) && all_alone) return Kind::ReduceToLane0;
  return std::nullopt;
}

// Does it combine in the collective's order: W/2 … 2, 1 for reduce, 1, 2 … W/2 for scan?
bool ShuffleAdvice::in_order(const Chain& chain, Kind kind) const {
  const bool rises = kind == Kind::Scan || kind == Kind::ExclusiveScan;
  const unsigned steps = static_cast<unsigned>(std::countr_zero(lanes_));
  for (unsigned k = 0; k < steps; ++k) {
    const unsigned offset = rises ? 1U << k : lanes_ >> (k + 1);
    if (k >= chain.offsets.size() || chain.offsets[k] != offset) return false;
  }
  return true;
}

void ShuffleAdvice::close(const WarpState& warp, const Chain& chain) {
  const std::optional<Kind> kind = kind_of(chain);
  if (!kind) return;
  std::set<std::int32_t> pcs(chain.shuffles.begin(), chain.shuffles.end());
  pcs.insert(chain.others.begin(), chain.others.end());
  Group& group = groups_[{std::vector<std::int32_t>(pcs.begin(), pcs.end()), *kind, chain.op, chain.type}];
  const bool first = group.times++ == 0 ||
                     std::tuple(chain.cycle, warp.block, warp.warp) < std::tuple(group.cycle, group.block, group.warp);
  if (first) {
    group.cycle = chain.cycle;
    group.block = warp.block;
    group.warp = warp.warp;
    group.from = chain.from;
    group.into = chain.into[static_cast<std::size_t>(*kind)];
  }
  group.in_order = group.in_order && in_order(chain, *kind);
  group.depends = std::max(group.depends, chain.depends);
  for (const std::int32_t pc : chain.shuffles) {
    ++group.shuffles[pc];
    ++sites_[static_cast<std::size_t>(pc)].in_chains;
  }
}

void ShuffleAdvice::look_at_site(const ExchangeEvent& event, const Code& code) {
  Site& site = sites_[static_cast<std::size_t>(now_.pc)];
  if (site.executions++ == 0) {
    site.cycle = now_.cycle;
    site.block = now_.block;
    site.warp = now_.warp;
    site.lane = event.from[first_lane(event.lanes)];
  }
  site.lanes |= event.lanes;
  site.depends = std::max({site.depends, code.depends, depends_of(code.others)});
  bool itself = true, one = event.lanes == now_.alive && (event.undefined & event.lanes) == 0;
  for_each_lane(event.lanes, [&](unsigned lane) {
    itself = itself && event.from[lane] == lane && has_lane(event.in_range, lane);
    one = one && event.from[lane] == site.lane && has_lane(event.in_range, lane);
  });
  site.to_itself += itself ? 1 : 0;
  site.one_lane += one ? 1 : 0;
}

// "line 12", "lines 12-14, 16", "lines sum.cu:12-14, 16"
Message ShuffleAdvice::lines_named(const std::vector<std::int32_t>& pcs) const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> lines;  // by file and line
  for (const std::int32_t pc : pcs) {
    const SourceRange where = program_->place(pc);
    lines.emplace(std::pair(where.file, where.line), program_->line(pc));
  }
  std::string text;
  for (auto at = lines.begin(); at != lines.end();) {
    const auto [file, low] = at->first;
    const bool names_file = at == lines.begin() || std::prev(at)->first.first != file;
    text += (text.empty() ? "" : ", ") + (names_file ? at->second : std::to_string(low));
    std::uint32_t high = low;
    for (++at; at != lines.end() && at->first == std::pair(file, high + 1); ++at) ++high;
    if (high != low) text += "-" + std::to_string(high);
  }
  return {lines.size() == 1 ? MessageId::LineNumber : MessageId::LineNumbers, {std::move(text)}};
}

void ShuffleAdvice::report_chains(std::vector<RunFinding>& found) const {
  std::set<std::int32_t> said;
  for (const auto& [key, group] : groups_) {
    const auto& [pcs, kind, op, type] = key;
    const bool always = std::all_of(group.shuffles.begin(), group.shuffles.end(), [&](const auto& one) {
      const Site& site = sites_[static_cast<std::size_t>(one.first)];
      return site.executions == site.in_chains;
    });
    const std::int32_t first = group.shuffles.begin()->first;
    if (!always || !said.insert(first).second) continue;
    const bool scans = kind == Kind::Scan || kind == Kind::ExclusiveScan;
    const OpInfo& row = *row_of(scans ? Lift::Scan : Lift::Reduce, op, type);
    const std::string types = "." + std::string(name(type));
    const std::string combining = std::string(info(op).mnemonic) + types;
    std::uint64_t shuffles = 0;
    for (const auto& [pc, times] : group.shuffles) shuffles += times;
    RunFinding one;
    one.code = Finding::CollectiveInstead;
    one.cycle = group.cycle;
    one.block = group.block;
    one.warp = group.warp;
    one.pc = first;
    one.lanes = full_mask(lanes_);
    const Message values = kind == Kind::Reduce          ? Message(MessageId::AllLanesForEach, {lanes_})
                           : kind == Kind::ReduceToLane0 ? Message(MessageId::AllLanesForLane0, {lanes_})
                           : kind == Kind::Scan          ? Message(MessageId::LanesUpToEach)
                                                         : Message(MessageId::LanesBeforeEach);
    Message instead = std::string(row.mnemonic) + (kind == Kind::ExclusiveScan ? ".exclusive" + types : types) + " " +
                      program_->registers[static_cast<std::size_t>(group.into)].name + ", " +
                      program_->registers[static_cast<std::size_t>(group.from)].name;
    if (kind == Kind::ReduceToLane0) instead = {MessageId::WhichEveryLaneGets, {std::move(instead)}};
    if (kind == Kind::ExclusiveScan) instead = {MessageId::WhichGivesIdentity, {std::move(instead)}};
    if (advice::order_shows(op, type) && !group.in_order)
      instead = {MessageId::RoundedInOtherOrder, {std::move(instead)}};
    one.message = {MessageId::CombineByShuffles,
                   {lines_named(pcs), combining, shuffles / group.times, values, std::move(instead)}};
    if (group.depends == DependsOn::Launch) add_sentence(one.message, {MessageId::SoInLaunchOfAll, {lanes_}});
    if (group.times > 1) add_sentence(one.message, {MessageId::TimesInThisRun, {group.times}});
    found.push_back(one);
  }
}

std::string ShuffleAdvice::operand_text(const Operand& operand, unsigned lane) const {
  if (operand.kind == Operand::Kind::Reg) return program_->registers[static_cast<std::size_t>(operand.reg)].name;
  if (operand.kind == Operand::Kind::Param) return program_->params[static_cast<std::size_t>(operand.param)].name;
  return std::to_string(lane);
}

void ShuffleAdvice::report_sites(std::vector<RunFinding>& found) const {
  for (std::size_t pc = 0; pc < sites_.size(); ++pc) {
    const Site& site = sites_[pc];
    const Insn& insn = program_->code[pc];
    if (site.executions == 0 || info(insn.op).lift != Lift::Shuffle || count_lanes(site.lanes) < 2) continue;
    const ShuffleMode mode = shuffle_mode(insn.op);
    const bool identity = site.to_itself == site.executions && site.depends == DependsOn::Lane;
    const OpInfo& broadcast = info(Op::Broadcast);
    const bool one_lane = mode == ShuffleMode::Idx && site.one_lane == site.executions &&
                          site.depends != DependsOn::Memory && code_[pc].in_range < 0 &&
                          contains(broadcast.types, insn.type) && site.in_chains < site.executions;
    if (!identity && !one_lane) continue;
    RunFinding one;
    one.cycle = site.cycle;
    one.block = site.block;
    one.warp = site.warp;
    one.pc = static_cast<std::int32_t>(pc);
    one.lanes = site.lanes;
    const Operand& b = insn.operands[3];
    if (identity) {
      one.code = Finding::XorIsIdentity;
      const std::int64_t offset = b.kind == Operand::Kind::Imm ? b.expr.evaluate(lanes_) : 0;
      one.message = {MessageId::EachGetsOwnValue,
                     {why_identity(mode, offset, lanes_), advice::how_often(site.to_itself, site.executions)}};
      if (mode != ShuffleMode::Bfly)
        one.hint = mode == ShuffleMode::Idx ? MessageId::TryWhichLane : MessageId::TryWhichOffset;
    } else {
      one.code = Finding::CollectiveInstead;
      const std::string lane = operand_text(b, site.lane);
      one.message = {MessageId::AllTakeFromLane,
                     {site.lane, advice::how_often(site.one_lane, site.executions),
                      "broadcast." + std::string(name(insn.type)) + " " + operand_text(insn.operands[0], 0) + ", " +
                          operand_text(insn.operands[2], 0) + (lane == "0" ? "" : ", " + lane)}};
      const bool bounded = insn.operands[4].kind != Operand::Kind::None || insn.operands[5].kind != Operand::Kind::None;
      if (bounded && site.depends == DependsOn::Launch) add_sentence(one.message, MessageId::SoInThisLaunch);
    }
    found.push_back(one);
  }
}

void ShuffleAdvice::finish(std::vector<RunFinding>& found) {
  while (!warps_.empty()) end(warps_.begin()->first);  // of a run that was stopped
  std::vector<RunFinding> own;
  report_chains(own);
  report_sites(own);
  std::stable_sort(own.begin(), own.end(), [](const RunFinding& a, const RunFinding& b) {
    return std::pair(a.code, a.pc) < std::pair(b.code, b.pc);
  });
  found.insert(found.end(), own.begin(), own.end());
}

}  // namespace warpsim
