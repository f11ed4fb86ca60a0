// Reading JSON documents, private to traces/: a document without exceptions, and a cursor in it that checks what it
// reads.
//
// Shapes: parse_json() builds the document; a Node is one place in it and knows its JSON pointer. The first
//         fault is kept in Reading; after it every read gives a harmless default, so that readers need not test each
//         step.
// Units:  depth counts brackets.
// Errors: JsonError: J001 no JSON, J002 too deep, J003 ends too early, J004 wrong type, J005 member missing,
//         J006 value not allowed, J010 sizes disagree, J011 unknown name.
// Source: RFC 8259 (JSON), RFC 6901 (pointers); nlohmann/json's SAX interface.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "isa/table/type.h"
#include "sim/event/lane_mask.h"
#include "traces/io/json_values.h"

namespace warpsim {

using Json = nlohmann::ordered_json;  // members keep their order

inline constexpr int kMaxJsonDepth = 64;

[[nodiscard]] std::variant<Json, JsonError> parse_json(std::string_view text);

// The depth of brackets of a text that comes in pieces, so that a hostile one need not be gathered first.
class JsonDepth {
 public:
  bool is_too_deep(std::string_view text);  // after this piece, too
  void restart() { *this = JsonDepth(); }

 private:
  int depth_ = 0;
  bool in_string_ = false, escaped_ = false;
};
JsonError nested_too_deep();

// Quoted, and cut short if it is long.
std::string shortened(std::string_view text);
// "0x" and 1 to 16 hexadecimal digits.
bool read_hex(std::string_view text, std::uint64_t& word);

// What a value is, for messages: `the string "x"`, `an array`.
std::string describe(const Json& json);

// How read_value() fared.
enum class ValueRead : std::uint8_t { Value, Undefined, Refused };
ValueRead read_value(const Json& json, Type type, unsigned lanes, std::uint64_t& bits);
// Why read_value() refused: "expected a whole number from 0 to 255 (u8), found 256".
std::string refusal(const Json& json, Type type, unsigned lanes);

struct Reading {
  std::optional<JsonError> error;
  std::uint32_t line = 0;  // of the record in NDJSON
  bool failed() const { return error.has_value(); }
};

class Node {
 public:
  Node(const Json& json, Reading& reading, std::string pointer = "");

  bool is_null() const { return json_->is_null(); }
  bool is_text() const { return json_->is_string(); }
  bool is_array() const { return json_->is_array(); }
  const Json& json() const { return *json_; }
  Reading* reading() const { return reading_; }

  // Members of an object.
  bool has(std::string_view name) const;
  Node member(std::string_view name) const;                           // J005 if it is missing
  std::size_t size() const;                                           // of an array; J004 if it is none
  std::size_t size_as(std::size_t count, std::string_view as) const;  // J010 unless it is `count`
  std::size_t size_of_some() const;                                   // J010 if it is 0
  Node item(std::size_t k) const;
  // Calls f(name, node) for each member of an object, in order.
  template <class F>
  void for_each_member(F f) const {
    if (!want(json_->is_object(), "an object")) return;
    for (auto member = json_->begin(); member != json_->end() && !reading_->failed(); ++member)
      f(member.key(), Node(member.value(), *reading_, pointer_ + "/" + escaped(member.key())));
  }

  std::uint64_t number(std::uint64_t max) const;  // a whole number from 0
  std::uint64_t number_from_1(std::uint64_t max) const;
  std::int64_t integer() const;
  std::string text() const;
  bool truth() const;
  Type type() const;
  LaneMask lanes(unsigned lane_count) const;  // a set of lanes
  std::uint64_t address() const;              // "0x…"
  std::int32_t pc(std::size_t count) const;   // null is -1
  std::uint64_t value(Type type, unsigned lanes, bool& undefined) const;

  void fail(std::string code, std::string message, std::string hint = "") const;
  static std::string escaped(std::string_view name);  // as a part of a JSON pointer

 private:
  bool want(bool condition, std::string_view expected) const;  // J004 unless the condition holds

  const Json* json_;
  Reading* reading_;
  std::string pointer_;
};

}  // namespace warpsim
