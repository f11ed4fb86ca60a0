// What a PTX module holds that can be launched, as text and as JSON.
//
// Errors: none.
#pragma once

#include <string>

#include "isa/ptx/ptx_summary.h"

namespace warpsim::tools {

std::string ptx_kernel_text(const ptx::EntrySummary& kernel);
std::string ptx_kernel_json(const ptx::EntrySummary& kernel);

}  // namespace warpsim::tools
