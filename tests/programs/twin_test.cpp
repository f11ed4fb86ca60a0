// What the sources say can be counted about shuffles and about the shared memory, global memory and barriers that
// they replace, compared with what the machine counts. "Contradicted" marks a claim that is not so.
//
// Shapes: by default the case `test`: one warp a block, every lane with an element, so W lanes are W elements.
// Units:  those of sim/statistics/counts.h: an instruction of a warp is 1. A machine cycle is one instruction of a
//         warp, so "one cycle" of a document is read as one instruction. Nanoseconds and cycles of latency (003:46,
//         003:53, 003:57-63, 003:516-522, 003:790, 004:433) are for hardware to say, and nothing here does.
// Source: 000, 002, 003, 004 as cited; 001 says in Korean what 000 says, and is cited where it has a number of its own.
#include <bit>

#include "isa/program/expand.h"
#include "sim/statistics/counts.h"
#include "tests/support/oracle_check.h"
#include "tests/support/races.h"

namespace warpsim::testing {
namespace twin_test {

constexpr unsigned kLanes[] = {8, 16, 32, 64};

unsigned log2_of(unsigned lanes) { return static_cast<unsigned>(std::bit_width(lanes)) - 1; }

struct Counted {
  Counts counts;
  RegisterCounts registers;
  Program program;  // as it ran
  Trace trace;

