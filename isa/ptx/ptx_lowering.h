// One function of PTX → instructions of the table.
//
// Shapes: an instruction of PTX is one of the table's, or a few: where PTX lets an operand be wider than the
//         instruction, where a vector of parameters is read, where arguments stand in registers. All of them have its
//         place in the text. Labels become pcs when the whole program is there.
// Units:  bytes.
// Errors: into Diagnostics; see ptx_program.h.
// Source: PTX ISA 9.0.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/opcode.h"
#include "isa/ptx/ptx_linker.h"
#include "isa/table/special.h"

namespace warpsim::ptx {

// A name in a scope of a function's body.
struct Symbol {
  enum class Kind : std::uint8_t {
    Register,   // declaration
    Parameter,  // of the kernel: index into Program::params
    Frame,      // local memory: offset in the frame, a function's parameter or result too
    Outgoing,   // a .param of a call: offset in the callee's frame
    Shared,     // index into Program::objects
    Label,      // index into Lowering's labels
    Table,      // index into Program::tables
    Prototype,
  };
  Kind kind = Kind::Register;
  const Declaration* declaration = nullptr;
  const Prototype* prototype = nullptr;
  std::int32_t index = -1;
  std::uint64_t offset = 0;
};

class Lowering {
 public:
  Lowering(Linker& linker, const Function& function, std::int32_t routine);
  void run();

 private:
  using Names = std::map<std::string_view, Symbol, std::less<>>;
  struct Use {  // of a label, to be filled in
    std::size_t pc, slot;
    std::int32_t label;
  };
  struct TableUse {
    std::int32_t table;
    std::size_t entry;
    std::int32_t label;
  };
  static constexpr std::int32_t kOutgoing = 1;  // Operand::target of an address in the next frame, until it is known

  // ---- statements (ptx_lowering.cpp)
  void declare_parameters();
  void read_ahead();
  void read_call_ahead(const Instruction& call, const std::vector<Names>& params);
  void note_outgoing(const ptx::Operand* list, const std::vector<std::uint32_t>& offsets,
                     const std::vector<Names>& params);
  Insn end_of_body() const;
  void declare(const Declaration& declaration);
  void declared_twice(const Name& name);
  void statement(const Statement& statement);
  void targets(const Targets& targets);
  void fill_in_labels();
  const Symbol* find(std::string_view name) const;
  void fail(const char* code, SourceRange where, std::string message, std::string hint = "");

  // ---- registers (ptx_lowering_operands.cpp)
  std::int32_t register_of(const Declaration& declaration, std::string_view name);
  std::int32_t fresh(RegClass cls);
  std::int32_t carry_register();
  RegClass class_of(std::int32_t reg) const { return program_.registers[static_cast<std::size_t>(reg)].cls; }
  std::optional<std::int32_t> named_register(const ptx::Operand& operand);

  // ---- operands (ptx_lowering_operands.cpp). False, or nothing, after a fault.
  // Where a name stands in memory: in a frame, or as an operand says.
  struct Place {
    bool frame = false, outgoing = false;
    std::int64_t offset = 0;
    std::int32_t param = -1;  // of the kernel's parameters
    warpsim::Operand operand;
  };
  bool bind_all(const Instruction& from, Insn& insn);
  static bool are_required_behind(std::span<const Slot> form, std::size_t slot);
  bool bind(const Instruction& from, Insn& insn, std::size_t slot, const ptx::Operand& operand);
  bool bind_destination(const Instruction& from, Insn& insn, std::size_t slot, const ptx::Operand& operand);
  bool bind_source(const Instruction& from, Insn& insn, std::size_t slot, const ptx::Operand& operand);
  bool bind_symbol(const Instruction& from, Insn& insn, std::size_t slot, const ptx::Operand& operand, Type type);
  bool fits_special(const Instruction& from, Insn& insn, std::size_t slot, Special special, Type type);
  bool bind_constant(const Instruction& from, Insn& insn, std::size_t slot, const Expression& value, Type type);
  bool bind_address(const Instruction& from, Insn& insn, std::size_t slot, const ptx::Operand& operand);
  bool bind_label(Insn& insn, std::size_t slot, const ptx::Operand& operand);
  int wider_bits(const Instruction& from, const Insn& insn, std::int32_t reg, Type type);
  bool fit_destination(const Instruction& from, Insn& insn, std::size_t slot, std::int32_t reg, Type type);
  bool fit_source(const Instruction& from, Insn& insn, std::size_t slot, std::int32_t reg, Type type);
  Insn conversion(const Instruction& from, std::int32_t to, Type type, std::int32_t source, Type source_type);
  std::optional<std::int64_t> constant(const Expression& expression);
  std::optional<Place> place_of(const ptx::Operand& operand);
  static Place object_place(std::int32_t object, std::int64_t far);
  warpsim::Operand frame_address(std::int64_t offset, bool outgoing);
  void put_frame_address(const Instruction& from, std::int32_t reg, const Place& place);
  static warpsim::Operand register_operand(std::int32_t reg);
  static warpsim::Operand number_operand(std::int64_t number);
  bool wrong_count(const Instruction& from, std::size_t required, std::size_t wanted, std::size_t given);
  bool wrong_operand(const Instruction& from, const ptx::Operand& operand, const std::string& takes);
  bool wrong_size(const Instruction& from, std::int32_t reg, Type type);
  bool undeclared(const ptx::Operand& operand);
  std::string nearest_name(std::string_view name) const;

