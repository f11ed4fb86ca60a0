// The toolkit's assembler, for tests: does it take a module?
#pragma once

#include <optional>
#include <string>

#include "isa/sass/cubin.h"

namespace warpsim::testing {

// Where ptxas is, found when the build was configured; nothing if there is none: such tests skip with a message.
std::optional<std::string> ptxas();
// What ptxas says to a module at sm_<target>; "" if it takes it.
std::string assemble_ptx(const std::string& module, unsigned target);
// The machine code that ptxas makes of a module; an error if it does not take it.
std::variant<sass::Cubin, sass::CubinError> code_of_ptx(const std::string& module, unsigned target,
                                                        const std::string& options = "");

#define WARPSIM_NEEDS_PTXAS() \
  if (!warpsim::testing::ptxas()) GTEST_SKIP() << "ptxas is not here: the CUDA toolkit has it"

}  // namespace warpsim::testing
