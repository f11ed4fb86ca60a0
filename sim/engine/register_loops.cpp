// See register_loops.h.
#include "sim/engine/register_loops.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
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

// Adds the same number to its own register each time; what it adds is not a multiple of too large a power of two.
bool counts(const Code& code, const DecodedInsn& d) {
  if ((d.op != Op::Add && d.op != Op::Sub) || d.lift != Lift::Lane || is_float(d.type) || d.guard != kNoOffset)
    return false;
  if ((bits(d.type) != 32 && bits(d.type) != 64) || d.dst != d.a || !code.is_constant(d.b)) return false;
  std::uint32_t step = 0;  // of a longer number its lower half
  std::memcpy(&step, code.block_template.data() + d.b, sizeof step);
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

// Lane by lane, and each result a row of its own: what of alike operands is alike, too.
bool keeps_halves(const DecodedInsn& d) {
  if (d.guard != kNoOffset || d.dst == kNoOffset || bits(d.type) != 32 || is_float(d.type)) return false;
  switch (d.op) {
    case Op::Add:
    case Op::Sub:
    case Op::MulLo:
    case Op::MadLo:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Min:
    case Op::Max:
    case Op::Mov: return d.lift == Lift::Lane;
    default: return d.lift == Lift::Shuffle && d.xor_lanes != 0;
  }
}

bool is_comparison_of_words(const DecodedInsn& d) {
  return d.lift == Lift::Compare && d.guard == kNoOffset && bits(d.type) == 32 && !is_float(d.type) &&
         d.dst != kNoOffset;
}

bool is_commutative(Op op) {
  return op == Op::Add || op == Op::MulLo || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Min ||
         op == Op::Max;
}

// What is known of rows between two instructions.
class AlikeRows {
 public:
  AlikeRows(const Code& code, std::span<const std::uint32_t> at_begin)
      : code_(code), rows_(at_begin.begin(), at_begin.end()) {}

  bool has(std::uint32_t row) const { return row == kNoOffset || code_.is_constant(row) || rows_.contains(row); }
  // Whether what it writes is so.
  bool pass(const DecodedInsn& d) {
    const bool is_alike =
        (has(d.a) && has(d.b) && has(d.c)) || (is_commutative(d.op) && (swaps(d.a, d.b) || swaps(d.b, d.a)));
    const bool swaps_halves = d.lift == Lift::Shuffle && d.xor_lanes == code_.lanes / 2 && d.dst != d.a;
    if (is_alike) rows_.insert(d.dst);
    else rows_.erase(d.dst);
    std::erase_if(swapped_, [&](const auto& one) { return one.first == d.dst || one.second == d.dst; });
    if (swaps_halves) swapped_[d.dst] = d.a;
    return is_alike;
  }

 private:
  bool swaps(std::uint32_t row, std::uint32_t of) const {
    const auto found = swapped_.find(row);
    return found != swapped_.end() && found->second == of;
  }

  const Code& code_;
  std::set<std::uint32_t> rows_;
  std::map<std::uint32_t, std::uint32_t> swapped_;  // a row: whose halves it has, exchanged
};

}  // namespace

Halves halves_of(const Code& code, const RegisterLoop& loop) {
  const auto body = std::span(code.insns).subspan(static_cast<std::size_t>(loop.begin), loop.length() - 1);
  if (code.lanes != 32 || !std::all_of(body.begin(), body.end(), [](const DecodedInsn& d) {
        return keeps_halves(d) || is_comparison_of_words(d);
      }))
    return {};
  Halves halves;
  std::set<std::uint32_t> written, read_first;
  for (const DecodedInsn& d : body) {
    for (const std::uint32_t row : {d.a, d.b, d.c})
      if (!written.contains(row)) read_first.insert(row);
    if (keeps_halves(d)) written.insert(d.dst);
  }
  std::set_intersection(written.begin(), written.end(), read_first.begin(), read_first.end(),
                        std::back_inserter(halves.at_begin));
  for (bool is_known = false; !is_known;) {
    AlikeRows rows(code, halves.at_begin);
    halves.results.clear();
    for (const DecodedInsn& d : body) halves.results.push_back(keeps_halves(d) && rows.pass(d));
    is_known = std::erase_if(halves.at_begin, [&](std::uint32_t row) { return !rows.has(row); }) == 0;
  }
  return halves;
}

SideBySide side_by_side(const Code& code, const RegisterLoop& loop, unsigned warps, bool uses_halves) {
  SideBySide all;
  const Halves halves = uses_halves ? halves_of(code, loop) : Halves{};
  for (std::int32_t pc = loop.begin; pc < loop.end; ++pc) {
    const std::size_t k = static_cast<std::size_t>(pc - loop.begin);
    for (unsigned w = 0; w < warps; ++w) {
      DecodedInsn d = code.insns[static_cast<std::size_t>(pc)];
      const std::uint32_t further = w * static_cast<std::uint32_t>(code.block_template.size());
      for (std::uint32_t* const row :
           {&d.dst, &d.a, &d.b, &d.c, &d.d, &d.p, &d.dst_pred, &d.table, &d.member_mask, &d.guard}) {
        if (*row == kNoOffset) continue;
        if (!code.is_constant(*row)) *row += further;
        else if (!halves.results.empty() && row != &d.table) all.alike.insert(*row);
      }
      all.insns.push_back(d);
      all.alike_results.push_back(k < halves.results.size() && halves.results[k]);
    }
  }
  for (unsigned w = 0; w < warps; ++w)
    for (const std::uint32_t row : halves.at_begin)
      all.alike.insert(row + w * static_cast<std::uint32_t>(code.block_template.size()));
  return all;
}

}  // namespace warpsim::engine
