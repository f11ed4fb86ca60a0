// Constant expressions over WARP_SZ: evaluating them, and writing them out again.
//
// Shapes: a stack machine over the postfix tokens; no recursion, so that no expression is too deep.
// Units:  none.
// Errors: a division by zero or a shift by a count outside 0 … 63 gives 0; the verifier has refused them before a run.
// Source: PTX ISA 9.0, section 4.5 "Constants": C's operators and precedence on 64-bit integers.
#include "isa/program/const_expr.h"

#include <utility>

#include "isa/text/check.h"

namespace warpsim {
namespace {

using TokenKind = ConstToken::Kind;

constexpr int kAtom = 8;  // precedence of a number, a name, a parenthesis
constexpr int kUnary = 7;

bool is_unary(TokenKind k) { return k == TokenKind::Neg || k == TokenKind::Not; }

int precedence(TokenKind k) {
  switch (k) {
    case TokenKind::Number:
    case TokenKind::WarpSize: return kAtom;
    case TokenKind::Neg:
    case TokenKind::Not: return kUnary;
    case TokenKind::Mul:
    case TokenKind::Div:
    case TokenKind::Rem: return 6;
    case TokenKind::Add:
    case TokenKind::Sub: return 5;
    case TokenKind::Shl:
    case TokenKind::Shr: return 4;
    case TokenKind::And: return 3;
    case TokenKind::Xor: return 2;
    case TokenKind::Or: return 1;
  }
  return 0;
}

const char* symbol(TokenKind k) {
  switch (k) {
    case TokenKind::Number:
    case TokenKind::WarpSize: break;
    case TokenKind::Neg: return "-";
    case TokenKind::Not: return "~";
    case TokenKind::Mul: return " * ";
    case TokenKind::Div: return " / ";
    case TokenKind::Rem: return " % ";
    case TokenKind::Add: return " + ";
    case TokenKind::Sub: return " - ";
    case TokenKind::Shl: return " << ";
    case TokenKind::Shr: return " >> ";
    case TokenKind::And: return " & ";
    case TokenKind::Xor: return " ^ ";
    case TokenKind::Or: return " | ";
  }
  return "";
}

// Wraps like the 64-bit machine that PTX computes constants on.
std::int64_t apply(TokenKind k, std::int64_t a, std::int64_t b, bool& zero_divisor) {
  const std::uint64_t ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  const bool shift_ok = b >= 0 && b < 64;
  switch (k) {
    case TokenKind::Add: return static_cast<std::int64_t>(ua + ub);
    case TokenKind::Sub: return static_cast<std::int64_t>(ua - ub);
    case TokenKind::Mul: return static_cast<std::int64_t>(ua * ub);
    case TokenKind::Div:
    case TokenKind::Rem:
      if (b == 0) {
        zero_divisor = true;
        return 0;
      }
      if (b == -1) return k == TokenKind::Rem ? 0 : static_cast<std::int64_t>(0 - ua);
      return k == TokenKind::Div ? a / b : a % b;
    case TokenKind::Shl: return shift_ok ? static_cast<std::int64_t>(ua << b) : 0;
    case TokenKind::Shr: return shift_ok ? a >> b : 0;
    case TokenKind::And: return a & b;
    case TokenKind::Or: return a | b;
    case TokenKind::Xor: return a ^ b;
    case TokenKind::Number:
    case TokenKind::WarpSize:
    case TokenKind::Neg:
    case TokenKind::Not: break;
  }
  return 0;
}

std::int64_t run(const std::vector<ConstToken>& tokens, unsigned lanes, bool& zero_divisor) {
  if (tokens.size() == 1 && tokens[0].kind == TokenKind::Number) return tokens[0].number;
  std::vector<std::int64_t> stack;
  for (const ConstToken& token : tokens) {
    if (token.kind == TokenKind::Number || token.kind == TokenKind::WarpSize) {
      stack.push_back(token.kind == TokenKind::Number ? token.number : static_cast<std::int64_t>(lanes));
      continue;
    }
    WARPSIM_CHECK(stack.size() >= (is_unary(token.kind) ? 1U : 2U));
    if (token.kind == TokenKind::Neg) {
      stack.back() = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(stack.back()));
    } else if (token.kind == TokenKind::Not) {
      stack.back() = ~stack.back();
    } else {
      const std::int64_t b = stack.back();
      stack.pop_back();
      stack.back() = apply(token.kind, stack.back(), b, zero_divisor);
    }
  }
  return stack.empty() ? 0 : stack.back();
}

struct Piece {
  std::string text;
  int precedence;
};

std::string in_parentheses_if(bool needed, std::string text) { return needed ? "(" + text + ")" : std::move(text); }

}  // namespace

std::int64_t ConstExpr::evaluate(unsigned lanes) const {
  bool ignored = false;
  return run(tokens, lanes, ignored);
}

bool ConstExpr::divides_by_zero(unsigned lanes) const {
  bool zero_divisor = false;
  run(tokens, lanes, zero_divisor);
  return zero_divisor;
}

std::string ConstExpr::to_string() const {
  std::vector<Piece> stack;
  for (const ConstToken& token : tokens) {
    const int own = precedence(token.kind);
    if (token.kind == TokenKind::Number) {
      stack.push_back({std::to_string(token.number), token.number < 0 ? kUnary : kAtom});
    } else if (token.kind == TokenKind::WarpSize) {
      stack.push_back({"WARP_SZ", kAtom});
    } else if (is_unary(token.kind)) {
      WARPSIM_CHECK(!stack.empty());
      Piece& a = stack.back();
      a = {symbol(token.kind) + in_parentheses_if(a.precedence < own, std::move(a.text)), own};
    } else {
      WARPSIM_CHECK(stack.size() >= 2);
      const Piece b = std::move(stack.back());
      stack.pop_back();
      Piece& a = stack.back();
      // Left-associative: an equal precedence on the right needs its parentheses.
      a = {in_parentheses_if(a.precedence < own, std::move(a.text)) + symbol(token.kind) +
               in_parentheses_if(b.precedence <= own, b.text),
           own};
    }
  }
  return stack.empty() ? "" : stack.back().text;
}

}  // namespace warpsim
