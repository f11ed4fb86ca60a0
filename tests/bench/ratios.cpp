// See ratios.h.
#include "tests/bench/ratios.h"

#include <cmath>
#include <cstdio>

#include "tests/bench/pocl.h"

namespace warpsim::bench {
namespace {

// A column of the kernels' table: what ran in each kernel's row over what else ran there.
struct Column {
  const char *over, *under, *title;
};
constexpr Column kColumns[] = {{"interpreter", "engine", "interpreter/engine"},
                               {"one thread", "two threads", "1/2 threads"},
                               {"checked", "engine", "checked/engine"},
                               {"timed", "engine", "timed/engine"},
                               {"engine", "native", "engine/C++"},
                               {"engine", "pocl", "engine/PoCL"}};

}  // namespace

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    if (run.error_occurred) {
      has_failed_ = true;
      continue;
    }
    const std::string name = run.benchmark_name();
    if (name.rfind("kernels/", 0) == 0) {  // kernels/NAME/HOW/…
      const std::size_t how = name.find('/', 8) + 1;
      const std::string kernel = name.substr(8, how - 9);
      if (kernels_.count(kernel) == 0) kernel_names_.push_back(kernel);
      const std::string what = name.substr(how, name.find('/', how) - how);
      kernels_[kernel][what] = run.GetAdjustedCPUTime();
      // Of threads side by side the time on the clock.
      if (what == "engine") kernels_[kernel]["one thread"] = run.GetAdjustedRealTime();
      if (what == "threads") kernels_[kernel]["two threads"] = run.GetAdjustedRealTime();
    }
    if (name.rfind("cost/", 0) == 0) costs_[name] = run.GetAdjustedRealTime();
    if (run.counters.count("useful/s") == 0) continue;
    (name.rfind("iter_warpsim", 0) == 0 ? simulated_ : ceiling_) = run.counters.at("useful/s");
  }
}

void RatioReporter::print_ratios() const {
  if (simulated_ > 0 && ceiling_ > 0)
    std::printf("iter: warpsim reaches 1/%.1f of the hand-written loop\n", ceiling_ / simulated_);
  for (const auto& [name, time] : costs_) {
    const std::size_t end = name.find("_checked");
    const auto unchecked = end == std::string::npos ? costs_.end() : costs_.lower_bound(name.substr(0, end) + "_unc");
    if (unchecked != costs_.end())
      std::printf("%s: a checked run takes %.2f times as long\n", name.substr(5, end - 5).c_str(),
                  time / unchecked->second);
  }
  if (!kernels_.empty()) print_kernels();
}

// A kernel a row, with the geometric means below. "-": one of the two has not run.
void RatioReporter::print_kernels() const {
  std::printf("%-16s %10s", "kernel", "engine");
  for (const Column& column : kColumns) std::printf("  %s", column.title);
  std::map<const Column*, std::vector<double>> ratios;
  const auto print = [](const Column& column, const std::string& cell) {
    std::printf("  %*s", static_cast<int>(std::string(column.title).size()), cell.c_str());
  };
  const auto print_ratio = [&](const Column& column, double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", ratio);
    print(column, text);
  };
  for (const std::string& name : kernel_names_) {
    const std::map<std::string, double>& times = kernels_.at(name);
    const auto engine = times.find("engine");
    if (engine == times.end()) std::printf("\n%-16s %10s", name.c_str(), "-");
    else std::printf("\n%-16s %7.2f ms", name.c_str(), engine->second);
    for (const Column& column : kColumns) {
      const auto over = times.find(column.over), under = times.find(column.under);
      if (over == times.end() || under == times.end()) {
        print(column, column.under == std::string("pocl") && !missing_pocl().empty() ? "no PoCL" : "-");
        continue;
      }
      ratios[&column].push_back(over->second / under->second);
      print_ratio(column, ratios[&column].back());
    }
  }
  std::printf("\n%-27s", "geometric mean");
  for (const Column& column : kColumns) {
    double logarithms = 0;
    for (const double ratio : ratios[&column]) logarithms += std::log(ratio);
    if (ratios[&column].empty()) print(column, "-");
    else print_ratio(column, std::exp(logarithms / static_cast<double>(ratios[&column].size())));
  }
  std::printf("\n");
  const std::string missing = missing_pocl();
  std::printf("%s%s\n", missing.empty() ? "" : "no PoCL: ", missing.empty() ? pocl_name().c_str() : missing.c_str());
}

}  // namespace warpsim::bench
