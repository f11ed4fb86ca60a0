// One random instruction of any row of the table, at a place where its lift allows it.
//
// Shapes: a function that returns false has written nothing: the row does not fit here.
// Errors: none.
#include <algorithm>
#include <span>

#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

void RandomWriter::instruction(const Group& group) {
  const std::span<const OpInfo> rows = assembly_ops();
  for (int tries = 0; tries < 20; ++tries) {
    const OpInfo& row = rows[random_.below(rows.size())];
    if (as_one_line([&] { return emit(row, group); })) return;
  }
}

bool RandomWriter::emit(const OpInfo& row, const Group& group) {
  switch (row.lift) {
    case Lift::Lane: return row.form == Form::DAcvt ? convert(row) : lane_operation(row);
    case Lift::Compare:
    case Lift::Bits: return lane_operation(row);
    case Lift::Load:
    case Lift::Store: return memory_operation(row);
    case Lift::Atomic: return atomic(row);
    case Lift::Pack:
    case Lift::Unpack: return lane_operation(row);
    case Lift::Nothing: return without_effect(row);
    case Lift::LoadParam: return load_parameter(row);
    case Lift::Shuffle: return shuffle_or_guarded(row, group);
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux: return vote(row, group);
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: return collective(row, group);
    case Lift::Barrier:
    case Lift::BarrierReduce: return barrier(row, group);
    case Lift::Special: return row.form == Form::D && group.whole_warp && !limits_.hardware && active_mask(row);
    case Lift::Mbarrier: return mbarrier(row, group);
    case Lift::Copy: return copies(row);
    case Lift::Branch: return false;  // branch(), loop() and early_exit() write those
    case Lift::Call:
    case Lift::Return:
    case Lift::Dispatch: return false;  // the assembly has no functions
  }
  return false;
}

// PTX defines the carry flag in straight-line code only, so a chain is one piece without guards; and PTX and the
// hardware disagree on the flag that a subtraction leaves for an addition.
bool RandomWriter::carry_chain(const OpInfo& row) {
  const auto takes = [](const OpInfo& one, Role role) {
    const auto form = slots(one.form);
    return std::any_of(form.begin(), form.end(), [&](const Slot& s) { return is_hidden(s) && s.role == role; });
  };
  const auto subtracts = [](const OpInfo& one) { return has_trait(one, kBorrows); };
  std::vector<const OpInfo*> begin, more;
  for (const OpInfo& one : assembly_ops()) {
    if (subtracts(one) != subtracts(row) || !takes(one, Role::DstPred)) continue;
    (takes(one, Role::Src) ? more : begin).push_back(&one);
  }
  if (takes(row, Role::Src)) {
    plain_operation(*random_.pick(begin), "");
    for (std::uint64_t n = random_.below(3); n > 0; --n) plain_operation(*random_.pick(more), "");
  }
  return plain_operation(row, "");
}

bool RandomWriter::lane_operation(const OpInfo& row) {
  const auto form = slots(row.form);
  if (limits_.hardware && std::any_of(form.begin(), form.end(), is_hidden)) return carry_chain(row);
  return plain_operation(row, guard(20));
}

// Forms whose operands are destinations and sources and nothing else.
bool RandomWriter::plain_operation(const OpInfo& row, const Text& guarded) {
  const Type type = row.types == kNoType ? Type::None : any_type(row.types);
  Type type2 = has_second_type(row.form) ? any_type(second_types(row.types)) : Type::None;
  for (int tries = 0; tries < 20 && type2 != Type::None && !takes_types(row, type, type2); ++tries)
    type2 = any_type(second_types(row.types));
  if (type2 != Type::None && !takes_types(row, type, type2)) return false;
  const bool narrows = (row.mods & kNarrowRnd) != 0, combines = (row.mods & kBoolOp) != 0 && random_.chance(35);
  Text mods = narrows ? narrowing(row, type, type2) : modifiers(row, type2 == Type::None ? type : type2);
  if (combines) mods += random_.pick(std::vector<Text>{".and", ".or", ".xor"});
  Text operands;
  const auto form = slots(row.form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    const Slot& slot = form[k];
    if (is_combined(slot) && !combines) continue;
    const Type t = slot_type(slot.type, type, type2);
    if (is_hidden(slot)) continue;
    if (is_second_destination(slot)) {
      if (random_.chance(30)) operands += cat({"|", other_predicate(operands)});
      continue;
    }
    operands += operands.empty() ? "" : ", ";
    if (slot.in_braces && (k == 0 || !form[k - 1].in_braces)) operands += "{";
    if (slot.role == Role::Dst && slot.in_braces) operands += vector_register(t, k);
    else if (slot.role == Role::Dst || slot.role == Role::DstPred) operands += any_register(t);
    else if (slot.type == SlotType::Byte) operands += cat({random_.below(256)});
    else if (slot.type == SlotType::U32 && random_.chance(60)) operands += cat({random_.below(70)});
    else if (slot.type == SlotType::Pred) operands += cat({random_.chance(20) ? "!" : "", any_register(t)});
    else operands += source(t);
    if (slot.in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) operands += "}";
  }
  line(cat({guarded, row.mnemonic, mods, suffix(type), suffix(type2), " ", operands}));
  return true;
}

