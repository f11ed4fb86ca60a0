// A case made ready to run: its parameters, its buffers, its expected outputs.
//
// Shapes: the order of the steps is in preparation.h; names and the launch's shape are in launch_shape.cpp, what
//         follows from inputs given by hand in launch_inputs.cpp.
// Units:  lengths count elements, the limit on memory bytes.
// Errors: L001 lanes             L002 grid or block           L003 missing value  L004 value of the wrong type
//         L005 bad rule          L006 size that does not fit  L007 too much memory
//         L008 unknown name      L009 given twice             L010 max_cycles    L011 exempt lane count
#include "sim/launch/launch.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "isa/text/number_text.h"
#include "sim/launch/preparation.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{1} << 30;  // all buffers of a launch together

// The place of byte `offset` of a field's value.
SourceRange place_in(const CaseField& field, std::size_t offset) {
  SourceRange where = field.where;
  for (std::size_t k = 0; k < std::min(offset, field.value.size()); ++k) {
    const bool newline = field.value[k] == '\n';
    where.line += newline ? 1 : 0;
    where.column = newline ? 1 : where.column + 1;
  }
  where.length = 1;
  return field.where.line == 0 ? field.where : where;
}

}  // namespace

std::string quoted_name(std::string_view name) { return "'" + std::string(name) + "'"; }
std::string written_param(const Param& p) {
  return "'" + p.name + ": " + std::string(name(p.type)) + (p.is_buffer() ? "[" + p.length + "]" : "") + "'";
}

std::variant<PreparedCase, LaunchError> Preparation::run() {
  check_names() && set_lanes() && set_shape() && set_max_cycles() && set_scalars() && set_shared() && fit_to_inputs() &&
      set_lengths() && set_buffers() && set_expected() && set_findings();
  if (error_) return *error_;
  prepared_.arguments.scalars = scope_.scalars;
  return std::move(prepared_);
}

bool Preparation::fail(std::string code, SourceRange where, std::string message, std::string hint) {
  if (!error_) error_ = LaunchError{std::move(code), std::move(message), std::move(hint), where};
  return false;
}

bool Preparation::fail_rule(const RuleSource& rule, const std::string& what, const CaseError& error) {
  const SourceRange where = rule.field != nullptr ? place_in(*rule.field, error.offset) : SourceRange{};
  return fail("L005", where, what + ": " + error.message,
              rule.field != nullptr ? "" : "the rule is: " + std::string(rule.text));
}

// ---- the parameters

bool Preparation::set_scalars() {
  for (const Param& p : program_.params) {
    if (p.is_buffer()) continue;
    if (const auto given = overrides_.param_bits.find(p.name); given != overrides_.param_bits.end()) {
      scope_.scalars[p.name] = given->second;
      scope_.scalar_types[p.name] = p.type;
      continue;
    }
    if (const auto fitted = fitted_.find(p.name); fitted != fitted_.end()) {
      scope_.scalars[p.name] = fitted->second;
      scope_.scalar_types[p.name] = p.type;
      continue;
    }
    RuleSource rule{p.default_value, nullptr};
    if (const CaseField* field = case_.find(p.name)) rule = {field->value, field};
    if (const auto given = overrides_.params.find(p.name); given != overrides_.params.end())
      rule = {given->second, nullptr};
    if (rule.text.empty() && fit_missing(p)) continue;
    if (rule.text.empty()) {
      return fail("L003", case_.where, "parameter " + written_param(p) + " has no value",
                  case_.name.empty() ? "give it one" : "give it one, or let the case say '" + p.name + " = …'");
    }
    const auto value = evaluate_scalar(rule.text, p.type, scope_);
    if (const CaseError* error = std::get_if<CaseError>(&value))
      return fail_rule(rule, "parameter " + written_param(p), *error);
    scope_.scalars[p.name] = std::get<std::uint64_t>(value);
    scope_.scalar_types[p.name] = p.type;
  }
  return true;
}

