// See forward_copies.h.
#include "sim/code/forward_copies.h"

#include <unordered_map>

#include "isa/program/reads_writes.h"
#include "isa/program/unwritten_reads.h"
#include "isa/table/op.h"

namespace warpsim {
namespace {

// Of a row of lanes.
bool is_copy_of_row(const Insn& insn, const DecodedInsn& d) {
  if (!is_copy(insn) || d.reads_clock || d.dst == kNoOffset || d.a == kNoOffset) return false;
  return d.lift == Lift::LoadParam || (d.lift == Lift::Lane && d.type != Type::Pred && d.elements == 0);
}

class Forwarding {
 public:
  Forwarding(const Program& program, Code& code) : program_(program), code_(code) {
    writes_.resize(program.registers.size());
    for (const Insn& insn : program.code)
      for_each_written(insn, [this](std::int32_t reg) { ++writes_[static_cast<std::size_t>(reg)]; });
    unwritten_ = unwritten_reads(program);
    // Other lanes may read what they exchange before its own lane has written it.
    for (const Insn& insn : program.code)
      if (crosses_lanes(info(insn.op).lift))
        for_each_read(insn, [this](std::int32_t reg) { unwritten_[static_cast<std::size_t>(reg)] = true; });
    // A copy of a copy may stand before it in the text.
    while (find()) {
    }
  }

  void apply() {
    for (std::vector<DecodedInsn>* const insns : {&code_.insns, &code_.copy_sources}) apply(*insns);
  }

 private:
  void apply(std::vector<DecodedInsn>& insns) const {
    for (DecodedInsn& d : insns) {
      for (std::uint32_t* const row : {&d.a, &d.b, &d.c, &d.d, &d.index, &d.member_mask}) forward(*row);
      // A load's elements are written.
      if (d.lift != Lift::Load && d.lift != Lift::Unpack)
        for (std::size_t k = 0; k < d.elements; ++k) forward(d.element[k]);
    }
  }
  // Whether one more copy is found.
  bool find() {
    bool found = false;
    for (std::size_t pc = 0; pc < code_.insns.size(); ++pc) {
      DecodedInsn& d = code_.insns[pc];
      if (d.is_unread || !is_copy_of_row(program_.code[pc], d) ||
          !may_be_left_out(program_.code[pc], bits(d.type) == 64))
        continue;
      std::uint32_t from = d.a;
      forward(from);
      if (from < code_.register_bytes) continue;  // a register that changes
      source_[d.dst] = from;
      d.is_unread = found = true;
    }
    return found;
  }
  bool may_be_left_out(const Insn& insn, bool wide) const {
    bool may = true;
    for_each_written(insn, [&](std::int32_t reg) {
      const std::size_t r = static_cast<std::size_t>(reg);
      may =
          may && writes_[r] == 1 && !unwritten_[r] && code_.register_wide[r] == wide && reg != program_.frame_register;
    });
    return may;
  }
  void forward(std::uint32_t& row) const {
    if (const auto known = source_.find(row); known != source_.end()) row = known->second;
  }

  const Program& program_;
  Code& code_;
  std::vector<std::uint32_t> writes_;                        // by register: instructions that do
  std::vector<bool> unwritten_;                              // … something may read it before
  std::unordered_map<std::uint32_t, std::uint32_t> source_;  // by row
};

}  // namespace

void forward_copies(const Program& program, Code& code) {
  if (program.routines.empty()) Forwarding(program, code).apply();
}

}  // namespace warpsim
