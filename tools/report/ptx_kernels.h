// What a PTX module holds that can be launched, as text and as JSON.
//
// Shapes: `program` is the kernel as it runs: what stops it is listed as the warnings of loading it have it.
// Errors: none.
#pragma once

#include <string>

#include "isa/program/program.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::tools {

std::string ptx_kernel_text(const ptx::EntrySummary& kernel, const Program& program);
std::string ptx_kernel_json(const ptx::EntrySummary& kernel, const Program& program);

}  // namespace warpsim::tools
