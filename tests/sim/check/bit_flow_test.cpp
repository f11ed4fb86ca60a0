// Undefined bits against brute force: every filling of up to eight undefined bits through every row's own kernel. A bit
// that some filling changes must be called undefined; where the rule is exact, no other may be.
//
// Source: isa/table/instructions.def; the fillings are this test's own, through tests/support/scalar_eval.h.
#include "sim/check/bit_flow.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sim/code/lane_ops.h"
#include "tests/support/sanitized.h"
#include "tests/support/scalar_eval.h"

namespace warpsim {
namespace bit_flow_test {

using tests::Instruction;

constexpr unsigned kTrials = 32;  // at once, one a lane
constexpr int kMostUndefined = 8;

using Values = std::array<std::uint64_t, BitFlow::kMostSources>;

struct Trial {
  Values value{}, undefined{};
};

struct Outcome {
  std::uint64_t first = 0, second = 0;
};

// Two source operands of a row that combines lanes, or what an atomic finds and its operand.
bool takes_two(Lift lift) {
  return lift == Lift::Redux || lift == Lift::Reduce || lift == Lift::Scan || lift == Lift::Atomic;
}

std::optional<Outcome> outcome_of(const Instruction& i, const Values& operands) {
  const OpInfo& row = info(i.op);
  if (row.lift == Lift::Atomic) {
    const auto left = tests::evaluate_atomic(i, operands[0], operands[1], operands[2]);
    if (!left) return std::nullopt;
    return Outcome{*left, 0};
  }
  const bool exact = row.lift == Lift::Bits || row.form == Form::DAcvt;
  const auto first = tests::evaluate(i, operands, exact ? tests::Path::Exact : tests::Path::Plain);
  if (!first) return std::nullopt;
  const Type type = row.form == Form::DAcvt ? i.type : Type::None;
  const std::uint64_t value = in_register(type, *first);
  const auto second = tests::evaluate_carry(i, operands);
  return Outcome{value, second && *second ? 1U : 0U};
}

// The bits of the result, and the second predicate, that differ between two fillings.
Outcome brute_force(const Instruction& i, const Trial& trial, std::uint64_t all) {
  std::vector<std::pair<std::size_t, int>> places;
  for (std::size_t k = 0; k < trial.undefined.size(); ++k)
    for (int bit = 0; bit < 64; ++bit)
      if ((trial.undefined[k] >> bit & 1) != 0) places.emplace_back(k, bit);
  Outcome common{~std::uint64_t{0}, ~std::uint64_t{0}}, either;
  for (unsigned filling = 0; filling < 1U << places.size(); ++filling) {
    Values operands = trial.value;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const std::uint64_t bit = std::uint64_t{1} << places[n].second;
      operands[places[n].first] &= ~bit;
      if ((filling >> n & 1) != 0) operands[places[n].first] |= bit;
    }
    const Outcome one = *outcome_of(i, operands);
    common.first &= one.first;
    common.second &= one.second;
    either.first |= one.first;
    either.second |= one.second;
  }
  return {either.first & ~common.first & all, either.second & ~common.second & 1};
}

class Rows {
 public:
  // What is known of all trials.
  std::uint64_t trials = 0, said = 0, true_bits = 0;
  std::set<std::string> too_many;  // rows whose rule is exact, and called a defined bit undefined
  std::set<std::string> wrong;     // rows that called an undefined bit defined
  std::set<Op> rows;

  void test(const Instruction& i) {
    const OpInfo& row = info(i.op);
    prepare(i);
    const std::vector<int> widths = widths_of(i);
    if (!outcome_of(i, Values{}) || widths.empty()) return;
    rows.insert(i.op);
    for (int round = 0; round < (testing::kSanitized ? 2 : 12); ++round) {
      std::vector<Trial> all_trials;
      for (unsigned lane = 0; lane < kTrials; ++lane) all_trials.push_back(draw(widths));
      const BitFlow::Results& results = run(i, all_trials);
      for (unsigned lane = 0; lane < kTrials; ++lane) {
        const std::uint64_t all = low_ones(result_bits_);
        const Outcome differs = brute_force(i, all_trials[lane], all);
        const std::uint64_t first = results.first[lane], second = has_second_ ? results.second[lane] : 0;
        const Outcome missed{differs.first & ~first, has_second_ ? differs.second & ~second : 0};
        if ((missed.first | missed.second) != 0) wrong.insert(tests::opcode_text(i));
        EXPECT_EQ(first & ~all, 0U) << tests::opcode_text(i);
        ++trials;
        said += static_cast<std::uint64_t>(std::popcount(first));
        true_bits += static_cast<std::uint64_t>(std::popcount(differs.first));
        if (is_exact(row, all_trials[lane]) && (first != differs.first || (has_second_ && second != differs.second)))
          too_many.insert(tests::opcode_text(i));
      }
    }
  }