  std::uint64_t unit(Unit u) const { return counts.by_unit[static_cast<std::size_t>(u)]; }
  std::uint64_t cycles() const { return trace.outcome.cycles; }
  std::string mnemonic(const TraceEvent& event) const {
    return std::string(info(program.code[static_cast<std::size_t>(event.pc)].op).mnemonic);
  }
  // How often instructions of this mnemonic were executed.
  std::uint64_t times(const std::string& wanted) const {
    return static_cast<std::uint64_t>(std::count_if(trace.events.begin(), trace.events.end(),
                                                    [&](const TraceEvent& e) { return mnemonic(e) == wanted; }));
  }
};

enum class Collectives { OneStep, Expanded };

Counted count(const std::string& name, unsigned lanes, Collectives how = Collectives::OneStep) {
  Assembled made = assemble_program(name);
  EXPECT_TRUE(made.program) << made.diagnostics.render();
  Counted counted;
  if (!made.program) return counted;
  CaseOverrides overrides;
  overrides.lanes = lanes;
  const Case one = *made.program->find_case("test");
  counted.program = how == Collectives::OneStep ? *made.program : expand_collectives(*made.program, lanes);
  Counter counter;
  RecordedRun run = record_run(counted.program, one, overrides, {&counter});
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.trace.outcome.passed, true);
  counted.counts = counter.counts();
  counted.registers = count_registers(counted.program, lanes);
  counted.trace = std::move(run.trace);
  return counted;
}

// Of programs whose lane 0 adds up elements of its own: how many.
struct Puzzle {
  std::string name;
  unsigned blocks = 1, lane_0_loads = 0;
};
const std::vector<Puzzle> kPuzzles = {
    {"p25/neighbor_difference"},
    {"p25/moving_average_3", 2},
    {"p25/basic_broadcast", 1, 4},
    {"p25/conditional_broadcast", 1, 8},
    {"p25/broadcast_shuffle_coordination", 1, 4},
    {"p26/butterfly_pair_swap"},
    {"p26/butterfly_parallel_max"},
    {"p26/butterfly_conditional_max", 2},
    {"p26/warp_inclusive_prefix_sum"},
    {"p26/warp_partition"},
};

// "0 bytes", "zero memory overhead", "no shared memory required", "no explicit barriers": 000:65, 214, 654-656;
// 001:242; 002:169, 266, 433, 903, 1004-1005, 1183, 1190-1191, 1197, 1444, 1476-1477, 1498; 003:31-32, 59, 526-529;
// 004:39, 167, 251, 434, 744, 946-947, 953, 1451. Global memory moves what comes in and what goes out, and nothing for
// the exchange.
TEST(DocumentCounts, ShufflesMoveNoBytesAndWaitForNothing) {
  for (const Puzzle& puzzle : kPuzzles) {
    for (const unsigned lanes : kLanes) {
      for (const Collectives how : {Collectives::OneStep, Collectives::Expanded}) {
        SCOPED_TRACE(puzzle.name + " at " + std::to_string(lanes) + " lanes");
        const Counted one = count(puzzle.name, lanes, how);
        const std::uint64_t element_bytes = std::uint64_t{4} * lanes * puzzle.blocks;
        EXPECT_EQ(one.counts.shared, (ByteCounts{0, 0}));
        EXPECT_EQ(one.counts.shared_allocated, 0U);
        EXPECT_EQ(one.counts.barriers, 0U);
        EXPECT_EQ(one.counts.global, (ByteCounts{element_bytes + 4 * puzzle.lane_0_loads, element_bytes}));
        EXPECT_GT(one.counts.shuffles + one.counts.collectives, 0U);
      }
    }
  }
}

// "Requires shared memory allocation": 000:50; 002:250, 988, 1102; 003:60; 004:726. The sources' tiles have a place a
// thread (002:60, 959; 004:60), which is what is filled. The programs' have their size before the lane count is known:
// as many places as the widest warp has lanes, and at 64 lanes none is over.
TEST(DocumentCounts, TheTraditionalVersionsNeedATile) {
  for (const char* name : {"twin/pair_swap_shared", "twin/neighbor_difference_shared", "twin/broadcast_shared",
                           "twin/reduction_shared", "twin/prefix_sum_simple"}) {
    for (const unsigned lanes : kLanes) {
      SCOPED_TRACE(name);
      const Counted one = count(name, lanes);
      EXPECT_EQ(one.counts.shared_allocated, 4 * 64U);
      std::set<std::uint64_t> places;
      for (const TraceEvent& event : one.trace.events)
        if (event.memory && event.memory->is_shared() && event.memory->access == TraceMemory::Access::Store)
          places.insert(event.memory->address.begin(), event.memory->address.end());
      EXPECT_EQ(places.size(), lanes);
    }
  }
  // Contradicted: 003:61, global memory "requires allocation": the neighbor's element lies in the input already.
  const Counted global = count("twin/neighbor_difference_global", 32);
  EXPECT_EQ(global.counts.shared_allocated, 0U);
  EXPECT_EQ(global.counts.global.stored, 4 * 32U);  // only the output
}

// 004:434: "4 bytes per thread for traditional". So it is from global memory (004:226-230, 426), but for the last lane,
// which has no neighbor. Contradicted for the shared memory of 004:64-68: there it is a store and two loads.
TEST(DocumentCounts, TheNeighborsElementCostsFourBytesAThread) {
  for (const unsigned lanes : kLanes) {
    const Counted shuffle = count("p25/neighbor_difference", lanes);
    const Counted global = count("twin/neighbor_difference_global", lanes);
    const Counted shared = count("twin/neighbor_difference_shared", lanes);
    EXPECT_EQ(global.counts.global.loaded - shuffle.counts.global.loaded, 4 * (lanes - 1));
    EXPECT_EQ(global.counts.global.stored, shuffle.counts.global.stored);
    EXPECT_EQ(global.counts.shared, (ByteCounts{0, 0}));
    EXPECT_EQ(shared.counts.shared, (ByteCounts{8 * (lanes - 1), 4 * lanes}));
    EXPECT_EQ(shared.counts.global, shuffle.counts.global);
    // 004:235: "requires separate memory loads".
    EXPECT_EQ(global.unit(Unit::Mem), 3U);
    EXPECT_EQ(shared.unit(Unit::Mem), 2U);
  }
}

// What else the tiles move, by hand: a place is written once to fill it, and then as each program says.
TEST(DocumentCounts, BytesOfTheTiles) {
  for (const unsigned lanes : kLanes) {
    EXPECT_EQ(count("twin/pair_swap_shared", lanes).counts.shared, (ByteCounts{4 * lanes, 4 * lanes}));
    // Thread 0 reads four and writes their sum, all read that.
    EXPECT_EQ(count("twin/broadcast_shared", lanes).counts.shared, (ByteCounts{16 + 4 * lanes, 4 * lanes + 4}));
    // W - 1 additions of two places into one, and the last read of the sum.
    EXPECT_EQ(count("twin/reduction_shared", lanes).counts.shared,
              (ByteCounts{8 * (lanes - 1) + 4, 4 * lanes + 4 * (lanes - 1)}));
    // In the step with offset o, W - o places: together W log2(W) - (W - 1) additions of two places into one.
    const std::uint64_t additions = lanes * log2_of(lanes) - (lanes - 1);
    EXPECT_EQ(count("twin/prefix_sum_simple", lanes).counts.shared,
              (ByteCounts{8 * additions + 4 * lanes, 4 * lanes + 4 * additions}));
  }
}

// "Needs explicit barriers": 000:51; 002:251, 989, 1103; 004:90, 727.
TEST(DocumentCounts, Barriers) {
  for (const unsigned lanes : kLanes) {
    // 000:40, 001:43 and 002:239 have one. Contradicted: 003:41-44, which wants another after reading.
    // Twins.BarriersSufficeAndEachIsNeeded shows that one is enough.
    EXPECT_EQ(count("twin/pair_swap_shared", lanes).counts.barriers, 1U);
    EXPECT_EQ(count("twin/neighbor_difference_shared", lanes).counts.barriers, 2U);  // 004:65, 71
    EXPECT_EQ(count("twin/broadcast_shared", lanes).counts.barriers, 2U);            // 004:717, 720
    // 004:236 "may need barriers for shared memory patterns": from global memory none.
    EXPECT_EQ(count("twin/neighbor_difference_global", lanes).counts.barriers, 0U);
    // 002:966, 974, 978: one, and two in each of log2 phases (002:991).
    EXPECT_EQ(count("twin/prefix_sum_simple", lanes).counts.barriers, 1 + 2 * log2_of(lanes));
    // Contradicted: 002:57 and 002:1104 call that a reduction; it is a scan. The reduction needs half as many.
    EXPECT_EQ(count("twin/reduction_shared", lanes).counts.barriers, 1 + log2_of(lanes));
  }
}

// The outputs do not show it, since the lanes of a warp run in lockstep here: they are right without any barrier. So
// every two lanes are taken to be in no order but what barriers make. Without one passage of a barrier there is a race,
// and all the more without a barrier of the text, whose every passage is then gone. But for the last passages of three
// programs: after the very last each lane reads what it wrote itself, or nothing at all; and the last step of the
// prefix sum reads the lower half of a warp's places and writes the upper half.
TEST(Twins, BarriersSufficeAndEachIsNeeded) {
  const std::map<std::string, std::size_t> unneeded = {
      {"twin/neighbor_difference_shared", 1}, {"twin/reduction_shared", 1}, {"twin/prefix_sum_simple", 2}};
  for (const std::string& name : programs_in({"twin"})) {
    for (const unsigned lanes : {8U, 32U}) {
      for (const char* one : {"test", "different", "partial"}) {  // blocks of one warp, and of 45 threads
        SCOPED_TRACE(name + ", " + one + " at " + std::to_string(lanes) + " lanes");
        CaseOverrides overrides;
        overrides.lanes = lanes;
        const RecordedRun run = record_run(name, one, overrides);
        ASSERT_EQ(run.error, "");
        EXPECT_EQ(races(run.trace), 0U);
        std::size_t barriers = 0;  // that a warp arrives at
        for (const TraceEvent& event : run.trace.events)
          barriers += event.block == 0 && event.warp == 0 &&
                      run.trace.head.code[static_cast<std::size_t>(event.pc)].text.starts_with("bar.sync");
        EXPECT_EQ(barriers == 0, name == "twin/neighbor_difference_global");
        for (std::size_t k = 0; k < barriers; ++k) {
          const bool needed = k + (unneeded.contains(name) ? unneeded.at(name) : 0) < barriers;
          EXPECT_EQ(races(run.trace, k) > 0, needed) << "without barrier " << k;
        }
      }
    }
  }
}

// 003:39-51: write, wait, read, wait against one instruction. 000:67, 209, 216; 002:268, 427, 435; 004:41, 176, 428:
// single instruction for all lanes, O(1). Both have the guard and the loads and stores of global memory.
TEST(DocumentCounts, OneShuffleInThePlaceOfStoreBarrierLoad) {
  for (const unsigned lanes : kLanes) {
    const Counted shuffle = count("p26/butterfly_pair_swap", lanes), shared = count("twin/pair_swap_shared", lanes);
    EXPECT_EQ(shuffle.counts.shuffles, 1U);
    EXPECT_EQ(shuffle.unit(Unit::Mem), 2U);  // 000:175-197: load, exchange, store
    EXPECT_EQ(shared.counts.shuffles, 0U);
    EXPECT_EQ(shared.unit(Unit::Shared), 2U);
    EXPECT_EQ(shared.unit(Unit::Barrier), 1U);
    EXPECT_EQ(shared.unit(Unit::Mem), 2U);
    EXPECT_EQ(count("p25/neighbor_difference", lanes).counts.shuffles, 1U);
    // O(1): no more instructions with more lanes.
    EXPECT_EQ(shuffle.counts.instructions, count("p26/butterfly_pair_swap", 8).counts.instructions);
    EXPECT_EQ(shared.counts.instructions, count("twin/pair_swap_shared", 8).counts.instructions);
  }
  // Contradicted, as far as instructions go: 003:63 and 790, "10-20x faster".
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"p26/butterfly_pair_swap", "twin/pair_swap_shared"},
      {"p25/neighbor_difference", "twin/neighbor_difference_shared"},
      {"p25/basic_broadcast", "twin/broadcast_shared"},
      {"reduce/sum_down", "twin/reduction_shared"},
      {"p26/warp_inclusive_prefix_sum", "twin/prefix_sum_simple"},
  };
  for (const auto& [shuffles, shared] : pairs) {
    const std::uint64_t few = count(shuffles, 32, Collectives::Expanded).counts.instructions;
    const std::uint64_t many = count(shared, 32).counts.instructions;
    EXPECT_LT(few, many) << shared;
    EXPECT_LT(many, 5 * few) << shared;
  }
}

