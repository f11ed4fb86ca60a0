// Loads and stores of vectors, and of words at addresses of lanes' own; see translate_memory.cpp, and for AVX2
// translate_avx2_memory.cpp. What a lane has at its address is one load or store of 8 or 16 bytes: a gather or a
// scatter of each element would take several times as long.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::CodeGenerator;
using Xbyak::Label;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

// ---- AVX-512

namespace {

constexpr int kParts = 4;  // the first register of parts

// The offsets of two neighbouring lanes, to rdx and rax. Those of 64 bits are eight in zmm0 to zmm3 and go by way of
// zmm6, those of 32 bits 16 in zmm0 or zmm1, and by way of zmm3.
void take_offsets(CodeGenerator& code, const Zmm& offsets, int two, bool wide) {
  const int quarter = wide ? two : two / 2;
  const Xmm at(quarter == 0 ? offsets.getIdx() : wide ? 6 : 3);
  if (quarter != 0 && (wide || two % 2 == 0)) code.vextracti64x2(at, offsets, static_cast<std::uint8_t>(quarter));
  if (wide) {
    code.vmovq(code.rdx, at);
    code.vpextrq(code.rax, at, 1);
    return;
  }
  if (two % 2 == 0) code.vmovq(code.rax, at);
  else code.vpextrq(code.rax, at, 1);
  code.mov(code.edx, code.eax);
  code.shr(code.rax, 32);
}

// Where the lanes of a line have their vectors: of 64-bit lanes eight, else 16.
struct OfLine {
  bool wide;
  Zmm offsets;                    // behind rcx
  const Linear* known = nullptr;  // not null: how far each is behind the first lane's, which is at rax …
  std::size_t first = 0;          // … from this lane on
  Address at(CodeGenerator& code, int two, int k) const {
    if (known == nullptr) return code.ptr[code.rcx + (k == 0 ? code.rdx : code.rax)];
    return code.ptr[code.rax + static_cast<int>(known->beyond(first + static_cast<std::size_t>(2 * two + k)))];
  }
};

// So many bytes of each lane. 16 bytes are a quarter of a register: of four registers each has every fourth lane's, of
// 64-bit lanes of two every second one's. 8 bytes are half a quarter, and of two lanes beside each other.
template <class MoveTwo>
void each_two(CodeGenerator& code, const OfLine& of, unsigned size, MoveTwo move_two) {
  for (int two = 0; two < (of.wide ? 4 : 8); ++two) {
    if (of.known == nullptr) take_offsets(code, of.offsets, two, of.wide);
    const int quarter = of.wide ? two : two / 2, first = of.wide ? 0 : two % 2;
    move_two(kParts + (size == 16 ? 2 * first : first), static_cast<std::uint8_t>(quarter), of.at(code, two, 0),
             of.at(code, two, 1));
  }
}

void load_parts(CodeGenerator& code, const OfLine& of, unsigned size) {
  each_two(code, of, size, [&](int part, std::uint8_t quarter, const Address& first, const Address& second) {
    if (size == 16) {
      for (const int k : {0, 1}) {
        const Address& at = k == 0 ? first : second;
        if (quarter == 0) code.vmovdqu(Xmm(part + k), at);
        else code.vinserti64x2(Zmm(part + k), Zmm(part + k), at, quarter);
      }
      return;
    }
    const Xmm both(quarter == 0 ? part : 7);
    code.vmovq(both, first);
    code.vmovhps(both, both, second);
    if (quarter != 0) code.vinserti64x2(Zmm(part), Zmm(part), both, quarter);
  });
}

// In rising order of lanes.
void store_parts(CodeGenerator& code, const OfLine& of, unsigned size) {
  each_two(code, of, size, [&](int part, std::uint8_t quarter, const Address& first, const Address& second) {
    if (size == 16) {
      for (const int k : {0, 1}) {
        const Address& at = k == 0 ? first : second;
        if (quarter == 0) code.vmovdqu(at, Xmm(part + k));
        else code.vextracti64x2(at, Zmm(part + k), quarter);
      }
      return;
    }
    const Xmm both(quarter == 0 ? part : 7);
    if (quarter != 0) code.vextracti64x2(both, Zmm(part), quarter);
    code.vmovq(first, both);
    code.vmovhps(second, both);
  });
}

// The same of words, whose places are known.
void load_words(CodeGenerator& code, const OfLine& of, const Zmm& to) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const Xmm four(quarter == 0 ? kParts : kParts + 1);
    code.vmovd(four, of.at(code, 2 * quarter, 0));
    for (int k = 1; k < 4; ++k) code.vpinsrd(four, four, of.at(code, 2 * quarter, k), static_cast<std::uint8_t>(k));
    if (quarter != 0) code.vinserti64x2(Zmm(kParts), Zmm(kParts), four, static_cast<std::uint8_t>(quarter));
  }
  code.vmovdqa64(to, Zmm(kParts));
}

