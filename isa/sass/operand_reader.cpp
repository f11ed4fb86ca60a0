// See operand_reader.h.
#include "isa/sass/operand_reader.h"

#include <bit>

#include "isa/sass/number_words.h"
#include "isa/text/number_text.h"

namespace warpsim::sass {
namespace {

constexpr unsigned kHasUniform = 91;  // an operand is a uniform register
constexpr unsigned kFirstReused = 122, kSecondReused = 123, kThirdReused = 124;

std::string register_text(unsigned number) { return number == kZero ? "RZ" : "R" + std::to_string(number); }
std::string uniform_text(unsigned number) { return number == kUniformZero ? "URZ" : "UR" + std::to_string(number); }
std::string predicate_text(unsigned number, bool is_uniform) {
  return std::string(is_uniform ? "U" : "") + (number == kTrue ? "PT" : "P" + std::to_string(number));
}

// PT, RZ, their uniform twins, and 0: what the text may leave out.
bool is_nothing(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::Predicate:
    case OperandKind::UniformPredicate: return operand.number == kTrue;
    case OperandKind::Register: return operand.number == kZero && !operand.is_reused;
    case OperandKind::Uniform: return operand.number == kUniformZero;
    case OperandKind::Immediate: return operand.value == 0;
    default: return false;
  }
}

std::string_view after_blank(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

}  // namespace

std::uint64_t OperandReader::take(unsigned first, unsigned width) {
  explained_ = explained_ | Word::ones(first, width);
  return insn_.word.bits(first, width);
}

std::int64_t OperandReader::take_signed(unsigned first, unsigned width) {
  take(first, width);
  return insn_.word.signed_bits(first, width);
}

// `@74`, `@!73`, `@77+3`, `@74,84+2` with the lowest first.
std::uint64_t OperandReader::take_pieces(Field& field, bool* inverted) {
  if (!field.eat('@')) {
    fault_ = "no @ before '" + std::string(field.rest) + "'";
    return 0;
  }
  const bool is_inverted = field.eat('!');
  if (inverted != nullptr) *inverted = is_inverted;
  std::uint64_t value = 0;
  unsigned shift = 0;
  do {
    const unsigned first = field.number();
    const unsigned width = field.eat('+') ? field.number() : 1;
    value |= take(first, width) << shift;
    shift += width;
  } while (field.eat(','));
  return value;
}

// `?74=0`, `?24+8=255`, `?32+32=power`: a power of two.
bool OperandReader::is_condition_met(Field& field) {
  const unsigned first = field.number();
  const unsigned width = field.eat('+') ? field.number() : 1;
  if (!field.eat('=')) fault_ = "no = in a condition";
  if (field.rest == "power") return std::has_single_bit(insn_.word.bits(first, width));
  take(first, width);
  return insn_.word.bits(first, width) == field.number();
}

bool OperandReader::fits() {
  std::string_view rest = row_.fields;
  while (!rest.empty()) {
    Field field{after_blank(rest)};
    if (field.eat('?') && !is_condition_met(field)) return false;
  }
  return true;
}

// `=87+4:15`: what the bits are in every word that was seen. Of other values nothing is known, and the bits are named,
// zeros too.
void OperandReader::require(Field& field) {
  const unsigned first = field.number();
  const unsigned width = field.eat('+') ? field.number() : 1;
  if (!field.eat(':')) fault_ = "no : in a value";
  require_value(first, width, field.number());
}

void OperandReader::require_value(unsigned first, unsigned width, std::uint64_t value) {
  if (insn_.word.bits(first, width) == value) take(first, width);
  else unexpected_ = unexpected_ | Word::ones(first, width);
}

// Of `FTZ@80` or `|RM|RP|RZ@78+2` the word that the bits choose; "" for none.
std::string OperandReader::chosen(Field& field) {
  const std::string_view words = field.until("@}");
  if (field.eat('}')) return std::string(words);
  bool inverted = false;
  const std::uint64_t value = take_pieces(field, &inverted);
  field.eat('}');
  if (words.find('|') == std::string_view::npos) return (value != 0) != inverted ? std::string(words) : "";
  Field list{words};
  for (std::uint64_t k = 0;; ++k) {
    const std::string_view word = list.until("|");
    if (k == value && word != "?") return std::string(word);
    if (k == value || !list.eat('|')) break;
  }
  return "unknown_" + std::to_string(value);
}

void OperandReader::read_modifier(Field field) {
  if (field.rest.find('@') == std::string_view::npos) return insn_.modifiers.emplace_back(field.rest), void();
  const std::string word = chosen(field);
  if (!word.empty()) insn_.modifiers.push_back(word);
}

void OperandReader::read() {
  std::string_view rest = row_.fields;
  while (!rest.empty()) {
    Field field{after_blank(rest)};
    if (field.eat('?') || field.rest.empty()) continue;
    if (field.eat('=')) require(field);
    else if (field.eat('.')) read_modifier(field);
    else if (field.eat('%')) insn_.guard_uniform = true;
    else read_operand(field);
  }
}

// ---- operands

void OperandReader::read_operand(Field field) {
  Operand operand;
  operand.is_destination = field.eat('>');
  read_by_letter(field, operand);
  const bool is_plain = is_nothing(operand);
  if (field.eat('?') && is_plain && !operand.is_negated) return;
  if (field.eat('^') && is_plain && (operand.is_destination || operand.is_negated)) return;
  finish(field, operand);
}

void OperandReader::read_by_letter(Field& field, Operand& operand) {
  const bool is_uniform = field.eat('u');
  const char letter = field.next();
  field.eat(letter);
  const bool is_swapped = form_ == 2 || form_ == 3 || form_ == 7;  // the formed operand is the third, not the second
  operand.kind = is_uniform ? OperandKind::Uniform : OperandKind::Register;
  switch (letter) {
    case 'd': return read_register(operand, 16, is_uniform);
    case 'a': return read_slot(field, operand, Slot::A, false, kFirstReused);
    case 'b': return read_slot(field, operand, Slot::Low, false, kSecondReused);
    case 'c': return read_slot(field, operand, Slot::High, false, kThirdReused);
    case 'B': return read_slot(field, operand, is_swapped ? Slot::High : Slot::Low, !is_swapped, kSecondReused);
    case 'C': return read_slot(field, operand, is_swapped ? Slot::Low : Slot::High, is_swapped, kThirdReused);
    case 'X': return read_slot(field, operand, Slot::Low, true, kSecondReused);
    case 'Y': return read_slot(field, operand, Slot::Low, true, kThirdReused);
    case 'w': return read_register(operand, field.eat('@') ? field.number() : 0, is_uniform);
    case 'p':
    case 'q':
      operand.kind = is_uniform ? OperandKind::UniformPredicate : OperandKind::Predicate;
      return read_predicate(field, operand);
    case 'h':
    case 's':
    case 'n': return read_immediate(field, operand);
    case 'k': return read_constant(operand);
    case 'g': return read_descriptor(field, operand);
    case 'e': return read_extended(field, operand);
    case 'm':
    case 'l': return read_address(field, operand);
    case 't': return read_target(field, operand);
    case 'v':
      operand.kind = OperandKind::Barrier;
      operand.number = static_cast<std::uint8_t>(take_pieces(field, nullptr));
      operand.text = "B" + std::to_string(operand.number);
      return;
    case 'y':
      operand.kind = OperandKind::Scoreboard;
      operand.number = static_cast<std::uint8_t>(take_pieces(field, nullptr));
      operand.text = "SB" + std::to_string(operand.number);
      return;
    case 'r':
      operand.kind = OperandKind::Special;
      operand.value = static_cast<std::int64_t>(take_pieces(field, nullptr));
      operand.text = special_register(static_cast<unsigned>(operand.value));
      if (operand.text.empty()) operand.text = "SR_unknown_" + std::to_string(operand.value);
      return;
    case '{':
      operand.kind = OperandKind::Other;
      operand.text = chosen(field);
      return;
    case '\'':
      operand.kind = OperandKind::Other;
      operand.text = field.rest;
      field.rest = {};
      return;
    default: fault_ = std::string("no operand is called '") + letter + "'";
  }
}

void OperandReader::read_register(Operand& operand, unsigned at, bool is_uniform) {
  operand.number = static_cast<std::uint8_t>(take(at, is_uniform ? 6 : 8));
  operand.text = is_uniform ? uniform_text(operand.number) : register_text(operand.number);
}

// The operand at bits 24, 32 or 64; `is_formed`: it may be an immediate, a constant or a uniform register as well.
void OperandReader::read_slot(Field& field, Operand& operand, Slot slot, bool is_formed, unsigned reuse_at) {
  struct Place {
    unsigned at, negated_at, absolute_at;
  };
  constexpr Place kPlaces[] = {{24, 72, 73}, {32, 63, 62}, {64, 75, 74}};
  const Place& place = kPlaces[static_cast<unsigned>(slot)];
  const bool is_immediate = is_formed && (form_ == 2 || form_ == 4);
  const bool is_constant = is_formed && (form_ == 3 || form_ == 5);
  if (is_formed && form_ >= 6) {
    operand.kind = OperandKind::Uniform;
    require_value(kHasUniform, 1, 1);
  }
  if (is_immediate) {
    operand.kind = OperandKind::Immediate;
  } else if (is_constant) {
    operand.kind = OperandKind::Constant;
    operand.number = static_cast<std::uint8_t>(take(54, 5));
    operand.value = static_cast<std::int64_t>(take(40, 14) * 4);
    operand.text = "c[" + hexadecimal_text(operand.number) + "][" +
                   hexadecimal_text(static_cast<std::uint64_t>(operand.value)) + "]";
  } else {
    read_register(operand, place.at, operand.kind == OperandKind::Uniform);
  }
  if (is_immediate) {
    while (field.next() != '\0' && field.next() != ':') field.rest.remove_prefix(1);  // it has no signs
    return;
  }
  read_signs(field, operand, place.negated_at, place.absolute_at);
  if (operand.kind != OperandKind::Register) return;
  operand.is_reused = take(reuse_at, 1) != 0;
  if (operand.is_reused) operand.text += ".reuse";
}

// `-`, `|`, `~`, each with the bit where it is not at its slot's own.
void OperandReader::read_signs(Field& field, Operand& operand, unsigned negated_at, unsigned absolute_at) {
  for (char sign = field.next(); sign == '-' || sign == '|' || sign == '~'; sign = field.next()) {
    field.eat(sign);
    const unsigned own = sign == '|' ? absolute_at : negated_at;
    const bool is_set = take(field.has_number() ? field.number() : own, 1) != 0;
    if (!is_set) continue;
    (sign == '|' ? operand.is_absolute : operand.is_negated) = true;
    if (sign == '|') operand.text = "|" + operand.text + "|";
    else operand.text = sign + operand.text;
  }
}

// `p@81`: three bits; `q@87`: the fourth inverts it.
void OperandReader::read_predicate(Field& field, Operand& operand) {
  if (!field.eat('@')) fault_ = "a predicate has no place";
  const unsigned at = field.number();
  const bool is_uniform = operand.kind == OperandKind::UniformPredicate;
  operand.number = static_cast<std::uint8_t>(take(at, 3));
  operand.text = predicate_text(operand.number, is_uniform);
  if (operand.is_destination) return;
  operand.is_negated = take(at + 3, 1) != 0;
  if (operand.is_negated) operand.text = "!" + operand.text;
}

// `h@32+16` in hexadecimal, `s@…` with a sign, `n@…` in decimal.
void OperandReader::read_immediate(Field& field, Operand& operand) {
  const char letter = field.rest.data()[-1];
  operand.kind = OperandKind::Immediate;
  Field again = field;
  const std::uint64_t value = take_pieces(field, nullptr);
  again.eat('@');
  const unsigned first = again.number();
  const unsigned width = again.eat('+') ? again.number() : 1;
  operand.value = letter == 's' ? insn_.word.signed_bits(first, width) : static_cast<std::int64_t>(value);
  operand.text = letter == 'n'   ? std::to_string(value)
                 : letter == 's' ? signed_hex_text(operand.value)
                                 : hexadecimal_text(value);
}

// The 32 bits from 32 on, as the type says.
void OperandReader::read_typed_immediate(Operand& operand, std::string_view type) {
  const std::uint64_t bits = take(32, 32);
  operand.value = static_cast<std::int64_t>(bits);
  operand.kind = OperandKind::Float;
  if (type == "f") {
    operand.text = float_text(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)));
  } else if (type == "d") {
    operand.value = static_cast<std::int64_t>(bits << 32);
    operand.text = float_text(__builtin_bit_cast(double, bits << 32));
  } else if (type == "h" || type == "b") {
    operand.text = pair_text(static_cast<std::uint32_t>(bits), type == "b");
  } else {
    operand.kind = OperandKind::Immediate;
    if (type == "i") operand.value = insn_.word.signed_bits(32, 32);
    operand.text = type == "i" ? signed_hex_text(operand.value) : hexadecimal_text(bits);
    if (type != "i" && type != "u") fault_ = "no type is called '" + std::string(type) + "'";
  }
}

