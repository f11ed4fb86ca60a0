// What counts as another result: what the case expects something of, or everything if it expects nothing.
//
// Source: the rule of tools/session/other_schedules.h; the buffers are made up here.
#include "tools/session/other_schedules.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace warpsim::tools {
namespace other_schedules_test {

Trace trace_of(std::vector<std::uint64_t> list, std::uint64_t head) {
  Trace trace;
  trace.outcome.outputs = {{"list", Array{Type::U32, std::move(list)}}, {"head", Array{Type::U32, {head}}}};
  return trace;
}

std::string found(const Lesson& program, const std::vector<std::string>& expected, const Trace& other) {
  Trace base = trace_of({1, 2}, 7);
  for (const std::string& name : expected) base.outcome.expected.push_back({name, Array{Type::U32, {0}}});
  const auto differs = schedule_difference(program, base, other, LaunchConfig{});
  return differs ? differs->message.parts.at(0).text : "";
}

TEST(OtherSchedules, CompareWhatTheCaseExpects) {
  const Lesson plain;
  const Trace other_head = trace_of({1, 2}, 8), other_list = trace_of({2, 1}, 7);
  EXPECT_EQ(found(plain, {}, other_head), "head[0]") << "nothing is expected, so everything counts";
  EXPECT_EQ(found(plain, {"list"}, other_head), "");
  EXPECT_EQ(found(plain, {"head"}, other_head), "head[0]");
  EXPECT_EQ(found(plain, {"list"}, other_list), "list[0]");
  EXPECT_EQ(found(plain, {"head"}, other_list), "");
}

TEST(OtherSchedules, UnorderedBuffersAreSetsAndUnorderedScalarsAreFree) {
  Lesson program;
  program.unordered = {{"list", "any order", {}}, {"head", "any place", {}}};
  EXPECT_EQ(found(program, {}, trace_of({2, 1}, 8)), "");
  EXPECT_EQ(found(program, {}, trace_of({1, 3}, 8)), "list[1]");
}

}  // namespace other_schedules_test
}  // namespace warpsim::tools
