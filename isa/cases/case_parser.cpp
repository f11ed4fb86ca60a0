// The rule language's parser, by precedence climbing.
//
// Units:  offsets count bytes.
// Errors: the first one ends the parse.
// Source: the grammar in case.h; C's precedence of operators, C17 section 6.5.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "isa/cases/case_lexer.h"
#include "isa/cases/case_rule.h"
#include "isa/text/number_text.h"
#include "isa/text/word.h"

namespace warpsim {
namespace {

using Kind = RuleNode::Kind;

constexpr std::int32_t kMaxNesting = 200;  // of parentheses and signs, while parsing
constexpr std::int32_t kMaxDepth = 1000;   // of the tree, while evaluating

struct BinaryOperator {
  std::string_view mark;
  int precedence;
  Kind kind;
};
constexpr std::array<BinaryOperator, 18> kBinary = {{
    {"||", 1, Kind::Or},
    {"&&", 2, Kind::And},
    {"|", 3, Kind::BitOr},
    {"^", 4, Kind::BitXor},
    {"&", 5, Kind::BitAnd},
    {"==", 6, Kind::Equal},
    {"!=", 6, Kind::NotEqual},
    {"<", 7, Kind::Less},
    {"<=", 7, Kind::LessEqual},
    {">", 7, Kind::Greater},
    {">=", 7, Kind::GreaterEqual},
    {"<<", 8, Kind::ShiftLeft},
    {">>", 8, Kind::ShiftRight},
    {"+", 9, Kind::Add},
    {"-", 9, Kind::Subtract},
    {"*", 10, Kind::Multiply},
    {"/", 10, Kind::Divide},
    {"%", 10, Kind::Remainder},
}};

struct BuiltIn {
  std::string_view name;
  std::size_t arguments;  // 4: a loop
  Kind kind;
};
constexpr std::array<BuiltIn, 14> kFunctions = {{
    {"min", 2, Kind::Min},
    {"max", 2, Kind::Max},
    {"abs", 1, Kind::Abs},
    {"sqrt", 1, Kind::Sqrt},
    {"float", 1, Kind::ToFloat},
    {"int", 1, Kind::ToInt},
    {"pair", 2, Kind::Pair},
    {"low", 1, Kind::Low},
    {"high", 1, Kind::High},
    {"sum", 4, Kind::Sum},
    {"product", 4, Kind::Product},
    {"min", 4, Kind::MinOver},
    {"max", 4, Kind::MaxOver},
    {"count", 4, Kind::Count},
}};

// Integers of any base up to 64 bits.
std::optional<std::uint64_t> parse_digits(std::string_view digits, unsigned base) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    const unsigned digit = is_digit(c)            ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                  : base;
    if (digit >= base || value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

class Parser {
 public:
  explicit Parser(std::vector<RuleToken> tokens) : tokens_(std::move(tokens)) {}

  std::variant<Rule, CaseError> run() {
    array();
    while (!error_ && take(",")) patch();
    if (!error_ && peek().kind != RuleToken::Kind::End) fail("expected the end of the rule, not " + seen());
    if (error_) return *error_;
    return std::move(rule_);
  }

 private:
  // ---- tokens
  const RuleToken& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool is(std::string_view text, std::size_t ahead = 0) const {
    return peek(ahead).kind != RuleToken::Kind::End && peek(ahead).text == text;
  }
  bool take(std::string_view text) { return is(text) && (++at_, true); }
  std::string seen() const {
    return peek().kind == RuleToken::Kind::End ? "the end of the rule" : "'" + std::string(peek().text) + "'";
  }
  void fail(std::string message) { fail(std::move(message), peek().offset); }
  void fail(std::string message, std::size_t offset) {
    if (!error_) error_ = CaseError{std::move(message), offset};
  }
  bool expect(std::string_view text, std::string_view why) {
    if (error_) return false;
    if (!take(text)) fail("expected '" + std::string(text) + "' " + std::string(why) + ", not " + seen());
    return !error_;
  }

  // ---- the tree
  std::int32_t depth_of(std::int32_t node) const {
    return node < 0 ? 0 : rule_.nodes[static_cast<std::size_t>(node)].depth;
  }
  std::int32_t add(RuleNode node) {
    if (error_) return -1;
    node.depth = 1 + std::max(depth_of(node.a), std::max(depth_of(node.b), depth_of(node.c)));
    if (node.depth > kMaxDepth) fail("the expression is too deep", node.offset);
    rule_.nodes.push_back(node);
    return static_cast<std::int32_t>(rule_.nodes.size()) - 1;
  }

  // ---- the grammar
  void array() {
    if (is("[")) return list();
    if (is("fill") && is(":", 1)) {
      at_ += 2;
      rule_.items = {expression()};
    } else if (is("random") && is(":", 1)) {
      at_ += 2;
      rule_.shape = Rule::Shape::Random;
      rule_.items = {expression()};
    } else if (is("iota") && !is("[", 1)) {
      RuleNode node;
      node.kind = Kind::Name;
      node.name = "i";
      node.offset = peek().offset;
      ++at_;
      rule_.items = {add(node)};
    } else {
      rule_.items = {expression()};
      while (!error_ && is(",") && !is_patch(1)) {
        rule_.shape = Rule::Shape::List;
        ++at_;
        rule_.items.push_back(expression());
      }
    }
  }

  void list() {
    const std::size_t open = peek().offset;
    ++at_;
    rule_.shape = Rule::Shape::List;
    do rule_.items.push_back(expression());
    while (!error_ && take(","));
    if (!error_ && !take("]")) {
      if (peek().kind == RuleToken::Kind::End) fail("this '[' has no ']'", open);
      fail("expected ',' or ']' in the list, not " + seen());
    }
    if (take("repeated")) rule_.shape = Rule::Shape::Repeated;
  }

  bool is_patch(std::size_t ahead) const {
    return (is("last", ahead) || is("first", ahead)) && peek(ahead + 1).text != "," &&
           peek(ahead + 1).kind != RuleToken::Kind::End;
  }

  void patch() {
    Rule::Patch patch;
    patch.last = is("last");
    if (!take("last") && !take("first"))
      return fail("expected 'last' or 'first' and a value after the comma, not " + seen());
    patch.value = expression();
    rule_.patches.push_back(patch);
  }

  std::int32_t expression() {
    if (error_) return -1;
    if (++nesting_ > kMaxNesting) fail("the expression is nested too deeply");
    RuleNode node;
    node.kind = Kind::Conditional;
    node.a = binary(1);
    node.offset = peek().offset;
    if (!error_ && take("?")) {
      node.b = expression();
      expect(":", "and the other value of '?'");
      node.c = expression();
      node.a = add(node);
    }
    --nesting_;
    return node.a;
  }

  const BinaryOperator* binary_operator() const {
    if (peek().kind != RuleToken::Kind::Mark) return nullptr;
    for (const BinaryOperator& candidate : kBinary) {
      if (candidate.mark == peek().text) return &candidate;
    }
    return nullptr;
  }

  std::int32_t binary(int least) {
    std::int32_t left = unary();
    while (!error_) {
      const BinaryOperator* found = binary_operator();
      if (found == nullptr || found->precedence < least) break;
      RuleNode node;
      node.kind = found->kind;
      node.offset = peek().offset;
      ++at_;
      node.a = left;
      node.b = binary(found->precedence + 1);
      left = add(node);
    }
    return left;
  }

  std::int32_t unary() {
    if (error_) return -1;
    if (take("+")) return signed_operand(Kind::Integer);
    if (take("-")) return signed_operand(Kind::Negate);
    if (take("~")) return signed_operand(Kind::Complement);
    if (take("!")) return signed_operand(Kind::Not);
    return primary();
  }

  std::int32_t signed_operand(Kind kind) {
    if (++nesting_ > kMaxNesting) fail("the expression is nested too deeply");
    RuleNode node;
    node.kind = kind;
    node.offset = tokens_[at_ - 1].offset;
    node.a = unary();
    --nesting_;
    return kind == Kind::Integer ? node.a : add(node);
  }

  std::int32_t primary() {
    if (take("(")) {
      const std::int32_t inner = expression();
      expect(")", "to close the parenthesis");
      return inner;
    }
    if (peek().kind == RuleToken::Kind::Number) return number();
    if (peek().kind != RuleToken::Kind::Word) return fail("expected a value, not " + seen()), -1;
    if (is("(", 1)) return call();
    RuleNode node;
    node.kind = Kind::Name;
    node.name = peek().text;
    node.offset = peek().offset;
    ++at_;
    if (take("[")) {
      node.kind = Kind::Element;
      node.a = expression();
      expect("]", "after the index");
    } else {
      node.loop = loop_of(node.name);
    }
    return add(node);
  }

  std::int32_t loop_of(std::string_view name) const {
    for (std::size_t k = loops_.size(); k-- > 0;) {
      if (loops_[k] == name) return static_cast<std::int32_t>(k);
    }
    return -1;
  }

  // The number of arguments in the parentheses that open at the next token but one.
  std::size_t count_arguments() const {
    std::size_t count = 1;
    int open = 0;
    for (std::size_t k = at_ + 1; k < tokens_.size(); ++k) {
      const std::string_view text = tokens_[k].text;
      if (text == "(" || text == "[") ++open;
      if (text == ")" || text == "]") --open;
      if (open == 0) break;
      if (open == 1 && text == ",") ++count;
    }
    return count;
  }

  std::int32_t call() {
    const std::size_t count = count_arguments();
    const BuiltIn* found = nullptr;
    std::string wanted;
    for (const BuiltIn& function : kFunctions) {
      if (function.name != peek().text) continue;
      if (function.arguments == count) found = &function;
      wanted += (wanted.empty() ? "" : " or ") + std::to_string(function.arguments);
    }
    if (found == nullptr) return fail_call(count, wanted), -1;
    RuleNode node;
    node.kind = found->kind;
    node.offset = peek().offset;
    at_ += 2;
    if (count == 4) return loop(node);
    node.a = expression();
    if (count == 2 && expect(",", "between the arguments")) node.b = expression();
    expect(")", "after the arguments");
    return add(node);
  }

  void fail_call(std::size_t count, const std::string& wanted) {
    const std::string name(peek().text);
    if (wanted.empty())
      return fail("there is no function '" + name +
                  "'; there are min, max, abs, sqrt, float, int, pair, low, high, sum, product, count");
    fail("'" + name + "' takes " + wanted + (wanted == "1" ? " argument" : " arguments") +
         (wanted.find('4') != std::string::npos ? " (loops are written " + name + "(j, from, to, value))" : "") +
         ", not " + std::to_string(count));
  }

  // (j, from, to, value): the bounds do not see j.
  std::int32_t loop(RuleNode node) {
    if (peek().kind != RuleToken::Kind::Word) return fail("expected the loop's variable, not " + seen()), -1;
    const std::string_view variable = peek().text;
    ++at_;
    expect(",", "after the loop's variable");
    node.a = expression();
    expect(",", "between the loop's bounds");
    node.b = expression();
    expect(",", "before the loop's value");
    node.loop = static_cast<std::int32_t>(loops_.size());
    loops_.push_back(variable);
    rule_.loops = std::max(rule_.loops, static_cast<std::int32_t>(loops_.size()));
    node.c = expression();
    loops_.pop_back();
    expect(")", "after the loop's value");
    return add(node);
  }

  std::int32_t number() {
    const RuleToken token = peek();
    ++at_;
    RuleNode node;
    node.offset = token.offset;
    if (!read_integer(token.text, node) && !read_real(token.text, node)) {
      return fail("'" + std::string(token.text) + "' is no number" +
                      (token.text.find_first_not_of("0123456789.eE+-") == std::string_view::npos ? " of 64 bits" : ""),
                  token.offset),
             -1;
    }
    return add(node);
  }

  static bool digits_only(std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  static bool has_prefix(std::string_view text, char letter) {
    return text.size() > 2 && text[0] == '0' && (text[1] == letter || text[1] == letter - 'a' + 'A');
  }

  static bool read_integer(std::string_view text, RuleNode& node) {
    const unsigned base = has_prefix(text, 'x') ? 16 : has_prefix(text, 'b') ? 2 : 10;
    const std::optional<std::uint64_t> value = parse_digits(base == 10 ? text : text.substr(2), base);
    node.kind = Kind::Integer;
    if (value) node.integer = static_cast<std::int64_t>(*value);
    return value.has_value();
  }

  static bool read_real(std::string_view text, RuleNode& node) {
    if (digits_only(text)) return false;  // an integer, too large
    node.kind = Kind::Real;
    if (has_prefix(text, 'f') || has_prefix(text, 'd')) {
      const bool wide = has_prefix(text, 'd');
      const std::optional<std::uint64_t> bits = parse_digits(text.substr(2), 16);
      if (!bits || text.size() != (wide ? 18U : 10U)) return false;
      node.real =
          wide ? __builtin_bit_cast(double, *bits) : __builtin_bit_cast(float, static_cast<std::uint32_t>(*bits));
      node.real32 = static_cast<float>(node.real);
      return true;
    }
    const std::optional<double> wide = read_double(text);
    const std::optional<float> narrow = read_float(text);
    if (!wide || !narrow || std::isinf(*wide)) return false;
    node.real = *wide;
    node.real32 = *narrow;
    return true;
  }

  std::vector<RuleToken> tokens_;
  std::size_t at_ = 0;
  std::int32_t nesting_ = 0;
  std::vector<std::string_view> loops_;  // the variables of the loops around
  Rule rule_;
  std::optional<CaseError> error_;
};

}  // namespace

std::variant<Rule, CaseError> parse_rule(std::string_view text) {
  std::variant<std::vector<RuleToken>, CaseError> tokens = tokenize_rule(text);
  if (CaseError* error = std::get_if<CaseError>(&tokens)) return std::move(*error);
  return Parser(std::get<std::vector<RuleToken>>(std::move(tokens))).run();
}

}  // namespace warpsim
