// See register_loops.h.
#include "sim/engine/register_loops.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <span>

namespace warpsim::engine {

namespace {

// What lanes compute by themselves, or exchange in an order that is known before the run.
bool is_of_registers(const Code& code, const DecodedInsn& d) {
  if (d.watched) return false;
  switch (d.lift) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam: return d.masked != nullptr && !d.reads_clock;
    case Lift::Shuffle:
      return code.lanes == 32 && d.guard == kNoOffset && bits(d.type) == 32 && d.table != kNoOffset &&
             d.fast.alone != nullptr;
    default: return false;
  }
}

// Of a longer number the lower half.
std::uint32_t constant_at(const Code& code, std::uint32_t row) {
  std::uint32_t value;
  std::memcpy(&value, code.block_template.data() + row, sizeof value);
  return value;
}

// Adds the same number to its own register each time; what it adds is not a multiple of too large a power of two.
bool counts(const Code& code, const DecodedInsn& d) {
  if ((d.op != Op::Add && d.op != Op::Sub) || d.lift != Lift::Lane || is_float(d.type) || d.guard != kNoOffset)
    return false;
  if ((bits(d.type) != 32 && bits(d.type) != 64) || d.dst != d.a || !code.is_constant(d.b)) return false;
  const std::uint32_t step = constant_at(code, d.b);
  constexpr int kBits = 32;
  return step != 0 && (std::uint64_t{1} << (kBits - std::countr_zero(step))) >= kRoundsOfCounter;
}

bool has_counter(const Code& code, std::span<const DecodedInsn> body) {
  return std::any_of(body.begin(), body.end(), [&](const DecodedInsn& d) {
    return counts(code, d) && std::none_of(body.begin(), body.end(), [&](const DecodedInsn& other) {
             return &other != &d && other.dst == d.dst;
           });
  });
}

}  // namespace

std::vector<RegisterLoop> register_loops(const Code& code) {
  std::vector<RegisterLoop> loops;
  for (const DecodedInsn& branch : code.insns) {
    if (branch.lift != Lift::Branch || branch.watched || branch.target < 0 || branch.target > branch.pc) continue;
    const auto body =
        std::span(code.insns)
            .subspan(static_cast<std::size_t>(branch.target), static_cast<std::size_t>(branch.pc - branch.target));
    if (std::all_of(body.begin(), body.end(), [&](const DecodedInsn& d) { return is_of_registers(code, d); }) &&
        has_counter(code, body))
      loops.push_back({branch.target, branch.pc + 1});
  }
  return loops;
}

namespace {

// What a scalar instruction does as well.
bool is_scalar(Op op) {
  return op == Op::Add || op == Op::Sub || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Mov;
}

bool is_commutative(Op op) {
  return op == Op::Add || op == Op::MulLo || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Min ||
         op == Op::Max;
}

// Lane by lane, into a row of its own.
bool is_lane_by_lane(const DecodedInsn& d) {
  return d.lift == Lift::Lane && d.dst != kNoOffset && (is_scalar(d.op) || is_commutative(d.op) || d.op == Op::MadLo);
}

bool is_exchange(const DecodedInsn& d) { return d.lift == Lift::Shuffle && d.dst != kNoOffset && d.xor_lanes != 0; }

bool is_comparison(const DecodedInsn& d) {
  return d.lift == Lift::Compare && d.dst != kNoOffset && !d.mods.ftz &&
         (d.op == Op::SetpEq || d.op == Op::SetpNe || d.op == Op::SetpLt || d.op == Op::SetpLe || d.op == Op::SetpGt ||
          d.op == Op::SetpGe);
}

bool is_known(const DecodedInsn& d) {
  return d.guard == kNoOffset && bits(d.type) == 32 && !is_float(d.type) && !is_pair(d.type) &&
         (is_lane_by_lane(d) || is_exchange(d) || is_comparison(d));
}

// What is known between two instructions.
class Known {
 public:
  Known(const Code& code, const std::map<std::uint32_t, Alike>& at_begin) : code_(code), rows_(at_begin) {}

  Alike of(std::uint32_t row) const {
    if (row == kNoOffset || code_.is_constant(row)) return Alike::Lanes;
    const auto found = rows_.find(row);
    return found == rows_.end() ? Alike::No : found->second;
  }
  Alike pass(const DecodedInsn& d) {
    Alike result = std::min({of(d.a), of(d.b), of(d.c)});
    if (is_comparison(d)) return result == Alike::Lanes ? result : Alike::No;
    if (!is_scalar(d.op)) result = std::min(result, Alike::Halves);
    if (is_commutative(d.op) && (is_other_half(d.a, d.b) || is_other_half(d.b, d.a)))
      result = std::max(result, Alike::Halves);
    rows_[d.dst] = result;
    std::erase_if(exchanged_, [&](const auto& one) { return one.first == d.dst || one.second == d.dst; });
    if (is_exchange(d) && d.xor_lanes == code_.lanes / 2 && d.dst != d.a) exchanged_[d.dst] = d.a;
    return result;
  }