// 004:945, 176: a single operation coordinates all lanes; 004:952: one cycle. 004:1181: a single broadcast. 004:1427:
// two primitives.
TEST(DocumentCounts, Broadcasts) {
  for (const unsigned lanes : kLanes) {
    const Counted one_step = count("p25/basic_broadcast", lanes);
    const Counted expanded = count("p25/basic_broadcast", lanes, Collectives::Expanded);
    EXPECT_EQ(one_step.counts.collectives, 1U);
    EXPECT_EQ(expanded.counts.shuffles, 1U);
    EXPECT_EQ(one_step.counts.instructions, expanded.counts.instructions);
    EXPECT_EQ(count("p25/conditional_broadcast", lanes).counts.collectives, 1U);
    const Counted both = count("p25/broadcast_shuffle_coordination", lanes);
    EXPECT_EQ(both.counts.collectives, 1U);
    EXPECT_EQ(both.counts.shuffles, 1U);
  }
}

// log2(WARP_SIZE) steps, 5 at 32 lanes and 6 at 64: 000:242, 287, 413; 001:461; 002:485, 641; 003:356, 375, 563-571,
// 578-601, 782-784.
TEST(DocumentCounts, ATreeHasLog2Steps) {
  for (const char* name : {"p26/butterfly_parallel_max", "reduce/sum_down", "reduce/sum_bfly", "reduce/max_bfly",
                           "scan/hillis_steele_inclusive"}) {
    for (const unsigned lanes : kLanes) EXPECT_EQ(count(name, lanes).counts.shuffles, log2_of(lanes)) << name;
    EXPECT_EQ(count(name, 32).counts.shuffles, 5U) << name;
    EXPECT_EQ(count(name, 64).counts.shuffles, 6U) << name;
  }
  // In shared memory as many: 002:991, 1104. Each shifts the offset once.
  for (const unsigned lanes : kLanes) {
    EXPECT_EQ(count("twin/reduction_shared", lanes).times("shr"), log2_of(lanes));
    EXPECT_EQ(count("twin/prefix_sum_simple", lanes).times("shl"), log2_of(lanes));
  }
}