 private:
  void prepare(const Instruction& i) {
    const OpInfo& row = info(i.op);
    DecodedInsn insn;
    insn.op = i.op;
    insn.lift = row.lift;
    insn.type = i.type;
    insn.type2 = i.type2;
    insn.mods = i.mods;
    spread_ = spread_of(row, i.type, i.type2, i.mods);
    has_second_ = false;
    result_bits_ = takes_two(row.lift) ? bits(i.type) : 0;
    if (takes_two(row.lift)) return;
    insn.masked = lane_ops().lane_op(i.op, i.type, i.mods, 32).masked;
    for (const Slot& slot : slots(row.form))
      has_second_ = has_second_ || (slot.role == Role::DstPred && slot.when_absent != Default::Required);
    if (has_second_) insn.dst_pred = 0;
    flow_.prepare(insn);
    for (BitFlow::Source& source : flow_.sources) source.reg = -1;
    result_bits_ = register_bits_of(slot_type(slots(row.form)[0].type, i.type, i.type2));
  }

  // How wide a register each operand has.
  static std::vector<int> widths_of(const Instruction& i) {
    const OpInfo& row = info(i.op);
    if (takes_two(row.lift)) return {bits(i.type), bits(i.type)};
    std::vector<int> widths;
    for (const Slot& slot : slots(row.form))
      if (slot.role == Role::Src && has_slot(slot, i.mods))
        widths.push_back(slot.type == SlotType::Byte ? 8 : register_bits_of(slot_type(slot.type, i.type, i.type2)));
    return widths;
  }

  // Small numbers, large ones, all ones and anything; undefined bits anywhere, side by side, or in one operand.
  Trial draw(const std::vector<int>& widths) {
    Trial trial;
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const std::uint64_t any = random_();
      switch (random_() % 5) {
        case 0: trial.value[k] = any % 70; break;
        case 1: trial.value[k] = ~(any % 40); break;
        case 2: trial.value[k] = 0; break;
        case 3: trial.value[k] = std::uint64_t{1} << any % 64; break;
        default: trial.value[k] = any;
      }
      trial.value[k] &= low_ones(widths[k]);
    }
    const int count = 1 + static_cast<int>(random_() % kMostUndefined);
    const bool in_one = random_() % 2 == 0, side_by_side = random_() % 2 == 0;
    std::size_t k = random_() % widths.size();
    std::uint64_t at = random_();
    for (int n = 0; n < count; ++n) {
      if (!in_one) k = random_() % widths.size();
      at = side_by_side ? at + 1 : random_();
      trial.undefined[k] |= std::uint64_t{1} << at % static_cast<std::uint64_t>(widths[k]);
    }
    return trial;
  }

  const BitFlow::Results& run(const Instruction& i, const std::vector<Trial>& all_trials) {
    const std::size_t count = takes_two(info(i.op).lift) ? 2 : flow_.count;
    for (std::size_t k = 0; k < count; ++k) {
      for (unsigned lane = 0; lane < kTrials; ++lane) {
        flow_.sources[k].value[lane] = all_trials[lane].value[k];
        flow_.sources[k].undefined[lane] = all_trials[lane].undefined[k];
      }
    }
    if (!takes_two(info(i.op).lift)) return flow_.run(full_mask(kTrials));
    for (std::size_t k = 0; k < count; ++k) {
      flow_.sources[k].bits = bits(i.type);
      flow_.sources[k].is_signed = is_signed(i.type);
      flow_.sources[k].names_bits = false;
      flow_.sources[k].reg = -1;
    }
    return flow_.run(spread_, 2, bits(i.type), full_mask(kTrials), [&](LaneMask lanes) {
      for_each_lane(lanes, [&](unsigned lane) {
        flow_.outcome().first[lane] = outcome_of(i, {flow_.filling(0)[lane], flow_.filling(1)[lane]})->first;
      });
    });
  }

