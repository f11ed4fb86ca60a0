// A GPU as a side; see cuda_side.h.
#include "tools/fuzz/cuda_side.h"

namespace warpsim::fuzz {

std::unique_ptr<Side> cuda_side(std::string& why_not) {
  why_not = "running on a GPU is not supported yet";
  return nullptr;
}

}  // namespace warpsim::fuzz
