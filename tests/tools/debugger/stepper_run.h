// What the tests of the stepper share: traces, and what the last of several commands answers.
#pragma once

#include <string>

#include "tests/support/every_program.h"
#include "tools/debugger/stepper.h"

namespace warpsim {
namespace stepper_test {

using tools::Stepper;
using tools::StepperLook;

inline Trace butterfly() { return testing::program_trace("p26/butterfly_parallel_max", "worked", 8); }

// Lane 0 loads past the end of its input, after one store.
inline Trace trapped() {
  return testing::text_trace(
      ".kernel t (in input: u32[4], out output: u32[4])\n        mov.u32 %a, 1\n        st.global.u32 output[0], %a\n"
      "        ld.global.u32 %v, input[99]\n        exit\n.case test\n    input = i\n",
      4);
}

// What the last of several commands, apart by ';', answers.
inline Stepper::Answer last_of(Stepper& stepper, const std::string& commands) {
  Stepper::Answer answer;
  for (const std::string& one : tools::split_commands(commands)) answer = stepper.run(one);
  return answer;
}
inline std::string text_of(const std::string& commands, const StepperLook& look = {}) {
  Stepper stepper(butterfly(), look);
  return last_of(stepper, commands).text;
}
inline bool is_in(const std::string& part, const std::string& text) { return text.find(part) != std::string::npos; }

}  // namespace stepper_test
}  // namespace warpsim
