// Values that cross lanes, for hosts with AVX-512; see translator.h. All lanes act; where some do not, the machine does
// it (Frame::access).
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Zmm;

// All lanes act. Where the member mask does not name all of them, the machine decides.
void Translator::check_members(const DecodedInsn& d) {
  if (d.names_all) return;
  const Zmm members[2] = {rows_.read(d.member_mask), rows_.read(d.member_mask + 64)};
  Label& apart = leaving(d.pc, not_issued_at(d.pc));
  vpternlogd(zmm0, zmm0, zmm0, 0xff);
  vpcmpeqd(k1, zmm0, members[0]);
  vpcmpeqd(k1 | k1, zmm0, members[1]);
  kortestw(k1, k1);
  jnc(apart);
}

// match.any: each lane's value is compared with all others.
void Translator::emit_match(const DecodedInsn& d) {
  check_members(d);
  const Zmm low = rows_.read(d.a), high = rows_.read(d.a + 64);
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  vmovdqa64(ptr[rbx + scratch], low);
  vmovdqa64(ptr[rbx + scratch + 64], high);
  for (int lane = 0; lane < 32; ++lane) {
    vpcmpeqd(k1, low, ptr_b[rbx + scratch + lane * 4]);
    vpcmpeqd(k2, high, ptr_b[rbx + scratch + lane * 4]);
    kunpckwd(k1, k2, k1);
    kmovd(ptr[rbx + scratch + 128 + lane * 4], k1);
  }
  for (int n = 0; n < 2; ++n) {
    const Zmm value = rows_.fresh();
    vmovdqa64(value, ptr[rbx + scratch + 128 + n * 64]);
    define(d.dst + static_cast<unsigned>(n) * 64, value);
  }
}

void Translator::emit_ballot(const DecodedInsn& d) {
  check_members(d);
  mov(eax, ptr[r12 + static_cast<int>(d.p)]);
  if (d.p_flip != 0) not_(eax);
  for (unsigned n = 0; n < 2; ++n) {
    const Zmm value = rows_.fresh();
    vpbroadcastd(value, eax);
    define(d.dst + n * 64, value);
  }
}

void Translator::emit_shuffle(const DecodedInsn& d) {
  if (d.table != kNoOffset) return emit_permutation(d);
  check_members(d);
  const Zmm low = rows_.read(d.a), high = rows_.read(d.a + 64);
  const Zmm results[2] = {rows_.fresh(), rows_.fresh()};
  for (unsigned n = 0; n < 2; ++n) {
    emit_sources(d, n);
    vmovdqa64(results[n], zmm3);
    vpermi2d(results[n], low, high);
    if (d.dst_pred != kNoOffset) n == 0 ? kmovw(k3, k1) : kunpckwd(k3, k1, k3);
  }
  for (unsigned n = 0; n < 2; ++n) define(d.dst + n * 64, results[n]);
  if (d.dst_pred == kNoOffset) return;
  kmovd(edx, k3);
  mov(ptr[r12 + static_cast<int>(d.dst_pred)], rdx);
}

// A shuffle whose source lanes are known. Of two numbers that differ by an xor bit 4 says which line, bits 2 and 3
// which quarter of it.
void Translator::emit_permutation(const DecodedInsn& d) {
  const Zmm from[2] = {rows_.read(d.a), rows_.read(d.a + 64)};
  const Zmm results[2] = {rows_.fresh(), rows_.fresh()};
  const unsigned lines = is_result_alike_ ? 1 : 2;
  for (unsigned n = 0; n < lines; ++n) {
    if (d.xor_lanes == 0) {
      vmovdqa64(results[n], rows_.read(d.table + n * 64));
      vpermi2d(results[n], from[0], from[1]);
      continue;
    }
    const Zmm source = from[n ^ (d.xor_lanes >> 4)];
    const unsigned quarters = d.xor_lanes >> 2 & 3, words = d.xor_lanes & 3;
    if (quarters != 0) vshufi32x4(results[n], source, source, order_of_xor(quarters));
    else if (words == 0) vmovdqa64(results[n], source);
    if (words != 0) vpshufd(results[n], quarters != 0 ? results[n] : source, order_of_xor(words));
  }
  for (unsigned n = 0; n < lines; ++n) define(d.dst + n * 64, results[n]);
  store_in_range(d);
}

// Where it is known before the run.
void Translator::store_in_range(const DecodedInsn& d) {
  if (d.dst_pred == kNoOffset) return;
  mov(edx, static_cast<std::uint32_t>(d.in_range));
  mov(ptr[r12 + static_cast<int>(d.dst_pred)], rdx);
}

// zmm3: the lanes that the 16 lanes of a line receive from; k1: which of them are in range (shuffle_network.h).
void Translator::emit_sources(const DecodedInsn& d, unsigned line) {
  const auto bits5 = [&](const Zmm& to) { vpandd(to, to, ptr_b[rip + lane_bits_]); };
  vmovdqa64(zmm0, ptr[rip + lanes4_ + static_cast<int>(line * 64)]);  // the own lane
  vpsrld(zmm1, rows_.read(d.c + line * 64), 8);
  bits5(zmm1);               // the segment's mask
  vpandd(zmm2, zmm0, zmm1);  // its first lane
  vpandnd(zmm4, zmm1, rows_.read(d.c + line * 64));
  bits5(zmm4);
  vpord(zmm4, zmm4, zmm2);  // its limit
  vmovdqa64(zmm5, rows_.read(d.b + line * 64));
  bits5(zmm5);
  switch (d.mode) {
    case ShuffleMode::Idx:
      vpandnd(zmm3, zmm1, zmm5);
      vpord(zmm3, zmm3, zmm2);
      break;
    case ShuffleMode::Up: vpsubd(zmm3, zmm0, zmm5); break;
    case ShuffleMode::Down: vpaddd(zmm3, zmm0, zmm5); break;
    case ShuffleMode::Bfly: vpxord(zmm3, zmm0, zmm5); break;
  }
  vpcmpd(k1, zmm3, zmm4, d.mode == ShuffleMode::Up ? 5 : 2);
  vpblendmd(zmm3 | k1, zmm0, zmm3);
}

}  // namespace warpsim::engine
