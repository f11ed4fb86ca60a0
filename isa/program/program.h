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

struct Program : Function {
  std::string group;                                                  // "p26"; from the file's folder, or .group
  std::shared_ptr<const Module> module = std::make_shared<Module>();  // never null; what the kernel comes from
  std::vector<Exemption> exemptions;                                  // .exempt
  std::vector<Unordered> unordered;                                   // .unordered
  std::vector<Assertion> assertions;                                  // .assert, by pc
  std::vector<Allowance> allowances;                                  // .allow

  std::string full_name() const { return group.empty() ? name : group + "/" + name; }
  bool allows(Finding finding) const;
  const Exemption* exemption_at(unsigned lanes) const;  // nullptr: it runs there
  // The file that a place names: what diagnostics print and show. Empty if the program was built in memory.
  const SourceFile& source(const SourceRange& place = {}) const;
};

}  // namespace warpsim