// 000:408, 416, 215; 002:635, 644: all lanes participate in each step. 000:289, 002:488: each pair exchanges once a
// step.
TEST(DocumentCounts, EveryLaneExchangesWithOnePartnerAStep) {
  for (const char* name : {"p26/butterfly_pair_swap", "p26/butterfly_parallel_max"}) {
    for (const unsigned lanes : kLanes) {
      const Counted one = count(name, lanes);
      const LaneMask all = lanes == 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
      std::set<unsigned> distances;
      unsigned steps = 0;
      for (const TraceEvent& event : one.trace.events) {
        if (!event.exchange) continue;
        ++steps;
        EXPECT_EQ(event.active, all);
        EXPECT_EQ(event.exchange->in_range, all);
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const unsigned partner = event.exchange->from[lane];
          EXPECT_EQ(event.exchange->from[partner], lane);
          distances.insert(partner ^ lane);
        }
      }
      EXPECT_EQ(distances.size(), steps);
      EXPECT_FALSE(distances.contains(0));
    }
  }
}

// Contradicted: 000:414-415, 001:462-463 and 002:642-643, one cycle a step for "register exchange + comparison" and so
// log2(WARP_SIZE) cycles. The two are two instructions, and the loop around them is three more.
TEST(DocumentCounts, AButterflyStepIsFiveInstructions) {
  for (const unsigned lanes : kLanes) {
    const Counted one = count("p26/butterfly_parallel_max", lanes);
    EXPECT_EQ(one.times("shfl.bfly"), log2_of(lanes));
    EXPECT_EQ(one.times("max"), log2_of(lanes));  // 000:608: one operation a step
    if (lanes == 64) continue;
    EXPECT_EQ(count("p26/butterfly_parallel_max", 2 * lanes).cycles() - one.cycles(), 5U);
  }
}

