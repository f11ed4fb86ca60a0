// What kind of program a file is: whether the CUDA runtime that it asks for can be warpsim's.
//
// Shapes: ELF files of this machine's kind are looked into; of anything else, scripts say, nothing is known.
// Errors: a refusal says why, and what to try.
// Source: the ELF and System V ABI specifications, elf(5), ld.so(8).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/exit_code.h"

namespace warpsim::tools {

inline constexpr std::string_view kRuntime = "libcudart.so.13";  // warpsim's, and of CUDA 13
inline constexpr std::string_view kDriver = "libcuda.so.1";

struct Refusal {
  ExitCode code = ExitCode::Unsupported;
  std::string message, hint;
};

// As a shell looks for it; "" if it is not there.
std::string find_program_file(const std::string& name);

// Why the file cannot be run with warpsim's libraries; nothing if it can, or may.
std::optional<Refusal> refusal_of(const std::string& path);

// Of an ELF file: the libraries that it asks for, by name.
std::vector<std::string> needed_libraries(std::string_view elf);

}  // namespace warpsim::tools
