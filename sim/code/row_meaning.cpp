// One switch a lift over the rows of the table; see row_meaning.h.
#include "sim/code/row_meaning.h"

#include "isa/kernels/kernels.h"

namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

template <Lift L, class K>
LaneMask vote_result(LaneMask truth, LaneMask members) {
  if constexpr (L == Lift::Vote || L == Lift::Match) return static_cast<LaneMask>(K::of(truth, members));
  else return 0;
}
template <Lift L, class K>
std::uint64_t atomic_result(const kernels::AtomicOperands& o) {
  if constexpr (L == Lift::Atomic) return K::of(o);
  else return 0;
}
template <Lift L, class K>
std::uint64_t mbarrier_result(std::uint64_t word, std::uint64_t operand) {
  if constexpr (L == Lift::Mbarrier) return K::of(word, operand);
  else return 0;
}
template <Lift L, class K>
std::uint64_t barrier_result(std::uint64_t trues, std::uint64_t threads) {
  if constexpr (L == Lift::BarrierReduce) return K::of(trues, threads);
  else return 0;
}

}  // namespace

LaneMask vote_of(Op op, LaneMask truth, LaneMask members) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return vote_result<Lift::lift, kernels::kernel>(truth, members);
#include "isa/table/instructions.def"
#undef INSN
  }
  return 0;
}

std::uint64_t atomic_of(Op op, const kernels::AtomicOperands& operands) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return atomic_result<Lift::lift, kernels::kernel>(operands);
#include "isa/table/instructions.def"
#undef INSN
  }
  return 0;
}

std::uint64_t mbarrier_of(Op op, std::uint64_t word, std::uint64_t operand) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return mbarrier_result<Lift::lift, kernels::kernel>(word, operand);
#include "isa/table/instructions.def"
#undef INSN
  }
  return 0;
}

std::uint64_t barrier_reduction_of(Op op, std::uint64_t trues, std::uint64_t threads) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return barrier_result<Lift::lift, kernels::kernel>(trues, threads);
#include "isa/table/instructions.def"
#undef INSN
  }
  return 0;
}

}  // namespace warpsim
