// Machine code of every opcode on the H200's vectors: what is translated, and what is a call of the lane loops.
//
// Shapes: the code of one instruction and an exit, for whole warps of 32 lanes and for two complementary sets of lanes;
//         the same under a guard. Three times in a row, so that what the first leaves in vector registers is used.
// Source: tests/data/README.md.
#include <gtest/gtest.h>

#include <string>

#include "sim/code/lane_ops.h"
#include "sim/engine/compiled.h"
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
  Compiled(const OpcodeRows& rows, bool guarded, bool whole)
      : code_(program_of(rows, guarded), 32, whole), places_(4) {}
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
  engine::CompiledCode code_;
  std::vector<engine::Place> places_;
};

void compare_code(const CapturedOpcode& opcode) {
  constexpr LaneMask kAll = 0xffffffff, kSome = 0x3a6c91f5;
  OpcodeRows rows("machine code", opcode, 32);
  Compiled whole(rows, false, true), some(rows, false, false), guarded(rows, true, true), both(rows, true, false);
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

TEST(EngineVectors, MachineCodeGivesTheBitsOfTheH200) {
  if (!engine::can_compile()) GTEST_SKIP() << "no AVX-512 here";
  for (const auto& [text, opcode] : captured_opcodes()) compare_code(opcode);
}

}  // namespace engine_vectors_test
}  // namespace warpsim::tests
