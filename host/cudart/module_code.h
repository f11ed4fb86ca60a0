// The machine code of a module's kernels: what its fat binary has for the device, else what ptxas makes of the PTX.
//
// Errors: the module learns why there is none.
// Source: isa/sass/cubin.h.
#pragma once

#include <string>
#include <vector>

#include "host/device/kernel_module.h"

namespace warpsim::cudart {

// `ptxas` is a path; "": there is none.
void give_code(host::KernelModule& module, const std::vector<std::string>& cubins,
               const std::vector<host::PtxSource>& texts, const std::string& ptxas);

}  // namespace warpsim::cudart
