// Jobs measured by child processes; see machine_measure.h.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>

#include "tools/cuda/benchmarks/machine_measure.h"
#include "tools/cuda/recording/capture.h"
#include "tools/support/json_object.h"

namespace warpsim {
namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned kSecondsToBegin = 60;
constexpr std::uint64_t kDistanceBytes = 4 << 20;  // within them are the launches of nearly all jobs

template <class Number>
std::string numbers(const std::vector<Number>& values) {
  std::string text = "[";
  for (const Number one : values)
    text += (text.size() == 1 ? "" : ",") + (one == kNoClock ? std::string("null") : std::to_string(one));
  return text + "]";
}

std::string to_json(const L2Map& map) {
  return tools::JsonObject().raw("l2_first", numbers(map.first)).raw("l2_again", numbers(map.again)).str();
}

MeasuredJob made_up(const MachineJob& job) {
  WarpClocks clocks;
  for (unsigned warp = 0; warp < job.warps; ++warp) {
    clocks.begin.push_back(warp);
    clocks.end.push_back(100 + warp);
  }
  return {std::vector<WarpClocks>(kMachineLaunches, clocks), ""};
}

class Measuring {
 public:
  Measuring(std::span<const MachineJob> jobs, const MeasureOptions& options) : jobs_(jobs), options_(options) {}

  std::string run() {
    if (jobs_.empty()) return child() == kNothingWorks ? no_gpu() : "";
    read_done();
    for (std::size_t left = left_over(); left != jobs_.size() && !is_late(); left = left_over()) {
      const std::size_t lines = lines_;
      const int status = child();
      read_done();
      if (status == kNothingWorks || lines_ == lines) return no_gpu();
      if (status == kDone || status == kStopped || left_over() == jobs_.size()) continue;
      write(to_json(jobs_[left_over()], std::string("it ended the process that measured it"), options_.loads_each));
      read_done();
    }
    const std::size_t left = left_over();
    return left == jobs_.size() ? "" : "the time is over before " + jobs_[left].name;
  }

 private:
  // How a child ends; kStopped: the last line says what is wrong with its job, behind which nothing may work.
  static constexpr int kDone = 0, kStopped = 1, kNothingWorks = 3;

  std::string no_gpu() const { return "there is no GPU that works: see the last line of " + options_.out; }
  bool is_late() const {
    return options_.seconds > 0 && std::chrono::duration<double>(Clock::now() - start_).count() > options_.seconds;
  }
  void read_done() {
    done_.clear();
    lines_ = 0;
    std::ifstream in(options_.out);
    for (std::string line; std::getline(in, line); ++lines_) {
      constexpr std::string_view kName = "{\"name\": \"";
      if (line.starts_with(kName)) done_.insert(line.substr(kName.size(), line.find('"', kName.size()) - kName.size()));
    }
  }
  std::size_t left_over() const {
    std::size_t k = 0;
    while (k < jobs_.size() && done_.count(jobs_[k].name) != 0) ++k;
    return k;
  }
  void write(const std::string& line) const {
    std::ofstream out(options_.out, std::ios::app);
    out << line << std::endl;
  }

  // "" or why not.
  std::string write_distances(JobRunner& runner) const {
    if (std::string why = runner.reserve_for(jobs_, kMachineLaunches); !why.empty()) return why;
    const auto found = runner.distances(kDistanceBytes);
    if (const std::string* const why = std::get_if<std::string>(&found)) return *why;
    write(to_json(std::get<L2Map>(found)));
    return "";
  }

  int child() const {
    const pid_t pid = fork();
    if (pid == 0) _exit(measure());
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return kNothingWorks;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  int measure() const {
    std::string why;
    alarm(kSecondsToBegin);
    std::unique_ptr<Gpu> gpu = options_.without_gpu ? nullptr : Gpu::open(options_.job_seconds, why);
    if (!options_.without_gpu && !gpu) {
      write(tools::JsonObject().text("error", why).str());
      return kNothingWorks;
    }
    JobRunner* const runner = gpu ? new JobRunner(*gpu) : nullptr;  // the process ends with it
    if (runner != nullptr && !jobs_.empty()) why = runner->wake(1);
    if (!why.empty()) {
      write(tools::JsonObject().text("error", why).str());
      return kNothingWorks;
    }
    alarm(0);
    if (gpu)
      write(tools::JsonObject()
                .text("device", gpu->driver().device_name())
                .text("driver", gpu->driver().driver_version())
                .number("target", gpu->driver().target())
                .number("launches", kMachineLaunches)
                .str());
    if (runner != nullptr && !options_.loads_each && !jobs_.empty()) {
      if (why = write_distances(*runner); !why.empty()) {
        write(tools::JsonObject().text("error", why).str());
        return kNothingWorks;
      }
    }
    for (const MachineJob& job : jobs_) {
      if (done_.count(job.name) != 0) continue;
      if (is_late()) return kDone;
      if (runner == nullptr) {
        write(to_json(job, made_up(job), options_.loads_each));
        continue;
      }
      alarm(options_.job_seconds);  // a kernel that hangs ends the process
      const auto measured = runner->run(job, kMachineLaunches, options_.loads_each);
      alarm(0);
      write(to_json(job, measured, options_.loads_each));
      if (std::holds_alternative<std::string>(measured)) return kStopped;
    }
    return kDone;
  }

  std::span<const MachineJob> jobs_;
  const MeasureOptions& options_;
  Clock::time_point start_ = Clock::now();
  std::set<std::string, std::less<>> done_;
  std::size_t lines_ = 0;  // of the file
};

}  // namespace

std::string to_json(const MachineJob& job, const std::variant<MeasuredJob, std::string>& measured, bool first) {
  tools::JsonObject row;
  row.text("name", job.name).text("class", job.cls).text("set", name(job.set)).number("warps", job.warps);
  row.number("passes", job.passes).boolean("cold", job.cold).boolean("whole", job.whole).text("source", job.source);
  row.text("code", tools::hash_of(*job.code));
  if (first) row.boolean("first", true);
  if (const std::string* why = std::get_if<std::string>(&measured)) return row.text("error", *why).str();
  const MeasuredJob& good = std::get<MeasuredJob>(measured);
  std::string begin = "[", end = "[";
  for (const WarpClocks& clocks : good.launches) {
    begin += (begin.size() == 1 ? "" : ",") + numbers(clocks.begin);
    end += (end.size() == 1 ? "" : ",") + numbers(clocks.end);
  }
  return row.text("difference", good.difference).raw("begin", begin + "]").raw("end", end + "]").str();
}

std::string measure_jobs(std::span<const MachineJob> jobs, const MeasureOptions& options) {
  return Measuring(jobs, options).run();
}

}  // namespace warpsim
