// A rule of the case language (case.h) as a tree, between its parser and its evaluator.
//
// Shapes: nodes are in one vector and name their children by index; children come before their parents.
// Units:  offsets count bytes into the rule.
// Errors: parse_rule returns a CaseError. Nesting and tree depth are bounded, so that no input can exhaust the stack.
// Source: the grammar in case.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/cases/case.h"

namespace warpsim {

struct RuleNode {
  enum class Kind : std::uint8_t {
    Integer,  // integer
    Real,     // real, real32
    Name,     // name; loop >= 0: the variable of an enclosing loop
    Element,  // name[a]
    Negate,
    Complement,
    Not,  // of a
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,  // of a, b
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Conditional,  // a ? b : c
    Min,
    Max,   // of a, b
    Pair,  // of a, b: the low half's value and the high half's
    Abs,
    Sqrt,
    ToFloat,
    ToInt,
    Low,
    High,  // of a; the last two: that half of the pairs in it
    Sum,
    Product,
    MinOver,
    MaxOver,
    Count,  // of c for variable `loop` in [a, b)
  };
  Kind kind = Kind::Integer;
  std::int32_t a = -1, b = -1, c = -1;
  std::int32_t loop = -1;
  std::int32_t depth = 1;
  std::int64_t integer = 0;
  double real = 0;        // the literal as f64 …
  float real32 = 0;       // … and as f32, each rounded once
  std::string_view name;  // into the rule's text
  std::size_t offset = 0;
};

struct Rule {
  enum class Shape : std::uint8_t {
    List,      // items, exactly these
    Repeated,  // items, over and over
    Each,      // items[0] for every i
    Random,    // items[0] is the seed
  };
  struct Patch {
    bool last = false;  // else the first element
    std::int32_t value = -1;
  };
  Shape shape = Shape::Each;
  std::vector<std::int32_t> items;
  std::vector<Patch> patches;
  std::vector<RuleNode> nodes;
  std::int32_t loops = 0;  // how many loops nest, at most
};

// The nodes point into `text`, which must stay.
std::variant<Rule, CaseError> parse_rule(std::string_view text);

}  // namespace warpsim
