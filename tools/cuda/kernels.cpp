#include "tools/cuda/kernels.h"

#include <algorithm>

namespace warpsim {

std::string cuda_entry(std::string_view full_name) {
  std::string entry(full_name);
  std::replace(entry.begin(), entry.end(), '/', '_');
  return entry;
}

}  // namespace warpsim
