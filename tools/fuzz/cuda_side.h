// A GPU as a side.
//
// Errors: where there is none, cuda_side() gives nothing and says why.
#pragma once

#include <memory>
#include <string>

#include "tools/fuzz/side.h"

namespace warpsim::fuzz {

std::unique_ptr<Side> cuda_side(std::string& why_not);

}  // namespace warpsim::fuzz