 private:
  bool is_other_half(std::uint32_t row, std::uint32_t of) const {
    const auto found = exchanged_.find(row);
    return found != exchanged_.end() && found->second == of;
  }

  const Code& code_;
  std::map<std::uint32_t, Alike> rows_;
  std::map<std::uint32_t, std::uint32_t> exchanged_;  // a row: the one whose halves it has the other way round
};

}  // namespace

AlikeRows alike_rows(const Code& code, const RegisterLoop& loop) {
  const auto body = std::span(code.insns).subspan(static_cast<std::size_t>(loop.begin), loop.length() - 1);
  if (code.lanes != 32 || !std::all_of(body.begin(), body.end(), is_known)) return {};
  AlikeRows alike;
  std::set<std::uint32_t> written;
  std::set<std::uint32_t> read_first;
  for (const DecodedInsn& d : body) {
    for (const std::uint32_t row : {d.a, d.b, d.c})
      if (!written.contains(row)) read_first.insert(row);
    if (!is_comparison(d)) written.insert(d.dst);
  }
  for (const std::uint32_t row : written)
    if (read_first.contains(row)) alike.at_begin[row] = Alike::Lanes;
  for (bool is_settled = false; !is_settled;) {
    Known rows(code, alike.at_begin);
    alike.results.clear();
    for (const DecodedInsn& d : body) alike.results.push_back(rows.pass(d));
    is_settled = true;
    for (auto& [row, how] : alike.at_begin) {
      if (rows.of(row) >= how) continue;
      how = rows.of(row);
      is_settled = false;
    }
  }
  std::erase_if(alike.at_begin, [](const auto& one) { return one.second == Alike::No; });
  return alike;
}

namespace {

bool reads(const DecodedInsn& d, std::uint32_t row) { return d.a == row || d.b == row || d.c == row || d.p == row; }
bool writes(const DecodedInsn& d, std::uint32_t row) { return d.dst == row || d.dst_pred == row; }

bool is_true(Op comparison, std::int64_t a, std::int64_t b) {
  switch (comparison) {
    case Op::SetpEq: return a == b;
    case Op::SetpNe: return a != b;
    case Op::SetpLt: return a < b;
    case Op::SetpLe: return a <= b;
    case Op::SetpGt: return a > b;
    default: return a >= b;
  }
}

}  // namespace

std::optional<CountedLoop> counted_loop(const Code& code, const RegisterLoop& loop, const AlikeRows& alike) {
  if (alike.results.empty()) return std::nullopt;
  const DecodedInsn& branch = code.insns[static_cast<std::size_t>(loop.end - 1)];
  const auto body = std::span(code.insns).subspan(static_cast<std::size_t>(loop.begin), loop.length() - 1);
  // Others may write the predicate's row before: what they do there is gone by the end of the round.
  const auto asks =
      std::find_if(body.rbegin(), body.rend(), [&](const DecodedInsn& d) { return writes(d, branch.guard); });
  if (asks == body.rend() || !is_comparison(*asks) || asks->p != kNoOffset || asks->dst_pred != kNoOffset ||
      !code.is_constant(asks->b))
    return std::nullopt;
  const auto adds = std::find_if(body.begin(), body.end(), [&](const DecodedInsn& d) { return d.dst == asks->a; });
  const auto at_begin = alike.at_begin.find(asks->a);
  if (adds == body.end() || !counts(code, *adds) || at_begin == alike.at_begin.end() ||
      at_begin->second != Alike::Lanes)
    return std::nullopt;
  for (const DecodedInsn& d : body) {
    const bool is_adds = &d == &*adds, is_asks = &d == &*asks;
    if ((!is_adds && writes(d, asks->a)) || (!is_adds && !is_asks && reads(d, asks->a)) || reads(d, branch.guard))
      return std::nullopt;
  }
  const std::int64_t step = static_cast<std::int32_t>(constant_at(code, adds->b));
  return CountedLoop{adds->pc,
                     asks->pc,
                     asks->a,
                     adds->op == Op::Add ? step : -step,
                     constant_at(code, asks->b),
                     branch.guard_flip == 0};
}

