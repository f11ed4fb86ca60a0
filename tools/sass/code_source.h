// Where machine code comes from: a cubin, a program that nvcc linked, PTX that ptxas assembles, or a program of the
// catalogue, whose code was captured.
//
// Shapes: the cubins for sm_90 that a file has, or the one that was made.
// Units:  bytes.
// Errors: through the Reply: no ptxas, or code for other GPUs alone, is "unsupported" (exit code 5); what cannot be
// read
//         or assembled is bad input (3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/sass/cubin.h"
#include "tools/session/session.h"

namespace warpsim::tools {

inline constexpr unsigned kCodeTarget = 90;

std::vector<sass::Cubin> machine_code_of(Session& session, const std::string& name);

// What ptxas makes of the text, with lines; `name` is what messages call it.
std::optional<sass::Cubin> assembled_ptx(Session& session, const std::string& name, std::string_view ptx);

}  // namespace warpsim::tools
