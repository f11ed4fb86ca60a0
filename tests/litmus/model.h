// The PTX memory consistency model as axioms: which outcomes of a litmus program are allowed, and whether it races.
//
// Shapes: every candidate execution is looked at: a path and values for each thread, what each read reads from, the
//         order of fence.sc operations, and the coherence order of each location. It counts if it breaks no axiom:
//           - program order, reads-from and dependencies have no cycle of dependencies and reads (No-Thin-Air);
//           - barriers, Fence-SC order, and release and acquire patterns synchronise; base causality order is what is
//             made of that and program order; causality order relates operations on one location by base causality
//             order, or by observation order and base causality order behind it;
//           - coherence order relates writes that are morally strong or related in causality order, and is transitive.
//             Writes that race stay unrelated: a location ends as any write leaves it that no other follows;
//           - Coherence, FenceSC, Atomicity, SC-per-Location, Causality. FenceSC and SC-per-Location forbid no outcome
//             that the others allow; they are here because they are axioms.
//         A program races if, in some execution that counts, two accesses of different threads to one location, one of
//         them a write, are neither morally strong nor related in causality order (PTX ISA, section 8.8). An atomic is
//         one access there: what its write precedes, its read precedes as well. By the letter a plain store behind an
//         atomic that has observed another one would race with that one's read.
// Units:  none.
// Errors: a text in `refused` where a program is too large to be enumerated.
// Source: PTX ISA 9.0, sections 8.5 to 8.10; Lustig, Sahasrabuddhe and Giroux, "A Formal Analysis of the NVIDIA PTX
//         Memory Consistency Model" (ASPLOS 2019). A failing compare-and-swap counts as a write of the old value, as it
//         does there. Accesses of several sizes that overlap in part are not modelled, nor are proxies.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "tests/litmus/program.h"
#include "tests/litmus/traces.h"

namespace warpsim::litmus {

// Two instructions that race: thread and origin of each, the smaller one first.
using Place = std::pair<std::int32_t, std::int32_t>;
using Race = std::pair<Place, Place>;

struct Verdict {
  std::set<Outcome> outcomes;
  std::set<Race> races;
  std::string refused;  // "": none
  bool cut = false;     // longer loops were not looked at
  std::uint64_t candidates = 0;
  bool racy() const { return !races.empty(); }
};

Verdict judge(const Program& program, const Limits& limits = {});

// Whether the program's own question is answered as its quantifier wants.
bool satisfied(const Program& program, const Verdict& verdict);

}  // namespace warpsim::litmus
