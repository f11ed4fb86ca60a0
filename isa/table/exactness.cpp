#include "isa/table/exactness.h"

#include <array>
#include <cstddef>

namespace warpsim {
namespace {

constexpr Exactness exactness_of(std::string_view mnemonic) {
  const bool is_bounded =
      mnemonic.find(".approx") != std::string_view::npos || mnemonic.find(".full") != std::string_view::npos;
  return is_bounded ? Exactness::Approximate : Exactness::Exact;
}

// By Op, since it is asked for every instruction that is executed.
constexpr std::array<Exactness, kOpCount> kExactness = {
#define INSN(Name, mnemonic, ...) exactness_of(mnemonic),
#include "isa/table/instructions.def"
#undef INSN
};

}  // namespace

Exactness exactness(Op op) { return kExactness[static_cast<std::size_t>(op)]; }

std::string_view name(Exactness exactness) {
  switch (exactness) {
    case Exactness::Exact: return "exact";
    case Exactness::Approximate: return "approximate";
    case Exactness::Unsupported: return "unsupported";
  }
  return "";
}

}  // namespace warpsim
