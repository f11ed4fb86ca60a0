// The lane loop of Lift::Bits: one for all its rows but those on words side by side, since none of them must be fast.
//
// Shapes: the row's form says where operands come from and where results go; a kernel is a pointer.
// Errors: none at run time.
#include <array>
#include <cstddef>

#include "isa/kernels/kernels.h"
#include "sim/code/lane_ops.h"
#include "sim/code/lift.h"

namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

// `second` fills the second predicate, where the form has one.
struct Kernel {
  std::uint64_t (*of)(const kernels::Operands&) = nullptr;
  bool (*second)(const kernels::Operands&) = nullptr;
};
template <Lift L, class K>
constexpr Kernel kernel_of() {
  if constexpr (L != Lift::Bits) return {};
  else if constexpr (requires(const kernels::Operands& o) { K::second(o); }) return {K::of, K::second};
  else return {K::of, nullptr};
}
constexpr std::array<Kernel, kOpCount> kKernels = {{
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) kernel_of<Lift::lift, kernels::kernel>(),
#include "isa/table/instructions.def"
#undef INSN
}};

// One operand: a row of values, or a word of predicates.
struct Place {
  std::uint32_t offset = kNoOffset;
  int width = 0;
  LaneMask flip = 0;

  std::uint64_t read(const std::byte* r, unsigned lane) const {
    if (width == 0) return 0;
    if (width == 1) return (word(r, offset) ^ flip) >> lane & 1;
    return width == 64 ? row<std::uint64_t>(r, offset)[lane] : row<std::uint32_t>(r, offset)[lane];
  }
  void write(std::byte* r, unsigned lane, std::uint64_t value) const {
    if (width == 1) word(r, offset) = (word(r, offset) & ~lane_bit(lane)) | (value & 1) << lane;
    else if (width == 64) row<std::uint64_t>(r, offset)[lane] = value;
    else row<std::uint32_t>(r, offset)[lane] = static_cast<std::uint32_t>(width == 16 ? value & 0xffff : value);
  }
};

void masked(std::byte* r, const DecodedInsn& i, LaneMask lanes) {
  const std::uint32_t offsets[] = {i.a, i.b, i.c, i.d};
  Place sources[4], result;
  std::size_t count = 0;
  for (const Slot& slot : slots(info(i.op).form)) {
    const int width = bits(slot_type(slot.type, i.type, i.type2));
    if (slot.role == Role::Src && !has_slot(slot, i.mods)) continue;  // operand c of a comparison without a BoolOp
    if (slot.role == Role::Src && width == 1) sources[count++] = {i.p, width, i.p_flip};
    else if (slot.role == Role::Src) sources[count] = {offsets[count], width, 0}, ++count;
    else if (result.width == 0) result = {i.dst, width, 0};
  }
  const Kernel& kernel = kKernels[static_cast<std::size_t>(i.op)];
  for_each_lane(lanes, [&](unsigned l) {
    const kernels::Operands o{i.type,
                              i.type2,
                              i.mods,
                              sources[0].read(r, l),
                              sources[1].read(r, l),
                              sources[2].read(r, l),
                              sources[3].read(r, l)};
    const std::uint64_t value = kernel.of(o);
    if (i.dst_pred != kNoOffset) Place{i.dst_pred, 1, 0}.write(r, l, kernel.second(o));
    result.write(r, l, value);
  });
}
template <unsigned W>
void full(std::byte* r, const DecodedInsn& i) {
  masked(r, i, full_mask(W));
}

}  // namespace

LaneOp bits_op(unsigned width) { return {width == 64 ? lift::kWhole<full<64>> : lift::kWhole<full<32>>, masked}; }

}  // namespace warpsim
