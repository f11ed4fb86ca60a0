// One word read by one row of the table.
//
// Shapes: the language of a row's fields is in instructions.def. Each field takes bits; what no field has taken is not
//         explained.
// Errors: fault() says which field cannot be read, which is a mistake in the table.
#pragma once

#include <string>
#include <string_view>

#include "isa/sass/field_text.h"
#include "isa/sass/instruction.h"
#include "isa/sass/table.h"

namespace warpsim::sass {

class OperandReader {
 public:
  OperandReader(const Row& row, Instruction& insn, Word explained)
      : row_(row), insn_(insn), form_(static_cast<unsigned>(insn.word.bits(9, 3))), explained_(explained) {}

  // Whether the row's conditions hold.
  bool fits();
  // Modifiers and operands.
  void read();
  // Bits that no field explains, or that are not what they always were.
  Word unknown_bits() const { return (insn_.word & ~explained_) | unexpected_; }
  const std::string& fault() const { return fault_; }

 private:
  using Field = FieldText;
  enum class Slot : std::uint8_t { A, Low, High };  // bits 24-, 32-, 64-

  std::uint64_t take(unsigned first, unsigned width);
  std::int64_t take_signed(unsigned first, unsigned width);
  std::uint64_t take_pieces(Field& field, bool* inverted);
  bool holds(Field field);
  bool is_condition_met(Field& field);
  void require(Field& field);
  void require_value(unsigned first, unsigned width, std::uint64_t value);
  void read_modifier(Field field);
  std::string chosen(Field& field);

  void read_operand(Field field);
  void read_by_letter(Field& field, Operand& operand);
  void read_slot(Field& field, Operand& operand, Slot slot, bool is_formed, unsigned reuse_at);
  void read_register(Operand& operand, unsigned at, bool is_uniform);
  void read_predicate(Field& field, Operand& operand);
  void read_immediate(Field& field, Operand& operand);
  void read_typed_immediate(Operand& operand, std::string_view type);
  void read_constant(Operand& operand);
  void read_base(Field& field, Operand& operand);
  void read_address(Field& field, Operand& operand);
  void read_descriptor(Field& field, Operand& operand);
  void read_extended(Field& field, Operand& operand);
  void read_target(Field& field, Operand& operand);
  void read_signs(Field& field, Operand& operand, unsigned negated_at, unsigned absolute_at);
  void finish(Field& field, Operand& operand);
  std::string address_text(const Operand& operand, bool is_wide, bool has_uniform) const;

  const Row& row_;
  Instruction& insn_;
  unsigned form_;
  Word explained_, unexpected_;
  std::string fault_;
  bool joins_next_ = false;
};

}  // namespace warpsim::sass
