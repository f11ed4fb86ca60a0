// The benchmarks' console output, with their ratios at its end.
//
// Units: kernels and `cost` in milliseconds, kernels of the process's CPU time, but for the column of threads. A ratio
// a/b is a's time by b's.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace warpsim::bench {

class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;
  void print_ratios() const;
  // Whether a benchmark gave an error in place of a time.
  bool has_failed() const { return has_failed_; }

 private:
  void print_kernels() const;

  bool has_failed_ = false;
  double simulated_ = 0, ceiling_ = 0;
  std::vector<std::string> kernel_names_;                         // in their order
  std::map<std::string, std::map<std::string, double>> kernels_;  // by name and by what ran
  std::map<std::string, double> costs_;                           // by name
};

}  // namespace warpsim::bench
