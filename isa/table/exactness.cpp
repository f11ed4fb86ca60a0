#include "isa/table/exactness.h"

namespace warpsim {

Exactness exactness(Op op) { return has_trait(info(op), kApproximate) ? Exactness::Approximate : Exactness::Exact; }

std::string_view name(Exactness exactness) {
  switch (exactness) {
    case Exactness::Exact: return "exact";
    case Exactness::Approximate: return "approximate";
    case Exactness::Unsupported: return "unsupported";
  }
  return "";
}

}  // namespace warpsim
