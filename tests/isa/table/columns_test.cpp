// Every row's space, access and traits are what PTX's grammar, or the row's own kernel, says they are.
//
// Errors: a failure names the row.
// Source: PTX ISA 9.0, section 9.7: ld, st, atom and red are followed by their qualifiers and their space.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "isa/table/op.h"
#include "tests/support/scalar_eval.h"

namespace warpsim {
namespace {

constexpr std::array<std::uint64_t, 5> kValues = {0, 1, 0x42, 0x3c01, 0x7f};  // no NaN in any float format

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

Type a_type(const OpInfo& row) {
  for (int t = 1; t < kTypeCount; ++t)
    if (contains(first_types(row.types), static_cast<Type>(t)) && static_cast<Type>(t) != Type::Pred)
      return static_cast<Type>(t);
  return Type::None;
}

class EveryRowsColumns : public ::testing::TestWithParam<int> {
 protected:
  Op op() const { return static_cast<Op>(GetParam()); }
  const OpInfo& row() const { return info(op()); }
  std::uint64_t result(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    const tests::Instruction one{op(), a_type(row()), Type::None, {}};
    auto found = tests::evaluate(one, {a, b, c, 0}, tests::Path::Plain);
    if (!found) found = tests::evaluate(one, {a, b, c, 0}, tests::Path::Exact);
    EXPECT_TRUE(found.has_value());
    return found.value_or(0);
  }
  std::uint64_t left(std::uint64_t old, std::uint64_t b) const {
    const auto found = tests::evaluate_atomic({op(), a_type(row()), Type::None, {}}, old, b, 3);
    EXPECT_TRUE(found.has_value());
    return found.value_or(0);
  }
};

// PTX ISA 9.0, "mbarrier.init" to "mbarrier.try_wait".
void expect_columns_of_an_mbarrier(const OpInfo& row) {
  const bool sets = begins(row.mnemonic, "mbarrier.in"), arrives = begins(row.mnemonic, "mbarrier.arrive");
  EXPECT_EQ(row.space, AddressSpace::Shared);
  EXPECT_EQ(access_of(row), sets ? AccessKind::Store : arrives ? AccessKind::Atomic : AccessKind::Load);
  EXPECT_EQ(semantics_words(row), sets ? "" : arrives ? ".relaxed .release" : ".relaxed .acquire");
  EXPECT_EQ(takes_scope(row, Scope::Cta), !sets);
  EXPECT_EQ(takes_scope(row, Scope::Cluster), !sets);
  EXPECT_FALSE(takes_scope(row, Scope::Gpu) || takes_scope(row, Scope::Sys) || takes_scope(row, Scope::None));
}

// PTX ISA 9.0, "cp.async": weak accesses, of which the row's columns name the one that writes.
void expect_columns_of_a_copy(const OpInfo& row) {
  EXPECT_EQ(row.space, AddressSpace::Shared);
  EXPECT_EQ(access_of(row), AccessKind::Store);
  EXPECT_EQ(space_of(row, slots(row.form)[0]), AddressSpace::Shared);
  EXPECT_EQ(space_of(row, slots(row.form)[1]), AddressSpace::Global);
  EXPECT_EQ(semantics_words(row), "");
  EXPECT_FALSE(takes_scope(row, Scope::Cta));
}

TEST_P(EveryRowsColumns, SpaceAndAccessAreOfTheMnemonic) {
  const std::string_view mnemonic = row().mnemonic;
  if (begins(mnemonic, "cp.async.c") && !begins(mnemonic, "cp.async.commit")) return expect_columns_of_a_copy(row());
  if (begins(mnemonic, "mbarrier.")) return expect_columns_of_an_mbarrier(row());
  const std::string_view word = mnemonic.substr(0, mnemonic.find('.'));
  const std::map<std::string_view, AccessKind> accesses = {{"ld", AccessKind::Load},
                                                           {"ldu", AccessKind::Load},
                                                           {"st", AccessKind::Store},
                                                           {"atom", AccessKind::Atomic},
                                                           {"red", AccessKind::Reduction}};
  const auto access = accesses.find(word);
  EXPECT_EQ(access_of(row()), access == accesses.end() ? AccessKind::None : access->second);
  AddressSpace space = AddressSpace::None;
  if (access != accesses.end()) {
    const std::string_view rest = mnemonic.substr(word.size());
    space = begins(rest, ".global")   ? AddressSpace::Global
            : begins(rest, ".shared") ? AddressSpace::Shared
                                      : AddressSpace::Param;
    EXPECT_TRUE(begins(rest, "." + std::string(name(space))));
  }
  EXPECT_EQ(row().space, space);
  EXPECT_EQ(writes_memory(row()), word == "st" || word == "atom" || word == "red");
  EXPECT_EQ(accesses_memory(row()), access != accesses.end() && mnemonic != "ld.param");
  // PTX ISA 9.0, ld, st, atom and red: which semantics stand in their syntax.
  const std::map<std::string_view, std::string> taken = {{"ld", "weak volatile relaxed acquire "},
                                                         {"ldu", ""},
                                                         {"st", "weak volatile relaxed release "},
                                                         {"atom", "relaxed acquire release acq_rel "},
                                                         {"red", "relaxed acquire release acq_rel "}};
  const bool shared_with_others = accesses_memory(row());
  std::string semantics;
  for (Semantics s = Semantics::None; s <= Semantics::AcqRel; s = static_cast<Semantics>(static_cast<int>(s) + 1))
    if (takes_semantics(row(), s)) semantics += std::string(name(s)) + " ";
  EXPECT_EQ(semantics, shared_with_others ? taken.at(word) : "");
  for (const Scope s : {Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys})
    EXPECT_EQ(takes_scope(row(), s), shared_with_others && word != "ldu");
  EXPECT_FALSE(takes_scope(row(), Scope::None));
}

// PTX ISA 9.0, 9.7.9.1 "Cache Operators", ld and st; the caches are those of global memory.
TEST_P(EveryRowsColumns, WordsForCachesAreOfTheMnemonic) {
  const std::string_view mnemonic = row().mnemonic;
  const bool loads = begins(mnemonic, "ld.global"), stores = begins(mnemonic, "st.global");
  std::string words;
  for (const std::string_view word : {"ca", "cg", "cs", "lu", "cv", "wb", "wt"})
    if (takes_cache(row(), parse_cache(word))) words += std::string(word) + " ";
  EXPECT_EQ(words, loads ? "ca cg cs lu cv " : stores ? "cg cs wb wt " : "");
  EXPECT_EQ(takes_non_coherent(row()), loads);
  for (const std::string_view hint : kHintWords)
    EXPECT_EQ(takes_hint(row(), parse_hint(hint)), loads || (stores && !hint.ends_with("B"))) << hint;
  EXPECT_FALSE(takes_hint(row(), 0) || takes_cache(row(), CacheOperator::None));
}

TEST_P(EveryRowsColumns, TraitsAreOfTheMnemonic) {
  const std::string_view mnemonic = row().mnemonic;
  EXPECT_EQ(has_trait(row(), kCopies), mnemonic == "mov" && row().form == Form::DA);
  EXPECT_EQ(has_trait(row(), kSelects), mnemonic == "selp");
  const bool fence = begins(mnemonic, "fence.") || begins(mnemonic, "membar.");
  EXPECT_EQ(has_trait(row(), kOrders), fence && mnemonic.find(".proxy.") == std::string_view::npos);
  EXPECT_EQ(has_trait(row(), kShifts), mnemonic == "shl" || mnemonic == "shr");
  EXPECT_EQ(has_trait(row(), kBorrows), mnemonic == "sub.cc" || mnemonic == "subc" || mnemonic == "subc.cc");
  EXPECT_EQ(has_trait(row(), kFromLane), mnemonic == "shfl.idx");
  EXPECT_EQ(has_trait(row(), kFromBelow), mnemonic == "shfl.up");
  EXPECT_EQ(has_trait(row(), kFromAbove), mnemonic == "shfl.down");
  EXPECT_EQ(has_trait(row(), kSwapped), mnemonic == "shfl.bfly");
  EXPECT_EQ(has_trait(row(), kIdempotent),
            std::set<std::string_view>({"min", "max", "and", "or"}).count(mnemonic) != 0);
  EXPECT_EQ(is_idempotent(op()), has_trait(row(), kIdempotent));
}

// The kernels keep what the traits promise.
TEST_P(EveryRowsColumns, TraitsAreOfTheKernel) {
  for (const std::uint64_t a : kValues) {
    if (has_trait(row(), kCopies)) {
      EXPECT_EQ(result(a, 0, 0), a);
    }
    if (has_trait(row(), kSelects)) {
      EXPECT_EQ(result(a, 5, 1), a);
      EXPECT_EQ(result(5, a, 0), a);
    }
    if (has_trait(row(), kIdempotent)) {
      EXPECT_EQ(result(a, a, 0), a);
    }
    if (has_trait(row(), kShifts)) {
      EXPECT_EQ(result(a, 64, 0), result(a, 0xffffffff, 0));
    }
  }
  if (row().lift != Lift::Atomic) return;
  bool depends = false, counts = true;
  for (const std::uint64_t old : kValues) {
    depends = depends || left(old, 0x7f) != left(kValues[0], 0x7f);
    const std::uint64_t now = left(old, 0x7fffffff);
    counts = counts && (now == old + 1 || (old == 0 ? now == 0x7fffffff : now == old - 1));
  }
  EXPECT_EQ(has_trait(row(), kOverwrites), !depends);
  EXPECT_EQ(has_trait(row(), kCounts), counts);
}

std::string id_of_row(const ::testing::TestParamInfo<int>& row) {
  return std::string(info(static_cast<Op>(row.param)).id);
}
INSTANTIATE_TEST_SUITE_P(Table, EveryRowsColumns, ::testing::Range(0, kOpCount), id_of_row);

// PTX's pseudo-code of shfl.sync: which lane each mode reads, and back.
TEST(ShuffleModes, AskForLanesAndBack) {
  EXPECT_EQ(lane_asked(ShuffleMode::Up, 9, 4), 5U);
  EXPECT_EQ(lane_asked(ShuffleMode::Down, 9, 4), 13U);
  EXPECT_EQ(lane_asked(ShuffleMode::Bfly, 9, 3), 10U);
  EXPECT_EQ(lane_asked(ShuffleMode::Idx, 9, 4), 4U);
  for (const ShuffleMode mode : {ShuffleMode::Idx, ShuffleMode::Up, ShuffleMode::Down, ShuffleMode::Bfly})
    for (std::uint64_t own = 0; own < 32; ++own)
      for (std::uint64_t b = 0; b < 32; ++b) EXPECT_EQ(operand_for(mode, own, lane_asked(mode, own, b)), b);
}

TEST(MemoryQualifiers, WordsAreReadAndWritten) {
  const std::set<std::string_view> semantics = {"weak", "volatile", "mmio", "relaxed", "acquire", "release", "acq_rel"};
  for (const std::string_view word : semantics) EXPECT_EQ(name(parse_semantics(word)), word);
  for (const std::string_view word : {"cta", "cluster", "gpu", "sys"}) EXPECT_EQ(name(parse_scope(word)), word);
  for (const std::string_view word : {"ca", "cg", "cs", "lu", "cv", "wb", "wt"})
    EXPECT_EQ(name(parse_cache(word)), word);
  for (const std::string_view word : {"", "none", "global", "relaxe", "ctas"}) {
    EXPECT_EQ(parse_semantics(word), Semantics::None) << word;
    EXPECT_EQ(parse_scope(word), Scope::None) << word;
    EXPECT_EQ(parse_cache(word), CacheOperator::None) << word;
  }
  for (const std::string_view word : kHintWords) {
    MemoryQualifiers one;
    one.hints = parse_hint(word);
    EXPECT_EQ(cache_words(one), "." + std::string(word));
  }
  EXPECT_EQ(parse_hint("L3::evict_first"), 0);
  MemoryQualifiers all{Semantics::None, Scope::None, CacheOperator::Ca, true};
  all.hints = static_cast<HintSet>(parse_hint("L2::128B") | parse_hint("L1::evict_last"));
  EXPECT_EQ(cache_words(all), ".ca.nc.L1::evict_last.L2::128B");
  EXPECT_EQ(cache_words({}), "");
  EXPECT_EQ(leading_words({Semantics::AcqRel, Scope::Sys, CacheOperator::None, false}), ".acq_rel.sys");
  EXPECT_EQ(leading_words({}), "");
}

}  // namespace
}  // namespace warpsim
