// Coordinate descent over a profile's numbers of cycles: see calibration.h.
//
// Shapes: first the parameters are found, with the kernels that each may change; then rounds of steps.
// Units:  cycles; errors are relative, and signed.
// Errors: none: a kernel that the simulator cannot run has the error 1.
#include "tools/cycles/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "isa/program/reads_writes.h"

namespace warpsim::tools {
namespace {

constexpr int kMostRounds = 20;
constexpr double kLeastGain = 1e-9;  // of the sum of squared errors
constexpr double kQuarter = 0.25;
constexpr int kWideRounds = 2;  // later rounds try small steps only
constexpr int kTestSteps = 40;  // a change that every kernel that depends on the parameter shows

// Numbers that move together: `whole` or `fraction` finds them in a profile.
struct Parameter {
  std::string name;
  std::function<std::vector<unsigned*>(TimingProfile&)> whole;
  std::function<double*(TimingProfile&)> fraction;  // one of the two is set
  unsigned least = 0;
  std::vector<std::size_t> kernels;  // whose cycles it may change
};

void move(TimingProfile& profile, const Parameter& parameter, int steps) {
  if (parameter.fraction) {
    double& value = *parameter.fraction(profile);
    value = std::max(value + steps * kQuarter, parameter.least * 1.0);
    return;
  }
  for (unsigned* const value : parameter.whole(profile))
    *value = static_cast<unsigned>(std::max<std::int64_t>(std::int64_t{*value} + steps, parameter.least));
}

class Calibration {
 public:
  Calibration(const TimingProfile& base, const std::vector<CalibrationKernel>& kernels)
      : profile_(base), kernels_(kernels) {}

  Calibrated run(const std::function<void(std::size_t, double)>& progress);

 private:
  void find_uses();
  void find_parameters(bool by_reader);
  void add_class(std::size_t cls, bool by_reader);
  void add_latencies(std::size_t cls, bool by_reader);
  void add_latency(std::size_t cls, const std::string& name, const std::vector<std::size_t>& readers);
  void add_number(const std::string& name, std::size_t cls, unsigned TimingClass::*member, unsigned least);
  void add_fraction(const std::string& name, std::size_t cls, double TimingClass::*member, double least);
  void add_machine();
  std::vector<std::size_t> kernels_with(std::size_t cls) const;
  std::vector<std::size_t> all_kernels() const;

  double relative_error(const TimingProfile& profile, std::size_t kernel) const;
  struct Step {
    double gain = 0;
    int steps = 0;               // 0: no step reduces the errors
    std::vector<double> errors;  // of the parameter's kernels, after the step
  };
  double gain(const Parameter& parameter, int steps, std::vector<double>& errors) const;
  Step best_step(const Parameter& parameter) const;
  bool improve(const Parameter& parameter);
  std::size_t round();
  void measure();
  bool is_measured(const Parameter& parameter) const;
  double mean() const;

