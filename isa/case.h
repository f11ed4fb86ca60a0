// A named case of a program: launch, inputs and what is expected, as rules that hold at any lane count.
//
// Shapes: a case keeps its fields as written; evaluate_array() and evaluate_scalar() compute them. An array rule is
//         either a list `[3, 1, 7]` or an expression in i, evaluated for every i below the buffer's length.
// Units:  lengths and indices count elements.
// Errors: evaluation returns a CaseError with the place inside the rule; nothing throws.
//
// The rule language. Numbers are 64-bit integers or floats; an expression with a float in it is computed in the type of the
// array that it fills (f32: every operation rounded to f32, as the kernel would).
//   rule     := array { "," "last" expr | "," "first" expr }       the last or first element replaced
//   array    := "[" expr { "," expr } "]"                          exactly these
//             | "[" expr { "," expr } "]" "repeated"               over and over up to the length
//             | "iota" | "fill" ":" expr | "random" ":" SEED       i, a constant, the documented generator (FORMAT.md)
//             | expr
//   expr     := C's operators ?: || && == != < <= > >= | ^ & << >> + - * / % unary - ! ~, parentheses
//             | i  n  lane  warp  block  thread  W  WARP_SZ  grid  block_size  and the names of scalar parameters
//             | name "[" expr "]"                                  an array evaluated before (inputs, in order)
//             | min(a, b) max(a, b) abs(a) sqrt(a) float(a) int(a)
//             | sum(j, from, to, expr) and min, max, product, count likewise, for j in [from, to), in increasing j
// `lane`, `warp`, `block`, `thread` are those of the thread whose %gtid is i (one-dimensional launches).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isa/source.h"
#include "isa/type.h"

namespace warpsim {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

// A typed array: the contents of a buffer. One element's bits in each word, zero-extended.
struct Array {
  Type type = Type::None;
  std::vector<std::uint64_t> bits;
  bool operator==(const Array&) const = default;
};

struct CaseField {
  std::string key;           // "size", "input", "expect.output" …
  std::string value;         // as written
  SourceRange where;         // of the value
};

struct Case {
  std::string name;          // "test"
  std::vector<CaseField> fields;   // in writing order: lanes, grid, block, scalar parameters, inputs, expected outputs
  SourceRange where;
  const CaseField* find(std::string_view key) const;
};

struct CaseError {
  std::string message;       // what is wrong, what was expected
  std::size_t offset = 0;    // bytes into the rule
};

// What a rule may refer to.
struct CaseScope {
  unsigned lanes = 32;
  Dim3 grid, block;
  std::map<std::string, std::uint64_t, std::less<>> scalars;     // a parameter's bits …
  std::map<std::string, Type, std::less<>> scalar_types;         // … and its type
  std::map<std::string, Array, std::less<>> arrays;              // inputs evaluated so far
};

std::variant<Array, CaseError> evaluate_array(std::string_view rule, Type type, std::size_t length, const CaseScope& scope);
std::variant<std::uint64_t, CaseError> evaluate_scalar(std::string_view rule, Type type, const CaseScope& scope);  // bits
// The number of elements that the rule itself fixes (a list that is not repeated), or 0 if any length will do.
std::size_t natural_length(std::string_view rule);

// Text of one element: integers in decimal, floats shortest round-trip with ".0", "NaN", "Infinity", "-Infinity".
std::string format_value(Type type, std::uint64_t bits);
// The bits of `text` read as `type`; the inverse of format_value, and hexadecimal.
std::variant<std::uint64_t, CaseError> parse_value(Type type, std::string_view text);

}  // namespace warpsim
