#include "tools/cuda/rows/row_instructions.h"

#include <algorithm>

namespace warpsim::rows {
namespace {

std::vector<Type> types_in(TypeSet set) {
  std::vector<Type> types;
  for (int t = 1; t < kTypeCount; ++t) {  // not None
    const Type type = static_cast<Type>(t);
    if (type != Type::Mask && contains(set, type)) types.push_back(type);  // a mask is b32 or b64 when it runs
  }
  return types;
}

std::vector<Round> rounds_of(const Instruction& i) {
  const ModSet m = i.row->mods;
  if ((m & kNarrowRnd) != 0) {
    std::vector<Round> rounds;
    for (const Round round : {Round::Rn, Round::Rz, Round::Rna})
      if (takes_narrow_round(i.type, i.type2, round)) rounds.push_back(round);
    return rounds;
  }
  const bool float_result = is_float(element(i.type));
  if ((m & kCvtRnd) != 0) {
    if (!is_float(i.type2))
      return float_result ? std::vector{Round::None, Round::Rn, Round::Rz, Round::Rm, Round::Rp}
                          : std::vector{Round::None};
    if (!float_result) return {Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi};
    if (i.type == i.type2) return {Round::None, Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi};
    return bits(i.type) <= bits(i.type2) ? std::vector{Round::Rn, Round::Rz, Round::Rm, Round::Rp}
                                         : std::vector{Round::None};
  }
  if (!float_result || (m & (kRnd | kRndReq)) == 0) return {Round::None};
  if ((m & kRnOnly) != 0) return (m & kRndReq) != 0 ? std::vector{Round::Rn} : std::vector{Round::None, Round::Rn};
  if ((m & kRndReq) != 0) return {Round::Rn, Round::Rz, Round::Rm, Round::Rp};
  return {Round::None, Round::Rn, Round::Rz, Round::Rm, Round::Rp};
}

// setp's BoolOps are measured without .ftz; set's are the same.
std::vector<BoolOp> operations_of(const OpInfo& row, bool ftz) {
  if (row.form != Form::PAB || ftz) return {BoolOp::None};
  return {BoolOp::None, BoolOp::And, BoolOp::Or, BoolOp::Xor};
}

// Rows that have something to measure: a result of their own on one lane, in memory, or at a barrier.
bool is_measured(const OpInfo& row) {
  switch (row.lift) {
    case Lift::Atomic:
    case Lift::BarrierReduce:
    case Lift::Load:
    case Lift::Store:
    case Lift::Pack:
    case Lift::Unpack: return true;
    default: return is_lanewise(row.lift);
  }
}

Type part_type(const Instruction& i) {
  const int width = bits(i.type) / static_cast<int>(elements(i));
  return width == 16 ? Type::B16 : Type::B32;
}
// A byte is in a register of 16 bits, which shows whether its sign came along.
Type register_of(Type t) { return bits(t) == 8 ? Type::U16 : t; }
std::size_t memory_words(const Instruction& i) {
  return std::max<std::size_t>(1, elements(i) * static_cast<std::size_t>(bits(i.type)) / 64);
}

}  // namespace

std::size_t elements(const Instruction& i) { return static_cast<std::size_t>(std::max(1, elements(i.row->form))); }

std::string opcode_text(const Instruction& i) {
  std::string text(i.row->mnemonic);
  if (i.row->lift == Lift::Match) text += ".sync";  // match.any.sync, but shfl.sync.up
  else if (is_network(i)) text.insert(text.find('.'), ".sync");
  if (i.mods.boolean != BoolOp::None) text.append(".").append(name(i.mods.boolean));
  if (i.mods.round != Round::None) text.append(".").append(name(i.mods.round));
  if (i.mods.ftz) text += ".ftz";
  if (i.mods.sat) text += ".sat";
  if (i.mods.satfinite) text += ".satfinite";
  if (i.mods.relu) text += ".relu";
  if (i.mods.nan) text += ".NaN";
  if (i.mods.xorsign) text += ".xorsign.abs";
  if (i.type != Type::None) text.append(".").append(name(i.type));
  if (i.type2 != Type::None) text.append(".").append(name(i.type2));
  return text;
}

std::vector<Instruction> all_instructions() {
  std::vector<Instruction> all;
  for (const OpInfo& row : assembly_ops()) {
    if (!is_measured(row)) continue;
    for (const Type type : row.types == kNoType ? std::vector{Type::None} : types_in(row.types)) {
      const std::vector<Type> sources =
          has_second_type(row.form) ? types_in(second_types(row.types)) : std::vector{Type::None};
      for (const Type type2 : sources) {
        const bool narrows = (row.mods & kNarrowRnd) != 0, converts = row.form == Form::DAcvt && !narrows;
        if (row.form == Form::DA2B2 && !takes_types(row, type, type2)) continue;
        const bool ftz = may_flush(row, type, type2);
        const bool sat = converts ? (row.mods & kSat) != 0 : takes_sat(row, type);
        const bool relu = (row.mods & kRelu) != 0 && (!converts || (contains(kHalfFloat, type) && type2 == Type::F32));
        const bool not_f64 = type != Type::F64, nan = (row.mods & kNaN) != 0 && not_f64;
        const bool xorsign = (row.mods & kXorsign) != 0 && not_f64;
        Instruction i{&row, type, type2, {}};
        for (const Round round : rounds_of(i)) {
          for (int k = 0; k < 64; ++k) {
            i.mods = Mods{.round = round, .ftz = (k & 1) != 0, .sat = (k & 2) != 0};
            i.mods.satfinite = (k & 32) != 0;
            if (i.mods.satfinite ? (row.mods & (kSatfinite | kSatfiniteReq)) == 0 : (row.mods & kSatfiniteReq) != 0)
              continue;
            i.mods.relu = (k & 4) != 0;
            i.mods.nan = (k & 8) != 0;
            i.mods.xorsign = (k & 16) != 0;
            if ((i.mods.ftz && !ftz) || (i.mods.sat && !sat) ||
                (i.mods.relu && (narrows ? !takes_relu(row, type, type2, round) : !relu)) || (i.mods.nan && !nan) ||
                (i.mods.xorsign && !xorsign) || (!i.mods.ftz && (row.mods & kFtzReq) != 0))
              continue;
            for (const BoolOp operation : operations_of(row, i.mods.ftz)) {
              i.mods.boolean = operation;
              all.push_back(i);
            }
          }
        }
      }
    }
  }
  return all;
}

bool is_network(const Instruction& i) {
  const Lift lift = i.row->lift;
  return lift == Lift::Shuffle || lift == Lift::Vote || lift == Lift::Match || lift == Lift::Redux;
}

std::vector<Instruction> network_instructions() {
  std::vector<Instruction> all;
  for (const OpInfo& row : assembly_ops()) {
    if (!is_network({&row, Type::None, Type::None, {}})) continue;
    for (const Type type : types_in(row.types)) {
      const int wide = row.lift == Lift::Match ? 64 : 32;  // the other widths of shuffles are sugar
      if (type == Type::Pred || bits(type) == 32 || bits(type) == wide) all.push_back({&row, type, Type::None, {}});
    }
  }
  return all;
}

// PTX gives none to 16-bit floats.
bool has_opposite(const Instruction& i) {
  return i.row->form == Form::PAB && !contains(kHalfFloat, i.type) &&
         (i.mods.boolean != BoolOp::None || is_pair(i.type));
}

Signature signature(const Instruction& i) {
  Signature s;
  switch (i.row->lift) {
    case Lift::Shuffle: return {.results = {i.type, Type::Pred}, .operands = {i.type, Type::U32, Type::U32, Type::B32}};
    case Lift::Vote: return {.results = {i.type}, .operands = {Type::Pred, Type::B32}};
    case Lift::Match:
      s.results = {Type::B32};
      if (i.row->form == Form::MatchAll) s.results.push_back(Type::Pred);
      s.operands = {i.type, Type::B32};
      return s;
    case Lift::Redux: return {.results = {i.type}, .operands = {i.type, Type::B32}};
    case Lift::BarrierReduce: return {.results = {i.type}, .operands = {Type::Pred}};
    case Lift::Atomic:
      s.results.assign(i.row->form == Form::Red ? 1 : 2, i.type);
      s.operands.assign(i.row->form == Form::AtomCas ? 3 : 2, i.type);
      return s;
    case Lift::Load:
      s.operands.assign(memory_words(i), Type::B64);
      s.results.assign(elements(i), register_of(i.type));
      return s;
    case Lift::Store:
      s.operands.assign(elements(i), register_of(i.type));
      s.results.assign(memory_words(i), Type::B64);
      return s;
    case Lift::Pack: return {.results = {i.type}, .operands = std::vector<Type>(elements(i), part_type(i))};
    case Lift::Unpack: return {.results = std::vector<Type>(elements(i), part_type(i)), .operands = {i.type}};
    default: break;
  }
  for (const Slot& slot : slots(i.row->form)) {
    if (is_hidden(slot)) (slot.role == Role::Src ? s.reads_carry : s.writes_carry) = true;
    const Type type = slot_type(slot.type, i.type, i.type2);
    if (slot.type == SlotType::Byte) s.constant = s.operands.size();
    if (!has_slot(slot, i.mods)) continue;
    if (slot.role == Role::Src) s.operands.push_back(type);
    else if (slot.when_absent == Default::Required || (is_second_destination(slot) && has_opposite(i)))
      s.results.push_back(type);
  }
  if (s.writes_carry) s.results.push_back(Type::Pred);
  return s;
}

std::string line_name(const Instruction& i) {
  std::string text = opcode_text(i);
  const std::string count = std::to_string(elements(i));
  if (i.row->lift == Lift::Pack) text.insert(3, ".pack" + count);
  if (i.row->lift == Lift::Unpack) text.insert(3, ".unpack" + count);
  return text;
}

bool has_every_half(const Instruction& i, const Signature& s) {
  return is_lanewise(i.row->lift) && s.operands.size() == 1 &&
         (contains(kHalfFloat | kFloat8X2, s.operands[0]) || is_pair(s.operands[0])) && s.results.size() == 1 &&
         bits(s.results[0]) <= 32;
}

}  // namespace warpsim::rows
