// A named case of a program: launch, inputs and what is expected, as rules that hold at any lane count.
//
// Shapes: a case keeps its fields as written; evaluate_array() and evaluate_scalar() compute them. An array rule is
//         either a list `[3, 1, 7]` or an expression in i, evaluated for every i below the buffer's length.
// Units:  lengths and indices count elements.
// Errors: evaluation returns a CaseError with the place inside the rule; nothing throws.
//
// The rule language. Numbers are 64-bit integers (wrapping) or floats. Floats are computed in the type of the array
// that the rule fills: f32, f16 and bf16 arrays in f32, every operation rounded as the kernel would, and 16 bits
// rounded once more at the end; all else in f64. An array of pairs has its rule computed twice, for the low halves and
// the high. An integer beside a float becomes one. A float never becomes an integer unless the rule says int(a).
//   rule     := array { "," "last" expr | "," "first" expr }       the last or first element replaced
//   array    := "[" expr { "," expr } "]"                          exactly these
//             | "[" expr { "," expr } "]" "repeated"               over and over up to the length
//             | expr "," expr { "," expr }                         exactly these, too: for a command line
//             | "iota" | "fill" ":" expr | "random" ":" SEED       i, a constant, the generator below
//             | expr
//   expr     := C's operators ?: || && | ^ & == != < <= > >= << >> + - * / % unary - + ! ~, parentheses, C's precedence
//             | 12  0x1F  0b101  1.5  1e-3  0f3F800000  0d3FF0000000000000  inf  nan
//             | i  n  lane  warp  block  thread  W  WARP_SZ  grid  block_size  and the names of scalar parameters
//             | name "[" expr "]"                                  an array evaluated before (inputs, in order)
//             | min(a, b) max(a, b) abs(a) sqrt(a) float(a) int(a)
//             | pair(a, b)                                         f16x2, bf16x2: a in the low halves, b in the high
//             | low(a) high(a)                                     a with that half of every pair in it
//             | sum(j, from, to, expr) and min, max, product, count likewise, for j in [from, to), in increasing j
// `i` is the element's index and `n` the array's length. `lane`, `warp`, `block`, `thread` are those of the thread
// whose %gtid is i (one-dimensional launches; warp and thread count inside the block). `grid` counts blocks,
// `block_size` threads of a block. Names nearer by win: a loop's j, then a scalar parameter, then these. `/` and `%` go
// toward zero, `>>` keeps the sign,
// ?: && || leave out what they do not need. sum and count of nothing are 0, product is 1, min and max of nothing are
// errors. A 64-bit array takes every integer (-1 is all ones); narrower ones refuse what does not fit. Comments may
// stand in a rule.
//
// The generator random:SEED is splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014),
// one draw an element in index order, in 64-bit arithmetic that wraps:
//   state = SEED;   for each element:   state += 0x9E3779B97F4A7C15;   z = state;
//   z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;   z = (z ^ z >> 27) * 0x94D049BB133111EB;   draw = z ^ z >> 31
// An integer or untyped element of w bits is the draw's high w bits. A float element is ((draw >> 40) - 2^23) / 2^16,
// rounded to its type: evenly spread over [-128, 128), exact in f32 and f64. A pair's high half is made likewise from
// the draw's low 24 bits.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isa/table/array.h"
#include "isa/table/findings.h"
#include "isa/table/type.h"
#include "isa/text/source.h"

namespace warpsim {

inline constexpr std::string_view kFindingKey = "finding";       // the field that says what must be found
inline constexpr std::string_view kSharedKey = "shared";         // bytes of dynamic shared memory, of kernels from PTX
inline constexpr std::string_view kUndefinedRule = "undefined";  // of a buffer without contents

struct CaseField {
  std::string key;                                  // "size", "input", "expect output" …
  std::string value;                                // as written
  SourceRange where;                                // of the value
  std::shared_ptr<const Array> contents = nullptr;  // of "@x.npy", once somebody has read the file
  bool names_file() const { return value.starts_with('@'); }
};

struct Case {
  std::string name;               // "test"
  std::vector<CaseField> fields;  // in writing order: lanes, grid, block, scalar parameters, inputs, expected outputs
  SourceRange where;
  const CaseField* find(std::string_view key) const;
};

// What a case says must be found: `finding = WS0104 @ read, WS0401` in its fields. The place is a label's.
struct ExpectedFinding {
  Finding code{};
  std::int32_t pc = -1;  // -1: anywhere
  bool operator==(const ExpectedFinding&) const = default;
};
using Labels = std::vector<std::pair<std::string, std::int32_t>>;

struct CaseError {
  std::string message;     // what is wrong, what was expected
  std::size_t offset = 0;  // bytes into the rule
};

// What a rule may refer to.
struct CaseScope {
  unsigned lanes = 32;
  Dim3 grid, block;
  std::map<std::string, std::uint64_t, std::less<>> scalars;  // a parameter's bits …
  std::map<std::string, Type, std::less<>> scalar_types;      // … and its type
  std::map<std::string, Array, std::less<>> arrays;           // inputs evaluated so far
};

std::variant<Array, CaseError> evaluate_array(std::string_view rule, Type type, std::size_t length,
                                              const CaseScope& scope);
std::variant<std::uint64_t, CaseError> evaluate_scalar(std::string_view rule, Type type,
                                                       const CaseScope& scope);  // bits
std::variant<std::vector<ExpectedFinding>, CaseError> parse_findings(std::string_view text, const Labels& labels);
// The number of elements that the rule itself fixes (a list that is not repeated), or 0 if any length will do or the
// rule is wrong.
std::size_t natural_length(std::string_view rule);

// Text of one element: integers in decimal (untyped bits as unsigned), floats shortest round-trip with ".0", "NaN",
// "Infinity",
// "-Infinity", predicates "true" and "false", pairs "{1.0, -2.5}". f16 and bf16 write whole numbers in full.
std::string format_value(Type type, std::uint64_t bits);
// The bits of `text` read as `type`: the inverse of format_value (NaN: the quiet one). Also 0x…: of a float, its bits.
std::variant<std::uint64_t, CaseError> parse_value(Type type, std::string_view text);

}  // namespace warpsim
