// Values as JSON: how a lane's bits, a mask, a string and a whole array are written and read back.
//
// Shapes: the append functions write straight into a buffer; one element's bits come zero-extended in a word.
// Units:  masks have one bit a lane; hexadecimal text of a mask is 8 digits wide, 16 at 64 lanes.
// Errors: JsonError, codes J…: says where, what was expected and what to try. Nothing throws.
// Source: traces/FORMAT.md, "Numbers".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "isa/cases/case.h"
#include "isa/table/type.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

// Why a JSON text was refused.
struct JsonError {
  std::string code;          // "J004"
  std::string message;       // what is wrong and what was expected
  std::string hint;          // what to try; may be ""
  std::string pointer;       // RFC 6901: "/events/41/pc"; "" where the text is no JSON at all
  std::uint32_t line = 0;    // from 1; of the place in the text if it is no JSON, of the record in NDJSON; else 0
  std::uint32_t column = 0;  // from 1, in bytes; 0 where only the line is known
};
// "run.json:3:17: error[J001]: …" and the hint on a second line.
std::string render(const JsonError& error, std::string_view file);

// `lanes` matters for Type::Mask alone.
void append_json_value(std::string& out, Type type, std::uint64_t bits, unsigned lanes = 32);
void append_json_mask(std::string& out, LaneMask mask, unsigned lanes);
void append_json_unsigned(std::string& out, std::uint64_t number);
void append_json_string(std::string& out, std::string_view text);  // quoted; bytes that are no UTF-8 become U+FFFD
void append_json_array(std::string& out, const Array& array);

std::string array_to_json(const Array& array);
// `text` is a JSON array, or an object with one member that is an array (or with one called `name`).
[[nodiscard]] std::variant<Array, JsonError> array_from_json(std::string_view text, Type type,
                                                             std::string_view name = "");

}  // namespace warpsim