std::optional<std::uint64_t> rounds_to_go(const Code& code, const CountedLoop& of, std::uint32_t counter,
                                          std::uint64_t most) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 30;  // so that 64 bits are enough
  if (most == 0) return 0;
  if (most > kFar) return std::nullopt;
  const DecodedInsn& asks = code.insns[static_cast<std::size_t>(of.asks)];
  const bool has_sign = is_signed(asks.type);
  const auto value = [&](std::uint32_t bits) {
    return has_sign ? std::int64_t{static_cast<std::int32_t>(bits)} : bits;
  };
  const std::int64_t bound = value(of.bound), first = value(counter) + (of.counts < of.asks ? of.step : 0);
  // What is compared in a round, the first one being 0, if nothing wraps.
  const auto compared = [&](std::uint64_t k) { return first + static_cast<std::int64_t>(k) * of.step; };
  const auto goes_back = [&](std::uint64_t k) { return is_true(asks.op, compared(k), bound) == of.goes_back_if; };
  std::uint64_t ends = most;
  if (!goes_back(0)) {
    ends = 0;
  } else if (const std::int64_t away = bound - first; asks.op == Op::SetpEq || asks.op == Op::SetpNe) {
    // It is the bound in one round at most.
    if (away == 0) ends = 1;
    else if (away % of.step == 0 && away / of.step > 0) ends = static_cast<std::uint64_t>(away / of.step);
  } else {  // by order: once it says the other, it always does
    for (std::uint64_t back = 0; ends - back > 1;) {
      const std::uint64_t middle = back + (ends - back) / 2;
      (goes_back(middle) ? back : ends) = middle;
    }
  }
  const auto is_there = [&](std::int64_t v) { return value(static_cast<std::uint32_t>(v)) == v; };
  if (!is_there(compared(0)) || !is_there(compared(std::min(ends, most - 1)))) return std::nullopt;
  return std::min(ends, most);
}

SideBySide side_by_side(const Code& code, const RegisterLoop& loop, unsigned warps, Assumed assumed) {
  SideBySide all;
  all.begin = loop.begin;
  const AlikeRows alike = assumed == Assumed::Nothing ? AlikeRows{} : alike_rows(code, loop);
  const std::optional<CountedLoop> counted =
      assumed == Assumed::Rounds ? counted_loop(code, loop, alike) : std::nullopt;
  if (counted) {
    all.step = counted->step;
    all.truth = counted->goes_back_if;
  }
  for (std::int32_t pc = loop.begin; pc < loop.end; ++pc) {
    const std::size_t k = static_cast<std::size_t>(pc - loop.begin);
    const bool is_at_end = counted && (pc == counted->counts || pc == counted->asks);
    if (counted && pc == loop.end - 1) continue;  // the branch
    for (unsigned w = 0; w < warps; ++w) {
      DecodedInsn d = code.insns[static_cast<std::size_t>(pc)];
      const std::uint32_t further = w * static_cast<std::uint32_t>(code.block_template.size());
      for (std::uint32_t* const row :
           {&d.dst, &d.a, &d.b, &d.c, &d.d, &d.p, &d.dst_pred, &d.table, &d.member_mask, &d.guard}) {
        if (*row == kNoOffset) continue;
        if (!code.is_constant(*row)) *row += further;
        else if (!alike.results.empty() && row != &d.table) all.constants.insert(*row);
      }
      (is_at_end ? all.at_end : all.insns).push_back(d);
      if (!is_at_end) all.results.push_back(k < alike.results.size() ? alike.results[k] : Alike::No);
    }
  }
  for (unsigned w = 0; w < warps; ++w)
    for (const auto& [row, how] : alike.at_begin)
      all.at_begin[row + w * static_cast<std::uint32_t>(code.block_template.size())] = how;
  return all;
}

void join_halves(SideBySide& of, unsigned warps,
                 const std::function<bool(std::int32_t pc, std::uint32_t row)>& is_live) {
  for (std::size_t k = warps; k < of.insns.size(); ++k) {
    DecodedInsn &exchange = of.insns[k - warps], &joins = of.insns[k];
    const std::uint32_t other = joins.a == exchange.dst ? joins.b : joins.a;
    if (of.results[k] != Alike::Halves || joins.lift != Lift::Lane || !is_commutative(joins.op) ||
        !is_exchange(exchange) || exchange.xor_lanes * sizeof(std::uint32_t) != kBytesOfHalf ||
        exchange.dst_pred != kNoOffset || other != exchange.a || exchange.dst == exchange.a ||
        (joins.a != exchange.dst && joins.b != exchange.dst) ||
        (joins.dst != exchange.dst && is_live(joins.pc + 1, exchange.dst)))
      continue;
    exchange.is_in_place = true;
    joins.a = exchange.a;
    joins.b = exchange.a + kBytesOfHalf;
  }
}

}  // namespace warpsim::engine