// The rule that fills a buffer, if any does.
std::optional<RuleSource> Preparation::rule_of(const Param& p) const {
  if (const auto given = overrides_.inputs.find(p.name); given != overrides_.inputs.end())
    return RuleSource{given->second, nullptr};
  if (const CaseField* field = case_.find(p.name)) return RuleSource{field->value, field};
  return std::nullopt;
}

std::optional<std::uint64_t> Preparation::length_of(const Param& p) {
  if (!p.length.empty()) {
    const auto value = evaluate_scalar(p.length, Type::S64, scope_);
    if (const CaseError* error = std::get_if<CaseError>(&value)) {
      fail("L005", p.where, "the length of " + written_param(p) + ": " + error->message);
      return std::nullopt;
    }
    const std::int64_t length = static_cast<std::int64_t>(std::get<std::uint64_t>(value));
    if (length >= 0) return static_cast<std::uint64_t>(length);
    fail("L006", p.where, "the length of " + written_param(p) + " is " + std::to_string(length));
    return std::nullopt;
  }
  std::size_t length = 0;
  if (const auto given = overrides_.input_arrays.find(p.name); given != overrides_.input_arrays.end())
    return given->second.bits.size();
  if (const std::optional<RuleSource> rule = rule_of(p)) length = natural_length(*rule);
  const CaseField* expected = case_.find(std::string(kExpect) + p.name);
  if (length == 0 && expected != nullptr) length = natural_length({expected->value, expected});
  if (length != 0) return length;
  fail("L003", p.where, "nothing says how long " + written_param(p) + " is",
       "write its length in the kernel's line, or give it a list such as [1, 2, 3]");
  return std::nullopt;
}

bool Preparation::set_lengths() {
  std::uint64_t total_bytes = 0;
  for (const Param& p : program_.params) {
    if (!p.is_buffer()) continue;
    const std::optional<std::uint64_t> length = length_of(p);
    if (!length) return false;
    const std::uint64_t element_bytes = std::max<std::uint64_t>(static_cast<std::uint64_t>(bytes(p.type)), 1);
    if (*length > (kMaxBufferBytes - total_bytes) / element_bytes) {
      return fail("L007", p.where,
                  written_param(p) + " would have " + counted(*length, "element") + ": too much memory",
                  "all buffers together take at most 1 GiB");
    }
    total_bytes += *length * element_bytes;
    lengths_[p.name] = *length;
  }
  return true;
}

bool Preparation::fill(const RuleSource& rule, const Param& p, std::size_t length, const std::string& what,
                       Array& array) {
  const std::size_t natural = natural_length(rule);
  if (natural != 0 && natural != length) return fail_length(p, what, natural, length, rule.field);
  if (rule.field != nullptr && rule.field->contents) {
    array = *rule.field->contents;
    return true;
  }
  std::variant<Array, CaseError> values = evaluate_array(rule.text, p.type, length, scope_);
  if (const CaseError* error = std::get_if<CaseError>(&values)) return fail_rule(rule, what, *error);
  array = std::get<Array>(std::move(values));
  return true;
}

bool Preparation::set_buffer(const Param& p, std::size_t length) {
  Array array{p.type, {}};
  if (const auto given = overrides_.input_arrays.find(p.name); given != overrides_.input_arrays.end()) {
    array = given->second;
    if (array.type != p.type) {
      return fail("L004", {},
                  p.name + " holds " + std::string(name(array.type)) + ", the kernel's " + written_param(p) +
                      " wants " + std::string(name(p.type)));
    }
    if (array.bits.size() != length) return fail_length(p, p.name, array.bits.size(), length, nullptr);
  } else if (const std::optional<RuleSource> rule = rule_of(p); rule && rule->text == kUndefinedRule) {
    array.bits.assign(length, 0);
    prepared_.arguments.undefined.insert(p.name);
  } else if (rule) {
    if (!fill(*rule, p, length, p.name, array)) return false;
  } else if (p.is_variable) {
    array.bits = p.initial;
    array.bits.resize(length);
  } else if (p.kind == Param::Kind::Out) {
    array.bits.assign(length, 0);
  } else {
    return fail("L003", case_.where, "input " + written_param(p) + " has no values",
                case_.name.empty() ? "give it some" : "give it some, or let the case say '" + p.name + " = …'");
  }
  if (p.kind != Param::Kind::Out) scope_.arrays[p.name] = array;
  prepared_.arguments.buffers[p.name] = std::move(array);
  return true;
}

