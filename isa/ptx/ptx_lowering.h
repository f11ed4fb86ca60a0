// One function of PTX → instructions of the table.
//
// Shapes: an instruction of PTX is one of the table's, or a few: where PTX lets an operand be wider than the
//         instruction, where a vector of parameters is read, where arguments stand in registers. All of them have its
//         place in the text. Labels become pcs when the whole program is there.
// Units:  bytes.
// Errors: into Diagnostics; see ptx_program.h.
// Source: PTX ISA 9.0.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/opcode.h"
#include "isa/ptx/ptx_linker.h"
#include "isa/ptx/ptx_video.h"
#include "isa/table/runtime_functions.h"
#include "isa/table/special.h"

namespace warpsim::ptx {

// A name in a scope of a function's body.
struct Symbol {
  enum class Kind : std::uint8_t {
    Register,   // declaration
    Parameter,  // of the kernel: index into Program::params; -1: of one that it launches, at `offset`
    Frame,      // local memory: offset in the frame, a function's parameter or result too
    Outgoing,   // a .param of a call: offset in the callee's frame
    Shared,     // index into Program::objects
    Variable,   // of global or constant memory: index into Program::params
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
  void name_variables(std::size_t first_label);
  const Symbol* find(std::string_view name) const;
  void fail(const char* code, SourceRange where, std::string message, Hint hint = "");

  // ---- registers (ptx_lowering_registers.cpp)
  std::int32_t register_of(const Declaration& declaration, std::string_view name);
  std::int32_t fresh(RegClass cls);
  std::int32_t scratch(RegClass cls);
  std::int32_t carry_register();
  RegClass class_of(std::int32_t reg) const { return program_.registers[static_cast<std::size_t>(reg)].cls; }
  std::optional<std::int32_t> named_register(const ptx::Operand& operand);
  const Declaration* vector_register(const ptx::Operand& operand) const;
  Instruction with_elements(const Instruction& from) const;

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
  bool bind_constant(Insn& insn, std::size_t slot, const Expression& value, Type type);
  bool bind_address(const Instruction& from, Insn& insn, std::size_t slot, const ptx::Operand& operand);
  bool bind_label(Insn& insn, std::size_t slot, const ptx::Operand& operand);
  int wider_bits(const Instruction& from, const Insn& insn, std::int32_t reg, Type type);
  bool fit_destination(const Instruction& from, Insn& insn, std::size_t slot, std::int32_t reg, Type type);
  bool fit_source(const Instruction& from, Insn& insn, std::size_t slot, std::int32_t reg, Type type);
  Insn conversion(const Instruction& from, std::int32_t to, Type type, std::int32_t source, Type source_type);
  std::optional<std::int64_t> constant(const Expression& expression);
  std::optional<Place> place_of(const ptx::Operand& operand);
  static Place object_place(std::int32_t object, std::int64_t far);
  static Place variable_place(std::int32_t param, std::int64_t far);
  warpsim::Operand frame_address(std::int64_t offset, bool outgoing);
  void put_frame_address(const Instruction& from, std::int32_t reg, const Place& place);
  static warpsim::Operand register_operand(std::int32_t reg);
  static warpsim::Operand number_operand(std::int64_t number);
  bool wrong_count(const Instruction& from, std::size_t required, std::size_t wanted, std::size_t given);
  bool wrong_operand(const Instruction& from, const ptx::Operand& operand, const std::string& takes);
  bool wrong_size(const Instruction& from, std::int32_t reg, Type type);
  bool undeclared(const ptx::Operand& operand, Type type = Type::None);
  bool is_undefined(const Instruction& from, const ptx::Operand& operand);
  // A name that is near; of a register of that type its declaration, too.
  Hint meant_by(std::string_view name, SourceRange where, Type type = Type::None) const;
  std::uint32_t file() const { return function_.name.where.file; }  // whose names the function can use

  // ---- instructions (ptx_lowering_instructions.cpp)
  void instruction(const Instruction& from);
  void lower(const Instruction& from);
  // The instruction becomes a trap, and a warning says so.
  bool refuse(const Instruction& from, const std::string& because);
  void stop_at(const Instruction& from);
  void cluster(const Directive& size);
  std::optional<Opcode> opcode_of(const Instruction& from, AddressSpace& space);
  AddressSpace space_of_parameter(const Instruction& from);
  bool names_shared_memory(const Instruction& from);
  void choose_braces(const Instruction& from, Opcode& opcode) const;
  void emit(Insn insn);
  Insn made(const Instruction& from, Op op, Type type);
  bool move_address(const Instruction& from, const Opcode& opcode);
  void return_from(const Instruction& from);
  bool read_parameter(const Instruction& from, const Opcode& opcode);
  void load_from_parameters(const Instruction& from, const Opcode& opcode);

