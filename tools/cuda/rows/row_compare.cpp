#include "tools/cuda/rows/row_compare.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "sim/code/shuffle_network.h"
#include "tools/cuda/rows/row_machine.h"

namespace warpsim::rows {
namespace {

// May result k of tuple n be compared?
bool is_defined(const Job& job, const Columns& operands, std::size_t n, std::size_t k) {
  if (!is_network(job.instruction)) return true;
  const std::uint64_t members = operands.back()[n];
  const unsigned lane = static_cast<unsigned>(n % kLanes);
  if ((members >> lane & 1) == 0) return false;
  if (job.instruction.row->lift != Lift::Shuffle || k != 0) return true;
  const ShuffleSource source =
      shuffle_source(mode_of(job.instruction), lane, static_cast<std::uint32_t>(operands[1][n]),
                     static_cast<std::uint32_t>(operands[2][n]), lane_index_mask(kLanes));
  return (members >> source.lane & 1) != 0;
}

std::vector<std::uint64_t> tuple_of(const Columns& columns, std::size_t n) {
  std::vector<std::uint64_t> tuple;
  for (const std::vector<std::uint64_t>& column : columns) tuple.push_back(column[n]);
  return tuple;
}

// A job while it is worked on, by several threads.
class RunningJob {
 public:
  RunningJob(const Job& job, Witness& witness) : job_(job), witness_(witness) {
    left_ = (job.count + kUnitTuples - 1) / kUnitTuples;
  }

  struct Space {
    Columns operands, witness, machine;
  };

  // Empty, or what stopped it. The last unit gives kernel and program back.
  std::string run(unsigned thread, std::uint64_t unit, Space& space, bool& last) {
    std::call_once(loaded_, [this] { load(); });
    std::string failure;
    if (kernel_ != nullptr && machine_.has_value()) failure = run_unit(thread, unit, space);
    if (!failure.empty()) failure = line_name(job_.instruction) + ": " + failure;
    last = --left_ == 0;
    if (last) kernel_.reset(), machine_.reset();
    return failure;
  }
  const JobResult& result() const { return result_; }

 private:
  void load() {
    machine_ = RowMachine::create(job_.instruction, job_.constant, result_.machine_refuses);
    kernel_ = witness_.load(job_, result_.witness_refuses);
  }

  std::string run_unit(unsigned thread, std::uint64_t unit, Space& space) {
    const std::uint64_t first = unit * kUnitTuples;
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(kUnitTuples, job_.count - first));
    fill_operands(job_.instruction, job_.signature, job_.draw, first, count, space.operands);
    if (job_.signature.constant != Signature::kNoConstant)
      space.operands[job_.signature.constant].assign(count, job_.constant);
    for (Columns* results : {&space.witness, &space.machine}) {
      results->resize(job_.signature.results.size());
      for (std::vector<std::uint64_t>& column : *results) column.resize(count);
    }
    const std::string failure = kernel_->run(thread, space.operands, count, space.witness);
    if (!failure.empty()) return failure;
    if (first >= kMachineTuples && machine_->has_lanes()) {
      machine_->run_lanes(space.operands, count, space.machine);
    } else {
      for (std::size_t at = 0; at < count; at += RowMachine::kRunTuples) {
        const std::size_t run = std::min(RowMachine::kRunTuples, count - at);
        if (const std::string trap = machine_->run(space.operands, at, run, space.machine); !trap.empty())
          return "the machine: " + trap;
      }
    }
    JobResult part;
    compare(job_, first, count, space.operands, space.witness, space.machine, part);
    const std::lock_guard lock(mutex_);
    result_.compared += part.compared;
    result_.differing += part.differing;
    if (part.first && (!result_.first || part.first->index < result_.first->index)) result_.first = part.first;
    return "";
  }