void store_words(CodeGenerator& code, const OfLine& of, const Zmm& from) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const Xmm four(quarter == 0 ? from.getIdx() : kParts);
    if (quarter != 0) code.vextracti64x2(four, from, static_cast<std::uint8_t>(quarter));
    for (int k = 0; k < 4; ++k) {
      const Address at = of.at(code, 2 * quarter, k);
      if (k == 0) code.vmovd(at, four);
      else code.vpextrd(at, four, static_cast<std::uint8_t>(k));
    }
  }
}

// Whether two lines of so many lanes have the same places.
bool are_lines_like(const Linear& known, unsigned lanes, unsigned one, unsigned other) {
  bool are_like = true;
  for (unsigned lane = 0; lane < lanes; ++lane)
    are_like = are_like && known.beyond(one * lanes + lane) == known.beyond(other * lanes + lane);
  return are_like;
}

// In each quarter the columns of what four registers hold, to zmm4 to zmm7, which may be those. Changes zmm2 and zmm3.
void transpose(CodeGenerator& code, const Zmm& a, const Zmm& b, const Zmm& c, const Zmm& d) {
  const Zmm &t1 = code.zmm2, &t3 = code.zmm3;
  code.vunpckhps(t1, a, b);
  code.vunpcklps(code.zmm4, a, b);
  code.vunpckhps(t3, c, d);
  code.vunpcklps(code.zmm6, c, d);
  code.vunpckhpd(code.zmm5, code.zmm4, code.zmm6);
  code.vunpcklpd(code.zmm4, code.zmm4, code.zmm6);
  code.vunpcklpd(code.zmm6, t1, t3);
  code.vunpckhpd(code.zmm7, t1, t3);
}

}  // namespace

// The vectors of all lanes of a line, each to or from its own address; of a load those that do not act keep what they
// have. A store is one of all lanes.
void Translator::move_vectors(const DecodedInsn& d, unsigned line, const std::vector<Zmm>& values, bool masked,
                              const Linear* at) {
  const bool wide = bits(d.type) == 64;
  const unsigned lines = wide ? 4 : 2, size = bytes_of_access(d);
  const OfLine of{wide, Zmm(static_cast<int>(line)), at, 32 / lines * line};
  const auto value = [&](unsigned element) { return values[element * lines + line]; };
  if (d.lift == Lift::Store) {
    if (wide) {
      vunpcklpd(zmm4, value(0), value(1));
      vunpckhpd(zmm5, value(0), value(1));
    } else if (d.elements == 2) {
      vunpcklps(zmm4, value(0), value(1));
      vunpckhps(zmm5, value(0), value(1));
    } else transpose(*this, value(0), value(1), value(2), value(3));
    return store_parts(*this, of, size);
  }
  load_parts(*this, of, size);
  if (d.elements == 4) transpose(*this, zmm4, zmm5, zmm6, zmm7);
  for (unsigned e = 0; e < d.elements; ++e) {
    if (row_of_element(d, e) == kNoOffset) continue;
    const Zmm to = masked ? value(e) | mask_of(line, wide) : value(e);
    if (d.elements == 4) vmovdqa32(to, Zmm(kParts + static_cast<int>(e)));
    else if (wide) e == 0 ? vunpcklpd(to, zmm4, zmm5) : vunpckhpd(to, zmm4, zmm5);
    else vshufps(to, zmm4, zmm5, e == 0 ? 0x88 : 0xdd);
  }
}

