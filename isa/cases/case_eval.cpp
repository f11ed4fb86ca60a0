// Evaluating a rule's tree.
//
// Units:  steps count visited nodes.
// Errors: see case_eval.h; messages name the value at fault and, in an array, the element.
// Source: case.h, "The rule language"; min and max as PTX ISA 9.0 has them (a NaN loses, -0 is below +0).
#include "isa/cases/case_eval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa/kernels/softfloat.h"
#include "isa/text/diagnostic.h"

namespace warpsim {
namespace {

using Kind = RuleNode::Kind;

// Enough for what a test case computes in about a second; stops a loop that runs for ever.
constexpr std::uint64_t kSteps = 100'000'000;
constexpr std::uint64_t kStepsPerElement = 64;

// Wrapping arithmetic: signed overflow is not defined in C++.
std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint64_t raw(std::int64_t value) { return static_cast<std::uint64_t>(value); }

double lesser(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double greater(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : -lesser(-a, -b); }

// What a loop does with its values, and what it is of none.
Kind step_of(Kind loop) {
  switch (loop) {
    case Kind::Product: return Kind::Multiply;
    case Kind::MinOver: return Kind::Min;
    case Kind::MaxOver: return Kind::Max;
    default: return Kind::Add;
  }
}

}  // namespace

RuleEvaluator::RuleEvaluator(const Rule& rule, Type type, std::optional<std::size_t> length, const CaseScope& scope)
    : rule_(rule),
      type_(type),
      single_(is_float(element(type)) && type != Type::F64),
      length_(length),
      scope_(scope),
      bindings_(rule.nodes.size()),
      loop_(static_cast<std::size_t>(rule.loops), 0),
      steps_left_(kSteps + kStepsPerElement * length.value_or(0)) {
  for (std::size_t k = 0; k < rule.nodes.size() && !error_; ++k) bind(rule.nodes[k], bindings_[k]);
}

// A pair's rule is computed once for each half.
std::uint64_t RuleEvaluator::bits(std::int32_t root, std::size_t i) {
  if (is_pair(type_)) {
    half_ = 0;
    const std::uint64_t low = element_bits(root, i);
    half_ = 1;
    return low | element_bits(root, i) << 16;
  }
  return element_bits(root, i);
}

std::uint64_t RuleEvaluator::element_bits(std::int32_t root, std::size_t i) {
  const RuleValue result = value(root, i);
  if (error_) return 0;
  const std::variant<std::uint64_t, CaseError> converted = value_to_bits(result, element(type_));
  if (const std::uint64_t* found = std::get_if<std::uint64_t>(&converted)) return *found;
  fail(rule_.nodes[static_cast<std::size_t>(root)], std::get<CaseError>(converted).message);
  return 0;
}

RuleValue RuleEvaluator::value(std::int32_t root, std::size_t i) {
  i_ = i;
  return error_ ? RuleValue{} : eval(root);
}

void RuleEvaluator::fail(const RuleNode& node, std::string message) {
  if (error_) return;
  if (length_) message += " (element " + std::to_string(i_) + ")";
  error_ = CaseError{std::move(message), node.offset};
}

// ---- names, once before all elements

void RuleEvaluator::bind(const RuleNode& node, Binding& binding) {
  if (node.kind == Kind::Name) return bind_name(node, binding);
  if (node.kind != Kind::Element) return;
  const auto found = scope_.arrays.find(node.name);
  if (found != scope_.arrays.end()) binding.array = &found->second;
  else fail_unknown(node);
}

void RuleEvaluator::bind_name(const RuleNode& node, Binding& binding) {
  if (node.loop >= 0) {
    binding.source = Source::Loop;
    return;
  }
  const auto scalar = scope_.scalars.find(node.name);
  if (scalar != scope_.scalars.end()) {
    const auto known = scope_.scalar_types.find(node.name);
    const Type type = known == scope_.scalar_types.end() ? Type::S64 : known->second;
    if (is_pair(type)) binding = {Source::Pair, {}, scalar->second, type, nullptr};
    else binding.constant = element_value(type, scalar->second);
    return;
  }
  if (!bind_builtin(node, binding)) fail_unknown(node);
}

bool RuleEvaluator::bind_builtin(const RuleNode& node, Binding& binding) {
  const std::string_view name = node.name;
  if (name == "inf") binding.constant = real(std::numeric_limits<double>::infinity());
  else if (name == "nan") binding.constant = real(std::numeric_limits<double>::quiet_NaN());
  else if (name == "W" || name == "WARP_SZ") binding.constant = integer(scope_.lanes);
  else if (name == "grid") binding.constant = integer(wrap(scope_.grid.count()));
  else if (name == "block_size") binding.constant = integer(wrap(scope_.block.count()));
  else if (!length_) return false;
  else if (name == "n") binding.constant = integer(static_cast<std::int64_t>(*length_));
  else if (name == "i") binding.source = Source::Index;
  else if (name == "lane") binding.source = Source::Lane;
  else if (name == "warp") binding.source = Source::Warp;
  else if (name == "block") binding.source = Source::Block;
  else if (name == "thread") binding.source = Source::Thread;
  else return false;
  return true;
}

void RuleEvaluator::fail_unknown(const RuleNode& node) {
  const std::string name(node.name);
  std::vector<std::string> known;
  std::string message;
  if (node.kind == Kind::Element) {
    for (const auto& [array, unused] : scope_.arrays) known.push_back(array);
    message = "there is no array '" + name + "' here";
    if (known.empty()) message += ": none has been filled yet";
  } else {
    known = {"W", "WARP_SZ", "grid", "block_size", "inf", "nan"};
    if (length_) known.insert(known.end(), {"i", "n", "lane", "warp", "block", "thread"});
    for (const auto& [scalar, unused] : scope_.scalars) known.push_back(scalar);
    const bool array = scope_.arrays.find(node.name) != scope_.arrays.end();
    message = array ? "'" + name + "' is an array: write " + name + "[i]" : "'" + name + "' has no meaning here";
    if (array) known.clear();
  }
  const std::string near = nearest(name, known);
  if (!near.empty()) message += "; did you mean '" + near + "'?";
  error_ = CaseError{std::move(message), node.offset};
}

// ---- values

double RuleEvaluator::as_real(const RuleValue& value) const {
  if (value.is_float) return value.real;
  return single_ ? static_cast<double>(static_cast<float>(value.integer)) : static_cast<double>(value.integer);
}

RuleValue RuleEvaluator::element_value(Type type, std::uint64_t bits) const {
  switch (type) {
    case Type::F16:
    case Type::BF16: return real(softfloat::value_of(type, bits));
    case Type::F32: return real(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)));
    case Type::F64: return real(__builtin_bit_cast(double, bits));
    default: break;
  }
  const int width = warpsim::bits(type);
  if (!is_signed(type) || width == 64) return integer(wrap(bits));
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return integer(wrap((bits ^ sign) - sign));
}

