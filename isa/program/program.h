// A warp program: one kernel of a module, as a machine runs it. Plain data, no machine in it.
//
// Shapes: see module.h.
// Errors: none here; assemble() and verify() produce them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/module.h"
#include "isa/table/array.h"
#include "isa/table/findings.h"

namespace warpsim {

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

inline constexpr std::uint32_t kFrameAlignment = 16;

// What a stretch of code with one frame of local memory is: a kernel, or a function that it calls. Only programs from
// PTX have any. The frame holds, from its start: results and parameters as PTX's .param space has them, then the
// routine's own objects. A call puts the next frame behind it.
struct Routine {
  std::string name;
  std::int32_t first = 0, end = 0;    // pcs
  std::uint32_t function = 0;         // its number in the module, which gives its address (isa/kernels/windows.h)
  std::uint32_t results_bytes = 0;    // of the frame: these …
  std::uint32_t frame_bytes = 0;      // up to the end of the last object in it
  std::uint32_t outgoing_bytes = 0;   // of the next frame: what it writes there at most, before a call
  bool is_kernel = false;             // the program's own, the last, or one that a kernel of it launches
  std::uint32_t parameter_bytes = 0;  // … as they stand in memory for a launch
  // Registers that a call keeps for those who may come back here before it returns: all of the routine's, if it calls
  // itself in any way; else none.
  std::vector<std::int32_t> kept;
  // Where the frame of what it calls begins.
  std::uint32_t next_frame() const { return (frame_bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment; }
};

// A place in the source that a compiler made the text from: .loc of PTX.
struct SourcePlace {
  SourceRange where;             // its file is one of Module::files, behind the texts
  std::string function;          // in which it stands: "twice"
  std::int32_t inlined_at = -1;  // another of Program::sources: where that function was inlined; -1: it was not
  bool operator==(const SourcePlace&) const = default;
};

// A variable of that source, and the register that holds it from one instruction up to another.
struct SourceVariable {
  std::string name;
  std::int32_t reg = 0;
  std::int32_t first = 0, end = 0;  // pcs
};

// An instruction that warpsim does not execute: it stops the run.
struct Unsupported {
  std::int32_t pc = 0;
  std::string text;     // "tex.2d.v4.f32.s32"
  std::string because;  // "textures and surfaces"
};

// Which registers need no place of their own (register_places.h).
struct RegisterPlaces {
  std::vector<std::int32_t> with;  // by register: the first of those that it lies with, or itself
  std::vector<std::int32_t>
      copy_at;  // by register: where it becomes a copy of what never changes, with which it lies; -1
};

struct ProgramFacts;

struct Program : Function {
  std::string group;                                                  // "p26"; from the file's folder, or .group
  std::shared_ptr<const Module> module = std::make_shared<Module>();  // never null; what the kernel comes from
  std::vector<Exemption> exemptions;                                  // .exempt
  std::vector<Unordered> unordered;                                   // .unordered
  std::vector<Assertion> assertions;                                  // .assert, by pc
  std::vector<Allowance> allowances;                                  // .allow
  std::vector<Routine> routines;                                      // by pc; the kernel is the last. Empty: all is it
  std::vector<Object> locals;                                         // of routines, in their frames
  std::int32_t frame_register = -1;  // where the lane's frame begins in local memory; -1: nothing is in local memory
  std::vector<Unsupported> unsupported;  // by pc
  std::vector<SourceVariable> variables;
  std::vector<SourcePlace> sources;  // Insn::source; a place stands behind the one that it was inlined at
  bool is_from_ptx = false;
  std::shared_ptr<const ProgramFacts> facts;  // of a program that is launched often (program_facts.h); else null
  std::uint64_t most_threads = 0;             // of a block, as the kernel says (.maxntid); 0: it does not
  Dim3 required_block{0, 0, 0};               // the only one that it takes (.reqntid); x 0: any

  std::string full_name() const { return group.empty() ? name : group + "/" + name; }
  std::int32_t entry() const { return routines.empty() ? 0 : routines.back().first; }
  bool launches_kernels() const;
  // Of a launch of this routine, -1: of the program's own kernel: the objects, those that it cannot name without
  // elements.
  std::vector<Object> objects_of_launch(std::int32_t routine) const;
  const Routine* routine_at(std::int32_t pc) const;  // null: there are none
  // What holds the memory that an event speaks of by an index: in shared memory an object, in local memory one of
  // `locals`, else a parameter.
  struct Held {
    const std::string& name;
    Type element;
  };
  Held held_in(AddressSpace space, std::int32_t index) const;
  std::string element_name(AddressSpace space, std::int32_t index, std::int64_t element) const;  // "tile[35]"
  bool allows(Finding finding) const;
  const Exemption* exemption_at(unsigned lanes) const;  // nullptr: it runs there
  // Where an instruction comes from: in the source that was compiled, if the text says that, else in the text. Of
  // inlined functions the innermost that is not one of the compiler's own headers. Line 0: there is none.
  SourceRange place(std::int32_t pc) const;
  const SourcePlace* source_at(std::int32_t pc) const;     // that place's row of `sources`; null: none
  bool is_of_the_toolkit(const SourcePlace& place) const;  // in a header of CUDA's, or of the system's
  std::string line(std::int32_t pc) const;              // "17"; of one with sources or of several texts "reduce.cu:17"
  std::string line_of(const SourceRange& place) const;  // the same of a place
  // The variable that a register holds behind an instruction, or at it; "": none is known.
  std::string_view variable_in(std::int32_t reg, std::int32_t pc) const;
  // Its place and those that it was inlined at, from the innermost on; of a text without sources none.
  std::vector<const SourcePlace*> frames(std::int32_t pc) const;
  // The file that a place names: what diagnostics print and show. Empty if the program was built in memory.
  const SourceFile& source(const SourceRange& place = {}) const;
};

}  // namespace warpsim