// The first lane's is at rax, and the others' as far behind as is known.
void Translator::move_apart(const DecodedInsn& d, const std::vector<Zmm>& values, const Linear& known) {
  const bool wide = bits(d.type) == 64, is_load = d.lift == Lift::Load, are_pairs = wide && d.elements == 2;
  const unsigned lines = wide ? 4 : 2, of_line = 32 / lines, size = bytes_of_access(d);
  if (are_pairs) xor_(ecx, ecx);
  for (unsigned n = 0; n < lines; ++n) {
    const OfLine of{wide, zmm0, &known, of_line * n};
    const auto are_neighbours = [&](std::size_t first, std::size_t count) {
      bool all = true;
      for (std::size_t k = 1; k < count; ++k)
        all = all && known.beyond(first + k) - known.beyond(first) == static_cast<std::int64_t>(k * size);
      return all;
    };
    unsigned like = 0;
    while (like < n && !are_lines_like(known, of_line, like, n)) ++like;
    if (is_load && like != n) {
      for (unsigned k = n; k < values.size(); k += lines) vmovdqa64(values[k], values[k - n + like]);
    } else if (d.elements == 0 && are_neighbours(of.first, of_line)) {
      is_load ? vmovdqu64(values[n], of.at(*this, 0, 0)) : vmovdqu64(of.at(*this, 0, 0), values[n]);
    } else if (are_pairs && are_neighbours(of.first, 4) && are_neighbours(of.first + 4, 4)) {
      move_pairs_of_neighbours(d, values[n], values[4 + n], static_cast<int>(known.beyond(of.first)),
                               static_cast<int>(known.beyond(of.first + 4)));
    } else if (d.elements != 0) {
      move_vectors(d, n, values, false, &known);
    } else if (wide) {
      if (!is_load) vmovdqa64(zmm4, values[n]);
      is_load ? load_parts(*this, of, 8) : store_parts(*this, of, 8);
      if (is_load) vmovdqa64(values[n], zmm4);
    } else {
      is_load ? load_words(*this, of, values[n]) : store_words(*this, of, values[n]);
    }
  }
}

// Of eight lanes of a line, four of which are neighbours so far behind rcx and rax, and so are the others.
void Translator::move_pairs_of_neighbours(const DecodedInsn& d, const Zmm& first, const Zmm& second, int low_behind,
                                          int high_behind) {
  const Address low = ptr[rcx + rax + low_behind], high = ptr[rcx + rax + high_behind];
  if (d.lift == Lift::Load) {
    vmovdqu64(zmm6, low);
    vmovdqu64(zmm7, high);
    if (row_of_element(d, 0) != kNoOffset) {
      vmovdqa64(first, ptr[rip + even_doubles_]);
      vpermi2q(first, zmm6, zmm7);
    }
    if (row_of_element(d, 1) != kNoOffset) {
      vmovdqa64(second, ptr[rip + odd_doubles_]);
      vpermi2q(second, zmm6, zmm7);
    }
    return;
  }
  vmovdqa64(zmm6, ptr[rip + low_pairs_]);
  vpermi2q(zmm6, first, second);
  vmovdqu64(low, zmm6);
  vmovdqa64(zmm6, ptr[rip + high_pairs_]);
  vpermi2q(zmm6, first, second);
  vmovdqu64(high, zmm6);
}

// Whether an access of all lanes has its offsets in zmm0 and zmm1 still, 16 lanes in each.
bool Translator::are_pairs_in_words(const DecodedInsn& d) const {
  return d.elements == 2 && bits(d.type) == 64 && !d.index_wide && !d.watched && !is_indexed(d);
}

void Translator::widen_offsets() {
  vextracti64x4(ymm3, zmm1, 1);
  vpmovzxdq(zmm2, ymm1);
  vpmovzxdq(zmm3, ymm3);
  vextracti64x4(ymm1, zmm0, 1);
  vpmovzxdq(zmm0, ymm0);
  vpmovzxdq(zmm1, ymm1);
}

