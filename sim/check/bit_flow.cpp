// Filling in undefined bits, running the kernel, and closing what differs by the row's spread; see bit_flow.h.
#include "sim/check/bit_flow.h"

#include <algorithm>
#include <bit>

#include "sim/code/register_file.h"

namespace warpsim {
namespace {

constexpr unsigned kNoGroup = ~0U;

constexpr bool is_float_or_pair(Type type) { return is_float(type) || is_pair(type); }

// Does this operand say which bits of the others come where?
bool is_count_or_selector(const OpInfo& row, const Slot& slot, Type type, bool is_last) {
  const bool counts = row.form == Form::DAS || row.form == Form::DASS || row.form == Form::DABSS;
  if (counts && slot.type == SlotType::U32) return true;
  // As a float, slct's c is at least 0 or not by all of its bits: it may be NaN.
  return is_last && (has_trait(row, kRouted) || (row.form == Form::DABC2 && is_float_or_pair(type)));
}

}  // namespace

Spread spread_of(const OpInfo& row, Type type, Type type2, const Mods& mods) {
  if (row.form == Form::DAcvt) {
    if (is_float_or_pair(type) || is_float_or_pair(type2)) return Spread::All;
    return mods.sat ? Spread::Monotone : Spread::Bits;
  }
  if (row.form == Form::DA2B2) return is_float_or_pair(type2) ? Spread::All : Spread::Compares;
  if (has_trait(row, kBitwise)) return Spread::Bits;
  if (is_float_or_pair(type)) return Spread::All;
  if (row.form == Form::PAB) return Spread::Compares;
  if (has_trait(row, kSums)) return Spread::Sums;
  if (has_trait(row, kProducts)) return Spread::Products;
  return has_trait(row, kMonotone) ? Spread::Monotone : Spread::All;
}

void BitFlow::prepare(const DecodedInsn& insn) {
  const OpInfo& row = info(insn.op);
  spread_ = spread_of(row, insn.type, insn.type2, insn.mods);
  insn_ = insn;
  insn_.dst = kMostSources * kRow;
  constexpr std::uint32_t kWords = (kMostSources + 1) * kRow;
  if (insn.dst_pred != kNoOffset) insn_.dst_pred = kWords;
  count = 0;
  result_bits_ = 0;
  const std::uint32_t places[] = {insn.a, insn.b, insn.c, insn.d};
  std::uint32_t* const scratch_places[] = {&insn_.a, &insn_.b, &insn_.c, &insn_.d};
  const std::span<const Slot> form = slots(row.form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    const Slot& slot = form[k];
    const Type type = slot_type(slot.type, insn.type, insn.type2);
    if (slot.role != Role::Src) {
      if (result_bits_ == 0) result_bits_ = register_bits_of(type);
      continue;
    }
    if (!has_slot(slot, insn.mods)) continue;
    Source& source = sources[count];
    source.bits = bits(type);
    source.is_signed = is_signed(type);
    source.names_bits = is_count_or_selector(row, slot, type, k + 1 == form.size());
    source.reg = -1;
    const bool in_p = source.bits == 1 && (is_combined(slot) || row.lift == Lift::Bits || row.form == Form::DABP);
    row_offset_[count] = in_p ? insn.p : places[count];
    is_wide_[count] = source.bits == 64;
    *scratch_places[count] = in_p ? kNoOffset : static_cast<std::uint32_t>(count * kRow);
    if (in_p) insn_.p = kWords + 64;
    ++count;
  }
}

void BitFlow::read_values(const std::byte* registers, LaneMask lanes) {
  for (std::size_t k = 0; k < count; ++k) {
    Source& source = sources[k];
    const std::uint32_t offset = row_offset_[k];
    for_each_lane(lanes, [&](unsigned lane) {
      source.value[lane] = offset == kNoOffset ? 0
                           : source.bits == 1  ? word(registers, offset) >> lane & 1
                           : is_wide_[k]       ? row<std::uint64_t>(registers, offset)[lane]
                                               : row<std::uint32_t>(registers, offset)[lane];
    });
  }
}

const BitFlow::Results& BitFlow::run(LaneMask lanes) {
  return run(spread_, count, result_bits_, lanes, [this](LaneMask of) { run_kernel(of); });
}

const BitFlow::Results& BitFlow::run(Spread spread, std::size_t number, int result_bits, LaneMask lanes,
                                     const Evaluate& evaluate) {
  for_each_lane(lanes, [&](unsigned lane) {
    common_.first[lane] = common_.second[lane] = ~std::uint64_t{0};
    either_.first[lane] = either_.second[lane] = 0;
  });
  const bool together = spread == Spread::Bits || spread == Spread::Compares;
  const unsigned groups = group_sources(number, lanes, together);
  if (spread == Spread::Products) try_products(number, lanes, evaluate);
  else if (spread == Spread::Bits || spread == Spread::Sums) try_corners(Fill::Bits, groups, lanes, evaluate);
  else if (spread != Spread::All) try_corners(Fill::Numbers, groups, lanes, evaluate);
  if (spread == Spread::Compares && (group_[0] != group_[1] || group_[0] == kNoGroup)) {
    // Each value of a predicate that the comparison is combined with, which is the third operand.
    const unsigned third = number > 2 && group_[2] != kNoGroup ? 1U << group_[2] : 0;
    for (unsigned high = 0;; high = third) {
      fill(Fill::Bits, high, lanes);
      fill_equal(lanes);
      evaluate(lanes);
      add_outcome(lanes);
      if (high == third) break;
    }
  }
  close(spread, number, low_ones(result_bits), lanes);
  return results_;
}

// Numbers the operands that have undefined bits; returns how many numbers there are.
unsigned BitFlow::group_sources(std::size_t number, LaneMask lanes, bool by_register) {
  unsigned groups = 0;
  for (std::size_t k = 0; k < number; ++k) {
    std::uint64_t undefined = 0;
    for_each_lane(lanes, [&](unsigned lane) { undefined |= sources[k].undefined[lane]; });
    group_[k] = kNoGroup;
    if (undefined == 0) continue;
    for (std::size_t before = 0; before < k && by_register; ++before)
      if (sources[k].reg >= 0 && sources[before].reg == sources[k].reg) group_[k] = group_[before];
    if (group_[k] == kNoGroup) group_[k] = groups++;
  }
  filled_ = number;
  return groups;
}

// `high_groups`: one bit a group, set where its operands are filled with ones, or to their largest number.
void BitFlow::fill(Fill how, unsigned high_groups, LaneMask lanes) {
  for (std::size_t k = 0; k < filled_; ++k) {
    const Source& source = sources[k];
    const bool high = group_[k] != kNoGroup && (high_groups >> group_[k] & 1) != 0;
    const bool has_sign = how == Fill::Numbers && source.is_signed;
    const std::uint64_t sign = has_sign ? std::uint64_t{1} << (source.bits - 1) : 0;
    const std::uint64_t kept = high ? ~sign : sign;
    for_each_lane(lanes, [&](unsigned lane) {
      const std::uint64_t undefined = source.undefined[lane];
      filling_[k][lane] = (source.value[lane] & ~undefined) | (undefined & kept);
    });
  }
}

// The first two operands as equal as they can be. Of the corners one is unequal: they differ in an undefined bit.
void BitFlow::fill_equal(LaneMask lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t in_a = sources[0].undefined[lane], in_b = sources[1].undefined[lane];
    const std::uint64_t a = (sources[0].value[lane] & ~in_a) | (sources[1].value[lane] & in_a & ~in_b);
    filling_[0][lane] = a;
    filling_[1][lane] = (sources[1].value[lane] & ~in_b) | (a & in_b);
  });
}

