// Collectives written out as the shuffles that a real GPU runs.
//
// Shapes: with W lanes, and `op` the collective's operation:
//           broadcast d, a, l:        shfl.idx d, a, l
//           reduce.op d, a:           mov d, a; for o = W/2 … 2, 1 { shfl.bfly %received, d, o; op d, d, %received }
//           scan.op d, a:             mov d, a; for o = 1, 2 … W/2 { shfl.up %received|%in_range, d, o;
//                                     @%in_range op d, d, %received }
//           scan.op.exclusive d, a:   the same, then shfl.up %received|%in_range, d, 1; selp d, %received, identity,
//                                     %in_range
//         Operands are written as op(own, received), so that a float's bits, a NaN's too, are those of the one-step
//         instruction. An instruction under a guard keeps it on every line and selects by %in_range instead of guarding
//         with it. Labels, branch targets and phases move along; every new line has the source place of the old
//         one.
// Errors: none: any verified program expands.
// Source: shared semantics "Collectives" in sim/README.md; the scan is Hillis and Steele, "Data Parallel Algorithms"
//         (1986).
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/kernels/kernels.h"
#include "isa/program/expand.h"
#include "isa/text/check.h"

namespace warpsim::kernels {
struct None;  // the table's kernels that kernels.h has not: of rows that are no collectives
}  // namespace warpsim::kernels

namespace warpsim {
namespace {

using OperandKind = Operand::Kind;

// ---- what a collective is made of

// The row that computes one step of `reduce.OP` or `scan.OP`.
Op step_of(Op collective, Type type) {
  int found = 0;
  while (found < kOpCount && !combines_by(info(collective), info(static_cast<Op>(found)), type)) ++found;
  WARPSIM_CHECK(found < kOpCount);  // every operation of a collective has a row of its own
  return static_cast<Op>(found);
}

Operand integer(std::int64_t value) {
  Operand o;
  o.kind = OperandKind::Imm;
  o.expr = ConstExpr::number(value);
  return o;
}

Operand real(double value) {
  Operand o;
  o.kind = OperandKind::FloatImm;
  o.float_bits = __builtin_bit_cast(std::uint64_t, value);
  return o;
}

template <class K, class T>
Operand identity() {
  if constexpr (requires { K::template identity<T>(); }) {
    constexpr T kIdentity = K::template identity<T>();
    if constexpr (std::is_floating_point_v<T>) return real(static_cast<double>(kIdentity));
    else return integer(static_cast<std::int64_t>(kIdentity));
  } else {
    return integer(0);
  }
}

template <Lift L, class K>
Operand identity(Type type) {
  if constexpr (L == Lift::Scan) {
    switch (type) {
      case Type::U32: return identity<K, std::uint32_t>();
      case Type::S32: return identity<K, std::int32_t>();
      case Type::U64: return identity<K, std::uint64_t>();
      case Type::S64: return identity<K, std::int64_t>();
      case Type::F32: return identity<K, float>();
      case Type::F64: return identity<K, double>();
      default: break;
    }
  }
  return integer(0);
}

// What an exclusive scan gives lane 0.
Operand identity_of(Op scan, Type type) {
  switch (scan) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return identity<Lift::lift, kernels::kernel>(type);
#include "isa/table/instructions.def"
#undef INSN
  }
  return integer(0);
}

Operand reg(std::int32_t index) {
  Operand o;
  o.kind = OperandKind::Reg;
  o.reg = index;
  return o;
}

bool is_same_register(const Operand& a, const Operand& b) {
  return a.kind == OperandKind::Reg && b.kind == OperandKind::Reg && a.reg == b.reg;
}

// ---- the rewriting

class Expansion {
 public:
  Expansion(const Program& program, unsigned lanes) : from_(program), to_(program), lanes_(lanes) {}

  Program run() {
    to_.code.clear();
    for (const Insn& insn : from_.code) {
      new_pc_.push_back(static_cast<std::int32_t>(to_.code.size()));
      if (is_collective(info(insn.op).lift)) expand(insn);
      else to_.code.push_back(insn);
    }
    new_pc_.push_back(static_cast<std::int32_t>(to_.code.size()));
    move_targets();
    return std::move(to_);
  }

  // Where the instruction of the program's own pc is after run().
  std::int32_t moved(std::int32_t pc) const {
    return pc >= 0 && pc < static_cast<std::int32_t>(new_pc_.size()) ? new_pc_[static_cast<std::size_t>(pc)] : pc;
  }

 private:
  void expand(const Insn& insn) {
    switch (info(insn.op).lift) {
      case Lift::Broadcast: return broadcast(insn);
      case Lift::Reduce: return reduce(insn);
      default: return scan(insn);
    }
  }

  // One line in place of a part of `old`; operands in the order of the form, the ones left out at the end.
  Insn& emit(const Insn& old, Op op, Type type, std::vector<Operand> operands) {
    Insn insn;
    insn.op = op;
    insn.type = type;
    insn.guard = old.guard;
    insn.where = old.where;
    insn.operands = std::move(operands);
    insn.operands.resize(slots(info(op).form).size());
    for (Operand& o : insn.operands) {
      if (o.where.line == 0) o.where = old.where;
    }
    to_.code.push_back(std::move(insn));
    return to_.code.back();
  }

  static Type bits_type(Type type) { return bits(type) == 64 ? Type::B64 : Type::B32; }