// Contradicted: 000:603 and 002:849 "same shuffle operations serve both", 000:607, 001:673 and 002:854 log2 steps of
// communication: a step has two shuffles. 000:608 and 002:855 hold: two operations a step. Contradicted: 000:609,
// 001:675 and 002:856, two registers: two hold results; the kernel names 8 at 32 lanes, since what comes from the
// partner, the offset and the lane's place need some too.
TEST(DocumentCounts, TwoReductionsAreTwoShufflesAStep) {
  constexpr unsigned kBlocks = 2;
  for (const unsigned lanes : kLanes) {
    const Counted both = count("p26/butterfly_conditional_max", lanes);
    EXPECT_EQ(both.counts.shuffles, 2 * log2_of(lanes) * kBlocks);
    EXPECT_EQ(both.times("max"), log2_of(lanes) * kBlocks);
    EXPECT_EQ(both.times("min"), log2_of(lanes) * kBlocks);
  }
  // %inside %last_lane %parity %current_val %min_val %offset %neighbor_val %min_neighbor_val
  EXPECT_EQ(count("p26/butterfly_conditional_max", 32).registers.words, 8U);
}

// Contradicted: 002:1443, 2 log2(WARP_SIZE) steps of communication: the positions of both sides are a scan each, and
// the boundary is a reduction; the two scans are exclusive, which is one shuffle more for each.
TEST(DocumentCounts, APartitionIsTwoScansAndAReduction) {
  for (const unsigned lanes : kLanes) {
    const Counted one_step = count("p26/warp_partition", lanes);
    EXPECT_EQ(one_step.counts.collectives, 2U);
    EXPECT_EQ(one_step.counts.shuffles, log2_of(lanes));  // 002:1437
    EXPECT_EQ(count("p26/warp_partition", lanes, Collectives::Expanded).counts.shuffles, 3 * log2_of(lanes) + 2);
  }
}

