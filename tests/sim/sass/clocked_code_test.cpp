// What ptxas makes of the kernels with clock reads leaves in memory what the programs do, the clocks aside.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "tests/support/code_run.h"
#include "tests/support/ptxas.h"
#include "tools/cuda/benchmarks/clock_job.h"

namespace warpsim {
namespace {

std::vector<ClockJob> all_jobs() {
  std::vector<ClockJob> jobs = micro_benchmark_jobs();
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (shows_mistakes(embedded.group)) continue;
    const Assembled made = assemble(embedded.text, std::string(embedded.name), std::string(embedded.group));
    for (const Case& one : made.lesson()->cases) {
      auto job = make_clock_job(*made.lesson(), one);
      if (std::holds_alternative<ClockJob>(job)) jobs.push_back(std::get<ClockJob>(std::move(job)));
    }
  }
  return jobs;
}

TEST(ClockedCode, LeavesWhatTheProgramsLeave) {
  WARPSIM_NEEDS_PTXAS();
  const std::vector<ClockJob> jobs = all_jobs();
  EXPECT_GT(jobs.size(), 474U);
  std::map<std::string, std::string> kernels;  // by their text, for one name may stand for several
  std::vector<std::string> modules(1);
  std::map<std::string, std::size_t> module_of;
  std::vector<std::set<std::string>> names(1);
  for (const ClockJob& job : jobs) {
    if (!module_of.emplace(job.ptx, 0).second) continue;
    std::size_t k = 0;
    while (k < names.size() && !names[k].insert(job.entry).second) ++k;
    if (k == names.size()) names.push_back({job.entry}), modules.emplace_back();
    module_of[job.ptx] = k;
    const std::string body = job.ptx.substr(job.ptx.find("\n\n"));
    if (modules[k].empty()) modules[k] = ".version 8.0\n.target sm_90\n.address_size 64\n";
    modules[k] += body;
  }
  std::vector<sass::Cubin> cubins;
  for (const std::string& module : modules) {
    auto read = testing::code_of_ptx(module, 90);
    ASSERT_TRUE(std::holds_alternative<sass::Cubin>(read)) << std::get<sass::CubinError>(read).message;
    cubins.push_back(std::get<sass::Cubin>(std::move(read)));
  }
  std::uint64_t same = 0, instructions = 0;
  for (const ClockJob& job : jobs) {
    Arguments arguments = job.prepared.arguments;
    arguments.scalars["clock_passes"] = kClockPasses;
    const auto compared =
        testing::compare_code(job.clocked.program, job.prepared.config, arguments, cubins[module_of[job.ptx]],
                              job.entry, job.dynamic_shared_bytes, {"clock_begin", "clock_end"});
    EXPECT_EQ(compared.difference, "") << job.name << ", case " << job.prepared.name;
    if (compared.difference.empty()) ++same;
    instructions += compared.instructions;
  }
  std::cout << same << " of " << jobs.size() << " same, " << instructions << " instructions\n";
}

}  // namespace
}  // namespace warpsim
