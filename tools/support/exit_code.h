// How the `warpsim` command says what happened, in one number.
//
// Shapes: the codes below and no others; where several apply, the largest of 1, 3, 4, 5 wins.
// Errors: none.
#pragma once

namespace warpsim::tools {

enum class ExitCode : int {
  Ok = 0,
  Mismatch = 1,     // the program ran, and an output is not what the case expects, or a finding fails
  Usage = 2,        // a flag, a name or a value on the command line is wrong
  BadInput = 3,     // a file cannot be read, written or parsed; a program or a case has an error
  Trap = 4,         // the simulated program failed
  Unsupported = 5,  // well-formed, but not something this version can do
  Internal = 70,    // a mistake in warpsim itself
};

constexpr ExitCode worse(ExitCode a, ExitCode b) { return static_cast<int>(a) > static_cast<int>(b) ? a : b; }

}  // namespace warpsim::tools
