#include "tools/cuda/benchmarks/sample_jobs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "tools/cuda/benchmarks/clocked_ptx.h"

namespace warpsim {
namespace {

constexpr std::string_view kBlocks = "samples", kGrids = "grids";

std::uint64_t threads_of(const Dim3& grid, const Dim3& block) {
  constexpr std::uint64_t kLanes = 32;
  return grid.count() * ((block.count() + kLanes - 1) / kLanes * kLanes);
}

// The kernel with its clock reads, described; a string: why not.
std::variant<Lesson, std::string> clocked_lesson(const std::string& ptx, const std::string& entry,
                                                 const std::string& description) {
  const ptx::ReadModule read = ptx::read_module(ptx, "clocked.ptx");
  if (read.diagnostics.has_errors()) return read.diagnostics.render();
  const auto function = std::find_if(read.module.functions.begin(), read.module.functions.end(),
                                     [&](const ptx::Function& one) { return one.is_entry && one.name.text == entry; });
  if (function == read.module.functions.end()) return std::string("it has no kernel of this name");
  Diagnostics diagnostics;
  std::optional<Program> program = ptx::make_program(read.module, *function, diagnostics);
  if (!program) return diagnostics.render();
  if (!program->unsupported.empty()) return std::string("it has what is not supported");
  const auto is_open = [](const Param& one) { return one.is_variable && !one.is_constant; };
  if (std::any_of(program->params.begin(), program->params.end(), is_open))
    return std::string("it has variables in global memory");
  const ptx::Descriptions descriptions = ptx::with_bodies(description);
  const Assembled assembled = assemble(descriptions.text, "clocked.launch");
  if (assembled.lesson() == nullptr) return assembled.diagnostics.render();
  std::optional<Lesson> lesson =
      ptx::described(std::move(*program), *assembled.lesson(), diagnostics, descriptions.structures);
  if (!lesson) return diagnostics.render();
  if (lesson->cases.empty()) return std::string("it has no case");
  return std::move(*lesson);
}

}  // namespace

bool is_sample(std::string_view job) {
  const std::string_view group = job.substr(0, job.find('/'));
  return group == kBlocks || group == kGrids;
}

std::variant<std::vector<ClockJob>, std::string> sample_jobs(const Sample& sample) {
  const std::size_t at = sample.description.find(".kernel ");
  if (at == std::string::npos) return std::string("its description has no kernel");
  const std::size_t name = at + 8;
  const std::string entry = sample.description.substr(name, sample.description.find_first_of(" (", name) - name);
  const std::string ptx = clocked_ptx(sample.ptx, entry);
  if (ptx.empty()) return std::string("it ends in other ways than by `ret`");
  std::vector<ClockJob> jobs;
  Dim3 grid{1, 1, 1};
  for (const std::string_view group : {kBlocks, kGrids}) {
    // The clocks' sizes are the launch's, which is known only once it is described.
    std::size_t threads = 1;
    for (int pass = 0; pass < 2; ++pass) {
      auto made = clocked_lesson(ptx, entry, clocked_description(sample.description, entry, threads));
      if (std::string* const why = std::get_if<std::string>(&made)) return std::move(*why);
      Lesson& lesson = std::get<Lesson>(made);
      CaseOverrides overrides;
      overrides.lanes = 32;
      if (group == kBlocks) overrides.grid = Dim3{1, 1, 1};
      auto prepared = prepare_case(lesson, lesson.cases.front(), overrides);
      if (const LaunchError* const error = std::get_if<LaunchError>(&prepared)) return error->message;
      ClockJob job;
      job.prepared = std::get<PreparedCase>(std::move(prepared));
      LaunchConfig& config = job.prepared.config;
      if (config.block.x == 0) config.block.x = 32;
      config.reconvergence = Reconvergence::Independent;
      grid = config.grid;
      threads = threads_of(grid, config.block);
      if (pass == 0) continue;
      job.name = std::string(group) + "/" + sample.name;
      job.cls = group == kBlocks ? "samples" : "sample grids";
      job.set = KernelSet::Test;
      job.warps = static_cast<unsigned>(threads / 32);
      job.whole = true;
      job.entry = entry;
      job.ptx = ptx;
      job.dynamic_shared_bytes = config.dynamic_shared_bytes;
      job.clocked = {std::move(lesson), 0, 0};
      if (group == kBlocks || grid.count() != 1) jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

}  // namespace warpsim
