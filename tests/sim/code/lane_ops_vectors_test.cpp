// The lane loops of every host instruction set that this machine can run, on the H200's vectors: the machine takes only
// the best of them, and all must give the same bits.
//
// Shapes: each opcode runs on whole rows of 32 and 64 lanes and on two complementary sets of lanes.
// Source: tests/data/README.md.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "sim/code/lane_ops.h"
#include "tests/support/captures.h"
#include "tests/support/opcode_rows.h"

namespace warpsim::tests {
namespace {

void compare_loops(const LaneOps& host, const CapturedOpcode& opcode, unsigned lanes) {
  OpcodeRows rows(std::string(host.host_isa), opcode, lanes);
  const Instruction& i = opcode.instruction;
  const LaneOp op = host.lane_op(i.op, i.type, i.mods, lanes);
  ASSERT_TRUE(op.full.alone != nullptr && op.full.together != nullptr && op.masked != nullptr) << opcode_text(i);
  constexpr LaneMask kSome = 0x8000fffe3a6c91f5;
  for (std::size_t first = 0; first < rows.count(); first += lanes) {
    Registers registers, other;
    rows.fill(registers, first);
    op.full.alone(registers.bytes.data(), rows.insn());
    rows.compare(registers, first, ~LaneMask{0}, "whole rows");
    rows.fill(registers, first);
    rows.fill(other, first + 1);  // a second warp, with the next lines
    const std::array<std::byte*, 2> blocks{registers.bytes.data(), other.bytes.data()};
    op.full.together(blocks, rows.insn());
    rows.compare(registers, first, ~LaneMask{0}, "whole rows of the first warp");
    rows.compare(other, first + 1, ~LaneMask{0}, "whole rows of the second warp");
    rows.fill(registers, first);
    op.masked(registers.bytes.data(), rows.insn(), kSome);
    rows.compare(registers, first, kSome, "some lanes");
    op.masked(registers.bytes.data(), rows.insn(), ~kSome);
    rows.compare(registers, first, ~LaneMask{0}, "the other lanes");
  }
}

TEST(LaneOpsVectors, EveryHostInstructionSetGivesTheBitsOfTheH200) {
  ASSERT_GT(captured_opcodes().size(), 680U) << "cannot read the captures in tests/data";
  std::string names;
  for (const LaneOps* host : host_instruction_sets()) {
    names += " " + std::string(host->host_isa);
    for (const auto& [text, opcode] : captured_opcodes()) {
      for (const unsigned lanes : {32U, 64U}) compare_loops(*host, opcode, lanes);
    }
  }
  RecordProperty("host_instruction_sets", names);
  std::cout << "host instruction sets:" << names << "\n";
}

}  // namespace
}  // namespace warpsim::tests
