// The lane loops of every host instruction set that this machine can run, on the H200's vectors: the machine takes only
// the best of them, and all must give the same bits.
//
// Shapes: registers are laid out by hand as register_file.h says; each opcode runs on whole rows of 32 and 64 lanes and
//         on two complementary sets of lanes.
// Source: tests/data/README.md.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "sim/code/lane_ops.h"
#include "tests/support/captures.h"

namespace warpsim::tests {
namespace {

std::vector<const LaneOps*> host_instruction_sets() {
  std::vector<const LaneOps*> sets = {&lane_ops_baseline()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&lane_ops_avx2());
#endif
  if (&lane_ops() != sets.back()) sets.push_back(&lane_ops());
  return sets;
}

std::uint64_t low_bits(std::uint64_t x, int width) { return width >= 64 ? x : x & ((std::uint64_t{1} << width) - 1); }

constexpr std::uint32_t kRow = 64 * sizeof(std::uint64_t);  // the longest
struct alignas(64) Registers {
  std::array<std::byte, 6 * kRow> bytes{};

  void set(std::uint32_t offset, int width, unsigned lane, std::uint64_t value) {
    if (width == 64) row<std::uint64_t>(bytes.data(), offset)[lane] = value;
    else if (width > 1) row<std::uint32_t>(bytes.data(), offset)[lane] = static_cast<std::uint32_t>(value);
    else word(bytes.data(), offset) = (word(bytes.data(), offset) & ~(LaneMask{1} << lane)) | value << lane;
  }
  std::uint64_t get(std::uint32_t offset, int width, unsigned lane) {
    if (width == 64) return row<std::uint64_t>(bytes.data(), offset)[lane];
    if (width > 1) return row<std::uint32_t>(bytes.data(), offset)[lane];
    return word(bytes.data(), offset) >> lane & 1;
  }
};

// Rows in the order d, a, b, c or p, q.
DecodedInsn decoded(const Instruction& i) {
  DecodedInsn d;
  d.op = i.op;
  d.type = i.type;
  d.type2 = i.type2;
  d.mods = i.mods;
  d.dst = 0;
  d.a = kRow;
  d.b = 2 * kRow;
  d.c = 3 * kRow;
  d.d = 4 * kRow;
  std::uint32_t next = kRow;
  for (const Slot& slot : slots(info(i.op).form)) {
    if (!has_slot(slot, i.mods)) continue;
    if (slot.role == Role::Src && slot.type == SlotType::Pred) d.p = next;
    next += slot.role == Role::Src ? kRow : 0;
  }
  if (info(i.op).form == Form::PAB) d.dst_pred = 5 * kRow;
  return d;
}

class Comparison {
 public:
  Comparison(const LaneOps& host, const CapturedOpcode& opcode, unsigned lanes)
      : host_(host), opcode_(opcode), lanes_(lanes), insn_(decoded(opcode.instruction)) {
    for (const Slot& slot : slots(info(opcode.instruction.op).form)) {
      if (slot.role == Role::Src && has_slot(slot, opcode.instruction.mods))
        sources_.push_back(slot_bits(slot, opcode.instruction));
    }
    // PTX has no second destination for those of 16 bits with a Boolean operation.
    if (opcode.instruction.mods.boolean != BoolOp::None && !opcode.lines.front()->carry) insn_.dst_pred = kNoOffset;
  }

  void run() {
    const Instruction& i = opcode_.instruction;
    const LaneOp op = host_.lane_op(i.op, i.type, i.mods, lanes_);
    ASSERT_TRUE(op.full.alone != nullptr && op.full.together != nullptr && op.masked != nullptr) << opcode_text(i);
    constexpr LaneMask kSome = 0x8000fffe3a6c91f5;
    for (std::size_t first = 0; first < opcode_.lines.size(); first += lanes_) {
      Registers registers, other;
      fill(registers, first);
      op.full.alone(registers.bytes.data(), insn_);
      compare(registers, first, ~LaneMask{0}, "whole rows");
      fill(registers, first);
      fill(other, first + 1);  // a second warp, with the next lines
      const std::array<std::byte*, 2> blocks{registers.bytes.data(), other.bytes.data()};
      op.full.together(blocks, insn_);
      compare(registers, first, ~LaneMask{0}, "whole rows of the first warp");
      compare(other, first + 1, ~LaneMask{0}, "whole rows of the second warp");
      fill(registers, first);
      op.masked(registers.bytes.data(), insn_, kSome);
      compare(registers, first, kSome, "some lanes");
      op.masked(registers.bytes.data(), insn_, ~kSome);
      compare(registers, first, ~LaneMask{0}, "the other lanes");
    }
  }

 private:
  const ScalarVector& line(std::size_t first, unsigned lane) const {
    return *opcode_.lines[(first + lane) % opcode_.lines.size()];
  }
  std::uint64_t result(std::size_t first, unsigned lane) const { return low_bits(line(first, lane).result, width_); }

  // Destinations are wrong in every bit before.
  void fill(Registers& registers, std::size_t first) const {
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      for (std::uint32_t k = 0; k < sources_.size(); ++k)
        registers.set((k + 1) * kRow, sources_[k], lane, low_bits(line(first, lane).operands[k], sources_[k]));
      registers.set(insn_.dst, width_, lane, low_bits(~result(first, lane), width_));
      if (insn_.dst_pred != kNoOffset) registers.set(insn_.dst_pred, 1, lane, result(first, lane));
    }
  }
  void compare(Registers& registers, std::size_t first, LaneMask written, const char* what) {
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const bool wrote = (written >> lane & 1) != 0;
      const std::uint64_t expected = wrote ? result(first, lane) : low_bits(~result(first, lane), width_);
      const std::uint64_t got = low_bits(registers.get(insn_.dst, width_, lane), width_);
      const std::uint64_t second =
          wrote && line(first, lane).carry ? *line(first, lane).carry : result(first, lane) ^ (wrote ? 1 : 0);
      const bool same = insn_.dst_pred == kNoOffset || registers.get(insn_.dst_pred, 1, lane) == second;
      if ((got == expected && same) || ++differences_ > 3) continue;
      ADD_FAILURE() << host_.host_isa << ", " << opcode_text(opcode_.instruction) << ", " << what << " of " << lanes_
                    << ", lane " << lane << ", line " << line(first, lane).line << ": expected " << std::hex << expected
                    << ", got " << got << (same ? "" : ", and the opposite is none");
    }
  }

  const LaneOps& host_;
  const CapturedOpcode& opcode_;
  unsigned lanes_;
  DecodedInsn insn_;
  int width_ = result_bits(opcode_.instruction);
  std::vector<int> sources_;
  int differences_ = 0;
};

TEST(LaneOpsVectors, EveryHostInstructionSetGivesTheBitsOfTheH200) {
  ASSERT_GT(captured_opcodes().size(), 680U) << "cannot read the captures in tests/data";
  std::string names;
  for (const LaneOps* host : host_instruction_sets()) {
    names += " " + std::string(host->host_isa);
    for (const auto& [text, opcode] : captured_opcodes()) {
      for (const unsigned lanes : {32U, 64U}) Comparison(*host, opcode, lanes).run();
    }
  }
  RecordProperty("host_instruction_sets", names);
  std::cout << "host instruction sets:" << names << "\n";
}

}  // namespace
}  // namespace warpsim::tests
