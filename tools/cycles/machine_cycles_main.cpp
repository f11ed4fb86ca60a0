// warpsim_machine_cycles: machine code of all jobs made here, and measured on a machine that has a GPU and nothing
// else.
//
//   warpsim_machine_cycles make JOBS [PREFIX…]      with ptxas and nvcc: writes the file of jobs (zstd)
//   warpsim_machine_cycles samples JOBS DIR         the same of kernels that others wrote: NAME.ptx and NAME.launch
//   warpsim_machine_cycles measure JOBS OUT SECONDS [fake]   a line of JSON for each job
//   warpsim_machine_cycles capture JOBS OUT FILE DAY   puts such lines, measured on that day, into the file of
//                                                      traces/captures, which may have other jobs already
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/benchmarks/machine_measure.h"
#include "tools/cuda/benchmarks/sample_jobs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/job_file.h"
#include "tools/cycles/machine_capture.h"
#include "tools/support/child_process.h"

namespace warpsim {
namespace {

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string tool(const char* name) {
  const std::string usual = std::string("/usr/local/cuda/bin/") + name;
  return std::filesystem::exists(usual) ? usual : name;
}

// A cubin of the text; "" after it has said why not. `folder` keeps those that were made.
std::string cubin_of(const ClockJob& job, const std::string& folder) {
  const std::string base = folder + "/" + tools::hash_of(job.ptx), file = base + ".cubin";
  if (std::filesystem::exists(file)) return contents_of(file);
  const std::string source = base + (is_cuda(job) ? ".cu" : ".ptx"), part = base + ".part";
  std::ofstream(source, std::ios::binary) << job.ptx;
  std::vector<std::string> words = {tool("ptxas"), "-arch=sm_90", "-lineinfo", source, "-o", part};
  if (is_cuda(job))
    words = {tool("nvcc"), "-cubin", "-arch=sm_90", "-lineinfo", "-std=c++17", "-fmad=false", source, "-o", part};
  const tools::ChildResult made = tools::run_child(words, "");
  if (!made.is_fine()) {
    std::cerr << job.name << ": " << made.err << "\n";
    return "";
  }
  std::filesystem::rename(part, file);
  return contents_of(file);
}

std::vector<MachineJob> compiled(const JobList& list, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::map<std::string, std::vector<std::size_t>> by_text;
  for (std::size_t k = 0; k < list.jobs.size(); ++k) by_text[list.jobs[k].ptx].push_back(k);
  std::vector<Contents> code(list.jobs.size());
  std::vector<const std::vector<std::size_t>*> texts;
  for (const auto& [text, jobs] : by_text) texts.push_back(&jobs);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < texts.size(); k = next++) {
      const auto made = std::make_shared<const std::string>(cubin_of(list.jobs[texts[k]->front()], folder));
      for (const std::size_t job : *texts[k]) code[job] = made;
    }
  };
  std::thread other(work);
  work();
  other.join();
  std::vector<MachineJob> jobs;
  for (std::size_t k = 0; k < list.jobs.size(); ++k) {
    if (code[k]->empty()) continue;
    auto job = machine_job(list.jobs[k]);
    if (const std::string* why = std::get_if<std::string>(&job)) {
      std::cerr << list.jobs[k].name << ": " << *why << "\n";
      continue;
    }
    std::get<MachineJob>(job).code = code[k];
    jobs.push_back(std::get<MachineJob>(std::move(job)));
  }
  return jobs;
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
  const std::vector<MachineJob> jobs = compiled(list, out + ".cubins");
  return write(out, jobs);
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
  return write(out, compiled(list, out + ".cubins"));
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

// "" or why the job of this line is not taken.
std::string take(const nlohmann::json& line, const std::map<std::string, const MachineJob*>& jobs,
                 tools::MachineCapture& capture) {
  const auto found = jobs.find(line.at("name"));
  if (found == jobs.end()) return "there is no such job";
  if (line.contains("error")) return line.at("error");
  if (!line.at("difference").get<std::string>().empty()) return line.at("difference");
  if (line.at("code") != tools::hash_of(*found->second->code)) return "its machine code is another";
  std::vector<std::uint64_t> cycles;
  for (const nlohmann::json& ends : line.at("end")) {
    WarpClocks clocks;
    for (const nlohmann::json& end : ends) clocks.end.push_back(end.is_null() ? kNoClock : end.get<std::uint32_t>());
    cycles.push_back(clocks.cycles());
  }
  return tools::add_measured(capture, *found->second, std::move(cycles));
}

int capture(const std::string& file, const std::string& measured, const std::string& out, const std::string& day) {
  const auto jobs = jobs_of(file);
  if (!jobs) return 3;
  std::map<std::string, const MachineJob*> by_name;
  for (const MachineJob& job : *jobs) by_name[job.name] = &job;
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
  std::ifstream in(measured);
  for (std::string text; std::getline(in, text);) {
    const nlohmann::json line = nlohmann::json::parse(text);
    if (line.contains("device")) {
      capture.device = line.at("device");
      capture.driver = line.at("driver");
      capture.target = line.at("target");
      capture.launches = line.at("launches");
    } else if (const std::string why = take(line, by_name, capture); !why.empty()) {
      std::cerr << line.at("name") << ": " << why << "\n";
    }
  }
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
    return warpsim::measure(given[1], {given[2], std::stod(given[3]), 20, given.size() > 4 && given[4] == "fake"});
  if (given.size() == 5 && given[0] == "capture") return warpsim::capture(given[1], given[2], given[3], given[4]);
  std::cerr << "warpsim_machine_cycles make JOBS [PREFIX…] | samples JOBS DIR | measure JOBS OUT SECONDS [fake] | "
               "capture JOBS OUT FILE DAY\n";
  return 2;
}