void BitFlow::add_outcome(LaneMask lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    common_.first[lane] &= outcome_.first[lane];
    common_.second[lane] &= outcome_.second[lane];
    either_.first[lane] |= outcome_.first[lane];
    either_.second[lane] |= outcome_.second[lane];
  });
}

void BitFlow::try_corners(Fill how, unsigned groups, LaneMask lanes, const Evaluate& evaluate) {
  for (unsigned high = 0; high < 1U << groups; ++high) {
    fill(how, high, lanes);
    evaluate(lanes);
    add_outcome(lanes);
  }
}

// The product of the operands filled with ones, and what it becomes without the lowest undefined bit of each: the other
// factor has then the fewest zeros at its end.
void BitFlow::try_products(std::size_t number, LaneMask lanes, const Evaluate& evaluate) {
  fill(Fill::Bits, ~0U, lanes);
  evaluate(lanes);
  add_outcome(lanes);
  for (std::size_t k = 0; k < number; ++k) {
    if (group_[k] == kNoGroup) continue;
    fill(Fill::Bits, ~0U, lanes);
    for_each_lane(lanes, [&](unsigned lane) {
      const std::uint64_t undefined = sources[k].undefined[lane];
      filling_[k][lane] &= ~(undefined & (0 - undefined));
    });
    evaluate(lanes);
    add_outcome(lanes);
  }
}

