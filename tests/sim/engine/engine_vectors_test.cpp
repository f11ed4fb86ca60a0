// Machine code of every opcode on the H200's vectors: what is translated, and what is a call of the lane loops.
//
// Shapes: the code of one instruction and an exit, for whole warps of 32 lanes and for two complementary sets of lanes;
//         the same under a guard. Three times in a row, so that what the first leaves in vector registers is used.
// Source: tests/data/README.md.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <string>

#include "sim/code/lane_ops.h"
#include "sim/engine/compiled.h"
#include "sim/engine/linear_rows.h"
#include "tests/support/opcode_rows.h"

namespace warpsim::tests {
namespace engine_vectors_test {

constexpr std::uint32_t kGuard = 6 * kRow;
struct alignas(64) Block {
  Registers registers;
  std::array<std::byte, 64> guard{};
};

std::vector<DecodedInsn> program_of(const OpcodeRows& rows, bool guarded) {
  DecodedInsn one = rows.insn(), exit;
  const LaneOp op = lane_ops().lane_op(one.op, one.type, one.mods, 32);
  one.lift = info(one.op).lift;
  one.masked = op.masked;
  one.fast = guarded ? guarded_op(32) : op.full;
  if (guarded) one.guard = kGuard;
  std::vector<DecodedInsn> insns(3, one);
  insns.push_back(exit);
  for (std::size_t pc = 0; pc < insns.size(); ++pc) insns[pc].pc = static_cast<std::int32_t>(pc);
  return insns;
}

class Compiled {
 public:
  // Rows of registers; what stands behind them is the same in all lanes.
  Compiled(const OpcodeRows& rows, bool guarded, bool whole, engine::Isa isa,
           std::size_t register_bytes = sizeof(Block))
      : code_(of(program_of(rows, guarded), register_bytes), {.whole = whole}, Program(), isa), places_(4) {}
  void run(Block& block, LaneMask lanes) {
    engine::Frame frame;
    frame.registers = block.registers.bytes.data();
    frame.places = places_.data();
    frame.left = 10;
    frame.lanes = lanes;
    frame.below = 100;
    ASSERT_TRUE(code_.is_usable());
    code_.run(frame);
    EXPECT_EQ(frame.pc, 3);
    EXPECT_EQ(frame.left, 7U);
  }

 private:
  static Code of(std::vector<DecodedInsn> insns, std::size_t register_bytes) {
    Code code;
    code.insns = std::move(insns);
    code.register_bytes = register_bytes;
    return code;
  }

