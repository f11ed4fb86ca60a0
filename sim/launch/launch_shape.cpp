// A case's names, and the shape of its launch: lanes, grid, block, cycle limit.
//
// Errors: see launch.cpp.
// Source: launch_limits.h.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "sim/launch/launch_limits.h"
#include "sim/launch/preparation.h"

namespace warpsim {
namespace {

// Splits "8x4". An x inside a word or after a lone 0 (0x10) separates nothing.
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

}  // namespace

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
    for (const std::string& one : known) hint += (hint.empty() ? "there is " : ", ") + quoted_name(one);
  }
  return fail("L008", where, quoted_name(program_.name) + " has no " + kind + " " + quoted_name(name), hint);
}

bool Preparation::check_override(const std::string& name, bool buffer) {
  const std::int32_t index = program_.find_param(name);
  if (index < 0) return fail_unknown({}, name, names_of(buffer), buffer ? "buffer" : "parameter");
  if (program_.params[static_cast<std::size_t>(index)].is_buffer() == buffer) return true;
  return buffer ? fail("L004", {}, quoted_name(name) + " is a scalar parameter, not a buffer",
                       "give its value as a parameter")
                : fail("L004", {}, quoted_name(name) + " is a buffer, not a scalar parameter",
                       "give its contents as an input");
}

bool Preparation::check_names() {
  for (std::size_t k = 0; k < case_.fields.size(); ++k) {
    const CaseField& field = case_.fields[k];
    if (case_.find(field.key) != &field) return fail("L009", field.where, quoted_name(field.key) + " is given twice");
    if (field.key == "lanes" || field.key == "grid" || field.key == "block" || field.key == "max_cycles" ||
        field.key == kFindingKey || (field.key == kSharedKey && program_.is_from_ptx))
      continue;
    const bool expect = field.key.rfind(kExpect, 0) == 0;
    const std::string name = expect ? field.key.substr(kExpect.size()) : field.key;
    const std::int32_t index = program_.find_param(name);
    if (index >= 0 && !expect) continue;
    if (index < 0) {
      std::vector<std::string> known = names_of(true);
      if (!expect) {
        const std::vector<std::string> scalars = names_of(false);
        known.insert(known.end(), scalars.begin(), scalars.end());
        known.insert(known.end(), {"lanes", "grid", "block", "max_cycles", std::string(kFindingKey)});
      }
      return fail_unknown(field.where, name, std::move(known), expect ? "buffer" : "parameter");
    }
    const Param::Kind kind = program_.params[static_cast<std::size_t>(index)].kind;
    if (kind != Param::Kind::Out && kind != Param::Kind::InOut) {
      return fail("L004", field.where, quoted_name(name) + " is no output", "expect names an 'out' or 'inout' buffer");
    }
  }
  for (const auto& [name, rule] : overrides_.params) {
    if (!check_override(name, false)) return false;
  }
  for (const auto& [name, bits] : overrides_.param_bits) {
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

bool Preparation::accept(std::optional<LaunchError> fault, SourceRange where) {
  return !fault || fail(std::move(fault->code), where, std::move(fault->message), std::move(fault->hint));
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
      if (check_lanes(one)) lanes = one;
      const Exemption* exempt = program_.exemption_at(one);
      if (exempt == nullptr) continue;
      return fail("L011", where,
                  "the case fixes " + counted(one, "lane") + ", where the program does not run: " + exempt->reason,
                  "line " + std::to_string(exempt->where.line) + " exempts it from this lane count");
    }
  }
  if (overrides_.lanes && !check_lanes(lanes)) {
    lanes = *overrides_.lanes;
    where = {};
  }
  if (!accept(check_lanes(lanes), where)) return false;
  if (const Exemption* exempt = program_.exemption_at(lanes))
    return fail("L011", {},
                program_.full_name() + " does not run at " + counted(lanes, "lane") + ": " + exempt->reason);
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
  Dim3 grid, block = program_.required_block.x != 0 ? program_.required_block : Dim3{scope_.lanes, 1, 1};
  if (!set_dimensions("grid", overrides_.grid, grid) || !set_dimensions("block", overrides_.block, block)) return false;
  prepared_.config.grid = scope_.grid = grid;
  prepared_.config.block = scope_.block = block;
  const CaseField* const in_grid = overrides_.grid ? nullptr : case_.find("grid");
  const CaseField* const in_block = overrides_.block ? nullptr : case_.find("block");
  return accept(check_grid(grid), in_grid != nullptr ? in_grid->where : SourceRange{}) &&
         accept(check_block(block), in_block != nullptr ? in_block->where : SourceRange{}) &&
         accept(check_block(block, program_), in_block != nullptr ? in_block->where : SourceRange{});
}

// Dynamic shared memory: of kernels that say it is the launch's.
bool Preparation::set_shared() {
  if (overrides_.shared_bytes) {
    prepared_.config.dynamic_shared_bytes = *overrides_.shared_bytes;
    return true;
  }
  const CaseField* const field = case_.find(kSharedKey);
  if (field == nullptr || !program_.is_from_ptx) return true;
  const auto value = evaluate_scalar(field->value, Type::U32, scope_);
  if (const CaseError* error = std::get_if<CaseError>(&value))
    return fail_rule({field->value, field}, std::string(kSharedKey), *error);
  prepared_.config.dynamic_shared_bytes = static_cast<std::uint32_t>(std::get<std::uint64_t>(value));
  return true;
}

bool Preparation::set_max_cycles() {
  if (program_.is_from_ptx) {  // real kernels may spin, and rely on every lane getting on
    if (!overrides_.timing) prepared_.config.schedule = kBlocksSchedule;
    prepared_.config.reconvergence = Reconvergence::Independent;
  }
  if (overrides_.reconvergence) prepared_.config.reconvergence = *overrides_.reconvergence;
  prepared_.config.timing = overrides_.timing;
  prepared_.config.engine = overrides_.engine;
  prepared_.config.threads = overrides_.threads;
  prepared_.config.engine_log = overrides_.engine_log;
  if (overrides_.resident_blocks) prepared_.config.resident_blocks = *overrides_.resident_blocks;
  if (overrides_.schedule) prepared_.config.schedule = *overrides_.schedule;
  // Only there is a run that loops for ever found, whoever watches it.
  if (program_.is_from_ptx && prepared_.config.schedule == kBlocksSchedule) prepared_.config.max_cycles = kNoCycleLimit;
  const CaseField* field = case_.find("max_cycles");
  if (overrides_.max_cycles) {
    prepared_.config.max_cycles = *overrides_.max_cycles;
  } else if (field != nullptr) {
    const auto value = evaluate_scalar(field->value, Type::S64, scope_);
    if (const CaseError* error = std::get_if<CaseError>(&value))
      return fail_rule({field->value, field}, "max_cycles", *error);
    prepared_.config.max_cycles = std::get<std::uint64_t>(value);
    if (static_cast<std::int64_t>(prepared_.config.max_cycles) < 0) prepared_.config.max_cycles = 0;
    // A case counts cycles of lockstep, of which a timed run needs many more.
    if (overrides_.timing && prepared_.config.max_cycles != 0)
      prepared_.config.max_cycles = std::max(prepared_.config.max_cycles, kDefaultMaxCycles);
  }
  return accept(check_max_cycles(prepared_.config.max_cycles), field != nullptr ? field->where : SourceRange{});
}

}  // namespace warpsim
