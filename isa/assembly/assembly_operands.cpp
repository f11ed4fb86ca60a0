// Operands as written, and constant expressions.
//
// Shapes: operand := ["!"] %reg ["|" %reg] | %special | constant | float | name | name "[" index "]" | "[" address "]"
//                  | "width=" constant | "mask=" operand | "{" operand {"," operand} "}"
//         index   := (%reg | %special) [("+" | "-") constant] | constant
//         address := (%reg | name) [("+" | "-") constant] | constant
//         constant := C's operators + - * / % << >> & ^ | ~ and parentheses over integers and WARP_SZ
// Errors: A005 syntax, A006 expression too deep or too long, A011 not supported yet, A032 unknown special register.
// Source: PTX ISA 9.0, sections 4.5 and 6.4.
#include <bit>
#include <limits>

#include "isa/assembly/assembly.h"
#include "isa/assembly/opcode_errors.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongest = 256;
constexpr std::size_t kMostElements = 4;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
using Kind = WrittenOperand::Kind;
using Const = ConstToken::Kind;

struct Operator {
  std::string_view text;
  Const kind;
  int precedence;
};
constexpr Operator kOperators[] = {
    {"*", Const::Mul, 6},  {"/", Const::Div, 6},  {"%", Const::Rem, 6}, {"+", Const::Add, 5}, {"-", Const::Sub, 5},
    {"<<", Const::Shl, 4}, {">>", Const::Shr, 4}, {"&", Const::And, 3}, {"^", Const::Xor, 2}, {"|", Const::Or, 1}};
constexpr int kAdditive = 5;

const Operator* binary_operator(const Token& token) {
  for (const Operator& op : kOperators) {
    if (token.is(op.text)) return &op;
  }
  return nullptr;
}

bool is_float_token(const Token& t) {
  return t.is(Token::Kind::Float) || t.is(Token::Kind::FloatBits) || t.is(Token::Kind::DoubleBits);
}

std::optional<std::uint64_t> named_float(std::string_view word) {
  if (word == "inf") return __builtin_bit_cast(std::uint64_t, std::numeric_limits<double>::infinity());
  if (word == "nan") return std::uint64_t{0x7ff8000000000000};
  return std::nullopt;
}

SourceRange span(SourceRange first, const Token& next) {
  if (next.where.line == first.line && next.where.column > first.column)
    first.length = next.where.column - first.column;
  return first;
}

}  // namespace

Hint Assembly::comma_before(const Token& token) const {
  const bool is_name =
      token.is(Token::Kind::Word) && (names_.params.count(token.text) != 0 || names_.objects.count(token.text) != 0);
  const bool begins =
      is_name || token.is(Token::Kind::Register) || token.is(Token::Kind::Integer) || is_float_token(token);
  return begins ? missing(",") : "";
}
Hint Assembly::bracket_before(const Token& token) const {
  return token.ends_statement() || token.is(",") ? missing("]") : "";
}

Hint Assembly::percent_before(const Token& token) {
  if (!token.is(Token::Kind::Word) || token.text.find('.') != std::string_view::npos) return "";
  return did_you_mean(token.where, "%" + std::string(token.text));
}

std::optional<WrittenOperand> Assembly::written_operand(bool is_named) {
  WrittenOperand o;
  Token token = lexer_.peek();
  o.where = token.where;
  if (token.is("!")) {
    lexer_.next();
    o.negated = true;
    token = lexer_.peek();
    if (!token.is(Token::Kind::Register)) {
      fail("A005", token.where, "`!` comes before a predicate register", percent_before(token));
      return std::nullopt;
    }
  }
  bool ok = true;
  if (token.is(Token::Kind::Register)) ok = written_register(o, lexer_.next());
  else if (token.is(Token::Kind::Word)) ok = written_word(o, token, is_named);
  else if (token.is("[")) ok = written_address(o);
  else if (token.is("{")) ok = written_vector(o);
  else if (is_float_token(token) || token.is(Token::Kind::Integer) || token.is("-") || token.is("+") || token.is("~") ||
           token.is("("))
    ok = written_number(o);
  else
    ok = fail("A005", token.where,
              token.ends_statement() ? "expected an operand after the comma"
                                     : "expected an operand, found " + quoted(token.text));
  if (!ok) return std::nullopt;
  const Token& after = lexer_.peek();
  if (!after.is(",") && binary_operator(after) != nullptr) {
    fail("A005", after.where, "an operand is one register or one constant",
         "compute it with an instruction before, or write the constant as numbers and WARP_SZ only");
    return std::nullopt;
  }
  return o;
}