void BitFlow::close(Spread spread, std::size_t number, std::uint64_t all, LaneMask lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t differs = either_.first[lane] & ~common_.first[lane] & all;
    std::uint64_t undefined = 0;
    bool names_bits = false;
    for (std::size_t k = 0; k < number; ++k) {
      undefined |= sources[k].undefined[lane];
      names_bits = names_bits || (sources[k].names_bits && sources[k].undefined[lane] != 0);
    }
    std::uint64_t& first = results_.first[lane];
    switch (spread) {
      case Spread::Bits: first = names_bits ? all : differs; break;
      case Spread::Compares: first = differs; break;
      case Spread::Sums: first = (differs | undefined) & all; break;
      case Spread::Products: first = differs == 0 ? 0 : all & ~low_ones(std::countr_zero(differs)); break;
      case Spread::Monotone: first = low_ones(static_cast<int>(std::bit_width(differs))); break;
      case Spread::All: first = undefined != 0 ? all : 0; break;
    }
    const bool is_exact = spread == Spread::Sums || spread == Spread::Compares;
    results_.second[lane] = is_exact ? either_.second[lane] & ~common_.second[lane] & 1 : std::uint64_t{undefined != 0};
  });
}

void BitFlow::run_kernel(LaneMask lanes) {
  std::byte* const r = scratch_.data();
  const std::uint32_t places[] = {insn_.a, insn_.b, insn_.c, insn_.d};
  for (std::size_t k = 0; k < count; ++k) {
    const bool in_p = sources[k].bits == 1 && places[k] == kNoOffset;
    for_each_lane(lanes, [&](unsigned lane) {
      const std::uint64_t value = filling_[k][lane];
      if (sources[k].bits == 1) {
        Aliased<LaneMask>& truth = word(r, in_p ? insn_.p : places[k]);
        truth = (truth & ~lane_bit(lane)) | (value & 1) << lane;
      } else if (is_wide_[k]) {
        row<std::uint64_t>(r, places[k])[lane] = value;
      } else {
        row<std::uint32_t>(r, places[k])[lane] = static_cast<std::uint32_t>(value);
      }
    });
  }
  insn_.masked(r, insn_, lanes);
  const std::byte* const results = r;
  for_each_lane(lanes, [&](unsigned lane) {
    outcome_.first[lane] = result_bits_ == 1    ? word(results, insn_.dst) >> lane & 1
                           : result_bits_ == 64 ? row<std::uint64_t>(results, insn_.dst)[lane]
                                                : row<std::uint32_t>(results, insn_.dst)[lane];
    outcome_.second[lane] = insn_.dst_pred == kNoOffset ? 0 : word(results, insn_.dst_pred) >> lane & 1;
  });
}

}  // namespace warpsim
