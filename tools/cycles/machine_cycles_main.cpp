// warpsim_machine_cycles: machine code of all jobs made here, and measured on a machine that has a GPU and nothing
// else.
//
//   warpsim_machine_cycles make JOBS [PREFIX…]      with ptxas and nvcc: writes the file of jobs (zstd)
//   warpsim_machine_cycles samples JOBS DIR         the same of kernels that others wrote: NAME.ptx and NAME.launch
//   warpsim_machine_cycles measure JOBS OUT SECONDS [first] [fake]   a line of JSON for each job; `first`: of launches
//                                                      of a module that has just been loaded
//   warpsim_machine_cycles capture JOBS OUT FILE DAY   puts such lines, measured on that day, into the file of
//                                                      traces/captures, which may have other jobs already
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/benchmarks/machine_measure.h"
#include "tools/cuda/benchmarks/sample_jobs.h"
#include "tools/cycles/job_file.h"
#include "tools/cycles/machine_capture.h"
#include "tools/cycles/machine_record.h"

namespace warpsim {
namespace {

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// With ptxas and nvcc. What cannot be made is said.
std::vector<MachineJob> made_jobs(const std::vector<ClockJob>& jobs, const std::string& folder) {
  const std::string usual = "/usr/local/cuda/bin/";
  tools::MadeJobs made = tools::make_jobs(jobs, {{usual + "ptxas", "ptxas"}, {usual + "nvcc", "nvcc"}}, folder);
  for (const tools::JobFault& fault : made.not_made) std::cerr << fault.name << ": " << fault.why << "\n";
  return std::move(made.jobs);
}

int write(const std::string& out, const std::vector<MachineJob>& jobs) {
  const std::string bytes = tools::job_file(jobs);
  std::ofstream(out, std::ios::binary) << bytes;
  std::cout << jobs.size() << " jobs, " << bytes.size() << " bytes\n";
  return 0;
}

int make(const std::string& out, const std::vector<std::string>& prefixes) {
  const JobFilter wanted = [&prefixes](std::string_view name) {
    return prefixes.empty() ||
           std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& one) { return name.starts_with(one); });
  };
  const JobList list = all_jobs(wanted);
  for (const auto& [name, why] : list.left_out) std::cerr << "left out: " << name << ": " << why << "\n";
  return write(out, made_jobs(list.jobs, out + ".cubins"));
}

// Of a folder that tools/samples.sh has filled.
int make_samples(const std::string& out, const std::string& folder) {
  JobList list;
  std::set<std::filesystem::path> files;
  for (const auto& one : std::filesystem::directory_iterator(folder))
    if (one.path().extension() == ".ptx") files.insert(one.path());
  for (std::filesystem::path file : files) {
    const std::string name = file.stem().string(), ptx = contents_of(file.string());
    auto jobs = sample_jobs({name, ptx, contents_of(file.replace_extension(".launch").string())});
    if (const std::string* const why = std::get_if<std::string>(&jobs)) {
      std::cerr << "left out: " << name << ": " << *why << "\n";
      continue;
    }
    for (ClockJob& job : std::get<std::vector<ClockJob>>(jobs)) list.jobs.push_back(std::move(job));
  }
  return write(out, made_jobs(list.jobs, out + ".cubins"));
}

std::optional<std::vector<MachineJob>> jobs_of(const std::string& file) {
  auto jobs = tools::read_job_file(contents_of(file));
  if (const std::string* why = std::get_if<std::string>(&jobs)) {
    std::cerr << file << ": " << *why << "\n";
    return std::nullopt;
  }
  return std::get<std::vector<MachineJob>>(std::move(jobs));
}

int measure(const std::string& file, const MeasureOptions& options) {
  const auto jobs = jobs_of(file);
  if (!jobs) return 3;
  const std::string why = measure_jobs(*jobs, options);
  std::cout << jobs->size() << " jobs" << (why.empty() ? "" : "; " + why) << "\n";
  return why.empty() ? 0 : 1;
}

// OUT SECONDS [first] [fake]
MeasureOptions options_of(const std::vector<std::string>& words) {
  MeasureOptions options{words[0], std::stod(words[1]), 20};
  for (std::size_t k = 2; k < words.size(); ++k)
    (words[k] == "first" ? options.loads_each : options.without_gpu) = true;
  return options;
}

int capture(const std::string& file, const std::string& measured, const std::string& out, const std::string& day) {
  const auto jobs = jobs_of(file);
  if (!jobs) return 3;
  tools::MachineCapture capture;
  if (std::filesystem::exists(out)) {
    auto read = tools::read_machine_capture(contents_of(out));
    if (const std::string* why = std::get_if<std::string>(&read)) {
      std::cerr << out << ": " << *why << "\n";
      return 3;
    }
    capture = std::get<tools::MachineCapture>(std::move(read));
  }
  capture.date = day;
  capture.command = "warpsim_machine_cycles make JOBS; measure JOBS OUT SECONDS; capture JOBS OUT FILE DAY";
  for (const tools::JobFault& fault : tools::take_measured(capture, *jobs, contents_of(measured)).not_taken)
    std::cerr << fault.name << ": " << fault.why << "\n";
  std::ofstream(out, std::ios::binary) << to_json(capture);
  std::cout << capture.kernels.size() << " jobs\n";
  return 0;
}

}  // namespace
}  // namespace warpsim

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (given.size() >= 2 && given[0] == "make") return warpsim::make(given[1], {given.begin() + 2, given.end()});
  if (given.size() == 3 && given[0] == "samples") return warpsim::make_samples(given[1], given[2]);
  if (given.size() >= 4 && given[0] == "measure")
    return warpsim::measure(given[1], warpsim::options_of({given.begin() + 2, given.end()}));
  if (given.size() == 5 && given[0] == "capture") return warpsim::capture(given[1], given[2], given[3], given[4]);
  std::cerr
      << "warpsim_machine_cycles make JOBS [PREFIX…] | samples JOBS DIR | measure JOBS OUT SECONDS [first] [fake] | "
         "capture JOBS OUT FILE DAY\n";
  return 2;
}
