// A case made ready to run: lane count, grid and block, scalars, buffers, expected outputs.
//
// Shapes: everything is computed in this order, and each may use what came before: lanes, grid and block; scalar
// parameters
//         in the kernel's order; buffer lengths; inputs in the kernel's order; expected outputs.
// Units:  lengths count elements, the limit on memory bytes.
// Errors: L001 lanes   L002 grid or block   L003 a value is missing   L004 a value of the wrong type   L005 a bad rule
//         L006 a size that does not fit   L007 too much memory   L008 an unknown name   L009 given twice   L010
//         max_cycles.
// Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications": the limits of grids and blocks.
#include "sim/launch.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "isa/diagnostic.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{1} << 30;  // all buffers of a launch together
constexpr std::uint64_t kMaxThreadsPerBlock = 1024;
constexpr std::string_view kExpect = "expect ";

bool is_lane_count(std::uint64_t lanes) { return lanes >= 1 && lanes <= kMaxLanes && (lanes & (lanes - 1)) == 0; }

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }
std::string elements(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " element" : " elements"); }
std::string written(const Param& p) {
  return "'" + p.name + ": " + std::string(name(p.type)) + (p.is_buffer() ? "[" + p.length + "]" : "") + "'";
}

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

// Where a value comes from: a rule of the case, of the command line, or of the kernel's own default.
struct RuleSource {
  std::string_view text;
  const CaseField* field = nullptr;
};