  // ---- instructions that are several of the table's (ptx_lowering_steps.cpp)
  warpsim::Operand step(const Instruction& from, Op op, Type type, std::initializer_list<warpsim::Operand> sources,
                        Type type2 = Type::None);
  bool lower_in_steps(const Instruction& from);
  void elect(const Instruction& from);
  void arrive_behind_copies(const Instruction& from);
  bool is_predicate(const ptx::Operand& operand);
  void copy_unless(const Instruction& from);
  void pending_count(const Instruction& from);
  void cache_policy(const Instruction& from);
  void move_elements(const Instruction& from);
  void logic_with_predicate(const Instruction& from);
  void convert_to_finite_half(const Instruction& from);
  void finish(const Instruction& from, Type type, const warpsim::Operand& result);

  // ---- atomics that are several (ptx_lowering_atomics.cpp)
  void atomic_of_vector(const Instruction& from);
  void atomic_of_pair(const Instruction& from);
  std::optional<Insn> access_of(const Instruction& from, const ptx::Operand& address, const std::string& opcode);

  // ---- video instructions (ptx_lowering_video.cpp)
  void video(const Instruction& from, const VideoForm& form);
  std::optional<warpsim::Operand> video_scalar(const Instruction& from, const VideoForm& form);
  std::optional<warpsim::Operand> video_mad(const Instruction& from, const VideoForm& form);
  std::optional<warpsim::Operand> video_lanes(const Instruction& from, const VideoForm& form);
  std::optional<warpsim::Operand> part_of_source(const Instruction& from, const ptx::Operand& operand, Part part,
                                                 Type type);
  std::optional<warpsim::Operand> selected(const Instruction& from, const ptx::Operand& operand, Type type);
  void integers(const Instruction& from, const VideoForm& form);
  warpsim::Operand video_action(const Instruction& from, const VideoForm& form, const warpsim::Operand& a,
                                const warpsim::Operand& b);
  warpsim::Operand video_result(const Instruction& from, const VideoForm& form, const warpsim::Operand& a,
                                const warpsim::Operand& b);
  warpsim::Operand widened(const Instruction& from, const warpsim::Operand& value, Type type);
  warpsim::Operand low_word(const Instruction& from, const warpsim::Operand& value);
  warpsim::Operand clamped(const Instruction& from, const warpsim::Operand& value, bool is_signed, unsigned width,
                           bool value_is_signed);

  // ---- calls (ptx_lowering_calls.cpp)
  const Function* callee_of(const CallParts& parts) const;
  struct Head {
    const std::vector<Declaration>*results, *parameters;
  };
  std::optional<Head> head_of_call(const CallParts& parts) const;
  std::optional<Signature> signature_of_call(const CallParts& parts) const;
  void call(const Instruction& from);
  bool system_call(const Instruction& from, const CallParts& parts, const Function& function);
  // … of CUDA's device runtime (ptx_lowering_runtime.cpp)
  bool runtime_call(const Instruction& from, const CallParts& parts, const Function& function);
  void store_through_argument(const Instruction& from, const RuntimeFunction& known, std::int32_t value);
  void store_result(const Instruction& from, std::uint32_t bytes, std::int32_t value);
  void store(const Instruction& from, AddressSpace space, warpsim::Operand target, std::uint32_t bytes,
             std::int32_t value);
  bool pass_arguments(const Instruction& from, const CallParts& parts, const std::vector<Declaration>& parameters,
                      const Signature& signature);
  std::optional<bool> is_where_the_callee_has_it(const Instruction& from, const ptx::Operand& one,
                                                 std::uint32_t offset);
  void take_results(const Instruction& from, const CallParts& parts, const std::vector<Declaration>& results,
                    const Signature& signature);
  void move_registers(const Instruction& from, bool loads, const std::vector<Declaration>& all,
                      const std::vector<std::uint32_t>& offsets);
  void move_predicate(const Instruction& from, bool loads, const ptx::Operand& reg, std::uint32_t offset,
                      bool outgoing);
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
  struct Scratch {
    std::vector<std::int32_t> registers;
    std::size_t used = 0;  // by the instruction that is being made
  };
  std::map<RegClass, Scratch> scratch_;
  std::vector<Insn> after_;   // follow the instruction that is being made
  std::int32_t source_ = -1;  // of the last .loc
  std::uint64_t frame_bytes_ = 0;
  std::uint32_t outgoing_bytes_ = 0;
  bool failed_ = false, refused_ = false;  // the current instruction
  std::string because_;
};

}  // namespace warpsim::ptx