bool Preparation::set_buffers() {
  for (const Param& p : program_.params) {
    if (p.is_buffer() && !set_buffer(p, static_cast<std::size_t>(lengths_[p.name]))) return false;
  }
  return true;
}

bool Preparation::set_findings() {
  const CaseField* const field = case_.find(kFindingKey);
  if (field == nullptr) return true;
  auto findings = parse_findings(field->value, program_.labels);
  if (const CaseError* error = std::get_if<CaseError>(&findings))
    return fail_rule({field->value, field}, "finding", *error);
  prepared_.findings = std::get<std::vector<ExpectedFinding>>(std::move(findings));
  return true;
}

bool Preparation::set_expected() {
  for (const CaseField& field : case_.fields) {
    if (field.key.rfind(kExpect, 0) != 0 || !still_holds(field)) continue;
    const std::string name = field.key.substr(kExpect.size());
    const Param& p = program_.params[static_cast<std::size_t>(program_.find_param(name))];
    const std::size_t length = static_cast<std::size_t>(lengths_[name]);
    if (!fill({field.value, &field}, p, length, field.key, prepared_.expected[name])) return false;
  }
  return true;
}

std::string_view name(Reconvergence mode) { return mode == Reconvergence::Stack ? "stack" : "independent"; }
EngineChoice engine_named(std::string_view name) {
  if (name == "interpreter") return EngineChoice::Interpreter;
  return name == "compiled" ? EngineChoice::Compiled : EngineChoice::Auto;
}

std::string name(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::Lockstep: break;
    case Schedule::Order::Blocks: return "blocks";
    case Schedule::Order::Fuzz: return "fuzz:" + std::to_string(schedule.seed);
  }
  return "rr";
}

std::vector<unsigned> lane_counts(const Program& program, const Case& c) {
  const CaseField* field = c.find("lanes");
  if (field == nullptr && program.is_from_ptx) return {32};
  if (field == nullptr) {
    std::vector<unsigned> lanes = {4, 8, 16, 32, 64};
    std::erase_if(lanes, [&program](unsigned count) { return program.exemption_at(count) != nullptr; });
    return lanes;
  }
  const auto listed = parse_lanes(*field);
  if (const auto* lanes = std::get_if<std::vector<unsigned>>(&listed)) return *lanes;
  return {32};  // prepare_case says what is wrong
}

std::variant<PreparedCase, LaunchError> prepare_case(const Program& program, const Case& c,
                                                     const CaseOverrides& overrides) {
  return Preparation(program, c, overrides).run();
}

std::vector<std::byte> bytes_passed(const Program& program, const Binding& binding) {
  std::vector<std::byte> passed;
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& p = program.params[k];
    if (p.is_variable) continue;
    const std::size_t end = p.offset_bytes + std::size_t{p.size_bytes()};
    if (passed.size() < end) passed.resize(end);
    for (std::uint32_t byte = 0; byte < p.size_bytes(); ++byte)
      passed[p.offset_bytes + byte] = p.value_bytes == 0 ? static_cast<std::byte>(binding.params[k] >> 8 * byte)
                                      : k < binding.values.size() && byte < binding.values[k].size()
                                          ? binding.values[k][byte]
                                          : std::byte{0};
  }
  return passed;
}

}  // namespace warpsim