  // ---- instructions (ptx_lowering_instructions.cpp)
  void instruction(const Instruction& from);
  void lower(const Instruction& from);
  // The instruction becomes a trap, and a warning says so.
  bool refuse(const Instruction& from, const std::string& because);
  void stop_at(const Instruction& from);
  void cluster(const Directive& size);
  std::optional<Opcode> opcode_of(const Instruction& from, AddressSpace& space);
  AddressSpace space_of_parameter(const Instruction& from);
  void choose_braces(const Instruction& from, Opcode& opcode) const;
  void emit(Insn insn);
  Insn made(const Instruction& from, Op op, Type type);
  bool move_address(const Instruction& from, const Opcode& opcode);
  void return_from(const Instruction& from);
  bool read_parameter(const Instruction& from, const Opcode& opcode);
  void load_from_parameters(const Instruction& from, const Opcode& opcode);

  // ---- calls (ptx_lowering_calls.cpp)
  const Function* callee_of(const CallParts& parts) const;
  const Prototype* prototype_of(const CallParts& parts) const;
  std::optional<Signature> signature_of_call(const CallParts& parts) const;
  void call(const Instruction& from);
  bool system_call(const Instruction& from, const CallParts& parts, const Function& function);
  bool pass_arguments(const Instruction& from, const CallParts& parts, const std::vector<Declaration>& parameters,
                      const Signature& signature);
  std::optional<bool> is_where_the_callee_has_it(const Instruction& from, const ptx::Operand& one,
                                                 std::uint32_t offset);
  void take_results(const Instruction& from, const CallParts& parts, const std::vector<Declaration>& results,
                    const Signature& signature);
  void move_registers(const Instruction& from, bool loads, const std::vector<Declaration>& all,
                      const std::vector<std::uint32_t>& offsets);
  void move_bytes(const Instruction& from, bool loads, const ptx::Operand& reg, std::string_view type,
                  std::uint32_t offset, bool outgoing);

  Linker& linker_;
  Program& program_;
  Diagnostics& diagnostics_;
  const Function& function_;
  const std::int32_t routine_;
  Signature signature_;
  std::vector<Names> scopes_;
  std::map<const Declaration*, std::uint32_t> outgoing_;        // .param of calls, where the callee has them
  std::map<std::string, std::int32_t, std::less<>> registers_;  // of this function, by declaration and name
  std::vector<Names> named_of_scope_;  // labels, tables and prototypes, by scope, in text order
  std::size_t next_scope_ = 0;
  std::vector<std::int32_t> label_pc_;
  std::vector<Use> uses_;
  std::vector<TableUse> table_uses_;
  std::vector<Insn> after_;  // follow the instruction that is being made
  std::uint64_t frame_bytes_ = 0;
  std::uint32_t outgoing_bytes_ = 0;
  bool failed_ = false, refused_ = false;  // the current instruction
  std::string because_;
};

}  // namespace warpsim::ptx