// `{%a, %b}`, after PTX of two or four elements; which of them an instruction takes is asked when it is bound.
bool Assembly::written_vector(WrittenOperand& o) {
  const SourceRange open = lexer_.next().where;
  o.kind = Kind::Vector;
  while (true) {
    const Token token = lexer_.peek();
    if (token.is("{") || token.is("[")) return fail("A005", token.where, "an element of a vector is a register");
    std::optional<WrittenOperand> element = written_operand(true);
    if (!element) return false;
    if (!element->second.empty()) return fail("A005", element->second_where, "an element of a vector is one register");
    o.elements.push_back(std::move(*element));
    if (o.elements.size() > kMostElements)
      return fail("A005", open, "a vector has 2 or 4 elements", "more take several instructions");
    if (lexer_.peek().is("}")) break;
    if (!expect(",", "between the elements of a vector", comma_before(lexer_.peek()))) return false;
  }
  const SourceRange close = lexer_.next().where;
  if (close.line == open.line) o.where.length = close.column + 1 - open.column;
  return true;
}

bool Assembly::written_register(WrittenOperand& o, const Token& token) {
  o.where.length = token.where.column + token.where.length - o.where.column;
  if (const std::optional<Special> special = parse_special(token.text)) {
    o.kind = Kind::Special;
    o.special = special;
    if (o.negated) return fail("A005", o.where, "`!` comes before a predicate register");
    return true;
  }
  if (token.text.find('.') != std::string_view::npos) {
    if (is_unsupported_special(token.text))
      return fail("A011", token.where, quoted(token.text) + ", a special register of PTX, is not supported yet");
    const std::string meant = special_named(token.text);
    std::vector<std::string> names;
    for (const SpecialInfo& row : all_specials()) names.push_back(std::string(row.name));
    const std::string close = meant.empty() ? nearest(token.text, names) : meant;
    return fail("A032", token.where, "no special register " + quoted(token.text),
                close.empty() ? "a register's own name has no dots" : did_you_mean(token.where, close));
  }
  o.kind = Kind::Register;
  o.name = std::string(token.text);
  if (!lexer_.peek().is("|")) return true;
  lexer_.next();
  const Token second = lexer_.next();
  if (!second.is(Token::Kind::Register))
    return fail("A005", second.where, "after `|` comes a second register, a predicate: %d|%p", percent_before(second));
  o.second = std::string(second.text);
  o.second_where = second.where;
  return true;
}

bool Assembly::written_word(WrittenOperand& o, const Token& token, bool is_named) {
  if (token.text == "WARP_SZ" || named_float(token.text)) return written_number(o);
  lexer_.next();
  o.kind = Kind::Name;
  o.name = std::string(token.text);
  if (lexer_.peek().is("[")) return written_element(o);
  if (!lexer_.peek().is("=")) return true;
  if (token.text != "width" && token.text != "mask") {
    return fail("A036", token.where, "no operand is called " + quoted(token.text),
                "the named operands are width= and mask=");
  }
  const Token equals = lexer_.next();
  if (is_named) return fail("A005", equals.where, "a named operand has one name");
  std::optional<WrittenOperand> value = written_operand(true);
  if (!value) return false;
  if (!value->second.empty()) return fail("A005", token.where, quoted(token.text) + " takes one value");
  const SourceRange where = o.where;
  o = std::move(*value);
  o.keyword = std::string(token.text);
  if (o.where.line == where.line) o.where.length += o.where.column - where.column;
  o.where.column = where.column;
  o.where.line = where.line;
  return true;
}

