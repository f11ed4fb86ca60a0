// A warp program: what every front end produces and everything else reads. Plain data, no machine in it.
//
// Shapes: instructions are numbered from 0 in text order; that number is the pc. Operands are in the order of
//         slots(info(op).form): operands[k] belongs to slot k, Kind::None where it was left out.
// Units:  lengths of buffers and shared arrays count elements.
// Errors: none here; assemble() and verify() produce them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/operand.h"
#include "isa/table/op.h"

namespace warpsim {

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
  std::int32_t phase = -1;  // index into Program::phases of the phase that the line belongs to; -1: none
  SourceRange where;        // of the whole statement
};

// The carry flag of add.cc and its kin: a predicate that no program can name, since a register's own name has no dots.
inline constexpr std::string_view kCarryFlag = "%cc.cf";

struct Register {
  std::string name;  // with the percent sign: "%max_val"
  RegClass cls = RegClass::None;
  Type shown_as = Type::None;  // the type to print it in: inferred from what writes it, also through mov and shfl
  SourceRange where;           // first use
};

// `in`, `out` and `inout` are buffers in global memory; `param` is a scalar.
struct Param {
  enum class Kind : std::uint8_t { In, Out, InOut, Scalar };
  std::string name;
  Kind kind = Kind::Scalar;
  Type type = Type::None;
  std::string length;         // buffers: an expression of case.h over the scalar parameters and WARP_SZ; "" = as given
  std::string default_value;  // scalars: an expression of case.h; "" = a case must give it
  SourceRange where;
  bool is_buffer() const { return kind != Kind::Scalar; }
};

struct SharedArray {
  std::string name;
  Type type = Type::None;
  ConstExpr length;
  SourceRange where;
};

// One line of a step-by-step diagram. The text is a template whose {…} are filled from the trace; see
// traces/FORMAT.md, "Phases".
struct DrawLine {
  std::string text;
  std::string options;  // the words after the text, as written: "when=%p head=3 tail=1 columns=2"
  SourceRange where;
};

// A stretch of the program that a diagram shows as one step: from `.phase` to the next `.phase` or the end.
struct Phase {
  std::string title;  // a template
  std::string options;
  std::vector<DrawLine> lines;  // empty: the renderer derives the lines from the instructions
  SourceRange where;
};

// Lane counts at which the program does not run, and why: nothing below four lanes to pair, say.
struct Exemption {
  std::vector<unsigned> lanes;  // as written
  std::string reason;           // half a sentence: "a group of four needs four lanes"
  SourceRange where;            // of the directive
};

// An output that several warps fill in an order that nothing fixes: by their turns at an atomic, say.
struct Unordered {
  std::string output;  // the buffer's name
  std::string reason;  // half a sentence: "warps come in the order in which their atomics reach memory"
  SourceRange where;   // of the directive
  bool operator==(const Unordered& other) const { return output == other.output && reason == other.reason; }
};

// A warning that the author has seen and means: a program that shows what stays in place past a segment, say.
struct Allowance {
  Finding code{};
  std::string reason;  // half a sentence
  SourceRange where;   // of the directive
};

// What holds on every lane that comes to an instruction, before it executes.
struct Assertion {
  std::string condition;  // an expression of traces/FORMAT.md, "Phases and drawings"
  std::string message;    // what it means; "": the condition says it
  std::int32_t pc = 0;
  SourceRange where;  // of the directive
};

struct Program {
  std::string name;      // "butterfly_parallel_max"
  std::string group;     // "p26"; from the file's folder, or .group
  std::string title;     // .title "Butterfly parallel max"
  std::string document;  // .document "000:211-413"
  std::string section;   // .section "Parallel maximum": the heading above the first of those lines
  std::string puzzle;    // .puzzle "p26 --parallel-max": the puzzle's command line, may be ""
  std::string twin_of;   // .twin p26/butterfly_pair_swap: the program that does the same with shuffles; "": none
  SourceRange twin_where;
  std::string header;  // the comment that opens the file, without the slashes
  std::string file;    // the name that diagnostics print
  std::string text;    // the source, as read
  std::vector<Param> params;
  std::vector<SharedArray> shared;
  std::vector<Register> registers;
  std::vector<Insn> code;
  std::vector<Phase> phases;
  std::vector<Phase> pictures;  // .picture: diagrams beside the steps (an overview), same templates
  std::vector<std::pair<std::string, std::int32_t>> labels;  // name, pc
  std::vector<Exemption> exemptions;                         // .exempt
  std::vector<Unordered> unordered;                          // .unordered
  std::vector<Assertion> assertions;                         // .assert, by pc
  std::vector<Allowance> allowances;                         // .allow
  std::vector<Case> cases;

  std::string full_name() const { return group.empty() ? name : group + "/" + name; }
  const Case* find_case(std::string_view case_name) const;
  bool allows(Finding finding) const;
  const Exemption* exemption_at(unsigned lanes) const;          // nullptr: it runs there
  std::int32_t find_param(std::string_view param_name) const;   // -1: none
  std::int32_t find_register(std::string_view reg_name) const;  // -1: none
};

// Where each shared array begins at this lane count, in bytes from the start of the block's shared memory, in their
// order and each aligned to its elements; and after them where the last one ends.
std::vector<std::uint64_t> shared_offsets(const Program& program, unsigned lanes);

}  // namespace warpsim
