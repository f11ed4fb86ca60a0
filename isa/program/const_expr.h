// A constant that is known once the lane count is: `WARP_SZ / 2 - 1`.
//
// Shapes: tokens in postfix order; a plain number is one token. Arithmetic is on 64-bit signed integers.
// Units:  none.
// Errors: dividing by zero, and shifting by a negative or too large count, give 0 (the verifier has refused them at
//         every lane count before a program runs).
// Source: PTX ISA 9.0, section 4.5.2 "Constant Expressions"; WARP_SZ is PTX's predefined constant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

struct ConstToken {
  enum class Kind : std::uint8_t { Number, WarpSize, Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Neg, Not };
  Kind kind = Kind::Number;
  std::int64_t number = 0;
  bool operator==(const ConstToken&) const = default;
};

struct ConstExpr {
  std::vector<ConstToken> tokens;

  static ConstExpr number(std::int64_t n) { return {{{ConstToken::Kind::Number, n}}}; }
  static ConstExpr warp_size() { return {{{ConstToken::Kind::WarpSize, 0}}}; }
  bool empty() const { return tokens.empty(); }
  bool is_number() const { return tokens.size() == 1 && tokens[0].kind == ConstToken::Kind::Number; }
  std::int64_t evaluate(unsigned lanes) const;
  bool divides_by_zero(unsigned lanes) const;
  std::string to_string() const;  // infix, fully readable again: "WARP_SZ / 2 - 1"
  bool operator==(const ConstExpr&) const = default;
};

}  // namespace warpsim
