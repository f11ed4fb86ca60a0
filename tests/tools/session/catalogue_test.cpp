// The catalogue's groups, and what it makes of a name that is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "programs/embedded.h"
#include "tools/session/catalogue.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace catalogue_test {

using Names = std::vector<std::string>;

TEST(Catalogue, EveryGroupIsInTheTable) {
  Names in_table;
  for (const ProgramGroup& group : kProgramGroups) in_table.emplace_back(group.name);
  EXPECT_EQ(Catalogue("").groups(), in_table) << "programs/embedded.h";
  EXPECT_TRUE(shows_mistakes(in_table.back()));
}

TEST(Catalogue, GroupsHaveAllPrograms) {
  const Catalogue catalogue("");
  std::size_t count = 0;
  for (const std::string& group : catalogue.groups()) count += catalogue.find_group(group).size();
  EXPECT_EQ(count, catalogue.entries().size());
}

TEST(Catalogue, AProgramIsMeantByAPartOfItsName) {
  const Catalogue catalogue("");
  EXPECT_EQ(catalogue.did_you_mean("parallel_max"), Names{"p26/butterfly_parallel_max"});
  EXPECT_EQ(catalogue.did_you_mean("p26/parallel-max"), Names{"p26/butterfly_parallel_max"});
  EXPECT_EQ(catalogue.did_you_mean("butterfly"),
            (Names{"p26/butterfly_conditional_max", "p26/butterfly_pair_swap", "p26/butterfly_parallel_max"}))
      << "mistakes are meant only if nothing else is";
  EXPECT_EQ(catalogue.did_you_mean("inactive"), Names({"bugs/inactive_source", "bugs/inactive_source_fixed"}));
  EXPECT_EQ(catalogue.did_you_mean("butterfly_paralel_max"), Names{"butterfly_parallel_max"});
  EXPECT_EQ(catalogue.did_you_mean("cooking"), Names{});
  EXPECT_EQ(catalogue.did_you_mean(""), Names{});
}

TEST(Catalogue, AHintNamesTheFirstOfMany) {
  EXPECT_EQ(hint_for(Names{}, "look"), "look");
  EXPECT_EQ(hint_for(Names{"a"}, ""), "did you mean `a`?");
  EXPECT_EQ(hint_for(Names{"a", "b", "c", "d"}, ""), "did you mean `a`, `b`, `c` or `d`?");
  EXPECT_EQ(hint_for(Names{"a", "b", "c", "d", "e"}, ""), "did you mean `a`, `b`, `c` or one of 2 others?");
}

}  // namespace catalogue_test
}  // namespace warpsim::tools