// "8x4" into its parts. An x inside a word or after a lone 0 (0x10) separates nothing.
std::vector<std::string_view> split_dimensions(std::string_view text) {
  const auto letter = [&](std::size_t k) {
    const char c = k < text.size() ? text[k] : ' ';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto digit = [&](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  for (std::size_t k = 1; k < text.size(); ++k) {
    const bool hexadecimal =
        text[k - 1] == '0' && (k < 2 || (!digit(k - 2) && !letter(k - 2))) && (digit(k + 1) || letter(k + 1));
    if (text[k] != 'x' || letter(k - 1) || letter(k + 1) || hexadecimal) continue;
    parts.push_back(text.substr(from, k - from));
    from = k + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

class Preparation {
 public:
  Preparation(const Program& program, const Case& c, const CaseOverrides& overrides)
      : program_(program), case_(c), overrides_(overrides) {
    prepared_.name = c.name;
  }

  std::variant<PreparedCase, LaunchError> run() {
    check_names() && set_lanes() && set_shape() && set_max_cycles() && set_scalars() && set_lengths() &&
        set_buffers() && set_expected();
    if (error_) return *error_;
    prepared_.arguments.scalars = scope_.scalars;
    return std::move(prepared_);
  }

 private:
  bool fail(std::string code, SourceRange where, std::string message, std::string hint = "") {
    if (!error_) error_ = LaunchError{std::move(code), std::move(message), std::move(hint), where};
    return false;
  }
  // A rule that could not be evaluated; `what` says whose value it is.
  bool fail_rule(const RuleSource& rule, const std::string& what, const CaseError& error) {
    const SourceRange where = rule.field != nullptr ? place_in(*rule.field, error.offset) : SourceRange{};
    return fail("L005", where, what + ": " + error.message,
                rule.field != nullptr ? "" : "the rule is: " + std::string(rule.text));
  }

  // ---- names
  bool check_names();
  bool check_override(const std::string& name, bool buffer);
  bool fail_unknown(SourceRange where, const std::string& name, std::vector<std::string> known,
                    const std::string& kind);
  std::vector<std::string> names_of(bool buffers) const;

  // ---- the launch
  bool set_lanes();
  bool set_shape();
  bool set_dimensions(std::string_view key, const std::optional<Dim3>& given, Dim3& dim);
  bool check_shape();
  bool set_max_cycles();

  // ---- the parameters
  bool set_scalars();
  bool set_lengths();
  std::optional<std::uint64_t> length_of(const Param& p);
  bool set_buffers();
  bool set_buffer(const Param& p, std::size_t length);
  bool set_expected();
  bool fill(const RuleSource& rule, const Param& p, std::size_t length, const std::string& what, Array& array);
  std::optional<RuleSource> rule_of(const Param& p) const;

  const Program& program_;
  const Case& case_;
  const CaseOverrides& overrides_;
  PreparedCase prepared_;
  CaseScope scope_;
  std::map<std::string, std::uint64_t, std::less<>> lengths_;  // of buffers
  std::optional<LaunchError> error_;
};

// ---- names

std::vector<std::string> Preparation::names_of(bool buffers) const {
  std::vector<std::string> names;
  for (const Param& p : program_.params) {
    if (p.is_buffer() == buffers) names.push_back(p.name);
  }
  return names;
}

bool Preparation::fail_unknown(SourceRange where, const std::string& name, std::vector<std::string> known,
                               const std::string& kind) {
  const std::string near = nearest(name, known);
  std::string hint = near.empty() ? "" : "did you mean '" + near + "'?";
  if (near.empty() && !known.empty()) {
    for (const std::string& one : known) hint += (hint.empty() ? "there is " : ", ") + quoted(one);
  }
  return fail("L008", where, quoted(program_.name) + " has no " + kind + " " + quoted(name), hint);
}

bool Preparation::check_override(const std::string& name, bool buffer) {
  const std::int32_t index = program_.find_param(name);
  if (index < 0) return fail_unknown({}, name, names_of(buffer), buffer ? "buffer" : "parameter");
  if (program_.params[static_cast<std::size_t>(index)].is_buffer() == buffer) return true;
  return buffer
             ? fail("L004", {}, quoted(name) + " is a scalar parameter, not a buffer", "give its value as a parameter")
             : fail("L004", {}, quoted(name) + " is a buffer, not a scalar parameter", "give its contents as an input");
}

bool Preparation::check_names() {
  for (std::size_t k = 0; k < case_.fields.size(); ++k) {
    const CaseField& field = case_.fields[k];
    if (case_.find(field.key) != &field) return fail("L009", field.where, quoted(field.key) + " is given twice");
    if (field.key == "lanes" || field.key == "grid" || field.key == "block" || field.key == "max_cycles") continue;
    const bool expect = field.key.rfind(kExpect, 0) == 0;
    const std::string name = expect ? field.key.substr(kExpect.size()) : field.key;
    const std::int32_t index = program_.find_param(name);
    if (index >= 0 && !expect) continue;
    if (index < 0) {
      std::vector<std::string> known = names_of(true);
      if (!expect) {
        const std::vector<std::string> scalars = names_of(false);
        known.insert(known.end(), scalars.begin(), scalars.end());
        known.insert(known.end(), {"lanes", "grid", "block", "max_cycles"});
      }
      return fail_unknown(field.where, name, std::move(known), expect ? "buffer" : "parameter");
    }
    const Param::Kind kind = program_.params[static_cast<std::size_t>(index)].kind;
    if (kind != Param::Kind::Out && kind != Param::Kind::InOut) {
      return fail("L004", field.where, quoted(name) + " is no output", "expect names an 'out' or 'inout' buffer");
    }
  }
  for (const auto& [name, rule] : overrides_.params) {
    if (!check_override(name, false)) return false;
  }
  for (const auto& [name, rule] : overrides_.inputs) {
    if (!check_override(name, true)) return false;
  }
  for (const auto& [name, array] : overrides_.input_arrays) {
    if (!check_override(name, true)) return false;
  }
  return true;
}

// ---- the launch

std::variant<std::vector<unsigned>, CaseError> parse_lanes(const CaseField& field) {
  const std::size_t count = std::max<std::size_t>(natural_length(field.value), 1);
  const auto values = evaluate_array(field.value, Type::U32, count, CaseScope{});
  if (const CaseError* error = std::get_if<CaseError>(&values)) return *error;
  std::vector<unsigned> lanes;
  for (const std::uint64_t value : std::get<Array>(values).bits) lanes.push_back(static_cast<unsigned>(value));
  return lanes;
}

bool Preparation::set_lanes() {
  unsigned lanes = 32;
  SourceRange where;
  if (const CaseField* field = case_.find("lanes")) {
    const auto listed = parse_lanes(*field);
    if (const CaseError* error = std::get_if<CaseError>(&listed))
      return fail_rule({field->value, field}, "lanes", *error);
    lanes = std::get<std::vector<unsigned>>(listed)[0];
    where = field->where;
    for (const unsigned one : std::get<std::vector<unsigned>>(listed)) {
      if (!is_lane_count(one)) lanes = one;
    }
  }
  if (overrides_.lanes && is_lane_count(lanes)) {
    lanes = *overrides_.lanes;
    where = {};
  }
  if (!is_lane_count(lanes)) {
    return fail("L001", where, "a warp of " + std::to_string(lanes) + " lanes", "lanes is a power of two from 1 to 64");
  }
  prepared_.config.lanes = lanes;
  scope_.lanes = lanes;
  return true;
}

bool Preparation::set_dimensions(std::string_view key, const std::optional<Dim3>& given, Dim3& dim) {
  if (given) {
    dim = *given;
    return true;
  }
  const CaseField* field = case_.find(key);
  if (field == nullptr) return true;
  const std::vector<std::string_view> parts = split_dimensions(field->value);
  if (parts.size() > 3) return fail("L002", field->where, std::string(key) + " has at most three dimensions");
  std::uint32_t* const axes[] = {&dim.x, &dim.y, &dim.z};
  CaseScope lanes_only;
  lanes_only.lanes = scope_.lanes;
  lanes_only.grid = lanes_only.block = Dim3{0, 0, 0};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto value = evaluate_scalar(parts[k], Type::U32, lanes_only);
    if (const CaseError* error = std::get_if<CaseError>(&value)) {
      CaseError shifted = *error;
      shifted.offset += static_cast<std::size_t>(parts[k].data() - field->value.data());
      return fail_rule({field->value, field}, std::string(key), shifted);
    }
    *axes[k] = static_cast<std::uint32_t>(std::get<std::uint64_t>(value));
  }
  return true;
}

bool Preparation::set_shape() {
  Dim3 grid, block{scope_.lanes, 1, 1};
  if (!set_dimensions("grid", overrides_.grid, grid) || !set_dimensions("block", overrides_.block, block)) return false;
  prepared_.config.grid = scope_.grid = grid;
  prepared_.config.block = scope_.block = block;
  return check_shape();
}

bool Preparation::check_shape() {
  const Dim3& grid = scope_.grid;
  const Dim3& block = scope_.block;
  const CaseField* const in_grid = overrides_.grid ? nullptr : case_.find("grid");
  const CaseField* const in_block = overrides_.block ? nullptr : case_.find("block");
  const SourceRange grid_where = in_grid != nullptr ? in_grid->where : SourceRange{};
  const SourceRange block_where = in_block != nullptr ? in_block->where : SourceRange{};
  const auto text = [](const Dim3& d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
  };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return fail("L002", grid_where, "a grid of " + text(grid) + " blocks has none", "every dimension is at least 1");
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return fail("L002", block_where, "a block of " + text(block) + " threads has none",
                "every dimension is at least 1");
  }
  if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) {
    return fail("L002", grid_where, "a grid of " + text(grid) + " blocks is too large",
                "at most 2147483647x65535x65535, as in CUDA");
  }
  // Each dimension first: the product of three large ones wraps.
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.count() > kMaxThreadsPerBlock) {
    return fail("L002", block_where, "a block of " + text(block) + " threads is too large",
                "at most 1024x1024x64 and 1024 threads in all, as in CUDA");
  }
  return true;
}