// Two double words a lane, where all 32 lanes are neighbours; if not, the offsets are widened.
void Translator::emit_moves_of_all_pairs(const DecodedInsn& d, const std::vector<Zmm>& values, Label& done) {
  Label apart;
  vpbroadcastd(zmm6, xmm0);
  for (int n = 0; n < 2; ++n) {
    vpsubd(zmm7, Zmm(n), zmm6);
    vpsrld(zmm7, zmm7, 2);
    vpcmpeqd(n == 0 ? k2 : k2 | k2, zmm7, ptr[rip + steps4_ + n * 64]);
  }
  kortestw(k2, k2);
  jnc(apart);
  vmovd(eax, xmm0);
  for (unsigned n = 0; n < 4; ++n) {
    const int behind = static_cast<int>(n) * 128;
    move_pairs_of_neighbours(d, values[n], values[4 + n], behind, behind + 64);
  }
  jmp(done, T_NEAR);
  L(apart);
  widen_offsets();
}

// Two double words a lane: neighbours' are two vectors, of which one permutation makes a line of each element, and
// back.
void Translator::emit_moves_of_pairs(const DecodedInsn& d, const std::vector<Zmm>& values, Label& done) {
  for (unsigned n = 0; n < 4; ++n) {
    const Zmm offsets(static_cast<int>(n));
    Label scattered, moved;
    vpbroadcastq(zmm6, Xmm(static_cast<int>(n)));
    vpsubq(zmm6, offsets, zmm6);
    vpsrlq(zmm6, zmm6, 1);
    vpcmpeqq(k2, zmm6, ptr[rip + steps8_]);
    kortestb(k2, k2);
    jnc(scattered);
    vmovq(rax, Xmm(static_cast<int>(n)));
    move_pairs_of_neighbours(d, values[n], values[4 + n], 0, 64);
    jmp(moved);
    L(scattered);
    move_vectors(d, n, values, false, nullptr);
    L(moved);
  }
  L(done);
}

// To zmm4 the words of 64 or 32 bits of all lanes of a line.
void Translator::load_scattered(const Zmm& offsets, bool wide) {
  if (wide) return load_parts(*this, {true, offsets}, 8);
  for (const int half : {1, 0}) {  // two gathers of eight take less time than one of sixteen
    const Ymm to(half == 0 ? 4 : 5), at(half == 0 ? offsets.getIdx() : 6);
    if (half == 1) vextracti64x4(at, offsets, 1);
    kxnorw(k1, k1, k1);
    vpxor(to, to, to);
    vpgatherdd(to | k1, ptr[rcx + at]);
  }
  vinserti64x4(zmm4, zmm4, ymm5, 1);
}

// Not where lanes load one word, or neighbours: that is one vector.
void Translator::emit_first_of_group(const Access& of, const LoadGroup& group, Label& otherwise) {
  const unsigned words = static_cast<unsigned>(group.pcs.size()), size = words * 4;
  emit_wide_offsets(of, static_cast<int>(size) - 4, otherwise);
  valignq(zmm6, zmm0, zmm0, 1);
  vpsubq(zmm6, zmm6, zmm0);
  constexpr std::uint8_t kAtMost = 2;
  constexpr int kFour = 5 * 8;  // behind below_size_
  vpcmpuq(of.masked ? k1 | k4 : k1, zmm6, ptr_b[rip + below_size_ + kFour], kAtMost);
  kortestb(k1, k1);
  jnz(otherwise);
  take_words_of_offsets();
  for (unsigned line = 0; line < 2; ++line) {
    load_parts(*this, {false, Zmm(static_cast<int>(line))}, size);
    if (words == 4) transpose(*this, zmm4, zmm5, zmm6, zmm7);
    else {
      vshufps(zmm6, zmm4, zmm5, 0xdd);
      vshufps(zmm4, zmm4, zmm5, 0x88);
      vmovaps(zmm5, zmm6);
    }
    for (unsigned k = 0; k < words; ++k) {
      const Zmm found(kParts + static_cast<int>(k));
      const std::size_t behind = ((group.row + k - 1) * 2 + line) * kLineBytes;  // of a word that another one wants
      if (k != 0) vmovdqa64(ptr[rbx + static_cast<int>(offsetof(Frame, fetched) + behind)], found);
      else if (of.masked) vmovdqa32(of.values[line] | mask_of(line, false), found);
      else vmovdqa64(of.values[line], found);
    }
  }
}

// ---- AVX2

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
