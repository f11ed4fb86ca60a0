// What is taught with a program: what it is called, which document it is from, how its steps are drawn, and the cases
// that run it.
//
// Shapes: a lesson is a program: what runs, checks or times one takes the Program and knows nothing of the rest. Phases
//         stand in the order of their first instructions.
// Units:  as module.h.
// Errors: none here; assemble() produces them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/program.h"

namespace warpsim {

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
  std::int32_t first_pc = 0;    // of a picture meaningless
  SourceRange where;
};

struct Lesson : Program {
  std::string title;     // .title "Butterfly parallel max"
  std::string document;  // .document "000:211-413"
  std::string section;   // .section "Parallel maximum": the heading above the first of those lines
  std::string puzzle;    // .puzzle "p26 --parallel-max": the puzzle's command line, may be ""
  std::string twin_of;   // .twin p26/butterfly_pair_swap: the program that does the same with shuffles; "": none
  SourceRange twin_where;
  std::string header;  // the comment that opens the file, without the slashes
  std::vector<Phase> phases;
  std::vector<Phase> pictures;  // .picture: diagrams beside the steps (an overview), same templates
  std::vector<Case> cases;

  const Case* find_case(std::string_view case_name) const;
  // The phase that an instruction belongs to, an index into `phases`; -1: none.
  std::int32_t phase_of(std::int32_t pc) const;
};

}  // namespace warpsim