// What follows an operand's name and its signs: its type, a word behind it, and whether the next one follows after a
// blank alone.
void OperandReader::finish(Field& field, Operand& operand) {
  if (field.eat(':')) {
    const std::string_view type = field.until("{_");
    if (operand.text.empty()) read_typed_immediate(operand, type);
  } else if (operand.text.empty()) {
    fault_ = "an immediate has no type";
  }
  while (field.eat('{')) {
    const std::string word = chosen(field);
    const bool is_inside = operand.kind == OperandKind::Uniform && operand.is_absolute;  // |UR4.H0_H0|, |R4|.H0_H0
    if (!word.empty() && operand.text.empty()) operand.text = word;
    else if (!word.empty()) operand.text.insert(operand.text.size() - (is_inside ? 1 : 0), "." + word);
  }
  const bool joins = field.eat('_');
  if (!field.rest.empty()) fault_ = "what is '" + std::string(field.rest) + "'?";
  if (joins_next_) {
    Operand& before = insn_.operands.back();
    before.text += " " + operand.text;
    before.value = operand.value;
  } else {
    insn_.operands.push_back(operand);
  }
  joins_next_ = joins;
}

// ---- addresses

std::string OperandReader::address_text(const Operand& operand, bool is_wide, bool has_uniform) const {
  std::string text;
  const bool has_base = operand.base != kZero || !has_uniform;
  if (has_base) text = register_text(operand.base) + (is_wide ? ".64" : "");
  if (has_uniform) text += (has_base ? "+" : "") + uniform_text(operand.uniform);
  if (operand.value != 0) text += (text.empty() ? "" : "+") + signed_hex_text(operand.value);
  return "[" + text + "]";
}

