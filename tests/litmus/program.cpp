// Arithmetic and conditions of litmus programs.
#include "tests/litmus/program.h"

#include <algorithm>

namespace warpsim::litmus {
namespace {

std::int64_t narrowed(std::int64_t value, unsigned bits, bool is_signed) {
  if (bits >= 64) return value;
  return is_signed ? static_cast<std::int64_t>(static_cast<std::int32_t>(value))
                   : static_cast<std::int64_t>(static_cast<std::uint32_t>(value));
}

bool compared(Math math, std::int64_t a, std::int64_t b) {
  switch (math) {
    case Math::Equal: return a == b;
    case Math::NotEqual: return a != b;
    case Math::Less: return a < b;
    case Math::LessEqual: return a <= b;
    case Math::Greater: return a > b;
    default: return a >= b;
  }
}

std::uint64_t shifted(Math math, std::uint64_t a, std::uint64_t count, unsigned bits) {
  if (count >= bits) return 0;
  return math == Math::ShiftLeft ? a << count : a >> count;
}

std::int64_t computed(Math math, std::int64_t a, std::int64_t b, std::int64_t c, unsigned bits) {
  const std::uint64_t x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (math) {
    case Math::Move:
    case Math::Exchange: return a;
    case Math::Add: return static_cast<std::int64_t>(x + y);
    case Math::Sub: return static_cast<std::int64_t>(x - y);
    case Math::Mul: return static_cast<std::int64_t>(x * y);
    case Math::Div: return b == 0 ? 0 : a / b;
    case Math::And: return a & b;
    case Math::Or: return a | b;
    case Math::Xor: return a ^ b;
    case Math::ShiftLeft:
    case Math::ShiftRight: return static_cast<std::int64_t>(shifted(math, x, y, bits));
    case Math::Min: return std::min(a, b);
    case Math::Max: return std::max(a, b);
    case Math::MulAdd: return static_cast<std::int64_t>(x * y + static_cast<std::uint64_t>(c));
    case Math::Select: return c != 0 ? a : b;
    default: return compared(math, a, b) ? 1 : 0;
  }
}

std::int64_t value_of(const Term& term, const Outcome& outcome) {
  switch (term.kind) {
    case Term::Kind::Constant: return term.constant;
    case Term::Kind::Register:
      return outcome.registers[static_cast<std::size_t>(term.thread)][static_cast<std::size_t>(term.reg)];
    default: return outcome.memory[static_cast<std::size_t>(term.location)];
  }
}

}  // namespace

std::int64_t evaluate(Math math, std::int64_t a, std::int64_t b, std::int64_t c, unsigned bits, bool is_signed) {
  const std::int64_t x = narrowed(a, bits, is_signed), y = narrowed(b, bits, is_signed);
  return narrowed(computed(math, x, y, c, bits), bits, bits >= 64);
}

bool holds(const Condition& condition, const Outcome& outcome) {
  const auto part = [&](const Condition& each) { return holds(each, outcome); };
  switch (condition.kind) {
    case Condition::Kind::And: return std::all_of(condition.parts.begin(), condition.parts.end(), part);
    case Condition::Kind::Or: return std::any_of(condition.parts.begin(), condition.parts.end(), part);
    case Condition::Kind::Not: return !part(condition.parts.front());
    default: return compared(condition.compare, value_of(condition.left, outcome), value_of(condition.right, outcome));
  }
}

}  // namespace warpsim::litmus
