// A trace as text: step-by-step diagrams, and the lines that a Mojo GPU Puzzle prints.
//
// Shapes: a program with phases is drawn phase by phase, from its own `.draw` lines or from what its instructions did;
//         one without phases is listed event by event. Nothing is simulated again and no program is known by name.
// Units:  cycles are the machine's; `Cycle n` inside a diagram numbers the program's phases.
// Errors: none: what a trace does not hold prints as "?".
// Source: traces/FORMAT.md, "Phases and drawings".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/io/translations.h"
#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim {

struct TextOptions {
  bool ascii = false;  // "<->", "->", "OK" for "↔", "→", "✅"
  Language language = Language::English;
  const Translations* translations = nullptr;  // of the program's own texts; without: as they are
  unsigned width = 80;                         // of event lists; a diagram's line is as long as its text
  std::optional<std::uint32_t> block, warp;
  bool header = true;          // the run's facts before, its result after; a line that names each warp
  bool cycles = true;          // the table of machine cycles of the phases
  bool cycles_inline = false;  // … beside each title instead: "Store results  [cycle 9]"
  bool steps = true;           // the phases
  bool pictures = true;        // all pictures …
  std::string picture;         // … or only those with this id
  bool events = false;         // the event list, also for a program with phases
};

std::string render_text(const Trace& trace, const TextOptions& options = {});

// What the run's own lines say.
struct RunFacts {
  struct Scalar {
    std::string name;
    Type type = Type::None;
    std::uint64_t bits = 0;
  };
  std::string title;  // "Butterfly pair swap"
  unsigned lanes = 32;
  std::uint64_t blocks = 1;
  std::vector<Scalar> params;
  std::vector<std::pair<std::string, Array>> outputs, expected;
  std::vector<UndefinedElements> undefined;  // of the outputs: they print as "?"
  std::optional<bool> passed;                // empty if nothing was expected
};
RunFacts run_facts(const TraceHead& head, const TraceOutcome& outcome, const Translations* translations = nullptr);

// WARP_SIZE, SIZE, output, expected, pivot and the verdict, a line each, as the Mojo GPU Puzzles print them.
std::string render_run(const RunFacts& facts, bool ascii = false, Language language = Language::English);

// The verdict alone: "✅ Butterfly pair swap test passed!", or the first element that is wrong; "" without expectation.
std::string render_verdict(const RunFacts& facts, Language language = Language::English);

// A value as a run prints it: untyped bits, masks among them, in hexadecimal.
std::string element_value(Type type, std::uint64_t bits);
// "[1.0, 0.0, ?]"; `undefined` lists elements in rising order, null if there are none.
std::string array_text(const Array& array, const UndefinedElements* undefined = nullptr);
const UndefinedElements* find_undefined(const std::vector<UndefinedElements>& list, std::string_view name);
// 000's signs spelled as 002 and 004 spell them.
std::string to_ascii(std::string_view text);

}  // namespace warpsim
