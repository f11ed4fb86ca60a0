// The approximate functions on words side by side, in every host instruction set that this machine can run, against the
// scalar functions and the reference.
//
// Shapes: inputs are every 2^20th word or so, the words around every power of two, zeros, infinities and NaNs; each of
//         them as the divisor of some dividends.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "isa/kernels/mufu.h"
#include "sim/code/lane_ops.h"
#include "tests/support/opcode_rows.h"
#include "tests/support/scalar_eval.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::tests {
namespace word_lift_test {

constexpr std::array kFunctions = {Op::RcpApprox, Op::RsqrtApprox, Op::SqrtApprox, Op::Ex2Approx, Op::Lg2Approx,
                                   Op::SinApprox, Op::CosApprox,   Op::DivApprox,  Op::DivFull};
constexpr LaneMask kSome = 0x8000fffe3a6c91f5;
constexpr std::uint32_t kBefore = 0x12345678;

std::vector<std::uint32_t> inputs() {
  std::vector<std::uint32_t> words;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << 32; i += 1'048'573) words.push_back(static_cast<std::uint32_t>(i));
  for (std::uint32_t power = 0; power < 512; ++power)
    for (const std::uint32_t offset : {0xffffffffU, 0U, 1U, 0x1ffffU, 0x20000U, 0x400000U})
      words.push_back((power << 23) + offset);
  while (words.size() % 64 != 0) words.push_back(0);
  return words;
}

constexpr std::array<std::uint32_t, 12> kDividends = {0x3f800000, 0xbfc12345, 0x00000001, 0x807fffff,
                                                      0x00800000, 0x80800001, 0x7f7fffff, 0xff800000,
                                                      0x7fc00001, 0x7f800001, 0x80000000, 0x3f7fffff};

std::uint32_t expected(const Instruction& i, std::uint32_t a, std::uint32_t b) {
  const std::uint64_t scalar = *evaluate(i, {a, b, 0, 0}, Path::Exact);
  EXPECT_EQ(scalar, reference::evaluate(i.op, i.type, i.type2, i.mods, {a, b}, 32)) << std::hex << a << ' ' << b;
  return static_cast<std::uint32_t>(scalar);
}

void compare(const LaneOps& host, const Instruction& i, unsigned width) {
  const bool divides = i.op == Op::DivApprox || i.op == Op::DivFull;
  const std::vector<std::uint32_t> words = inputs();
  const LaneOp op = host.lane_op(i.op, i.type, i.mods, width);
  const DecodedInsn insn = decoded(i);
  int differences = 0;
  for (std::size_t first = 0; first < words.size(); first += width) {
    Registers whole, some;
    for (unsigned l = 0; l < width; ++l) {
      const std::uint32_t word = words[first + l], dividend = kDividends[(first / width + l) % kDividends.size()];
      for (Registers* r : {&whole, &some}) {
        r->set(insn.dst, 32, l, kBefore);
        r->set(insn.a, 32, l, divides ? dividend : word);
        r->set(insn.b, 32, l, word);
      }
    }
    op.full.alone(whole.bytes.data(), insn);
    op.masked(some.bytes.data(), insn, kSome);
    for (unsigned l = 0; l < width; ++l) {
      const std::uint32_t a = static_cast<std::uint32_t>(whole.get(insn.a, 32, l)), b = words[first + l];
      const std::uint32_t right = expected(i, a, b);
      const bool is_right =
          whole.get(insn.dst, 32, l) == right && some.get(insn.dst, 32, l) == ((kSome >> l & 1) != 0 ? right : kBefore);
      if (!is_right && ++differences < 4)
        ADD_FAILURE() << host.host_isa << ": " << opcode_text(i) << " of " << std::hex << a << ' ' << b << " is "
                      << whole.get(insn.dst, 32, l) << " or " << some.get(insn.dst, 32, l) << ", not " << right;
    }
  }
  EXPECT_EQ(differences, 0) << host.host_isa << ' ' << opcode_text(i) << ' ' << width;
}

TEST(WordLift, ApproximateFunctionsGiveTheScalarBitsInEveryHostInstructionSet) {
  for (const LaneOps* host : host_instruction_sets())
    for (const Op op : kFunctions)
      for (const bool ftz : {false, true})
        for (const unsigned width : {32U, 64U}) compare(*host, {op, Type::F32, Type::None, Mods{.ftz = ftz}}, width);
}

}  // namespace word_lift_test
}  // namespace warpsim::tests
