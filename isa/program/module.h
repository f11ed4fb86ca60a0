// What a text of code holds: its functions, what stands in memory under a name, and the files that it comes from.
//
// Shapes: instructions of a function are numbered from 0 in text order; that number is the pc. Operands stand in the
//         order of slots(info(op).form): operands[k] belongs to slot k, Kind::None where it was left out. Operands name
//         parameters, objects and registers by their index in the function's lists.
// Units:  lengths of buffers and objects count elements; sizes, offsets and alignments bytes.
// Errors: none here; assemble() and verify() produce them.
// Source: PTX ISA 9.0, chapters 4, 5 and 7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program/operand.h"
#include "isa/table/op.h"

namespace warpsim {

// SourceRange::file is an index into Module::files.
struct Guard {
  std::int32_t reg = -1;  // -1: no guard
  bool negated = false;   // @!%p
  bool operator==(const Guard&) const = default;
};

struct Insn {
  Op op = Op::Exit;
  Type type = Type::None;   // T of the form
  Type type2 = Type::None;  // T2 of the form: cvt's source type
  Mods mods;
  Guard guard;
  std::vector<Operand> operands;
  SourceRange where;         // of the whole statement
  std::int32_t source = -1;  // what it was compiled from: an index into Program::sources; -1: the text does not say
};

// The carry flag of add.cc and its kin: a predicate that no program can name, since a register's own name has no dots.
inline constexpr std::string_view kCarryFlag = "%cc.cf";

struct Register {
  std::string name;  // with the percent sign: "%max_val"
  RegClass cls = RegClass::None;
  Type shown_as = Type::None;  // the type to print it in: inferred from what writes it, also through mov and shfl
  SourceRange where;           // first use
};

// What a variable holds at its start in place of numbers: the address of something, or a part of it.
struct InitialAddress {
  enum class Of : std::uint8_t { Variable, Shared, Function };
  std::uint64_t at = 0;  // bytes from the variable's start
  std::uint32_t bytes = 8;
  Of of = Of::Variable;
  std::int32_t index = 0;    // into Function::params, Function::objects, or the function's number in its module
  std::uint64_t addend = 0;  // bytes
  std::uint32_t shift = 0;   // bits: `bytes` of the address from there on
  bool is_generic = false;   // of an address in shared memory
};

// `in`, `out` and `inout` are buffers in global memory; `param` is a scalar. What a launch passes is a buffer's address
// or the scalar's value. A variable of a module of PTX, .global or .const, is bound like a buffer, but its address is
// linked and not passed.
struct Param {
  enum class Kind : std::uint8_t { In, Out, InOut, Scalar };
  std::string name;
  Kind kind = Kind::Scalar;
  Type type = Type::None;
  std::string length;         // buffers: an expression of case.h over the scalar parameters and WARP_SZ; "" = as given
  std::string default_value;  // scalars: an expression of case.h; "" = a case must give it
  SourceRange where;
  std::uint32_t offset_bytes = 0;  // in the kernel's parameter space, once place_params() has set it
  std::uint32_t value_bytes = 0;   // of a scalar: a structure of so many bytes, which the launch passes; 0: a number
  bool is_variable = false;
  bool is_constant = false;            // of a variable: .const
  std::uint32_t alignment_bytes = 0;   // of a variable and of a structure; 0: an element's size
  std::vector<std::uint64_t> initial;  // of a variable: the bits of its first elements; the rest is zeros
  std::vector<InitialAddress> addresses;
  bool is_buffer() const { return kind != Kind::Scalar; }
  // Of what a launch passes; of a number and an address also its alignment.
  std::uint32_t size_bytes() const {
    return is_buffer() ? 8 : value_bytes != 0 ? value_bytes : static_cast<std::uint32_t>(bytes(type));
  }
};

// As a program writes it: "in", "out", "inout", "param".
std::string_view name(Param::Kind kind);

// What stands in memory under a name.
struct Object {
  std::string name;
  AddressSpace space = AddressSpace::Shared;  // of Program::locals: Local
  Type type = Type::None;                     // of an element
  ConstExpr length;
  std::uint32_t alignment_bytes = 0;  // 0: an element's size
  SourceRange where;
  bool is_dynamic = false;         // shared memory whose size the launch says; all such begin at one place, the last
  std::uint32_t offset_bytes = 0;  // Local: from the start of its routine's frame
  std::int32_t routine = -1;       // Local: index into Program::routines
  std::uint64_t alignment() const {
    return alignment_bytes != 0 ? alignment_bytes : static_cast<std::uint64_t>(bytes(type));
  }
};

struct Function {
  std::string name;
  std::vector<Param> params;
  std::vector<Object> objects;  // that it can name: the module's, then its own
  std::vector<Register> registers;
  std::vector<Insn> code;
  std::vector<std::pair<std::string, std::int32_t>> labels;  // name, pc
  std::vector<std::vector<std::int32_t>> tables;             // of brx.idx: pcs
  SourceRange where;                                         // of its name

  std::int32_t find_param(std::string_view param_name) const;   // -1: none
  std::int32_t find_register(std::string_view reg_name) const;  // -1: none
};

struct Module {
  std::vector<SourceFile> files;  // the texts that were read; behind them what these were compiled from, if they say it
  std::uint32_t texts = 1;        // how many come first
  std::vector<Object> objects;
  std::vector<Function> functions;
};

// The first multiple of the alignment at or behind a place; 0 and 1 align nothing.
constexpr std::uint64_t aligned(std::uint64_t at, std::uint64_t alignment) {
  return alignment < 2 ? at : (at + alignment - 1) / alignment * alignment;
}

// Gives the parameters that a launch passes their offsets: in order, each at a multiple of its size.
void place_params(std::vector<Param>& params);

// Where each object that stands in shared memory begins at this lane count, in bytes from the start of the block's
// shared memory, in their order and each aligned, the dynamic ones last; and behind them where the last one ends, the
// dynamic ones not counted. Of other objects 0.
std::vector<std::uint64_t> shared_offsets(const std::vector<Object>& objects, unsigned lanes);

}  // namespace warpsim
