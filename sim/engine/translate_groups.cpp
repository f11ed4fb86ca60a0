// Loads at neighbouring addresses, for hosts with AVX-512: the first one's gathers bring two words a lane at a time,
// and the others take theirs from Frame::fetched; see translator.h, and linear_rows.h for which loads these are.
#include <algorithm>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Zmm;

namespace {
constexpr int kBytesOfWord = 4, kBytesOfRow = 128;
}  // namespace

void Translator::find_load_groups(std::int32_t begin, std::int32_t end) {
  if (isa_ != Isa::Avx512) return;
  for (const LoadGroup& one : load_groups(insns_, begin, end))
    for (const std::int32_t pc : one.pcs) load_groups_[pc] = one;
}

// Where the first one could not bring all of them, or should not, each goes its own way.
void Translator::emit_load_of_group(const Access& of, const LoadGroup& group, Label& done) {
  const auto are_fetched = byte[rbx + static_cast<int>(offsetof(Frame, are_fetched) + group.row)];
  const auto own = std::find(group.pcs.begin(), group.pcs.end(), of.d.pc);
  const bool is_first = own == group.pcs.begin();
  if (of.masked) load_masks_of_group(is_first ? Masks::Wide : Masks::Narrow);
  Label& otherwise = outside([this, of, &done, is_first, are_fetched, masks = masks_, after = rows_.state()] {
    rows_.set(after);
    masks_ = masks;
    if (is_first) mov(are_fetched, 0);
    move_directly(of, done);
    jmp(done);
  });
  if (is_first) {
    emit_first_of_group(of, group, otherwise);
    mov(are_fetched, 1);
    return;
  }
  cmp(are_fetched, 0);
  je(otherwise);
  const int row = static_cast<int>(group.row) + static_cast<int>(own - group.pcs.begin()) - 1;
  for (unsigned n = 0; n < 2; ++n) {
    const auto from = ptr[rbx + static_cast<int>(offsetof(Frame, fetched) + n * kLineBytes) + row * kBytesOfRow];
    if (of.masked) vmovdqa32(of.values[n] | mask_of(n, false), from);
    else vmovdqa64(of.values[n], from);
  }
}

// Not where lanes load one word, or neighbours: that is one vector without a gather.
void Translator::emit_first_of_group(const Access& of, const LoadGroup& group, Label& otherwise) {
  const int words = static_cast<int>(group.pcs.size());
  emit_wide_offsets(of.d, of.index, of.masked, (words - 1) * kBytesOfWord, otherwise);
  valignq(zmm6, zmm0, zmm0, 1);
  vpsubq(zmm6, zmm6, zmm0);
  constexpr std::uint8_t kAtMost = 2;
  constexpr int kFour = 5 * 8;  // behind below_size_
  vpcmpuq(of.masked ? k1 | k4 : k1, zmm6, ptr_b[rip + below_size_ + kFour], kAtMost);
  kortestb(k1, k1);
  jnz(otherwise);
  for (unsigned pair = 0; pair < group.pcs.size() / 2; ++pair) emit_gathers_of_group(of, group, pair);
}

// Two words of each lane, from the offsets in zmm0 to zmm3.
void Translator::emit_gathers_of_group(const Access& of, const LoadGroup& group, unsigned pair) {
  const auto put = [&](unsigned number, unsigned line, const Zmm& value) {
    const unsigned row = group.row + number - 1;
    if (number != 0)
      vmovdqa64(ptr[rbx + static_cast<int>(offsetof(Frame, fetched) + row * kBytesOfRow + line * kLineBytes)], value);
    else if (of.masked) vmovdqa32(of.values[line] | mask_of(line, false), value);
    else vmovdqa64(of.values[line], value);
  };
  for (unsigned line = 0; line < 2; ++line) {
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned lanes = line * 2 + half;
      const Zmm to(static_cast<int>(4 + half));
      if (of.masked) kmovb(k3, mask_of(lanes, true));
      else kxnorb(k3, k3, k3);
      vpxorq(to, to, to);
      vpgatherqq(to | k3, ptr[rcx + Zmm(static_cast<int>(lanes)) + static_cast<int>(pair) * 2 * kBytesOfWord]);
    }
    vmovdqa64(zmm6, ptr[rip + even_]);
    vmovdqa64(zmm7, ptr[rip + odd_]);
    vpermi2d(zmm6, zmm4, zmm5);
    vpermi2d(zmm7, zmm4, zmm5);
    put(pair * 2, line, zmm6);
    put(pair * 2 + 1, line, zmm7);
  }
}

}  // namespace warpsim::engine