bool Preparation::set_max_cycles() {
  const CaseField* field = case_.find("max_cycles");
  if (overrides_.max_cycles) {
    prepared_.config.max_cycles = *overrides_.max_cycles;
  } else if (field != nullptr) {
    const auto value = evaluate_scalar(field->value, Type::S64, scope_);
    if (const CaseError* error = std::get_if<CaseError>(&value))
      return fail_rule({field->value, field}, "max_cycles", *error);
    prepared_.config.max_cycles = std::get<std::uint64_t>(value);
    if (static_cast<std::int64_t>(prepared_.config.max_cycles) < 0) prepared_.config.max_cycles = 0;
  }
  if (prepared_.config.max_cycles != 0) return true;
  return fail("L010", field != nullptr ? field->where : SourceRange{}, "max_cycles is at least 1");
}

// ---- the parameters

bool Preparation::set_scalars() {
  for (const Param& p : program_.params) {
    if (p.is_buffer()) continue;
    RuleSource rule{p.default_value, nullptr};
    if (const CaseField* field = case_.find(p.name)) rule = {field->value, field};
    if (const auto given = overrides_.params.find(p.name); given != overrides_.params.end())
      rule = {given->second, nullptr};
    if (rule.text.empty()) {
      return fail("L003", case_.where, "parameter " + written(p) + " has no value",
                  case_.name.empty() ? "give it one" : "give it one, or let the case say '" + p.name + " = …'");
    }
    const auto value = evaluate_scalar(rule.text, p.type, scope_);
    if (const CaseError* error = std::get_if<CaseError>(&value))
      return fail_rule(rule, "parameter " + written(p), *error);
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
      fail("L005", p.where, "the length of " + written(p) + ": " + error->message);
      return std::nullopt;
    }
    const std::int64_t length = static_cast<std::int64_t>(std::get<std::uint64_t>(value));
    if (length >= 0) return static_cast<std::uint64_t>(length);
    fail("L006", p.where, "the length of " + written(p) + " is " + std::to_string(length));
    return std::nullopt;
  }
  std::size_t length = 0;
  if (const auto given = overrides_.input_arrays.find(p.name); given != overrides_.input_arrays.end())
    return given->second.bits.size();
  if (const std::optional<RuleSource> rule = rule_of(p)) length = natural_length(rule->text);
  const CaseField* expected = case_.find(std::string(kExpect) + p.name);
  if (length == 0 && expected != nullptr) length = natural_length(expected->value);
  if (length != 0) return length;
  fail("L003", p.where, "nothing says how long " + written(p) + " is",
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
      return fail("L007", p.where, written(p) + " would have " + elements(*length) + ": too much memory",
                  "all buffers together take at most 1 GiB");
    }
    total_bytes += *length * element_bytes;
    lengths_[p.name] = *length;
  }
  return true;
}

