// The text of one PTX kernel in the making: private to ptx_writer.cpp and ptx_instructions.cpp.
//
// Shapes: the body is written first; it notes which parameters, special registers and registers of its own it needs,
//         and the prologue is written for those.
//         Names: the program's registers keep theirs; parameters, labels and shared memory get a prefix, so that none
//         is a word of PTX; what the writer itself needs begins with %__.
// Units:  as ptx_writer.h.
// Errors: none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/ptx_writer/ptx_writer.h"

namespace warpsim {

class PtxKernelText {
 public:
  PtxKernelText(const Program& program, const PtxOptions& options);
  PtxKernel run();
  PtxKernel module();  // of a program from PTX

 private:
  // What an instruction writes down, in 64-bit registers.
  struct Record {
    std::string executed;  // a predicate, "" where every lane executes
    std::string from, in_range;
    std::vector<std::string> values;
  };

  // ---- ptx_writer.cpp: what comes before the instructions
  void lay_out_shared();
  void head();
  void declare_registers();
  void prologue();
  void leave_surplus_lanes();
  void load_parameters();
  void fill_specials();
  void fill_special(Special special, const std::string& kept);
  void find_log();
  bool can_fall_off() const;
  bool narrow() const { return options_.lanes < kPtxLanes; }

  // ---- names
  std::string reg(std::int32_t index) const;
  std::string param(std::int32_t index) const;
  std::string own(const std::string& name, Type type);  // a register of the writer's own, declared once
  std::string fresh(Type type);                         // one more, for this instruction
  std::string kept_special(Special special, bool wide);
  std::string kept_param(std::int32_t index);
  std::string real_base(std::int32_t index);  // where a buffer is
  std::string kept_delta();
  std::string kept_shared();
  std::string target_name(std::int32_t pc) const;
  std::string guard(const Insn& insn) const;
  void copy_guard(const Insn& insn, const std::string& into);
  std::string kept_guard(const Insn& insn);
  void line(const std::string& text) { out_ += "        " + text + ";\n"; }

  // ---- ptx_instructions.cpp
  void labels(std::int32_t pc);
  void instruction(std::int32_t pc);
  // By slot: registers that replace the destinations.
  using Destinations = std::map<std::size_t, std::string>;
  void general(const Insn& insn, Record& record, const Destinations& destinations = {});
  void apart(const Insn& insn, Record& record);
  std::string unfolded(const std::string& value, Type type);
  std::string as_integer(const Insn& insn, const Slot& slot, const Operand& o, std::string word);
  std::string operand_text(const Insn& insn, std::size_t slot, Record& record);
  std::string source_text(const Insn& insn, const Slot& slot, const Operand& o);
  void shuffle(const Insn& insn, Record& record);
  std::string shuffle_segment(const Insn& insn, const Operand& c);
  std::string member_mask(const Operand& o);
  std::string barrier_count(const Operand& o);

  std::uint64_t immediate_bits(const Operand& o, Type type) const;
  std::string source(const Operand& o, Type type, bool in_register = false);
  std::string predicate(const Operand& o, bool may_negate);
  std::string converted(const std::string& kept, Type held, Type type);
  std::string own_prefix_;                             // of the registers that an address is computed in
  std::string address(const Operand& o, bool shared);  // "[%__real + 8]"; with records the program's own in %__address
  void keep_address(const std::string& base, const std::string& index, std::uint64_t constant);
  std::string scaled_index(const Operand& o, std::uint64_t scale);

  // ---- ptx_module_text.cpp: programs from PTX
  void find_targets();
  std::string function_head(const Routine& routine) const;
  std::string entry_head() const;
  std::string object_name(std::int32_t index) const;
  std::string shared_text(std::int32_t index) const;
  std::string variable_name(std::int32_t index) const;
  std::string variable_text(std::int32_t index) const;
  std::string address_text(const InitialAddress& address) const;
  bool ends_before(std::int32_t first, std::int32_t end) const;
  std::string function_text(const Routine* routine, std::int32_t first, std::int32_t end);
  void table(std::size_t index, std::int32_t first, std::int32_t end);
  void move_arguments(bool in);
  void move_words(const std::string& load, const std::string& from, const std::string& store, const std::string& to,
                  std::uint32_t bytes, std::uint32_t at, const std::string& guard_text);
  bool of_module(const Insn& insn);
  void call(const Insn& insn);
  void system_call(const Insn& insn);
  std::string named_address(const Operand& o) const;
  std::string symbol(const Operand& o) const;

  // ---- recording
  Record begin_record(const Insn& insn);
  void keep(Record& record, const std::string& value, Type type);
  void keep_destinations(const Insn& insn, Record& record);
  void end_record(std::int32_t pc, const Record& record);
  std::string as_word(const std::string& value, Type type, const std::string& into);

  const Program& program_;
  const PtxOptions& options_;
  PtxKernel kernel_;
  std::string out_;
  std::map<std::string, Type> own_;
  std::map<std::string, int> fresh_count_;  // by register type, of this instruction
  std::set<Special> specials_, wide_specials_;
  std::set<std::int32_t> kept_params_;
  bool needs_delta_ = false, needs_shared_ = false;
  std::set<std::int32_t> real_bases_;
  std::set<std::string> zeros_;  // register types
  std::vector<std::uint64_t> shared_offsets_;
  std::map<std::int32_t, std::int32_t> last_jumps_;  // by target: the last line that jumps there
  std::set<std::int32_t> float_registers_;           // that some line writes as a float
  // Of a program from PTX: where its jumps go, its functions' names by their numbers, how many bytes each call passes;
  // and of the function that is being written the registers.
  bool is_module_ = false;
  std::set<std::int32_t> targets_, used_registers_;
  std::map<std::uint32_t, std::string> function_names_;
  std::uint32_t call_bytes_ = 0;
  const Routine* routine_ = nullptr;
};

// How PTX calls a type of the table: a set of lanes is b32.
constexpr Type ptx_type(Type type) { return type == Type::Mask ? Type::B32 : type; }
// "pred", "b16", "b32", "b64": bytes are in registers of 16 bits.
std::string ptx_register_type(Type type);
Type ptx_type_of(RegClass cls);
std::string ptx_hex(std::uint64_t value, int digits);
std::string ptx_number(std::uint64_t value, Type type);
// Of a program from PTX; nothing: it can be written.
std::optional<PtxUnsupported> cannot_be_written(const Program& program, const PtxOptions& options);

}  // namespace warpsim