// Behind an address `,16,44+20`: where its register and its offset are, if not at 24 and at 40.
void OperandReader::read_base(Field& field, Operand& operand) {
  unsigned base = 24, first = 40, width = 24;
  if (field.eat(',')) {
    base = field.number();
    field.eat(',');
    first = field.number();
    field.eat('+');
    width = field.number();
  }
  if (operand.kind == OperandKind::Uniform) operand.uniform = static_cast<std::uint8_t>(take(base, 6));
  else operand.base = static_cast<std::uint8_t>(take(base, 8));
  operand.kind = OperandKind::Memory;
  operand.value = width == 0 ? 0 : take_signed(first, width);
}

// `g@32`: desc[UR4][R2.64+0x10]; bit 72 says that the register is two.
void OperandReader::read_descriptor(Field& field, Operand& operand) {
  if (!field.eat('@')) fault_ = "a descriptor has no place";
  const unsigned at = field.number();
  read_base(field, operand);
  const bool is_wide = take(field.eat('/') ? field.number() : 72, 1) != 0;
  operand.has_descriptor = take(kHasUniform, 1) != 0;
  if (operand.has_descriptor) operand.uniform = static_cast<std::uint8_t>(take(at, 6));
  operand.text = operand.has_descriptor ? "desc[" + uniform_text(operand.uniform) + "]" : "";
  operand.text += address_text(operand, is_wide && operand.has_descriptor, false);
}

