// Copies in a trace: what they read beside what they write, there and back, and where their values came from.
//
// Shapes: a warp of 4 lanes copies 16 bytes a lane, of which lane l reads 4 l; lane 0 reads nothing.
// Source: traces/FORMAT.md, "source" and "read".
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/record_text.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/replay/dataflow.h"
#include "traces/sentence/sentence.h"

namespace warpsim {
namespace {

Trace trace_of_copies() {
  std::vector<std::uint64_t> in(16);
  std::iota(in.begin(), in.end(), 1);
  return testing::record_text(R"(.kernel k (in in: u32[], inout out: u32[])
.shared u32 tile[16]
 shl.b32 %q, %laneid, 2
 add.u32 %a, %q, 1
 cp.async.ca.shared.global tile[%q], in[%q], 16, %q
 cp.async.commit_group
 cp.async.wait_group 0
 ld.shared.u32 %v, tile[%q]
 ld.shared.u32 %w, tile[%a]
 exit
)",
                              {.lanes = 4, .buffers = {{"in", in}, {"out", {0}}}});
}

TEST(CopiesInTraces, ComeBackAsTheyWere) {
  const Trace trace = trace_of_copies();
  const std::string text = to_json(trace);
  EXPECT_NE(text.find("\"version\": \"1.4\""), std::string::npos);
  EXPECT_NE(text.find("\"read\": [4, 8, 12]"), std::string::npos) << text;
  const auto back = read_trace(text);
  ASSERT_TRUE(std::holds_alternative<Trace>(back));
  EXPECT_EQ(to_json(std::get<Trace>(back)), text);
}

// Element 1 of what lane 1 copies is a zero behind the 4 bytes that it reads.
TEST(CopiesInTraces, ValuesComeFromWhatWasRead) {
  const Trace trace = trace_of_copies();
  const Dataflow flow(trace);
  const auto from = [&](std::size_t event, unsigned lane) {
    return element_ranges(trace.head, flow.contributions({event, lane, trace.events[event].writes.at(0).reg, 0}));
  };
  EXPECT_EQ(from(5, 0), "");
  EXPECT_EQ(from(5, 1), "in[4]");
  EXPECT_EQ(from(6, 1), "");
  EXPECT_EQ(from(6, 2), "in[9]");
  EXPECT_EQ(from(6, 3), "in[13]");
}

TEST(CopiesInTraces, InASentence) {
  const Trace trace = trace_of_copies();
  EXPECT_NE(sentence(trace, 2).find("lane 0 begins to write zeros to tile[0..3]"), std::string::npos)
      << sentence(trace, 2);
  EXPECT_NE(sentence(trace, 3).find("its lanes' copies so far are a group"), std::string::npos) << sentence(trace, 3);
  EXPECT_NE(sentence(trace, 4).find("its lanes wait for their groups of copies but the newest 0"), std::string::npos)
      << sentence(trace, 4);
}

}  // namespace
}  // namespace warpsim
