// Random operands: registers from the pools, immediates, special registers, parameters, modifiers and guards.
//
// Shapes: a register of a pool is one letter and one digit; floats have pools of their own, so that their values stay
//         floats for a while.
// Errors: none.
#include "isa/table/special.h"
#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

std::vector<Text> RandomWriter::numbered(const Text& prefix, unsigned count) {
  std::vector<Text> names;
  for (unsigned k = 0; k < count; ++k) names.push_back(cat({prefix, k}));
  return names;
}

const std::vector<Text>& RandomWriter::pool(RegClass cls, bool of_floats) {
  static const std::vector<Text> words = numbered("%a", kWords), floats = numbered("%f", kFloats),
                                 longs = numbered("%b", kLongs), doubles = numbered("%d", kDoubles),
                                 halves = numbered("%h", kHalves), predicates = numbered("%p", kPredicates),
                                 masks = numbered("%m", kMasks);
  switch (cls) {
    case RegClass::Pred: return predicates;
    case RegClass::R16: return halves;
    case RegClass::R64: return of_floats ? doubles : longs;
    case RegClass::Mask: return masks;
    default: return of_floats ? floats : words;
  }
}

Text RandomWriter::any_register(Type type) {
  const bool of_floats = is_float(element(type)) ? random_.chance(90) : random_.chance(10);
  return random_.pick(pool(reg_class(type), of_floats));
}

Text RandomWriter::immediate(Type type) {
  const std::uint64_t value = random_value(random_, type);
  switch (type) {
    case Type::F32: return cat({"0f", hex_text(value, 8)});
    case Type::F64: return cat({"0d", hex_text(value, 16)});
    case Type::F16:
    case Type::BF16:
    case Type::F16X2:
    case Type::BF16X2: return random_.chance(50) ? "1.5" : "-0.25";
    case Type::Mask: return cat({"0x", hex_text(value & low_bits(static_cast<int>(lanes_)), 1)});
    case Type::S32: return cat({static_cast<std::int32_t>(value)});
    case Type::S64: return cat({static_cast<std::int64_t>(value)});
    default: return is_untyped(type) ? cat({"0x", hex_text(value, 1)}) : cat({value});
  }
}

// A source operand of that type: mostly a register, else whatever the language allows in its place.
Text RandomWriter::source(Type type) {
  const std::uint64_t roll = random_.below(100);
  if (type == Type::Pred || roll < 74) return any_register(type);
  if (type == Type::F32 && roll < 80) return random_.pick(std::vector<Text>{"1.0", "-0.5", "2.0", "1e-3", "inf"});
  if (type == Type::F64 && roll < 80) return random_.pick(std::vector<Text>{"1.0", "-0.5", "3.0", "1e300", "-inf"});
  const bool plain_word = is_integer(type) && bits(type) == 32;
  if (plain_word && roll < 80) return special(Type::U32);
  if (type == Type::Mask && roll < 90) return special(Type::Mask);
  if (plain_word && roll < 84)
    return random_.pick(std::vector<Text>{"WARP_SZ", "WARP_SZ / 2", "WARP_SZ * 3 - 1", "~7 & 0xff"});
  const Text parameter = cat({"p_", warpsim::name(type)});
  if (roll < 89 && program_.scalars.count(parameter) != 0) return parameter;
  return immediate(type);
}

Text RandomWriter::special(Type type) {
  std::vector<Text> names;
  for (const SpecialInfo& row : all_specials()) {
    const Special special = *parse_special(row.name);
    const bool fits = row.type == type && !is_clock(special) && special != Special::SmId;
    if (fits && !(limits_.hardware && is_of_the_machine(special))) names.push_back(Text(row.name));
  }
  return random_.pick(names);
}

// "@%p ", "@!%p " or nothing.
Text RandomWriter::guard(unsigned percent) {
  if (!random_.chance(percent)) return "";
  return cat({"@", random_.chance(50) ? "!" : "", predicate(), " "});
}

Type RandomWriter::any_type(TypeSet set) {
  std::vector<Type> types;
  for (int k = 0; k < kTypeCount; ++k) {
    if (contains(set, static_cast<Type>(k))) types.push_back(static_cast<Type>(k));
  }
  return random_.pick(types);
}

Text RandomWriter::modifiers(const OpInfo& row, Type type) {
  Text out;
  if ((row.mods & kRndReq) != 0 || ((row.mods & kRnd) != 0 && random_.chance(60))) {
    out += (row.mods & kRnOnly) != 0 ? ".rn" : random_.pick(std::vector<Text>{".rn", ".rz", ".rm", ".rp"});
  }
  if ((row.mods & kExclusive) != 0 && random_.chance(50)) out += ".exclusive";
  if (takes_ftz(row, type) && ((row.mods & kFtzReq) != 0 || random_.chance(25))) out += ".ftz";
  if (takes_sat(row, type) && random_.chance(15)) out += ".sat";
  else if ((row.mods & kRelu) != 0 && random_.chance(20)) out += ".relu";
  if ((row.mods & kNaN) != 0 && type != Type::F64 && random_.chance(25)) out += ".NaN";
  if ((row.mods & kXorsign) != 0 && type != Type::F64 && random_.chance(20)) out += ".xorsign.abs";
  return out;
}

Text RandomWriter::other_predicate(const Text& than) {
  Text one = predicate();
  while (one == than) one = predicate();
  return one;
}

// A register that no other element of the vector has.
Text RandomWriter::vector_register(Type type, std::size_t k) {
  const std::vector<Text>& names = pool(reg_class(type), is_float(type));
  return names[k % names.size()];
}

}  // namespace warpsim::reference
