// Registers of PTX, and those that are its own of what is made of it; see ptx_lowering.h.
#include <algorithm>
#include <array>

#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

using Given = ptx::Operand;

namespace {

// Of a vector register.
constexpr std::array<std::string_view, 4> kElements = {".x", ".y", ".z", ".w"};

}  // namespace

std::int32_t Lowering::register_of(const Declaration& d, std::string_view name) {
  const std::string key =
      std::to_string(d.name.where.line) + ":" + std::to_string(d.name.where.column) + " " + std::string(name);
  const auto [at, is_new] = registers_.try_emplace(key, static_cast<std::int32_t>(program_.registers.size()));
  if (!is_new) return at->second;
  Register made;
  made.name = std::string(name.starts_with("%") ? "" : "%") + std::string(name);
  if (!function_.is_entry) made.name += "@" + short_name(function_.name.text);
  while (program_.find_register(made.name) >= 0) made.name += "'";  // shadows another one
  const Type type = type_of(d.type);
  made.cls = reg_class(type);
  if (is_float(type) || is_integer(type) || is_pair(type)) made.shown_as = type;
  made.where = d.name.where;
  program_.registers.push_back(std::move(made));
  return at->second;
}

std::int32_t Lowering::fresh(RegClass cls) {
  const std::int32_t made = static_cast<std::int32_t>(program_.registers.size());
  program_.registers.push_back({"%tmp." + std::to_string(made), cls, Type::None, {}});
  return made;
}

std::int32_t Lowering::carry_register() {
  if (const std::int32_t known = program_.find_register(kCarryFlag); known >= 0) return known;
  program_.registers.push_back({std::string(kCarryFlag), RegClass::Pred, Type::Pred, {}});
  return static_cast<std::int32_t>(program_.registers.size()) - 1;
}

std::optional<std::int32_t> Lowering::named_register(const Given& operand) {
  if (operand.kind != Given::Kind::Symbol) return std::nullopt;
  const Symbol* const symbol = find(operand.name);
  if (symbol == nullptr || symbol->kind != Symbol::Kind::Register) return std::nullopt;
  const Declaration& declaration = *symbol->declaration;
  if (operand.element.empty()) return register_of(declaration, operand.name);
  const auto element = std::find(kElements.begin(), kElements.end(), operand.element);
  if (static_cast<std::size_t>(element - kElements.begin()) >= (declaration.vector == 1 ? 0 : declaration.vector))
    return std::nullopt;
  return register_of(declaration, std::string(operand.name) + std::string(operand.element));
}

// .reg .v4 .f32 v: a name for four registers, v.x to v.w.
const Declaration* Lowering::vector_register(const Given& operand) const {
  if (operand.kind != Given::Kind::Symbol || !operand.element.empty()) return nullptr;
  const Symbol* const symbol = find(operand.name);
  return symbol != nullptr && symbol->kind == Symbol::Kind::Register && symbol->declaration->vector != 1
             ? symbol->declaration
             : nullptr;
}

// The instruction with the elements in the place of such names.
Instruction Lowering::with_elements(const Instruction& from) const {
  Instruction all = from;
  for (Given& one : all.operands) {
    const Declaration* const declaration = vector_register(one);
    if (declaration == nullptr) continue;
    const Given whole = one;
    one = Given{};
    one.kind = Given::Kind::Vector;
    one.where = whole.where;
    for (std::size_t k = 0; k < declaration->vector && k < kElements.size(); ++k) {
      one.parts.push_back(whole);
      one.parts.back().element = kElements[k];
    }
  }
  return all;
}

std::optional<std::int64_t> Lowering::constant(const Expression& expression) {
  const std::optional<std::uint64_t> value = constant_of(expression);
  if (value) return static_cast<std::int64_t>(*value);
  fail("P024", expression.where, "expected a constant", "an offset is a constant expression of integers");
  return std::nullopt;
}

}  // namespace warpsim::ptx
