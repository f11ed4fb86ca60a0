// What warpsim can find, as a table: codes, severities, words.
//
// Shapes: one row a code, from isa/table/findings.def, with its long text from isa/table/findings_text.def. A Finding's
//         number is its code: 101 is WS0101.
// Errors: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpsim {

enum class Severity : std::uint8_t { Error, Warning, Wrong, Advice };
std::string_view name(Severity severity);  // "error", "warning", "wrong answer", "advice"

enum class Finding : std::uint16_t {
#define FINDING(code, Name, severity, example, title, rule, hint) Name = code,
#include "isa/table/findings.def"
#undef FINDING
};

struct FindingInfo {
  Finding finding;
  std::string_view name;  // "NeverWritten"
  Severity severity;
  std::string_view example;  // "bugs/written_on_one_path", the program that shows it; "" if no text can
  std::string_view title, rule, hint;
  std::string_view text;  // paragraphs, with an empty line between two
};
inline constexpr std::string_view kFixed = "_fixed";  // follows the name of an example: its fix

std::span<const FindingInfo> all_findings();  // by code
const FindingInfo& info(Finding finding);
std::string code(Finding finding);  // "WS0101"
std::string kind(Finding finding);  // "never-written"
// Of "WS0101", also in lower case; nothing if there is no such code.
std::optional<Finding> finding_of(std::string_view code);

}  // namespace warpsim
