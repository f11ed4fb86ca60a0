// Advice about shuffles: those that a collective replaces, those that move nothing. What is expected is worked out by
// hand.
#include <algorithm>

#include "tests/sim/advice/advice_run.h"

namespace warpsim {
namespace {

using testing::advise;
using testing::Advised;
using testing::Messages;
using testing::on;
using testing::run_text;
using testing::RunSetup;

// ---- collectives

const std::string kHead = ".kernel k (in input: u32[2048], out output: u32[2048])\nld.global.u32 %x, input[%gtid]\n";
const std::string kTail = "st.global.u32 output[%gtid], %x\nexit\n";

// A loop over offsets: W/2 … 1 or 1 … W/2, with the body on `%offset`.
std::string falling(const std::string& body) {
  return "mov.u32 %offset, WARP_SZ / 2\nstep:\n" + body +
         "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n";
}
std::string rising(const std::string& body) {
  return "mov.u32 %offset, 1\nstep:\n" + body +
         "shl.b32 %offset, %offset, 1\nsetp.lt.u32 %more, %offset, WARP_SZ\n@%more bra step\n";
}

Messages collectives(const std::string& text, unsigned lanes) {
  return advise(text, on(lanes)).messages(Finding::CollectiveInstead);
}

TEST(Advice, ReduceByButterfly) {
  const std::string text = kHead + falling("shfl.bfly.b32 %y, %x, %offset\nmax.u32 %x, %x, %y\n") + kTail;
  EXPECT_EQ(collectives(text, 8),
            Messages{"lines 5-6 combine by max.u32, in 3 shuffles, the values of all 8 lanes for every "
                     "lane: that is reduce.max.u32 %x, %x"});
  for (const unsigned lanes : {4U, 16U, 32U, 64U}) EXPECT_EQ(collectives(text, lanes).size(), 1U) << lanes;
  EXPECT_EQ(collectives(text, 2), Messages{});  // one shuffle is no sequence
  // In the other order, and into another register.
  EXPECT_EQ(collectives(kHead + "mov.u32 %s, %x\n" + rising("shfl.bfly.b32 %y, %s, %offset\nadd.u32 %s, %y, %s\n") +
                            "st.global.u32 output[%gtid], %s\nexit\n",
                        32),
            Messages{"lines 6-7 combine by add.u32, in 5 shuffles, the values of all 32 lanes for every lane: that is "
                     "reduce.add.u32 %s, %s"});
}

TEST(Advice, FloatSumsSayWhereTheirRoundingDiffers) {
  const std::string head = ".kernel k (in input: f32[2048], out output: f32[2048])\nld.global.f32 %x, input[%gtid]\n";
  const std::string tail = "st.global.f32 output[%gtid], %x\nexit\n";
  const std::string body = "shfl.bfly.b32 %y, %x, %offset\nadd.f32 %x, %x, %y\n";
  EXPECT_EQ(collectives(head + falling(body) + tail, 8),
            Messages{"lines 5-6 combine by add.f32, in 3 shuffles, the values of all 8 lanes for every lane: that is "
                     "reduce.add.f32 %x, %x"});
  EXPECT_EQ(collectives(head + rising(body) + tail, 8),
            Messages{"lines 5-6 combine by add.f32, in 3 shuffles, the values of all 8 lanes for every lane: that is "
                     "reduce.add.f32 %x, %x, rounded in another order"});
}

TEST(Advice, ReduceToLaneZero) {
  // Only lane 0 uses what it has; what the others have by then would be nothing's sum.
  const std::string fold = falling("shfl.down.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n");
  const std::string root = "setp.eq.u32 %root, %laneid, 0\n@%root st.global.u32 output[%gtid], %x\nexit\n";
  EXPECT_EQ(collectives(kHead + fold + root, 16),
            Messages{"lines 5-6 combine by add.u32, in 4 shuffles, the values of all 16 lanes for lane 0: that is "
                     "reduce.add.u32 %x, %x, which every lane gets"});
  EXPECT_EQ(collectives(kHead + fold + kTail, 16), Messages{});  // the others' sums are stored, too
  // A broadcast after it makes it a reduction for all.
  EXPECT_EQ(
      collectives(kHead + fold + "shfl.idx.b32 %x, %x, 0\n" + kTail, 16),
      Messages{"lines 5-6, 10 combine by add.u32, in 5 shuffles, the values of all 16 lanes for every lane: that is "
               "reduce.add.u32 %x, %x"});
}

TEST(Advice, Scans) {
  const std::string steps = rising("shfl.up.b32 %y|%there, %x, %offset\n@%there add.u32 %x, %x, %y\n");
  EXPECT_EQ(
      collectives(kHead + steps + kTail, 8),
      Messages{"lines 5-6 combine by add.u32, in 3 shuffles, the values of the lanes up to itself for each lane: that "
               "is scan.add.u32 %x, %x"});
  EXPECT_EQ(
      collectives(kHead + steps + "shfl.up.b32 %x|%there, %x, 1\n@!%there mov.u32 %x, 0\n" + kTail, 8),
      Messages{"lines 5-6, 10 combine by add.u32, in 4 shuffles, the values of the lanes before itself for each lane "
               "but lane 0: that is scan.add.exclusive.u32 %x, %x, which gives lane 0 the operation's identity"});
  // The lane's number instead of the predicate; a selection instead of a guard; a branch.
  for (const char* const body :
       {"shfl.up.b32 %y, %x, %offset\nsetp.ge.u32 %there, %laneid, %offset\n@%there add.u32 %x, %x, %y\n",
        "shfl.up.b32 %y|%there, %x, %offset\nadd.u32 %z, %x, %y\nselp.u32 %x, %z, %x, %there\n",
        "shfl.up.b32 %y|%there, %x, %offset\n@!%there bra past\nadd.u32 %x, %x, %y\npast:\n"})
    EXPECT_EQ(collectives(kHead + rising(body) + kTail, 8).size(), 1U) << body;
  // There is no scan by xor; a scan without its guard is no scan of sums, and still one of largest values.
  EXPECT_EQ(collectives(kHead + rising("shfl.up.b32 %y|%there, %x, %offset\n@%there xor.b32 %x, %x, %y\n") + kTail, 8),
            Messages{});
  EXPECT_EQ(collectives(kHead + rising("shfl.up.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n") + kTail, 8), Messages{});
  EXPECT_EQ(collectives(kHead + rising("shfl.up.b32 %y, %x, %offset\nmax.u32 %x, %x, %y\n") + kTail, 8).size(), 1U);
}

TEST(Advice, ALastLaneThatSendsTheSumIsABroadcast) {
  const Messages said = collectives(kHead + rising("shfl.up.b32 %y|%there, %x, %offset\n@%there add.u32 %x, %x, %y\n") +
                                        "shfl.idx.b32 %all, %x, WARP_SZ - 1\nadd.u32 %x, %x, %all\n" + kTail,
                                    8);
  EXPECT_EQ(
      said,
      (Messages{"lines 5-6 combine by add.u32, in 3 shuffles, the values of the lanes up to itself for each "
                "lane: that is scan.add.u32 %x, %x",
                "every lane takes the value of lane 7, in its one execution: that is broadcast.b32 %all, %x, 7"}));
}

TEST(Advice, NoCollectiveWhereSomethingElseHappens) {
  const auto bfly = [](const std::string& combine) {
    return kHead + falling("shfl.bfly.b32 %y, %x, %offset\n" + combine) + kTail;
  };
  const std::vector<std::pair<const char*, std::string>> texts = {
      {"an operation that no collective has", bfly("sub.u32 %x, %x, %y\n")},
      {"lanes of two operations",
       bfly("and.b32 %odd, %laneid, 1\nsetp.eq.u32 %p, %odd, 0\n@%p add.u32 %x, %x, %y\n@!%p max.u32 %x, %x, %y\n")},
      {"memory decides who adds", bfly("setp.lt.u32 %p, %y, 100\n@%p add.u32 %x, %x, %y\n")},
      {"memory decides by a branch", bfly("setp.ge.u32 %p, %y, 100\n@%p bra past\nadd.u32 %x, %x, %y\npast:\n")},
      {"memory decides who adds, whatever that is",
       kHead + "ld.global.u32 %flag, input[7]\nsetp.eq.u32 %p, %flag, 1\n" +
           falling("shfl.bfly.b32 %y, %x, %offset\n@%p add.u32 %x, %x, %y\n") + kTail},
      {"memory decides where it comes from",
       kHead + "ld.global.u32 %flag, input[7]\nsub.u32 %flag, %flag, 1\n" +
           falling("add.u32 %by, %offset, %flag\nshfl.bfly.b32 %y, %x, %by\nadd.u32 %x, %x, %y\n") + kTail},
      {"memory parts the lanes",
       kHead +
           "ld.global.u32 %flag, input[7]\nadd.u32 %flag, %flag, %laneid\nsetp.lt.u32 %p, %flag, 5\n"
           "mov.u32 %s, %x\n" +
           rising("shfl.up.b32 %y|%there, %s, %offset\nadd.u32 %z, %s, %y\nselp.u32 %z, %z, %s, %there\n"
                  "@%p bra low\nmov.u32 %s, %z\nbra met\nlow: mov.u32 %s, %z\nmet:\n") +
           "st.global.u32 output[%gtid], %s\nexit\n"},
      {"a value in between is stored", bfly("add.u32 %x, %x, %y\nst.global.u32 output[%laneid], %x\n")},
      {"a value in between is compared", bfly("add.u32 %x, %x, %y\nsetp.gt.u32 %q, %x, 3\n")},
      {"what came is used, too", bfly("add.u32 %x, %x, %y\nadd.u32 %z, %y, 1\n")},
      {"half of the warp",
       kHead + falling("shfl.bfly.b32 %y, %x, %offset, width=WARP_SZ / 2\nadd.u32 %x, %x, %y\n") + kTail},
      {"a step is missing", kHead +
                                falling("shfl.bfly.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n"
                                        "shr.u32 %offset, %offset, 1\n") +
                                kTail},
      {"a step goes in twice", kHead + "shfl.bfly.b32 %y, %x, 1\nadd.u32 %x, %x, %y\n" +
                                   falling("shfl.bfly.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n") + kTail},
      {"two values together", kHead + "ld.global.u32 %w, input[%laneid]\n" +
                                  falling("shfl.bfly.b32 %y, %w, %offset\nadd.u32 %x, %x, %y\n") + kTail},
      {"the same lines, and once with some lanes alone",
       kHead + "mov.u32 %round, 0\nagain: mov.u32 %mine, %x\n" +
           falling("shfl.bfly.b32 %y, %mine, %offset\nadd.u32 %mine, %mine, %y\n") +
           "add.u32 %round, %round, 1\nsetp.ge.u32 %low, %laneid, WARP_SZ / 2\n@%low exit\n"
           "setp.lt.u32 %p, %round, 2\n@%p bra again\nst.global.u32 output[%gtid], %mine\nexit\n"},
  };
  for (const auto& [why, text] : texts) {
    RunSetup setup = on(8);
    Advice advice;
    setup.sinks = {&advice};
    setup.buffers["input"] = setup.buffers["output"] = std::vector<std::uint64_t>(2048, 1);
    run_text(text, setup);
    for (const RunFinding& one : advice.found())
      EXPECT_NE(one.code, Finding::CollectiveInstead) << why << ": " << english(one.message);
  }
  // The first of these texts but for the operation.
  EXPECT_EQ(collectives(bfly("add.u32 %x, %x, %y\n"), 8).size(), 1U);
}

TEST(Advice, MoreChainsThanAreKept) {
  const std::string text = kHead + "mov.u32 %round, 0\nagain:\nld.global.u32 %s, input[%round]\n" +
                           falling("shfl.bfly.b32 %y, %s, %offset\nadd.u32 %s, %s, %y\n") +
                           "add.u32 %round, %round, 1\nsetp.lt.u32 %p, %round, 40\n@%p bra again\n" + kTail;
  EXPECT_EQ(collectives(text, 8),
            Messages{"lines 8-9 combine by add.u32, in 3 shuffles, the values of all 8 lanes for every lane: that is "
                     "reduce.add.u32 %s, %s; 40 times in this run"});
}

// What a reduction gives goes into the next one, of the same register.
TEST(Advice, OneReductionAfterTheOther) {
  const std::string text = kHead + "mov.u32 %round, 0\nagain:\n" +
                           falling("shfl.bfly.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n") +
                           "add.u32 %round, %round, 1\nsetp.lt.u32 %p, %round, 3\n@%p bra again\n" + kTail;
  EXPECT_EQ(collectives(text, 8),
            Messages{"lines 7-8 combine by add.u32, in 3 shuffles, the values of all 8 lanes for every lane: that is "
                     "reduce.add.u32 %x, %x; 3 times in this run"});
  // Its result and the value that it began with, together.
  EXPECT_EQ(collectives(kHead + "mov.u32 %s, %x\n" + falling("shfl.bfly.b32 %y, %s, %offset\nadd.u32 %s, %s, %y\n") +
                            "add.u32 %x, %x, %s\n" + kTail,
                        8)
                .size(),
            1U);
}

TEST(Advice, Broadcasts) {
  const auto idx = [](const std::string& lane) { return kHead + "shfl.idx.b32 %x, %x, " + lane + "\n" + kTail; };
  EXPECT_EQ(collectives(idx("0"), 8),
            Messages{"every lane takes the value of lane 0, in its one execution: that is broadcast.b32 %x, %x"});
  EXPECT_EQ(collectives(idx("5"), 8),
            Messages{"every lane takes the value of lane 5, in its one execution: that is broadcast.b32 %x, %x, 5"});
  EXPECT_EQ(collectives(kHead + "xor.b32 %i, %laneid, 1\nshfl.idx.b32 %x, %x, %i\n" + kTail, 8), Messages{});
  EXPECT_EQ(collectives(kHead + "shfl.idx.b32 %x, %x, %x\n" + kTail, 8), Messages{});  // memory says which
  EXPECT_EQ(collectives(kHead + "shfl.idx.b32 %x|%there, %x, 0\n" + kTail, 8),
            Messages{});  // a broadcast has no predicate
  EXPECT_EQ(collectives(kHead + "shfl.idx.b32 %x, %x, 0, width=4\n" + kTail, 8), Messages{});  // two lanes send
}

// ---- shuffles that move nothing

TEST(Advice, ShufflesThatMoveNothing) {
  const auto said = [](const std::string& shuffle, unsigned lanes) {
    return advise(kHead + shuffle + kTail, on(lanes)).messages(Finding::XorIsIdentity);
  };
  EXPECT_EQ(said("shfl.bfly.b32 %x, %x, 32\n", 32),
            Messages{"xor by 32 on 32 lanes is xor by 0: each lane gets its own value, in its one execution"});
  EXPECT_EQ(said("shfl.bfly.b32 %x, %x, 32\n", 64), Messages{});
  EXPECT_EQ(said("shfl.bfly.b32 %x, %x, 8\n", 8), Messages{});  // out of range: another matter
  EXPECT_EQ(said("shfl.down.b32 %x, %x, 0\n", 8),
            Messages{"down by 0 leaves every lane where it is: each lane gets its own value, in its one execution"});
  EXPECT_EQ(said("shfl.up.b32 %x, %x, 32\n", 16),
            Messages{"up by 32 on 16 lanes is up by 0: each lane gets its own value, in its one execution"});
  EXPECT_EQ(said("shfl.idx.b32 %x, %x, %laneid\n", 8),
            Messages{"every lane asks for itself: each lane gets its own value, in its one execution"});
  EXPECT_EQ(said("shfl.idx.b32 %y, %laneid, 0\nshfl.idx.b32 %x, %x, %y\n", 8), Messages{});
  // By what memory holds, or by a step of a loop that others follow: no word.
  EXPECT_EQ(said("sub.u32 %z, %x, %x\nshfl.bfly.b32 %x, %x, %z\n", 8), Messages{});
  EXPECT_EQ(
      said("mov.u32 %o, 0\nstep: shfl.bfly.b32 %x, %x, %o\nadd.u32 %o, %o, 1\nsetp.lt.u32 %p, %o, 2\n@%p bra step\n",
           8),
      Messages{});
}

// ---- the programs

// The shuffles that reductions and scans are made of are found in the programs that are written so, and in no other:
// sorts, transforms, segmented scans and reductions of pairs are none.
TEST(Advice, Programs) {
  std::vector<std::string> chains;
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << name;
    CaseOverrides overrides;
    overrides.lanes = testing::about_8_lanes(*assembled.lesson(), assembled.lesson()->cases.at(0));
    Advice advice;
    testing::record_run(*assembled.lesson(), assembled.lesson()->cases.at(0), overrides, {&advice});
    bool chain = false;
    for (const RunFinding& one : advice.found()) {
      EXPECT_NE(one.code, Finding::XorIsIdentity) << name << ": " << english(one.message);
      chain = chain || (one.code == Finding::CollectiveInstead &&
                        english(one.message).find(" combine by ") != std::string::npos);
    }
    if (chain) chains.push_back(name);
  }
  const std::vector<std::string> expected = {
      "block/grid_reduction",
      "p26/butterfly_parallel_max",
      "p26/warp_partition",
      "reduce/and_bfly",
      "reduce/and_down",
      "reduce/dot_product",
      "reduce/max_bfly",
      "reduce/max_down",
      "reduce/mean_variance",
      "reduce/min_bfly",
      "reduce/min_down",
      "reduce/or_bfly",
      "reduce/or_down",
      "reduce/sum_bfly",
      "reduce/sum_down",
      "reduce/then_broadcast",
      "reduce/xor_bfly",
      "reduce/xor_down",
      "scan/hillis_steele_exclusive",
      "scan/hillis_steele_inclusive",
      "scan/max",
      "scan/min",
      "scan/product",
  };
  EXPECT_EQ(chains, expected);
}

}  // namespace
}  // namespace warpsim
