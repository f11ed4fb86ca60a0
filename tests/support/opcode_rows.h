// The H200's vectors of an opcode as rows of registers, for whatever executes rows: lane loops, machine code.
//
// Shapes: registers are laid out by hand as register_file.h says: the destination first, then the sources, each with
//         room for 64 lanes of 64 bits.
// Errors: a difference is a failure of the test, with the lane and the line of the capture.
// Source: tests/data/README.md.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/code/decode.h"
#include "sim/code/lane_ops.h"
#include "tests/support/captures.h"

namespace warpsim::tests {

// Those that this machine can run.
inline std::vector<const LaneOps*> host_instruction_sets() {
  std::vector<const LaneOps*> sets = {&lane_ops_baseline()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&lane_ops_avx2());
#endif
  if (&lane_ops() != sets.back()) sets.push_back(&lane_ops());
  return sets;
}

inline std::uint64_t low_bits(std::uint64_t x, int width) {
  return width >= 64 ? x : x & ((std::uint64_t{1} << width) - 1);
}

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
inline DecodedInsn decoded(const Instruction& i) {
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

// An opcode's vectors in rows of registers, and whether what stands there afterwards is what the H200 gave.
class OpcodeRows {
 public:
  OpcodeRows(std::string who, const CapturedOpcode& opcode, unsigned lanes)
      : who_(std::move(who)), opcode_(opcode), lanes_(lanes), insn_(decoded(opcode.instruction)) {
    for (const Slot& slot : slots(info(opcode.instruction.op).form)) {
      if (slot.role == Role::Src && has_slot(slot, opcode.instruction.mods))
        sources_.push_back(slot_bits(slot, opcode.instruction));
    }
    // PTX has no second destination for those of 16 bits with a Boolean operation.
    if (opcode.instruction.mods.boolean != BoolOp::None && !opcode.lines.front()->carry) insn_.dst_pred = kNoOffset;
  }

  const DecodedInsn& insn() const { return insn_; }
  std::size_t count() const { return opcode_.lines.size(); }
  // From here on all lanes have the first one's line, or each its own again.
  void make_alike(bool alike) { are_alike_ = alike; }
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
      ADD_FAILURE() << who_ << ", " << opcode_text(opcode_.instruction) << ", " << what << " of " << lanes_ << ", lane "
                    << lane << ", line " << line(first, lane).line << ": expected " << std::hex << expected << ", got "
                    << got << (same ? "" : ", and the opposite is none");
    }
  }

 private:
  const ScalarVector& line(std::size_t first, unsigned lane) const {
    return *opcode_.lines[(first + (are_alike_ ? 0 : lane)) % opcode_.lines.size()];
  }
  std::uint64_t result(std::size_t first, unsigned lane) const { return low_bits(line(first, lane).result, width_); }

  std::string who_;
  const CapturedOpcode& opcode_;
  unsigned lanes_;
  bool are_alike_ = false;
  DecodedInsn insn_;
  int width_ = result_bits(opcode_.instruction);
  std::vector<int> sources_;
  int differences_ = 0;
};

}  // namespace warpsim::tests
