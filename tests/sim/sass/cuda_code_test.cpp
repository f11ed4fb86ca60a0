// The catalogue's kernels in CUDA C++, as nvcc and ptxas make code of them, leave in memory what their PTX does.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/text/lines.h"
#include "tests/support/catalogue_ptx.h"
#include "tests/support/code_run.h"
#include "tests/support/every_program.h"
#include "tests/support/ptxas.h"

namespace warpsim::testing {
namespace {

constexpr unsigned kLanes = 32;

// Without its lines, of which parts are not kept, and which code does not need.
std::string without_lines(const std::string& ptx) {
  std::string text;
  for (const std::string_view line : lines_of(ptx))
    if (line.find(".loc\t") == std::string_view::npos && line.find(".loc ") == std::string_view::npos)
      text += std::string(line) + "\n";
  const std::size_t debug = text.find(", debug");
  return debug == std::string::npos ? text : text.erase(debug, 7);
}

class CudaCode : public ::testing::TestWithParam<std::string> {};

TEST_P(CudaCode, LeavesWhatItsPtxLeaves) {
  WARPSIM_NEEDS_PTXAS();
  const bool is_debug = GetParam() == "-O0 -G";
  unsigned same = 0;
  std::uint64_t instructions = 0;
  for (const std::string& name : all_program_names()) {
    SCOPED_TRACE(name);
    const Assembled assembled = assemble_program(name);
    const std::string& text = catalogue_ptx().at(assembled.lesson()->full_name() + " " + GetParam());
    const std::optional<Lesson> lesson = lesson_of_ptx(text, *assembled.lesson());
    ASSERT_TRUE(lesson.has_value());
    const auto code = code_of_ptx(without_lines(text), 90, is_debug ? "-O0" : "");
    EXPECT_TRUE(std::holds_alternative<sass::Cubin>(code)) << std::get<sass::CubinError>(code).message;
    if (!std::holds_alternative<sass::Cubin>(code)) continue;
    const auto& cubin = std::get<sass::Cubin>(code);
    const auto entry = std::find_if(cubin.sections.begin(), cubin.sections.end(),
                                    [](const sass::CodeSection& section) { return section.is_entry; });
    ASSERT_NE(entry, cubin.sections.end());
    for (const Case& one : lesson->cases) {
      const std::vector<unsigned> counts = lane_counts(*assembled.lesson(), one);
      if (std::find(counts.begin(), counts.end(), kLanes) == counts.end()) continue;
      CaseOverrides overrides;
      overrides.lanes = kLanes;
      const auto prepared = prepare_case(*lesson, one, overrides);
      ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared));
      const PreparedCase& ready = std::get<PreparedCase>(prepared);
      const CodeComparison compared = compare_code(*lesson, ready.config, ready.arguments, cubin, entry->name, 0);
      EXPECT_EQ(compared.difference, "") << one.name;
      if (compared.difference.empty()) ++same;
      instructions += compared.instructions;
    }
  }
  std::cout << same << " same, " << instructions << " instructions\n";
}

INSTANTIATE_TEST_SUITE_P(Sass, CudaCode, ::testing::Values("-O3 -lineinfo", "-O0 -G"),
                         [](const auto& made) { return made.param == "-O0 -G" ? "Debug" : "Optimised"; });

}  // namespace
}  // namespace warpsim::testing
