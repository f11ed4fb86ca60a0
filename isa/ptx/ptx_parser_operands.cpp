// Operands of instructions, and constant expressions (PTX ISA 9.0, 4.5 and 6.4).
#include <array>
#include <optional>

#include "isa/ptx/ptx_parser.h"

namespace warpsim::ptx {
namespace {

// C's, by how tightly they bind.
int binding(const Token& token) {
  struct Operator {
    std::string_view text;
    int binds;
  };
  static constexpr std::array kOperators = {
      Operator{"||", 1}, Operator{"&&", 2}, Operator{"|", 3}, Operator{"^", 4},  Operator{"&", 5},  Operator{"==", 6},
      Operator{"!=", 6}, Operator{"<", 7},  Operator{">", 7}, Operator{"<=", 7}, Operator{">=", 7}, Operator{"<<", 8},
      Operator{">>", 8}, Operator{"+", 9},  Operator{"-", 9}, Operator{"*", 10}, Operator{"/", 10}, Operator{"%", 10}};
  if (!token.is(Token::Kind::Punct)) return 0;
  for (const Operator& one : kOperators)
    if (token.text == one.text) return one.binds;
  return 0;
}

Expression made(Expression::Kind kind, const Token& token) {
  Expression made;
  made.kind = kind;
  made.text = token.text;
  made.bits = token.number;
  made.is_unsigned = token.is_unsigned;
  made.where = token.where;
  return made;
}

}  // namespace

Expression Parser::choice() {
  descend(peek().where);
  Expression first = binary(1);
  if (peek().is("?")) {
    Expression all = made(Expression::Kind::Choice, take());
    all.of.push_back(std::move(first));
    all.of.push_back(choice());
    expect(":", "the first result of ?");
    all.of.push_back(choice());
    first = std::move(all);
  }
  --depth_;
  return first;
}

Expression Parser::binary(int least) {
  Expression left = unary();
  const unsigned depth = depth_;
  for (int binds = binding(peek()); binds >= least && binds != 0; binds = binding(peek())) {
    descend(peek().where);  // each leaves what is to the left of it one level deeper
    Expression both = made(Expression::Kind::Binary, take());
    both.of.push_back(std::move(left));
    both.of.push_back(binary(binds + 1));
    left = std::move(both);
  }
  depth_ = depth;
  return left;
}

Expression Parser::unary() {
  const Token& next = peek();
  if (next.is("-") || next.is("+") || next.is("!") || next.is("~")) {
    descend(next.where);
    Expression one = made(Expression::Kind::Unary, take());
    one.of.push_back(unary());
    --depth_;
    return one;
  }
  return primary();
}

// What stands in parentheses behind a word or a mask.
Expression Parser::call_of(Expression::Kind kind, const Token& token) {
  Expression of = made(kind, token);
  expect("(", token.text);
  of.of.push_back(expression());
  expect(")", "the operand");
  return of;
}

Expression Parser::primary() {
  if (peek().is("(")) {
    const Token open = take();
    if (peek().is(Token::Kind::DotWord)) {  // (.s64) value
      Expression cast = made(Expression::Kind::Cast, take());
      expect(")", "the type");
      descend(open.where);
      cast.of.push_back(unary());
      --depth_;
      return cast;
    }
    Expression inside = expression();
    expect(")", "the expression");
    return inside;
  }
  switch (peek().kind) {
    case Token::Kind::Integer: {
      const Token mask = take();
      return peek().is("(") ? call_of(Expression::Kind::Bytes, mask) : made(Expression::Kind::Integer, mask);
    }
    case Token::Kind::F32: return made(Expression::Kind::F32, take());
    case Token::Kind::F64: return made(Expression::Kind::F64, take());
    case Token::Kind::String: return made(Expression::Kind::String, take());
    case Token::Kind::Word: {
      const Token word = take();
      if (word.text == "generic" && peek().is("(")) return call_of(Expression::Kind::Generic, word);
      Expression symbol = made(Expression::Kind::Symbol, word);
      if (take_if("[")) {
        symbol.of.push_back(expression());
        expect("]", "the index");
      }
      return symbol;
    }
    default: fail_expected("a constant"); return {};
  }
}

// ---- operands

Operand Parser::bracketed(Operand::Kind kind, std::string_view open, std::string_view close) {
  Operand all;
  all.kind = kind;
  all.where = peek().where;
  descend(peek().where);
  expect(open, "");
  while (!peek().is(close)) {
    all.parts.push_back(operand());
    if (!take_if(",")) break;
  }
  expect(close, "the operands");
  --depth_;
  return all;
}

// %r1, %r1.x, buffer, buffer+4, buffer[4].
Operand Parser::symbol() {
  const Token word = take();
  Operand one;
  one.where = word.where;
  if (word.text == "_") return one;
  one.kind = Operand::Kind::Symbol;
  const std::size_t dot = word.text.find('.');
  one.name = word.text.substr(0, dot);
  if (dot != std::string_view::npos) one.element = word.text.substr(dot);
  if (take_if("[")) {
    one.of.push_back(expression());
    expect("]", "the index");
  } else if (peek().is("+") || peek().is("-")) {
    one.of.push_back(binary(1));
  }
  return one;
}

Operand Parser::part() {
  const Token& next = peek();
  if (next.is("[")) return bracketed(Operand::Kind::Address, "[", "]");
  if (next.is("{")) return bracketed(Operand::Kind::Vector, "{", "}");
  if (next.is("(") && in_call_) return bracketed(Operand::Kind::List, "(", ")");
  if (next.is("!")) {
    const Token negation = take();
    if (!peek().is(Token::Kind::Word)) fail_expected("a predicate behind `!`");
    Operand one = symbol();
    one.negated = true;
    one.where = negation.where;
    return one;
  }
  if (next.is(Token::Kind::Word)) return symbol();
  if (next.is(Token::Kind::String)) {
    Operand one;
    one.kind = Operand::Kind::String;
    const Token text = take();
    one.name = text.text;
    one.where = text.where;
    return one;
  }
  const bool is_number = next.is(Token::Kind::Integer) || next.is(Token::Kind::F32) || next.is(Token::Kind::F64);
  if (!is_number && !next.is("-") && !next.is("+") && !next.is("~") && !next.is("(")) fail_expected("an operand");
  Operand one;
  one.kind = Operand::Kind::Constant;
  one.where = next.where;
  one.of.push_back(expression());
  return one;
}

Operand Parser::operand() {
  Operand first = part();
  if (!peek().is("|")) return first;
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.where = first.where;
  pair.parts.push_back(std::move(first));
  take();
  pair.parts.push_back(part());
  return pair;
}

}  // namespace warpsim::ptx
