// Suggestions that several files of the assembler share.
//
// Errors: none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

// PTX's instructions that the table lacks, for the test that no row is among them.
std::vector<std::string_view> opcodes_not_supported_yet();

}  // namespace warpsim