  const Job& job_;
  Witness& witness_;
  std::once_flag loaded_;
  std::optional<RowMachine> machine_;
  std::unique_ptr<WitnessKernel> kernel_;
  std::atomic<std::uint64_t> left_;
  std::mutex mutex_;
  JobResult result_;
};

struct WorkItem {
  RunningJob* running;
  const Job* job;
  std::uint64_t number;
};

// Hands out units. A thread keeps to the job that it began, so that kernels are compiled side by side; long jobs have
// all threads, one job after another.
class Queue {
 public:
  Queue(const std::vector<Job>& jobs, Witness& witness, unsigned threads)
      : jobs_(jobs), running_(jobs.size()), next_unit_(jobs.size()), own_(threads, jobs.size()), witness_(witness) {}

  std::optional<WorkItem> next(unsigned thread) {
    const std::lock_guard lock(mutex_);
    if (!failure_.empty()) return std::nullopt;
    std::size_t job = own_[thread];
    if (!has_more(job)) job = find([this](std::size_t k) { return has_more(k) && units(k) > kOwnUnits; });
    if (!has_more(job) && begun_ < jobs_.size()) {
      job = own_[thread] = begun_++;
      running_[job] = std::make_unique<RunningJob>(jobs_[job], witness_);
    }
    if (!has_more(job)) job = find([this](std::size_t k) { return has_more(k); });
    if (!has_more(job)) return std::nullopt;
    return WorkItem{running_[job].get(), &jobs_[job], next_unit_[job]++};
  }
  void stop(const std::string& failure) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = failure;
  }
  const std::string& failure() const { return failure_; }

 private:
  static constexpr std::uint64_t kOwnUnits = 64;

  std::uint64_t units(std::size_t job) const { return (jobs_[job].count + kUnitTuples - 1) / kUnitTuples; }
  bool has_more(std::size_t job) const { return job < begun_ && next_unit_[job] < units(job); }
  // The first of those begun lately: older ones have ended, or their last units are at work.
  template <class F>
  std::size_t find(F wanted) const {
    std::size_t job = begun_ > own_.size() ? begun_ - own_.size() : 0;
    while (job < begun_ && !wanted(job)) ++job;
    return job;
  }

  const std::vector<Job>& jobs_;
  std::vector<std::unique_ptr<RunningJob>> running_;
  std::vector<std::uint64_t> next_unit_;
  std::vector<std::size_t> own_;  // by thread: the job that it began last
  Witness& witness_;
  std::mutex mutex_;
  std::size_t begun_ = 0;
  std::string failure_;
};

}  // namespace

void compare(const Job& job, std::uint64_t first, std::size_t count, const Columns& operands, const Columns& witness,
             const Columns& machine, JobResult& result) {
  for (std::size_t n = 0; n < count; ++n) {
    bool compared = false, equal = true;
    for (std::size_t k = 0; k < witness.size(); ++k) {
      if (!is_defined(job, operands, n, k)) continue;
      compared = true;
      equal = equal && witness[k][n] == machine[k][n];
    }
    result.compared += compared ? 1 : 0;
    if (equal) continue;
    ++result.differing;
    if (!result.first)
      result.first = Difference{first + n, tuple_of(operands, n), tuple_of(witness, n), tuple_of(machine, n)};
  }
}

std::string sweep(const std::vector<Job>& jobs, Witness& witness, unsigned threads,
                  const std::function<void(const Job&, const JobResult&)>& done) {
  Queue queue(jobs, witness, threads);
  std::mutex reporting;
  const auto work = [&](unsigned thread) {
    RunningJob::Space space;
    while (const std::optional<WorkItem> unit = queue.next(thread)) {
      bool last = false;
      const std::string failure = unit->running->run(thread, unit->number, space, last);
      if (!failure.empty()) queue.stop(failure);
      const std::lock_guard lock(reporting);
      if (last && failure.empty()) done(*unit->job, unit->running->result());
    }
  };
  std::vector<std::thread> workers;
  for (unsigned thread = 1; thread < threads; ++thread) workers.emplace_back(work, thread);
  work(0);
  for (std::thread& worker : workers) worker.join();
  return queue.failure();
}

}  // namespace warpsim::rows
