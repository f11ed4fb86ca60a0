// From an instruction to an operation: what its modifiers choose, and where its operands are.
//
// Shapes: rows are offsets into a warp's registers; immediates and constants get rows of their own, two each, so that
//         an operand of 64 bits is the row and the next one.
// Errors: a builder says whether the instruction has a meaning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/sass/code_state.h"

namespace warpsim::sass {

class CodeBuilder {
 public:
  CodeBuilder(CodeMachine::Impl& machine, const Instruction& insn, CodeOp& op);

  bool has(std::string_view modifier) const;
  std::uint64_t bits(unsigned first, unsigned width) const { return insn.word.bits(first, width); }

  // Operands without predicates: the first destination, and what is read, in the order of the text.
  std::uint32_t destination(std::uint32_t otherwise) const;
  std::uint32_t destination() const { return destination(machine.layout.nowhere()); }
  std::size_t sources() const { return sources_.size(); }
  const Operand& source(std::size_t k) const { return *sources_[k]; }
  std::uint32_t row(const Operand& operand);  // of one that is read
  std::uint32_t row_of_word(std::uint32_t low, std::uint32_t high);
  std::uint32_t register_row(unsigned number) const;  // RZ reads as zero
  std::uint32_t uniform_row(unsigned number) const;
  // The first three sources into a, b and c, with the signs of integers or of floats.
  void take_integers();
  void take_floats();
  // Predicates at a bit of the word: three bits and, of what is read, one that inverts.
  PredicateIn predicate(unsigned at, bool is_uniform = false) const;
  std::uint8_t written_predicate(unsigned at, bool is_uniform = false) const;
  Round round() const;
  BoolOp boolean() const;
  bool lacks_a_constant() const { return lacks_a_constant_; }

  CodeMachine::Impl& machine;
  const Instruction& insn;
  CodeOp& op;
  bool is_uniform;  // the guard and the registers are uniform ones

 private:
  std::vector<const Operand*> sources_;
  const Operand* destination_ = nullptr;
  bool lacks_a_constant_ = false;
};

using BuildFn = bool (*)(CodeBuilder&);
struct CodeMeaning {
  std::string_view name;
  BuildFn build;
};
// By topic.
std::vector<CodeMeaning> integer_meanings();
std::vector<CodeMeaning> bit_meanings();
std::vector<CodeMeaning> float_meanings();
std::vector<CodeMeaning> wide_float_meanings();
std::vector<CodeMeaning> conversion_meanings();
std::vector<CodeMeaning> exchange_meanings();
std::vector<CodeMeaning> register_meanings();
std::vector<CodeMeaning> memory_meanings();
std::vector<CodeMeaning> atomic_meanings();
std::vector<CodeMeaning> control_meanings();

// All instructions of the machine made ready; what has no meaning refuses when it is executed.
void build_code(CodeMachine::Impl& machine);

// Bytes of a constant bank, that is not there in part: nothing.
std::optional<std::uint32_t> constant_word(const CodeMachine::Impl& machine, std::uint8_t bank, std::uint64_t offset);

}  // namespace warpsim::sass