bool Preparation::fill(const RuleSource& rule, const Param& p, std::size_t length, const std::string& what,
                       Array& array) {
  const std::size_t natural = natural_length(rule.text);
  if (natural != 0 && natural != length) {
    return fail(
        "L006", rule.field != nullptr ? rule.field->where : SourceRange{},
        what + " has " + elements(natural) + ", the kernel's " + written(p) + " wants " + std::to_string(length));
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
                  p.name + " holds " + std::string(name(array.type)) + ", the kernel's " + written(p) + " wants " +
                      std::string(name(p.type)));
    }
    if (array.bits.size() != length) {
      return fail("L006", {},
                  p.name + " has " + elements(array.bits.size()) + ", the kernel's " + written(p) + " wants " +
                      std::to_string(length));
    }
  } else if (const std::optional<RuleSource> rule = rule_of(p)) {
    if (!fill(*rule, p, length, p.name, array)) return false;
  } else if (p.kind == Param::Kind::Out) {
    array.bits.assign(length, 0);
  } else {
    return fail("L003", case_.where, "input " + written(p) + " has no values",
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

bool Preparation::set_expected() {
  for (const CaseField& field : case_.fields) {
    if (field.key.rfind(kExpect, 0) != 0) continue;
    const std::string name = field.key.substr(kExpect.size());
    const Param& p = program_.params[static_cast<std::size_t>(program_.find_param(name))];
    const std::size_t length = static_cast<std::size_t>(lengths_[name]);
    if (!fill({field.value, &field}, p, length, field.key, prepared_.expected[name])) return false;
  }
  return true;
}

}  // namespace

std::vector<unsigned> lane_counts(const Case& c) {
  const CaseField* field = c.find("lanes");
  if (field == nullptr) return {4, 8, 16, 32, 64};
  const auto listed = parse_lanes(*field);
  if (const auto* lanes = std::get_if<std::vector<unsigned>>(&listed)) return *lanes;
  return {32};  // prepare_case says what is wrong
}

std::variant<PreparedCase, LaunchError> prepare_case(const Program& program, const Case& c,
                                                     const CaseOverrides& overrides) {
  return Preparation(program, c, overrides).run();
}

}  // namespace warpsim
