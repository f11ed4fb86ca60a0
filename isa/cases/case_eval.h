// The evaluator of rules: a tree, a type and a scope in, one value an index out.
//
// Shapes: a Value is an integer or a float; floats are kept in a double that holds an f32 where the arithmetic is f32.
// Errors: the first failure is kept; after it all results are meaningless.
// Source: case.h, "The rule language".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/cases/case_rule.h"

namespace warpsim {

struct RuleValue {
  bool is_float = false;
  std::int64_t integer = 0;
  double real = 0;
};

class RuleEvaluator {
 public:
  // `length` is the array's, for `n`; nullopt: a scalar, where i, n, lane … have no meaning. The references must stay.
  RuleEvaluator(const Rule& rule, Type type, std::optional<std::size_t> length, const CaseScope& scope);

  // The bits of node `root` for element i, in the type given.
  std::uint64_t bits(std::int32_t root, std::size_t i);
  RuleValue value(std::int32_t root, std::size_t i);
  const std::optional<CaseError>& error() const { return error_; }

 private:
  enum class Source : std::uint8_t { Constant, Pair, Loop, Index, Lane, Warp, Block, Thread };
  struct Binding {
    Source source = Source::Constant;
    RuleValue constant;
    std::uint64_t pair = 0;  // both halves of a scalar parameter, and
    Type type = Type::None;  // its type
    const Array* array = nullptr;
  };

  std::uint64_t element_bits(std::int32_t root, std::size_t i);
  void bind(const RuleNode& node, Binding& binding);
  void bind_name(const RuleNode& node, Binding& binding);
  bool bind_builtin(const RuleNode& node, Binding& binding);
  void fail_unknown(const RuleNode& node);

  RuleValue eval(std::int32_t index);
  RuleValue eval_name(const RuleNode& node, const Binding& binding);
  RuleValue eval_element(const RuleNode& node, const Binding& binding);
  RuleValue eval_pair(const RuleNode& node);
  RuleValue half_of(const RuleNode& node, Type type, std::uint64_t bits);
  RuleValue eval_unary(const RuleNode& node);
  RuleValue eval_binary(const RuleNode& node);
  RuleValue eval_loop(const RuleNode& node);
  RuleValue combine(RuleNode::Kind kind, const RuleValue& a, const RuleValue& b, const RuleNode& node);
  RuleValue combine_integers(RuleNode::Kind kind, std::int64_t a, std::int64_t b, const RuleNode& node);
  RuleValue combine_floats(RuleNode::Kind kind, double a, double b, const RuleNode& node);

  RuleValue integer(std::int64_t value) const { return {false, value, 0}; }
  RuleValue real(double value) const { return {true, 0, rounded(value)}; }
  double rounded(double value) const { return single_ ? static_cast<double>(static_cast<float>(value)) : value; }
  double as_real(const RuleValue& value) const;
  bool truth(const RuleValue& value) const { return value.is_float ? value.real != 0 : value.integer != 0; }
  RuleValue element_value(Type type, std::uint64_t bits) const;
  void fail(const RuleNode& node, std::string message);

  const Rule& rule_;
  Type type_;
  bool single_;  // floats are computed in f32
  std::optional<std::size_t> length_;
  const CaseScope& scope_;
  std::vector<Binding> bindings_;   // by node
  std::vector<std::int64_t> loop_;  // the loops' variables now
  std::size_t i_ = 0;
  int half_ = -1;             // of pairs: 0 the low half is computed, 1 the high one, -1 neither
  std::uint64_t steps_left_;  // so that every evaluation ends soon
  std::optional<CaseError> error_;
};

// The bits of `value` in `type`, or what is wrong with it.
std::variant<std::uint64_t, CaseError> value_to_bits(const RuleValue& value, Type type);

}  // namespace warpsim