// 002:79, 996, 1108, 1181: a single call. Contradicted: 002:40-42, 166, 1005, 1159, 1196: one atomic operation of scan
// hardware in 1-2 cycles. It is log2(WARP_SIZE) shuffles and as many additions, after a move. 002:1180 and 1463, "~30
// lines" against 1: 23 instructions against the call's 2 log2(WARP_SIZE) + 1, or against 6 with all that is around it.
TEST(DocumentCounts, APrefixSumIsShufflesAndAdditions) {
  for (const unsigned lanes : kLanes) {
    const Counted one_step = count("p26/warp_inclusive_prefix_sum", lanes);
    const Counted expanded = count("p26/warp_inclusive_prefix_sum", lanes, Collectives::Expanded);
    EXPECT_EQ(one_step.counts.collectives, 1U);
    EXPECT_EQ(expanded.counts.shuffles, log2_of(lanes));
    EXPECT_EQ(expanded.times("add"), log2_of(lanes));
    EXPECT_EQ(expanded.counts.instructions - one_step.counts.instructions, 2 * log2_of(lanes));
    EXPECT_EQ(one_step.program.code.size(), 6U);
    // 002:1182: O(log n) both; in shared memory a step is 13 instructions.
    if (lanes == 64) continue;
    EXPECT_EQ(count("twin/prefix_sum_simple", 2 * lanes).cycles() - count("twin/prefix_sum_simple", lanes).cycles(),
              13U);
  }
  EXPECT_EQ(count("twin/prefix_sum_simple", 32).program.code.size(), 23U);
}

// Contradicted: 004:91, 252, 427: boundary handling by hand against by itself. The shuffle says which lanes have
// a neighbor, but the program must ask, as 004:76-79 does: its lanes diverge as often as those of programs without
// shuffles.
TEST(DocumentCounts, TheBoundaryDivergesWithAndWithoutShuffles) {
  for (const unsigned lanes : kLanes)
    for (const char* name :
         {"p25/neighbor_difference", "twin/neighbor_difference_shared", "twin/neighbor_difference_global"})
      EXPECT_EQ(count(name, lanes).counts.divergent_branches, 1U) << name;
}

// Contradicted: 004:661, "both shuffle operations execute simultaneously": they are two instructions of two cycles.
TEST(DocumentCounts, TwoShufflesTakeTwoCycles) {
  for (const unsigned lanes : kLanes) {
    const Counted average = count("p25/moving_average_3", lanes);
    std::vector<std::uint64_t> cycles;
    for (const TraceEvent& event : average.trace.events)
      if (event.exchange && event.block == 0) cycles.push_back(*event.cycle);
    ASSERT_EQ(cycles.size(), 2U);
    EXPECT_EQ(cycles[1], cycles[0] + 1);
  }
}

// 003:497-508: a struct's members are shuffled one by one.
TEST(DocumentCounts, AShuffleForEachMember) {
  for (const unsigned lanes : kLanes) EXPECT_EQ(count("shuffle/struct_members", lanes).counts.shuffles, 2U);
}

}  // namespace twin_test
}  // namespace warpsim::testing
