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

// What a stretch of code with one frame of local memory is: a kernel, or a function that it calls. Only programs from
// PTX have any. The frame holds, from its start: results and parameters as PTX's .param space has them, then the
// routine's own objects. A call puts the next frame behind it.
struct Routine {
  std::string name;
  std::int32_t first = 0, end = 0;   // pcs
  std::uint32_t function = 0;        // its number in the module, which gives its address (isa/kernels/windows.h)
  std::uint32_t results_bytes = 0;   // of the frame: these …
  std::uint32_t frame_bytes = 0;     // all of it, a multiple of 16
  std::uint32_t outgoing_bytes = 0;  // of the next frame: what it writes there at most, before a call
  // Registers that a call keeps for those who may come back here before it returns: all of the routine's, if it calls
  // itself in any way; else none.
  std::vector<std::int32_t> kept;
};

// An instruction that warpsim does not execute: it stops the run.
struct Unsupported {
  std::int32_t pc = 0;
  std::string text;     // "tex.2d.v4.f32.s32"
  std::string because;  // "textures and surfaces"
};

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
  bool is_from_ptx = false;
  std::uint64_t most_threads = 0;  // of a block, as the kernel says (.maxntid); 0: it does not
  Dim3 required_block{0, 0, 0};    // the only one that it takes (.reqntid); x 0: any

  std::string full_name() const { return group.empty() ? name : group + "/" + name; }
  std::int32_t entry() const { return routines.empty() ? 0 : routines.back().first; }
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
  // The file that a place names: what diagnostics print and show. Empty if the program was built in memory.
  const SourceFile& source(const SourceRange& place = {}) const;
};

}  // namespace warpsim
