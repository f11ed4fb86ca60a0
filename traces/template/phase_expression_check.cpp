// What of an expression can have no value, found before any run is looked at.
#include "traces/template/phase_arithmetic.h"

namespace warpsim {

class ExpressionChecker {
 public:
  using About = std::function<TemplateName(std::string_view)>;
  ExpressionChecker(const Expression& expression, unsigned lanes, const About& about)
      : nodes_(expression.nodes_), lanes_(lanes), about_(about) {}

  ExpressionFault check(int root) {
    if (root >= 0) type_of(root);
    return fault_;
  }
  Type type(int root) { return root >= 0 ? type_of(root) : Type::None; }

 private:
  using Kind = Expression::Kind;
  using Word = Expression::Word;
  using Node = Expression::Node;
  using Fault = ExpressionFault::Kind;

  void found(Fault kind, std::string what, Type type = Type::None, std::uint64_t number = 0) {
    if (fault_.kind == Fault::None) fault_ = {kind, std::move(what), type, number};
  }
  const Node& node(int index) const { return nodes_[static_cast<std::size_t>(index)]; }
  // Of a literal, also with a sign.
  std::optional<std::int64_t> literal(int index) const {
    const Node& one = node(index);
    if (one.kind == Kind::Unary && one.op == '-') {
      const std::optional<std::int64_t> size = literal(one.a);
      return size ? std::optional(-*size) : std::nullopt;
    }
    if (one.kind != Kind::Value || is_float(one.value.type) || one.value.bits >> 63 != 0) return std::nullopt;
    return as_integer(one.value);
  }

  static std::string spelling(char op) {
    switch (op) {
      case '=': return "==";
      case 'n': return "!=";
      case 'l': return "<=";
      case 'g': return ">=";
      case 'L': return "<<";
      case 'R': return ">>";
      default: return std::string(1, op);
    }
  }

  Type named(const Node& one) {
    const TemplateName about = about_(one.name);
    if (one.kind == Kind::Param && about.elements) found(Fault::Array, one.name);
    if (one.kind == Kind::Element && !about.elements) found(Fault::NoArray, one.name);
    return about.type;
  }
  void integer(int index, const std::string& where, std::uint64_t count, Fault too_large) {
    const Type type = type_of(index);
    if (is_float(type) || is_pair(type)) found(Fault::NotInteger, where, type);
    if (const std::optional<std::int64_t> n = literal(index))
      if (*n < 0 || static_cast<std::uint64_t>(*n) >= count) found(too_large, where, Type::None, count);
  }
  Type binary(const Node& one) {
    const Type x = type_of(one.a), y = type_of(one.b);
    if (!can_combine(one.op, x, y))
      found(is_pair(x) || is_pair(y) ? Fault::Pair : Fault::Float, spelling(one.op), is_pair(x) || is_float(x) ? x : y);
    const std::optional<std::int64_t> right = literal(one.b);
    if (right == 0 && (one.op == '%' || (one.op == '/' && !is_float(x)))) found(Fault::Zero, spelling(one.op));
    if (right && *right < 0 && (one.op == 'L' || one.op == 'R')) found(Fault::Zero, spelling(one.op));
    return combined_type(one.op, x, y);
  }
  Type unary(const Node& one) {
    const Type type = type_of(one.a);
    if (one.op != '!' && is_pair(type)) found(Fault::Pair, spelling(one.op), type);
    if (one.op == '~' && is_float(type)) found(Fault::Float, spelling(one.op), type);
    return one.op == '!' ? Type::Pred : type;
  }
  Type folded(const Node& one, const std::string& word) {
    const Type type = type_of(one.a);
    if (is_pair(type)) found(Fault::Pair, word, type);
    return one.kind == Kind::Sum && !is_float(type) ? Type::S64 : type;
  }
  Type word(const Node& one) {
    switch (one.word) {
      case Word::From: found(Fault::OfDiagrams, "from"); break;
      case Word::Asked: found(Fault::OfDiagrams, "asked"); break;
      case Word::InRange: found(Fault::OfDiagrams, "in_range"); break;
      case Word::Buffer: found(Fault::OfDiagrams, "buffer"); break;
      case Word::Index: found(Fault::OfDiagrams, "index"); break;
      case Word::Value: found(Fault::OfDiagrams, "value"); break;
      case Word::Phase: found(Fault::OfDiagrams, "phase"); break;
      case Word::Step: found(Fault::OfDiagrams, "step"); break;
      default: break;
    }
    return Type::S64;
  }

  Type type_of(int index) {
    const Node& one = node(index);
    switch (one.kind) {
      case Kind::Value: return one.value.type;
      case Kind::OldReg: found(Fault::OfDiagrams, "old"); return named(one);
      case Kind::Reg:
      case Kind::Param: return named(one);
      case Kind::Special: return Type::U32;
      case Kind::Word: return word(one);
      case Kind::Element: {
        const Type type = named(one);
        integer(one.a, one.name, about_(one.name).elements.value_or(0), Fault::NoElement);
        return type;
      }
      case Kind::Unary: return unary(one);
      case Kind::Binary: return binary(one);
      case Kind::At: integer(one.b, "@", lanes_, Fault::NoLane); return type_of(one.a);
      case Kind::All:
      case Kind::Any: type_of(one.a); return Type::Pred;
      case Kind::Count: type_of(one.a); return Type::S64;
      case Kind::Sum: return folded(one, "sum");
      case Kind::Min: return folded(one, "min");
      case Kind::Max: return folded(one, "max");
    }
    return Type::None;
  }

  const std::vector<Node>& nodes_;
  unsigned lanes_;
  const About& about_;
  ExpressionFault fault_;
};

ExpressionFault Expression::fault(unsigned lanes, const std::function<TemplateName(std::string_view)>& about) const {
  return ExpressionChecker(*this, lanes, about).check(root_);
}

Type Expression::type(const std::function<TemplateName(std::string_view)>& about) const {
  return ExpressionChecker(*this, 0, about).type(root_);
}

}  // namespace warpsim
