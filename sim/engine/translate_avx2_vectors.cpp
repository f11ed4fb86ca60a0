// Loads and stores of vectors, for hosts with AVX2 and no AVX-512; see translate_avx2_memory.cpp.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::Xmm;

// From Frame::scratch, where each lane goes; rcx: what that is measured from.
void Translator::emit_vectors_avx2(const DecodedInsn& d) {
  for (int lane = 0; lane < 32; lane += bits(d.type) == 64 ? 2 : 4) move_some_lanes(d, lane);
}

// As many neighbouring lanes as fill 16 bytes of a row: their vectors are the columns of what the rows of the elements
// hold there.
void Translator::move_some_lanes(const DecodedInsn& d, int lane) {
  const bool is_load = d.lift == Lift::Load, wide = bits(d.type) == 64;
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  const auto place = [&](int of) {
    mov(eax, ptr[rbx + scratch + of * 4]);
    return ptr[rcx + rax];
  };
  const auto row = [&](unsigned element) {
    return ptr[r12 + static_cast<int>(d.element[element]) + lane * (wide ? 8 : 4)];
  };
  const auto write_row = [&](unsigned element, const Xmm& value) {
    if (d.element[element] != kNoOffset) vmovdqa(row(element), value);
  };
  if (wide) {
    if (is_load) {
      vmovdqu(xmm0, place(lane));
      vmovdqu(xmm1, place(lane + 1));
    } else {
      vmovdqa(xmm0, row(0));
      vmovdqa(xmm1, row(1));
    }
    vpunpcklqdq(xmm2, xmm0, xmm1);
    vpunpckhqdq(xmm3, xmm0, xmm1);
    if (is_load) {
      write_row(0, xmm2);
      write_row(1, xmm3);
    } else {
      vmovdqu(place(lane), xmm2);
      vmovdqu(place(lane + 1), xmm3);
    }
    return;
  }
  if (d.elements == 2) {
    if (is_load) {
      for (int k = 0; k < 4; ++k) vmovq(Xmm(k), place(lane + k));
      vpunpckldq(xmm0, xmm0, xmm1);  // first of lanes 0 and 1, second of both
      vpunpckldq(xmm2, xmm2, xmm3);
      vpunpcklqdq(xmm4, xmm0, xmm2);
      vpunpckhqdq(xmm5, xmm0, xmm2);
      write_row(0, xmm4);
      write_row(1, xmm5);
      return;
    }
    vmovdqa(xmm0, row(0));
    vmovdqa(xmm1, row(1));
    vpunpckldq(xmm2, xmm0, xmm1);
    vpunpckhdq(xmm3, xmm0, xmm1);
    for (int k = 0; k < 4; ++k) {
      const Address at = place(lane + k);
      const Xmm& two = k < 2 ? xmm2 : xmm3;
      if (k % 2 == 0) vmovq(at, two);
      else vmovhps(at, two);
    }
    return;
  }
  for (int k = 0; k < 4; ++k)
    is_load ? vmovdqu(Xmm(k), place(lane + k)) : vmovdqa(Xmm(k), row(static_cast<unsigned>(k)));
  vpunpckldq(xmm4, xmm0, xmm1);
  vpunpckhdq(xmm5, xmm0, xmm1);
  vpunpckldq(xmm6, xmm2, xmm3);
  vpunpckhdq(xmm7, xmm2, xmm3);
  vpunpcklqdq(xmm0, xmm4, xmm6);
  vpunpckhqdq(xmm1, xmm4, xmm6);
  vpunpcklqdq(xmm2, xmm5, xmm7);
  vpunpckhqdq(xmm3, xmm5, xmm7);
  for (int k = 0; k < 4; ++k) {
    if (is_load) write_row(static_cast<unsigned>(k), Xmm(k));
    else vmovdqu(place(lane + k), Xmm(k));
  }
}

}  // namespace warpsim::engine
