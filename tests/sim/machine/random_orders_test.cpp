// Random programs, whose results depend neither on whose turn comes first nor on anything undefined, give them in every
// mode, on every schedule, and with everything undefined poisoned.
//
// Shapes: programs are seeds 1 … N; each runs plainly, and then in other orders, some as machine
//         code that keeps no register which nobody reads.
// Errors: a difference prints the seed, the order, and the program.
// Source: tools/fuzz/random/random_program.h says why nothing may differ.
#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"
#include "tools/fuzz/random/random_program.h"

namespace warpsim {
namespace random_orders_test {

constexpr std::uint64_t kPrograms = testing::kSanitized ? 200 : 2'000;

TEST(RandomOrders, ChangeNothing) {
  int divergent = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const reference::RandomProgram random = reference::random_program(seed, reference::kHardwareLimits);
    const Assembled assembled = assemble(random.text(), "random.warp");
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    const Arguments arguments{random.scalars, random.buffers};
    LaunchConfig plain;
    plain.lanes = random.lanes;
    plain.grid = random.grid;
    plain.block = random.block;
    const testing::Outputs expected = testing::outputs_of(*assembled.lesson(), plain, arguments);
    ASSERT_TRUE(expected.result.ok) << english(expected.result.trap.message);
    LaunchConfig ways[5] = {plain, plain, plain, plain, plain};
    ways[0].reconvergence = Reconvergence::Independent;
    ways[0].poison = seed;
    ways[1].schedule = fuzz_schedule(seed);
    ways[2].schedule = fuzz_schedule(seed);
    ways[2].reconvergence = Reconvergence::Independent;
    ways[3].schedule = kBlocksSchedule;
    if (seed % 2 == 0) ways[3].reconvergence = Reconvergence::Independent;
    ways[4].schedule = kBlocksSchedule;
    ways[4].engine = seed % 4 == 0 ? EngineChoice::Compiled : EngineChoice::Auto;
    ways[4].keeps_state = false;
    if (seed % 8 == 0) ways[4].reconvergence = Reconvergence::Independent;
    for (const LaunchConfig& way : ways) {
      const testing::Outputs out = testing::outputs_of(*assembled.lesson(), way, arguments);
      const std::string which = "seed " + std::to_string(seed) + ", " + std::string(name(way.reconvergence)) + ", " +
                                name(way.schedule) + "\n" + random.text();
      ASSERT_TRUE(out.result.ok) << english(out.result.trap.message) << "\n" << which;
      ASSERT_TRUE(out.arrays == expected.arrays) << which;
      divergent += out.result.instructions != expected.result.instructions ? 1 : 0;
    }
  }
  EXPECT_GT(divergent, 100) << "the ways differ in what they issue";
}

}  // namespace random_orders_test
}  // namespace warpsim
