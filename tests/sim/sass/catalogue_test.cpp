// The captured machine code of the catalogue leaves in memory what the programs do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/program/expand.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "programs/embedded.h"
#include "tests/support/code_run.h"
#include "tools/sass/code_capture.h"

namespace warpsim {
namespace {

TEST(CodeOfTheCatalogue, LeavesWhatTheProgramsLeave) {
  unsigned programs = 0, cases = 0, same = 0;
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (shows_mistakes(embedded.group)) continue;
    const Assembled made = assemble(embedded.text, std::string(embedded.name), std::string(embedded.group));
    ASSERT_TRUE(made.lesson());
    const Lesson& lesson = *made.lesson();
    ++programs;
    for (const Case& one : lesson.cases) {
      const std::vector<unsigned> lanes = lane_counts(lesson, one);
      if (std::find(lanes.begin(), lanes.end(), kPtxLanes) == lanes.end()) continue;
      CaseOverrides overrides;
      overrides.lanes = kPtxLanes;
      auto prepared = prepare_case(lesson, one, overrides);
      ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared));
      const PreparedCase& ready = std::get<PreparedCase>(prepared);
      PtxOptions options;
      options.block = ready.config.block;
      if (options.block.x == 0) options.block.x = kPtxLanes;
      const auto written = write_ptx(lesson, options);
      const std::string name = lesson.full_name() + ", case " + one.name;
      ASSERT_TRUE(std::holds_alternative<PtxKernel>(written)) << std::get<PtxUnsupported>(written).message;
      const PtxKernel& kernel = std::get<PtxKernel>(written);
      const std::string text = ptx_module({&kernel, 1});
      const tools::CapturedCode* const captured = tools::captured_code_of(text);
      ASSERT_NE(captured, nullptr) << name;
      const auto compared =
          testing::compare_code(lesson, ready.config, ready.arguments, tools::cubin_of(*captured, text),
                                captured->section.name, kernel.shared_bytes);
      EXPECT_EQ(compared.difference, "") << name;
      ++cases;
      if (compared.difference.empty()) ++same;
    }
  }
  EXPECT_EQ(programs, 98U);
  EXPECT_EQ(same, cases);
  EXPECT_GT(cases, 500U);
}

}  // namespace
}  // namespace warpsim