// What follows the register of an index or an address: nothing, or + constant, or - constant.
bool Assembly::index_rest(WrittenOperand& o) {
  const Token sign = lexer_.peek();
  if (sign.is("]")) return true;
  if (!sign.is("+") && !sign.is("-")) {
    return fail("A005", sign.where,
                sign.ends_statement() ? "expected `]`" : "expected `]`, + or - here, found " + quoted(sign.text),
                binary_operator(sign) != nullptr
                    ? "an index is a register plus a constant: compute the rest with an instruction before"
                    : bracket_before(sign));
  }
  lexer_.next();
  const Token next = lexer_.peek();
  if (next.is(Token::Kind::Register) || (next.is(Token::Kind::Word) && next.text != "WARP_SZ")) {
    return fail("A005", next.where, "an index is one register plus a constant",
                "add.u32 %sum, %a, %b before, then use [%sum]");
  }
  // `- a + b` is (-a) + b; `+ a + b` is a + b.
  if (sign.is("-")) {
    if (!constant_term(o.expr, kAdditive + 1, 0)) return false;
    if (o.expr.is_number())
      o.expr.tokens[0].number = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(o.expr.tokens[0].number));
    else o.expr.tokens.push_back({Const::Neg, 0});
    if (!constant_tail(o.expr, kAdditive, 0)) return false;
  } else if (!constant_term(o.expr, kAdditive, 0)) {
    return false;
  }
  if (o.expr.is_number() && o.expr.tokens[0].number == 0) o.expr.tokens.clear();
  return true;
}

bool Assembly::written_element(WrittenOperand& o) {
  o.kind = Kind::Element;
  lexer_.next();
  const Token first = lexer_.peek();
  o.index_where = first.where;
  if (first.is(Token::Kind::Register)) {
    WrittenOperand index;
    index.where = first.where;
    if (!written_register(index, lexer_.next())) return false;
    if (!index.second.empty()) return fail("A005", index.second_where, "an index is one register");
    o.special = index.special;
    if (index.kind == Kind::Register) o.index = index.name;
    if (!index_rest(o)) return false;
  } else if (first.is(Token::Kind::Word) && first.text != "WARP_SZ") {
    const std::string special = special_named(first.text);
    return fail("A025", first.where, "an index is a register or a constant, not " + quoted(first.text),
                !special.empty() ? did_you_mean(first.where, special)
                : names_.registers.count("%" + std::string(first.text)) != 0
                    ? did_you_mean(first.where, "%" + std::string(first.text))
                    : "mov.u32 %i, " + std::string(first.text) + " makes a register of a parameter");
  } else if (first.is("]")) {
    return fail("A005", first.where, "the index is missing", "for example " + o.name + "[%gtid]");
  } else {
    std::optional<ConstExpr> expr = constant();
    if (!expr) return false;
    o.expr = std::move(*expr);
    if (lexer_.peek().is(Token::Kind::Register))
      return fail("A005", lexer_.peek().where, "in an index the register comes first",
                  "for example " + o.name + "[%i + 1]");
  }
  const SourceRange close = lexer_.peek().where;
  if (close.line == o.where.line) o.where.length = close.column + 1 - o.where.column;
  return expect("]", "after the index", bracket_before(lexer_.peek()));
}

bool Assembly::written_address(WrittenOperand& o) {
  o.kind = Kind::Address;
  lexer_.next();
  const Token first = lexer_.peek();
  o.index_where = first.where;
  if (first.is(Token::Kind::Register)) {
    WrittenOperand base;
    base.where = first.where;
    if (!written_register(base, lexer_.next())) return false;
    if (!base.second.empty()) return fail("A005", base.second_where, "an address is one register");
    if (base.kind == Kind::Special)
      return fail("A022", first.where, quoted(first.text) + " is no address",
                  "an element of a buffer is written input[" + std::string(first.text) + "]");
    o.index = base.name;
    if (!index_rest(o)) return false;
  } else if (first.is(Token::Kind::Word) && first.text != "WARP_SZ") {
    o.name = std::string(lexer_.next().text);
    if (!index_rest(o)) return false;
  } else if (first.is("]")) {
    return fail("A005", first.where, "the address is missing", "for example [%p] or [%p + 4]");
  } else {
    std::optional<ConstExpr> expr = constant();
    if (!expr) return false;
    o.expr = std::move(*expr);
  }
  const SourceRange close = lexer_.peek().where;
  if (close.line == o.where.line) o.where.length = close.column + 1 - o.where.column;
  return expect("]", "after the address", bracket_before(lexer_.peek()));
}

