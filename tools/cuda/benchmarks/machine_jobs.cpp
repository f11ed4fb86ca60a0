#include "tools/cuda/benchmarks/machine_jobs.h"

#include <variant>

#include "isa/assembly/assembler.h"
#include "isa/program/expand.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "programs/embedded.h"
#include "tools/cuda/benchmarks/clocked_cuda.h"
#include "tools/cuda/benchmarks/grown_case.h"
#include "tools/cuda/recording/kernel_texts.h"

namespace warpsim {
namespace {

constexpr std::string_view kCuda = "cuda/";

// With many warps some rules of what is expected take too long to compute: the simulator says what comes out.
Case without_expected(Case one) {
  std::erase_if(one.fields, [](const CaseField& field) { return field.key.starts_with("expect "); });
  return one;
}

class ProgramJobs {
 public:
  ProgramJobs(JobList& list, const Lesson& program, const JobFilter& wanted)
      : list_(list), program_(program), expanded_(expand_collectives(program, kPtxLanes)), wanted_(wanted) {}

  void run() {
    if (program_.cases.empty()) return;
    const Case* const test = program_.find_case("test");
    const Case given = without_expected(test != nullptr ? *test : program_.cases.front());
    for (const unsigned warps : kProgramWarps) add(given, warps);
  }

 private:
  void add(const Case& given, unsigned warps) {
    const std::string name = program_.full_name() + ".w" + std::to_string(warps);
    const std::string whole = name + ".whole", cuda = std::string(kCuda) + name;
    if (!wanted_(name) && !wanted_(whole) && !wanted_(cuda)) return;
    const auto grown = grown_case(expanded_, given, warps);
    if (const NotClocked* why = std::get_if<NotClocked>(&grown))
      return list_.left_out.emplace_back(name, why->why), void();
    const CaseOverrides& launch = std::get<CaseOverrides>(grown);
    put(name, given, Clocks::Region, launch);
    put(whole, given, Clocks::Whole, launch);
    const std::string text = clocked_cuda(cuda_kernel_text(program_.full_name()));
    if (text.empty()) return;
    if (!put(cuda, given, Clocks::Whole, launch)) return;
    ClockJob& job = list_.jobs.back();
    job.cls = "kernels";
    job.entry = ptx_entry(program_.full_name());
    job.ptx = text;
    job.dynamic_shared_bytes = 0;
  }

  bool put(const std::string& name, const Case& one, Clocks clocks, const CaseOverrides& launch) {
    if (!wanted_(name)) return false;
    auto made = make_clock_job(program_, one, clocks, launch);
    if (const NotClocked* why = std::get_if<NotClocked>(&made)) {
      list_.left_out.emplace_back(name, why->why);
      return false;
    }
    list_.jobs.push_back(std::get<ClockJob>(std::move(made)));
    list_.jobs.back().name = name;
    return true;
  }

  JobList& list_;
  const Lesson& program_;
  Lesson expanded_;
  const JobFilter& wanted_;
};

}  // namespace

void add_kernel_jobs(JobList& list, const JobFilter& wanted) {
  for (const auto* kernels : {&micro_benchmarks(), &machine_benchmarks()}) {
    for (const MicroBenchmark& one : *kernels) {
      if (!wanted(one.name)) continue;
      if (auto job = make_clock_job(one)) list.jobs.push_back(std::move(*job));
      else list.left_out.emplace_back(one.name, "its text is wrong");
    }
  }
}

void add_program_jobs(JobList& list, const Lesson& program, const JobFilter& wanted) {
  ProgramJobs(list, program, wanted).run();
}

JobList all_jobs(const JobFilter& wanted) {
  JobList list;
  add_kernel_jobs(list, wanted);
  for (const EmbeddedProgram& one : embedded_programs()) {
    if (shows_mistakes(one.group) || one.group == "litmus") continue;
    const Assembled made = assemble(one.text, std::string(one.name), std::string(one.group));
    if (made.lesson() != nullptr) add_program_jobs(list, *made.lesson(), wanted);
  }
  return list;
}

bool is_cuda(const ClockJob& job) { return job.name.starts_with(kCuda); }

}  // namespace warpsim
