// See lane_atomics.h. A loop a row and size, in which the type is a constant where rows differ by it.
#include "sim/code/lane_atomics.h"

#include <cstring>

#include "isa/kernels/kernels.h"
#include "isa/kernels/kernels_warp.h"
#include "isa/table/op.h"

namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

template <class Word>
struct Lanes {
  std::byte* registers;
  const DecodedInsn& d;
  std::byte* bytes;
  std::uint64_t first;
  const std::uint64_t* address;
  LaneMask active;
  bool shared_by_threads;

  template <class K>
  [[gnu::always_inline]] void change(Type type) const {
    const Aliased<Word>* const b = row<Word>(registers, d.a);
    const Aliased<Word>* const c = d.b == kNoOffset ? b : row<Word>(registers, d.b);
    alignas(64) Word old[kMaxLanes];
    for_lanes(active, [&](unsigned l) {
      std::byte* const at = bytes + (address[l] - first);
      const auto changed = [&](Word from) { return static_cast<Word>(K::of({type, from, b[l], c[l]})); };
      if (shared_by_threads) {
        old[l] = change_atomically<Word>(at, changed);
        return;
      }
      std::memcpy(&old[l], at, sizeof(Word));
      const Word now = changed(old[l]);
      std::memcpy(at, &now, sizeof(Word));
    });
    if (d.dst == kNoOffset) return;
    Aliased<Word>* const dst = row<Word>(registers, d.dst);
    for_lanes(active, [&](unsigned l) { dst[l] = old[l]; });
  }
};

template <class K>
void change_words(const Lanes<std::uint32_t>& lanes, Type type) {
  if (type == Type::F32) lanes.change<K>(Type::F32);
  else if (is_signed(type)) lanes.change<K>(Type::S32);
  else if (type == Type::U32 || type == Type::B32) lanes.change<K>(Type::U32);
  else lanes.change<K>(type);
}
template <class K>
void change_words(const Lanes<std::uint64_t>& lanes, Type type) {
  if (is_signed(type)) lanes.change<K>(Type::S64);
  else if (type == Type::U64 || type == Type::B64) lanes.change<K>(Type::U64);
  else lanes.change<K>(type);
}

template <Lift L, class K>
void change_row(std::byte* registers, const DecodedInsn& d, std::byte* bytes, std::uint64_t first,
                const std::uint64_t* address, LaneMask active, bool shared) {
  if constexpr (L == Lift::Atomic) {
    if (bits(d.type) == 64)
      change_words<K>(Lanes<std::uint64_t>{registers, d, bytes, first, address, active, shared}, d.type);
    else change_words<K>(Lanes<std::uint32_t>{registers, d, bytes, first, address, active, shared}, d.type);
  }
}

}  // namespace

void change_lanes(std::byte* registers, const DecodedInsn& insn, Op op, std::byte* bytes, std::uint64_t first,
                  const std::uint64_t* address, LaneMask active, bool shared_by_threads) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return change_row<Lift::lift, kernels::kernel>(registers, insn, bytes, first, address, active, shared_by_threads);
#include "isa/table/instructions.def"
#undef INSN
  }
}

}  // namespace warpsim