RuleValue RuleEvaluator::half_of(const RuleNode& node, Type type, std::uint64_t bits) {
  if (half_ >= 0) return element_value(element(type), bits >> (16 * half_) & 0xffff);
  const std::string name = std::string(node.name) + (node.kind == Kind::Element ? "[…]" : "");
  return fail(node, "'" + std::string(node.name) + "' holds pairs: write low(" + name + ") or high(" + name + ")"),
         RuleValue{};
}

RuleValue RuleEvaluator::eval_pair(const RuleNode& node) {
  if (node.kind == Kind::Pair) {
    if (half_ < 0) return fail(node, "pair() is a value of f16x2 and bf16x2 only"), RuleValue{};
    return eval(half_ == 0 ? node.a : node.b);
  }
  const int outer = half_;
  half_ = node.kind == Kind::High ? 1 : 0;
  const RuleValue result = eval(node.a);
  half_ = outer;
  return result;
}

RuleValue RuleEvaluator::eval_name(const RuleNode& node, const Binding& binding) {
  const std::uint64_t block_size = std::max<std::uint64_t>(scope_.block.count(), 1);
  const std::uint64_t thread = i_ % block_size;
  const unsigned lanes = std::max(scope_.lanes, 1U);
  switch (binding.source) {
    case Source::Constant: return binding.constant;
    case Source::Pair: return half_of(node, binding.type, binding.pair);
    case Source::Loop: return integer(loop_[static_cast<std::size_t>(node.loop)]);
    case Source::Index: return integer(wrap(i_));
    case Source::Thread: return integer(wrap(thread));
    case Source::Lane: return integer(wrap(thread % lanes));
    case Source::Warp: return integer(wrap(thread / lanes));
    case Source::Block: return integer(wrap(i_ / block_size));
  }
  return {};
}