// `e@32`: [R2.U32+UR4+0x10]: a register of 32 bits and a uniform one of 64.
void OperandReader::read_extended(Field& field, Operand& operand) {
  if (!field.eat('@')) fault_ = "an address has no place";
  operand.uniform = static_cast<std::uint8_t>(take(field.number(), 6));
  read_base(field, operand);
  operand.text = "[" + register_text(operand.base) + ".U32+" + uniform_text(operand.uniform);
  operand.text += (operand.value != 0 ? "+" + signed_hex_text(operand.value) : "") + "]";
}

// `m@32`: [R2+UR4+0x10], with a uniform register where bit 91 says so; `l`: [R2+0x10]; `ul`: [UR4+0x10].
void OperandReader::read_address(Field& field, Operand& operand) {
  bool has_uniform = operand.kind == OperandKind::Uniform;
  if (field.eat('@')) {
    const unsigned at = field.number();
    has_uniform = take(kHasUniform, 1) != 0;
    if (has_uniform) operand.uniform = static_cast<std::uint8_t>(take(at, 6));
  }
  read_base(field, operand);
  operand.text = address_text(operand, false, has_uniform);
}

// c[0x3][R2+0x10]
void OperandReader::read_constant(Operand& operand) {
  const bool is_uniform = operand.kind == OperandKind::Uniform;
  operand.kind = OperandKind::Constant;
  operand.number = static_cast<std::uint8_t>(take(54, 5));
  operand.value = static_cast<std::int64_t>(take(38, 16));
  std::string text;
  if (is_uniform && take(kHasUniform, 1) != 0) {
    operand.uniform = static_cast<std::uint8_t>(take(24, 6));
    text = uniform_text(operand.uniform);
  } else if (!is_uniform) {
    operand.base = static_cast<std::uint8_t>(take(24, 8));
    if (operand.base != kZero || operand.value == 0) text = register_text(operand.base);
  }
  if (operand.value != 0 || text.empty()) text += (text.empty() ? "" : "+") + signed_hex_text(operand.value);
  operand.text = "c[" + hexadecimal_text(operand.number) + "][" + text + "]";
}

// Where a jump goes: its distance from the next instruction, in units of 4 bytes, from bit 34 on; `t+` has 8 more of
// its bits, the lowest, at 16; `t8` has no more than 8 bits, of bytes, at 24. `=` behind: no distance but an address.
void OperandReader::read_target(Field& field, Operand& operand) {
  operand.kind = OperandKind::Target;
  std::int64_t distance = 0;
  if (field.eat('8')) {
    distance = take_signed(24, 8);
  } else {
    distance = take_signed(34, 48) * 4;
    if (field.eat('+')) distance = distance * 256 + static_cast<std::int64_t>(take(16, 8) * 4);
  }
  const bool is_absolute = field.eat('=');
  operand.value = distance + (is_absolute ? 0 : static_cast<std::int64_t>(insn_.address + kWordBytes));
  operand.text = signed_hex_text(operand.value);
}

}  // namespace warpsim::sass
