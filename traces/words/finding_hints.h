// What to try after a finding, in Korean: the hints of isa/table/findings.def.
//
// Shapes: one sentence a finding.
// Units:  none.
// Errors: none.
#pragma once

#include <string_view>

#include "isa/table/findings.h"

namespace warpsim {

std::string_view hint_in_korean(Finding finding);

}  // namespace warpsim