  bool is_exact(const OpInfo& row, const Trial& trial) const {
    if (spread_ == Spread::Sums || spread_ == Spread::Compares) return true;
    if (spread_ != Spread::Bits) return false;
    for (std::size_t k = 0; k < flow_.count && !takes_two(row.lift); ++k)
      if (flow_.sources[k].names_bits && trial.undefined[k] != 0) return false;
    return true;
  }

  BitFlow flow_;
  Spread spread_ = Spread::All;
  bool has_second_ = false;
  int result_bits_ = 0;
  std::mt19937_64 random_{7};
};

bool is_of_integers(const Instruction& i) {
  return !is_float(i.type) && !is_pair(i.type) && !is_float(i.type2) && !is_pair(i.type2);
}

// Every integer type, and every pair of them, that a row takes; with and without .sat.
template <class F>
void for_each_integer_instruction(F f) {
  for (int op = 0; op < kOpCount; ++op) {
    const OpInfo& row = info(static_cast<Op>(op));
    if (!is_lanewise(row.lift) && !takes_two(row.lift)) continue;
    for (int t = 0; t < kTypeCount; ++t) {
      for (int t2 = 0; t2 < kTypeCount; ++t2) {
        Instruction i{static_cast<Op>(op), static_cast<Type>(t), static_cast<Type>(t2), {}};
        const bool two = has_second_type(row.form);
        if (!contains(first_types(row.types), i.type) || i.type == Type::Mask) continue;
        if (two ? !contains(second_types(row.types), i.type2) : i.type2 != Type::None) continue;
        if (!is_of_integers(i) || (two && !takes_types(row, i.type, i.type2))) continue;
        f(i);
        for (const BoolOp operation : {BoolOp::And, BoolOp::Or, BoolOp::Xor}) {
          i.mods.boolean = operation;
          if ((row.mods & kBoolOp) != 0) f(i);
        }
        i.mods = {};
        if (row.form != Form::DAcvt) continue;
        i.mods.sat = true;
        f(i);
      }
    }
  }
}

TEST(BitFlow, NoFillingChangesABitThatIsCalledDefined) {
  Rows all;
  for_each_integer_instruction([&](const Instruction& i) { all.test(i); });
  EXPECT_EQ(all.wrong, std::set<std::string>{});
  EXPECT_EQ(all.too_many, std::set<std::string>{});
  EXPECT_GT(all.rows.size(), 150U);
  EXPECT_GE(all.said, all.true_bits);
  RecordProperty("trials", static_cast<int>(all.trials));
  RecordProperty("percent more bits called undefined than are",
                 static_cast<int>(100 * (all.said - all.true_bits) / all.true_bits));
}

// The rows that move bits must not be left out of the exact ones.
TEST(BitFlow, WhichRowsAreExact) {
  std::set<std::string> bitwise;
  for_each_integer_instruction([&](const Instruction& i) {
    const OpInfo& row = info(i.op);
    if (spread_of(row, i.type, i.type2, i.mods) == Spread::Bits)
      bitwise.insert(std::string(row.mnemonic.substr(0, row.mnemonic.find('.'))));
  });
  for (const char* const mnemonic :
       {"and", "or",   "xor",  "not", "lop3", "shl",   "shr",  "shf", "bfe",   "bfi",   "prmt",
        "mov", "selp", "slct", "cvt", "brev", "szext", "atom", "red", "redux", "reduce"})
    EXPECT_EQ(bitwise.count(mnemonic), 1U) << mnemonic;
}

// Floats and what counts: all of it, whatever the values.
TEST(BitFlow, WhatSpreadsEverywhere) {
  for (const char* const text : {"add.f32", "fma.rn.f32", "div.u32", "rem.s32", "bfind.u32", "min.f32", "setp.lt.f32",
                                 "cvt.rn.f32.s32", "cvt.rzi.s32.f32", "abs.s32", "dp4a.u32.u32"}) {
    const auto i = tests::parse_opcode(text);
    ASSERT_TRUE(i) << text;
    EXPECT_EQ(spread_of(info(i->op), i->type, i->type2, i->mods), Spread::All) << text;
  }
}

}  // namespace bit_flow_test
}  // namespace warpsim