bool Assembly::written_number(WrittenOperand& o) {
  const Token first = lexer_.peek();
  bool minus = false;
  Token token = first;
  std::optional<Token> sign;
  if (token.is("-") || token.is("+")) {
    minus = token.is("-");
    sign = lexer_.next();
    token = lexer_.peek();
  }
  const std::optional<std::uint64_t> named = token.is(Token::Kind::Word) ? named_float(token.text) : std::nullopt;
  if (named || is_float_token(token)) {
    lexer_.next();
    const bool exact = token.is(Token::Kind::FloatBits) || token.is(Token::Kind::DoubleBits);
    o.kind = exact ? Kind::Bits : Kind::Float;
    o.bits = named.value_or(token.number);
    if (exact) o.bits_type = token.is(Token::Kind::FloatBits) ? Type::F32 : Type::F64;
    if (minus) o.bits ^= o.bits_type == Type::F32 ? std::uint64_t{1} << 31 : kSignBit;
    o.where.length = token.where.column + token.where.length - first.where.column;
    return true;
  }
  o.kind = Kind::Constant;
  if (minus) {
    if (!constant_term(o.expr, 7, 0)) return false;
    if (o.expr.is_number())
      o.expr.tokens[0].number = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(o.expr.tokens[0].number));
    else o.expr.tokens.push_back({Const::Neg, 0});
    if (!constant_tail(o.expr, 1, 0)) return false;
  } else {
    std::optional<ConstExpr> expr = constant();
    if (!expr) return false;
    o.expr = std::move(*expr);
  }
  o.where = span(first.where, lexer_.peek());
  return true;
}

std::optional<ConstExpr> Assembly::constant() {
  ConstExpr e;
  if (!constant_term(e, 1, 0)) return std::nullopt;
  return e;
}

bool Assembly::constant_term(ConstExpr& e, int least_precedence, int depth) {
  return constant_atom(e, depth) && constant_tail(e, least_precedence, depth);
}

// Operators that bind at least as strongly as `least_precedence`, from the left.
bool Assembly::constant_tail(ConstExpr& e, int least_precedence, int depth) {
  while (const Operator* op = binary_operator(lexer_.peek())) {
    if (op->precedence < least_precedence) break;
    const SourceRange where = lexer_.next().where;
    if (e.tokens.size() > kLongest)
      return fail("A006", where, "this constant expression is too long",
                  "the limit is " + std::to_string(kLongest) + " numbers and operators");
    if (!constant_term(e, op->precedence + 1, depth + 1)) return false;
    e.tokens.push_back({op->kind, 0});
  }
  return true;
}

bool Assembly::constant_atom(ConstExpr& e, int depth) {
  const Token token = lexer_.peek();
  if (depth > kDeepest)
    return fail("A006", token.where, "this constant expression is nested too deeply",
                "the limit is " + std::to_string(kDeepest) + " levels");
  if (token.is(Token::Kind::Integer)) {
    lexer_.next();
    e.tokens.push_back({Const::Number, static_cast<std::int64_t>(token.number)});
    return true;
  }
  if (token.is(Token::Kind::Word) && token.text == "WARP_SZ") {
    lexer_.next();
    e.tokens.push_back({Const::WarpSize, 0});
    return true;
  }
  if (token.is("+") || token.is("-") || token.is("~")) {
    lexer_.next();
    const std::size_t begin = e.tokens.size();
    if (!constant_atom(e, depth + 1)) return false;
    if (token.is("+")) return true;
    ConstToken& last = e.tokens.back();
    if (token.is("-") && e.tokens.size() == begin + 1 && last.kind == Const::Number)
      last.number = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(last.number));
    else e.tokens.push_back({token.is("-") ? Const::Neg : Const::Not, 0});
    return true;
  }
  if (token.is("(")) {
    lexer_.next();
    return constant_term(e, 1, depth + 1) && expect(")", "to close the parenthesis");
  }
  if (token.is(Token::Kind::Word) || token.is(Token::Kind::Register)) {
    const bool is_register = token.is(Token::Kind::Register);
    return fail("A005", token.where,
                quoted(token.text) + (is_register ? " is a register: its value is not constant" : " is no constant"),
                is_register ? "in an index the register comes first, then + or - and a constant"
                            : "a constant is made of numbers and WARP_SZ");
  }
  if (is_float_token(token)) return fail("A005", token.where, "no arithmetic on float constants", "write the result");
  return fail("A005", token.where,
              token.ends_statement() ? "expected a number" : "expected a number, found " + quoted(token.text));
}

}  // namespace warpsim