  TimingProfile profile_;
  const std::vector<CalibrationKernel>& kernels_;
  std::vector<std::set<std::size_t>> classes_;  // by kernel: the classes of the instructions in its region
  // By kernel: {class of the writer, class of the reader} for each register that an instruction of the region reads and
  // an earlier one has written. Reads in the next round of a loop do not count: their time is not the latency alone.
  std::vector<std::set<std::pair<std::size_t, std::size_t>>> waits_;
  std::vector<double> errors_;  // of the kernels, signed
  std::vector<Parameter> parameters_;
  int widest_ = 32;  // the largest step that is tried
};

// ---- parameters

void Calibration::find_uses() {
  classes_.assign(kernels_.size(), {});
  waits_.assign(kernels_.size(), {});
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const ClockedProgram& clocked = kernels_[k].job->clocked;
    std::map<std::int32_t, std::size_t> written;  // by which class, last
    for (std::int32_t pc = clocked.first; pc < clocked.last; ++pc) {
      const Insn& insn = clocked.program.code[static_cast<std::size_t>(pc)];
      const std::size_t cls = static_cast<std::size_t>(class_of(profile_, insn));
      classes_[k].insert(cls);
      for_each_read(insn, [&](std::int32_t reg) {
        if (const auto found = written.find(reg); found != written.end()) waits_[k].insert({found->second, cls});
      });
      // A compiler loads constants before the region and removes copies, so such a register is ready.
      bool computes = false;
      for_each_read(insn, [&](std::int32_t) { computes = insn.op != Op::Mov; });
      for_each_written(insn, [&](std::int32_t reg) {
        if (computes) written[reg] = cls;
        else written.erase(reg);
      });
    }
  }
}

std::vector<std::size_t> Calibration::kernels_with(std::size_t cls) const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    if (classes_[k].count(cls) != 0) found.push_back(k);
  return found;
}
std::vector<std::size_t> Calibration::all_kernels() const {
  std::vector<std::size_t> all(kernels_.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  return all;
}

void Calibration::add_number(const std::string& name, std::size_t cls, unsigned TimingClass::*member, unsigned least) {
  parameters_.push_back({"classes/" + profile_.classes[cls].name + "/" + name,
                         [=](TimingProfile& p) { return std::vector<unsigned*>{&(p.classes[cls].*member)}; },
                         {},
                         least,
                         kernels_with(cls)});
}

void Calibration::add_fraction(const std::string& name, std::size_t cls, double TimingClass::*member, double least) {
  parameters_.push_back({"classes/" + profile_.classes[cls].name + "/" + name,
                         {},
                         [=](TimingProfile& p) { return &(p.classes[cls].*member); },
                         static_cast<unsigned>(least),
                         kernels_with(cls)});
}

void Calibration::add_latency(std::size_t cls, const std::string& name, const std::vector<std::size_t>& readers) {
  Parameter parameter;
  parameter.name = "classes/" + profile_.classes[cls].name + "/latency/" + name;
  parameter.whole = [cls, readers](TimingProfile& p) {
    std::vector<unsigned*> found;
    for (const std::size_t reader : readers) found.push_back(&p.classes[cls].latency[reader]);
    return found;
  };
  parameter.least = 1;
  for (const std::size_t k : kernels_with(cls))
    if (std::any_of(readers.begin(), readers.end(), [&](std::size_t r) { return waits_[k].count({cls, r}) != 0; }))
      parameter.kernels.push_back(k);
  parameters_.push_back(std::move(parameter));
}

void Calibration::add_latencies(std::size_t cls, bool by_reader) {
  const std::vector<unsigned>& latency = profile_.classes[cls].latency;
  std::map<unsigned, std::vector<std::size_t>> equal;
  for (std::size_t reader = 0; reader < latency.size(); ++reader) equal[latency[reader]].push_back(reader);
  for (const auto& [value, readers] : equal) {
    if (!by_reader) add_latency(cls, "of_" + std::to_string(value), readers);
    else
      for (const std::size_t reader : readers) add_latency(cls, profile_.classes[reader].name, {reader});
  }
}

void Calibration::add_class(std::size_t cls, bool by_reader) {
  const TimingClass& one = profile_.classes[cls];
  add_latencies(cls, by_reader);
  add_number("latency/guard", cls, &TimingClass::guard_latency, 1);
  if (one.predicate_latency != 0) add_number("latency/predicate", cls, &TimingClass::predicate_latency, 1);
  if (one.issue != 0) add_number("issue", cls, &TimingClass::issue, 1);
  if (!one.pipes.empty()) add_fraction("interval", cls, &TimingClass::interval, 1);
  if (one.interval_of_three != 0) add_fraction("interval_of_three", cls, &TimingClass::interval_of_three, 1);
  if (one.sm_pipe >= 0) add_fraction("sm_interval", cls, &TimingClass::sm_interval, 0);
  if (one.per_way != 0) add_fraction("per_way", cls, &TimingClass::per_way, 0);
  if (one.interval_per_way != 0) add_fraction("interval_per_way", cls, &TimingClass::interval_per_way, 0);
  if (one.per_value != 0) add_fraction("per_value", cls, &TimingClass::per_value, 0);
}

// Branches and barriers. The time of global memory is not fitted, only reported.
void Calibration::add_machine() {
  const auto number = [this](const char* name, auto pointer, unsigned least) {
    parameters_.push_back(
        {name, [pointer](TimingProfile& p) { return std::vector<unsigned*>{pointer(p)}; }, {}, least, all_kernels()});
  };
  number(
      "branch/taken", [](TimingProfile& p) { return &p.branch.taken; }, 0);
  number(
      "branch/parted", [](TimingProfile& p) { return &p.branch.diverged; }, 0);
  number(
      "branch/joined", [](TimingProfile& p) { return &p.branch.joined; }, 0);
  number(
      "branch/passed", [](TimingProfile& p) { return &p.branch.passed; }, 0);
  number(
      "branch/other_side", [](TimingProfile& p) { return &p.branch.other_side; }, 0);
  number(
      "barrier/release", [](TimingProfile& p) { return &p.barrier.release; }, 0);
  number(
      "barrier/leave", [](TimingProfile& p) { return &p.barrier.leave; }, 1);
}

void Calibration::find_parameters(bool by_reader) {
  parameters_.clear();
  for (std::size_t cls = 0; cls < profile_.classes.size(); ++cls) add_class(cls, by_reader);
  add_machine();
}

// ---- descent

double Calibration::relative_error(const TimingProfile& profile, std::size_t kernel) const {
  const CalibrationKernel& one = kernels_[kernel];
  // The machine is destroyed before the profile.
  const auto simulated = simulate_cycles(*one.job, {std::shared_ptr<const TimingProfile>{}, &profile});
  const std::uint64_t* const cycles = std::get_if<std::uint64_t>(&simulated);
  if (cycles == nullptr || one.gpu == 0) return 1;
  return (static_cast<double>(*cycles) - static_cast<double>(one.gpu)) / static_cast<double>(one.gpu);
}

void Calibration::measure() {
  errors_.resize(kernels_.size());
  for (std::size_t k = 0; k < kernels_.size(); ++k) errors_[k] = relative_error(profile_, k);
}

// Whether the time of some kernel depends on the parameter.
bool Calibration::is_measured(const Parameter& parameter) const {
  TimingProfile moved = profile_;
  move(moved, parameter, kTestSteps);
  return std::any_of(parameter.kernels.begin(), parameter.kernels.end(),
                     [&](std::size_t k) { return relative_error(moved, k) != errors_[k]; });
}

double Calibration::mean() const {
  double sum = 0;
  for (const double error : errors_) sum += std::fabs(error);
  return errors_.empty() ? 0 : sum / static_cast<double>(errors_.size());
}

// How much the sum of squared errors falls with a step, 0 if it does not fall; and the errors after the step.
double Calibration::gain(const Parameter& parameter, int steps, std::vector<double>& errors) const {
  TimingProfile moved = profile_;
  move(moved, parameter, steps);
  double left = -kLeastGain;
  for (const std::size_t k : parameter.kernels) left += errors_[k] * errors_[k];
  errors.clear();
  for (const std::size_t k : parameter.kernels) {
    errors.push_back(relative_error(moved, k));
    left -= errors.back() * errors.back();
    if (left <= 0) return 0;
  }
  return left;
}

Calibration::Step Calibration::best_step(const Parameter& parameter) const {
  Step best;
  std::vector<double> errors;
  for (const int size : {1, 2, 4, 8, 16, 32}) {
    if (size > widest_) break;
    for (const int steps : {size, -size}) {
      const double gained = gain(parameter, steps, errors);
      if (gained > best.gain) best = {gained, steps, errors};
    }
  }
  return best;
}

bool Calibration::improve(const Parameter& parameter) {
  bool improved = false;
  for (Step step = best_step(parameter); step.steps != 0; step = best_step(parameter)) {
    move(profile_, parameter, step.steps);
    for (std::size_t k = 0; k < parameter.kernels.size(); ++k) errors_[parameter.kernels[k]] = step.errors[k];
    improved = true;
  }
  return improved;
}

// The parameter that gains most moves first: a number that several kernels measure moves before one that would only
// compensate for it.
std::size_t Calibration::round() {
  std::vector<std::pair<double, const Parameter*>> order;
  for (const Parameter& parameter : parameters_) {
    if (parameter.kernels.empty()) continue;
    const double gained = best_step(parameter).gain;
    if (gained > 0) order.emplace_back(gained, &parameter);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::size_t improvements = 0;
  for (const auto& [gained, parameter] : order) improvements += improve(*parameter) ? 1 : 0;
  return improvements;
}

Calibrated Calibration::run(const std::function<void(std::size_t, double)>& progress) {
  Calibrated out;
  const TimingProfile base = profile_;
  find_uses();
  measure();
  out.mean_before = mean();
  bool by_reader = false;
  for (int turn = 0; turn < kMostRounds; ++turn) {
    find_parameters(by_reader);
    widest_ = turn < kWideRounds ? 32 : 4;
    measure();
    const std::size_t improvements = round();
    if (progress) progress(improvements, mean());
    if (improvements == 0 && std::exchange(by_reader, true)) break;
  }
  measure();
  find_parameters(true);
  TimingProfile start = base;
  for (const Parameter& parameter : parameters_) {
    if (!is_measured(parameter)) out.unmeasured.push_back(parameter.name);
    if (parameter.fraction) out.changed += *parameter.fraction(start) != *parameter.fraction(profile_) ? 1 : 0;
    else out.changed += *parameter.whole(start).front() != *parameter.whole(profile_).front() ? 1 : 0;
  }
  out.mean_after = mean();
  out.profile = std::move(profile_);
  return out;
}

}  // namespace

Calibrated calibrate(const TimingProfile& base, const std::vector<CalibrationKernel>& kernels,
                     const std::function<void(std::size_t, double)>& progress) {
  return Calibration(base, kernels).run(progress);
}

}  // namespace warpsim::tools
