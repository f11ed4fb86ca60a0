#include "tools/cycles/machine_record.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>
#include <variant>

#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/support/child_process.h"

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;

struct Cubin {
  Contents bytes;
  std::string why;  // there are none
};

Cubin read_cubin(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::make_shared<const std::string>(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()),
          ""};
}

std::vector<std::string> words_for(const ClockJob& job, const std::string& source, const std::string& to) {
  if (is_cuda(job)) return {"-cubin", "-arch=sm_90", "-lineinfo", "-std=c++17", "-fmad=false", source, "-o", to};
  return {"-arch=sm_90", "-lineinfo", source, "-o", to};
}

Cubin make_cubin(const ClockJob& job, const CodeMakers& makers, const std::string& folder) {
  const std::string base = folder + "/" + hash_of(job.ptx), file = base + ".cubin", part = base + ".part";
  if (fs::exists(file)) return read_cubin(file);
  const std::string source = base + (is_cuda(job) ? ".cu" : ".ptx");
  std::ofstream(source, std::ios::binary) << job.ptx;
  for (const std::string& maker : is_cuda(job) ? makers.nvcc : makers.ptxas) {
    std::vector<std::string> words = words_for(job, source, part);
    words.insert(words.begin(), maker);
    const ChildResult made = run_child(words, "");
    if (!made.is_there) continue;
    if (!made.is_fine()) return {nullptr, made.err};
    fs::rename(part, file);
    return read_cubin(file);
  }
  return {nullptr, std::string("there is no ") + (is_cuda(job) ? "nvcc" : "ptxas") + " here"};
}

// "" or why the job of this line is not taken.
std::string take(const nlohmann::json& line, const std::map<std::string, const MachineJob*>& jobs,
                 MachineCapture& capture, bool is_placed) {
  const auto found = jobs.find(line.at("name"));
  if (found == jobs.end()) return "there is no such job";
  if (line.contains("error")) return line.at("error");
  if (!line.at("difference").get<std::string>().empty()) return line.at("difference");
  if (line.at("code") != hash_of(*found->second->code)) return "its machine code is another";
  std::vector<std::uint64_t> cycles;
  for (const nlohmann::json& ends : line.at("end")) {
    WarpClocks clocks;
    for (const nlohmann::json& end : ends) clocks.end.push_back(end.is_null() ? kNoClock : end.get<std::uint32_t>());
    cycles.push_back(clocks.cycles());
  }
  if (line.value("first", false)) return add_first(capture, *found->second, cycles);
  return add_measured(capture, *found->second, std::move(cycles), is_placed);
}

}  // namespace

// Two at a time: jobs of one text share its code.
MadeJobs make_jobs(std::span<const ClockJob> jobs, const CodeMakers& makers, const std::string& folder) {
  fs::create_directories(folder);
  std::map<std::string_view, std::vector<std::size_t>> by_text;
  for (std::size_t k = 0; k < jobs.size(); ++k) by_text[jobs[k].ptx].push_back(k);
  std::vector<Cubin> cubins(jobs.size());
  std::vector<const std::vector<std::size_t>*> texts;
  for (const auto& [text, same] : by_text) texts.push_back(&same);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < texts.size(); k = next++) {
      const Cubin made = make_cubin(jobs[texts[k]->front()], makers, folder);
      for (const std::size_t job : *texts[k]) cubins[job] = made;
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), texts.size());
  for (std::size_t k = 1; k < threads; ++k) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  MadeJobs made;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!cubins[k].bytes) {
      made.not_made.push_back({jobs[k].name, cubins[k].why});
      continue;
    }
    auto job = machine_job(jobs[k]);
    if (const std::string* why = std::get_if<std::string>(&job)) {
      made.not_made.push_back({jobs[k].name, *why});
      continue;
    }
    made.jobs.push_back(std::get<MachineJob>(std::move(job)));
    made.jobs.back().code = cubins[k].bytes;
  }
  return made;
}

Measured take_measured(MachineCapture& capture, std::span<const MachineJob> jobs, std::string_view lines) {
  std::map<std::string, const MachineJob*> by_name;
  for (const MachineJob& job : jobs) by_name[job.name] = &job;
  Measured measured;
  bool has_map = false, is_placed = false;
  std::istringstream in{std::string(lines)};
  for (std::string text; std::getline(in, text);) {
    const nlohmann::json line = nlohmann::json::parse(text);
    if (line.contains("device")) {
      measured.gpu = {line.at("device"), line.at("driver"), line.at("target"), line.at("launches")};
      capture.device = measured.gpu->device;
      capture.driver = measured.gpu->driver;
      capture.target = measured.gpu->target;
      capture.launches = measured.gpu->launches;
    } else if (line.contains("l2_first")) {  // a process that goes on behind a job has memory of its own
      is_placed = !std::exchange(has_map, true);
      if (is_placed) set_l2(capture, {0, line.at("l2_first"), line.at("l2_again")});
    } else if (!line.contains("name")) {
      measured.error = line.value("error", "");
    } else if (std::string why = take(line, by_name, capture, is_placed); !why.empty()) {
      measured.not_taken.push_back({line.at("name"), std::move(why)});
    }
  }
  return measured;
}

}  // namespace warpsim::tools
