// Whole arrays from JSON text: what `--input name=@file.json` and `-` read.
//
// Shapes: [1, 2, 3], or {"input": [1, 2, 3]}.
// Errors: as json_dom.h; null, which means undefined, is refused here.
#include "traces/io/json_dom.h"
#include "traces/io/json_values.h"

namespace warpsim {
namespace {

Array read_array(const Node& node, Type type) {
  Array array{type, {}};
  const std::size_t count = node.size();
  array.bits.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t bits = 0;
    const Json& item = node.json()[k];
    if (read_value(item, type, 64, bits) != ValueRead::Value) {
      node.item(k).fail("J004", refusal(item, type, 64));
      break;
    }
    array.bits.push_back(bits);
  }
  return array;
}

Array read_array_or_member(const Node& node, Type type, std::string_view name) {
  if (node.is_array()) return read_array(node, type);
  if (node.has(name)) return read_array(node.member(name), type);
  if (node.json().is_object() && node.json().size() == 1)
    return read_array(Node(node.json().front(), *node.reading(), "/" + node.json().begin().key()), type);
  node.fail("J004", "expected an array, found " + describe(node.json()),
            name.empty() ? "write [1, 2, 3]" : "write [1, 2, 3], or {\"" + std::string(name) + "\": [1, 2, 3]}");
  return {};
}

}  // namespace

std::variant<Array, JsonError> array_from_json(std::string_view text, Type type, std::string_view name) {
  const std::variant<Json, JsonError> parsed = parse_json(text);
  if (const JsonError* error = std::get_if<JsonError>(&parsed)) return *error;
  Reading reading;
  Array array = read_array_or_member(Node(std::get<Json>(parsed), reading), type, name);
  if (reading.failed()) return *reading.error;
  return array;
}

std::string render(const JsonError& error, std::string_view file) {
  std::string out(file);
  if (error.line != 0) out += ":" + std::to_string(error.line);
  if (error.line != 0 && error.column != 0) out += ":" + std::to_string(error.column);
  out += ": error[" + error.code + "]: ";
  if (!error.pointer.empty()) out += "at " + error.pointer + ": ";
  out += error.message + "\n";
  if (!error.hint.empty()) out += "  try: " + error.hint + "\n";
  return out;
}

}  // namespace warpsim
