// JSON objects and arrays, written in the order in which their members are added: for what the verbs print with --json.
//
// Shapes: str() is the finished text, one line. Values come from traces/io/json_values.h, the same spelling as
//         in a trace.
// Errors: none: every value has a text.
// Source: RFC 8259.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/io/json_values.h"

namespace warpsim::tools {

class JsonObject {
 public:
  JsonObject& raw(std::string_view name, std::string_view json) {
    text_ += text_.empty() ? "{" : ", ";
    append_json_string(text_, name);
    (text_ += ": ") += json;
    return *this;
  }
  JsonObject& text(std::string_view name, std::string_view value) {
    std::string quoted;
    append_json_string(quoted, value);
    return raw(name, quoted);
  }
  JsonObject& number(std::string_view name, std::uint64_t value) { return raw(name, std::to_string(value)); }
  JsonObject& boolean(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }
  std::string str() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

inline std::string json_text(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

// `items` are JSON texts.
inline std::string json_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ", ";
    text += item;
  }
  return text + "]";
}

}  // namespace warpsim::tools
