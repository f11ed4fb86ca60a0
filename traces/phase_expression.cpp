// Parsing and evaluating the expressions of templates.
#include "traces/phase_expression.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "isa/number_text.h"
#include "isa/special.h"

namespace warpsim {

// Precedence climbing over the grammar in the header.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Expression& out) : text_(text), out_(out) {}

  void parse() {
    const int root = binary(0);
    skip_blanks();
    if (out_.error_.empty() && at_ != text_.size()) fail("unexpected \"" + std::string(text_.substr(at_)) + "\"");
    if (!out_.error_.empty()) out_.nodes_.clear();
    out_.root_ = out_.error_.empty() ? root : -1;
  }

 private:
  using Kind = Expression::Kind;
  using Word = Expression::Word;
  using Node = Expression::Node;

  int add(Node node) {
    out_.nodes_.push_back(std::move(node));
    return static_cast<int>(out_.nodes_.size()) - 1;
  }
  int fail(std::string message) {
    if (out_.error_.empty()) out_.error_ = std::move(message) + " in \"" + std::string(text_) + "\"";
    at_ = text_.size();
    return add({});
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

  struct Operator {
    std::string_view text;
    char op;
    int level;
  };
  // Longer spellings first, so that "<=" is not read as "<".
  const Operator* next_operator() {
    static constexpr Operator kOperators[] = {{"||", 'o', 1}, {"&&", 'a', 2}, {"==", '=', 3}, {"!=", 'n', 3},
                                              {"<=", 'l', 4}, {">=", 'g', 4}, {"<", '<', 4},  {">", '>', 4},
                                              {"^", '^', 5},  {"&", '&', 5},  {"+", '+', 6},  {"-", '-', 6},
                                              {"*", '*', 7},  {"/", '/', 7},  {"%", '%', 7}};
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

  int unary() {
    if (++depth_ > kMaxDepth) return fail("nested too deeply");
    const int value = signed_value();
    --depth_;
    return value;
  }
  int signed_value() {
    skip_blanks();
    const char op = peek();
    if ((op == '!' && peek(1) != '=') || op == '-') {
      ++at_;
      Node node;
      node.kind = Kind::Unary, node.op = op, node.a = unary();
      return add(std::move(node));
    }
    int value = primary();
    while (take("@")) {
      Node node;
      node.kind = Kind::At, node.a = value, node.b = primary();
      value = add(std::move(node));
    }
    return value;
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
  int number() {
    const std::size_t start = at_;
    bool is_float = false;
    while (std::isdigit(static_cast<unsigned char>(peek())) || (peek() == '.' && !is_float))
      is_float |= text_[at_++] == '.';
    const std::string digits(text_.substr(start, at_ - start));
    Node node;
    if (is_float) {
      const std::optional<double> value = read_double(digits);
      if (!value) return fail("\"" + digits + "\" is no number");
      node.value = TemplateValue::of(Type::F64, __builtin_bit_cast(std::uint64_t, *value));
    } else {
      node.value = TemplateValue::integer(std::stoll(digits.substr(0, 18)));
    }
    return add(std::move(node));
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
    for (const auto& [spelling, kind] :
         {std::pair<std::string_view, Kind>{"all", Kind::All}, {"any", Kind::Any}, {"count", Kind::Count}}) {
      if (word != spelling) continue;
      if (!take("(")) return fail(word + " wants ( )");
      if (++lane_loops_ > kMaxLaneLoops) return fail("all, any and count nest too deeply");
      node.kind = kind, node.a = binary(0);
      --lane_loops_;
      return take(")") ? add(std::move(node)) : fail("a ) is missing");
    }
    for (const auto& [spelling, meaning] : kWords) {
      if (word != spelling) continue;
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

namespace {

double as_double(const TemplateValue& value) {
  if (value.type == Type::F32) return __builtin_bit_cast(float, static_cast<std::uint32_t>(value.bits));
  return __builtin_bit_cast(double, value.bits);
}

std::int64_t as_integer(const TemplateValue& value) {
  const int width = bits(value.type);
  if (is_signed(value.type) && width < 64 && width > 0) {
    const unsigned shift = 64U - static_cast<unsigned>(width);
    return static_cast<std::int64_t>(value.bits << shift) >> shift;
  }
  return static_cast<std::int64_t>(value.bits);
}

bool is_wide_float(Type type) { return type == Type::F32 || type == Type::F64; }

template <class T>
TemplateValue compare(char op, T x, T y) {
  switch (op) {
    case '=': return TemplateValue::truth(x == y);
    case 'n': return TemplateValue::truth(x != y);
    case '<': return TemplateValue::truth(x < y);
    case 'l': return TemplateValue::truth(x <= y);
    case '>': return TemplateValue::truth(x > y);
    case 'g': return TemplateValue::truth(x >= y);
    default: return {};
  }
}

TemplateValue compute(char op, std::int64_t x, std::int64_t y) {
  // Wrapping, so that no template can be undefined behaviour.
  const std::uint64_t a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
  const auto integer = [](std::uint64_t n) { return TemplateValue::integer(static_cast<std::int64_t>(n)); };
  switch (op) {
    case '+': return integer(a + b);
    case '-': return integer(a - b);
    case '*': return integer(a * b);
    case '^': return integer(a ^ b);
    case '&': return integer(a & b);
    case '/': return y == 0 || y == -1 ? (y == 0 ? TemplateValue{} : integer(0 - a)) : TemplateValue::integer(x / y);
    case '%': return y == 0 || y == -1 ? (y == 0 ? TemplateValue{} : integer(0)) : TemplateValue::integer(x % y);
    default: return compare(op, x, y);
  }
}

TemplateValue combine(char op, const TemplateValue& x, const TemplateValue& y) {
  if (op == 'a') return TemplateValue::truth(x.is_true() && y.is_true());
  if (op == 'o') return TemplateValue::truth(x.is_true() || y.is_true());
  if (x.kind == TemplateValue::Kind::Undefined || y.kind == TemplateValue::Kind::Undefined)
    return TemplateValue::undefined();
  if (x.kind != TemplateValue::Kind::Bits || y.kind != TemplateValue::Kind::Bits) return {};
  const bool x_float = is_wide_float(x.type), y_float = is_wide_float(y.type);
  if (!x_float && !y_float) return compute(op, as_integer(x), as_integer(y));
  const double a = x_float ? as_double(x) : static_cast<double>(as_integer(x));
  const double b = y_float ? as_double(y) : static_cast<double>(as_integer(y));
  return compare(op, a, b);
}

// The thread's coordinates, from its linear number in the block.
TemplateValue special_value(Special special, const TemplateScope& scope) {
  const TemplateView& view = scope.view;
  const auto at_least_one = [](Dim3 d) { return Dim3{std::max(d.x, 1U), std::max(d.y, 1U), std::max(d.z, 1U)}; };
  const Dim3 grid = at_least_one(view.grid()), block = at_least_one(view.block());
  const std::uint64_t thread = std::uint64_t{view.warp_index()} * view.warp_size() + scope.lane;
  const std::uint64_t warps = (block.count() + view.warp_size() - 1) / view.warp_size();
  const std::uint64_t tid_x = thread % block.x;
  const std::uint64_t cta_x = view.block_index() % grid.x;
  const LaneMask below = lane_bit(scope.lane) - 1, own = lane_bit(scope.lane), full = full_mask(view.warp_size());
  const auto count = [](std::uint64_t n) { return TemplateValue::of(Type::U32, static_cast<std::uint32_t>(n)); };
  const auto mask = [](LaneMask m) { return TemplateValue::of(Type::Mask, m); };
  switch (special) {
    case Special::LaneId: return count(scope.lane);
    case Special::WarpId: return count(view.warp_index());
    case Special::NWarpId: return count(warps);
    case Special::TidX: return count(tid_x);
    case Special::TidY: return count(thread / block.x % block.y);
    case Special::TidZ: return count(thread / block.x / block.y);
    case Special::NTidX: return count(block.x);
    case Special::NTidY: return count(block.y);
    case Special::NTidZ: return count(block.z);
    case Special::CtaIdX: return count(cta_x);
    case Special::CtaIdY: return count(view.block_index() / grid.x % grid.y);
    case Special::CtaIdZ: return count(view.block_index() / grid.x / grid.y);
    case Special::NCtaIdX: return count(grid.x);
    case Special::NCtaIdY: return count(grid.y);
    case Special::NCtaIdZ: return count(grid.z);
    case Special::LaneMaskEq: return mask(own);
    case Special::LaneMaskLe: return mask(below | own);
    case Special::LaneMaskLt: return mask(below);
    case Special::LaneMaskGe: return mask(full & ~below);
    case Special::LaneMaskGt: return mask(full & ~below & ~own);
    case Special::GTid: return count(cta_x * block.x + tid_x);
  }
  return {};
}

}  // namespace

Expression::Expression(std::string_view text) { ExpressionParser(text, *this).parse(); }

Expression Expression::negated() const {
  Expression opposite = *this;
  if (empty()) return opposite;
  Node node;
  node.kind = Kind::Unary, node.op = '!', node.a = root_;
  opposite.nodes_.push_back(std::move(node));
  opposite.root_ = static_cast<int>(opposite.nodes_.size()) - 1;
  return opposite;
}

std::vector<std::string_view> Expression::names() const {
  std::vector<std::string_view> list;
  for (const Node& node : nodes_) {
    const bool named = node.kind == Kind::Reg || node.kind == Kind::OldReg || node.kind == Kind::Param ||
                       node.kind == Kind::Element || (node.kind == Kind::Word && !node.name.empty());
    if (named) list.push_back(node.name);
  }
  return list;
}

TemplateValue Expression::evaluate(const TemplateScope& scope) const {
  return root_ < 0 ? TemplateValue{} : evaluate(root_, scope);
}

LaneMask Expression::lanes_where(const TemplateScope& scope) const {
  if (empty()) return scope.lanes;
  LaneMask lanes = 0;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    if (holds({scope.view, lane, scope.lanes, scope.access})) lanes |= lane_bit(lane);
  });
  return lanes;
}

TemplateValue Expression::word(const Node& node, const TemplateScope& scope) const {
  const auto integer = [](std::uint64_t n) { return TemplateValue::integer(static_cast<std::int64_t>(n)); };
  switch (node.word) {
    case Word::Lane: return integer(scope.lane);
    case Word::First: return integer(scope.lanes == 0 ? 0 : first_lane(scope.lanes));
    case Word::Last: return integer(scope.lanes == 0 ? 0 : 63U - static_cast<unsigned>(std::countl_zero(scope.lanes)));
    case Word::Phase: return integer(scope.view.phase_number());
    case Word::Step: return integer(scope.view.phase_step());
    case Word::Block: return integer(scope.view.block_index());
    case Word::Warp: return integer(scope.view.warp_index());
    case Word::WarpSize: return integer(scope.view.warp_size());
    case Word::From:
    case Word::Asked:
    case Word::InRange: break;
    case Word::Buffer:
    case Word::Index:
    case Word::Value: {
      std::vector<TemplateAccess> all;
      const TemplateAccess* access = scope.access;
      if (access == nullptr) {
        all = scope.view.accesses(scope.lane);
        if (all.empty()) return {};
        access = &all.back();
      }
      if (node.word == Word::Buffer) return TemplateValue::words(std::string(access->buffer));
      return node.word == Word::Index ? TemplateValue::integer(access->index) : access->value;
    }
  }
  const std::optional<TemplateSource> source = scope.view.source(node.name, scope.lane);
  if (!source) return {};
  if (node.word == Word::InRange) return TemplateValue::truth(source->in_range);
  return node.word == Word::From ? integer(source->from) : TemplateValue::integer(source->asked);
}

TemplateValue Expression::over_lanes(const Node& node, const TemplateScope& scope) const {
  unsigned count = 0;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    if (evaluate(node.a, {scope.view, lane, scope.lanes, scope.access}).is_true()) ++count;
  });
  if (node.kind == Kind::Count) return TemplateValue::integer(count);
  return TemplateValue::truth(node.kind == Kind::Any ? count > 0 : count == count_lanes(scope.lanes));
}

TemplateValue Expression::evaluate(int index, const TemplateScope& scope) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  switch (node.kind) {
    case Kind::Value: return node.value;
    case Kind::Reg: return scope.view.reg(node.name, scope.lane, false);
    case Kind::OldReg: return scope.view.reg(node.name, scope.lane, true);
    case Kind::Special: return special_value(node.special, scope);
    case Kind::Word: return word(node, scope);
    case Kind::Param: return scope.view.param(node.name);
    case Kind::Element: {
      const TemplateValue at = evaluate(node.a, scope);
      return at.kind == TemplateValue::Kind::Bits ? scope.view.element(node.name, as_integer(at)) : TemplateValue{};
    }
    case Kind::Unary: {
      const TemplateValue value = evaluate(node.a, scope);
      if (node.op == '!') return TemplateValue::truth(!value.is_true());
      return combine('-', TemplateValue::integer(0), value);
    }
    case Kind::Binary: return combine(node.op, evaluate(node.a, scope), evaluate(node.b, scope));
    case Kind::At: {
      const TemplateValue lane = evaluate(node.b, scope);
      const std::int64_t number = lane.kind == TemplateValue::Kind::Bits ? as_integer(lane) : -1;
      if (number < 0 || number >= static_cast<std::int64_t>(scope.view.warp_size())) return {};
      return evaluate(node.a, {scope.view, static_cast<unsigned>(number), scope.lanes, nullptr});
    }
    case Kind::All:
    case Kind::Any:
    case Kind::Count: return over_lanes(node, scope);
  }
  return {};
}

}  // namespace warpsim
