// Loads and stores of vectors, for hosts with AVX2 and no AVX-512; see translate_avx2_memory.cpp.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::Xmm;

// From Frame::scratch, where each lane goes; rcx: what that is measured from. As many neighbouring lanes at a time as
// fill 16 bytes of a row: their vectors are the columns of what the rows of the elements hold there.
void Translator::emit_vectors_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  for (int lane = 0; lane < 32; lane += wide ? 2 : 4) {
    if (wide) move_double_pairs(d, lane);
    else if (d.elements == 2) move_pairs(d, lane);
    else move_quadruples(d, lane);
  }
}

Address Translator::vector_of(int lane) {
  mov(eax, ptr[rbx + static_cast<int>(offsetof(Frame, scratch)) + lane * 4]);
  return ptr[rcx + rax];
}

Address Translator::part_of_row(const DecodedInsn& d, unsigned element, int lane) const {
  return ptr[r12 + static_cast<int>(d.element[element]) + lane * static_cast<int>(bytes(d.type))];
}

void Translator::write_part(const DecodedInsn& d, unsigned element, int lane, const Xmm& value) {
  if (d.element[element] != kNoOffset) vmovdqa(part_of_row(d, element, lane), value);
}

void Translator::move_double_pairs(const DecodedInsn& d, int lane) {
  const bool is_load = d.lift == Lift::Load;
  for (int k = 0; k < 2; ++k) {
    if (is_load) vmovdqu(Xmm(k), vector_of(lane + k));
    else vmovdqa(Xmm(k), part_of_row(d, static_cast<unsigned>(k), lane));
  }
  vpunpcklqdq(xmm2, xmm0, xmm1);
  vpunpckhqdq(xmm3, xmm0, xmm1);
  for (int k = 0; k < 2; ++k) {
    if (is_load) write_part(d, static_cast<unsigned>(k), lane, Xmm(2 + k));
    else vmovdqu(vector_of(lane + k), Xmm(2 + k));
  }
}

void Translator::move_pairs(const DecodedInsn& d, int lane) {
  if (d.lift == Lift::Load) {
    for (int k = 0; k < 4; ++k) vmovq(Xmm(k), vector_of(lane + k));
    vpunpckldq(xmm0, xmm0, xmm1);  // the first words of both lanes, then the second ones
    vpunpckldq(xmm2, xmm2, xmm3);
    vpunpcklqdq(xmm4, xmm0, xmm2);
    vpunpckhqdq(xmm5, xmm0, xmm2);
    write_part(d, 0, lane, xmm4);
    write_part(d, 1, lane, xmm5);
    return;
  }
  vmovdqa(xmm0, part_of_row(d, 0, lane));
  vmovdqa(xmm1, part_of_row(d, 1, lane));
  vpunpckldq(xmm2, xmm0, xmm1);
  vpunpckhdq(xmm3, xmm0, xmm1);
  for (int k = 0; k < 4; ++k) {
    const Address at = vector_of(lane + k);
    if (k % 2 == 0) vmovq(at, Xmm(2 + k / 2));
    else vmovhps(at, Xmm(2 + k / 2));
  }
}

void Translator::move_quadruples(const DecodedInsn& d, int lane) {
  const bool is_load = d.lift == Lift::Load;
  for (int k = 0; k < 4; ++k) {
    if (is_load) vmovdqu(Xmm(k), vector_of(lane + k));
    else vmovdqa(Xmm(k), part_of_row(d, static_cast<unsigned>(k), lane));
  }
  vpunpckldq(xmm4, xmm0, xmm1);
  vpunpckhdq(xmm5, xmm0, xmm1);
  vpunpckldq(xmm6, xmm2, xmm3);
  vpunpckhdq(xmm7, xmm2, xmm3);
  vpunpcklqdq(xmm0, xmm4, xmm6);
  vpunpckhqdq(xmm1, xmm4, xmm6);
  vpunpcklqdq(xmm2, xmm5, xmm7);
  vpunpckhqdq(xmm3, xmm5, xmm7);
  for (int k = 0; k < 4; ++k) {
    if (is_load) write_part(d, static_cast<unsigned>(k), lane, Xmm(k));
    else vmovdqu(vector_of(lane + k), Xmm(k));
  }
}

}  // namespace warpsim::engine
