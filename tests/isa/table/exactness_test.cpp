// What PTX only bounds, opcode by opcode.
#include "isa/table/exactness.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsim {
namespace {

// The table says it twice, in the mnemonic and in the words of the row; a row whose two statements disagree is wrong.
TEST(Exactness, IsWhatTheRowsWordsSay) {
  std::size_t approximate = 0;
  for (std::size_t k = 0; k < all_ops().size(); ++k) {
    const bool says_so = all_ops()[k].doc.find("approximat") != std::string_view::npos;
    EXPECT_EQ(exactness(static_cast<Op>(k)), says_so ? Exactness::Approximate : Exactness::Exact) << all_ops()[k].id;
    approximate += says_so ? 1 : 0;
  }
  EXPECT_GE(approximate, 15U);
}

TEST(Exactness, OfSomeThatOneMayMistake) {
  EXPECT_EQ(exactness(Op::DivF), Exactness::Exact);
  EXPECT_EQ(exactness(Op::DivFull), Exactness::Approximate);
  EXPECT_EQ(exactness(Op::SqrtF), Exactness::Exact);
  EXPECT_EQ(exactness(Op::SqrtApprox), Exactness::Approximate);
  EXPECT_EQ(exactness(Op::RsqrtDouble), Exactness::Approximate);
  EXPECT_EQ(exactness(Op::ReduceAdd), Exactness::Exact);
  EXPECT_EQ(exactness(Op::Nanosleep), Exactness::Exact);
}

TEST(Exactness, HasNames) {
  EXPECT_EQ(name(Exactness::Exact), "exact");
  EXPECT_EQ(name(Exactness::Approximate), "approximate");
  EXPECT_EQ(name(Exactness::Unsupported), "unsupported");
}

}  // namespace
}  // namespace warpsim
