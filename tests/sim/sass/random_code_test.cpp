// Code that ptxas makes of random programs leaves in memory what the programs do.
//
// Shapes: programs are seeds 1 … N; WARPSIM_CODE_COUNT in the environment says how many, WARPSIM_CODE_SEED where to
// begin. Source: tools/fuzz/random; what the programs compute is compared with a second interpreter and with an H200
// elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "isa/ptx_writer/ptx_writer.h"
#include "tests/support/code_run.h"
#include "tests/support/ptxas.h"
#include "tools/fuzz/differential.h"

namespace warpsim::reference {
namespace random_code_test {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class RandomCode : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomCode, LeavesWhatTheProgramsLeave) {
  WARPSIM_NEEDS_PTXAS();
  const std::uint64_t first = from_environment("WARPSIM_CODE_SEED", 1),
                      count = from_environment("WARPSIM_CODE_COUNT", 60);
  std::vector<Prepared> programs;
  std::vector<PtxKernel> kernels;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Prepared one = prepare(random_program(seed, kHardwareLimits));
    ASSERT_EQ(one.problem, "") << seed;
    PtxOptions options;
    options.lanes = one.source.lanes;
    options.block = one.source.block;
    options.entry = "seed_" + std::to_string(seed);
    options.backend = true;
    if (options.lanes != kPtxLanes) continue;
    auto written = write_ptx(*one.program, options);
    if (!std::holds_alternative<PtxKernel>(written)) continue;
    kernels.push_back(std::get<PtxKernel>(std::move(written)));
    programs.push_back(std::move(one));
  }
  const auto read = testing::code_of_ptx(ptx_module(kernels), 90, GetParam());
  ASSERT_TRUE(std::holds_alternative<sass::Cubin>(read)) << std::get<sass::CubinError>(read).message;
  std::map<std::string, unsigned> refused;  // by what refuses them
  std::uint64_t same = 0, instructions = 0;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    Arguments arguments;
    arguments.scalars = programs[k].source.scalars;
    arguments.buffers = programs[k].source.buffers;
    const auto compared =
        testing::compare_code(*programs[k].program, programs[k].config, arguments, std::get<sass::Cubin>(read),
                              kernels[k].entry, kernels[k].dynamic_shared ? kernels[k].shared_bytes : 0, {}, {0, 0});
    if (compared.is_refused) ++refused[compared.difference.substr(0, 40)];
    else EXPECT_EQ(compared.difference, "") << kernels[k].entry;
    if (compared.difference.empty()) ++same;
    instructions += compared.instructions;
  }
  std::cout << same << " of " << programs.size() << " same, " << instructions << " instructions\n";
  for (const auto& [what, times] : refused) std::cout << "  " << times << " refused: " << what << "\n";
  EXPECT_GT(same, programs.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Sass, RandomCode, ::testing::Values("-O0", "-O3"),
                         [](const auto& made) { return made.param == "-O0" ? "Plain" : "Optimised"; });

}  // namespace random_code_test
}  // namespace warpsim::reference