RuleValue RuleEvaluator::eval_element(const RuleNode& node, const Binding& binding) {
  const RuleValue index = eval(node.a);
  if (error_) return {};
  const std::string name(node.name);
  if (index.is_float) return fail(node, "the index of '" + name + "' is a float: write int(…)"), RuleValue{};
  const std::vector<std::uint64_t>& all = binding.array->bits;
  if (index.integer < 0 || raw(index.integer) >= all.size()) {
    fail(node, name + "[" + std::to_string(index.integer) + "] is out of range: '" + name + "' has " +
                   std::to_string(all.size()) + (all.size() == 1 ? " element" : " elements"));
    return {};
  }
  const std::uint64_t found = all[static_cast<std::size_t>(index.integer)];
  return is_pair(binding.array->type) ? half_of(node, binding.array->type, found)
                                      : element_value(binding.array->type, found);
}

RuleValue RuleEvaluator::eval(std::int32_t index) {
  const RuleNode& node = rule_.nodes[static_cast<std::size_t>(index)];
  if (error_) return {};
  if (steps_left_-- == 0) {
    steps_left_ = 0;
    fail(node, "the rule takes too long to compute");
    return {};
  }
  switch (node.kind) {
    case Kind::Integer: return integer(node.integer);
    case Kind::Real: return {true, 0, single_ ? static_cast<double>(node.real32) : node.real};
    case Kind::Name: return eval_name(node, bindings_[static_cast<std::size_t>(index)]);
    case Kind::Element: return eval_element(node, bindings_[static_cast<std::size_t>(index)]);
    case Kind::Negate:
    case Kind::Complement:
    case Kind::Not:
    case Kind::Abs:
    case Kind::Sqrt:
    case Kind::ToFloat:
    case Kind::ToInt: return eval_unary(node);
    case Kind::Pair:
    case Kind::Low:
    case Kind::High: return eval_pair(node);
    case Kind::Conditional: return truth(eval(node.a)) ? eval(node.b) : eval(node.c);
    case Kind::Or: return integer(truth(eval(node.a)) || truth(eval(node.b)) ? 1 : 0);
    case Kind::And: return integer(truth(eval(node.a)) && truth(eval(node.b)) ? 1 : 0);
    case Kind::Sum:
    case Kind::Product:
    case Kind::MinOver:
    case Kind::MaxOver:
    case Kind::Count: return eval_loop(node);
    default: return eval_binary(node);
  }
}

RuleValue RuleEvaluator::eval_unary(const RuleNode& node) {
  const RuleValue a = eval(node.a);
  if (error_) return {};
  switch (node.kind) {
    case Kind::Negate: return a.is_float ? real(-a.real) : integer(wrap(0 - raw(a.integer)));
    case Kind::Not: return integer(truth(a) ? 0 : 1);
    case Kind::Abs:
      return a.is_float ? real(std::fabs(a.real)) : integer(a.integer < 0 ? wrap(0 - raw(a.integer)) : a.integer);
    case Kind::Sqrt: return real(std::sqrt(as_real(a)));  // rounding a double's root to f32 is exact: 53 >= 2 * 24 + 2
    case Kind::ToFloat: return real(as_real(a));
    case Kind::Complement:
      if (a.is_float) return fail(node, "'~' wants an integer"), RuleValue{};
      return integer(~a.integer);
    default: break;
  }
  if (!a.is_float) return a;
  if (!(a.real > -9223372036854775809.0 && a.real < 9223372036854775808.0)) {
    return fail(node, "int() of a float that no 64-bit integer holds"), RuleValue{};
  }
  return integer(static_cast<std::int64_t>(a.real));
}