  engine::CompiledCode code_;
  std::vector<engine::Place> places_;
};

// Those that this host executes.
std::vector<engine::Isa> isas() {
  const std::optional<engine::Isa> most = engine::isa_of_host();
  if (!most) return {};
  return *most == engine::Isa::Avx2 ? std::vector{*most} : std::vector{engine::Isa::Avx2, *most};
}

void compare_code(const CapturedOpcode& opcode, engine::Isa isa) {
  constexpr LaneMask kAll = 0xffffffff, kSome = 0x3a6c91f5;
  OpcodeRows rows("machine code", opcode, 32);
  Compiled whole(rows, false, true, isa), some(rows, false, false, isa), guarded(rows, true, true, isa),
      both(rows, true, false, isa);
  for (std::size_t first = 0; first < rows.count(); first += 32) {
    Block block;
    rows.fill(block.registers, first);
    whole.run(block, kAll);
    rows.compare(block.registers, first, kAll, "whole rows");
    rows.fill(block.registers, first);
    some.run(block, kSome);
    rows.compare(block.registers, first, kSome, "some lanes");
    some.run(block, kAll & ~kSome);
    rows.compare(block.registers, first, kAll, "the other lanes");
    rows.fill(block.registers, first);
    word(block.guard.data(), 0) = kSome;
    guarded.run(block, kAll);
    rows.compare(block.registers, first, kSome, "under a guard");
    rows.fill(block.registers, first);
    both.run(block, 0x0000ffff);
    rows.compare(block.registers, first, kSome & 0x0000ffff, "some lanes under a guard");
    word(block.guard.data(), 0) = 0;
    both.run(block, kAll);
    rows.compare(block.registers, first, kSome & 0x0000ffff, "no lane under a guard");
  }
}

// Of operands that all lanes have alike, if one number of scalar code stands for them (sim/engine/linear_rows.h).
bool compare_alike(const CapturedOpcode& opcode, engine::Isa isa) {
  OpcodeRows rows("machine code", opcode, 32);
  rows.make_alike(true);
  Code code;
  code.register_bytes = kRow;
  const engine::LinearFacts facts(code, true);
  const DecodedInsn insn = program_of(rows, false).front();
  if (!facts.result(insn, {}) && !facts.is_of_one_truth(insn, {})) return false;
  Compiled alike(rows, false, true, isa, kRow);
  for (std::size_t first = 0; first < rows.count(); ++first) {
    Block block;
    rows.fill(block.registers, first);
    alike.run(block, 0xffffffff);
    rows.compare(block.registers, first, 0xffffffff, "operands alike in whole rows");
  }
  return true;
}

TEST(EngineVectors, OperandsThatAllLanesHaveAlikeGiveTheBitsOfTheH200) {
  if (!engine::can_compile()) GTEST_SKIP() << "no AVX2 here";
  for (const engine::Isa isa : isas()) {
    int count = 0;
    for (const auto& [text, opcode] : captured_opcodes()) count += compare_alike(opcode, isa) ? 1 : 0;
    EXPECT_GT(count, 50);
  }
}

TEST(EngineVectors, MachineCodeGivesTheBitsOfTheH200) {
  if (!engine::can_compile()) GTEST_SKIP() << "no AVX2 here";
  for (const engine::Isa isa : isas())
    for (const auto& [text, opcode] : captured_opcodes()) compare_code(opcode, isa);
}

// Around what is flushed, rounds up to a normal number or is a NaN; counts; bits.
constexpr std::array<std::uint64_t, 24> kEdges = {
    0x0000000000000000, 0x8000000080000000, 0x0000000100000001, 0x8000000180000001, 0x007fffff007fffff,
    0x0080000000800000, 0x8080000080800000, 0x0080000100800001, 0x3f7fffff3f7fffff, 0x3f8000003f800000,
    0x3f0000003f000000, 0xbf800001bf800001, 0x7f7fffff7f7fffff, 0xff800000ff800000, 0x7f8000017f800001,
    0xffc12345ffc12345, 0x3ff0000000000000, 0x7ff0000000000001, 0xfff8000000001234, 0x000000200000001f,
    0xffffffffffffffff, 0x0000800000007fff, 0x4f0000004f000000, 0x34000000bf000000};

// One that arithmetic makes no NaN of, and whose integer has few bits.
std::uint64_t tame_number(std::uint64_t random, int width, bool positive) {
  const double number = static_cast<double>(random % 4001) * 0.375 + 0.125;
  const double either = positive || (random >> 32 & 1) != 0 ? number : -number;
  return width == 64 ? std::bit_cast<std::uint64_t>(either) : std::bit_cast<std::uint32_t>(static_cast<float>(either));
}

// What no capture has: operands near each other's limits, and every bit of a row, those above 16-bit values too.
void compare_with_loop(const CapturedOpcode& opcode, engine::Isa isa) {
  OpcodeRows rows("machine code", opcode, 32);
  const DecodedInsn insn = program_of(rows, false).front();
  Compiled whole(rows, false, true, isa), some(rows, false, false, isa);
  std::mt19937_64 random(1);
  for (int round = 0; round < 24; ++round) {
    Block code, loop;
    rows.fill(code.registers, 0);
    std::uint32_t at = kRow;
    for (const Slot& slot : slots(info(insn.op).form)) {
      if (slot.role != Role::Src || !has_slot(slot, insn.mods)) continue;
      const int width = slot_bits(slot, opcode.instruction);
      for (unsigned lane = 0; lane < 32; ++lane) {
        std::uint64_t value = random() % 3 == 0 ? random() : kEdges[random() % kEdges.size()];
        if (round % 8 >= 6)  // a product that the host rounds up to the smallest normal number, and nothing added
          value = at == kRow ? kEdges[8] : at == 2 * kRow ? kEdges[5 + lane % 2] : 0;
        if (round % 8 == 4 || round % 8 == 5) value = tame_number(random(), width, round % 8 == 4);
        if (insn.op == Op::Lop3 && at == 4 * kRow) value = static_cast<std::uint64_t>(round);
        code.registers.set(at, width, lane, low_bits(value, width));
      }
      at += kRow;
    }
    loop.registers = code.registers;
    const LaneMask lanes = round % 2 == 0 ? 0xffffffff : random() & 0xffffffff;
    (round % 2 == 0 ? whole : some).run(code, lanes);
    for (int k = 0; k < 3; ++k) insn.masked(loop.registers.bytes.data(), insn, lanes);
    for (Block* block : {&code, &loop}) {  // of lanes that there are not nothing is known
      if (result_bits(opcode.instruction) == 1) word(block->registers.bytes.data(), insn.dst) &= 0xffffffff;
      if (insn.dst_pred != kNoOffset) word(block->registers.bytes.data(), insn.dst_pred) &= 0xffffffff;
    }
    EXPECT_EQ(std::memcmp(&code.registers, &loop.registers, sizeof loop.registers), 0)
        << opcode_text(opcode.instruction) << ", round " << round;
  }
}

TEST(EngineVectors, MachineCodeGivesTheBitsOfTheLaneLoopsAtTheEdges) {
  if (!engine::can_compile()) GTEST_SKIP() << "no AVX2 here";
  for (const engine::Isa isa : isas())
    for (const auto& [text, opcode] : captured_opcodes()) compare_with_loop(opcode, isa);
}

// Every fraction, of both parities of the exponent: of the numbers from 1 to below 4, and for ex2 from -1 to below 1.
void compare_approximations(const CapturedOpcode& opcode, engine::Isa isa) {
  OpcodeRows rows("machine code", opcode, 32);
  const DecodedInsn insn = program_of(rows, false).front();
  Compiled whole(rows, false, true, isa);
  Block code, loop;
  std::size_t wrong = 0;
  for (std::uint32_t first = 0; first < 1U << 24; first += 32) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint32_t k = first + lane;
      const float turn = static_cast<float>(static_cast<int>(k) - (1 << 23)) * 0x1p-23F;
      code.registers.set(kRow, 32, lane,
                         insn.op == Op::Ex2Approx ? std::bit_cast<std::uint32_t>(turn) : 0x3f800000U + k);
    }
    loop.registers = code.registers;
    whole.run(code, 0xffffffff);
    insn.masked(loop.registers.bytes.data(), insn, 0xffffffff);
    wrong += std::memcmp(&code.registers, &loop.registers, sizeof loop.registers) != 0 ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0U) << opcode_text(opcode.instruction);
}

TEST(EngineVectors, ApproximationsOfEveryFractionAreTheLaneLoops) {
  if (!engine::can_compile()) GTEST_SKIP() << "no AVX2 here";
  for (const engine::Isa isa : isas())
    for (const char* text : {"rsqrt.approx.ftz.f32", "rcp.approx.ftz.f32", "ex2.approx.ftz.f32"})
      compare_approximations(captured_opcodes().at(text), isa);
}

}  // namespace engine_vectors_test
}  // namespace warpsim::tests
