// Reads PTX litmus tests in the format of herd and Dartagnan.
//
// Shapes: `PTX name`, comments in quotes, `{ x=0; P0:r1=2; }`, a table with a column for each thread, headed
//         `P0@cta 0,gpu 0`, and a question: exists, ~exists or forall. `bar.cta.sync INSTANCE, ID` meets the barriers
//         of its instance and id in its block.
// Units:  none.
// Errors: `refused` names what the program model cannot say, and where the text is no such test.
// Source: the public tests themselves: github.com/hernanponcedeleon/Dat3M, litmus/PTX.
#pragma once

#include <string>
#include <string_view>

#include "tests/litmus/program.h"

namespace warpsim::litmus {

struct ReadText {
  Program program;
  std::string refused;  // "": none
};

ReadText read_litmus(std::string_view text);

}  // namespace warpsim::litmus
