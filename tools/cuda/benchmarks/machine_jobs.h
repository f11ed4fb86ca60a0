// All that the cycles of machine code are measured with: which jobs there are, and their names.
//
// Shapes: the kernels of micro_benchmarks() and machine_benchmarks(); each program, "p26/butterfly_pair_swap.w4", with
//         4 warps, as a region if it has one; with ".whole" from begin to end; "cuda/p26/butterfly_pair_swap.w4" is its
//         kernel in CUDA C++.
// Units:  warps.
// Errors: left_out has the programs that have no such job, and why.
// Source: grown_case.h, clock_job.h, clocked_cuda.h.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program/lesson.h"
#include "tools/cuda/benchmarks/clock_job.h"

namespace warpsim {

inline constexpr unsigned kProgramWarps[] = {1, 2, 4, 8, 16, 32};

struct JobList {
  std::vector<ClockJob> jobs;
  std::vector<std::pair<std::string, std::string>> left_out;  // "p25/x.w4": why
};

using JobFilter = std::function<bool(std::string_view name)>;
// Those of the kernels alone.
void add_kernel_jobs(JobList& list, const JobFilter& wanted);
// Those of a program, by its case `test`, else its first. ClockJob::ptx of one in CUDA C++ is its text.
void add_program_jobs(JobList& list, const Lesson& program, const JobFilter& wanted);

// Those of the kernels and of all built-in programs that are right.
JobList all_jobs(const JobFilter& wanted);

bool is_cuda(const ClockJob& job);

}  // namespace warpsim
