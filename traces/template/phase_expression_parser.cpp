// Parsing the expressions of templates.
#include <cctype>
#include <charconv>
#include <utility>

#include "isa/table/special.h"
#include "isa/text/number_text.h"
#include "traces/template/phase_expression.h"

namespace warpsim {

// Precedence climbing over the grammar in the header.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Expression& out) : text_(text), out_(out) {}

  void parse() {
    const int root = binary(0);
    skip_blanks();
    if (out_.error_.empty() && at_ != text_.size()) fail("unexpected \"" + shortened(text_.substr(at_)) + "\"");
    if (!out_.error_.empty()) out_.nodes_.clear();
    out_.root_ = out_.error_.empty() ? root : -1;
  }

 private:
  using Kind = Expression::Kind;
  using Word = Expression::Word;
  using Node = Expression::Node;

  static std::string shortened(std::string_view text) {
    if (text.size() <= kMostEchoed) return std::string(text);
    std::size_t end = kMostEchoed;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;  // UTF-8 is not cut
    return std::string(text.substr(0, end)) + "...";
  }
  int add(Node node) {
    if (out_.nodes_.size() == kMostNodes) fail_without_node("too long");
    out_.nodes_.push_back(std::move(node));
    return static_cast<int>(out_.nodes_.size()) - 1;
  }
  void fail_without_node(std::string message) {
    if (out_.error_.empty()) out_.error_ = std::move(message) + " in \"" + shortened(text_) + "\"";
    at_ = text_.size();
  }
  int fail(std::string message) {
    fail_without_node(std::move(message));
    out_.nodes_.emplace_back();
    return static_cast<int>(out_.nodes_.size()) - 1;
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  static constexpr const char* kTooWide = "a number of more than 64 bits";

  struct Operator {
    std::string_view text;
    char op;
    int level;
  };
  // Longer spellings first, so that "<=" is not read as "<".
  const Operator* next_operator() {
    static constexpr Operator kOperators[] = {
        {"||", 'o', 1}, {"&&", 'a', 2}, {"==", '=', 3}, {"!=", 'n', 3}, {"<<", 'L', 8}, {">>", 'R', 8},
        {"<=", 'l', 4}, {">=", 'g', 4}, {"<", '<', 4},  {">", '>', 4},  {"|", '|', 5},  {"^", '^', 6},
        {"&", '&', 7},  {"+", '+', 9},  {"-", '-', 9},  {"*", '*', 10}, {"/", '/', 10}, {"%", '%', 10}};
    skip_blanks();
    for (const Operator& candidate : kOperators) {
      if (text_.substr(at_, candidate.text.size()) == candidate.text) return &candidate;
    }
    return nullptr;
  }
  int binary(int level) {
    int left = unary();
    for (const Operator* next = next_operator(); next != nullptr && next->level > level; next = next_operator()) {
      at_ += next->text.size();
      const int right = binary(next->level);
      Node node;
      node.kind = Kind::Binary, node.op = next->op, node.a = left, node.b = right;
      left = add(std::move(node));
    }
    return left;
  }
  // Templates are input: what nests deeper than this is refused, so that neither parsing nor filling can run away.
  static constexpr int kMaxDepth = 32, kMaxLaneLoops = 2;
  static constexpr std::size_t kMostNodes = 1000, kMostEchoed = 60;

  int unary() {
    if (++depth_ > kMaxDepth) return fail("nested too deeply");
    const int value = signed_value();
    --depth_;
    return value;
  }
  int signed_value() {
    skip_blanks();
    const char op = peek();
    if ((op == '!' && peek(1) != '=') || op == '-' || op == '~') {
      ++at_;
      Node node;
      node.kind = Kind::Unary, node.op = op, node.a = unary();
      const TemplateValue& value = out_.nodes_[static_cast<std::size_t>(node.a)].value;
      if (op == '-' && value.type == Type::U64 && value.bits > std::uint64_t{1} << 63) return fail(kTooWide);
      return add(std::move(node));
    }
    int value = primary();
    for (char sign = lane_sign(value); sign != '\0'; sign = lane_sign(value)) {
      skip_blanks();
      if (sign == '#' && std::isdigit(static_cast<unsigned char>(peek())) == 0) return fail("a lane is missing");
      Node node;
      node.kind = Kind::At, node.a = value, node.b = sign == '[' ? binary(0) : primary();
      value = add(std::move(node));
      if (sign == '[' && !take("]")) return fail("a ] is missing");
    }
    return value;
  }
  // What begins a lane: %x#3, %x@3, %x[3].
  char lane_sign(int value) {
    const Kind kind = out_.nodes_[static_cast<std::size_t>(value)].kind;
    const bool is_register = kind == Kind::Reg || kind == Kind::OldReg || kind == Kind::Special;
    if (take("#")) return '#';
    if (take("@")) return '@';
    return is_register && take("[") ? '[' : '\0';
  }
  int primary() {
    skip_blanks();
    if (take("(")) {
      const int inner = binary(0);
      return take(")") ? inner : fail("a ) is missing");
    }
    if (std::isdigit(static_cast<unsigned char>(peek()))) return number();
    if (peek() == '%') return reg(Kind::Reg);
    const std::string word = name();
    if (word.empty()) return fail("a value is missing");
    return named(word);
  }
  std::string name() {
    const std::size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_') ++at_;
    return std::string(text_.substr(start, at_ - start));
  }
  // 0xff and 0b101, in a base that is a power of two.
  int number_of_bits(unsigned base) {
    at_ += 2;
    const std::size_t start = at_;
    std::uint64_t value = 0;
    for (; std::isalnum(static_cast<unsigned char>(peek())); ++at_) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(peek())));
      const unsigned digit = static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
      if (digit >= base) return fail("\"" + shortened(text_.substr(start - 2)) + "\" is no number");
      if (value > ~std::uint64_t{0} / base) return fail(kTooWide);
      value = value * base + digit;
    }
    if (at_ == start) return fail("digits are missing");
    return literal(TemplateValue::of(value >> 63 != 0 ? Type::U64 : Type::S64, value), true);
  }
  int literal(TemplateValue value, bool takes_type) {
    Node node;
    node.value = std::move(value);
    node.value.is_literal = takes_type;
    return add(std::move(node));
  }
  bool at_digit(std::size_t ahead) const { return std::isdigit(static_cast<unsigned char>(peek(ahead))) != 0; }
  void digits() {
    while (at_digit(0)) ++at_;
  }
  int number() {
    const char second = peek() == '0' ? static_cast<char>(std::tolower(static_cast<unsigned char>(peek(1)))) : '\0';
    if (second == 'x') return number_of_bits(16);
    if (second == 'b') return number_of_bits(2);
    const std::size_t start = at_;
    digits();
    const std::size_t whole = at_;
    if (peek() == '.') {
      ++at_;
      digits();
    }
    const bool has_sign = peek(1) == '+' || peek(1) == '-';
    if ((peek() == 'e' || peek() == 'E') && at_digit(has_sign ? 2 : 1)) {
      at_ += has_sign ? 2 : 1;
      digits();
    }
    const std::string_view read = text_.substr(start, at_ - start);
    if (at_ != whole) {
      const std::optional<double> value = read_double(read);
      if (!value) return fail("\"" + shortened(read) + "\" is no number");
      return literal(TemplateValue::of(Type::F64, __builtin_bit_cast(std::uint64_t, *value)), true);
    }
    std::uint64_t value = 0;
    if (std::from_chars(read.data(), read.data() + read.size(), value).ec != std::errc()) return fail(kTooWide);
    return literal(TemplateValue::of(value >> 63 != 0 ? Type::U64 : Type::S64, value), false);
  }
  int reg(Kind kind) {
    if (!take("%")) return fail("a register is missing");
    std::string word = "%" + name();
    while (peek() == '.' && std::isalpha(static_cast<unsigned char>(peek(1)))) {
      ++at_;
      word += "." + name();
    }
    Node node;
    node.kind = kind;
    if (word.size() == 1) return fail("a register's name is missing");
    if (const std::optional<Special> special = parse_special(word)) node.kind = Kind::Special, node.special = *special;
    node.name = std::move(word);
    return add(std::move(node));
  }
  bool comes_next(char c) {
    skip_blanks();
    return peek() == c;
  }
  static constexpr std::pair<std::string_view, Kind> kOverLanes[] = {{"all", Kind::All},     {"any", Kind::Any},
                                                                     {"count", Kind::Count}, {"sum", Kind::Sum},
                                                                     {"min", Kind::Min},     {"max", Kind::Max}};
  int named(const std::string& word) {
    static const std::pair<std::string_view, Word> kWords[] = {
        {"lane", Word::Lane},   {"first", Word::First},      {"last", Word::Last},     {"from", Word::From},
        {"asked", Word::Asked}, {"in_range", Word::InRange}, {"buffer", Word::Buffer}, {"index", Word::Index},
        {"value", Word::Value}, {"phase", Word::Phase},      {"step", Word::Step},     {"block", Word::Block},
        {"warp", Word::Warp},   {"WARP_SZ", Word::WarpSize}, {"W", Word::WarpSize}};
    Node node;
    if (word == "old") {
      skip_blanks();
      return reg(Kind::OldReg);
    }
    for (const auto& [spelling, kind] : kOverLanes) {
      const bool may_be_a_name = kind >= Kind::Sum;  // of a parameter
      if (word != spelling || (may_be_a_name && !comes_next('('))) continue;
      if (!take("(")) return fail(word + " wants ( )");
      if (++lane_loops_ > kMaxLaneLoops) return fail("what is over the lanes nests too deeply");
      node.kind = kind, node.a = binary(0);
      --lane_loops_;
      return take(")") ? add(std::move(node)) : fail("a ) is missing");
    }
    for (const auto& [spelling, meaning] : kWords) {
      if (word != spelling || peek() == '[') continue;  // an array may be named so
      node.kind = Kind::Word, node.word = meaning;
      if ((meaning == Word::From || meaning == Word::Asked || meaning == Word::InRange) && take("(")) {
        skip_blanks();
        const std::size_t start = at_;
        ++at_;
        name();
        node.name = std::string(text_.substr(start, at_ - start));
        if (!take(")")) return fail("a ) is missing");
      }
      return add(std::move(node));
    }
    node.name = word;
    if (take("[")) {
      node.kind = Kind::Element, node.a = binary(0);
      return take("]") ? add(std::move(node)) : fail("a ] is missing");
    }
    node.kind = Kind::Param;
    return add(std::move(node));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0, lane_loops_ = 0;
  Expression& out_;
};

Expression::Expression(std::string_view text) { ExpressionParser(text, *this).parse(); }

}  // namespace warpsim