  void shuffle(const Insn& old, Op op, Operand d, Operand in_range, Operand a, Operand b, const Operand& member_mask) {
    emit(old, op, bits_type(old.type),
         {std::move(d), std::move(in_range), std::move(a), std::move(b), Operand{}, member_mask});
  }

  void broadcast(const Insn& insn) {
    const Operand& lane = insn.operands[2];
    shuffle(insn, Op::ShflIdx, insn.operands[0], Operand{}, insn.operands[1],
            lane.kind == OperandKind::None ? integer(0) : lane, insn.operands[3]);
  }

  void copy(const Insn& insn) {
    if (!is_same_register(insn.operands[0], insn.operands[1]))
      emit(insn, Op::Mov, insn.type, {insn.operands[0], insn.operands[1]});
  }

  // The member mask as an operand that outlives the first write to d.
  Operand kept_mask(const Insn& insn) {
    const Operand& mask = insn.operands[2];
    if (!is_same_register(mask, insn.operands[0])) return mask;
    const Operand kept = reg(temporary("%member_mask", Type::B32));
    emit(insn, Op::Mov, Type::B32, {kept, mask});
    return kept;
  }

  void reduce(const Insn& insn) {
    const Operand d = insn.operands[0];
    const Operand member_mask = kept_mask(insn);
    copy(insn);
    for (unsigned offset = lanes_ / 2; offset > 0; offset /= 2) {
      const Operand received = reg(temporary("%received", insn.type));
      shuffle(insn, Op::ShflBfly, received, Operand{}, d, integer(offset), member_mask);
      emit(insn, step_of(insn.op, insn.type), insn.type, {d, d, received});
    }
  }

  void scan(const Insn& insn) {
    const Operand d = insn.operands[0];
    if (lanes_ == 1 && insn.mods.exclusive) {
      emit(insn, Op::Mov, insn.type, {d, identity_of(insn.op, insn.type)});
      return;
    }
    const Operand member_mask = kept_mask(insn);
    copy(insn);
    for (unsigned offset = 1; offset < lanes_; offset *= 2) scan_step(insn, offset, member_mask);
    if (!insn.mods.exclusive) return;
    const Operand received = reg(temporary("%received", insn.type));
    const Operand in_range = reg(temporary("%in_range", Type::Pred));
    shuffle(insn, Op::ShflUp, received, in_range, d, integer(1), member_mask);
    emit(insn, Op::Selp, insn.type, {d, received, identity_of(insn.op, insn.type), in_range});
  }

  void scan_step(const Insn& insn, unsigned offset, const Operand& member_mask) {
    const Operand d = insn.operands[0];
    const Operand received = reg(temporary("%received", insn.type));
    const Operand in_range = reg(temporary("%in_range", Type::Pred));
    const Op step = step_of(insn.op, insn.type);
    shuffle(insn, Op::ShflUp, received, in_range, d, integer(offset), member_mask);
    if (insn.guard.reg < 0) {
      emit(insn, step, insn.type, {d, d, received}).guard = Guard{in_range.reg, false};
      return;
    }
    emit(insn, step, insn.type, {received, d, received});
    emit(insn, Op::Selp, insn.type, {d, received, d, in_range});
  }

  // A register that the program does not have, the same one each time for one type.
  std::int32_t temporary(const std::string& stem, Type type) {
    for (const Temporary& known : temporaries_) {
      if (known.stem == stem && known.type == type) return known.index;
    }
    std::string free_name = stem;
    for (int k = 2; to_.find_register(free_name) >= 0; ++k) free_name = stem + "_" + std::to_string(k);
    to_.registers.push_back({free_name, reg_class(type), type, {}});
    const std::int32_t index = static_cast<std::int32_t>(to_.registers.size()) - 1;
    temporaries_.push_back({stem, type, index});
    return index;
  }

  void move_targets() {
    for (auto& [label, pc] : to_.labels) pc = moved(pc);
    for (Assertion& one : to_.assertions) one.pc = moved(one.pc);
    for (Insn& insn : to_.code) {
      for (Operand& o : insn.operands) {
        if (o.kind == OperandKind::Label) o.target = moved(o.target);
      }
    }
  }

  const Program& from_;
  Program to_;
  unsigned lanes_;
  std::vector<std::int32_t> new_pc_;  // by old pc, and one past the end
  struct Temporary {
    std::string stem;
    Type type;
    std::int32_t index;
  };
  std::vector<Temporary> temporaries_;
};

// The documents call a collective hardware-accelerated, and it is one instruction there. These are the shuffles.
void call_it_shuffles(std::string& title) {
  constexpr std::string_view kOneStep = "hardware-accelerated";
  const std::size_t at = title.find(kOneStep);
  if (at != std::string::npos) title.replace(at, kOneStep.size(), "as shuffles");
}

}  // namespace

Program expand_collectives(const Program& program, unsigned lanes) { return Expansion(program, lanes).run(); }

Lesson expand_collectives(const Lesson& lesson, unsigned lanes) {
  Expansion expansion(lesson, lanes);
  Lesson expanded = lesson;
  static_cast<Program&>(expanded) = expansion.run();
  for (Phase& phase : expanded.phases) {
    phase.first_pc = expansion.moved(phase.first_pc);
    call_it_shuffles(phase.title);
  }
  return expanded;
}

}  // namespace warpsim
