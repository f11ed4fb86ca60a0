// The enumerator against litmus tests whose answers follow from the PTX ISA's text and the papers.
//
// Source: PTX ISA 9.0, sections 8.7 to 8.11; Lustig, Sahasrabuddhe and Giroux (ASPLOS 2019); Alglave et al., "GPU
//         Concurrency: Weak Behaviours and Programming Assumptions" (ASPLOS 2015), for the shapes' names. The answers
//         were worked out by hand from the axioms; the comment at a test names the one that decides.
#include "tests/litmus/model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/litmus/litmus_text.h"

namespace warpsim::litmus {
namespace model_test {

constexpr const char* kTwoInOneBlock = "P0@cta 0,gpu 0 | P1@cta 0,gpu 0;";
constexpr const char* kTwoBlocks = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0;";
constexpr const char* kTwoDevices = "P0@cta 0,gpu 0 | P1@cta 0,gpu 1;";
constexpr const char* kThreeBlocks = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0;";
constexpr const char* kFourBlocks = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0;";

struct Answer {
  bool allowed = false, racy = false;
};

Answer answer(const std::string& heads, const std::string& rows, const std::string& question,
              const std::string& initial = "") {
  const ReadText read = read_litmus("PTX test\n{" + initial + "}\n" + heads + rows + "\nexists (" + question + ")");
  EXPECT_EQ(read.refused, "") << rows;
  if (!read.refused.empty()) return {};
  const Verdict verdict = judge(read.program);
  EXPECT_EQ(verdict.refused, "") << rows;
  EXPECT_FALSE(verdict.outcomes.empty()) << rows;
  return {satisfied(read.program, verdict), verdict.racy()};
}

void expect_answer(const Answer& got, bool allowed, bool racy, const std::string& what) {
  EXPECT_EQ(got.allowed, allowed) << what;
  EXPECT_EQ(got.racy, racy) << what;
}

// How far a scope reaches, and how far apart two threads are: 0 in a block, 1 on a device, 2 in the system.
struct Distance {
  const char* heads;
  int far;
};
constexpr Distance kDistances[] = {{kTwoInOneBlock, 0}, {kTwoBlocks, 1}, {kTwoDevices, 2}};
struct Reach {
  const char* name;
  int far;
};
constexpr Reach kReaches[] = {{"cta", 0}, {"gpu", 1}, {"sys", 2}};

// Message passing: the reader takes the data only if it has seen the flag. It sees them, and nothing races, if and only
// if one side releases, the other acquires, and both reach the other thread (release and acquire patterns, 8.7).
TEST(LitmusModel, MessagePassing) {
  struct Side {
    std::string before, access, behind;
    bool orders;
  };
  const Side writers[] = {{"", "st.weak y, 1", "", false},
                          {"", "st.relaxed.S y, 1", "", false},
                          {"", "st.release.S y, 1", "", true},
                          {"fence.acq_rel.S", "st.relaxed.S y, 1", "", true},
                          {"fence.sc.S", "st.relaxed.S y, 1", "", true},
                          {"fence.sc.S", "st.weak y, 1", "", false},
                          {"", "atom.release.S.exch r9, y, 1", "", true},
                          {"", "red.relaxed.S.add y, 1", "", false}};
  const Side readers[] = {{"", "ld.weak r0, y", "", false},
                          {"", "ld.relaxed.S r0, y", "", false},
                          {"", "ld.acquire.S r0, y", "", true},
                          {"", "ld.relaxed.S r0, y", "fence.acq_rel.S", true},
                          {"", "ld.relaxed.S r0, y", "fence.sc.S", true},
                          {"", "ld.weak r0, y", "fence.acq_rel.S", false},
                          {"", "atom.acquire.S.or r0, y, 0", "", true},
                          {"ld.relaxed.S r7, y", "ld.acquire.S r0, y", "", true}};
  const auto scoped = [](std::string text, const char* scope) {
    for (std::size_t at = 0; (at = text.find(".S", at)) != std::string::npos;) text.replace(at + 1, 1, scope);
    return text;
  };
  for (const Distance& distance : kDistances)
    for (const Side& writer : writers)
      for (const Side& reader : readers)
        for (const Reach& from : kReaches)
          for (const Reach& to : kReaches) {
            const std::string rows = " st.weak x, 1 | " + scoped(reader.before, to.name) + ";" +
                                     scoped(writer.before, from.name) + " | " + scoped(reader.access, to.name) + ";" +
                                     scoped(writer.access, from.name) + " | " + scoped(reader.behind, to.name) + ";" +
                                     " | beq r0, 0, LC0; | ld.weak r1, x; | LC0:;";
            const bool reach = from.far >= distance.far && to.far >= distance.far;
            const bool orders = writer.orders && reader.orders && reach;
            // Fence-SC order hands the data on whatever the flag is, if both have such a fence; a weak flag still
            // races.
            const bool fenced = writer.before == "fence.sc.S" && reader.behind == "fence.sc.S" && reach;
            expect_answer(answer(distance.heads, rows, "P1:r0 == 1 /\\ P1:r1 == 0"), !orders && !fenced, !orders,
                          std::string(distance.heads) + rows);
          }
}

// Store buffering: only fence.sc on both sides that reach each other forbid it (Fence-SC, Causality).
TEST(LitmusModel, StoreBuffering) {
  for (const Distance& distance : kDistances)
    for (const char* fence : {"fence.sc.", "fence.acq_rel."})
      for (const Reach& from : kReaches)
        for (const Reach& to : kReaches) {
          const std::string rows = std::string(" st.relaxed.sys x, 1 | st.relaxed.sys y, 1;") + fence + from.name +
                                   " | " + fence + to.name + "; ld.relaxed.sys r0, y | ld.relaxed.sys r1, x;";
          const bool ordered = fence[6] == 's' && from.far >= distance.far && to.far >= distance.far;
          expect_answer(answer(distance.heads, rows, "P0:r0 == 0 /\\ P1:r1 == 0"), !ordered, false,
                        std::string(distance.heads) + rows);
        }
  // Releases and acquires do not; a store that is read by the own thread neither.
  expect_answer(
      answer(kTwoBlocks, " st.release.gpu x, 1 | st.release.gpu y, 1; ld.acquire.gpu r0, y | ld.acquire.gpu r1, x;",
             "P0:r0 == 0 /\\ P1:r1 == 0"),
      true, false, "releases");
}

struct Named {
  const char *name, *heads, *rows, *question;
  bool allowed, racy;
  const char* initial = "";
};

void expect_all(const std::vector<Named>& tests) {
  for (const Named& each : tests)
    expect_answer(answer(each.heads, each.rows, each.question, each.initial), each.allowed, each.racy, each.name);
}

TEST(LitmusModel, LoadBuffering) {
  expect_all({
      {"relaxed", kTwoBlocks, "ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y; st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1;",
       "P0:r0 == 1 /\\ P1:r1 == 1", true, false},
      // Causality: the load precedes the store that it reads from.
      {"release and acquire", kTwoBlocks,
       "ld.relaxed.gpu r0, x | ld.acquire.gpu r1, y; st.release.gpu y, 1 | st.relaxed.gpu x, 1;",
       "P0:r0 == 1 /\\ P1:r1 == 1", false, false},
      // No-Thin-Air.
      {"copies", kTwoBlocks,
       "ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y; st.relaxed.gpu y, r0 | st.relaxed.gpu x, r1;", "x != 0 \\/ y != 0",
       false, false},
      {"branches", kTwoBlocks,
       "ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y; beq r0, 0, LC0 | beq r1, 0, LC1; st.relaxed.gpu y, 1 | "
       "st.relaxed.gpu x, 1; LC0: | LC1:;",
       "x == 1 \\/ y == 1", false, false},
      // The same value could come from the third thread, which has not stored it here.
      {"copies beside a store that is not made", kFourBlocks,
       "ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y | ld.relaxed.gpu r2, f | st.relaxed.gpu f, 1; "
       "st.relaxed.gpu y, r0 | st.relaxed.gpu x, r1 | beq r2, 0, LC2 | ; | | st.relaxed.gpu x, 1 | ; | | LC2: |;",
       "P0:r0 == 1 /\\ P1:r1 == 1 /\\ P2:r2 == 0", false, false},
      {"one copy, one constant", kTwoBlocks,
       "ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y; st.relaxed.gpu y, r0 | st.relaxed.gpu x, 1;",
       "P0:r0 == 1 /\\ P1:r1 == 1", true, false},
  });
}

TEST(LitmusModel, Coherence) {
  constexpr const char* kOne = "P0@cta 0,gpu 0;";
  expect_all({
      {"CoWW", kOne, "st.weak x, 1; st.weak x, 2;", "x == 1", false, false},
      {"a thread reads its own store", kOne, "st.weak x, 1; ld.weak r0, x;", "P0:r0 == 0", false, false},
      {"CoRR", kTwoBlocks, "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x; | ld.relaxed.gpu r1, x;",
       "P1:r0 == 1 /\\ P1:r1 == 0", false, false},
      {"CoRR, weak", kTwoBlocks, "st.relaxed.gpu x, 1 | ld.weak r0, x; | ld.weak r1, x;", "P1:r0 == 1 /\\ P1:r1 == 0",
       true, true},
      {"CoRR, not far enough", kTwoBlocks, "st.relaxed.gpu x, 1 | ld.relaxed.cta r0, x; | ld.relaxed.cta r1, x;",
       "P1:r0 == 1 /\\ P1:r1 == 0", true, true},
      {"CoWR", kTwoBlocks, "st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2; ld.relaxed.gpu r0, x | ;",
       "P0:r0 == 2 /\\ x == 1", false, false},
      {"CoRW", kTwoBlocks, "ld.relaxed.gpu r0, x | st.relaxed.gpu x, 2; st.relaxed.gpu x, 1 | ;",
       "P0:r0 == 2 /\\ x == 2", false, false},
      {"two readers agree", kFourBlocks,
       "st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, x; | | ld.relaxed.gpu "
       "r1, x | ld.relaxed.gpu r1, x;",
       "P2:r0 == 1 /\\ P2:r1 == 2 /\\ P3:r0 == 2 /\\ P3:r1 == 1", false, false},
      {"of weak stores they need not", kFourBlocks,
       "st.weak x, 1 | st.weak x, 2 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, x; | | ld.relaxed.gpu r1, x | "
       "ld.relaxed.gpu r1, x;",
       "P2:r0 == 1 /\\ P2:r1 == 2 /\\ P3:r0 == 2 /\\ P3:r1 == 1", true, true},
      {"2+2W", kTwoBlocks, "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1; st.relaxed.gpu y, 2 | st.relaxed.gpu x, 2;",
       "x == 1 /\\ y == 1", true, false},
      // Coherence, by Fence-SC order.
      {"2+2W with fences", kTwoBlocks,
       "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1; fence.sc.gpu | fence.sc.gpu; st.relaxed.gpu y, 2 | st.relaxed.gpu "
       "x, 2;",
       "x == 1 /\\ y == 1", false, false},
      {"2+2W with lighter fences", kTwoBlocks,
       "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1; fence.acq_rel.gpu | fence.acq_rel.gpu; st.relaxed.gpu y, 2 | "
       "st.relaxed.gpu x, 2;",
       "x == 1 /\\ y == 1", true, false},
  });
}

std::string iriw(const std::string& load, const std::string& fence) {
  return "st.relaxed.gpu x, 1 | " + load + " r0, x | st.relaxed.gpu y, 1 | " + load + " r0, y; | " + fence + " | | " +
         fence + "; | " + load + " r1, y | | " + load + " r1, x;";
}

TEST(LitmusModel, IndependentReads) {
  const std::string question = "P1:r0 == 1 /\\ P1:r1 == 0 /\\ P3:r0 == 1 /\\ P3:r1 == 0";
  expect_answer(answer(kFourBlocks, iriw("ld.relaxed.gpu", ""), question), true, false, "relaxed");
  expect_answer(answer(kFourBlocks, iriw("ld.acquire.gpu", ""), question), true, false, "acquire");
  expect_answer(answer(kFourBlocks, iriw("ld.relaxed.gpu", "fence.acq_rel.gpu"), question), true, false, "acq_rel");
  expect_answer(answer(kFourBlocks, iriw("ld.relaxed.gpu", "fence.sc.cta"), question), true, false, "sc.cta");
  expect_answer(answer(kFourBlocks, iriw("ld.relaxed.gpu", "fence.sc.gpu"), question), false, false, "sc.gpu");
  // Observation order is of morally strong reads alone.
  expect_answer(answer(kFourBlocks, iriw("ld.weak", "fence.sc.gpu"), question), true, true, "weak");
}

TEST(LitmusModel, Cumulativity) {
  constexpr const char* kBlockOfTwo = "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0;";
  expect_all({
      {"WRC", kThreeBlocks,
       "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | ld.acquire.gpu r1, y; | st.release.gpu y, 1 | ld.relaxed.gpu r2, "
       "x;",
       "P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0", false, false},
      {"WRC without a release", kThreeBlocks,
       "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | ld.acquire.gpu r1, y; | st.relaxed.gpu y, 1 | ld.relaxed.gpu r2, "
       "x;",
       "P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0", true, false},
      {"ISA2", kThreeBlocks,
       "st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y | ld.acquire.gpu r1, z; st.release.gpu y, 1 | st.release.gpu z, 1 | "
       "ld.relaxed.gpu r2, x;",
       "P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0", false, false},
      {"ISA2, first in a block, then on the device", kBlockOfTwo,
       "st.relaxed.gpu x, 1 | ld.acquire.cta r0, y | ld.acquire.gpu r1, z; st.release.cta y, 1 | st.release.gpu z, 1 | "
       "ld.relaxed.gpu r2, x;",
       "P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0", false, false},
      {"ISA2, the second step only in a block", kBlockOfTwo,
       "st.relaxed.gpu x, 1 | ld.acquire.cta r0, y | ld.acquire.cta r1, z; st.release.cta y, 1 | st.release.cta z, 1 | "
       "ld.relaxed.gpu r2, x;",
       "P1:r0 == 1 /\\ P2:r1 == 1 /\\ P2:r2 == 0", true, true},
  });
}

// Observation order passes through atomics and through nothing else; patterns have a second half.
TEST(LitmusModel, ReleasePatterns) {
  constexpr const char* kSeen = "P2:r1 == 2 /\\ P2:r2 == 0";
  expect_all({
      {"through an atomic", kThreeBlocks,
       "st.relaxed.gpu x, 1 | atom.relaxed.gpu.add r0, y, 1 | ld.acquire.gpu r1, y; st.release.gpu y, 1 | | "
       "ld.relaxed.gpu r2, x;",
       kSeen, false, false},
      {"through an atomic of the block", kThreeBlocks,
       "st.relaxed.gpu x, 1 | atom.relaxed.cta.add r0, y, 1 | ld.acquire.gpu r1, y; st.release.gpu y, 1 | | "
       "ld.relaxed.gpu r2, x;",
       kSeen, true, true},
      {"not through a store", kThreeBlocks,
       "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y | ld.acquire.gpu r1, y; st.release.gpu y, 1 | st.relaxed.gpu y, 2 | "
       "ld.relaxed.gpu r2, x;",
       "P1:r0 == 1 /\\ P2:r1 == 2 /\\ P2:r2 == 0", true, false},
      {"the own later store", kTwoBlocks,
       "st.relaxed.gpu x, 1 | ld.acquire.gpu r1, y; st.release.gpu y, 1 | ld.relaxed.gpu r2, x; st.relaxed.gpu y, 2 | "
       ";",
       "P1:r1 == 2 /\\ P1:r2 == 0", false, false},
      {"the own later store, weak", kTwoBlocks,
       "st.relaxed.gpu x, 1 | ld.acquire.gpu r1, y; st.release.gpu y, 1 | ld.relaxed.gpu r2, x; st.weak y, 2 | ;",
       "P1:r1 == 2 /\\ P1:r2 == 0", true, true},
      // What stands between a release and its pattern's write is not released.
      {"behind the release", kTwoBlocks,
       "st.release.gpu y, 1 | ld.acquire.gpu r1, y; st.relaxed.gpu x, 1 | ld.relaxed.gpu r2, x; st.relaxed.gpu y, 2 | "
       ";",
       "P1:r1 == 2 /\\ P1:r2 == 0", true, false},
      {"a read before the acquire", kTwoBlocks,
       "st.relaxed.gpu x, 1 | ld.relaxed.gpu r1, y; st.release.gpu y, 1 | ld.acquire.gpu r3, y; | ld.relaxed.gpu r2, "
       "x;",
       "P1:r1 == 1 /\\ P1:r2 == 0", false, false},
      {"a fence for the block, an access for the device", kTwoBlocks,
       "st.relaxed.gpu x, 1 | ld.relaxed.gpu r1, y; fence.acq_rel.cta | fence.acq_rel.gpu; st.relaxed.gpu y, 1 | "
       "ld.relaxed.gpu r2, x;",
       "P1:r1 == 1 /\\ P1:r2 == 0", true, false},
      {"a fence and a release", kTwoBlocks,
       "st.relaxed.gpu x, 1 | ld.acquire.gpu r1, y; fence.acq_rel.gpu | ld.relaxed.gpu r2, x; st.relaxed.gpu y, 1 | ;",
       "P1:r1 == 1 /\\ P1:r2 == 0", false, false},
  });
}

TEST(LitmusModel, Atomics) {
  expect_all({
      {"two additions", kTwoBlocks, "red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1;", "x != 2", false, false},
      {"two additions, each for its block", kTwoBlocks, "red.relaxed.cta.add x, 1 | red.relaxed.cta.add x, 1;",
       "x == 1", true, true},
      {"one of them for its block", kTwoBlocks, "red.relaxed.cta.add x, 1 | red.relaxed.gpu.add x, 1;", "x == 1", true,
       true},
      {"both in one block", kTwoInOneBlock, "red.relaxed.cta.add x, 1 | red.relaxed.gpu.add x, 1;", "x == 1", false,
       false},
      {"one winner", kTwoBlocks, "atom.relaxed.gpu.cas r0, x, 0, 1 | atom.relaxed.gpu.cas r0, x, 0, 1;",
       "P0:r0 == 0 /\\ P1:r0 == 0", false, false},
      {"one exchange", kTwoBlocks, "atom.relaxed.gpu.exch r0, x, 1 | atom.relaxed.gpu.exch r0, x, 2;",
       "P0:r0 == 2 /\\ P1:r0 == 1", false, false},
      {"an atomic and a weak store", kTwoBlocks, "red.relaxed.gpu.add x, 1 | st.weak x, 5;", "x == 1", true, true},
      {"an atomic and a strong store", kTwoBlocks, "red.relaxed.gpu.add x, 1 | st.relaxed.gpu x, 5;", "x == 1", false,
       false},
      {"an atomic and a weak load", kTwoBlocks, "red.relaxed.gpu.add x, 1 | ld.weak r0, x;", "P1:r0 == 1", true, true},
      {"an atomic and a strong load", kTwoBlocks, "red.relaxed.gpu.add x, 1 | ld.relaxed.gpu r0, x;", "P1:r0 == 1",
       true, false},
  });
}

// A lock that both try once.
std::string lock(const std::string& take, const std::string& leave) {
  const auto both = [](const std::string& text) { return text + " | " + text + ";"; };
  return both("atom." + take + ".cas r0, l, 0, 1") + "bne r0, 0, LC0 | bne r0, 0, LC1;" + both("ld.weak r1, x") +
         both("add r1, r1, 1") + both("st.weak x, r1") + both("atom." + leave + ".exch r2, l, 0") + "LC0: | LC1:;";
}

TEST(LitmusModel, Locks) {
  const std::string lost = "P0:r0 == 0 /\\ P1:r0 == 0 /\\ x == 1";
  expect_answer(answer(kTwoBlocks, lock("acquire.gpu", "release.gpu"), lost), false, false, "acquire and release");
  expect_answer(answer(kTwoBlocks, lock("relaxed.gpu", "release.gpu"), lost), true, true, "no acquire");
  expect_answer(answer(kTwoBlocks, lock("acquire.gpu", "relaxed.gpu"), lost), true, true, "no release");
  expect_answer(answer(kTwoBlocks, lock("acquire.cta", "release.cta"), lost), true, true, "of the block");
  expect_answer(answer(kTwoInOneBlock, lock("acquire.cta", "release.cta"), lost), false, false, "in one block");
}

TEST(LitmusModel, Barriers) {
  constexpr const char* kThrough = " st.weak x, 1 | bar.cta.sync 0; bar.cta.sync 0 | ld.weak r0, x;";
  expect_all({
      {"a barrier", kTwoInOneBlock, kThrough, "P1:r0 == 0", false, false},
      {"a barrier of other blocks", kTwoBlocks, kThrough, "P1:r0 == 0", true, true},
      {"no barrier", kTwoInOneBlock, " st.weak x, 1 | ld.weak r0, x;", "P1:r0 == 0", true, true},
      {"who arrives is not told", kTwoInOneBlock, " st.weak x, 1 | bar.cta.arrive 0; bar.cta.sync 0 | ld.weak r0, x;",
       "P1:r0 == 0", true, true},
      {"who waits is", kTwoInOneBlock, " st.weak x, 1 | bar.cta.sync 0; bar.cta.arrive 0 | ld.weak r0, x;",
       "P1:r0 == 0", false, false},
      {"the read before", kTwoInOneBlock, " bar.cta.sync 0 | ld.weak r0, x; st.weak x, 1 | bar.cta.sync 0;",
       "P1:r0 == 1", false, false},
      {"between two barriers", kTwoInOneBlock,
       " bar.cta.sync 0 | bar.cta.sync 0; st.weak x, 1 | ld.weak r0, x; bar.cta.sync 1 | bar.cta.sync 1;", "P1:r0 == 1",
       true, true},
  });
}

// What a location ends as where two weak stores race: either.
TEST(LitmusModel, RacingStoresLeaveEither) {
  for (const char* question : {"x == 1", "x == 2"})
    expect_answer(answer(kTwoBlocks, "st.weak x, 1 | st.weak x, 2;", question), true, true, question);
  expect_answer(answer(kTwoBlocks, "st.weak x, 1 | st.weak x, 2;", "x == 0"), false, true, "x == 0");
  expect_answer(answer(kTwoBlocks, "st.weak x, 1 | st.weak y, 2;", "x == 1 /\\ y == 2"), true, false, "two locations");
}

TEST(LitmusModel, WhatCannotBeSaidIsRefusedByName) {
  const auto refused = [](const std::string& initial, const std::string& row) {
    return read_litmus("PTX t\n{" + initial + "}\nP0@cta 0,gpu 0;\n" + row + ";\nexists (x == 1)").refused;
  };
  EXPECT_EQ(refused("x = 0; y @ generic aliases x;", "st.weak x, 1"), "a proxy or an alias");
  EXPECT_EQ(refused("x = 0;", "fence.proxy.alias"), "a proxy or an alias");
  EXPECT_EQ(refused("x = 0;", "bar.cta.sync 0, 1, 2"), "a barrier with a count of threads");
  EXPECT_EQ(refused("x = 0;", "sust.weak x, 1"), "an instruction: sust");
  EXPECT_EQ(refused("x = 0;", "st.weak x, 1"), "");
  EXPECT_EQ(read_litmus("C test\n{}\n").refused, "no litmus test of PTX");
}

}  // namespace model_test
}  // namespace warpsim::litmus
