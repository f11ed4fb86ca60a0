// What the functions of one program share: the program that grows, the module's names, who calls whom.
//
// Shapes: functions are numbered as the module has them.
// Errors: into Diagnostics; see ptx_program.h.
// Source: PTX ISA 9.0, chapters 5 and 7.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/program.h"
#include "isa/ptx/ptx_debug_info.h"
#include "isa/ptx/ptx_locations.h"
#include "isa/ptx/ptx_modules.h"
#include "isa/ptx/ptx_signature.h"
#include "isa/ptx/ptx_syntax.h"
#include "isa/text/diagnostic.h"

namespace warpsim::ptx {

class Linker {
 public:
  Linker(const Module& module, const Function& entry, Diagnostics& diagnostics);
  std::optional<Program> run();

  Program& program() { return program_; }
  const Function& entry() const { return entry_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  Locations& locations() { return locations_; }
  const std::vector<DebugVariable>& debug_variables() const { return debug_variables_; }
  const Module& module() const { return module_; }

  // By name, as the text of this number has it, through aliases; null or -1 if the module has none. Of several
  // declarations that with a body.
  const Function* find_function(std::string_view name, std::uint32_t file) const;
  std::int32_t number_of(const Function& function) const;
  // The variable as a parameter of the program, or the shared array as an object of it; -1: none has that name.
  std::int32_t variable(std::string_view name, std::uint32_t file);
  std::int32_t shared(std::string_view name, std::uint32_t file);
  // Why nothing can use this name, of a variable or a kernel that is declared and nowhere defined; "": it can be used.
  std::string undefined(std::string_view name, std::uint32_t file) const;
  // "; did you mean NAME?", if something that is defined has nearly this name.
  std::string did_you_mean(std::string_view name) const;
  // The variable that this declaration makes, however often it is asked for; one of a function is shown by that name.
  std::int32_t variable_of(const Declaration& declaration, std::string shown);
  // An object that this declaration makes, however often it is asked for.
  std::int32_t object_of(const Declaration& declaration, AddressSpace space);
  // A local variable of the module: its place in the kernel's frame. None if none has that name.
  std::optional<std::uint64_t> module_local(std::string_view name, std::uint32_t file) const;
  std::uint64_t module_local_bytes() const { return module_local_bytes_; }

  // A call that is to be bound once the routines are placed.
  void call_later(std::size_t pc, const Function& callee) { calls_.emplace_back(pc, number_of(callee)); }
  // The code from this pc on goes away, and its calls with it.
  void forget_calls(std::size_t pc) {
    std::erase_if(calls_, [pc](const auto& one) { return one.first >= pc; });
  }
  std::int32_t frame_register();

 private:
  struct Node {
    std::vector<std::int32_t> calls;
    std::vector<std::int32_t> kernels;  // whose addresses it takes: it may launch them
    bool calls_pointers = false;
  };

  void find_names();
  void note_operand(const ptx::Operand& operand, std::uint32_t file, bool is_callee, Node& node);
  void note_address(std::string_view name, std::uint32_t file, std::vector<std::int32_t>& kernels);
  void note_initializer(const Expression& expression, std::uint32_t file);
  const Node& node_of(std::int32_t function);
  std::vector<std::int32_t> targets_of(std::int32_t function);
  void place(std::int32_t function);
  std::vector<std::int32_t> launched_kernels();
  bool may_come_back(std::int32_t function);
  void take_limits();
  void bind_calls();
  void initialize(std::int32_t param, const Declaration& declaration);
  void put_values(Param& into, const Declaration& declaration, const Expression& value, std::uint64_t& at);
  bool put_address(Param& into, const Declaration& declaration, const Expression& value, std::uint64_t at);
  void put_number(Param& into, const Declaration& declaration, const Expression& value, std::uint64_t at);

  const Module& module_;
  const Function& entry_;
  Diagnostics& diagnostics_;
  Locations locations_;
  std::vector<DebugVariable> debug_variables_;
  Program program_;
  const Symbols symbols_;
  std::map<std::int32_t, Node> nodes_;
  std::vector<std::int32_t> by_address_;         // functions whose address is taken …
  std::vector<std::int32_t> stored_kernels_;     // … and kernels, by initial values
  std::map<std::int32_t, std::int32_t> placed_;  // function → routine
  std::vector<std::int32_t> being_placed_;
  std::map<const Declaration*, std::int32_t> made_objects_;
  std::map<const Declaration*, std::int32_t> variables_;
  std::vector<std::pair<std::int32_t, const Declaration*>> to_initialize_;  // variables: others may follow from them
  std::map<const Declaration*, std::uint64_t> module_locals_;
  std::uint64_t module_local_bytes_ = 0;
  std::vector<std::pair<std::size_t, std::int32_t>> calls_;  // pc, function
};

// The parameters of a kernel, each at its offset.
std::vector<Param> parameters_of(const Function& entry);

// The type that this word of PTX names: ".b64"; None if it has no register of ours.
Type type_of(std::string_view word);

}  // namespace warpsim::ptx
