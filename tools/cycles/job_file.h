// A file of jobs: what pack_jobs() gives, packed by zstd.
//
// Errors: a sentence.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tools/cuda/benchmarks/machine_job.h"

namespace warpsim::tools {

std::string job_file(const std::vector<MachineJob>& jobs);
std::variant<std::vector<MachineJob>, std::string> read_job_file(const std::string& bytes);

}  // namespace warpsim::tools