// Of a conversion to or from narrow floats.
Text RandomWriter::narrowing(const OpInfo& row, Type to, Type from) {
  Round round = Round::Rn;
  if (random_.chance(50)) round = random_.chance(50) ? Round::Rz : Round::Rna;
  if (!takes_narrow_round(to, from, round)) round = Round::Rn;
  Text mods = cat({".", warpsim::name(round)});
  if ((row.mods & kSatfiniteReq) != 0 || ((row.mods & kSatfinite) != 0 && random_.chance(30))) mods += ".satfinite";
  if (takes_relu(row, to, from, round) && random_.chance(25)) mods += ".relu";
  return mods;
}

bool RandomWriter::convert(const OpInfo& row) {
  const Type to = any_type(row.types), from = any_type(row.types);
  if (!takes_types(row, to, from)) return false;
  const bool whole_rounding = is_float(from) && (is_integer(to) || (to == from && random_.chance(60)));
  const bool float_rounding = is_float(to) && (is_integer(from) || (to != from && bits(to) <= bits(from)));
  Text mods;
  if (whole_rounding) mods += random_.pick(std::vector<Text>{".rni", ".rzi", ".rmi", ".rpi"});
  if (float_rounding) mods += random_.pick(std::vector<Text>{".rn", ".rz", ".rm", ".rp"});
  const bool f32_operand = from == Type::F32, f32_result = to == Type::F32 && is_float(from);
  if ((f32_operand || f32_result) && random_.chance(20)) mods += ".ftz";
  const bool narrows = is_integer(to) && is_integer(from) && to != from &&
                       !(is_signed(to) == is_signed(from) && bits(to) > bits(from)) &&
                       !(is_signed(to) && bits(to) > bits(from));
  const bool brain = to == Type::BF16 || from == Type::BF16;
  if ((narrows || is_float(to)) && !brain && random_.chance(25)) mods += ".sat";
  if (to == from && mods.empty()) return false;  // a move by another name
  line(cat({guard(15), row.mnemonic, mods, ".", warpsim::name(to), ".", warpsim::name(from), " ", any_register(to),
            ", ", any_register(from)}));
  return true;
}

bool RandomWriter::without_effect(const OpInfo& row) {
  // A GPU stops at a breakpoint, and what is discarded is undefined.
  if (limits_.hardware && (&row == &info(Op::Brkpt) || row.form == Form::HintedSize)) return false;
  if (row.form == Form::Hinted || row.form == Form::HintedSize) {
    const Text place = pointer("in_u32", 4, "%gl", 0);
    line(cat({guard(20), row.mnemonic, " ", place, row.form == Form::HintedSize ? ", 128" : ""}));
    return true;
  }
  const auto sleep = [this] { return limits_.hardware ? cat({random_.below(32)}) : source(Type::U32); };
  line(cat({guard(20), row.mnemonic,
            row.form == Form::A            ? cat({".u32 ", sleep()})
            : row.form == Form::CopiesLeft ? cat({" ", random_.below(3)})
            : row.form == Form::Event      ? cat({" ", random_.below(16)})
                                           : Text()}));
  return true;
}

bool RandomWriter::load_parameter(const OpInfo& row) {
  const Type type = random_.pick(std::vector<Type>{Type::U32, Type::S32, Type::F32, Type::U64, Type::F64});
  if (!contains(row.types, type)) return false;
  line(cat(
      {guard(20), row.mnemonic, ".", warpsim::name(type), " ", any_register(type), ", [p_", warpsim::name(type), "]"}));
  return true;
}

}  // namespace warpsim::reference