RuleValue RuleEvaluator::eval_binary(const RuleNode& node) {
  const RuleValue a = eval(node.a);
  const RuleValue b = eval(node.b);
  return error_ ? RuleValue{} : combine(node.kind, a, b, node);
}

RuleValue RuleEvaluator::combine(Kind kind, const RuleValue& a, const RuleValue& b, const RuleNode& node) {
  if (a.is_float || b.is_float) return combine_floats(kind, as_real(a), as_real(b), node);
  return combine_integers(kind, a.integer, b.integer, node);
}

RuleValue RuleEvaluator::combine_integers(Kind kind, std::int64_t a, std::int64_t b, const RuleNode& node) {
  switch (kind) {
    case Kind::BitOr: return integer(a | b);
    case Kind::BitXor: return integer(a ^ b);
    case Kind::BitAnd: return integer(a & b);
    case Kind::Equal: return integer(a == b);
    case Kind::NotEqual: return integer(a != b);
    case Kind::Less: return integer(a < b);
    case Kind::LessEqual: return integer(a <= b);
    case Kind::Greater: return integer(a > b);
    case Kind::GreaterEqual: return integer(a >= b);
    case Kind::Add: return integer(wrap(raw(a) + raw(b)));
    case Kind::Subtract: return integer(wrap(raw(a) - raw(b)));
    case Kind::Multiply: return integer(wrap(raw(a) * raw(b)));
    case Kind::Min: return integer(a < b ? a : b);
    case Kind::Max: return integer(a > b ? a : b);
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
      if (b < 0 || b > 63) return fail(node, "a shift by " + std::to_string(b)), RuleValue{};
      return integer(kind == Kind::ShiftRight ? a >> b : wrap(raw(a) << b));
    case Kind::Divide:
    case Kind::Remainder:
      if (b == 0) return fail(node, "a division by zero"), RuleValue{};
      if (b == -1) return integer(kind == Kind::Divide ? wrap(0 - raw(a)) : 0);  // the smallest integer / -1 overflows
      return integer(kind == Kind::Divide ? a / b : a % b);
    default: return {};
  }
}

// Rounding a double's sum, product or quotient of two f32 to f32 gives the f32 operation: 53 >= 2 * 24 + 2 (Figueroa,
// 1995).
RuleValue RuleEvaluator::combine_floats(Kind kind, double a, double b, const RuleNode& node) {
  switch (kind) {
    case Kind::Equal: return integer(a == b);
    case Kind::NotEqual: return integer(a != b);
    case Kind::Less: return integer(a < b);
    case Kind::LessEqual: return integer(a <= b);
    case Kind::Greater: return integer(a > b);
    case Kind::GreaterEqual: return integer(a >= b);
    case Kind::Add: return real(a + b);
    case Kind::Subtract: return real(a - b);
    case Kind::Multiply: return real(a * b);
    case Kind::Divide: return real(a / b);
    case Kind::Min: return real(lesser(a, b));
    case Kind::Max: return real(greater(a, b));
    default: return fail(node, "this operator wants integers, and one side is a float"), RuleValue{};
  }
}

RuleValue RuleEvaluator::eval_loop(const RuleNode& node) {
  const RuleValue from = eval(node.a);
  const RuleValue to = eval(node.b);
  if (error_) return {};
  if (from.is_float || to.is_float) return fail(node, "a loop's bounds are integers"), RuleValue{};
  const bool is_extreme = node.kind == Kind::MinOver || node.kind == Kind::MaxOver;
  if (from.integer >= to.integer && is_extreme) {
    return fail(node, "the smallest or largest of nothing: the loop runs from " + std::to_string(from.integer) +
                          " to " + std::to_string(to.integer)),
           RuleValue{};
  }
  RuleValue total = integer(node.kind == Kind::Product ? 1 : 0);
  std::int64_t& j = loop_[static_cast<std::size_t>(node.loop)];
  for (j = from.integer; j < to.integer && !error_; ++j) {
    const RuleValue term = eval(node.c);
    if (node.kind == Kind::Count) total.integer += truth(term) ? 1 : 0;
    else if (j == from.integer) total = term;  // not 0 + term: -0.0 stays -0.0
    else total = combine(step_of(node.kind), total, term, node);
  }
  return total;
}

}  // namespace warpsim
