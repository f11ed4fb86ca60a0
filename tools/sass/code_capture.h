// The machine code of the catalogue's programs as ptxas made it, for machines without ptxas.
//
// Shapes: a program a line: the hash of the PTX that was assembled, the words, and for each its line of that PTX.
//         traces/captures/README.md describes the file. That of sm_90 is in the binary.
// Units:  words of 16 bytes as hexadecimal digits, the highest first.
// Errors: a file that cannot be read: a sentence.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "isa/sass/cubin.h"

namespace warpsim::tools {

struct CapturedCode {
  std::string ptx;            // its hash
  sass::CodeSection section;  // with lines of PTX
};

struct CodeCapture {
  std::string compiler;  // as the cubin says it
  std::string command;   // what wrote the file
  unsigned target = 0;
  std::map<std::string, CapturedCode> programs;  // by GROUP/NAME
};

std::string to_json(const CodeCapture& capture);
[[nodiscard]] std::variant<CodeCapture, std::string> read_code_capture(std::string_view text);

const CodeCapture& captured_code();
// What was captured of that text of PTX; null: nothing.
const CapturedCode* captured_code_of(std::string_view ptx);
// As if the cubin were there.
sass::Cubin cubin_of(const CapturedCode& code, std::string_view ptx);

}  // namespace warpsim::tools
